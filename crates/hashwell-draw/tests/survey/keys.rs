//! Samples of keys, and weighted samples from columns.

use super::by_hand::{Saved, SavedStratum};
use super::{bytes_of, drawn, key, names, numbers, row, saved};
use hashwell_draw::row_sampling::{Design, KeySampler, Keys, Sample, Shortage};
use hashwell_draw::sample::Ids;
use hashwell_draw::weighted::WeightedTicket;
use hashwell_draw::{Error, Key};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// The key of a row. There are 40 different ones.
fn user(number: u64) -> Vec<u8> {
    format!("u{}", number * 7919 % 40).into_bytes()
}

fn stratum(number: u64) -> &'static [u8] {
    if number * 7919 % 40 < 25 { b"x" } else { b"a" }
}

/// The k keys with the smallest tickets among these rows, each with its rows.
fn least(k: usize, of: Key, rows: impl Iterator<Item = u64>) -> Vec<(Vec<u8>, Vec<u64>)> {
    let mut keys: BTreeMap<Vec<u8>, Vec<u64>> = BTreeMap::new();
    rows.for_each(|number| keys.entry(user(number)).or_default().push(number));
    let mut keys: Vec<(Vec<u8>, Vec<u64>)> = keys.into_iter().collect();
    keys.sort_by_key(|(value, _)| of.ticket(value));
    keys.truncate(k);
    keys
}

fn rows_of(keys: &[(Vec<u8>, Vec<u64>)]) -> Vec<u64> {
    keys.iter().flat_map(|(_, rows)| rows).copied().collect()
}

fn of_users(k: usize, stratify: Option<Vec<String>>) -> Keys {
    Keys::new(k, key(8), names(&["user"]), stratify)
}

#[test]
fn keys_are_those_of_a_sort() {
    assert_eq!(least(usize::MAX, key(8), 1..=40).len(), 40, "what the tests count on");
    for (k, n) in [(0, 20), (1, 300), (7, 300), (40, 300), (41, 300), (3, 2), (2, 0)] {
        let must = least(k, key(8), 1..=n);
        let mut keys = of_users(k, None);
        (1..=n).for_each(|number| keys.offer(b"", &user(number), &row(number)).unwrap());
        let state = Saved::of_keys(k, key(8), n, vec![(Vec::new(), must.clone())]);
        let sample = Sample::Keys(keys);
        assert_eq!(saved(sample.clone()), state.bytes(), "{k} of {n}");
        assert_eq!((sample.seen(), sample.k(), sample.key()), (n, k, key(8)));
        assert!(sample.goes_on() && sample.chance().is_none());
        assert_eq!(sample.design(), Design::Keys { columns: names(&["user"]), k, stratify: None });
        let found = (must.len() < k).then_some(Shortage::Keys(must.len() as u64));
        assert_eq!(sample.shortage(), found, "{k} of {n}");
        let mut sorted = rows_of(&must);
        assert_eq!(drawn(sample.clone()), sorted, "{k} of {n}");
        sorted.sort_unstable();
        assert_eq!(numbers(sample.clone(), false), sorted);
        for (ticket, kept) in sample.drawn().unwrap() {
            assert_eq!(ticket, Some(key(8).ticket(&user(kept.number))));
        }
    }
}

/// A row is only requested if its key is among the first so far, and rows whose tickets are above the bound need not be
/// offered.
#[test]
fn rows_beyond_the_bound_need_not_come() {
    for k in [0, 1, 5, 60] {
        let (mut all, mut some) = (of_users(k, None), of_users(k, None));
        let (asked, mut useful) = (Cell::new(0), 0);
        let mut passed = 0;
        for number in 1..=400 {
            let (value, ticket) = (user(number), key(8).ticket(&user(number)));
            let first = least(k, key(8), 1..=number).iter().any(|(name, _)| *name == value);
            useful += u64::from(first);
            let row = || {
                asked.set(asked.get() + 1);
                bytes_of(number)
            };
            all.offer_ticket(ticket, b"", &value, row).unwrap();
            // The first k keys of the earlier rows; the bound is the ticket of the last of these keys.
            let before = least(usize::MAX, key(8), 1..number);
            let last = if k == 0 { Some(0) } else { before.get(k - 1).map(|(name, _)| key(8).ticket(name)) };
            assert_eq!(some.bound(), last, "{k} after {number} rows");
            if last.is_some_and(|last| ticket > last) {
                passed += 1;
            } else {
                some.passed(passed);
                passed = 0;
                some.offer_ticket(ticket, b"", &value, || bytes_of(number)).unwrap();
            }
        }
        some.passed(passed);
        assert_eq!((asked.get(), all.seen, some.seen), (useful, 400, 400), "{k}");
        assert_eq!(saved(Sample::Keys(some)), saved(Sample::Keys(all)), "{k}");
    }
}

