//! The participants that hash the repository's objects, and their times.

use super::batch::Batch;
use super::report::{Row, TypeTime, Who};
use super::sizes::Sizes;
use crate::id::ObjectHash;
use crate::object::ObjectType;
use hashwell::Algorithm;
use hashwell_measure::engine::curve::{self, Curve, Runner};
use hashwell_measure::peers::ours;
use hashwell_measure::peers::{Contender, Digests, Kind, Provider, Task, Work};
use hashwell_measure::report::{Operation, Report as SpeedReport};
use hashwell_measure::timing::clock::{Effort, Gate, time};
use hashwell_measure::timing::random::Random;
use hashwell_measure::timing::statistics::{Estimate, median, of_totals};
use hashwell_work::room;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The effort for measuring a curve at one message size.
const CURVE_EFFORT: Effort = Effort { rounds: 5, patience: 0.5 };

/// The number of objects in the first batch whose digests are compared.
const COMPARED: usize = 256;

/// The minimum number of batches for intervals that are computed by resampling batches. If there are fewer, the rounds
/// are resampled instead.
pub(super) const UNITS_MIN: usize = 8;

/// A participant.
struct Entrant {
    who: Who,
    algorithm: &'static Algorithm,
    digests: Digests<'static>,
    curve: Option<Curve>,
    batches: Vec<Timed>,
}

/// The measurements of one batch.
struct Timed {
    /// The type of its objects.
    kind: ObjectType,
    /// The nanoseconds of each round.
    ns: Vec<f64>,
    /// The nanoseconds that the curve predicts.
    predicted: f64,
}

/// The number of times that each batch is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeats {
    /// The number of samples of a batch.
    pub(super) rounds: usize,
    /// The minimum number of samples for computing an interval.
    pub(super) least: usize,
    /// The number of passes over the batch in each sample, so that a sample is long enough for the clock.
    pub(super) passes: u64,
}

/// All participants, with their measurements so far.
pub(super) struct Contest {
    entrants: Vec<Entrant>,
    gate: Gate,
    random: Random,
    rounds: u64,
    noisy_rounds: u64,
    compared: bool,
}

