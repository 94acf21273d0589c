//! The command line as clap definitions. Help, shell completions and manual pages are generated from them.

use crate::options::bytes::{UNITS, bytes, output_file};
use crate::options::draw_args::{DrawOptions, VerifyOptions};
use crate::options::engine_args::EngineOptions;
use crate::options::given::GivenOptions;
use crate::options::help::{brief, full, program_template};
use crate::options::keep_args::KeepOptions;
use crate::options::key::KeyOptions;
use crate::options::later::Later;
use crate::options::names::{self, Names};
use crate::options::outboard_args::OutboardOptions;
use crate::options::parameters::{self, ParameterOptions};
use crate::options::process_args::ProcessOptions;
use crate::options::sample_args::SampleOptions;
use crate::options::split_args::SplitOptions;
use crate::options::table_args::{DiffOptions, TableOptions};
use clap::builder::PossibleValue;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use hashwell_document::format::Format;
use std::ffi::OsString;
use std::path::PathBuf;

/// Compute and verify checksums, hash data, and make reproducible random samples and draws
#[derive(Debug, Parser)]
#[command(
    name = "hashwell",
    version,
    help_template = program_template(&Command::augment_subcommands(clap::Command::new("hashwell"))),
    after_help = PROGRAM_EXAMPLES,
    after_long_help = program_help()
)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Never show a progress bar [default: show one on a terminal]
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) no_progress: bool,
}

const PROGRAM_EXAMPLES: &str = "Examples:
  hashwell sum -a blake3 *.iso > CHECKSUMS     write a list of checksums
  hashwell sample -n 100 --seed 7 data.csv     pick 100 rows, the same ones every time

Help: hashwell COMMAND -h (short), hashwell COMMAND --help (all options), hashwell man COMMAND";

fn program_help() -> String {
    let kernels = hashwell::kernels().join(", ");
    format!(
        "Algorithms: {}.\n\nEnvironment: HASHWELL_KERNEL=NAME makes all algorithms that have the kernel NAME (an implementation for certain CPU \
         features) use it. The kernels are: {kernels}.\n\n\
         Exit codes: 0 success; 1 a file could not be read, a checksum did not match, or output could not be written; 2 \
         usage error; 3 the result of timing-test is inconclusive, or verify could not check everything; 130 stopped by \
         Ctrl-C (143 by SIGTERM, 129 by SIGHUP).\n\nThe command sum has more exit codes (see hashwell sum --help).\n\n\
         {PROGRAM_EXAMPLES}",
        names::all_with_status()
    )
}

/// Exit codes of commands that print something computed from their input.
const EXIT: &str =
    "Exit codes: 0 success; 1 a file could not be read or output could not be written; 2 usage error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print or check checksums of files
    Sum(Later<SumOptions>),
    /// List the algorithms and the kernels for this CPU
    Algorithms(Later<AlgorithmsOptions>),
    /// List GPUs and other devices that can hash
    Devices(Later<DevicesOptions>),
    /// Print the output stream of an extendable-output function
    Xof(Later<XofOptions>),
    /// Print or verify HMAC tags
    Hmac(Later<HmacOptions>),
    /// Print or verify KMAC tags, or print KMACXOF output
    Kmac(Later<KmacOptions>),
    /// Derive keys with HKDF
    Hkdf(Later<HkdfOptions>),
    /// Print random bytes or numbers, reproducibly if a seed is given
    Random(Later<RandomOptions>),
    /// Pick random rows from files or pipes, reproducibly from a seed
    Sample(Later<SampleOptions>),
    /// Split rows into parts such as training and test data, reproducibly from a seed
    Split(Later<SplitOptions>),
    /// Print a digest of a table's values; row order and file format have no effect
    Table(Later<TableOptions>),
    /// Compare two tables and show the rows in which they differ
    Diff(Later<DiffOptions>),
    /// Draw winners from a list so that anyone can verify the result
    Draw(Later<DrawOptions>),
    /// Verify a draw or a sample from its transcript
    Verify(Later<VerifyOptions>),
    /// Simulate a stochastic process or compute its exact distribution
    Process(Later<ProcessOptions>),
    /// Benchmark hashwell against the hash libraries installed on this machine
    Speed(Later<SpeedOptions>),
    /// Find the fastest hash for the objects of a Git repository
    #[cfg(feature = "git")]
    Git(Later<GitOptions>),
    /// Measure SHA-256 with different numbers of rounds: speed, diffusion and attacks
    Research(Later<ResearchOptions>),
    /// Test whether the running time of keyed computations depends on secrets
    TimingTest(Later<TimingTestOptions>),
    /// Print a completion script for a shell
    Completions(Later<CompletionsOptions>),
    /// Print a manual page, or write all of them to a folder
    Man(Later<ManOptions>),
}

const SUM_EXAMPLES: &str = "  hashwell sum -r photos > SHA256SUMS    write checksums of all files in a folder
  hashwell sum -c SHA256SUMS             check them";

