//! Saved samplers continue as if they had not been interrupted, and other bytes are rejected.

use crate::slots::rows_in_slots;
use hashwell::{ByteSource, CounterRng};
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler};
use hashwell_draw::sample::{BottomK, FisherYates, MAX_SLOTS, Reservoir, SkipReservoir, WithReplacement};
use hashwell_draw::state::{Kind, Reader, Writer};
use hashwell_draw::{Error, Key, key::OPEN_LIST};

fn words() -> CounterRng {
    Key::derive(b"saved", b"", &OPEN_LIST).words()
}

/// The random numbers again, from the saved position on.
fn again(position: Option<u128>) -> Result<CounterRng, Error> {
    let mut words = words();
    words.seek(position.expect("counter words know where they are") / 8)?;
    Ok(words)
}

/// Checks that no prefix, no longer text and none with a changed bit is accepted as a state.
fn is_refused_when_changed<T>(bytes: &[u8], load: impl Fn(&[u8]) -> Result<T, Error>) {
    assert!(load(bytes).is_ok());
    for len in 0..bytes.len() {
        assert!(matches!(load(&bytes[..len]), Err(Error::Invalid { .. })), "{len} bytes");
    }
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(load(&changed), Err(Error::Invalid { .. })), "bit {bit}");
    }
    assert!(load(&[bytes, &[0]].concat()).is_err());
}

/// The first rows that enter, up to this number of rows, with their slots.
fn run(reservoir: &mut impl Reservoir, until: u64) -> Vec<(u64, usize)> {
    let mut entered = Vec::new();
    while reservoir.seen() < until {
        let skip = reservoir.skip().min(until - reservoir.seen());
        if skip > 0 {
            reservoir.passed(skip);
        } else {
            entered.push((reservoir.seen(), reservoir.enter().unwrap()));
        }
    }
    entered
}

macro_rules! goes_on {
    ($name:ident, $type:ident, $save:expr) => {
        #[test]
        fn $name() {
            let save = $save;
            // At 300,000, Algorithm R has looked ahead to its limit, and found no row.
            for at in [0, 3, 7, 20, 5000, 70_000, 300_000] {
                let mut reservoir = $type::new(words(), 7).unwrap();
                run(&mut reservoir, at);
                let bytes: Vec<u8> = save(&reservoir);
                let mut loaded = $type::from_bytes(&bytes, again).unwrap();
                assert_eq!(save(&loaded), bytes);
                assert_eq!(run(&mut loaded, 1_000_000), run(&mut reservoir, 1_000_000), "after {at} rows");
                is_refused_when_changed(&bytes, |bytes| $type::from_bytes(bytes, again));
            }
            let none = $type::new(words(), 0).unwrap();
            assert_eq!($type::from_bytes(&save(&none), again).unwrap().skip(), u64::MAX);
        }
    };
}
goes_on!(gaps, SkipReservoir, |gap: &SkipReservoir<CounterRng>| gap.to_bytes());
goes_on!(algorithm_l, AlgorithmL, |l: &AlgorithmL<CounterRng>| l.to_bytes());
goes_on!(algorithm_r, AlgorithmR, |r: &AlgorithmR<CounterRng>| r.to_bytes().unwrap());

/// A sample can have the maximum number of slots, but not one more.
#[test]
fn slots_are_2_to_the_40_at_most() {
    let most = MAX_SLOTS as usize;
    let said = "the size of a sample must be at most 2^40, not 1099511627777";
    assert!(
        SkipReservoir::new(words(), most).is_ok()
            && SequentialSampler::new(words(), u64::MAX, MAX_SLOTS).is_ok()
    );
    assert_eq!(SkipReservoir::new(words(), most + 1).unwrap_err().to_string(), said);
    assert_eq!(SequentialSampler::new(words(), u64::MAX, MAX_SLOTS + 1).unwrap_err().to_string(), said);
}

#[test]
#[should_panic(expected = "a row enters before 3 rows were skipped")]
fn a_row_that_is_passed_over_does_not_enter() {
    let mut writer = Writer::new(Kind::SkipReservoir);
    writer.u64(5).u64(9).u64(3).option_u128(Some(0));
    let _ = SkipReservoir::from_bytes(&writer.finish(), again).unwrap().enter();
}

