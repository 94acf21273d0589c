//! The guarantees of weighted samplers besides their distribution: the sample is the same for any batches, an invalid
//! weight gives one clear error, and outputs never change.

use hashwell::random::Tape;
use hashwell::{ByteSource, CounterRng};
use hashwell_draw::algorithms::{ARes, AliasTable, FloatAliasTable, haskell_sampling};
use hashwell_draw::number::ln;
use hashwell_draw::weighted::{
    AExpJ, Chao, WeightedReservoir, WeightedTicket, WeightedTickets, WeightedWithReplacement, race_key,
    systematic_pps,
};
use hashwell_draw::{Error, RandomSource};

fn words(byte: u8) -> CounterRng {
    CounterRng::new(&[byte; 32])
}

/// Weights of many sizes, including zeros.
fn mixed(rows: usize) -> Vec<f64> {
    let mut words = words(1);
    let mut weight = || match words.next_word() % 10 {
        0 | 1 => 0.0,
        2 => 1e-300,
        3 => 1e300,
        4 => 5e-324,
        size => words.next_f64().unwrap() * 10_f64.powi(size as i32),
    };
    (0..rows).map(|_| weight()).collect()
}

/// The rows in slots, for slices of these lengths in turn.
fn sliced(weights: &[f64], k: usize, lengths: &[usize]) -> Vec<usize> {
    let mut jumps = AExpJ::new(words(2), k).unwrap();
    let (mut sample, mut at) = (Vec::new(), 0);
    for &length in lengths.iter().cycle() {
        let end = weights.len().min(at + length);
        while at < end {
            let (rows, slot) = jumps.skip_slice(&weights[at..end]).unwrap();
            at += rows;
            match slot {
                Some(slot) if slot < sample.len() => sample[slot] = at - 1,
                Some(_) => sample.push(at - 1),
                None => assert_eq!(at, end),
            }
        }
        if at == weights.len() {
            break;
        }
    }
    assert_eq!(jumps.seen(), weights.len() as u64);
    sample
}

#[test]
fn every_cut_gives_the_same_sample() {
    let uniform: Vec<f64> = (0..20_000).map(|row| f64::from(row % 13)).collect();
    for weights in [mixed(5000), uniform] {
        for k in [0, 1, 7, 300, 5000, 40_000] {
            let whole = sliced(&weights, k, &[weights.len()]);
            assert_eq!(whole.len(), k.min(weights.iter().filter(|&&weight| weight > 0.0).count()));
            for lengths in [&[1][..], &[255, 1], &[256], &[257, 3, 1000]] {
                assert_eq!(sliced(&weights, k, lengths), whole, "{k} {lengths:?}");
            }
        }
    }
}

/// Only the ratios of weights matter, and powers of 2 change no digit.
#[test]
fn scaled_weights_give_the_same_sample() {
    let weights: Vec<f64> = (0..3000).map(|row| f64::from(row % 17) + 0.3).collect();
    let sample = sliced(&weights, 20, &[3000]);
    for power in [-900, -300, -1, 1, 300, 900] {
        let scale = 2_f64.powi(power);
        let scaled: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        assert_eq!(sliced(&scaled, 20, &[3000]), sample, "2^{power}");
    }
}

/// The key of a row depends on its own random number, so any partition and any order of merging gives the same first k
/// rows.
#[test]
fn races_are_the_same_for_every_partition() {
    let weights = mixed(2000);
    let key = |row: usize| race_key(words(3).next_word().wrapping_mul(2 * row as u64 + 1), weights[row]);
    let race = |rows: &mut dyn Iterator<Item = usize>| {
        let mut race = WeightedReservoir::new(50);
        rows.filter(|&row| weights[row] > 0.0).for_each(|row| race.offer(key(row), row).unwrap());
        race
    };
    let whole = race(&mut (0..2000)).into_sorted();
    assert_eq!(whole.len(), 50);
    for parts in [2, 3, 7] {
        let part = |part: usize| race(&mut (0..2000).filter(move |row| row % parts == part));
        let mut forward = part(0);
        (1..parts).for_each(|at| forward.merge(part(at)).unwrap());
        let mut backward = part(parts - 1);
        (0..parts - 1).rev().for_each(|at| backward.merge(part(at)).unwrap());
        assert_eq!(forward.rows(), weights.iter().filter(|&&weight| weight > 0.0).count() as u64);
        assert_eq!((forward.into_sorted(), backward.into_sorted()), (whole.clone(), whole.clone()));
    }
    assert!(
        WeightedReservoir::<u8>::new(1).merge(WeightedReservoir::new(2)).is_err()
            && WeightedReservoir::new(1).offer(f64::NAN, 1).is_err()
    );
}

