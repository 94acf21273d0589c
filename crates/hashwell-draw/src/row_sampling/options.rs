//! Turns the options of a front end into a request, by the rules of the table of methods.

use super::design::{Design, Fields, SlotsDesign, Stratify, Weight};
use super::methods::{Engine, METHODS, Method, Part};
use super::request::{Order, SamplingRequest};
use super::seed::{Seed, context_of};
use crate::{Error, hex};
use serde::Deserialize;
use std::fmt;

/// The options of a sample, as the command, Python and JavaScript accept them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SamplingOptions {
    /// The number of rows or keys to pick.
    pub k: Option<Amount>,
    /// The probability with which each row or key is picked, as text.
    pub p: Option<String>,
    /// The step of a systematic sample.
    pub step: Option<Amount>,
    /// True if all rows are requested, in random order.
    pub shuffle: bool,
    /// The columns whose values form the key of a row.
    pub group_by: Vec<String>,
    /// The column that contains the weights.
    pub weight: Option<String>,
    /// The meaning of the weights, which is one of the values of [`Method::weighting`].
    pub weighting: Option<String>,
    /// The default weight, which is used for rows without a weight.
    pub default_weight: Option<String>,
    /// True if rows are sampled with replacement.
    pub replace: bool,
    /// The columns that define the strata.
    pub stratify: Vec<String>,
    /// True if k rows are picked in total, and divided among the strata in proportion to the number of rows in each
    /// stratum. Otherwise, k rows are picked from each stratum.
    pub proportional: bool,
    /// The order of the picked rows.
    pub order: Order,
    /// True if having fewer than k rows is an error.
    pub exact: bool,
    /// True if the state of the sampler is read or written.
    pub state: bool,
    /// True if the rows that are not picked are also written.
    pub rest: bool,
    /// True if rows are printed with their tickets.
    pub ticket: bool,
    /// The seed as text.
    pub seed_text: Option<String>,
    /// The seed in hexadecimal.
    pub seed_hex: Option<String>,
    /// The name of the step or purpose for which the sample is drawn.
    pub context: String,
    /// The name of the part of the data (shard) from which the sample is drawn.
    pub shard: Option<String>,
}

/// A number from a front end. Some front ends pass a number as text, because it can have any size.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    /// A number.
    Number(u64),
    /// The text of a number.
    Text(String),
}

impl From<u64> for Amount {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl Amount {
    fn within(&self, part: Part, least: u64, most: u64) -> Result<u64, RequestError> {
        let number = match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        };
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| RequestError::Amount {
            part,
            least,
            most,
            got: match self {
                Self::Number(number) => number.to_string(),
                Self::Text(text) => text.clone(),
            },
        })
    }
}

/// The reason why options do not form a valid request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestError {
    /// The request does not have exactly one of the options in [`Part::AMOUNTS`].
    Amounts,
    /// Two options cannot be combined.
    Conflict {
        /// The first one.
        one: Part,
        /// The other one.
        other: Part,
    },
    /// An option requires another option, which is missing.
    Missing {
        /// The option that is missing.
        missing: Part,
        /// The option that needs it.
        of: Part,
    },
    /// The meaning of the weights is missing, or unknown.
    Weighting {
        /// The unknown value.
        got: Option<String>,
    },
    /// A number is out of its range.
    Amount {
        /// The option.
        part: Part,
        /// The smallest number allowed.
        least: u64,
        /// The largest number allowed.
        most: u64,
        /// The text or number that was given.
        got: String,
    },
    /// The probability is not a number from 0 to 1.
    Probability(Error),
    /// No method has this name.
    Method(String),
    /// A record names an algorithm that its method does not use.
    Algorithm(String),
    /// A record lacks a field that its method needs, or has one that its method does not accept.
    Field {
        /// The method.
        method: &'static str,
        /// The field.
        part: Part,
    },
    /// The seed is missing, or given twice.
    Seeds,
    /// The seed is not in hexadecimal.
    SeedHex(hex::Invalid),
}

/// The names that a front end gives to options.
pub trait Spelling {
    /// The short name of an option, for use in a sentence. Returns `None` if the front end does not have the option.
    fn name(&self, part: Part) -> Option<String>;

    /// The name of an option as the user writes it, such as `--weight <COL>`.
    fn argument(&self, part: Part) -> String {
        self.name(part).unwrap_or_else(|| format!("{part:?}"))
    }
}

/// The names of options in records.
struct Records;

