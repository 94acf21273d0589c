//! The identifier that is requested, and the algorithms it is defined for.

use crate::options::args::SumOptions;
use crate::system::report::Failure;
use hashwell_checksums::Choice;
use hashwell_git::object::object_header;

/// The kind of identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Git's object id of a file's content.
    GitBlob,
    /// Git's object id of a directory.
    GitTree,
    /// SWHID of a file's content or of a directory.
    Swhid,
    /// Go's hash of a directory or of a module's zip file.
    H1,
    /// Nix's hash of a file, a link or a directory.
    Nar,
}

impl Kind {
    /// The requested kind, if any.
    pub(crate) fn of(options: &SumOptions) -> Option<Self> {
        match options {
            SumOptions { git_blob: true, .. } => Some(Kind::GitBlob),
            SumOptions { git_tree: true, .. } => Some(Kind::GitTree),
            SumOptions { swhid: true, .. } => Some(Kind::Swhid),
            SumOptions { go_h1: true, .. } => Some(Kind::H1),
            SumOptions { nar: true, .. } => Some(Kind::Nar),
            _ => None,
        }
    }

    /// The option that requests this kind.
    pub(crate) fn option(self) -> &'static str {
        match self {
            Kind::GitBlob => "--git-blob",
            Kind::GitTree => "--git-tree",
            Kind::Swhid => "--swhid",
            Kind::H1 => "--go-h1",
            Kind::Nar => "--nar",
        }
    }

    /// The algorithms that the identifier is defined for, the usual one first.
    fn algorithms(self) -> &'static [&'static str] {
        match self {
            Kind::GitBlob | Kind::GitTree => &["sha1", "sha256"],
            Kind::Swhid => &["sha1"],
            Kind::H1 => &["sha256"],
            Kind::Nar => &["sha256", "sha1", "sha512"],
        }
    }

    /// The header that is hashed before the bytes of a file of this size.
    pub(super) fn header(self, size: u64) -> Vec<u8> {
        match self {
            Kind::H1 => Vec::new(),
            _ => object_header("blob", size),
        }
    }

    /// The algorithm that `-a` names, or the usual one.
    pub(super) fn choice(self, asked: &[String]) -> Result<Choice, Failure> {
        let known = self.algorithms();
        let name = match asked {
            [] => known[0],
            [name] => name,
            more => {
                let message = format!("{} requires exactly one algorithm, not {}", self.option(), more.len());
                return Err(Failure::Usage(message));
            }
        };
        let choice = Choice::find(name, None).map_err(Failure::Usage)?;
        if known.contains(&choice.algorithm.name) {
            return Ok(choice);
        }
        let known = match known {
            [first @ .., last] if first.len() > 1 => format!("{} and {last}", first.join(", ")),
            known => known.join(" and "),
        };
        Err(Failure::Usage(format!("{} supports only {known}, not {}", self.option(), choice.algorithm.name)))
    }
}
