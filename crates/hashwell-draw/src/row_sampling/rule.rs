//! Rules that pick or skip each row immediately, without keeping rows.

use super::design::Design;
use crate::design::{BernoulliSkips, Systematic};
use crate::number::Ratio;
use crate::{Error, Key};
use hashwell::CounterRng;

/// A rule that picks or skips each row immediately, without keeping rows.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Picks each row independently, with the same probability.
    Chance {
        /// The gaps between picks.
        skips: BernoulliSkips<CounterRng>,
        /// The number of rows before the next pick.
        gap: u64,
        /// The probability.
        p: Ratio,
    },
    /// Picks every n-th row.
    Every {
        /// The numbers of the picked rows.
        picks: Systematic,
        /// The number of rows before the next pick.
        gap: u64,
        /// The step n.
        step: u64,
    },
    /// Picks all rows of the keys whose tickets are below a bound.
    Keys {
        /// The key from which tickets are derived.
        key: Key,
        /// The bound, or `None` if all keys are picked.
        below: Option<u128>,
        /// The probability.
        p: Ratio,
    },
}

impl Rule {
    /// Creates the rule for a design. Returns `None` if the design has no rule.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
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

    /// The probability with which each row is picked, as text.
    #[must_use]
    pub fn chance(&self) -> String {
        match self {
            Self::Chance { p, .. } | Self::Keys { p, .. } => p.to_string(),
            Self::Every { step, .. } => format!("1/{step}"),
        }
    }

    /// The number of rows to skip before the next row that may be picked.
    #[must_use]
    pub fn gap(&self) -> u64 {
        match self {
            Self::Chance { gap, .. } | Self::Every { gap, .. } => *gap,
            Self::Keys { .. } => 0,
        }
    }

    /// Reports that `rows` rows of the gap were skipped.
    pub fn passed(&mut self, rows: u64) {
        match self {
            Self::Chance { gap, .. } | Self::Every { gap, .. } => *gap -= rows,
            Self::Keys { .. } => {}
        }
    }

    /// Picks the row after the gap, and draws the next gap. `number` is the number of this row, counted from 1.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn pick(&mut self, number: u64) -> Result<(), Error> {
        match self {
            Self::Chance { skips, gap, .. } => *gap = skips.skip()?,
            Self::Every { picks, gap, .. } => *gap = picks.next().map_or(u64::MAX, |next| next - number),
            Self::Keys { .. } => {}
        }
        Ok(())
    }

    /// Handles the next `rows` rows. The first of these rows has the number `first` and the index 0. Calls `take` with
    /// the index of each row that is picked. Use this function only for rules that do not need the contents of rows.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, or the error that `take` returns.
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

    /// Returns true if rows with this ticket are picked.
    #[must_use]
    pub fn takes(&self, ticket: u128) -> bool {
        match self {
            Self::Keys { below, .. } => below.is_none_or(|below| ticket < below),
            _ => true,
        }
    }
}
