//! HKDF (RFC 5869) over any algorithm that supports HMAC.

use crate::internal::error::Error;
use crate::internal::keyed::MAX_DIGEST;
use crate::internal::wipe;
use crate::mac::{KeyedHmac, PlainHmac, RowHmac, check, hmac};
use crate::registry::Algorithm;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Extracts a pseudorandom key from input key material (HKDF-Extract, RFC 5869 section 2.2). The pseudorandom key is as
/// long as the digest.
///
/// An empty salt has the same effect as a salt of zeros that is as long as the digest.
///
/// # Errors
/// Returns the same errors as [`Hmac::new`](crate::Hmac::new).
pub fn hkdf_extract(algorithm: &'static Algorithm, salt: &[u8], ikm: &[u8]) -> Result<Vec<u8>, Error> {
    // HMAC pads a short key with zeros, so an empty salt needs no special case.
    hmac(algorithm, salt, ikm)
}

/// Writes the result of [`hkdf_extract`] to `prk`.
///
/// # Errors
/// Returns the same errors as [`hkdf_extract`], and [`Error::OutOfRange`] if `prk` does not have the length of the
/// digest.
pub fn hkdf_extract_into(
    algorithm: &'static Algorithm,
    salt: &[u8],
    ikm: &[u8],
    prk: &mut [u8],
) -> Result<(), Error> {
    let (len, got) = (algorithm.output as u64, prk.len() as u64);
    if algorithm.hmac && len != got {
        return Err(algorithm.out_of_range("HKDF pseudorandom key length", "bytes", len, len, got));
    }
    PlainHmac::tag_of(algorithm, salt, ikm, prk)
}

/// Fills `okm` with key material that depends on `prk` and `info` (HKDF-Expand, RFC 5869 section 2.3).
///
/// # Errors
/// - [`Error::OutOfRange`] if `okm` is longer than 255 digests, or if `prk` is shorter than one digest.
/// - The same errors as [`Hmac::new`](crate::Hmac::new).
///
/// After an error, `okm` is unchanged.
pub fn hkdf_expand(
    algorithm: &'static Algorithm,
    prk: &[u8],
    info: &[u8],
    okm: &mut [u8],
) -> Result<(), Error> {
    expand(algorithm, prk, info, okm, None)
}

fn expand(
    algorithm: &'static Algorithm,
    prk: &[u8],
    info: &[u8],
    okm: &mut [u8],
    kernel: Option<&str>,
) -> Result<(), Error> {
    let out_of_range = |what, min: usize, max: u64, got: usize| Error::OutOfRange {
        algorithm: algorithm.name,
        what,
        unit: "bytes",
        min: min as u64,
        max,
        got: got as u64,
    };
    let len = algorithm.output;
    check(algorithm)?;
    if okm.len() > 255 * len {
        return Err(out_of_range("HKDF output length", 0, 255 * len as u64, okm.len()));
    }
    if prk.len() < len {
        return Err(out_of_range("HKDF pseudorandom key length", len, u64::MAX, prk.len()));
    }
    // The HMAC is on the stack, so that no allocation can fail.
    let mut hmac = RowHmac::new(algorithm, kernel, None)?;
    wipe::after(algorithm.family.depth(), || {
        hmac.set_key(prk);
        // T(i) = HMAC(PRK, T(i-1) ‖ info ‖ i), where T(0) is empty.
        let (mut before, mut t) = (Zeroizing::new([0; MAX_DIGEST]), Zeroizing::new([0; MAX_DIGEST]));
        let mut before_len = 0;
        for (counter, chunk) in (1..=255).zip(okm.chunks_mut(len)) {
            hmac.tag(&[&before[..before_len], info, &[counter]], &mut t[..len]);
            chunk.copy_from_slice(&t[..chunk.len()]);
            (*before, before_len) = (*t, len);
        }
        hmac.wipe();
    });
    Ok(())
}

/// Derives key material with HKDF: extract, then expand.
///
/// ```
/// let mut key = [0; 32];
/// hashwell::hkdf(hashwell::find("sha256")?, b"input key material", b"salt", b"my application", &mut key)?;
/// # Ok::<(), hashwell::Error>(())
/// ```
///
/// # Errors
/// Returns the same errors as [`hkdf_expand`].
pub fn hkdf(
    algorithm: &'static Algorithm,
    ikm: &[u8],
    salt: &[u8],
    info: &[u8],
    okm: &mut [u8],
) -> Result<(), Error> {
    hkdf_with_kernel(algorithm, ikm, salt, info, okm, None)
}

/// Derives key material like [`hkdf`], with the kernel of this name.
///
/// # Errors
/// Returns the same errors as [`hkdf`], and [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel
/// cannot be used.
pub fn hkdf_with_kernel(
    algorithm: &'static Algorithm,
    ikm: &[u8],
    salt: &[u8],
    info: &[u8],
    okm: &mut [u8],
    kernel: Option<&str>,
) -> Result<(), Error> {
    let mut prk = Zeroizing::new([0; MAX_DIGEST]);
    check(algorithm)?;
    let prk = &mut prk[..algorithm.output];
    let mut extract = RowHmac::new(algorithm, kernel, None)?;
    wipe::after(algorithm.family.depth(), || {
        extract.set_key(salt);
        extract.tag(&[ikm], prk);
        extract.wipe();
    });
    expand(algorithm, prk, info, okm, kernel)
}
