//! Packs and loose objects that no git would write: the test determines every byte.
#![allow(dead_code, unreachable_pub)] // each test file uses only some of these

use flate2::write::ZlibEncoder;
use flate2::{Compress, Compression, FlushCompress};
use std::io::Write;

pub const BLOB: u8 = 3;
pub const OFS_DELTA: u8 = 6;
pub const REF_DELTA: u8 = 7;

pub fn sha1(message: &[u8]) -> Vec<u8> {
    hashwell::find("sha1").unwrap().digest(message)
}

/// The id of a blob.
pub fn blob_id(content: &[u8]) -> Vec<u8> {
    sha1(&[format!("blob {}\0", content.len()).as_bytes(), content].concat())
}

pub fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Compressed data that begin with `head` and continue with this many MiB of zeros. The checksum is missing.
pub fn deflated_zeros(head: &[u8], mib: usize) -> Vec<u8> {
    let mut compress = Compress::new(Compression::fast(), true);
    let mut flushed = |bytes: &[u8]| {
        let mut out = Vec::with_capacity(1 << 20);
        compress.compress_vec(bytes, &mut out, FlushCompress::Full).unwrap();
        out
    };
    // After a full flush, the same input gives the same output.
    [flushed(head), flushed(&[0; 1 << 20]).repeat(mib)].concat()
}

/// A number with seven bits per byte, lowest bits first, as deltas declare sizes.
pub fn leb(mut n: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n > 0x7f {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

/// A delta that copies the whole base (at most 0xffffff bytes) `copies` times, and appends `tail` (at most 127 bytes).
pub fn delta(base: u64, copies: u64, tail: &[u8]) -> Vec<u8> {
    let copy = [0xf0, base as u8, (base >> 8) as u8, (base >> 16) as u8];
    let mut delta = [leb(base), leb(base * copies + tail.len() as u64)].concat();
    delta.extend(copy.repeat(copies as usize));
    if !tail.is_empty() {
        delta.push(tail.len() as u8);
        delta.extend(tail);
    }
    delta
}

/// A pack that is being built, with the entries for its index.
#[derive(Clone)]
pub struct Pack {
    pub bytes: Vec<u8>,
    /// The ids and offsets for the index.
    pub listed: Vec<(Vec<u8>, u64)>,
}

impl Pack {
    pub fn new() -> Self {
        Self { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), listed: Vec::new() }
    }

    /// Adds an entry with a type and a declared size. `base` is written before its compressed data. Returns its offset.
    pub fn entry(&mut self, kind: u8, size: u64, base: &[u8], compressed: &[u8], id: Vec<u8>) -> u64 {
        let offset = self.bytes.len() as u64;
        let mut head = vec![kind << 4 | (size & 15) as u8];
        if size > 15 {
            head[0] |= 0x80;
            head.extend(leb(size >> 4));
        }
        self.bytes.extend([&head, base, compressed].concat());
        self.listed.push((id, offset));
        offset
    }

    pub fn blob(&mut self, content: &[u8]) -> u64 {
        self.entry(BLOB, content.len() as u64, &[], &deflated(content), blob_id(content))
    }

    /// Adds a delta whose base begins at an earlier offset.
    pub fn ofs_delta(&mut self, base: u64, delta: &[u8], id: Vec<u8>) -> u64 {
        // Seven bits per byte, highest bits first. Each further byte adds one.
        let mut distance = self.bytes.len() as u64 - base;
        let mut bytes = vec![distance as u8 & 0x7f];
        while distance > 0x7f {
            distance = (distance >> 7) - 1;
            bytes.insert(0, distance as u8 | 0x80);
        }
        self.entry(OFS_DELTA, delta.len() as u64, &bytes, &deflated(delta), id)
    }

    pub fn ref_delta(&mut self, base: &[u8], delta: &[u8], id: Vec<u8>) -> u64 {
        self.entry(REF_DELTA, delta.len() as u64, base, &deflated(delta), id)
    }

    /// The bytes of the pack, including the number of objects and the checksum.
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[8..12].copy_from_slice(&(self.listed.len() as u32).to_be_bytes());
        bytes.extend(sha1(&bytes));
        bytes
    }

    /// Its index of version 2, with 64-bit offsets if necessary.
    pub fn index(&self) -> Vec<u8> {
        let mut listed = self.listed.clone();
        listed.sort();
        let mut bytes = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=u8::MAX {
            let count = listed.iter().filter(|(id, _)| id[0] <= first).count() as u32;
            bytes.extend(count.to_be_bytes());
        }
        listed.iter().for_each(|(id, _)| bytes.extend(id));
        bytes.extend(vec![0; 4 * listed.len()]);
        let mut large = Vec::new();
        for (_, offset) in &listed {
            let word = if *offset >> 31 == 0 {
                *offset as u32
            } else {
                large.push(*offset);
                1 << 31 | (large.len() - 1) as u32
            };
            bytes.extend(word.to_be_bytes());
        }
        large.iter().for_each(|offset| bytes.extend(offset.to_be_bytes()));
        let pack = self.pack();
        bytes.extend(&pack[pack.len() - 20..]);
        bytes.extend(sha1(&bytes));
        bytes
    }
}
