//! Designs that decide on each row as it comes, and keep none.

use super::fields::Values;
use super::out::Out;
use super::reading::Stream;
use super::stop::Stop;
use hashwell_draw::Key;
use hashwell_draw::survey::{Design, Rule};
use hashwell_rows::Row;

/// A rule for rows one by one.
pub(super) struct Filter {
    rule: Rule,
    /// What tickets are made of, where rows have any.
    tickets: Option<(Values, Key)>,
}

/// What became of a row.
enum Verdict {
    Picked(Option<u128>),
    Left,
}

impl Filter {
    /// The filter of a design; the other designs have none.
    pub(super) fn of(design: &Design, key: Key, stream: &Stream<'_>) -> Result<Option<Self>, Stop> {
        let Some(rule) = Rule::of(design, key)? else { return Ok(None) };
        let tickets = match design {
            Design::KeyChance { columns, .. } => Some((Values::of(&stream.rows, "--key", columns)?, key)),
            _ => None,
        };
        Ok(Some(Self { rule, tickets }))
    }

    /// The chance of each row.
    pub(super) fn chance(&self) -> String {
        self.rule.chance()
    }

    /// The row after the gap, which has this number, from 1.
    fn look(&mut self, number: u64, row: &Row<'_>) -> Result<Verdict, Stop> {
        let Some((columns, key)) = &self.tickets else {
            self.rule.pick(number)?;
            return Ok(Verdict::Picked(None));
        };
        let ticket = key.ticket(&columns.read(row)?);
        Ok(if self.rule.takes(ticket) { Verdict::Picked(Some(ticket)) } else { Verdict::Left })
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
            let gap = self.rule.gap();
            if gap > 0 {
                let passed = match &mut rest {
                    Some(rest) => rest.copy(gap, stream)?,
                    None => stream.skip(gap)?,
                };
                self.rule.passed(passed);
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
