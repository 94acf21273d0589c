//! The content of Git's files is read or refused: deltas give the result of their instructions, and the
//! parsers of configuration files and of the headers of loose objects end.
#![no_main]

use arbitrary::Arbitrary;
use hashwell_git::parsers::{apply_delta, loose_header, object_format};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Instruction {
    /// Literal bytes.
    Insert(Vec<u8>),
    /// Copies from the base. The position is 3 times the first number and the length is 2 times the second, so that
    /// both can exceed 64 KiB.
    Copy(u16, u16),
}

#[derive(Arbitrary, Debug)]
struct Case {
    base: Vec<u8>,
    /// How often the base is repeated, to exceed 64 KiB cheaply.
    times: u16,
    instructions: Vec<Instruction>,
    bytes: Vec<u8>,
}

/// Encodes a size with seven bits per byte, lowest first (gitformat-pack(5), "Size encoding").
fn size(mut size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while size > 0x7f {
        bytes.push(size as u8 | 0x80);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes
}

/// The instruction to copy (gitformat-pack(5), "Deltified representation"), in which zero bytes are omitted.
fn copy(place: usize, len: usize) -> Vec<u8> {
    let bytes = place as u64 & 0xffff_ffff | (len as u64 & 0xff_ffff) << 32;
    let (mut code, mut rest) = (0x80, Vec::new());
    for (bit, byte) in bytes.to_le_bytes()[..7].iter().enumerate().filter(|(_, byte)| **byte > 0) {
        code |= 1 << bit;
        rest.push(*byte);
    }
    [vec![code], rest].concat()
}

fuzz_target!(|case: Case| {
    let _ = object_format(&case.bytes);
    if let Some((size, start)) = loose_header(&case.bytes) {
        let head = case.bytes[..start].to_vec();
        assert!(String::from_utf8(head).unwrap().ends_with(&format!(" {size}\0")));
    }
    let base = case.base.repeat(usize::from(case.times) % 300);
    // Any bytes after a valid header with two sizes.
    for made in [0, 1, 100, base.len()] {
        let delta = [size(base.len()), size(made), case.bytes.clone()].concat();
        if let Ok(object) = apply_delta(&base, &delta) {
            assert_eq!(object.len(), made);
        }
    }
    let _ = apply_delta(&base, &case.bytes);

    let (mut code, mut expected): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for instruction in &case.instructions {
        match instruction {
            Instruction::Insert(bytes) => {
                for piece in bytes.chunks(0x7f) {
                    code.push(piece.len() as u8);
                    code.extend(piece);
                }
                expected.extend(bytes);
            }
            Instruction::Copy(place, len) => {
                let place = usize::from(*place) * 3;
                // A length of zero means 65,536.
                let len = usize::from(*len) * 2;
                let Some(bytes) = base.get(place..place + if len == 0 { 0x1_0000 } else { len }) else {
                    continue;
                };
                code.extend(copy(place, len));
                expected.extend(bytes);
            }
        }
    }
    let delta = [size(base.len()), size(expected.len()), code].concat();
    assert!(apply_delta(&base, &delta).unwrap() == expected);
});
