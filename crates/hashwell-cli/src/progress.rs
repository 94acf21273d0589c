//! A progress line on a terminal, for work that takes more than a second.

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Bytes a second.
fn rate(state: &ProgressState) -> f64 {
    state.pos() as f64 / state.elapsed().as_secs_f64()
}

/// Bytes hashed or steps done so far, shown on standard error if that is a terminal.
pub(crate) struct Progress {
    enabled: bool,
    start: Instant,
    /// What is counted, if not bytes.
    what: Option<&'static str>,
    /// Bytes (or steps) to do, if known.
    total: Option<u64>,
    done: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(total: Option<u64>) -> Self {
        let enabled = io::stderr().is_terminal();
        Self {
            enabled,
            start: Instant::now(),
            what: None,
            total,
            done: AtomicU64::new(0),
            bar: OnceLock::new(),
        }
    }

    /// For work that is counted in steps, not in bytes.
    pub(crate) fn steps(what: &'static str, total: impl Into<Option<u64>>) -> Self {
        let mut progress = Self::new(total.into());
        progress.what = Some(what);
        progress
    }

    /// For a walk, which counts names; how many there are is what it finds out.
    pub(crate) fn names() -> Self {
        Self::steps("names looked at", None)
    }

    /// For work whose output goes to standard output as it is made: nothing is shown if that is a terminal
    /// too, where it would stand in the middle of the output.
    pub(crate) fn beside_output(total: Option<u64>) -> Self {
        let mut progress = Self::new(total);
        progress.enabled &= !io::stdout().is_terminal();
        progress
    }

    /// Counts bytes, or steps.
    pub(crate) fn add(&self, n: u64) {
        if !self.enabled {
            return;
        }
        let done = self.done.fetch_add(n, Ordering::Relaxed) + n;
        if self.start.elapsed() >= PATIENCE {
            self.bar.get_or_init(|| self.new_bar()).set_position(done);
        }
    }

    fn new_bar(&self) -> ProgressBar {
        let (bar, template) = match self.total {
            Some(total) if self.what.is_some() => (ProgressBar::new(total), "{bar:30} {msg}, {left} left"),
            Some(total) => (ProgressBar::new(total), "{bar:30} {bytes}/{total_bytes} {rate}/s, {left} left"),
            None if self.what.is_some() => (ProgressBar::no_length(), "{spinner} {human_pos} {msg}"),
            None => (ProgressBar::no_length(), "{spinner} {bytes} {rate}/s"),
        };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        // Means since the start: indicatif's own estimate takes the bytes hashed before the bar appeared for
        // a burst, and is off for the rest of the run.
        let style = style
            .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{:#}", HumanBytes(rate(state) as u64));
            })
            .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                let bytes = state.len().unwrap_or(0).saturating_sub(state.pos());
                let left = Duration::try_from_secs_f64(bytes as f64 / rate(state)).unwrap_or_default();
                let _ = write!(out, "{:#}", HumanDuration(left));
            });
        bar.set_style(style);
        bar.with_elapsed(self.start.elapsed()).with_message(self.what.unwrap_or_default())
    }

    /// Runs `print` with the line out of the way.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
