//! Charts of a run.

use super::report::{Report, Row, Verdict};
use super::{Analysis, LEAK, SUSPICIOUS};
use hashwell_document::chart::{Axis, Chart, Dash, Ink, Labels, Layer, Mark, Point, Scale, number};

/// The maximum number of rows with different colors. In charts with more rows, a tooltip shows the name.
const NAMED: usize = 6;

fn trace(name: &str, analysis: &Analysis) -> Mark {
    let last = analysis.trace.len().saturating_sub(1);
    let point = |(i, (n, t)): (usize, &(usize, f64))| Point {
        x: *n as f64,
        y: *t,
        tip: if i == last { format!("{name}: |t| = {t:.2} of {n}") } else { String::new() },
    };
    Mark::Line(analysis.trace.iter().enumerate().map(point).collect())
}

fn name(row: &Row) -> String {
    format!("{} {} {}", row.path, row.algorithm, row.kernel)
}

impl Report {
    /// A chart of the largest |t| over the number of measurements, as an SVG file. The |t| of noise stays at the same
    /// level; that of a leak grows with the square root of the number of measurements.
    #[must_use]
    pub fn chart(&self) -> String {
        let row = |(i, row): (usize, &Row)| {
            let (label, ink) = match row.verdict {
                Verdict::Leak | Verdict::Suspicious => (name(row), Ink::Alarm),
                _ if self.rows.len() <= NAMED => (name(row), Ink::Hue(i)),
                _ => (String::new(), Ink::Faint),
            };
            Layer::new(label, ink, trace(&name(row), &row.analysis))
        };
        let rows = self.rows.iter().enumerate().map(row);
        let controls = self.controls.iter().enumerate().map(|(i, control)| {
            let label = format!("control: {}", control.name);
            let dash = if control.planted { Dash::Dashed } else { Dash::Dotted };
            Layer::new(label.clone(), Ink::Hue(i), trace(&label, &control.analysis)).dashed(dash)
        });
        let limits = [("4.5: suspicious", SUSPICIOUS), ("10: leak", LEAK)]
            .map(|(label, t)| Layer::new(label, Ink::Alarm, Mark::Threshold(t)));
        let chart = Chart {
            id: "leak".into(),
            title: format!("Does time depend on secrets? {} targets, {}", self.rows.len(), self.cpu),
            description:
                "Largest absolute value of Welch's t over all percentiles, against the number of measurements, \
                          for each target and each control"
                    .into(),
            width: 860.0,
            height: 480.0,
            x: Axis::new("measurements", Scale::Log10, number),
            y: Axis::new("largest |t|", Scale::Log10, number),
            layers: rows.chain(controls).chain(limits).collect(),
            labels: Labels::Legend,
        };
        chart.svg()
    }

    /// The empirical distributions of both classes, for the target with the largest |t|, as an SVG file. `None` if no
    /// target was measured.
    #[must_use]
    pub fn distributions(&self) -> Option<String> {
        let largest = |a: &&Row, b: &&Row| a.analysis.t.abs().total_cmp(&b.analysis.t.abs());
        let row = self.rows.iter().max_by(largest)?;
        let stairs = |cycles: &[f64]| {
            let parts = cycles.len().saturating_sub(1).max(1) as f64;
            let point = |(i, x): (usize, &f64)| Point { x: *x, y: i as f64 / parts, tip: String::new() };
            Mark::Stairs(cycles.iter().enumerate().map(point).collect())
        };
        let Analysis { quantiles, t, n, .. } = &row.analysis;
        // Outliers caused by interrupts would make the chart too wide.
        let all = || quantiles.fixed.iter().chain(&quantiles.random);
        let low = all().copied().fold(f64::INFINITY, f64::min);
        let end = |cycles: &[f64]| cycles.iter().rev().nth(2).copied().unwrap_or(low + 1.0);
        let high = end(&quantiles.fixed).max(end(&quantiles.random)).max(low + 1.0);
        let chart = Chart {
            id: "leak-classes".into(),
            title: format!("{}: |t| = {:.2} of {}", name(row), t.abs(), n[0] + n[1]),
            description:
                "Fraction of the measurements with at most a given number of core cycles, for the fixed secret and \
                          for random secrets"
                    .into(),
            width: 860.0,
            height: 420.0,
            x: Axis::new("core cycles", Scale::Linear, number).over(low, high),
            y: Axis::new("fraction of the measurements", Scale::Linear, number).over(0.0, 1.0),
            layers: vec![
                Layer::new("fixed secret", Ink::Hue(0), stairs(&quantiles.fixed)),
                Layer::new("random secrets", Ink::Hue(1), stairs(&quantiles.random)).dashed(Dash::Dashed),
            ],
            labels: Labels::Legend,
        };
        Some(chart.svg())
    }
}
