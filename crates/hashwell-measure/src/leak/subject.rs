//! What is put to the test: a computation on a secret.

use super::Class;
use crate::statistics::Random;
use std::hint::black_box;

/// A computation in two steps, of which only the second is measured. Running it again does the same work.
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
    /// What is computed: `hmac-tag`, `hash`, …
    pub path: &'static str,
    /// Canonical name of the algorithm.
    pub algorithm: &'static str,
    /// The kernel it runs on.
    pub kernel: &'static str,
    /// Whether that kernel is the one that users get here.
    pub default_kernel: bool,
    pub(crate) secret_len: usize,
    /// The secret of the fixed class, where it is not just any.
    pub(crate) fixed: Option<Vec<u8>>,
    /// Both classes random: there is nothing to find.
    pub(crate) one_class: bool,
    /// Branches on what the caller learns anyway: whether a tag was right.
    pub(crate) public_branches: u64,
    pub(super) operation: Box<dyn Operation>,
}

impl Subject {
    /// * `secret_len`: bytes of the secret;
    /// * `prepare`: sets the state up with a secret, not measured;
    /// * `run`: what is measured; it leaves no result that depends on how often it ran.
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

/// Secrets of both classes, made by the same work and handed over in the same place.
pub(crate) struct Secrets {
    fixed: Vec<u8>,
    drawn: Vec<u8>,
    secret: Vec<u8>,
    one_class: bool,
}

impl Secrets {
    pub(crate) fn new(subject: &Subject, random: &mut Random) -> Self {
        let mut drawn = vec![0; subject.secret_len];
        fill(&mut drawn, random);
        let fixed = subject.fixed.clone().unwrap_or_else(|| drawn.clone());
        Self { fixed, secret: drawn.clone(), drawn, one_class: subject.one_class }
    }

    /// A class by coin, and its secret. No branch and no address depends on the coin: the predictors' memory of such
    /// a branch would reach into the measurement and show a leak that is not there.
    pub(crate) fn next(&mut self, random: &mut Random) -> (Class, &[u8]) {
        let coin = (random.word() >> 63) as u8;
        fill(&mut self.drawn, random);
        let from_drawn = black_box(coin | u8::from(self.one_class)).wrapping_neg();
        for ((secret, fixed), drawn) in self.secret.iter_mut().zip(&self.fixed).zip(&self.drawn) {
            *secret = (fixed & !from_drawn) | (drawn & from_drawn);
        }
        ([Class::Fixed, Class::Random][usize::from(black_box(coin))], &self.secret)
    }
}

fn fill(bytes: &mut [u8], random: &mut Random) {
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&random.word().to_le_bytes()[..chunk.len()]);
    }
}
