//! Handles Ctrl-C, SIGTERM and SIGHUP for work that must print or remove something when it stops early.

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

/// The signals that ask the process to stop.
const SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    SIGHUP,
];

/// While a value of this type exists, the first of these signals is only noted, and a second one ends the process.
pub(crate) struct Interrupt {
    noted: Arc<AtomicBool>,
    handlers: Vec<SigId>,
}

/// The exit code for the last signal that was noted, as shells report it. Before any signal, it is the exit code for
/// Ctrl-C.
static EXIT: LazyLock<Arc<AtomicUsize>> =
    LazyLock::new(|| Arc::new(AtomicUsize::new(code_of(SIGINT).into())));

fn code_of(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// The exit code of a process that was stopped by a signal, as shells report it.
pub(crate) fn interrupted() -> u8 {
    u8::try_from(EXIT.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
}

/// True if a signal arrived after [`Interrupt::watch_reading`] was called. All threads that read files check this.
static STOPPED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Returns true if no more files should be read, because the process was asked to stop.
pub(crate) fn stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

impl Interrupt {
    /// # Errors
    /// Returns an error if the system does not allow setting signal handlers.
    pub(crate) fn watch() -> io::Result<Self> {
        Self::watch_with(Arc::default())
    }

    /// Same as [`Self::watch`], but the first signal also stops all reading of files: it fails with an error.
    ///
    /// # Errors
    /// Returns an error if the system does not allow setting signal handlers.
    pub(crate) fn watch_reading() -> io::Result<Self> {
        Self::watch_with(Arc::clone(&STOPPED))
    }

    fn watch_with(noted: Arc<AtomicBool>) -> io::Result<Self> {
        let mut interrupt = Self { noted, handlers: Vec::new() };
        for &signal in SIGNALS.iter().filter(|&&signal| !is_ignored(signal)) {
            let code = code_of(signal);
            // The order matters: the first handler ends the process only if the last handler has run for an earlier
            // signal.
            let end = flag::register_conditional_shutdown(signal, code.into(), Arc::clone(&interrupt.noted))?;
            interrupt.handlers.push(end);
            interrupt.handlers.push(flag::register_usize(signal, Arc::clone(&EXIT), code.into())?);
            interrupt.handlers.push(flag::register(signal, Arc::clone(&interrupt.noted))?);
        }
        Ok(interrupt)
    }

    /// True after the process was asked to stop.
    pub(crate) fn noted(&self) -> &AtomicBool {
        &self.noted
    }

    /// Returns a break after the process was asked to stop.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.noted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns true if the parent process made this one ignore a signal, as `nohup` does with SIGHUP. Only Linux reports
/// this.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    is_in_mask(&status, signal)
}

fn is_in_mask(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.handlers.drain(..).for_each(|handler| {
            low_level::unregister(handler);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals() {
        let status = "Name:\thashwell\nSigBlk:\t0000000000000000\nSigIgn:\t0000000001000001\nSigCgt:\t0\n";
        let ignored: Vec<i32> = (1..=64).filter(|&signal| is_in_mask(status, signal)).collect();
        assert_eq!(ignored, [1, 25]);
        assert!(!is_in_mask("", 1));
    }
}
