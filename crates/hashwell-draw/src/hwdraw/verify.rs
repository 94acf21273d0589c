//! Verifies a transcript by computing everything again.

use super::beacon::{drand, nist};
use super::hex;
use super::list::{EntryList, Kind};
use super::methods::{MAX_UNLISTED, Part, Pick, Ticket, draw_at_most, parts, positions, threshold};
use super::plan::{Method, Plan, strata};
use super::seed::Seed;
use super::source::Origin;
use super::transcript::{Transcript, output};
use super::verification::{KeyMismatch, ListMismatch, Mismatch, PicksMismatch, Unchecked, Verification};
use super::weights::units;
use crate::Error;
use crate::interrupt;
use crate::order::places_in_order;

/// The evidence that the verifier has in addition to the transcript. More evidence allows more checks.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    /// The list that was drawn from.
    pub list: Option<&'a EntryList>,
    /// The commitment that was published before the seed existed, in upper- or lower-case hexadecimal.
    pub commitment: Option<&'a str>,
    /// The parameters of the drand chain, for a chain that isn't one of [`drand::CHAINS`].
    pub drand_chain: Option<drand::Info>,
    /// The certificate of NIST's beacon, for one that isn't among [`nist::CERTIFICATES`].
    pub certificate: Option<nist::Certificate>,
    /// True if the verifier saw that the seed was made as the plan announced. This is used only for seeds that do not
    /// come from a beacon.
    pub seed_attested: bool,
}

impl<'a> From<Option<&'a EntryList>> for Evidence<'a> {
    fn from(list: Option<&'a EntryList>) -> Self {
        Self { list, ..Self::default() }
    }
}

/// Recomputes a transcript, and compares it with the evidence.
///
/// The memory and the time depend on the picks and rows that are listed, not on numbers that the transcript only
/// claims. The time for tickets of the numbers 1 to n is an exception: each of these numbers is examined, and there are
/// at most [`MAX_UNLISTED`].
///
/// # Errors
/// Returns [`Error::Stopped`] if [`interruptible`](crate::interruptible) stops it. All other findings are in the
/// result.
pub fn verify(transcript: &Transcript, evidence: &Evidence<'_>) -> Result<Verification, Error> {
    let mut findings = Findings::default();
    if evidence.commitment.is_none() {
        findings.unchecked.push(Unchecked::Commitment);
    }
    if let Err(error) = compare(transcript, evidence, &mut findings) {
        match missing_memory(&error) {
            Some(what) => findings.unchecked.push(Unchecked::Memory { what }),
            None if error == Error::Stopped => return Err(error),
            None => findings.mismatches.push(Mismatch::Picks(PicksMismatch::Draw { error })),
        }
    }
    Ok(findings.result())
}

/// The mismatches and the unchecked items found so far.
#[derive(Default)]
struct Findings {
    mismatches: Vec<Mismatch>,
    unchecked: Vec<Unchecked>,
}

impl Findings {
    fn result(self) -> Verification {
        match (self.mismatches.is_empty(), self.unchecked.is_empty()) {
            (false, _) => Verification::Mismatch(self.mismatches),
            (true, false) => Verification::Partial(self.unchecked),
            (true, true) => Verification::Verified,
        }
    }

    fn picks(&mut self, mismatch: PicksMismatch) {
        self.mismatches.push(Mismatch::Picks(mismatch));
    }

    /// Turns an error into a mismatch and returns `None`. A failed allocation or an interruption is not a fault of the
    /// transcript, so these remain errors.
    fn found<T>(
        &mut self,
        found: Result<T, Error>,
        mismatch: impl FnOnce(Error) -> Mismatch,
    ) -> Result<Option<T>, Error> {
        match found {
            Ok(value) => Ok(Some(value)),
            Err(error) if error == Error::Stopped || missing_memory(&error).is_some() => Err(error),
            Err(error) => {
                self.mismatches.push(mismatch(error));
                Ok(None)
            }
        }
    }
}

/// The purpose of an allocation that failed, if this is the error.
fn missing_memory(error: &Error) -> Option<&'static str> {
    match error {
        Error::Memory { what } => Some(what),
        Error::RandomSource(hashwell::Error::OutOfMemory) => Some("random numbers"),
        _ => None,
    }
}

