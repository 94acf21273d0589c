//! What is to be drawn, made of the options.

use super::stop::Stop;
use crate::options::sample_args::{self as args, SampleOptions};
use hashwell_draw::number::Ratio;

/// A design, with all that it needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Design {
    /// A fixed number of rows, of all or of each stratum.
    Slots(SlotsDesign),
    /// All rows of a fixed number of values of a column.
    Keys { column: String, k: usize },
    /// Each row by itself.
    Chance(Ratio),
    /// All rows of each value of a column, each value by itself.
    KeyChance { column: String, p: Ratio },
    /// Every nth row.
    Every(u64),
    /// All rows in random order.
    Shuffle,
}

/// A sample of a fixed number of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SlotsDesign {
    pub(super) k: usize,
    pub(super) kind: Kind,
    /// Of rows with weights.
    pub(super) weight: Option<Weight>,
    pub(super) by: Option<By>,
}

/// How rows get into slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Equal,
    Replace,
    Successive,
    Pps,
    WeightedReplace,
}

/// Where weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) column: String,
    /// The weight of rows that have none, as text.
    pub(super) missing: Option<String>,
}

/// Strata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct By {
    pub(super) column: String,
    /// k rows in all, not of each stratum.
    pub(super) proportional: bool,
}

impl Design {
    /// The design that the options ask for.
    pub(super) fn of(options: &SampleOptions) -> Result<Self, Stop> {
        if let Some(p) = &options.probability {
            return chance(options, p);
        }
        if let Some(n) = options.every {
            refuse_order(options, "--every")?;
            return Ok(Self::Every(n));
        }
        let Some(k) = options.rows else { return Ok(Self::Shuffle) };
        let k = usize::try_from(k)
            .map_err(|_| Stop::usage(format!("-n must be 0 to {}, not {k}", usize::MAX)))?;
        if let Some(column) = &options.key {
            return Ok(Self::Keys { column: column.clone(), k });
        }
        let kind = kind(options)?;
        let weight =
            options.weight.clone().map(|column| Weight { column, missing: options.missing_weight.clone() });
        let by = options.by.clone().map(|column| By { column, proportional: options.proportional });
        Ok(Self::Slots(SlotsDesign { k, kind, weight, by }))
    }

    /// The name of the method, in transcripts and states.
    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Slots(slots) => slots.kind.method(),
            Self::Keys { .. } => "ticket",
            Self::Chance(_) => "chance",
            Self::KeyChance { .. } => "bernoulli",
            Self::Every(_) => "every",
            Self::Shuffle => "shuffle",
        }
    }
}

impl Kind {
    pub(super) const ALL: [Self; 5] =
        [Self::Equal, Self::Replace, Self::Successive, Self::Pps, Self::WeightedReplace];

    /// Whether a row may be picked several times.
    pub(super) fn replaces(self) -> bool {
        matches!(self, Self::Replace | Self::WeightedReplace)
    }

    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Equal => "gap",
            Self::Replace => "replace",
            Self::Successive => "successive",
            Self::Pps => "pps",
            Self::WeightedReplace => "weighted-replace",
        }
    }
}

fn kind(options: &SampleOptions) -> Result<Kind, Stop> {
    match (&options.weight, options.design) {
        (Some(_), None) if options.replace => Ok(Kind::WeightedReplace),
        (Some(_), Some(args::Design::Successive)) => Ok(Kind::Successive),
        (Some(_), Some(args::Design::Pps)) => Ok(Kind::Pps),
        (Some(_), None) => Err(Stop::usage(
            "--weight needs --design: successive (drawn one after the other, so that heavy rows are picked less than in \
             proportion) or pps (probability in proportion to the weight)",
        )),
        (None, _) if options.replace => Ok(Kind::Replace),
        _ => Ok(Kind::Equal),
    }
}

fn chance(options: &SampleOptions, p: &str) -> Result<Design, Stop> {
    refuse_order(options, "-p")?;
    if options.exact {
        return Err(Stop::usage("--exact is of -n: with -p the number of rows is random"));
    }
    let p: Ratio = p.parse().map_err(|error: hashwell_draw::Error| Stop::usage(format!("-p: {error}")))?;
    Ok(match &options.key {
        Some(column) => Design::KeyChance { column: column.clone(), p },
        None => Design::Chance(p),
    })
}

/// What is written while it is read has the input's order.
fn refuse_order(options: &SampleOptions, option: &str) -> Result<(), Stop> {
    if options.order == args::Order::Draw {
        return Err(Stop::usage(format!("{option} writes rows as they come: --order draw is of -n")));
    }
    if options.state_out.is_some() || options.state_in.is_some() {
        return Err(Stop::usage(format!(
            "{option} keeps nothing between rows: its samples of parts, one after the other, are its sample of the whole"
        )));
    }
    Ok(())
}
