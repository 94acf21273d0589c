//! The C interface. `include/hashwell.h` is its manual; nothing here is an algorithm.
//!
//! `border` is what every function goes through: panics and results. `memory` turns pointers into slices, `state`
//! places states in memory of the caller's, `object` what has heap of its own on the heap. The other modules are the functions, in the header's order.

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
