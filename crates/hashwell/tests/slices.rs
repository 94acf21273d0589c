//! Slices are byte for byte those of the crate `bao`, and no wrong slice is accepted.

use crate::common::{Random, mod251};
use hashwell::{Error, OutboardWriter, SliceDecoder, SlicePart, SliceParts};
use std::io::{Cursor, Read};

struct Message {
    bytes: Vec<u8>,
    outboard: Vec<u8>,
    digest: [u8; 32],
    group: usize,
}

impl Message {
    fn new(len: usize, group: usize) -> Self {
        let bytes = mod251(len);
        let mut writer = OutboardWriter::new(group).unwrap();
        writer.update(&bytes).unwrap();
        let (outboard, digest) = writer.finish().unwrap();
        Self { bytes, outboard: outboard.to_bytes().unwrap(), digest, group }
    }

    fn slice(&self, start: u64, count: u64) -> Vec<u8> {
        let mut slice = Vec::new();
        for part in SliceParts::new(self.bytes.len() as u64, self.group, start, count).unwrap() {
            let (source, range) = match &part {
                SlicePart::Outboard(range) => (&self.outboard, range),
                SlicePart::Message(range) => (&self.bytes, range),
            };
            slice.extend(&source[range.start as usize..range.end as usize]);
        }
        slice
    }

    /// The bytes of the message in this range.
    fn range(&self, start: u64, count: u64) -> &[u8] {
        let at = |at: u64| at.min(self.bytes.len() as u64) as usize;
        &self.bytes[at(start)..at(start.saturating_add(count))]
    }

    fn decoder(&self, start: u64, count: u64) -> SliceDecoder {
        SliceDecoder::new(&self.digest, self.group, start, count).unwrap()
    }
}

/// Passes a slice in pieces. Returns the verified bytes and the result.
fn decode(mut decoder: SliceDecoder, slice: &[u8], piece: usize) -> (Vec<u8>, Result<Option<u64>, Error>) {
    let mut verified = Vec::new();
    for mut piece in slice.chunks(piece) {
        loop {
            match decoder.decode(&mut piece) {
                Ok(Some(bytes)) => verified.extend(bytes),
                Ok(None) => break,
                Err(error) => {
                    // The error is permanent.
                    assert_eq!(decoder.decode(&mut piece), Err(error.clone()));
                    assert!(!decoder.is_complete());
                    return (verified, Err(error));
                }
            }
        }
        assert!(piece.is_empty() || decoder.is_complete());
    }
    (verified, decoder.finish())
}

fn lengths(group: usize) -> impl Iterator<Item = usize> {
    [0, 1, 2, 3, 4, 5, 8, 13]
        .into_iter()
        .flat_map(move |n| [(n * group).saturating_sub(1), n * group, n * group + 1])
}

/// Ranges within, across and after a message of this length.
fn ranges(len: u64, group: u64) -> Vec<(u64, u64)> {
    let starts =
        [0, 1, group - 1, group, group + 1, len / 2, len.saturating_sub(1), len, len + 1, 1 << 63, u64::MAX];
    let counts = [0, 1, group, 2 * group + 1, len, 1 << 63, u64::MAX];
    starts.into_iter().flat_map(|start| counts.map(|count| (start, count))).collect()
}

#[test]
fn slices_are_those_of_bao() {
    for len in lengths(1024) {
        let message = Message::new(len, 1024);
        let (encoded, hash) = bao::encode::encode(&message.bytes);
        assert_eq!(message.digest, *hash.as_bytes());
        for (start, count) in ranges(len as u64, 1024) {
            // bao adds the two numbers and would overflow.
            let bao_count = count.min(u64::MAX - start);
            let mut expected = Vec::new();
            let mut extractor = bao::encode::SliceExtractor::new(Cursor::new(&encoded), start, bao_count);
            extractor.read_to_end(&mut expected).unwrap();
            let slice = message.slice(start, count);
            assert_eq!(slice, expected, "{start}, {count} of {len}");

            let mut theirs = Vec::new();
            let mut decoder = bao::decode::SliceDecoder::new(&slice[..], &hash, start, bao_count);
            decoder.read_to_end(&mut theirs).unwrap();
            let (ours, end) = decode(message.decoder(start, count), &slice, 700);
            assert!(ours == theirs && ours == message.range(start, count), "{start}, {count} of {len}");
            let reaches_end = len == 0 || start.saturating_add(count.max(1)) > (len as u64 - 1) / 1024 * 1024;
            assert_eq!(end, Ok(reaches_end.then_some(len as u64)), "{start}, {count} of {len}");
        }
    }
}

