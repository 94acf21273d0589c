//! Random bytes: streams by name, NumPy's bit generators, HMAC-DRBG.

pub(crate) mod bitgen;
pub(crate) mod drbg;
pub(crate) mod random;
pub(crate) mod seed;
