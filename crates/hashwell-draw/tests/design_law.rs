//! Samples of other designs: their distributions, with controls that must fail, and their other guarantees.

use crate::law;

use hashwell::random::Tape;
use hashwell::{ByteSource, CounterRng};
use hashwell_draw::Key;
use hashwell_draw::design::{BernoulliSkips, Clusters, Decay, Strata, Systematic, allocate, takes};
use hashwell_draw::key::OPEN_LIST;
use hashwell_draw::number::Ratio;
use hashwell_draw::sample::{Reservoir, SkipReservoir};
use hashwell_draw::weighted::{WeightedReservoir, race_key};
use law::{CONVICTED, count, deviations, successive};
use std::collections::BTreeMap;

fn words(byte: u8) -> CounterRng {
    CounterRng::new(&[byte; 32])
}

fn key(run: usize) -> Key {
    Key::derive(&run.to_be_bytes(), b"design", &OPEN_LIST)
}

fn ratio(text: &str) -> Ratio {
    text.parse().unwrap()
}

/// The gaps 0, 1, … have the probabilities (1 - p)^s·p. Gaps from `last` on are combined.
fn gap_law(p: f64, last: u64) -> BTreeMap<u64, f64> {
    let chance = |s: u64| (1.0 - p).powi(s as i32) * if s == last { 1.0 } else { p };
    (0..=last).map(|s| (s, chance(s))).collect()
}

#[test]
fn gaps_are_geometric() {
    for (p, last) in [("1/3", 12), ("0.05", 90), ("0.9", 3), ("1/2", 10)] {
        let mut skips = BernoulliSkips::new(words(1), &ratio(p)).unwrap();
        let mut counts = BTreeMap::new();
        for _ in 0..100_000 {
            *counts.entry(skips.skip().unwrap().min(last)).or_default() += 1;
        }
        let p = ratio(p).to_f64();
        let off = deviations(&counts, &gap_law(p, last));
        assert!(off < CONVICTED, "{p}: {off}");
        // Control: p is wrong by 5 %.
        assert!(deviations(&counts, &gap_law(p * 1.05, last)) > CONVICTED);
    }
}

#[test]
fn skips_and_rows_one_by_one_agree_in_size() {
    // The number of rows in a sample of 10^7 with p = 1e-3 is 10000 ± 100.
    let mut skips = BernoulliSkips::new(words(2), &ratio("0.001")).unwrap();
    let (mut at, mut rows) = (0_u64, 0);
    loop {
        at = at.saturating_add(skips.skip().unwrap());
        if at >= 10_000_000 {
            break;
        }
        (at, rows) = (at + 1, rows + 1);
    }
    assert!((9520..=10480).contains(&rows), "{rows}");
}

#[test]
fn gaps_are_pinned() {
    let gaps = |p: &str| {
        let mut skips = BernoulliSkips::new(words(3), &ratio(p)).unwrap();
        [(); 5].map(|()| skips.skip().unwrap())
    };
    assert_eq!(gaps("0.01"), [386, 121, 299, 85, 48]);
    let far = [3882229008225257, 1216795007579084, 3012366639062190, 863255855165735, 487867942877077];
    assert_eq!(gaps("1e-15"), far);
}

/// Poisson sampling: every row is picked with its own probability, independently.
#[test]
fn tickets_take_each_row_with_its_probability() {
    let chances = [ratio("0.1"), ratio("1/3"), ratio("0.75")];
    let law = (0..8_usize).map(|set| {
        let rows: Vec<usize> = (0..3).filter(|row| set >> row & 1 == 1).collect();
        let chance = |row: usize| {
            let p = chances[row].to_f64();
            if rows.contains(&row) { p } else { 1.0 - p }
        };
        let chance = (0..3).map(chance).product();
        (rows, chance)
    });
    let law: BTreeMap<Vec<usize>, f64> = law.collect();
    let sample = |run: usize, name: fn(usize) -> u8| -> Vec<usize> {
        (0..3).filter(|&row| takes(key(run).ticket(&[name(row)]), &chances[row])).collect()
    };
    assert!(deviations(&count(20_000, |run| sample(run, |row| row as u8)), &law) < CONVICTED);
    // Control: all rows have the same ticket.
    assert!(deviations(&count(20_000, |run| sample(run, |_| 0)), &law) > 50.0);
    assert!(takes(u128::MAX, &Ratio::ONE) && !takes(0, &Ratio::ZERO));
    assert!(takes((1 << 127) - 1, &ratio("0.5")) && !takes(1 << 127, &ratio("0.5")));
}

