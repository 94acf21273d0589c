//! HKDF (RFC 5869), over any registry row that HMAC accepts.

use crate::internal::error::Error;
use crate::internal::keyed::MAX_DIGEST;
use crate::internal::wipe;
use crate::mac::{KeyedHmac, PlainHmac, RowHmac, check, hmac};
use crate::registry::Algorithm;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// HKDF-Extract (section 2.2): the pseudorandom key, as long as the digest. No salt is the same as a
/// salt of zeros as long as the digest.
///
/// # Errors
/// As [`Hmac::new`](crate::Hmac::new).
pub fn hkdf_extract(algorithm: &'static Algorithm, salt: &[u8], ikm: &[u8]) -> Result<Vec<u8>, Error> {
    // HMAC fills a short key with zeros, so an empty salt needs no special case.
    hmac(algorithm, salt, ikm)
}

/// [`hkdf_extract`] for the caller's memory.
///
/// # Errors
/// As [`hkdf_extract`], and [`Error::OutOfRange`] if `prk` is not as long as the digest.
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

/// HKDF-Expand (section 2.3): fills `okm` with key material bound to `info`.
///
/// # Errors
/// [`Error::OutOfRange`] if `okm` is longer than 255 digests or `prk` is shorter than one; as
/// [`Hmac::new`](crate::Hmac::new). `okm` is not touched then.
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
    // In place, so that there is no memory to be refused.
    let mut hmac = RowHmac::new(algorithm, kernel, None)?;
    wipe::after(algorithm.family.depth(), || {
        hmac.set_key(prk);
        // T(i) = HMAC(PRK, T(i-1) ‖ info ‖ i), T(0) empty.
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

/// HKDF: extract, then expand.
///
/// # Errors
/// As [`hkdf_expand`].
pub fn hkdf(
    algorithm: &'static Algorithm,
    ikm: &[u8],
    salt: &[u8],
    info: &[u8],
    okm: &mut [u8],
) -> Result<(), Error> {
    hkdf_with_kernel(algorithm, ikm, salt, info, okm, None)
}

/// As [`hkdf`], on the kernel of this name.
///
/// # Errors
/// As [`hkdf`], and [`Error::UnknownKernel`] or [`Error::UnavailableKernel`].
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
