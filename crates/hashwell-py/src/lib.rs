//! The Python module `hashwell._native`: the algorithms of the registry as objects with the interface of hashlib,
//! streams, tags and keys.
//!
//! Modules are declared in the order of their layers: each module uses only those before it (`dev/architecture.md`, Layers).
//!
//! ```text
//! Python arguments -> boundary: buffer (views of bytes) -> rows: arguments (the parameters of an algorithm)
//!                                                      |
//!     objects: constructor (one builtin function per algorithm) -> digest | xof, mac, file, pieces, trees
//!     many: messages (lists, rows, Arrow columns) -> functions -> results
//!     generators: drbg; seed -> random (streams of named sources) -> bitgen (NumPy)
//!     sample: value (keys, weights) -> batch -> row_sampling; draw (hwdraw/1)
//!     process: term -> program | unfold -> table -> live; model (built-in processes) -> engine
//!                                                      |
//!                boundary: sync (locks, and when other threads may run) -> crate hashwell
//! ```
//!
//! This crate contains neither algorithms nor a list of them: all modules iterate over `hashwell::ALGORITHMS`. Only
//! these modules contain unsafe code: `boundary` (`arrow`: Arrow's C data interface, `buffer`: Python's buffer
//! protocol, `builtin` and `callable`: C functions, `class`: a class that PyO3 does not define, `immutable`: a flag of
//! types, `sync`: shared states) and `generators::bitgen` (NumPy's bit generators).
#![deny(unsafe_code)]

mod boundary;

mod rows;

mod objects;

mod generators;
mod many;

mod process;
mod sample;
mod tables;

mod functions;

use boundary::immutable::add_class;
use boundary::{builtin, errors};
use generators::{bitgen, drbg, random};
use many::digests;
use objects::{constructor, digest, file, mac, pieces, trees, xof};
use pyo3::prelude::*;
use rows::algorithm;
use tables::state;

/// Hash functions, output streams, MACs, key derivation, random numbers and sampling.
// Free-threaded interpreters need not enable the GIL, because every class is frozen and its state is protected by a
// lock.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions::force_kernel_from_environment()?;
    builtin::tell_refused_memory(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    add_class::<algorithm::Algorithm>(module)?;
    add_class::<algorithm::Kernel>(module)?;
    digest::add_to(module)?;
    xof::add_to(module)?;
    add_class::<mac::Hmac>(module)?;
    add_class::<mac::Kmac>(module)?;
    add_class::<pieces::Pieces>(module)?;
    digests::add_to(module)?;
    add_class::<state::TableDigest>(module)?;
    add_class::<drbg::HmacDrbg>(module)?;
    add_class::<bitgen::BitGenerator>(module)?;
    random::add_to(module)?;
    algorithm::add_to(module)?;
    constructor::add_to(module)?;
    functions::add_to(module)?;
    many::functions::add_to(module)?;
    tables::functions::add_to(module)?;
    tables::page::add_to(module)?;
    many::device::add_to(module)?;
    module.add_function(wrap_pyfunction!(file::file_digest, module)?)?;
    trees::add_to(module)?;
    process::engine::add_to(module)?;
    sample::add_to(module)?;
    Ok(())
}
