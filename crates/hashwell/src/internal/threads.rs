//! The one way to threads, which the system may refuse: for want of processes (`RLIMIT_NPROC`, a container's limit)
//! or of memory (`RLIMIT_AS`). Whoever asks here goes on with the threads that are there, at worst its own.

use rayon::ThreadPoolBuilder;
use std::error::Error;
use std::sync::OnceLock;
use std::vec::Vec;
use std::{io, panic, thread};

/// Bytes that must be free before a thread is started: for its stack, and for what it allocates before its first
/// instruction of ours, where the C and the standard library end the process if they get nothing. Allocations of this
/// length glibc never takes from the heap, so that they show what the system has left.
pub const A_THREAD: usize = 33 << 20;

/// Whether so many bytes of memory are free.
///
/// # Errors
/// [`io::ErrorKind::OutOfMemory`] if they are not.
pub fn room(bytes: usize) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // Else the compiler sees that nobody uses it.
    std::hint::black_box(room.as_ptr());
    Ok(())
}

/// Whether rayon has a pool for the caller: the one that it runs in, else the global one, which is made here if nobody
/// has made it. Rayon itself would panic where the system refuses the threads.
pub(crate) fn pool() -> bool {
    // Rayon tries to make its global pool once, and so the answer stays what it was.
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
        // Somebody made it before, or tried to. Rayon tells which by a panic alone.
        Err(_) => panic::catch_unwind(rayon::current_num_threads).is_ok(),
    }
}
