//! Limits how fast files are read, for the whole process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The limit in bytes per second, or 0 for no limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// The earliest time at which the bytes that were read so far are within the limit.
static DUE: Mutex<Option<Instant>> = Mutex::new(None);

/// Sets the limit in bytes per second.
pub(crate) fn limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Waits until this number of further bytes may have been read.
pub(crate) fn wait(bytes: usize) {
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == 0 {
        return;
    }
    let now = Instant::now();
    let due = {
        let mut due = DUE.lock().unwrap_or_else(PoisonError::into_inner);
        let start = due.map_or(now, |due| due.max(now));
        let time = Duration::from_secs_f64(bytes as f64 / limit as f64);
        *due.insert(start.checked_add(time).unwrap_or(start))
    };
    sleep(due.saturating_duration_since(now));
}
