//! Random bytes: streams of named sources, NumPy bit generators, and HMAC-DRBG.

pub(crate) mod bitgen;
pub(crate) mod drbg;
pub(crate) mod random;
pub(crate) mod seed;
