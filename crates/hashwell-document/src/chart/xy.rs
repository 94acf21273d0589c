//! Charts with two axes.

use super::scale::Projection;
use super::{
    Axis, Dash, FONT, Ink, LINE, NARROW, PAD, Picture, Px, Sheet, Swatch, line_class, text, title_lines,
};
use super::{standalone, write_legend, write_line, write_rect, write_text, write_tip};
use crate::markup::Markup;
use std::fmt::Write as _;

/// A picture with two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Unique in the document that holds it; letters, digits and hyphens.
    pub id: String,
    /// What it shows, in a few words.
    pub title: String,
    /// What there is to be seen, for those who cannot see it.
    pub description: String,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// From back to front.
    pub layers: Vec<Layer>,
    /// Where names of lines are.
    pub labels: Labels,
}

/// Where names of lines are; other layers' are in the legend, thresholds' on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Labels {
    /// At the right ends.
    Ends,
    /// At the right ends, in a column of that width: charts side by side then have equal plots.
    EndsWithin(f64),
    /// In the legend above the picture.
    Legend,
}

/// Marks of one kind that belong together.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Name for legend or label; empty for none.
    pub name: String,
    /// What it is drawn in.
    pub ink: Ink,
    /// Of lines.
    pub dash: Dash,
    /// What is drawn.
    pub mark: Mark,
}

/// A value with what is shown under the pointer; an empty tip is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// Shown under the pointer.
    pub tip: String,
}

/// What is drawn. Values that are not finite, and on logarithmic axes those not above zero, leave gaps.
#[derive(Clone, Debug)]
pub enum Mark {
    /// Straight lines from point to point; points with a tip get a dot.
    Line(Vec<Point>),
    /// A step at each point (an empirical distribution), without dots.
    Stairs(Vec<Point>),
    /// Dots.
    Points(Vec<Point>),
    /// From `.1` to `.2` at each `.0`.
    Band(Vec<(f64, f64, f64)>),
    /// A histogram behind the other layers, of its own vertical scale: the highest bin takes half of the picture. Each
    /// is `(from, to, height)` with a tip.
    Backdrop(Vec<((f64, f64, f64), String)>),
    /// A horizontal line over the whole width.
    Threshold(f64),
}

impl Layer {
    /// One with solid lines.
    pub fn new(name: impl Into<String>, ink: Ink, mark: Mark) -> Self {
        Self { name: name.into(), ink, dash: Dash::Solid, mark }
    }

    /// The same with other lines.
    #[must_use]
    pub fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    fn x_values(&self) -> Vec<f64> {
        match &self.mark {
            Mark::Line(points) | Mark::Stairs(points) | Mark::Points(points) => {
                points.iter().map(|p| p.x).collect()
            }
            Mark::Band(band) => band.iter().map(|b| b.0).collect(),
            Mark::Backdrop(bins) => bins.iter().flat_map(|((from, to, _), _)| [*from, *to]).collect(),
            Mark::Threshold(_) => Vec::new(),
        }
    }

    fn y_values(&self) -> Vec<f64> {
        match &self.mark {
            Mark::Line(points) | Mark::Stairs(points) | Mark::Points(points) => {
                points.iter().map(|p| p.y).collect()
            }
            Mark::Band(band) => band.iter().flat_map(|b| [b.1, b.2]).collect(),
            Mark::Backdrop(_) => Vec::new(),
            Mark::Threshold(value) => vec![*value],
        }
    }

    fn is_line(&self) -> bool {
        matches!(self.mark, Mark::Line(_) | Mark::Stairs(_))
    }

    fn swatch(&self) -> Swatch {
        match self.mark {
            Mark::Line(_) | Mark::Stairs(_) | Mark::Threshold(_) => Swatch::Line(self.ink, self.dash),
            Mark::Points(_) => Swatch::Dot(self.ink),
            Mark::Band(_) | Mark::Backdrop(_) => Swatch::Wash(self.ink),
        }
    }
}