const SUM_DETAILS: &str = "Without FILE, or if FILE is -, hashwell reads standard input. If you give several algorithms, \
    each file is still read only once, and each line of the output names its algorithm (see --tag).\n\n\
    -c reads lists in GNU, BSD, OpenSSL, b3sum, SRI, hashdeep and JSON formats, and lists of digests without names. A \
    list may mix formats. The algorithm of a line comes from its tag or else from -a. Without both, -c guesses the \
    algorithm from the first of these that exists: a comment, heading or tag above the line; the name of the list \
    (SHA256SUMS, x.sha512); the length of the digest. If the guessed algorithm does not match, -c tries all other \
    algorithms with digests of this length, except broken ones, and reports which one matched. So if the name of a list \
    selects the wrong algorithm, the check can still succeed. With -a, -c tries only the given algorithms. Lists of legacy \
    checksums (md5, crc32 in SFV files, crc32c, cksum, crc32b, bsd, sysv) can be checked but not written.\n\n\
    If a listed file is missing, -c looks for its name with the other path separator, in the other Unicode \
    normalization form, and without trailing spaces. A message reports which file was checked instead.\n\n\
    Identifiers: --git-blob, --git-tree, --swhid, --go-h1 and --nar print a line 'ID  NAME' for each FILE. SHA-1 is \
    computed without Git's collision detection. --git-tree excludes .git and empty directories, records a nested \
    repository as its checked-out commit, and hashes files as they are on disk, regardless of .gitattributes. \
    --swhid excludes nothing. --nar hashes symbolic links instead of following them, including links that are given on \
    the command line. With -c, lists of such lines are checked.\n\n\
    Damaged ranges: --outboard writes a tree of BLAKE3 hashes of the parts of FILE, in the format of Bao. With the \
    default group size, it is 0.39 % of the size of FILE. Write the tree while FILE is undamaged, and keep the \
    digest in a safe place. Later, --locate reads FILE once and prints each range of damaged bytes. If the tree \
    itself is damaged, a message reports this. Pass the digest to --locate with --root if FILE is not larger than one \
    group (--group), or if an attacker could have changed the tree.\n\n\
    With -a kt128, --outboard writes a list of the chaining values of KT128's chunks of 8 KiB, which has the same \
    size as the tree. If the first 8 KiB of FILE are damaged, the list can't be compared with the digest, and \
    --locate prints a warning.\n\n\
    Slices: --slice copies a range of FILE together with the tree nodes that prove that the range belongs to the \
    digest of FILE. --decode-slice needs only the digest to verify a slice. It writes only verified bytes, and stops \
    at the first part that is wrong. Use the same START:LEN for both. A range that reaches past the end of FILE proves \
    the length of FILE. With groups of 1K, slices are identical to those of the program bao.\n\n\
    --resume saves the progress of one FILE in STATE every 10 seconds (see --resume-every), and on Ctrl-C or SIGTERM. If \
    you run the same command again, it continues from there, and removes STATE at the end. If the path, size, times or \
    inode of FILE differ from those in STATE, the command refuses to continue. Bytes that were hashed before are not read \
    again. STATE is as secret as FILE and gets its permissions.\n\n\
    Patterns of --exclude: a GLOB without a slash is compared with the name of each file and directory; a GLOB with a \
    slash is compared with the path relative to FILE. Excluding a directory excludes everything under it. * and ? match \
    anything except slashes, and ** also matches slashes. [abc] matches one of these characters, {a,b} one of these \
    alternatives. A backslash removes the special meaning of the next character. A FILE on the command line is never \
    excluded. -r skips symbolic links (unless you give -L), special files, and the file that standard output is written \
    to. A message at the end reports how many were skipped.\n\n\
    SHA-1 is broken and SHA256-90R is experimental; a note says so if standard error is a terminal.\n\n\
    Exit codes: 0 success, which with -c means that at least one checksum matched and none failed; 1 a file could not be \
    read, a checksum did not match, output could not be written, --locate found damage in a FILE, or --decode-slice found \
    that a slice is wrong or truncated; 2 usage error; 4 \
    with -c and a list that has times (see --times): files were edited after they were listed, and nothing else is \
    wrong; 5 with such a list and -c or --update: the content of a file changed, but not its size and modification time \
    (data corruption, or the file was replaced); 6 like 4, but a file was modified within 2 seconds of being listed, so \
    an edit can't be distinguished from data corruption; 7 with --locate: a tree is damaged, but no FILE is.";

/// Print or check checksums of files.
#[derive(Args, Debug)]
#[command(
    after_help = brief("sum", SUM_EXAMPLES),
    after_long_help = full("sum", SUM_DETAILS, SUM_EXAMPLES),
    version,
    args_override_self = true,
    group(clap::ArgGroup::new("identifier").args(["git_blob", "git_tree", "swhid", "go_h1", "nar"]).conflicts_with_all([
        "length", "length_bytes", "recursive", "dereference", "exclude", "tag", "untagged", "binary", "text",
        "base64", "sri", "json", "raw", "no_names",
        "summary", "audit", "missing", "new", "changed_only", "expect", "update", "compare", "duplicates", "bagit",
        "times", "format",
    ]).conflicts_with_all(parameters::ids()))
)]
pub(crate) struct SumOptions {
    #[command(flatten)]
    pub(crate) given: GivenOptions,

