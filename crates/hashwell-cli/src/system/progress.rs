//! A progress line on a terminal, for work that takes more than a second.

use crate::system::report::{explain, printable};
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::ffi::OsStr;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// For work shorter than this, nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two lines if the output is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// `--no-progress`. It applies to the whole process, because all kinds of work show their progress.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Hides progress from now on, or shows it again.
pub(crate) fn hide(hidden: bool) {
    HIDDEN.store(hidden, Ordering::Relaxed);
}

/// Returns true if standard error is a terminal and progress is not hidden.
pub(crate) fn shown() -> bool {
    io::stderr().is_terminal() && !HIDDEN.load(Ordering::Relaxed)
}

/// The rate in bytes per second.
fn rate(state: &ProgressState) -> f64 {
    state.pos() as f64 / state.elapsed().as_secs_f64()
}

/// Counts the bytes hashed or steps done so far, and shows them on standard error if that is a terminal.
pub(crate) struct Progress {
    enabled: bool,
    start: Instant,
    /// The unit that is counted, if it isn't bytes.
    what: Option<&'static str>,
    /// The total number of bytes or steps, if known.
    total: Option<u64>,
    done: AtomicU64,
    /// The number of files, if the work is on files.
    files: Option<usize>,
    /// The number of files that were started, and the name of the last one.
    begun: Mutex<(usize, String)>,
    bar: OnceLock<ProgressBar>,
    /// For standard error that is not a terminal: a description of the work, and the time of the last line.
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

    /// Creates a progress display for work on this number of files, with `total` bytes if that is known.
    pub(crate) fn of_files(total: Option<u64>, files: usize) -> Self {
        let mut progress = Self::new(total);
        progress.files = Some(files);
        progress
    }

    /// If standard error is not a terminal, prints a line about the progress every few seconds.
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

    /// Records the start of work on a file.
    pub(crate) fn begin(&self, name: &OsStr) {
        let Some(files) = self.files.filter(|_| self.enabled) else { return };
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        // A file that grew is started twice.
        let number = (begun.0 + 1).min(files);
        *begun = (
            number,
            format!("{}/{} {}", HumanCount(number as u64), HumanCount(files as u64), printable(name)),
        );
        if let Some(bar) = self.bar.get() {
            bar.set_message(begun.1.clone());
        }
    }

    /// Creates a progress display for work that is counted in steps instead of bytes.
    pub(crate) fn steps(what: &'static str, total: impl Into<Option<u64>>) -> Self {
        let mut progress = Self::new(total.into());
        progress.what = Some(what);
        progress
    }

    /// Creates a progress display for a walk of folders. It counts names, whose total number is only known at the end.
    pub(crate) fn names() -> Self {
        Self::steps("names checked", None)
    }

    /// Creates a progress display for work that writes to standard output while it runs. If standard output is a
    /// terminal, nothing is shown, because the display would be mixed with the output.
    pub(crate) fn beside_output(total: Option<u64>) -> Self {
        Self::new(total).apart_from_output()
    }

    /// The same progress, but hidden if standard output is a terminal.
    pub(crate) fn apart_from_output(mut self) -> Self {
        self.enabled &= !io::stdout().is_terminal();
        self
    }

    /// Counts bytes or steps.
    pub(crate) fn add(&self, n: u64) {
        if !self.enabled && self.lines.is_none() {
            return;
        }
        // The sum could overflow, because a malicious file can declare any number.
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
        // Show averages since the start. The estimate of indicatif counts the bytes that were hashed before the bar
        // appeared as a burst, and stays wrong for the rest of the run.
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

    /// Runs `print` while the progress line is hidden.
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

/// The number of files and bytes that were read, for a line at the end of a long list of files.
pub(crate) struct Summary {
    wanted: bool,
    start: Instant,
    files: u64,
    bytes: u64,
}

impl Summary {
    /// The line is printed if `asked` is true, or if `usual` is true and standard error is a terminal.
    pub(crate) fn begin(asked: bool, usual: bool) -> Self {
        Self { wanted: asked || (usual && shown()), start: Instant::now(), files: 0, bytes: 0 }
    }

    /// Counts a file that was read.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Prints the line to standard error.
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
