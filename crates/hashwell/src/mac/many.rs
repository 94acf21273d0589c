//! Computes many HMAC tags at once.
//!
//! ```text
//! one key:    inner hashes: all messages, from the keyed inner state       tags: from the keyed outer state
//! many keys:  one block per key; long keys are hashed to their blocks in SIMD lanes
//!             inner hashes: each message after its block ⊕ ipad            tags: after its block ⊕ opad
//! ```

use super::hmac::fresh;
use crate::families::{Jobs, State};
use crate::internal::batch::Messages;
use crate::internal::error::Error;
use crate::internal::keyed::{Keyed, key_block, pad_for_inner, pad_for_outer};
use crate::internal::try_alloc;
use crate::internal::wipe;
use crate::registry::Algorithm;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Returns HMAC tags of many messages with one key, of one message with many keys, or of each message with its own key.
/// The tags are concatenated in order.
///
/// `keys` and `messages` must have the same length, or one of them must contain exactly one
/// element.
///
/// ```
/// let sha256 = hashwell::find("sha256")?;
/// let tags = hashwell::hmac_many(sha256, &["a secret key"], &["first", "second"])?;
/// assert_eq!(tags[32..], hashwell::hmac(sha256, b"a secret key", b"second")?);
/// # Ok::<(), hashwell::Error>(())
/// ```
///
/// # Errors
/// - [`Error::Unsupported`] if HMAC is not defined over the algorithm, as in [`crate::Hmac::new`].
/// - [`Error::OutOfRange`] if the numbers of keys and messages do not match.
/// - [`Error::OutOfMemory`] if an allocation fails.
pub fn hmac_many<K: AsRef<[u8]>, M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    keys: &[K],
    messages: &[M],
) -> Result<Vec<u8>, Error> {
    hmac_many_with_kernel(algorithm, keys, messages, None)
}

/// Returns tags like [`hmac_many`], with the kernel of this name: a batch kernel, or a
/// single-message kernel to compute the tags one at a time.
///
/// # Errors
/// Returns the same errors as [`hmac_many`], and [`Error::UnknownKernel`] or [`Error::UnavailableKernel`] if the kernel
/// cannot be used.
pub fn hmac_many_with_kernel<K: AsRef<[u8]>, M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    keys: &[K],
    messages: &[M],
    kernel: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let kernel = kernel.map(|name| algorithm.family.check_kernel(name)).transpose()?;
    let count = if keys.len() == 1 { messages.len() } else { keys.len() };
    if messages.len() != 1 && messages.len() != count {
        let expected = count as u64;
        return Err(algorithm.out_of_range(
            "messages",
            "messages",
            expected,
            expected,
            messages.len() as u64,
        ));
    }
    super::check(algorithm)?;
    // The lanes of a batch use more stack than one message.
    wipe::try_after(wipe::Depth::Most, || {
        let fresh = || fresh(algorithm, algorithm.chain_kernel(kernel));
        let message = |i: usize| messages[if messages.len() == 1 { 0 } else { i }].as_ref();
        let batch = Batch { algorithm, kernel, messages: Messages::new(count, &message) };
        match keys {
            // Makes two equal states instead of a copy, because an allocation failure while copying
            // a large state would abort the process.
            [key] => batch.under_one_key([fresh()?, fresh()?], key.as_ref()),
            keys => batch.under_own_keys(&fresh()?, keys),
        }
    })
}

/// The messages to authenticate.
struct Batch<'a, 'm> {
    algorithm: &'static Algorithm,
    kernel: Option<&'static str>,
    messages: Messages<'a, 'm>,
}

impl Batch<'_, '_> {
    fn under_one_key(&self, fresh: [State; 2], key: &[u8]) -> Result<Vec<u8>, Error> {
        let mut keyed = Keyed::of(self.algorithm.block, self.algorithm.output, fresh, key);
        let tags = self.digests(&keyed.inner, self.messages).map(Zeroizing::new).and_then(|hashed| {
            let hash = |i: usize| self.digest(&hashed, i);
            self.digests(&keyed.outer, Messages::new(self.messages.count, &hash))
        });
        keyed.inner.erase();
        keyed.outer.erase();
        tags
    }

    /// Returns the tags of as many messages as there are keys.
    fn under_own_keys<K: AsRef<[u8]>>(&self, fresh: &State, keys: &[K]) -> Result<Vec<u8>, Error> {
        let block_len = self.algorithm.block;
        let mut blocks = self.key_blocks(fresh, keys)?;
        pad_for_inner(&mut blocks);
        let hashed = Zeroizing::new(self.digests(fresh, self.messages.with_prefixes(&blocks, block_len))?);
        pad_for_outer(&mut blocks);
        let hash = |i: usize| self.digest(&hashed, i);
        self.digests(fresh, Messages::new(keys.len(), &hash).with_prefixes(&blocks, block_len))
    }

    /// Returns the keys, each in a block without a pad. Keys longer than a block are hashed in a
    /// batch.
    fn key_blocks<K: AsRef<[u8]>>(&self, fresh: &State, keys: &[K]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let Algorithm { block, output, .. } = *self.algorithm;
        let mut blocks = Zeroizing::new(try_alloc::zeros(keys.len() * block)?);
        let mut long = try_alloc::list(keys.iter().filter(|key| key.as_ref().len() > block).count())?;
        for (key, block) in keys.iter().zip(blocks.chunks_exact_mut(block)) {
            key_block(key.as_ref(), block, output, |key, digest| long.push((key, digest)));
        }
        if long.is_empty() {
            return Ok(blocks);
        }
        let key = |i: usize| long[i].0;
        let digests = Zeroizing::new(self.digests(fresh, Messages::new(long.len(), &key))?);
        for ((_, place), digest) in long.iter_mut().zip(digests.chunks_exact(output)) {
            place.copy_from_slice(digest);
        }
        Ok(blocks)
    }

    fn digests(&self, start: &State, messages: Messages<'_, '_>) -> Result<Vec<u8>, Error> {
        let output_len = self.algorithm.output;
        let mut out = try_alloc::zeros(messages.count * output_len)?;
        let jobs = Jobs { messages, output_len, secret: true };
        self.algorithm.family.digest_many(start, &jobs, self.kernel, &mut out);
        Ok(out)
    }

    fn digest<'d>(&self, digests: &'d [u8], i: usize) -> &'d [u8] {
        let len = self.algorithm.output;
        &digests[i * len..][..len]
    }
}