    /// Algorithm; repeat to use several [default: sha256]
    #[arg(short, long = "algorithm", value_name = "ALG", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true, help_heading = "Algorithm")]
    pub(crate) algorithms: Vec<String>,
    /// Digest length in bits, for algorithms with variable output (for b3sum's -l, use --length-bytes)
    #[arg(short, long, value_name = "BITS", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) length: Option<u64>,
    /// Digest length in bytes, as a number without a unit, like b3sum -l
    #[arg(
        long,
        value_name = "BYTES",
        conflicts_with = "length",
        help_heading = "Algorithm",
        hide_short_help = true
    )]
    pub(crate) length_bytes: Option<u64>,

    /// Read checksum lists from the FILEs, and check the files that they list
    #[arg(short, long, help_heading = "Checking")]
    pub(crate) check: bool,
    /// With -c: skip missing files instead of failing
    #[arg(long, help_heading = "Checking")]
    pub(crate) ignore_missing: bool,
    /// With -c: do not print OK lines; overrides earlier --status and --warn
    #[arg(long, overrides_with_all = ["status", "warn"], help_heading = "Checking")]
    pub(crate) quiet: bool,
    /// With -c: print nothing; the exit code is the result
    #[arg(long, overrides_with_all = ["quiet", "warn"], help_heading = "Checking")]
    pub(crate) status: bool,
    /// With -c: fail if a line is improperly formatted
    #[arg(long, help_heading = "Checking", hide_short_help = true)]
    pub(crate) strict: bool,
    /// With -c: report each improperly formatted line
    #[arg(short, long, overrides_with_all = ["quiet", "status"], help_heading = "Checking", hide_short_help = true)]
    pub(crate) warn: bool,
    /// With -c: fail if there are unlisted files in or below the directories of the listed files
    #[arg(long, help_heading = "Checking", hide_short_help = true)]
    pub(crate) audit: bool,

    /// Hash all files in and below directories, sorted by name (byte order)
    #[arg(short, long, help_heading = "Input")]
    pub(crate) recursive: bool,
    /// With -r: follow symbolic links
    #[arg(short = 'L', long, help_heading = "Input", hide_short_help = true)]
    pub(crate) dereference: bool,
    /// With -r or --audit: exclude names that match GLOB; repeatable
    #[arg(long, value_name = "GLOB", value_hint = ValueHint::Other, help_heading = "Input")]
    pub(crate) exclude: Vec<OsString>,
    /// Number of files to read in parallel [default: one per core]
    ///
    /// With 1, hashwell uses only one core.
    #[arg(short, long, value_name = "N", help_heading = "Input")]
    pub(crate) jobs: Option<usize>,
    /// Report the number of files and bytes read on standard error [default: with -r on a terminal]
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub(crate) summary: bool,

    /// Print BSD lines: ALG (NAME) = DIGEST [default with several algorithms]
    #[arg(long, overrides_with = "untagged", help_heading = "Output format")]
    pub(crate) tag: bool,
    /// Print lines without the algorithm: DIGEST  NAME [default with one algorithm]
    #[arg(long, overrides_with = "tag", conflicts_with_all = ["json", "raw"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) untagged: bool,
    /// Print * before names, which marks binary mode: DIGEST *NAME; does not change the digests
    #[arg(short, long, overrides_with = "text", conflicts_with_all = ["json", "raw", "no_names"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) binary: bool,
    /// Print a space before names: DIGEST  NAME; does not change the digests [default]
    #[arg(short, long, overrides_with = "binary", conflicts_with_all = ["json", "raw", "no_names"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) text: bool,
    /// End lines with NUL instead of a newline, and do not escape names
    #[arg(short, long, help_heading = "Output format", hide_short_help = true)]
    pub(crate) zero: bool,
    /// Print digests in base64 instead of hexadecimal
    #[arg(long, help_heading = "Output format", hide_short_help = true)]
    pub(crate) base64: bool,
    /// Print Subresource Integrity values: sha256-BASE64 (sha256, sha384 and sha512 only)
    #[arg(long, conflicts_with_all = ["tag", "base64", "json", "raw"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) sri: bool,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["tag", "base64", "zero", "raw"], help_heading = "Output format")]
    pub(crate) json: bool,
    /// Print the digest as raw bytes (for one file and one algorithm)
    #[arg(long, conflicts_with_all = ["tag", "base64", "zero"])]
    #[arg(help_heading = "Output format", hide_short_help = true)]
    pub(crate) raw: bool,
    /// Print digests without file names (for one algorithm)
    #[arg(long, conflicts_with_all = ["tag", "json", "raw"], help_heading = "Output format")]
    pub(crate) no_names: bool,

    /// Print Git's object ID of each file, like git hash-object; SHA-1, or SHA-256 with -a sha256
    #[arg(long, help_heading = "Identifiers", hide_short_help = true)]
    pub(crate) git_blob: bool,
    /// Print Git's object ID of each directory, like git write-tree after git add -A -f; SHA-1, or SHA-256 with -a sha256
    #[arg(long, help_heading = "Identifiers", hide_short_help = true)]
    pub(crate) git_tree: bool,
    /// Print the SWHID (ISO/IEC 18670) of each file or directory: swh:1:cnt:… or swh:1:dir:…
    #[arg(long, help_heading = "Identifiers", hide_short_help = true)]
    pub(crate) swhid: bool,
    /// Print Go's hash of each directory or module zip file, as in go.sum: h1:…
    #[arg(long, help_heading = "Identifiers", hide_short_help = true)]
    pub(crate) go_h1: bool,
    /// With --go-h1: put PREFIX/ before the file names in a directory; go.sum uses MODULE@VERSION [default: none]
    #[arg(
        long,
        value_name = "PREFIX",
        requires = "go_h1",
        help_heading = "Identifiers",
        hide_short_help = true
    )]
    pub(crate) go_h1_prefix: Option<OsString>,
    /// Print Nix's hash of each file, link or directory, like nix hash path: sha256-BASE64
    #[arg(long, help_heading = "Identifiers", hide_short_help = true)]
    pub(crate) nar: bool,
    /// With --nar: format of the hash; nix32 is the format of nix-hash --base32 [default: sri]
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        requires = "nar",
        help_heading = "Identifiers",
        hide_short_help = true
    )]
    pub(crate) nar_format: Option<NarFormat>,

    #[command(flatten)]
    pub(crate) keep: KeepOptions,
    #[command(flatten)]
    pub(crate) ranges: OutboardOptions,
    #[command(flatten)]
    pub(crate) parameters: ParameterOptions<false>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,

    /// Files to hash; with -c, lists to check; with -r or --git-tree, also directories
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

impl SumOptions {
    /// The digest length in bits, if one of the two options gives it.
    pub(crate) fn bits(&self) -> Option<u64> {
        self.length.or_else(|| self.length_bytes.map(|bytes| bytes.saturating_mul(8)))
    }
}

/// The form in which `--nar` prints a hash, by its name in Nix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NarFormat {
    /// ALG-BASE64
    Sri,
    /// Nix's base32
    Nix32,
    /// Hexadecimal
    #[value(alias = "hex")]
    Base16,
    /// Base64
    Base64,
}

const ALGORITHMS_EXAMPLES: &str = "  hashwell algorithms               show the table
  hashwell algorithms --strength    compare all algorithms
  hashwell algorithms sha256        show strength and attacks";

/// List the algorithms.
#[derive(Args, Debug)]
#[command(
    after_help = brief("algorithms", ALGORITHMS_EXAMPLES),
    after_long_help = full("algorithms", EXIT, ALGORITHMS_EXAMPLES)
)]
pub(crate) struct AlgorithmsOptions {
    /// Show these algorithms in detail: strength, attacks, standards
    #[arg(value_name = "NAME", value_parser = Names::algorithms())]
    pub(crate) names: Vec<String>,

    /// Compare the strength of all algorithms
    #[arg(long, conflicts_with_all = ["names", "json"])]
    pub(crate) strength: bool,

    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

const DEVICES_EXAMPLES: &str = "  hashwell devices                                  list the devices
  hashwell sum -a sha256-90r --device cpu:0 FILE    hash on one of them";

/// List devices.
#[derive(Args, Debug)]
#[command(
    after_help = brief("devices", DEVICES_EXAMPLES),
    after_long_help = full("devices", "The table also lists the kinds of devices that are not available, with the \
    reason. MEMORY is the memory of the device, and UNITS is the number of its parallel units. If a device fails, a \
    message reports this. Work is never moved to a different device without a message. fpga-sim simulates a circuit \
    cycle by cycle: its results are correct, but it is orders of magnitude slower than a CPU. JIT-compiled code, \
    OpenCL and CUDA need a build with the feature accel; the list shows the build command.\n\n\
    Exit codes: 0 success; 1 output could not be written; 2 usage error.", DEVICES_EXAMPLES)
)]
pub(crate) struct DevicesOptions {
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const XOF_EXAMPLES: &str = "  printf seed | hashwell xof -a shake128 -n 16
  hashwell xof -a blake3 --seek 1G -n 1M --raw FILE > bytes";

/// Print an output stream.
#[derive(Args, Debug)]
#[command(
    after_help = brief("xof", XOF_EXAMPLES),
    after_long_help = full("xof", &format!("{UNITS}\n\n{EXIT}"), XOF_EXAMPLES)
)]
pub(crate) struct XofOptions {
    /// Extendable-output function, e.g. shake128, kt128 or blake3
    #[arg(short, long, value_name = "ALG", value_parser = Names::xofs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    /// Number of bytes to print
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) bytes: u64,
    /// Byte offset to start from; BLAKE3 jumps to it, other algorithms compute and discard the bytes before it
    #[arg(long, value_name = "BYTES", default_value_t = 0, value_parser = bytes)]
    pub(crate) seek: u64,
    #[command(flatten)]
    pub(crate) parameters: ParameterOptions<true>,
    /// Print hexadecimal digits and a newline [default]
    #[arg(long)]
    pub(crate) hex: bool,
    /// Print raw bytes
    #[arg(long, conflicts_with = "hex")]
    pub(crate) raw: bool,
    /// Input file; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,
}

