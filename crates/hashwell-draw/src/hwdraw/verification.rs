//! The result of a verification as data: the outcome, the mismatches and the unchecked items. The sentences are only
//! for people.

use super::list::quoted;
use super::methods::Pick;
use super::plan::Method;
use super::source::{Origin, SeedSource};
use crate::Error;
use serde::ser::{Serialize, SerializeMap as _, SerializeStruct as _, Serializer};
use std::fmt;

/// The result of a verification. In JSON it is an object with the keys `mismatches`, `outcome` and `unchecked`.
#[derive(Clone, Debug, PartialEq)]
pub enum Verification {
    /// Everything was checked and agrees.
    Verified,
    /// Everything that was checked agrees, but these items were not checked.
    Partial(Vec<Unchecked>),
    /// These parts don't agree. Every implementation reports at least the first of them; see `docs/spec/draw.md`.
    Mismatch(Vec<Mismatch>),
}

impl Verification {
    /// The outcome, without the mismatches and the checks that were not made.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Verified => Outcome::Verified,
            Self::Partial(_) => Outcome::Partial,
            Self::Mismatch(_) => Outcome::Mismatch,
        }
    }

    /// The parts that don't agree.
    #[must_use]
    pub fn mismatches(&self) -> &[Mismatch] {
        match self {
            Self::Mismatch(mismatches) => mismatches,
            _ => &[],
        }
    }

    /// The checks that were not made. There are none if something doesn't agree.
    #[must_use]
    pub fn unchecked(&self) -> &[Unchecked] {
        match self {
            Self::Partial(unchecked) => unchecked,
            _ => &[],
        }
    }
}

impl Serialize for Verification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Verification", 3)?;
        object.serialize_field("mismatches", self.mismatches())?;
        object.serialize_field("outcome", self.outcome().name())?;
        object.serialize_field("unchecked", self.unchecked())?;
        object.end()
    }
}

/// The outcome of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was checked and agrees.
    Verified,
    /// Everything that was checked agrees, but not everything was checked.
    Partial,
    /// Something doesn't agree.
    Mismatch,
}

impl Outcome {
    /// The name: `verified`, `partial` or `mismatch`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Partial => "partial",
            Self::Mismatch => "mismatch",
        }
    }
}

/// A check that was not made. Each check has a stable [code](Unchecked::code).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// No published commitment was given.
    Commitment,
    /// No list was given.
    List,
    /// The origin of the seed, which does not come from a beacon. Only people can attest to it.
    SeedOrigin {
        /// The seed's origin.
        kind: Origin,
    },
    /// The signature of a round or pulse was not verified.
    BeaconSignature {
        /// The beacon.
        kind: Origin,
    },
    /// The key of the beacon, because it was neither published nor given.
    BeaconKey {
        /// The chain's hash for drand, the certificate's SHA-512 for NIST.
        key: String,
        /// The beacon.
        kind: Origin,
    },
    /// A check for which there was not enough memory.
    Memory {
        /// The purpose of the memory.
        what: &'static str,
    },
    /// The positions that the method `gap` chooses, because there are too many rows.
    Positions {
        /// The number of rows.
        n: u64,
    },
}

impl Unchecked {
    /// The code of this check.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Commitment => "commitment",
            Self::List => "list",
            Self::SeedOrigin { .. } => "seed-origin",
            Self::BeaconSignature { .. } => "beacon-signature",
            Self::BeaconKey { .. } => "beacon-key",
            Self::Memory { .. } => "memory",
            Self::Positions { .. } => "positions",
        }
    }

    /// The names and texts that describe this check. In JSON, they are next to `code` and `message`.
    #[must_use]
    pub fn data(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Commitment | Self::List => vec![],
            Self::SeedOrigin { kind } | Self::BeaconSignature { kind } => {
                vec![("kind", kind.name().to_owned())]
            }
            Self::BeaconKey { key, kind } => vec![("key", key.clone()), ("kind", kind.name().to_owned())],
            Self::Memory { what } => vec![("what", (*what).to_owned())],
            Self::Positions { n } => vec![("n", n.to_string())],
        }
    }
}