/// A-Res orders rows by the keys of their random numbers, and returns these keys.
#[test]
fn res_is_the_race_of_its_keys() {
    let weights = mixed(3000);
    let (mut res, mut keys, mut race) =
        (ARes::new(words(4), 40).unwrap(), words(4), WeightedReservoir::new(40));
    let mut sample = vec![0; 40];
    for (row, &weight) in weights.iter().enumerate() {
        if let Some(slot) = res.offer(weight).unwrap() {
            sample[slot] = row;
        }
        if weight > 0.0 {
            race.offer(race_key(keys.next_word(), weight), row).unwrap();
        }
    }
    let mut kept: Vec<(f64, usize)> = res.keys().map(|(slot, key)| (key, sample[slot])).collect();
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    for ((key, row), (other_key, other_row)) in kept.into_iter().zip(race.into_sorted()) {
        assert!(
            row == other_row && (key - other_key).abs() < 1e-11,
            "{row} {key}, not {other_row} {other_key}"
        );
    }
}

#[test]
fn tickets_merge_and_are_ordered_by_their_rows() {
    let ticket = |row: usize| WeightedTicket::draw(&mut words(row as u8), (row % 5) as u128).unwrap();
    let of = |rows: &mut dyn Iterator<Item = usize>| {
        let mut tickets = WeightedTickets::new(9);
        rows.for_each(|row| tickets.offer(ticket(row), row).unwrap());
        tickets
    };
    let rows = |tickets: WeightedTickets<usize>| -> Vec<usize> {
        tickets.into_sorted().into_iter().map(|(_, row)| row).collect()
    };
    let whole = rows(of(&mut (0..100)));
    assert!(whole.len() == 9 && whole.iter().all(|row| row % 5 != 0));
    let mut merged = of(&mut (50..100));
    merged.merge(of(&mut (0..50))).unwrap();
    assert_eq!((merged.rows(), rows(merged)), (100, whole));
    // With equal tickets, the smaller row is first.
    let same = ticket(1);
    let mut tickets = WeightedTickets::new(1);
    [7, 3, 5].into_iter().for_each(|row| tickets.offer(same, row).unwrap());
    assert_eq!(rows(tickets), [3]);
}

#[test]
fn what_is_no_weight_is_named() {
    for (weight, name) in
        [(f64::NAN, "NaN"), (-1.5, "-1.5"), (f64::INFINITY, "inf"), (-0.0 - 1e-300, "-0.00")]
    {
        let says = |error: Error| {
            let text = error.to_string();
            let must = format!("a weight must be a finite number of at least 0, not {name}");
            assert!(text.starts_with(&must) && text.ends_with("(row 3, counted from 0)"), "{text}");
        };
        let weights = [1.0, 0.0, 2.0, weight];
        for k in [0, 1, 3, 9] {
            let mut res = ARes::new(words(1), k).unwrap();
            let mut jumps = AExpJ::new(words(1), k).unwrap();
            let mut slots = WeightedWithReplacement::new(words(1), k).unwrap();
            for &weight in &weights[..3] {
                let _ = (
                    res.offer(weight).unwrap(),
                    jumps.offer(weight).unwrap(),
                    slots.offer(weight).unwrap().len(),
                );
            }
            says(res.offer(weight).unwrap_err());
            says(jumps.offer(weight).unwrap_err());
            says(slots.offer(weight).unwrap_err());
            // The failed row was not counted; the next one is.
            assert_eq!((res.seen(), jumps.seen(), slots.seen()), (3, 3, 3));
            assert!(res.offer(1.0).is_ok() && jumps.offer(1.0).is_ok() && slots.offer(1.0).is_ok());
        }
        says(FloatAliasTable::new(&weights).unwrap_err());
        says(haskell_sampling::psample(words(1), 2, weights.into_iter().zip(0..)).unwrap_err());
    }
}

