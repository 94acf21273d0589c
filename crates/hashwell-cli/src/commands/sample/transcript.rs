//! `--transcript`: a record of a sample, by which others recheck it. Its fields are explained in `docs/sampling.md`.

use super::made::Shape;
use super::output::Sink;
use super::plan::{Design, Kind};
use super::seed::Seed;
use super::stop::Stop;
use crate::options::sample_args::{Order, SampleOptions};
use data_encoding::HEXLOWER;
use hashwell::Sha256;
use hashwell_rows::Format;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// The specification that a transcript is of.
pub(super) const SPEC: &str = "hashwell sample/1";

/// SHA-256 of the rows in the order in which they are written, header and tickets left out; where it is wanted.
pub(super) struct Digest(Option<Sha256>);

impl Digest {
    pub(super) fn new(options: &SampleOptions) -> Self {
        Self(options.transcript.is_some().then(Sha256::new))
    }

    /// Of nothing.
    pub(super) fn none() -> Self {
        Self(None)
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn add(&mut self, row: &[u8]) {
        if let Some(hash) = &mut self.0 {
            hash.update(row);
        }
    }
}

/// Rows of tables, which have no bytes, as JSON lines.
impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All that a record says.
pub(super) struct Transcript<'a> {
    pub(super) seed: &'a Seed,
    pub(super) design: &'a Design,
    pub(super) options: &'a SampleOptions,
    pub(super) shape: Shape,
    /// Rows of the input.
    pub(super) n: u64,
    /// Their numbers, from 1, in the order in which they are written.
    pub(super) picks: Vec<u64>,
    pub(super) digest: Digest,
}

impl Transcript<'_> {
    /// The record in its file, which has no name yet.
    pub(super) fn sink(self, path: &Path) -> Result<Sink, Stop> {
        let mut sink = Sink::open(Some(path), b'\n')?;
        sink.row(format!("{:#}\n", self.json()).as_bytes())?;
        Ok(sink)
    }

    /// Keys are sorted by serde_json, whose objects are in the order of their keys.
    fn json(self) -> Value {
        let digest = self.digest.0.map(|hash| HEXLOWER.encode(&hash.finalize()));
        json!({
            "context": self.seed.context,
            "design": design(self.design),
            "frame": "open",
            "input": {
                "format": format_name(self.shape.format),
                "header": self.shape.header.is_some(),
                "quotes": self.options.quotes,
            },
            "key": HEXLOWER.encode(&self.seed.key().0),
            "n": self.n,
            "order": if self.options.order == Order::Draw { "draw" } else { "input" },
            "picks": self.picks,
            "program": concat!("hashwell ", env!("CARGO_PKG_VERSION")),
            "rows_sha256": digest,
            "seed_hex": HEXLOWER.encode(&self.seed.public.bytes),
            "seed_text": std::str::from_utf8(&self.seed.public.bytes).ok(),
            "spec": SPEC,
            "words": "counter",
        })
    }
}

/// Formats and the options that ask for them.
const FORMAT_OPTIONS: [(Format, &str); 5] = [
    (Format::Nul, "zero"),
    (Format::Csv, "csv"),
    (Format::Tsv, "tsv"),
    (Format::JsonLines, "jsonl"),
    (Format::Parquet, "parquet"),
];

/// The format that no option asks for.
const LINES: &str = "lines";

/// As the option that asks for it.
fn format_name(format: Format) -> &'static str {
    FORMAT_OPTIONS.iter().find(|(of, _)| *of == format).map_or(LINES, |(_, name)| name)
}

/// The option that asks for the format of this name, if one does; `None` for a name that is no format's. A name from a
/// transcript may be anything, an option that writes a file among it.
pub(super) fn format_option(name: &str) -> Option<Option<String>> {
    let known = name == LINES || FORMAT_OPTIONS.iter().any(|(_, format)| *format == name);
    known.then(|| (name != LINES).then(|| format!("--{name}")))
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
                value["strata"] = json!({ "allocation": allocation, "column": by.column });
            }
            if slots.kind == Kind::Pps {
                value["algorithm"] = json!("chao");
            }
            value
        }
        Design::Keys { column, k } => json!({ "k": k, "key": column, "method": method }),
        Design::Chance(p) => json!({ "method": method, "p": p.to_string() }),
        Design::KeyChance { column, p } => json!({ "key": column, "method": method, "p": p.to_string() }),
        Design::Every(step) => json!({ "method": method, "step": step }),
        Design::Shuffle => json!({ "method": method }),
    }
}
