//! Starts threads. The system may refuse to start a thread, because of a limit on processes (`RLIMIT_NPROC`, a
//! container's limit) or on memory (`RLIMIT_AS`). Callers then continue with the threads that exist, or only with their
//! own.

use rayon::ThreadPoolBuilder;
use std::error::Error;
use std::sync::OnceLock;
use std::vec::Vec;
use std::{io, panic, thread};

/// The number of bytes that must be free before a thread is started.
///
/// This includes the stack of the thread and the memory that the C library and the standard library allocate before the
/// thread runs our code. These libraries abort the process if such an allocation fails. glibc never takes allocations
/// of this size from the heap, so a test allocation shows whether the system has this much memory left.
pub const A_THREAD: usize = 33 << 20;

/// Checks that this number of bytes can be allocated.
///
/// # Errors
/// Returns [`io::ErrorKind::OutOfMemory`] if the allocation fails.
pub fn room(bytes: usize) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // Prevents the compiler from removing the unused allocation.
    std::hint::black_box(room.as_ptr());
    Ok(())
}

/// Returns true if rayon has a pool for the caller: the current pool, or the global pool, which is
/// started here if necessary. Rayon itself would panic if the system refused to start the threads.
pub(crate) fn pool() -> bool {
    // Rayon tries to start its global pool only once, so the answer never changes.
    static GLOBAL: OnceLock<bool> = OnceLock::new();
    rayon::current_thread_index().is_some() || *GLOBAL.get_or_init(global)
}

fn global() -> bool {
    let start = |worker: rayon::ThreadBuilder| {
        room(A_THREAD)?;
        thread::Builder::new().spawn(|| worker.run()).map(drop)
    };
    match ThreadPoolBuilder::new().spawn_handler(start).build_global() {
        Ok(()) => true,
        Err(error) if error.source().is_some() => false,
        // Other code has started the pool, or tried to. Rayon reports a failure only by a panic.
        Err(_) => panic::catch_unwind(rayon::current_num_threads).is_ok(),
    }
}
