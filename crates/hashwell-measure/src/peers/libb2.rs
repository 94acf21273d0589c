//! libb2, the reference library of BLAKE2.

use super::library::Library;
use super::{Contender, Kind, Known, Provider, Task};
use std::ptr::null;

pub(super) const KNOWN: Known = Known {
    name: "libb2",
    variable: "HASHWELL_LIBB2",
    files: &["libb2.so.1"],
    symbol: "blake2b",
    open: |library| Ok(Box::new(Libb2(library))),
};

struct Libb2(Library);

/// `blake2b(out, in, key, outlen, inlen, keylen)` and similar functions.
type OneShot = unsafe extern "C" fn(*mut u8, *const u8, *const u8, usize, usize, usize) -> i32;

impl Provider for Libb2 {
    fn version(&self) -> Option<String> {
        None
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}

impl Libb2 {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        let symbol = match (task.algorithm, task.kind) {
            ("blake2b-256" | "blake2b-512", Kind::Digest | Kind::Many) => "blake2b",
            ("blake2bp-512", Kind::Digest | Kind::Many) => "blake2bp",
            ("blake2sp-256", Kind::Digest | Kind::Many) => "blake2sp",
            ("blake2s-256", Kind::Digest | Kind::Many) => "blake2s",
            _ => return None,
        };
        // SAFETY: this is the type of all these functions in blake2.h.
        let hash = unsafe { self.0.get::<OneShot>(symbol) }?;
        let contender = Contender::one_by_one(KNOWN.name, move |message, out| {
            // SAFETY: both slices have the lengths given, and there is no key.
            unsafe { hash(out.as_mut_ptr(), message.as_ptr(), null(), out.len(), message.len(), 0) };
        });
        // With OpenMP, the tree requests one thread per leaf, regardless of OMP_NUM_THREADS. If OMP_THREAD_LIMIT allows
        // fewer, its digest is wrong. On one core, the threads take turns.
        let leaves = match symbol {
            "blake2bp" => Some(4),
            "blake2sp" => Some(8),
            _ => None,
        };
        let threads = leaves.filter(|_| self.0.has("omp_get_thread_num"));
        Some(match threads {
            Some(threads) => contender.variant("threaded").on_threads(threads),
            None => contender,
        })
    }
}
