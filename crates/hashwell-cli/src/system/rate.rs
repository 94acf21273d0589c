//! Limits how fast files are read, for the whole process, and stops reading if the process is asked to stop.

use crate::system::interrupt::stopped;
use std::io;
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

/// The longest time after which a thread that waits finds out that the process was asked to stop.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits until this number of further bytes may have been read.
///
/// # Errors
/// Returns an error if the process was asked to stop, and reading must end.
pub(crate) fn wait(bytes: usize) -> io::Result<()> {
    let limit = LIMIT.load(Ordering::Relaxed);
    let due = if limit == 0 { None } else { Some(due(bytes, limit)) };
    loop {
        if stopped() {
            return Err(io::Error::other("stopped"));
        }
        match due.map(|due| due.saturating_duration_since(Instant::now())) {
            None | Some(Duration::ZERO) => return Ok(()),
            Some(left) => sleep(left.min(PAUSE)),
        }
    }
}

/// The time at which this number of further bytes is within the limit.
fn due(bytes: usize, limit: u64) -> Instant {
    let now = Instant::now();
    let mut due = DUE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = due.map_or(now, |due| due.max(now));
    let time = Duration::from_secs_f64(bytes as f64 / limit as f64);
    *due.insert(start.checked_add(time).unwrap_or(start))
}
