//! The C interface. `include/hashwell.h` is its manual. This crate contains no algorithms.
//!
//! `boundary` wraps every function: it converts results and catches panics. `memory` converts pointers to slices.
//! `state` places states in the caller's memory, and `object` creates objects that own heap memory. The other modules
//! contain the exported functions, in the order of the header.

#[macro_use]
mod boundary;
#[macro_use]
mod state;
mod memory;
mod object;

mod drbg;
mod hash;
mod kdf;
mod mac;
mod many;
mod params;
mod registry;
mod source;
mod streams;
mod xof;

#[cfg(test)]
mod header;
#[cfg(test)]
mod heap;
