//! The report of a run of `hashwell timing-test`. The types define the JSON format.

use super::analysis::{Analysis, holm};
use super::controls::Control;
use super::{LEAK, SUSPICIOUS, Subject};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of [`Report::schema`] in this version.
pub const SCHEMA: &str = "hashwell-leak/1";

/// The error probability, over all rows of a run, below which a difference is called suspicious.
const LEVEL: f64 = 0.01;

/// The verdict for a row or a run. There is no verdict "secure", because measurements cannot show that.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No difference was detected. A difference larger than this number of core cycles would have been detected nine
    /// times out of ten.
    NotSeenAbove(f64),
    /// A control failed, or there were too few measurements.
    Inconclusive,
    /// |t| > 4.5, or a p-value below 1 % after Holm's correction for all rows.
    Suspicious,
    /// |t| > 10.
    Leak,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::NotSeenAbove(cycles) => write!(f, "NO LEAK SEEN ABOVE {cycles:.1} CYCLES"),
            Verdict::Inconclusive => write!(f, "INCONCLUSIVE"),
            Verdict::Suspicious => write!(f, "SUSPICIOUS"),
            Verdict::Leak => write!(f, "LEAK"),
        }
    }
}

/// The results of one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The operation that was measured.
    pub path: String,
    /// The canonical name of the algorithm.
    pub algorithm: String,
    /// The kernel that ran.
    pub kernel: String,
    /// The results of the measurements.
    pub analysis: Analysis,
    /// The p-value, corrected by Holm's method for all rows of the run.
    pub p_adjusted: f64,
    /// The verdict.
    pub verdict: Verdict,
}

/// The results of one control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlRow {
    /// The kind of planted leak.
    pub name: String,
    /// True if it leaks.
    pub planted: bool,
    /// The results of the measurements.
    pub analysis: Analysis,
    /// True if the results are as expected.
    pub as_planted: bool,
}

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name and version of this format.
    pub schema: String,
    /// Version of hashwell.
    pub version: String,
    /// Name of the CPU.
    pub cpu: String,
    /// The clock that was used.
    pub clock: String,
    /// The core clock in GHz.
    pub core_ghz: f64,
    /// The ticks of the clock per nanosecond.
    pub ticks_per_ns: f64,
    /// Load averages over 1, 5 and 15 minutes at the start.
    pub load: Option<[f64; 3]>,
    /// The seed of secrets and classes.
    pub seed: u64,
    /// The requested number of measurements, of both classes together.
    pub samples: usize,
    /// The number of targets that were to be measured.
    pub targets: usize,
    /// The controls.
    pub controls: Vec<ControlRow>,
    /// The targets that were measured.
    pub rows: Vec<Row>,
    /// The verdict for the run.
    pub verdict: Verdict,
}

impl ControlRow {
    /// Evaluates a measured control. `None` if the control need not show anything.
    #[must_use]
    pub fn new(control: &Control, analysis: Analysis) -> Option<Self> {
        let planted = control.timed?;
        let seen = analysis.t.abs() > SUSPICIOUS;
        Some(Self { name: control.name.to_owned(), planted, analysis, as_planted: seen == planted })
    }
}

impl Row {
    /// A row without a verdict, which [`Report::conclude`] sets.
    #[must_use]
    pub fn new(subject: &Subject, analysis: Analysis) -> Self {
        Self {
            path: subject.path.to_owned(),
            algorithm: subject.algorithm.to_owned(),
            kernel: subject.kernel.to_owned(),
            p_adjusted: analysis.p,
            analysis,
            verdict: Verdict::Inconclusive,
        }
    }

    fn verdict(&self) -> Verdict {
        let t = self.analysis.t.abs();
        if t > LEAK {
            Verdict::Leak
        } else if t > SUSPICIOUS || self.p_adjusted < LEVEL {
            Verdict::Suspicious
        } else {
            self.analysis.detectable.map_or(Verdict::Inconclusive, Verdict::NotSeenAbove)
        }
    }
}