/// Exit codes of commands that also verify tags.
const EXIT_OF_TAGS: &str = "Exit codes: 0 success, and with --verify all tags match; 1 a tag does not match, a file could \
                            not be read, or output could not be written; 2 usage error.";

const HMAC_EXAMPLES: &str = "  hashwell hmac -a sha256 --key-file key message.txt
  hashwell hmac -a sha256 --key-file key --verify 5bdcc146… message.txt";

/// Print or verify a tag.
#[derive(Args, Debug)]
#[command(
    after_help = brief("hmac", HMAC_EXAMPLES),
    after_long_help = full("hmac", EXIT_OF_TAGS, HMAC_EXAMPLES)
)]
pub(crate) struct HmacOptions {
    /// Hash algorithm that HMAC uses
    #[arg(short, long, value_name = "ALG", value_parser = Names::hmacs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
    /// Verify this tag in constant time instead of printing one
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) verify: Option<String>,
    /// Input files; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
}

const KMAC_EXAMPLES: &str = "  hashwell kmac -a kmac128 --key-file key message.txt
  hashwell kmac -a kmac256 --key-file key --xof -n 1M --raw message.txt > stream";

fn kmac_help() -> String {
    format!(
        "KMAC is defined in NIST SP 800-185, section 4. Tags of different lengths are unrelated: a shorter tag is not a \
         prefix of a longer one. With --xof, the output can have any length, and a shorter output is a prefix of a \
         longer one. The key should have at least 16 bytes (kmac128) or 32 bytes \
         (kmac256).\n\n{UNITS}\n\n{EXIT_OF_TAGS}"
    )
}

/// Print or verify a tag, or print a stream.
#[derive(Args, Debug)]
#[command(
    after_help = brief("kmac", KMAC_EXAMPLES),
    after_long_help = full("kmac", &kmac_help(), KMAC_EXAMPLES)
)]
pub(crate) struct KmacOptions {
    /// Algorithm: kmac128 or kmac256
    #[arg(short, long, value_name = "ALG", value_parser = Names::kmacs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
    /// Tag length in bytes [default: 32 for kmac128, 64 for kmac256]
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) bytes: Option<u64>,
    /// Use KMACXOF128 or KMACXOF256, which have unlimited output
    #[arg(long)]
    pub(crate) xof: bool,
    /// Customization string [default: empty]
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, value_hint = ValueHint::Other)]
    pub(crate) customization: String,
    /// Verify this tag in constant time instead of printing one; it must have the length given with -n
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, conflicts_with = "raw")]
    pub(crate) verify: Option<String>,
    /// Print raw bytes (for one file)
    #[arg(long)]
    pub(crate) raw: bool,
    /// Input files; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
}

const HKDF_EXAMPLES: &str = "  hashwell hkdf -a sha256 --key-file secret --info 'backup key' -n 32
  hashwell hkdf -a sha256 --key-file secret --salt-hex 00010203 --extract";

fn hkdf_help() -> String {
    format!(
        "HKDF (RFC 5869) derives keys in two steps. The extract step computes a pseudorandom key from the key material \
         (--key-file, --key-hex or --key-env) and the salt. This key is as long as a digest. The expand step computes the \
         bytes that are printed from the pseudorandom key and the info, which states what the derived key is for. Do not \
         use HKDF for passwords: use a slow function such as Argon2 instead.\n\n{UNITS}\n\n{EXIT}"
    )
}

/// Derive keys.
#[derive(Args, Debug)]
#[command(
    after_help = brief("hkdf", HKDF_EXAMPLES),
    after_long_help = full("hkdf", &hkdf_help(), HKDF_EXAMPLES),
    group(clap::ArgGroup::new("salts").args(["salt", "salt_hex"])),
    group(clap::ArgGroup::new("infos").args(["info", "info_hex"]))
)]
pub(crate) struct HkdfOptions {
    /// Hash algorithm that HKDF uses
    #[arg(short, long, value_name = "ALG", value_parser = Names::hmacs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
    /// Number of bytes to derive, at most 255 times the digest length
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes, required_unless_present = "extract")]
    pub(crate) bytes: Option<u64>,
    /// Salt as text [default: none]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) salt: Option<OsString>,
    /// Salt in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) salt_hex: Option<String>,
    /// Info (the purpose of the derived key) as text [default: none]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) info: Option<OsString>,
    /// Info in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) info_hex: Option<String>,
    /// Stop after the extract step, and print the pseudorandom key
    #[arg(long, conflicts_with_all = ["expand", "bytes", "infos"])]
    pub(crate) extract: bool,
    /// Skip the extract step: the given key is a pseudorandom key, at least as long as a digest
    #[arg(long, conflicts_with = "salts")]
    pub(crate) expand: bool,
    /// Print raw bytes instead of hexadecimal digits and a newline
    #[arg(long)]
    pub(crate) raw: bool,
}

const RANDOM_EXAMPLES: &str = "  hashwell random -n 32                                     a new secret
  hashwell random --seed 2024 --count 5 --format float      the same numbers every time";

/// Print random bytes or numbers.
#[derive(Args, Debug)]
#[command(
    after_help = brief("random", RANDOM_EXAMPLES),
    after_long_help = full("random", &random_help(), RANDOM_EXAMPLES),
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "seed_file"]))
)]
pub(crate) struct RandomOptions {
    /// Number of bytes to print
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes, conflicts_with = "count")]
    pub(crate) bytes: Option<u64>,
    /// Number of values to print, one per line (with --format u64 or float)
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// Print until stopped
    #[arg(long, conflicts_with_all = ["bytes", "count"])]
    pub(crate) unlimited: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = RandomFormat::Hex)]
    pub(crate) format: RandomFormat,
    /// Random generator; --help lists all
    #[arg(long, value_name = "NAME", default_value = "hmac-drbg-sha256", value_parser = Names::sources())]
    #[arg(hide_possible_values = true)]
    pub(crate) source: String,
    /// Seed as text; visible to other users in the process list [default: seed from the operating system]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal; visible to other users in the process list
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) seed_hex: Option<String>,
    /// File whose entire content is the seed; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) seed_file: Option<PathBuf>,
    /// Name of this use of the seed, so that different uses get different output; it need not be secret [default:
    /// empty]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true)]
    pub(crate) personalization: String,
}

