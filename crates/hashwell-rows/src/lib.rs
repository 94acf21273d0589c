//! Reads the rows of files and pipes byte for byte: lines, rows that end with a zero byte, CSV, TSV and JSON lines.
//! Also reads Parquet, whose rows are selected by their numbers ([`Rows::is_table`]).
//!
//! [`Rows`] reads inputs as one stream. [`Rows::skip`] skips rows without parsing them, which is about as fast as
//! counting newlines; [`Rows::next`] returns a row with all its bytes, as in the file. The memory use doesn't depend on
//! the length of the inputs. The rows returned don't depend on how the inputs are divided into blocks, or on the number
//! of threads.
//!
//! If there is no memory for a block, or for a row or field that is longer than a block, calls return an error. The
//! process aborts, as with Rust's own collections, if there is no memory for fields of JSON, for anything in Parquet,
//! for the dictionary that an xz file requests, or for small allocations that don't depend on the inputs.
//!
//! ```
//! use hashwell_rows::{Format, Input, Options, Rows};
//!
//! let text = &b"id,place\r\n1,\"Bad\nHomburg\"\r\n2,Ulm"[..];
//! let mut rows = Rows::open(&[Input::reader("list", text)], &Options::default().with_format(Format::Csv))?;
//! let place = rows.column("place")?;
//! assert_eq!(rows.skip(1)?, 1);
//! let row = rows.next()?.unwrap();
//! assert_eq!((row.bytes(), row.place()), (&b"2,Ulm"[..], "list:4".into()));
//! assert_eq!(&row.field(&place)?[..], b"Ulm");
//! # Ok::<(), hashwell_rows::Error>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod ahead;
mod blocks;
mod decode;
mod error;
mod fields;
mod input;
mod open;
mod options;
mod pack;
mod row;
mod rows;
mod split;
#[cfg(not(feature = "parquet"))]
#[path = "no_table.rs"]
mod table;
#[cfg(feature = "parquet")]
mod table;
mod text;
mod texts;
mod unpack;

pub use error::Error;
pub use fields::{BOM, Column, RawField};
pub use input::Input;
pub use open::named_delimiter;
pub use options::{Compression, Encoding, Fields, Format, Options};
pub use pack::Packer;
pub use row::Row;
pub use rows::Rows;
pub use texts::Texts;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
