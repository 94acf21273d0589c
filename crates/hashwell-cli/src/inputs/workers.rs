//! Reads a large file with all free cores.
//!
//! ```text
//! number of the next piece -> pread into a buffer -> what can be made of it at once \
//!                                                                                    +-> each taker, in the file's order
//!                                                    its bytes                      /
//! ```
//!
//! Takers are functions that get all pieces in order. An idle worker first runs a taker whose next piece is ready;
//! otherwise it reads the next piece of the file. So values that can be computed from separate pieces (those of a tree
//! hash) are computed by all cores, each with its own buffer that stays in its cache. For takers that need the bytes in
//! order, pieces are read ahead. Several takers work in parallel.

use crate::inputs::buffer::large_buffer;
use crate::inputs::holes::Data;
use crate::system::parallel::Core;
use crate::system::{os, rate};
use hashwell_work::{Aligned, LINE, Scope, Worker};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The size of a piece in bytes. The last piece is shorter, and may be empty.
pub(crate) const PIECE: usize = hashwell::Pieces::LEN;

/// The number of pieces that may be read before the first of them is finished, if their bytes are kept. It is small
/// enough for the cache that the cores share, and large enough that workers rarely wait for a worker that is not
/// running.
const AHEAD: u64 = 8;

/// The number of pieces that may be read before the first of them is finished, if only a value of one or two kilobytes
/// is kept for each piece.
const FAR_AHEAD: u64 = 1024;

/// The number of pieces whose values a taker gets together. It is more than one, because passing a value takes less
/// time than choosing the taker.
const VALUES: usize = 16;

/// A piece of a file.
pub(crate) struct Piece<V> {
    /// `None` if bytes are not kept.
    buffer: Option<Aligned>,
    len: usize,
    /// The value that was computed from the bytes after reading.
    pub(crate) value: V,
}

impl<V> Piece<V> {
    /// The number of bytes, whether they are kept or not.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes of the piece, if they are kept.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.as_ref().map_or(&[], |buffer| &buffer[..self.len])
    }
}

/// A function that gets the pieces, one after the other.
pub(crate) type Taker<'t, V> = Box<dyn FnMut(&Piece<V>) -> io::Result<()> + Send + 't>;

/// The work on a file.
pub(crate) struct Work<'w, V> {
    /// Computes the value of a piece from its number and bytes, on any core and in any order.
    pub(crate) value: &'w (dyn Fn(u64, &[u8]) -> V + Sync),
    /// True if takers look at the bytes.
    pub(crate) keeps_bytes: bool,
    pub(crate) takers: Vec<Taker<'w, V>>,
}

/// Passes the file's pieces to all takers, and returns the total number of bytes. Bytes outside of `data` are zeros.
/// Returns `None` if the file does not support reading at an offset, or if there is no memory for a piece. In both
/// cases, no taker has been called.
///
/// # Errors
/// Returns an error if reading or a taker fails.
pub(crate) fn read<V: Send + Sync>(file: &File, data: &Data, work: Work<'_, V>) -> io::Result<Option<u64>> {
    let Ok(mut buffer) = piece_buffer() else { return Ok(None) };
    // A file that does not support reading at an offset fails here.
    if os::fill(file, 0, &mut buffer[..1]).is_err() {
        return Ok(None);
    }
    let crew = Workers::new(file, data, work, buffer);
    hashwell_work::scope(|scope| {
        let (mut helpers, mut refused) = (Vec::new(), false);
        crew.work(|| {
            while !refused && let Some(core) = Core::if_free() {
                let helper = crew.hire(scope, core);
                refused = helper.is_none();
                helpers.extend(helper);
            }
        });
        // A panic of a helper becomes a panic of the caller.
        helpers.into_iter().for_each(Worker::join);
    });
    let state = crew.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.failed.map_or(Ok(Some(state.size)), Err)
}

