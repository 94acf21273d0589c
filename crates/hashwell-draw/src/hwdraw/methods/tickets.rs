//! Methods that choose tickets: the ticket of each row depends only on its id and the key.

use super::{MAX_UNLISTED, Part, RowsOf, words};
use crate::draw::{Exponential, exponential};
use crate::hwdraw::list::Kind;
use crate::hwdraw::plan::{Method, Plan};
use crate::hwdraw::weights::units;
use crate::interrupt;
use crate::number::Ratio;
use crate::sample::{BottomK, Tickets};
use crate::weighted::{WeightedTicket, WeightedTickets};
use crate::{Error, Key};

/// The value by which a row is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hwdraw) enum Ticket {
    /// 128 bits of a hash.
    Number(u128),
    /// A time, which is divided by the weight.
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

    /// The ticket in hexadecimal. A number has 32 digits. A time has at least 8 digits for its integer part, followed
    /// by 32 for its fraction.
    pub(in crate::hwdraw) fn text(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:032x}"),
            Self::Time(time) => format!("{:08x}{:032x}", time.whole, time.fraction),
        }
    }
}

/// The rows of a part that the method chooses, with their tickets, in the order of the picks. For `bernoulli`, only the
/// first `most` of them.
pub(super) fn chosen(
    plan: &Plan,
    part: &Part<'_>,
    rows: &RowsOf<'_>,
    most: usize,
) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    if rows.entries.kind() == Kind::Numbers && part.n > MAX_UNLISTED {
        let must = format!("at most {MAX_UNLISTED} (each row has a ticket)");
        return Err(Error::range("n for this method", must, part.n));
    }
    match plan.method {
        Method::Bernoulli => bernoulli(plan, part, rows, most),
        Method::WeightedTicket => race(plan, part, rows),
        _ => smallest(part, rows),
    }
}

/// Calls `take` with the position, the id and the ticket of each row of a part, in order, until it returns false.
fn each(
    part: &Part<'_>,
    rows: &RowsOf<'_>,
    take: &mut dyn FnMut(u64, &str, u128) -> bool,
) -> Result<(), Error> {
    const BATCH: u64 = 1024;
    let tickets = Tickets::new(&part.key);
    for begin in (0..part.n).step_by(BATCH as usize) {
        interrupt::check(begin)?;
        let indexes = begin..part.n.min(begin + BATCH);
        let ids: Vec<_> = indexes.map(|index| rows.id(index)).collect();
        let bytes: Vec<&[u8]> = ids.iter().map(|id| id.as_bytes()).collect();
        let mut more = true;
        tickets.each(&bytes, |i, ticket| more = more && take(begin + i as u64, &ids[i], ticket))?;
        if !more {
            break;
        }
    }
    Ok(())
}

fn smallest(part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    let mut kept = BottomK::new(usize::try_from(part.k).map_err(|_| Error::Memory { what: "the picks" })?);
    each(part, rows, &mut |index, id, ticket| {
        kept.offer(ticket, id.as_bytes(), index);
        true
    })?;
    Ok(kept.rows().map(|(ticket, _, index)| (*index, Some(Ticket::Number(ticket)))).collect())
}

/// The exclusive upper bound of the tickets that are picked; `None` if all tickets are picked.
pub(in crate::hwdraw) fn threshold(plan: &Plan) -> Result<Option<u128>, Error> {
    Ok(plan.p.as_deref().unwrap_or("0").parse::<Ratio>()?.tickets())
}

fn bernoulli(
    plan: &Plan,
    part: &Part<'_>,
    rows: &RowsOf<'_>,
    most: usize,
) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    let threshold = threshold(plan)?;
    let mut chosen = Vec::new();
    let mut room = Ok(());
    each(part, rows, &mut |index, _, ticket| {
        if chosen.len() < most && threshold.is_none_or(|threshold| ticket < threshold) {
            room = chosen.try_reserve(1).map(|()| chosen.push((index, Some(Ticket::Number(ticket)))));
        }
        room.is_ok() && chosen.len() < most
    })?;
    room.map_err(|_| Error::Memory { what: "the picks" })?;
    Ok(chosen)
}

fn race(plan: &Plan, part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<(u64, Option<Ticket>)>, Error> {
    let mut first =
        WeightedTickets::new(usize::try_from(part.k).map_err(|_| Error::Memory { what: "the picks" })?);
    let mut positive = 0_u64;
    for index in 0..part.n {
        interrupt::check(index)?;
        let id = rows.id(index);
        let weight = units(plan.scale, rows.weight(index), &id)?;
        if weight > 0 {
            positive += 1;
            let mut words = words(plan, &part.key.row(id.as_bytes()))?;
            first.offer(WeightedTicket::draw(&mut words, weight.into())?, (id, index))?;
        }
    }
    if positive < part.most {
        let must = format!("at most {positive} (the number of rows with a weight above 0)");
        return Err(Error::range("k", must, part.most));
    }
    let rows = first.into_sorted().into_iter();
    Ok(rows.map(|(ticket, (_, index))| (index, Some(Ticket::Time(ticket.time)))).collect())
}
