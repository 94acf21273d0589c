//! The security status of an algorithm, according to the registry of this version.

use super::ceiling;
use hashwell::Status;

/// The standing of an algorithm, in the order of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Same as [`Status::Sound`].
    Sound,
    /// Same as [`Status::Legacy`].
    Legacy,
    /// Same as [`Status::Experimental`].
    Experimental,
    /// This version's registry has no such row.
    Unknown,
    /// Same as [`Status::Broken`].
    Broken,
    /// A checksum, not a cryptographic hash. It is included to show how fast memory can be read.
    Checksum,
}

impl Standing {
    /// The standing according to the registry of this version, regardless of the status when a report was made.
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

    /// The standing as a word in lower case.
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

    /// The title, with a remark that a reader must know: `SHA-1, broken`.
    #[must_use]
    pub fn titled(self, title: &str) -> String {
        match self {
            Self::Sound => title.to_owned(),
            Self::Checksum => format!("{title} †"),
            other => format!("{title}, {}", other.word()),
        }
    }
}
