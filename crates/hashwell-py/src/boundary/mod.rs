//! The boundary between Python and the library: bytes, errors, locks, and callables that PyO3 does not provide.

pub(crate) mod arrow;
pub(crate) mod buffer;
pub(crate) mod builtin;
pub(crate) mod callable;
pub(crate) mod class;
pub(crate) mod errors;
pub(crate) mod immutable;
pub(crate) mod secret;
pub(crate) mod sync;
pub(crate) mod watch;