impl fmt::Display for Unchecked {
    /// Formats the check as one line for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commitment => f.write_str(
                "the commitment: no commitment was given that was published before the seed existed",
            ),
            Self::List => f.write_str("the list: it was not given"),
            Self::SeedOrigin { kind } => write!(
                f,
                "the seed's origin: only people who were there can attest that the seed ({}) came about as planned",
                kind.name()
            ),
            Self::BeaconSignature { kind: Origin::Nist } => {
                f.write_str("the signature of the seed's NIST beacon pulse")
            }
            Self::BeaconSignature { .. } => f.write_str("the signature of the seed's drand round"),
            Self::BeaconKey { key, kind: Origin::Nist } => write!(
                f,
                "the beacon's key: the certificate with SHA-512 {key} was not given, and is not one that NIST published"
            ),
            Self::BeaconKey { key, .. } => write!(
                f,
                "the beacon's key: the drand chain {} was not given, and is not a published one",
                quoted(key)
            ),
            Self::Memory { what } => write!(f, "the picks: not enough memory for {what}"),
            Self::Positions { n } => write!(f, "the positions that the method gap chooses from {n} rows"),
        }
    }
}

impl Serialize for Unchecked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_item(serializer, self.code(), &self.data(), self)
    }
}

/// A part of a transcript that doesn't agree. Each mismatch has a stable [code](Mismatch::code).
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// The plan isn't valid.
    Plan {
        /// The rule that it breaks.
        error: Error,
    },
    /// The seed does not have the fields that its origin requires, or it has no bytes.
    Seed {
        /// The rule that it breaks.
        error: Error,
    },
    /// A pick does not have the fields that the method requires.
    PickFields {
        /// The first such pick.
        pick: Box<Pick>,
        /// The method of the plan.
        method: Method,
    },
    /// The commitment in the transcript is not the commitment of its plan.
    Commitment {
        /// The commitment in the transcript.
        stated: String,
        /// The commitment of its plan.
        computed: String,
    },
    /// The published commitment is not the commitment of the plan.
    PublishedCommitment {
        /// The commitment that was published.
        published: String,
        /// The commitment of the plan.
        computed: String,
    },
    /// The digest of the picks in the transcript is wrong.
    Output {
        /// The digest in the transcript.
        stated: String,
        /// The digest of its picks.
        computed: String,
    },
    /// The origin of the seed is not the planned one.
    SeedOrigin {
        /// The planned origin.
        planned: SeedSource,
        /// The origin of the seed.
        given: SeedSource,
    },
    /// The round or pulse is not valid, does not match the seed, or has a wrong signature.
    Beacon {
        /// The rule that it breaks.
        error: Error,
    },
    /// The key of the beacon is not the one that was given.
    BeaconKey(KeyMismatch),
    /// The list is not the one in the plan.
    List(ListMismatch),
    /// The picks do not follow from the plan, the seed and the list.
    Picks(PicksMismatch),
}

/// A difference between the beacon's key and the key that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMismatch {
    /// The parameters of a different drand chain were given.
    Chain {
        /// The hash of the chain that was given.
        given: String,
    },
    /// The round and the drand chain that was given have different keys or schemes.
    Key,
    /// The certificate that was given is not the one that the pulse names.
    Certificate {
        /// The SHA-512 of the certificate that was given.
        given: String,
    },
    /// A drand chain was given for a seed that is not from drand.
    NotDrand,
    /// A certificate was given for a seed that is not from NIST's beacon.
    NotNist,
}

/// A difference between a list and the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListMismatch {
    /// The digests differ.
    Digest {
        /// The digest in the plan.
        stated: String,
        /// The digest of the list.
        computed: String,
    },
    /// The numbers of rows differ.
    Rows {
        /// The number in the plan.
        stated: u64,
        /// The number of rows in the list.
        computed: u64,
    },
    /// The strata differ.
    Strata,
    /// A list was given although the draw is from the numbers 1 to n, or no list was given although the draw is from a
    /// list.
    Kind,
}

