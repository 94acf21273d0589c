//! A thread that fills buffers before the caller requests them.

use crate::start::spawn_with;
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Buffers that a thread fills in advance. They are reused, so the amount of memory is fixed.
///
/// # Examples
/// ```
/// use hashwell_work::ReadAhead;
///
/// let fill = |numbers: &mut std::ops::RangeInclusive<u32>, buffer: &mut u32| -> Result<bool, &str> {
///     *buffer = numbers.next().unwrap_or_default();
///     Ok(*buffer < 3)
/// };
/// if let Ok(mut ahead) = ReadAhead::start(vec![0, 0], 1..=3, fill) {
///     let mut number = 0;
///     let mut sum = 0;
///     while ahead.swap(&mut number)? {
///         sum += number;
///     }
///     assert_eq!(sum, 6);
/// }
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct ReadAhead<B, E> {
    full: Receiver<Result<B, E>>,
    free: Sender<B>,
    /// `None` after the thread's panic has been propagated.
    thread: Option<JoinHandle<()>>,
}

impl<B: Send + 'static, E: Send + 'static> ReadAhead<B, E> {
    /// Starts a thread that calls `fill` with the source on each of the buffers, and again on each buffer that the
    /// caller returns, until `fill` returns `Ok(false)` for the last buffer or an error.
    ///
    /// # Errors
    /// Returns the source if the system refuses to start the thread.
    pub fn start<S: Send + 'static>(
        buffers: Vec<B>,
        source: S,
        fill: impl FnMut(&mut S, &mut B) -> Result<bool, E> + Send + 'static,
    ) -> Result<Self, S> {
        let (give, full) = channel();
        let (free, take) = channel();
        let producer = Producer { full: give, free: take, source, fill };
        let thread = spawn_with(producer, Producer::run).map_err(|back| back.source)?;
        // If the thread has ended already, this is detected when a buffer is requested.
        buffers.into_iter().for_each(|buffer| drop(free.send(buffer)));
        Ok(Self { full, free, thread: Some(thread) })
    }

    /// Replaces `buffer` with the next filled buffer, and lets the thread fill the old one. After the last buffer,
    /// returns false and leaves `buffer` unchanged.
    ///
    /// # Errors
    /// Returns the error of `fill`.
    ///
    /// # Panics
    /// Panics if `fill` did.
    pub fn swap(&mut self, buffer: &mut B) -> Result<bool, E> {
        if let Ok(next) = self.full.recv() {
            let used = mem::replace(buffer, next?);
            // If the thread has ended, it needs no buffer.
            let _ = self.free.send(used);
            return Ok(true);
        }
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(payload)) => resume_unwind(payload),
            _ => Ok(false),
        }
    }
}

/// The values that the thread owns.
struct Producer<B, E, S, F> {
    full: Sender<Result<B, E>>,
    free: Receiver<B>,
    source: S,
    fill: F,
}

impl<B, E, S, F: FnMut(&mut S, &mut B) -> Result<bool, E>> Producer<B, E, S, F> {
    /// Fills buffers until all input is read, or until the caller has dropped its end of the channel.
    fn run(mut self) {
        while let Ok(mut buffer) = self.free.recv() {
            let filled = (self.fill)(&mut self.source, &mut buffer);
            let more = matches!(filled, Ok(true));
            if self.full.send(filled.map(|_| buffer)).is_err() || !more {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::refuse_threads;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn fill(next: &mut u32, buffer: &mut u32) -> Result<bool, String> {
        *next += 1;
        *buffer = *next;
        Ok(*next < 100)
    }

    #[test]
    fn buffers_come_in_order() {
        for buffers in 1..4 {
            let mut ahead = ReadAhead::start(vec![0; buffers], 0, fill).unwrap();
            let mut buffer = 0;
            for must in 1..=100 {
                assert_eq!((ahead.swap(&mut buffer), buffer), (Ok(true), must));
            }
            assert_eq!([ahead.swap(&mut buffer), ahead.swap(&mut buffer)], [Ok(false), Ok(false)]);
            assert_eq!(buffer, 100);
        }
    }

    #[test]
    fn a_refused_thread_gives_the_source_back() {
        assert_eq!(refuse_threads(0, || ReadAhead::start(vec![0], 7, fill)).err(), Some(7));
    }

    #[test]
    fn an_error_is_the_last_answer() {
        let fill = |(): &mut (), _: &mut u32| Err::<bool, _>("full".to_owned());
        let mut ahead = ReadAhead::start(vec![0, 0], (), fill).unwrap();
        assert_eq!(ahead.swap(&mut 0), Err("full".to_owned()));
        assert_eq!(ahead.swap(&mut 0), Ok(false));
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let fill = |(): &mut (), _: &mut u32| -> Result<bool, String> { panic!("in the thread") };
        let mut ahead = ReadAhead::start(vec![0], (), fill).unwrap();
        let payload = catch_unwind(AssertUnwindSafe(|| ahead.swap(&mut 0))).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"in the thread"));
    }
}
