//! Saved weighted samplers continue as if they had not been interrupted, and no bytes make them panic.

use hashwell::CounterRng;
use hashwell_draw::Error;
use hashwell_draw::state::{Kind, Reader, Writer};
use hashwell_draw::weighted::{AExpJ, Chao, WeightedTicket, WeightedTickets, WeightedWithReplacement};

fn words(position: Option<u128>) -> Result<CounterRng, Error> {
    let mut words = CounterRng::new(&[8; 32]);
    words.seek(position.unwrap_or(0) / 8)?;
    Ok(words)
}

#[test]
fn jumps_go_on_from_anywhere() {
    let weights: Vec<f64> = (0..2000).map(|row| f64::from(row % 9)).collect();
    for (k, stops) in [(0, [0, 500]), (7, [3, 1000]), (7, [0, 1999]), (1500, [100, 1900])] {
        let mut whole = AExpJ::new(words(None).unwrap(), k).unwrap();
        let mut parts = AExpJ::new(words(None).unwrap(), k).unwrap();
        for (row, &weight) in weights.iter().enumerate() {
            if stops.contains(&row) {
                parts = AExpJ::from_bytes(&parts.to_bytes(), words).unwrap();
            }
            assert_eq!(parts.offer(weight), whole.offer(weight), "row {row} of k = {k}");
        }
        assert_eq!(parts.to_bytes(), whole.to_bytes());
    }
}

#[test]
fn jumps_go_on_from_every_row() {
    let mut whole = AExpJ::new(words(None).unwrap(), 7).unwrap();
    for row in 0..600 {
        let mut part = AExpJ::from_bytes(&whole.to_bytes(), words).unwrap();
        assert_eq!(part.offer(f64::from(row % 9)), whole.offer(f64::from(row % 9)), "row {row}");
        assert_eq!(part.to_bytes(), whole.to_bytes(), "row {row}");
    }
}

/// The rounding error of the sum of weights is stored next to it, no matter which of the two is larger.
#[test]
fn slots_lose_nothing_of_their_sum() {
    let mut slots = WeightedWithReplacement::new(words(None).unwrap(), 1).unwrap();
    for weight in [1.0, 1e17, 1.0, 1.0] {
        slots.offer(weight).unwrap();
    }
    let bytes = slots.to_bytes();
    let mut saved = Reader::new(&bytes, Kind::WeightedReplacement).unwrap();
    assert_eq!((saved.u64(), saved.u64()), (Ok(1), Ok(4)));
    saved.option_u128().unwrap();
    assert_eq!((saved.f64(), saved.f64()), (Ok(1e17), Ok(3.0)));
}

/// Weights that include zeros, and some that make their rows certain for a while.
fn uneven(row: u64) -> u64 {
    if row % 97 == 5 { row * 40 } else { row % 9 }
}

#[test]
fn slots_with_replacement_go_on_from_anywhere() {
    for (k, stops) in [(0, [0, 500]), (7, [1, 1000]), (7, [0, 1999]), (9000, [2, 300])] {
        let mut whole = WeightedWithReplacement::new(words(None).unwrap(), k).unwrap();
        let mut parts = WeightedWithReplacement::new(words(None).unwrap(), k).unwrap();
        for row in 0..2000 {
            if stops.contains(&row) {
                parts = WeightedWithReplacement::from_bytes(&parts.to_bytes(), words).unwrap();
            }
            let weight = uneven(row) as f64 / 10.0;
            assert_eq!(parts.offer(weight), whole.offer(weight), "row {row} of k = {k}");
        }
        assert_eq!(parts.to_bytes(), whole.to_bytes());
    }
}

#[test]
fn proportional_samples_go_on_from_anywhere() {
    for k in [0, 1, 2, 7, 300] {
        let mut whole = Chao::new(words(None).unwrap(), k).unwrap();
        let mut parts = Chao::new(words(None).unwrap(), k).unwrap();
        let mut certain = 0;
        for row in 0..600 {
            // The state can be saved after any row.
            parts = Chao::from_bytes(&parts.to_bytes(), words).unwrap();
            let weight = u128::from(uneven(row));
            assert_eq!(parts.offer(weight), whole.offer(weight), "row {row} of k = {k}");
            certain = certain.max(parts.certain().count() * usize::from(row > 500));
        }
        assert_eq!(parts.to_bytes(), whole.to_bytes());
        assert_eq!(certain > 0, k > 2, "k = {k}");
    }
}

