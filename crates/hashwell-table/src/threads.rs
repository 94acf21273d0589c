//! Equal work on several threads.

use hashwell::threads::{A_THREAD, room};
use std::sync::Mutex;
use std::{iter, panic, thread};

/// Runs a job on every piece, each on a thread of its own, the last one on the caller's, which does also what the system
/// refuses a thread for. The results are in the pieces' order.
pub(crate) fn each<P: Send, R: Send>(pieces: Vec<P>, job: impl Fn(P) -> R + Sync) -> Vec<R> {
    let slots: Vec<_> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
    let run = |slot: &Mutex<Option<P>>| {
        let piece = slot.lock().expect("nothing panics with the lock").take();
        job(piece.expect("each piece is taken once"))
    };
    let others = slots.len().saturating_sub(1);
    thread::scope(|scope| {
        let run = &run;
        let start = |(i, slot): (usize, _)| {
            let free = i < others && room(A_THREAD).is_ok();
            free.then(|| thread::Builder::new().spawn_scoped(scope, move || run(slot)).ok()).flatten()
        };
        let started: Vec<_> = slots.iter().enumerate().map(start).collect();
        let own: Vec<_> =
            iter::zip(&started, &slots).map(|(one, slot)| one.is_none().then(|| run(slot))).collect();
        let result = |(one, own): (Option<thread::ScopedJoinHandle<'_, R>>, Option<R>)| match one {
            Some(thread) => thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload)),
            None => own.expect("what no thread took was done here"),
        };
        iter::zip(started, own).map(result).collect()
    })
}
