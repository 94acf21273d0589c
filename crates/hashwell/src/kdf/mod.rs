//! Key derivation.

mod hkdf;

pub use hkdf::{hkdf, hkdf_expand, hkdf_extract, hkdf_extract_into, hkdf_with_kernel};
