//! Saves the state of a generator as bytes, so that it can be continued later.
//!
//! ```text
//! "hwdrbg", 00, version 01, length of the name (1 byte), name of the algorithm
//! flags (1: prediction resistance, 2: unchecked), strength in bits (2), requests served since
//! the last reseed, plus 1 (8), reseed interval (8), K, V (as long as the digest), checksum (8)
//! ```
//! Numbers are big-endian. The checksum is the first 8 bytes of SHA-256 of all previous bytes. It
//! detects accidental corruption but not tampering.

use super::hmac_drbg::STRENGTHS;
use super::{DrbgParams, HmacDrbg};
use crate::api::typed::Sha256;
use crate::internal::error::Error;
use crate::internal::saved::Fields;
use crate::mac::KeyedHmac;
use crate::registry;
use alloc::vec::Vec;
use zeroize::Zeroizing;

const MAGIC: &[u8; 8] = b"hwdrbg\0\x01";
const CHECKSUM: usize = 8;
const PREDICTION_RESISTANCE: u8 = 1;
const UNCHECKED: u8 = 2;

impl HmacDrbg {
    /// Returns the internal state as bytes, in the versioned format that `drbg/state.rs` describes.
    ///
    /// **Anyone who has these bytes knows all output until the next reseed**, and importing a state
    /// twice gives the same output twice. Use this method only for a generator that must outlive
    /// its process. SP 800-90A does not allow the state to leave the generator.
    ///
    /// # Errors
    /// Returns [`Error::NotInstantiated`] after [`HmacDrbg::uninstantiate`], and
    /// [`Error::SelfTestFailed`] if the known-answer test has failed.
    pub fn export_state(&mut self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check_ready()?;
        let len = self.hmac.output_len();
        let name = self.algorithm().name;
        // The list is allocated at its final size, because a list that grows leaves copies behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(64 + name.len() + 2 * len));
        let flags = if self.prediction_resistance { PREDICTION_RESISTANCE } else { 0 }
            | if self.unchecked { UNCHECKED } else { 0 };
        bytes.extend(MAGIC);
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
        bytes.push(flags);
        bytes.extend(self.strength.to_be_bytes());
        bytes.extend(self.counter.to_be_bytes());
        bytes.extend(self.interval.to_be_bytes());
        bytes.extend(&self.k[..len]);
        bytes.extend(&self.v[..len]);
        let checksum = Sha256::digest(&bytes);
        bytes.extend(&checksum[..CHECKSUM]);
        Ok(bytes)
    }

    /// Restores a generator that [`HmacDrbg::export_state`] saved. The generator uses the fastest kernel. The warnings
    /// of [`HmacDrbg::export_state`] apply.
    ///
    /// # Errors
    /// - [`Error::BadState`] if the bytes are not a saved state.
    /// - [`Error::UnknownAlgorithm`] if this version of hashwell does not have the hash.
    /// - [`Error::SelfTestFailed`] if the known-answer test fails.
    pub fn import_state(bytes: &[u8]) -> Result<Self, Error> {
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(Fields::TOO_SHORT)?;
        let mut rest = Fields(body);
        if rest.take(MAGIC.len())? != MAGIC {
            let what = "the first 8 bytes are not those of an exported state, version 1";
            return Err(Error::BadState { what });
        }
        if Sha256::digest(body)[..CHECKSUM] != checksum[..] {
            return Err(Error::BadState { what: "the checksum does not match" });
        }
        let name_len = usize::from(rest.take(1)?[0]);
        let name = core::str::from_utf8(rest.take(name_len)?);
        let algorithm = registry::find(name.map_err(|_| Error::BadState { what: "the name is not UTF-8" })?)?;
        let flags = rest.take(1)?[0];
        let strength = u16::from_be_bytes(*rest.array()?);
        let (counter, interval) = (u64::from_be_bytes(*rest.array()?), u64::from_be_bytes(*rest.array()?));
        let (k, v) = (rest.take(algorithm.output)?, rest.take(algorithm.output)?);
        let params = DrbgParams {
            strength: Some(strength.into()),
            prediction_resistance: flags & PREDICTION_RESISTANCE != 0,
            reseed_interval: Some(interval),
            ..DrbgParams::default()
        };
        let known = flags & !(PREDICTION_RESISTANCE | UNCHECKED) == 0 && STRENGTHS.contains(&strength);
        if !(known && rest.0.is_empty() && (1..=interval.saturating_add(1)).contains(&counter)) {
            return Err(Error::BadState { what: "a field has an invalid value" });
        }
        Self::restored(algorithm, &params, flags & UNCHECKED != 0, counter, k, v)
    }
}
