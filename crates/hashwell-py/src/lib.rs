//! Python's `hashwell._native`: the registry's rows as hashlib-shaped objects, streams, tags and keys.
//!
//! ```text
//! Python arguments -> buffer (views of bytes) -> arguments (a row's parameters)
//!                                                    |
//!     constructor (one builtin function per row) -> digest | xof      mac, functions, file
//!     messages (lists, rows, arrow's columns) -> many -> results         |
//!     drbg    seed -> random (streams by name) -> bitgen (NumPy)         |
//!                                                    |
//!                              sync (lock, and when other threads may run) -> crate hashwell
//! ```
//!
//! No algorithm lives here, and no list of algorithms: everything iterates `hashwell::ALGORITHMS`.
//! Unsafe code is in `buffer` (Python's buffer protocol), `builtin` and `callable` (C functions), `immutable` (a
//! flag of types), `arrow` (Arrow's C data
//! interface) and `bitgen` (NumPy's bit generators) only.
#![deny(unsafe_code)]

mod algorithm;
mod arguments;
mod arrow;
mod bitgen;
mod buffer;
mod builtin;
mod callable;
mod constructor;
mod digest;
mod drbg;
mod errors;
mod file;
mod functions;
mod immutable;
mod mac;
mod many;
mod messages;
mod random;
mod results;
mod seed;
mod sync;
mod uniform;
mod xof;

use immutable::add_class;
use pyo3::prelude::*;

/// Digests, unlimited output streams, tags and keys.
// Free-threaded interpreters need not switch the GIL on: every class is frozen, its state behind a lock.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions::force_backend_from_environment()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    add_class::<algorithm::Algorithm>(module)?;
    add_class::<algorithm::Kernel>(module)?;
    add_class::<digest::Digest>(module)?;
    add_class::<xof::Xof>(module)?;
    add_class::<mac::Hmac>(module)?;
    add_class::<mac::Kmac>(module)?;
    arrow::add_to(module)?;
    add_class::<drbg::HmacDrbg>(module)?;
    add_class::<bitgen::BitGenerator>(module)?;
    random::add_to(module)?;
    algorithm::add_to(module)?;
    constructor::add_to(module)?;
    functions::add_to(module)?;
    many::add_to(module)?;
    module.add_function(wrap_pyfunction!(file::file_digest, module)?)?;
    Ok(())
}
