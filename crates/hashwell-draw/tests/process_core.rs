//! The interpreters against each other: schemes of unfolding, samples and traces, scores and enumerated masses.

use hashwell_draw::process::interpret::{
    Depth, Limit, MOST_TERMS, exact, expect, explain, sample, sample_within, score, trace,
};
use hashwell_draw::process::model::{Ar1, Geometric, RandomWalk};
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law, Program, Run, ana, apo, futu};
use hashwell_draw::{Error, Key};
use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

fn key(j: u8) -> Key {
    Key([j; 32])
}

/// Both give the same from the same words, and have the same law: up to `rounding`, where they are merged in other ways.
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
        assert_eq!(sample(one, &mut words), sample(other, &mut others));
        assert_eq!(words.position(), others.position());
    }
    let limit = Limit { mass: 1e-9, ..Limit::default() };
    let [one, other] = [exact(one, &limit), exact(other, &limit)].map(|law| law.unwrap().sorted().outcomes);
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.0, other.0);
        assert!((one.1 - other.1).abs() <= rounding, "{one:?} {other:?}");
    }
}

type Term = fn(&u64) -> Law<'_>;

/// The largest of three throws of a die that goes on while it grows.
type Throws = (u64, u64);

fn next_throw((left, most): Throws, draw: Draw) -> Throws {
    let shown = draw.index() + 1;
    if shown > most { (left - 1, shown) } else { (0, most) }
}

fn die(_: &Throws) -> Law<'_> {
    Law::Below(6)
}

#[test]
fn schemes_are_one() {
    let done = |&(left, most): &Throws| (left == 0).then_some(most);
    let one = ana((3, 0), done, die, next_throw);
    // An apomorphism ends where the anamorphism asks whether it is done.
    let early = apo((3, 0), die, move |seed, draw| {
        let seed = next_throw(seed, draw);
        done(&seed).map_or(Flow::More(seed), Flow::Done)
    });
    same(&one, &early, 0.0);
    // A futumorphism with one term a step, whose leaves are pure.
    let several = futu((3, 0), move |&seed: &Throws| match done(&seed) {
        Some(most) => Program::Pure(Flow::Done(most)),
        None => Program::term(Law::Below(6), move |draw| Program::Pure(Flow::More(next_throw(seed, draw)))),
    });
    same(&one, &several, 0.0);
    // The free monad.
    fn program(seed: Throws) -> Program<u64> {
        match seed {
            (0, most) => Program::Pure(most),
            seed => Program::term(Law::Below(6), Program::Pure)
                .and_then(move |draw| program(next_throw(seed, draw))),
        }
    }
    same(&one, &program((3, 0)), 1e-15);
}

#[test]
fn geometric_as_a_program() {
    fn program(trial: u64) -> Program<u64> {
        Program::term(Law::Bernoulli(0.25), move |draw| {
            if draw.flag() { Program::Pure(trial) } else { program(trial + 1) }
        })
    }
    same(&Geometric::new(0.25).unwrap(), &program(1), 0.0);
    let law = exact(&program(1), &Limit { mass: 0.0, steps: 60, ..Limit::default() }).unwrap();
    assert_eq!((law.steps, law.expanded, law.outcomes.len()), (60, 60, 60));
    for (trial, mass) in &law.outcomes {
        assert!((mass - 0.25 * 0.75_f64.powi(*trial as i32 - 1)).abs() < 1e-16);
    }
    assert!((law.evidence - (1.0 - law.lost)).abs() < 1e-15 && law.lost > 1e-8);
}

/// Two biased coins and a choice, with an observation between: what each kind of term does to scores.
fn coins() -> Program<(bool, u64)> {
    let weights = Law::Categorical(Cow::Borrowed(&[1.0, 0.0, 3.0]));
    Program::term(Law::Bernoulli(0.3), move |coin| {
        let seen = if coin.flag() { 0.9 } else { 0.2 };
        let weights = weights.clone();
        Program::term(Law::Observe(seen), move |_| {
            Program::term(weights.clone(), move |index| Program::Pure((coin.flag(), index.index())))
        })
    })
}

