//! Samples of collections: the result is the same however rows are offered; and the number of random numbers that each
//! method consumes.

use hashwell::random::Tape;
use hashwell::{ByteSource, CounterRng};
use hashwell_draw::algorithms::haskell_sampling::{resample, sample};
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler, floyd};
use hashwell_draw::draw::below_lemire;
use hashwell_draw::sample::{
    BottomK, FisherYates, Reservoir, Sample, SkipReservoir, Tickets, WithReplacement, choose, from_iter,
    merge_with_replacement,
};
use hashwell_draw::{Error, Key, key::OPEN_LIST};

fn words() -> CounterRng {
    CounterRng::new(&[3; 32])
}

/// The sample of 0..n if at most `step` rows are skipped at a time.
fn in_steps(mut reservoir: impl Reservoir, n: u64, step: u64) -> Vec<u64> {
    let mut slots = Vec::new();
    while reservoir.seen() < n {
        // Skipping zero rows has no effect.
        reservoir.passed(0);
        let skip = reservoir.skip().min(step).min(n - reservoir.seen());
        if skip > 0 {
            reservoir.passed(skip);
            continue;
        }
        let row = reservoir.seen();
        let slot = reservoir.enter().unwrap();
        slots.resize(slots.len().max(slot + 1), 0);
        slots[slot] = row;
    }
    slots
}

fn is_one_sample<R: Reservoir>(new: impl Fn() -> R) {
    // More rows than Algorithm R looks ahead.
    let n = 200_000;
    let must = from_iter(&mut new(), 0..n).unwrap();
    assert_eq!((must.len(), new().capacity()), (5, 5));
    let rows: Vec<u64> = (0..n).collect();
    assert_eq!(from_iter(&mut new(), rows.iter().copied()).unwrap(), must);
    let mut walked = new();
    assert_eq!(from_iter(&mut walked, rows.iter().copied().filter(|_| true)).unwrap(), must);
    assert_eq!(walked.seen(), n);
    // An iterator that does not know its length.
    let mut left = rows.iter().copied();
    assert_eq!(from_iter(&mut new(), std::iter::from_fn(|| left.next())).unwrap(), must);
    for step in [1, 7, 65_535, u64::MAX] {
        assert_eq!(in_steps(new(), n, step), must, "steps of {step}");
        // A borrowed reservoir gives the same result.
        let mut own = new();
        assert_eq!(in_steps(&mut own, n, step), must, "steps of {step}");
        assert_eq!((own.seen(), Reservoir::capacity(&&mut own)), (n, 5));
    }
    let mut counted = new();
    from_iter(&mut counted, 0..3_u64).unwrap();
    assert_eq!(counted.seen(), 3);
    assert!(from_iter(&mut counted, 0..3_u64).is_err(), "its rows are elsewhere");
}

#[test]
fn blocks_do_not_matter() {
    is_one_sample(|| SkipReservoir::new(words(), 5).unwrap());
    is_one_sample(|| AlgorithmR::new(words(), 5).unwrap());
    is_one_sample(|| AlgorithmL::new(words(), 5).unwrap());
}

/// Rows enter as long as they can be counted: gaps grow with the number of rows.
#[test]
fn long_streams_have_rows_that_enter() {
    fn entering(mut reservoir: impl Reservoir) -> u32 {
        let mut rows = 0;
        while reservoir.seen() < 1 << 50 {
            assert!(reservoir.skip() < u64::MAX, "none enters after {} rows", reservoir.seen());
            reservoir.passed(reservoir.skip());
            reservoir.enter().unwrap();
            rows += 1;
        }
        rows
    }
    // About 20 · (1 + ln (2^50 / 20)) rows, plus or minus 25.
    let must = 520..=770;
    let (l, gap) =
        (entering(AlgorithmL::new(words(), 20).unwrap()), entering(SkipReservoir::new(words(), 20).unwrap()));
    assert!(must.contains(&l) && must.contains(&gap), "{l} {gap}");
}