/// A difference between the picks in the transcript and the picks that follow from the plan, the seed and the list.
#[derive(Clone, Debug, PartialEq)]
pub enum PicksMismatch {
    /// The number of picks is not the planned one.
    Planned {
        /// The planned number.
        planned: u128,
        /// The number in the transcript.
        listed: usize,
    },
    /// The transcript lists fewer picks than the draw produces.
    TooFew {
        /// The number in the transcript.
        listed: usize,
    },
    /// The transcript lists more picks than the draw produces.
    TooMany {
        /// The number in the transcript.
        listed: usize,
        /// The number that the draw produces.
        computed: usize,
    },
    /// The draw produces a different pick at this place.
    Pick {
        /// The place in the transcript, from 1.
        place: usize,
        /// The pick in the transcript.
        listed: Box<Pick>,
        /// The pick that the draw produces.
        computed: Box<Pick>,
    },
    /// The labels of the picks' strata differ from those in the plan.
    Labels,
    /// A part that is drawn without replacement has more picks than rows.
    MoreThanRows {
        /// The number of picks in the transcript.
        listed: usize,
        /// The number of rows.
        rows: u64,
    },
    /// Some picks belong to no planned stratum.
    Unplanned,
    /// Two picks with this id are different rows, or one row was picked twice although the draw is without replacement.
    Repeated {
        /// The first of the picks.
        pick: Box<Pick>,
    },
    /// The row doesn't exist, or its weight is 0.
    NoRow {
        /// The pick.
        pick: Box<Pick>,
    },
    /// Two picks are not in the order of the list.
    Order {
        /// The pick with the lower position.
        first: Box<Pick>,
        /// The pick with the higher position.
        second: Box<Pick>,
    },
    /// The position of the pick is not the one that follows from the seed.
    Position {
        /// The pick in the transcript.
        pick: Box<Pick>,
        /// The position that follows from the seed.
        computed: u64,
    },
    /// The ticket of the pick is not the ticket of its id.
    Ticket {
        /// The pick in the transcript.
        pick: Box<Pick>,
        /// The ticket of its id.
        computed: String,
    },
    /// The pick is at the wrong place, or its ticket isn't low enough.
    Place {
        /// The pick.
        pick: Box<Pick>,
    },
    /// The plan cannot be drawn.
    Draw {
        /// The reason.
        error: Error,
    },
}

impl Mismatch {
    /// The code of this mismatch.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Plan { .. } => "plan",
            Self::Seed { .. } => "seed",
            Self::PickFields { .. } => "pick-fields",
            Self::Commitment { .. } => "commitment",
            Self::PublishedCommitment { .. } => "published-commitment",
            Self::Output { .. } => "output",
            Self::SeedOrigin { .. } => "seed-origin",
            Self::Beacon { .. } => "beacon",
            Self::BeaconKey(_) => "beacon-key",
            Self::List(_) => "list",
            Self::Picks(_) => "picks",
        }
    }

    /// The names and texts that describe this mismatch. In JSON, they are next to `code` and `message`.
    #[must_use]
    pub fn data(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Plan { .. } | Self::Seed { .. } | Self::Beacon { .. } => vec![],
            Self::PickFields { pick, method } => {
                vec![("id", pick.id.clone()), ("method", method.name().to_owned())]
            }
            Self::Commitment { stated, computed } | Self::Output { stated, computed } => {
                vec![("stated", stated.clone()), ("computed", computed.clone())]
            }
            Self::PublishedCommitment { published, computed } => {
                vec![("published", published.clone()), ("computed", computed.clone())]
            }
            Self::SeedOrigin { planned, given } => {
                vec![("planned", planned.to_string()), ("given", given.to_string())]
            }
            Self::BeaconKey(reason) => vec![("reason", reason.name().to_owned())],
            Self::List(reason) => vec![("reason", reason.name().to_owned())],
            Self::Picks(reason) => vec![("reason", reason.name().to_owned())],
        }
    }
}

impl KeyMismatch {
    /// The name of this difference, which is the value of `reason` in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chain { .. } => "chain",
            Self::Key => "key",
            Self::Certificate { .. } => "certificate",
            Self::NotDrand => "not-drand",
            Self::NotNist => "not-nist",
        }
    }
}

impl ListMismatch {
    /// The name of this difference, which is the value of `reason` in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Digest { .. } => "digest",
            Self::Rows { .. } => "rows",
            Self::Strata => "strata",
            Self::Kind => "kind",
        }
    }
}

impl PicksMismatch {
    /// The name of this difference, which is the value of `reason` in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Planned { .. } => "planned",
            Self::TooFew { .. } => "too-few",
            Self::TooMany { .. } => "too-many",
            Self::Pick { .. } => "pick",
            Self::Labels => "labels",
            Self::MoreThanRows { .. } => "more-than-rows",
            Self::Unplanned => "unplanned",
            Self::Repeated { .. } => "repeated",
            Self::NoRow { .. } => "no-row",
            Self::Order { .. } => "order",
            Self::Position { .. } => "position",
            Self::Ticket { .. } => "ticket",
            Self::Place { .. } => "place",
            Self::Draw { .. } => "draw",
        }
    }
}

/// Writes two values that should be equal.
fn differ(f: &mut fmt::Formatter<'_>, what: &str, stated: &str, computed: &str) -> fmt::Result {
    write!(f, "{what}: recorded {}, computed {}", quoted(stated), quoted(computed))
}

