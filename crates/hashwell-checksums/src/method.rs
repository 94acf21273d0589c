//! How a line of a list is verified: by an algorithm of the registry, or by a legacy checksum.

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
    /// The method that a tag names, for a digest of this number of bytes.
    #[must_use]
    pub fn from_tag(tag: &str, len: usize) -> Option<Self> {
        let legacy = || {
            Legacy::find(tag).filter(|legacy| legacy.digest_len() == len && !Legacy::DECIMAL.contains(legacy))
        };
        Choice::from_tag(name_of(tag), len).map(Method::Row).or_else(|| legacy().map(Method::Legacy))
    }

    /// The method that a word of a comment or of a list's name refers to, with digests of the usual length.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        let row = || hashwell::find(name_of(word)).ok().map(|algorithm| Method::Row(Choice::of(algorithm)));
        row().or_else(|| Legacy::find(word).map(Method::Legacy))
    }

    /// The same method with digests of this number of bytes, if it supports this length.
    #[must_use]
    pub fn of_length(self, len: usize) -> Option<Self> {
        match self {
            Method::Row(choice) => Choice::with_len(choice.algorithm, len).map(Method::Row),
            Method::Legacy(legacy) => (legacy.digest_len() == len).then_some(self),
        }
    }

    /// The row, unless it is a legacy checksum.
    #[must_use]
    pub fn row(self) -> Option<Choice> {
        match self {
            Method::Row(choice) => Some(choice),
            Method::Legacy(_) => None,
        }
    }

    /// The legacy checksum, if it is one.
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

    /// The name without a length, for messages about lines.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Method::Row(choice) => base_tag(choice.algorithm),
            Method::Legacy(legacy) => legacy.tag().to_owned(),
        }
    }

    /// The name for verdicts: `sha3-256`, `blake2b-160`, `crc32b`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Method::Row(choice) => choice.name(),
            Method::Legacy(legacy) => legacy.tag().to_ascii_lowercase(),
        }
    }
}

/// The name of an algorithm, also for the names of FreeBSD's programs that nothing else uses.
fn name_of(word: &str) -> &str {
    match word {
        "SHA512t224" | "sha512t224" => "sha512-224",
        "SHA512t256" | "sha512t256" => "sha512-256",
        other => other,
    }
}
