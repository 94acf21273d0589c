//! The plan: everything about a draw that is decided before the seed is known, and the commitment to it.

use super::list::{Column, Columns, EntryList, Kind, is_decimal, quoted};
use super::source::SeedSource;
use super::{hex, present, weights};
use crate::Error;
use crate::key::OPEN_LIST;
use hashwell::{Sha256, Source};
use serde::{Deserialize, Serialize};

/// The name of the specification, docs/spec/draw.md.
pub const SPEC: &str = "hwdraw/1";

/// The method of choosing rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A sparse Fisher–Yates shuffle of positions. The picks for a smaller k are the first of those for a larger k.
    Index,
    /// The rows with the smallest tickets. The picks for a smaller k are the first of those for a larger k.
    Ticket,
    /// Successive sampling: the rows with the smallest values of E/w, where E is an exponentially distributed time and
    /// w is the weight of the row.
    WeightedTicket,
    /// Every row whose ticket is below p.
    Bernoulli,
    /// Reservoir sampling of the rows in input order, for streams whose length is not known in advance.
    Gap,
    /// Sampling with replacement.
    Replace,
    /// Madow's systematic sampling, in which the inclusion probability is proportional to the weight.
    PpsSystematic,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::Index,
        Self::Ticket,
        Self::WeightedTicket,
        Self::Bernoulli,
        Self::Gap,
        Self::Replace,
        Self::PpsSystematic,
    ];

    /// The name used in plans.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Ticket => "ticket",
            Self::WeightedTicket => "weighted-ticket",
            Self::Bernoulli => "bernoulli",
            Self::Gap => "gap",
            Self::Replace => "replace",
            Self::PpsSystematic => "pps-systematic",
        }
    }

    /// Returns true if every row needs a weight.
    #[must_use]
    pub fn is_weighted(self) -> bool {
        matches!(self, Self::WeightedTicket | Self::PpsSystematic)
    }

    /// Returns true if the method chooses rows by the tickets of their ids, not by their positions.
    #[must_use]
    pub fn has_tickets(self) -> bool {
        matches!(self, Self::Ticket | Self::WeightedTicket | Self::Bernoulli)
    }

    /// Returns true if the positions depend only on the seed, n and k.
    #[must_use]
    pub fn is_of_positions(self) -> bool {
        matches!(self, Self::Index | Self::Gap | Self::Replace)
    }
}

/// The number of picks for each stratum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allocation {
    /// k picks for each stratum.
    Each,
    /// k picks in total, divided among the strata in proportion to their numbers of rows. Rounding is random and
    /// depends on the seed; see [`allocate`](crate::design::allocate).
    Proportional,
}

/// A stratum and its number of picks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stratum {
    /// The number of picks with [`Allocation::Each`], or 0 with [`Method::Bernoulli`]. It is absent with
    /// [`Allocation::Proportional`], because the number then depends on the seed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The name of the stratum.
    pub label: String,
    /// The number of rows.
    pub n: u64,
}

/// The description of a list in plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSummary {
    /// The columns.
    pub columns: Vec<Column>,
    /// The digest F in hexadecimal.
    pub digest: String,
    /// The origin of the list's rows.
    pub kind: Kind,
}

impl ListSummary {
    /// The columns of the list, with a flag that is true if the list is an open stream, which is not sorted.
    ///
    /// # Errors
    /// Returns [`Error::InvalidList`] if the columns are not in the required order, or if the draw is from the numbers
    /// 1 to n, which have no list.
    pub fn layout(&self) -> Result<(Columns, bool), Error> {
        match self.kind {
            Kind::Numbers => Err(Error::list("a draw from integers has no list")),
            kind => Ok((Columns::of_names(&self.columns)?, kind == Kind::Open)),
        }
    }
}

/// Everything about a draw except its seed. Fields are sorted by name, as in the JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The allocation of the picks to the strata. It is present only if there are strata.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub allocation: Option<Allocation>,
    /// The purpose of the draw.
    pub context: String,
    /// The number of picks in total or, with [`Allocation::Each`], for each stratum. It is absent for
    /// [`Method::Bernoulli`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The list to draw from.
    pub list: ListSummary,
    /// The method.
    pub method: Method,
    /// The number of rows of the list.
    pub n: u64,
    /// The inclusion probability of each row, a decimal number from 0 to 1 with at most 38 decimals. It is present only
    /// for [`Method::Bernoulli`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub p: Option<String>,
    /// The random source.
    pub random_source: String,
    /// The number of decimals of the weights, 0 to 18. It is present only for weighted methods.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub scale: Option<u32>,
    /// The origin that the seed must have.
    pub seed_source: SeedSource,
    /// The specification: [`SPEC`].
    pub spec: String,
    /// The strata in the order of their labels' bytes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub strata: Option<Vec<Stratum>>,
}

/// The maximum number of decimals of weights. With 18 decimals, weights up to 18 still fit into 64 bits.
pub const MAX_SCALE: u32 = 18;