#[test]
fn sizes_of_states() {
    let mut gap = SkipReservoir::new(words(), 100).unwrap();
    run(&mut gap, 10_000);
    assert_eq!(gap.to_bytes().len(), 120);
    let mut shuffle = FisherYates::new(words(), 1 << 40).unwrap();
    shuffle.picks(100).unwrap();
    // 48 bytes of envelope, three fields, and 100 places.
    assert_eq!(shuffle.to_bytes().len(), 48 + 16 + 16 + 24 + 8 + 1600);
}

#[test]
fn slots_with_replacement() {
    let key = Key::derive(b"saved", b"", &OPEN_LIST);
    let new = || WithReplacement::new(&key, 5).unwrap();
    for at in [0, 1, 16, 1000] {
        let (sample, known) = new().pass_known(at).unwrap();
        let bytes = sample.to_bytes();
        let held = if at > 0 { 5 } else { 0 };
        let loaded = WithReplacement::from_bytes(&bytes, &key, held).unwrap();
        assert_eq!((loaded.to_bytes(), loaded.kept()), (bytes.clone(), known.rows.len()));
        assert_eq!(rows_in_slots(loaded, known.rows, 100_000), rows_in_slots(new(), Vec::new(), 100_000));
        is_refused_when_changed(&bytes, |bytes| WithReplacement::from_bytes(bytes, &key, held));
        for other in [0, 4, 5, 6, usize::MAX].into_iter().filter(|other| *other != held) {
            let error = WithReplacement::from_bytes(&bytes, &key, other).unwrap_err().to_string();
            assert!(error.contains("the number of stored rows doesn't match the sampler's state"), "{error}");
        }
    }
}

#[test]
fn picks() {
    for at in [0, 1, 30, 100] {
        let mut shuffle = FisherYates::new(words(), 100).unwrap();
        shuffle.picks(at).unwrap();
        let bytes = shuffle.to_bytes();
        let mut loaded = FisherYates::from_bytes(&bytes, again).unwrap();
        assert_eq!((loaded.picked(), shuffle.picked()), (at, at));
        assert_eq!(loaded.picks(100).unwrap(), shuffle.picks(100).unwrap());
        if at < 100 {
            is_refused_when_changed(&bytes, |bytes| FisherYates::from_bytes(bytes, again));
        }
        let mut ordered = SequentialSampler::new(words(), 1000, 100).unwrap();
        (0..at).for_each(|_| {
            ordered.next_pick().unwrap();
        });
        let bytes = ordered.to_bytes();
        let mut loaded = SequentialSampler::from_bytes(&bytes, again).unwrap();
        (at..101).for_each(|_| assert_eq!(loaded.next_pick(), ordered.next_pick()));
        is_refused_when_changed(&bytes, |bytes| SequentialSampler::from_bytes(bytes, again));
    }
}

/// At the end, all remaining rows may have to be picked.
#[test]
fn the_last_picks_have_no_choice() {
    let bytes = SequentialSampler::new(words(), 3, 3).unwrap().to_bytes();
    let mut all = SequentialSampler::from_bytes(&bytes, again).unwrap();
    let picks: Vec<_> = (0..4).map(|_| all.next_pick().unwrap()).collect();
    assert_eq!(picks, [Some(0), Some(1), Some(2), None]);
}

/// A state with the rule of an older version of hashwell.
#[test]
fn old_slots_with_replacement_are_refused() {
    let key = Key::derive(b"saved", b"", &OPEN_LIST);
    let mut old = WithReplacement::new(&key, 5).unwrap().to_bytes();
    old.truncate(old.len() - 32);
    old[15] = 5;
    old.extend(hashwell::Sha256::digest(&old));
    let error = WithReplacement::from_bytes(&old, &key, 0).unwrap_err().to_string();
    assert!(error.contains("it is a sample with replacement from a version before 0.1.0"), "{error}");
}

