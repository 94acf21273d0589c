//! Many replicates: the same whatever the threads, each as it is alone, and what was done is never lost.

use hashwell_draw::process::interpret::{Limit, Simulation, each, exact, pieces, sample, simulate, weigh};
use hashwell_draw::process::model::Geometric;
use hashwell_draw::process::registry::{Given, find};
use hashwell_draw::process::show::value;
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law, Replicates, Run, apo};
use hashwell_draw::{Error, Key};
use std::ops::ControlFlow;

fn run() -> Run {
    Run::seeded(b"process_core_simulate").unwrap()
}

fn threads(threads: usize) -> Simulation {
    Simulation { threads, ..Simulation::default() }
}

fn on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn threads_change_nothing() {
    let process = Geometric::new(0.1).unwrap();
    let alone: Vec<u64> =
        (100..1600).map(|j| sample(&process, &mut run().replicate(j).unwrap()).unwrap()).collect();
    for count in [1, 2, 7, 0] {
        let many = simulate(&process, &run(), 100..1600, &threads(count), &mut on).unwrap();
        assert!(many.finished && many.outs == alone, "{count} threads");
    }
    let mut one_by_one = Vec::new();
    each(&process, &run(), 100..1600, |j, out| {
        assert_eq!(j, 100 + one_by_one.len() as u64);
        one_by_one.push(out);
        Ok(if j == 599 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
    .unwrap();
    assert_eq!(one_by_one, alone[..500]);
    // Other sources have words of their own.
    let counter = Run::new(hashwell::Source::find("counter").unwrap(), Key([1; 32]));
    let many = simulate(&process, &counter, 0..20, &threads(2), &mut on).unwrap().outs;
    let alone: Vec<u64> =
        (0..20).map(|j| sample(&process, &mut counter.replicate(j).unwrap()).unwrap()).collect();
    assert_eq!(many, alone);
    let none = simulate(&process, &run(), 5..5, &threads(3), &mut on).unwrap();
    assert!(none.outs.is_empty() && none.finished);
    // The last child that a key has.
    assert_eq!(
        simulate(&process, &run(), u64::MAX - 1..u64::MAX, &threads(1), &mut on).unwrap().outs.len(),
        1
    );
}

#[test]
fn a_break_leaves_what_was_done() {
    let process = Geometric::new(0.02).unwrap();
    let whole = simulate(&process, &run(), 0..20_000, &threads(2), &mut on).unwrap().outs;
    for count in [1, 2, 5] {
        let mut told = Vec::new();
        let part = simulate(&process, &run(), 0..20_000, &threads(count), &mut |done| {
            told.push(done);
            if done > 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert!(told.is_sorted() && *told.last().unwrap() > 300);
        assert!(part.finished == (part.outs.len() == 20_000));
        assert!(part.outs == whole[..part.outs.len()], "{count} threads");
    }
    // A replicate that does not end is left, and so are those after it.
    let stuck = apo(
        0_u64,
        |_| Law::Bernoulli(0.5),
        |n, draw| {
            if n > 0 || draw.flag() { Flow::More(1) } else { Flow::Done(n) }
        },
    );
    for count in [1, 3] {
        let mut calls = 0;
        let part = simulate(&stuck, &run(), 0..100, &threads(count), &mut |_| {
            calls += 1;
            if calls > 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        let ends = |j| sample_ends(&stuck, j);
        let first = (0..100).find(|&j| !ends(j)).unwrap();
        assert!(!part.finished && part.outs.len() as u64 <= first, "{} {first}", part.outs.len());
    }
}

fn sample_ends(process: &impl Coalgebra, j: u64) -> bool {
    use hashwell_draw::process::interpret::sample_within;
    sample_within(process, &mut run().replicate(j).unwrap(), 100).is_ok()
}

#[test]
fn the_first_error_is_told() {
    let fails = apo((), |()| Law::Below(1000), |(), draw| Flow::<(), u64>::Done(draw.index()));
    let outs = simulate(&fails, &run(), 0..5000, &threads(1), &mut on).unwrap().outs;
    let first = outs.iter().position(|&out| out == 7).unwrap();
    let fails = apo(
        None,
        |seen: &Option<u64>| match seen {
            None => Law::Below(1000),
            Some(7) => Law::Bernoulli(7.0),
            Some(_) => Law::Bernoulli(0.5),
        },
        |seen: Option<u64>, draw: Draw| match seen {
            None => Flow::More(Some(draw.index())),
            Some(_) => Flow::Done(draw.index()),
        },
    );
    let must = format!("in replicate {first}: at step 1: a probability must be 0 to 1, not 7");
    for count in [1, 2, 7] {
        let error = simulate(&fails, &run(), 0..5000, &threads(count), &mut on).unwrap_err();
        assert_eq!(error.to_string(), must, "{count} threads");
    }
    let endless = Geometric::new(1e-9).unwrap();
    let short = Simulation { terms: 1000, threads: 2 };
    let error = simulate(&endless, &run(), 3..10, &short, &mut on).unwrap_err();
    assert_eq!(error.to_string(), "in replicate 3: the process has not ended after 1000 terms, its limit");
    assert!(
        each(&Geometric::new(0.5).unwrap(), &run(), 0..1, |_, _| Err(Error::Memory { what: "a test" }))
            .is_err()
    );
}

#[test]
fn pieces_follow_one_another() {
    let numbers = |replicates: &mut Replicates<'_>| {
        let mut numbers = Vec::new();
        while let Some((j, _)) = replicates.next_words()? {
            numbers.push(j);
        }
        Ok(numbers)
    };
    for count in [1, 3] {
        let mut all = Vec::new();
        let mut take = |more: Vec<u64>| {
            all.extend(more);
            Ok(())
        };
        let done = pieces(&run(), 10..4000, count, &mut on, numbers, &mut take).unwrap();
        assert!(done.finished && done.replicates == 3990 && all.into_iter().eq(10..4000));
        // Who takes can refuse, and is then given no more.
        let mut taken = 0;
        let mut refuse = |more: Vec<u64>| {
            taken += 1;
            if more.contains(&20) { Err(Error::Memory { what: "a test" }) } else { Ok(()) }
        };
        let refused = pieces(&run(), 10..u64::MAX, count, &mut on, numbers, &mut refuse);
        assert!(matches!(refused, Err(Error::Memory { what: "a test" })) && taken < 5, "{taken}");
    }
}

/// Five flips, of which three heads were seen, of a coin whose bias is one of three.
fn coin() -> impl Coalgebra<State = Option<u64>, Out = u64> + Sync {
    apo(
        None,
        |bias: &Option<u64>| match bias {
            None => Law::Below(3),
            Some(bias) => {
                let p: f64 = [0.2, 0.5, 0.9][*bias as usize];
                Law::Observe(10.0 * p * p * p * (1.0 - p) * (1.0 - p))
            }
        },
        |bias, draw| match bias {
            None => Flow::More(Some(draw.index())),
            Some(bias) => Flow::Done(bias),
        },
    )
}

#[test]
fn weighting_nears_the_posterior() {
    let law = exact(&coin(), &Limit::default()).unwrap();
    let posterior: Vec<f64> = law.posterior().unwrap().iter().map(|(_, p)| *p).collect();
    let weighted = weigh(&coin(), &run(), 0..20_000, &threads(2), &mut on).unwrap();
    assert!(weighted.finished && weighted.outs.len() == 20_000);
    assert_eq!(weigh(&coin(), &run(), 0..20_000, &threads(7), &mut on).unwrap(), weighted);
    for bias in 0..3 {
        let found = weighted.mean(|&out| f64::from(u8::from(out == bias))).unwrap();
        assert!((found - posterior[bias as usize]).abs() < 0.03, "{bias}: {found}");
    }
    // The control: without weights, each bias has a third.
    assert!((posterior[1] - 1.0 / 3.0).abs() > 0.1);
    assert!((weighted.log_evidence().unwrap() - law.log_evidence()).abs() < 0.02);
    let size = weighted.effective_sample_size().unwrap();
    let (mean, square) = (
        (0.0512 + 0.3125 + 0.0729) / 3.0,
        (0.0512_f64.powi(2) + 0.3125_f64.powi(2) + 0.0729_f64.powi(2)) / 3.0,
    );
    assert!((size / 20_000.0 - mean * mean / square).abs() < 0.02, "{size}");
    let impossible = apo((), |()| Law::Observe(0.0), |(), _| Flow::<(), _>::Done(1_u64));
    let none = weigh(&impossible, &run(), 0..5, &threads(1), &mut on).unwrap();
    assert_eq!(none.log_weights, [f64::NEG_INFINITY; 5]);
    assert_eq!(none.mean(|_| 1.0).unwrap_err().to_string(), "the evidence must be more than 0, not 0");
    assert!(none.effective_sample_size().is_err() && none.log_evidence().is_err());
}

/// Built-in processes are asked inside a replicate, too, and have no more terms than they may.
#[test]
fn built_in_processes_can_be_told_to_stop() {
    let endless = find("geometric").unwrap().build(&Given::new().with("p", 1e-18), None).unwrap();
    for count in [1, 3] {
        let mut asked = 0;
        let none = endless.simulate(&run(), 0..4, &threads(count), &mut |done| {
            assert_eq!(done, 0);
            asked += 1;
            if asked > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let none = none.unwrap();
        assert!((none.replicates, none.finished) == (0, false) && none.data.is_empty(), "{none:?}");
    }
    let words = &mut run().words().unwrap();
    let mut asked = 0;
    let stop = &mut || {
        asked += 1;
        if asked > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(endless.sample_while(words, u64::MAX, stop).unwrap(), None);
    assert_eq!(asked, 4);
    let on = || ControlFlow::Continue(());
    for name in ["crp", "pitman-yor", "hoppe-urn"] {
        let given = Given::new().with("n", 10);
        let given = if name == "pitman-yor" { given.with("discount", 0.5) } else { given };
        let urn = find(name).unwrap().build(&given, None).unwrap();
        let whole = urn.sample(&mut run().words().unwrap()).unwrap();
        let drawn = urn.trace(&mut run().words().unwrap()).unwrap().terms.len() as u64;
        // No more than its terms, and the same whether they are counted or not.
        for most in [drawn, 2 * drawn, u64::MAX] {
            let words = &mut run().words().unwrap();
            assert_eq!(urn.sample_while(words, most, &mut || on()).unwrap(), Some(whole.clone()), "{name}");
        }
        let words = &mut run().words().unwrap();
        let short = urn.sample_while(words, drawn - 1, &mut || on());
        assert_eq!(short, Err(Error::Endless { terms: drawn - 1 }), "{name}");
        let words = &mut run().words().unwrap();
        assert_eq!(urn.trace_within(words, drawn - 1), Err(Error::Endless { terms: drawn - 1 }), "{name}");
        let simulation = Simulation { terms: 3, threads: 2 };
        let short = urn.simulate(&run(), 5..9, &simulation, &mut |_| on());
        let reason = Box::new(Error::Endless { terms: 3 });
        assert_eq!(short, Err(Error::InReplicate { replicate: 5, reason }), "{name}");
    }
}

/// Replicates of more terms than there are between two questions whether to go on, and one that fails at once.
#[test]
fn long_replicates_go_on_and_the_first_may_fail() {
    let long = apo(
        0_u64,
        |_| Law::Bernoulli(0.5),
        |step, draw| if step < 40_000 { Flow::More(step + 1) } else { Flow::Done(draw.index()) },
    );
    let alone: Vec<u64> = (0..7).map(|j| sample(&long, &mut run().replicate(j).unwrap()).unwrap()).collect();
    for count in [1, 2] {
        let many = simulate(&long, &run(), 0..7, &threads(count), &mut on).unwrap();
        assert!(many.finished && many.outs == alone, "{count} threads");
    }
    let fails = apo((), |()| Law::Bernoulli(7.0), |(), _| Flow::<(), u64>::Done(0));
    for count in [1, 2, 7] {
        let error = simulate(&fails, &run(), 0..50, &threads(count), &mut on).unwrap_err().to_string();
        assert_eq!(
            error, "in replicate 0: at step 0: a probability must be 0 to 1, not 7",
            "{count} threads"
        );
    }
}

/// Replicates on one stream are samples one after another; whoever is asked can end them, in one or between two.
#[test]
fn replicates_in_a_row_are_samples_of_one_stream() {
    for (name, given) in [
        ("geometric", Given::new().with("p", 0.2)),
        ("gamblers-ruin", Given::new().with("start", 2).with("target", 5)),
        ("crp", Given::new().with("n", 5)),
        ("ar1", Given::new().with("n", 2).with("phi", 0.5)),
    ] {
        let model = find(name).unwrap().build(&given, None).unwrap();
        let mut words = run().words().unwrap();
        let must: Vec<_> = (0..6).map(|_| model.sample(&mut words).unwrap()).collect();
        for most in [0, 1, 4, 6] {
            let mut told = Vec::new();
            let mut progress = |done| {
                told.push(done);
                if done < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let words = &mut run().words().unwrap();
            let columns = model.simulate_in_a_row(words, 6, u64::MAX, &mut progress).unwrap();
            assert_eq!((columns.replicates, columns.finished), (most, most == 6), "{name}");
            let values = (0..most as usize).map(|j| value(&columns, model.row().outcome, j));
            assert!(values.eq(must[..most as usize].iter().cloned()), "{name}");
            assert_eq!(columns.data.is_empty(), most == 0);
            assert_eq!(told, (0..=most.min(5)).collect::<Vec<_>>());
        }
    }
    let endless = find("geometric").unwrap().build(&Given::new().with("p", 1e-9), None).unwrap();
    let words = &mut run().words().unwrap();
    let error = endless.simulate_in_a_row(words, 3, 100, &mut on).unwrap_err().to_string();
    assert_eq!(error, "in replicate 0: the process has not ended after 100 terms, its limit");
    let mut asked = 0;
    let stopped = endless.simulate_in_a_row(words, 3, u64::MAX, &mut |_| {
        asked += 1;
        if asked < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!((stopped.unwrap().replicates, asked), (0, 4));
}

/// One run and its weight are what many have.
#[test]
fn a_weighted_run_is_a_replicate() {
    use hashwell_draw::process::interpret::weigh_one;
    let weighted = weigh(&coin(), &run(), 0..5, &threads(1), &mut on).unwrap();
    for j in 0..5 {
        let (out, log_weight) = weigh_one(&coin(), &mut run().replicate(j).unwrap(), 2).unwrap();
        assert_eq!((out, log_weight), (weighted.outs[j as usize], weighted.log_weights[j as usize]));
    }
    let short = weigh_one(&coin(), &mut run().replicate(0).unwrap(), 1);
    assert_eq!(short, Err(Error::Endless { terms: 1 }));
}