/// Each stratum has its own keys. Strata are in the order of their labels, and a shortage refers to the smallest one.
#[test]
fn strata_have_keys_of_their_own() {
    let stratify = Some(names(&["g", "h"]));
    for k in [1, 14, 15, 16, 26] {
        let mut keys = of_users(k, stratify.clone());
        for number in 1..=200 {
            assert_eq!(keys.bound(), None);
            keys.offer(stratum(number), &user(number), &row(number)).unwrap();
        }
        let of = |label: &'static [u8]| {
            least(k, key(8), (1..=200).filter(move |number| stratum(*number) == label))
        };
        let must: Vec<SavedStratum> = vec![(b"a".to_vec(), of(b"a")), (b"x".to_vec(), of(b"x"))];
        let mut state = Saved::of_keys(k, key(8), 200, must.clone());
        state.stratify = super::by_hand::several(&["g", "h"]);
        let sample = Sample::Keys(keys);
        assert_eq!(saved(sample.clone()), state.bytes());
        assert_eq!(
            sample.design(),
            Design::Keys { columns: names(&["user"]), k, stratify: stratify.clone() }
        );
        // 15 keys in a, 25 in x.
        assert_eq!(sample.shortage(), (k > 15).then_some(Shortage::Keys(15)));
        let rows: Vec<u64> = must.iter().flat_map(|(_, keys)| rows_of(keys)).collect();
        assert_eq!(drawn(sample), rows);
    }
    assert_eq!(Sample::Keys(of_users(1, stratify.clone())).shortage(), Some(Shortage::Keys(0)));
    assert_eq!(Sample::Keys(of_users(0, stratify)).shortage(), None);
}

#[test]
fn keys_kept_are_shown() {
    let mut keys = of_users(3, None);
    (1..=90).for_each(|number| keys.offer(b"", &user(number), &row(number)).unwrap());
    let mut shown = Vec::new();
    Sample::Keys(keys).each_kept(&mut |kept| shown.push(kept.number));
    let mut must = rows_of(&least(3, key(8), 1..=90));
    shown.sort_unstable();
    must.sort_unstable();
    assert_eq!(shown, must);
}

fn write(ids: &[Vec<u8>]) -> impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error> {
    move |rows, out| ids[rows].iter().try_for_each(|id| out.push(id))
}

/// The weight of a row's key. Some keys have none.
fn weight(number: u64) -> u64 {
    number * 7919 % 40 % 6
}

/// A weighted sample from columns, in batches of any size, keeps the rows of the keys that come first when sorted.
#[test]
fn a_race_is_a_sort() {
    let ids: Vec<Vec<u8>> = (1..=1500).map(user).collect();
    for (k, weighted, distinct) in [
        (0, false, false),
        (3, false, false),
        (3, false, true),
        (100, false, true),
        (0, true, false),
        (1, true, false),
        (6, true, true),
        (6, true, false),
        (100, true, false),
    ] {
        let mut keys = least(usize::MAX, key(8), 1..=1500);
        if weighted {
            keys.retain(|(_, rows)| weight(rows[0]) > 0);
            keys.sort_by_key(|(name, rows)| {
                let mut words = key(8).row(name).words();
                WeightedTicket::draw(&mut words, weight(rows[0]).into()).unwrap()
            });
        }
        keys.truncate(k);
        if distinct {
            keys.iter_mut().for_each(|(_, rows)| rows.truncate(1));
        }
        for cut in [1, 7, 256, 257, 1500] {
            let mut race = KeySampler::new(k, key(8), weighted, distinct);
            let mut entered = Vec::new();
            for (at, batch) in ids.chunks(cut).enumerate() {
                let number = |row: usize| (at * cut + row + 1) as u64;
                let enter = |row: usize| {
                    entered.push(number(row));
                    Ok(())
                };
                race.update(batch.len(), write(batch), |row| Ok(weight(number(row))), enter).unwrap();
                if at % 4 == 1 {
                    entered = race.order().into_iter().map(|at| entered[at as usize]).collect();
                }
            }
            let left: Vec<u64> = race.order().into_iter().map(|at| entered[at as usize]).collect();
            assert_eq!(left, rows_of(&keys), "{k} {weighted} {distinct} {cut}");
            assert_eq!(race.order(), Vec::from_iter(0..left.len() as u64), "{k}");
        }
    }
}

