//! A record of a sample, by which others recheck it. Its fields are explained in `docs/sampling.md`.

use super::design::{Design, Kind};
use super::sample::Form;
use super::seed::Seed;
use crate::hex;
use serde_json::{Value, json};

/// The specification that a record is of.
pub const SPEC: &str = "hashwell sample/1";

/// All that a record says.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The seed and its context.
    pub seed: &'a Seed,
    /// The design.
    pub design: &'a Design,
    /// What rows are.
    pub form: Form,
    /// Whether the input has a header.
    pub header: bool,
    /// Whether fields were read as quoted where the format has no quotes.
    pub quotes: bool,
    /// Whether rows are in the order of drawing.
    pub of_drawing: bool,
    /// Rows of the input.
    pub n: u64,
    /// Numbers of the rows picked, from 1, in the order in which they are written.
    pub picks: Vec<u64>,
    /// SHA-256 of the rows in that order, header and tickets left out; where rows have bytes.
    pub rows_sha256: Option<[u8; 32]>,
    /// Who drew.
    pub program: &'a str,
}

impl Record<'_> {
    /// The record as JSON, with the newline at its end.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{:#}\n", self.json())
    }

    /// Keys are sorted by serde_json, whose objects are in the order of their keys.
    fn json(&self) -> Value {
        json!({
            "context": self.seed.context,
            "design": design(self.design),
            "frame": "open",
            "input": { "format": self.form.name(), "header": self.header, "quotes": self.quotes },
            "key": hex::encode(&self.seed.key().0),
            "n": self.n,
            "order": if self.of_drawing { "draw" } else { "input" },
            "picks": self.picks,
            "program": self.program,
            "rows_sha256": self.rows_sha256.map(|digest| hex::encode(&digest)),
            "seed_hex": hex::encode(&self.seed.bytes),
            "seed_text": std::str::from_utf8(&self.seed.bytes).ok(),
            "spec": SPEC,
            "words": "counter",
        })
    }
}

/// One name as a text, several as an array.
fn names(columns: &[String]) -> Value {
    match columns {
        [column] => json!(column),
        columns => json!(columns),
    }
}

/// The method and its parameters.
fn design(design: &Design) -> Value {
    let method = design.method();
    match design {
        Design::Slots(slots) => {
            let mut value = json!({ "k": slots.k, "method": method });
            if let Some(weight) = &slots.weight {
                value["weight"] = json!({ "column": weight.column, "missing": weight.missing });
            }
            if let Some(by) = &slots.by {
                let allocation = if by.proportional { "proportional" } else { "each" };
                value["strata"] = json!({ "allocation": allocation, "column": names(&by.columns) });
            }
            if slots.kind == Kind::Pps {
                value["algorithm"] = json!("chao");
            }
            value
        }
        Design::Keys { columns, k, by } => {
            let mut value = json!({ "k": k, "key": names(columns), "method": method });
            if let Some(by) = by {
                value["strata"] = json!({ "allocation": "each", "column": names(by) });
            }
            value
        }
        Design::Chance(p) => json!({ "method": method, "p": p.to_string() }),
        Design::KeyChance { columns, p } => {
            json!({ "key": names(columns), "method": method, "p": p.to_string() })
        }
        Design::Every(step) => json!({ "method": method, "step": step }),
        Design::Shuffle => json!({ "method": method }),
    }
}
