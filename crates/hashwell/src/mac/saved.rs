//! Saves HMACs and KMACs in progress as bytes (`docs/spec/state.md`). The bytes contain the key, or
//! values that can replace it.

use super::{Hmac, Kmac, KmacVariant, PlainHmac};
use crate::api::saved::{SavedKind, Saving, save_secret};
use crate::families::keccak;
use crate::internal::error::Error;
use crate::internal::saved::{Saved, check_continued, secret_of};
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, by_id};
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use zeroize::{Zeroize, Zeroizing};

/// The registry ids of cSHAKE128 and cSHAKE256, on which KMAC128 and KMAC256 are based.
const CSHAKES: [u32; 2] = [14, 15];

fn save_hmac(
    algorithm: &Algorithm,
    [inner, outer]: [&dyn Saved; 2],
    message: &dyn Saved,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let length = message.message_len() - inner.message_len();
    save_secret(SavedKind::Hmac, algorithm, &[], length, &[inner, outer, message])
}

/// Restores the state of a message that follows the block of a key. `message` has the state before
/// any input.
fn restore_message(mut saving: Saving<'_>, inner: &dyn Saved, message: &mut dyn Saved) -> Result<(), Error> {
    let start = secret_of(inner)?;
    message.restore(inner.message_len() + saving.length, &mut saving.core)?;
    check_continued(&start, message, saving.length)?;
    saving.end()
}

impl Hmac {
    /// Saves the state of an HMAC in progress as bytes. [`Hmac::from_secret_bytes`] restores it.
    ///
    /// **Anyone who has these bytes can compute valid tags without the key.** For some algorithms, the bytes even
    /// contain the key. Store them only where you would store the key, and encrypt and authenticate them like the key.
    /// The returned memory is overwritten when it is dropped.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_secret_bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let keyed = &self.states.keyed;
        save_hmac(self.algorithm, [&keyed.inner, &keyed.outer], &self.states.message)
    }

    /// Restores an HMAC that [`Hmac::to_secret_bytes`] or [`PlainHmac::to_secret_bytes`] saved. The HMAC uses the
    /// fastest kernel.
    ///
    /// # Errors
    /// - [`Error::BadState`] if the bytes are not the saved state of an HMAC, or if no message of the saved length
    ///   leads to this state. Without the message, only some such states can be detected.
    /// - [`Error::Unsupported`] if HMAC is not defined over the algorithm.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Self, Error> {
        wipe::try_after(Depth::Most, || {
            let mut saving = Saving::read(bytes, SavedKind::Hmac)?;
            let mut hmac = Self::unkeyed(saving.algorithm)?;
            let states = &mut *hmac.states;
            states.keyed.restore(&mut saving.core)?;
            restore_message(saving, &states.keyed.inner, &mut states.message)?;
            Ok(hmac)
        })
    }
}

impl PlainHmac {
    /// Returns the same bytes as [`Hmac::to_secret_bytes`]. The warning of that method applies.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_secret_bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        wipe::try_after(Depth::Most, || {
            self.keyed.lend_states(|states| save_hmac(self.algorithm(), states, &self.message))
        })
    }

    /// Restores an HMAC that [`Hmac::to_secret_bytes`] or [`PlainHmac::to_secret_bytes`] saved, directly in `place`.
    ///
    /// # Errors
    /// Returns the same errors as [`Hmac::from_secret_bytes`]. After an error, `place` may have been overwritten, but
    /// it contains no key.
    pub fn from_secret_bytes_in<'a>(
        bytes: &[u8],
        place: &'a mut MaybeUninit<Self>,
    ) -> Result<&'a mut Self, Error> {
        wipe::try_after(Depth::Most, || {
            let mut saving = Saving::read(bytes, SavedKind::Hmac)?;
            let hmac = Self::unkeyed(saving.algorithm, |hmac| place.write(hmac))?;
            let Self { keyed, message } = &mut *hmac;
            let restored = keyed
                .restore(&mut saving.core)
                .and_then(|()| keyed.lend_states(|[inner, _]| restore_message(saving, inner, message)));
            match restored {
                Ok(()) => Ok(hmac),
                Err(error) => {
                    hmac.zeroize();
                    Err(error)
                }
            }
        })
    }
}

impl Kmac {
    /// Saves the state of a KMAC in progress as bytes. [`Kmac::from_secret_bytes`] restores it.
    ///
    /// **Anyone who has these bytes can compute valid tags without the key.** Store them only where you would store the
    /// key, and encrypt and authenticate them like the key. The returned memory is overwritten when it is dropped.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_secret_bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let cshake = by_id(CSHAKES[self.variant as usize]);
        let cshake = cshake.unwrap_or_else(|| unreachable!("they are in the registry"));
        let length = self.sponge.message_len();
        save_secret(SavedKind::Kmac, cshake, &[], length, &[&self.keyed, &self.sponge])
    }

    /// Restores a KMAC that [`Kmac::to_secret_bytes`] saved. The KMAC uses the fastest kernel.
    ///
    /// # Errors
    /// - [`Error::BadState`] if the bytes are not the saved state of a KMAC, or if no message of the saved length leads
    ///   to this state. Without the message, only some such states can be detected.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Self, Error> {
        wipe::try_after(Depth::Usual, || {
            let mut saving = Saving::read(bytes, SavedKind::Kmac)?;
            let variant = CSHAKES.iter().position(|id| *id == saving.algorithm.id);
            let variant = variant.map(|index| KmacVariant::ALL[index]);
            let variant = variant.ok_or(Error::BadState { what: "its algorithm is not used by KMAC" })?;
            let mut keyed = keccak::State::new(variant.shake());
            keyed.set_suffix(keccak::CSHAKE_SUFFIX);
            keyed.restore_start(&mut saving.core)?;
            let mut kmac = Self { variant, sponge: keyed.clone(), keyed };
            kmac.sponge.restore(saving.length, &mut saving.core)?;
            saving.end()?;
            Ok(kmac)
        })
    }
}