fn tickets(rows: std::ops::Range<u8>) -> WeightedTickets<Vec<u8>> {
    let mut tickets = WeightedTickets::new(5);
    for row in rows {
        let ticket = WeightedTicket::draw(&mut CounterRng::new(&[row; 32]), u128::from(row % 3)).unwrap();
        tickets.offer(ticket, vec![row; 3]).unwrap();
    }
    tickets
}

#[test]
fn saved_tickets_merge_to_the_same_bytes() {
    let whole = tickets(0..100).to_bytes();
    for cut in [0, 1, 50, 99] {
        let load = |part: WeightedTickets<Vec<u8>>| {
            WeightedTickets::<Vec<u8>>::from_bytes(&part.to_bytes()).unwrap()
        };
        let mut merged = load(tickets(cut..100));
        merged.merge(load(tickets(0..cut))).unwrap();
        assert_eq!(merged.to_bytes(), whole);
    }
}

/// Numbers are compared with each other, even if the digest is valid.
#[test]
fn bytes_that_contradict_themselves_are_refused() {
    let mut state = AExpJ::new(words(None).unwrap(), 3).unwrap();
    assert!((0..300).all(|_| state.offer(1.0).is_ok()));
    let bytes = state.to_bytes();
    assert!((0..bytes.len()).all(|len| AExpJ::from_bytes(&bytes[..len], words).is_err()));
    let jumps = |k: u64, seen: u64, jump: &[f64], rows: u64, keys: &[u8]| {
        let mut writer = Writer::new(Kind::AExpJ);
        writer.u64(k).u64(seen).option_u128(Some(0));
        writer
            .bytes(&jump.iter().flat_map(|x| x.to_bits().to_be_bytes()).collect::<Vec<u8>>())
            .u64(rows)
            .bytes(keys);
        AExpJ::from_bytes(&writer.finish(), words).is_ok()
    };
    // Keys of 1, because 2^0 is stored as (0 + 2048)·2^52.
    let one = (2048_u64 << 52).to_be_bytes();
    let ones = [one; 3].concat();
    let empty = [f64::INFINITY, 0.0, 1.0];
    assert!(jumps(3, 9, &[5.0, 1.0, 1.0], 4, &ones) && jumps(3, 9, &[5.0, 0.0, 1.0], 0, &ones));
    assert!(jumps(u64::MAX >> 1, 9, &empty, 0, &one) && jumps(0, 9, &empty, 0, &[]));
    assert!(!jumps(2, 9, &[5.0, 1.0, 1.0], 4, &ones) && !jumps(3, 2, &[5.0, 1.0, 1.0], 4, &ones));
    assert!(!jumps(3, 9000, &[5.0, 1.0, 1.0], 256, &ones) && !jumps(3, 9, &[5.0, 1.0, 1.0], 4, &[1; 23]));
    for jump in [
        [0.5, 1.0, 1.0],
        [f64::NAN, 0.0, 1.0],
        [5.0, f64::NAN, 1.0],
        [5.0, -1.0, 1.0],
        [5.0, 1.0, 3.0],
        // A scale that does not fit the key 1, a jump that no random number produces, and no jump.
        [5.0, 1.0, 2_f64.powi(600)],
        [50.0, 1.0, 1.0],
        [f64::INFINITY, 1.0, 1.0],
        empty,
    ] {
        assert!(!jumps(3, 9, &jump, 4, &ones), "{jump:?}");
    }
    assert!(!jumps(3, 9, &[5.0, 1.0], 4, &ones) && !jumps(3, 9, &empty, 0, &ones));
    // Rows of a block that were not seen, and the sum of no rows.
    assert!(!jumps(3, 9, &[5.0, 1.0, 1.0], 10, &ones) && !jumps(3, 9, &[5.0, 1.0, 1.0], 0, &ones));
    // There is no jump while slots are empty, nor if there are no slots.
    for (k, keys) in [(0, &[][..]), (3, &one), (3, &[])] {
        for (jump, rows) in
            [([1.0, 0.0, 1.0], 0), ([1.0, 0.5, 1.0], 1), ([f64::INFINITY, 1.0, 1.0], 0), (empty, 1)]
        {
            assert!(!jumps(k, 9, &jump, rows, keys), "{k} {jump:?} {rows}");
        }
    }
    // Times at which no row can arrive.
    for key in [0, 0x0101_0101_0101_0101, (2048 - 1601) << 52, (2048 + 1081) << 52, u64::MAX] {
        assert!(!jumps(2, 9, &empty, 0, &u64::to_be_bytes(key)), "{key:x}");
    }
    let tickets = |k: u64, rows: u64, kept: &[(u64, u128)]| {
        let mut writer = Writer::new(Kind::WeightedTickets);
        writer.u64(k).u64(rows).u64(kept.len() as u64);
        kept.iter().for_each(|&(whole, weight)| {
            writer.u64(whole).u128(0).u128(weight).bytes(b"row");
        });
        WeightedTickets::<Vec<u8>>::from_bytes(&writer.finish()).is_ok()
    };
    assert!(tickets(2, 2, &[(1, 1), (5, 2)]));
    assert!(!tickets(2, 2, &[(5, 2), (1, 1)]) && !tickets(2, 2, &[(1, 0)]));
    assert!(!tickets(1, 2, &[(1, 1), (5, 2)]) && !tickets(2, 1, &[(1, 1), (5, 2)]));
}

