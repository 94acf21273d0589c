//! `--stats`: what went by and how probable each row was.

use crate::system::report::explain;
use indicatif::{HumanBytes, HumanCount};
use std::time::Instant;

/// A clock, if it is wanted.
pub(super) struct Stats {
    wanted: bool,
    start: Instant,
}

impl Stats {
    pub(super) fn begin(wanted: bool) -> Self {
        Self { wanted, start: Instant::now() }
    }

    /// On standard error. `chance` is that of each row, where all have the same.
    pub(super) fn say(&self, seen: u64, bytes: Option<u64>, picked: u64, chance: Option<&str>) {
        if !self.wanted {
            return;
        }
        let rows = if seen == 1 { "row" } else { "rows" };
        let n = HumanCount(seen);
        let bytes = bytes.map_or_else(String::new, |bytes| format!(", {}", HumanBytes(bytes)));
        let (seconds, picked) = (self.start.elapsed().as_secs_f64(), HumanCount(picked));
        let each = chance.map_or_else(String::new, |chance| format!("; each with probability {chance}"));
        explain(&format!("hashwell: {n} {rows}{bytes} in {seconds:.1} s; {picked} picked{each}\n"));
    }
}