/// If groups are larger than 1 KiB, a slice contains whole groups, without the tree nodes inside a group.
#[test]
fn larger_groups() {
    for (group, len) in
        [2048, 16 << 10].into_iter().flat_map(|group| lengths(group).map(move |len| (group, len)))
    {
        let message = Message::new(len, group);
        for (start, count) in ranges(len as u64, group as u64) {
            let slice = message.slice(start, count);
            for piece in [slice.len(), 12_345, 64] {
                let (bytes, end) = decode(message.decoder(start, count), &slice, piece);
                assert_eq!(bytes, message.range(start, count), "{start}, {count} of {len}");
                let reaches_end =
                    len == 0 || start.saturating_add(count.max(1)) > ((len - 1) / group * group) as u64;
                assert_eq!(end, Ok(reaches_end.then_some(len as u64)), "{start}, {count} of {len}");
            }
            assert!(slice.len() <= message.bytes.len() + message.outboard.len());
        }
        assert_eq!(message.slice(0, u64::MAX).len(), message.bytes.len() + message.outboard.len());
    }
}

/// Digests of slices of the crate bao-tree 0.17.0 in groups of 1, 2, 16 and 64 KiB, with the message length before them.
#[test]
fn slices_are_those_of_bao_tree() {
    let text = include_str!("bao_tree_slices.txt");
    let mut cases = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let number = |i: usize| fields[i].parse::<u64>().unwrap();
        let message = Message::new(number(1) as usize, number(0) as usize);
        let slice = message.slice(number(2), number(3));
        assert_eq!(slice.len() as u64, number(4), "{line}");
        let digest = hashwell::find("blake3").unwrap().digest(&slice);
        assert_eq!(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), fields[5], "{line}");
        cases += 1;
    }
    assert!(cases > 50, "{cases}");
}

/// A decoder never accepts a wrong slice, and returns only verified bytes of it.
#[test]
fn hostile_slices() {
    let mut random = Random(7);
    let mut refused = 0;
    for (group, len) in [(1024, 21 * 1024 + 7), (1024, 1000), (2048, 50_000), (16 << 10, 100_000), (1024, 0)]
    {
        let message = Message::new(len, group);
        for (start, count) in [(0, 1), (3000, 5000), (len as u64, 1), (0, u64::MAX)] {
            let slice = message.slice(start, count);
            let right = message.range(start, count);
            let mut check = |bad: &[u8], what: &str| {
                let piece = 1 + random.below(5000);
                let (bytes, end) = decode(message.decoder(start, count), bad, piece);
                assert!(right.starts_with(&bytes), "{what}: unverified bytes");
                let Err(Error::WrongSlice { at, .. }) = end else { panic!("{what}: {end:?}") };
                assert!(at <= bad.len() as u64, "{what}");
                refused += 1;
            };
            for n in 0..400 {
                let mut bad = slice.clone();
                // A slice without the last group does not authenticate the low bits of the length.
                let from = if start + count.min(1 << 40) >= len as u64 { 0 } else { 8 };
                let at = from + (n * 7919) % (slice.len() - from).max(1);
                if at < bad.len() {
                    bad[at] ^= 1 << (n % 8);
                    check(&bad, &format!("bit {n} of byte {at}"));
                }
                check(&slice[..(n * 104_729) % slice.len()], "truncated");
            }
            for length in [1 << 63, u64::MAX, 1 << 40, len as u64 + (1 << 20)] {
                check(&[&u64::to_le_bytes(length)[..], &slice[8..]].concat(), "other length");
            }
            let mut wrong = SliceDecoder::new(&[1; 32], group, start, count).unwrap();
            let mut input = &slice[..];
            assert!(matches!(wrong.decode(&mut input), Err(Error::WrongSlice { .. })) || len == 0);
        }
    }
    assert!(refused > 10_000, "{refused}");
}

