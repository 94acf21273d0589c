//! Compares the interpreters with each other: recursion schemes, samples and traces, scores and enumerated masses.

use hashwell_draw::process::builtin::{Ar1, Geometric, RandomWalk};
use hashwell_draw::process::interpret::{
    Depth, Limits, MAX_TERMS, exact, expect, explain, sample, score, trace,
};
use hashwell_draw::process::{Coalgebra, Distribution, Flow, Outcome, Program, Run, ana, apo, futu};
use hashwell_draw::{Error, Key, Watch};
use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

fn key(j: u8) -> Key {
    Key([j; 32])
}

/// Checks that both processes give the same results for the same random numbers, and have the same distribution, up to
/// `rounding` if states are merged in different ways.
fn same<A, B>(one: &A, other: &B, rounding: f64)
where
    A: Coalgebra,
    B: Coalgebra<Out = A::Out>,
    A::State: Clone + Eq + Hash,
    B::State: Clone + Eq + Hash,
    A::Out: Ord + Hash + Debug,
{
    for j in 0..50 {
        let (mut words, mut others) = (key(j).words(), key(j).words());
        assert_eq!(
            sample(one, &mut words, &Limits::default()),
            sample(other, &mut others, &Limits::default())
        );
        assert_eq!(words.position(), others.position());
    }
    let limit = Limits { mass: 1e-9, ..Limits::default() };
    let [one, other] = [exact(one, &limit), exact(other, &limit)].map(|law| law.unwrap().sorted().outcomes);
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.0, other.0);
        assert!((one.1 - other.1).abs() <= rounding, "{one:?} {other:?}");
    }
}

type Term = fn(&u64) -> Distribution<'_>;

/// The largest of three throws of a die, which is thrown again as long as the values increase.
type Throws = (u64, u64);

fn next_throw((left, most): Throws, draw: Outcome) -> Throws {
    let shown = draw.index() + 1;
    if shown > most { (left - 1, shown) } else { (0, most) }
}

fn die(_: &Throws) -> Distribution<'_> {
    Distribution::Below(6)
}

#[test]
fn schemes_are_one() {
    let done = |&(left, most): &Throws| (left == 0).then_some(most);
    let one = ana((3, 0), done, die, next_throw);
    // An apomorphism ends where the anamorphism checks whether it is done.
    let early = apo((3, 0), die, move |seed, draw| {
        let seed = next_throw(seed, draw);
        done(&seed).map_or(Flow::More(seed), Flow::Done)
    });
    same(&one, &early, 0.0);
    // A futumorphism with one term per step, whose leaves are pure.
    let several = futu((3, 0), move |&seed: &Throws| match done(&seed) {
        Some(most) => Program::Pure(Flow::Done(most)),
        None => Program::term(Distribution::Below(6), move |draw| {
            Program::Pure(Flow::More(next_throw(seed, draw)))
        }),
    });
    same(&one, &several, 0.0);
    // The free monad.
    fn program(seed: Throws) -> Program<u64> {
        match seed {
            (0, most) => Program::Pure(most),
            seed => Program::term(Distribution::Below(6), Program::Pure)
                .and_then(move |draw| program(next_throw(seed, draw))),
        }
    }
    same(&one, &program((3, 0)), 1e-15);
}

#[test]
fn geometric_as_a_program() {
    fn program(trial: u64) -> Program<u64> {
        Program::term(Distribution::Bernoulli(0.25), move |draw| {
            if draw.flag() { Program::Pure(trial) } else { program(trial + 1) }
        })
    }
    same(&Geometric::new(0.25).unwrap(), &program(1), 0.0);
    let law = exact(&program(1), &Limits { mass: 0.0, steps: 60, ..Limits::default() }).unwrap();
    assert_eq!((law.steps, law.expanded, law.outcomes.len()), (60, 60, 60));
    for (trial, mass) in &law.outcomes {
        assert!((mass - 0.25 * 0.75_f64.powi(*trial as i32 - 1)).abs() < 1e-16);
    }
    assert!((law.evidence - (1.0 - law.lost)).abs() < 1e-15 && law.lost > 1e-8);
}

/// Two biased coins and a choice, with an observation between them. It shows the effect of each kind of term on scores.
fn coins() -> Program<(bool, u64)> {
    let weights = Distribution::Categorical(Cow::Borrowed(&[1.0, 0.0, 3.0]));
    Program::term(Distribution::Bernoulli(0.3), move |coin| {
        let seen = if coin.flag() { 0.9 } else { 0.2 };
        let weights = weights.clone();
        Program::term(Distribution::Observe(seen), move |_| {
            Program::term(weights.clone(), move |index| Program::Pure((coin.flag(), index.index())))
        })
    })
}