impl fmt::Display for Mismatch {
    /// Formats the mismatch as one line for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan { error } | Self::Seed { error } | Self::Beacon { error } => error.fmt(f),
            Self::PickFields { pick, method } => {
                write!(
                    f,
                    "the picks: {} does not have the fields of the method {}",
                    Shown(pick),
                    method.name()
                )
            }
            Self::Commitment { stated, computed } => differ(f, "the commitment", stated, computed),
            Self::PublishedCommitment { published, .. } => {
                write!(f, "the published commitment is {}, not that of the plan", quoted(published))
            }
            Self::Output { stated, computed } => differ(f, "the digest of the output", stated, computed),
            Self::SeedOrigin { planned, given } => {
                write!(f, "the plan's seed is {planned}, but the given seed is {given}")
            }
            Self::BeaconKey(reason) => reason.fmt(f),
            Self::List(reason) => reason.fmt(f),
            Self::Picks(reason) => reason.fmt(f),
        }
    }
}

impl fmt::Display for KeyMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain { given } => {
                write!(f, "the given drand chain is {given}, not the chain of the seed")
            }
            Self::Key => {
                f.write_str("the key or the scheme of the round does not match the given drand chain")
            }
            Self::Certificate { given } => {
                write!(f, "the given certificate has SHA-512 {given}, but the pulse names a different one")
            }
            Self::NotDrand => f.write_str("a drand chain was given, but the seed is not from drand"),
            Self::NotNist => f.write_str("a certificate was given, but the seed is not from NIST's beacon"),
        }
    }
}

impl fmt::Display for ListMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest { stated, computed } => differ(f, "the digest of the list", stated, computed),
            Self::Rows { stated, computed } => {
                differ(f, "n, the number of rows of the list", &stated.to_string(), &computed.to_string())
            }
            Self::Strata => f.write_str("the strata of the list differ from the plan"),
            Self::Kind => f.write_str("the list: a draw from the numbers 1 to n has no list"),
        }
    }
}

impl fmt::Display for PicksMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw { error } => return error.fmt(f),
            _ => f.write_str("the picks: ")?,
        }
        match self {
            Self::Planned { planned, listed } => {
                write!(f, "the plan has {planned}, but the transcript lists {listed}")
            }
            Self::TooFew { listed } => write!(f, "the transcript lists {listed}, but the draw produces more"),
            Self::TooMany { listed, computed } => {
                write!(f, "the transcript lists {listed}, but the draw produces {computed}")
            }
            Self::Pick { place, listed, computed } => {
                write!(f, "pick {place} is {}, but {} was computed", Shown(listed), Shown(computed))
            }
            Self::Labels => f.write_str("their strata differ from the plan"),
            Self::MoreThanRows { listed, rows } => {
                write!(f, "the transcript lists {listed} picks from only {rows} rows")
            }
            Self::Unplanned => f.write_str("some belong to no planned stratum"),
            Self::Repeated { pick } => write!(f, "{} occurs twice", Shown(pick)),
            Self::NoRow { pick } => write!(f, "{} is not a row that can be picked", Shown(pick)),
            Self::Order { first, second } => {
                write!(f, "{} and {} are not in the order of the list", Shown(first), Shown(second))
            }
            Self::Position { pick, computed } => {
                write!(f, "{} should be the row at position {computed}", Shown(pick))
            }
            Self::Ticket { pick, computed } => {
                write!(f, "{} should have ticket {computed}", Shown(pick))
            }
            Self::Place { pick } => write!(f, "{} is wrong or in the wrong place", Shown(pick)),
            Self::Draw { .. } => Ok(()),
        }
    }
}

/// Formats a pick in a sentence.
struct Shown<'a>(&'a Pick);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pick { id, index, ticket, .. } = self.0;
        f.write_str(&quoted(id))?;
        if let Some(index) = index {
            write!(f, " at position {index}")?;
        }
        match ticket {
            Some(ticket) => write!(f, " with ticket {}", quoted(ticket)),
            None => Ok(()),
        }
    }
}

impl Serialize for Mismatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_item(serializer, self.code(), &self.data(), self)
    }
}

/// Writes an object with the code, the data as texts, and the sentence as `message`.
fn serialize_item<S: Serializer>(
    serializer: S,
    code: &str,
    data: &[(&str, String)],
    message: &dyn fmt::Display,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(data.len() + 2))?;
    object.serialize_entry("code", code)?;
    for (key, value) in data {
        object.serialize_entry(key, value)?;
    }
    object.serialize_entry("message", &message.to_string())?;
    object.end()
}