/// The parts of a plan that you choose, in addition to the list and the method.
#[derive(Clone, Debug, Default)]
pub struct DrawOptions {
    /// The purpose of the draw.
    pub context: String,
    /// The number of picks.
    pub k: Option<u64>,
    /// The inclusion probability of each row.
    pub p: Option<String>,
    /// The number of decimals of the weights; by default, the largest number of decimals that a weight has.
    pub scale: Option<u32>,
    /// The allocation of the picks to strata, if the list has strata.
    pub allocation: Option<Allocation>,
    /// The origin that the seed must have. The default is a text.
    pub seed_source: SeedSource,
    /// The random source. The default is `counter`.
    pub random_source: Option<String>,
}

impl Plan {
    /// Creates the plan of a draw from a list.
    ///
    /// # Errors
    /// Returns the same errors as [`Plan::check`]. Also returns [`Error::OutOfRange`] if a stratum has fewer rows than
    /// picks, or if a weight does not fit the scale.
    pub fn new(entries: &EntryList, method: Method, options: DrawOptions) -> Result<Self, Error> {
        let scale = method.is_weighted().then(|| options.scale.unwrap_or_else(|| longest_scale(entries)));
        let mut plan = Self {
            allocation: options.allocation,
            context: options.context,
            list: ListSummary {
                columns: entries.columns().names(),
                digest: hex(entries.digest()),
                kind: entries.kind(),
            },
            k: options.k,
            method,
            n: entries.len(),
            p: options.p,
            scale,
            seed_source: options.seed_source,
            spec: SPEC.to_owned(),
            strata: None,
            random_source: options.random_source.unwrap_or_else(|| "counter".to_owned()),
        };
        if let Some(allocation) = plan.allocation {
            plan.strata = Some(strata(allocation, plan.k, entries)?);
        }
        plan.check()?;
        weights::check(plan.scale, entries)?;
        Ok(plan)
    }

    /// Checks that the plan is valid: numbers are in their ranges, and there are no missing or extra parameters.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] or [`Error::OutOfRange`] if the plan is not valid. The error names the invalid part.
    pub fn check(&self) -> Result<(), Error> {
        let invalid = |reason: String| Err(Error::invalid("a hwdraw/1 plan", reason));
        if self.spec != SPEC {
            return invalid(format!("its specification is {}", quoted(&self.spec)));
        }
        let digest = self.list.digest.as_bytes();
        if digest.len() != 64 || !digest.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            let digest = quoted(&self.list.digest);
            return invalid(format!(
                "the list's digest must be 64 lower-case hexadecimal digits, not {digest}"
            ));
        }
        if self.list.kind == Kind::Open && self.list.digest != hex(&OPEN_LIST) {
            return invalid("the digest of an open list must be 64 zeros".to_owned());
        }
        if self.list.kind == Kind::Numbers && self.list.digest != hex(EntryList::numbers(self.n).digest()) {
            return invalid("the list's digest does not match the numbers 1 to n".to_owned());
        }
        let columns = Columns::of_names(&self.list.columns)?;
        let method = self.method;
        if columns.weight != method.is_weighted() {
            return invalid(format!(
                "{} {}",
                method.name(),
                if columns.weight { "takes no weights" } else { "needs weights" }
            ));
        }
        if (columns.stratum, self.strata.is_some()) != (self.allocation.is_some(), self.allocation.is_some())
        {
            return invalid("strata require a column, an allocation and sizes".to_owned());
        }
        if self.scale.is_some() != method.is_weighted() || self.p.is_some() != (method == Method::Bernoulli) {
            return invalid(format!("its parameters do not fit the method {}", method.name()));
        }
        if self.scale.is_some_and(|scale| scale > MAX_SCALE) {
            return Err(Error::range(
                "the scale of weights",
                format!("0 to {MAX_SCALE} decimals"),
                self.scale.unwrap_or(0),
            ));
        }
        if self.list.kind == Kind::Numbers && (columns != Columns::default() || method == Method::Gap) {
            return invalid(
                "the numbers 1 to n have neither weights nor strata, and the method gap requires a list"
                    .to_owned(),
            );
        }
        if self.p.as_deref().is_some_and(|p| !is_chance(p)) {
            let must = "a decimal number from 0 to 1 with at most 38 decimals, such as 0.05";
            return Err(Error::range("p", must, quoted(self.p.as_deref().unwrap_or(""))));
        }
        self.seed_source.check()?;
        self.source()?;
        self.check_sizes()?;
        self.check_strata()
    }

    /// The random source.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the random source is unknown.
    pub fn source(&self) -> Result<Source, Error> {
        let unknown = |_| Error::invalid("a random source", quoted(&self.random_source));
        let source = Source::find(&self.random_source).map_err(unknown)?;
        // If other spellings were accepted, the same draw could have several plans.
        if source.name() == self.random_source {
            Ok(source)
        } else {
            Err(Error::invalid("a random source", quoted(&self.random_source)))
        }
    }

    /// Checks that k, or the k of each stratum, is between 1 and the number of rows.
    fn check_sizes(&self) -> Result<(), Error> {
        if self.method == Method::Bernoulli {
            let shared = self.strata.iter().flatten().any(|stratum| stratum.k != Some(0));
            return if self.k.is_none() && !shared {
                Ok(())
            } else {
                Err(Error::invalid("a hwdraw/1 plan", "the method bernoulli must not have a k"))
            };
        }
        let k = self
            .k
            .ok_or_else(|| Error::invalid("a hwdraw/1 plan", format!("{} needs k", self.method.name())))?;
        let unlimited = self.method == Method::Replace && self.allocation != Some(Allocation::Proportional);
        let most = if unlimited { u64::MAX } else { self.n };
        if self.allocation != Some(Allocation::Each) && !(1..=most).contains(&k) || k == 0 || self.n == 0 {
            return Err(Error::range("k", format!("1 to {most}"), k));
        }
        for stratum in self.strata.iter().flatten() {
            let k = stratum.k.unwrap_or(0);
            if k > stratum.n && self.method != Method::Replace {
                let must = format!(
                    "at most {} (the number of rows in stratum {})",
                    stratum.n,
                    quoted(&stratum.label)
                );
                return Err(Error::range("k", must, k));
            }
        }
        Ok(())
    }

    /// Checks that the strata are in the order of their labels' bytes, that none is empty, that together they have all
    /// rows of the list, and that each has its number of picks.
    fn check_strata(&self) -> Result<(), Error> {
        let (Some(strata), Some(allocation)) = (&self.strata, self.allocation) else { return Ok(()) };
        let invalid = |reason: &'static str| Err(Error::invalid("a hwdraw/1 plan", reason));
        if !strata.is_sorted_by(|a, b| a.label < b.label) {
            return invalid("its stratum labels are not sorted, or one occurs twice");
        }
        let rows: u128 = strata.iter().map(|stratum| u128::from(stratum.n)).sum();
        if rows != u128::from(self.n) || strata.iter().any(|stratum| stratum.n == 0) {
            return invalid("the sizes of its strata do not add up to n, or one is 0");
        }
        let planned = planned(allocation, self.k);
        if strata.iter().any(|stratum| stratum.k != planned) {
            return invalid("the number of picks of a stratum differs from the allocation");
        }
        Ok(())
    }

    /// The total number of picks, or `None` if it is known only after the draw.
    #[must_use]
    pub fn picks(&self) -> Option<u128> {
        match &self.strata {
            _ if self.method == Method::Bernoulli => None,
            Some(strata) if self.allocation == Some(Allocation::Each) => {
                Some(strata.iter().map(|stratum| u128::from(stratum.k.unwrap_or(0))).sum())
            }
            _ => self.k.map(u128::from),
        }
    }

    /// The text of the plan: JSON without whitespace, with sorted keys.
    ///
    /// # Panics
    /// Never panics, because texts and integers can always be written as JSON.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("strings and integers")
    }

    /// The SHA-256 of the plan's text. It commits to everything about the draw except the seed.
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        Sha256::digest(self.text().as_bytes())
    }

    /// Checks that the published commitment is the commitment of this plan. Its hexadecimal digits can be upper or
    /// lower case.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the commitments differ. The error contains both of them. After this error, do not
    /// draw.
    pub fn check_commitment(&self, published: &str) -> Result<(), Error> {
        let commitment = hex(&self.commitment());
        if published.eq_ignore_ascii_case(&commitment) {
            return Ok(());
        }
        Err(Error::refused(format!("the commitment is {commitment}, not {published}: nothing was drawn")))
    }
}

