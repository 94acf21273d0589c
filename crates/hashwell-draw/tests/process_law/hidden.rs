//! Compares hidden Markov models with the enumeration of all paths.

use super::{all, assert_near, exact, exact_statistic, model};
use hashwell_draw::process::builtin::Hmm;
use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::registry::{Given, find};
use hashwell_draw::process::{ExactTable, Run, Streams};

const GIVEN: [(&str, &str); 4] = [
    ("initial", "0.6,0.3,0.1"),
    ("transition", "0.7,0.2,0.1;0.05,0.9,0.05;0,0.5,0.5"),
    ("emission", "0.9,0.1;0.4,0.6;0.25,0.75"),
    ("observed", "0,1,1,0,1,0"),
];
const INITIAL: [f64; 3] = [0.6, 0.3, 0.1];
const TRANSITION: [[f64; 3]; 3] = [[0.7, 0.2, 0.1], [0.05, 0.9, 0.05], [0.0, 0.5, 0.5]];
const EMISSION: [[f64; 2]; 3] = [[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]];
const OBSERVED: [usize; 6] = [0, 1, 1, 0, 1, 0];

fn hmm(states: usize, times: usize) -> Hmm {
    // One row for each state, with some probabilities 0, from a small generator.
    let mut seed = 1_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64
    };
    let mut law = |width: usize| {
        let row: Vec<f64> = (0..width).map(|i| if i % 5 == 3 { 0.0 } else { next() + 1.0 }).collect();
        let sum: f64 = row.iter().sum();
        row.iter().map(|x| x / sum).collect::<Vec<_>>()
    };
    let (initial, transition) = (law(states), (0..states).map(|_| law(states)).collect());
    let emission = (0..states).map(|_| law(3)).collect();
    let observed: Vec<i64> = (0..times).map(|time| (time * time % 7 % 3) as i64).collect();
    Hmm::new(initial, transition, emission, &observed).unwrap()
}

/// Each path and its weight.
fn paths() -> Vec<([usize; 6], f64)> {
    let path = |number: usize| [0, 1, 2, 3, 4, 5].map(|time| number / 3_usize.pow(time) % 3);
    let weight = |path: [usize; 6]| {
        let moves = path.windows(2).map(|pair| TRANSITION[pair[0]][pair[1]]).product::<f64>();
        let seen = path.iter().zip(OBSERVED).map(|(&state, symbol)| EMISSION[state][symbol]).product::<f64>();
        INITIAL[path[0]] * moves * seen
    };
    (0..729).map(path).map(|path| (path, weight(path))).collect()
}

#[test]
fn posteriors_are_those_of_all_paths() {
    let hmm = model("hmm", &GIVEN, None);
    let paths = paths();
    let evidence: f64 = paths.iter().map(|(_, weight)| weight).sum();
    let law = hmm.exact(&all()).unwrap();
    assert_near(law.evidence / evidence, 1.0, 1e-13, "evidence");
    let masses = exact(&hmm);
    for (path, weight) in paths.iter().filter(|(_, weight)| *weight > 0.0) {
        assert_near(masses[&path.map(|state| state as i64).to_vec()], *weight, 1e-16, "path");
    }
    let smoothed = hmm.smooth().unwrap().unwrap();
    assert_near(smoothed.log_evidence, evidence.ln(), 1e-13, "log evidence");
    assert_eq!(hmm.moments()[0].1, smoothed.log_evidence);
    let last = exact_statistic(&hmm, &all());
    for state in 0..3 {
        for time in 0..6 {
            let at = paths.iter().filter(|(path, _)| path[time] == state).map(|(_, weight)| weight);
            let must = at.sum::<f64>() / evidence;
            assert_near(smoothed.probabilities[3 * time + state], must, 1e-14, "smoothed");
            if time == 5 {
                assert_near(last[&vec![state as i64]] / evidence, must, 1e-14, "filtered");
            }
        }
    }
}

