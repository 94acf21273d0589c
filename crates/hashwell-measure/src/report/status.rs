//! What is known of an algorithm, by the registry of this version.

use super::ceiling;
use hashwell::Status;

/// What is known of an algorithm, in the order in which tables have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// As [`Status::Sound`].
    Sound,
    /// As [`Status::Legacy`].
    Legacy,
    /// As [`Status::Experimental`].
    Experimental,
    /// No row of this version's registry.
    Unknown,
    /// As [`Status::Broken`].
    Broken,
    /// A checksum, there to show how fast memory can be read, and no cryptographic hash.
    Checksum,
}

impl Standing {
    /// By the registry of this version, whatever was known when a report was made.
    #[must_use]
    pub fn of(algorithm: &str) -> Self {
        match hashwell::find(algorithm).map(|row| row.status) {
            Ok(Status::Sound) => Self::Sound,
            Ok(Status::Legacy) => Self::Legacy,
            Ok(Status::Experimental) => Self::Experimental,
            Ok(Status::Broken) => Self::Broken,
            Err(_) if algorithm == ceiling::ALGORITHM => Self::Checksum,
            Ok(_) | Err(_) => Self::Unknown,
        }
    }

    /// In lower case.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sound => Status::Sound.name(),
            Self::Legacy => Status::Legacy.name(),
            Self::Experimental => Status::Experimental.name(),
            Self::Unknown => "unknown",
            Self::Broken => Status::Broken.name(),
            Self::Checksum => "checksum",
        }
    }

    /// The title with what a reader has to know of it: `SHA-1, broken`.
    #[must_use]
    pub fn titled(self, title: &str) -> String {
        match self {
            Self::Sound => title.to_owned(),
            Self::Checksum => format!("{title} †"),
            other => format!("{title}, {}", other.word()),
        }
    }
}