/// Makes all checks in the order of the section "Verifying" of the specification. Each stage relies on the checks of
/// the earlier stages.
fn compare(transcript: &Transcript, evidence: &Evidence<'_>, findings: &mut Findings) -> Result<(), Error> {
    let Transcript { plan, picks, seed, .. } = transcript;
    let bytes = well_formed(plan, seed, picks, findings)?;
    digests(transcript, evidence, findings)?;
    let Some(bytes) = bytes else { return Ok(()) };
    origin(plan, seed, evidence, findings)?;
    if let Some(planned) = plan.picks().filter(|planned| *planned != picks.len() as u128) {
        // The transcript may claim any number of picks, so the actual picks are not computed.
        findings.picks(PicksMismatch::Planned { planned, listed: picks.len() });
        return Ok(());
    }
    if let Some(entries) = evidence.list {
        if entries.kind() != plan.list.kind {
            findings.mismatches.push(Mismatch::List(ListMismatch::Kind));
            return Ok(());
        }
        return with_list(plan, &bytes, picks, entries, findings);
    }
    match plan.list.kind {
        Kind::Numbers => with_list(plan, &bytes, picks, &EntryList::numbers(plan.n), findings),
        Kind::List | Kind::Open => {
            findings.unchecked.push(Unchecked::List);
            without_list(plan, &bytes, picks, findings)
        }
    }
}

/// Checks the plan, the seed and the picks separately. Returns the bytes of the seed if all three are well formed.
fn well_formed(
    plan: &Plan,
    seed: &Seed,
    picks: &[Pick],
    findings: &mut Findings,
) -> Result<Option<Vec<u8>>, Error> {
    let is_plan = findings.found(plan.check(), |error| Mismatch::Plan { error })?.is_some();
    let bytes = findings.found(seed.bytes(), |error| Mismatch::Seed { error })?;
    if !is_plan {
        return Ok(None);
    }
    for (place, pick) in picks.iter().enumerate() {
        interrupt::check(place as u64)?;
        if !has_its_fields(plan, pick) {
            let pick = Box::new(pick.clone());
            findings.mismatches.push(Mismatch::PickFields { pick, method: plan.method });
            return Ok(None);
        }
    }
    Ok(bytes)
}

/// Compares the commitments and the digest of the picks.
fn digests(transcript: &Transcript, evidence: &Evidence<'_>, findings: &mut Findings) -> Result<(), Error> {
    let commitment = hex(&transcript.plan.commitment());
    if transcript.commitment != commitment {
        let stated = transcript.commitment.clone();
        findings.mismatches.push(Mismatch::Commitment { stated, computed: commitment.clone() });
    }
    if let Some(published) = evidence.commitment
        && !published.eq_ignore_ascii_case(&commitment)
    {
        let published = published.to_owned();
        findings.mismatches.push(Mismatch::PublishedCommitment { published, computed: commitment });
    }
    let computed = hex(&output(&transcript.picks)?);
    if transcript.output != computed {
        let stated = transcript.output.clone();
        findings.mismatches.push(Mismatch::Output { stated, computed });
    }
    Ok(())
}

/// Checks that the seed has the announced origin, as far as this can be determined.
fn origin(plan: &Plan, seed: &Seed, evidence: &Evidence<'_>, findings: &mut Findings) -> Result<(), Error> {
    let beacon = |error| Mismatch::Beacon { error };
    let Some(given) = findings.found(seed.source(), beacon)? else { return Ok(()) };
    if given.planned != plan.seed_source.planned {
        let planned = plan.seed_source.clone();
        findings.mismatches.push(Mismatch::SeedOrigin { planned, given });
    }
    if findings.found(seed.check(), beacon)?.is_none() {
        return Ok(());
    }
    let checked = match (&seed.drand, &seed.nist) {
        (Some(round), _) => of_drand(round, evidence, findings),
        (_, Some(pulse)) => of_nist(pulse, evidence, findings),
        _ => {
            if !evidence.seed_attested {
                findings.unchecked.push(Unchecked::SeedOrigin { kind: seed.from });
            }
            Ok(())
        }
    };
    findings.found(checked, beacon)?;
    // The file is for a beacon that the seed does not come from, so the verifier must have made a mistake.
    if evidence.drand_chain.is_some() && seed.drand.is_none() {
        findings.mismatches.push(Mismatch::BeaconKey(KeyMismatch::NotDrand));
    }
    if evidence.certificate.is_some() && seed.nist.is_none() {
        findings.mismatches.push(Mismatch::BeaconKey(KeyMismatch::NotNist));
    }
    Ok(())
}

