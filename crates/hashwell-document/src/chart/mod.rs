//! Charts of measurements as SVG, without a plotting crate, without JavaScript, and without external resources.
//!
//! [`Chart`] has two axes and layers (each a [`Mark`]: lines, stairs, points, columns, whiskers and others); [`Bars`]
//! has one axis and a line for each bar; [`Drawing`] is for shapes without axes. All of them follow the reader's light
//! or dark mode, and have a title and a description for screen readers, and tooltips. Sizes are in CSS pixels.
//!
//! Things are never distinguished only by color: lines are labeled at their ends or dashed, and bars have names.

mod bars;
mod drawing;
mod marks;
mod scale;
mod text;
mod xy;

pub use bars::{Bar, BarGroup, Bars};
pub use drawing::{Anchor, Drawing, Fill, Letters};
pub use marks::{Layer, Mark, Point};
pub use scale::{Axis, Scale, bytes, bytes_per_second, number, percent, seconds, seconds_unit};
pub use xy::{Chart, Labels};

use crate::markup::{Attributes, Markup};
use std::fmt::{self, Display, Write as _};

/// The ink of a mark: one of the colors, or a tone with a fixed meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// One of [`HUES`] colors, by number. Higher numbers start again from the first color.
    Hue(usize),
    /// For marks that are only there for comparison.
    Faint,
    /// The color of text.
    Strong,
    /// For limits that should not be crossed.
    Alarm,
}

/// The style of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// A line without gaps.
    #[default]
    Solid,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
}

/// The number of colors that can be distinguished.
pub const HUES: usize = PALETTE.len();

/// The class, the color on white, and the color on black. A search found colors of which any two differ clearly (CIE
/// 1976), for readers with normal vision and for readers with each kind of color blindness. Each color has a contrast
/// of at least 3 : 1 to the background (WCAG 2.2, 1.4.11). The tests check the differences and the contrast.
const PALETTE: [(&str, &str, &str); 8] = [
    ("hw-0", "#074786", "#3397fb"),
    ("hw-1", "#891d05", "#b98823"),
    ("hw-2", "#21a66e", "#7fa074"),
    ("hw-3", "#6d344a", "#e164ab"),
    ("hw-4", "#c58525", "#fcd077"),
    ("hw-5", "#11767b", "#8feaf0"),
    ("hw-6", "#7782b2", "#d6adff"),
    ("hw-7", "#7a693b", "#c9ecbd"),
];

/// The same as [`PALETTE`] for colors without a hue, and for background and grid.
const TONES: [(&str, &str, &str); 5] = [
    ("hw-faint", "#8a8f98", "#7d838c"),
    ("hw-strong", "#1c2024", "#e8eaed"),
    ("hw-alarm", "#c2182b", "#ff7b87"),
    ("hw-grid", "#e3e6ea", "#30353b"),
    ("hw-quiet", "#5a616b", "#a3abb5"),
];

/// The background in light and dark mode.
const PAPER: (&str, &str) = ("#ffffff", "#15181c");

impl Ink {
    /// The class in the style sheet.
    fn class(self) -> &'static str {
        match self {
            Self::Hue(number) => PALETTE[number % HUES].0,
            Self::Faint => TONES[0].0,
            Self::Strong => TONES[1].0,
            Self::Alarm => TONES[2].0,
        }
    }
}

