//! Programs with a million nested terms, on either side, run and are dropped without deep recursion.

use hashwell_draw::Key;
use hashwell_draw::process::interpret::{Limits, sample, trace};
use hashwell_draw::process::{Distribution, Program};

const DEEP: u64 = 1_000_000;

fn flip() -> Program<u64> {
    Program::term(Distribution::Bernoulli(0.5), |draw| Program::Pure(draw.index()))
}

fn heads(program: &Program<u64>) -> u64 {
    sample(program, &mut Key([5; 32]).words(), &Limits::default()).unwrap()
}

/// Runs the work on a stack of 256 KiB.
fn small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn leaning_to_the_left() {
    small_stack(|| {
        let sum = |deep: u64| {
            (1..deep).fold(flip(), |program, _| {
                program.and_then(|sum| flip().and_then(move |one| Program::Pure(sum + one)))
            })
        };
        let mut words = Key([5; 32]).words();
        let must: u64 = (0..DEEP).map(|_| u64::from(words.next_word() >> 11 < 1 << 52)).sum();
        let program = sum(DEEP);
        assert_eq!(heads(&program), must);
        // Once more, and with a copy, because running a program does not consume it.
        let copy = program.clone();
        drop(program);
        assert_eq!(heads(&copy), must);
        assert_eq!(trace(&sum(100), &mut Key([5; 32]).words(), &Limits::default()).unwrap().terms.len(), 100);
    });
}

#[test]
fn leaning_to_the_right() {
    small_stack(|| {
        fn from(left: u64, sum: u64) -> Program<u64> {
            if left == 0 {
                return Program::Pure(sum);
            }
            flip().and_then(move |one| from(left - 1, sum + one))
        }
        let found = heads(&from(DEEP, 0));
        assert!(found.abs_diff(DEEP / 2) < 2500);
        // The whole program is created in advance, with each function owning the next part.
        let program = (0..DEEP)
            .fold(Program::Pure(7), |rest, _| Program::term(Distribution::Below(2), move |_| rest.clone()));
        assert_eq!(heads(&program), 7);
        drop(program);
        let unused = (0..DEEP).fold(flip(), |rest, _| flip().and_then(move |_| rest.clone()));
        drop(unused);
    });
}