/// Checks a round's key and signature.
fn of_drand(round: &drand::Round, evidence: &Evidence<'_>, findings: &mut Findings) -> Result<(), Error> {
    let mut known = round.is_published()?;
    if let Some(info) = &evidence.drand_chain {
        if info.hash() != round.chain {
            let given = info.hash().to_owned();
            findings.mismatches.push(Mismatch::BeaconKey(KeyMismatch::Chain { given }));
        } else if !info.has_key_of(round) {
            findings.mismatches.push(Mismatch::BeaconKey(KeyMismatch::Key));
        } else {
            known = true;
        }
    }
    if !known {
        findings.unchecked.push(Unchecked::BeaconKey { key: round.chain.clone(), kind: Origin::Drand });
    }
    if drand::verifies() {
        round.verify()?;
    } else {
        findings.unchecked.push(Unchecked::BeaconSignature { kind: Origin::Drand });
    }
    Ok(())
}

/// Checks a pulse's certificate and signature.
fn of_nist(pulse: &nist::Pulse, evidence: &Evidence<'_>, findings: &mut Findings) -> Result<(), Error> {
    let sha512 = pulse.certificate_sha512()?;
    let given = evidence.certificate.as_ref();
    let is_given = given.is_some_and(|given| given.sha512() == sha512);
    if let Some(given) = given.filter(|_| !is_given) {
        let given = given.sha512().to_owned();
        findings.mismatches.push(Mismatch::BeaconKey(KeyMismatch::Certificate { given }));
    }
    if !is_given && !nist::is_published(&sha512) {
        findings.unchecked.push(Unchecked::BeaconKey { key: sha512, kind: Origin::Nist });
    }
    let stated = pulse.known_certificate()?;
    match stated.as_ref().or(given.filter(|_| is_given)) {
        Some(certificate) if nist::verifies() => pulse.verify(certificate)?,
        _ => findings.unchecked.push(Unchecked::BeaconSignature { kind: Origin::Nist }),
    }
    Ok(())
}

/// Checks everything that the list decides.
fn with_list(
    plan: &Plan,
    seed: &[u8],
    picks: &[Pick],
    entries: &EntryList,
    findings: &mut Findings,
) -> Result<(), Error> {
    let mut list = |mismatch| findings.mismatches.push(Mismatch::List(mismatch));
    let computed = hex(entries.digest());
    if plan.list.digest != computed {
        list(ListMismatch::Digest { stated: plan.list.digest.clone(), computed });
    }
    if plan.n != entries.len() {
        list(ListMismatch::Rows { stated: plan.n, computed: entries.len() });
    }
    if let Some(allocation) = plan.allocation
        && plan.strata != strata(allocation, plan.k, entries).ok()
    {
        list(ListMismatch::Strata);
    }
    if !findings.mismatches.is_empty() {
        return Ok(());
    }
    // One pick more than listed is enough to detect a difference.
    let computed = draw_at_most(picks.len().saturating_add(1), plan, seed, entries)?;
    let (listed, drawn) = (picks.len(), computed.len());
    if drawn > listed {
        findings.picks(PicksMismatch::TooFew { listed });
    } else if drawn < listed {
        findings.picks(PicksMismatch::TooMany { listed, computed: drawn });
    }
    let differing = picks.iter().zip(computed).zip(1..).find(|((listed, computed), _)| *listed != computed);
    if let Some(((listed, computed), place)) = differing {
        let (listed, computed) = (Box::new(listed.clone()), Box::new(computed));
        findings.picks(PicksMismatch::Pick { place, listed, computed });
    }
    Ok(())
}

/// Checks what can be computed without the list: positions from sizes, tickets from ids.
fn without_list(plan: &Plan, seed: &[u8], picks: &[Pick], findings: &mut Findings) -> Result<(), Error> {
    same_ids(plan, picks, findings);
    let parts = parts(plan, seed)?;
    let mut left = picks;
    for part in &parts {
        // A Bernoulli plan has no number of picks, so the label determines which picks belong to the part.
        let len = match plan.method {
            Method::Bernoulli => left.iter().take_while(|pick| pick.stratum.as_deref() == part.label).count(),
            _ => part.k as usize,
        };
        let (mine, others) = left.split_at(len.min(left.len()));
        left = others;
        if mine.iter().any(|pick| pick.stratum.as_deref() != part.label) {
            findings.picks(PicksMismatch::Labels);
        } else if plan.method != Method::Replace && mine.len() as u64 > part.n {
            findings.picks(PicksMismatch::MoreThanRows { listed: mine.len(), rows: part.n });
        } else if plan.method.has_tickets() {
            same_tickets(plan, part, mine, findings)?;
        } else {
            same_order(plan, part, mine, findings)?;
            if plan.method.is_of_positions() {
                same_positions(plan, part, mine, findings)?;
            }
        }
    }
    if !left.is_empty() {
        findings.picks(PicksMismatch::Unplanned);
    }
    Ok(())
}