impl Spelling for Records {
    fn name(&self, part: Part) -> Option<String> {
        Some(
            match part {
                Part::Size => "k",
                Part::Probability => "p",
                Part::Every => "step",
                Part::Shuffle => "shuffle",
                Part::GroupBy => "group_by",
                Part::Weight => "weight",
                Part::Weighting => "weighting",
                Part::DefaultWeight => "default_weight",
                Part::Replace => "replace",
                Part::Stratify => "stratify",
                Part::Proportional => "allocation",
                Part::Order => "order",
                Part::Exact => "exact",
                Part::State => "state",
                Part::Rest => "rest",
                Part::Ticket => "ticket",
                Part::Shard => "shard",
            }
            .to_owned(),
        )
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&Records))
    }
}

impl std::error::Error for RequestError {}

impl RequestError {
    /// The error message, in which options have the names that the front end gives to them.
    #[must_use]
    pub fn text(&self, spelling: &dyn Spelling) -> String {
        let name = |part| spelling.name(part).unwrap_or_else(|| spelling.argument(part));
        match self {
            Self::Amounts => {
                let mut amounts: Vec<String> =
                    Part::AMOUNTS.into_iter().filter_map(|part| spelling.name(part)).collect();
                let last = amounts.pop().unwrap_or_default();
                format!("give one of {} and {last}", amounts.join(", "))
            }
            Self::Conflict { one, other } => match (one, other) {
                (Part::Probability | Part::Every, Part::Order) => format!(
                    "{1} requires {2}: with {0}, rows are written in the order of the input",
                    name(*one),
                    name(Part::Order),
                    name(Part::Size)
                ),
                (Part::Probability, Part::Exact) => format!(
                    "{} requires {}: with {} the number of rows is random",
                    name(Part::Exact),
                    name(Part::Size),
                    name(*one)
                ),
                (Part::Probability | Part::Every, Part::State) => format!(
                    "{} needs no state: the concatenated samples of consecutive parts are the sample of the whole",
                    name(*one)
                ),
                _ => format!(
                    "the argument '{}' cannot be used with '{}'{}",
                    spelling.argument(*one),
                    spelling.argument(*other),
                    reason(*one, *other, &name)
                ),
            },
            Self::Missing { missing, of } => {
                let why = match of {
                    Part::Weighting => {
                        format!(" ({} says how weights are used, but no weights are given)", name(*of))
                    }
                    _ => format!(" ({} needs it)", name(*of)),
                };
                format!(
                    "the following required arguments were not provided: {}{why}",
                    spelling.argument(*missing)
                )
            }
            Self::Weighting { got } => {
                let known = || METHODS.iter().filter_map(|method| Some((method.weighting?, method)));
                match got {
                    Some(got) => {
                        let known: Vec<&str> = known().map(|(value, _)| value).collect();
                        format!("{} must be {}, not {got:?}", name(Part::Weighting), known.join(" or "))
                    }
                    None => {
                        let known: Vec<String> =
                            known().map(|(value, method)| format!("{value} ({})", method.meaning)).collect();
                        format!(
                            "{} needs {}: {}",
                            name(Part::Weight),
                            name(Part::Weighting),
                            known.join(" or ")
                        )
                    }
                }
            }
            Self::Amount { part, least, most, got } => {
                format!("{} must be {least} to {most}, not {got}", name(*part))
            }
            Self::Probability(error) => format!("{}: {error}", name(Part::Probability)),
            Self::Method(method) => format!("unknown method '{method}'"),
            Self::Algorithm(algorithm) => format!("the method does not support the algorithm '{algorithm}'"),
            Self::Field { method, part } => {
                let needs = Method::of_name(method).is_some_and(|method| method.needs(*part));
                let verb = if needs { "requires" } else { "does not accept" };
                format!("the method {method} {verb} the field {}", name(*part))
            }
            Self::Seeds => "a sample requires exactly one seed, as text or in hexadecimal".to_owned(),
            Self::SeedHex(invalid) => format!("a seed in hexadecimal: {invalid}"),
        }
    }
}

/// The reason why two options cannot be combined, if it is not obvious.
fn reason(one: Part, other: Part, name: &dyn Fn(Part) -> String) -> String {
    match (one, other) {
        (Part::GroupBy, Part::Shard) => {
            format!(": {} picks the same keys in every part of the data", name(Part::GroupBy))
        }
        (Part::GroupBy, _) => format!(": {} picks all rows of each key", name(Part::GroupBy)),
        (Part::Replace, Part::Weighting) => {
            format!(": with {}, weights have only one meaning", name(Part::Replace))
        }
        _ => String::new(),
    }
}

