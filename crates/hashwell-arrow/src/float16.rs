//! Floating-point numbers of 16 bits.

/// The value of an IEEE 754 binary16, which binary32 represents exactly. NaN is [`f32::NAN`] with the same sign.
#[inline]
#[must_use]
pub fn f16_to_f32(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = match exponent {
        0 => fraction / 16_777_216.0,
        31 if bits & 1023 == 0 => f32::INFINITY,
        31 => f32::NAN,
        // A power of two from 2^-14 to 2^15, times 1 plus a multiple of 1/1024.
        _ => f32::from_bits((exponent + 112) << 23) * (1.0 + fraction / 1024.0),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::f16_to_f32;

    #[test]
    fn known_values() {
        let known = [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (bits, value) in known {
            assert_eq!(f16_to_f32(bits).to_bits(), f32::to_bits(value), "{bits:04x}");
        }
        assert!(f16_to_f32(0x7e00).is_nan());
    }
}
