//! The distributions of the built-in processes: enumerated and compared with closed forms, and simulated and compared
//! with both, with biased controls.

mod chains;
use crate::law as distribution;
mod hidden;
mod hostile;
mod partitions;
mod restaurants;
mod series;

use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::registry::{Data, Given, Model, Shape, Value, find};
use hashwell_draw::process::{Coalgebra, Flow, Outcome, Run, Streams};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A process of the table, with parameters as texts.
fn model(name: &str, given: &[(&str, &str)], encoding: Option<&str>) -> Model {
    let given = given.iter().fold(Given::new(), |given, (name, value)| given.with(name, *value));
    find(name).unwrap().build(&given, encoding).unwrap()
}

/// Limits with which an enumeration runs until no probability is left.
fn all() -> Limits<'static> {
    Limits { mass: 0.0, ..Limits::default() }
}

/// An outcome in a form that can be a key.
fn key(value: &Value) -> Vec<i64> {
    match value {
        Value::Whole(whole) => vec![*whole],
        Value::Wholes(wholes) => wholes.clone(),
        Value::Labels(labels) => labels.iter().map(|&label| label.into()).collect(),
        Value::Reals(_) => panic!("no key"),
    }
}

fn exact(model: &Model) -> BTreeMap<Vec<i64>, f64> {
    let exact = model.exact(&all()).unwrap();
    assert_eq!(exact.lost, 0.0);
    exact.outcomes.iter().map(|(out, mass)| (key(out), *mass)).collect()
}

fn exact_statistic(model: &Model, limit: &Limits) -> BTreeMap<Vec<i64>, f64> {
    let exact = model.exact_statistic(limit).unwrap();
    exact.outcomes.iter().map(|(out, mass)| (key(out), *mass)).collect()
}

/// The number of times that each outcome occurred in this number of replicates.
fn counts(model: &Model, seed: &[u8], replicates: u64) -> BTreeMap<Vec<i64>, u64> {
    // Several threads give the same result: process_core_simulate compares them with one.
    let limits = Limits { threads: 3, ..Limits::default() };
    let run = Run::seeded(seed).unwrap();
    let columns = model.simulate(Streams::Separate(&run, 0..replicates), &limits).unwrap();
    let items: Vec<i64> = match columns.data {
        Data::I64(items) => items,
        Data::U32(items) => items.into_iter().map(i64::from).collect(),
        Data::F64(_) => panic!("no keys"),
    };
    let mut counts = BTreeMap::new();
    for j in 0..replicates as usize {
        let value = match &columns.shape {
            Shape::Scalars => &items[j..=j],
            Shape::Rows { width } => &items[j * width..][..*width],
            Shape::Ragged(ends) => &items[ends[j]..ends[j + 1]],
        };
        *counts.entry(value.to_vec()).or_default() += 1;
    }
    counts
}

fn assert_near(got: f64, must: f64, within: f64, what: &str) {
    assert!((got - must).abs() <= within, "{what}: {got}, must be {must}");
}

/// Checks that both distributions have the same outcomes, with the same masses to within 10^-12.
fn assert_equal(got: &BTreeMap<Vec<i64>, f64>, must: &BTreeMap<Vec<i64>, f64>, what: &str) {
    assert!(got.keys().eq(must.keys()), "{what}: other outcomes");
    for (out, mass) in got {
        assert_near(*mass, must[out], 1e-12, &format!("{what} {out:?}"));
    }
}

/// The distribution of a process whose uniform terms are divided into this number of cells. All numbers of a cell
/// continue in the same way.
fn enumerated<C: Coalgebra>(process: &C, cells: u32) -> BTreeMap<C::Out, f64>
where
    C::State: Clone + Eq + Hash,
    C::Out: Ord,
{
    let mut law = BTreeMap::new();
    let mut open = HashMap::new();
    let mut go = |open: &mut HashMap<C::State, f64>, flow, mass| match flow {
        Flow::Done(out) => *law.entry(out).or_insert(0.0) += mass,
        Flow::More(state) => *open.entry(state).or_insert(0.0) += mass,
    };
    go(&mut open, process.start(), 1.0);
    while !open.is_empty() {
        let mut after = HashMap::new();
        for (state, mass) in open {
            let term = process.distribution(&state);
            let mut take = |draw, chance| {
                go(&mut after, process.next(state.clone(), draw), mass * chance);
                Ok(())
            };
            if term.admits(Outcome::Real(0.5)) {
                let draws = (0..cells).map(|cell| Outcome::Real((f64::from(cell) + 0.5) / f64::from(cells)));
                draws.for_each(|draw| take(draw, 1.0 / f64::from(cells)).unwrap());
            } else {
                term.each_outcome(take).unwrap();
            }
        }
        open = after;
    }
    law
}
