//! The plan of a run: which rows are measured, at which sizes, and how often.

use crate::peers::{self, Kind};
use crate::report::{Group, MAX_PROCESSES, MAX_ROUNDS, Operation, ceiling};
use crate::timing::clock::Effort;
use hashwell::registry::Parameter;
use hashwell::{Algorithm, Status};
use serde::{Deserialize, Serialize};

const KIB: u64 = 1 << 10;

/// The message length that represents long files. Fixed costs are less than 0.01 % of its time, tree hashes use their
/// full width, and it fits into the caches.
pub const LONG: u64 = 1 << 20;

/// The message lengths in bytes of the throughput table, as in the email to the git mailing list that compared hashes
/// in 2018. These lengths represent trees, commits and blobs.
pub const THROUGHPUT: [u64; 4] = [256, KIB, 8 * KIB, 16 * KIB];
/// The message lengths of the table of cycles per byte, after SUPERCOP.
pub const CYCLES: [u64; 4] = [576, 1536, 4 * KIB, LONG];
/// The message lengths of the latency table. 55 bytes is the maximum that fits into one block of SHA-256.
pub const LATENCY: [u64; 7] = [0, 8, 16, 32, 55, 56, 64];
/// The message lengths of the kernel table.
pub const KERNELS: [u64; 4] = [32, KIB, 16 * KIB, LONG];
/// The numbers of bytes that are absorbed or read at a time.
pub const STREAMS: [u64; 3] = [32, KIB, LONG];
/// The message lengths of threaded rows.
pub const THREADED: [u64; 6] = [256, KIB, 8 * KIB, 16 * KIB, LONG, 16 * LONG];

/// The length of the one large message that is measured on several numbers of threads.
pub const SCALING_LARGE: u64 = 16 * LONG;
/// The length of each message if many messages are measured on several numbers of threads.
pub const SCALING_EACH: u64 = 8 * KIB;
/// The number of these messages.
pub const SCALING_BATCH: usize = 1024;
/// The maximum number of threads that can be requested.
pub const MAX_THREADS: usize = 256;
/// The maximum number of different thread counts.
const MAX_THREAD_COUNTS: usize = 16;

/// The message lengths of single calls.
pub const CALL_SIZES: [u64; 3] = [64, KIB, 16 * KIB];
/// The number of calls that are timed one by one, if they are short.
pub const CALL_COUNT: u64 = 10_000;

/// The length of large messages: beyond the caches of today's CPUs.
pub const LARGE: u64 = 100_000_000;

/// A size between those of the tables, for the curves.
const CURVE: u64 = 64 * KIB;

/// The number of messages in a batch for kernels.
pub const BATCH: usize = 32;
/// The number of messages in a batch on all cores.
pub const THREADED_BATCH: usize = 256;

/// The maximum number of messages of a contest. With the longest messages, this is 1 GiB of input.
const MAX_MESSAGES: usize = 1024;

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Table {
    /// Throughput at [`THROUGHPUT`].
    Throughput,
    /// Cycles per byte at [`CYCLES`].
    Cycles,
    /// The algorithms that each provider has.
    Availability,
    /// Latency of a call at [`LATENCY`].
    Latency,
    /// Kernels of [`Plan::kernels`] at [`KERNELS`].
    Kernels,
    /// Absorbing and reading, timed separately, at [`STREAMS`].
    Streams,
    /// Throughput on each number of threads in [`Plan::thread_counts`].
    Scaling,
    /// Single calls at [`CALL_SIZES`].
    Calls,
}

/// A task at one size, in which hashwell is compared with others. All participants are measured in the same rounds,
/// separately from the rest of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// The name of the contest. It must be unique in the plan.
    pub name: String,
    /// The canonical name of the algorithm that hashwell computes.
    pub algorithm: String,
    /// The work.
    pub kind: Kind,
    /// The number of bytes of each message, at least 1.
    pub bytes: u64,
    /// The number of messages of one call, at least 1. All of them are different.
    pub messages: usize,
    /// The opponents.
    pub against: Against,
}

/// The opponents that hashwell is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against<Name = String> {
    /// All providers, for the same task.
    Peers,
    /// All providers, for the same kind of task with a different algorithm.
    PeersOf(Name),
    /// hashwell itself, with a different algorithm.
    Ourselves(Name),
    /// OpenSSL without the SHA extensions. hashwell's kernels that use the SHA extensions are not measured either.
    MaskedOpenssl,
}

