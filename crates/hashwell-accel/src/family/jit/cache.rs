//! The cache of the most recent programs, so that a member is not compiled again.

use crate::family::jit::code::Code;
use crate::family::member::{Rotations, Sha256Family};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of programs in the cache. The least recently used program is removed first. Its memory is freed
/// when its last user drops it. A program with 256 rounds has about 45 KB.
pub const CODE_CACHE_LIMIT: usize = 16;

/// The programs in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeCache {
    /// The number of programs in the cache, at most [`CODE_CACHE_LIMIT`].
    pub programs: usize,
    /// The size of their machine code in bytes.
    pub bytes: usize,
    /// The number of programs in memory: those in the cache, and those that were removed from it but are still used.
    pub alive: usize,
}

/// An entry of the cache. It doesn't contain the member's initial value, since the code doesn't depend on that value.
struct Entry {
    constants: Box<[u32]>,
    rotations: Rotations,
    program: Arc<Slot>,
}

/// A program, or an empty place for it. The first user compiles it while the lock is held. Only users of the same
/// program wait for it.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Code>>>);

/// The entries, in the order of their last use. The most recent one is the last.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Locks a mutex, even if a thread has panicked: no change under these locks can be incomplete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the member's code, from the cache or compiled now, or the reason why there is none.
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

/// Returns the number and size of the programs in memory.
#[must_use]
pub fn code_cache() -> CodeCache {
    let slots: Vec<Arc<Slot>> = lock(&CACHE).iter().map(|entry| entry.program.clone()).collect();
    let sizes: Vec<usize> =
        slots.iter().filter_map(|slot| lock(&slot.0).as_ref().map(|code| code.bytes())).collect();
    CodeCache { programs: sizes.len(), bytes: sizes.iter().sum(), alive: Code::alive() }
}
