//! Charts of probability masses, exact compared with simulated.

use super::WIDTH;
use super::words::{counted, shortened};
use crate::order::{places_in_order, sort_places};
use hashwell_document::chart::{
    Axis, Bar, BarGroup, Bars, Chart, Ink, Labels, Layer, Mark, Point, Scale, number,
};

/// The maximum number of columns of a chart of integers, and of lines of a chart of other outcomes.
const COLUMNS: i128 = 120;
const LINES: usize = 24;
/// The maximum number of characters of an outcome that are shown.
const LETTERS: usize = 60;
/// The fraction of the mass at both ends that is not drawn.
const TAILS: f64 = 1e-3;

/// An outcome and its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Mass {
    /// The outcome as text.
    pub label: String,
    /// The outcome as an integer, if it is one.
    pub place: Option<i64>,
    /// The probability of the outcome, if it is known.
    pub exact: Option<f64>,
    /// The number of replicates with this outcome, if any were simulated.
    pub simulated: Option<u64>,
}

/// Draws a chart of the distribution of these outcomes. It compares the exact mass of each outcome with the fraction of
/// the `replicates` that had this outcome, and shows two standard errors on either side of the fraction. If all
/// outcomes are integers, they are columns on an axis. Neighbouring columns are combined if there are too many, and the
/// outcomes at both ends are left out if they have at most a thousandth of the mass in total. Other outcomes are lines.
/// Only the 24 most probable ones are drawn, in the order in which they are given. The first 60 characters of a label
/// are shown.
#[must_use]
pub fn bars(title: &str, outcomes: &[Mass], replicates: u64) -> String {
    let places: Option<Vec<i64>> = outcomes.iter().map(|outcome| outcome.place).collect();
    match places {
        Some(places) if !places.is_empty() => on_axis(title, outcomes, &places, replicates).svg(),
        _ => in_lines(title, outcomes, replicates).svg(),
    }
}

impl Mass {
    /// The mass that determines if this outcome is drawn.
    fn weight(&self, replicates: u64) -> f64 {
        let exact = self.exact.unwrap_or(0.0).max(0.0);
        exact.max(part(self.simulated.unwrap_or(0), replicates))
    }

    fn shown(&self) -> String {
        shortened(&self.label, LETTERS)
    }
}

fn part(count: u64, replicates: u64) -> f64 {
    if replicates == 0 { 0.0 } else { count as f64 / replicates as f64 }
}

/// Two standard errors of a fraction.
fn error(part: f64, replicates: u64) -> f64 {
    2.0 * (part * (1.0 - part).max(0.0) / replicates.max(1) as f64).sqrt()
}

/// Neighbouring integers that are drawn together.
#[derive(Clone, Default)]
struct Column {
    exact: Option<f64>,
    simulated: Option<u64>,
}

fn on_axis(title: &str, outcomes: &[Mass], places: &[i64], replicates: u64) -> Chart {
    let (low, high) = without_tails(outcomes, places, replicates);
    // 128 bits are enough for the difference of any two 64-bit integers.
    let span = i128::from(high) - i128::from(low) + 1;
    let wide = (span + COLUMNS - 1) / COLUMNS;
    let mut columns = vec![Column::default(); ((span + wide - 1) / wide) as usize];
    for (outcome, &place) in outcomes.iter().zip(places).filter(|(_, place)| (low..=high).contains(*place)) {
        let column = &mut columns[((i128::from(place) - i128::from(low)) / wide) as usize];
        if let Some(exact) = outcome.exact {
            *column.exact.get_or_insert(0.0) += exact;
        }
        if let Some(count) = outcome.simulated {
            // Counts that large are not realistic, but must not cause a panic.
            let sum = column.simulated.get_or_insert(0);
            *sum = sum.saturating_add(count);
        }
    }
    let ends = |i: usize| {
        let from = i128::from(low) + i as i128 * wide;
        (from, from + wide - 1)
    };
    Chart {
        id: String::new(),
        title: title.to_owned(),
        description: describe(outcomes, replicates),
        width: WIDTH,
        height: 340.0,
        x: Axis::new("outcome", Scale::Linear, number)
            .over(low as f64 - 0.7, ends(columns.len() - 1).1 as f64 + 0.7),
        y: Axis::new(
            if wide > 1 {
                format!("probability of {wide} neighbouring outcomes")
            } else {
                "probability".to_owned()
            },
            Scale::Linear,
            number,
        ),
        layers: layers(&columns, ends, replicates),
        labels: Labels::Legend,
    }
}

/// The smallest and the largest outcome to draw.
fn without_tails(outcomes: &[Mass], places: &[i64], replicates: u64) -> (i64, i64) {
    let order = places_in_order(places.len(), &|a, b| places[a].cmp(&places[b]));
    let sorted: Vec<(i64, f64)> =
        order.iter().map(|&at| (places[at], outcomes[at].weight(replicates))).collect();
    let total: f64 = sorted.iter().map(|(_, weight)| weight).sum();
    let most = 0.5 * TAILS * total;
    let ends = end(sorted.iter(), most).zip(end(sorted.iter().rev(), most));
    ends.unwrap_or((sorted[0].0, sorted[sorted.len() - 1].0))
}

