//! Whether a transcript is what it says: everything computed again, and what does not agree in plain words.

use super::frame::{Frame, Kind, quoted};
use super::hex;
use super::methods::{MOST_UNLISTED, Part, Pick, Ticket, draw_at_most, parts, positions, threshold};
use super::plan::{Method, Plan, allocate};
use super::transcript::{Transcript, output};
use super::weights::units;
use crate::Error;
use crate::order::places_in_order;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What does not agree; empty if everything does that was looked at.
    pub wrong: Vec<String>,
    /// What could not be looked at, and what for.
    pub unchecked: Vec<String>,
}

impl Verdict {
    /// Whether all that was looked at agrees.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.wrong.is_empty()
    }

    fn expect(&mut self, what: &str, listed: &str, computed: &str) {
        if listed != computed {
            self.wrong.push(format!("{what}: it says {}, computed is {}", quoted(listed), quoted(computed)));
        }
    }
}

/// Computes a transcript again: from itself, and all of it if the list that it drew from is given. Memory goes by the
/// picks and the rows that are listed, not by numbers that are only claimed; so does time, but for tickets of the numbers
/// 1 to n, each of which is looked at: [`MOST_UNLISTED`] of them at most.
#[must_use]
pub fn verify(transcript: &Transcript, frame: Option<&Frame>) -> Verdict {
    let mut verdict = Verdict::default();
    if let Err(error) = look(transcript, frame, &mut verdict) {
        verdict.wrong.push(error.to_string());
    }
    verdict
}

fn look(transcript: &Transcript, frame: Option<&Frame>, verdict: &mut Verdict) -> Result<(), Error> {
    let Transcript { plan, picks, seed, .. } = transcript;
    verdict.expect("the commitment", &transcript.commitment, &hex(&plan.commitment()));
    verdict.expect("the digest of the output", &transcript.output, &hex(&output(picks)));
    plan.check()?;
    match seed.check(plan) {
        Ok(unchecked) => verdict.unchecked.extend(unchecked),
        Err(error) => verdict.wrong.push(error.to_string()),
    }
    let bytes = seed.bytes()?;
    if plan.picks().is_some_and(|k| k != picks.len() as u128) {
        let (k, listed) = (plan.picks().unwrap_or(0), picks.len());
        verdict.wrong.push(format!("the picks: planned are {k}, listed are {listed}"));
        // What is claimed may be any number.
        return Ok(());
    }
    if let Some(frame) = frame {
        return whole(plan, &bytes, picks, frame, verdict);
    }
    match plan.frame.kind {
        Kind::Numbers => whole(plan, &bytes, picks, &Frame::numbers(plan.n), verdict),
        Kind::List | Kind::Open => {
            verdict.unchecked.push("what needs the list that was drawn from, which was not given".to_owned());
            part(plan, &bytes, picks, verdict)
        }
    }
}

/// With the frame: everything.
fn whole(
    plan: &Plan,
    seed: &[u8],
    picks: &[Pick],
    frame: &Frame,
    verdict: &mut Verdict,
) -> Result<(), Error> {
    verdict.expect("the digest of the list", &plan.frame.digest, &hex(frame.digest()));
    verdict.expect("n, the rows of the list", &plan.n.to_string(), &frame.len().to_string());
    if let Some(allocation) = plan.allocation
        && plan.strata != Some(allocate(allocation, plan.k.unwrap_or(0), frame)?)
    {
        verdict.wrong.push("the strata: the list has others, or they get other shares".to_owned());
    }
    if !verdict.agrees() {
        return Ok(());
    }
    // One more than listed is enough to tell.
    let computed = draw_at_most(picks.len().saturating_add(1), plan, seed, frame)?;
    let (listed, drawn) = (picks.len(), computed.len());
    if drawn > listed {
        verdict.wrong.push(format!("the picks: listed are {listed}, computed are more"));
    } else if drawn < listed {
        verdict.wrong.push(format!("the picks: listed are {listed}, computed are {drawn}"));
    }
    let differing = picks.iter().zip(&computed).position(|(listed, computed)| listed != computed);
    if let Some(i) = differing {
        let [listed, computed] = [&picks[i], &computed[i]].map(shown);
        verdict.wrong.push(format!("the picks: pick {} is {listed}, computed is {computed}", i + 1));
    }
    Ok(())
}