impl Against<&str> {
    /// The same value with owned strings, for a plan.
    #[must_use]
    pub fn owned(self) -> Against {
        match self {
            Self::Peers => Against::Peers,
            Self::PeersOf(name) => Against::PeersOf(name.into()),
            Self::Ourselves(name) => Against::Ourselves(name.into()),
            Self::MaskedOpenssl => Against::MaskedOpenssl,
        }
    }
}

/// A plan of measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Canonical names. If empty, the algorithms that [`by_default`] chooses.
    pub algorithms: Vec<String>,
    /// Names of providers. If empty, all of them.
    pub providers: Vec<String>,
    /// True if all algorithms are measured, instead of the default ones.
    pub all: bool,
    /// The requested parts.
    pub tables: Vec<Table>,
    /// Canonical names of the algorithms whose kernels are compared.
    pub kernels: Vec<String>,
    /// Contests, which are measured one after the other, after the tables.
    pub contests: Vec<Contest>,
    /// True if rows on all cores are measured, too.
    pub threaded: bool,
    /// The thread counts of [`Table::Scaling`], in ascending order, starting with 1.
    pub thread_counts: Vec<usize>,
    /// True if messages of [`LARGE`] bytes are measured with the tables of throughput and cycles.
    pub large: bool,
    /// True for the quick mode, with fewer processes and rounds.
    pub quick: bool,
    /// The number of processes. Each of them measures everything.
    pub processes: usize,
    /// The number of samples that each process takes, or `None` for the mode's default.
    pub rounds: Option<usize>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            algorithms: Vec::new(),
            providers: Vec::new(),
            all: false,
            tables: vec![
                Table::Throughput,
                Table::Cycles,
                Table::Availability,
                Table::Latency,
                Table::Streams,
            ],
            kernels: Vec::new(),
            contests: Vec::new(),
            threaded: true,
            thread_counts: Vec::new(),
            large: false,
            quick: false,
            processes: 8,
            rounds: None,
        }
    }
}

/// Returns true if an algorithm is in the tables when no algorithm is named. These are the algorithms with digests of
/// 256 bits, as in the email to the git mailing list in 2018, and the broken algorithm SHA-1, which they may replace.
/// cSHAKE is excluded because without a name it is the same as SHAKE.
#[must_use]
pub fn by_default(algorithm: &Algorithm) -> bool {
    let (min, max) = algorithm.output_range;
    match algorithm.status {
        Status::Sound => (min..=max).contains(&32) && algorithm.limits(Parameter::FunctionName).is_none(),
        Status::Broken => true,
        _ => false,
    }
}

impl Plan {
    /// The minimum number of processes from which an interval can be computed.
    pub const QUICK_PROCESSES: usize = 3;
    /// The maximum duration of the quick mode in seconds.
    pub const QUICK_SECONDS: f64 = 30.0;

    /// Canonical names of algorithms.
    ///
    /// # Errors
    /// Returns a message if a name is unknown.
    pub fn canonical(names: &[String]) -> Result<Vec<String>, String> {
        let canonical = |name: &String| match hashwell::find(name) {
            Ok(row) => Ok(row.name.to_owned()),
            Err(_) if name.eq_ignore_ascii_case(ceiling::ALGORITHM) => Ok(ceiling::ALGORITHM.to_owned()),
            Err(error) => Err(error.to_string()),
        };
        names.iter().map(canonical).collect()
    }

    /// The names of providers as the tables write them. The case of `names` does not matter.
    ///
    /// # Errors
    /// Returns a message if a name is unknown.
    pub fn known_providers(names: &[String]) -> Result<Vec<String>, String> {
        let known = |name: &String| {
            let found = peers::names().find(|known| known.eq_ignore_ascii_case(name));
            let all = || peers::names().collect::<Vec<_>>().join(", ");
            found
                .map(str::to_owned)
                .ok_or_else(|| format!("unknown library '{name}' (known libraries: {})", all()))
        };
        names.iter().map(known).collect()
    }

