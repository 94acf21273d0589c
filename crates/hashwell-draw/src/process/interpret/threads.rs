//! Many replicates in several threads, a range of them at a time.
//!
//! ```text
//! counter of replicates --claim--> thread 1 --work--\
//!                     \---claim--> thread 2 --work---+--> caller, who works too: pieces in order, progress
//! ```

use crate::Error;
use crate::process::{Replicates, Run};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long the work on a range should take: so often progress is told, and so soon after a break the caller has its
/// answer, unless one replicate takes longer.
const WHILE: Duration = Duration::from_millis(20);
/// The most threads, whoever asks for more.
const THREADS: u64 = 256;
/// The most replicates of a range: what comes of them is held beside what has come.
const MOST: u64 = 1 << 14;

/// As [`pieces`](super::pieces()), whose work it is where there are threads: how many replicates are done, and whether these
/// are all.
pub(super) fn work_off<T: Send>(
    run: &Run,
    replicates: Range<u64>,
    threads: usize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    work: impl Fn(&mut Replicates<'_>) -> Result<T, Error> + Sync,
    take: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<(u64, bool), Error> {
    let total = replicates.end.saturating_sub(replicates.start);
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    // No more than there is work for, however many were asked for.
    let others = (threads as u64).min(total).min(THREADS).saturating_sub(1);
    let queue = Queue { left: Mutex::new(replicates.clone()), end: AtomicU64::new(u64::MAX) };
    let mut order = Order { next: replicates.start, early: BTreeMap::new(), take, done: 0, out: Ok(()) };
    thread::scope(|scope| {
        let (give, come) = mpsc::channel();
        for _ in 0..others {
            let (give, queue, work) = (give.clone(), &queue, &work);
            let worker = move || {
                let mut pace = Pace::new();
                while let Some(piece) = queue.work(run, &mut pace, work, &mut || ControlFlow::Continue(())) {
                    if give.send(piece).is_err() {
                        break;
                    }
                }
            };
            if thread::Builder::new().name("replicates".into()).spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        drop(give);
        let mut pace = Pace::new();
        let mut tell = |done: u64| {
            let answer = progress(done);
            if answer.is_break() {
                queue.end.store(0, Ordering::Relaxed);
            }
            answer
        };
        loop {
            let done = order.done;
            let Some(piece) = queue.work(run, &mut pace, &work, &mut || tell(done)) else { break };
            order.put(piece);
            come.try_iter().for_each(|piece| order.put(piece));
            if order.out.is_err() {
                return;
            }
            let _ = tell(order.done);
        }
        // Every range is claimed: what is missing is with the others.
        while order.out.is_ok() {
            match come.recv_timeout(WHILE) {
                Ok(piece) => order.put(piece),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            let _ = tell(order.done);
        }
    });
    let replicates = order.next - replicates.start;
    order.out.map(|()| (replicates, replicates == total))
}

/// What came of a range.
struct Piece<T> {
    range: Range<u64>,
    out: Result<T, Error>,
}

/// Replicates that nobody has claimed.
struct Queue {
    left: Mutex<Range<u64>>,
    /// Ranges that begin here or later are of no use any more.
    end: AtomicU64,
}

impl Queue {
    /// Claims a range and works on it; `None` if there is none.
    fn work<T>(
        &self,
        run: &Run,
        pace: &mut Pace,
        work: &impl Fn(&mut Replicates<'_>) -> Result<T, Error>,
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Piece<T>> {
        let mut range = self.claim(pace.replicates)?;
        let start = range.start;
        let mut ask =
            || if start < self.end.load(Ordering::Relaxed) { ask() } else { ControlFlow::Break(()) };
        let begin = Instant::now();
        let out = run.replicates(range.clone()).and_then(|replicates| {
            let mut replicates = replicates.watched(&mut ask);
            let out = work(&mut replicates)?;
            // Work that was told to stop has left some.
            range.end = replicates.left().start;
            Ok(out)
        });
        pace.took(begin.elapsed());
        if out.is_err() {
            // What comes before it goes on, as it may fail, too.
            self.end.fetch_min(start + 1, Ordering::Relaxed);
        }
        Some(Piece { range, out })
    }

    fn claim(&self, most: u64) -> Option<Range<u64>> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let start = left.start;
        let end = left.end.min(start.saturating_add(most));
        if start >= end || start >= self.end.load(Ordering::Relaxed) {
            return None;
        }
        left.start = end;
        Some(start..end)
    }
}

/// How many replicates a thread claims: one at first, then as many as took it [`WHILE`].
struct Pace {
    replicates: u64,
}

impl Pace {
    fn new() -> Self {
        Self { replicates: 1 }
    }

    fn took(&mut self, time: Duration) {
        if time < WHILE / 2 {
            self.replicates = (self.replicates * 4).min(MOST);
        } else if time > WHILE * 2 {
            self.replicates = (self.replicates / 2).max(1);
        }
    }
}

/// Pieces, put in order.
struct Order<'t, T> {
    /// The replicate that the next piece begins with.
    next: u64,
    /// Pieces beyond it.
    early: BTreeMap<u64, Piece<T>>,
    take: &'t mut dyn FnMut(T) -> Result<(), Error>,
    /// Replicates that are done, in order or not.
    done: u64,
    /// The first error: nothing is taken after it.
    out: Result<(), Error>,
}

impl<T> Order<'_, T> {
    fn put(&mut self, piece: Piece<T>) {
        self.done += piece.range.end - piece.range.start;
        self.early.insert(piece.range.start, piece);
        while self.out.is_ok()
            && let Some(Piece { range, out }) = self.early.remove(&self.next)
        {
            self.next = range.end;
            self.out = out.and_then(&mut *self.take);
        }
    }
}