/// A pick in a message.
fn shown(pick: &Pick) -> String {
    let index = pick.index.map_or_else(String::new, |index| format!(" at {index}"));
    let ticket =
        pick.ticket.as_ref().map_or_else(String::new, |ticket| format!(" with ticket {}", quoted(ticket)));
    format!("{}{index}{ticket}", quoted(&pick.id))
}

/// Without the frame: positions that follow from sizes, tickets that follow from ids.
fn part(plan: &Plan, seed: &[u8], picks: &[Pick], verdict: &mut Verdict) -> Result<(), Error> {
    if let Some(pick) = picks.iter().find(|pick| !has_its_fields(plan, pick)) {
        let method = plan.method.name();
        verdict.wrong.push(format!("the picks: {} has not the fields of {method}", shown(pick)));
        return Ok(());
    }
    same_ids(plan, picks, verdict);
    let parts = parts(plan, seed)?;
    let mut left = picks;
    for part in &parts {
        // Of bernoulli nobody knows how many there are: those of this label.
        let len = match plan.method {
            Method::Bernoulli => left.iter().take_while(|pick| pick.stratum.as_deref() == part.label).count(),
            _ => part.k as usize,
        };
        let (mine, others) = left.split_at(len.min(left.len()));
        left = others;
        if mine.iter().any(|pick| pick.stratum.as_deref() != part.label) {
            verdict.wrong.push("the picks: their strata are others than planned".to_owned());
        } else if plan.method != Method::Replace && mine.len() as u64 > part.n {
            verdict.wrong.push(format!("the picks: listed are {} of {} rows", mine.len(), part.n));
        } else if plan.method.has_tickets() {
            same_tickets(plan, part, mine, verdict)?;
        } else {
            same_order(plan, part, mine, verdict)?;
            if plan.method.is_of_positions() {
                same_positions(plan, part, mine, verdict)?;
            }
        }
    }
    if !left.is_empty() {
        verdict.wrong.push("the picks: some are of no stratum that was planned".to_owned());
    }
    Ok(())
}

/// Whether a pick has what its method gives, and nothing else.
fn has_its_fields(plan: &Plan, pick: &Pick) -> bool {
    let Pick { id, index, stratum, ticket, weight } = pick;
    let has = (index.is_some(), stratum.is_some(), ticket.is_some(), weight.is_some());
    let method = plan.method;
    let must = (!method.has_tickets(), plan.strata.is_some(), method.has_tickets(), method.is_weighted());
    has == must && !id.is_empty()
}

/// No id stands for two rows; with replacement it may be there twice, always of the same place.
fn same_ids(plan: &Plan, picks: &[Pick], verdict: &mut Verdict) {
    let order = places_in_order(picks.len(), &|a, b| picks[a].id.cmp(&picks[b].id));
    let ids: Vec<&Pick> = order.into_iter().map(|at| &picks[at]).collect();
    let one_row = |a: &Pick, b: &Pick| plan.method == Method::Replace && a == b;
    let twice = ids.windows(2).find(|pair| pair[0].id == pair[1].id && !one_row(pair[0], pair[1]));
    if let Some(pair) = twice {
        verdict.wrong.push(format!("the picks: {} is there twice", shown(pair[0])));
    }
}

