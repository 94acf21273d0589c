//! Options of `hashwell sum` for hash trees that are stored next to files and locate damaged parts of a file.

use crate::options::bytes::some_bytes;
use crate::options::parameters;
use clap::{Args, ValueHint};
use std::ffi::OsString;

/// The heading of the help.
const RANGES: &str = "Damaged ranges";

#[derive(Args, Debug)]
#[command(group(
    clap::ArgGroup::new("tree_task")
        .args(["outboard", "locate"])
        .conflicts_with_all(WITHOUT_EFFECT)
        .conflicts_with_all(parameters::ids())
))]
pub(crate) struct OutboardOptions {
    /// Write the BLAKE3 tree of each FILE to FILE.obao, for --locate, and print the BLAKE3 digest
    #[arg(long, help_heading = RANGES, hide_short_help = true)]
    pub(crate) outboard: bool,
    /// Print the damaged byte ranges of each FILE that has a tree in FILE.obao
    #[arg(long, help_heading = RANGES, hide_short_help = true)]
    pub(crate) locate: bool,
    /// File name of the tree; requires exactly one FILE [default: FILE.obao]
    #[arg(short = 'o', long, value_name = "TREE", value_hint = ValueHint::FilePath, requires = "tree_task")]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) tree: Option<OsString>,
    /// With --outboard: size of a group, the smallest range that --locate can report; a power of two from 1K (KiB) to 64M (MiB)
    /// [default: 16K]
    #[arg(long, value_name = "BYTES", value_parser = some_bytes, requires = "outboard", conflicts_with = "locate")]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) group: Option<u64>,
    /// With --locate: BLAKE3 digest of the undamaged FILE, in hexadecimal [default: the digest in the tree]
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, requires = "locate", conflicts_with = "outboard")]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) root: Option<String>,
}

/// Options that have no effect on trees and are therefore rejected.
const WITHOUT_EFFECT: [&str; 37] = [
    "check",
    "update",
    "expect",
    "compare",
    "duplicates",
    "bagit",
    "missing",
    "new",
    "changed_only",
    "git_blob",
    "git_tree",
    "swhid",
    "go_h1",
    "recursive",
    "dereference",
    "exclude",
    "length",
    "length_bytes",
    "format",
    "tag",
    "untagged",
    "binary",
    "text",
    "zero",
    "base64",
    "sri",
    "json",
    "raw",
    "no_names",
    "summary",
    "times",
    "quiet",
    "status",
    "strict",
    "warn",
    "audit",
    "ignore_missing",
];

impl OutboardOptions {
    /// Returns true if trees are written or used.
    pub(crate) fn is_task(&self) -> bool {
        self.outboard || self.locate
    }
}