impl SamplingOptions {
    /// Reads options from a JSON object.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the text is not a JSON object, or has unknown keys or values of the wrong type.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        serde_json::from_slice(text.as_bytes())
            .map_err(|error| Error::invalid("valid sampling options", error.to_string()))
    }

    /// The design that the options select.
    ///
    /// # Errors
    /// Returns [`RequestError`] if options cannot be combined, if an option is missing, or if a value is out of its
    /// range.
    pub fn design(&self) -> Result<Design, RequestError> {
        let method = self.method()?;
        let k = || match &self.k {
            Some(k) => Ok(k.within(Part::Size, 0, usize::MAX as u64)? as usize),
            None => Err(RequestError::Field { method: method.name, part: Part::Size }),
        };
        let p = || {
            let text = self.p.as_deref().unwrap_or_default();
            text.parse().map_err(RequestError::Probability)
        };
        let columns = self.group_by.clone();
        let stratify = (!self.stratify.is_empty()).then(|| self.stratify.clone());
        Ok(match method.engine {
            Engine::Slots(kind) => Design::Slots(SlotsDesign {
                k: k()?,
                kind,
                weight: self
                    .weight
                    .clone()
                    .map(|column| Weight { column, default: self.default_weight.clone() }),
                stratify: stratify.map(|columns| Stratify { columns, proportional: self.proportional }),
            }),
            Engine::Keys => Design::Keys { columns, k: k()?, stratify },
            Engine::Chance => Design::Chance(p()?),
            Engine::KeyChance => Design::KeyChance { columns, p: p()? },
            Engine::Every => {
                let step =
                    self.step.as_ref().map(|step| step.within(Part::Every, 1, u64::MAX)).transpose()?;
                Design::Every(step.unwrap_or(1))
            }
            Engine::Shuffle => Design::Shuffle,
        })
    }

    /// The request that the options describe.
    ///
    /// # Errors
    /// Returns the same errors as [`SamplingOptions::design`]. Returns [`RequestError::Seeds`] if the seed is missing
    /// or given twice, or [`RequestError::SeedHex`] if it is not in hexadecimal.
    pub fn request(&self) -> Result<SamplingRequest, RequestError> {
        let design = self.design()?;
        let bytes = match (&self.seed_text, &self.seed_hex) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(digits)) => hex::decode_any_case(digits).map_err(RequestError::SeedHex)?,
            _ => return Err(RequestError::Seeds),
        };
        let seed =
            Seed { bytes, context: context_of(design.row().context, &self.context, self.shard.as_deref()) };
        Ok(SamplingRequest { seed, design, order: self.order })
    }

    fn has(&self, part: Part) -> bool {
        match part {
            Part::Size => self.k.is_some(),
            Part::Probability => self.p.is_some(),
            Part::Every => self.step.is_some(),
            Part::Shuffle => self.shuffle,
            Part::GroupBy => !self.group_by.is_empty(),
            Part::Weight => self.weight.is_some(),
            Part::Weighting => self.weighting.is_some(),
            Part::DefaultWeight => self.default_weight.is_some(),
            Part::Replace => self.replace,
            Part::Stratify => !self.stratify.is_empty(),
            Part::Proportional => self.proportional,
            Part::Order => self.order == Order::Draw,
            Part::Exact => self.exact,
            Part::State => self.state,
            Part::Rest => self.rest,
            Part::Ticket => self.ticket,
            Part::Shard => self.shard.is_some(),
        }
    }

    /// The method that accepts all given options and has all the options that it needs.
    fn method(&self) -> Result<&'static Method, RequestError> {
        let weighting = self.weighting.as_deref();
        if let Some(got) = weighting
            && METHODS.iter().all(|method| method.weighting != Some(got))
        {
            return Err(RequestError::Weighting { got: Some(got.to_owned()) });
        }
        if Part::AMOUNTS.into_iter().filter(|part| self.has(*part)).count() != 1 {
            return Err(RequestError::Amounts);
        }
        let same = |method: &&Method| {
            weighting.is_none() || method.weighting.is_none_or(|own| weighting == Some(own))
        };
        let mut left: Vec<&'static Method> = METHODS.iter().filter(same).collect();
        let mut given: Vec<Part> = Vec::new();
        for part in Part::ALL.into_iter().filter(|part| self.has(*part)) {
            let narrowed: Vec<&'static Method> =
                left.iter().copied().filter(|method| method.allows(part)).collect();
            if narrowed.is_empty() {
                // The first option that no method accepts together with this one, or else the last one given.
                let conflicts =
                    |one: &&Part| !METHODS.iter().any(|method| method.allows(**one) && method.allows(part));
                let other = given.iter().find(conflicts).or(given.last()).copied();
                let one = other.unwrap_or(part);
                return Err(RequestError::Conflict { one, other: part });
            }
            left = narrowed;
            given.push(part);
        }
        if let Some(method) = left.iter().find(|method| method.needs.iter().all(|part| self.has(*part))) {
            return self.check(method);
        }
        // Each of the remaining methods lacks an option. Find the method that lacks the fewest options, and report one
        // of these.
        let lacks = |method: &&&'static Method| method.needs.iter().filter(|part| !self.has(**part)).count();
        let nearest = left.iter().min_by_key(lacks).copied().unwrap_or(&METHODS[0]);
        let missing = nearest.needs.iter().copied().find(|part| !self.has(*part)).unwrap_or(Part::Size);
        if missing == Part::Weighting {
            return Err(RequestError::Weighting { got: None });
        }
        Err(RequestError::Missing { missing, of: given.last().copied().unwrap_or(missing) })
    }

    /// Checks options that need another option; the table of methods cannot express this.
    fn check(&self, method: &'static Method) -> Result<&'static Method, RequestError> {
        for (of, missing) in [(Part::Proportional, Part::Stratify), (Part::DefaultWeight, Part::Weight)] {
            if self.has(of) && !self.has(missing) {
                return Err(RequestError::Missing { missing, of });
            }
        }
        Ok(method)
    }
}

