//! What a run of `hashwell speed` leaves behind: the types are the JSON. Tables, charts and comparisons are made
//! from it alone, so that an old file gives them again.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// [`Report::schema`] of this version.
pub const SCHEMA: &str = "hashwell-speed/1";

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name and version of this format.
    pub schema: String,
    /// Where it ran.
    pub machine: Machine,
    /// How.
    pub run: Run,
    /// Everybody who was looked for.
    pub providers: Vec<Provider>,
    /// Who has what, by probing.
    pub availability: Vec<Availability>,
    /// The measurements. Rows of one [`Group`] were interleaved: sample `r` of process `p` of one row belongs to
    /// the same moments as that of another.
    pub rows: Vec<Row>,
}

/// Where it ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the CPU.
    pub cpu: String,
    /// Features of the CPU that kernels ask for and this one has.
    pub features: Vec<String>,
    /// Logical cores of this process.
    pub cores: usize,
    /// Operating system and kernel.
    pub os: String,
    /// Compiler of this program.
    pub compiler: String,
    /// Core clock at the start, GHz, calibrated by a chain of dependent additions.
    pub clock_ghz: f64,
    /// Ticks of the time-stamp counter per nanosecond, where there is one.
    pub tsc_ghz: Option<f64>,
    /// Load averages over 1, 5 and 15 minutes at the start.
    pub load: Option<[f64; 3]>,
    /// What else the user should know, by name: governor, hypervisor, virtual machine.
    pub notes: BTreeMap<String, String>,
}

/// How it ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of hashwell.
    pub version: String,
    /// Commit it was built from, if known.
    pub commit: Option<String>,
    /// The command line.
    pub command: Vec<String>,
    /// Start, RFC 3339 in UTC.
    pub started: String,
    /// Duration, seconds.
    pub seconds: f64,
    /// Whether this was the quick mode.
    pub quick: bool,
    /// False if it was stopped: what is there is right, rows and cells are missing.
    pub complete: bool,
    /// Processes that measured everything.
    pub processes: usize,
    /// Rounds of each process that were kept, at most.
    pub rounds: usize,
    /// What counted cycles: `dependent chain` or `hardware counter`.
    pub cycle_source: String,
    /// Lines for the user: wrong digests, noise.
    pub complaints: Vec<String>,
}

/// Somebody who hashes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provider {
    /// Short name, as in [`Row::provider`].
    pub name: String,
    /// Version, in its own words.
    pub version: Option<String>,
    /// File it was loaded from.
    pub path: Option<String>,
    /// Why it takes no part.
    pub missing: Option<String>,
}

/// Whether a provider has an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Its digests are right.
    Right,
    /// It computes something else. It was not timed.
    Wrong,
}

/// One cell of the table of implementations. Pairs that are not listed are absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Availability {
    /// Canonical name.
    pub algorithm: String,
    /// [`Provider::name`].
    pub provider: String,
    /// What probing found.
    pub state: State,
}

/// What one sample times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// One digest of one message: from nothing to the digest.
    Digest,
    /// Digests of [`Row::messages`] messages of the same length in one call; figures are for one of them.
    Many,
    /// Absorbing into a stream, without its output.
    Absorb,
    /// Reading from a stream that is ready.
    Read,
}

/// Rows that may be compared: measured in the same rounds by the same clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Algorithms of all providers on one core, CPU time of all their threads, which is one but for libraries that
    /// start threads by themselves.
    Single,
    /// Kernels of one algorithm, one thread, CPU time.
    Kernels,
    /// All cores, wall-clock time.
    Threaded,
}

/// One algorithm of one provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it may be compared with.
    pub group: Group,
    /// Canonical name; of the ceiling (a checksum, not a cryptographic hash) its own.
    pub algorithm: String,
    /// Name for people.
    pub title: String,
    /// [`Provider::name`].
    pub provider: String,
    /// Which of the provider's calls, where there are several (`EVP`, `low-level`, `threaded`).
    pub variant: Option<String>,
    /// Kernel, where known.
    pub kernel: Option<String>,
    /// What was timed.
    pub operation: Operation,
    /// Messages of a call; 1 but for [`Operation::Many`].
    pub messages: usize,
    /// Threads it may use.
    pub threads: usize,
    /// One for each size, rising.
    pub cells: Vec<Cell>,
}

/// One row at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Bytes of a message, or of a read.
    pub bytes: u64,
    /// Nanoseconds of one message or read, by process and round; never empty.
    pub samples: Vec<Vec<f64>>,
    /// Core clock while it ran, GHz.
    pub clock_ghz: f64,
    /// Wall time over CPU time; above 1.05 somebody else had the core. Of threaded rows 1.
    pub wall_over_cpu: f64,
    /// Whether the core was ours in enough rounds.
    pub quiet: bool,
}

impl Report {
    /// Reads a report.
    ///
    /// # Errors
    /// In words, if it is not one of this version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match value["schema"].as_str() {
            Some(SCHEMA) => serde_json::from_value(value).map_err(|e| e.to_string()).and_then(Self::checked),
            Some(other) => Err(format!("a report of format '{other}', not '{SCHEMA}'")),
            None => Err(format!("not a report of '{SCHEMA}'")),
        }
    }

    /// As it is if every figure can be computed with.
    fn checked(self) -> Result<Self, String> {
        let is_positive = |value: &f64| value.is_finite() && *value > 0.0;
        for (row, cell) in self.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell))) {
            let wrong =
                |what: &str| Err(format!("{} ({}), {} bytes: {what}", row.title, row.provider, cell.bytes));
            if cell.samples.is_empty() || cell.samples.iter().any(Vec::is_empty) {
                return wrong("a process without samples");
            }
            if !cell.samples.iter().flatten().all(is_positive) {
                return wrong("samples are to be above 0 ns");
            }
            if !is_positive(&cell.clock_ghz) {
                return wrong("the clock is to be above 0 GHz");
            }
        }
        Ok(self)
    }
}
