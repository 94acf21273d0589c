//! The results of a run of `hashwell speed`. The types define the JSON format. Tables, charts and comparisons are made
//! only from a report, so they can be reproduced from an old file.

pub mod ceiling;
mod json;
pub mod machine;
mod status;

pub use crate::timing::counter::PerCall;
pub use json::json;
pub use status::Standing;

use hashwell_document::table::plain;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

/// The value of [`Report::schema`] in this version.
pub const SCHEMA: &str = "hashwell-speed/1";

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The name and version of this format.
    pub schema: String,
    /// The machine on which it ran.
    pub machine: Machine,
    /// The conditions of the run.
    pub run: Run,
    /// All providers that were looked for.
    pub providers: Vec<Provider>,
    /// The algorithms that each provider has, found by trying them.
    pub availability: Vec<Availability>,
    /// The measurements. Rows of the same [`Group`] were interleaved: sample `r` of process `p` was taken at about the
    /// same time for all of them.
    pub rows: Vec<Row>,
    /// Single calls, if they were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// Programs and standard libraries of languages, if they were run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramSupport>,
}

/// The machine on which a run was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the CPU.
    pub cpu: String,
    /// The CPU features that kernels use and that this CPU has.
    pub features: Vec<String>,
    /// The number of logical cores that this process may use.
    pub cores: usize,
    /// Operating system and kernel.
    pub os: String,
    /// The compiler of this program.
    pub compiler: String,
    /// The core clock at the start in GHz, calibrated with a chain of dependent additions.
    pub clock_ghz: f64,
    /// The ticks of the time-stamp counter per nanosecond, if there is one.
    pub tsc_ghz: Option<f64>,
    /// Load averages over 1, 5 and 15 minutes at the start.
    pub load: Option<[f64; 3]>,
    /// Other information for the user, by name: governor, hypervisor, virtual machine.
    pub notes: BTreeMap<String, String>,
}

/// The parameters of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of hashwell.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
    /// The command line.
    pub command: Vec<String>,
    /// The start time in UTC, in RFC 3339 format.
    pub started: String,
    /// The duration in seconds.
    pub seconds: f64,
    /// True for the quick mode.
    pub quick: bool,
    /// False if the run was stopped. In this case, all results are valid, but rows and cells are missing.
    pub complete: bool,
    /// The number of processes. Each of them measured everything.
    pub processes: usize,
    /// The maximum number of rounds that a process kept.
    pub rounds: usize,
    /// The source of cycle counts: `dependent chain` or `hardware counter`.
    pub cycle_source: String,
    /// Messages for the user about wrong digests and noise.
    pub complaints: Vec<String>,
}

/// A provider of hashes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provider {
    /// The short name, as in [`Row::provider`].
    pub name: String,
    /// The version, as the provider formats it.
    pub version: Option<String>,
    /// The file that it was loaded from.
    pub path: Option<String>,
    /// The reason why it was not measured, if it was not.
    pub missing: Option<String>,
}

/// The state of an algorithm in a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Its digests are right.
    Right,
    /// It computes a different digest. It was not timed.
    Wrong,
    /// The provider has it, but it can't be called from here: its digests were not compared, and it was not timed.
    Uncalled,
}

/// The kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramKind {
    /// A command-line program.
    Command,
    /// The standard library of a language.
    Language,
}

/// A program that has an algorithm. If a pair is not listed, the program lacks the algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramSupport {
    /// The canonical name of the algorithm.
    pub algorithm: String,
    /// The kind of program.
    pub kind: ProgramKind,
    /// The command line, or the name of the language.
    pub program: String,
    /// The state: its digests of known messages are right or wrong.
    pub state: State,
}

/// A cell of the table of implementations. If a pair is not listed, the provider lacks the algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Availability {
    /// The canonical name of the algorithm.
    pub algorithm: String,
    /// The provider, as in [`Provider::name`].
    pub provider: String,
    /// The result of the check.
    pub state: State,
}

/// The operation that a sample times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// One digest of one message, including initialization.
    Digest,
    /// Digests of [`Row::messages`] messages of the same length in one call. Figures are per message.
    Many,
    /// Absorbing into a stream, without reading its output.
    Absorb,
    /// Reading from a stream that has absorbed its message.
    Read,
    /// HMAC tags of [`Row::messages`] messages of the same length, with a key that is already set. Figures are per
    /// message.
    Hmac,
    /// One request to HMAC-DRBG.
    Drbg,
}

