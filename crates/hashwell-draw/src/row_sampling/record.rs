//! Records of samples, which others can use to check the samples. `docs/spec/sampling.md` explains the fields.

use super::design::Design;
use super::methods::Part;
use super::request::{Order, SamplingRequest};
use super::sample::Form;
use super::seed::{SAMPLE, Seed, parts_of_context};
use super::slots::WeightSum;
use crate::strict::Shape;
use crate::{Error, Key, hex};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;

/// The name of the specification that records follow.
pub const SPEC: &str = "hashwell sample/1";

/// Checks that all JSON readers find the same values in a record: no object has a duplicate key, and numbers are
/// integers in plain digits. It does not check which fields exist.
///
/// # Errors
/// Returns [`Error::Invalid`] if the record fails one of these checks. The error contains the line and column.
pub fn check_record(json: &[u8]) -> Result<(), Error> {
    const SHAPE: Shape =
        Shape { what: WHAT, arrays: &["column", "group_by", "picks", "weights", "certain"], literals: true };
    SHAPE.check(json)
}

const WHAT: &str = "a transcript of hashwell sample";

/// The way in which the rows of an input were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputForm {
    /// The format of the rows.
    #[serde(rename = "format")]
    pub form: Form,
    /// True if the input has a header.
    pub header: bool,
    /// True if fields were read as quoted although the format has no quotes.
    pub quotes: bool,
    /// The differences of the input from the usual form of its format.
    #[serde(default, skip_serializing_if = "Dialect::is_usual")]
    pub dialect: Dialect,
}

/// The differences of a text from the usual form of its format. A record contains only the fields that differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// The delimiter, an ASCII character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The quote, an ASCII character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<char>,
    /// The ASCII character that begins comment lines, which are not rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<char>,
    /// The encoding, if the text is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

impl Dialect {
    /// Returns true if there are no differences.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The contents of a record.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The seed and its context.
    pub seed: &'a Seed,
    /// The design.
    pub design: &'a Design,
    /// The format of the rows.
    pub form: Form,
    /// True if the input has a header.
    pub header: bool,
    /// True if fields were read as quoted although the format has no quotes.
    pub quotes: bool,
    /// The differences of the input from the usual form of its format.
    pub dialect: Dialect,
    /// True if rows are in the order of drawing.
    pub of_drawing: bool,
    /// The number of rows of the input.
    pub n: u64,
    /// The numbers of the picked rows, in the order in which the rows are written. Numbers start at 1.
    pub picks: Vec<u64>,
    /// The SHA-256 of the rows in that order, without the header and the tickets. `None` if the rows have no bytes.
    pub rows_sha256: Option<[u8; 32]>,
    /// For weighted designs, the sums that are needed to estimate totals ([`Sample::weights`](super::Sample::weights)).
    pub weights: Vec<WeightSum>,
    /// The program that drew the sample.
    pub program: &'a str,
}

impl Record<'_> {
    /// The record as JSON, with a newline at the end.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{:#}\n", self.json())
    }

    /// The JSON object; serde_json sorts its keys.
    fn json(&self) -> Value {
        let input = InputForm {
            form: self.form,
            header: self.header,
            quotes: self.quotes,
            dialect: self.dialect.clone(),
        };
        let mut value = json!({
            "context": self.seed.context,
            "design": self.design,
            "input": input,
            "key": hex::encode(&self.seed.key().0),
            "list": "open",
            "n": self.n,
            "order": if self.of_drawing { Order::Draw } else { Order::Input },
            "picks": self.picks,
            "program": self.program,
            "random_source": "counter",
            "rows_sha256": self.rows_sha256.map(|digest| hex::encode(&digest)),
            "seed_hex": hex::encode(&self.seed.bytes),
            "seed_text": std::str::from_utf8(&self.seed.bytes).ok(),
            "spec": SPEC,
        });
        let sums: Vec<Value> = self.weights.iter().map(weight_sum).collect();
        match &self.weights[..] {
            [] => {}
            [WeightSum { stratum: None, .. }] => value["weights"] = sums[0].clone(),
            _ => value["weights"] = json!(sums),
        }
        value
    }
}

fn weight_sum(weights: &WeightSum) -> Value {
    let mut value = json!({ "certain": weights.certain, "sum": weights.sum });
    if let Some(stratum) = &weights.stratum {
        value["stratum"] = json!(stratum);
    }
    value
}