impl Report {
    /// Returns true if every target was measured.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.rows.len() == self.targets
    }

    /// Returns true if every control gave the expected result.
    #[must_use]
    pub fn controls_hold(&self) -> bool {
        !self.controls.is_empty() && self.controls.iter().all(|control| control.as_planted)
    }

    /// Corrects the p-values for the number of rows, and sets the verdicts. The verdict for a run is the worst of its
    /// rows. It is inconclusive if a control failed, or if no difference was seen but the run was incomplete.
    pub fn conclude(&mut self) {
        let p: Vec<f64> = self.rows.iter().map(|row| row.analysis.p).collect();
        let hold = self.controls_hold();
        for (row, adjusted) in self.rows.iter_mut().zip(holm(&p)) {
            row.p_adjusted = adjusted;
            row.verdict = if hold { row.verdict() } else { Verdict::Inconclusive };
        }
        let worst = self.rows.iter().map(|row| row.verdict).reduce(|a, b| if b > a { b } else { a });
        self.verdict = match worst {
            Some(Verdict::NotSeenAbove(_)) if !self.complete() => Verdict::Inconclusive,
            Some(verdict) => verdict,
            None => Verdict::Inconclusive,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leak::{Class, Sample};
    use crate::timing::random::Random;
    use crate::timing::statistics::synthetic::normal;

    fn analysis(effect: f64, seed: u64) -> Analysis {
        let mut random = Random(seed);
        let samples: Vec<Sample> = (0..4000)
            .map(|_| {
                let class = if random.below(2) == 0 { Class::Fixed } else { Class::Random };
                let effect = if class == Class::Fixed { effect } else { 0.0 };
                Sample { ticks: (1000.0 + effect + 10.0 * normal(&mut random)) as u64, class }
            })
            .collect();
        Analysis::new(&samples, 1.0)
    }

    fn report(effects: &[f64], control_holds: bool) -> Report {
        let row = |(seed, effect): (usize, &f64)| Row {
            path: "path".into(),
            algorithm: "algorithm".into(),
            kernel: "kernel".into(),
            analysis: analysis(*effect, seed as u64),
            p_adjusted: 1.0,
            verdict: Verdict::Inconclusive,
        };
        let control = |planted: bool, as_planted| ControlRow {
            name: "control".into(),
            planted,
            analysis: analysis(0.0, 99),
            as_planted,
        };
        let mut report = Report {
            schema: SCHEMA.into(),
            version: String::new(),
            cpu: String::new(),
            clock: String::new(),
            core_ghz: 1.0,
            ticks_per_ns: 1.0,
            load: None,
            seed: 0,
            samples: 4000,
            targets: effects.len(),
            controls: vec![control(true, control_holds), control(false, true)],
            rows: effects.iter().enumerate().map(row).collect(),
            verdict: Verdict::Inconclusive,
        };
        report.conclude();
        report
    }

    #[test]
    fn verdicts() {
        let clean = report(&[0.0, 0.0], true);
        assert!(
            matches!(clean.verdict, Verdict::NotSeenAbove(x) if x > 0.5 && x < 5.0),
            "{:?}",
            clean.verdict
        );
        assert_eq!(report(&[0.0, 20.0], true).verdict, Verdict::Leak);
        // t is about 6.
        assert_eq!(report(&[0.0, 1.9], true).verdict, Verdict::Suspicious);
        let failed = report(&[0.0, 20.0], false);
        assert_eq!(failed.verdict, Verdict::Inconclusive);
        assert!(failed.rows.iter().all(|row| row.verdict == Verdict::Inconclusive));
        assert_eq!(report(&[], true).verdict, Verdict::Inconclusive);
    }

    #[test]
    fn a_run_that_was_stopped_shows_leaks_but_no_absence() {
        for (effect, verdict) in [(0.0, Verdict::Inconclusive), (20.0, Verdict::Leak)] {
            let mut stopped = report(&[effect], true);
            stopped.targets = 2;
            stopped.conclude();
            assert_eq!(stopped.verdict, verdict);
        }
    }

    #[test]
    fn json_reads_back() {
        let report = report(&[0.0, 20.0], true);
        let text = serde_json::to_string(&report).unwrap();
        let read: Report = serde_json::from_str(&text).unwrap();
        assert_eq!((read.verdict, read.complete()), (report.verdict, true));
        assert_eq!(read.rows[0].verdict, report.rows[0].verdict);
        assert!((read.rows[1].analysis.t / report.rows[1].analysis.t - 1.0).abs() < 1e-12);
    }
}
