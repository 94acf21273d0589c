//! Cancellation, progress and a limit for long-running work.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The number of steps of a loop after which [`Watch::check`] checks the watch again.
const STEPS: u64 = 1 << 12;

/// The states of a watch: running, cancelled, over its limit.
const RUNNING: u8 = 0;
const CANCELLED: u8 = 1;
const OVER: u8 = 2;

/// The reason why long work ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stopped {
    /// The caller cancelled the work.
    Cancelled,
    /// The work took more steps than its limit.
    Limit {
        /// The limit, in steps.
        steps: u64,
    },
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Cancelled => f.write_str("stopped: the work was cancelled"),
            Stopped::Limit { steps } => {
                write!(f, "stopped: the work takes more steps than the limit of {steps}")
            }
        }
    }
}

impl std::error::Error for Stopped {}

/// The function that a watch calls. It gets the number of steps done so far, and returns `Break` to cancel the work.
type Ask<'a> = dyn Fn(u64) -> ControlFlow<()> + Sync + 'a;

/// Watches a long-running computation: loops ask it whether to continue, count their steps, and stop at a limit.
///
/// A front end creates a watch from a function that checks for signals and draws a progress bar. The work borrows the
/// watch, possibly on several threads. Only the thread that made the watch calls the function; other threads see the
/// result. Once the work is stopped, every later question gets the same answer, and the function isn't called again.
///
/// # Examples
/// ```
/// use hashwell_work::{Stopped, Watch};
/// use std::ops::ControlFlow;
///
/// fn long_work(watch: &Watch<'_>) -> Result<u64, Stopped> {
///     (0..1_000_000_u64).try_fold(0, |sum, step| {
///         watch.check(step)?;
///         Ok(sum + step)
///     })
/// }
///
/// let ask = |_steps_done| ControlFlow::Break(());
/// assert_eq!(long_work(&Watch::new(&ask)), Err(Stopped::Cancelled));
/// assert_eq!(long_work(Watch::never()), Ok(499_999_500_000));
/// ```
pub struct Watch<'a> {
    ask: Option<&'a Ask<'a>>,
    /// The thread that calls `ask`.
    owner: Option<ThreadId>,
    pace: Option<Pace>,
    limit: u64,
    done: AtomicU64,
    state: AtomicU8,
    /// True for the watch of [`Watch::never`], which all callers share and which cannot be stopped.
    shared: bool,
    /// True while `ask` runs. If `ask` runs a signal handler that checks this watch, `ask` is not called again.
    asking: AtomicBool,
}

/// Returns the identifier of this thread, or `None` in a browser, where a module has only one thread and the code for
/// identifiers would take 5 KB.
fn this_thread() -> Option<ThreadId> {
    let has_threads = !cfg!(all(target_arch = "wasm32", target_os = "unknown"));
    has_threads.then(|| thread::current().id())
}

/// The minimum time between two calls of the function.
struct Pace {
    start: Instant,
    every: Duration,
    /// The time after `start`, in nanoseconds, from which the next call is due.
    due: AtomicU64,
}

impl<'a> Watch<'a> {
    /// Returns a watch that calls `ask` with the number of steps done so far whenever the work checks the watch.
    #[must_use]
    pub fn new(ask: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync + 'a)) -> Self {
        Self { ask: Some(ask), owner: this_thread(), ..Self::plain() }
    }

    /// Returns a watch that calls no function. Its work is stopped only by [`Watch::stop`] or by a limit.
    #[must_use]
    pub const fn plain() -> Self {
        Self {
            ask: None,
            owner: None,
            pace: None,
            limit: u64::MAX,
            done: AtomicU64::new(0),
            state: AtomicU8::new(RUNNING),
            shared: false,
            asking: AtomicBool::new(false),
        }
    }

