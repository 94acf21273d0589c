//! Deltas, which convert one object into another, in the format of packs (gitformat-pack(5)).

use crate::files::reason;
use crate::regular::no_memory;

/// The maximum number of bytes in which a delta states the sizes of its base and of its result.
pub(super) const SIZES_MAX: usize = 20;

const CUT: &str = "its delta is truncated";

/// The sizes in bytes of the base and of the result of a delta, and the offset of its instructions.
pub(super) fn sizes(delta: &[u8]) -> Result<(u64, u64, usize), String> {
    let mut at = 0;
    let (base, result) = (size(delta, &mut at)?, size(delta, &mut at)?);
    Ok((base, result, at))
}

/// Reads a number with seven bits per byte, lowest bits first.
fn size(delta: &[u8], at: &mut usize) -> Result<u64, String> {
    let mut size = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = *delta.get(*at).ok_or(CUT)?;
        *at += 1;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            break;
        }
        size |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(size);
        }
    }
    Err("its delta declares a size beyond 64 bits".to_owned())
}

/// Applies a delta to its base. Memory is allocated for the actual output, not for the declared size.
pub(super) fn apply(base: &[u8], delta: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
    let (base_size, size, mut at) = sizes(delta)?;
    if base_size != base.len() as u64 {
        return Err(format!("it needs a base of {base_size} bytes, but its base has {}", base.len()));
    }
    out.clear();
    while at < delta.len() {
        let piece = instruction(base, delta, &mut at)?;
        let left = size - out.len() as u64;
        if piece.len() as u64 > left {
            return Err(format!("its delta declares {size} bytes but produces more"));
        }
        let room = out.capacity() - out.len();
        if piece.len() > room {
            // Double the memory, but do not reserve more than the declared size.
            let more = (out.len().max(1 << 10) as u64).clamp(piece.len() as u64, left);
            out.try_reserve_exact(more as usize).map_err(|_| reason(&no_memory(size)))?;
        }
        out.extend_from_slice(piece);
    }
    if out.len() as u64 == size {
        Ok(())
    } else {
        Err(format!("its delta declares {size} bytes but produces {}", out.len()))
    }
}

/// The bytes that the instruction at `at` appends: a part of the base, or bytes of the delta.
fn instruction<'a>(base: &'a [u8], delta: &'a [u8], at: &mut usize) -> Result<&'a [u8], String> {
    let mut byte = || {
        let byte = *delta.get(*at).ok_or(CUT)?;
        *at += 1;
        Ok::<_, String>(byte)
    };
    let code = byte()?;
    if code & 0x80 == 0 {
        let start = *at;
        *at += usize::from(code);
        return match code {
            0 => Err("its delta has an invalid instruction (0)".to_owned()),
            _ => delta.get(start..*at).ok_or_else(|| CUT.to_owned()),
        };
    }
    // Bits 0 to 3 state which bytes of the offset follow, and bits 4 to 6 state which bytes of the length follow.
    let mut number = |bits: std::ops::Range<u8>| {
        let mut number = 0;
        for bit in bits.clone().filter(|bit| code >> bit & 1 == 1) {
            number |= usize::from(byte()?) << (8 * (bit - bits.start));
        }
        Ok::<_, String>(number)
    };
    let start = number(0..4)?;
    let len = match number(4..7)? {
        0 => 0x10000,
        len => len,
    };
    base.get(start..start + len).ok_or_else(|| "its delta copies from beyond its base".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, String> {
        let mut out = b"before".to_vec();
        apply(base, delta, &mut out).map(|()| out)
    }

    #[test]
    fn both_instructions() {
        let base: Vec<u8> = (0..=255).cycle().take(0x10203).collect();
        let declare = |size: u32, code: &[u8]| {
            let leb =
                |n: u32| (0..5).map(move |i| (n >> (7 * i)) as u8 & 0x7f | if i < 4 { 0x80 } else { 0 });
            leb(base.len() as u32).chain(leb(size)).chain(code.iter().copied()).collect::<Vec<u8>>()
        };
        let of = |size, code: &[u8]| made(&base, &declare(size, code));
        assert_eq!(of(3, &[3, 7, 8, 9]), Ok(vec![7, 8, 9]));
        assert_eq!(of(0, &[]), Ok(vec![]));
        // The cases are 2 bytes from offset 3; 0x10000 bytes from offset 0, for which no length is stored; and offsets
        // and lengths of several bytes.
        assert_eq!(of(2, &[0x91, 3, 2]), Ok(vec![3, 4]));
        assert!(of(0x10000, &[0x80]).unwrap() == base[..0x10000]);
        assert!(of(2, &[0x97, 1, 2, 1, 2]).unwrap() == base[0x10201..]);
        assert!(of(0x10201, &[0xf1, 2, 1, 2, 1]).unwrap() == base[2..]);
        for (size, code, why) in [
            (2, &[0x97, 2, 2, 1, 2][..], "beyond its base"),
            (2, &[0x98, 0xff, 2], "beyond its base"),
            (3, &[2, 7, 8], "declares 3 bytes but produces 2"),
            (1, &[2, 7, 8], "declares 1 bytes but produces more"),
            (2, &[0], "invalid instruction (0)"),
            (2, &[2, 7], "truncated"),
            (2, &[0x91, 3], "truncated"),
        ] {
            let error = of(size, code).unwrap_err();
            assert!(error.contains(why), "{code:?}: {error}");
        }
    }

    #[test]
    fn sizes_that_lie() {
        assert_eq!(made(b"abc", &[2, 0]), Err("it needs a base of 2 bytes, but its base has 3".to_owned()));
        assert_eq!(made(b"abc", &[]), Err(CUT.to_owned()));
        assert_eq!(made(b"abc", &[3, 0x80]), Err(CUT.to_owned()));
        let large = [&[3][..], &[0xff; 9], &[1]].concat();
        assert_eq!(sizes(&large), Ok((3, u64::MAX, 11)));
        assert!(
            made(b"abc", &large).unwrap_err().contains("declares 18446744073709551615 bytes but produces 0")
        );
        let larger = [&[3][..], &[0xff; 9], &[2]].concat();
        assert!(sizes(&larger).unwrap_err().contains("beyond 64 bits"));
        assert!(sizes(&[0x80; 30]).unwrap_err().contains("beyond 64 bits"));
    }
}