#[test]
fn slots_that_contradict_themselves_are_refused() {
    let mut state = WeightedWithReplacement::new(words(None).unwrap(), 3).unwrap();
    assert!((0..300).all(|_| state.offer(1.0).is_ok()));
    let bytes = state.to_bytes();
    assert!((0..bytes.len()).all(|len| WeightedWithReplacement::from_bytes(&bytes[..len], words).is_err()));
    let slots = |k: u64, seen: u64, sum: f64, lost: f64, waiting: &[f64]| {
        let mut writer = Writer::new(Kind::WeightedReplacement);
        writer.u64(k).u64(seen).option_u128(Some(0)).f64(sum).f64(lost);
        writer.bytes(&waiting.iter().flat_map(|x| (!x.to_bits()).to_be_bytes()).collect::<Vec<u8>>());
        // An accepted state can be continued without a panic, and comes to an end.
        WeightedWithReplacement::from_bytes(&writer.finish(), words).is_ok_and(|mut slots| {
            let _ = slots.offer(1.0);
            slots.offer(1e9).is_ok()
        })
    };
    assert!(slots(2, 9, 5.0, 1e-15, &[6.0, f64::INFINITY]));
    assert!(slots(2, 9, 0.0, 0.0, &[]) && slots(0, 9, 5.0, 0.0, &[]) && slots(9, 0, 0.0, 0.0, &[]));
    assert!(
        !slots(2, 9, 5.0, 0.0, &[6.0])
            && !slots(2, 9, 5.0, 0.0, &[6.0; 3])
            && !slots(2, 0, 5.0, 0.0, &[6.0; 2])
    );
    assert!(!slots(2, 9, 0.0, 0.0, &[6.0; 2]) && !slots(2, 9, 5.0, 0.0, &[]) && !slots(2, 9, 0.0, 1.0, &[]));
    for waiting in [4.9, -6.0, f64::NAN] {
        assert!(!slots(2, 9, 5.0, 0.0, &[6.0, waiting]), "{waiting}");
    }
    for (sum, lost) in [
        (-5.0, 0.0),
        (f64::NAN, 0.0),
        (f64::INFINITY, 0.0),
        (5.0, f64::NAN),
        (5.0, -6.0),
        (5.0, f64::NEG_INFINITY),
    ] {
        assert!(!slots(2, 9, sum, lost, &[6.0; 2]) && !slots(2, 9, sum, lost, &[]), "{sum} {lost}");
    }
    assert!(!slots(2, 9, f64::MAX, f64::MAX / 2.0, &[f64::INFINITY; 2]));
    // Rounding removes less than half of a sum.
    assert!(slots(2, 9, 10.0, 5.0, &[16.0; 2]) && slots(2, 9, 10.0, -5.0, &[16.0; 2]));
    assert!(!slots(2, 9, 10.0, 5.5, &[16.0; 2]) && !slots(2, 9, 10.0, -5.5, &[16.0; 2]));
}

