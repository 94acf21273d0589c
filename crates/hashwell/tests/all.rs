//! All tests of this crate in one program, because linking a program for each file would take most of the time for
//! building the tests. `cargo nextest` runs each test in a separate process.

mod common;

#[cfg(target_arch = "x86_64")] // the table names x86-64's kernels
mod algorithms;
#[cfg(feature = "states")]
mod chunk_list;
mod contract;
mod differential;
mod drbg;
mod engines;
mod hmac;
mod kat;
mod kernels;
mod many;
mod official;
#[cfg(unix)]
mod os_drbg;
#[cfg(all(feature = "digest-0-10", feature = "rand_core-0-6", target_endian = "little"))]
mod other_worlds;
#[cfg(feature = "states")]
mod outboard;
mod package;
mod pieces;
#[cfg(unix)] // the stand-in for rustdoc is a script
mod public_api;
#[cfg(feature = "rand_core")]
mod rand;
#[cfg(feature = "states")]
mod saved;
#[cfg(feature = "states")]
mod slices;
mod sources;
#[cfg(all(feature = "rayon", target_os = "linux"))]
mod threads;