/// Positions are some that the part has, and a list's are in the order of its ids; weights are numbers, and those that
/// are picked by them in the order of their rows.
fn same_order(plan: &Plan, part: &Part<'_>, picks: &[Pick], verdict: &mut Verdict) -> Result<(), Error> {
    for pick in picks {
        let is_picked = match &pick.weight {
            Some(weight) => units(plan, weight, &pick.id)? > 0,
            None => true,
        };
        if !is_picked || pick.index.is_none_or(|index| index >= part.n) {
            verdict.wrong.push(format!("the picks: {} is no row that can be picked", shown(pick)));
            return Ok(());
        }
    }
    let by_row = |a: usize, b: usize| {
        let row = |at: usize| (picks[at].index, &picks[at].id);
        row(a).cmp(&row(b))
    };
    let rows: Vec<&Pick> = match plan.method {
        Method::PpsSystematic => picks.iter().collect(),
        _ => places_in_order(picks.len(), &by_row).into_iter().map(|at| &picks[at]).collect(),
    };
    let follows = |a: &Pick, b: &Pick| match plan.frame.kind {
        Kind::Open => a.index < b.index,
        Kind::List | Kind::Numbers => a.index < b.index && a.id < b.id,
    };
    let is_same = |a: &Pick, b: &Pick| plan.method == Method::Replace && a == b;
    if let Some(pair) = rows.windows(2).find(|pair| !follows(pair[0], pair[1]) && !is_same(pair[0], pair[1]))
    {
        let [first, second] = [shown(pair[0]), shown(pair[1])];
        verdict.wrong.push(format!("the picks: {first} and {second} are not in the order of the list"));
    }
    Ok(())
}

fn same_positions(plan: &Plan, part: &Part<'_>, picks: &[Pick], verdict: &mut Verdict) -> Result<(), Error> {
    if plan.method == Method::Gap && part.n > MOST_UNLISTED {
        verdict.unchecked.push(format!("the positions that gap chooses of {} rows", part.n));
        return Ok(());
    }
    let computed = positions(plan, part)?;
    let differing = picks.iter().zip(&computed).position(|(pick, index)| pick.index != Some(*index));
    if let Some(i) = differing {
        let listed = shown(&picks[i]);
        verdict.wrong.push(format!("the picks: {listed} should be the row at {}", computed[i]));
    }
    Ok(())
}

fn same_tickets(plan: &Plan, part: &Part<'_>, picks: &[Pick], verdict: &mut Verdict) -> Result<(), Error> {
    let threshold = if plan.method == Method::Bernoulli { threshold(plan)? } else { None };
    let mut before: Option<(Ticket, u64, &str)> = None;
    for pick in picks {
        let ticket = Ticket::of(plan, &part.key, &pick.id)?;
        if pick.ticket.as_deref() != Some(&ticket.text()) {
            verdict.wrong.push(format!("the picks: {} should have ticket {}", shown(pick), ticket.text()));
            return Ok(());
        }
        let weight = match &pick.weight {
            Some(weight) => units(plan, weight, &pick.id)?,
            None => 0,
        };
        let in_order = match (before, ticket) {
            (None, _) => true,
            (Some((Ticket::Time(time), other, id)), Ticket::Time(mine)) => {
                time.cmp_over(other.into(), &mine, weight.into()).then(id.cmp(&pick.id)).is_lt()
            }
            // A list is in the order of its ids.
            (Some((_, _, id)), _) if plan.method == Method::Bernoulli => {
                plan.frame.kind == Kind::Open || id < &*pick.id
            }
            (Some((Ticket::Number(number), _, id)), Ticket::Number(mine)) => (number, id) < (mine, &*pick.id),
            _ => false,
        };
        let chosen = match (threshold, ticket) {
            (Some(threshold), Ticket::Number(number)) => number < threshold,
            (_, Ticket::Time(_)) => weight > 0,
            _ => true,
        };
        if !in_order || !chosen {
            verdict.wrong.push(format!("the picks: {} is not where, or what, it should be", shown(pick)));
            return Ok(());
        }
        before = Some((ticket, weight, &pick.id));
    }
    Ok(())
}
