//! Designs that decide on each row as it comes, and keep none.

use super::design::Design;
use crate::design::{BernoulliSkips, Systematic};
use crate::number::Ratio;
use crate::{Error, Key};
use hashwell::CounterRng;

/// A rule for rows one by one.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Each row by itself.
    Chance {
        /// Gaps between picks.
        skips: BernoulliSkips<CounterRng>,
        /// Rows before the next pick.
        gap: u64,
        /// The probability.
        p: Ratio,
    },
    /// Every nth row.
    Every {
        /// The picks.
        picks: Systematic,
        /// Rows before the next pick.
        gap: u64,
        /// n.
        step: u64,
    },
    /// Rows of keys with tickets below this one, or all.
    Keys {
        /// What tickets are made of.
        key: Key,
        /// Tickets picked are below it; `None`: all are.
        below: Option<u128>,
        /// The probability.
        p: Ratio,
    },
}

impl Rule {
    /// The rule of a design; the other designs have none.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub fn of(design: &Design, key: Key) -> Result<Option<Self>, Error> {
        Ok(Some(match design {
            Design::Chance(p) => {
                let mut skips = BernoulliSkips::new(key.words(), p)?;
                Self::Chance { gap: skips.skip()?, skips, p: *p }
            }
            Design::Every(step) => {
                let mut picks = Systematic::every(&mut key.words(), *step)?;
                Self::Every { gap: picks.next().unwrap_or(u64::MAX), picks, step: *step }
            }
            Design::KeyChance { p, .. } => Self::Keys { key, below: p.tickets(), p: *p },
            _ => return Ok(None),
        }))
    }

    /// The chance of each row.
    #[must_use]
    pub fn chance(&self) -> String {
        match self {
            Self::Chance { p, .. } | Self::Keys { p, .. } => p.to_string(),
            Self::Every { step, .. } => format!("1/{step}"),
        }
    }

    /// Rows that are not picked before the next that has to be looked at.
    #[must_use]
    pub fn gap(&self) -> u64 {
        match self {
            Self::Chance { gap, .. } | Self::Every { gap, .. } => *gap,
            Self::Keys { .. } => 0,
        }
    }

    /// So many rows of the gap went by.
    pub fn passed(&mut self, rows: u64) {
        match self {
            Self::Chance { gap, .. } | Self::Every { gap, .. } => *gap -= rows,
            Self::Keys { .. } => {}
        }
    }

    /// The row after the gap, which has this number, from 1, is picked: what follows is another gap.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub fn pick(&mut self, number: u64) -> Result<(), Error> {
        match self {
            Self::Chance { skips, gap, .. } => *gap = skips.skip()?,
            Self::Every { picks, gap, .. } => *gap = picks.next().map_or(u64::MAX, |next| next - number),
            Self::Keys { .. } => {}
        }
        Ok(())
    }

    /// The next rows, of which the first has this number: calls `take` with the place of each that is picked among these,
    /// from 0. For rules that ask nothing of a row.
    ///
    /// # Errors
    /// [`Error::RandomSource`]; what `take` says.
    pub fn pass_rows(
        &mut self,
        first: u64,
        rows: u64,
        mut take: impl FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut at = 0;
        loop {
            let gap = self.gap().min(rows - at);
            self.passed(gap);
            at += gap;
            if at == rows {
                return Ok(());
            }
            self.pick(first + at)?;
            take(at)?;
            at += 1;
        }
    }

    /// Whether a ticket is picked.
    #[must_use]
    pub fn takes(&self, ticket: u128) -> bool {
        match self {
            Self::Keys { below, .. } => below.is_none_or(|below| ticket < below),
            _ => true,
        }
    }
}
