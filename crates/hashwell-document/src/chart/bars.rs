//! Horizontal bars in groups.

use super::scale::Projection;
use super::{
    Axis, FONT, Ink, LINE, NARROW, PAD, Picture, Scale, Sheet, Swatch, standalone, text, title_lines,
};
use super::{write_legend, write_line, write_rect, write_text};
use crate::markup::Markup;

/// A bar chart with one line for each bar. Its axis starts at zero, because readers compare the lengths of bars.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The id, which must be unique in the document that contains the chart: letters, digits and hyphens. May be empty
    /// in a separate document.
    pub id: String,
    /// The title, in a few words.
    pub title: String,
    /// A description of the chart, for people who cannot see it.
    pub description: String,
    /// The width in pixels. The height depends on the bars.
    pub width: f64,
    /// The meaning of the lengths, with the unit.
    pub label: String,
    /// Formats the value of a tick.
    pub format: fn(f64) -> String,
    /// The groups from top to bottom.
    pub groups: Vec<BarGroup>,
    /// The names of inks, if they have a meaning that the bars don't show.
    pub legend: Vec<(String, Ink)>,
}

/// A group of bars that are compared with each other.
#[derive(Clone, Debug)]
pub struct BarGroup {
    /// The name, which is written once, to the left of the first bar. May be empty.
    pub name: String,
    /// The bars from top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The text to the left of the bar.
    pub label: String,
    /// The ink of the bar.
    pub ink: Ink,
    /// The length of the bar.
    pub value: f64,
    /// The ends of a whisker.
    pub interval: Option<(f64, f64)>,
    /// The end of a pale bar that begins at the value: in a waterfall chart, the part that was saved.
    pub down_from: Option<f64>,
    /// The text to the right of the bar: the value.
    pub text: String,
    /// The tooltip.
    pub tip: String,
}

const ROW: f64 = 19.0;
const GROUP_GAP: f64 = 9.0;
/// The factor by which bold text is wider.
const BOLD: f64 = 1.12;

/// If the chart is narrower than this, the names of groups are above their bars.
const STACKED: f64 = 500.0;

/// The left edges of the columns, and the axis.
struct Columns {
    labels: f64,
    zero: f64,
    axis: Projection,
    highest: f64,
}

impl Bars {
    /// The chart as a file, including its style sheet.
    #[must_use]
    pub fn svg(&self) -> String {
        standalone(&self.markup())
    }

    fn is_stacked(&self) -> bool {
        self.width < STACKED
    }

    /// The number of lines that a group takes.
    fn lines_of(&self, group: &BarGroup) -> usize {
        group.bars.len() + usize::from(self.is_stacked() && !group.name.is_empty())
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|g| &g.bars)
    }

    fn columns(&self) -> Columns {
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|t| text::width(t, FONT)).fold(0.0, f64::max)
        };
        let gap = |width: f64| if width > 0.0 { width + 12.0 } else { 0.0 };
        let most = if self.is_stacked() { 0.5 } else { 0.25 } * self.width;
        // Names of groups are bold, so they are slightly wider.
        let names = match self.is_stacked() {
            true => 0.0,
            false => gap(BOLD * widest(&mut self.groups.iter().map(|g| &g.name)).min(most)),
        };
        let labels = gap(widest(&mut self.bars().map(|b| &b.label)).min(most));
        let texts = gap(widest(&mut self.bars().map(|b| &b.text)));
        let ends = |b: &Bar| [b.value, b.interval.map_or(0.0, |i| i.1), b.down_from.unwrap_or(0.0)];
        let values = self.bars().flat_map(ends);
        let (_, highest) = Axis::new("", Scale::Linear, self.format).extent(values);
        let zero = PAD + names + labels;
        let right = (self.width - PAD - texts).max(zero + 0.2 * self.width);
        let axis = Projection::new(Scale::Linear, (0.0, highest), zero, right);
        Columns { labels: PAD + names, zero, axis, highest }
    }

    /// The label of the axis, in lines, and where they begin. They are placed under the bars if one line is enough
    /// there.
    fn axis_label(&self, columns: &Columns) -> (Vec<String>, f64) {
        let left = if self.is_stacked() { PAD } else { columns.zero };
        (text::wrapped(&self.label, FONT, self.width - PAD - left), left)
    }

    fn write_axis(&self, out: &mut Markup, columns: &Columns, (top, bottom): (f64, f64)) {
        let right = columns.axis.within(columns.highest);
        let most = if self.is_stacked() { 45.0 } else { 90.0 };
        for value in Scale::Linear.ticks(0.0, columns.highest, ((right - columns.zero) / most) as usize) {
            let x = columns.axis.within(value);
            write_line(out, (x, top - 4.0), (x, bottom + 2.0), "hw-thin hw-grid");
            write_text(out, (x, bottom + LINE), "hw-quiet hw-tick", "middle", &(self.format)(value));
        }
        let (lines, left) = self.axis_label(columns);
        for (i, line) in lines.iter().enumerate() {
            let y = bottom + (2 + i) as f64 * LINE + 4.0;
            write_text(out, (left, y), "hw-quiet hw-axis", "start", line);
        }
        out.line();
    }

    fn write_group(&self, out: &mut Markup, group: &BarGroup, columns: &Columns, mut top: f64) {
        let room = if self.is_stacked() { self.width - 2.0 * PAD } else { columns.labels - PAD - 8.0 };
        let name = text::shortened(&group.name, BOLD * FONT, room);
        write_text(out, (PAD, top + 0.5 * ROW + 4.0), "hw-bold", "start", &name);
        top += (self.lines_of(group) - group.bars.len()) as f64 * ROW;
        for (i, bar) in group.bars.iter().enumerate() {
            write_bar(out, bar, columns, top + i as f64 * ROW);
        }
        out.line();
    }
}

