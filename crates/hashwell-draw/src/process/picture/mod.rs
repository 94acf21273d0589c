//! Pictures of processes as SVG files. They load nothing, follow the reader's light or dark mode, have a title and a
//! description for screen readers, and show tooltips.
//!
//! The same values give the same bytes on every machine. A picture always stays below 100 KB: content for which there
//! is no space is summarized in words.

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

/// The width of a picture, in pixels.
const WIDTH: f64 = 760.0;