#[test]
fn sums_without_room_are_errors() {
    let most = u128::MAX;
    assert!(AliasTable::new(&[most / 2, 5]).is_err() && AliasTable::new(&[most / 2 - 5, 5]).is_ok());
    assert!(systematic_pps(&mut words(1), &[most, 1], 1).is_err());
    assert!(systematic_pps(&mut words(1), &[most / 2, 1, 1], 2).is_err());
    let mut chao = Chao::new(words(1), 2).unwrap();
    chao.offer(most / 4).unwrap();
    let error = chao.offer(most / 2).unwrap_err().to_string();
    assert!(error.contains("row 1"), "{error}");
    assert!(chao.offer(most / 5).is_ok() && chao.offer(7).is_ok());
    // Draws with replacement can represent this sum: with equal weights, the picks are the same as for smaller weights.
    let slots = |weight: f64| {
        let mut slots = WeightedWithReplacement::new(words(1), 2).unwrap();
        let taken: Vec<Vec<usize>> = (0..1000)
            .map(|row| {
                if row % 300 == 7 {
                    let seek = |position: Option<u128>| {
                        let mut words = words(1);
                        words.seek(position.unwrap() / 8)?;
                        Ok(words)
                    };
                    slots = WeightedWithReplacement::from_bytes(&slots.to_bytes(), seek).unwrap();
                }
                slots.offer(weight).unwrap().to_vec()
            })
            .collect();
        (taken, slots.sum())
    };
    let (most, sum) = slots(f64::MAX);
    let (small, of_small) = slots(f64::MAX / 2_f64.powi(140));
    assert_eq!(most, small);
    assert!(sum.starts_with("17976931348623") && sum.len() == 312 && of_small.len() < 275, "{sum}");
    // AExpJ and its keys can represent this sum, too.
    let mut jumps = AExpJ::new(words(1), 2).unwrap();
    assert!((0..1000).all(|_| jumps.offer(f64::MAX).is_ok()));
}

#[test]
fn rows_of_weight_0_and_no_rows_make_empty_samples() {
    let none = || Tape::new(&[]);
    let zeros = [0.0; 9];
    let (mut res, mut jumps) = (ARes::new(none(), 3).unwrap(), AExpJ::new(none(), 3).unwrap());
    let mut slots = WeightedWithReplacement::new(none(), 3).unwrap();
    for weight in zeros {
        assert_eq!((res.offer(weight), jumps.offer(weight)), (Ok(None), Ok(None)));
        assert_eq!(slots.offer(weight), Ok(&[][..]));
    }
    assert_eq!(systematic_pps(&mut none(), &[0, 0], 1), Ok(vec![]));
    assert_eq!(systematic_pps(&mut none(), &[], 1), Ok(vec![]));
    let mut chao = Chao::new(none(), 1).unwrap();
    assert_eq!((chao.offer(0), chao.offer(5), chao.offer(0)), (Ok(None), Ok(Some(0)), Ok(None)));
    // There are too few rows with a weight: the result is never shorter than requested.
    let two = [(1.0, 'a'), (0.0, 'b'), (2.0, 'c')];
    assert_eq!(haskell_sampling::psample(words(1), 3, two), Ok(None));
    assert_eq!(haskell_sampling::psample(words(1), 2, two).unwrap().unwrap().len(), 2);
    assert_eq!(
        (haskell_sampling::psample(none(), 0, two), haskell_sampling::presample(none(), 0, two)),
        (Ok(Some(vec![])), Ok(Some(vec![])))
    );
    assert_eq!(haskell_sampling::presample(words(1), 5, two).unwrap().unwrap().len(), 5);
    assert_eq!(haskell_sampling::presample(none(), 5, [(0.0, 'b')]), Ok(None));
    // Without slots there are no jumps, even if the sum is beyond the range of floating point.
    let heavy = std::iter::repeat_n((f64::MAX, 'x'), 600);
    assert_eq!(haskell_sampling::psample(none(), 0, heavy), Ok(Some(vec![])));
    let mut jumps = AExpJ::new(none(), 0).unwrap();
    assert_eq!((jumps.skip_slice(&[f64::MAX; 600]), jumps.seen()), (Ok((600, None)), 600));
    // All slots are allocated at once, so a size that does not fit into memory is an error immediately.
    assert!(matches!(WeightedWithReplacement::new(none(), 1 << 50).err(), Some(Error::OutOfRange { .. })));
    // A declared size does not allocate memory.
    assert_eq!(AExpJ::new(words(1), usize::MAX).unwrap().offer(1.0), Ok(Some(0)));
    assert_eq!(ARes::new(words(1), usize::MAX).unwrap().offer(1.0), Ok(Some(0)));
}

