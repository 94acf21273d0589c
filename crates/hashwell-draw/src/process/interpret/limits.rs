//! The limits of work on a process.

use hashwell_work::Watch;

/// The maximum number of terms of one run, unless the caller sets [`Limits::terms`].
pub const MAX_TERMS: u64 = 1 << 40;

/// Limits what one call of an interpreter may do: the length of a run, the extent of an enumeration, and the number of
/// threads that simulate. The watch can cancel the call, and reports progress. Each operation uses only the fields that
/// are relevant to it.
///
/// # Examples
/// ```
/// use hashwell_draw::process::interpret::{Limits, sample};
/// use hashwell_draw::process::{Run, builtin::Geometric};
///
/// let short = Limits { terms: 100, ..Limits::default() };
/// let endless = sample(&Geometric::new(1e-18)?, &mut Run::seeded(b"round 7")?.words()?, &short);
/// assert!(endless.is_err());
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limits<'w> {
    /// The maximum number of terms of one run. A run that needs more terms fails.
    pub terms: u64,
    /// The number of threads that simulate replicates, including the caller's. If it is 0, as many threads are used as
    /// the system can run at a time. At most 256 threads are used. If the system cannot start some of the threads, the
    /// others do the work. The results don't depend on the number of threads.
    pub threads: usize,
    /// An enumeration ends when at most this fraction of the probability is not yet assigned to an outcome. With 0, it
    /// never ends for this reason.
    pub mass: f64,
    /// An enumeration ends after this many steps. Each step is one term of every state.
    pub steps: u64,
    /// The maximum number of states and outcomes that an enumeration keeps at a time. If there are more, the
    /// enumeration fails.
    pub states: usize,
    /// Can cancel the call, and counts the replicates that are done.
    pub watch: &'w Watch<'w>,
}

impl Limits<'_> {
    /// The name in the [`Error::OutOfRange`](crate::Error::OutOfRange) that is returned if there are more states and
    /// outcomes than [`Limits::states`].
    pub const STATES: &'static str = "the number of states";
}

impl Default for Limits<'_> {
    /// The defaults: 2^40 terms; as many threads as the system can run at a time; all but 10^-12 of the mass, in at
    /// most 2^20 steps and 2^22 states; no cancellation.
    fn default() -> Self {
        Self {
            terms: MAX_TERMS,
            threads: 0,
            mass: 1e-12,
            steps: 1 << 20,
            states: 1 << 22,
            watch: Watch::never(),
        }
    }
}
