//! The result of a survey. The types define the JSON format, and everything that is printed is generated from them.

use super::sizes::Line;
use crate::id::ObjectId;
use crate::store::read::Damage;
use hashwell::Algorithm;
use hashwell_measure::report::Standing;
use hashwell_measure::timing::statistics::Estimate;
use serde::Serialize;
use std::fmt::{self, Display};

/// The value of [`Report::schema`] in this version.
pub(super) const SCHEMA: &str = "hashwell-git/1";

/// The result of a survey.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name and version of this format.
    pub(super) schema: String,
    pub(super) repository: Repository,
    pub(super) run: Run,
    /// The sizes of the objects whose content matches their id, by type, followed by a line for all of these objects.
    /// If a sample was hashed or the run was stopped: the sizes of all objects, as their headers declare them.
    pub(super) sizes: Vec<Line>,
    /// For each n, the total number of hashed bytes of objects with 2^n to 2^(n+1) - 1 hashed bytes.
    pub(super) octaves: Vec<u64>,
    pub(super) check: Check,
    pub(super) phases: Phases,
    /// git's own operations, if they were requested.
    pub(super) operations: Option<Operations>,
    /// Secure algorithms first, broken ones last; within each group the fastest first.
    pub(super) rows: Vec<Row>,
}

/// The repository that was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Repository {
    pub(super) path: String,
    /// The hash function of its ids: `SHA-1` or `SHA-256`.
    pub(super) object_format: String,
    pub(super) packs: usize,
    /// The size in bytes of the packs on disk, including their indexes.
    pub(super) packed_bytes: u64,
    pub(super) alternates: usize,
    /// The number of objects in [`Report::sizes`].
    pub(super) objects: u64,
    /// The number of bytes that are hashed for these objects: contents and headers.
    pub(super) stream_bytes: u64,
}

/// The parameters of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Run {
    pub(super) version: String,
    pub(super) command: Vec<String>,
    pub(super) cpu: String,
    /// False if the run was stopped. In this case, the rows refer to the objects that were hashed before the stop.
    pub(super) complete: bool,
    /// The number of bytes that every participant hashed.
    pub(super) hashed_bytes: u64,
    /// The sample that was hashed, if not all objects were.
    pub(super) sample: Option<Sample>,
    /// True if a sample was requested that is not smaller than the repository, so that all objects were hashed.
    pub(super) sample_is_whole: bool,
    /// The number of batches that were timed.
    pub(super) batches: usize,
    /// The number of samples of each batch.
    pub(super) rounds: usize,
    /// The number of passes in each sample.
    pub(super) passes: u64,
    /// The fraction of rounds in which another process used the core.
    pub(super) noisy: f64,
    /// The source of predictions: a file, or `this run`.
    pub(super) curves: String,
    /// Messages for the user.
    pub(super) complaints: Vec<String>,
}

/// A random subset of the objects. Each object is equally likely to be in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Sample {
    pub(super) seed: String,
    pub(super) objects: u64,
    /// The number of bytes to hash: contents and headers.
    pub(super) stream_bytes: u64,
}

/// The result of comparing objects with their ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Check {
    /// The number of objects whose hash was compared with their id.
    pub(super) checked: u64,
    /// The ids of objects with a different hash.
    pub(super) mismatches: Named<String>,
    /// Objects that could not be read.
    pub(super) unreadable: Named<Unreadable>,
    /// Packs and folders that could not be used, or not completely.
    pub(super) damaged: Named<Unreadable>,
}

/// A list that counts all entries, but contains only the first thousand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Named<T> {
    pub(super) count: u64,
    pub(super) first: Vec<T>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { count: 0, first: Vec::new() }
    }
}

impl<T> Named<T> {
    fn add(&mut self, thing: T) {
        self.count += 1;
        if self.first.len() < 1000 {
            self.first.push(thing);
        }
    }
}

/// Something that exists but cannot be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Unreadable {
    /// The id of an object, or a path.
    pub(super) name: String,
    pub(super) why: String,
}

impl Check {
    pub(super) fn is_right(&self) -> bool {
        self.mismatches.count + self.unreadable.count + self.damaged.count == 0
    }

    /// Returns true if the digest is the id.
    pub(super) fn compare(&mut self, id: &ObjectId, digest: &[u8]) -> bool {
        self.checked += 1;
        let right = id.as_bytes() == digest;
        if !right {
            self.mismatches.add(id.to_string());
        }
        right
    }

    pub(super) fn add_unreadable(&mut self, id: &ObjectId, why: String) {
        self.unreadable.add(Unreadable { name: id.to_string(), why });
    }

