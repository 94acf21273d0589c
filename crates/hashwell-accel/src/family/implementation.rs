//! The implementations on which a member of the family can run.

use std::fmt;

/// An implementation. The choice never changes a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Implementation {
    /// The x86 instructions for SHA-256. They support members with the rotations of SHA-256.
    ShaNi,
    /// The Armv8 instructions for SHA-256. They support members with the rotations of SHA-256.
    Armv8,
    /// Code that is JIT-compiled for the member (feature `jit`). It supports every member.
    Jit,
    /// A portable loop that reads rounds, constants and rotations at run time. It supports every member on every CPU.
    Soft,
}

impl Implementation {
    /// All implementations, including those that this CPU does not support.
    pub const ALL: [Self; 4] = [Self::ShaNi, Self::Armv8, Self::Jit, Self::Soft];

    /// Returns the name, which `parse` accepts.
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
