//! Pictures of stick breaking.

use super::WIDTH;
use super::words::counted;
use hashwell_document::chart::{Anchor, Drawing, Fill, Ink, Letters, number};

/// The maximum number of breaks drawn in their own line, and of pieces drawn separately.
const BREAKS: usize = 12;
const PIECES: usize = 60;
/// The heights of the whole stick and of the remaining part.
const WHOLE: f64 = 44.0;
const LEFT: f64 = 14.0;

/// Draws a stick of length 1 that is broken into pieces of these lengths. The whole stick with all pieces is at the
/// top. Pieces after the first sixty are drawn as one. Below the stick, there is a line for each of the first twelve
/// breaks, which shows the piece that was broken off and the remaining stick.
///
/// Negative lengths and lengths that are not finite count as 0.
#[must_use]
pub fn sticks(lengths: &[f64]) -> String {
    let lengths: Vec<f64> =
        lengths.iter().map(|&l| if l.is_finite() { l.clamp(0.0, 1.0) } else { 0.0 }).collect();
    let first: Vec<String> = lengths.iter().take(BREAKS).map(|&length| number(length)).collect();
    let title = format!("A stick in {}", counted(lengths.len(), "piece", "pieces"));
    let description = match first.len() {
        0 => "It has not been broken.".to_owned(),
        n => format!("The first {n}: {}.", first.join(", ")),
    };
    let mut drawing = Drawing::new(title, description, WIDTH);
    let top = drawing.top();
    whole(&mut drawing, &lengths, top);
    let mut y = top + WHOLE + Drawing::LINE;
    let mut start = 0.0;
    for (i, &length) in lengths.iter().take(BREAKS).enumerate() {
        broken(&mut drawing, (i, start, length), y);
        y += LEFT + 6.0;
        start += length;
    }
    let mut legend = "Each line shows a piece that is broken off and the remaining stick.".to_owned();
    if lengths.len() > BREAKS {
        legend = format!("… and {}. {legend}", counted(lengths.len() - BREAKS, "more break", "more breaks"));
    }
    y += 6.0;
    drawing.text((Drawing::PAD, y), Anchor::Start, Letters::Quiet, &legend);
    drawing.svg(y + Drawing::LINE)
}

/// The horizontal position of a length from the left end. The space on the right is for figures.
fn at(length: f64) -> f64 {
    Drawing::PAD + length.min(1.0) * (WIDTH - 2.0 * Drawing::PAD - 60.0)
}

fn whole(drawing: &mut Drawing, lengths: &[f64], top: f64) {
    let mut start = 0.0;
    for (i, &length) in lengths.iter().take(PIECES).enumerate() {
        let (left, right) = (at(start), at(start + length));
        let tip = format!("piece {}: {}", i + 1, number(length));
        drawing.rectangle((left, top), (right - left, WHOLE), Ink::Hue(i), Fill::Wash, &tip);
        let text = number(length);
        if Drawing::text_width(&text) + 6.0 < right - left {
            drawing.text((0.5 * (left + right), top + 0.5 * WHOLE), Anchor::Middle, Letters::Bold, &text);
        }
        start += length;
    }
    if start < 1.0 {
        let size = (at(1.0) - at(start), WHOLE);
        drawing.rectangle((at(start), top), size, Ink::Faint, Fill::Dashed, "all later pieces");
    }
    drawing.text((at(1.0) + 8.0, top + 0.5 * WHOLE), Anchor::Start, Letters::Quiet, "1");
    drawing.end_line();
}

/// Draws the piece that is broken off, and the rest.
fn broken(drawing: &mut Drawing, (i, start, length): (usize, f64, f64), top: f64) {
    let (left, cut, right) = (at(start), at(start + length), at(1.0));
    drawing.rectangle((left, top), (cut - left, LEFT), Ink::Hue(i), Fill::Full, "");
    drawing.rectangle((cut, top), (right - cut, LEFT), Ink::Hue(i), Fill::Wash, "");
    let rest = (1.0 - start - length).max(0.0);
    drawing.text((right + 8.0, top + 0.5 * LEFT), Anchor::Start, Letters::Quiet, &number(rest));
    drawing.end_line();
}