/// The rows that enter are those of keys that are among the first so far, and only one row of each key if one is
/// sufficient.
#[test]
fn what_enters_a_race() {
    let ids: Vec<Vec<u8>> = (1..=300).map(user).collect();
    for (weighted, distinct) in [(false, false), (false, true), (true, false), (true, true)] {
        let ticket = |name: &[u8], number: u64| {
            let mut words = key(8).row(name).words();
            WeightedTicket::draw(&mut words, weight(number).into()).unwrap()
        };
        let mut must = Vec::new();
        for number in 1..=300 {
            let mut first = least(usize::MAX, key(8), 1..=number);
            if weighted {
                first.retain(|(_, rows)| weight(rows[0]) > 0);
                first.sort_by_key(|(name, rows)| ticket(name, rows[0]));
            }
            first.truncate(4);
            let own = first.iter().find(|(name, _)| *name == user(number));
            if own.is_some_and(|(_, rows)| !distinct || rows.len() == 1) {
                must.push(number);
            }
        }
        let mut entered = Vec::new();
        let enter = |row: usize| {
            entered.push(row as u64 + 1);
            Ok(())
        };
        let mut race = KeySampler::new(4, key(8), weighted, distinct);
        race.update(ids.len(), write(&ids), |row| Ok(weight(row as u64 + 1)), enter).unwrap();
        assert_eq!(entered, must, "{weighted} {distinct}");
    }
}

/// The weights of a key are compared with each other while it is among the first.
#[test]
fn a_key_has_one_weight() {
    let update = |race: &mut KeySampler, name: &[u8], weight: u64| {
        race.update(1, write(&[name.to_vec()]), |_| Ok(weight), |_| Ok(())).map_err(|error| error.to_string())
    };
    let mut race = KeySampler::new(2, key(8), true, false);
    let long = [b'y'; 100];
    for name in [&b"u1"[..], &long] {
        update(&mut race, name, 5).unwrap();
        update(&mut race, name, 5).unwrap();
        let shown = String::from_utf8_lossy(&name[..name.len().min(80)]);
        let must = format!("weights: rows of the key {shown:?} have different weights");
        assert_eq!(update(&mut race, name, 6), Err(must));
        assert_eq!(update(&mut race, name, 0), Ok(()));
    }
}

/// No matter how many keys were seen, only the weights of the remaining keys and of few others are kept.
#[test]
fn weights_are_forgotten_with_their_keys() {
    let names: Vec<[u8; 8]> = (0..500_u64).map(u64::to_be_bytes).collect();
    let of = |number: usize| number as u64 % 3 + 1;
    let update = |race: &mut KeySampler, number: usize, weight: u64| {
        race.update(1, write(&[names[number].to_vec()]), |_| Ok(weight), |_| Ok(()))
    };
    let mut order: Vec<usize> = (0..500).collect();
    order.sort_by_key(|number| {
        WeightedTicket::draw(&mut key(8).row(&names[*number]).words(), of(*number).into()).unwrap()
    });
    for k in [1, 2, 5] {
        let mut race = KeySampler::new(k, key(8), true, false);
        for number in 0..500 {
            update(&mut race, number, of(number)).unwrap();
            // Each pair in the weights ends like this. There is space for twice as many as remain.
            let known = format!("{race:?}").matches("]: ").count();
            assert!((1..=2 * k + 1).contains(&known), "{known} of {k} after {number}");
        }
        for number in &order[..k] {
            assert_eq!(update(&mut race, *number, of(*number)), Ok(()));
            assert!(update(&mut race, *number, of(*number) + 1).is_err());
        }
    }
}

/// An error of the caller ends the sample.
#[test]
fn a_race_says_what_went_wrong() {
    let stopped = || Err(Error::Stopped);
    let ids = [b"a".to_vec()];
    for weighted in [false, true] {
        let mut race = KeySampler::new(2, key(8), weighted, false);
        assert_eq!(race.update(1, |_, _| stopped(), |_| Ok(1), |_| Ok(())), Err(Error::Stopped));
        assert_eq!(race.update(1, write(&ids), |_| Ok(1), |_| stopped()), Err(Error::Stopped));
        let weights = race.update(1, write(&ids), |_| Err(Error::Stopped), |_| Ok(()));
        assert_eq!(weights.is_err(), weighted);
    }
}
