//! Pictures of processes as SVG, in files of their own: nothing is loaded, the reader's light or dark mode is followed,
//! title and description are read aloud, tips are shown under the pointer.
//!
//! The same values give the same bytes on every machine. However much is drawn, a picture stays below 100 KB: what has no
//! room is counted in words.

mod circle;
mod mass;
mod natural;
mod paths;
mod restaurant;
mod sticks;
mod tree;
mod words;

pub use mass::{Mass, bars};
pub use natural::{of, of_many};
pub use paths::{MAX_PATHS, paths};
pub use restaurant::restaurant;
pub use sticks::sticks;
pub use tree::tree;

/// Width of a picture, in pixels.
const WIDTH: f64 = 760.0;