/// Algorithm R is computed row by row as defined, with random numbers that are often rejected.
#[test]
fn algorithm_r_is_a_number_for_each_row() {
    let mut any = words();
    let word = |i: u64| if i % 11 < 2 { (i % 16) << 60 } else { any.next_word() };
    // The sampler looks 65536 rows ahead.
    let tape: Vec<u64> = (0..90_000).map(word).collect();
    for k in [1, 3, 40] {
        let (mut one_by_one, mut must) = (Tape::new(&tape), Vec::new());
        for row in k..2000 {
            let slot = below_lemire(&mut one_by_one, row + 1).unwrap();
            must.extend((slot < k).then_some((row, slot as usize)));
        }
        assert!(one_by_one.stream_position().unwrap() > 8 * 2000, "words were refused");
        let mut r = AlgorithmR::new(Tape::new(&tape), k as usize).unwrap();
        let mut entered = Vec::new();
        while r.seen() < 2000 {
            let skip = r.skip().min(2000 - r.seen());
            if skip > 0 {
                r.passed(skip);
            } else {
                entered.push((r.seen(), r.enter().unwrap()));
            }
        }
        assert_eq!(entered[k as usize..], must);
    }
}

#[test]
fn slots_are_merged_one_by_one() {
    let merged = |word, a: (Vec<u8>, u64), b: (Vec<u8>, u64)| {
        merge_with_replacement(&mut Tape::new(&[word; 2]), a, b).map_err(|error| error.to_string())
    };
    // One of three rows is from the first sample.
    let (one, two) = ((vec![1, 1], 1), (vec![2, 3], 2));
    for (word, must) in [(0, vec![1, 1]), (1, vec![2, 3]), (2, vec![2, 3])] {
        assert_eq!(merged(word, one.clone(), two.clone()), Ok(must));
    }
    assert_eq!(merged(0, one.clone(), (vec![], 0)), Ok(vec![1, 1]));
    assert_eq!(merged(0, (vec![], 0), two.clone()), Ok(vec![2, 3]));
    let said = |must, got| Err(format!("the number of filled slots must be {must}, not {got}"));
    assert_eq!(merged(0, one.clone(), (vec![5], 0)), said(0, 1));
    assert_eq!(merged(0, (vec![5, 6, 7], 0), two), said(0, 3));
    assert_eq!(merged(0, one, (vec![4], 9)), said(2, 1));
    let sample = Sample::new(vec![1, 2], 9, 2).unwrap();
    assert_eq!((sample.seen(), sample.capacity(), sample.rows()), (9, 2, &[1, 2][..]));
    let said = Sample::new(vec![1, 2], 1, 2).unwrap_err().to_string();
    assert_eq!(said, "the number of rows in a sample must be 1 (for 1 rows seen and 2 slots), not 2");
}

#[test]
fn no_slots_no_rows() {
    fn check(mut reservoir: impl Reservoir) {
        assert_eq!((reservoir.skip(), reservoir.capacity()), (u64::MAX, 0));
        assert_eq!(from_iter(&mut reservoir, 0..9).unwrap(), Vec::<i32>::new());
        assert_eq!((reservoir.seen(), reservoir.skip()), (9, u64::MAX));
        reservoir.passed(u64::MAX);
        assert_eq!(reservoir.seen(), u64::MAX);
    }
    check(SkipReservoir::new(Tape::new(&[]), 0).unwrap());
    check(AlgorithmR::new(Tape::new(&[]), 0).unwrap());
    check(AlgorithmL::new(Tape::new(&[]), 0).unwrap());
    let mut none = Tape::new(&[]);
    assert!(choose(&mut none, &[1, 2], 0).unwrap().is_empty());
    assert!(floyd(&mut none, 5, 0).unwrap().is_empty() && floyd(&mut none, 0, 5).unwrap().is_empty());
    assert_eq!(WithReplacement::new(&Key([0; 32]), 0).unwrap().skip(), u64::MAX);
    assert_eq!(SequentialSampler::new(&mut none, 0, 3).unwrap().next_pick(), Ok(None));
    assert_eq!(FisherYates::new(&mut none, 0).unwrap().next_pick(), Ok(None));
    assert!(!BottomK::new(0).offer(1, b"", ()));
}

