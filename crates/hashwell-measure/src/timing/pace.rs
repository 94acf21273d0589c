//! Keeps the time limit of a run on any machine. Each request gets a share of the remaining time and performs the
//! rounds that fit in. If no time is left, no further requests are made.

use std::ops::ControlFlow;

/// The time for one request in seconds; `None` if there is no limit.
pub(crate) type Share = Option<f64>;

/// Makes the requests of several steps. All processes get their requests of a step before the next step begins.
///
/// * `cells`: the amount of work in each step;
/// * `end`: the time by which all requests should be done, in seconds, as returned by `now`;
/// * `ask`: makes the request for a step and a process. It should take no longer than its share, but always does
///   something.
///
/// Returns the number of steps that were performed, which are those that began before the end. So at most one step
/// exceeds the limit, with the minimum amount of work.
pub(crate) fn paced<E>(
    cells: &[usize],
    processes: usize,
    end: Option<f64>,
    now: &dyn Fn() -> f64,
    ask: &mut dyn FnMut(usize, usize, Share) -> ControlFlow<E>,
) -> ControlFlow<E, usize> {
    let mut left: usize = processes * cells.iter().sum::<usize>();
    for (step, cells) in cells.iter().enumerate() {
        if end.is_some_and(|end| now() >= end) {
            return ControlFlow::Continue(step);
        }
        for process in 0..processes {
            let part = *cells as f64 / left.max(1) as f64;
            ask(step, process, end.map(|end| part * (end - now()).max(0.0)))?;
            left -= cells;
        }
    }
    ControlFlow::Continue(cells.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    const STEPS: [usize; 4] = [40, 10, 40, 10];
    const PROCESSES: usize = 3;

    /// Simulates a run on a machine whose samples take this number of seconds. Returns its duration, the number of
    /// steps, and the rounds of each request.
    fn run(sample: f64, end: Option<f64>) -> (f64, usize, Vec<usize>) {
        const WARM_UP: f64 = 2.0;
        const FULL: usize = 15;
        let clock = Cell::new(1.0);
        let rounds = RefCell::new(Vec::new());
        let mut ask = |step: usize, _, share: Share| {
            let (began, round) = (clock.get(), STEPS[step] as f64 * sample);
            clock.set(began + WARM_UP * round);
            let mut taken = 0;
            while taken < FULL && (taken == 0 || share.is_none_or(|share| clock.get() - began < share)) {
                clock.set(clock.get() + round);
                taken += 1;
            }
            rounds.borrow_mut().push(taken);
            ControlFlow::<()>::Continue(())
        };
        let ControlFlow::Continue(steps) = paced(&STEPS, PROCESSES, end, &|| clock.get(), &mut ask) else {
            unreachable!("nothing breaks")
        };
        (clock.get(), steps, rounds.into_inner())
    }

    #[test]
    fn a_fast_machine_takes_every_round() {
        let (took, steps, rounds) = run(0.001, Some(25.0));
        assert_eq!((steps, rounds), (4, vec![15; 12]));
        assert!(took < 7.0, "{took}");
    }

    #[test]
    fn a_slow_machine_takes_fewer_rounds_in_the_same_time() {
        let (took, steps, rounds) = run(0.01, Some(25.0));
        assert_eq!(steps, 4);
        assert!(rounds.iter().all(|rounds| (3..15).contains(rounds)), "{rounds:?}");
        // The limit is exceeded by at most one round of 40 cells, because a request may exceed its share by one round.
        assert!((20.0..25.5).contains(&took), "{took}");
    }

    #[test]
    fn a_machine_that_is_far_too_slow_leaves_out_the_last_steps() {
        let (took, steps, rounds) = run(0.1, Some(25.0));
        // One step takes 36 seconds: it has three requests of 40 cells, each with a warm-up of two rounds and one
        // round.
        assert_eq!((steps, rounds), (1, vec![1; 3]));
        assert!((took - 37.0).abs() < 1e-9, "{took}");
        assert_eq!(run(0.1, Some(0.5)), (1.0, 0, vec![]));
    }

    #[test]
    fn without_a_limit_nothing_is_given_up() {
        let (_, steps, rounds) = run(10.0, None);
        assert_eq!((steps, rounds), (4, vec![15; 12]));
    }

    #[test]
    fn whoever_breaks_ends_it() {
        let mut ask = |step, process, _| match (step, process) {
            (1, 2) => ControlFlow::Break("stopped"),
            _ => ControlFlow::Continue(()),
        };
        assert_eq!(paced(&STEPS, PROCESSES, None, &|| 0.0, &mut ask), ControlFlow::Break("stopped"));
    }
}