/// Allocates the memory for a piece.
fn piece_buffer() -> io::Result<Aligned> {
    Ok(Aligned::over(large_buffer(PIECE + LINE)?, PIECE))
}

struct Workers<'c, V> {
    file: &'c File,
    data: &'c Data,
    value: &'c (dyn Fn(u64, &[u8]) -> V + Sync),
    keeps_bytes: bool,
    /// The maximum number of pieces that are being processed at the same time.
    window: u64,
    state: Mutex<State<'c, V>>,
    more: Condvar,
}

struct State<'c, V> {
    /// The number of the next piece to read.
    next: u64,
    /// The number of pieces, as far as known.
    end: u64,
    /// The number of the first piece that at least one taker has not received. `pieces` contains the pieces from this
    /// number on that have been read.
    first: u64,
    pieces: VecDeque<Option<Arc<Piece<V>>>>,
    turns: Vec<Turn<'c, V>>,
    /// The number of pieces that a taker gets at a time.
    enough: usize,
    /// Unused buffers. `scarce` is true if no more can be allocated.
    spare: Vec<Aligned>,
    scarce: bool,
    /// The number of bytes that all takers have received.
    size: u64,
    failed: Option<io::Error>,
    /// The number of workers that wait for something to do.
    waiting: usize,
}

struct Turn<'c, V> {
    /// The number of the next piece, or of the one that the taker is working on.
    at: u64,
    /// `None` while the taker is working.
    taker: Option<Taker<'c, V>>,
}

impl<V> State<'_, V> {
    fn piece(&self, number: u64) -> Option<&Arc<Piece<V>>> {
        self.pieces.get((number - self.first) as usize).filter(|_| number < self.end)?.as_ref()
    }

    /// Returns a taker for which enough consecutive pieces are ready to make running it worthwhile.
    fn turn(&self) -> Option<usize> {
        let enough = if self.next < self.end { self.enough } else { 1 };
        let ready = |turn: &Turn<'_, V>| (turn.at..).take(enough).all(|number| self.piece(number).is_some());
        self.turns.iter().position(|turn| turn.taker.is_some() && ready(turn))
    }

    fn may_read(&self, window: u64, has_buffer: bool) -> bool {
        let buffers = has_buffer || !self.scarce || !self.spare.is_empty();
        self.next < self.end.min(self.first + window) && buffers
    }

    fn is_over(&self) -> bool {
        self.failed.is_some() || self.first >= self.end
    }

    /// Adds a piece that has been read.
    fn add(&mut self, number: u64, piece: Piece<V>) {
        if piece.len < PIECE {
            self.end = self.end.min(if piece.len == 0 { number } else { number + 1 });
        }
        let place = (number - self.first) as usize;
        if self.pieces.len() <= place {
            self.pieces.resize_with(place + 1, || None);
        }
        self.pieces[place] = Some(Arc::new(piece));
    }

    /// Removes the pieces that all takers have received.
    fn forget(&mut self) {
        let first = self.turns.iter().map(|turn| turn.at).min().unwrap_or(self.end);
        // No other thread has references to these pieces.
        for piece in self.pieces.drain(..(first - self.first) as usize).flatten().filter_map(Arc::into_inner)
        {
            self.size += piece.len as u64;
            self.spare.extend(piece.buffer);
        }
        self.first = first;
    }
}

impl<'c, V: Send + Sync> Workers<'c, V> {
    fn new(file: &'c File, data: &'c Data, work: Work<'c, V>, buffer: Aligned) -> Self {
        let state = State {
            next: 0,
            end: u64::MAX,
            first: 0,
            pieces: VecDeque::new(),
            turns: work.takers.into_iter().map(|taker| Turn { at: 0, taker: Some(taker) }).collect(),
            spare: vec![buffer],
            enough: if work.keeps_bytes { 1 } else { VALUES },
            scarce: false,
            size: 0,
            failed: None,
            waiting: 0,
        };
        let window = if work.keeps_bytes { AHEAD } else { FAR_AHEAD };
        let (state, more) = (Mutex::new(state), Condvar::new());
        Self { file, data, value: work.value, keeps_bytes: work.keeps_bytes, window, state, more }
    }