    /// The thread counts in ascending order, without duplicates. 1 is always included, because the others are compared
    /// with it.
    #[must_use]
    pub fn rising_thread_counts(counts: &[usize]) -> Vec<usize> {
        let mut counts: Vec<usize> = counts.iter().copied().chain([1]).collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// Checks the numbers in the plan.
    ///
    /// # Errors
    /// Returns a message with the limit and the value if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        let within = |what: &str, n: usize, max: usize| match n {
            0 => Err(format!("the number of {what} must be at least 1, not 0")),
            n if n > max => Err(format!("the number of {what} must be at most {max}, not {n}")),
            _ => Ok(()),
        };
        within("processes", self.processes, MAX_PROCESSES)?;
        for contest in &self.contests {
            within(&format!("messages of {}", contest.name), contest.messages, MAX_MESSAGES)?;
            within(&format!("bytes of {}", contest.name), contest.bytes as usize, LONG as usize)?;
        }
        self.thread_counts.iter().try_for_each(|count| within("threads", *count, MAX_THREADS))?;
        if self.thread_counts.len() > MAX_THREAD_COUNTS {
            let count = self.thread_counts.len();
            return Err(format!("at most {MAX_THREAD_COUNTS} thread counts are allowed, not {count}"));
        }
        within("rounds", self.rounds.unwrap_or(1), MAX_ROUNDS)
    }

    /// Returns true if the plan includes rows of this algorithm.
    #[must_use]
    pub fn wants(&self, algorithm: &Algorithm) -> bool {
        if self.algorithms.is_empty() {
            return self.all || by_default(algorithm);
        }
        self.algorithms.iter().any(|name| name == algorithm.name)
    }

    /// Returns true if the plan includes the row of XXH3.
    #[must_use]
    pub fn wants_ceiling(&self) -> bool {
        self.algorithms.is_empty() || self.algorithms.iter().any(|name| name == ceiling::ALGORITHM)
    }

    /// Returns true if the plan includes rows of this provider.
    #[must_use]
    pub fn wants_provider(&self, provider: &str) -> bool {
        self.providers.is_empty() || self.providers.iter().any(|name| name == provider)
    }

    /// The sizes in bytes at which rows of this kind are measured, in ascending order. Empty if they are not wanted.
    #[must_use]
    pub fn sizes(&self, group: Group, operation: Operation) -> Vec<u64> {
        let mut sizes = Vec::new();
        let mut add = |table: Table, bytes: &[u64]| {
            if self.tables.contains(&table) {
                sizes.extend(bytes);
            }
        };
        match (group, operation) {
            (Group::Single, Operation::Digest) => {
                add(Table::Throughput, &THROUGHPUT);
                add(Table::Throughput, &[CURVE]);
                add(Table::Cycles, &CYCLES);
                add(Table::Latency, &LATENCY);
                let large: &[u64] = if self.large { &[LARGE] } else { &[] };
                add(Table::Throughput, large);
                add(Table::Cycles, large);
            }
            (Group::Single, Operation::Absorb | Operation::Read) => add(Table::Streams, &STREAMS),
            (Group::Single, Operation::Many) => {}
            // Each row has its own size.
            (Group::Contest, _) | (_, Operation::Hmac | Operation::Drbg) => {}
            (Group::Kernels, _) => add(Table::Kernels, &KERNELS),
            (Group::Threaded, _) if !self.threaded => {}
            // A batch of the longest messages has 4 MiB. A larger one would not fit into the caches.
            (Group::Threaded, Operation::Many) => sizes.extend(THROUGHPUT),
            (Group::Threaded, _) => sizes.extend(THREADED),
            (Group::Scaling, Operation::Many) => add(Table::Scaling, &[SCALING_EACH]),
            (Group::Scaling, _) => add(Table::Scaling, &[SCALING_LARGE]),
        }
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Returns true if anything is measured on several cores.
    #[must_use]
    pub fn uses_several_cores(&self) -> bool {
        self.threaded || self.tables.contains(&Table::Scaling)
    }

    /// The maximum number of samples of each process. With [`Plan::seconds`], it is limited by the time as well.
    #[must_use]
    pub fn effort(&self) -> Effort {
        const ROUNDS: usize = 15;
        let patience = match self.contests[..] {
            _ if self.quick => 0.2,
            [] => 1.0,
            // Contests have a pass or fail result, so more time is justified.
            _ => 2.0,
        };
        Effort { rounds: self.rounds.unwrap_or(ROUNDS), patience }
    }

    /// The time in seconds, counted from the start, after which no further measurement begins. Returns `None` outside
    /// of the quick mode, and if the user set the number of rounds.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        // A measurement that has begun may take a second or two longer, or more on a slow machine. After that, the
        // report is made.
        const SECONDS: f64 = 0.8 * Plan::QUICK_SECONDS;
        (self.quick && self.rounds.is_none()).then_some(SECONDS)
    }
}