#[test]
fn more_slots_than_rows() {
    let mut words = words();
    assert_eq!(from_iter(&mut SkipReservoir::new(&mut words, 9).unwrap(), 0..4).unwrap(), [0, 1, 2, 3]);
    let all = |picks: Vec<u64>| {
        let mut picks = picks;
        picks.sort_unstable();
        picks == [0, 1, 2, 3]
    };
    assert!(
        all(FisherYates::new(&mut words, 4).unwrap().picks(9).unwrap())
            && all(floyd(&mut words, 4, 9).unwrap())
    );
    let error = SkipReservoir::new(&mut words, 1 << 41).unwrap_err();
    assert_eq!(error.to_string(), "the size of a sample must be at most 2^40, not 2199023255552");
    let error = WithReplacement::new(&Key([0; 32]), (1 << 30) + 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the size of a sample with replacement must be at most 2^30, not 1073741825"
    );
    assert!(WithReplacement::new(&Key([0; 32]), 1 << 30).is_ok());
}

#[test]
fn the_end_of_words_changes_nothing() {
    // The tape has random numbers for the first gap and a slot, but not for the next gap.
    let tape = [u64::MAX, 1];
    let mut gap = SkipReservoir::new(Tape::new(&tape), 2).unwrap();
    assert_eq!((gap.enter(), gap.enter(), gap.skip()), (Ok(0), Ok(1), 0));
    assert!(matches!(gap.enter(), Err(Error::RandomSource(_))));
    assert_eq!((gap.seen(), gap.skip()), (2, 0));
    let mut r = AlgorithmR::new(Tape::new(&[u64::MAX; 3]), 1).unwrap();
    assert!(matches!(r.enter(), Err(Error::RandomSource(_))));
    assert_eq!(r.seen(), 0);
    let mut shuffle = FisherYates::new(Tape::new(&[1]), 3).unwrap();
    assert_eq!((shuffle.next_pick(), shuffle.picked()), (Ok(Some(1)), 1));
    assert!(shuffle.next_pick().is_err());
    assert_eq!(shuffle.picked(), 1);
}

#[test]
fn words_are_counted() {
    let eaten = |draw: &dyn Fn(&mut CounterRng)| {
        let mut words = words();
        draw(&mut words);
        words.position() / 8
    };
    // With 10^6 rows, none of these numbers is rejected.
    assert_eq!(eaten(&|words| drop(FisherYates::new(words, 1_000_000).unwrap().picks(50))), 50);
    assert_eq!(eaten(&|words| drop(floyd(words, 1_000_000, 50))), 50);
    let in_order = |words: &mut CounterRng| {
        let mut selection = SequentialSampler::new(words, 1_000_000, 50).unwrap();
        while selection.next_pick().unwrap().is_some() {}
    };
    assert_eq!(eaten(&in_order), 50);
    let entered = |mut reservoir: Box<dyn Reservoir + '_>| {
        let mut entered = 0;
        while reservoir.seen() < 1_000_000 {
            reservoir.passed(reservoir.skip());
            reservoir.enter().unwrap();
            entered += 1;
        }
        entered
    };
    let counts = std::cell::Cell::new(0);
    let gap = eaten(&|words| counts.set(entered(Box::new(SkipReservoir::new(words, 50).unwrap()))));
    // Two random numbers for each row after the slots are full, plus the first gap.
    assert_eq!(gap, 2 * (counts.get() - 50) + 1);
    // 50 · ln(20000) = 495 rows enter, plus or minus 22.
    assert!((400..660).contains(&counts.get()), "{}", counts.get());
    let l = eaten(&|words| counts.set(entered(Box::new(AlgorithmL::new(words, 50).unwrap()))));
    assert_eq!(l, 3 * (counts.get() - 50) + 2);
}

