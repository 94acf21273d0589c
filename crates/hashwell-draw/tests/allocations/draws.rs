//! Draws, samplers and weighted samplers.

use crate::refusing::{Answer, Call, again, again_after, number, number_of};
use crate::{key, rows, words};
use hashwell::{CounterRng, RandomSource as _};
use hashwell_draw::algorithms::{
    ARes, AlgorithmL, AlgorithmR, AliasTable, FloatAliasTable, SequentialSampler,
};
use hashwell_draw::design::{self, BernoulliSkips, Clusters, Decay, Strata, Systematic};
use hashwell_draw::number::{self, Decimal, Ratio};
use hashwell_draw::sample::demonstration::{FrozenGap, OffByOne};
use hashwell_draw::sample::{
    self, BottomK, FisherYates, Ids, Reservoir, RowKeys, Sample, SkipReservoir, Tickets, WithReplacement,
};
use hashwell_draw::weighted::{
    self, AExpJ, Chao, WeightedReservoir, WeightedTicket, WeightedTickets, WeightedWithReplacement,
    systematic_pps,
};
use hashwell_draw::{Error, draw, hex};
use std::ops::Range;
use std::str::FromStr;
use std::sync::LazyLock;

/// Samplers that contain rows.
struct Samplers {
    alias: AliasTable,
    bottom: BottomK<u64>,
    sample: Sample<u64>,
    chao: Chao<CounterRng>,
    clusters: Clusters<u64>,
    floats: FloatAliasTable,
    jumps: AExpJ<CounterRng>,
    race: WeightedReservoir<u64>,
    res: ARes<CounterRng>,
    slots: WeightedWithReplacement<CounterRng>,
    tickets: WeightedTickets<u64>,
    shuffle: FisherYates<CounterRng>,
    replacing: WithReplacement,
}

impl Samplers {
    fn new() -> Result<Self, Error> {
        let mut all = Self {
            alias: AliasTable::new(&[1, 2, 3])?,
            bottom: BottomK::new(3),
            sample: Sample::new(vec![1, 2, 3], 9, 3)?,
            chao: Chao::new(words(), 3)?,
            clusters: Clusters::new(3),
            floats: FloatAliasTable::new(&[1.0, 2.0, 3.0])?,
            jumps: AExpJ::new(words(), 3)?,
            race: WeightedReservoir::new(3),
            res: ARes::new(words(), 3)?,
            slots: WeightedWithReplacement::new(words(), 3)?,
            tickets: WeightedTickets::new(3),
            shuffle: FisherYates::new(words(), 100)?,
            replacing: WithReplacement::new(&key(), 3)?,
        };
        for row in 1..20_u64 {
            let label = [row as u8 % 7];
            all.bottom.offer(key().ticket(&label), &label, row);
            all.chao.offer(row.into())?;
            all.clusters.offer(key().ticket(&label), &label, row)?;
            all.jumps.offer(row as f64)?;
            all.race.offer(weighted::race_key(row, 1.0), row)?;
            all.res.offer(row as f64)?;
            all.slots.offer(row as f64)?;
            all.tickets.offer(WeightedTicket::draw(&mut key().row(&label).words(), row.into())?, row)?;
        }
        all.shuffle.next_pick()?;
        all.replacing.keep()?;
        Ok(all)
    }
}

static SAMPLERS: LazyLock<Samplers> = LazyLock::new(|| Samplers::new().expect("they have rows"));

/// The rows that enter the sample, out of 300.
fn passed(sampler: &mut impl Reservoir) -> Answer {
    let mut sum = sampler.capacity() as u64;
    while sampler.seen() < 300 {
        if sampler.skip() == 0 {
            sum = number_of([sum, sampler.seen(), sampler.enter()? as u64]);
        } else {
            sampler.passed(sampler.skip().min(300 - sampler.seen()));
        }
    }
    Ok(sum)
}

/// Ids of two bytes, and of other lengths.
fn ids(rows: Range<usize>, out: &mut Ids) -> Result<(), Error> {
    let (from, first) = (rows.start, rows.start + rows.len() / 2);
    out.extend_short(first - from, |row, id| {
        id[..2].copy_from_slice(&(from as u16 + row as u16).to_be_bytes());
        2
    })?;
    (first..rows.end).try_for_each(|row| out.push(&(row as u16).to_be_bytes()))
}

