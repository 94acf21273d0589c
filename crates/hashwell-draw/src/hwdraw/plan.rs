//! The plan: all of a draw that is decided before the seed is known, and the commitment to it.

use super::frame::{Column, Columns, Frame, Kind, is_decimal, quoted};
use super::{hex, present};
use crate::key::OPEN_FRAME;
use crate::{Error, design};
use hashwell::{Sha256, Source};
use serde::{Deserialize, Serialize};

/// The name of the specification, docs/spec/draw.md.
pub const SPEC: &str = "hwdraw/1";

/// How rows are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Sparse Fisher–Yates over positions. The first picks of a larger k are those of a smaller one.
    Index,
    /// The smallest tickets. The first picks of a larger k are those of a smaller one.
    Ticket,
    /// The smallest exponential over weight: successive sampling.
    WeightedTicket,
    /// Each row whose ticket is below p.
    Bernoulli,
    /// A reservoir over rows in their order, for streams whose length nobody knows.
    Gap,
    /// With replacement.
    Replace,
    /// Inclusion proportional to weight: Madow's systematic sampling.
    PpsSystematic,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Index,
        Self::Ticket,
        Self::WeightedTicket,
        Self::Bernoulli,
        Self::Gap,
        Self::Replace,
        Self::PpsSystematic,
    ];

    /// Its name in plans.
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

    /// Whether it needs a weight in every row.
    #[must_use]
    pub fn is_weighted(self) -> bool {
        matches!(self, Self::WeightedTicket | Self::PpsSystematic)
    }

    /// Whether rows are chosen by tickets of their ids, and not by their positions.
    #[must_use]
    pub fn has_tickets(self) -> bool {
        matches!(self, Self::Ticket | Self::WeightedTicket | Self::Bernoulli)
    }

    /// Whether positions follow from n and k alone.
    #[must_use]
    pub fn is_of_positions(self) -> bool {
        matches!(self, Self::Index | Self::Gap | Self::Replace)
    }
}

/// How many picks each stratum gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allocation {
    /// k for each.
    Each,
    /// k for all together, in proportion to their rows, by largest remainder.
    Proportional,
}

/// A stratum and its share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stratum {
    /// Picks.
    pub k: u64,
    /// Its name.
    pub label: String,
    /// Rows.
    pub n: u64,
}

/// The frame as plans have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameNote {
    /// What stands in its rows.
    pub columns: Vec<Column>,
    /// F in hexadecimal.
    pub digest: String,
    /// Where its rows come from.
    pub kind: Kind,
}

/// All of a draw but its seed. Fields are in the order of their names, as its text is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// With strata alone.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub allocation: Option<Allocation>,
    /// What the draw is for.
    pub context: String,
    /// What is drawn from.
    pub frame: FrameNote,
    /// Picks; of each stratum with [`Allocation::Each`]. Not of [`Method::Bernoulli`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// How.
    pub method: Method,
    /// Rows of the frame.
    pub n: u64,
    /// Of [`Method::Bernoulli`] alone: the chance of each row, a decimal number of 0 to 1 with at most 38 decimals.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub p: Option<String>,
    /// Of weighted methods alone: decimals of the weights, 0 to 18.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub scale: Option<u32>,
    /// Where the seed is to come from, in words.
    pub seed_source: String,
    /// [`SPEC`].
    pub spec: String,
    /// The strata in the order of their labels' bytes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub strata: Option<Vec<Stratum>>,
    /// The source of words.
    pub words: String,
}

/// The most decimals of weights, so that 1 and more have room in 64 bits.
pub const MOST_SCALE: u32 = 18;

/// What whoever plans a draw decides beside the frame.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// What the draw is for.
    pub context: String,
    /// Picks.
    pub k: Option<u64>,
    /// The chance of each row.
    pub p: Option<String>,
    /// Decimals of the weights; by default as many as the longest of them has.
    pub scale: Option<u32>,
    /// How picks are shared out between strata, if they are.
    pub allocation: Option<Allocation>,
    /// Where the seed is to come from.
    pub seed_source: String,
    /// The source of words; by default `counter`.
    pub words: Option<String>,
}