#[test]
fn strata_have_samples_of_their_own() {
    let rows: Vec<(&'static str, usize)> =
        (0..600).map(|row| (["a", "b", "rare"][if row % 100 == 0 { 2 } else { row % 2 }], row)).collect();
    let sample = |rows: &[(&'static str, usize)]| {
        let mut strata = Strata::new(|label: &[u8]| SkipReservoir::new(key(1).stratum(label).words(), 4));
        let mut kept = BTreeMap::new();
        for &(label, row) in rows {
            if let Some(slot) = strata.offer(label.as_bytes()).unwrap() {
                kept.insert((label, slot), row);
            }
        }
        let seen: Vec<u64> = strata.iter().map(|(_, sampler)| sampler.seen()).collect();
        (kept, seen)
    };
    let (kept, seen) = sample(&rows);
    assert_eq!((kept.len(), seen), (12, vec![294, 300, 6]));
    // The sample of a stratum is the same without the other strata.
    let alone: Vec<(&'static str, usize)> = rows.iter().copied().filter(|row| row.0 == "b").collect();
    let (other, _) = sample(&alone);
    assert!(other.iter().all(|(place, row)| kept[place] == *row) && other.len() == 4);
    // Exact shares of 3.43, 3.5 and 0.07.
    let strata = [("a", 294), ("b", 300), ("rare", 6)];
    let shares = |start| allocate(&mut Tape::new(&[start]), 7, &strata).unwrap();
    assert_eq!([0, 257, 258, 557, 558].map(shares), [[4, 3, 0], [4, 3, 0], [3, 4, 0], [3, 4, 0], [3, 3, 1]]);
}

#[test]
fn clusters_stay_together_and_merge() {
    let rows: Vec<(String, usize)> = (0..400).map(|row| (format!("h{}", row * row % 37), row)).collect();
    let key = key(2);
    let of = |rows: &mut dyn Iterator<Item = &(String, usize)>, k| {
        let mut clusters = Clusters::new(k);
        for (name, row) in rows {
            let admitted = clusters.admits(key.ticket(name.as_bytes()), name.as_bytes());
            assert_eq!(clusters.offer(key.ticket(name.as_bytes()), name.as_bytes(), *row).unwrap(), admitted);
        }
        clusters
    };
    for k in [0, 1, 5, 100] {
        let whole = of(&mut rows.iter(), k);
        assert_eq!(whole.seen(), 400);
        for cut in [0, 1, 200, 399] {
            let mut merged = of(&mut rows[..cut].iter(), k);
            merged.merge(of(&mut rows[cut..].iter(), k)).unwrap();
            assert_eq!(merged, whole);
        }
        let sorted = whole.into_sorted();
        for (name, kept) in &sorted {
            let all: Vec<usize> =
                rows.iter().filter(|row| row.0.as_bytes() == &**name).map(|row| row.1).collect();
            assert_eq!(*kept, all);
        }
        // A smaller sample of clusters consists of the first clusters of a larger one.
        assert_eq!(of(&mut rows.iter(), k / 2).into_sorted()[..], sorted[..sorted.len().min(k / 2)]);
    }
    assert!(Clusters::<u8>::new(1).merge(Clusters::new(2)).is_err());
}

/// Large clusters are not more likely than small ones. Control: clusters of rows that are drawn row by row are.
#[test]
fn clusters_are_equally_likely() {
    let rows: Vec<u8> = (0..60).map(|row| if row < 50 { 0 } else { row % 4 }).collect();
    let law: BTreeMap<Vec<usize>, f64> = (0..4).map(|cluster| (vec![cluster], 0.25)).collect();
    let sample = |run: usize, by_row: bool| -> Vec<usize> {
        let mut clusters = Clusters::new(1);
        for (row, &name) in rows.iter().enumerate() {
            let ticket = if by_row { key(run).ticket(&[row as u8]) } else { key(run).ticket(&[name]) };
            clusters.offer(ticket, &[name], ()).unwrap();
        }
        clusters.into_sorted().iter().map(|(name, _)| usize::from(name[0])).collect()
    };
    assert!(deviations(&count(2000, |run| sample(run, false)), &law) < CONVICTED);
    assert!(deviations(&count(2000, |run| sample(run, true)), &law) > 20.0);
}

/// A decay by half per day is successive sampling with weights 1, 2, 4, 8 for days 0 to 3.
#[test]
fn decayed_rows_are_successive_samples() {
    let decay = Decay::half_life(86_400.0).unwrap();
    let (law, mut stream) = (successive(&[1, 2, 4, 8], 2), words(4));
    let mut sample = |decay: Decay, from: f64| {
        let mut race = WeightedReservoir::new(2);
        for day in 0..4 {
            let time = from + f64::from(day) * 86_400.0;
            let key = decay.key(stream.next_word(), 3.0, time).unwrap().unwrap();
            race.offer(key, day as usize).unwrap();
        }
        race.into_sorted().into_iter().map(|(_, row)| row).collect::<Vec<_>>()
    };
    assert!(deviations(&count(20_000, |_| sample(decay, 0.0)), &law) < CONVICTED);
    // Seconds since 1970, for which e^(rate·t) is far beyond the range of floating point.
    assert!(deviations(&count(20_000, |_| sample(decay, 1.7e9)), &law) < CONVICTED);
    let none = Decay::new(0.0).unwrap();
    assert!(deviations(&count(20_000, |_| sample(none, 0.0)), &law) > 20.0);
    assert_eq!(none.key(77, 2.0, 5.0).unwrap(), Some(race_key(77, 2.0)));
    assert_eq!(decay.key(77, 0.0, 5.0), Ok(None));
    for (weight, time) in [(-1.0, 0.0), (f64::NAN, 0.0), (1.0, f64::NAN), (1.0, f64::INFINITY)] {
        assert!(decay.key(1, weight, time).is_err());
    }
    assert!([-1.0, f64::NAN, f64::INFINITY].iter().all(|&rate| Decay::new(rate).is_err()));
    assert!([0.0, -1.0, f64::NAN, 5e-324].iter().all(|&time| Decay::half_life(time).is_err()));
}

#[test]
fn systematic_samples_are_pinned_and_eat_one_draw() {
    let mut stream = words(5);
    let every: Vec<u64> = Systematic::every(&mut stream, 100).unwrap().take(3).collect();
    assert_eq!((every, stream.stream_position()), (vec![86, 186, 286], Some(8)));
    let of: Vec<u64> = Systematic::of(&mut stream, 1000, 7).unwrap().collect();
    assert_eq!(of, [103, 246, 389, 532, 675, 818, 961]);
    assert!(Systematic::of(&mut Tape::new(&[]), 5, 0).unwrap().next().is_none());
}

/// The answer before a row is copied agrees with the result of offering the row.
#[test]
fn clusters_say_what_they_keep() {
    let mut clusters = Clusters::new(2);
    assert!(clusters.is_empty() && clusters.bound().is_none());
    let rows: [(u128, &[u8], bool); 8] = [
        (9, b"b", true),
        (9, b"b", true),
        (5, b"a", true),
        (9, b"c", false),
        (10, b"a", false),
        (9, b"b", true),
        (1, b"d", true),
        (9, b"b", false),
    ];
    for (row, (ticket, key, kept)) in rows.into_iter().enumerate() {
        assert_eq!(clusters.admits(ticket, key), kept, "{row}");
        assert_eq!(clusters.offer(ticket, key, row), Ok(kept), "{row}");
        let (len, bound) = [
            (1, None),
            (1, None),
            (2, Some(9)),
            (2, Some(9)),
            (2, Some(9)),
            (2, Some(9)),
            (2, Some(5)),
            (2, Some(5)),
        ][row];
        assert_eq!((clusters.len(), clusters.bound(), clusters.is_empty()), (len, bound, false), "{row}");
    }
    assert!(clusters.contains(5, b"a") && !clusters.contains(9, b"b") && !clusters.contains(5, b"d"));
    assert_eq!(clusters.seen(), 8);
    // If the size is 0, no cluster is kept, and no ticket is small enough.
    let mut none = Clusters::new(0);
    assert_eq!((none.offer(0, b"a", 1), none.bound(), none.len()), (Ok(false), Some(0), 0));
}

#[test]
fn half_lives_have_a_rate() {
    let least = std::f64::consts::LN_2 / f64::MAX;
    assert!(Decay::half_life(least).is_ok() && Decay::half_life(f64::MAX).is_ok());
    for (time, shown) in [(0.0, "0"), (-1.0, "-1"), (1e-310, "1e-310"), (f64::NAN, "NaN")] {
        let said = Decay::half_life(time).unwrap_err().to_string();
        assert_eq!(said, format!("a half-life must be a number above 0, not {shown}"));
    }
}