/// Offers these weights, one for each row, and returns the slots that the rows take as one number.
fn slots_of(rows: Range<u32>, mut offer: impl FnMut(u32) -> Result<Option<usize>, Error>) -> Answer {
    let step = |sum, row| Ok(number_of([sum, offer(row)?.map_or(99, |slot| slot as u64)]));
    rows.into_iter().try_fold(0, step)
}

/// Same as [`slots_of`], for a fixed sequence of weights. Each step is repeated if there was no memory for it.
fn offered(mut offer: impl FnMut(u32) -> Result<Option<usize>, Error>) -> Answer {
    slots_of(1..300, |row| again(|| offer(row * 7919 % 101 + 1)))
}

/// Calls that draw a number, and samplers that only contain row numbers. They do not allocate.
pub(super) const QUIET: &[(&str, Call)] = &[
    ("numbers", || {
        let words = &mut words();
        let numbers =
            [draw::below(words, 6)?, draw::below_lemire(words, 6)?, draw::below_u128(words, 6)? as u64];
        let waits = [draw::exponential(words)?, draw::exponential(words)?];
        let floats = [
            draw::unit(words)?,
            draw::unit_positive(words)?,
            draw::gaussian(words)?,
            draw::beta(words, 2.0, 3.0)?,
            waits[0].to_f64(),
        ];
        let first = waits[0].cmp_over(3, &waits[1], 2).is_lt();
        let chance = draw::bernoulli(words, &Ratio::new(1, 3)?)? ^ draw::bernoulli_of(words, 1, 3)? ^ first;
        draw::shuffle(words, &mut [1, 2, 3])?;
        let floats = floats.map(f64::to_bits);
        Ok(number_of(numbers.into_iter().chain(floats).chain([chance.into()])))
    }),
    ("categorical", || Ok(draw::categorical(&mut words(), &[1.0, 2.0, 3.0])? as u64)),
    ("categorical_exact", || rows([draw::categorical_exact(&mut words(), &[1, 2, 3])?])),
    ("functions", || {
        let all = [number::exp, number::expm1, number::ln, number::log1p, number::ln_gamma];
        let of_words = [number::minus_ln_unit(7), weighted::race_key(7, 2.0), number::ln_beta(2.0, 0.5)];
        Ok(number_of(all.map(|of| of(0.3)).into_iter().chain(of_words).map(f64::to_bits)))
    }),
    ("ratios", || {
        let (ratio, units) = (Ratio::new(1, 3)?, Decimal::new(3)?);
        let read = ["1/3", "0.25", "0"].map(Ratio::from_str);
        let mut sum = units.integer("12.5")? as u64 + u64::from(units.scale());
        for ratio in [Ok(ratio.complement()), Ok(ratio)].into_iter().chain(read) {
            let ratio = ratio?;
            let tickets = ratio.tickets().unwrap_or(0);
            let parts =
                [ratio.numerator(), ratio.denominator(), tickets, tickets >> 64].map(|part| part as u64);
            let takes = design::takes(1 << 126, &ratio);
            sum = number_of(parts.into_iter().chain([sum, ratio.to_f64().to_bits(), takes.into()]));
        }
        Ok(sum)
    }),
    ("keys and tickets", || {
        let key = key();
        let all = [key, key.row(b"a"), key.stratum(b"b"), key.allocation()];
        Ok(number(all.into_iter().flat_map(|key| key.0)) ^ key.ticket(b"c") as u64)
    }),
    ("rules without a list", || {
        let mut skips = BernoulliSkips::new(words(), &Ratio::new(1, 7)?)?;
        let skipped = [skips.skip()?, skips.skip()?];
        let mut every = Systematic::every(&mut words(), 3)?;
        let mut all = Systematic::of(&mut words(), 100, 7)?;
        let picks = [every.next(), all.next(), all.next()].map(|pick| pick.expect("there is one"));
        let decay = [Decay::half_life(5.0)?, Decay::new(0.1)?].map(|decay| decay.key(7, 1.0, 2.0));
        let [one, other] = decay;
        let decay = [one?, other?].map(|key| key.map_or(0, f64::to_bits));
        Ok(number_of(skipped.into_iter().chain(picks).chain(decay)))
    }),
    ("reservoirs", || {
        let mut gap = SkipReservoir::new(words(), 5)?;
        let words_of_gap = |gap: &mut SkipReservoir<_>| draw::below(gap.words(), 100);
        let all = [
            passed(&mut gap)?,
            words_of_gap(&mut gap)?,
            passed(&mut &mut AlgorithmL::new(words(), 5)?)?,
            passed(&mut FrozenGap::new(words(), 5)?)?,
        ];
        Ok(number_of(all))
    }),
    ("what samplers say", || {
        let Samplers {
            alias, bottom, sample, chao, clusters, floats, jumps, race, res, slots, tickets, ..
        } = &*SAMPLERS;
        let counts =
            [bottom.capacity(), sample.capacity(), chao.capacity(), jumps.capacity(), race.capacity()];
        let more = [slots.capacity(), tickets.capacity(), chao.filled(), jumps.filled(), slots.filled()];
        let last = [clusters.len(), usize::from(clusters.is_empty()), chao.certain().sum()];
        let seen = [bottom.seen(), sample.seen(), chao.seen(), jumps.seen(), res.seen(), slots.seen()];
        let other = [race.rows(), tickets.rows(), clusters.seen(), chao.total() as u64];
        let kept = bottom.rows().map(|(ticket, _, row)| ticket as u64 ^ row);
        let of_clusters = clusters.iter().flat_map(|(_, rows)| rows.iter().copied());
        let keys = jumps.keys().chain(res.keys()).map(|(slot, key)| slot as u64 ^ key.to_bits());
        let enters = [bottom.enters(7, b"a"), clusters.admits(7, b"a")].map(u64::from);
        let drawn =
            [alias.draw(&mut words())?, floats.draw(&mut words())?].map(|at| at.map_or(9, |at| at as u64));
        let bound = clusters.bound().map_or(0, |bound| bound as u64);
        let ticket = WeightedTicket::draw(&mut words(), 3)?;
        let later = u64::from(ticket > WeightedTicket::draw(&mut words(), 4)?);
        let sizes = counts.into_iter().chain(more).chain(last).map(|count| count as u64);
        let all = sizes.chain(seen).chain(other).chain(kept).chain(of_clusters).chain(keys);
        let picked = [SAMPLERS.shuffle.picked(), SAMPLERS.replacing.seen(), SAMPLERS.replacing.skip()];
        let slots = (SAMPLERS.replacing.capacity() + SAMPLERS.replacing.kept()) as u64;
        let sum = all.chain(enters).chain(drawn).chain(picked).chain(sample.rows().iter().copied());
        Ok(number_of(sum.chain([bound, later, slots])))
    }),
    ("SequentialSampler", || {
        let mut picks = SequentialSampler::new(words(), 1000, 10)?;
        let mut sum = 0;
        while let Some(pick) = picks.next_pick()? {
            sum = number_of([sum, pick]);
        }
        Ok(sum)
    }),
];