impl Picture for Bars {
    fn narrow(&self) -> Self {
        Self { id: format!("{}-narrow", self.id), width: NARROW, ..self.clone() }
    }

    fn markup(&self) -> String {
        let legend: Vec<(String, Swatch)> =
            self.legend.iter().map(|(name, ink)| (name.clone(), Swatch::Fill(*ink))).collect();
        // The height of the legend is only known after writing it.
        let mut legend_part = Markup::default();
        let (_, top) = title_lines(&self.title, self.width);
        let top = top + write_legend(&mut legend_part, &legend, (PAD, top), self.width - 2.0 * PAD);
        let bars: usize = self.groups.iter().map(|group| self.lines_of(group)).sum();
        let columns = self.columns();
        let gaps = self.groups.len().saturating_sub(1) as f64 * GROUP_GAP;
        let bottom = top + bars as f64 * ROW + gaps;
        let sheet = Sheet {
            id: &self.id,
            title: &self.title,
            description: &self.description,
            width: self.width,
            height: bottom + (1 + self.axis_label(&columns).0.len()) as f64 * LINE + 6.0 + PAD,
        };
        let mut out = Markup::default();
        sheet.open(&mut out);
        out.raw(&legend_part.finish());
        self.write_axis(&mut out, &columns, (top, bottom));
        let mut y = top;
        for group in &self.groups {
            self.write_group(&mut out, group, &columns, y);
            y += self.lines_of(group) as f64 * ROW + GROUP_GAP;
        }
        out.close();
        out.finish()
    }
}

fn write_bar(out: &mut Markup, bar: &Bar, columns: &Columns, top: f64) {
    let middle = top + 0.5 * ROW;
    let (zero, end) = (columns.zero, columns.axis.within(bar.value));
    let label = text::shortened(&bar.label, FONT, zero - columns.labels - 6.0);
    write_text(out, (columns.labels, middle + 4.0), "", "start", &label);
    let ink = bar.ink.class();
    let mut right = end;
    if let Some(from) = bar.down_from {
        right = right.max(columns.axis.within(from));
        write_rect(out, (end, top + 2.5), (right - end, ROW - 5.0), &format!("hw-wash {ink}"), &bar.tip);
    }
    write_rect(out, (zero, top + 2.5), (end - zero, ROW - 5.0), &format!("hw-fill {ink}"), &bar.tip);
    if let Some((low, high)) = bar.interval {
        let (low, high) = (columns.axis.within(low), columns.axis.within(high));
        right = right.max(high);
        // Draw the whisker on a lighter background, so that it is visible in front of the bar.
        for class in ["hw-ground", "hw-thin hw-strong"] {
            write_line(out, (low, middle), (high, middle), class);
            for x in [low, high] {
                write_line(out, (x, middle - 3.0), (x, middle + 3.0), class);
            }
        }
    }
    write_text(out, (right + 6.0, middle + 4.0), "hw-quiet", "start", &bar.text);
}