/// A model reports that it has observations, however likely these are. Without observations, it reports none.
#[test]
fn a_model_says_whether_it_observes() {
    assert!(model("hmm", &GIVEN, None).observes());
    assert!(!model("geometric", &[("p", "0.5")], None).observes());
    let sure = || vec![vec![1.0]];
    let observes = |observed: Vec<i64>| {
        let given =
            Given::new().with("initial", vec![1.0]).with("transition", sure()).with("emission", sure());
        find("hmm").unwrap().build(&given.with("observed", observed), None).unwrap().observes()
    };
    assert!(observes(vec![0, 0]) && !observes(Vec::new()));
}

/// Likelihood weighting estimates the same evidence.
#[test]
fn weighted_replicates_estimate_the_posterior() {
    let hmm = model("hmm", &GIVEN, None);
    let run = Run::seeded(b"hidden").unwrap();
    let weighted = hmm.weigh(Streams::Separate(&run, 0..20_000), &Limits::default()).unwrap();
    let smoothed = hmm.smooth().unwrap().unwrap();
    let size = weighted.effective_sample_size().unwrap();
    assert!((5000.0..20_000.0).contains(&size), "{size}");
    assert_near(weighted.log_evidence().unwrap(), smoothed.log_evidence, 5.0 / size.sqrt(), "evidence");
    let mean = weighted.mean(|path| super::key(path)[2] as f64).unwrap();
    let must = smoothed.probabilities[7] + 2.0 * smoothed.probabilities[8];
    assert_near(mean, must, 5.0 / size.sqrt(), "mean");
    // Without the weights, the distribution is different.
    let plain = weighted.outs.iter().map(|path| super::key(path)[2] as f64).sum::<f64>() / 20_000.0;
    assert!((plain - must).abs() > 5.0 / size.sqrt(), "{plain} {must}");
}

/// Outcomes of a distribution with observations are relative to the evidence, even if the enumeration ended early.
#[test]
fn outcomes_are_parts_of_the_evidence() {
    let hmm = model("hmm", &GIVEN, None);
    let total = hmm.exact(&all()).unwrap().steps;
    for steps in 1..=total {
        let limit = Limits { steps, ..all() };
        let exact = hmm.exact(&limit).unwrap();
        let outcomes = ExactTable::of(&hmm, false, &limit).unwrap();
        assert_near(outcomes.lost, exact.lost / (exact.evidence + exact.lost), 1e-15, "lost");
        assert_eq!(outcomes.log_evidence, Some(exact.log_evidence()));
        // All paths have the same length, so all are found in the last step.
        let found = exact.evidence > 0.0;
        assert_eq!((found, outcomes.lost), if steps == total { (true, 0.0) } else { (false, 1.0) });
        assert_eq!(outcomes.list.len(), exact.outcomes.len());
        for ((value, mass), (path, weight)) in outcomes.list.iter().zip(exact.outcomes) {
            assert_eq!(value, &path);
            assert_near(mass * exact.evidence, weight, 1e-15, "a path");
        }
        let sum: f64 = outcomes.list.iter().map(|(_, mass)| mass).sum();
        assert_near(sum, if found { 1.0 } else { 0.0 }, 1e-12, "together");
    }
}

/// The dense passes, with sizes that are not multiples of their block size, agree with simple loops.
#[test]
fn dense_passes_are_plain_sums() {
    for (states, times) in [(1, 4), (7, 5), (8, 3), (21, 9), (40, 400)] {
        let model = hmm(states, times);
        let smoothed = model.smooth().unwrap();
        let filtered = model.filter().unwrap();
        assert_eq!(model.log_evidence().unwrap(), filtered.log_evidence);
        assert_eq!(smoothed.log_evidence, filtered.log_evidence);
        assert!(filtered.log_evidence.is_finite());
        for rows in [&filtered.probabilities, &smoothed.probabilities] {
            assert_eq!(rows.len(), states * times);
            for row in rows.chunks(states) {
                assert_near(row.iter().sum(), 1.0, 1e-12, "a row");
            }
        }
        let last = (times - 1) * states..;
        assert_eq!(filtered.probabilities[last.clone()], smoothed.probabilities[last]);
        if times < 10 {
            let exact = hashwell_draw::process::interpret::exact(&model.summary(), &all()).unwrap();
            assert_near(exact.log_evidence(), filtered.log_evidence, 1e-12, "evidence");
            for (state, mass) in exact.posterior().unwrap() {
                let row = (times - 1) * states + state[0] as usize;
                assert_near(filtered.probabilities[row], mass, 1e-13, "filtered");
            }
        }
    }
}

