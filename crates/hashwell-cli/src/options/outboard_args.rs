//! Options of `hashwell sum` for hash trees that are stored next to files, locate damaged parts of a file, and prove
//! that a part belongs to it.

use crate::options::bytes::{bytes, some_bytes};
use crate::options::keep_args::OTHER_TASKS;
use crate::options::parameters;
use clap::{Args, ValueHint};
use std::ffi::OsString;

/// The heading of the help.
const RANGES: &str = "Damaged ranges";

#[derive(Args, Debug)]
#[command(group(
    clap::ArgGroup::new("tree_task")
        .args(["outboard", "locate", "slice", "decode_slice"])
        .conflicts_with_all(OTHER_TASKS)
        .conflicts_with_all(WITHOUT_EFFECT)
        .conflicts_with_all(parameters::ids())
))]
#[command(group(clap::ArgGroup::new("root_task").args(["locate", "slice", "decode_slice"])))]
#[command(group(clap::ArgGroup::new("group_task").args(["outboard", "decode_slice"])))]
#[command(group(clap::ArgGroup::new("slice_task").args(["slice", "decode_slice"])))]
pub(crate) struct OutboardOptions {
    /// Write the BLAKE3 tree of each FILE to FILE.obao, or with -a kt128 its list of chunk values to FILE.hwcl, and print the digest
    #[arg(long, help_heading = RANGES, hide_short_help = true)]
    pub(crate) outboard: bool,
    /// Print the damaged byte ranges of each FILE that has a tree in FILE.obao, or with -a kt128 a list in FILE.hwcl
    #[arg(long, help_heading = RANGES, hide_short_help = true)]
    pub(crate) locate: bool,
    /// Write a slice in the format of Bao: LEN bytes of FILE from byte START, with the tree nodes needed to verify them
    #[arg(long, value_name = "START:LEN", value_parser = range, value_hint = ValueHint::Other)]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) slice: Option<ByteRange>,
    /// Verify the slice FILE, which was made with the same START:LEN, and write its bytes; requires --root; FILE may be -
    #[arg(long, value_name = "START:LEN", value_parser = range, value_hint = ValueHint::Other, requires = "root")]
    #[arg(conflicts_with = "tree", help_heading = RANGES, hide_short_help = true)]
    pub(crate) decode_slice: Option<ByteRange>,
    /// With --slice or --decode-slice: write to OUTPUT, which is created only if everything was verified [default: standard
    /// output]
    #[arg(long, value_name = "OUTPUT", value_hint = ValueHint::FilePath, requires = "slice_task")]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) to: Option<OsString>,
    /// File name of the tree or list; requires exactly one FILE [default: FILE.obao, or FILE.hwcl with -a kt128]
    #[arg(short = 'o', long, value_name = "TREE", value_hint = ValueHint::FilePath, requires = "tree_task")]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) tree: Option<OsString>,
    /// With --outboard: size of a group, the smallest range that --locate can report; a power of two from 1K (KiB) to 64M (MiB).
    /// With --decode-slice: the group size of the tree that the slice was made with [default: 16K]
    #[arg(long, value_name = "BYTES", value_parser = some_bytes, requires = "group_task")]
    #[arg(conflicts_with_all = ["locate", "slice"])]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) group: Option<u64>,
    /// With --locate and --slice: digest of the undamaged FILE, in hexadecimal [default: the digest in the tree]; with --decode-slice: digest of the whole file that the slice is a part of
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, requires = "root_task", conflicts_with = "outboard")]
    #[arg(help_heading = RANGES, hide_short_help = true)]
    pub(crate) root: Option<String>,
}

/// Options that have no effect on trees and are therefore rejected, in addition to those of other tasks.
const WITHOUT_EFFECT: [&str; 23] = [
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
    "ignore_missing",
    "resume",
];

/// A range of bytes of a file: the first byte and the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub(crate) start: u64,
    pub(crate) len: u64,
}

fn range(text: &str) -> Result<ByteRange, String> {
    let (start, len) = text.split_once(':').ok_or("expected START:LEN, such as 1M:64K")?;
    Ok(ByteRange { start: bytes(start)?, len: bytes(len)? })
}

impl OutboardOptions {
    /// Returns true if trees are written or used.
    pub(crate) fn is_task(&self) -> bool {
        self.outboard || self.locate || self.slice.is_some() || self.decode_slice.is_some()
    }

    /// The option that sets the task.
    pub(crate) fn task(&self) -> &'static str {
        match self {
            Self { slice: Some(_), .. } => "--slice",
            Self { decode_slice: Some(_), .. } => "--decode-slice",
            Self { locate: true, .. } => "--locate",
            _ => "--outboard",
        }
    }
}
