//! Converts fields and JSON values to values of `hwrow/1`.

pub mod cell;
pub mod json;
mod null;
mod number;
mod time;

pub use null::Nulls;
