//! The keys of seeded streams: one rule for all sources (`docs/guides/random.md`).

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

/// What a child key is for: the byte between the parent's key and the child's number. hwdraw/1 uses 0 to 2.
#[derive(Clone, Copy)]
pub(super) enum Child {
    Spawned = 3,
    Jumped = 4,
    Words = 5,
}

/// The key of a seeded stream, in the form that a state is saved in: K, and how often it jumped.
#[derive(Clone, PartialEq, Eq)]
pub struct StreamKey {
    /// K of the stream that the jumps count from.
    pub root: [u8; 32],
    /// Streams jumped over; 0 is the stream of `root` itself.
    pub jumps: u64,
}

impl StreamKey {
    /// The key of a random stream, which is a draw with the open frame.
    pub(super) fn derive(seed: &[u8], personalization: &[u8]) -> Self {
        Self::for_frame(seed, personalization, &[0; 32])
    }

    /// The key of a draw from a frame, the digest of the list of what is drawn from; 32 zero bytes are the open frame, whose
    /// key is a random stream's. K = SHA-256("hwdraw/1" ‖ len(seed) ‖ seed ‖ len(personalization) ‖ personalization ‖
    /// frame), lengths as 8 bytes, big-endian.
    #[must_use]
    pub fn for_frame(seed: &[u8], personalization: &[u8], frame: &[u8; 32]) -> Self {
        // In place, so that there is no memory to be refused.
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

    /// A key of the operating system's, for whoever the personalization names.
    #[cfg(feature = "os-random")]
    pub(super) fn fresh(personalization: &[u8]) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; 32]);
        OsEntropy.fill(&mut *seed)?;
        Ok(Self::derive(&*seed, personalization))
    }

    /// SHA-256(K ‖ purpose ‖ number as 8 bytes, big-endian).
    pub(super) fn child(key: &Key, purpose: Child, number: u64) -> Key {
        let mut message = Zeroizing::new([0; 32 + 1 + 8]);
        message[..32].copy_from_slice(key);
        message[32] = purpose as u8;
        message[33..].copy_from_slice(&number.to_be_bytes());
        Sha256::digest(&*message)
    }

    /// The key that the stream is made of.
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
