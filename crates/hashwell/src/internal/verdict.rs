//! The result of a self-test in this process.

use crate::internal::error::Error;
use core::sync::atomic::{AtomicU8, Ordering};

/// The outcome of the known-answer test of one algorithm, for all threads.
pub(crate) struct Verdict {
    /// The name of the algorithm.
    pub(crate) name: &'static str,
    state: AtomicU8,
}

const NOT_RUN: u8 = 0;
const PASSED: u8 = 1;
const FAILED: u8 = 2;

impl Verdict {
    pub(crate) const fn not_run(name: &'static str) -> Self {
        Self { name, state: AtomicU8::new(NOT_RUN) }
    }

    pub(crate) fn has_run(&self) -> bool {
        self.state.load(Ordering::Relaxed) != NOT_RUN
    }

    pub(crate) fn set(&self, passed: bool) {
        self.state.store(if passed { PASSED } else { FAILED }, Ordering::Relaxed);
    }

    /// Returns [`Error::SelfTestFailed`] if the test has failed. A test that has not run has not
    /// failed.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.state.load(Ordering::Relaxed) == FAILED {
            return Err(Error::SelfTestFailed { algorithm: self.name });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_has_not_run_has_not_failed() {
        let verdict = Verdict::not_run("sha256");
        assert!(!verdict.has_run() && verdict.check().is_ok());
        verdict.set(false);
        assert!(verdict.has_run());
        assert_eq!(verdict.check(), Err(Error::SelfTestFailed { algorithm: "sha256" }));
        verdict.set(true);
        assert!(verdict.has_run() && verdict.check().is_ok());
    }
}