/// The sizes in the order in which they are measured. The most important ones come first, so that a run that is stopped
/// has them.
#[must_use]
pub fn by_weight(mut sizes: Vec<u64>) -> Vec<u64> {
    const FIRST: [u64; 9] = [KIB, 8 * KIB, 256, 16 * KIB, 1536, LONG, 576, 4 * KIB, 32];
    sizes.sort_unstable();
    sizes.dedup();
    // The sort is stable: sizes that are not in the list keep their order.
    sizes.sort_by_key(|bytes| FIRST.iter().position(|first| first == bytes).unwrap_or(FIRST.len()));
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_its_sizes() {
        let plan = Plan::default();
        let sizes = plan.sizes(Group::Single, Operation::Digest);
        for table in [&THROUGHPUT[..], &CYCLES, &LATENCY] {
            assert!(table.iter().all(|bytes| sizes.contains(bytes)));
        }
        assert!(sizes.is_sorted() && sizes[0] == 0);
        assert_eq!(plan.sizes(Group::Single, Operation::Read), STREAMS);
        assert_eq!(plan.sizes(Group::Kernels, Operation::Many), [0; 0]);
        let kernels = Plan { tables: vec![Table::Kernels], threaded: false, ..plan };
        assert_eq!(kernels.sizes(Group::Kernels, Operation::Many), KERNELS);
        assert_eq!(kernels.sizes(Group::Single, Operation::Digest), [0; 0]);
        assert_eq!(kernels.sizes(Group::Threaded, Operation::Digest), [0; 0]);
    }

    #[test]
    fn what_says_most_is_measured_first() {
        assert_eq!(by_weight(vec![0, 1024, 64, 256, 8192, 64]), [1024, 8192, 256, 0, 64]);
    }

    #[test]
    fn the_default_rows_are_sound_or_widely_used() {
        let chosen: Vec<&str> =
            hashwell::ALGORITHMS.iter().filter(|a| by_default(a)).map(|a| a.name).collect();
        for name in
            ["sha1", "sha256", "sha512-256", "sha3-256", "shake128", "kt128", "blake2bp-512", "blake3"]
        {
            assert!(chosen.contains(&name), "{name}");
        }
        for name in ["sha256-90r", "ascon-xof-v1.2", "sha224", "sha3-512", "cshake128"] {
            assert!(!chosen.contains(&name), "{name}");
        }
    }

    #[test]
    fn names_are_canonical_and_limits_are_named() {
        let canonical = |name: &str| Plan::canonical(&[name.to_owned()]);
        assert_eq!(canonical("SHA-256").unwrap(), ["sha256"]);
        assert_eq!(canonical("XXH3-64").unwrap(), ["xxh3-64"]);
        assert!(canonical("sha257").unwrap_err().contains("sha257"));
        assert_eq!(Plan::known_providers(&["openssl".to_owned()]).unwrap(), ["OpenSSL"]);
        assert!(Plan::known_providers(&["libfoo".to_owned()]).unwrap_err().contains("libb2"));
        assert!(Plan { processes: 0, ..Plan::default() }.check().unwrap_err().contains("at least 1"));
        let rounds = Plan { rounds: Some(1001), ..Plan::default() };
        assert_eq!(rounds.check().unwrap_err(), "the number of rounds must be at most 1000, not 1001");
    }

    #[test]
    fn the_quick_mode_alone_has_a_time_limit() {
        let quick = Plan { quick: true, processes: 3, ..Plan::default() };
        assert!(quick.seconds().unwrap() < Plan::QUICK_SECONDS && quick.effort().rounds == 15);
        // A number of rounds that the user sets is always used.
        let rounds = Plan { rounds: Some(7), ..quick };
        assert_eq!((rounds.seconds(), rounds.effort().rounds), (None, 7));
        assert_eq!(Plan::default().seconds(), None);
    }
}
