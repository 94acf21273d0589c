//! Any fields are either a saved sampler or refused. A sampler that can be loaded is saved unchanged,
//! continues, and can be saved again.
#![no_main]

use hashwell::CounterRng;
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler};
use hashwell_draw::{Error, Key};
use hashwell_draw::sample::{BottomK, FisherYates, SkipReservoir, Reservoir, WithReplacement};
use hashwell_draw::state::{Kind, Reader, Writer};
use hashwell_draw::row_sampling::State;
use hashwell_draw::weighted::{Chao, AExpJ, WeightedWithReplacement, WeightedTicket, WeightedTickets};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, arbitrary::Arbitrary)]
enum Field {
    Small(u8),
    Number(u64),
    Wide(u128),
    Float(f64),
    Bytes(Vec<u8>),
    /// A list of numbers, such as keys or row numbers.
    Numbers(Vec<u64>),
}

#[derive(Debug, arbitrary::Arbitrary)]
struct Case {
    kind: u8,
    fields: Vec<Field>,
    weights: Vec<(u64, f64)>,
}

/// The maximum number of slots of a sampler that continues: the first row fills all slots of a sampler with
/// replacement, which would take too long for 2^32.
const SLOTS: usize = 1 << 12;

const KEY: Key = Key([7; 32]);

/// The random source at a saved position. Positions that aren't multiples of 8 bytes are rejected, because
/// saving would not give the same bytes again.
fn words(position: Option<u128>) -> Result<CounterRng, Error> {
    let at = position
        .filter(|at| at % 8 == 0)
        .ok_or_else(|| Reader::contradiction("the position is not a multiple of 8"))?;
    let mut words = CounterRng::new(&[8; 32]);
    words.seek(at / 8)?;
    Ok(words)
}

fn reservoir<R: Reservoir>(
    load: impl Fn(&[u8]) -> Result<R, Error>,
    save: impl Fn(&R) -> Vec<u8>,
    bytes: &[u8],
    rows: usize,
) {
    let Ok(mut sampler) = load(bytes) else { return };
    assert_eq!(save(&sampler), bytes);
    for _ in 0..rows {
        let skip = sampler.skip();
        if sampler.seen().checked_add(skip).is_none_or(|row| row == u64::MAX) {
            break;
        }
        sampler.passed(skip);
        if sampler.enter().is_err() {
            return; // the random source has ended
        }
    }
    assert!(load(&save(&sampler)).is_ok());
}

