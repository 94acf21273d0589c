//! The marks that are drawn in a chart with two axes.

use super::scale::Projection;
use super::{Dash, Ink, Px, Swatch, line_class, write_line, write_rect, write_text, write_tip};
use crate::markup::Markup;
use std::fmt::Write as _;

/// A layer: marks of one kind that belong together.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The name for the legend or a label, or empty for none.
    pub name: String,
    /// The ink of the marks.
    pub ink: Ink,
    /// The style of lines.
    pub dash: Dash,
    /// The marks.
    pub mark: Mark,
}

/// A point with the text of its tooltip, which is empty if the point has no tooltip.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The horizontal value.
    pub x: f64,
    /// The vertical value.
    pub y: f64,
    /// The tooltip.
    pub tip: String,
}

/// The kind of mark. Values that are not finite and, on logarithmic axes, values that are not positive leave gaps.
#[derive(Clone, Debug)]
pub enum Mark {
    /// Straight lines between points. Points with a tooltip get a dot.
    Line(Vec<Point>),
    /// A step at each point, without dots, for empirical distributions.
    Stairs(Vec<Point>),
    /// Dots.
    Points(Vec<Point>),
    /// A band from `.1` to `.2` at each `.0`.
    Band(Vec<(f64, f64, f64)>),
    /// A histogram behind the other layers, with a separate vertical scale: the highest bin takes half of the height.
    /// Each bin is `(from, to, height)` with a tooltip.
    Backdrop(Vec<((f64, f64, f64), String)>),
    /// Columns that start at zero of the vertical axis: `(from, to, height)` with a tooltip for each.
    Columns(Vec<((f64, f64, f64), String)>),
    /// An interval from `.1` to `.2` at each `.0`.
    Whiskers(Vec<(f64, f64, f64)>),
    /// A horizontal line over the full width.
    Threshold(f64),
}

impl Layer {
    /// A layer with solid lines.
    pub fn new(name: impl Into<String>, ink: Ink, mark: Mark) -> Self {
        Self { name: name.into(), ink, dash: Dash::Solid, mark }
    }

    /// The same layer with a different style of lines.
    #[must_use]
    pub fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    pub(super) fn x_values(&self) -> Vec<f64> {
        match &self.mark {
            Mark::Line(points) | Mark::Stairs(points) | Mark::Points(points) => {
                points.iter().map(|p| p.x).collect()
            }
            Mark::Band(band) | Mark::Whiskers(band) => band.iter().map(|b| b.0).collect(),
            Mark::Backdrop(bins) | Mark::Columns(bins) => {
                bins.iter().flat_map(|((from, to, _), _)| [*from, *to]).collect()
            }
            Mark::Threshold(_) => Vec::new(),
        }
    }

    pub(super) fn y_values(&self) -> Vec<f64> {
        match &self.mark {
            Mark::Line(points) | Mark::Stairs(points) | Mark::Points(points) => {
                points.iter().map(|p| p.y).collect()
            }
            Mark::Band(band) | Mark::Whiskers(band) => band.iter().flat_map(|b| [b.1, b.2]).collect(),
            Mark::Columns(columns) => columns.iter().map(|((_, _, height), _)| *height).collect(),
            Mark::Backdrop(_) => Vec::new(),
            Mark::Threshold(value) => vec![*value],
        }
    }

    pub(super) fn is_line(&self) -> bool {
        matches!(self.mark, Mark::Line(_) | Mark::Stairs(_))
    }

    pub(super) fn swatch(&self) -> Swatch {
        match self.mark {
            Mark::Line(_) | Mark::Stairs(_) | Mark::Whiskers(_) | Mark::Threshold(_) => {
                Swatch::Line(self.ink, self.dash)
            }
            Mark::Points(_) => Swatch::Dot(self.ink),
            Mark::Band(_) | Mark::Backdrop(_) | Mark::Columns(_) => Swatch::Wash(self.ink),
        }
    }
}

/// The area in which the marks are drawn.
pub(super) struct Plot {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) x: Projection,
    pub(super) y: Projection,
    pub(super) x_range: (f64, f64),
    pub(super) y_range: (f64, f64),
}

pub(super) fn write_layer(out: &mut Markup, plot: &Plot, layer: &Layer) {
    let class = line_class(layer.ink, layer.dash);
    match &layer.mark {
        Mark::Line(points) => {
            write_path(out, plot, points, false, &class, &layer.name);
            let with_tip = points.iter().filter(|p| !p.tip.is_empty());
            with_tip.for_each(|p| write_dot(out, plot, p, layer.ink, 2.5));
        }
        Mark::Stairs(points) => write_path(out, plot, points, true, &class, &layer.name),
        Mark::Points(points) => points.iter().for_each(|p| write_dot(out, plot, p, layer.ink, 3.5)),
        Mark::Band(band) => write_band(out, plot, band, layer.ink),
        Mark::Backdrop(bins) => write_backdrop(out, plot, bins, layer.ink),
        Mark::Columns(columns) => write_columns(out, plot, columns, layer.ink),
        Mark::Whiskers(whiskers) => write_whiskers(out, plot, whiskers, layer.ink),
        Mark::Threshold(value) => {
            let y = plot.y.within(*value);
            write_line(out, (plot.left, y), (plot.right, y), &line_class(layer.ink, Dash::Dashed));
            let class = format!("hw-halo {}", layer.ink.class());
            write_text(out, (plot.left + 6.0, y - 5.0), &class, "start", &layer.name);
        }
    }
}

