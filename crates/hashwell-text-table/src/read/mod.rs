//! Converts fields and JSON values to values of `hwrow/1`.

pub mod cell;
mod convert;
pub mod json;
mod null;
mod number;
mod time;

pub use convert::convert;
pub use null::Nulls;
