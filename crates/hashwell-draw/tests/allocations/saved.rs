//! States that are saved and restored.

use crate::refusing::{Answer, Call, number, number_of};
use crate::{key, words, words_from};
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler};
use hashwell_draw::sample::{self, BottomK, FisherYates, Reservoir, SkipReservoir, WithReplacement};
use hashwell_draw::state::{Kind, Reader, Writer};
use hashwell_draw::weighted::{AExpJ, Chao, WeightedTicket, WeightedTickets, WeightedWithReplacement};
use hashwell_draw::{Error, draw};
use std::sync::LazyLock;

/// A state with a field of each kind.
fn written() -> Vec<u8> {
    let mut writer = Writer::new(Kind::Command);
    writer.bytes(b"abc").f64(0.5).u64(7).u64(8).option_u128(None).option_u128(Some(9)).u128(10);
    writer.finish()
}

static WRITTEN: LazyLock<Vec<u8>> = LazyLock::new(written);

/// A state, the draws after it was restored, and the state written again.
fn of_reservoir<R: Reservoir>(
    mut sampler: R,
    save: impl Fn(&R) -> Result<Vec<u8>, Error>,
    read: impl Fn(&[u8]) -> Result<R, Error>,
) -> Answer {
    sample::from_iter(&mut sampler, 0..100_u64)?;
    let saved = save(&sampler)?;
    let mut again = read(&saved)?;
    let mut slots = [0; 3];
    for slot in &mut slots {
        again.passed(again.skip());
        *slot = again.enter()? as u64;
    }
    Ok(number(saved) ^ number(save(&again)?) ^ number_of(slots))
}

pub(super) const QUIET: &[(&str, Call)] = &[("a reader", || {
    let mut reader = Reader::new(&WRITTEN, Kind::Command)?;
    let left = reader.left() as u64;
    let bytes = number(reader.bytes()?.iter().copied());
    let numbers = [reader.f64()?.to_bits(), reader.u64()?, reader.usize()? as u64];
    let options = [reader.option_u128()?, reader.option_u128()?, Some(reader.u128()?)];
    reader.end()?;
    let wrong = matches!(Reader::contradiction("a word"), Error::Invalid { .. });
    let names = Kind::ALL.iter().map(|kind| number(kind.name().bytes()));
    let options = options.map(|option| option.map_or(0, |number| number as u64 + 1));
    Ok(number_of(numbers.into_iter().chain(options).chain(names).chain([left, bytes, wrong.into()])))
})];

pub(super) const ASKING: &[(&str, Call)] = &[
    ("a writer", || Ok(number(written()))),
    ("a saved SkipReservoir", || {
        of_reservoir(
            SkipReservoir::new(words(), 5)?,
            |gap| Ok(gap.to_bytes()),
            |bytes| SkipReservoir::from_bytes(bytes, words_from),
        )
    }),
    ("a saved AlgorithmL", || {
        let read = |bytes: &[u8]| AlgorithmL::from_bytes(bytes, words_from);
        of_reservoir(AlgorithmL::new(words(), 5)?, |sampler| Ok(sampler.to_bytes()), read)
    }),
    ("a saved AlgorithmR", || {
        let read = |bytes: &[u8]| AlgorithmR::from_bytes(bytes, words_from);
        of_reservoir(AlgorithmR::new(words(), 5)?, AlgorithmR::to_bytes, read)
    }),
    ("a saved WithReplacement", || {
        let mut sampler = WithReplacement::new(&key(), 5)?;
        sampler.keep()?;
        let saved = sampler.to_bytes();
        let again = WithReplacement::from_bytes(&saved, &key(), 5)?;
        Ok(number_of(again.places()?.into_iter().map(u64::from).chain([number(saved)])))
    }),
    ("a saved FisherYates", || {
        let mut shuffle = FisherYates::new(words(), 1000)?;
        shuffle.picks(20)?;
        let saved = shuffle.to_bytes();
        let mut again = FisherYates::from_bytes(&saved, words_from)?;
        let pick = again.next_pick()?.unwrap_or(0);
        Ok(number_of([pick, draw::below(again.words(), 100)?, number(saved)]))
    }),
    ("a saved SequentialSampler", || {
        let mut picks = SequentialSampler::new(words(), 1000, 10)?;
        picks.next_pick()?;
        let saved = picks.to_bytes();
        let pick = SequentialSampler::from_bytes(&saved, words_from)?.next_pick()?;
        Ok(number_of([pick.unwrap_or(0), number(saved)]))
    }),
    ("a saved BottomK", || {
        let mut kept = BottomK::new(5);
        for row in 0..20_u8 {
            kept.offer(key().ticket(&[row]), &[row], vec![row]);
        }
        let saved = kept.to_bytes();
        Ok(number(BottomK::<Vec<u8>>::from_bytes(&saved)?.into_rows().concat()) ^ number(saved))
    }),
    ("a saved Chao", || {
        let mut sampler = Chao::new(words(), 3)?;
        (1..20).try_for_each(|row| sampler.offer(row).map(drop))?;
        let saved = sampler.to_bytes();
        let slot = Chao::from_bytes(&saved, words_from)?.offer(100)?;
        Ok(number_of([slot.map_or(9, |slot| slot as u64), number(saved)]))
    }),
    ("a saved AExpJ", || {
        let mut sampler = AExpJ::new(words(), 3)?;
        (1..20).try_for_each(|row| sampler.offer(row.into()).map(drop))?;
        let saved = sampler.to_bytes();
        let slot = AExpJ::from_bytes(&saved, words_from)?.offer(1e6)?;
        Ok(number_of([slot.map_or(9, |slot| slot as u64), number(saved)]))
    }),
    ("a saved Slots", || {
        let mut sampler = WeightedWithReplacement::new(words(), 3)?;
        (1..20).try_for_each(|row| sampler.offer(row.into()).map(drop))?;
        let saved = sampler.to_bytes();
        let mut again = WeightedWithReplacement::from_bytes(&saved, words_from)?;
        Ok(number_of(again.offer(1e3)?.iter().map(|slot| *slot as u64)) ^ number(saved))
    }),
    ("a saved WeightedTickets", || {
        let mut tickets = WeightedTickets::new(5);
        for row in 1..20_u8 {
            tickets.offer(WeightedTicket::draw(&mut key().row(&[row]).words(), row.into())?, vec![row])?;
        }
        let saved = tickets.to_bytes();
        let again = WeightedTickets::<Vec<u8>>::from_bytes(&saved)?.into_sorted();
        Ok(number(again.into_iter().flat_map(|(_, row)| row)) ^ number(saved))
    }),
];
