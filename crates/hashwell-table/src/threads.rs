//! Equal work on several threads.

use hashwell::threads::{A_THREAD, room};
use std::sync::Mutex;
use std::{panic, thread};

/// Runs a job on every piece, each on a thread of its own, the last one on the caller's, which does also what the system
/// refuses a thread for. The results are in the pieces' order.
pub(crate) fn each<P: Send, R: Send>(pieces: Vec<P>, job: impl Fn(P) -> R + Sync) -> Vec<R> {
    let slots: Vec<_> = pieces.into_iter().map(|piece| Mutex::new((Some(piece), None))).collect();
    let slot = |i: usize| slots[i].lock().expect("nothing panics with the lock");
    run(slots.len(), &|i| {
        let piece = slot(i).0.take();
        let result = job(piece.expect("each piece is taken once"));
        slot(i).1 = Some(result);
    });
    let result = |slot: Mutex<(Option<P>, Option<R>)>| slot.into_inner().ok()?.1;
    slots.into_iter().map(|slot| result(slot).expect("each piece was done")).collect()
}

/// The jobs of these numbers; not generic, since starting threads is much code.
fn run(jobs: usize, job: &(dyn Fn(usize) + Sync)) {
    thread::scope(|scope| {
        let start = |i: usize| {
            let free = i + 1 < jobs && room(A_THREAD).is_ok();
            free.then(|| thread::Builder::new().spawn_scoped(scope, move || job(i)).ok()).flatten()
        };
        let started: Vec<_> = (0..jobs).map(start).collect();
        (0..jobs).filter(|i| started[*i].is_none()).for_each(job);
        for thread in started.into_iter().flatten() {
            thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        }
    });
}
