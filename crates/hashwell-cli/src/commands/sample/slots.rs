//! Samples of a fixed number of rows, of all or of each stratum.

use super::fields::{Value, Values, Weights};
use super::kept::Kept;
use super::part::Part;
use super::plan::SlotsDesign;
use super::reading::Stream;
use super::stop::Stop;
use hashwell_draw::Key;
use hashwell_draw::design::allocate;
use std::collections::HashMap;

/// The parts of a sample: one, or one for each stratum.
pub(super) struct Slots {
    pub(super) design: SlotsDesign,
    pub(super) key: Key,
    /// By label; without strata one with none.
    pub(super) parts: HashMap<Vec<u8>, Part>,
    /// Rows of the stream before these.
    pub(super) before: u64,
}

impl Slots {
    pub(super) fn new(design: SlotsDesign, key: Key) -> Result<Self, Stop> {
        let mut parts = HashMap::new();
        if design.by.is_none() {
            parts.insert(Vec::new(), Part::new(design.kind, key, design.k)?);
        }
        Ok(Self { design, key, parts, before: 0 })
    }

    /// Reads all rows.
    pub(super) fn run(&mut self, stream: &mut Stream<'_>) -> Result<(), Stop> {
        let weights = self
            .design
            .weight
            .as_ref()
            .map(|weight| Weights::of(&stream.rows, weight, self.design.kind))
            .transpose()?;
        match self.design.by.clone() {
            None => self.run_whole(stream, weights.as_ref()),
            Some(by) => {
                let labels = Values::of(&stream.rows, "--by", &by.column)?;
                self.run_strata(stream, weights.as_ref(), &labels)
            }
        }
    }

    fn run_whole(&mut self, stream: &mut Stream<'_>, weights: Option<&Weights>) -> Result<(), Stop> {
        let part = self.parts.get_mut(&b""[..]).expect("the one part");
        loop {
            let gap = part.skip();
            if gap > 0 {
                let passed = stream.skip(gap)?;
                part.passed(passed);
                if passed < gap {
                    return Ok(());
                }
            }
            let number = self.before + stream.seen() + 1;
            let Some(row) = stream.next()? else { return Ok(()) };
            let weight = weights.map_or(Ok(Value::One), |weights| weights.read(&row))?;
            part.offer(number, weight, row.bytes())?;
        }
    }

    fn run_strata(
        &mut self,
        stream: &mut Stream<'_>,
        weights: Option<&Weights>,
        labels: &Values,
    ) -> Result<(), Stop> {
        loop {
            let number = self.before + stream.seen() + 1;
            let Some(row) = stream.next()? else { return Ok(()) };
            let weight = weights.map_or(Ok(Value::One), |weights| weights.read(&row))?;
            let label = labels.read(&row)?;
            if !self.parts.contains_key(&*label) {
                let part = Part::new(self.design.kind, self.key.stratum(&label), self.design.k)?;
                self.parts.insert(label.to_vec(), part);
            }
            let part = self.parts.get_mut(&*label).expect("just made");
            part.offer(number, weight, row.bytes())?;
        }
    }

    /// Rows of the whole stream.
    pub(super) fn seen(&self) -> u64 {
        self.parts.values().map(|part| part.seen).sum()
    }

    /// Labels, in the order of their bytes.
    pub(super) fn labels(&self) -> Vec<&[u8]> {
        let mut labels: Vec<&[u8]> = self.parts.keys().map(|label| &label[..]).collect();
        labels.sort_unstable();
        labels
    }

    /// What is to be said, and with `--exact` fails, where fewer than k rows could be picked.
    pub(super) fn shortage(&self) -> Option<Shortage> {
        if self.design.by.as_ref().is_some_and(|by| by.proportional) {
            let seen = self.seen();
            return (seen < self.design.k as u64).then_some(Shortage::Rows(seen));
        }
        // With replacement one row is enough.
        let enough = |part: &&Part| match self.design.kind {
            kind if kind.replaces() => part.eligible > 0 || self.design.k == 0,
            _ => part.eligible >= self.design.k as u64,
        };
        let short: Vec<&Part> = self.parts.values().filter(|part| !enough(part)).collect();
        match (&self.design.by, short.first()) {
            (_, None) => None,
            (Some(_), _) => Some(Shortage::Strata { short: short.len(), all: self.parts.len() }),
            (None, Some(part)) if part.eligible < part.seen => {
                Some(Shortage::Weights { rows: part.seen, eligible: part.eligible })
            }
            (None, Some(part)) => Some(Shortage::Rows(part.seen)),
        }
    }

    /// The rows in the order of drawing; strata in the order of their labels.
    pub(super) fn drawn(mut self) -> Result<Vec<Kept>, Stop> {
        let labels: Vec<Vec<u8>> = self.labels().into_iter().map(<[u8]>::to_vec).collect();
        let shares = self.shares(&labels)?;
        let mut rows = Vec::new();
        for (label, share) in labels.iter().zip(shares) {
            let part = self.parts.remove(label).expect("its label is here");
            let mut drawn = part.drawn()?;
            // What is drawn first is a sample too.
            drawn.truncate(share);
            rows.append(&mut drawn);
        }
        Ok(rows)
    }

    /// How many rows each stratum gives.
    fn shares(&self, labels: &[Vec<u8>]) -> Result<Vec<usize>, Stop> {
        if !self.design.by.as_ref().is_some_and(|by| by.proportional) {
            return Ok(vec![self.design.k; labels.len()]);
        }
        let strata: Vec<(&[u8], u64)> =
            labels.iter().map(|label| (&label[..], self.parts[label].seen)).collect();
        let shares = allocate(self.design.k as u64, &strata)?;
        // None is larger than k.
        Ok(shares.into_iter().map(|share| share as usize).collect())
    }
}

/// Why there are fewer rows than were asked for.
pub(super) enum Shortage {
    Rows(u64),
    Keys(u64),
    Weights { rows: u64, eligible: u64 },
    Strata { short: usize, all: usize },
}

impl Shortage {
    /// What happened, with `k` asked for.
    pub(super) fn said(&self, k: usize) -> String {
        match self {
            Self::Strata { short, all } => {
                format!("of {short} of {all} strata all rows were picked, since there are fewer than {k}")
            }
            _ => format!("{}: all of them were picked", self.count()),
        }
    }

    /// What is missing, for `--exact`.
    pub(super) fn refused(&self, k: usize) -> String {
        match self {
            Self::Strata { short, all } => format!("{short} of {all} strata have fewer than {k} rows"),
            _ => format!("{}, not {k}", self.count()),
        }
    }

    fn count(&self) -> String {
        let plural = |n: u64, what: &str| format!("only {n} {what}{}", if n == 1 { "" } else { "s" });
        match self {
            Self::Rows(rows) => plural(*rows, "row"),
            Self::Keys(keys) => plural(*keys, "key"),
            Self::Weights { rows, eligible } => {
                format!("only {eligible} of {rows} rows have a weight above 0")
            }
            Self::Strata { short, .. } => format!("{short}"),
        }
    }
}