/// A group of rows that may be compared, because they were measured in the same rounds with the same clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Algorithms of all providers on one core, by the CPU time of all their threads. Only libraries that start threads
    /// by themselves have more than one.
    Single,
    /// Kernels of one algorithm on one thread, by CPU time.
    Kernels,
    /// All cores, by wall-clock time.
    Threaded,
    /// A given number of threads ([`Row::threads`]), by wall-clock time.
    Scaling,
    /// The rows of one [`Row::contest`], on one core. Rows of different contests were not measured together.
    Contest,
}

impl Group {
    /// Returns true if rows may use several cores and are therefore timed with wall-clock time.
    #[must_use]
    pub const fn uses_several_cores(self) -> bool {
        matches!(self, Self::Threaded | Self::Scaling)
    }
}

/// One algorithm of one provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The group of rows it may be compared with.
    pub group: Group,
    /// The name in the plan of the contest in which it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<String>,
    /// The canonical name. The ceiling (a checksum, not a cryptographic hash) has its own name.
    pub algorithm: String,
    /// The name for people.
    pub title: String,
    /// The registry's status at the time of measurement: `sound`, `broken`, ... Readers use the status in their own
    /// registry. Older reports do not have this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The provider, as in [`Provider::name`].
    pub provider: String,
    /// The provider's function, if there are several (`EVP`, `low-level`, `threaded`).
    pub variant: Option<String>,
    /// The kernel, if known.
    pub kernel: Option<String>,
    /// The operation that was timed.
    pub operation: Operation,
    /// The number of messages per call. Greater than 1 only for [`Operation::Many`] and [`Operation::Hmac`].
    pub messages: usize,
    /// The number of threads it may use.
    pub threads: usize,
    /// One cell for each size, in ascending order.
    pub cells: Vec<Cell>,
}

/// The durations of single calls, in one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    /// The clock that timed them.
    pub clock: String,
    /// The core clock in GHz that was used to convert times to cycles.
    pub clock_ghz: f64,
    /// The reason why there are no counters, if there are none.
    pub missing: Option<String>,
    /// One entry for each row and size.
    pub rows: Vec<CallRow>,
}

/// Single calls of one algorithm of one provider at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRow {
    /// The same as in [`Row`].
    pub algorithm: String,
    /// The same as in [`Row`].
    pub title: String,
    /// The same as in [`Row`].
    pub provider: String,
    /// The same as in [`Row`].
    pub variant: Option<String>,
    /// The same as in [`Row`].
    pub kernel: Option<String>,
    /// The size of the message in bytes.
    pub bytes: u64,
    /// The number of calls that were timed.
    pub calls: u64,
    /// Core cycles of the fastest call.
    pub minimum: f64,
    /// Core cycles that half of the calls do not exceed.
    pub p50: f64,
    /// Core cycles that 99 % of the calls do not exceed.
    pub p99: f64,
    /// Core cycles of the slowest call.
    pub maximum: f64,
    /// The histogram of all calls, in ascending order.
    pub bins: Vec<Bin>,
    /// The values of the CPU's event counters, if available.
    pub counters: Option<PerCall>,
}

/// The calls whose numbers of core cycles are in one range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// The number of calls.
    pub calls: u64,
}

/// The measurements of one row at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The number of bytes of a message, or of a read.
    pub bytes: u64,
    /// The nanoseconds of one message or read, by process and round. Never empty.
    pub samples: Vec<Vec<f64>>,
    /// The core clock during the measurement, in GHz.
    pub clock_ghz: f64,
    /// Wall time divided by CPU time. A value above 1.05 means that other processes used the core. Always 1 for
    /// threaded rows.
    pub wall_over_cpu: f64,
    /// True if, in enough of the rounds, no other process used the core.
    pub quiet: bool,
}

impl Report {
    /// Parses a report from an untrusted source. A report that is accepted can be displayed, used in computations and
    /// compared.
    ///
    /// # Errors
    /// Returns a message of one line if the report is not of this version, or if it contains impossible values.
    pub fn from_json(text: &str) -> Result<Self, String> {
        const NO_REPORT: &str = "not a report written by hashwell speed --json";
        let read = || -> Result<Self, String> {
            let value: Value = serde_json::from_str(text).map_err(|error| {
                format!("{NO_REPORT}: invalid JSON at line {}, column {}", error.line(), error.column())
            })?;
            within_limits(&value)?;
            match value["schema"].as_str() {
                Some(SCHEMA) => {}
                Some(other) => {
                    return Err(format!("the format of the report must be '{SCHEMA}', not '{other}'"));
                }
                None => return Err(NO_REPORT.to_owned()),
            }
            let report: Self = serde_json::from_value(value).map_err(|e| e.to_string())?;
            report.check()?;
            Ok(report)
        };
        /// The message may contain text from the report.
        const LONGEST: usize = 300;
        read().map_err(|why| plain(&why).chars().take(LONGEST).collect())
    }

