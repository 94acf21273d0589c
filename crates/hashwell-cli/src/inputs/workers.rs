//! A large file, read by all cores that are free.
//!
//! ```text
//! number of the next piece -> pread into a buffer -> what can be made of it at once \
//!                                                                                    +-> each taker, in the file's order
//!                                                    its bytes                      /
//! ```
//!
//! Whoever is free takes what there is to do: a taker whose next piece is there, else the next piece of the file. So what
//! is made of pieces apart (the values of a tree) is made by all cores, each in a buffer of its own that stays in its
//! cache; for what needs the bytes in order somebody reads ahead; and several takers are at work side by side.

use crate::inputs::buffer::large_buffer;
use crate::inputs::holes::Data;
use crate::system::parallel::Core;
use crate::system::{os, rate};
use hashwell_work::{Scope, Worker};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Bytes of a piece; the last has fewer, or none.
pub(crate) const PIECE: usize = hashwell::Pieces::LEN;

/// Pieces that may be read before the first of them is done, if their bytes are kept: few enough for a cache that the
/// cores share, enough that nobody waits each time that another does not run.
const AHEAD: u64 = 8;

/// The same, if what is kept of a piece is a value of a kilobyte or two.
const FAR_AHEAD: u64 = 1024;

/// Pieces of which a taker gets the values together: giving one takes less time than finding out who does.
const VALUES: usize = 16;

/// A piece of a file.
pub(crate) struct Piece<V> {
    /// Nothing if bytes are not kept.
    buffer: Option<Buffer>,
    len: usize,
    /// What was made of it at once.
    pub(crate) value: V,
}

impl<V> Piece<V> {
    /// How many bytes it has, kept or not.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Its bytes, if they are kept.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.as_ref().map_or(&[], |buffer| &buffer.bytes()[..self.len])
    }
}

/// What takes the pieces, one after the other.
pub(crate) type Taker<'t, V> = Box<dyn FnMut(&Piece<V>) -> io::Result<()> + Send + 't>;

/// What is made of a file.
pub(crate) struct Work<'w, V> {
    /// Made of each piece at once, by its number and bytes, on any core and in any order.
    pub(crate) value: &'w (dyn Fn(u64, &[u8]) -> V + Sync),
    /// Whether takers look at bytes.
    pub(crate) keeps_bytes: bool,
    pub(crate) takers: Vec<Taker<'w, V>>,
}

/// Hands the file's pieces to all takers, of which those outside its `data` are zeros, and returns how many bytes they have together; `None` if the file cannot be
/// read by places, or there is no memory for a piece: then no taker has had anything.
///
/// # Errors
/// Of reading, and the takers'.
pub(crate) fn read<V: Send + Sync>(file: &File, data: &Data, work: Work<'_, V>) -> io::Result<Option<u64>> {
    let Ok(mut buffer) = Buffer::new() else { return Ok(None) };
    // What has no places says so now.
    if os::fill(file, 0, &mut buffer.bytes_mut()[..1]).is_err() {
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
        // A panic of theirs is the caller's.
        helpers.into_iter().for_each(Worker::join);
    });
    let state = crew.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.failed.map_or(Ok(Some(state.size)), Err)
}

/// Room for a piece, at the beginning of a line of the cache: the system's copying into it is a quarter slower elsewhere,
/// as behind an allocator's header.
struct Buffer {
    memory: Vec<u8>,
    start: usize,
}

impl Buffer {
    fn new() -> io::Result<Self> {
        const LINE: usize = 64;
        let mut memory = large_buffer(PIECE + LINE)?;
        memory.resize(PIECE + LINE, 0);
        // Where it cannot be told, any place will do.
        let start = memory.as_ptr().align_offset(LINE).min(LINE);
        Ok(Self { memory, start })
    }

    fn bytes(&self) -> &[u8] {
        &self.memory[self.start..][..PIECE]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..PIECE]
    }
}

struct Workers<'c, V> {
    file: &'c File,
    data: &'c Data,
    value: &'c (dyn Fn(u64, &[u8]) -> V + Sync),
    keeps_bytes: bool,
    /// Pieces that may be under way at a time.
    window: u64,
    state: Mutex<State<'c, V>>,
    more: Condvar,
}