#[test]
fn nothing_underflows_and_what_is_impossible_is_said() {
    // 5000 observations with a probability of 10^-300 each.
    let rare = || vec![vec![1e-300, 1.0], vec![1e-300, 1.0]];
    let even = || vec![vec![0.5, 0.5], vec![0.5, 0.5]];
    let model = Hmm::new(vec![0.5, 0.5], even(), rare(), &[0; 5000]).unwrap();
    let smoothed = model.smooth().unwrap();
    assert_near(smoothed.log_evidence, 5000.0 * 1e-300_f64.ln(), 1e-6, "log evidence");
    assert!(smoothed.probabilities.iter().all(|p| (p - 0.5).abs() < 1e-12));
    let never = vec![vec![0.0, 1.0], vec![0.0, 1.0]];
    let model = Hmm::new(vec![0.5, 0.5], even(), never, &[1, 1, 0]).unwrap();
    let error = model.filter().unwrap_err().to_string();
    assert_eq!(error, "at step 2: the probability of the observations must be more than 0, not 0");
    let nothing = Hmm::new(vec![0.5, 0.5], even(), rare(), &[]).unwrap();
    assert!(nothing.smooth().unwrap().probabilities.is_empty());
    assert_eq!(nothing.log_evidence(), Ok(0.0));
}

/// A state that is nearly impossible at one time and certain at a later one: all numbers stay in range.
#[test]
fn smoothing_stays_within_the_range_of_floats() {
    for tiny in [1e-300, 1e-310, 1e-320] {
        for observed in [vec![0, 1], vec![0, 0, 1], vec![0, 0, 0, 1, 1]] {
            let still = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
            let emission = vec![vec![1.0, 0.0], vec![0.5, 0.5]];
            let model = Hmm::new(vec![1.0, tiny], still, emission, &observed).unwrap();
            let smoothed = model.smooth().unwrap();
            assert_eq!(smoothed.states, 2);
            assert_eq!(smoothed.probabilities, [0.0, 1.0].repeat(observed.len()), "{tiny} {observed:?}");
            assert!(smoothed.backward.iter().all(|back| (0.0..=1.0).contains(back)));
        }
    }
    // Three states and no observations: the number of columns is the same.
    let even = vec![vec![0.5, 0.25, 0.25]; 3];
    assert_eq!(Hmm::new(vec![1.0, 0.0, 0.0], even.clone(), even, &[]).unwrap().smooth().unwrap().states, 3);
}

/// Impossible states have no part in the backward pass, however well they would explain later observations.
#[test]
fn impossible_states_are_not_gone_back_to() {
    // The second state is never reached, but would explain the later observations much better.
    let still = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let emission = vec![vec![0.75, 0.25], vec![0.0, 1.0]];
    let smoothed = Hmm::new(vec![1.0, 0.0], still, emission, &[1, 1, 1]).unwrap().smooth().unwrap();
    assert_eq!(smoothed.probabilities, [1.0, 0.0].repeat(3));
    assert_eq!(smoothed.backward[..4], [1.0, 0.0, 1.0, 0.0]);
    assert_near(smoothed.log_evidence, 3.0 * 0.25_f64.ln(), 1e-14, "evidence");
}