/// A record that was read. It contains the request, and all fields of the record, which are compared with those of a
/// repeated sample.
#[derive(Clone, Debug)]
pub struct SavedRecord {
    /// The request.
    pub request: SamplingRequest,
    /// The way in which the rows were read.
    pub input: InputForm,
    fields: Map<String, Value>,
}

/// The fields that describe the picks and the input.
#[derive(Deserialize)]
struct Head {
    seed_hex: String,
    context: String,
    design: Design,
    order: Order,
    input: InputForm,
}

impl SavedRecord {
    /// Reads a record, or returns `None` if the bytes do not look like a record.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if JSON readers may find different values in the record, or if a field has an invalid
    /// value.
    pub fn read(json: &[u8]) -> Option<Result<Self, Error>> {
        let Ok(Value::Object(fields)) = serde_json::from_slice(json) else { return None };
        let is_one = fields.get("spec").and_then(Value::as_str) == Some(SPEC);
        is_one.then(|| check_record(json).and_then(|()| Self::of(fields)))
    }

    fn of(fields: Map<String, Value>) -> Result<Self, Error> {
        let wrong = || Error::invalid(WHAT, "a field is missing, or its value has the wrong type");
        let head = Value::Object(fields.clone());
        let Head { seed_hex, context, design, order, input } =
            serde_json::from_value(head).map_err(|_| wrong())?;
        let bytes = hex::decode_any_case(&seed_hex).map_err(|_| wrong())?;
        let method = design.row();
        let Some((_, shard)) = parts_of_context(method.context, &context) else {
            // In older versions, methods that now have their own context used the common context.
            if parts_of_context(SAMPLE, &context).is_some() {
                let reason = format!(
                    "a version of hashwell before 0.1.0 drew this sample with the context {SAMPLE}; the design {} now \
                     uses the context {} and gives different picks (verify the sample with that version)",
                    method.name, method.context
                );
                return Err(Error::invalid(WHAT, reason));
            }
            return Err(wrong());
        };
        if shard.is_some() && !method.allows(Part::Shard)
            || order == Order::Draw && !method.allows(Part::Order)
            || input.header && matches!(input.form, Form::JsonLines | Form::Parquet)
        {
            return Err(Error::invalid(WHAT, "its fields do not describe a design"));
        }
        // Otherwise, verifying a short record could need memory for any number of picks.
        let picks = fields.get("picks").and_then(Value::as_array).map_or(0, Vec::len);
        if let Design::Slots(slots) = &design
            && slots.kind.replaces()
            && picks < slots.k
            && (picks > 0 || slots.weight.is_none() && fields.get("n").and_then(Value::as_u64) != Some(0))
        {
            return Err(Error::invalid(
                WHAT,
                format!("it has {picks} picks, but its design {} picks", slots.k),
            ));
        }
        Ok(Self { request: SamplingRequest { design, order, seed: Seed { bytes, context } }, input, fields })
    }

    /// Returns true if the record contains this key, in hexadecimal.
    #[must_use]
    pub fn has_key(&self, key: &Key) -> bool {
        self.fields.get("key").and_then(Value::as_str) == Some(&hex::encode(&key.0))
    }

    /// Finds the fields in which this record differs from `drawn`, the record of the repeated sample. The program is
    /// not compared.
    #[must_use]
    pub fn differences(&self, drawn: &Record<'_>) -> Vec<Difference> {
        let Value::Object(drawn) = drawn.json() else { return Vec::new() };
        let mut names: Vec<&String> = self.fields.keys().chain(drawn.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let said = &self.fields;
        let differ = |name: &&String| *name != "program" && said.get(*name) != drawn.get(*name);
        let difference = |name: &String| Difference {
            field: name.clone(),
            said: said.get(name).cloned(),
            drawn: drawn.get(name).cloned(),
        };
        names.into_iter().filter(differ).map(difference).collect()
    }
}

/// A field whose value in the record differs from the value for the repeated sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the field.
    pub field: String,
    /// The value in the record.
    pub said: Option<Value>,
    /// The value in the repeated sample.
    pub drawn: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 80;
        let shown =
            |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
        let (said, drawn) = (shown(&self.said), shown(&self.drawn));
        if said.len().max(drawn.len()) > LONGEST {
            write!(f, "{} differs", self.field)
        } else {
            write!(f, "{} is {drawn}, not {said}", self.field)
        }
    }
}
