//! Lists of chunk values: the vectors of the specification, and all damage that can be located is located.

use crate::common::{Random, json, mod251, own_vectors};
use hashwell::{ChunkList, ChunkListWriter, ChunkLocator, Located, find};

fn list(message: &[u8], piece: usize) -> ChunkList {
    let mut writer = ChunkListWriter::new().unwrap();
    message.chunks(piece).for_each(|piece| writer.update(piece).unwrap());
    writer.finish().unwrap()
}

fn located(list: &ChunkList, digest: &[u8; 32], message: &[u8]) -> Located {
    let mut locator = ChunkLocator::new(list, digest).unwrap();
    message.chunks(9_000).for_each(|piece| locator.update(piece).unwrap());
    locator.finish().unwrap()
}

const LENGTHS: [usize; 12] =
    [0, 1, 8191, 8192, 8193, 16_383, 16_384, 16_385, 40_000, 65_536, 300_000, 524_288];

#[test]
fn lists_are_those_of_the_specification() {
    let file = json(&own_vectors().join("chunk-list.json"));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 10);
    for case in cases {
        let message = mod251(case["len"].as_u64().unwrap() as usize);
        let bytes = list(&message, 1 << 20).to_bytes().unwrap();
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, case["list"].as_str().unwrap(), "{}", case["len"]);
    }
}

#[test]
fn the_digest_is_that_of_kt128() {
    for len in LENGTHS {
        let message = mod251(len);
        for piece in [1000, 8192, 20_000, 1 << 20] {
            let made = list(&message, piece);
            assert_eq!(
                made.digest()[..],
                find("kt128").unwrap().digest(&message),
                "{len} in pieces of {piece}"
            );
            assert_eq!(made, list(&message, 1 << 20), "{len} in pieces of {piece}");
            assert!(made.message_len() == len as u64 && made.is_consistent());
            assert_eq!(ChunkList::from_bytes(&made.to_bytes().unwrap()).unwrap(), made);
        }
    }
}

#[test]
fn damage_is_found_where_it_is() {
    let mut random = Random(3);
    for len in LENGTHS.into_iter().filter(|len| *len > 0) {
        let message = mod251(len);
        let made = list(&message, 1 << 20);
        assert_eq!(located(&made, made.digest(), &message), Located::default());
        for _ in 0..12 {
            let mut bad = message.clone();
            let mut wrong = std::collections::BTreeSet::new();
            for _ in 0..1 + random.below(3) {
                let at = random.below(len);
                bad[at] ^= 1;
                wrong.insert(at / 8192);
            }
            wrong.retain(|i| {
                bad[i * 8192..len.min((i + 1) * 8192)] != message[i * 8192..len.min((i + 1) * 8192)]
            });
            let found = located(&made, made.digest(), &bad);
            let said: std::collections::BTreeSet<usize> = (0..len.div_ceil(8192))
                .filter(|i| found.damaged.iter().any(|range| range.contains(&((i * 8192) as u64))))
                .collect();
            assert_eq!(said, wrong, "{len}");
            assert!(found.unknown.is_empty() && found.bad_nodes == 0, "{len}");
            assert_eq!(found.is_unproven, wrong.contains(&0) && len >= 8192, "{len}");
        }
    }
}

#[test]
fn other_lengths() {
    for len in LENGTHS.into_iter().filter(|len| *len > 0) {
        let message = mod251(len + 5000);
        let made = list(&message[..len], 1 << 20);
        for cut in [0, 1, len / 2, len - 1].into_iter().filter(|cut| *cut < len) {
            let found = located(&made, made.digest(), &message[..cut]);
            let from = (cut / 8192 * 8192) as u64;
            assert!(!found.is_intact(), "{len} cut to {cut}");
            assert!(found.damaged.iter().eq([&(from..len as u64)]), "{len} cut to {cut}: {found:?}");
        }
        let found = located(&made, made.digest(), &message);
        assert!(found.damaged.iter().eq([&(len as u64..len as u64 + 5000)]), "{len}: {found:?}");
    }
}

