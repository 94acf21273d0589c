//! Python's `hashwell._native`: the registry's rows as hashlib-shaped objects, streams, tags and keys.
//!
//! Modules are declared in the order of their layers: each module uses only those before it (`dev/architecture.md`, Layers).
//!
//! ```text
//! Python arguments -> border: buffer (views of bytes) -> rows: arguments (a row's parameters)
//!                                                    |
//!     objects: constructor (one builtin function per row) -> digest | xof      mac, file, pieces  functions
//!     many: messages (lists, rows, arrow's columns) -> functions -> results                      |
//!     generators: drbg    seed -> random (streams by name) -> bitgen (NumPy)                     |
//!     sample: value (keys, weights) -> batch -> survey; lot (hwdraw/1)                              |
//!     process: term -> program | unfold | table, built-in ones -> asked -> engine                |
//!                                                    |
//!                              border: sync (lock, and when other threads may run) -> crate hashwell
//! ```
//!
//! No algorithm lives here, and no list of algorithms: everything iterates `hashwell::ALGORITHMS`.
//! Unsafe code is in `border` (`buffer`: Python's buffer protocol, `builtin` and `callable`: C functions, `class`: a class
//! of our own, `immutable`: a flag of types), `boundary::arrow` (Arrow's C data interface) and `generators::bitgen` (NumPy's bit
//! generators) only.
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
use objects::{constructor, digest, file, mac, pieces, xof};
use pyo3::prelude::*;
use rows::algorithm;
use tables::state;

/// Digests, unlimited output streams, tags and keys.
// Free-threaded interpreters need not switch the GIL on: every class is frozen, its state behind a lock.
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
    many::device::add_to(module)?;
    module.add_function(wrap_pyfunction!(file::file_digest, module)?)?;
    process::engine::add_to(module)?;
    sample::add_to(module)?;
    Ok(())
}