/// How random bytes are printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RandomFormat {
    /// Hexadecimal digits and a newline
    Hex,
    /// Raw bytes
    Raw,
    /// Base64 and a newline
    Base64,
    /// Integers from 0 to 2^64 - 1, each from eight bytes in big-endian order
    U64,
    /// Numbers from 0 (included) to 1 (excluded), computed as (x >> 11) * 2^-53 from the integers x that u64 prints
    Float,
}

fn random_help() -> String {
    let names: Vec<String> = hashwell::Source::all().map(hashwell::Source::name).collect();
    format!(
        "Without a seed, the generator is seeded by the operating system and the output can't be reproduced; use this for \
         secrets. HMAC-DRBG is reseeded as NIST SP 800-90A requires. With a seed, the output is the same on every machine \
         and in every version of hashwell, and it is only as secret as the seed.\n\nGenerators (--source): {}.\n\n{UNITS}\n\n{EXIT}",
        names.join(", ")
    )
}

const SPEED_EXAMPLES: &str = "  hashwell speed --quick -a sha256 -a blake3       compare two algorithms
  hashwell speed --threads 1,2,4,8 -a blake3       measure how throughput grows with threads
  hashwell speed --html speed.html                 measure everything, with charts";

/// Benchmark hashes on this machine.
#[derive(Args, Debug)]
#[command(
    after_help = brief("speed", SPEED_EXAMPLES),
    after_long_help = full("speed", &speed_help(), SPEED_EXAMPLES)
)]
pub(crate) struct SpeedOptions {
    /// Finish within 30 seconds by measuring fewer rounds and, on a slow machine, fewer sizes (the report names the
    /// sizes that were not measured)
    #[arg(long)]
    pub(crate) quick: bool,
    /// Algorithm to measure; repeatable [default: sha1 and the algorithms with 256-bit digests]
    #[arg(short, long = "algorithm", value_name = "ALG", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Measure every algorithm
    #[arg(long, conflicts_with = "algorithms")]
    pub(crate) all: bool,
    /// Measure only this library; repeatable [default: all that are installed]
    #[arg(long = "library", value_name = "NAME", value_parser = Names::libraries(), hide_possible_values = true)]
    pub(crate) libraries: Vec<String>,
    /// Compare the kernels (implementations for CPU features) of this algorithm in table e; repeatable. Without --tables, -a
    /// or --all, only table e is printed
    #[arg(long, value_name = "ALG", value_parser = Names::algorithms(), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) kernels: Vec<String>,
    /// Tables to measure, separated by commas: a (throughput), b (cycles per byte), c (algorithms that each library has), d
    /// (latency), e (kernels), xof (extendable output) [default: all except e]
    #[arg(long, value_name = "LIST", value_delimiter = ',', ignore_case = true, value_enum)]
    pub(crate) tables: Vec<Part>,
    /// Measure how throughput grows with the number of threads, e.g. 1,2,4,8 (1 is always included), for one large message
    /// and for many messages. Without --tables, only these figures are printed
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) threads: Vec<usize>,
    /// Time single calls with 64 bytes, 1 KiB and 16 KiB: core cycles (median, 99th percentile, maximum, histogram), and
    /// the CPU's counts of instructions, cache misses and branch misses. Without --tables, only this table is printed
    #[arg(long)]
    pub(crate) calls: bool,
    /// Also test whether installed programs (such as openssl and b3sum) and the standard libraries of programming
    /// languages (such as Python) compute correct digests, and show them in table c. Without --tables, only table c is
    /// printed
    #[arg(long)]
    pub(crate) programs: bool,
    /// Also measure messages of 100 MB in tables a and b; each process then needs 100 MB more memory
    #[arg(long, hide_short_help = true)]
    pub(crate) large: bool,
    /// Also measure on all cores, in wall-clock time [default: if table a or b is measured]
    #[arg(long, overrides_with = "no_threaded", hide_short_help = true)]
    pub(crate) threaded: bool,
    /// Measure only on one core
    #[arg(long, overrides_with = "threaded", hide_short_help = true)]
    pub(crate) no_threaded: bool,
    /// Number of processes, each of which measures everything [default: 8; with --quick 3]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) processes: Option<usize>,
    /// Number of rounds in each process, at most 1000; a round takes one sample of each measurement [default: 15; with
    /// --quick at most 15, as time allows]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) rounds: Option<usize>,

    /// Measure nothing; show a report written by --json
    #[arg(long, value_name = "REPORT.json", value_hint = ValueHint::FilePath, conflicts_with_all = MEASURING)]
    pub(crate) from: Option<PathBuf>,
    /// Measure nothing; compare two reports written by --json, and exit with 1 if anything became slower
    #[arg(long, value_hint = ValueHint::FilePath, value_names = ["OLD.json", "NEW.json"], num_args = 2, conflicts_with_all = MEASURING)]
    #[arg(conflicts_with_all = ["from", "compare_published", "ticks"])]
    pub(crate) diff: Option<Vec<PathBuf>>,
    /// Also show the figures from a 2018 email that compared hash functions for Git
    #[arg(long, hide_short_help = true)]
    pub(crate) compare_published: bool,
    /// Also show time-stamp counter ticks per byte
    #[arg(long, hide_short_help = true)]
    pub(crate) ticks: bool,

    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// Options of `speed` that select what to measure.
const MEASURING: [&str; 14] = [
    "quick",
    "algorithms",
    "all",
    "libraries",
    "kernels",
    "tables",
    "threads",
    "calls",
    "programs",
    "large",
    "threaded",
    "no_threaded",
    "processes",
    "rounds",
];

/// The format of a report.
#[derive(Args, Debug)]
pub(crate) struct OutputOptions {
    /// Print all results as a JSON object
    #[arg(long, group = "format", help_heading = "Output format")]
    json: bool,
    /// Print comma-separated values, one line per measured value
    #[arg(long, group = "format", help_heading = "Output format")]
    csv: bool,
    /// Print the tables in Markdown
    #[arg(long, group = "format", help_heading = "Output format")]
    markdown: bool,
    /// Print the tables in AsciiDoc
    #[arg(long, group = "format", help_heading = "Output format")]
    asciidoc: bool,
    /// Also write an HTML page with charts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output format")]
    #[arg(value_parser = output_file())]
    pub(crate) html: Option<PathBuf>,
}