/// Draws a line through the points. A point without a position interrupts it.
fn write_path(out: &mut Markup, plot: &Plot, points: &[Point], stairs: bool, class: &str, tip: &str) {
    let mut path = String::new();
    let mut pen_is_down = false;
    for point in points {
        let Some((x, y)) = plot.x.at(point.x).zip(plot.y.at(point.y)) else {
            pen_is_down = false;
            continue;
        };
        let (x, y) = (Px(x), Px(y.clamp(plot.top, plot.bottom)));
        let _ = match (pen_is_down, stairs) {
            (false, _) => write!(path, "M{x} {y}"),
            (true, false) => write!(path, "L{x} {y}"),
            (true, true) => write!(path, "H{x}V{y}"),
        };
        pen_is_down = true;
    }
    if !path.is_empty() {
        out.open("path", &[("d", &path), ("class", &class)]);
        write_tip(out, tip);
        out.close();
    }
}

fn write_dot(out: &mut Markup, plot: &Plot, point: &Point, ink: Ink, radius: f64) {
    let Some((x, y)) = plot.x.at(point.x).zip(plot.y.at(point.y)) else { return };
    let (x, y) = (Px(x), Px(y.clamp(plot.top, plot.bottom)));
    let class = format!("hw-fill {}", ink.class());
    out.open("g", &[]);
    write_tip(out, &point.tip);
    out.empty("circle", &[("cx", &x), ("cy", &y), ("r", &Px(radius)), ("class", &class)]);
    // The area that reacts to the pointer is larger than the visible dot.
    out.empty("circle", &[("cx", &x), ("cy", &y), ("r", &"8"), ("class", &"hw-hit")]);
    out.close();
}

fn write_band(out: &mut Markup, plot: &Plot, band: &[(f64, f64, f64)], ink: Ink) {
    let corner = |x: f64, y: f64| plot.x.at(x).map(|x| (x, plot.y.within(y)));
    let lower = band.iter().filter_map(|(x, low, _)| corner(*x, *low));
    let upper = band.iter().rev().filter_map(|(x, _, high)| corner(*x, *high));
    let corners: Vec<String> = lower.chain(upper).map(|(x, y)| format!("{},{}", Px(x), Px(y))).collect();
    let class = format!("hw-wash {}", ink.class());
    out.empty("polygon", &[("points", &corners.join(" ")), ("class", &class)]);
}

fn write_backdrop(out: &mut Markup, plot: &Plot, bins: &[((f64, f64, f64), String)], ink: Ink) {
    let highest = bins.iter().map(|((_, _, height), _)| *height).fold(0.0, f64::max);
    let class = format!("hw-wash {}", ink.class());
    for ((from, to, height), tip) in bins.iter().filter(|((_, _, height), _)| *height > 0.0) {
        let (left, right) = (plot.x.within(*from), plot.x.within(*to));
        let tall = 0.5 * (plot.bottom - plot.top) * height / highest;
        // Leave a gap of a pixel between neighbors.
        write_rect(out, (left + 0.5, plot.bottom - tall), (right - left - 1.0, tall), &class, tip);
    }
}

fn write_columns(out: &mut Markup, plot: &Plot, columns: &[((f64, f64, f64), String)], ink: Ink) {
    let (zero, class) = (plot.y.within(0.0), format!("hw-wash {}", ink.class()));
    for ((from, to, height), tip) in columns {
        let (left, right, end) = (plot.x.within(*from), plot.x.within(*to), plot.y.within(*height));
        // Leave a gap of a pixel between neighbors, unless they are narrower than that.
        let gap = if right - left > 3.0 { 0.5 } else { 0.0 };
        let size = (right - left - 2.0 * gap, (zero - end).abs());
        write_rect(out, (left + gap, zero.min(end)), size, &class, tip);
    }
}

fn write_whiskers(out: &mut Markup, plot: &Plot, whiskers: &[(f64, f64, f64)], ink: Ink) {
    let class = format!("hw-thin {}", ink.class());
    for (x, low, high) in whiskers {
        let (x, low, high) = (plot.x.within(*x), plot.y.within(*low), plot.y.within(*high));
        write_line(out, (x, low), (x, high), &class);
    }
}