#[test]
fn words_that_end_are_an_error_and_no_row() {
    let tape = [1, 2, 3, 4, 5];
    let mut jumps = AExpJ::new(Tape::new(&tape), 2).unwrap();
    let mut entered = 0;
    let error = loop {
        match jumps.offer(1.0) {
            Ok(slot) => entered += usize::from(slot.is_some()),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::RandomSource(_)));
    assert_eq!((entered, jumps.keys().count()), (3, 2), "3 words, then 2 for each row that enters");
}

#[test]
fn words_are_counted() {
    let mut stream = words(9);
    let mut jumps = AExpJ::new(&mut stream, 10).unwrap();
    let entered = (0..1000).filter(|_| jumps.offer(1.0).unwrap().is_some()).count();
    assert_eq!(stream.stream_position(), Some(8 * (10 + 1 + 2 * (entered as u128 - 10))));
    let mut stream = words(9);
    let mut res = ARes::new(&mut stream, 10).unwrap();
    assert!((0..1000).all(|row| res.offer(f64::from(row % 4)).is_ok()));
    assert_eq!(stream.stream_position(), Some(8 * 750));
}

#[test]
fn samples_are_pinned() {
    let weights: Vec<f64> = (0..1000).map(|row| f64::from(row % 7)).collect();
    let units: Vec<u128> = (0..1000).map(|row| row % 7).collect();
    let rows = |offer: &mut dyn FnMut(usize) -> Option<usize>| {
        let mut sample = vec![0; 6];
        for row in 0..1000 {
            if let Some(slot) = offer(row) {
                sample[slot] = row;
            }
        }
        sample
    };
    let (mut res, mut jumps) = (ARes::new(words(7), 6).unwrap(), AExpJ::new(words(7), 6).unwrap());
    let mut chao = Chao::new(words(7), 6).unwrap();
    let mut stream = words(7);
    let (table, floats) = (AliasTable::new(&units).unwrap(), FloatAliasTable::new(&weights).unwrap());
    let exact = (0..6).map(|_| table.draw(&mut stream).unwrap().unwrap()).collect();
    let rounded = (0..6).map(|_| floats.draw(&mut stream).unwrap().unwrap()).collect();
    let mut tickets = WeightedTickets::new(6);
    for (row, &weight) in units.iter().enumerate() {
        tickets.offer(WeightedTicket::draw(&mut stream, weight).unwrap(), row).unwrap();
    }
    let got: [(&str, Vec<usize>); 8] = [
        ("ARes", rows(&mut |row| res.offer(weights[row]).unwrap())),
        ("AExpJ", rows(&mut |row| jumps.offer(weights[row]).unwrap())),
        ("Chao", rows(&mut |row| chao.offer(units[row]).unwrap())),
        ("systematic", systematic_pps(&mut words(7), &units, 6).unwrap()),
        (
            "presample",
            haskell_sampling::presample(words(7), 6, weights.iter().copied().zip(0..)).unwrap().unwrap(),
        ),
        ("alias", exact),
        ("alias of floats", rounded),
        ("tickets", tickets.into_sorted().into_iter().map(|(_, row)| row).collect()),
    ];
    let must = [
        [809, 776, 571, 88, 447, 6],
        [381, 142, 913, 180, 626, 6],
        [782, 979, 549, 727, 61, 503],
        [149, 314, 481, 648, 815, 981],
        [320, 698, 397, 817, 863, 418],
        [131, 628, 822, 233, 313, 355],
        [879, 934, 642, 713, 605, 377],
        [74, 240, 86, 249, 496, 529],
    ];
    assert_eq!(got.map(|(_, rows)| rows), must);
    assert_eq!(race_key(1 << 63, 3.0).to_bits(), (ln(std::f64::consts::LN_2) - ln(3.0)).to_bits());
}

