//! Computes samples in other ways: with the samplers themselves, and by writing states field by field.

use super::{has_weights, row, weight_of};
use hashwell::{CounterRng, Sha256};
use hashwell_draw::Key;
use hashwell_draw::draw::shuffle;
use hashwell_draw::row_sampling::Kind;
use hashwell_draw::sample::{Reservoir, SkipReservoir, WithReplacement};
use hashwell_draw::state::{Kind as Envelope, Writer};
use hashwell_draw::weighted::{AExpJ, Chao, WeightedWithReplacement};

/// A sampler that was run over rows.
pub(crate) struct Direct {
    /// The number of the row in each slot.
    pub(crate) slots: Vec<u64>,
    /// Its state.
    pub(crate) saved: Vec<u8>,
    /// By slot: the ranks that give the order in which the rows were drawn.
    pub(crate) ranks: Option<Vec<f64>>,
    /// The number of rows that took a slot.
    pub(crate) entered: u64,
    /// The number of rows, and of those that could be picked.
    pub(crate) seen: u64,
    pub(crate) eligible: u64,
}

/// Runs the sampler itself over rows with these numbers.
pub(crate) fn direct(kind: Kind, k: usize, key: Key, numbers: impl IntoIterator<Item = u64>) -> Direct {
    enum Any {
        Equal(SkipReservoir<CounterRng>),
        Replace(WithReplacement, Vec<u64>),
        Successive(AExpJ<CounterRng>),
        Pps(Chao<CounterRng>),
        WeightedReplace(WeightedWithReplacement<CounterRng>),
    }
    let words = key.words();
    let mut any = match kind {
        Kind::Equal => Any::Equal(SkipReservoir::new(words, k).unwrap()),
        Kind::Replace => Any::Replace(WithReplacement::new(&key, k).unwrap(), Vec::new()),
        Kind::Successive => Any::Successive(AExpJ::new(words, k).unwrap()),
        Kind::Pps => Any::Pps(Chao::new(words, k).unwrap()),
        Kind::WeightedReplace => Any::WeightedReplace(WeightedWithReplacement::new(words, k).unwrap()),
    };
    let (mut slots, mut entered, mut seen, mut eligible) = (Vec::new(), 0, 0, 0);
    for number in numbers {
        let weight = weight_of(number);
        let mut taken = Vec::new();
        match &mut any {
            Any::Equal(gap) if gap.skip() > 0 => gap.passed(1),
            Any::Equal(gap) => taken.push(gap.enter().unwrap()),
            Any::Replace(all, _) if all.skip() > 0 => all.passed(1),
            Any::Replace(all, kept) => {
                if let Some(stays) = all.keep().unwrap() {
                    let mut stays = stays.into_iter();
                    kept.retain(|_| stays.next().unwrap());
                }
                kept.push(number);
                entered += 1;
            }
            Any::Successive(jumps) => taken.extend(jumps.offer(weight as f64).unwrap()),
            Any::Pps(chao) => taken.extend(chao.offer(weight.into()).unwrap()),
            Any::WeightedReplace(all) => taken.extend(all.offer(weight as f64).unwrap()),
        }
        seen += 1;
        eligible += u64::from(!has_weights(kind) || weight > 0);
        entered += u64::from(!taken.is_empty());
        for slot in taken {
            slots.resize(slots.len().max(slot + 1), 0);
            slots[slot] = number;
        }
    }
    let ranks = match &any {
        Any::Successive(jumps) => {
            let mut ranks = vec![0.0; jumps.filled()];
            jumps.keys().for_each(|(slot, key)| ranks[slot] = key);
            Some(ranks)
        }
        _ => None,
    };
    if let Any::Replace(all, kept) = &any {
        slots = all.places().unwrap().iter().map(|place| kept[*place as usize]).collect();
    }
    let saved = match any {
        Any::Equal(gap) => gap.to_bytes(),
        Any::Replace(all, _) => all.to_bytes(),
        Any::Successive(jumps) => jumps.to_bytes(),
        Any::Pps(chao) => chao.to_bytes(),
        Any::WeightedReplace(all) => all.to_bytes(),
    };
    Direct { slots, saved, ranks, entered, seen, eligible }
}

impl Direct {
    /// The rows in drawing order.
    pub(crate) fn drawn(&self, kind: Kind, key: Key) -> Vec<u64> {
        match &self.ranks {
            Some(ranks) => by_rank(ranks, &self.slots),
            None if kind.replaces() => self.slots.clone(),
            None => shuffled(key, self.slots.clone()),
        }
    }
}

/// The rows in ascending order of their ranks.
pub(crate) fn by_rank(ranks: &[f64], rows: &[u64]) -> Vec<u64> {
    let mut order: Vec<(f64, u64)> = ranks.iter().copied().zip(rows.iter().copied()).collect();
    order.sort_by(|one, other| one.partial_cmp(other).unwrap());
    order.into_iter().map(|(_, row)| row).collect()
}

/// The rows in the order given by the random numbers of SHA-256(K ‖ 03 ‖ 0).
pub(crate) fn shuffled(key: Key, mut rows: Vec<u64>) -> Vec<u64> {
    let child = Sha256::digest(&[&key.0[..], &[3], &[0; 8]].concat());
    shuffle(&mut CounterRng::new(&child), &mut rows).unwrap();
    rows
}