impl OutputOptions {
    pub(crate) fn format(&self) -> Format {
        match self {
            Self { json: true, .. } => Format::Json,
            Self { csv: true, .. } => Format::Csv,
            Self { markdown: true, .. } => Format::Markdown,
            Self { asciidoc: true, .. } => Format::Asciidoc,
            _ => Format::Text,
        }
    }
}

/// `--tables`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    #[value(name = "a")]
    Throughput,
    #[value(name = "b")]
    Cycles,
    #[value(name = "c")]
    Availability,
    #[value(name = "d")]
    Latency,
    #[value(name = "e")]
    Kernels,
    #[value(name = "xof")]
    Streams,
}

fn speed_help() -> String {
    let variables: Vec<&str> = hashwell_measure::peers::variables().collect();
    format!(
        "Before timing, the digests of all libraries are compared with those of hashwell's portable kernels; a library with a \
         wrong digest is reported and not timed. Libraries are found by their usual names; the environment variables {} \
         and HASHWELL_PEERS select other files.\n\n\
         A figure is the median of the CPU time of all rounds in all processes. Measurements on all cores and with \
         --threads use wall-clock time instead. --threads measures 1024 messages of 8 KiB with every algorithm and, for \
         tree hashes such as BLAKE3, one message of 16 MiB. Efficiency is the speed-up over one thread divided by the \
         number of threads. Each process needs up to 100 MiB of memory, and each sample takes 1.2 ms.\n\n\
         Exit codes: 0 success; 1 an error occurred, or --diff found something that became slower; 2 usage error; 130 \
         stopped by Ctrl-C, after printing the results so far.",
        variables.join(", ")
    )
}

#[cfg(feature = "git")]
const GIT_EXAMPLES: &str =
    "  hashwell git -a sha1 -a sha256 -a blake3    compare three algorithms on this repository
  hashwell git --sample 64M ~/linux           estimate from a sample of a large one
  hashwell git --operations old new           compare two repositories, e.g. with SHA-1 and SHA-256 ids";

#[cfg(feature = "git")]
const GIT_DETAILS: &str = "Reads every object of the repository (loose or packed, also from alternates) and checks its hash against its \
    ID. A candidate is one implementation of an algorithm, from hashwell or from a library. Each candidate hashes \
    every object on one thread, with the header that Git puts before the content (type and size), and its CPU time is \
    measured. Git itself is needed only for --operations, which runs git index-pack and git fsck once each, without \
    access to the network. It indexes packs in a temporary folder.\n\n\
    The figures are totals over all objects, with 95 % confidence intervals from a bootstrap over batches of objects. A \
    candidate is marked as tied with the one above it if the confidence interval of the ratio of their times contains 1. \
    The intervals do not cover differences between runs, such as memory placement, the choice of core, or other load. \
    Memory use stays below 300 MiB plus four times the largest object plus 60 bytes per object.\n\n\
    Exit codes: 0 every object matches its ID; 1 an object does not match or could not be read (the others are still \
    counted); 2 usage error; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP), after printing the results so far.";

/// Find the fastest hash for a repository.
#[cfg(feature = "git")]
#[derive(Args, Debug)]
#[command(after_help = brief("git", GIT_EXAMPLES), after_long_help = full("git", GIT_DETAILS, GIT_EXAMPLES))]
pub(crate) struct GitOptions {
    /// Algorithm to measure; repeatable [default: sha1, the algorithms considered for Git's new hash, and blake3]
    #[arg(short, long = "algorithm", value_name = "ALG", conflicts_with = "all", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Measure every algorithm
    #[arg(long)]
    pub(crate) all: bool,
    /// Measure every installed library, not only hashwell and OpenSSL
    #[arg(long)]
    pub(crate) libraries: bool,
    /// Hash a random sample of about this many bytes, e.g. 16M (MiB), and estimate the rest from object sizes [default: hash
    /// all objects]
    #[arg(long, value_name = "BYTES", value_parser = crate::options::bytes::some_bytes)]
    pub(crate) sample: Option<u64>,
    /// Report objects with more than this number of bytes, e.g. 512M (MiB), as unreadable; memory use is about four
    /// times the largest object
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = bytes, hide_short_help = true)]
    pub(crate) max_object: u64,
    /// Seed of the sample, as text
    #[arg(long, value_name = "TEXT", default_value = "hashwell", hide_short_help = true)]
    pub(crate) seed: String,
    /// Hash every object this many times [default: until a gigabyte is hashed, within --seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub(crate) repeat: Option<u64>,
    /// Time limit in seconds for repetitions; every object is hashed at least once
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) seconds: u64,
    /// Read the time for each message size from a report of hashwell speed --json, and measure only the times that the
    /// report does not have
    #[arg(long, value_name = "REPORT.json", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) speed: Option<PathBuf>,
    /// Also run index-pack and fsck of the installed git, and print how much of their time is spent on hashing
    #[arg(long)]
    pub(crate) operations: bool,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// Folder of a repository: a working tree, .git, or a bare repository; a second one is compared with the first
    #[arg(value_name = "REPO", default_value = ".", num_args = 0..=2, value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,
}

const TIMING_EXAMPLES: &str =
    "  hashwell timing-test --seconds 60                      one algorithm of each kind
  hashwell timing-test -a sha256 --target hmac-tag       one target";

const TIMING_DETAILS: &str = "Each measurement uses, at random, either a fixed secret or a fresh random one (the method of dudect). \
    Welch's t-test compares the times of these two classes, for all measurements and for those below each of 100 \
    percentiles. A paired test compares neighboring measurements. |t| > 4.5, or a p-value below 1 % after Holm's \
    correction over all targets, is reported as SUSPICIOUS, and |t| > 10 as a LEAK. The run also measures controls with \
    and without planted leaks, and is INCONCLUSIVE unless it detects exactly the planted ones. The test can find leaks; \
    it can't prove that code is secure.\n\n\
    To check the compiled code instead of measuring time, run valgrind -q hashwell timing-test --memcheck: secrets \
    are marked as undefined memory, and valgrind reports every branch and address that depends on them.\n\n\
    Exit codes: 0 no difference found; 1 a difference was found, or an error occurred; 2 usage error; 3 inconclusive, or \
    stopped early without a difference.";