/// Returns true for a decimal number from 0 to 1.
fn is_chance(p: &str) -> bool {
    let (whole, decimals) = p.split_once('.').unwrap_or((p, ""));
    let whole = whole.trim_start_matches('0');
    is_decimal(p)
        && decimals.len() <= 38
        && (whole.is_empty() || whole == "1" && decimals.bytes().all(|digit| digit == b'0'))
}

fn longest_scale(entries: &EntryList) -> u32 {
    // Zeros at the end count, unless the scale would be too large.
    let decimals = |position| {
        let decimals = entries.weight(position).split_once('.').map_or("", |(_, decimals)| decimals);
        let fits = decimals.len() <= MAX_SCALE as usize;
        if fits { decimals.len() } else { decimals.trim_end_matches('0').len() }
    };
    (0..entries.len()).map(decimals).max().unwrap_or(0).try_into().unwrap_or(u32::MAX)
}

/// The strata of a list, as a plan lists them.
///
/// # Errors
/// Returns [`Error::InvalidList`] if the list has no strata.
pub(super) fn strata(
    allocation: Allocation,
    k: Option<u64>,
    entries: &EntryList,
) -> Result<Vec<Stratum>, Error> {
    if !entries.columns().stratum {
        return Err(Error::list("its rows have no strata"));
    }
    let k = planned(allocation, k);
    let strata = entries.strata().into_iter();
    Ok(strata.map(|(label, rows)| Stratum { k, label: label.to_owned(), n: rows.len() as u64 }).collect())
}

/// The k that a plan lists for each stratum. If the plan has no k, as for `bernoulli`, it lists 0.
fn planned(allocation: Allocation, k: Option<u64>) -> Option<u64> {
    match (allocation, k) {
        (Allocation::Proportional, Some(_)) => None,
        (_, k) => Some(k.unwrap_or(0)),
    }
}