pub(super) const ASKING: &[(&str, Call)] = &[
    ("permutation", || rows(draw::permutation(&mut words(), 100)?)),
    ("floyd", || rows(hashwell_draw::algorithms::floyd(&mut words(), 1_000_000, 30)?)),
    ("multinomial", || {
        let counts = sample::multinomial(&mut words(), 1000, 30)?;
        Ok(number_of(counts.into_iter().flat_map(|(row, count)| [row, count])))
    }),
    ("choose", || rows(sample::choose(&mut words(), &[1_u64, 2, 3, 4, 5], 2)?.into_iter().copied())),
    ("SkipReservoir", || rows(sample::from_iter(&mut SkipReservoir::new(words(), 5)?, 0..1000_u64)?)),
    ("AlgorithmL", || rows(sample::from_iter(&mut AlgorithmL::new(words(), 5)?, 0..1000_u64)?)),
    ("AlgorithmR", || rows(sample::from_iter(&mut AlgorithmR::new(words(), 5)?, 0..1000_u64)?)),
    ("OffByOne", || rows(sample::from_iter(&mut OffByOne::new(words(), 5)?, 0..1000_u64)?)),
    ("rows of AlgorithmR", || passed(&mut AlgorithmR::new(words(), 5)?)),
    ("slices of weights", || {
        let mut jumps = AExpJ::new(words(), 5)?;
        let weights: [f64; 300] = std::array::from_fn(|row| 1.0 + (row * 7919 % 101) as f64);
        let (mut at, mut sum) = (0, 0);
        while at < weights.len() {
            let (passed, slot) = jumps.skip_slice(&weights[at..])?;
            at += passed;
            sum = number_of([sum, at as u64, slot.map_or(9, |slot| slot as u64)]);
        }
        let mut jumps = AExpJ::new(words(), 5)?;
        let mut at = 0;
        while at < weights.len() {
            at += jumps.pass_slice(&weights[at..]);
            if let Some(weight) = weights.get(at) {
                sum = number_of([sum, at as u64, jumps.offer(*weight)?.map_or(9, |slot| slot as u64)]);
                at += 1;
            }
        }
        Ok(sum)
    }),
    ("tickets and keys of rows", || {
        let (tickets, mut sum) = (Tickets::new(&key()), 0);
        tickets.each_written(600, ids, |row, ticket, id| {
            sum = number_of([sum, row as u64, ticket as u64, number(id.iter().copied())]);
            Ok(())
        })?;
        tickets.each(&[b"one", b"two"], |row, ticket| sum = number_of([sum, row as u64, ticket as u64]))?;
        tickets.each_number(5..300, |ticket| {
            sum = number_of([sum, ticket as u64]);
            Ok(())
        })?;
        RowKeys::new(&key()).each_written(600, ids, |row, own, first, id| {
            sum = number_of([sum, row as u64, number(own.0), first as u64, number(id.iter().copied())]);
            Ok(())
        })?;
        Ok(sum)
    }),
    ("words of a source", || Ok(key().words_of(hashwell::Source::find("shake128")?)?.next_u64()?)),
    ("FisherYates", || rows(FisherYates::new(words(), 1000)?.picks(30)?)),
    ("WithReplacement", || {
        let (mut sampler, known) = WithReplacement::new(&key(), 5)?.pass_known(9)?;
        let mut sum = number_of(known.rows.into_iter().chain(sampler.rows_after(100)?));
        for row in 0..40 {
            if sampler.skip() == 0 {
                let stays = sampler.keep()?.unwrap_or_default();
                sum = number_of(stays.into_iter().map(u64::from).chain([sum, row]));
            } else {
                sampler.passed(1);
            }
        }
        Ok(number_of(sampler.places()?.into_iter().map(u64::from).chain([sum, sampler.kept() as u64])))
    }),
    ("BottomK", || {
        let tickets = Tickets::new(&key());
        let mut kept = BottomK::new(5);
        let ids: Vec<[u8; 4]> = (0..100_u32).map(u32::to_be_bytes).collect();
        for (id, ticket) in ids.iter().zip(tickets.of(&ids)?) {
            kept.offer(ticket, id, u64::from(u32::from_be_bytes(*id)));
        }
        let saved = kept.seen();
        Ok(number_of(kept.into_rows()) ^ saved)
    }),
    ("alias tables", || {
        let (exact, floats) = (AliasTable::new(&[1, 2, 3])?, FloatAliasTable::new(&[1.0, 2.0, 3.0])?);
        let drawn = [exact.draw(&mut words())?, floats.draw(&mut words())?];
        rows(drawn.map(|place| place.expect("a place")))
    }),
    ("Chao", || {
        let mut sampler = Chao::new(words(), 3)?;
        let sum = slots_of(1..50, |row| sampler.offer(row.into()))?;
        Ok(sum ^ number(sampler.to_bytes()))
    }),
    ("ARes", || {
        let mut sampler = ARes::new(words(), 3)?;
        slots_of(1..50, |row| sampler.offer(row.into()))
    }),
    ("AExpJ", || {
        let mut sampler = AExpJ::new(words(), 3)?;
        let sum = slots_of(1..50, |row| sampler.offer(row.into()))?;
        Ok(sum ^ number(sampler.to_bytes()))
    }),
    ("systematic_pps", || rows(systematic_pps(&mut words(), &[1, 2, 3, 4], 2)?)),
    ("merges", || {
        let one = |seen| Sample::new(vec![seen, seen + 1, seen + 2], seen, 3);
        let merged = sample::merge(&mut words(), one(50)?, one(70)?)?;
        let (first, second) = (vec![1_u64, 2, 3], vec![4, 5, 6]);
        let replaced = sample::merge_with_replacement(&mut words(), (first, 9), (second, 11))?;
        rows(merged.into_rows().into_iter().chain(replaced))
    }),
    ("BottomK merged and saved", || {
        let tickets = Tickets::new(&key());
        let of = |from: u32| {
            let mut kept = BottomK::new(5);
            let ids: Vec<[u8; 4]> = (from..from + 40).map(u32::to_be_bytes).collect();
            tickets.each(&ids, |i, ticket| {
                kept.offer_with(ticket, &ids[i], || ids[i].to_vec());
            })?;
            Ok::<_, Error>(kept)
        };
        let merged = of(0)?.merge(of(40)?);
        let saved = merged.to_bytes();
        Ok(number(saved.clone()) ^ number(BottomK::<Vec<u8>>::from_bytes(&saved)?.to_bytes()))
    }),
    ("four", || {
        let first = hashwell_draw::algorithms::haskell_sampling::sample(&mut words(), 5, 0..100_u64)?;
        let second = hashwell_draw::algorithms::haskell_sampling::resample(&mut words(), 5, 0..100_u64)?;
        let weights = || (1..100_u64).map(|row| (row as f64, row));
        let third = hashwell_draw::algorithms::haskell_sampling::psample(words(), 5, weights())?;
        let fourth = hashwell_draw::algorithms::haskell_sampling::presample(words(), 5, weights())?;
        rows([first, second, third, fourth].into_iter().flatten().flatten())
    }),
    ("Slots", || {
        let mut slots = WeightedWithReplacement::new(words(), 4)?;
        let mut sum = 0;
        for row in 1..50_u32 {
            sum = number_of(slots.offer(row.into())?.iter().map(|slot| *slot as u64).chain([sum]));
        }
        Ok(sum ^ number(slots.to_bytes()))
    }),
    ("WeightedTickets", || {
        let of = |from: u64| {
            let (mut words, mut tickets) = (words(), WeightedTickets::new(5));
            for row in from..from + 30 {
                tickets.offer(WeightedTicket::draw(&mut words, row.into())?, row.to_be_bytes().to_vec())?;
            }
            Ok::<_, Error>(tickets)
        };
        let mut tickets = of(1)?;
        tickets.merge(of(31)?)?;
        let saved = tickets.clone().to_bytes();
        let read = WeightedTickets::<Vec<u8>>::from_bytes(&saved)?;
        Ok(number(saved) ^ number(read.into_sorted().into_iter().flat_map(|(_, row)| row)))
    }),
    ("WeightedReservoir", || {
        let (mut race, mut other) = (WeightedReservoir::new(5), WeightedReservoir::new(5));
        for row in 0..50_u64 {
            let key = weighted::race_key(row.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1.0 + row as f64);
            if row % 2 == 0 { &mut race } else { &mut other }.offer(key, row)?;
        }
        race.merge(other)?;
        rows(race.into_sorted().into_iter().map(|(_, row)| row))
    }),
    ("designs", || {
        let mut strata = Strata::new(|_: &[u8]| SkipReservoir::new(words(), 2));
        let mut sum = 0;
        for row in 0..40_u64 {
            let label = [b'a' + (row % 3) as u8];
            sum = number_of([sum, strata.offer(&label)?.map_or(99, |slot| slot as u64)]);
        }
        let shares = design::allocate(&mut words(), 7, &[("a", 10), ("b", 20), ("c", 3)])?;
        let labels = strata.iter().map(|(label, gap)| number(label.iter().copied()) ^ gap.seen());
        Ok(number_of(labels.chain(shares).chain([sum])))
    }),
    ("Clusters", || {
        let key = key();
        let of = |from: u64| {
            let mut clusters = Clusters::new(3);
            for row in from..from + 40 {
                let label = (row % 9).to_be_bytes();
                clusters.offer(key.ticket(&label), &label, row)?;
            }
            Ok::<_, Error>(clusters)
        };
        let mut clusters = of(0)?;
        clusters.merge(of(100)?)?;
        clusters.rows_mut().for_each(|row| *row += 7);
        assert!(!clusters.contains(0, b"none"));
        rows(clusters.into_sorted().into_iter().flat_map(|(_, rows)| rows))
    }),
    ("digits", || {
        let read = [hex::decode("00ff"), hex::decode_any_case("00FF")].map(|read| read.expect("two bytes"));
        Ok(number(hex::encode(b"abc").bytes()) ^ number(hex::digits(b"abcd")) ^ number(read.concat()))
    }),
];