    /// Returns a watch that never stops its work. All callers share it, so it ignores [`Watch::stop`] and counts no
    /// steps.
    #[must_use]
    pub fn never() -> &'static Watch<'static> {
        static NEVER: Watch<'static> = Watch { shared: true, ..Watch::plain() };
        &NEVER
    }

    /// Calls the function only if `every` has passed since the last call, or since this call of `every`. Use it for a
    /// function that is slower than reading the clock.
    #[must_use]
    pub fn every(mut self, every: Duration) -> Self {
        let due = AtomicU64::new(nanoseconds(every));
        self.pace = Some(Pace { start: Instant::now(), every, due });
        self
    }

    /// Stops the work once it has counted more than `steps` steps.
    #[must_use]
    pub fn limit(mut self, steps: u64) -> Self {
        self.limit = steps;
        self
    }

    /// Cancels the work: all threads stop when they check the watch next.
    pub fn stop(&self) {
        if !self.shared {
            let _ = self.state.compare_exchange(RUNNING, CANCELLED, Relaxed, Relaxed);
        }
    }

    /// Returns the reason why the work must end, if it must. This only loads an atomic integer, and does not call the
    /// function.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> Option<Stopped> {
        match self.state.load(Relaxed) {
            RUNNING => None,
            OVER => Some(Stopped::Limit { steps: self.limit }),
            _ => Some(Stopped::Cancelled),
        }
    }

    /// Returns true if a thread must check the watch from time to time, because the watch has a function to call.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.ask.is_some()
    }

    /// Returns true if this thread would call the function when it checks the watch. Use it to release a lock that the
    /// function may need.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.asks() && self.pace.as_ref().is_none_or(Pace::is_due) && self.owner == this_thread()
    }

    /// Returns the number of steps that were counted.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Relaxed)
    }

    /// Counts steps, and checks if the work must end. [`Watch::done`] and the function of the watch get the number of
    /// steps.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the work must end.
    pub fn add(&self, steps: u64) -> Result<(), Stopped> {
        if !self.shared {
            let done = self.done.fetch_add(steps, Relaxed).saturating_add(steps);
            if done > self.limit {
                let _ = self.state.compare_exchange(RUNNING, OVER, Relaxed, Relaxed);
            }
        }
        self.look()
    }

    /// Checks the watch every few thousand steps, for inner loops. `step` is the number of the loop's current step.
    /// This function counts no steps.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the work must end.
    #[inline]
    pub fn check(&self, step: u64) -> Result<(), Stopped> {
        if step.is_multiple_of(STEPS) { self.look() } else { Ok(()) }
    }

    /// Calls the function if it is due and this thread made the watch.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the work must end.
    pub fn look(&self) -> Result<(), Stopped> {
        if let Some(stopped) = self.stopped() {
            return Err(stopped);
        }
        match self.ask {
            Some(ask) => self.call(ask),
            None => Ok(()),
        }
    }

    #[cold]
    fn call(&self, ask: &Ask<'_>) -> Result<(), Stopped> {
        if !self.is_due() || self.asking.swap(true, Relaxed) {
            return Ok(());
        }
        let answer = ask(self.done());
        self.asking.store(false, Relaxed);
        if let Some(pace) = &self.pace {
            pace.begin();
        }
        if answer.is_break() {
            self.stop();
        }
        self.stopped().map_or(Ok(()), Err)
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("done", &self.done())
            .field("stopped", &self.stopped())
            .finish_non_exhaustive()
    }
}

impl Pace {
    fn is_due(&self) -> bool {
        nanoseconds(self.start.elapsed()) >= self.due.load(Relaxed)
    }