/// Returns true if a pick has exactly the fields that its method requires.
fn has_its_fields(plan: &Plan, pick: &Pick) -> bool {
    let Pick { id, index, stratum, ticket, weight } = pick;
    let has = (index.is_some(), stratum.is_some(), ticket.is_some(), weight.is_some());
    let method = plan.method;
    let must = (!method.has_tickets(), plan.strata.is_some(), method.has_tickets(), method.is_weighted());
    has == must && !id.is_empty()
}

/// Checks that no id is listed twice. With replacement this is allowed, but only for the same row.
fn same_ids(plan: &Plan, picks: &[Pick], findings: &mut Findings) {
    let order = places_in_order(picks.len(), &|a, b| picks[a].id.cmp(&picks[b].id));
    let ids: Vec<&Pick> = order.into_iter().map(|at| &picks[at]).collect();
    let one_row = |a: &Pick, b: &Pick| plan.method == Method::Replace && a == b;
    let twice = ids.windows(2).find(|pair| pair[0].id == pair[1].id && !one_row(pair[0], pair[1]));
    if let Some(pair) = twice {
        findings.picks(PicksMismatch::Repeated { pick: Box::new(pair[0].clone()) });
    }
}

/// Checks that positions exist in the part and are in the order of a list's ids. Weights must be valid. With
/// `pps-systematic`, the picks must be in the order of their rows.
fn same_order(plan: &Plan, part: &Part<'_>, picks: &[Pick], findings: &mut Findings) -> Result<(), Error> {
    for (place, pick) in picks.iter().enumerate() {
        interrupt::check(place as u64)?;
        let is_picked = match &pick.weight {
            Some(weight) => units(plan.scale, weight, &pick.id)? > 0,
            None => true,
        };
        if !is_picked || pick.index.is_none_or(|index| index >= part.n) {
            findings.picks(PicksMismatch::NoRow { pick: Box::new(pick.clone()) });
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
    let follows = |a: &Pick, b: &Pick| match plan.list.kind {
        Kind::Open => a.index < b.index,
        Kind::List | Kind::Numbers => a.index < b.index && a.id < b.id,
    };
    let is_same = |a: &Pick, b: &Pick| plan.method == Method::Replace && a == b;
    if let Some(pair) = rows.windows(2).find(|pair| !follows(pair[0], pair[1]) && !is_same(pair[0], pair[1]))
    {
        let (first, second) = (Box::new(pair[0].clone()), Box::new(pair[1].clone()));
        findings.picks(PicksMismatch::Order { first, second });
    }
    Ok(())
}

fn same_positions(
    plan: &Plan,
    part: &Part<'_>,
    picks: &[Pick],
    findings: &mut Findings,
) -> Result<(), Error> {
    if plan.method == Method::Gap && part.n > MAX_UNLISTED {
        findings.unchecked.push(Unchecked::Positions { n: part.n });
        return Ok(());
    }
    let computed = positions(plan, part)?;
    let differing = picks.iter().zip(computed).find(|(pick, index)| pick.index != Some(*index));
    if let Some((pick, computed)) = differing {
        findings.picks(PicksMismatch::Position { pick: Box::new(pick.clone()), computed });
    }
    Ok(())
}

fn same_tickets(plan: &Plan, part: &Part<'_>, picks: &[Pick], findings: &mut Findings) -> Result<(), Error> {
    let threshold = if plan.method == Method::Bernoulli { threshold(plan)? } else { None };
    let mut before: Option<(Ticket, u64, &str)> = None;
    for (place, pick) in picks.iter().enumerate() {
        interrupt::check(place as u64)?;
        let ticket = Ticket::of(plan, &part.key, &pick.id)?;
        if pick.ticket.as_deref() != Some(&ticket.text()) {
            findings.picks(PicksMismatch::Ticket { pick: Box::new(pick.clone()), computed: ticket.text() });
            return Ok(());
        }
        let weight = match &pick.weight {
            Some(weight) => units(plan.scale, weight, &pick.id)?,
            None => 0,
        };
        let in_order = match (before, ticket) {
            (None, _) => true,
            (Some((Ticket::Time(time), other, id)), Ticket::Time(mine)) => {
                time.cmp_over(other.into(), &mine, weight.into()).then(id.cmp(&pick.id)).is_lt()
            }
            // A list is sorted by its ids.
            (Some((_, _, id)), _) if plan.method == Method::Bernoulli => {
                plan.list.kind == Kind::Open || id < &*pick.id
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
            findings.picks(PicksMismatch::Place { pick: Box::new(pick.clone()) });
            return Ok(());
        }
        before = Some((ticket, weight, &pick.id));
    }
    Ok(())
}