/// Test whether running time depends on secrets.
#[derive(Args, Debug)]
#[command(
    after_help = brief("timing-test", TIMING_EXAMPLES),
    after_long_help = full("timing-test", TIMING_DETAILS, TIMING_EXAMPLES)
)]
pub(crate) struct TimingTestOptions {
    /// Test every target of every algorithm and kernel of this CPU [default: one algorithm of each kind, with its default kernel]
    #[arg(long)]
    pub(crate) all: bool,
    /// Test only this algorithm; repeatable
    #[arg(short, long = "algorithm", value_name = "ALG", value_parser = Names::timing_algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Test only this target, e.g. hmac-tag or hash; repeatable
    #[arg(long = "target", value_name = "PATH", value_parser = Names::timing_paths(), hide_possible_values = true)]
    pub(crate) paths: Vec<String>,
    /// Number of measurements per target
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1000..=20_000_000))]
    pub(crate) samples: u64,
    /// Time limit in seconds, divided equally among the targets; a target may then get fewer measurements [default: no limit]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) seconds: Option<u64>,
    /// Integer seed for the random secrets and classes [default: random]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write an SVG plot of |t| against the number of measurements
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = output_file())]
    pub(crate) svg: Option<PathBuf>,
    /// Write an SVG plot of the times of both classes, for the target with the largest |t|
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = output_file())]
    pub(crate) ecdf: Option<PathBuf>,
    /// Check the compiled code under valgrind instead of measuring
    #[arg(long, conflicts_with_all = ["seconds", "seed", "svg", "ecdf"])]
    pub(crate) memcheck: bool,
}

const ROUNDS_EXAMPLES: &str =
    "  hashwell research rounds                             16 to 128 rounds of SHA-256
  hashwell research rounds --rounds 16..32 --step 1    the first rounds one by one";

const ROUNDS_DETAILS: &str = "Measures SHA-256 with different numbers of rounds. Round t uses the constant K256[t mod 64], so 64 rounds are \
    SHA-256, and 90 rounds are SHA256-90R. Before timing, all digests are checked against a portable implementation. \
    Then the functions and the portable implementation are timed in turn, in random order, on one core. The avalanche \
    test changes one bit of a random block and counts the output bits of the compression function that change. It is run \
    twice: with a bit from anywhere in the block, and with a bit from its last word. The same seed gives the same \
    blocks.\n\n\
    The results do not show that a function is secure: output that looks random is necessary but not sufficient.\n\n\
    Exit codes: 0 success; 1 a file could not be written; 2 usage error.";

const RESEARCH_EXAMPLES: &str = "  hashwell research rounds                  16 to 128 rounds of SHA-256
  hashwell research degree                  algebraic degree of the first rounds
  hashwell research sum --rounds 72 FILE    72 rounds instead of 64";

/// Measure families of hash functions.
#[derive(Args, Debug)]
#[command(
    after_help = brief("research", RESEARCH_EXAMPLES),
    after_long_help = full("research", "Exit codes: 0 success; 1 a file could not be read or written; 2 usage error.", RESEARCH_EXAMPLES)
)]
pub(crate) struct ResearchOptions {
    #[command(subcommand)]
    pub(crate) question: Question,
}

/// The measurements.
#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    /// Measure speed and avalanche for different numbers of rounds
    Rounds(RoundsOptions),
    /// Search for collisions and preimages of a few output bits
    Attacks(AttacksOptions),
    /// Measure the algebraic degree of the output bits
    Degree(DegreeOptions),
    /// Print digests of SHA-256 with a different number of rounds
    Sum(ResearchSumOptions),
}

const ROUNDS_SUM_EXAMPLES: &str = "  hashwell research sum --rounds 72 FILE    72 rounds instead of 64
  hashwell research sum --rounds 90 FILE    the same digest as sum -a sha256-90r";

/// Digests of a member of the family.
#[derive(Args, Debug)]
#[command(
    after_help = brief("research sum", ROUNDS_SUM_EXAMPLES).replace("man research sum", "man research"),
    after_long_help = full("research", "Prints a line for each file: the digest, two spaces and the name. Round t uses the \
    constant K256[t mod 64], so 64 rounds are SHA-256, and 90 rounds are SHA256-90R. No security is claimed for any \
    other number of rounds. With fewer than 16 rounds, parts of the message have no influence on the digest.\n\n\
    Exit codes: 0 success; 1 a file could not be read or output could not be written; 2 usage error.", ROUNDS_SUM_EXAMPLES)
)]
pub(crate) struct ResearchSumOptions {
    /// Number of rounds, 1 to 256
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) rounds: u64,
    /// Implementation: sha-ni, armv8-sha2, jit or soft [default: the one for this CPU's SHA instructions, else soft]
    #[arg(long, value_name = "NAME")]
    pub(crate) implementation: Option<String>,
    /// Input files; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
}

/// Speed and avalanche over the number of rounds.
#[derive(Args, Debug)]
#[command(
    after_help = brief("research rounds", ROUNDS_EXAMPLES).replace("man research rounds", "man research"),
    after_long_help = full("research", ROUNDS_DETAILS, ROUNDS_EXAMPLES)
)]
pub(crate) struct RoundsOptions {
    /// Algorithm; only sha256 is supported
    #[arg(short, long, value_name = "ALG", default_value = "sha256", value_parser = ["sha256"])]
    pub(crate) algorithm: String,
    /// First and last number of rounds, 1 to 256
    #[arg(long, value_name = "A..B", default_value = "16..128", value_parser = rounds)]
    pub(crate) rounds: std::ops::RangeInclusive<usize>,
    /// Step from one number of rounds to the next
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) step: u64,
    /// Message length in bytes for measuring speed
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u64).range(64..=1 << 24))]
    pub(crate) size: u64,
    /// Number of timing samples per function, of a millisecond each
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(3..=1000))]
    pub(crate) samples: u64,
    /// Number of pairs of blocks per avalanche test; the blocks of a pair differ in one bit
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    pub(crate) pairs: u64,
    #[command(flatten)]
    pub(crate) common: FamilyOptions,
    /// Write an SVG plot of the speed
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = output_file())]
    pub(crate) svg: Option<PathBuf>,
    /// Write an SVG plot of the number of biased output bits
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = output_file())]
    pub(crate) avalanche_svg: Option<PathBuf>,
}

const ATTACKS_EXAMPLES: &str = "  hashwell research attacks              16 output bits
  hashwell research attacks --bits 20    20 output bits, which takes 16 times as long";