    /// Rejects values that no run can produce, so that all computed figures are numbers.
    fn check(&self) -> Result<(), String> {
        let (machine, run) = (&self.machine, &self.run);
        within("the core clock", machine.clock_ghz, GHZ, "GHz")?;
        machine.tsc_ghz.map_or(Ok(()), |ghz| within("the time-stamp counter", ghz, GHZ, "GHz"))?;
        machine.load.iter().flatten().try_for_each(|load| within("the load", *load, RATIO, ""))?;
        within("the duration", run.seconds, RATIO, "s")?;
        once(&self.providers, |p| p.name.as_str(), |name| format!("the provider {name}"))?;
        let cell = |a: &Availability| (a.algorithm.clone(), a.provider.clone());
        once(&self.availability, cell, |(algorithm, provider)| format!("{algorithm} of {provider}"))?;
        let program = |p: &ProgramSupport| (p.algorithm.clone(), p.program.clone());
        once(&self.programs, program, |(algorithm, program)| format!("{algorithm} by {program}"))?;
        if self.rows.len() > MAX_ROWS {
            return Err(format!("the report has {} rows: the limit is {MAX_ROWS}", self.rows.len()));
        }
        self.rows.iter().try_for_each(Row::check)?;
        self.calls.as_ref().map_or(Ok(()), Calls::check)?;
        // Rows are different if anything but their cells and titles differs.
        let identity = |row: &Row| {
            let names = [&row.algorithm, &row.provider].map(String::clone);
            (
                names,
                row.variant.clone(),
                row.kernel.clone(),
                row.group,
                row.contest.clone(),
                row.operation,
                row.messages,
                row.threads,
            )
        };
        once(&self.rows, identity, |([algorithm, provider], ..)| format!("{algorithm} ({provider})"))
    }
}

impl Calls {
    fn check(&self) -> Result<(), String> {
        within("the clock of single calls", self.clock_ghz, GHZ, "GHz")?;
        if self.rows.len() > MAX_ROWS {
            let rows = self.rows.len();
            return Err(format!("the report has {rows} rows of single calls: the limit is {MAX_ROWS}"));
        }
        let checked = |row: &CallRow| {
            names_within_limits(&row.title, &row.algorithm, &row.provider, [&row.variant, &row.kernel])?;
            let (title, provider, bytes) = (&row.title, &row.provider, row.bytes);
            row.check().map_err(|why| format!("{title} ({provider}), {bytes} bytes: {why}"))
        };
        self.rows.iter().try_for_each(checked)
    }
}

impl CallRow {
    fn check(&self) -> Result<(), String> {
        let rising = [self.minimum, self.p50, self.p99, self.maximum];
        rising.iter().try_for_each(|taken| within("the duration of a call", *taken, CYCLES, "cycles"))?;
        if !rising.is_sorted() {
            return Err("percentiles must not decrease".into());
        }
        if self.bins.is_empty() || self.bins.len() > MAX_BINS {
            return Err(format!("the number of bins must be 1 to {MAX_BINS}, not {}", self.bins.len()));
        }
        let ends = self.bins.iter().flat_map(|bin| [bin.from, bin.to]);
        ends.into_iter().try_for_each(|end| within("a bin", end, CYCLES, "cycles"))?;
        let calls = self.bins.iter().try_fold(0_u64, |sum, bin| sum.checked_add(bin.calls));
        if calls != Some(self.calls) || self.calls == 0 {
            return Err("the bins must contain all calls, and at least one call".into());
        }
        let counts = self.counters.iter().flat_map(|counters| {
            [Some(counters.cycles), counters.instructions, counters.cache_misses, counters.branch_misses]
        });
        counts.flatten().try_for_each(|count| within("a count", count, RATIO, "events"))
    }
}

