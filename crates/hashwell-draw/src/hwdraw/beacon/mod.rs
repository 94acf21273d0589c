//! Public randomness: rounds of drand and pulses of NIST's beacon, from their JSON.

pub mod drand;
pub mod nist;
#[cfg(feature = "nist")]
mod rsa;
mod signatures;

/// Enables the verification of signatures in this process: drand's if the feature `drand` is enabled, and NIST's if the
/// feature `nist` is enabled. Before this call, or without the features, signatures are reported as unverified, and a
/// round in the form that drand's servers publish is rejected. The features have no effect without this call, because a
/// different crate of the build may have enabled them.
#[cfg(any(feature = "drand", feature = "nist"))]
pub fn verify_signatures() {
    // A second call keeps the function that the first one set.
    #[cfg(feature = "drand")]
    let _ = signatures::DRAND.set(drand::signed);
    #[cfg(feature = "nist")]
    let _ = signatures::NIST.set(rsa::verify);
}
