//! Designs that decide on each row as it comes, and keep none.

use super::fields::Values;
use super::out::Out;
use super::plan::Design;
use super::reading::Stream;
use super::stop::Stop;
use hashwell::CounterWords;
use hashwell_draw::Key;
use hashwell_draw::design::{BernoulliSkips, Systematic};
use hashwell_draw::number::Ratio;
use hashwell_rows::Row;

/// A rule for rows one by one.
pub(super) enum Filter {
    Chance {
        skips: BernoulliSkips<CounterWords>,
        gap: u64,
        p: Ratio,
    },
    Every {
        picks: Systematic,
        gap: u64,
        step: u64,
    },
    /// Tickets below this one, or all.
    Keys {
        column: Values,
        key: Key,
        below: Option<u128>,
        p: Ratio,
    },
}

/// What became of a row.
enum Verdict {
    Picked(Option<u128>),
    Left,
}

impl Filter {
    /// The filter of a design; the other designs have none.
    pub(super) fn of(design: &Design, key: Key, stream: &Stream<'_>) -> Result<Option<Self>, Stop> {
        Ok(Some(match design {
            Design::Chance(p) => {
                let mut skips = BernoulliSkips::new(key.words(), p)?;
                Self::Chance { gap: skips.skip()?, skips, p: *p }
            }
            Design::Every(step) => {
                let mut picks = Systematic::every(&mut key.words(), *step)?;
                Self::Every { gap: picks.next().unwrap_or(u64::MAX), picks, step: *step }
            }
            Design::KeyChance { column, p } => {
                let column = Values::of(&stream.rows, "--key", column)?;
                Self::Keys { column, key, below: p.tickets(), p: *p }
            }
            _ => return Ok(None),
        }))
    }

    /// The chance of each row.
    pub(super) fn chance(&self) -> String {
        match self {
            Self::Chance { p, .. } | Self::Keys { p, .. } => p.to_string(),
            Self::Every { step, .. } => format!("1/{step}"),
        }
    }

    /// Rows that are not picked before the next that has to be looked at.
    fn gap(&self) -> u64 {
        match self {
            Self::Chance { gap, .. } | Self::Every { gap, .. } => *gap,
            Self::Keys { .. } => 0,
        }
    }

    /// So many rows of the gap went by.
    fn passed(&mut self, rows: u64) {
        match self {
            Self::Chance { gap, .. } | Self::Every { gap, .. } => *gap -= rows,
            Self::Keys { .. } => {}
        }
    }

    /// The row after the gap, which has this number, from 1.
    fn look(&mut self, number: u64, row: &Row<'_>) -> Result<Verdict, Stop> {
        match self {
            Self::Chance { skips, gap, .. } => *gap = skips.skip()?,
            Self::Every { picks, gap, .. } => *gap = picks.next().map_or(u64::MAX, |next| next - number),
            Self::Keys { column, key, below, .. } => {
                let ticket = key.ticket(&column.read(row)?);
                let picked = below.is_none_or(|below| ticket < below);
                return Ok(if picked { Verdict::Picked(Some(ticket)) } else { Verdict::Left });
            }
        }
        Ok(Verdict::Picked(None))
    }

    /// Copies what is picked to `picked` and the rest to `rest`; says how many were picked.
    pub(super) fn run(
        mut self,
        stream: &mut Stream<'_>,
        picked: &mut Out,
        mut rest: Option<&mut Out>,
    ) -> Result<u64, Stop> {
        let mut done = 0;
        loop {
            let gap = self.gap();
            if gap > 0 {
                let passed = match &mut rest {
                    Some(rest) => rest.copy(gap, stream)?,
                    None => stream.skip(gap)?,
                };
                self.passed(passed);
                if passed < gap {
                    return Ok(done);
                }
            }
            let number = stream.seen() + 1;
            let Some(row) = stream.next()? else { return Ok(done) };
            match self.look(number, &row)? {
                Verdict::Picked(ticket) => {
                    picked.row(ticket, number, row.bytes())?;
                    done += 1;
                }
                Verdict::Left => rest.as_mut().map_or(Ok(()), |rest| rest.row(None, number, row.bytes()))?,
            }
        }
    }
}