/// Samplers that are used across a step for which there was no memory. Repeating the step and all steps after it must
/// give the same results as in a process with enough memory. [`Slots`] instead reports that it can no longer be used.
pub(super) const KEPT: &[(&str, Call)] = &[
    ("kept FisherYates", || {
        let mut shuffle = FisherYates::new(words(), 1000)?;
        let mut sum = 0;
        for _ in 0..30 {
            sum = number_of([sum, again(|| shuffle.next_pick())?.unwrap_or(0)]);
        }
        Ok(sum)
    }),
    ("kept WithReplacement", || {
        let mut sampler = again(|| WithReplacement::new(&key(), 20))?;
        let mut sum = 0;
        for _ in 0..200 {
            if sampler.skip() == 0 {
                let stays = again(|| sampler.keep())?.unwrap_or_default();
                sum = number_of(stays.into_iter().map(u64::from).chain([sum]));
            } else {
                sampler.passed(1);
            }
        }
        let places = again(|| sampler.places())?;
        Ok(number_of(places.into_iter().map(u64::from).chain([sum])))
    }),
    ("kept Chao", || {
        let mut sampler = Chao::new(words(), 20)?;
        offered(|weight| sampler.offer(weight.into()))
    }),
    ("kept ARes", || {
        let mut sampler = ARes::new(words(), 20)?;
        offered(|weight| sampler.offer(weight.into()))
    }),
    ("kept AExpJ", || {
        let mut sampler = AExpJ::new(words(), 20)?;
        offered(|weight| sampler.offer(weight.into()))
    }),
    ("kept WeightedTickets", || {
        let (mut words, mut tickets) = (words(), WeightedTickets::new(5));
        for row in 1..50_u64 {
            let ticket = again(|| WeightedTicket::draw(&mut words, row.into()))?;
            again(|| tickets.offer(ticket, row))?;
        }
        let seen = tickets.rows();
        rows(tickets.into_sorted().into_iter().map(|(_, row)| row).chain([seen]))
    }),
    ("kept WeightedReservoir", || {
        let mut race = WeightedReservoir::new(20);
        for row in 0..100_u64 {
            let key = weighted::race_key(row.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1.0 + row as f64);
            again(|| race.offer(key, row))?;
        }
        let seen = race.rows();
        rows(race.into_sorted().into_iter().map(|(_, row)| row).chain([seen]))
    }),
    ("kept Clusters", || {
        let key = key();
        let mut clusters = Clusters::new(5);
        for row in 0..60_u64 {
            let label = (row % 13).to_be_bytes();
            again(|| clusters.offer(key.ticket(&label), &label, row))?;
        }
        let bound = clusters.bound().map_or(0, |bound| bound as u64);
        Ok(number_of([clusters.seen(), clusters.len() as u64, bound]))
    }),
    ("kept merges", || {
        let tickets = |from: u64| {
            let mut tickets = WeightedTickets::new(20);
            for row in from..from + 30 {
                tickets
                    .offer(WeightedTicket::draw(&mut key().row(&[row as u8]).words(), row.into())?, row)?;
            }
            Ok::<_, Error>(tickets)
        };
        let race = |from: u64| {
            let mut race = WeightedReservoir::new(20);
            (from..from + 25).try_for_each(|row| race.offer(weighted::race_key(row << 50, 2.0), row))?;
            Ok::<_, Error>(race)
        };
        let (mut all, mut first) = (again(|| tickets(1))?, again(|| race(1))?);
        again_after(&mut all, |all| all.merge(tickets(31)?), |all| assert_eq!(all.rows(), 30))?;
        again_after(&mut first, |first| first.merge(race(26)?), |first| assert_eq!(first.rows(), 25))?;
        let seen = [all.rows(), first.rows()];
        let first = first.into_sorted().into_iter().map(|(_, row)| row);
        rows(all.into_sorted().into_iter().map(|(_, row)| row).chain(first).chain(seen))
    }),
    ("kept Clusters, merged", || {
        let of = |from: u64| {
            let mut clusters = Clusters::new(3);
            for row in from..from + 20 {
                let label = [row as u8 % 5];
                clusters.offer(key().ticket(&label), &label, row)?;
            }
            Ok::<_, Error>(clusters)
        };
        let mut clusters = again(|| of(0))?;
        let before = clusters.clone();
        again_after(&mut clusters, |all| all.merge(of(100)?), |all| assert!(*all == before))?;
        rows(clusters.into_sorted().into_iter().flat_map(|(_, rows)| rows))
    }),
    ("kept tables", || {
        let exact = again(|| AliasTable::new(&[1, 2, 3]))?;
        let floats = again(|| FloatAliasTable::new(&[1.0, 2.0]))?;
        let mut words = words();
        let drawn = [exact.draw(&mut words)?, floats.draw(&mut words)?];
        Ok(number_of(drawn.map(|place| place.map_or(9, |place| place as u64))))
    }),
];