#[test]
fn scores_are_masses() {
    let law = exact(&coins(), &Limit::default()).unwrap();
    assert_eq!(law.outcomes.len(), 4);
    assert!((law.evidence - (0.3 * 0.9 + 0.7 * 0.2)).abs() < 1e-15 && law.lost == 0.0);
    let mut seen = std::collections::BTreeSet::new();
    for j in 0..40 {
        let trace = trace(&coins(), &mut key(j).words()).unwrap();
        let found = score(&coins(), &trace.draws()).unwrap();
        assert_eq!(found.log_weight, trace.log_weight);
        let (_, mass) = law.outcomes.iter().find(|(out, _)| *out == trace.out).unwrap();
        assert!((found.log_probability + found.log_weight - mass.ln()).abs() < 1e-14);
        assert_eq!(sample(&coins(), &mut key(j).words()), Ok(trace.out));
        seen.insert(trace.out);
    }
    assert_eq!(seen.len(), 4);
    let sum: f64 = law.posterior().unwrap().iter().map(|(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-15);
    let heads = expect(&coins(), &Limit::default(), |out| f64::from(u8::from(out.0))).unwrap();
    assert!((heads.value - 0.27 / 0.41).abs() < 1e-15 && heads.lost == 0.0);
}

#[test]
fn traces_of_other_processes() {
    use Draw::{Index, Nothing, Real};
    let message = |draws: &[Draw]| score(&coins(), draws).unwrap_err().to_string();
    assert_eq!(message(&[]), "at step 0: not a trace of this process: it goes on where the draws end");
    assert_eq!(
        message(&[Real(0.5)]),
        "at step 0: not a draw of this term: the real number 0.5, where Bernoulli(0.3) gives whole numbers"
    );
    assert_eq!(
        message(&[Index(1), Index(0)]),
        "at step 1: not a draw of this term: the whole number 0, where Observe(0.9) gives nothing"
    );
    assert_eq!(
        message(&[Index(1), Nothing, Index(0), Index(0)]),
        "at step 3: not a trace of this process: it ended before this draw"
    );
    // What cannot be is no error.
    for draws in [&[Index(2)][..], &[Index(1), Nothing, Index(1)], &[Index(0), Nothing, Index(3), Real(1.0)]]
    {
        assert_eq!(score(&coins(), draws).unwrap().log_probability, f64::NEG_INFINITY, "{draws:?}");
    }
}

/// Densities: standard values, supports, ends.
#[test]
fn densities() {
    let of = |law: Law<'_>, x: f64| law.log_probability(Draw::Real(x)).unwrap();
    let normal = || Law::Gaussian { mean: 1.0, deviation: 2.0 };
    assert!((of(normal(), 3.0) - (-0.5 - 2_f64.ln() - 0.918_938_533_204_672_7)).abs() < 1e-15);
    let beta = |a, b| Law::Beta { a, b };
    assert!((of(beta(2.0, 3.0), 0.5) - 1.5_f64.ln()).abs() < 1e-13, "12 x (1 - x)²");
    assert_eq!((of(beta(1.0, 2.0), 1.0), of(beta(0.5, 2.0), 0.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert!((of(beta(1.0, 2.0), 0.0) - 2_f64.ln()).abs() < 1e-13);
    let none = f64::NEG_INFINITY;
    assert_eq!([of(Law::Uniform, 0.0), of(Law::Uniform, 1.0), of(Law::Uniform, f64::NAN)], [0.0, none, none]);
    assert_eq!([of(beta(2.0, 2.0), -0.1), of(normal(), f64::NAN), of(normal(), f64::INFINITY)], [none; 3]);
    assert!(beta(0.0, 1.0).log_probability(Draw::Real(0.5)).is_err());
    assert!(Law::Gaussian { mean: 0.0, deviation: -1.0 }.log_probability(Draw::Real(0.5)).is_err());
}

#[test]
fn draws_of_another_kind_are_named() {
    let normal = Law::Gaussian { mean: 0.0, deviation: 1.0 };
    for (law, draw, text) in [
        (normal, Draw::Index(1), "the whole number 1, where Gaussian(0, 1) gives real numbers"),
        (Law::Below(6), Draw::Real(0.5), "the real number 0.5, where Below(6) gives whole numbers"),
        (Law::Bernoulli(0.5), Draw::Nothing, "nothing, where Bernoulli(0.5) gives whole numbers"),
        (Law::Observe(2.0), Draw::Index(0), "the whole number 0, where Observe(2) gives nothing"),
    ] {
        let said = law.log_probability(draw).unwrap_err().to_string();
        assert_eq!(said, format!("not a draw of this term: {text}"));
    }
}

#[test]
fn bad_terms_name_their_step() {
    let bad =
        |law: Term| apo(0, law, |step, _| if step < 20 { Flow::More(step + 1) } else { Flow::Done(()) });
    let nan = bad(|&step| Law::Bernoulli(if step == 7 { f64::NAN } else { 0.5 }));
    let must = "at step 7: a probability must be 0 to 1, not NaN";
    let mut words = Run::seeded(b"nan").unwrap().words().unwrap();
    assert_eq!(sample(&nan, &mut words).unwrap_err().to_string(), must);
    assert_eq!(trace(&nan, &mut words).unwrap_err().to_string(), must);
    assert_eq!(score(&nan, &[Draw::Index(0); 9]).unwrap_err().to_string(), must);
    assert_eq!(exact(&nan, &Limit::default()).unwrap_err().to_string(), must);
    assert_eq!(explain(&nan, &Depth { terms: 9, nodes: 5000 }).unwrap_err().to_string(), must);
    let laws: [(Term, &str); 7] = [
        (|_| Law::Bernoulli(1.5), "a probability must be 0 to 1, not 1.5"),
        (|_| Law::Below(0), "the number of choices must be at least 1, not 0"),
        (
            |_| Law::Categorical(Cow::Borrowed(&[0.0])),
            "the sum of the weights must be finite and more than 0, not 0",
        ),
        (
            |_| Law::Observe(-1.0),
            "the weight of an observation must be a finite number of at least 0, not -1",
        ),
        (|_| Law::Gaussian { mean: 0.0, deviation: 0.0 }, "a deviation must be more than 0, not 0"),
        (
            |_| Law::Gaussian { mean: f64::NAN, deviation: 1.0 },
            "mean and deviation must be such that 13 deviations from the mean are finite, not NaN and 1",
        ),
        (|_| Law::Beta { a: 1.0, b: 0.0 }, "a shape must be 1e-300 to 1e15, not 0"),
    ];
    for (law, message) in laws {
        let error = sample(&bad(law), &mut words).unwrap_err();
        assert_eq!(error.to_string(), format!("at step 0: {message}"));
    }
    let continuous = exact(&bad(|_| Law::Uniform), &Limit::default()).unwrap_err();
    assert_eq!(continuous.to_string(), "at step 0: not a term that can be enumerated: Uniform has a density");
}

#[test]
fn limits() {
    let endless = apo(0_u64, |_| Law::Bernoulli(0.5), |n, draw| Flow::<_, ()>::More(n << 1 | draw.index()));
    let mut words = key(0).words();
    assert_eq!(sample_within(&endless, &mut words, 100), Err(Error::Endless { terms: 100 }));
    assert_eq!(words.position(), 800);
    let law = exact(&endless, &Limit { steps: 5, ..Limit::default() }).unwrap();
    assert_eq!((law.lost, law.evidence, law.outcomes.len(), law.steps), (1.0, 0.0, 0, 5));
    let many = exact(&endless, &Limit { states: 1000, ..Limit::default() }).unwrap_err();
    assert_eq!(
        many.to_string(),
        "at step 9: the states of an enumeration must be at most 1000, its limit, not 1002"
    );
    // Neither does a term with more choices than memory take it.
    let wide = apo((), |()| Law::Below(u64::MAX), |(), draw| Flow::<(), _>::Done(draw.index()));
    assert!(exact(&wide, &Limit::default()).is_err());
    assert!(exact(&wide, &Limit { mass: f64::NAN, ..Limit::default() }).is_err());
    // What is done at once draws nothing, whatever the limit.
    let done = ana(3, |&n| Some(n), |_| Law::Below(0), |n: i32, _| n);
    assert_eq!(sample_within(&done, &mut words, 0), Ok(3));
    assert_eq!(exact(&done, &Limit { steps: 0, ..Limit::default() }).unwrap().outcomes, [(3, 1.0)]);
    assert!(score(&done, &[]).unwrap().log_probability == 0.0 && MOST_TERMS > 1 << 39);
}

/// 10^3 observations of 10^-3 each leave a float's range long before the end.
#[test]
fn evidence_far_out_of_a_float() {
    let chain = |weight: f64| {
        apo(
            (0_u32, false),
            move |&(step, _)| if step % 2 == 0 { Law::Bernoulli(0.25) } else { Law::Observe(weight) },
            |(step, up), draw| match draw {
                Draw::Nothing if step == 1999 => Flow::Done(up),
                Draw::Nothing => Flow::More((step + 1, up)),
                draw => Flow::More((step + 1, draw.flag())),
            },
        )
    };
    for weight in [1e-3, 1e3] {
        let law = exact(&chain(weight), &Limit::default()).unwrap();
        assert!((law.log_evidence() - 1000.0 * weight.ln()).abs() < 1e-8, "{}", law.log_evidence());
        assert!(law.unit != 0 && law.lost == 0.0);
        let up = law.posterior().unwrap().iter().find(|(up, _)| **up).unwrap().1;
        assert!((up - 0.25).abs() < 1e-12);
        let mean = expect(&chain(weight), &Limit::default(), |&up| f64::from(u8::from(up))).unwrap();
        assert!((mean.value - 0.25).abs() < 1e-12);
    }
    let impossible = exact(&chain(0.0), &Limit::default()).unwrap();
    assert_eq!((impossible.evidence, impossible.outcomes.len()), (0.0, 0));
    assert_eq!(impossible.log_evidence(), f64::NEG_INFINITY);
    let message = "the evidence must be more than 0, not 0";
    assert_eq!(impossible.posterior().unwrap_err().to_string(), message);
    assert_eq!(expect(&chain(0.0), &Limit::default(), |_| 0.0).unwrap_err().to_string(), message);
}

#[test]
fn trees() {
    let tree = explain(&coins(), &Depth::default()).unwrap();
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
    let endless = apo((), |()| Law::Below(1 << 40), |(), _| Flow::<(), ()>::More(()));
    let cut = explain(&endless, &Depth { terms: 2, nodes: 3 }).unwrap();
    assert_eq!(cut.branches.len(), 3, "two that have nodes, and what stands for the others");
    assert_eq!(cut.branches[2].label, "…");
    let real = apo(
        (),
        |()| Law::Gaussian { mean: 0.0, deviation: 1.0 },
        |(), draw| Flow::<(), _>::Done(draw.real() as i64),
    );
    assert_eq!(explain(&real, &Depth::default()).unwrap().text(), "Gaussian(0, 1)\n└─ x: …\n");
    assert!(explain(&endless, &Depth { terms: 101, nodes: 1 }).is_err());
    let long = apo((), |()| Law::Below(1), |(), _| Flow::<(), ()>::More(()));
    assert_eq!(explain(&long, &Depth { terms: 100, nodes: 2000 }).unwrap().text().lines().count(), 101);
    // What is cut takes room, too.
    let wide = explain(&endless, &Depth { terms: 2, nodes: 10_000 }).unwrap();
    assert!(wide.branches.iter().map(|branch| branch.tree.branches.len()).sum::<usize>() <= 1_030_000);
    assert_eq!(wide.branches[0].tree.branches.last().unwrap().label, "…");
}

#[test]
fn an_enumeration_stops_when_it_is_told_to() {
    let wide = apo((), |()| Law::Below(1 << 31), |(), _| Flow::<(), u64>::More(()));
    let asked = std::cell::Cell::new(0);
    let ask = || {
        asked.set(asked.get() + 1);
        if asked.get() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = exact(&wide, &Limit { ask: Some(&ask), ..Limit::default() }).unwrap_err();
    assert_eq!(stopped.to_string(), "at step 1: stopped, as it was told to");
    assert_eq!(asked.get(), 10);
}

/// What is said of them in their documents, as fractions.
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
    assert_eq!(said(0.0), "sigma must be more than 0, at most 1e307, not 0");
    assert_eq!(said(1.1e307), "sigma must be more than 0, at most 1e307, not 1.1e307");
    assert!(Ar1::new(3, 0.5, 1e307, 1.0, 0.0).is_ok());
}