/// Damage to the list is distinguished from damage to the data, as far as the specification says.
#[test]
fn damaged_lists() {
    let len = 40_000;
    let message = mod251(len);
    let made = list(&message, 1 << 20);
    let (bytes, digest) = (made.to_bytes().unwrap(), *made.digest());
    let values = 80..bytes.len() - 8;
    let (mut bad, mut bad_first) = (message.clone(), message.clone());
    bad[9000] ^= 1;
    bad_first[5] ^= 1;
    for at in 16..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x10;
        let wrong = ChunkList::from_bytes(&wrong).unwrap();
        assert!(!wrong.is_consistent());
        let found = located(&wrong, &digest, &message);
        assert_eq!(found, Located { bad_nodes: 1, ..Located::default() }, "byte {at}");
        let found = located(&wrong, &digest, &bad);
        if values.contains(&at) {
            assert!(found.unknown.iter().eq([&(0..len as u64)]) && found.damaged.is_empty(), "byte {at}");
        } else {
            assert!(found.damaged.iter().eq([&(8192..16_384)]) && !found.is_unproven, "byte {at}");
        }
        let found = located(&wrong, &digest, &bad_first);
        assert!(found.unknown.iter().eq([&(0..len as u64)]) && found.damaged.is_empty(), "byte {at}");
    }
    // A damaged length does not make the message damaged.
    for other in (4 * 8192_u64 + 1..5 * 8192).step_by(10).filter(|other| *other != len as u64) {
        let mut wrong = bytes.clone();
        wrong[8..16].copy_from_slice(&other.to_le_bytes());
        let wrong = ChunkList::from_bytes(&wrong).unwrap();
        let found = located(&wrong, &digest, &message);
        assert_eq!(found, Located { bad_nodes: 1, ..Located::default() }, "{other}");
        assert!(!located(&wrong, &digest, &bad).is_intact(), "{other}");
    }
    // With a different digest, it can only be said that the message is not intact.
    let found = located(&made, &[0; 32], &message);
    assert!(found.unknown.iter().eq([&(0..len as u64)]) && !found.is_intact());
}

/// An attacker who changes the file and its list can hide damage only after a damaged first chunk.
#[test]
fn forged_lists_never_make_a_damaged_message_count_as_intact() {
    let message = mod251(40_000);
    let digest = *list(&message, 1 << 20).digest();
    let mut random = Random(11);
    for _ in 0..2000 {
        let mut forged = message.clone();
        let at = random.below(forged.len());
        forged[at] ^= 1 << random.below(8);
        // The list of the forged message, also with the digest of the genuine one.
        let of_forged = list(&forged, 1 << 20);
        let mut bytes = of_forged.to_bytes().unwrap();
        bytes[16..48].copy_from_slice(&digest);
        let check = hashwell::Sha256::digest(&bytes[..bytes.len() - 8]);
        let end = bytes.len() - 8;
        bytes[end..].copy_from_slice(&check[..8]);
        for list in [&of_forged, &ChunkList::from_bytes(&bytes).unwrap()] {
            let found = located(list, &digest, &forged);
            assert!(!found.is_intact(), "byte {at}: {found:?}");
        }
    }
}

#[test]
fn what_is_no_list_is_refused() {
    let bytes = list(&mod251(40_000), 1 << 20).to_bytes().unwrap();
    for len in 0..bytes.len() {
        assert!(ChunkList::from_bytes(&bytes[..len]).is_err(), "{len}");
    }
    for at in 0..8 {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        assert!(ChunkList::from_bytes(&bad).is_err(), "{at}");
    }
    for length in [u64::MAX, 1 << 63, 1 << 61, 0, 32_767, 40_960] {
        let bad = [&bytes[..8], &length.to_le_bytes(), &bytes[16..]].concat();
        assert!(ChunkList::from_bytes(&bad).is_err(), "{length}");
    }
    assert!(ChunkList::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
}
