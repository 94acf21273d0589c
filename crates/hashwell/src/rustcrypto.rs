//! RustCrypto traits.
