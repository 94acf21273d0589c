//! What a run of `hashwell speed` leaves behind: the types are the JSON. Tables, charts and comparisons are made
//! from it alone, so that an old file gives them again.

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
    /// Single calls, if they were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// Programs and standard libraries of languages, if they were run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramSupport>,
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
    /// It is there, but can't be called from here: its digests were not compared, and it was not timed.
    Uncalled,
}

/// A program, or the standard library of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramKind {
    /// A program of the command line.
    Command,
    /// A standard library.
    Language,
}

/// A program that has an algorithm. Pairs that are not listed are absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramSupport {
    /// Canonical name.
    pub algorithm: String,
    /// The kind of program.
    pub kind: ProgramKind,
    /// The command line, or the name of the language.
    pub program: String,
    /// Right or wrong, by digests of known messages.
    pub state: State,
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
    /// HMAC tags of [`Row::messages`] messages of the same length, under a key that is ready; figures are for one.
    Hmac,
    /// One request of HMAC-DRBG.
    Drbg,
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
    /// A chosen number of threads ([`Row::threads`]), wall-clock time.
    Scaling,
    /// Those of one [`Row::contest`], on one core; rows of different contests were not measured together.
    Contest,
}

impl Group {
    /// Returns true if rows may use several cores, so that they are timed by the wall clock.
    #[must_use]
    pub const fn uses_several_cores(self) -> bool {
        matches!(self, Self::Threaded | Self::Scaling)
    }
}

/// One algorithm of one provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it may be compared with.
    pub group: Group,
    /// The contest it was measured in, by its name in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<String>,
    /// Canonical name; of the ceiling (a checksum, not a cryptographic hash) its own.
    pub algorithm: String,
    /// Name for people.
    pub title: String,
    /// `sound`, `broken`, ...: the registry's word when it was measured. Those who read go by their own registry; older
    /// reports have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// [`Provider::name`].
    pub provider: String,
    /// Which of the provider's calls, where there are several (`EVP`, `low-level`, `threaded`).
    pub variant: Option<String>,
    /// Kernel, where known.
    pub kernel: Option<String>,
    /// What was timed.
    pub operation: Operation,
    /// Messages of a call; above 1 of [`Operation::Many`] and [`Operation::Hmac`] alone.
    pub messages: usize,
    /// Threads it may use.
    pub threads: usize,
    /// One for each size, rising.
    pub cells: Vec<Cell>,
}

/// Durations of single calls, in one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    /// The clock that timed them.
    pub clock: String,
    /// Core clock by which times became cycles, GHz.
    pub clock_ghz: f64,
    /// Why there are no counters, if there are none.
    pub missing: Option<String>,
    /// One for each row and size.
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
    /// Bytes of the message.
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
    /// The histogram, rising; together all calls.
    pub bins: Vec<Bin>,
    /// Counts of the CPU's counters, if there are any.
    pub counters: Option<PerCall>,
}

/// The calls whose numbers of core cycles lie in one range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// The number of calls.
    pub calls: u64,
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
    /// Reads a report that anybody may have written: one that is read can be shown, computed with and compared.
    ///
    /// # Errors
    /// In one line of words, if it is not one of this version, or nobody can have measured it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        const NO_REPORT: &str = "not a report written by hashwell speed --json";
        let read = || -> Result<Self, String> {
            let value: Value = serde_json::from_str(text).map_err(|error| {
                format!("{NO_REPORT}: invalid JSON at line {}, column {}", error.line(), error.column())
            })?;
            within_limits(&value)?;
            match value["schema"].as_str() {
                Some(SCHEMA) => {}
                Some(other) => return Err(format!("the report has format '{other}', expected '{SCHEMA}'")),
                None => return Err(NO_REPORT.to_owned()),
            }
            let report: Self = serde_json::from_value(value).map_err(|e| e.to_string())?;
            report.check()?;
            Ok(report)
        };
        /// What is wrong with it may quote it.
        const LONGEST: usize = 300;
        read().map_err(|why| plain(&why).chars().take(LONGEST).collect())
    }

    /// Refuses what a run cannot have left behind, so that whatever is computed from the rest is a number.
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
            return Err(format!("the report has {} rows, the limit is {MAX_ROWS}", self.rows.len()));
        }
        self.rows.iter().try_for_each(Row::check)?;
        self.calls.as_ref().map_or(Ok(()), Calls::check)?;
        // Everything but the cells and the title makes it another row than the others.
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
            return Err(format!("the report has {rows} rows of single calls, the limit is {MAX_ROWS}"));
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
            return Err("the bins must have all calls, and at least one".into());
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
            return wrong(": messages and threads must be at least 1".into());
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
        within("wall over CPU time", self.wall_over_cpu, RATIO, "")
    }
}

/// Most processes of a run.
pub const MAX_PROCESSES: usize = 64;
/// Most rounds of a process.
pub const MAX_ROUNDS: usize = 1000;

/// Rows of a report, at most: fourteen times as many as everything that can be measured today.
const MAX_ROWS: usize = 4096;
/// Bytes of a name in a row, at most.
const MAX_NAME: usize = 200;
/// Bytes of any text, at most.
const MAX_TEXT: usize = 4096;
/// Entries of a list, at most.
const MAX_LIST: usize = 10_000;
/// Bins of a histogram, at most.
const MAX_BINS: usize = 100;
/// Core cycles of a call.
const CYCLES: (f64, f64) = (1e-3, 1e15);
/// A clock.
const GHZ: (f64, f64) = (1e-3, 1e3);
/// Whatever is not below zero and can be multiplied.
const RATIO: (f64, f64) = (0.0, 1e12);

/// Refuses names that no row has.
fn names_within_limits(
    title: &str,
    algorithm: &str,
    provider: &str,
    more: [&Option<String>; 2],
) -> Result<(), String> {
    let more = more.into_iter().filter_map(Option::as_deref);
    match [algorithm, title, provider].into_iter().chain(more).find(|name| name.len() > MAX_NAME) {
        Some(name) => Err(format!("a name has {} bytes, the limit is {MAX_NAME}", name.len())),
        None => Ok(()),
    }
}

/// Refuses what is not from `low` to `high`, NaN too.
fn within(what: &str, value: f64, (low, high): (f64, f64), unit: &str) -> Result<(), String> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let high = if high < 1e6 { format!("{high}") } else { format!("{high:e}") };
    Err(format!("{what} must be {low} to {high}{unit}, not {value:e}"))
}

/// Refuses two of the same.
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

/// Refuses texts and lists that nothing measured has, and that would take a page or a terminal minutes to show.
fn within_limits(value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) if text.len() > MAX_TEXT => {
            Err(format!("a string has {} bytes, the limit is {MAX_TEXT}", text.len()))
        }
        Value::Array(list) if list.len() > MAX_LIST => {
            Err(format!("a list has {} entries, the limit is {MAX_LIST}", list.len()))
        }
        Value::Array(list) => list.iter().try_for_each(within_limits),
        Value::Object(members) => members.values().try_for_each(within_limits),
        _ => Ok(()),
    }
}
