//! Public randomness: rounds of drand and pulses of NIST's beacon, from their JSON.

pub mod drand;
pub mod nist;
#[cfg(feature = "nist")]
mod rsa;
mod signatures;

/// From now on this process verifies signatures: of drand with feature `drand`, of NIST with `nist`. Until then, as without the
/// features, they are said to be unverified, and a round as drand's servers give it is refused. The features alone change
/// nothing, since any other crate of a build may ask for them.
#[cfg(any(feature = "drand", feature = "nist"))]
pub fn verify_signatures() {
    // Whoever comes second finds what the first has set.
    #[cfg(feature = "drand")]
    let _ = signatures::DRAND.set(drand::signed);
    #[cfg(feature = "nist")]
    let _ = signatures::NIST.set(rsa::verify);
}
