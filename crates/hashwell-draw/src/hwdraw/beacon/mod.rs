//! Public randomness: rounds of drand and pulses of NIST's beacon, from their JSON.

pub mod drand;
pub mod nist;
mod rsa;