fuzz_target!(|case: Case| {
    let kind = Kind::ALL[usize::from(case.kind) % Kind::ALL.len()];
    let mut writer = Writer::new(kind);
    for field in &case.fields {
        match field {
            Field::Small(number) => writer.u64((*number).into()),
            Field::Number(number) => writer.u64(*number),
            Field::Wide(number) => writer.u128(*number),
            Field::Float(number) => writer.f64(*number),
            Field::Bytes(bytes) => writer.bytes(bytes),
            Field::Numbers(list) => {
                writer.bytes(&list.iter().flat_map(|n| n.to_be_bytes()).collect::<Vec<u8>>())
            }
        };
    }
    let bytes = &writer.finish()[..];
    let rows = case.weights.len();
    match kind {
        Kind::SkipReservoir => reservoir(|bytes| SkipReservoir::from_bytes(bytes, words), SkipReservoir::to_bytes, bytes, rows),
        Kind::AlgorithmL => {
            reservoir(|bytes| AlgorithmL::from_bytes(bytes, words), AlgorithmL::to_bytes, bytes, rows)
        }
        Kind::AlgorithmR => {
            // The sampler isn't continued, because it can skip more rows than there is time for.
            if let Ok(sampler) = AlgorithmR::from_bytes(bytes, words) {
                assert_eq!(sampler.to_bytes().unwrap(), bytes);
            }
        }
        Kind::BottomK => {
            if let Ok(mut sample) = BottomK::<Vec<u8>>::from_bytes(bytes) {
                assert_eq!(sample.to_bytes(), bytes);
                for (ticket, _) in &case.weights {
                    sample.offer_with((*ticket).into(), b"it", Vec::new);
                }
                assert!(BottomK::<Vec<u8>>::from_bytes(&sample.to_bytes()).is_ok());
            }
        }
        Kind::WithReplacement => {
            if let Ok(mut sampler) = WithReplacement::from_bytes(bytes, &KEY, 5).or_else(|_| WithReplacement::from_bytes(bytes, &KEY, 0)) {
                assert_eq!(sampler.to_bytes(), bytes);
                for _ in 0..rows {
                    let skip = sampler.skip();
                    if sampler.capacity() > SLOTS {
                        break; // such a sampler needs more memory than there is
                    }
                    if sampler.seen().checked_add(skip).is_none_or(|row| row == u64::MAX) {
                        break;
                    }
                    sampler.passed(skip);
                    sampler.keep().unwrap();
                }
                let held = if sampler.seen() > 0 { sampler.capacity() } else { 0 };
                if held <= SLOTS {
                    assert!(WithReplacement::from_bytes(&sampler.to_bytes(), &KEY, held).is_ok());
                }
            }
        }
        Kind::OldWithReplacement => {}
        Kind::FisherYates => {
            if let Ok(mut shuffle) = FisherYates::from_bytes(bytes, words) {
                assert_eq!(shuffle.to_bytes(), bytes);
                let _ = shuffle.picks(rows as u64);
                assert!(FisherYates::from_bytes(&shuffle.to_bytes(), words).is_ok());
            }
        }
        Kind::SequentialSampler => {
            if let Ok(mut selection) = SequentialSampler::from_bytes(bytes, words) {
                assert_eq!(selection.to_bytes(), bytes);
                for _ in 0..rows {
                    let _ = selection.next_pick();
                }
                assert!(SequentialSampler::from_bytes(&selection.to_bytes(), words).is_ok());
            }
        }
        Kind::AExpJ => {
            if let Ok(mut jumps) = AExpJ::from_bytes(bytes, words) {
                assert_eq!(jumps.to_bytes(), bytes);
                case.weights.iter().for_each(|(_, weight)| drop(jumps.offer(*weight)));
                assert!(AExpJ::from_bytes(&jumps.to_bytes(), words).is_ok());
            }
        }
        Kind::WeightedTickets => {
            if let Ok(mut tickets) = WeightedTickets::<Vec<u8>>::from_bytes(bytes) {
                assert_eq!(tickets.clone().to_bytes(), bytes);
                let mut words = CounterRng::new(&[9; 32]);
                for (weight, _) in &case.weights {
                    let ticket = WeightedTicket::draw(&mut words, (*weight).into()).unwrap();
                    tickets.offer(ticket, weight.to_be_bytes().to_vec()).unwrap();
                }
                assert!(WeightedTickets::<Vec<u8>>::from_bytes(&tickets.to_bytes()).is_ok());
            }
        }
        Kind::WeightedReplacement => {
            if let Ok(mut slots) = WeightedWithReplacement::from_bytes(bytes, words)
                && slots.capacity() <= SLOTS
            {
                assert_eq!(slots.to_bytes(), bytes);
                case.weights.iter().for_each(|(_, weight)| drop(slots.offer(*weight).map(<[usize]>::len)));
                assert!(WeightedWithReplacement::from_bytes(&slots.to_bytes(), words).is_ok());
            }
        }
        Kind::Proportional => {
            if let Ok(mut chao) = Chao::from_bytes(bytes, words) {
                assert_eq!(chao.to_bytes(), bytes);
                case.weights.iter().for_each(|(weight, _)| drop(chao.offer((*weight).into())));
                assert!(Chao::from_bytes(&chao.to_bytes(), words).is_ok());
            }
        }
        Kind::Command => {
            if let Ok(state) = State::from_bytes(bytes) {
                assert_eq!(state.to_bytes().unwrap(), bytes);
                drop(state.sample.picks(true));
            }
        }
        _ => {}
    }
});