const ATTACKS_DETAILS: &str = "Attacks the first bits of the output of SHA-256's compression function with different numbers of rounds, \
    in three ways that work on every function. Collision: random blocks are hashed until two of them have the same output. \
    Preimage: random blocks are hashed until one has the same output as a given block. Images: the last message word \
    used by the rounds takes 2^BITS different values, and the distinct outputs are counted. The report shows each \
    result with a 95 % interval, and the values expected of a random function. The same seed gives the same \
    blocks.\n\n\
    The time is proportional to 2^BITS.\n\n\
    The results do not show that a function is secure: the attacks do not use its structure.\n\n\
    Exit codes: 0 success; 1 a file could not be written; 2 usage error.";

/// Generic attacks over the number of rounds.
#[derive(Args, Debug)]
#[command(
    after_help = brief("research attacks", ATTACKS_EXAMPLES).replace("man research attacks", "man research"),
    after_long_help = full("research", ATTACKS_DETAILS, ATTACKS_EXAMPLES)
)]
pub(crate) struct AttacksOptions {
    /// First and last number of rounds, 1 to 256
    #[arg(long, value_name = "A..B", default_value = "16..64", value_parser = rounds)]
    pub(crate) rounds: std::ops::RangeInclusive<usize>,
    /// Step from one number of rounds to the next
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) step: u64,
    /// Number of output bits to attack, 4 to 32
    #[arg(long, value_name = "BITS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=32))]
    pub(crate) bits: u32,
    /// Number of experiments of each kind
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    pub(crate) experiments: u64,
    #[command(flatten)]
    pub(crate) common: FamilyOptions,
    /// Write an SVG plot of the results relative to a random function
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = output_file())]
    pub(crate) svg: Option<PathBuf>,
}

const DEGREE_EXAMPLES: &str =
    "  hashwell research degree                                16 to 32 rounds of SHA-256
  hashwell research degree --rounds 16..22 --highest 20    degrees up to 20";

const DEGREE_DETAILS: &str = "Proves lower bounds on the algebraic degree of SHA-256's compression function with \
    different numbers of rounds. Only the bits of one word are varied: the last message word that the rounds use. Each \
    output bit is a polynomial over GF(2) in these bits. The XOR of an output bit over all values of D input bits is \
    zero if the degree of the output bit is less than D. So an XOR that is not zero proves that the degree is at least \
    D. This is tried for several sets of D input bits, each with a random block. The same seed gives the same sets and \
    blocks.\n\n\
    The time is proportional to 2^D for the highest degree D.\n\n\
    The results do not show that a function is secure: a high degree is necessary but not sufficient.\n\n\
    Exit codes: 0 success; 1 a file could not be written; 2 usage error.";

/// The algebraic degree over the number of rounds.
#[derive(Args, Debug)]
#[command(
    after_help = brief("research degree", DEGREE_EXAMPLES).replace("man research degree", "man research"),
    after_long_help = full("research", DEGREE_DETAILS, DEGREE_EXAMPLES)
)]
pub(crate) struct DegreeOptions {
    /// First and last number of rounds, 1 to 256
    #[arg(long, value_name = "A..B", default_value = "16..32", value_parser = rounds)]
    pub(crate) rounds: std::ops::RangeInclusive<usize>,
    /// Step from one number of rounds to the next
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) step: u64,
    /// Highest degree to test, 1 to 32
    #[arg(long, value_name = "D", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=32))]
    pub(crate) highest: u32,
    /// Number of sets of input bits
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) sets: u64,
    #[command(flatten)]
    pub(crate) common: FamilyOptions,
    /// Write an SVG plot of the degrees
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = output_file())]
    pub(crate) svg: Option<PathBuf>,
}

/// The options that all measurements of the family have.
#[derive(Args, Debug)]
pub(crate) struct FamilyOptions {
    /// Implementation: sha-ni, armv8-sha2, jit or soft [default: the one for this CPU's SHA instructions, else jit if this
    /// build has it, else soft]
    #[arg(long, value_name = "NAME")]
    pub(crate) implementation: Option<String>,
    /// Integer seed for the random blocks
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// `16..128`, or one number.
fn rounds(text: &str) -> Result<std::ops::RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| {
        text.parse::<usize>()
            .map_err(|_| format!("expected an integer, or two with .. between them, got '{text}'"))
    };
    let (from, to) = (number(from)?, number(to)?);
    if let Some(wrong) = [from, to].into_iter().find(|rounds| !(1..=256).contains(rounds)) {
        return Err(format!("the number of rounds must be 1 to 256, not {wrong}"));
    }
    if from > to {
        Err(format!("the first number, {from}, is greater than the last, {to}"))
    } else {
        Ok(from..=to)
    }
}

const COMPLETIONS_EXAMPLES: &str = "  source <(hashwell completions bash)    complete in this shell
  hashwell completions fish > ~/.config/fish/completions/hashwell.fish";

/// Print a completion script.
#[derive(Args, Debug)]
#[command(
    after_help = brief("completions", COMPLETIONS_EXAMPLES),
    after_long_help = full("completions", "To install the completions for all new shells:\n\n\
    bash (with the package bash-completion):\n  \
    mkdir -p ~/.local/share/bash-completion/completions\n  \
    hashwell completions bash > ~/.local/share/bash-completion/completions/hashwell\n\n\
    zsh (the folder must be in fpath before compinit runs in ~/.zshrc):\n  \
    mkdir -p ~/.zfunc\n  \
    hashwell completions zsh > ~/.zfunc/_hashwell\n  \
    fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit\n\n\
    fish:\n  \
    mkdir -p ~/.config/fish/completions\n  \
    hashwell completions fish > ~/.config/fish/completions/hashwell.fish\n\n\
    Exit codes: 0 success; 1 output could not be written; 2 usage error.", COMPLETIONS_EXAMPLES)
)]
pub(crate) struct CompletionsOptions {
    /// Shell for which to print the script
    pub(crate) shell: clap_complete::Shell,
}

/// The commands of this program.
fn commands() -> Names {
    Names(|| {
        let program = Options::command();
        program.get_subcommands().map(|command| PossibleValue::new(command.get_name().to_owned())).collect()
    })
}

const MAN_EXAMPLES: &str = "  hashwell man sum | man -l -                    show a page
  hashwell man --out ~/.local/share/man/man1     install all pages";

/// Print manual pages.
#[derive(Args, Debug)]
#[command(
    after_help = brief("man", MAN_EXAMPLES),
    after_long_help = full("man", "Exit codes: 0 success; 1 a page could not be written; 2 usage error.", MAN_EXAMPLES)
)]
pub(crate) struct ManOptions {
    /// Write all pages to this folder; it is created if it does not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
    /// Command whose page is printed [default: the page of hashwell itself]
    #[arg(value_name = "COMMAND", value_parser = commands(), hide_possible_values = true)]
    pub(crate) command: Option<String>,
}
