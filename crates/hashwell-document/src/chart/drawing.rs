//! Pictures without axes: shapes at places that the caller computes.

use super::{FONT, Ink, LINE, PAD, Px, Sheet, standalone, text, title_lines, write_rect, write_tip};
use crate::markup::Markup;
use std::fmt::Write as _;

/// A sheet of paper with a title, a description and shapes on it, of which later ones lie upon earlier ones. Places and
/// lengths are in pixels from the upper left corner and written to a tenth.
pub struct Drawing {
    title: String,
    description: String,
    width: f64,
    body: Markup,
}

/// What a text is at the place that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Begins there.
    Start,
    /// Has its middle there.
    Middle,
    /// Ends there.
    End,
}

/// How letters look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// As the text of charts.
    Plain,
    /// For what is looked at first.
    Bold,
    /// For what explains.
    Quiet,
    /// Smaller, where there is little room.
    Small,
}

/// How the inside of a shape is drawn, and its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Ink.
    Full,
    /// Thin ink with an edge.
    Wash,
    /// Paper with an edge.
    Paper,
    /// Nothing, with an edge of dashes.
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
    /// Distance of everything from the edges.
    pub const PAD: f64 = PAD;
    /// Height of a line of text.
    pub const LINE: f64 = LINE;

    /// An empty one of that width, for a title and a description, which is for those who cannot see it.
    #[must_use]
    pub fn new(title: impl Into<String>, description: impl Into<String>, width: f64) -> Self {
        Self { title: title.into(), description: description.into(), width, body: Markup::default() }
    }

    /// Where the shapes may begin, below the title.
    #[must_use]
    pub fn top(&self) -> f64 {
        title_lines(&self.title, self.width).1
    }

    /// Width of a text in pixels, about, and rather too much.
    #[must_use]
    pub fn text_width(text: &str) -> f64 {
        text::width(text, FONT)
    }

    /// The text in lines that are no wider than that.
    #[must_use]
    pub fn wrapped(text: &str, room: f64) -> Vec<String> {
        text::wrapped(text, FONT, room)
    }

    /// A line of text whose middle has that height.
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
                // What centres a line in every viewer; not all know `dominant-baseline`.
                ("dy", &".35em"),
                ("class", &letters.class()),
                ("text-anchor", &anchor),
            ],
            text,
        );
    }

    /// A circle with a tip; no tip if that is empty.
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

    /// A rectangle with a tip; no tip if that is empty.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), ink: Ink, fill: Fill, tip: &str) {
        write_rect(&mut self.body, corner, size, &fill.class(ink), tip);
    }

    /// A thin line that leaves and arrives to the right.
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

    /// Ends the line of the file, for those who read it.
    pub fn end_line(&mut self) {
        self.body.line();
    }

    /// As a file with its style sheet, of that height.
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
