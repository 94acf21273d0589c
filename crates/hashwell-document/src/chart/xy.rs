//! Charts with two axes.

use super::marks::{Layer, Mark, Plot, Point, write_layer};
use super::scale::Projection;
use super::{Axis, FONT, LINE, NARROW, PAD, Picture, Sheet, Swatch, text, title_lines};
use super::{standalone, write_legend, write_line, write_text};
use crate::markup::Markup;

/// A chart with two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The id, which must be unique in the document that contains the chart: letters, digits and hyphens. May be empty
    /// in a separate document.
    pub id: String,
    /// The title, in a few words.
    pub title: String,
    /// A description of the chart, for people who cannot see it.
    pub description: String,
    /// The width in pixels.
    pub width: f64,
    /// The height in pixels.
    pub height: f64,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The layers, from back to front.
    pub layers: Vec<Layer>,
    /// The position of the names of lines.
    pub labels: Labels,
}

/// The position of the names of lines. Other layers are named in the legend, except thresholds, whose names are on
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Labels {
    /// At the right ends.
    Ends,
    /// At the right ends, in a column of this width. Charts next to each other then have plots of the same size.
    EndsWithin(f64),
    /// In the legend above the plot.
    Legend,
}

impl Chart {
    /// The chart as a file, including its style sheet.
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

    /// Writes the legend, and returns the position at which the plot may begin.
    fn write_legend(&self, out: &mut Markup) -> f64 {
        let (_, top) = title_lines(&self.title, self.width);
        top + write_legend(out, &self.legend(), (PAD, top), self.width - 2.0 * PAD)
    }
}

impl Picture for Chart {
    /// There is no space for names of lines next to a narrow plot, so they are above it.
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
        // Space for the label of the y axis above the plot, and for the ticks and the label of the x axis below it.
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

    /// The ticks for which there is enough space.
    fn x_ticks(&self, plot: &Plot) -> Vec<(f64, String)> {
        let room = plot.right - plot.left;
        let mut widest = 3.0 * FONT;
        // If there are fewer ticks, their labels can be longer. Two rounds are enough to settle.
        for _ in 0..2 {
            let count = tick_count(room, widest + 10.0);
            let ticks = self.x.scale.ticks(plot.x_range.0, plot.x_range.1, count);
            widest = ticks.iter().map(|t| text::width(&(self.x.format)(*t), FONT)).fold(widest, f64::max);
        }
        let ticks = self.x.scale.ticks(plot.x_range.0, plot.x_range.1, tick_count(room, widest + 10.0));
        ticks.into_iter().map(|t| (t, (self.x.format)(t))).collect()
    }

    /// Writes a label next to the last point of each line, with a connecting line if the label had to move.
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

/// The number of ticks that fit if each takes this much space.
fn tick_count(room: f64, each: f64) -> usize {
    (room / each).max(2.0) as usize
}
