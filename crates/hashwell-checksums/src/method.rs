//! The method by which a line of a list is verified: an algorithm of the registry, or a legacy checksum.

use crate::choice::{Choice, base_tag};
use crate::legacy::Legacy;

/// The length of the longest name of an algorithm.
pub const LONGEST_NAME: usize = 20;

/// The algorithm that verifies a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// An algorithm of the registry.
    Row(Choice),
    /// A legacy checksum.
    Legacy(Legacy),
}

impl Method {
    /// Finds the method that a tag names, for digests of `len` bytes.
    #[must_use]
    pub fn from_tag(tag: &str, len: usize) -> Option<Self> {
        let legacy = || {
            Legacy::find(tag).filter(|legacy| legacy.digest_len() == len && !Legacy::DECIMAL.contains(legacy))
        };
        Choice::from_tag(name_of(tag), len).map(Method::Row).or_else(|| legacy().map(Method::Legacy))
    }

    /// Finds the method that a word names, with the usual digest length. The word is from a comment or from a list's
    /// file name.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        let row = || hashwell::find(name_of(word)).ok().map(|algorithm| Method::Row(Choice::of(algorithm)));
        row().or_else(|| Legacy::find(word).map(Method::Legacy))
    }

    /// Returns the same method with digests of `len` bytes, or `None` if the method does not support this length.
    #[must_use]
    pub fn of_length(self, len: usize) -> Option<Self> {
        match self {
            Method::Row(choice) => Choice::with_len(choice.algorithm, len).map(Method::Row),
            Method::Legacy(legacy) => (legacy.digest_len() == len).then_some(self),
        }
    }

    /// The algorithm of the registry, or `None` if the method is a legacy checksum.
    #[must_use]
    pub fn row(self) -> Option<Choice> {
        match self {
            Method::Row(choice) => Some(choice),
            Method::Legacy(_) => None,
        }
    }

    /// The legacy checksum, or `None` if the method is an algorithm of the registry.
    #[must_use]
    pub fn legacy(self) -> Option<Legacy> {
        match self {
            Method::Row(_) => None,
            Method::Legacy(legacy) => Some(legacy),
        }
    }

    /// The number of bytes of the digest.
    #[must_use]
    pub fn digest_len(self) -> usize {
        match self {
            Method::Row(choice) => choice.output_len,
            Method::Legacy(legacy) => legacy.digest_len(),
        }
    }

    /// The name without a digest length, for messages about lines.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Method::Row(choice) => base_tag(choice.algorithm),
            Method::Legacy(legacy) => legacy.tag().to_owned(),
        }
    }

    /// The name in verification results, such as `sha3-256`, `blake2b-160` or `crc32b`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Method::Row(choice) => choice.name(),
            Method::Legacy(legacy) => legacy.tag().to_ascii_lowercase(),
        }
    }
}

/// The registry's name of an algorithm. Also accepts the names that only FreeBSD's programs use, such as `SHA512t256`.
fn name_of(word: &str) -> &str {
    match word {
        "SHA512t224" | "sha512t224" => "sha512-224",
        "SHA512t256" | "sha512t256" => "sha512-256",
        other => other,
    }
}