#[test]
fn tickets() {
    let mut kept: BottomK<Vec<u8>> = BottomK::new(4);
    for row in 0..20_u64 {
        kept.offer(u128::from(row) * 77 % 13, &row.to_be_bytes()[7..], row.to_string().into());
    }
    assert_eq!((kept.capacity(), kept.seen()), (4, 20));
    let bytes = kept.to_bytes();
    assert_eq!(BottomK::from_bytes(&bytes).as_ref(), Ok(&kept));
    is_refused_when_changed(&bytes, BottomK::<Vec<u8>>::from_bytes);
}

#[test]
fn numbers_contradict_each_other_under_a_right_digest() {
    fn refused<T>(kind: Kind, load: impl Fn(&[u8]) -> Result<T, Error>, fields: &dyn Fn(&mut Writer)) {
        let mut writer = Writer::new(kind);
        fields(&mut writer);
        let bytes = writer.finish();
        assert!(Reader::new(&bytes, kind).is_ok());
        assert!(matches!(load(&bytes), Err(Error::Invalid { .. } | Error::OutOfRange { .. })));
    }
    let gap = |bytes: &[u8]| SkipReservoir::from_bytes(bytes, again);
    // Slots, rows, skip, position.
    let rows = |slots, seen, skip| {
        move |writer: &mut Writer| {
            writer.u64(slots).u64(seen).u64(skip).option_u128(Some(0));
        }
    };
    refused(Kind::SkipReservoir, gap, &rows(u64::MAX, 0, 0));
    refused(Kind::SkipReservoir, gap, &rows(5, 4, 1));
    refused(Kind::SkipReservoir, gap, &rows(0, 4, 1));
    refused(Kind::SkipReservoir, gap, &|writer| rows(5, 9, 1)(writer.u64(5)));
    let l = |bytes: &[u8]| AlgorithmL::from_bytes(bytes, again);
    for ln_w in [0.5, f64::NAN, f64::NEG_INFINITY, -1e300, -129.0, 0.0] {
        refused(Kind::AlgorithmL, l, &|writer| {
            rows(5, 9, 1)(writer);
            writer.f64(ln_w);
        });
    }
    refused(Kind::AlgorithmL, l, &|writer| {
        rows(5, 4, 0)(writer);
        writer.f64(-1.0);
    });
    let r = |bytes: &[u8]| AlgorithmR::from_bytes(bytes, again);
    for (seen, skip, slot) in [
        (9, 0, None),
        (9, 1, Some(5)),
        (9, 1, Some(1 << 70)),
        (4, 0, Some(1)),
        (9, 65_537, Some(1)),
        (9, u64::MAX, None),
        (u64::MAX - 1, 2, None),
    ] {
        refused(Kind::AlgorithmR, r, &|writer| {
            rows(5, seen, skip)(writer);
            writer.option_u128(slot);
        });
    }
    let shuffle = |bytes: &[u8]| FisherYates::from_bytes(bytes, again);
    let pairs: [&[u64]; 8] =
        [&[1, 2, 2, 1], &[1, 1], &[1, 9], &[9, 0], &[0, 5], &[3, 4], &[3, 0, 4, 0], &[4, 0, 3, 1]];
    for pairs in pairs {
        let bytes: Vec<u8> = pairs.iter().flat_map(|number| number.to_be_bytes()).collect();
        refused(Kind::FisherYates, shuffle, &|writer| {
            writer.u64(9).u64(1).option_u128(Some(0)).bytes(&bytes);
        });
    }
    // The same place is stored twice, after two numbers that are done.
    let twice = [3, 0, 3, 1].map(u64::to_be_bytes).concat();
    refused(Kind::FisherYates, shuffle, &|writer| {
        writer.u64(9).u64(2).option_u128(Some(0)).bytes(&twice);
    });
    refused(Kind::FisherYates, shuffle, &|writer| {
        writer.u64(9).u64(10).option_u128(Some(0)).bytes(&[]);
    });
    let ordered = |bytes: &[u8]| SequentialSampler::from_bytes(bytes, again);
    refused(Kind::SequentialSampler, ordered, &|writer| {
        writer.u64(9).u64(10).u64(2).option_u128(Some(0));
    });
    refused(Kind::SequentialSampler, ordered, &|writer| {
        writer.u64(11).u64(10).u64(0).option_u128(Some(0));
    });
    let kept = BottomK::<Vec<u8>>::from_bytes;
    refused(Kind::BottomK, kept, &|writer| {
        writer.u64(3).u64(9).u64(u64::MAX);
    });
    refused(Kind::BottomK, kept, &|writer| {
        writer.u64(u64::MAX).u64(u64::MAX).u64(u64::MAX);
    });
    // More rows than were seen, or than there are slots. Either is an error by itself.
    for (k, seen, rows) in [(3, 1, 2), (1, 9, 2)] {
        refused(Kind::BottomK, kept, &|writer| {
            writer.u64(k).u64(seen).u64(rows);
            (0..2_u8).for_each(|row| {
                writer.u128(7).bytes(&[row]).bytes(b"");
            });
        });
    }
    refused(Kind::BottomK, kept, &|writer| {
        writer.u64(3).u64(9).u64(2);
        (0..2).for_each(|_| {
            writer.u128(7).bytes(b"id").bytes(b"");
        });
    });
}