    fn lock(&self) -> MutexGuard<'_, State<'c, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a helper. Returns `None` if the system refuses to start the thread.
    fn hire<'scope>(&'scope self, scope: Scope<'scope, '_>, core: Core) -> Option<Worker<'scope, ()>> {
        let helper = move || {
            let _core = core;
            self.work(|| ());
        };
        scope.start(helper).ok()
    }

    /// Works until nothing is left to do. Calls `hire` before it reads a piece.
    fn work(&self, mut hire: impl FnMut()) {
        let _ends = Ends(self);
        // The worker's own buffer, if bytes are not kept.
        let mut buffer = None;
        let mut state = self.lock();
        while !state.is_over() {
            if let Some(own) = state.turn() {
                state = self.take(state, own);
            } else if state.may_read(self.window, buffer.is_some()) {
                let Some(own) = buffer.take().or_else(|| state.spare.pop()).or_else(|| piece_buffer().ok())
                else {
                    state.scarce = true;
                    continue;
                };
                let number = state.next;
                state.next += 1;
                self.wake(&state);
                drop(state);
                hire();
                let read = self.read(number, own);
                state = self.lock();
                match read {
                    Ok((piece, own)) => {
                        state.add(number, piece);
                        buffer = own;
                    }
                    Err(error) => drop(state.failed.get_or_insert(error)),
                }
            } else {
                state.waiting += 1;
                state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.waiting -= 1;
            }
        }
    }

    /// Reads a piece and computes its value. If bytes are kept, the buffer becomes part of the piece; otherwise it is
    /// returned.
    fn read(&self, number: u64, mut buffer: Aligned) -> io::Result<(Piece<V>, Option<Aligned>)> {
        let len = self.data.fill(self.file, number.saturating_mul(PIECE as u64), &mut buffer)?;
        rate::wait(len)?;
        let value = (self.value)(number, &buffer[..len]);
        let (kept, own) = if self.keeps_bytes { (Some(buffer), None) } else { (None, Some(buffer)) };
        Ok((Piece { buffer: kept, len, value }, own))
    }

    /// Passes the pieces that are ready to a taker, without holding the lock.
    fn take<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<'c, V>>,
        own: usize,
    ) -> MutexGuard<'s, State<'c, V>> {
        let at = state.turns[own].at;
        let Some(mut taker) = state.turns[own].taker.take() else { return state };
        let pieces: Vec<_> =
            (at..).take(state.enough).map_while(|number| state.piece(number).cloned()).collect();
        self.wake(&state);
        drop(state);
        let taken = pieces.iter().try_for_each(|piece| taker(piece));
        let at = at + pieces.len() as u64;
        drop(pieces);
        state = self.lock();
        state.turns[own] = Turn { at, taker: Some(taker) };
        state.forget();
        if let Err(error) = taken {
            state.failed.get_or_insert(error);
        }
        state
    }

    /// Wakes another worker if there is more to do than the caller's next step. A single piece to read is not enough,
    /// because waking a worker takes longer than reading the piece.
    fn wake(&self, state: &State<'c, V>) {
        if state.waiting > 0 && (state.turn().is_some() || state.may_read(self.window / 2, false)) {
            self.more.notify_one();
        }
    }
}

/// Wakes all waiting workers when a worker ends, which happens when nothing is left to do or when the worker panics.
struct Ends<'e, 'c, V: Send + Sync>(&'e Workers<'c, V>);

