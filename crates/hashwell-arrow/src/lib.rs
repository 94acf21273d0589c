//! An implementation of Arrow's C data interface without dependencies: three structs whose layout never changes, for
//! import and export. No other part of Arrow is needed, and nothing is linked.
//!
//! ```text
//! ArrowSchema ------> Field: name, format, layout, kind, children
//! ArrowArray, Field -> Chunk -> Node: checked views of the buffers -> rows, by layout
//! ArrowArrayStream -> Reader -> Chunk, Chunk, …  -> Column
//! Node -> pack -> rows as bytes -> Unpacker -> Piece
//! Field, Piece -> export -> ArrowSchema, ArrowArray, ArrowArrayStream
//! ```
//!
//! Data from a producer are checked as far as the interface allows: format strings, numbers of buffers and children,
//! lengths and offsets whose sums overflow, null pointers, and nesting depth. When a row is read, offsets, views,
//! indices and runs are checked as well. The interface doesn't include the length of buffers, so this crate must trust
//! producers in this, like every other consumer.
//!
//! A type has two parts: its [`Layout`], which defines how values are stored in buffers and are read, and its [`Kind`],
//! which defines their meaning. Unions are rejected.
//!
//! Existing data are read in place, without allocating memory. If allocating memory fails for types, structs, columns
//! that are being built, or packed rows, the process ends, as with Rust's own collections.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod abi;
mod error;

mod field;
mod float16;

mod node;
mod read;

#[cfg(feature = "arrow-rs")]
mod batches;
mod column;
pub mod export;

mod pack;
mod unpack;

#[cfg(test)]
mod by_hand;

pub use column::{Chunk, Column, Reader};
pub use error::{Error, Malformed};
pub use field::{Field, Interval, Kind, Layout, Unit};
pub use float16::f16_to_f32;
pub use node::Node;
pub use pack::{pack, pack_field};
pub use read::Strings;
pub use unpack::{Unpacker, unpack_field};

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
