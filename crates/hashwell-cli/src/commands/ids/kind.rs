//! The identifier that is requested, and the algorithms it is defined for.

use crate::options::args::SumOptions;
use crate::system::report::Failure;
use hashwell_checksums::Choice;
use hashwell_checksums::encodings::{base64, hex, nix_base32};
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

    /// All algorithms that the identifier is defined for, the usual one first.
    pub(super) fn choices(self) -> Vec<Choice> {
        let choice = |name: &&str| Choice::find(name, None).ok();
        self.algorithms().iter().filter_map(choice).collect()
    }

    /// Reads an identifier in any of its spellings. Two results are equal if and only if the identifiers are.
    pub(super) fn parse(self, choice: Choice, text: &[u8]) -> Option<Vec<u8>> {
        let of_length = |digest: &Vec<u8>| digest.len() == choice.output_len;
        match self {
            Kind::GitBlob | Kind::GitTree => hex(text).filter(of_length),
            Kind::Swhid => {
                // Qualifiers state where the object was found, and are not part of the identifier that is computed.
                let core = text.split(|byte| *byte == b';').next()?;
                let id = core.strip_prefix(b"swh:1:cnt:").or_else(|| core.strip_prefix(b"swh:1:dir:"))?;
                hex(id).filter(of_length).map(|_| core.to_ascii_lowercase())
            }
            Kind::H1 => base64(text.strip_prefix(b"h1:")?).filter(of_length),
            Kind::Nar => {
                let name = choice.algorithm.name.as_bytes();
                let rest = text.strip_prefix(name);
                let sri = rest.and_then(|rest| rest.strip_prefix(b"-"));
                let digest = rest.and_then(|rest| rest.strip_prefix(b":")).or(sri).unwrap_or(text);
                [hex, base64, nix_base32].iter().find_map(|read| read(digest).filter(of_length))
            }
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
