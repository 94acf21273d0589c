//! Many replicates: they do not depend on the number of threads or on each other, and completed work is never lost.

use hashwell_draw::process::builtin::Geometric;
use hashwell_draw::process::interpret::{Limits, each, exact, pieces, sample, simulate, weigh};
use hashwell_draw::process::registry::{Given, find};
use hashwell_draw::process::show::value;
use hashwell_draw::process::{Coalgebra, Distribution, Flow, Outcome, Replicates, Run, Streams, apo};
use hashwell_draw::{Error, Key, Watch};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

fn run() -> Run {
    Run::seeded(b"process_core_simulate").unwrap()
}

fn threads(threads: usize) -> Limits<'static> {
    Limits { threads, ..Limits::default() }
}

/// Breaks if `stop` is true.
fn flow(stop: bool) -> ControlFlow<()> {
    if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

#[test]
fn threads_change_nothing() {
    let process = Geometric::new(0.1).unwrap();
    let alone: Vec<u64> = (100..1600)
        .map(|j| sample(&process, &mut run().replicate(j).unwrap(), &Limits::default()).unwrap())
        .collect();
    for count in [1, 2, 7, 0] {
        let many = simulate(&process, &run(), 100..1600, &threads(count)).unwrap();
        assert!(many.finished && many.outs == alone, "{count} threads");
    }
    let mut one_by_one = Vec::new();
    each(&process, &run(), 100..1600, &Limits::default(), |j, out| {
        assert_eq!(j, 100 + one_by_one.len() as u64);
        one_by_one.push(out);
        Ok(if j == 599 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
    .unwrap();
    assert_eq!(one_by_one, alone[..500]);
    // Other sources give different random numbers.
    let counter = Run::new(hashwell::Source::find("counter").unwrap(), Key([1; 32]));
    let many = simulate(&process, &counter, 0..20, &threads(2)).unwrap().outs;
    let alone: Vec<u64> = (0..20)
        .map(|j| sample(&process, &mut counter.replicate(j).unwrap(), &Limits::default()).unwrap())
        .collect();
    assert_eq!(many, alone);
    let none = simulate(&process, &run(), 5..5, &threads(3)).unwrap();
    assert!(none.outs.is_empty() && none.finished);
    // The last child of a key.
    assert_eq!(simulate(&process, &run(), u64::MAX - 1..u64::MAX, &threads(1)).unwrap().outs.len(), 1);
}

#[test]
fn a_break_leaves_what_was_done() {
    let process = Geometric::new(0.02).unwrap();
    let whole = simulate(&process, &run(), 0..20_000, &threads(2)).unwrap().outs;
    for count in [1, 2, 5] {
        let told = Mutex::new(Vec::new());
        let ask = |done| {
            told.lock().unwrap().push(done);
            flow(done > 300)
        };
        let watch = Watch::new(&ask);
        let limits = Limits { watch: &watch, ..threads(count) };
        let part = simulate(&process, &run(), 0..20_000, &limits).unwrap();
        let told = told.into_inner().unwrap();
        assert!(told.is_sorted() && *told.last().unwrap() > 300);
        assert!(part.finished == (part.outs.len() == 20_000));
        assert!(part.outs == whole[..part.outs.len()], "{count} threads");
    }
    // A replicate that does not end is abandoned, and so are those after it.
    let stuck = apo(
        0_u64,
        |_| Distribution::Bernoulli(0.5),
        |n, draw| {
            if n > 0 || draw.flag() { Flow::More(1) } else { Flow::Done(n) }
        },
    );
    for count in [1, 3] {
        let calls = AtomicU64::new(0);
        let ask = |_| flow(calls.fetch_add(1, Relaxed) >= 20);
        let watch = Watch::new(&ask);
        let limits = Limits { watch: &watch, ..threads(count) };
        let part = simulate(&stuck, &run(), 0..100, &limits).unwrap();
        let ends = |j| sample_ends(&stuck, j);
        let first = (0..100).find(|&j| !ends(j)).unwrap();
        assert!(!part.finished && part.outs.len() as u64 <= first, "{} {first}", part.outs.len());
    }
}

fn sample_ends(process: &impl Coalgebra, j: u64) -> bool {
    let short = Limits { terms: 100, ..Limits::default() };
    sample(process, &mut run().replicate(j).unwrap(), &short).is_ok()
}

#[test]
fn the_first_error_is_told() {
    let fails = apo((), |()| Distribution::Below(1000), |(), draw| Flow::<(), u64>::Done(draw.index()));
    let outs = simulate(&fails, &run(), 0..5000, &threads(1)).unwrap().outs;
    let first = outs.iter().position(|&out| out == 7).unwrap();
    let fails = apo(
        None,
        |seen: &Option<u64>| match seen {
            None => Distribution::Below(1000),
            Some(7) => Distribution::Bernoulli(7.0),
            Some(_) => Distribution::Bernoulli(0.5),
        },
        |seen: Option<u64>, draw: Outcome| match seen {
            None => Flow::More(Some(draw.index())),
            Some(_) => Flow::Done(draw.index()),
        },
    );
    let must = format!("in replicate {first}: at step 1: a probability must be 0 to 1, not 7");
    for count in [1, 2, 7] {
        let error = simulate(&fails, &run(), 0..5000, &threads(count)).unwrap_err();
        assert_eq!(error.to_string(), must, "{count} threads");
    }
    let endless = Geometric::new(1e-9).unwrap();
    let short = Limits { terms: 1000, ..threads(2) };
    let error = simulate(&endless, &run(), 3..10, &short).unwrap_err();
    assert_eq!(error.to_string(), "in replicate 3: the process has not ended within the limit of 1000 terms");
    assert!(
        each(&Geometric::new(0.5).unwrap(), &run(), 0..1, &Limits::default(), |_, _| {
            Err(Error::Memory { what: "a test" })
        })
        .is_err()
    );
}

#[test]
fn pieces_follow_one_another() {
    let numbers = |replicates: &mut Replicates, _: &Watch<'_>| {
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
        let done = pieces(&run(), 10..4000, &threads(count), numbers, &mut take).unwrap();
        assert!(done.finished && done.replicates == 3990 && all.into_iter().eq(10..4000));
        // The consumer can stop, and then gets no more replicates. The number of replicates that it got before depends
        // on the threads.
        let mut has_stopped = false;
        let mut refuse = |more: Vec<u64>| {
            assert!(!has_stopped, "{} replicates after the end", more.len());
            has_stopped = more.contains(&20);
            if has_stopped { Err(Error::Memory { what: "a test" }) } else { Ok(()) }
        };
        let refused = pieces(&run(), 10..u64::MAX, &threads(count), numbers, &mut refuse);
        assert!(matches!(refused, Err(Error::Memory { what: "a test" })), "{refused:?}");
    }
}

/// Five flips of a coin, of which three heads were observed. The bias is one of three.
fn coin() -> impl Coalgebra<State = Option<u64>, Out = u64> + Sync {
    apo(
        None,
        |bias: &Option<u64>| match bias {
            None => Distribution::Below(3),
            Some(bias) => {
                let p: f64 = [0.2, 0.5, 0.9][*bias as usize];
                Distribution::Observe(10.0 * p * p * p * (1.0 - p) * (1.0 - p))
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
    let law = exact(&coin(), &Limits::default()).unwrap();
    let posterior: Vec<f64> = law.posterior().unwrap().iter().map(|(_, p)| *p).collect();
    let weighted = weigh(&coin(), &run(), 0..20_000, &threads(2)).unwrap();
    assert!(weighted.finished && weighted.outs.len() == 20_000);
    assert_eq!(weigh(&coin(), &run(), 0..20_000, &threads(7)).unwrap(), weighted);
    for bias in 0..3 {
        let found = weighted.mean(|&out| f64::from(u8::from(out == bias))).unwrap();
        assert!((found - posterior[bias as usize]).abs() < 0.03, "{bias}: {found}");
    }
    // Control: without weights, each bias has probability 1/3.
    assert!((posterior[1] - 1.0 / 3.0).abs() > 0.1);
    assert!((weighted.log_evidence().unwrap() - law.log_evidence()).abs() < 0.02);
    let size = weighted.effective_sample_size().unwrap();
    let (mean, square) = (
        (0.0512 + 0.3125 + 0.0729) / 3.0,
        (0.0512_f64.powi(2) + 0.3125_f64.powi(2) + 0.0729_f64.powi(2)) / 3.0,
    );
    assert!((size / 20_000.0 - mean * mean / square).abs() < 0.02, "{size}");
    let impossible = apo((), |()| Distribution::Observe(0.0), |(), _| Flow::<(), _>::Done(1_u64));
    let none = weigh(&impossible, &run(), 0..5, &threads(1)).unwrap();
    assert_eq!(none.log_weights, [f64::NEG_INFINITY; 5]);
    assert_eq!(
        none.mean(|_| 1.0).unwrap_err().to_string(),
        "the probability of the observations must be more than 0, not 0"
    );
    assert!(none.effective_sample_size().is_err() && none.log_evidence().is_err());
}

/// Built-in processes check the watch within a replicate, too, and have no more terms than the limit.
#[test]
fn built_in_processes_can_be_told_to_stop() {
    let endless = find("geometric").unwrap().build(&Given::new().with("p", 1e-18), None).unwrap();
    for count in [1, 3] {
        let asked = AtomicU64::new(0);
        let ask = |done| {
            assert_eq!(done, 0);
            flow(asked.fetch_add(1, Relaxed) >= 3)
        };
        let watch = Watch::new(&ask);
        let limits = Limits { watch: &watch, ..threads(count) };
        let none = endless.simulate(Streams::Separate(&run(), 0..4), &limits).unwrap();
        assert!((none.replicates, none.finished) == (0, false) && none.data.is_empty(), "{none:?}");
    }
    let words = &mut run().words().unwrap();
    let asked = AtomicU64::new(0);
    let ask = |_| flow(asked.fetch_add(1, Relaxed) >= 3);
    let watch = Watch::new(&ask);
    let limits = Limits { terms: u64::MAX, watch: &watch, ..Limits::default() };
    assert_eq!(endless.sample(words, &limits), Err(Error::Stopped));
    assert_eq!(asked.into_inner(), 4);
    let within = |terms| Limits { terms, ..Limits::default() };
    for name in ["crp", "pitman-yor", "hoppe-urn"] {
        let given = Given::new().with("n", 10);
        let given = if name == "pitman-yor" { given.with("discount", 0.5) } else { given };
        let urn = find(name).unwrap().build(&given, None).unwrap();
        let whole = urn.sample(&mut run().words().unwrap(), &Limits::default()).unwrap();
        let drawn = urn.trace(&mut run().words().unwrap(), &Limits::default()).unwrap().terms.len() as u64;
        // A limit that the number of terms does not exceed has no effect on the result.
        for most in [drawn, 2 * drawn, u64::MAX] {
            let words = &mut run().words().unwrap();
            assert_eq!(urn.sample(words, &within(most)).unwrap(), whole, "{name}");
        }
        let words = &mut run().words().unwrap();
        let short = urn.sample(words, &within(drawn - 1));
        assert_eq!(short, Err(Error::Endless { terms: drawn - 1 }), "{name}");
        let words = &mut run().words().unwrap();
        assert_eq!(urn.trace(words, &within(drawn - 1)), Err(Error::Endless { terms: drawn - 1 }), "{name}");
        let limits = Limits { terms: 3, ..threads(2) };
        let short = urn.simulate(Streams::Separate(&run(), 5..9), &limits);
        let reason = Box::new(Error::Endless { terms: 3 });
        assert_eq!(short, Err(Error::InReplicate { replicate: 5, reason }), "{name}");
    }
}

/// Replicates with more terms than there are between two checks of the watch, and one that fails immediately.
#[test]
fn long_replicates_go_on_and_the_first_may_fail() {
    let long = apo(
        0_u64,
        |_| Distribution::Bernoulli(0.5),
        |step, draw| if step < 40_000 { Flow::More(step + 1) } else { Flow::Done(draw.index()) },
    );
    let alone: Vec<u64> = (0..7)
        .map(|j| sample(&long, &mut run().replicate(j).unwrap(), &Limits::default()).unwrap())
        .collect();
    for count in [1, 2] {
        let many = simulate(&long, &run(), 0..7, &threads(count)).unwrap();
        assert!(many.finished && many.outs == alone, "{count} threads");
    }
    let fails = apo((), |()| Distribution::Bernoulli(7.0), |(), _| Flow::<(), u64>::Done(0));
    for count in [1, 2, 7] {
        let error = simulate(&fails, &run(), 0..50, &threads(count)).unwrap_err().to_string();
        assert_eq!(
            error, "in replicate 0: at step 0: a probability must be 0 to 1, not 7",
            "{count} threads"
        );
    }
}

/// Replicates on one stream are consecutive samples. The watch can stop them within a replicate or between two.
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
        let must: Vec<_> = (0..6).map(|_| model.sample(&mut words, &Limits::default()).unwrap()).collect();
        for most in [0, 1, 4, 6] {
            let told = Mutex::new(Vec::new());
            let ask = |done| {
                told.lock().unwrap().push(done);
                flow(done >= most)
            };
            let watch = Watch::new(&ask);
            let limits = Limits { watch: &watch, ..Limits::default() };
            let words = &mut run().words().unwrap();
            let columns = model.simulate(Streams::Shared(words, 6), &limits).unwrap();
            assert_eq!((columns.replicates, columns.finished), (most, most == 6), "{name}");
            let values = (0..most as usize).map(|j| value(&columns, model.entry().values, j));
            assert!(values.eq(must[..most as usize].iter().cloned()), "{name}");
            assert_eq!(columns.data.is_empty(), most == 0);
            assert_eq!(told.into_inner().unwrap(), (0..=most).collect::<Vec<_>>());
        }
    }
    let endless = find("geometric").unwrap().build(&Given::new().with("p", 1e-9), None).unwrap();
    let words = &mut run().words().unwrap();
    let short = Limits { terms: 100, ..Limits::default() };
    let error = endless.simulate(Streams::Shared(words, 3), &short).unwrap_err().to_string();
    assert_eq!(error, "in replicate 0: the process has not ended within the limit of 100 terms");
    let asked = AtomicU64::new(0);
    let ask = |_| flow(asked.fetch_add(1, Relaxed) >= 3);
    let watch = Watch::new(&ask);
    let limits = Limits { watch: &watch, ..Limits::default() };
    let stopped = endless.simulate(Streams::Shared(words, 3), &limits);
    assert_eq!((stopped.unwrap().replicates, asked.into_inner()), (0, 4));
    let hmm = Given::new().with("initial", "0.5,0.5").with("transition", "0.9,0.1;0.2,0.8");
    let hmm = hmm.with("emission", "0.7,0.3;0.1,0.9").with("observed", "0,1,1");
    let hmm = find("hmm").unwrap().build(&hmm, None).unwrap();
    let weighted = hmm.weigh(Streams::Shared(&mut run().words().unwrap(), 5), &Limits::default()).unwrap();
    let mut words = run().words().unwrap();
    for (out, log_weight) in weighted.outs.iter().zip(&weighted.log_weights) {
        let trace = hmm.trace(&mut words, &Limits::default()).unwrap();
        assert_eq!((out, *log_weight), (&trace.out, trace.log_weight));
    }
    assert!(weighted.finished && weighted.outs.len() == 5);
}

/// A single run and its weight are the same as one of many replicates.
#[test]
fn a_weighted_run_is_a_replicate() {
    use hashwell_draw::process::interpret::weigh_one;
    let weighted = weigh(&coin(), &run(), 0..5, &threads(1)).unwrap();
    for j in 0..5 {
        let (out, log_weight) =
            weigh_one(&coin(), &mut run().replicate(j).unwrap(), &Limits { terms: 2, ..Limits::default() })
                .unwrap();
        assert_eq!((out, log_weight), (weighted.outs[j as usize], weighted.log_weights[j as usize]));
    }
    let short =
        weigh_one(&coin(), &mut run().replicate(0).unwrap(), &Limits { terms: 1, ..Limits::default() });
    assert_eq!(short, Err(Error::Endless { terms: 1 }));
}