/// The style sheet of all charts, for a document with several of them ([`Chart::markup`]).
#[must_use]
pub fn style() -> String {
    let mut sheet = String::from(concat!(
        ".hw-chart{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;",
        "font-size:12px;font-variant-numeric:tabular-nums;max-width:100%;height:auto}",
        ".hw-chart text{fill:currentColor}",
        ".hw-title{font-size:15px;font-weight:600}.hw-bold{font-weight:600}",
        ".hw-line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}",
        ".hw-thin{fill:none;stroke:currentColor;stroke-width:1}",
        ".hw-dashed{stroke-dasharray:7 4}.hw-dotted{stroke-dasharray:1 5}",
        ".hw-fill{fill:currentColor}.hw-wash{fill:currentColor;fill-opacity:.16}",
        ".hw-edge{stroke:currentColor;stroke-width:1.5}.hw-small{font-size:10px}",
        ".hw-hit{fill:transparent}.hw-ground{stroke-width:3px;stroke-linecap:square}",
        ".hw-halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}",
    ));
    let mut dark = String::new();
    for (class, on_white, on_black) in PALETTE.iter().chain(&TONES) {
        let _ = write!(sheet, ".{class}{{color:{on_white}}}");
        let _ = write!(dark, ".{class}{{color:{on_black}}}");
    }
    let (white, black) = PAPER;
    let _ = write!(sheet, ".hw-paper{{fill:{white}}}.hw-halo,.hw-ground{{stroke:{white}}}");
    let _ = write!(dark, ".hw-paper{{fill:{black}}}.hw-halo,.hw-ground{{stroke:{black}}}");
    let _ = write!(sheet, "@media screen and (prefers-color-scheme:dark){{{dark}}}");
    sheet
}

/// The width of a chart on a phone, in pixels: 390 minus the page's margins.
pub const NARROW: f64 = 360.0;

/// A chart that is drawn for wide and for narrow windows. If a wide one were scaled to a phone, its letters would be
/// too small to read.
pub trait Picture {
    /// The chart as part of a document that contains the style sheet ([`style`]).
    fn markup(&self) -> String;
    /// The same chart with the width [`NARROW`]. It has a different id, so that both can be in one document.
    #[must_use]
    fn narrow(&self) -> Self
    where
        Self: Sized;
}

/// The parts that all charts have around their marks. If there is no id, the chart is named only by its first elements,
/// the title and the description. These elements then have no ids either, so any number of charts may be in one
/// document.
struct Sheet<'a> {
    id: &'a str,
    title: &'a str,
    description: &'a str,
    width: f64,
    height: f64,
}

/// The font size of a title.
const TITLE: f64 = 15.0;

/// The lines of a title, and the position below it.
fn title_lines(title: &str, width: f64) -> (Vec<String>, f64) {
    // Bold letters are wider.
    let lines = text::wrapped(title, 1.12 * TITLE, width - 2.0 * PAD);
    let top = 42.0 + 1.25 * TITLE * lines.len().saturating_sub(1) as f64;
    (lines, top)
}

impl Sheet<'_> {
    /// Begins the chart, up to its visible title.
    fn open(&self, out: &mut Markup) {
        let box_ = format!("0 0 {} {}", Px(self.width), Px(self.height));
        let (title, description) = (format!("{}-title", self.id), format!("{}-about", self.id));
        let names = format!("{title} {description}");
        let (width, height) = (Px(self.width), Px(self.height));
        let mut attributes: Vec<(&str, &dyn Display)> = vec![
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("class", &"hw-chart hw-strong"),
            ("viewBox", &box_),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
        ];
        let (mut of_title, mut of_description): (Attributes<'_>, Attributes<'_>) = (&[], &[]);
        let (title_id, description_id): (Attributes<'_>, Attributes<'_>) =
            (&[("id", &title)], &[("id", &description)]);
        if !self.id.is_empty() {
            attributes.push(("aria-labelledby", &names));
            (of_title, of_description) = (title_id, description_id);
        }
        out.open("svg", &attributes);
        out.element("title", of_title, self.title);
        out.element("desc", of_description, self.description);
        out.empty("rect", &[("class", &"hw-paper"), ("width", &"100%"), ("height", &"100%")]);
        for (i, line) in title_lines(self.title, self.width).0.iter().enumerate() {
            write_text(out, (PAD, 22.0 + 1.25 * TITLE * i as f64), "hw-title", "start", line);
        }
        out.line();
    }
}