impl<V: Send + Sync> Drop for Ends<'_, '_, V> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().failed.get_or_insert(ErrorKind::Other.into());
        }
        self.0.more.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    /// Creates a file of this number of pieces, followed by `more` bytes. Every byte of a piece is the piece's number.
    fn file(pieces: usize, more: usize) -> File {
        let mut file = tempfile::tempfile().unwrap();
        (0..pieces).for_each(|number| file.write_all(&[number as u8; PIECE]).unwrap());
        file.write_all(&vec![pieces as u8; more]).unwrap();
        file
    }

    #[test]
    fn every_taker_has_every_piece_in_order_with_its_value() {
        let helped = || (0..8).map_while(|_| Core::if_free()).collect::<Vec<_>>();
        for (pieces, more) in [(0, 0), (0, 1), (1, 0), (1, 5), (40, 0), (40, 7)] {
            let file = file(pieces, more);
            for keeps_bytes in [true, false] {
                // Test without and with helpers.
                for taken in [Vec::new(), helped()] {
                    let mut seen: [Vec<(u64, usize, usize)>; 3] = Default::default();
                    let takers = seen.iter_mut().map(collect).collect();
                    let value = |number: u64, bytes: &[u8]| {
                        assert!(bytes.iter().all(|byte| u64::from(*byte) == number));
                        (number, bytes.len())
                    };
                    let size =
                        read(&file, &Data::default(), Work { value: &value, keeps_bytes, takers }).unwrap();
                    assert_eq!(size, Some((pieces * PIECE + more) as u64));
                    for seen in seen {
                        let len = |number: usize| if number < pieces { PIECE } else { more };
                        let count = pieces + usize::from(more > 0);
                        let kept = |number: usize| if keeps_bytes { len(number) } else { 0 };
                        let expected: Vec<_> = (0..count).map(|n| (n as u64, len(n), kept(n))).collect();
                        assert_eq!(seen, expected);
                    }
                    drop(taken);
                }
            }
        }
    }

    fn collect(seen: &mut Vec<(u64, usize, usize)>) -> Taker<'_, (u64, usize)> {
        Box::new(|piece| {
            let (number, len) = piece.value;
            assert_eq!(len, piece.len());
            assert!(piece.bytes().iter().all(|byte| u64::from(*byte) == number));
            seen.push((number, len, piece.bytes().len()));
            Ok(())
        })
    }

    fn plain<'t>(take: impl FnMut(&Piece<()>) -> io::Result<()> + Send + 't) -> Work<'t, ()> {
        Work { value: &|_, _| (), keeps_bytes: true, takers: vec![Box::new(take)] }
    }

    #[test]
    fn what_has_no_places_is_left_to_others() {
        let (reader, _writer) = io::pipe().unwrap();
        let pipe = File::from(std::os::fd::OwnedFd::from(reader));
        let never = plain(|_| panic!("nothing was read"));
        assert_eq!(read(&pipe, &Data::default(), never).unwrap(), None);
    }

    #[test]
    fn a_failure_is_the_callers_and_ends_all() {
        let file = file(40, 0);
        let mut taken = 0;
        let failing = plain(|_| {
            taken += 1;
            if taken == 5 { Err(io::Error::other("full")) } else { Ok(()) }
        });
        assert_eq!(read(&file, &Data::default(), failing).unwrap_err().to_string(), "full");
        assert_eq!(taken, 5);
    }

    /// If a worker unwinds, on any thread, the others must end too, or they would wait forever.
    #[test]
    fn unwinding_ends_all() {
        let file = file(40, 0);
        for keeps_bytes in [true, false] {
            let value = |number: u64, _: &[u8]| {
                if number == 20 {
                    resume_unwind(Box::new("without a trace"))
                }
            };
            let takers: Vec<Taker<'_, ()>> = vec![Box::new(|_| Ok(()))];
            let work = Work { value: &value, keeps_bytes, takers };
            assert!(catch_unwind(AssertUnwindSafe(|| read(&file, &Data::default(), work))).is_err());
        }
        let unwinding = plain(|_| resume_unwind(Box::new("without a trace")));
        assert!(catch_unwind(AssertUnwindSafe(|| read(&file, &Data::default(), unwinding))).is_err());
    }
}
