//! Designs that decide on each row as it comes.

use super::{key, names};
use hashwell_draw::Error;
use hashwell_draw::design::BernoulliSkips;
use hashwell_draw::draw::below;
use hashwell_draw::number::Ratio;
use hashwell_draw::row_sampling::{Design, Rule};

fn ratio(text: &str) -> Ratio {
    text.parse().unwrap()
}

fn rule(design: &Design) -> Rule {
    Rule::of(design, key(7)).unwrap().unwrap()
}

fn of_keys(p: &str) -> Rule {
    rule(&Design::KeyChance { columns: names(&["user"]), p: ratio(p) })
}

/// The picked rows, computed from the gaps, and from every step after a start.
fn by_gaps(p: &str, n: u64) -> Vec<u64> {
    let mut skips = BernoulliSkips::new(key(7).words(), &ratio(p)).unwrap();
    let mut rows = Vec::new();
    let mut next = 1_u64;
    loop {
        next = next.saturating_add(skips.skip().unwrap());
        if next > n {
            return rows;
        }
        rows.push(next);
        next += 1;
    }
}

fn by_steps(step: u64, n: u64) -> Vec<u64> {
    let start = below(&mut key(7).words(), step).unwrap();
    (0..n).filter(|row| row % step == start).map(|row| row + 1).collect()
}

/// Rows that are offered in batches of any size, or one by one, are picked as `by_gaps` and `by_steps` compute.
#[test]
fn rows_at_once_are_rows_one_by_one() {
    const N: u64 = 1000;
    let designs = [
        (Design::Chance(ratio("0.3")), by_gaps("0.3", N)),
        (Design::Chance(ratio("1/100")), by_gaps("1/100", N)),
        (Design::Chance(ratio("1")), Vec::from_iter(1..=N)),
        (Design::Chance(ratio("0")), Vec::new()),
        (Design::Every(1), Vec::from_iter(1..=N)),
        (Design::Every(7), by_steps(7, N)),
        (Design::Every(100), by_steps(100, N)),
        (Design::Every(5000), by_steps(5000, N)),
    ];
    for (design, must) in designs {
        let mut single = rule(&design);
        let mut rows = Vec::new();
        for number in 1..=N {
            if single.gap() > 0 {
                single.passed(1);
            } else {
                single.pick(number).unwrap();
                rows.push(number);
            }
        }
        assert_eq!(rows, must, "{design:?}");
        for cut in [1, 3, 100, 999, 1000] {
            let (mut whole, mut rows, mut first) = (rule(&design), Vec::new(), 1);
            while first <= N {
                let count = cut.min(N + 1 - first);
                let take = |at| {
                    rows.push(first + at);
                    Ok(())
                };
                whole.pass_rows(first, count, take).unwrap();
                first += count;
                // An empty batch contains no rows.
                whole.pass_rows(first, 0, |_| Err(Error::Stopped)).unwrap();
            }
            assert_eq!(rows, must, "{design:?} by {cut}");
            assert_eq!(whole.gap(), single.gap(), "{design:?} by {cut}");
        }
    }
}

/// If there is no second row at a step, there is no next gap.
#[test]
fn the_end_of_all_numbers() {
    let start = below(&mut key(7).words(), u64::MAX).unwrap();
    let mut every = rule(&Design::Every(u64::MAX));
    assert_eq!(every.gap(), start);
    every.passed(start);
    every.pick(start + 1).unwrap();
    assert_eq!(every.gap(), u64::MAX);
}

#[test]
fn what_take_says_ends_it() {
    let mut all = rule(&Design::Every(1));
    let mut seen = Vec::new();
    let take = |at| {
        seen.push(at);
        if at == 2 { Err(Error::Stopped) } else { Ok(()) }
    };
    assert_eq!(all.pass_rows(1, 9, take), Err(Error::Stopped));
    assert_eq!(seen, [0, 1, 2]);
}

/// Tickets below p·2^128 are picked; a ticket of exactly that value is not.
#[test]
fn tickets_below_the_probability_are_picked() {
    let takes = |p, ticket| of_keys(p).takes(ticket);
    assert_eq!(
        [0, (1 << 127) - 1, 1 << 127, u128::MAX].map(|ticket| takes("1/2", ticket)),
        [true, true, false, false]
    );
    assert_eq!([0, u128::MAX].map(|ticket| takes("1", ticket)), [true; 2]);
    assert_eq!([0, u128::MAX].map(|ticket| takes("0", ticket)), [false; 2]);
    assert!(rule(&Design::Every(3)).takes(u128::MAX) && rule(&Design::Chance(ratio("0"))).takes(0));
    let mut keys = of_keys("1/2");
    keys.passed(5);
    keys.pick(6).unwrap();
    assert_eq!(keys.gap(), 0);
    let mut taken = Vec::new();
    let take = |at| {
        taken.push(at);
        Ok(())
    };
    keys.pass_rows(1, 3, take).unwrap();
    assert_eq!(taken, [0, 1, 2]);
}

#[test]
fn chances_as_texts() {
    let of = |design: Design| rule(&design).chance();
    assert_eq!(of(Design::Chance(ratio("0.30"))), "3/10");
    assert_eq!(of(Design::Every(7)), "1/7");
    assert_eq!(of_keys("0.5").chance(), "1/2");
    for design in [Design::Shuffle, Design::Keys { columns: Vec::new(), k: 1, stratify: None }] {
        assert!(Rule::of(&design, key(7)).unwrap().is_none());
    }
    let error = Rule::of(&Design::Every(0), key(7)).unwrap_err().to_string();
    assert_eq!(error, "a step must be at least 1, not 0");
}
