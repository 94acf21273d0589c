//! Sampling designs, in the JSON form of records.

use super::kind::Kind;
use super::methods::{Engine, Method};
use crate::number::Ratio;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A design with its parameters. Columns are given by their names. The program that reads the rows provides the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Design {
    /// A fixed number of rows, in total or for each stratum.
    Slots(SlotsDesign),
    /// A fixed number of values of some columns, in total or for each stratum. All rows with a selected value are in
    /// the sample.
    Keys {
        /// The columns of the key.
        columns: Vec<String>,
        /// The number of keys picked.
        k: usize,
        /// The columns of the strata.
        stratify: Option<Vec<String>>,
    },
    /// Each row is selected independently, with this probability.
    Chance(Ratio),
    /// Each value of these columns is selected independently, with this probability. All rows with a selected value are
    /// in the sample.
    KeyChance {
        /// The columns of the key.
        columns: Vec<String>,
        /// The probability of each value.
        p: Ratio,
    },
    /// Every n-th row.
    Every(u64),
    /// All rows in random order.
    Shuffle,
}

/// A sample of a fixed number of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotsDesign {
    /// The number of rows picked, in total or for each stratum.
    pub k: usize,
    /// The kind of sampler.
    pub kind: Kind,
    /// The weights of the rows, if they have weights.
    pub weight: Option<Weight>,
    /// The strata, if there are any.
    pub stratify: Option<Stratify>,
}

/// The column that contains the weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The name of the column.
    pub column: String,
    /// The default weight, as text, for rows without a weight.
    pub default: Option<String>,
}

/// The strata of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stratify {
    /// The columns that form the label of a stratum.
    #[serde(rename = "column", with = "names")]
    pub columns: Vec<String>,
    /// True if k is the total number of rows, not the number for each stratum.
    #[serde(rename = "allocation", with = "allocation")]
    pub proportional: bool,
}

impl Design {
    /// The method's entry in the table of methods.
    #[must_use]
    pub fn row(&self) -> &'static Method {
        Method::of_engine(match self {
            Self::Slots(slots) => Engine::Slots(slots.kind),
            Self::Keys { .. } => Engine::Keys,
            Self::Chance(_) => Engine::Chance,
            Self::KeyChance { .. } => Engine::KeyChance,
            Self::Every(_) => Engine::Every,
            Self::Shuffle => Engine::Shuffle,
        })
    }

    /// The name of the method that records and states use.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.row().name
    }

    pub(super) fn fields(&self) -> Fields {
        let row = self.row();
        let empty = Fields {
            method: row.name.to_owned(),
            algorithm: row.algorithm.map(str::to_owned),
            ..Fields::default()
        };
        match self.clone() {
            Self::Slots(SlotsDesign { k, kind: _, weight, stratify }) => {
                Fields { k: Some(k as u64), weight, stratify, ..empty }
            }
            Self::Keys { columns, k, stratify } => {
                let stratify = stratify.map(|columns| Stratify { columns, proportional: false });
                Fields { k: Some(k as u64), group_by: Some(Names(columns)), stratify, ..empty }
            }
            Self::Chance(p) => Fields { p: Some(p.to_string()), ..empty },
            Self::KeyChance { columns, p } => {
                Fields { group_by: Some(Names(columns)), p: Some(p.to_string()), ..empty }
            }
            Self::Every(step) => Fields { step: Some(step), ..empty },
            Self::Shuffle => empty,
        }
    }
}

/// The fields of a design in a record.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    pub(super) method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) algorithm: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) k: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) p: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) group_by: Option<Names>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) weight: Option<Weight>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stratify: Option<Stratify>,
}

/// Names of columns: a string for a single name, an array for several.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Names(#[serde(with = "names")] pub(super) Vec<String>);

mod names {
    use super::*;
    use serde::de::Error;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrSeveral {
        One(String),
        Several(Vec<String>),
    }

    pub(super) fn serialize<S: Serializer>(names: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        match names {
            [name] => name.serialize(serializer),
            names => names.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        match OneOrSeveral::deserialize(deserializer)? {
            OneOrSeveral::One(name) => Ok(vec![name]),
            OneOrSeveral::Several(names) if names.is_empty() => {
                Err(D::Error::custom("the list of columns is empty"))
            }
            OneOrSeveral::Several(names) => Ok(names),
        }
    }
}

mod allocation {
    use super::*;
    use serde::de::Error;

    const EACH: &str = "each";
    const PROPORTIONAL: &str = "proportional";

    pub(super) fn serialize<S: Serializer>(proportional: &bool, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if *proportional { PROPORTIONAL } else { EACH })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        match &String::deserialize(deserializer)?[..] {
            EACH => Ok(false),
            PROPORTIONAL => Ok(true),
            other => Err(D::Error::custom(format_args!("unknown allocation {other:?}"))),
        }
    }
}