/// Where the marks go.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Projection,
    y: Projection,
    x_range: (f64, f64),
    y_range: (f64, f64),
}

impl Chart {
    /// As a file: with its style sheet.
    #[must_use]
    pub fn svg(&self) -> String {
        standalone(&self.markup())
    }

    fn legend(&self) -> Vec<(String, Swatch)> {
        let in_legend = |layer: &&Layer| match layer.mark {
            Mark::Threshold(_) => false,
            _ => !layer.name.is_empty() && (self.labels == Labels::Legend || !layer.is_line()),
        };
        self.layers.iter().filter(in_legend).map(|l| (l.name.clone(), l.swatch())).collect()
    }

    /// Writes the legend; gives where the plot may begin.
    fn write_legend(&self, out: &mut Markup) -> f64 {
        let (_, top) = title_lines(&self.title, self.width);
        top + write_legend(out, &self.legend(), (PAD, top), self.width - 2.0 * PAD)
    }
}

impl Picture for Chart {
    /// Names of lines have no room beside a narrow plot: they are above it.
    fn narrow(&self) -> Self {
        const PLOT: f64 = 300.0;
        let id = format!("{}-narrow", self.id);
        let narrow = Self { id, width: NARROW, labels: Labels::Legend, ..self.clone() };
        let top = narrow.write_legend(&mut Markup::default());
        Self { height: top + PLOT, ..narrow }
    }

    fn markup(&self) -> String {
        let mut out = Markup::default();
        let sheet = Sheet {
            id: &self.id,
            title: &self.title,
            description: &self.description,
            width: self.width,
            height: self.height,
        };
        sheet.open(&mut out);
        let top = self.write_legend(&mut out);
        let plot = self.plot(top);
        self.write_axes(&mut out, &plot);
        for layer in &self.layers {
            write_layer(&mut out, &plot, layer);
            out.line();
        }
        if self.labels != Labels::Legend {
            self.write_end_labels(&mut out, &plot);
        }
        out.close();
        out.finish()
    }
}

impl Chart {
    fn plot(&self, top: f64) -> Plot {
        let x_range = self.x.extent(self.layers.iter().flat_map(Layer::x_values));
        let y_range = self.y.extent(self.layers.iter().flat_map(Layer::y_values));
        // Room for the y axis's label above the plot, for the x axis's ticks and label below it.
        let label = |axis: &Axis| if axis.label.is_empty() { 0.0 } else { LINE + 4.0 };
        let (top, bottom) = (top + label(&self.y), self.height - PAD - LINE - label(&self.x));
        let y_ticks = self.y.scale.ticks(y_range.0, y_range.1, tick_count(bottom - top, 2.2 * LINE));
        let widest = |texts: &mut dyn Iterator<Item = String>| {
            texts.map(|t| text::width(&t, FONT)).fold(0.0, f64::max)
        };
        let left = PAD + 8.0 + widest(&mut y_ticks.iter().map(|t| (self.y.format)(*t)));
        let labels = match self.labels {
            Labels::Ends => widest(&mut self.layers.iter().filter(|l| l.is_line()).map(|l| l.name.clone())),
            Labels::EndsWithin(width) => width,
            Labels::Legend => 0.0,
        };
        let right = self.width - PAD - if labels > 0.0 { (labels + 22.0).min(0.4 * self.width) } else { 0.0 };
        Plot {
            left,
            right,
            top,
            bottom,
            x: Projection::new(self.x.scale, x_range, left, right),
            y: Projection::new(self.y.scale, y_range, bottom, top),
            x_range,
            y_range,
        }
    }

