//! A progress line on a terminal, for work that takes more than a second.

use crate::system::report::{explain, printable};
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::ffi::OsStr;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two lines off a terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// `--no-progress`: of the whole process, since work of every kind shows its progress.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows progress from now on, or not.
pub(crate) fn hide(hidden: bool) {
    HIDDEN.store(hidden, Ordering::Relaxed);
}

/// Whether somebody looks and wants to.
pub(crate) fn shown() -> bool {
    io::stderr().is_terminal() && !HIDDEN.load(Ordering::Relaxed)
}

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
    /// Of work on files, how many there are.
    files: Option<usize>,
    /// How many were begun, and the last one's name.
    begun: Mutex<(usize, String)>,
    bar: OnceLock<ProgressBar>,
    /// For standard error that is no terminal: what is done, and when a line said so.
    lines: Option<(&'static str, Mutex<Instant>)>,
}

impl Progress {
    pub(crate) fn new(total: Option<u64>) -> Self {
        Self {
            enabled: shown(),
            start: Instant::now(),
            what: None,
            total,
            done: AtomicU64::new(0),
            files: None,
            begun: Mutex::default(),
            bar: OnceLock::new(),
            lines: None,
        }
    }

    /// For work on this many files, of `total` bytes if that is known.
    pub(crate) fn of_files(total: Option<u64>, files: usize) -> Self {
        let mut progress = Self::new(total);
        progress.files = Some(files);
        progress
    }

    /// Where standard error is no terminal, a line every few seconds says how far the work is.
    pub(crate) fn in_lines(mut self, what: &'static str) -> Self {
        if !self.enabled && !HIDDEN.load(Ordering::Relaxed) {
            self.lines = Some((what, Mutex::new(self.start)));
        }
        self
    }

    fn say_line(&self, done: u64) {
        let Some((what, last)) = &self.lines else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LINE_EVERY {
            return;
        }
        *last = Instant::now();
        let count = |n: u64| match self.what {
            Some(_) => HumanCount(n).to_string(),
            None => HumanBytes(n).to_string(),
        };
        let of = self.total.map_or_else(String::new, |total| format!(" of {}", count(total)));
        explain(&format!("hashwell: {what}: {}{of}\n", count(done)));
    }

    /// A file is begun.
    pub(crate) fn begin(&self, name: &OsStr) {
        let Some(files) = self.files.filter(|_| self.enabled) else { return };
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        // A file that grew is begun again.
        let number = (begun.0 + 1).min(files);
        *begun = (
            number,
            format!("{}/{} {}", HumanCount(number as u64), HumanCount(files as u64), printable(name)),
        );
        if let Some(bar) = self.bar.get() {
            bar.set_message(begun.1.clone());
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
        Self::new(total).apart_from_output()
    }

    /// The same, but not where the output goes to a terminal as it is made.
    pub(crate) fn apart_from_output(mut self) -> Self {
        self.enabled &= !io::stdout().is_terminal();
        self
    }

    /// Counts bytes, or steps.
    pub(crate) fn add(&self, n: u64) {
        if !self.enabled && self.lines.is_none() {
            return;
        }
        // What a hostile file declares may be any number.
        let done = self.done.fetch_add(n, Ordering::Relaxed).saturating_add(n);
        self.say_line(done);
        if self.enabled && self.start.elapsed() >= PATIENCE {
            self.bar.get_or_init(|| self.new_bar()).set_position(done);
        }
    }

    fn new_bar(&self) -> ProgressBar {
        let (bar, template) = match self.total {
            Some(total) if self.what.is_some() => (ProgressBar::new(total), "{bar:30} {msg}, {left} left"),
            Some(total) => {
                (ProgressBar::new(total), "{bar:20} {bytes}/{total_bytes} {rate}/s, {left} left {wide_msg}")
            }
            None if self.what.is_some() => (ProgressBar::no_length(), "{spinner} {human_pos} {msg}"),
            None => (ProgressBar::no_length(), "{spinner} {bytes} {rate}/s {wide_msg}"),
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
        let file = self.begun.lock().unwrap_or_else(PoisonError::into_inner).1.clone();
        let message = self.what.map_or(file, str::to_owned);
        bar.with_elapsed(self.start.elapsed()).with_message(message)
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

/// How many files and bytes were read: the line at the end of a long list of files.
pub(crate) struct Summary {
    wanted: bool,
    start: Instant,
    files: u64,
    bytes: u64,
}

impl Summary {
    /// To be said if it is `asked` for, and on a terminal where it is `usual`.
    pub(crate) fn begin(asked: bool, usual: bool) -> Self {
        Self { wanted: asked || (usual && shown()), start: Instant::now(), files: 0, bytes: 0 }
    }

    /// A file was read.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// On standard error.
    pub(crate) fn say(&self) {
        if !self.wanted {
            return;
        }
        let files = if self.files == 1 { "file" } else { "files" };
        let (n, bytes, seconds) =
            (HumanCount(self.files), HumanBytes(self.bytes), self.start.elapsed().as_secs_f64());
        explain(&format!("hashwell: {n} {files}, {bytes} in {seconds:.1} s\n"));
    }
}
