//! Outboard trees are byte for byte those of the crate `bao`, and all damage is located.

use crate::common::{Random, mod251};
use hashwell::{Located, Locator, Outboard, OutboardWriter, find};

fn outboard(message: &[u8], group: usize, piece: usize) -> (Outboard, [u8; 32]) {
    let mut writer = OutboardWriter::new(group).unwrap();
    message.chunks(piece).for_each(|piece| writer.update(piece).unwrap());
    writer.finish().unwrap()
}

fn located(outboard: &Outboard, digest: &[u8; 32], message: &[u8]) -> Located {
    let mut locator = Locator::new(outboard, digest).unwrap();
    message.chunks(70_000).for_each(|piece| locator.update(piece).unwrap());
    let located = locator.finish().unwrap();
    assert_eq!(located.is_intact(), located.damaged.is_empty() && located.unknown.is_empty());
    located
}

fn lengths(group: usize) -> impl Iterator<Item = usize> {
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 21]
        .into_iter()
        .flat_map(move |n| [(n * group).saturating_sub(1), n * group, n * group + 1])
}

/// A list with a single range of bytes.
fn one(range: std::ops::Range<u64>) -> Vec<std::ops::Range<u64>> {
    vec![range]
}

#[test]
fn groups_of_a_chunk_are_those_of_bao() {
    for len in lengths(1024) {
        let message = mod251(len);
        let (expected, hash) = bao::encode::outboard(&message);
        for piece in [1000, 1024, 5000, 1 << 20] {
            let (made, digest) = outboard(&message, 1024, piece);
            assert_eq!(made.to_bytes().unwrap(), expected, "{len} in pieces of {piece}");
            assert_eq!(digest, *hash.as_bytes(), "{len}");
            assert_eq!(digest[..], find("blake3").unwrap().digest(&message));
        }
    }
}

/// The tree with larger groups is the tree of chunks without its lower nodes.
#[test]
fn larger_groups_leave_nodes_out() {
    for len in lengths(16 << 10) {
        let message = mod251(len);
        let (made, digest) = outboard(&message, Outboard::DEFAULT_GROUP, 12_345);
        let (chunks, same) = outboard(&message, 1024, 1 << 20);
        assert_eq!(digest, same);
        let mut upper = Vec::new();
        cut(chunks.nodes(), len.div_ceil(1024).max(1), 16, &mut upper);
        assert_eq!(made.nodes(), upper, "{len}");
        assert_eq!(Outboard::from_bytes(&made.to_bytes().unwrap()).unwrap().nodes(), made.nodes());
        if len > 16 << 10 {
            assert_eq!(Outboard::from_bytes(&made.to_bytes().unwrap()).unwrap(), made);
            assert_eq!(made.digest(), Some(digest));
            assert_eq!((made.message_len(), made.group()), (len as u64, 16 << 10));
        }
    }
}

fn cut(nodes: &[u8], chunks: usize, group: usize, upper: &mut Vec<u8>) {
    if chunks <= group {
        return;
    }
    let left = 1 << (chunks - 1).ilog2();
    upper.extend(&nodes[..64]);
    cut(&nodes[64..], left, group, upper);
    cut(&nodes[64 * left..], chunks - left, group, upper);
}

#[test]
fn damage_is_found_where_it_is() {
    let mut random = Random(42);
    for group in [1024, 16 << 10] {
        for len in lengths(group).filter(|len| *len > 0) {
            let message = mod251(len);
            let (made, digest) = outboard(&message, group, 1 << 20);
            assert_eq!(located(&made, &digest, &message), Located::default());
            for _ in 0..8 {
                let mut bad = message.clone();
                let mut wrong = std::collections::BTreeSet::new();
                for _ in 0..1 + random.below(3) {
                    let at = random.below(len);
                    bad[at] ^= 1 << random.below(8);
                    if bad[at] != message[at] {
                        wrong.insert(at / group);
                    }
                }
                let found = located(&made, &digest, &bad);
                let really: Vec<bool> = (0..len.div_ceil(group))
                    .map(|i| {
                        bad[i * group..len.min((i + 1) * group)]
                            != message[i * group..len.min((i + 1) * group)]
                    })
                    .collect();
                let said: Vec<bool> = (0..len.div_ceil(group))
                    .map(|i| found.damaged.iter().any(|range| range.contains(&((i * group) as u64))))
                    .collect();
                assert_eq!(said, really, "{len} in groups of {group}");
                assert!(found.unknown.is_empty() && found.bad_nodes == 0);
                assert!(found.damaged.windows(2).all(|pair| pair[0].end < pair[1].start), "not merged");
            }
        }
    }
}

