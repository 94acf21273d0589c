//! Drawings without axes: shapes at positions that the caller computes.

use super::{FONT, Ink, LINE, PAD, Px, Sheet, standalone, text, title_lines, write_rect, write_tip};
use crate::markup::Markup;
use std::fmt::Write as _;

/// A canvas with a title, a description and shapes. Later shapes cover earlier ones. Positions and lengths are in
/// pixels from the upper left corner, and are written with one decimal.
pub struct Drawing {
    title: String,
    description: String,
    width: f64,
    body: Markup,
}

/// The part of a text that is at the given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The middle of the text is there.
    Middle,
    /// The text ends there.
    End,
}

/// The style of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// The same as other text in charts.
    Plain,
    /// Bold, for the most important text.
    Bold,
    /// Muted, for explanations.
    Quiet,
    /// Small, where there is little space.
    Small,
}

/// The style of the inside and the edge of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Filled with ink.
    Full,
    /// Filled with transparent ink, with an edge.
    Wash,
    /// Filled with the background color, with an edge.
    Paper,
    /// Not filled, with a dashed edge.
    Dashed,
}

impl Letters {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "hw-bold",
            Self::Quiet => "hw-quiet",
            Self::Small => "hw-small",
        }
    }
}

impl Fill {
    fn class(self, ink: Ink) -> String {
        let class = match self {
            Self::Full => "hw-fill",
            Self::Wash => "hw-wash hw-edge",
            Self::Paper => "hw-paper hw-edge",
            Self::Dashed => "hw-thin hw-dashed",
        };
        format!("{class} {}", ink.class())
    }
}

impl Drawing {
    /// The distance of all content from the edges.
    pub const PAD: f64 = PAD;
    /// The height of a line of text.
    pub const LINE: f64 = LINE;

    /// An empty drawing of this width, with a title, and with a description for people who cannot see it.
    #[must_use]
    pub fn new(title: impl Into<String>, description: impl Into<String>, width: f64) -> Self {
        Self { title: title.into(), description: description.into(), width, body: Markup::default() }
    }

    /// The position below the title at which shapes may begin.
    #[must_use]
    pub fn top(&self) -> f64 {
        title_lines(&self.title, self.width).1
    }

    /// The approximate width of a text in pixels, more often too large than too small.
    #[must_use]
    pub fn text_width(text: &str) -> f64 {
        text::width(text, FONT)
    }

    /// Wraps the text to lines that are no wider than this.
    #[must_use]
    pub fn wrapped(text: &str, room: f64) -> Vec<String> {
        text::wrapped(text, FONT, room)
    }

    /// Writes a line of text. `y` is the position of its vertical middle.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, letters: Letters, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (Px(x), Px(y));
        self.body.element(
            "text",
            &[
                ("x", &x),
                ("y", &y),
                // This centers a line in every viewer; not all of them support `dominant-baseline`.
                ("dy", &".35em"),
                ("class", &letters.class()),
                ("text-anchor", &anchor),
            ],
            text,
        );
    }

    /// Draws a circle, with a tooltip unless `tip` is empty.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink, fill: Fill, tip: &str) {
        let class = fill.class(ink);
        let attributes: crate::markup::Attributes<'_> =
            &[("cx", &Px(x)), ("cy", &Px(y)), ("r", &Px(radius)), ("class", &class)];
        if tip.is_empty() {
            self.body.empty("circle", attributes);
        } else {
            self.body.open("circle", attributes);
            write_tip(&mut self.body, tip);
            self.body.close();
        }
    }

    /// Draws a rectangle, with a tooltip unless `tip` is empty.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), ink: Ink, fill: Fill, tip: &str) {
        write_rect(&mut self.body, corner, size, &fill.class(ink), tip);
    }

    /// Draws a thin curve that leaves the start and reaches the end horizontally, towards the right.
    pub fn branch(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), ink: Ink) {
        let middle = Px(0.5 * (x1 + x2));
        let mut path = String::new();
        let _ = write!(
            path,
            "M{} {}C{middle} {} {middle} {} {} {}",
            Px(x1),
            Px(y1),
            Px(y1),
            Px(y2),
            Px(x2),
            Px(y2)
        );
        let class = format!("hw-thin {}", ink.class());
        self.body.empty("path", &[("d", &path), ("class", &class)]);
    }

    /// Ends the line in the file, for people who read the source.
    pub fn end_line(&mut self) {
        self.body.line();
    }

    /// The drawing as a file of this height, including its style sheet.
    #[must_use]
    pub fn svg(self, height: f64) -> String {
        let sheet =
            Sheet { id: "", title: &self.title, description: &self.description, width: self.width, height };
        let mut out = Markup::default();
        sheet.open(&mut out);
        out.raw(&self.body.finish());
        out.close();
        out.line();
        standalone(&out.finish())
    }
}
