//! The ways in which a member of the family can run.

use std::fmt;

/// A way to hash. None of them ever changes a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Implementation {
    /// The x86 instructions for SHA-256; for members with SHA-256's rotations.
    ShaNi,
    /// The Armv8 instructions for SHA-256; for members with SHA-256's rotations.
    Armv8,
    /// Code made for the member at run time (feature `jit`); for every member.
    Jit,
    /// A portable loop that reads rounds, constants and rotations as it runs; for every member, anywhere.
    Soft,
}

impl Implementation {
    /// All of them, whether this processor has them or not.
    pub const ALL: [Self; 4] = [Self::ShaNi, Self::Armv8, Self::Jit, Self::Soft];

    /// What it is called, and parsed from.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ShaNi => "sha-ni",
            Self::Armv8 => "armv8-sha2",
            Self::Jit => "jit",
            Self::Soft => "soft",
        }
    }
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