    /// Adds damage, unless a previous walk has added it.
    pub(super) fn add_damage(&mut self, damage: Vec<Damage>) {
        for Damage { path, why } in damage {
            let damage = Unreadable { name: path.display().to_string(), why };
            if !self.damaged.first.contains(&damage) {
                self.damaged.add(damage);
            }
        }
    }
}

/// The CPU time of this thread in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Phases {
    /// Finding objects and reading their headers.
    pub(super) headers: f64,
    /// Measuring curves.
    pub(super) curves: f64,
    /// Inflating and applying deltas.
    pub(super) inflate: f64,
    /// Comparing hashes with ids.
    pub(super) check: f64,
    /// Hashing with every candidate, several times.
    pub(super) hash: f64,
}

/// The wall-clock times of git's own operations on the repository, on one thread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Operations {
    /// The version of the installed git, if it was run.
    pub(super) git: Option<String>,
    /// Indexing all packs.
    pub(super) index_pack: Operation,
    /// Checking all objects.
    pub(super) fsck: Operation,
}

impl Operations {
    /// The operations with their names in git.
    pub(super) fn named(&self) -> [(&'static str, &Operation); 2] {
        [("index-pack", &self.index_pack), ("fsck", &self.fsck)]
    }
}

/// The time of an operation in seconds, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Operation {
    pub(super) seconds: Option<f64>,
    pub(super) unavailable: Option<String>,
}

/// The CPU time of one algorithm for the objects of one type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TypeTime {
    /// `commit`, `tree`, `blob` or `tag`.
    pub(super) kind: String,
    pub(super) seconds: f64,
    /// The fraction of the time for all objects.
    pub(super) share: f64,
}

/// A participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Who {
    /// The canonical name of the algorithm.
    pub(super) algorithm: String,
    /// The title of the algorithm.
    pub(super) title: String,
    /// `sound`, `broken`, ...
    pub(super) status: String,
    /// The library that computes it.
    pub(super) provider: String,
    pub(super) kernel: Option<String>,
    /// True if one call gets all objects of a batch, so that it may hash several in SIMD lanes.
    pub(super) many: bool,
    /// True if git uses this hash in such a repository.
    pub(super) git_now: bool,
}

impl Who {
    pub(super) fn new(algorithm: &Algorithm, provider: String, many: bool, kernel: Option<String>) -> Self {
        let (name, title) = (algorithm.name.to_owned(), algorithm.title.to_owned());
        let status = algorithm.status.name().to_owned();
        Self { algorithm: name, title, status, provider, kernel, many, git_now: false }
    }

    pub(super) fn standing(&self) -> Standing {
        Standing::of(&self.algorithm)
    }

    /// `SHA-1, broken`.
    pub(super) fn titled(&self) -> String {
        self.standing().titled(&self.title)
    }
}

impl Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}{})", self.titled(), self.provider, if self.many { ", many at once" } else { "" })
    }
}

/// A participant with its results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) who: Who,
    /// The CPU time of one thread for all objects, in seconds.
    pub(super) seconds: Estimate,
    /// The part of the time for each type that occurs.
    pub(super) types: Vec<TypeTime>,
    /// The ratio to git's current hash, if that was timed.
    pub(super) over_now: Option<Estimate>,
    /// True if the row above is equally secure and the interval of the ratio between both times contains 1, so that
    /// neither is known to be faster.
    pub(super) tie_with_above: bool,
    /// The time in seconds that the curve predicts for all objects.
    pub(super) predicted_seconds: f64,
    /// The curve: pairs of a message size in bytes and nanoseconds.
    pub(super) curve: Vec<(u64, f64)>,
}

impl Row {
    /// The distance from the time to the farther end of its interval, divided by the time.
    pub(super) fn half_width(&self) -> f64 {
        let Estimate { value, low, high } = self.seconds;
        (high / value - 1.0).max(1.0 - low / value)
    }

    /// Measured time divided by predicted time, minus 1.
    pub(super) fn deviation(&self) -> f64 {
        self.seconds.value / self.predicted_seconds - 1.0
    }
}

impl Report {
    /// The time in seconds of git's own hash for all objects, if it was measured.
    pub(super) fn now_seconds(&self) -> Option<f64> {
        let now = self.rows.iter().find(|row| row.who.git_now && !row.who.many);
        now.map(|row| row.seconds.value)
    }

    /// The number of bytes to which the times of the rows refer: the bytes of all objects if the times were estimated
    /// from a sample, and otherwise the bytes that were hashed.
    pub(super) fn hashed_bytes(&self) -> u64 {
        let estimated = self.run.complete && self.run.sample.is_some();
        if estimated { self.repository.stream_bytes } else { self.run.hashed_bytes }
    }
}