impl Contest {
    /// Creates a contest of hashwell and every peer that was found, for these algorithms, and of the hash function that
    /// git itself uses.
    pub(super) fn new(
        algorithms: &[&'static Algorithm],
        hash: ObjectHash,
        peers: &[Box<dyn Provider>],
    ) -> Self {
        let mut entrants: Vec<Entrant> = algorithms.iter().flat_map(|a| of_algorithm(a, peers)).collect();
        match hash {
            ObjectHash::Sha1 => entrants.push(detecting_sha1()),
            _ if algorithms.iter().any(|a| a.name == "sha256") => {}
            _ => entrants.extend(of_algorithm(row("sha256"), peers)),
        }
        let now = entrants
            .iter_mut()
            .find(|e| e.who.git_now || (hash != ObjectHash::Sha1 && e.algorithm.name == "sha256"));
        now.expect("it was added").who.git_now = true;
        Self {
            entrants,
            gate: Gate::default(),
            random: Random(0),
            rounds: 0,
            noisy_rounds: 0,
            compared: false,
        }
    }

    /// Uses the curves of a report of `hashwell speed`.
    pub(super) fn take_curves(&mut self, report: &SpeedReport) {
        for entrant in &mut self.entrants {
            let operation = if entrant.who.many { Operation::Many } else { Operation::Digest };
            let provider = |row: &hashwell_measure::report::Row| match &row.variant {
                Some(variant) => format!("{} {variant}", row.provider),
                None => row.provider.clone(),
            };
            let fits = |row: &&hashwell_measure::report::Row| {
                row.operation == operation
                    && row.threads == 1
                    && row.algorithm == entrant.algorithm.name
                    && provider(row) == entrant.who.provider
            };
            entrant.curve = report.rows.iter().find(fits).and_then(|row| Curve::of_cells(&row.cells));
        }
    }

    /// Measures the curves that are still missing at these sizes. Calls `done` after each size, and stops if it returns
    /// a break.
    ///
    /// # Errors
    /// Returns a message if there is not enough memory for the messages.
    pub(super) fn measure_curves(
        &mut self,
        sizes: &[usize],
        done: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, String> {
        let (mut runners, places): (Vec<Runner<'_>>, Vec<&mut Option<Curve>>) =
            self.entrants.iter_mut().filter(|e| e.curve.is_none()).map(Entrant::runner).unzip();
        if runners.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let bytes = curve::memory(sizes.last().copied().unwrap_or(0));
        // The additional memory is for hashing and the report.
        room(bytes + (256 << 10)).map_err(|_| {
            format!(
                "not enough memory for messages of {bytes} bytes, which are needed to measure times by size"
            )
        })?;
        let Some(curves) = curve::measure(&mut runners, sizes, &mut self.gate, CURVE_EFFORT, done) else {
            return Ok(ControlFlow::Break(()));
        };
        places.into_iter().zip(curves).for_each(|(place, curve)| *place = Some(curve));
        Ok(ControlFlow::Continue(()))
    }

    /// Hashes a batch with every participant, each round in a new random order. Stops if `stop` is true, or if `late`
    /// returns true after the minimum number of rounds. Removes participants whose digests of the first batch are
    /// wrong, and returns a message about each.
    pub(super) fn hash(
        &mut self,
        batch: &Batch,
        repeats: Repeats,
        stop: &AtomicBool,
        late: impl Fn() -> bool,
    ) -> Vec<String> {
        let messages = batch.messages();
        let wrong = if self.compared { Vec::new() } else { self.drop_wrong(&messages) };
        let widest = self.entrants.iter().map(|e| e.algorithm.output).max().unwrap_or(0);
        let mut out = vec![0; widest * messages.len()];
        for entrant in &mut self.entrants {
            let predicted = messages.iter().map(|m| entrant.curve().ns(m.len() as u64)).sum();
            let ns = Vec::with_capacity(repeats.rounds);
            entrant.batches.push(Timed { kind: batch.kind(), ns, predicted });
        }
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        for round in 1..=repeats.rounds {
            self.random.shuffle(&mut order);
            let before = self.gate.read();
            for place in &order {
                let entrant = &mut self.entrants[*place];
                let out = &mut out[..entrant.algorithm.output * messages.len()];
                let digests = &mut entrant.digests;
                let ns = time(repeats.passes, || digests(black_box(&messages), black_box(out)));
                let timed = entrant.batches.last_mut().expect("pushed above");
                timed.ns.push(ns as f64 / repeats.passes as f64);
            }
            let after = self.gate.read();
            self.rounds += 1;
            let quiet = self.gate.is_quiet(before.adds.min(after.adds));
            self.noisy_rounds += u64::from(!quiet);
            if stop.load(Ordering::Relaxed) || (round >= repeats.least && late()) {
                break;
            }
        }
        wrong
    }

    /// Removes participants whose digests of the first objects differ from those of the portable kernel.
    fn drop_wrong(&mut self, messages: &[&[u8]]) -> Vec<String> {
        self.compared = true;
        let messages = &messages[..messages.len().min(COMPARED)];
        let mut wrong = Vec::new();
        self.entrants.retain_mut(|entrant| {
            let task = Task { algorithm: entrant.algorithm.name, kind: Kind::Digest };
            let expected = ours::expected(task, messages).expect("a digest without parameters");
            let mut out = vec![0; expected.len()];
            (entrant.digests)(messages, &mut out);
            let right = out == expected;
            if !right {
                wrong.push(format!("{} returns wrong digests and was not timed", entrant.who));
            }
            right
        });
        wrong
    }

    /// The total time in nanoseconds of all participants, as predicted by their curves.
    pub(super) fn predicted_ns(&self, of: impl Fn(&Curve) -> f64) -> f64 {
        self.entrants.iter().map(|entrant| of(entrant.curve())).sum()
    }

    /// The fraction of rounds in which another process used the core.
    pub(super) fn noisy_part(&self) -> f64 {
        self.noisy_rounds as f64 / self.rounds.max(1) as f64
    }

    /// The average number of rounds per batch.
    pub(super) fn rounds_of_a_batch(&self) -> usize {
        (self.rounds as usize).div_ceil(self.batches().max(1))
    }

    /// The number of batches that were timed.
    pub(super) fn batches(&self) -> usize {
        self.entrants.first().map_or(0, |e| e.batches.len())
    }

    /// The results: secure algorithms first, broken ones last, and within each group the fastest first. Empty if no
    /// interval can be computed. If the hashed objects are a sample, `whole` has the sizes of all objects.
    pub(super) fn rows(&self, whole: Option<&Sizes>) -> Vec<Row> {
        let predict = |curve: &Curve| whole.map(|sizes| sizes.predicted_ns(curve));
        // The run was stopped before the second round was measured, so there is no interval, and nothing can be
        // concluded.
        if self
            .entrants
            .first()
            .is_none_or(|e| e.batches.iter().map(|batch| batch.ns.len()).sum::<usize>() < 2)
        {
            return Vec::new();
        }
        let totals: Vec<Total> = self.entrants.iter().map(|e| e.total(predict(e.curve()))).collect();
        let mut order: Vec<usize> = (0..totals.len()).collect();
        let standing = |place: usize| self.entrants[place].who.standing();
        let seconds: Vec<f64> = totals.iter().map(|total| total.seconds().value).collect();
        order.sort_by(|a, b| standing(*a).cmp(&standing(*b)).then(seconds[*a].total_cmp(&seconds[*b])));
        let now = self.entrants.iter().position(|e| e.who.git_now).map(|place| &totals[place]);
        let row = |at: usize| {
            let (entrant, total) = (&self.entrants[order[at]], &totals[order[at]]);
            let above = at.checked_sub(1).map(|above| order[above]);
            let above = above.filter(|above| standing(*above) == standing(order[at]));
            let above = above.map(|above| total.over(&totals[above]));
            Row {
                who: entrant.who.clone(),
                seconds: total.seconds(),
                types: entrant.types(whole, total.seconds().value),
                over_now: now.map(|now| total.over(now)),
                tie_with_above: above.is_some_and(|ratio| !ratio.excludes(1.0)),
                predicted_seconds: total.predicted / 1e9,
                curve: entrant.curve().points().to_vec(),
            }
        };
        (0..order.len()).map(row).collect()
    }
}

/// The total time: the prediction of the curve for all objects, times the ratio of measured to predicted time for the
/// hashed objects. If all objects were hashed, this is the measured time. For a sample, it is an estimate that takes
/// the sizes of the other objects into account.
struct Total {
    /// The predicted total time in nanoseconds.
    predicted: f64,
    /// The nanoseconds of each unit: a batch, or a round if there are too few batches.
    ns: Vec<f64>,
    unit_predicted: Vec<f64>,
}

impl Total {
    fn seconds(&self) -> Estimate {
        of_totals(&[&self.ns, &self.unit_predicted], |t| self.predicted * t[0] / t[1]).scaled(1e-9)
    }

    fn over(&self, other: &Self) -> Estimate {
        let columns = [&*self.ns, &self.unit_predicted, &other.ns, &other.unit_predicted];
        of_totals(&columns, |t| (self.predicted * t[0] / t[1]) / (other.predicted * t[2] / t[3]))
    }
}

impl Entrant {
    fn new(who: Who, algorithm: &'static Algorithm, digests: Digests<'static>) -> Self {
        Self { who, algorithm, digests, curve: None, batches: Vec::new() }
    }

    fn curve(&self) -> &Curve {
        self.curve.as_ref().expect("curves are measured before batches")
    }

    fn runner(&mut self) -> (Runner<'_>, &mut Option<Curve>) {
        let Self { who, algorithm, digests, curve, .. } = self;
        (Runner { digests, output_len: algorithm.output, many: who.many }, curve)
    }

    /// Divides the seconds for all objects among the types, in the ratio of the times of their batches. If a sample was
    /// hashed, the time of a type is scaled by the predictions for all of its objects.
    fn types(&self, whole: Option<&Sizes>, seconds: f64) -> Vec<TypeTime> {
        let measured: Vec<(ObjectType, f64, f64)> =
            self.batches.iter().map(|batch| (batch.kind, median(&batch.ns), batch.predicted)).collect();
        let (all_ns, all_predicted) = sums(measured.iter());
        let of = |kind: ObjectType| {
            let (ns, predicted) = sums(measured.iter().filter(|batch| batch.0 == kind));
            // If the sample has no object of a type, this type is assumed to be like the others.
            let (ns, per) = if predicted > 0.0 { (ns, predicted) } else { (all_ns, all_predicted) };
            let wanted = whole.map_or(predicted, |sizes| sizes.predicted_ns_of(kind, self.curve()));
            if wanted > 0.0 { wanted * ns / per } else { 0.0 }
        };
        let times = ObjectType::ALL.map(|kind| (kind, of(kind)));
        let sum: f64 = times.iter().map(|(_, ns)| ns).sum();
        let time = |(kind, ns): (ObjectType, f64)| {
            let share = ns / sum;
            TypeTime { kind: kind.name().to_owned(), seconds: seconds * share, share }
        };
        times.into_iter().filter(|(_, ns)| *ns > 0.0).map(time).collect()
    }

    fn total(&self, predicted: Option<f64>) -> Total {
        let (ns, unit_predicted) = if self.batches.len() < UNITS_MIN {
            self.batches.iter().flat_map(|batch| batch.ns.iter().map(|ns| (*ns, batch.predicted))).unzip()
        } else {
            self.batches.iter().map(|batch| (median(&batch.ns), batch.predicted)).unzip()
        };
        let hashed = || self.batches.iter().map(|batch| batch.predicted).sum();
        Total { predicted: predicted.unwrap_or_else(hashed), ns, unit_predicted }
    }
}

/// The sums of the measured and of the predicted times of batches.
fn sums<'a>(batches: impl Iterator<Item = &'a (ObjectType, f64, f64)>) -> (f64, f64) {
    batches.fold((0.0, 0.0), |(ns, all), (_, measured, predicted)| (ns + measured, all + predicted))
}

fn row(name: &str) -> &'static Algorithm {
    hashwell::find(name).expect("a row of the registry")
}

/// hashwell with one object at a time, hashwell with many objects at a time if it has batch kernels, and the peers.
fn of_algorithm(algorithm: &'static Algorithm, peers: &[Box<dyn Provider>]) -> Vec<Entrant> {
    let task = |kind| Task { algorithm: algorithm.name, kind };
    let has_lanes = algorithm.batch_kernels().iter().any(|kernel| kernel.available);
    let ways = [Kind::Digest, Kind::Many].into_iter().filter(|kind| *kind == Kind::Digest || has_lanes);
    let ours = ways.map(|kind| (kind, ours::contender(task(kind)).expect("no parameters")));
    let others = peers.iter().flat_map(|provider| provider.contenders(task(Kind::Digest)));
    let others = others.map(|contender| (Kind::Digest, contender));
    ours.chain(others).filter_map(|(kind, contender)| entrant(algorithm, kind, contender)).collect()
}

/// A participant. `None` if it cannot be timed on one thread of this process.
fn entrant(algorithm: &'static Algorithm, kind: Kind, contender: Contender<'static>) -> Option<Entrant> {
    let name = contender.name();
    let Contender { kernel, threads: 1, work: Work::Here(digests), .. } = contender else { return None };
    let who = Who::new(algorithm, name, kind == Kind::Many, kernel);
    Some(Entrant::new(who, algorithm, digests))
}

/// The SHA-1 that git uses, which detects collision attacks.
fn detecting_sha1() -> Entrant {
    let sha1 = row("sha1");
    let mut who = Who::new(sha1, "sha1dc".to_owned(), false, None);
    who.title = "SHA-1 with collision detection".to_owned();
    who.git_now = true;
    let digest = |message: &[u8], out: &mut [u8]| {
        let digest = sha1dc::digest(message).unwrap_or_else(|collision| collision.digest());
        out.copy_from_slice(digest.as_ref());
    };
    let Work::Here(digests) = Contender::one_by_one("sha1dc", digest).work else {
        unreachable!("it is here")
    };
    Entrant::new(who, sha1, digests)
}

#[cfg(test)]
mod tests {
    use super::Total;

    #[test]
    fn a_sample_stands_for_the_whole() {
        // The predicted total is 800 ns. Two units with a prediction of 100 ns each took 150 and 250 ns, which is twice
        // as long.
        let total = Total { predicted: 800.0, ns: vec![150.0, 250.0], unit_predicted: vec![100.0, 100.0] };
        assert!((total.seconds().value / 1600e-9 - 1.0).abs() < 1e-12);
        let half = Total { predicted: 400.0, ns: vec![100.0, 100.0], unit_predicted: vec![100.0, 100.0] };
        assert!((total.over(&half).value - 4.0).abs() < 1e-12);
    }
}