/// A message that is truncated or extended.
#[test]
fn other_lengths() {
    let group = 1024;
    for len in lengths(group).filter(|len| *len > 0) {
        let message = mod251(len + 5000);
        let (made, digest) = outboard(&message[..len], group, 1 << 20);
        for cut in [0, 1, len / 2, len - 1].into_iter().filter(|cut| *cut < len) {
            let found = located(&made, &digest, &message[..cut]);
            let from = (cut / group * group) as u64;
            assert_eq!(found.damaged, one(from..len as u64), "{len} cut to {cut}");
        }
        let longer = one(len as u64..len as u64 + 5000);
        assert_eq!(located(&made, &digest, &message).damaged, longer);
        let mut locator = Locator::new(&made, &digest).unwrap();
        message.chunks(700).for_each(|piece| locator.update(piece).unwrap());
        assert_eq!(locator.finish().unwrap().damaged, longer, "{len} in pieces");
    }
}

/// Damage to the outboard is distinguished from damage to the data.
#[test]
fn damaged_outboards() {
    let (group, len) = (1024, 21 * 1024 + 7);
    let message = mod251(len);
    let (made, digest) = outboard(&message, group, 1 << 20);
    let bytes = made.to_bytes().unwrap();
    let mut bad = message.clone();
    bad[5000] ^= 1;
    for at in 8..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x10;
        let wrong = Outboard::from_bytes(&wrong).unwrap();
        let found = located(&wrong, &digest, &message);
        assert_eq!(found, Located { bad_nodes: 1, ..Located::default() }, "byte {at}");
        let found = located(&wrong, &digest, &bad);
        let there = |ranges: &[std::ops::Range<u64>]| ranges.iter().any(|range| range.contains(&5000));
        assert!(there(&found.damaged) != there(&found.unknown), "byte {at}");
        assert_eq!(found.bad_nodes, 1, "byte {at}");
        if found.unknown.is_empty() {
            assert_eq!(found.damaged, one(4096..5120));
        }
    }
    // A damaged length does not make the message damaged.
    for other in (21 * 1024 + 1..=22 * 1024_u64).step_by(10).filter(|other| *other != len as u64) {
        let mut wrong = bytes.clone();
        wrong[..8].copy_from_slice(&other.to_le_bytes());
        let wrong = Outboard::from_bytes(&wrong).unwrap();
        let found = located(&wrong, &digest, &message);
        assert_eq!(found, Located { bad_nodes: 1, ..Located::default() }, "{other}");
        assert!(!located(&wrong, &digest, &bad).is_intact(), "{other}");
    }
    // With a different digest, it can only be said that the message is not intact.
    let found = located(&made, &[0; 32], &message);
    assert_eq!(found.unknown, one(0..len as u64));
    assert!(!found.is_intact() && located(&made, &digest, &message).is_intact());
    assert!(!located(&made, &digest, &bad).is_intact());
}

#[test]
fn what_is_no_outboard_is_refused() {
    let (made, _) = outboard(&mod251(100_000), 1024, 1 << 20);
    let bytes = made.to_bytes().unwrap();
    for len in (0..bytes.len()).filter(|len| len % 64 != 8) {
        assert!(Outboard::from_bytes(&bytes[..len]).is_err(), "{len}");
    }
    for length in [u64::MAX, 1 << 63, 0, 1] {
        assert!(
            Outboard::from_bytes(&[&length.to_le_bytes()[..], &bytes[8..]].concat()).is_err(),
            "{length}"
        );
    }
    assert!(Outboard::from_bytes(&u64::MAX.to_le_bytes()).is_err());
    // A single node is used for two groups, which have at most 64 MiB.
    let two_groups = |length: u64| Outboard::from_bytes(&[&length.to_le_bytes()[..], &[0; 64]].concat());
    assert_eq!(two_groups(128 << 20).unwrap().group(), 64 << 20);
    assert!(two_groups((128 << 20) + 1).is_err());
    for group in [0, 1, 512, 1025, 128 << 20] {
        assert!(OutboardWriter::new(group).is_err(), "{group}");
    }
}