struct State<'c, V> {
    /// Number of the next piece to read.
    next: u64,
    /// How many pieces there are, as far as is known.
    end: u64,
    /// Number of the first piece that not all takers have had; what has been read of it and those behind it.
    first: u64,
    pieces: VecDeque<Option<Arc<Piece<V>>>>,
    turns: Vec<Turn<'c, V>>,
    /// Pieces that make a turn.
    enough: usize,
    /// Buffers that nobody uses; and whether more are refused.
    spare: Vec<Buffer>,
    scarce: bool,
    /// Bytes that all takers have had.
    size: u64,
    failed: Option<io::Error>,
    /// How many wait for something to do.
    waiting: usize,
}

struct Turn<'c, V> {
    /// Number of the piece that is next, or being taken.
    at: u64,
    /// Nothing while it takes a piece.
    taker: Option<Taker<'c, V>>,
}

impl<V> State<'_, V> {
    fn piece(&self, number: u64) -> Option<&Arc<Piece<V>>> {
        self.pieces.get((number - self.first) as usize).filter(|_| number < self.end)?.as_ref()
    }

    /// A taker that can go on, for long enough to be worth it.
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

    /// A piece has been read.
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

    /// Lets go of the pieces that all takers have had.
    fn forget(&mut self) {
        let first = self.turns.iter().map(|turn| turn.at).min().unwrap_or(self.end);
        // Nobody else has them any more.
        for piece in self.pieces.drain(..(first - self.first) as usize).flatten().filter_map(Arc::into_inner)
        {
            self.size += piece.len as u64;
            self.spare.extend(piece.buffer);
        }
        self.first = first;
    }
}

impl<'c, V: Send + Sync> Workers<'c, V> {
    fn new(file: &'c File, data: &'c Data, work: Work<'c, V>, buffer: Buffer) -> Self {
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

    /// Starts a helper; `None` if the system refuses the thread.
    fn hire<'scope>(&'scope self, scope: Scope<'scope, '_>, core: Core) -> Option<Worker<'scope, ()>> {
        let helper = move || {
            let _core = core;
            self.work(|| ());
        };
        scope.start(helper).ok()
    }

    /// Does what there is to do until nothing is left; `hire` is called before each piece that is read.
    fn work(&self, mut hire: impl FnMut()) {
        let _ends = Ends(self);
        // Its own, where bytes are not kept.
        let mut buffer = None;
        let mut state = self.lock();
        while !state.is_over() {
            if let Some(own) = state.turn() {
                state = self.take(state, own);
            } else if state.may_read(self.window, buffer.is_some()) {
                let Some(own) = buffer.take().or_else(|| state.spare.pop()).or_else(|| Buffer::new().ok())
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

    /// Reads a piece and makes its value; the buffer goes with it if bytes are kept, else it comes back.
    fn read(&self, number: u64, mut buffer: Buffer) -> io::Result<(Piece<V>, Option<Buffer>)> {
        let len = self.data.fill(self.file, number.saturating_mul(PIECE as u64), buffer.bytes_mut())?;
        rate::wait(len);
        let value = (self.value)(number, &buffer.bytes()[..len]);
        let (kept, own) = if self.keeps_bytes { (Some(buffer), None) } else { (None, Some(buffer)) };
        Ok((Piece { buffer: kept, len, value }, own))
    }

    /// Gives a taker the pieces that are there for it, without the lock.
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

    /// Wakes another one if there is more to do than what the caller is about to; not for each single piece that can be
    /// read, since that would take longer than reading it.
    fn wake(&self, state: &State<'c, V>) {
        if state.waiting > 0 && (state.turn().is_some() || state.may_read(self.window / 2, false)) {
            self.more.notify_one();
        }
    }
}

/// Sends all home when one ends, which each does when nothing is left, or when it unwinds.
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

    /// A file of so many pieces and bytes more, each piece with its number in its bytes.
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
                // With helpers, and without any.
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

    /// One that unwinds must end the others too, or they would wait for ever; on whichever thread it is.
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
