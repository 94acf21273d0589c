//! Options of `sum` for updating lists of checksums, for the names in them, and for the formats of other tools.

use crate::options::bytes::some_bytes;
use clap::{Args, ValueHint};
use hashwell_checksums::formats::Writer;
use std::ffi::OsString;
use std::path::PathBuf;

/// The headings of the help.
const KEEPING: &str = "Keeping lists";
const NAMES: &str = "Names in lists";
const COMPARING: &str = "Comparing";
const READING: &str = "Reading";

/// Options that give `sum` a task other than hashing single files.
pub(super) const OTHER_TASKS: [&str; 16] = [
    "check",
    "expect",
    "update",
    "compare",
    "duplicates",
    "bagit",
    "missing",
    "new",
    "changed_only",
    "recursive",
    "git_blob",
    "git_tree",
    "swhid",
    "go_h1",
    "nar",
    "audit",
];

/// Options of `sum` that keep lists or change how files are read.
#[derive(Args, Debug, Default)]
pub(crate) struct KeepOptions {
    /// Update LIST in place with the new and changed files in the FILEs [default: in the folders of the listed files]
    ///
    /// A new list uses the algorithm given with -a, else the one in its name (such as SHA512SUMS), else SHA-256. Its
    /// format is gnu unless --format is bsd or json. An existing list keeps its algorithm; to change it, write a new list.
    #[arg(long, value_name = "LIST", value_hint = ValueHint::AnyPath, conflicts_with_all = ["check", "expect"], help_heading = KEEPING)]
    pub(crate) update: Option<OsString>,
    /// With --update: remove from LIST the entries of files in or below the FILEs that no longer exist
    #[arg(long, requires = "update", help_heading = KEEPING, hide_short_help = true)]
    pub(crate) prune: bool,
    /// With --update: report changes without writing the list
    #[arg(long, requires = "update", help_heading = KEEPING, hide_short_help = true)]
    pub(crate) dry_run: bool,
    /// With --update: also record the new digest of files that are reported as rotten, replaced or uncertain
    #[arg(long, requires = "update", help_heading = KEEPING, hide_short_help = true)]
    pub(crate) accept: bool,
    /// Add the size, times and inode of each file to the list, as JSON members or as comments that other tools ignore
    ///
    /// The formats bagit, powershell and record have no comments, so --times cannot be used with them.
    #[arg(long, conflicts_with_all = ["check", "raw", "no_names"], help_heading = KEEPING, hide_short_help = true)]
    pub(crate) times: bool,
    /// Print the listed files that are missing, without reading any file; implies -c
    #[arg(long, help_heading = KEEPING, hide_short_help = true)]
    pub(crate) missing: bool,
    /// Print unlisted files in and below the folders of the listed files, without reading any file; implies -c
    #[arg(long, alias = "audit-only", help_heading = KEEPING, hide_short_help = true)]
    pub(crate) new: bool,
    /// Print the listed files whose size or time differs from the recorded one, without reading any file; implies -c
    #[arg(long, help_heading = KEEPING, hide_short_help = true)]
    pub(crate) changed_only: bool,

    /// Compare each FILE with this digest, in any format
    ///
    /// Hexadecimal, base64 and all other formats that -c reads are accepted.
    #[arg(long, visible_alias = "verify", value_name = "DIGEST", value_hint = ValueHint::Other, conflicts_with = "check")]
    #[arg(help_heading = "Checking")]
    pub(crate) expect: Option<String>,
    /// Compare two lists, and print the files that were added, removed, changed and moved
    ///
    /// Names that differ only in . components and repeated slashes, such as ./a and a, are the same name. So are the
    /// spellings of a name that -c accepts, such as d\a from Windows; a message reports them.
    #[arg(long, conflicts_with_all = ["check", "expect", "update"], help_heading = COMPARING, hide_short_help = true)]
    pub(crate) compare: bool,
    /// Print groups of files with the same content, among the FILEs and in folders (by default, in the current folder)
    #[arg(long, conflicts_with_all = ["check", "expect", "update", "compare"], help_heading = COMPARING, hide_short_help = true)]
    pub(crate) duplicates: bool,

    /// Save the progress of hashing one large FILE in STATE, and continue from there if the command was interrupted
    #[arg(long, value_name = "STATE", value_hint = ValueHint::FilePath, conflicts_with_all = OTHER_TASKS)]
    #[arg(conflicts_with_all = ["files_from", "files0_from"])]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(crate) resume: Option<PathBuf>,
    /// With --resume: number of seconds between two saves of the progress [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..), requires = "resume")]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(crate) resume_every: Option<u64>,
    /// Read the names of the FILEs from LIST, one per line; - is standard input
    #[arg(long, value_name = "LIST", value_hint = ValueHint::FilePath, conflicts_with = "files0_from")]
    #[arg(help_heading = READING, hide_short_help = true)]
    pub(crate) files_from: Option<OsString>,
    /// Read the names of the FILEs from LIST, each ended by NUL, as find -print0 writes them; - is standard input
    #[arg(long, value_name = "LIST", value_hint = ValueHint::FilePath, help_heading = READING, hide_short_help = true)]
    pub(crate) files0_from: Option<OsString>,
    /// Read from the storage medium instead of the page cache (Linux only)
    #[arg(long, help_heading = READING, hide_short_help = true)]
    pub(crate) direct: bool,
    /// Read at most this number of bytes per second, e.g. 20M (MiB)
    #[arg(long, value_name = "BYTES", value_parser = some_bytes, help_heading = READING, hide_short_help = true)]
    pub(crate) rate: Option<u64>,

    /// Resolve the FILEs (with -c, the names in the lists) relative to DIR
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "relative")]
    #[arg(help_heading = NAMES, hide_short_help = true)]
    pub(crate) directory: Option<PathBuf>,
    /// With -c: resolve file names relative to the folder of their list
    #[arg(long, help_heading = NAMES, hide_short_help = true)]
    pub(crate) relative: bool,
    /// With -c: ignore the folders in file names
    #[arg(long, alias = "strip-path", help_heading = NAMES, hide_short_help = true)]
    pub(crate) basename: bool,
    /// With -c: remove PREFIX from the beginning of file names
    #[arg(long, value_name = "PREFIX", value_hint = ValueHint::Other, conflicts_with = "basename", help_heading = NAMES)]
    #[arg(hide_short_help = true)]
    pub(crate) strip_prefix: Option<OsString>,

    /// Format of the list: gnu, bsd, openssl, json, sfv, bagit, record, powershell, oci, multihash or nix
    #[arg(long, value_name = "FORMAT", value_parser = writer, conflicts_with_all = ["tag", "untagged", "json", "sri", "raw", "check"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) format: Option<Writer>,
    /// Convert each FILE, which must be a folder, to a bag (BagIt) in place, or check it if it is a bag already
    #[arg(long, conflicts_with_all = ["check", "expect", "update", "compare", "duplicates", "format"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) bagit: bool,
}

impl KeepOptions {
    /// True if an option asks for names only, without reading any file.
    pub(crate) fn asks_for_names(&self) -> bool {
        self.missing || self.new || self.changed_only
    }
}

/// Returns the format with this name.
fn writer(name: &str) -> Result<Writer, String> {
    Writer::find(name).ok_or_else(|| {
        let known: Vec<&str> = Writer::ALL.iter().map(|writer| writer.name()).collect();
        format!("unknown format '{name}' (known: {})", known.join(", "))
    })
}
