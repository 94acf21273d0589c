//! The keys of seeded streams, which all sources derive in the same way (`docs/guides/random.md`).

use crate::api::typed::Sha256;
#[cfg(feature = "os-random")]
use crate::drbg::{EntropySource, OsEntropy};
use crate::families::md::Md;
use crate::families::sha2;
use crate::internal::cores::Core;
#[cfg(feature = "os-random")]
use crate::internal::error::Error;
use crate::internal::wipe::{self, Depth};
use zeroize::{Zeroize, Zeroizing};

pub(super) type Key = [u8; 32];

/// The purpose of a child key: the byte between the parent's key and the child's number. The specification of draws,
/// hwdraw/1, uses 0 to 2.
#[derive(Clone, Copy)]
pub(super) enum Child {
    Spawned = 3,
    Jumped = 4,
    Words = 5,
}

/// The key of a seeded stream, as it is stored in a saved state: a key K and a number of jumps.
#[derive(Clone, PartialEq, Eq)]
pub struct StreamKey {
    /// The key K of the stream from which the jumps are counted.
    pub root: [u8; 32],
    /// The number of streams to jump over. The number 0 means the stream of `root` itself.
    pub jumps: u64,
}

impl StreamKey {
    /// Returns the key of a random stream, which is the key of a draw with the open frame (see
    /// [`StreamKey::for_frame`]).
    pub(super) fn derive(seed: &[u8], personalization: &[u8]) -> Self {
        Self::for_frame(seed, personalization, &[0; 32])
    }

    /// Returns the key of a draw from a frame.
    ///
    /// A *frame* is the digest of the list from which you draw. The *open frame*, which consists of 32 zero bytes,
    /// gives the key of a random stream.
    ///
    /// The key is K = SHA-256("hwdraw/1" ‖ len(seed) ‖ seed ‖ len(personalization) ‖ personalization ‖ frame), with
    /// lengths as 8 bytes, big-endian.
    #[must_use]
    pub fn for_frame(seed: &[u8], personalization: &[u8], frame: &[u8; 32]) -> Self {
        // On the stack, so that no allocation can fail.
        let mut hash = Md::new(&sha2::SHA256);
        hash.update(b"hwdraw/1");
        for field in [seed, personalization] {
            hash.update(&(field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        hash.update(frame);
        let mut root = [0; 32];
        hash.finalize_into(&mut root);
        hash.zeroize();
        wipe::below(Depth::Usual);
        Self { root, jumps: 0 }
    }

    /// Returns a key from the operating system for this personalization.
    #[cfg(feature = "os-random")]
    pub(super) fn fresh(personalization: &[u8]) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; 32]);
        OsEntropy.fill(&mut *seed)?;
        Ok(Self::derive(&*seed, personalization))
    }

    /// Returns SHA-256(K ‖ purpose ‖ number as 8 bytes, big-endian).
    pub(super) fn child(key: &Key, purpose: Child, number: u64) -> Key {
        let mut message = Zeroizing::new([0; 32 + 1 + 8]);
        message[..32].copy_from_slice(key);
        message[32] = purpose as u8;
        message[33..].copy_from_slice(&number.to_be_bytes());
        Sha256::digest(&*message)
    }

    /// Returns the key from which the stream is generated.
    pub(super) fn effective(&self) -> Zeroizing<Key> {
        Zeroizing::new(match self.jumps {
            0 => self.root,
            jumps => Self::child(&self.root, Child::Jumped, jumps),
        })
    }
}

impl Drop for StreamKey {
    fn drop(&mut self) {
        self.root.zeroize();
    }
}

impl core::fmt::Debug for StreamKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("StreamKey")
    }
}