/// A state, field by field.
#[derive(Clone)]
pub(crate) struct Saved {
    pub(crate) key: Vec<u8>,
    pub(crate) k: u64,
    pub(crate) method: &'static str,
    pub(crate) column: Vec<u8>,
    pub(crate) missing: Vec<u8>,
    pub(crate) stratify: Vec<u8>,
    pub(crate) proportional: u64,
    pub(crate) key_columns: Vec<u8>,
    pub(crate) form: u64,
    pub(crate) header: Vec<u8>,
    pub(crate) body: Body,
    /// True if there is an additional field.
    pub(crate) more: bool,
}

#[derive(Clone)]
pub(crate) enum Body {
    Parts(Vec<SavedPart>),
    /// The number of rows seen and, by label and key value, the rows.
    Keys(u64, Vec<SavedStratum>),
}

/// The label, and the keys with their row numbers.
pub(crate) type SavedStratum = (Vec<u8>, Vec<(Vec<u8>, Vec<u64>)>);

#[derive(Clone)]
pub(crate) struct SavedPart {
    pub(crate) label: Vec<u8>,
    pub(crate) key: Vec<u8>,
    /// `None` for the result of a merge.
    pub(crate) sampler: Option<Vec<u8>>,
    pub(crate) seen: u64,
    pub(crate) eligible: u64,
    pub(crate) rows: Vec<(u64, f64)>,
}

/// Bytes that are present, with a 1 before them.
pub(crate) fn some(bytes: &[u8]) -> Vec<u8> {
    [&[1], bytes].concat()
}

/// Several columns: a 2, followed by the length and the name of each.
pub(crate) fn several(columns: &[&str]) -> Vec<u8> {
    let mut bytes = vec![2];
    for column in columns {
        bytes.extend((column.len() as u64).to_be_bytes());
        bytes.extend(column.as_bytes());
    }
    bytes
}

impl Saved {
    /// A sample of all rows with these numbers, with a design without strata.
    pub(crate) fn of(kind: Kind, k: usize, key: Key, numbers: impl IntoIterator<Item = u64>) -> Self {
        let part = SavedPart::of(b"", kind, k, key, numbers);
        Self {
            key: key.0.to_vec(),
            k: k as u64,
            method: kind.method(),
            column: if has_weights(kind) { some(b"w") } else { Vec::new() },
            missing: Vec::new(),
            stratify: Vec::new(),
            proportional: 0,
            key_columns: Vec::new(),
            form: 0,
            header: Vec::new(),
            body: Body::Parts(vec![part]),
            more: false,
        }
    }

    /// A sample of keys.
    pub(crate) fn of_keys(k: usize, key: Key, seen: u64, strata: Vec<SavedStratum>) -> Self {
        let body = Body::Keys(seen, strata);
        Self { method: "ticket", key_columns: some(b"user"), body, ..Self::of(Kind::Equal, k, key, []) }
    }

    pub(crate) fn part(&mut self) -> &mut SavedPart {
        match &mut self.body {
            Body::Parts(parts) => &mut parts[0],
            Body::Keys(..) => panic!("a sample of keys has no parts"),
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Envelope::Command);
        writer.bytes(&self.key).u64(self.k).bytes(self.method.as_bytes());
        writer.bytes(&self.column).bytes(&self.missing).bytes(&self.stratify).u64(self.proportional);
        writer.bytes(&self.key_columns).u64(self.form).bytes(&self.header);
        match &self.body {
            Body::Parts(parts) => {
                writer.u64(parts.len() as u64);
                for part in parts {
                    let sampler = part.sampler.as_ref().map_or(Vec::new(), |sampler| some(sampler));
                    writer.bytes(&part.label).bytes(&part.key).bytes(&sampler);
                    writer.u64(part.seen).u64(part.eligible).u64(part.rows.len() as u64);
                    for (number, rank) in &part.rows {
                        writer.u64(*number).bytes(&row(*number)).f64(*rank);
                    }
                }
            }
            Body::Keys(seen, strata) => {
                writer.u64(*seen);
                let labels = !self.stratify.is_empty();
                if labels {
                    writer.u64(strata.len() as u64);
                }
                for (label, keys) in strata {
                    if labels {
                        writer.bytes(label);
                    }
                    writer.u64(keys.len() as u64);
                    for (value, rows) in keys {
                        writer.bytes(value).u64(rows.len() as u64);
                        rows.iter().for_each(|number| {
                            writer.u64(*number).bytes(&row(*number));
                        });
                    }
                }
            }
        }
        if self.more {
            writer.u64(1);
        }
        writer.finish()
    }
}

impl SavedPart {
    /// The rows with these numbers in a separate sampler.
    pub(crate) fn of(
        label: &[u8],
        kind: Kind,
        k: usize,
        key: Key,
        numbers: impl IntoIterator<Item = u64>,
    ) -> Self {
        let all = direct(kind, k, key, numbers);
        let rank = |at: usize| all.ranks.as_ref().map_or(0.0, |ranks| ranks[at]);
        Self {
            label: label.to_vec(),
            key: key.0.to_vec(),
            rows: all.slots.iter().enumerate().map(|(at, number)| (*number, rank(at))).collect(),
            sampler: Some(all.saved),
            seen: all.seen,
            eligible: all.eligible,
        }
    }
}