/// In a distribution without observations that was not enumerated to its end, masses and the lost mass are relative to
/// 1.
#[test]
fn outcomes_stand_beside_what_is_lost() {
    use hashwell_draw::process::registry::Value;
    let flips = model("geometric", &[("p", "0.5")], None);
    let limit = Limits { steps: 1, mass: 0.0, ..all() };
    let outcomes = ExactTable::of(&flips, false, &limit).unwrap();
    assert_eq!((&outcomes.list[..], outcomes.lost, outcomes.steps), (&[(Value::Whole(1), 0.5)][..], 0.5, 1));
    let mut counted = outcomes.counter();
    let facts = [("lost", 0.5), ("closed form, mean", 2.0), ("closed form, variance", 2.0)];
    let shown = |counted: Option<&hashwell_draw::process::Counted>| {
        let facts = outcomes.facts(&flips, counted);
        facts.into_iter().collect::<Vec<(String, f64)>>()
    };
    let owned =
        |facts: &[(&str, f64)]| facts.iter().map(|(name, x)| (name.to_string(), *x)).collect::<Vec<_>>();
    assert_eq!((shown(None), shown(Some(&counted))), (owned(&facts), owned(&facts)));
    for trials in [1, 1, 2, 1, 3] {
        counted.add(&Value::Whole(trials));
    }
    assert_eq!((&counted.counts[..], counted.others), (&[3][..], 2));
    let [lost, mean, variance] = facts;
    assert_eq!(
        shown(Some(&counted)),
        owned(&[lost, ("replicates with an outcome that is not listed", 2.0), mean, variance])
    );
    let picture = outcomes.picture(&flips, Some((&counted, 5)));
    assert!(picture.contains("<svg") && picture.contains("Geometric distribution"), "{picture}");
    // The title of a summary names the summarized quantity.
    let crp = model("crp", &[("n", "3")], None);
    let sizes = ExactTable::of(&crp, true, &all()).unwrap();
    assert_eq!(sizes.outcome(&crp, Value::Labels(vec![0, 1, 1])), Value::Wholes(vec![2, 1]));
    assert!(sizes.picture(&crp, None).contains("Chinese restaurant process: the table sizes, largest first"));
    // Impossible observations are rejected.
    let never = [&GIVEN[..3], &[("observed", "0")]].concat();
    let never = never
        .into_iter()
        .map(|(name, text)| if name == "emission" { (name, "0,1;0,1;0,1") } else { (name, text) });
    let never = model("hmm", &never.collect::<Vec<_>>(), None);
    let refused = ExactTable::of(&never, false, &all()).err().unwrap().to_string();
    assert_eq!(refused, "hmm: the observations have probability 0");
}

/// Blocks of rows for impossible states do not change the result.
#[test]
fn many_impossible_states_change_nothing() {
    let states = 20;
    let mut initial = vec![0.0; states];
    initial[17] = 1.0;
    // Each state is followed by the next one or the one after that, in a cycle.
    let to = |state: usize| {
        let mut row = vec![0.0; states];
        (row[(state + 1) % states], row[(state + 2) % states]) = (0.25, 0.75);
        row
    };
    let emission = |state: usize| if state.is_multiple_of(2) { vec![0.5, 0.5] } else { vec![0.25, 0.75] };
    let rows = |row: &dyn Fn(usize) -> Vec<f64>| (0..states).map(row).collect::<Vec<_>>();
    let hmm = Hmm::new(initial, rows(&to), rows(&emission), &[0, 1, 1]).unwrap();
    let (smoothed, paths) =
        (hmm.smooth().unwrap(), hashwell_draw::process::interpret::exact(&hmm, &all()).unwrap());
    assert_near(smoothed.log_evidence, paths.log_evidence(), 1e-14, "evidence");
    let mut must = vec![0.0; 3 * states];
    for (path, mass) in paths.posterior().unwrap() {
        path.iter().enumerate().for_each(|(time, &state)| must[time * states + state as usize] += mass);
    }
    smoothed.probabilities.iter().zip(must).for_each(|(&got, must)| assert_near(got, must, 1e-14, "state"));
}