/// Rows of weight 0 are in no column, even if sums are rounded, so that at the end of the table no row is left with
/// more than a column.
#[test]
fn rows_of_weight_0_are_in_no_column() {
    let mut words = words(11);
    for n in 1..150 {
        for size in [0.1, 1.0, 0.7, f64::MAX, 5e-324] {
            let mut weights: Vec<f64> =
                (0..n).map(|_| size * if size < 1.0 { 1.0 } else { words.next_f64().unwrap() }).collect();
            weights[0] = size;
            weights.extend([0.0; 3]);
            let table = FloatAliasTable::new(&weights).unwrap();
            for row in 0..weights.len() {
                for height in [0, u64::MAX] {
                    let drawn = table.draw(&mut Tape::new(&[row as u64, height])).unwrap().unwrap();
                    assert!(weights[drawn] > 0.0, "{n} rows of {size}: {drawn} from column {row}");
                }
            }
        }
    }
}

#[test]
fn samplers_say_what_they_have_seen() {
    let mut chao = Chao::new(words(1), 2).unwrap();
    for weight in [5, 0, 7, 1 << 70] {
        chao.offer(weight).unwrap();
    }
    assert_eq!((chao.capacity(), chao.filled(), chao.seen(), chao.total()), (2, 2, 4, 12 + (1 << 70)));
    let mut jumps = AExpJ::new(words(1), 3).unwrap();
    for (weight, filled) in [(5.0, 1), (0.0, 1), (7.0, 2), (1e300, 3), (1e-300, 3)] {
        jumps.offer(weight).unwrap();
        assert_eq!((jumps.capacity(), jumps.filled()), (3, filled));
    }
    assert_eq!(jumps.seen(), 5);
    let mut slots = WeightedWithReplacement::new(words(1), 3).unwrap();
    assert_eq!((slots.capacity(), slots.filled(), slots.seen()), (3, 0, 0));
    for weight in [0.0, 5.0, 7.0] {
        slots.offer(weight).unwrap();
    }
    assert_eq!((slots.capacity(), slots.filled(), slots.seen()), (3, 3, 3));
    let (mut res, mut race) = (ARes::new(words(1), 2).unwrap(), WeightedReservoir::new(2));
    let mut tickets = WeightedTickets::new(2);
    for row in 0..5_u8 {
        res.offer(1.0).unwrap();
        race.offer(f64::from(row), row).unwrap();
        tickets.offer(WeightedTicket::draw(&mut words(row), 1).unwrap(), row).unwrap();
    }
    assert_eq!((res.seen(), race.rows(), tickets.rows()), (5, 5, 5));
    assert_eq!((race.capacity(), tickets.capacity()), (2, 2));
}

/// A row that is only slightly early takes the slot, even if the random number alone nearly decides that the row is too
/// late.
#[test]
fn rows_that_are_hardly_earlier_take_the_slot() {
    let late = 1_u64 << 40;
    for earlier in [late / 2_000_000, 1] {
        let tape = [!late, !late + earlier];
        let mut res = ARes::new(Tape::new(&tape), 1).unwrap();
        assert_eq!((res.offer(1.0), res.offer(1.0)), (Ok(Some(0)), Ok(Some(0))), "{earlier}");
    }
    let ticket = |seed| WeightedTicket::draw(&mut words(seed), 5).unwrap();
    assert!(ticket(1) == ticket(1) && ticket(1) != ticket(2));
}

/// A row with a share of exactly one is drawn with the others; a row is certain only if its share is larger.
#[test]
fn whole_shares_are_drawn_with_the_others() {
    let drawn = |weights: &[u128], k| systematic_pps(&mut Tape::new(&[2]), weights, k).unwrap();
    assert_eq!(drawn(&[2, 1, 1], 2), [0, 2]);
    assert_eq!(drawn(&[8, 2, 1, 1], 3), [0, 1, 3]);
}