#[test]
fn what_is_kept_is_said() {
    let mut kept = BottomK::new(2);
    for (ticket, tie, is_kept) in [
        (9, b"b", true),
        (9, b"b", false),
        (5, b"a", true),
        (9, b"c", false),
        (10, b"a", false),
        (9, b"a", true),
    ] {
        assert_eq!(kept.offer(ticket, tie, ()), is_kept, "{ticket}");
    }
    // The smaller size of two merged samples counts.
    let mut one = BottomK::new(1);
    one.offer(7, b"x", ());
    let both = kept.clone().merge(one.clone());
    assert_eq!((both.capacity(), both.rows().map(|row| row.0).collect::<Vec<_>>()), (1, vec![5]));
    assert_eq!(one.merge(kept), both);
}

/// States at the limits: rows are skipped as soon as the slots are full, and all rows seen may be kept.
#[test]
fn states_at_their_bounds_are_states() {
    let mut writer = Writer::new(Kind::SkipReservoir);
    writer.u64(5).u64(5).u64(3).option_u128(Some(0));
    assert_eq!(SkipReservoir::from_bytes(&writer.finish(), again).unwrap().skip(), 3);
    let mut kept: BottomK<Vec<u8>> = BottomK::new(2);
    for row in [b"a", b"b", b"c"] {
        let bytes = kept.to_bytes();
        assert_eq!(BottomK::from_bytes(&bytes).as_ref(), Ok(&kept));
        kept.offer(u128::from(row[0]), row, row.to_vec());
    }
    assert_eq!(kept.rows().len(), 2);
}

#[test]
fn positions_are_those_of_words_that_were_used() {
    let mut r = AlgorithmR::new(words(), 2).unwrap();
    run(&mut r, 2);
    let bytes = r.to_bytes().unwrap();
    let position = std::cell::Cell::new(None);
    AlgorithmR::from_bytes(&bytes, |at| {
        position.set(at);
        again(at)
    })
    .unwrap();
    let at = position.get().unwrap();
    assert!(at % 8 == 0 && at < 4096, "{at} of a block of 4096");
    assert_eq!(words().stream_position(), Some(0));
}

#[test]
fn rows_that_nobody_can_count_do_not_enter() {
    for left in 0..40 {
        let mut writer = Writer::new(Kind::AlgorithmR);
        writer.u64(5).u64(u64::MAX - left).u64(0).option_u128(Some(0)).option_u128(Some(1));
        let mut r = AlgorithmR::from_bytes(&writer.finish(), again).unwrap();
        let mut writer = Writer::new(Kind::SkipReservoir);
        writer.u64(5).u64(u64::MAX - left).u64(0).option_u128(Some(0));
        let mut gap = SkipReservoir::from_bytes(&writer.finish(), again).unwrap();
        for reservoir in [&mut r as &mut dyn Reservoir, &mut gap] {
            while reservoir.skip() < u64::MAX {
                reservoir.passed(reservoir.skip());
                if reservoir.skip() == 0 {
                    assert!(reservoir.enter().unwrap() < 5);
                }
            }
            reservoir.passed(u64::MAX);
            assert_eq!(reservoir.seen(), u64::MAX);
        }
    }
}