    fn write_axes(&self, out: &mut Markup, plot: &Plot) {
        for value in
            self.y.scale.ticks(plot.y_range.0, plot.y_range.1, tick_count(plot.bottom - plot.top, 2.2 * LINE))
        {
            let y = plot.y.within(value);
            let class = if value == 0.0 { "hw-thin hw-faint" } else { "hw-thin hw-grid" };
            write_line(out, (plot.left, y), (plot.right, y), class);
            write_text(out, (plot.left - 8.0, y + 4.0), "hw-quiet hw-tick", "end", &(self.y.format)(value));
        }
        for (value, label) in self.x_ticks(plot) {
            let x = plot.x.within(value);
            write_line(out, (x, plot.bottom), (x, plot.bottom + 4.0), "hw-thin hw-quiet");
            write_text(out, (x, plot.bottom + 4.0 + FONT + 2.0), "hw-quiet", "middle", &label);
        }
        write_line(out, (plot.left, plot.bottom), (plot.right, plot.bottom), "hw-thin hw-quiet");
        write_text(out, (PAD, plot.top - 13.0), "hw-quiet hw-axis", "start", &self.y.label);
        let middle = 0.5 * (plot.left + plot.right);
        write_text(out, (middle, self.height - PAD), "hw-quiet", "middle", &self.x.label);
        out.line();
    }

    /// As many as have room for their text.
    fn x_ticks(&self, plot: &Plot) -> Vec<(f64, String)> {
        let room = plot.right - plot.left;
        let mut widest = 3.0 * FONT;
        // Fewer ticks may have longer texts; twice is enough for them to settle.
        for _ in 0..2 {
            let count = tick_count(room, widest + 10.0);
            let ticks = self.x.scale.ticks(plot.x_range.0, plot.x_range.1, count);
            widest = ticks.iter().map(|t| text::width(&(self.x.format)(*t), FONT)).fold(widest, f64::max);
        }
        let ticks = self.x.scale.ticks(plot.x_range.0, plot.x_range.1, tick_count(room, widest + 10.0));
        ticks.into_iter().map(|t| (t, (self.x.format)(t))).collect()
    }

    /// Beside the last point of each line, with a thread to it where the label had to move.
    fn write_end_labels(&self, out: &mut Markup, plot: &Plot) {
        let end = |layer: &Layer| match &layer.mark {
            Mark::Line(points) | Mark::Stairs(points) if !layer.name.is_empty() => {
                let place = |p: &Point| Some((plot.x.at(p.x)?, plot.y.at(p.y)?));
                points.iter().rev().find_map(place).map(|(x, y)| (x, y.clamp(plot.top, plot.bottom)))
            }
            _ => None,
        };
        let ends: Vec<(&Layer, (f64, f64))> = self.layers.iter().filter_map(|l| Some((l, end(l)?))).collect();
        let wanted: Vec<f64> = ends.iter().map(|(_, (_, y))| *y).collect();
        let places = text::spread(&wanted, FONT + 2.0, plot.top, plot.bottom);
        for ((layer, (x, y)), place) in ends.into_iter().zip(places) {
            let label_at = plot.right + 18.0;
            let class = format!("hw-thin {}", layer.ink.class());
            write_line(out, (x + 4.0, y), (plot.right + 6.0, y), &class);
            write_line(out, (plot.right + 6.0, y), (label_at - 3.0, place), &class);
            let name = text::shortened(&layer.name, FONT, self.width - PAD - label_at + 4.0);
            write_text(out, (label_at, place + 4.0), layer.ink.class(), "start", &name);
        }
        out.line();
    }
}

/// Ticks that have that much room each.
fn tick_count(room: f64, each: f64) -> usize {
    (room / each).max(2.0) as usize
}

fn write_layer(out: &mut Markup, plot: &Plot, layer: &Layer) {
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
        Mark::Threshold(value) => {
            let y = plot.y.within(*value);
            write_line(out, (plot.left, y), (plot.right, y), &line_class(layer.ink, Dash::Dashed));
            let class = format!("hw-halo {}", layer.ink.class());
            write_text(out, (plot.left + 6.0, y - 5.0), &class, "start", &layer.name);
        }
    }
}

/// A line through the points; one that has no place interrupts it.
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
    // What the pointer has to meet is larger than what is seen.
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
        // A gap of a pixel between neighbours.
        write_rect(out, (left + 0.5, plot.bottom - tall), (right - left - 1.0, tall), &class, tip);
    }
}