#[test]
fn scores_are_masses() {
    let law = exact(&coins(), &Limits::default()).unwrap();
    assert_eq!(law.outcomes.len(), 4);
    assert!((law.evidence - (0.3 * 0.9 + 0.7 * 0.2)).abs() < 1e-15 && law.lost == 0.0);
    let mut seen = std::collections::BTreeSet::new();
    for j in 0..40 {
        let trace = trace(&coins(), &mut key(j).words(), &Limits::default()).unwrap();
        let found = score(&coins(), &trace.outcomes(), &Limits::default()).unwrap();
        assert_eq!(found.log_weight, trace.log_weight);
        let (_, mass) = law.outcomes.iter().find(|(out, _)| *out == trace.out).unwrap();
        assert!((found.log_probability + found.log_weight - mass.ln()).abs() < 1e-14);
        assert_eq!(sample(&coins(), &mut key(j).words(), &Limits::default()), Ok(trace.out));
        seen.insert(trace.out);
    }
    assert_eq!(seen.len(), 4);
    let sum: f64 = law.posterior().unwrap().iter().map(|(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-15);
    let heads = expect(&coins(), &Limits::default(), |out| f64::from(u8::from(out.0))).unwrap();
    assert!((heads.value - 0.27 / 0.41).abs() < 1e-15 && heads.lost == 0.0);
}

#[test]
fn traces_of_other_processes() {
    use Outcome::{Index, Nothing, Real};
    let message = |draws: &[Outcome]| score(&coins(), draws, &Limits::default()).unwrap_err().to_string();
    assert_eq!(
        message(&[]),
        "at step 0: the trace belongs to a different process: the process goes on after the last draw"
    );
    assert_eq!(
        message(&[Real(0.5)]),
        "at step 0: invalid outcome: the real number 0.5, but Bernoulli(0.3) gives integers"
    );
    assert_eq!(
        message(&[Index(1), Index(0)]),
        "at step 1: invalid outcome: the integer 0, but Observe(0.9) gives nothing"
    );
    assert_eq!(
        message(&[Index(1), Nothing, Index(0), Index(0)]),
        "at step 3: the trace belongs to a different process: the process ended before this draw"
    );
    // Impossible draws are not errors.
    for draws in [&[Index(2)][..], &[Index(1), Nothing, Index(1)], &[Index(0), Nothing, Index(3), Real(1.0)]]
    {
        assert_eq!(
            score(&coins(), draws, &Limits::default()).unwrap().log_probability,
            f64::NEG_INFINITY,
            "{draws:?}"
        );
    }
}

/// Densities: standard values, supports, ends.
#[test]
fn densities() {
    let of = |law: Distribution<'_>, x: f64| law.log_probability(Outcome::Real(x)).unwrap();
    let normal = || Distribution::Gaussian { mean: 1.0, deviation: 2.0 };
    assert!((of(normal(), 3.0) - (-0.5 - 2_f64.ln() - 0.918_938_533_204_672_7)).abs() < 1e-15);
    let beta = |a, b| Distribution::Beta { a, b };
    assert!((of(beta(2.0, 3.0), 0.5) - 1.5_f64.ln()).abs() < 1e-13, "12 x (1 - x)²");
    assert_eq!((of(beta(1.0, 2.0), 1.0), of(beta(0.5, 2.0), 0.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert!((of(beta(1.0, 2.0), 0.0) - 2_f64.ln()).abs() < 1e-13);
    let none = f64::NEG_INFINITY;
    assert_eq!(
        [of(Distribution::Uniform, 0.0), of(Distribution::Uniform, 1.0), of(Distribution::Uniform, f64::NAN)],
        [0.0, none, none]
    );
    assert_eq!([of(beta(2.0, 2.0), -0.1), of(normal(), f64::NAN), of(normal(), f64::INFINITY)], [none; 3]);
    assert!(beta(0.0, 1.0).log_probability(Outcome::Real(0.5)).is_err());
    assert!(
        Distribution::Gaussian { mean: 0.0, deviation: -1.0 }.log_probability(Outcome::Real(0.5)).is_err()
    );
}

#[test]
fn draws_of_another_kind_are_named() {
    let normal = Distribution::Gaussian { mean: 0.0, deviation: 1.0 };
    for (law, draw, text) in [
        (normal, Outcome::Index(1), "the integer 1, but Gaussian(0, 1) gives real numbers"),
        (Distribution::Below(6), Outcome::Real(0.5), "the real number 0.5, but Below(6) gives integers"),
        (Distribution::Bernoulli(0.5), Outcome::Nothing, "nothing, but Bernoulli(0.5) gives integers"),
        (Distribution::Observe(2.0), Outcome::Index(0), "the integer 0, but Observe(2) gives nothing"),
    ] {
        let said = law.log_probability(draw).unwrap_err().to_string();
        assert_eq!(said, format!("invalid outcome: {text}"));
    }
}

#[test]
fn bad_terms_name_their_step() {
    let bad =
        |law: Term| apo(0, law, |step, _| if step < 20 { Flow::More(step + 1) } else { Flow::Done(()) });
    let nan = bad(|&step| Distribution::Bernoulli(if step == 7 { f64::NAN } else { 0.5 }));
    let must = "at step 7: a probability must be 0 to 1, not NaN";
    let mut words = Run::seeded(b"nan").unwrap().words().unwrap();
    assert_eq!(sample(&nan, &mut words, &Limits::default()).unwrap_err().to_string(), must);
    assert_eq!(trace(&nan, &mut words, &Limits::default()).unwrap_err().to_string(), must);
    assert_eq!(score(&nan, &[Outcome::Index(0); 9], &Limits::default()).unwrap_err().to_string(), must);
    assert_eq!(exact(&nan, &Limits::default()).unwrap_err().to_string(), must);
    assert_eq!(
        explain(&nan, &Depth { terms: 9, nodes: 5000 }, &Limits::default()).unwrap_err().to_string(),
        must
    );
    let laws: [(Term, &str); 7] = [
        (|_| Distribution::Bernoulli(1.5), "a probability must be 0 to 1, not 1.5"),
        (|_| Distribution::Below(0), "the number of choices must be at least 1, not 0"),
        (
            |_| Distribution::Categorical(Cow::Borrowed(&[0.0])),
            "the sum of the weights must be finite and more than 0, not 0",
        ),
        (
            |_| Distribution::Observe(-1.0),
            "the weight of an observation must be a finite number of at least 0, not -1",
        ),
        (|_| Distribution::Gaussian { mean: 0.0, deviation: 0.0 }, "a deviation must be more than 0, not 0"),
        (
            |_| Distribution::Gaussian { mean: f64::NAN, deviation: 1.0 },
            "|mean| + 13·deviation must be finite, not |NaN| + 13·1",
        ),
        (|_| Distribution::Beta { a: 1.0, b: 0.0 }, "a shape must be 1e-300 to 1e15, not 0"),
    ];
    for (law, message) in laws {
        let error = sample(&bad(law), &mut words, &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("at step 0: {message}"));
    }
    let continuous = exact(&bad(|_| Distribution::Uniform), &Limits::default()).unwrap_err();
    assert_eq!(continuous.to_string(), "at step 0: Uniform can't be enumerated: its outcomes are continuous");
}

#[test]
fn a_state_that_fails_behind_the_limit_is_lost_but_for_refused_memory() {
    let end = |reason: Error| {
        let law = move |n: &u64| -> Distribution<'static> {
            if *n == 0 { Distribution::Bernoulli(0.5) } else { Distribution::Fail(Box::new(reason.clone())) }
        };
        let process = apo(0_u64, move |n| law(n), |n, draw| Flow::<_, ()>::More(n + 1 + draw.index()));
        exact(&process, &Limits { steps: 1, ..Limits::default() }).map(|law| law.lost)
    };
    assert_eq!(end(Error::Stopped), Ok(1.0));
    let reason = Error::Memory { what: "a test" };
    assert_eq!(end(reason.clone()), Err(Error::AtStep { step: 1, reason: Box::new(reason) }));
}

#[test]
fn states_of_programs_are_equal_where_they_share_functions() {
    let rest = |program: &Program<u64>| match program.start() {
        Flow::More(rest) => rest,
        Flow::Done(_) => panic!("it draws"),
    };
    let [one, other] = [0, 1]
        .map(|add| Program::term(Distribution::Below(2), move |draw| Program::Pure(draw.index() + add)));
    assert!(rest(&one) == rest(&one.clone()));
    assert!(rest(&one) != rest(&other));
}

#[test]
fn limits() {
    let endless =
        apo(0_u64, |_| Distribution::Bernoulli(0.5), |n, draw| Flow::<_, ()>::More(n << 1 | draw.index()));
    let mut words = key(0).words();
    assert_eq!(
        sample(&endless, &mut words, &Limits { terms: 100, ..Limits::default() }),
        Err(Error::Endless { terms: 100 })
    );
    assert_eq!(words.position(), 800);
    let law = exact(&endless, &Limits { steps: 5, ..Limits::default() }).unwrap();
    assert_eq!((law.lost, law.evidence, law.outcomes.len(), law.steps), (1.0, 0.0, 0, 5));
    let many = exact(&endless, &Limits { states: 1000, ..Limits::default() }).unwrap_err();
    assert_eq!(many.to_string(), "at step 9: the number of states must be at most 1000, not 1002");
    // A term with more choices than fit into memory doesn't take memory, either.
    let wide = apo((), |()| Distribution::Below(u64::MAX), |(), draw| Flow::<(), _>::Done(draw.index()));
    assert!(exact(&wide, &Limits::default()).is_err());
    assert!(exact(&wide, &Limits { mass: f64::NAN, ..Limits::default() }).is_err());
    // A process that ends immediately draws no random number, for any limits.
    let done = ana(3, |&n| Some(n), |_| Distribution::Below(0), |n: i32, _| n);
    assert_eq!(sample(&done, &mut words, &Limits { terms: 0, ..Limits::default() }), Ok(3));
    assert_eq!(exact(&done, &Limits { steps: 0, ..Limits::default() }).unwrap().outcomes, [(3, 1.0)]);
    assert!(score(&done, &[], &Limits::default()).unwrap().log_probability == 0.0 && MAX_TERMS > 1 << 39);
}

/// 10^3 observations of 10^-3 each leave the range of floating point long before the end.
#[test]
fn evidence_far_out_of_a_float() {
    let chain = |weight: f64| {
        apo(
            (0_u32, false),
            move |&(step, _)| {
                if step % 2 == 0 { Distribution::Bernoulli(0.25) } else { Distribution::Observe(weight) }
            },
            |(step, up), draw| match draw {
                Outcome::Nothing if step == 1999 => Flow::Done(up),
                Outcome::Nothing => Flow::More((step + 1, up)),
                draw => Flow::More((step + 1, draw.flag())),
            },
        )
    };
    for weight in [1e-3, 1e3] {
        let law = exact(&chain(weight), &Limits::default()).unwrap();
        assert!((law.log_evidence() - 1000.0 * weight.ln()).abs() < 1e-8, "{}", law.log_evidence());
        assert!(law.unit != 0 && law.lost == 0.0);
        let up = law.posterior().unwrap().iter().find(|(up, _)| **up).unwrap().1;
        assert!((up - 0.25).abs() < 1e-12);
        let mean = expect(&chain(weight), &Limits::default(), |&up| f64::from(u8::from(up))).unwrap();
        assert!((mean.value - 0.25).abs() < 1e-12);
    }
    let impossible = exact(&chain(0.0), &Limits::default()).unwrap();
    assert_eq!((impossible.evidence, impossible.outcomes.len()), (0.0, 0));
    assert_eq!(impossible.log_evidence(), f64::NEG_INFINITY);
    let message = "the probability of the observations must be more than 0, not 0";
    assert_eq!(impossible.posterior().unwrap_err().to_string(), message);
    assert_eq!(expect(&chain(0.0), &Limits::default(), |_| 0.0).unwrap_err().to_string(), message);
}

#[test]
fn trees() {
    let tree = explain(&coins(), &Depth::default(), &Limits::default()).unwrap();
    assert_eq!(
        tree.text(),
        "Bernoulli(0.3)\n\
         ├─ 0 (0.7): Observe(0.2)\n\
         │  └─ weight 0.2: Categorical(1, 0, 3)\n\
         │     ├─ 0 (0.25): (false, 0)\n\
         │     └─ 2 (0.75): (false, 2)\n\
         └─ 1 (0.3): Observe(0.9)\n\
         \u{20}  └─ weight 0.9: Categorical(1, 0, 3)\n\
         \u{20}     ├─ 0 (0.25): (true, 0)\n\
         \u{20}     └─ 2 (0.75): (true, 2)\n"
    );
    let endless = apo((), |()| Distribution::Below(1 << 40), |(), _| Flow::<(), ()>::More(()));
    let cut = explain(&endless, &Depth { terms: 2, nodes: 3 }, &Limits::default()).unwrap();
    assert_eq!(cut.branches.len(), 3, "two that have nodes, and one that represents the others");
    assert_eq!(cut.branches[2].label, "…");
    let real = apo(
        (),
        |()| Distribution::Gaussian { mean: 0.0, deviation: 1.0 },
        |(), draw| Flow::<(), _>::Done(draw.real() as i64),
    );
    assert_eq!(
        explain(&real, &Depth::default(), &Limits::default()).unwrap().text(),
        "Gaussian(0, 1)\n└─ x: …\n"
    );
    assert!(explain(&endless, &Depth { terms: 101, nodes: 1 }, &Limits::default()).is_err());
    let long = apo((), |()| Distribution::Below(1), |(), _| Flow::<(), ()>::More(()));
    assert_eq!(
        explain(&long, &Depth { terms: 100, nodes: 2000 }, &Limits::default())
            .unwrap()
            .text()
            .lines()
            .count(),
        101
    );
    // Cut-off parts take space, too.
    let wide = explain(&endless, &Depth { terms: 2, nodes: 10_000 }, &Limits::default()).unwrap();
    assert!(wide.branches.iter().map(|branch| branch.tree.branches.len()).sum::<usize>() <= 1_030_000);
    assert_eq!(wide.branches[0].tree.branches.last().unwrap().label, "…");
}

#[test]
fn an_enumeration_stops_when_it_is_told_to() {
    let wide = apo((), |()| Distribution::Below(1 << 31), |(), _| Flow::<(), u64>::More(()));
    let asked = AtomicU64::new(0);
    let ask = |_| {
        if asked.fetch_add(1, Relaxed) < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = exact(&wide, &Limits { watch: &Watch::new(&ask), ..Limits::default() }).unwrap_err();
    assert_eq!(stopped.to_string(), "at step 1: stopped on request");
    assert_eq!(asked.load(Relaxed), 10);
}

/// The closed forms in the documentation, as fractions.
#[test]
fn closed_forms_of_paths() {
    let near = |got: (f64, f64), must: (f64, f64)| {
        assert!((got.0 - must.0).abs() < 1e-12 && (got.1 - must.1).abs() < 1e-12, "{got:?} {must:?}");
    };
    let ar1 = |phi| Ar1::new(3, phi, 0.5, 1.0, 7.0).unwrap();
    near(ar1(0.8).stationary().unwrap(), (5.0, 0.25 / 0.36));
    near(ar1(-0.8).stationary().unwrap(), (1.0 / 1.8, 0.25 / 0.36));
    assert!(ar1(1.0).stationary().is_none() && ar1(-1.0).stationary().is_none());
    near(RandomWalk::new(10, 0.3, 7).unwrap().end(), (7.0 - 4.0, 8.4));
    near(RandomWalk::new(10, 0.5, -7).unwrap().end(), (-7.0, 10.0));
    let said = |sigma| Ar1::new(3, 0.5, sigma, 1.0, 0.0).unwrap_err().to_string();
    assert_eq!(said(0.0), "sigma must be more than 0 and at most 1e307, not 0");
    assert_eq!(said(1.1e307), "sigma must be more than 0 and at most 1e307, not 1.1e307");
    assert!(Ar1::new(3, 0.5, 1e307, 1.0, 0.0).is_ok());
}

/// Outcomes that were decided before observations moved the masses out of range are converted to the new unit as well.
#[test]
fn what_came_early_is_counted_as_what_comes_late() {
    // The process ends immediately, or after two observations of 10^40 and one of 1.
    let process = apo(
        0_u32,
        |&step| match step {
            0 => Distribution::Bernoulli(0.5),
            3 => Distribution::Observe(1.0),
            _ => Distribution::Observe(1e40),
        },
        |step, draw| match (step, draw) {
            (0, Outcome::Index(0)) => Flow::Done("early"),
            (3, _) => Flow::Done("late"),
            _ => Flow::More(step + 1),
        },
    );
    let law = exact(&process, &Limits::default()).unwrap().sorted();
    let unit = 2_f64.powi(law.unit as i32);
    assert!(law.unit > 256 && law.lost == 0.0);
    assert_eq!(law.outcomes[0], ("early", 0.5 / unit));
    assert!((law.outcomes[1].1 * unit / 0.5e80 - 1.0).abs() < 1e-14);
    assert!((law.log_evidence() - 0.5_f64.ln() - 80.0 * 10_f64.ln()).abs() < 1e-12);
    // Each has half of the mean.
    let mean = expect(&process, &Limits::default(), |&out| if out == "early" { 1e80 } else { 1.0 }).unwrap();
    assert!((mean.value - 2.0).abs() < 1e-14 && mean.lost == 0.0, "{mean:?}");
}

/// Observations that each nearly have the range of floating point: the sum stays within 2^-256 to 2^256, and rare
/// outcomes are kept.
#[test]
fn masses_stay_within_their_range() {
    // Multiplied by 1e-300, the rare mass is still a float before the masses are converted to another unit.
    for (weight, rare) in [(1e300, 2_f64.powi(-600)), (1e-300, 2_f64.powi(-20))] {
        let process = apo(
            (0_u32, false),
            move |&(step, _)| {
                if step == 0 { Distribution::Bernoulli(rare) } else { Distribution::Observe(weight) }
            },
            |(step, is_rare), draw| match draw {
                Outcome::Nothing if step == 9 => Flow::Done(is_rare),
                Outcome::Nothing => Flow::More((step + 1, is_rare)),
                draw => Flow::More((step + 1, draw.flag())),
            },
        );
        for steps in 1..=10 {
            let law = exact(&process, &Limits { mass: 0.0, steps, ..Limits::default() }).unwrap();
            let sum = law.lost + law.evidence;
            assert!((2_f64.powi(-256)..=2_f64.powi(256)).contains(&sum), "{weight} {steps}: {sum}");
        }
        let law = exact(&process, &Limits { mass: 0.0, ..Limits::default() }).unwrap().sorted();
        assert!((law.log_evidence() - 9.0 * weight.ln()).abs() < 1e-10);
        let posterior = law.posterior().unwrap();
        assert!(posterior[1].0 == &true && (posterior[1].1 / rare - 1.0).abs() < 1e-14, "{posterior:?}");
    }
}

/// The weight of one observation may be any float, independent of the weights of the others.
#[test]
fn observations_weigh_what_they_weigh_in_any_order() {
    let chain = |weights: &'static [f64]| {
        apo(
            0,
            move |&step: &usize| Distribution::Observe(weights[step]),
            move |step, _| if step + 1 == weights.len() { Flow::Done(7) } else { Flow::More(step + 1) },
        )
    };
    for weights in [
        &[1e-70, 1e-300][..],
        &[1e-300, 1e-70],
        &[1e70, 1e300],
        &[1e70, 1e-300, 1e300, 1e-290, 1e-70],
        &[1e-77, 1e-298, 1e-77, 1e-298],
        &[0.9e308, 1.7e308, 1.7e308],
    ] {
        let must: f64 = weights.iter().map(|weight: &f64| weight.ln()).sum();
        let law = exact(&chain(weights), &Limits::default()).unwrap();
        assert!((law.log_evidence() / must - 1.0).abs() < 1e-14, "{weights:?}: {}", law.log_evidence());
        assert_eq!(law.posterior().unwrap(), [(&7, 1.0)]);
        assert_eq!(expect(&chain(weights), &Limits::default(), |_| 0.25).unwrap().value, 0.25);
    }
    // Masses within the range of floating point are reported unchanged.
    let law = exact(&chain(&[1e-30, 1e-40]), &Limits::default()).unwrap();
    assert_eq!((law.unit, &law.outcomes[..]), (0, &[(7, 1e-30 * 1e-40)][..]));
    let error = exact(&chain(&[1.9, 1.7e308]), &Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "at step 2: the mass of an enumeration must be finite, not inf");
}

/// Flips, each of which may end the process, after an observation that leaves hardly any mass. The mass that may be
/// lost is relative to that.
#[test]
fn an_enumeration_ends_at_the_mass_that_may_be_lost() {
    let seen = 2_f64.powi(-40);
    let process = apo(
        0_u64,
        move |&step| if step == 0 { Distribution::Observe(seen) } else { Distribution::Bernoulli(0.5) },
        |step, draw| match draw {
            Outcome::Nothing => Flow::More(1),
            draw if draw.flag() => Flow::Done(step),
            _ => Flow::More(step + 1),
        },
    );
    for (mass, flips) in [(0.125, 3), (0.124, 4), (0.25, 2), (0.3, 2)] {
        let limit = Limits { mass, ..Limits::default() };
        let lost = 0.5_f64.powi(flips);
        let law = exact(&process, &limit).unwrap();
        assert_eq!((law.steps, law.lost), (flips as u64 + 1, seen * lost), "{mass}");
        assert_eq!(expect(&process, &limit, |_| 1.0).unwrap().lost, lost, "{mass}");
    }
    // The number of states and outcomes in memory is limited. Means keep no outcomes in memory.
    let states = |states| Limits { states, mass: 0.0, steps: 5, ..Limits::default() };
    assert_eq!(exact(&process, &states(5)).unwrap().outcomes.len(), 4);
    let many = exact(&process, &states(3)).unwrap_err().to_string();
    assert_eq!(many, "at step 3: the number of states must be at most 3, not 4");
    assert!(expect(&process, &states(1), |_| 1.0).is_ok());
    let wide = apo((), |()| Distribution::Below(9), |(), draw| Flow::<(), _>::Done(draw.index()));
    let many = exact(&wide, &states(8)).unwrap_err().to_string();
    assert_eq!(many, "at step 0: the number of states must be at most 8, not 9");
    // The maximum number of choices of a term. Enumerating them can be stopped.
    let watch = Watch::new(&|_| ControlFlow::Break(()));
    let choices = |n: u64| {
        let wide = apo((), move |()| Distribution::Below(n), |(), draw| Flow::<(), _>::Done(draw.index()));
        exact(&wide, &Limits { watch: &watch, ..Limits::default() }).unwrap_err().to_string()
    };
    assert_eq!(choices((1 << 32) - 1), "at step 1: stopped on request");
    assert_eq!(
        choices(1 << 32),
        "at step 0: the number of choices of an enumerated term must be at most 2^32 - 1, not 4294967296"
    );
}

/// Terms and outcomes count as nodes; the mark of a cut-off part does not.
#[test]
fn a_tree_has_no_more_nodes_than_it_may() {
    fn nodes(tree: &hashwell_draw::process::interpret::Tree) -> usize {
        usize::from(tree.label != "…") + tree.branches.iter().map(|branch| nodes(&branch.tree)).sum::<usize>()
    }
    for most in 0..12 {
        let tree = explain(&coins(), &Depth { terms: 9, nodes: most }, &Limits::default()).unwrap();
        assert_eq!(nodes(&tree), most.min(9));
    }
    let of = |terms, nodes| {
        explain(&coins(), &Depth { terms, nodes }, &Limits::default()).map(|tree| tree.branches.len())
    };
    assert_eq!((of(Depth::MOST, Depth::MAX_NODES), of(3, 100_000)), (Ok(2), Ok(2)));
    let said = |terms, nodes| of(terms, nodes).unwrap_err().to_string();
    assert_eq!(said(3, 100_001), "the number of nodes of a tree must be at most 100000, not 100001");
    assert_eq!(said(101, 3), "the number of terms of a tree must be at most 100, not 101");
    // There are 2^40 possible draws, so some are always omitted. This is shown even if there is no space for a second
    // draw.
    let wide = apo((), |()| Distribution::Below(1 << 40), |(), _| Flow::<(), ()>::More(()));
    let wide = explain(&wide, &Depth { terms: 2, nodes: 10_000 }, &Limits::default()).unwrap();
    let cut = |branches: &[hashwell_draw::process::interpret::Branch]| branches.last().unwrap().label == "…";
    assert!(wide.branches.iter().all(|branch| branch.tree.branches.is_empty() || cut(&branch.tree.branches)));
}

/// The possible draws of each term at the ends of its range, and their probabilities.
#[test]
fn draws_at_the_ends_of_terms() {
    use Outcome::{Index, Nothing, Real};
    let listed = |law: Distribution<'_>| {
        let mut list = Vec::new();
        law.each_outcome(|draw, probability| {
            assert!(law.admits(draw), "{law} {draw:?}");
            let log = law.log_probability(draw).unwrap();
            assert!((log - probability.ln()).abs() < 1e-15, "{law} {draw:?}");
            list.push((draw, probability));
            Ok(())
        })
        .map(|()| list)
    };
    assert_eq!(listed(Distribution::Bernoulli(0.25)), Ok(vec![(Index(0), 0.75), (Index(1), 0.25)]));
    assert_eq!(listed(Distribution::Bernoulli(0.0)), Ok(vec![(Index(0), 1.0)]));
    assert_eq!(listed(Distribution::Bernoulli(-0.0)), Ok(vec![(Index(0), 1.0)]));
    assert_eq!(listed(Distribution::Bernoulli(1.0)), Ok(vec![(Index(1), 1.0)]));
    let weights = || Distribution::Categorical(Cow::Borrowed(&[0.0, 3.0, 0.0, 1.0]));
    assert_eq!(listed(weights()), Ok(vec![(Index(1), 0.75), (Index(3), 0.25)]));
    assert_eq!(listed(Distribution::Below(2)), Ok(vec![(Index(0), 0.5), (Index(1), 0.5)]));
    assert_eq!(listed(Distribution::Observe(0.0)), Ok(vec![]));
    assert_eq!(listed(Distribution::Observe(7.0)), Ok(vec![(Nothing, 7.0)]));
    let none = [
        (Distribution::Bernoulli(0.0), Index(1)),
        (Distribution::Bernoulli(1.0), Index(0)),
        (Distribution::Bernoulli(0.5), Index(2)),
        (weights(), Index(0)),
        (weights(), Index(4)),
        (Distribution::Below(2), Index(2)),
        (Distribution::Below(2), Index(u64::MAX)),
    ];
    for (law, draw) in none {
        assert!(!law.admits(draw) && law.log_probability(draw) == Ok(f64::NEG_INFINITY), "{law} {draw:?}");
    }
    assert!(!Distribution::Uniform.admits(Real(1.0)) && !Distribution::Below(2).admits(Real(0.0)));
    assert!(
        Distribution::Beta { a: 1.0, b: 1.0 }.admits(Real(1.0)) && Distribution::Uniform.admits(Real(0.0))
    );
    for said in [
        listed(Distribution::Below(0)).unwrap_err(),
        Distribution::Below(0).log_probability(Index(0)).unwrap_err(),
    ] {
        assert_eq!(said.to_string(), "the number of choices must be at least 1, not 0");
    }
    // A uniform number that equals p is not a success: u < p.
    for (word, draw) in [(1 << 63, 0), ((1 << 63) - 1, 1)] {
        let mut words = hashwell::random::Tape::new(std::slice::from_ref(&word));
        assert_eq!(Distribution::Bernoulli(0.5).draw(&mut words), Ok(Index(draw)));
    }
    // At 13 standard deviations from the mean, densities are still in range.
    let checked =
        |mean, deviation| Distribution::Gaussian { mean, deviation }.log_probability(Real(0.0)).is_ok();
    assert!(checked(1e307, 1e307) && checked(-1.5e308, 1e306) && checked(0.0, 1.3e307));
    assert!(!checked(1.7e308, 1e307) && !checked(-1.7e308, 1e307) && !checked(0.0, 1.5e307));
}

/// Steps of futumorphisms are equal if their seeds and the draws since then are equal.
#[test]
fn places_of_futumorphisms_are_seeds_and_draws() {
    use std::collections::HashSet;
    let two = futu(1_u64, |&seed: &u64| {
        if seed > 6 {
            return Program::Pure(Flow::Done(seed));
        }
        let law = move || if seed == 2 { Distribution::Uniform } else { Distribution::Below(2) };
        Program::term(law(), move |_| Program::term(law(), move |_| Program::Pure(Flow::More(seed * 2))))
    });
    let Flow::More(one) = two.start() else { panic!("it draws") };
    fn going_on<C: Coalgebra<State: Clone>>(process: &C, place: &C::State, draw: Outcome) -> C::State {
        match process.next(place.clone(), draw) {
            Flow::More(place) => place,
            Flow::Done(_) => panic!("it goes on"),
        }
    }
    let next = |place: &_, draw| going_on(&two, place, draw);
    let (heads, tails) = (next(&one, Outcome::Index(1)), next(&one, Outcome::Index(0)));
    assert!(heads == next(&one, Outcome::Index(1)) && heads != tails && heads != one);
    let second = next(&tails, Outcome::Index(0));
    // It also differs from another seed from which nothing was drawn.
    assert!(second != one && second == next(&heads, Outcome::Index(1)));
    // Both zeros are the same number, also in hash sets.
    let zeros: HashSet<_> = [0.0, -0.0, 0.5].map(|u| next(&second, Outcome::Real(u))).into_iter().collect();
    assert_eq!(zeros.len(), 2);
}

/// A part of a program that is used twice is one state: of 2^20 runs, an enumeration visits 20 states.
#[test]
fn what_a_program_holds_twice_is_one_state() {
    let flips = (0..20)
        .fold(Program::Pure(7), |rest, _| Program::term(Distribution::Bernoulli(0.5), move |_| rest.clone()));
    let law = exact(&flips, &Limits::default()).unwrap();
    assert_eq!((law.steps, law.expanded, &law.outcomes[..]), (20, 20, &[(7, 1.0)][..]));
    // The same applies if such a part is followed by functions: by none, or by several one after another.
    let flip = || Program::term(Distribution::Bernoulli(0.5), |draw| Program::Pure(draw.index()));
    let several = flip().and_then(|one| Program::Pure(one + 1)).and_then(|two| Program::Pure(2 * two));
    let held = Program::term(Distribution::Below(3), move |_| several.clone());
    let law = exact(&held, &Limits::default()).unwrap().sorted();
    assert_eq!((law.expanded, law.outcomes.iter().map(|(out, _)| *out).collect()), (2, vec![2, 4]));
    // If the part is created again for each draw, there are as many states as draws.
    let anew =
        Program::term(Distribution::Below(3), |draw| Program::Pure(draw.index())).and_then(move |_| flip());
    assert_eq!(exact(&anew, &Limits::default()).unwrap().expanded, 4);
}

/// A reference to a process is that process.
#[test]
fn a_reference_is_the_process() {
    let process = Geometric::new(0.25).unwrap();
    same(&process, &&process, 0.0);
}

/// Outcomes that are too rare for floating point leave no state.
#[test]
fn what_no_float_holds_is_left_out() {
    let twice = apo(
        0_u64,
        |_| Distribution::Bernoulli(1e-200),
        |seen, draw| {
            if draw.flag() && seen == 0 { Flow::More(1) } else { Flow::Done(2 * seen + draw.index()) }
        },
    );
    let law = exact(&twice, &Limits::default()).unwrap();
    assert_eq!(law.outcomes, [(0, 1.0)], "1e-200 is not looked at");
    let law = exact(&twice, &Limits { mass: 0.0, ..Limits::default() }).unwrap();
    assert_eq!((&law.outcomes[..], law.lost), (&[(0, 1.0), (2, 1e-200)][..], 0.0));
}

/// Terms can be copied with their own weights, and an invalid state reports its error in every query.
#[test]
fn terms_are_copied_and_shown() {
    let weights = vec![0.5, 1.0];
    let reason = Error::Memory { what: "a test" };
    let terms = [
        (Distribution::Bernoulli(0.5), "Bernoulli(0.5)"),
        (Distribution::Uniform, "Uniform"),
        (Distribution::Categorical((&weights).into()), "Categorical(0.5, 1)"),
        (Distribution::Below(6), "Below(6)"),
        (Distribution::Gaussian { mean: 1.0, deviation: 2.0 }, "Gaussian(1, 2)"),
        (Distribution::Beta { a: 1.0, b: 2.5 }, "Beta(1, 2.5)"),
        (Distribution::Observe(0.25), "Observe(0.25)"),
        (Distribution::Fail(Box::new(reason.clone())), "Fail(not enough memory for a test)"),
    ];
    for (law, shown) in terms {
        assert_eq!(
            (law.borrowed(), law.clone().into_owned(), law.to_string()),
            (law.clone(), law.clone(), shown.into())
        );
    }
    let wrong =
        apo((), |()| Distribution::Fail(Box::new(Error::Memory { what: "a test" })), |(), _| Flow::Done(7));
    let must = Error::AtStep { step: 0, reason: Box::new(reason) };
    assert_eq!(sample(&wrong, &mut key(1).words(), &Limits::default()), Err(must.clone()));
    assert_eq!(exact(&wrong, &Limits::default()), Err(must.clone()));
    assert_eq!(explain(&wrong, &Depth::default(), &Limits::default()), Err(must.clone()));
    assert_eq!(score(&wrong, &[Outcome::Index(0)], &Limits::default()), Err(must));
    let shown = |law: fn(&()) -> Distribution<'_>| {
        let once = apo((), law, |(), _| Flow::<(), u8>::Done(1));
        explain(&once, &Depth::default(), &Limits::default()).unwrap().text()
    };
    assert_eq!(shown(|()| Distribution::Uniform), "Uniform\n└─ 0 <= u < 1: …\n");
    assert_eq!(shown(|()| Distribution::Beta { a: 1.0, b: 2.0 }), "Beta(1, 2)\n└─ 0 <= x <= 1: …\n");
}

#[test]
fn draws_are_asked_for_what_they_are() {
    use std::panic::catch_unwind;
    assert!(Outcome::Index(1).flag() && !Outcome::Index(0).flag() && Outcome::Index(9).index() == 9);
    for draw in [Outcome::Real(0.5), Outcome::Nothing] {
        assert!(catch_unwind(|| draw.index()).is_err() && catch_unwind(|| draw.flag()).is_err());
    }
    for draw in [Outcome::Index(1), Outcome::Nothing] {
        assert!(catch_unwind(|| draw.real()).is_err());
    }
}

/// Terms after an impossible one do not count.
#[test]
fn a_trace_that_cannot_be_has_no_chance() {
    use hashwell_draw::process::interpret::Trace;
    let terms = vec![
        (Distribution::Bernoulli(0.5), Outcome::Index(1)),
        (Distribution::Bernoulli(0.0), Outcome::Index(1)),
        (Distribution::Below(2), Outcome::Real(0.5)),
    ];
    let of = |terms: &[_]| Trace { terms: terms.to_vec(), out: (), log_weight: 0.0 }.log_probability();
    assert_eq!((of(&terms[..1]), of(&terms)), (Ok(0.5_f64.ln()), Ok(f64::NEG_INFINITY)));
    let wrong = of(&terms[2..]).unwrap_err().to_string();
    assert!(wrong.starts_with("at step 0: invalid outcome"), "{wrong}");
}

/// Steps of a futumorphism that draw nothing, and one that ends the process in the middle.
#[test]
fn steps_may_draw_nothing_or_end() {
    let steps = futu(0_u64, |&seed: &u64| match seed {
        0 | 2 => Program::Pure(Flow::More(seed + 1)),
        1 => Program::term(Distribution::Below(2), |_| {
            Program::term(Distribution::Observe(0.5), |_| {
                Program::term(Distribution::Bernoulli(0.25), |draw| {
                    Program::Pure(if draw.flag() { Flow::Done(10) } else { Flow::More(2) })
                })
            })
        }),
        seed => Program::Pure(Flow::Done(seed)),
    });
    let law = exact(&steps, &Limits::default()).unwrap().sorted();
    assert_eq!(law.outcomes, [(3, 0.375), (10, 0.125)]);
    // After a value that is known already, the program is the one that the continuation returns.
    let flip = || Program::term(Distribution::Bernoulli(0.25), Program::Pure);
    let then = |value| {
        Program::Pure(value).and_then(move |value| {
            flip().and_then(move |draw| {
                flip().and_then(move |other| Program::Pure(value + draw.index() + other.index()))
            })
        })
    };
    let law = exact(&then(5), &Limits::default()).unwrap().sorted();
    assert_eq!(law.outcomes, [(5, 0.5625), (6, 0.375), (7, 0.0625)]);
}