#[test]
fn proportional_samples_that_contradict_themselves_are_refused() {
    let mut state = Chao::new(words(None).unwrap(), 3).unwrap();
    assert!((1..300).all(|weight| state.offer(weight).is_ok()));
    let bytes = state.to_bytes();
    assert!((0..bytes.len()).all(|len| Chao::from_bytes(&bytes[..len], words).is_err()));
    let chao = |k: u64, seen: u64, (total, rest): (u128, u128), certain: &[(u128, u64)], others: &[u64]| {
        let mut writer = Writer::new(Kind::Proportional);
        writer.u64(k).u64(seen).option_u128(Some(0)).u128(total).u128(rest);
        let certain = certain
            .iter()
            .flat_map(|(weight, slot)| weight.to_be_bytes().into_iter().chain(slot.to_be_bytes()));
        writer.bytes(&certain.collect::<Vec<u8>>());
        writer.bytes(&others.iter().flat_map(|slot| slot.to_be_bytes()).collect::<Vec<u8>>());
        // An accepted state can be continued without a panic.
        Chao::from_bytes(&writer.finish(), words).is_ok_and(|mut chao| {
            [1, 1000, u128::MAX, 3].into_iter().for_each(|weight| drop(chao.offer(weight)));
            true
        })
    };
    // Before the first row had to leave, and after it: with 3 places and a remaining weight of 10, a row is certain if
    // 3w > 10 + w.
    assert!(chao(3, 2, (5, 0), &[(2, 0), (3, 1)], &[]) && chao(3, 3, (6, 0), &[(1, 1), (2, 0), (3, 2)], &[]));
    assert!(chao(3, 9, (21, 10), &[(11, 1)], &[2, 0]) && chao(1, 9, (10, 10), &[], &[0]));
    assert!(chao(0, 9, (10, 0), &[], &[]) && chao(u64::MAX >> 1, 0, (0, 0), &[], &[]));
    // Slots.
    assert!(!chao(3, 9, (21, 10), &[(11, 1)], &[2, 1]) && !chao(3, 9, (21, 10), &[(11, 1)], &[2, 3]));
    assert!(!chao(3, 9, (21, 10), &[(11, u64::MAX)], &[2, 0]) && !chao(3, 2, (5, 0), &[(2, 0), (3, 2)], &[]));
    // Numbers of rows.
    assert!(!chao(3, 9, (21, 10), &[(11, 1)], &[0]) && !chao(2, 9, (21, 10), &[(11, 1)], &[2, 0]));
    assert!(!chao(3, 3, (21, 10), &[(11, 1)], &[2, 0]) && !chao(3, 1, (5, 0), &[(2, 0), (3, 1)], &[]));
    assert!(!chao(1, 9, (11, 10), &[(1, 0)], &[]) && !chao(1, 9, (0, 0), &[], &[0]));
    // Weights.
    assert!(!chao(3, 9, (22, 10), &[(11, 1)], &[2, 0]) && !chao(3, 9, (15, 10), &[(5, 1)], &[2, 0]));
    assert!(chao(3, 9, (16, 10), &[(6, 1)], &[2, 0]) && !chao(3, 2, (6, 0), &[(2, 0), (3, 1)], &[]));
    assert!(
        !chao(3, 2, (2, 0), &[(2, 0), (0, 1)], &[]) && !chao(1, 9, (u128::MAX, u128::MAX), &[(1, 1)], &[0])
    );
    let heavy = u128::MAX / 2;
    assert!(!chao(3, 9, (heavy, heavy), &[], &[0, 1, 2]) && chao(2, 9, (heavy, heavy), &[], &[0, 1]));
    assert!(!chao(3, 9, (u128::MAX, u128::MAX - 11), &[(11, 1)], &[2, 0]));
}

/// A state may claim that nearly 2^64 rows were seen. The count then stays at its maximum. Found by the fuzz target
/// `saved`.
#[test]
fn rows_seen_do_not_overflow() {
    let nearly_all_seen = |mut bytes: Vec<u8>| {
        // The second field, after the 16 bytes of the envelope, a field of 16 bytes, and its own length.
        bytes[40..48].copy_from_slice(&(u64::MAX - 1).to_be_bytes());
        let end = bytes.len() - 32;
        let digest = hashwell::Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&digest);
        bytes
    };
    for k in [0, 1] {
        let mut jumps = AExpJ::new(words(None).unwrap(), k).unwrap();
        jumps.offer(1.0).unwrap();
        let mut loaded = AExpJ::from_bytes(&nearly_all_seen(jumps.to_bytes()), words).unwrap();
        assert_eq!(loaded.seen(), u64::MAX - 1);
        for weight in [1.0, 0.0, 2.0] {
            loaded.offer(weight).unwrap();
        }
        assert_eq!(loaded.seen(), u64::MAX);
        assert!(AExpJ::from_bytes(&loaded.to_bytes(), words).is_ok());
    }
}
