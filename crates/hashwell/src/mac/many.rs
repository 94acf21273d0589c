//! Many HMAC tags at once.

use super::hmac::states;
use crate::families::{Jobs, State};
use crate::ground::error::Error;
use crate::ground::wipe;
use crate::registry::Algorithm;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// HMAC tags: of many messages under one key, of one message under many keys, or of each message under its
/// own key. The tags come in order, one after the other.
///
/// * `keys` and `messages`: equally many, or one of either.
///
/// # Errors
/// [`Error::Unsupported`] as for [`crate::Hmac::new`]; [`Error::OutOfRange`] if the numbers do not match.
pub fn hmac_many<K: AsRef<[u8]>, M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    keys: &[K],
    messages: &[M],
) -> Result<Vec<u8>, Error> {
    hmac_many_with_kernel(algorithm, keys, messages, None)
}

/// As [`hmac_many`], on the kernel of this name: a batch kernel, or a chain kernel to go one by one.
///
/// # Errors
/// As [`hmac_many`], and [`Error::UnknownBackend`] or [`Error::UnavailableBackend`].
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
    if !algorithm.hmac {
        return Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" });
    }
    wipe::after(algorithm.family.leaves_blocks(), || tag_many(algorithm, keys, messages, kernel, count))
}

fn tag_many<K: AsRef<[u8]>, M: AsRef<[u8]>>(
    algorithm: &'static Algorithm,
    keys: &[K],
    messages: &[M],
    kernel: Option<&'static str>,
    count: usize,
) -> Result<Vec<u8>, Error> {
    let (mut inner, mut outer) = (Vec::with_capacity(keys.len()), Vec::with_capacity(keys.len()));
    for key in keys {
        let (i, o) = states(algorithm, key.as_ref(), algorithm.chain_kernel(kernel))?;
        inner.push(i);
        outer.push(o);
    }
    let len = algorithm.output;
    let mut hashed = Zeroizing::new(vec![0; count * len]);
    let message = |i: usize| messages[if messages.len() == 1 { 0 } else { i }].as_ref();
    algorithm.family.digest_many(
        &Jobs { starts: &inner, count, message: &message, output_len: len, secret: true },
        kernel,
        &mut hashed,
    );
    let mut tags = vec![0; count * len];
    algorithm.family.digest_many(
        &Jobs {
            starts: &outer,
            count,
            message: &|i| &hashed[i * len..][..len],
            output_len: len,
            secret: true,
        },
        kernel,
        &mut tags,
    );
    inner.iter_mut().chain(&mut outer).for_each(State::erase);
    Ok(tags)
}