/// A complete file from a chart without style sheet.
fn standalone(picture: &str) -> String {
    let end = picture.find('>').map_or(0, |i| i + 1);
    let mut out = String::from(&picture[..end]);
    let _ = write!(out, "<style>{}</style>", style());
    out.push_str(&picture[end..]);
    out
}

/// The distance of all content from the edges.
const PAD: f64 = 14.0;
/// The font size.
const FONT: f64 = 12.0;
/// The height of a line of text.
const LINE: f64 = 16.0;

/// A length, rounded to a tenth of a pixel.
struct Px(f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns -0 into 0.
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}

fn write_text(out: &mut Markup, (x, y): (f64, f64), class: &str, anchor: &str, text: &str) {
    let attributes: Attributes<'_> =
        &[("x", &Px(x)), ("y", &Px(y)), ("class", &class), ("text-anchor", &anchor)];
    out.element("text", attributes, text);
}

fn write_line(out: &mut Markup, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
    out.empty(
        "line",
        &[("x1", &Px(x1)), ("y1", &Px(y1)), ("x2", &Px(x2)), ("y2", &Px(y2)), ("class", &class)],
    );
}

/// Writes a rectangle with a tooltip, unless `tip` is empty.
fn write_rect(out: &mut Markup, (x, y): (f64, f64), (width, height): (f64, f64), class: &str, tip: &str) {
    out.open(
        "rect",
        &[
            ("x", &Px(x)),
            ("y", &Px(y)),
            ("width", &Px(width.max(0.0))),
            ("height", &Px(height.max(0.0))),
            ("class", &class),
        ],
    );
    write_tip(out, tip);
    out.close();
}

fn write_tip(out: &mut Markup, tip: &str) {
    if !tip.is_empty() {
        out.element("title", &[], tip);
    }
}

/// Writes the legend: names with samples of their inks, in lines that are wrapped to the width. Returns its height.
fn write_legend(out: &mut Markup, entries: &[(String, Swatch)], (left, top): (f64, f64), width: f64) -> f64 {
    const SAMPLE: f64 = 22.0;
    const GAP: f64 = 16.0;
    let (mut x, mut y) = (left, top);
    for (name, swatch) in entries {
        let name = text::shortened(name, FONT, width - SAMPLE);
        let taken = SAMPLE + text::width(&name, FONT) + GAP;
        if x > left && x + taken - GAP > left + width {
            (x, y) = (left, y + LINE + 2.0);
        }
        swatch.write(out, (x, y));
        write_text(out, (x + SAMPLE, y + 4.0), "", "start", &name);
        x += taken;
    }
    if entries.is_empty() { 0.0 } else { y - top + LINE + 4.0 }
}

/// The sample of an entry in the legend.
#[derive(Clone, Copy)]
enum Swatch {
    Line(Ink, Dash),
    Dot(Ink),
    Fill(Ink),
    Wash(Ink),
}

impl Swatch {
    fn write(self, out: &mut Markup, (x, y): (f64, f64)) {
        let area = |out: &mut Markup, class: String| write_rect(out, (x, y - 5.0), (16.0, 10.0), &class, "");
        match self {
            Self::Line(ink, dash) => write_line(out, (x, y), (x + 17.0, y), &line_class(ink, dash)),
            Self::Dot(ink) => {
                let class = format!("hw-fill {}", ink.class());
                out.empty("circle", &[("cx", &Px(x + 8.0)), ("cy", &Px(y)), ("r", &3.5), ("class", &class)]);
            }
            Self::Fill(ink) => area(out, format!("hw-fill {}", ink.class())),
            Self::Wash(ink) => area(out, format!("hw-wash {}", ink.class())),
        }
    }
}

fn line_class(ink: Ink, dash: Dash) -> String {
    let dash = match dash {
        Dash::Solid => "",
        Dash::Dashed => " hw-dashed",
        Dash::Dotted => " hw-dotted",
    };
    format!("hw-line{dash} {}", ink.class())
}

#[cfg(test)]
mod tests;