impl TryFrom<Fields> for Design {
    type Error = RequestError;

    /// The design of a record, checked by the same rules as a design from options.
    fn try_from(fields: Fields) -> Result<Self, RequestError> {
        let method =
            Method::of_name(&fields.method).ok_or_else(|| RequestError::Method(fields.method.clone()))?;
        if fields.algorithm.as_deref() != method.algorithm {
            return Err(RequestError::Algorithm(fields.algorithm.unwrap_or_default()));
        }
        let (stratify, proportional) =
            fields.stratify.map(|stratify| (stratify.columns, stratify.proportional)).unwrap_or_default();
        let options = SamplingOptions {
            k: fields.k.map(Amount::Number),
            p: fields.p,
            step: fields.step.map(Amount::Number),
            shuffle: method.needs(Part::Shuffle),
            group_by: fields.group_by.map(|names| names.0).unwrap_or_default(),
            weighting: method.weighting.map(str::to_owned),
            default_weight: fields.weight.as_ref().and_then(|weight| weight.default.clone()),
            weight: fields.weight.map(|weight| weight.column),
            replace: method.needs(Part::Replace),
            stratify,
            proportional,
            ..SamplingOptions::default()
        };
        let disagrees = |part: &Part| {
            let has = options.has(*part);
            has && !method.allows(*part) || !has && method.needs(*part)
        };
        match Part::ALL.into_iter().find(disagrees) {
            Some(part) => Err(RequestError::Field { method: method.name, part }),
            None => options.design(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(json: &str) -> SamplingOptions {
        serde_json::from_str(json).expect("options")
    }

    #[test]
    fn options_choose_a_method() {
        for (json, method) in [
            (r#"{"k": 3}"#, "gap"),
            (r#"{"k": "3", "stratify": ["g"], "proportional": true, "exact": true}"#, "gap"),
            (r#"{"k": 3, "replace": true}"#, "replace"),
            (r#"{"k": 3, "weight": "w", "weighting": "pps", "default_weight": "0"}"#, "pps"),
            (r#"{"k": 3, "weight": "w", "weighting": "successive", "state": true}"#, "successive"),
            (r#"{"k": 3, "weight": "w", "replace": true}"#, "weighted-replace"),
            (r#"{"k": 3, "group_by": ["c"], "ticket": true}"#, "ticket"),
            (r#"{"p": "1/3", "shard": "a"}"#, "chance"),
            (r#"{"p": "0.5", "group_by": ["c", "d"]}"#, "bernoulli"),
            (r#"{"step": 3}"#, "every"),
            (r#"{"shuffle": true}"#, "shuffle"),
        ] {
            assert_eq!(options(json).design().map(|design| design.method()), Ok(method), "{json}");
        }
    }

    #[test]
    fn options_that_do_not_go_together_are_named() {
        for (json, text) in [
            ("{}", "give one of k, p, step and shuffle"),
            (r#"{"k": 1, "p": "0.5"}"#, "give one of "),
            (r#"{"k": -1}"#, ""),
            (r#"{"k": "-1"}"#, "k must be 0 to "),
            (r#"{"step": 0}"#, "step must be 1 to 18446744073709551615, not 0"),
            (r#"{"p": "1.5"}"#, "p: a probability must be "),
            (r#"{"k": 1, "weight": "w"}"#, "weight needs weighting: successive ("),
            (
                r#"{"k": 1, "weight": "w", "weighting": "x"}"#,
                "weighting must be successive or pps, not \"x\"",
            ),
            (r#"{"k": 1, "weighting": "pps"}"#, "the following required arguments were not provided: weight"),
            (
                r#"{"k": 1, "default_weight": "1"}"#,
                "the following required arguments were not provided: weight",
            ),
            (
                r#"{"k": 1, "proportional": true}"#,
                "the following required arguments were not provided: stratify",
            ),
            (r#"{"p": "0.1", "weight": "w"}"#, "the argument 'p' cannot be used with 'weight'"),
            (
                r#"{"p": "0.1", "order": "draw"}"#,
                "order requires k: with p, rows are written in the order of the input",
            ),
            (r#"{"p": "0.1", "exact": true}"#, "exact requires k: with p the number of rows is random"),
            (r#"{"step": 2, "state": true}"#, "step needs no state: "),
            (r#"{"shuffle": true, "replace": true}"#, "the argument 'shuffle' cannot be used with 'replace'"),
            (
                r#"{"k": 1, "group_by": ["c"], "replace": true}"#,
                "the argument 'group_by' cannot be used with 'replace': ",
            ),
            (
                r#"{"k": 1, "group_by": ["c"], "shard": "x"}"#,
                "the argument 'group_by' cannot be used with 'shard': ",
            ),
            (
                r#"{"k": 1, "replace": true, "rest": true}"#,
                "the argument 'replace' cannot be used with 'rest'",
            ),
            (
                r#"{"k": 1, "replace": true, "weighting": "pps", "weight": "w"}"#,
                "the argument 'replace' cannot be ",
            ),
            (r#"{"k": 1, "ticket": true}"#, "the following required arguments were not provided: group_by"),
            (r#"{"k": 1}"#, "a sample requires exactly one seed"),
            (r#"{"k": 1, "seed_hex": "0"}"#, "a seed in hexadecimal: "),
        ] {
            let Ok(options) = serde_json::from_str::<SamplingOptions>(json) else {
                assert!(text.is_empty(), "{json}");
                continue;
            };
            let error = options.request().expect_err(json).to_string();
            assert!(!text.is_empty() && error.starts_with(text), "{json}: {error}");
        }
    }

    #[test]
    fn designs_of_records_are_read_again() {
        for json in [
            r#"{"k":3,"method":"gap"}"#,
            r#"{"k":3,"method":"gap","stratify":{"allocation":"proportional","column":["a","b"]}}"#,
            r#"{"algorithm":"chao","k":3,"method":"pps","weight":{"column":"w","default":null}}"#,
            r#"{"k":3,"method":"weighted-replace","weight":{"column":"w","default":"1"}}"#,
            r#"{"group_by":"c","k":3,"method":"ticket","stratify":{"allocation":"each","column":"g"}}"#,
            r#"{"group_by":["c","d"],"method":"bernoulli","p":"1/3"}"#,
            r#"{"method":"every","step":7}"#,
            r#"{"method":"shuffle"}"#,
        ] {
            let design: Design = serde_json::from_str(json).expect(json);
            let again = serde_json::to_value(&design).expect(json);
            assert_eq!(again.to_string(), json);
        }
        for json in [
            r#"{"k":3,"method":"x"}"#,
            r#"{"method":"gap"}"#,
            r#"{"k":3,"method":"gap","weight":{"column":"w","default":null}}"#,
            r#"{"k":3,"method":"gap","p":"1/2"}"#,
            r#"{"k":3,"method":"pps","weight":{"column":"w","default":null}}"#,
            r#"{"k":3,"method":"gap","stratify":{"allocation":"some","column":"a"}}"#,
            r#"{"k":3,"method":"gap","stratify":{"allocation":"each","column":[]}}"#,
            r#"{"k":3,"method":"gap","more":1}"#,
            r#"{"group_by":"c","k":3,"method":"ticket","stratify":{"allocation":"proportional","column":"g"}}"#,
        ] {
            assert!(serde_json::from_str::<Design>(json).is_err(), "{json}");
        }
    }
}