impl Row {
    fn check(&self) -> Result<(), String> {
        names_within_limits(&self.title, &self.algorithm, &self.provider, [&self.variant, &self.kernel])?;
        let wrong = |what: String| Err(format!("{} ({}){what}", self.title, self.provider));
        if self.messages == 0 || self.threads == 0 {
            return wrong(": the numbers of messages and threads must be at least 1".into());
        }
        let mut neighbours = self.cells.iter().zip(self.cells.iter().skip(1));
        if let Some((before, after)) = neighbours.find(|(before, after)| before.bytes >= after.bytes) {
            return wrong(format!(": sizes must increase, but {} comes after {}", after.bytes, before.bytes));
        }
        let checked = |cell: &Cell| cell.check().map_err(|why| (cell.bytes, why));
        match self.cells.iter().try_for_each(checked) {
            Err((bytes, why)) => wrong(format!(", {bytes} bytes: {why}")),
            Ok(()) => Ok(()),
        }
    }
}

impl Cell {
    fn check(&self) -> Result<(), String> {
        let (processes, rounds) = (self.samples.len(), self.samples.iter().map(Vec::len));
        if processes == 0 {
            return Err("no samples".into());
        }
        if processes > MAX_PROCESSES {
            return Err(format!("the number of processes must be at most {MAX_PROCESSES}, not {processes}"));
        }
        for rounds in rounds {
            match rounds {
                0 => return Err("a process has no samples".into()),
                n if n > MAX_ROUNDS => {
                    return Err(format!(
                        "the number of rounds of a process must be at most {MAX_ROUNDS}, not {n}"
                    ));
                }
                _ => {}
            }
        }
        self.samples.iter().flatten().try_for_each(|ns| within("a sample", *ns, (1e-3, 1e15), "ns"))?;
        within("the clock", self.clock_ghz, GHZ, "GHz")?;
        within("wall time / CPU time", self.wall_over_cpu, RATIO, "")
    }
}

/// The maximum number of processes of a run.
pub const MAX_PROCESSES: usize = 64;
/// The maximum number of rounds of a process.
pub const MAX_ROUNDS: usize = 1000;

/// The maximum number of rows of a report: fourteen times the number of rows that can be measured today.
const MAX_ROWS: usize = 4096;
/// The maximum number of bytes of a name in a row.
const MAX_NAME: usize = 200;
/// The maximum number of bytes of any text.
const MAX_TEXT: usize = 4096;
/// The maximum number of entries of a list.
const MAX_LIST: usize = 10_000;
/// The maximum number of bins of a histogram.
const MAX_BINS: usize = 100;
/// The range of the core cycles of a call.
const CYCLES: (f64, f64) = (1e-3, 1e15);
/// The range of a clock rate.
const GHZ: (f64, f64) = (1e-3, 1e3);
/// The range of other numbers: not negative, and small enough to be multiplied.
const RATIO: (f64, f64) = (0.0, 1e12);

/// Rejects names that no row can have.
fn names_within_limits(
    title: &str,
    algorithm: &str,
    provider: &str,
    more: [&Option<String>; 2],
) -> Result<(), String> {
    let more = more.into_iter().filter_map(Option::as_deref);
    match [algorithm, title, provider].into_iter().chain(more).find(|name| name.len() > MAX_NAME) {
        Some(name) => Err(format!("a name has {} bytes: the limit is {MAX_NAME}", name.len())),
        None => Ok(()),
    }
}

/// Rejects values outside of `low` to `high`, and NaN.
fn within(what: &str, value: f64, (low, high): (f64, f64), unit: &str) -> Result<(), String> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let high = if high < 1e6 { format!("{high}") } else { format!("{high:e}") };
    Err(format!("{what} must be {low} to {high}{unit}, not {value:e}"))
}

/// Rejects duplicates.
fn once<'a, T, K: Eq + Hash>(
    list: &'a [T],
    key: impl Fn(&'a T) -> K,
    name: impl Fn(K) -> String,
) -> Result<(), String> {
    let mut seen = HashSet::new();
    match list.iter().find(|entry| !seen.insert(key(entry))) {
        Some(twice) => Err(format!("{} is listed twice", name(key(twice)))),
        None => Ok(()),
    }
}

/// Rejects texts and lists that no run can produce, and that a page or a terminal would need minutes to display.
fn within_limits(value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) if text.len() > MAX_TEXT => {
            Err(format!("a string has {} bytes: the limit is {MAX_TEXT}", text.len()))
        }
        Value::Array(list) if list.len() > MAX_LIST => {
            Err(format!("a list has {} entries: the limit is {MAX_LIST}", list.len()))
        }
        Value::Array(list) => list.iter().try_for_each(within_limits),
        Value::Object(members) => members.values().try_for_each(within_limits),
        _ => Ok(()),
    }
}