/// The first outcome at which the accumulated mass exceeds `most`.
fn end<'a>(mut outcomes: impl Iterator<Item = &'a (i64, f64)>, most: f64) -> Option<i64> {
    let mut passed = 0.0;
    let found = outcomes.find(|(_, weight)| {
        passed += weight;
        passed > most
    });
    found.map(|(place, _)| *place)
}

fn layers(columns: &[Column], ends: impl Fn(usize) -> (i128, i128), replicates: u64) -> Vec<Layer> {
    let name = |i: usize| match ends(i) {
        (from, to) if from == to => from.to_string(),
        (from, to) => format!("{from} to {to}"),
    };
    let exact: Vec<_> = columns
        .iter()
        .enumerate()
        .filter_map(|(i, column)| {
            let mass = column.exact?;
            let (from, to) = ends(i);
            Some(((from as f64 - 0.5, to as f64 + 0.5, mass), format!("{}: {}", name(i), number(mass))))
        })
        .collect();
    let simulated: Vec<Point> = columns
        .iter()
        .enumerate()
        .filter_map(|(i, column)| {
            let y = part(column.simulated?, replicates);
            let (from, to) = ends(i);
            let tip = format!("{}: {} of {replicates}", name(i), column.simulated?);
            Some(Point { x: 0.5 * (from as f64 + to as f64), y, tip })
        })
        .collect();
    let whiskers = simulated
        .iter()
        .map(|p| (p.x, (p.y - error(p.y, replicates)).max(0.0), p.y + error(p.y, replicates)));
    let whiskers = Mark::Whiskers(whiskers.collect());
    let mut layers = Vec::new();
    if !exact.is_empty() {
        layers.push(Layer::new("exact", Ink::Hue(0), Mark::Columns(exact)));
    }
    if !simulated.is_empty() {
        layers.push(Layer::new("", Ink::Hue(1), whiskers));
        layers.push(Layer::new(simulated_name(replicates), Ink::Hue(1), Mark::Points(simulated)));
    }
    layers
}

fn simulated_name(replicates: u64) -> String {
    format!("simulated, {} ± 2 standard errors", counted(replicates as usize, "replicate", "replicates"))
}

/// The indices of outcomes in descending order of their weight.
fn largest_first(outcomes: &[Mass], replicates: u64) -> Vec<usize> {
    let weight = |at: usize| outcomes[at].weight(replicates);
    places_in_order(outcomes.len(), &|a, b| weight(b).total_cmp(&weight(a)))
}

fn describe(outcomes: &[Mass], replicates: u64) -> String {
    let said: Vec<String> = largest_first(outcomes, replicates)
        .iter()
        .take(5)
        .map(|&at| &outcomes[at])
        .map(|outcome| format!("{} ({})", outcome.shown(), number(outcome.weight(replicates))))
        .collect();
    match said.len() {
        0 => "No outcome.".to_owned(),
        _ => format!(
            "The most probable of {}: {}.",
            counted(outcomes.len(), "outcome", "outcomes"),
            said.join(", ")
        ),
    }
}

fn in_lines(title: &str, outcomes: &[Mass], replicates: u64) -> Bars {
    let mut order = largest_first(outcomes, replicates);
    let left_out = order.split_off(order.len().min(LINES));
    sort_places(&mut order, &|a, b| a.cmp(&b));
    let mut label = "probability".to_owned();
    if !left_out.is_empty() {
        let mass: f64 = left_out.iter().map(|&i| outcomes[i].weight(replicates)).sum();
        label = format!(
            "probability; {} more, with a total of {}, are not drawn",
            counted(left_out.len(), "outcome", "outcomes"),
            number(mass)
        );
    }
    let known = outcomes.iter().any(|outcome| outcome.exact.is_some());
    let mut legend = Vec::new();
    if replicates > 0 {
        if known {
            legend.push(("exact".to_owned(), Ink::Hue(0)));
        }
        legend.push((simulated_name(replicates), Ink::Hue(1)));
    }
    Bars {
        id: String::new(),
        title: title.to_owned(),
        description: describe(outcomes, replicates),
        width: WIDTH,
        label,
        format: number,
        groups: order.into_iter().map(|i| group(&outcomes[i], replicates)).collect(),
        legend,
    }
}

fn group(outcome: &Mass, replicates: u64) -> BarGroup {
    let name = outcome.shown();
    let bar = |ink, value: f64, interval| Bar {
        label: String::new(),
        ink,
        value,
        interval,
        down_from: None,
        text: number(value),
        tip: format!("{name}: {value}"),
    };
    let mut bars: Vec<Bar> = outcome.exact.iter().map(|&exact| bar(Ink::Hue(0), exact, None)).collect();
    if let Some(count) = outcome.simulated {
        let part = part(count, replicates);
        let error = error(part, replicates);
        bars.push(bar(Ink::Hue(1), part, Some(((part - error).max(0.0), part + error))));
    }
    BarGroup { name, bars }
}
