//! Methods that choose tickets: each row's follows from its id alone.

use super::{MOST_UNLISTED, Part, RowsOf, words};
use crate::draw::{Exponential, exponential};
use crate::hwdraw::plan::{Method, Plan};
use crate::hwdraw::weights::units;
use crate::number::Ratio;
use crate::sample::BottomK;
use crate::{Error, Key};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What a row is chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hwdraw) enum Ticket {
    /// 128 bits of a hash.
    Number(u128),
    /// A time, which the weight divides.
    Time(Exponential),
}

impl Ticket {
    /// The ticket of an id under the key of its part.
    pub(in crate::hwdraw) fn of(plan: &Plan, key: &Key, id: &str) -> Result<Self, Error> {
        if plan.method == Method::WeightedTicket {
            let mut words = words(plan, &key.row(id.as_bytes()))?;
            return Ok(Self::Time(exponential(&mut words)?));
        }
        Ok(Self::Number(key.ticket(id.as_bytes())))
    }

    /// In hexadecimal: 32 digits; of a time 8 at least, and behind them 32 of its fraction.
    pub(in crate::hwdraw) fn text(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:032x}"),
            Self::Time(time) => format!("{:08x}{:032x}", time.whole, time.fraction),
        }
    }
}

/// The rows of a part that the method chooses, with their tickets, in the order of the picks.
pub(super) fn chosen(
    plan: &Plan,
    part: &Part<'_>,
    rows: &RowsOf<'_>,
) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    if rows.frame.kind() == crate::hwdraw::Kind::Numbers && part.n > MOST_UNLISTED {
        let must = format!("at most {MOST_UNLISTED}, for each has a ticket");
        return Err(Error::range("n of this method", must, part.n));
    }
    match plan.method {
        Method::Bernoulli => bernoulli(plan, part, rows),
        Method::WeightedTicket => race(plan, part, rows),
        _ => smallest(part, rows),
    }
}

fn smallest(part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    let mut kept = BottomK::new(usize::try_from(part.k).map_err(|_| Error::Memory { what: "the picks" })?);
    for index in 0..part.n {
        let id = rows.frame.id(rows.place(index));
        kept.offer(part.key.ticket(id.as_bytes()), id.as_bytes(), index);
    }
    Ok(kept.rows().map(|(ticket, _, index)| (*index, Some(Ticket::Number(ticket)))).collect())
}

/// Below which number a ticket counts; `None` for all of them.
pub(in crate::hwdraw) fn threshold(plan: &Plan) -> Result<Option<u128>, Error> {
    Ok(plan.p.as_deref().unwrap_or("0").parse::<Ratio>()?.tickets())
}

fn bernoulli(plan: &Plan, part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    let threshold = threshold(plan)?;
    let mut chosen = Vec::new();
    for index in 0..part.n {
        let ticket = part.key.ticket(rows.frame.id(rows.place(index)).as_bytes());
        if threshold.is_none_or(|threshold| ticket < threshold) {
            chosen.try_reserve(1).map_err(|_| Error::Memory { what: "the picks" })?;
            chosen.push((index, Some(Ticket::Number(ticket))));
        }
    }
    Ok(chosen)
}

/// A row on its way: who arrives first is least.
struct Runner<'a> {
    time: Exponential,
    weight: u64,
    id: &'a str,
    index: u64,
}

impl Ord for Runner<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .cmp_over(self.weight.into(), &other.time, other.weight.into())
            .then_with(|| self.id.cmp(other.id))
    }
}

impl PartialOrd for Runner<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Runner<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Runner<'_> {}

fn race(plan: &Plan, part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    let mut first: BinaryHeap<Runner<'_>> = BinaryHeap::new();
    for index in 0..part.n {
        let place = rows.place(index);
        let weight = units(plan, rows.frame.weight(place), &rows.frame.id(place))?;
        let std::borrow::Cow::Borrowed(id) = rows.frame.id(place) else { continue };
        if weight == 0 || part.k == 0 {
            continue;
        }
        let Ticket::Time(time) = Ticket::of(plan, &part.key, id)? else { continue };
        first.push(Runner { time, weight, id, index });
        if first.len() as u64 > part.k {
            first.pop();
        }
    }
    if (first.len() as u64) < part.k {
        let must = format!("at most {}, the rows with a weight above 0", first.len());
        return Err(Error::range("k", must, part.k));
    }
    Ok(first.into_sorted_vec().into_iter().map(|row| (row.index, Some(Ticket::Time(row.time)))).collect())
}