/// The smallest random number waits longest: for 2^65 times the weight seen so far.
#[test]
fn the_least_word_waits_longest() {
    let mut slots = WeightedWithReplacement::new(Tape::new(&[0]), 1).unwrap();
    assert_eq!(slots.offer(1.0), Ok(&[0][..]));
    assert_eq!(slots.offer(1e19), Ok(&[][..]));
}

/// Blocks of sums begin at the same rows, so the saved state is the same for any batches as well.
#[test]
fn every_cut_is_saved_alike() {
    let weights = mixed(3000);
    let saved = |length: usize| {
        let mut jumps = AExpJ::new(words(2), 3).unwrap();
        for mut slice in weights.chunks(length) {
            while !slice.is_empty() {
                slice = &slice[jumps.skip_slice(slice).unwrap().0..];
            }
        }
        jumps.to_bytes()
    };
    for length in [1, 100, 255, 257, 3000] {
        assert_eq!(saved(length), saved(256), "{length}");
    }
}

/// A row is drawn by its fraction of the total sum, even if each weight by itself is rounded away: a slot that waits
/// for 2^53 + 100 is taken after about a hundred rows of weight 1 have followed a row of 2^53.
#[test]
fn slots_wait_for_the_whole_sum() {
    let taken = |first: &[f64], tape: &[u64]| {
        let mut slots = WeightedWithReplacement::new(Tape::new(tape), 1).unwrap();
        for &weight in first {
            slots.offer(weight).unwrap();
        }
        (1..1000).find(|_| !slots.offer(1.0).unwrap().is_empty())
    };
    let two = |power: i32| 2_f64.powi(power);
    // W/U with W = 2^53 and U = 1 - 100/2^53. This is a multiple of 2, like the sum with which it is compared.
    let word = u64::MAX - 100 * (1 << 11);
    assert!(matches!(taken(&[two(53)], &[word, 0]), Some(100..=103)));
    // The rounding error of the smaller sum counts, too: the earlier rows have the sum 101, and 2^60 + 128 is rounded
    // to 2^60.
    let first: Vec<f64> = std::iter::repeat_n(1.0, 101).chain([two(60)]).collect();
    assert_eq!(taken(&first, &[1 << 56, u64::MAX, 0]), Some(28));
}

/// If no row enters, blocks of sums end at the same rows for any batches, and can be saved there.
#[test]
fn blocks_end_at_the_same_rows_for_every_cut() {
    // The earliest arrival, followed by the longest jump.
    let mut weights = vec![1.0];
    weights.extend((0..1500).map(|row| f64::from(row % 7) + 0.1));
    let saved = |length: usize| {
        let mut jumps = AExpJ::new(Tape::new(&[u64::MAX, 0]), 1).unwrap();
        for mut slice in weights.chunks(length) {
            while !slice.is_empty() {
                slice = &slice[jumps.skip_slice(slice).unwrap().0..];
            }
        }
        jumps.to_bytes()
    };
    let rows = [100, 255, 257, 300].map(saved);
    assert!(rows.iter().all(|bytes| *bytes == saved(1)));
    assert!(AExpJ::from_bytes(&rows[0], |_| Ok(Tape::new(&[]))).is_ok());
}

/// A row with a share of exactly one is not certain: it is drawn with the others, even after the state was saved and
/// restored.
#[test]
fn a_whole_share_of_a_stream_is_not_certain() {
    let mut chao = Chao::new(words(1), 2).unwrap();
    for (weight, certain) in [(1, 1), (1, 2), (2, 0), (1, 0), (6, 1), (1, 0)] {
        chao.offer(weight).unwrap();
        assert_eq!(chao.certain().count(), certain, "{weight} of {}", chao.total());
        chao = Chao::from_bytes(&chao.to_bytes(), |_| Ok(words(2))).unwrap();
    }
}

/// If rows have equal weights, the new one is the first that may leave. The rule by which a row leaves is as much a
/// part of a sample as its distribution.
#[test]
fn of_equal_rows_the_one_that_comes_stands_first() {
    for (word, slot) in [((1 << 63) - 1, None), (1 << 63, Some(0))] {
        let tape = [word; 2];
        let mut chao = Chao::new(Tape::new(&tape), 1).unwrap();
        assert_eq!((chao.offer(3), chao.offer(3)), (Ok(Some(0)), Ok(slot)));
    }
}