    fn begin(&self) {
        self.due.store(nanoseconds(self.start.elapsed().saturating_add(self.every)), Relaxed);
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go_on(_: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn a_plain_watch_stops_when_it_is_told_to() {
        let watch = Watch::plain();
        assert_eq!((watch.look(), watch.add(3), watch.done(), watch.asks()), (Ok(()), Ok(()), 3, false));
        watch.stop();
        assert_eq!(watch.look(), Err(Stopped::Cancelled));
        assert_eq!((watch.check(1), watch.check(STEPS)), (Ok(()), Err(Stopped::Cancelled)));
    }

    #[test]
    fn nothing_stops_the_shared_watch() {
        Watch::never().stop();
        assert_eq!((Watch::never().add(u64::MAX), Watch::never().done()), (Ok(()), 0));
    }

    #[test]
    fn the_function_gets_the_steps_and_its_first_no_is_final() {
        let calls = AtomicU64::new(0);
        let ask = |done| {
            calls.fetch_add(1, Relaxed);
            if done < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let watch = Watch::new(&ask);
        assert_eq!([watch.add(4), watch.add(5), watch.look()], [Ok(()); 3]);
        assert_eq!([watch.add(1), watch.add(1), watch.look()], [Err(Stopped::Cancelled); 3]);
        assert_eq!(calls.load(Relaxed), 4);
    }

    #[test]
    fn a_limit_counts_steps() {
        let watch = Watch::new(&go_on).limit(5);
        assert_eq!(watch.add(5), Ok(()));
        let over = Stopped::Limit { steps: 5 };
        assert_eq!((watch.add(1), watch.stopped()), (Err(over), Some(over)));
        watch.stop();
        assert_eq!(watch.look(), Err(over));
        assert_eq!(over.to_string(), "stopped: the work takes more steps than the limit of 5");
    }

    #[test]
    fn the_function_is_called_no_more_often_than_asked_for() {
        let calls = AtomicU64::new(0);
        let ask = |_| {
            calls.fetch_add(1, Relaxed);
            ControlFlow::Continue(())
        };
        let watch = Watch::new(&ask).every(Duration::from_secs(3600));
        assert_eq!((watch.is_due(), watch.look()), (false, Ok(())));
        assert_eq!(calls.load(Relaxed), 0);
        let watch = Watch::new(&ask).every(Duration::ZERO);
        assert_eq!((watch.is_due(), watch.look()), (true, Ok(())));
        assert_eq!(calls.load(Relaxed), 1);
    }

    #[test]
    fn only_the_thread_that_made_the_watch_calls_the_function() {
        let ask = |_| ControlFlow::Break(());
        let watch = Watch::new(&ask);
        thread::scope(|scope| {
            let other = scope.spawn(|| watch.look());
            assert_eq!(other.join().unwrap(), Ok(()));
        });
        assert_eq!(watch.look(), Err(Stopped::Cancelled));
        thread::scope(|scope| {
            assert_eq!(scope.spawn(|| watch.look()).join().unwrap(), Err(Stopped::Cancelled));
        });
    }

    #[test]
    fn a_function_that_looks_isnt_called_again_meanwhile() {
        static WATCH: std::sync::OnceLock<Watch<'static>> = std::sync::OnceLock::new();
        static CALLS: AtomicU64 = AtomicU64::new(0);
        fn ask(_: u64) -> ControlFlow<()> {
            CALLS.fetch_add(1, Relaxed);
            assert_eq!(WATCH.get().map(Watch::look), Some(Ok(())));
            ControlFlow::Continue(())
        }
        assert_eq!(WATCH.get_or_init(|| Watch::new(&ask)).look(), Ok(()));
        assert_eq!(CALLS.load(Relaxed), 1);
    }

    /// A watch can be borrowed for the lifetime of a struct that may also contain the shared one.
    #[test]
    fn watches_of_different_lifetimes_have_one_type() {
        struct Limits<'a>(&'a Watch<'a>);
        let ask = |_| ControlFlow::Break(());
        let watch = Watch::new(&ask);
        let limits = [Limits(Watch::never()), Limits(&watch)];
        assert_eq!(limits.map(|limits| limits.0.look()), [Ok(()), Err(Stopped::Cancelled)]);
    }
}
