//! The programs made last, so that the same member is made once.

use crate::family::jit::code::Code;
use crate::family::member::{Rotations, Sha256Family};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many programs the cache holds. The one that nobody asked for the longest goes first; its memory is freed when
/// its last user lets go of it. A program of 256 rounds has some 45 KB.
pub const CODE_CACHE_LIMIT: usize = 16;

/// What is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeCache {
    /// Programs in the cache, at most [`CODE_CACHE_LIMIT`].
    pub programs: usize,
    /// Their machine code, in bytes.
    pub bytes: usize,
    /// Programs in memory: those of the cache, and those that are gone from it and still used.
    pub alive: usize,
}

/// The initial value is no part of it, since no code depends on it.
struct Entry {
    constants: Box<[u32]>,
    rotations: Rotations,
    program: Arc<Slot>,
}

/// Whoever needs the program first makes it; others who want the same one wait for it, and nobody else does.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Code>>>);

/// The program asked for last comes last.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Nothing is left half done in these locks, so that a panic elsewhere spoils nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The member's code, from the cache or made now; the error says why there can be none.
pub(crate) fn code_for(member: &Sha256Family) -> Result<Arc<Code>, String> {
    let slot = slot_for(member);
    let mut program = lock(&slot.0);
    if let Some(code) = &*program {
        return Ok(code.clone());
    }
    let code = Arc::new(Code::make(member)?);
    *program = Some(code.clone());
    Ok(code)
}

fn slot_for(member: &Sha256Family) -> Arc<Slot> {
    let mut cache = lock(&CACHE);
    let same =
        |entry: &Entry| *entry.constants == *member.constants() && entry.rotations == *member.rotations();
    let entry = match cache.iter().position(same) {
        Some(place) => cache.remove(place),
        None => Entry {
            constants: member.constants().into(),
            rotations: *member.rotations(),
            program: Arc::default(),
        },
    };
    let slot = entry.program.clone();
    if cache.len() == CODE_CACHE_LIMIT {
        cache.remove(0);
    }
    cache.push(entry);
    slot
}

/// What is in memory now.
#[must_use]
pub fn code_cache() -> CodeCache {
    let slots: Vec<Arc<Slot>> = lock(&CACHE).iter().map(|entry| entry.program.clone()).collect();
    let sizes: Vec<usize> =
        slots.iter().filter_map(|slot| lock(&slot.0).as_ref().map(|code| code.bytes())).collect();
    CodeCache { programs: sizes.len(), bytes: sizes.iter().sum(), alive: Code::alive() }
}
