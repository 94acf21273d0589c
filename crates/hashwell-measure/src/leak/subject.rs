//! The subject of a test: a computation on a secret.

use super::Class;
use crate::timing::random::Random;

/// A computation in two steps, of which only the second one is measured. Running it again repeats the same work.
pub(super) trait Operation {
    fn prepare(&mut self, secret: &[u8]);
    fn run(&mut self);
}

struct Steps<S, P, R> {
    state: S,
    prepare: P,
    run: R,
}

impl<S, P: FnMut(&mut S, &[u8]), R: FnMut(&mut S)> Operation for Steps<S, P, R> {
    fn prepare(&mut self, secret: &[u8]) {
        (self.prepare)(&mut self.state, secret);
    }

    fn run(&mut self) {
        (self.run)(&mut self.state);
    }
}

/// A computation on a secret.
pub struct Subject {
    /// The operation: `hmac-tag`, `hash`, …
    pub path: &'static str,
    /// Canonical name of the algorithm.
    pub algorithm: &'static str,
    /// The kernel it runs on.
    pub kernel: &'static str,
    /// True if the library chooses this kernel by default on this machine.
    pub default_kernel: bool,
    pub(crate) secret_len: usize,
    /// The secret of the fixed class, if it must have a certain value.
    pub(crate) fixed: Option<Vec<u8>>,
    /// True if both classes are random, so that there is nothing to find.
    pub one_class: bool,
    /// The number of branches on information that the caller gets anyway: the validity of a tag.
    pub(crate) public_branches: u64,
    pub(super) operation: Box<dyn Operation>,
}

impl Subject {
    /// * `secret_len`: the size in bytes of the secret;
    /// * `prepare`: initializes the state with a secret; not measured;
    /// * `run`: the computation that is measured; its result must not depend on how often it has run.
    pub(crate) fn new<S: 'static>(
        path: &'static str,
        algorithm: &'static str,
        kernel: &'static str,
        secret_len: usize,
        state: S,
        prepare: impl FnMut(&mut S, &[u8]) + 'static,
        run: impl FnMut(&mut S) + 'static,
    ) -> Self {
        let operation = Box::new(Steps { state, prepare, run });
        Self {
            path,
            algorithm,
            kernel,
            default_kernel: true,
            secret_len,
            fixed: None,
            one_class: false,
            public_branches: 0,
            operation,
        }
    }

    pub(crate) fn prepare(&mut self, secret: &[u8]) {
        self.operation.prepare(secret);
    }

    pub(crate) fn run(&mut self) {
        self.operation.run();
    }
}

/// Secrets of both classes for the next measurements. They are generated in advance: between two measurements, neither
/// the class nor anything that depends on it is accessed, so that no predictor and no buffer of the CPU can remember
/// it.
pub(crate) struct Secrets {
    fixed: Vec<u8>,
    one_class: bool,
    /// The secrets, one after the other.
    secrets: Vec<u8>,
    classes: Vec<Class>,
}

/// The number of secrets that are generated at a time, and the maximum number of their bytes, which fit into the
/// second-level cache.
const AHEAD: (usize, usize) = (256, 128 << 10);

impl Secrets {
    pub(crate) fn new(subject: &Subject, random: &mut Random) -> Self {
        let ahead = (AHEAD.1 / subject.secret_len).clamp(1, AHEAD.0);
        let mut drawn = vec![0; subject.secret_len];
        fill(&mut drawn, random);
        Self {
            fixed: subject.fixed.clone().unwrap_or(drawn),
            one_class: subject.one_class,
            secrets: vec![0; ahead * subject.secret_len],
            classes: vec![Class::Fixed; ahead],
        }
    }

    /// Generates the next secrets. The class of each is chosen at random.
    pub(crate) fn refill(&mut self, random: &mut Random) {
        for (secret, class) in self.secrets.chunks_exact_mut(self.fixed.len()).zip(&mut self.classes) {
            *class = if random.word() >> 63 == 0 { Class::Fixed } else { Class::Random };
            fill(secret, random);
            if *class == Class::Fixed && !self.one_class {
                secret.copy_from_slice(&self.fixed);
            }
        }
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &[u8]> {
        self.secrets.chunks_exact(self.fixed.len())
    }

    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }
}

pub(super) fn fill(bytes: &mut [u8], random: &mut Random) {
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&random.word().to_le_bytes()[..chunk.len()]);
    }
}
