//! The report of a run of `hashwell timing-test`: the types are the JSON.

use super::analysis::{Analysis, holm};
use super::controls::Control;
use super::{LEAK, SUSPICIOUS, Subject};
use serde::{Deserialize, Serialize};
use std::fmt;

/// [`Report::schema`] of this version.
pub const SCHEMA: &str = "hashwell-leak/1";

/// Chance of error, over all rows of a run, at which a difference is called suspicious.
const LEVEL: f64 = 0.01;

/// What a row, or a run, comes to. There is no word for "secure": measurements cannot show that.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No difference was seen; one above so many core cycles would have been, nine times out of ten.
    NotSeenAbove(f64),
    /// A control failed, or there was too little to go by.
    Inconclusive,
    /// |t| > 4.5, or a p-value that Holm's correction for all rows leaves below 1 %.
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

/// A target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was computed.
    pub path: String,
    /// Canonical name.
    pub algorithm: String,
    /// The kernel that ran.
    pub kernel: String,
    /// What was measured.
    pub analysis: Analysis,
    /// p-value, by Holm for all rows of the run.
    pub p_adjusted: f64,
    /// What it comes to.
    pub verdict: Verdict,
}

/// A control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlRow {
    /// What is planted.
    pub name: String,
    /// Whether it leaks.
    pub planted: bool,
    /// What was measured.
    pub analysis: Analysis,
    /// Whether that is what was planted.
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
    /// What measured.
    pub clock: String,
    /// Core clock, GHz.
    pub core_ghz: f64,
    /// Ticks of the clock in a nanosecond.
    pub ticks_per_ns: f64,
    /// Load averages over 1, 5 and 15 minutes at the start.
    pub load: Option<[f64; 3]>,
    /// Seed of secrets and classes.
    pub seed: u64,
    /// Measurements asked for, of both classes together.
    pub samples: usize,
    /// How many targets there were to measure.
    pub targets: usize,
    /// The controls.
    pub controls: Vec<ControlRow>,
    /// The targets that were measured.
    pub rows: Vec<Row>,
    /// What the run comes to.
    pub verdict: Verdict,
}

impl ControlRow {
    /// Whether a measured control shows what is planted; `None` for one that need not show it.
    #[must_use]
    pub fn new(control: &Control, analysis: Analysis) -> Option<Self> {
        let planted = control.timed?;
        let seen = analysis.t.abs() > SUSPICIOUS;
        Some(Self { name: control.name.to_owned(), planted, analysis, as_planted: seen == planted })
    }
}

impl Row {
    /// A row whose verdict [`Report::conclude`] gives.
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
    /// Whether every target was measured.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.rows.len() == self.targets
    }

    /// Whether every control showed what was planted.
    #[must_use]
    pub fn controls_hold(&self) -> bool {
        !self.controls.is_empty() && self.controls.iter().all(|control| control.as_planted)
    }

    /// Corrects the p-values for the number of rows and gives verdicts. A run comes to the worst of its rows; to
    /// nothing if a control failed; and, without a difference, to nothing if it did not end.
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