#[test]
fn tickets_in_lanes_are_tickets() {
    let key = Key::derive(b"0877", b"", &OPEN_LIST);
    // More than one batch, with lengths around the ends of blocks.
    let ids: Vec<Vec<u8>> = (0..2100).map(|i| vec![i as u8; i % 150]).collect();
    let must: Vec<u128> = ids.iter().map(|id| key.ticket(id)).collect();
    assert_eq!(Tickets::new(&key).of(&ids).unwrap(), must);
    assert_eq!(Tickets::new(&key).of::<&[u8]>(&[]).unwrap(), []);
}

#[test]
fn unions_of_tickets_are_one_pass() {
    let key = Key::derive(b"union", b"", &OPEN_LIST);
    let of = |rows: &mut dyn Iterator<Item = u32>| {
        let mut kept = BottomK::new(20);
        for row in rows {
            let id = row.to_string();
            // Few different tickets, so that there are many ties.
            kept.offer(key.ticket(id.as_bytes()) % 50, id.as_bytes(), id.clone());
        }
        kept
    };
    let whole = of(&mut (0..1000));
    let [a, b, c] = [of(&mut (0..10)), of(&mut (10..600).rev()), of(&mut (600..1000))];
    assert_eq!(a.clone().merge(b.clone()).merge(c.clone()), whole);
    assert_eq!(c.clone().merge(a.clone().merge(b.clone())).to_bytes(), whole.to_bytes());
    // A row that is in both samples appears once. Only the number of offered rows counts it twice.
    let twice = whole.clone().merge(b.clone());
    assert!(twice.rows().eq(whole.rows()) && twice.seen() == 1590);
    assert_eq!(
        BottomK::new(5).merge(whole.clone()).rows().collect::<Vec<_>>(),
        whole.rows().take(5).collect::<Vec<_>>()
    );
    assert!(!whole.enters(50, b"") && whole.enters(0, b""));
}

#[test]
fn the_four_operations_keep_their_promises() {
    let mut words = words();
    assert_eq!(sample(&mut words, 3, [1, 2, 3]), Ok(Some(vec![1, 2, 3])));
    assert_eq!(sample(&mut words, 4, [1, 2, 3]), Ok(None));
    assert_eq!(sample(&mut words, 0, [0; 0]), Ok(Some(vec![])));
    assert_eq!(resample(&mut words, 2, [0; 0]), Ok(None));
    assert_eq!(resample(&mut words, 0, [0; 0]), Ok(Some(vec![])));
    assert_eq!(resample(&mut words, 500, ["a", "b"]).unwrap().unwrap().len(), 500);
    assert_eq!(sample(&mut words, 2, "any collection".chars()).unwrap().unwrap().len(), 2);
    let picked = choose(&mut words, &["a", "b", "c"], 9).unwrap();
    assert_eq!(picked.len(), 3);
    assert_eq!(words.stream_position(), Some(words.position()));
}

/// An iterator that reports a wrong number of rows.
struct Lying {
    rows: std::ops::Range<u64>,
    says: usize,
}

impl Iterator for Lying {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.rows.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.says, Some(self.says))
    }
}

#[test]
fn lengths_that_lie_change_no_sample() {
    for says in [0, 1, 10, 999, usize::MAX] {
        let (mut honest, mut lied) =
            (SkipReservoir::new(words(), 5).unwrap(), SkipReservoir::new(words(), 5).unwrap());
        let must = from_iter(&mut honest, 0..1000).unwrap();
        assert_eq!(from_iter(&mut lied, Lying { rows: 0..1000, says }).unwrap(), must, "{says}");
        // An iterator that reports more rows than it has is trusted up to its end. Rows that are lost at the end are
        // not counted.
        if says <= 1 {
            assert_eq!(lied.seen(), 1000, "{says}");
        }
    }
}