impl Plan {
    /// The plan of a draw from a frame.
    ///
    /// # Errors
    /// As [`Plan::check`]; [`Error::OutOfRange`] for more picks than a stratum has rows.
    pub fn new(frame: &Frame, method: Method, wishes: Wishes) -> Result<Self, Error> {
        let scale = method.is_weighted().then(|| wishes.scale.unwrap_or_else(|| longest_scale(frame)));
        let mut plan = Self {
            allocation: wishes.allocation,
            context: wishes.context,
            frame: FrameNote {
                columns: frame.columns().names(),
                digest: hex(frame.digest()),
                kind: frame.kind(),
            },
            k: wishes.k,
            method,
            n: frame.len(),
            p: wishes.p,
            scale,
            seed_source: wishes.seed_source,
            spec: SPEC.to_owned(),
            strata: None,
            words: wishes.words.unwrap_or_else(|| "counter".to_owned()),
        };
        if let Some(allocation) = plan.allocation {
            plan.strata = Some(allocate(allocation, plan.k.unwrap_or(0), frame)?);
        }
        plan.check()?;
        Ok(plan)
    }

    /// Whether it is one: numbers in their ranges, no parameter missing, none too many.
    ///
    /// # Errors
    /// [`Error::Invalid`] or [`Error::OutOfRange`], which name what is wrong.
    pub fn check(&self) -> Result<(), Error> {
        let invalid = |reason: String| Err(Error::invalid("a plan of hwdraw/1", reason));
        if self.spec != SPEC {
            return invalid(format!("its specification is {}", quoted(&self.spec)));
        }
        let digest = self.frame.digest.as_bytes();
        if digest.len() != 64 || !digest.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return invalid(format!("the frame's digest is {}", quoted(&self.frame.digest)));
        }
        if self.frame.kind == Kind::Open && self.frame.digest != hex(&OPEN_FRAME) {
            return invalid("the digest of an open frame is 64 zeros".to_owned());
        }
        let columns = Columns::of_names(&self.frame.columns)?;
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
            return invalid("strata need a column, an allocation, and their sizes".to_owned());
        }
        if self.scale.is_some() != method.is_weighted() || self.p.is_some() != (method == Method::Bernoulli) {
            return invalid(format!("{} has other parameters", method.name()));
        }
        if self.scale.is_some_and(|scale| scale > MOST_SCALE) {
            return Err(Error::range(
                "the scale of weights",
                format!("0 to {MOST_SCALE} decimals"),
                self.scale.unwrap_or(0),
            ));
        }
        if self.frame.kind == Kind::Numbers && (columns != Columns::default() || method == Method::Gap) {
            return invalid(
                "the numbers 1 to n have neither weights nor strata, and gap is for lists".to_owned(),
            );
        }
        if self.p.as_deref().is_some_and(|p| !is_chance(p)) {
            let must = "a decimal number of 0 to 1 with at most 38 decimals, as 0.05";
            return Err(Error::range("p", must, quoted(self.p.as_deref().unwrap_or(""))));
        }
        self.source()?;
        self.check_sizes()?;
        self.check_strata()
    }

    /// The source of words.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown one.
    pub fn source(&self) -> Result<Source, Error> {
        let unknown = |_| Error::invalid("a source of words", quoted(&self.words));
        let source = Source::find(&self.words).map_err(unknown)?;
        // Other spellings would be another plan of the same draw.
        if source.name() == self.words {
            Ok(source)
        } else {
            Err(Error::invalid("a source of words", quoted(&self.words)))
        }
    }

    /// k, or one for each stratum, is from 1 to the rows there are.
    fn check_sizes(&self) -> Result<(), Error> {
        if self.method == Method::Bernoulli {
            let shared = self.strata.iter().flatten().any(|stratum| stratum.k != 0);
            return if self.k.is_none() && !shared {
                Ok(())
            } else {
                Err(Error::invalid("a plan of hwdraw/1", "bernoulli has no k"))
            };
        }
        let k = self
            .k
            .ok_or_else(|| Error::invalid("a plan of hwdraw/1", format!("{} needs k", self.method.name())))?;
        let unlimited = self.method == Method::Replace && self.allocation != Some(Allocation::Proportional);
        let most = if unlimited { u64::MAX } else { self.n };
        if self.allocation != Some(Allocation::Each) && !(1..=most).contains(&k) || k == 0 || self.n == 0 {
            return Err(Error::range("k", format!("1 to {most}"), k));
        }
        for stratum in self.strata.iter().flatten() {
            if stratum.k > stratum.n && self.method != Method::Replace {
                let must =
                    format!("at most {}, the rows of the stratum {}", stratum.n, quoted(&stratum.label));
                return Err(Error::range("k", must, stratum.k));
            }
        }
        Ok(())
    }

    /// The strata are in the order of their labels, none is empty, together they are the frame, and each has its share.
    fn check_strata(&self) -> Result<(), Error> {
        let (Some(strata), Some(allocation)) = (&self.strata, self.allocation) else { return Ok(()) };
        let invalid = |reason: &'static str| Err(Error::invalid("a plan of hwdraw/1", reason));
        if !strata.is_sorted_by(|a, b| a.label < b.label) {
            return invalid("the labels of its strata are not in their order, or one is there twice");
        }
        let rows: u128 = strata.iter().map(|stratum| u128::from(stratum.n)).sum();
        if rows != u128::from(self.n) || strata.iter().any(|stratum| stratum.n == 0) {
            return invalid("its strata have not n rows together, or one has none");
        }
        let sizes: Vec<(&str, u64)> = strata.iter().map(|stratum| (&*stratum.label, stratum.n)).collect();
        let shares = shares(allocation, self.k.unwrap_or(0), &sizes)?;
        if !strata.iter().map(|stratum| stratum.k).eq(shares) {
            return invalid("its strata have other shares of k than the allocation gives");
        }
        Ok(())
    }

    /// All picks together; `None` where only the draw tells.
    #[must_use]
    pub fn picks(&self) -> Option<u128> {
        match &self.strata {
            _ if self.method == Method::Bernoulli => None,
            Some(strata) => Some(strata.iter().map(|stratum| u128::from(stratum.k)).sum()),
            None => self.k.map(u128::from),
        }
    }

    /// Its text: JSON without blanks, keys sorted.
    ///
    /// # Panics
    /// Never: texts and whole numbers are JSON.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("texts and whole numbers")
    }

    /// SHA-256 of its text, which commits to all of the draw but the seed.
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        Sha256::digest(self.text().as_bytes())
    }
}