/// A part that is wrong is refused where it begins, and everything before it was returned.
#[test]
fn the_first_wrong_part_is_named() {
    let message = Message::new(100_000, 1024);
    let slice = message.slice(0, u64::MAX);
    let mut bad = slice.clone();
    let last = bad.len() - 1;
    bad[last] ^= 1;
    let (bytes, end) = decode(message.decoder(0, u64::MAX), &bad, 1000);
    let tail = 100_000 % 1024;
    assert_eq!(bytes, message.bytes[..100_000 - tail]);
    let at = (slice.len() - tail) as u64;
    assert_eq!(end, Err(Error::WrongSlice { what: "data does not match the digest", at }));
    let (_, end) = decode(message.decoder(0, u64::MAX), &slice[..last], 1000);
    assert_eq!(end, Err(Error::WrongSlice { what: "it is truncated", at: last as u64 }));
    assert_eq!(end.unwrap_err().to_string(), format!("the slice is wrong at byte {last}: it is truncated"));
}

/// A slice of 2^63 and more bytes with a digest that matches: the attacker chooses both.
#[test]
fn the_longest_declared_lengths() {
    use blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
    for len in [1 << 63, (1 << 63) + 1, u64::MAX - 1024, u64::MAX] {
        for (start, count) in [(0, 100), ((1 << 63) - 5, 9), (len - 1, 1), (len, 1), (u64::MAX, u64::MAX)] {
            let parts: Vec<SlicePart> = SliceParts::new(len, 1024, start, count).unwrap().collect();
            assert!(parts.len() < 120, "{len}: {}", parts.len());
            // Compute the values from the last part backwards; the other subtrees have arbitrary values.
            let (first, last) = parts.iter().fold((u64::MAX, 0), |(first, last), part| match part {
                SlicePart::Message(range) => (first.min(range.start), last.max(range.end)),
                SlicePart::Outboard(_) => (first, last),
            });
            let mut slice = len.to_le_bytes().to_vec();
            let digest = build(len, 0..len.div_ceil(1024), first..last, true, &mut slice);
            let decoder = SliceDecoder::new(&digest, 1024, start, count).unwrap();
            let (bytes, end) = decode(decoder, &slice, 100);
            let expected = start.saturating_add(count).min(len).saturating_sub(start);
            assert_eq!(bytes.len() as u64, expected, "{start}, {count} of {len}");
            assert_eq!(end.unwrap(), (last == len).then_some(len), "{start}, {count} of {len}");
        }
    }

    /// Appends the parts of a subtree of chunks of zeros, of which those in `kept` are in the slice.
    fn build(
        len: u64,
        range: std::ops::Range<u64>,
        kept: std::ops::Range<u64>,
        is_root: bool,
        slice: &mut Vec<u8>,
    ) -> [u8; 32] {
        let bytes = range.start * 1024..range.end.saturating_mul(1024).min(len);
        if bytes.end <= kept.start || kept.end <= bytes.start {
            return [9; 32];
        }
        if range.end - range.start == 1 {
            let data = vec![0; (bytes.end - bytes.start) as usize];
            slice.extend(&data);
            let mut hasher = blake3::Hasher::new();
            hasher.set_input_offset(bytes.start).update(&data);
            return hasher.finalize_non_root();
        }
        let at = slice.len();
        slice.resize(at + 64, 0);
        let middle = range.start + (1 << (range.end - range.start - 1).ilog2());
        let left = build(len, range.start..middle, kept.clone(), false, slice);
        let right = build(len, middle..range.end, kept, false, slice);
        slice[at..][..32].copy_from_slice(&left);
        slice[at + 32..][..32].copy_from_slice(&right);
        match is_root {
            true => merge_subtrees_root(&left, &right, Mode::Hash).into(),
            false => merge_subtrees_non_root(&left, &right, Mode::Hash),
        }
    }
}

#[test]
fn group_sizes_out_of_range() {
    for group in [0, 1, 512, 1025, 128 << 20] {
        assert!(
            SliceParts::new(1, group, 0, 1).is_err() && SliceDecoder::new(&[0; 32], group, 0, 1).is_err()
        );
    }
}

/// Bytes after the end are left to the caller.
#[test]
fn bytes_after_the_end() {
    let message = Message::new(5000, 1024);
    let slice = [&message.slice(0, 10)[..], b"more"].concat();
    let mut decoder = message.decoder(0, 10);
    let mut input = &slice[..];
    assert_eq!(decoder.decode(&mut input).unwrap(), Some(message.range(0, 10)));
    assert_eq!(decoder.decode(&mut input).unwrap(), None);
    assert!(decoder.is_complete() && input == b"more");
}
