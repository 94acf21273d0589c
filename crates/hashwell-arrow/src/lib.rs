//! Arrow's C data interface by hand: three structs whose layout never changes, in and out. Of the whole of Arrow nothing
//! else is needed, and nothing is linked.
//!
//! ```text
//! ArrowSchema ------> Field: name, format, layout, kind, children
//! ArrowArray, Field -> Chunk -> Node: checked views of the buffers -> rows, by layout
//! ArrowArrayStream -> Reader -> Chunk, Chunk, …  -> Column
//! Node -> pack -> rows as bytes -> Unpacker -> Piece
//! Field, Piece -> export -> ArrowSchema, ArrowArray, ArrowArrayStream
//! ```
//!
//! What a producer hands over is checked as far as the interface lets one: formats, counts of buffers and children, lengths
//! and offsets whose sums overflow, null pointers, depth; and, where a row is read, offsets, views, indices and runs. It does
//! not tell the length of buffers, so that producers are trusted in that, as every consumer trusts them.
//!
//! A type is read in two halves: its [`Layout`], how values lie in buffers, which decides what code reads them, and its
//! [`Kind`], what they mean. Unions are refused.
//!
//! What is there is read where it lies, without memory of its own. Where the system refuses memory to types, structs and
//! columns in the making, and to rows as bytes, the process ends, as Rust's own collections end it.
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