/// A decimal number of 0 to 1.
fn is_chance(p: &str) -> bool {
    let (whole, decimals) = p.split_once('.').unwrap_or((p, ""));
    let whole = whole.trim_start_matches('0');
    is_decimal(p)
        && decimals.len() <= 38
        && (whole.is_empty() || whole == "1" && decimals.bytes().all(|digit| digit == b'0'))
}

fn longest_scale(frame: &Frame) -> u32 {
    let decimals =
        |position| frame.weight(position).split_once('.').map_or(0, |(_, decimals)| decimals.len());
    (0..frame.len()).map(decimals).max().unwrap_or(0).try_into().unwrap_or(u32::MAX)
}

/// The strata of a frame and what each gets; in proportion by [`crate::design::allocate`].
///
/// # Errors
/// [`Error::Invalid`] for a frame without strata, [`Error::Memory`].
pub fn allocate(allocation: Allocation, k: u64, frame: &Frame) -> Result<Vec<Stratum>, Error> {
    if !frame.columns().stratum {
        return Err(Error::invalid("a frame with strata", "its rows have none"));
    }
    let sizes: Vec<(String, u64)> =
        frame.strata().into_iter().map(|(label, rows)| (label.to_owned(), rows.len() as u64)).collect();
    let shares = shares(allocation, k, &sizes)?;
    let strata = sizes.into_iter().zip(shares);
    Ok(strata.map(|((label, n), k)| Stratum { k, label, n }).collect())
}

/// What each stratum of a label and a size gets.
fn shares(allocation: Allocation, k: u64, sizes: &[(impl AsRef<[u8]>, u64)]) -> Result<Vec<u64>, Error> {
    match allocation {
        Allocation::Each => Ok(vec![k; sizes.len()]),
        Allocation::Proportional => design::allocate(k, sizes),
    }
}
