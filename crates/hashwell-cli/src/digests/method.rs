//! How a line of a list is verified: by a row of the registry, or by a checksum of the past.

use crate::digests::choice::{Choice, base_tag};
use crate::digests::legacy::Legacy;

/// How a line is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By a row of the registry.
    Row(Choice),
    /// By a checksum that is not offered for new files.
    Legacy(Legacy),
}

impl Method {
    /// The method that a tag names, for a digest of this many bytes.
    pub(crate) fn from_tag(tag: &str, len: usize) -> Option<Self> {
        let legacy =
            || Legacy::find(tag).filter(|legacy| legacy.digest_len() == len && *legacy != Legacy::Cksum);
        Choice::from_tag(tag, len).map(Method::Row).or_else(|| legacy().map(Method::Legacy))
    }

    /// The row, unless it is legacy.
    pub(crate) fn row(self) -> Option<Choice> {
        match self {
            Method::Row(choice) => Some(choice),
            Method::Legacy(_) => None,
        }
    }

    /// Bytes of the digest.
    pub fn digest_len(self) -> usize {
        match self {
            Method::Row(choice) => choice.output_len,
            Method::Legacy(legacy) => legacy.digest_len(),
        }
    }

    /// The name for messages about lines, without a length.
    pub(crate) fn title(self) -> String {
        match self {
            Method::Row(choice) => base_tag(choice.algorithm),
            Method::Legacy(legacy) => legacy.tag().to_owned(),
        }
    }
}
