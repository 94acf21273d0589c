//! The constants of SHA-2, computed as fractional parts of roots of primes (FIPS 180-4 sections 4.2.2, 4.2.3 and 5.3).
//! All of them come from one table of 64-bit fractions. The constants of SHA-256 are the upper halves.

/// The first 80 primes.
const PRIMES: [u64; 80] = {
    let mut primes = [2; 80];
    let mut found = 1;
    let mut n = 3;
    while found < 80 {
        let mut i = 0;
        while i < found && n % primes[i] != 0 {
            i += 1;
        }
        if i == found {
            primes[found] = n;
            found += 1;
        }
        n += 2;
    }
    primes
};

/// A 256-bit number, least significant limb first: the cube of a 67-bit number needs 201 bits.
type U256 = [u64; 4];

/// Returns `a · b`, which must not overflow.
const fn multiply(a: U256, b: U256) -> U256 {
    let mut out = [0; 4];
    let mut i = 0;
    while i < 4 {
        let mut carry = 0;
        let mut j = 0;
        while i + j < 4 {
            let t = a[i] as u128 * b[j] as u128 + out[i + j] as u128 + carry as u128;
            out[i + j] = t as u64;
            carry = (t >> 64) as u64;
            j += 1;
        }
        i += 1;
    }
    out
}

const fn less_or_equal(a: U256, b: U256) -> bool {
    let mut i = 4;
    while i > 0 {
        i -= 1;
        if a[i] != b[i] {
            return a[i] < b[i];
        }
    }
    true
}

/// Returns the first 64 bits of the fractional part of the `degree`-th root (2 or 3) of `p`. They are found bit by bit:
/// the largest x with x^degree <= p · 2^(64·degree), without its integer part.
const fn root_fraction(p: u64, degree: usize) -> u64 {
    let mut bound = [0; 4];
    bound[degree] = p;
    let mut x = [0, 0, 0, 0];
    // The roots of these primes are less than 2^5.
    let mut bit = 64 + 5;
    while bit > 0 {
        bit -= 1;
        let mut trial = x;
        trial[bit / 64] |= 1 << (bit % 64);
        let square = multiply(trial, trial);
        let power = if degree == 2 { square } else { multiply(square, trial) };
        if less_or_equal(power, bound) {
            x = trial;
        }
    }
    x[0]
}

/// The constants K of SHA-512 (section 4.2.3): the cube roots of the first 80 primes.
pub(crate) static K512: [u64; 80] = CUBE_ROOTS;

const CUBE_ROOTS: [u64; 80] = {
    let mut k = [0; 80];
    let mut i = 0;
    while i < 80 {
        k[i] = root_fraction(PRIMES[i], 3);
        i += 1;
    }
    k
};

/// The 64 constants K of SHA-256 (section 4.2.2), followed by the first 32 of them again. SHA256-90R has more than 64
/// rounds and the rule `K[i] = K256[i mod 64]`. The length is a multiple of sixteen, so that kernels can load the
/// constants of several rounds together.
pub static K256: [u32; 96] = {
    let mut k = [0; 96];
    let mut i = 0;
    while i < 96 {
        k[i] = (CUBE_ROOTS[i % 64] >> 32) as u32;
        i += 1;
    }
    k
};

/// Returns the square roots of the eight primes from index `first` on.
const fn square_roots(first: usize) -> [u64; 8] {
    let mut h = [0; 8];
    let mut i = 0;
    while i < 8 {
        h[i] = root_fraction(PRIMES[first + i], 2);
        i += 1;
    }
    h
}

const fn halves(h: [u64; 8], shift: u32) -> [u32; 8] {
    let mut out = [0; 8];
    let mut i = 0;
    while i < 8 {
        out[i] = (h[i] >> shift) as u32;
        i += 1;
    }
    out
}

/// The initial hash value H(0) of SHA-512 (section 5.3.5).
pub(crate) const H512: [u64; 8] = square_roots(0);
/// The initial hash value H(0) of SHA-384 (section 5.3.4), from the ninth to sixteenth primes.
pub(crate) const H384: [u64; 8] = square_roots(8);
/// The initial hash value H(0) of SHA-256 (section 5.3.3).
pub const H256: [u32; 8] = halves(H512, 32);
/// The initial hash value H(0) of SHA-224 (section 5.3.2): the second 32 bits of the fractions of SHA-384.
pub(crate) const H224: [u32; 8] = halves(H384, 0);
/// The initial hash value H(0) of SHA-512/224 (section 5.3.6), from the IV generation function, which
/// `tests::generation_function` runs.
pub(crate) const H512_224: [u64; 8] = [
    0x8c3d_37c8_1954_4da2,
    0x73e1_9966_89dc_d4d6,
    0x1dfa_b7ae_32ff_9c82,
    0x679d_d514_582f_9fcf,
    0x0f6d_2b69_7bd4_4da8,
    0x77e3_6f73_04c4_8942,
    0x3f9d_85a8_6a1d_36c8,
    0x1112_e6ad_91d6_92a1,
];
/// The initial hash value H(0) of SHA-512/256 (section 5.3.6), from the same function.
pub(crate) const H512_256: [u64; 8] = [
    0x2231_2194_fc2b_f72c,
    0x9f55_5fa3_c84c_64c2,
    0x2393_b86b_6f53_b151,
    0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3,
    0xbe5e_1e25_5386_3992,
    0x2b01_99fc_2c85_b8aa,
    0x0eb7_2ddc_81c5_2ca2,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::md::{Md, Spec};
    use crate::families::sha2::kernels;
    use crate::internal::cores::Core;

    #[test]
    fn derived_constants_are_the_printed_ones() {
        assert_eq!(PRIMES[79], 409);
        assert_eq!(K512[0], 0x428a_2f98_d728_ae22);
        assert_eq!(K512[79], 0x6c44_198c_4a47_5817);
        assert_eq!(
            (K256[0], K256[63], K256[64], K256[89]),
            (0x428a_2f98, 0xc671_78f2, 0x428a_2f98, 0xa831_c66d)
        );
        assert_eq!((H512[0], H512[7]), (0x6a09_e667_f3bc_c908, 0x5be0_cd19_137e_2179));
        assert_eq!((H384[0], H384[7]), (0xcbbb_9d5d_c105_9ed8, 0x47b5_481d_befa_4fa4));
        assert_eq!((H256[0], H256[7]), (0x6a09_e667, 0x5be0_cd19));
        assert_eq!((H224[0], H224[7]), (0xc105_9ed8, 0xbefa_4fa4));
    }

    /// Implements section 5.3.6: SHA-512 of the name of the hash, starting from H(0) xor a5…a5.
    #[test]
    fn generation_function() {
        for (name, printed) in [("SHA-512/224", H512_224), ("SHA-512/256", H512_256)] {
            let initial = H512.map(|h| h ^ 0xa5a5_a5a5_a5a5_a5a5);
            let mut md = Md::new(&Spec { initial, kernels: &kernels::SHA512, many: &kernels::SHA512_MANY });
            md.update(name.as_bytes());
            let mut out = [0; 64];
            md.finalize_into(&mut out);
            let words: [u64; 8] = core::array::from_fn(|i| u64::from_be_bytes(out.as_chunks().0[i]));
            assert_eq!(words, printed, "{name}");
        }
    }
}
