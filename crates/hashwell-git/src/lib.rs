//! Reads the objects of a git repository, and measures which hash function would be the fastest for them.
//!
//! ```text
//! files, regular: names and regular files
//! object, id, gitlink: object headers and ids; the commit that is checked out
//! store:  place (config) -> indexes, packs, loose files -> headers | objects
//! survey: headers -> sizes -> sample -> objects -> batches -> check, contest (times) -> report
//! ```
//!
//! A repository may come from an attacker. Only regular files are read, no file is mapped into memory, every declared
//! size is checked before memory is allocated, and every step takes time linear in the number of bytes that exist.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod files;
pub mod gitlink;
pub mod object;
#[cfg_attr(not(feature = "survey"), allow(dead_code))] // reading in pieces is for the store
mod regular;

#[cfg(feature = "survey")]
mod id;
#[cfg(feature = "survey")]
mod store;
#[cfg(feature = "survey")]
pub mod survey;

#[cfg(feature = "survey")]
#[doc(hidden)]
pub use store::parsers;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
