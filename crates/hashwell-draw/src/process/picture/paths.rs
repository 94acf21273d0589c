//! Plots of values over time.

use super::WIDTH;
use super::words::counted;
use crate::order::sort_unstable;
use hashwell_document::chart::{Axis, Chart, Ink, Labels, Layer, Mark, Point, Scale, number};

/// The maximum number of paths in a picture.
pub const MAX_PATHS: usize = 8;
/// The number of pieces into which a long path is divided. The first, smallest, largest and last value of each are
/// drawn.
const PIECES: usize = 160;

/// Draws a line for each path, with value i at position i. `title` is the title of the picture, and `value` is the
/// label of the vertical axis. If there are several paths, the name of path j is `name` followed by j. If there are
/// more than eight paths, the first eight are drawn. If a path has more than 640 values, it is divided into 160 pieces,
/// and only the first, smallest, largest and last value of each piece are drawn. The picture looks the same. Values
/// that are not finite leave gaps.
#[must_use]
pub fn paths(title: &str, value: &str, name: &str, paths: &[Vec<f64>]) -> String {
    let drawn = &paths[..paths.len().min(MAX_PATHS)];
    let layer = |(i, path): (usize, &Vec<f64>)| {
        let name = if drawn.len() > 1 { format!("{name}{i}") } else { String::new() };
        Layer::new(name, Ink::Hue(i), Mark::Line(thinned(path)))
    };
    let mut title = title.to_owned();
    if paths.len() > drawn.len() {
        title = format!("{title}: the first {} of {} paths", drawn.len(), number(paths.len() as f64));
    }
    let longest = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let ends: Vec<String> = drawn.iter().filter_map(|path| path.last()).map(|&last| number(last)).collect();
    let chart = Chart {
        id: String::new(),
        title,
        description: format!(
            "{} of up to {}, which end at {}.",
            counted(drawn.len(), "path", "paths"),
            counted(longest, "value", "values"),
            if ends.is_empty() { "nothing".to_owned() } else { ends.join(", ") },
        ),
        width: WIDTH,
        height: 340.0,
        x: Axis::new("step", Scale::Linear, number).over(0.0, longest.saturating_sub(1).max(1) as f64),
        y: Axis::new(value, Scale::Linear, number),
        layers: drawn.iter().enumerate().map(layer).collect(),
        labels: if drawn.len() > 1 { Labels::Ends } else { Labels::Legend },
    };
    chart.svg()
}

fn thinned(path: &[f64]) -> Vec<Point> {
    let point = |i: usize| Point { x: i as f64, y: path[i], tip: String::new() };
    if path.len() <= 4 * PIECES {
        return (0..path.len()).map(point).collect();
    }
    let mut points = Vec::with_capacity(4 * PIECES);
    for piece in 0..PIECES {
        let (from, to) = (piece * path.len() / PIECES, (piece + 1) * path.len() / PIECES);
        let ordered = |a: &usize, b: &usize| path[*a].total_cmp(&path[*b]);
        let (least, greatest) = ((from..to).min_by(ordered), (from..to).max_by(ordered));
        let mut kept = [Some(from), least, greatest, Some(to - 1)];
        sort_unstable(&mut kept);
        let mut last = None;
        for i in kept.into_iter().flatten() {
            if last.replace(i) != Some(i) {
                points.push(point(i));
            }
        }
    }
    points
}
