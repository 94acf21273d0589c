//! The command line, as clap reads it. Help, completions and the man page come from here.

use crate::options::bytes::{UNITS, bytes};
use crate::options::draw_args::{DrawOptions, VerifyOptions};
use crate::options::engine_args::EngineOptions;
use crate::options::key::KeyOptions;
use crate::options::names::{self, Names};
use crate::options::parameters::{self, ParameterOptions};
use crate::options::process_args::ProcessOptions;
use crate::options::sample_args::SampleOptions;
use crate::options::table_args::{DiffOptions, TableOptions};
use clap::builder::PossibleValue;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use hashwell_document::format::Format;
use std::ffi::OsString;
use std::path::PathBuf;

/// Digests, streams and tags of files: every algorithm of the registry.
#[derive(Debug, Parser)]
#[command(name = "hashwell", version, after_help = after_help())]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Show no progress, even on a terminal
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
}

fn after_help() -> String {
    format!(
        "Algorithms: {}.\n\nExit codes: 0 done and right; 1 a file unreadable, a checksum wrong, output not \
         written; 2 usage; 3 from leak: inconclusive; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP).\n\n\
         HASHWELL_KERNEL names the kernel to use, where the algorithm has it: {}.\n\n\
         More: hashwell COMMAND --help; the manual: hashwell man COMMAND | man -l -",
        names::all_with_status(),
        hashwell::kernels().join(", ")
    )
}

/// Exit codes of commands that make something of their input.
const EXIT: &str = "Exit codes: 0 done; 1 a file could not be read or the output not written; 2 usage.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print or check checksums of files, as sha256sum and its relatives do
    Sum(SumOptions),
    /// Show the registry, and the kernels of this CPU
    Algorithms(AlgorithmsOptions),
    /// List what can hash besides this processor's kernels
    #[cfg(feature = "accel")]
    Devices(DevicesOptions),
    /// Print the output stream of an extendable-output function
    Xof(XofOptions),
    /// Print or verify an HMAC tag
    Hmac(HmacOptions),
    /// Print or verify a KMAC tag, or print KMAC's output stream
    Kmac(KmacOptions),
    /// Derive keys with HKDF
    Hkdf(HkdfOptions),
    /// Print random bytes or numbers, repeatable ones from a seed
    Random(RandomOptions),
    /// Pick random rows of files or pipes, reproducibly from a seed
    Sample(SampleOptions),
    /// Print a digest of a table that does not depend on row order or file format
    Table(TableOptions),
    /// Compare two tables and show the rows in which they differ
    Diff(DiffOptions),
    /// Draw winners from a list so that anyone can verify the result
    Draw(DrawOptions),
    /// Verify a draw or a sample by its transcript
    Verify(VerifyOptions),
    /// Sample, enumerate and draw a stochastic process
    Process(ProcessOptions),
    /// Measure how fast hashes are on this machine, hashwell's beside those of the libraries that are there
    Speed(SpeedOptions),
    /// Find out which hash would be fastest for the objects of a git repository
    #[cfg(feature = "git")]
    Git(GitOptions),
    /// Find out what more rounds cost, and what they do to a bit
    #[cfg(feature = "accel")]
    Research(ResearchOptions),
    /// Measure whether the time of keyed computations depends on their secrets
    Leak(LeakOptions),
    /// Print a completion script for a shell
    Completions(CompletionsOptions),
    /// Print a manual page, or write all of them
    Man(ManOptions),
}

const SUM_HELP: &str = "Without FILE, or where FILE is -, standard input is read. Each file is read once for \
    all algorithms; with more than one, lines are tagged. -c reads GNU, BSD, OpenSSL, b3sum, SRI, hashdeep, \
    JSON and hash-only lists, mixed. The algorithm of a line is the one in its tag, else -a. A line with neither is \
    checked with the algorithm that a comment, a heading or a tag above it names, else the one in the list's name \
    (SHA256SUMS, x.sha512), else the usual one for digests of that length. If its checksum does not match, all \
    other algorithms with digests of that length are tried, except broken ones, and a message says which matched. \
    Lists of legacy checksums (md5, crc32 of SFV, crc32c, cksum, crc32b, bsd, sysv) are verified, never made.\n\n\
    If a listed file is missing, -c looks for other spellings of its name: the other path separator, the other Unicode \
    normalization form, no blanks at the end. A message says which file was checked instead.\n\n\
    Identifiers (docs/spec/identifiers.md): --git-blob, --git-tree, --swhid and --h1 print one line ID  NAME for \
    each FILE. \
    SHA-1, which is broken, is here plain, without git's collision detection. --git-tree leaves out .git and empty directories, \
    records a repository below as the commit checked out in it, and hashes files as they are on disk, \
    whatever .gitattributes says; --swhid leaves out nothing.\n\n\
    --exclude: a GLOB without a slash is compared with every name met below a directory, one with slashes with the \
    path below the FILE that was given; a directory left out is left out with all in it. * and ? stop at slashes, ** \
    does not; [abc] and {a,b} are alternatives, a backslash takes a character's meaning away. FILEs themselves are \
    never left out. With -r, the file that standard output goes to is left out, so that a list does not list \
    itself, as are links and what is no regular file; one line at the end says so.\n\n\
    SHA-1 is broken and SHA256-90R experimental; on a terminal a line says so.\n\n\
    Exit codes: 0 all was read, and with -c at least one checksum right and none wrong; 1 a file could not be read, \
    a checksum is wrong, or the output could not be written; 2 usage.";

/// Print or check checksums.
#[derive(Args, Debug)]
#[command(
    after_help = SUM_HELP,
    version,
    args_override_self = true,
    group(clap::ArgGroup::new("identifier").args(["git_blob", "git_tree", "swhid", "h1"]).conflicts_with_all([
        "length", "length_bytes", "recursive", "dereference", "exclude", "tag", "untagged", "binary", "text",
        "base64", "sri", "json", "raw", "no_names",
        "summary", "ignore_missing", "quiet", "status", "strict", "warn", "audit",
    ]).conflicts_with_all(parameters::ids()))
)]
pub(crate) struct SumOptions {
    /// Algorithm; may be given several times [default: sha256]
    #[arg(short, long = "algorithm", value_name = "ALG", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Digest length in bits, where the algorithm lets you choose, as with b2sum; b3sum's -l counts bytes: use
    /// --length-bytes
    #[arg(short, long, value_name = "BITS")]
    pub(crate) length: Option<u64>,
    /// Digest length in bytes, as b3sum's -l
    #[arg(long, value_name = "BYTES", conflicts_with = "length")]
    pub(crate) length_bytes: Option<u64>,
    /// Read the files below directories too, in byte order of their names
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// With -r, follow symbolic links
    #[arg(short = 'L', long)]
    pub(crate) dereference: bool,
    /// With -r, or with -c --audit, leave out what this pattern matches; may be given several times
    #[arg(long, value_name = "GLOB", value_hint = ValueHint::Other)]
    pub(crate) exclude: Vec<OsString>,
    /// Say on standard error how many files and bytes were read [default: with -r, if that is a terminal]
    #[arg(long)]
    pub(crate) summary: bool,
    /// Files to read at the same time [default: one per core]; 1 reads strictly one after the other, on one
    /// core
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    /// BSD style lines: ALG (NAME) = DIGEST
    #[arg(long, overrides_with = "untagged")]
    pub(crate) tag: bool,
    /// Lines without the algorithm: DIGEST  NAME [default with one algorithm]
    #[arg(long, overrides_with = "tag", conflicts_with_all = ["json", "raw"])]
    pub(crate) untagged: bool,
    /// Write the mark of binary mode, *, before names: DIGEST *NAME; digests are the same
    #[arg(short, long, overrides_with = "text", conflicts_with_all = ["json", "raw", "no_names"])]
    pub(crate) binary: bool,
    /// Write a space before names: DIGEST  NAME; digests are the same [default]
    #[arg(short, long, overrides_with = "binary", conflicts_with_all = ["json", "raw", "no_names"])]
    pub(crate) text: bool,
    /// End lines with NUL and do not escape names
    #[arg(short, long)]
    pub(crate) zero: bool,
    /// Digests in base64 instead of hexadecimal
    #[arg(long)]
    pub(crate) base64: bool,
    /// Subresource integrity: sha256-BASE64 (SHA-256, SHA-384 and SHA-512)
    #[arg(long, conflicts_with_all = ["tag", "base64", "json", "raw"])]
    pub(crate) sri: bool,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["tag", "base64", "zero", "raw"])]
    pub(crate) json: bool,
    /// The digest's bytes and nothing else; one file, one algorithm
    #[arg(long, conflicts_with_all = ["tag", "base64", "zero"])]
    pub(crate) raw: bool,
    /// Digests without the names of files; one algorithm
    #[arg(long, conflicts_with_all = ["tag", "json", "raw"])]
    pub(crate) no_names: bool,

    #[command(flatten)]
    pub(crate) parameters: ParameterOptions<false>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,

    /// Git's id of each file's content: `git hash-object`. SHA-1, or SHA-256 with -a sha256
    #[arg(long)]
    pub(crate) git_blob: bool,
    /// Git's id of each directory: `git write-tree` after `git add -A -f`. SHA-1, or SHA-256 with -a sha256
    #[arg(long)]
    pub(crate) git_tree: bool,
    /// SWHID (ISO/IEC 18670) of each file or directory: swh:1:cnt:…, swh:1:dir:…
    #[arg(long)]
    pub(crate) swhid: bool,
    /// Go's hash of each directory or module zip file, as in go.sum: h1:…
    #[arg(long)]
    pub(crate) h1: bool,
    /// With --h1: what stands before the names in a directory; for a module, MODULE@VERSION [default: nothing]
    #[arg(long, value_name = "PREFIX", requires = "h1")]
    pub(crate) h1_prefix: Option<OsString>,

    /// Read checksums from the FILEs and check them
    #[arg(short, long)]
    pub(crate) check: bool,
    /// With -c: do not fail for files that are missing; a line counts them
    #[arg(long)]
    pub(crate) ignore_missing: bool,
    /// With -c: do not print OK; of --quiet, --status and --warn the last one counts
    #[arg(long, overrides_with_all = ["status", "warn"])]
    pub(crate) quiet: bool,
    /// With -c: print nothing, the exit code tells
    #[arg(long, overrides_with_all = ["quiet", "warn"])]
    pub(crate) status: bool,
    /// With -c: fail for improperly formatted lines
    #[arg(long)]
    pub(crate) strict: bool,
    /// With -c: name each improperly formatted line
    #[arg(short, long, overrides_with_all = ["quiet", "status"])]
    pub(crate) warn: bool,
    /// With -c: name files that lie beside or below the listed ones but are not listed, and fail for them
    #[arg(long)]
    pub(crate) audit: bool,

    /// Files, or with -c lists; for --git-tree and --h1 directories
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

/// What `sum` has instead of an option of a similar tool.
pub(crate) fn instead_in_sum(option: &str) -> Option<&'static str> {
    Some(match option {
        "--debug" => "'hashwell algorithms' shows the implementations",
        "--num-threads" => "use --jobs",
        "--no-mmap" => "leave it out: files are read, not mapped",
        "--seek" => "use 'hashwell xof --seek'",
        "--sysv" | "-s" => "lists of it are verified with -c -a sysv, new ones are not made",
        "-U" | "--UNIVERSAL" | "-0" | "--01" => "digests are of the bytes as they are",
        _ => return None,
    })
}

impl SumOptions {
    /// The digest length in bits, if one of the two options gives it.
    pub(crate) fn bits(&self) -> Option<u64> {
        self.length.or_else(|| self.length_bytes.map(|bytes| bytes.saturating_mul(8)))
    }
}

/// Show the registry.
#[derive(Args, Debug)]
#[command(after_help = EXIT)]
pub(crate) struct AlgorithmsOptions {
    /// One JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// List engines.
#[cfg(feature = "accel")]
#[derive(Args, Debug)]
#[command(
    after_help = "Engines hash many messages, and may be absent, full or broken; nothing is hashed elsewhere in their \
    place in silence. MEMORY is a device's own, UNITS how many work side by side. A simulation is a circuit computed step by step: \
    right, and slower by orders of magnitude than anything else.\n\n\
    Exit codes: 0 done; 1 the output could not be written; 2 usage."
)]
pub(crate) struct DevicesOptions {
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print an output stream.
#[derive(Args, Debug)]
#[command(after_help = format!("{UNITS}\n\n{EXIT}"))]
pub(crate) struct XofOptions {
    /// Algorithm
    #[arg(short, long, value_name = "ALG", value_parser = Names::xofs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    /// Bytes to print
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) bytes: u64,
    /// Byte of the stream to begin with; a jump for BLAKE3, elsewhere what is before is computed and dropped
    #[arg(long, value_name = "BYTES", default_value_t = 0, value_parser = bytes)]
    pub(crate) seek: u64,
    #[command(flatten)]
    pub(crate) parameters: ParameterOptions<true>,
    /// Hexadecimal and a newline [the default]
    #[arg(long)]
    pub(crate) hex: bool,
    /// The bytes themselves
    #[arg(long, conflicts_with = "hex")]
    pub(crate) raw: bool,
    /// Input; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,
}

/// Exit codes of commands that verify too.
const EXIT_OF_TAGS: &str = "Exit codes: 0 done, and with --verify all tags are right; 1 a tag is wrong, a file could \
                            not be read or the output not written; 2 usage.";

/// Print or verify a tag.
#[derive(Args, Debug)]
#[command(after_help = EXIT_OF_TAGS)]
pub(crate) struct HmacOptions {
    /// Algorithm of the hash underneath
    #[arg(short, long, value_name = "ALG", value_parser = Names::hmacs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
    /// Verify this tag, in constant time, instead of printing one
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) verify: Option<String>,
    /// Inputs; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
}

/// Print or verify a tag, or print a stream.
#[derive(Args, Debug)]
#[command(
    after_help = format!("KMAC of SP 800-185, section 4. A tag of another length is another tag, not a part of a \
    longer one; with --xof the length does not matter, and output is unlimited. The key should have at least 16 \
    (kmac128) or 32 bytes (kmac256).\n\n{UNITS}\n\n{EXIT_OF_TAGS}")
)]
pub(crate) struct KmacOptions {
    /// kmac128 or kmac256
    #[arg(short, long, value_name = "ALG", value_parser = Names::kmacs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
    /// Bytes of the tag [default: 32 for kmac128, 64 for kmac256]
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) bytes: Option<u64>,
    /// KMACXOF128 or KMACXOF256, whose output is a stream
    #[arg(long)]
    pub(crate) xof: bool,
    /// Customisation string
    #[arg(long, value_name = "TEXT", default_value = "", value_hint = ValueHint::Other)]
    pub(crate) customization: String,
    /// Verify this tag, in constant time, instead of printing one; it must have all bytes of -n
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, conflicts_with = "raw")]
    pub(crate) verify: Option<String>,
    /// The bytes themselves and nothing else; one file
    #[arg(long)]
    pub(crate) raw: bool,
    /// Inputs; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,
}

/// Derive keys.
#[derive(Args, Debug)]
#[command(
    after_help = format!("HKDF of RFC 5869. The key material (--key-file, --key-hex or --key-env) is extracted with \
    the salt into a pseudorandom key as long as a digest, and that is expanded with the info, which says what the \
    new key is for, to at most 255 digests. Passwords need a slow function such as Argon2 instead.\n\n\
    {UNITS}\n\n{EXIT}"),
    group(clap::ArgGroup::new("salts").args(["salt", "salt_hex"])),
    group(clap::ArgGroup::new("infos").args(["info", "info_hex"]))
)]
pub(crate) struct HkdfOptions {
    /// Algorithm of the hash underneath
    #[arg(short, long, value_name = "ALG", value_parser = Names::hmacs(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
    /// Bytes to derive
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes, required_unless_present = "extract")]
    pub(crate) bytes: Option<u64>,
    /// Salt as text [default: none]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) salt: Option<OsString>,
    /// Salt in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) salt_hex: Option<String>,
    /// Info as text [default: none]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) info: Option<OsString>,
    /// Info in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) info_hex: Option<String>,
    /// The first step alone: print the pseudorandom key
    #[arg(long, conflicts_with_all = ["expand", "bytes", "infos"])]
    pub(crate) extract: bool,
    /// The second step alone: the key is a pseudorandom key, of at least a digest's length
    #[arg(long, conflicts_with = "salts")]
    pub(crate) expand: bool,
    /// The bytes themselves instead of hexadecimal and a newline
    #[arg(long)]
    pub(crate) raw: bool,
}

/// Print random bytes or numbers.
#[derive(Args, Debug)]
#[command(after_help = random_help(), group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "seed_file"])))]
pub(crate) struct RandomOptions {
    /// Bytes to print
    #[arg(short = 'n', long, value_name = "BYTES", value_parser = bytes, conflicts_with = "count")]
    pub(crate) bytes: Option<u64>,
    /// Numbers to print, one a line
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// Print without end
    #[arg(long, conflicts_with_all = ["bytes", "count"])]
    pub(crate) unlimited: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = RandomFormat::Hex)]
    pub(crate) format: RandomFormat,
    /// Generator
    #[arg(long, value_name = "NAME", default_value = "hmac-drbg-sha256", value_parser = Names::sources())]
    #[arg(hide_possible_values = true)]
    pub(crate) source: String,
    /// Seed, as text; other users of the machine can see it in the process list
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal; other users of the machine can see it in the process list
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) seed_hex: Option<String>,
    /// File whose bytes, all of them, are the seed; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) seed_file: Option<PathBuf>,
    /// Tells uses of one seed apart; need not be secret
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "")]
    pub(crate) personalization: String,
}

/// How random bytes are printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RandomFormat {
    /// Hexadecimal and a newline
    Hex,
    /// The bytes themselves
    Raw,
    /// Base64 and a newline
    Base64,
    /// Numbers from 0 to 2^64 - 1: eight bytes, big-endian
    U64,
    /// Numbers from 0 to below 1: (the u64 >> 11) * 2^-53
    Float,
}

fn random_help() -> String {
    let names: Vec<String> = hashwell::Source::all().map(hashwell::Source::name).collect();
    format!(
        "Without a seed the operating system seeds the generator, HMAC-DRBG is reseeded as SP 800-90A wants, and \
         nobody can repeat the output; that is what secrets need. With a seed the output is the same on every \
         machine and in every version, and only as secret as the seed.\n\nSources: {}.\n\n{UNITS}\n\n{EXIT}",
        names.join(", ")
    )
}

/// How fast hashes are on this machine.
#[derive(Args, Debug)]
#[command(after_help = speed_help())]
pub(crate) struct SpeedOptions {
    /// Within 30 seconds: as many rounds as fit in, and on a slow machine fewer sizes; nothing is begun after 24 seconds,
    /// and the report says what was left out
    #[arg(long)]
    pub(crate) quick: bool,
    /// Algorithm; may be given several times [default: those that give digests of 256 bits, and SHA-1, broken]
    #[arg(short, long = "algorithm", value_name = "ALG", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Every algorithm of the registry
    #[arg(long, conflicts_with = "algorithms")]
    pub(crate) all: bool,
    /// Only rows of this provider; may be given several times
    #[arg(long = "provider", value_name = "NAME", value_parser = Names::providers(), hide_possible_values = true)]
    pub(crate) providers: Vec<String>,
    /// Table E: the kernels of this algorithm side by side; may be given several times. Without --tables or -a,
    /// nothing else
    #[arg(long, value_name = "ALG", value_parser = Names::algorithms(), hide_possible_values = true)]
    pub(crate) kernels: Vec<String>,
    /// Parts: a throughput, b cycles per byte, c who has what, d latency, e kernels, xof streams
    #[arg(long, value_name = "LIST", value_delimiter = ',', ignore_case = true, value_enum)]
    pub(crate) tables: Vec<Part>,
    /// Rows on all cores too, on wall-clock time [default: with tables a and b]
    #[arg(long, overrides_with = "no_threaded")]
    pub(crate) threaded: bool,
    /// No rows on all cores
    #[arg(long, overrides_with = "threaded")]
    pub(crate) no_threaded: bool,
    /// Processes that measure everything [default: 8; with --quick 3]
    #[arg(long, value_name = "N")]
    pub(crate) processes: Option<usize>,
    /// Samples of each process, however long they take [default: 15; with --quick as many as fit into its time]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<usize>,

    /// Measure nothing: show this report, which --json wrote
    #[arg(long, value_name = "REPORT.json", value_hint = ValueHint::FilePath, conflicts_with_all = MEASURING)]
    pub(crate) from: Option<PathBuf>,
    /// Measure nothing: what became slower or faster between two reports, which --json wrote; exit code 1 if anything
    /// became slower
    #[arg(long, value_hint = ValueHint::FilePath, value_names = ["OLD.json", "NEW.json"], num_args = 2, conflicts_with_all = MEASURING)]
    #[arg(conflicts_with_all = ["from", "compare_published", "ticks"])]
    pub(crate) diff: Option<Vec<PathBuf>>,
    /// The figures of the comparison of 2018 beside this machine's
    #[arg(long)]
    pub(crate) compare_published: bool,
    /// Ticks of the time-stamp counter per byte, too
    #[arg(long)]
    pub(crate) ticks: bool,

    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// Options of `speed` that say what is measured.
const MEASURING: [&str; 10] = [
    "quick",
    "algorithms",
    "all",
    "providers",
    "kernels",
    "tables",
    "threaded",
    "no_threaded",
    "processes",
    "rounds",
];

/// In which format a report is printed.
#[derive(Args, Debug)]
pub(crate) struct OutputOptions {
    /// Everything, one JSON object
    #[arg(long, group = "format")]
    json: bool,
    /// Comma-separated values, one line for each figure and its row
    #[arg(long, group = "format")]
    csv: bool,
    /// The tables in Markdown
    #[arg(long, group = "format")]
    markdown: bool,
    /// The tables in AsciiDoc
    #[arg(long, group = "format")]
    asciidoc: bool,
    /// Write a page with charts, too
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
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
        "Everybody's digests are compared with hashwell's portable kernels before they are timed; a wrong one is \
         reported and not timed. Libraries are looked for by name; {} and HASHWELL_PEERS name other files.\n\n\
         Figures are medians over processes and rounds, of CPU time but for threaded rows. Up to 100 MiB of memory \
         for each process, 1.2 ms for each sample.\n\nExit codes: 0 measured; 1 failure; 2 usage; 130 stopped by \
         Ctrl-C, after printing what there was.",
        variables.join(", ")
    )
}

/// Which hash would be fastest for a repository.
#[cfg(feature = "git")]
#[derive(Args, Debug)]
#[command(
    after_help = "Reads every object (loose and packed, of alternates too), compares its hash with its id, and hashes \
    it as git does, with its type and size before it, by each candidate in turn, on one thread, in CPU time. Git is not \
    needed. The figures are sums over all objects, with intervals of 95 % by a bootstrap over batches of objects; \
    candidates whose ratio may be 1 are marked as tied. What is between two runs (where memory lies, which core, what \
    else runs) is not in the intervals. Memory stays below 300 MiB, plus four times the largest object and 60 bytes \
    for each object.\n\nExit codes: 0 all objects are what their ids say; 1 some are not, or cannot be read (the \
    others count); 2 usage; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP), after printing what there was."
)]
pub(crate) struct GitOptions {
    /// Algorithm; may be given several times [default: the candidates of git's choice, and BLAKE3]
    #[arg(short, long = "algorithm", value_name = "ALG", conflicts_with = "all", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Every algorithm of the registry
    #[arg(long)]
    pub(crate) all: bool,
    /// Time every library that is there too, not OpenSSL alone
    #[arg(long)]
    pub(crate) peers: bool,
    /// Hash a sample of about this many bytes (16M: 16 MiB), each object as likely as any other, and estimate
    /// the rest from its sizes
    #[arg(long, value_name = "BYTES", value_parser = crate::options::bytes::some_bytes)]
    pub(crate) sample: Option<u64>,
    /// Refuse objects that declare more bytes (K, M, G: times 1024); about four times the largest is needed as memory
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = bytes)]
    pub(crate) max_object: u64,
    /// Public seed that chooses the sample
    #[arg(long, value_name = "TEXT", default_value = "hashwell")]
    pub(crate) seed: String,
    /// Hash every object this many times [default: as often as makes a gigabyte, within --seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) repeat: Option<u64>,
    /// Seconds for hashing objects more than once; every object is hashed at least once by each candidate
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) seconds: u64,
    /// Predict from this report of `hashwell speed --json`, where it has the row, instead of measuring times by size
    #[arg(long, value_name = "REPORT.json", value_hint = ValueHint::FilePath)]
    pub(crate) speed: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// A folder of the repository: working tree, .git, or bare
    #[arg(value_name = "REPO", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) repository: PathBuf,
}

/// Measure whether time depends on secrets.
#[derive(Args, Debug)]
#[command(
    after_help = "A coin chooses for every measurement whether the secret is the same as ever or a new one. Welch's t \
    compares both classes, on all measurements and cropped at 100 percentiles (dudect); a paired test compares \
    neighbours. |t| > 4.5, or a p-value below 1 % after Holm's correction for all targets, is SUSPICIOUS; |t| > 10 is \
    a LEAK. Planted leaks must be found and a clean pair of classes must pass, else the run is INCONCLUSIVE. It says \
    what was seen, never that code is secure: dev/timing.md.\n\nExit codes: 0 nothing seen; 1 a difference was seen, \
    whatever its size, or the work failed; 2 usage; 3 inconclusive, or stopped before the end without a difference.\n\n\
    valgrind -q hashwell leak --memcheck checks the compiled code instead: secrets count as undefined memory, and no \
    branch and no address may depend on them."
)]
pub(crate) struct LeakOptions {
    /// Every path of every algorithm on every kernel of this CPU [default: users' kernels, one algorithm for each kind]
    #[arg(long)]
    pub(crate) all: bool,
    /// Only this algorithm; may be given several times
    #[arg(short, long = "algorithm", value_name = "ALG", value_parser = Names::leak_algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<String>,
    /// Only this path, such as hmac-tag or hash; may be given several times
    #[arg(long = "target", value_name = "PATH", value_parser = Names::leak_paths(), hide_possible_values = true)]
    pub(crate) paths: Vec<String>,
    /// Measurements of each target
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1000..=20_000_000))]
    pub(crate) samples: u64,
    /// Seconds for all measurements together; targets share them alike, and have fewer measurements where it is too
    /// short
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) seconds: Option<u64>,
    /// Seed of secrets and classes [default: another each time]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Picture of |t| against the number of measurements
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Picture of both classes' distributions, of the target with the largest |t|
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ecdf: Option<PathBuf>,
    /// Check the compiled code under valgrind's memcheck instead of measuring
    #[arg(long, conflicts_with_all = ["seconds", "seed", "svg", "ecdf"])]
    pub(crate) memcheck: bool,
}

/// Research on hash functions.
#[cfg(feature = "accel")]
#[derive(Args, Debug)]
#[command(
    after_help = "What is measured of a family of functions, with what the figures tell and what they do not.\n\n\
    Exit codes: 0 done; 1 a file could not be written; 2 usage."
)]
pub(crate) struct ResearchOptions {
    #[command(subcommand)]
    pub(crate) question: Question,
}

/// What can be asked.
#[cfg(feature = "accel")]
#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    /// Speed and avalanche over the number of rounds
    Rounds(RoundsOptions),
}

/// Speed and avalanche over the number of rounds.
#[cfg(feature = "accel")]
#[derive(Args, Debug)]
#[command(
    after_help = "SHA-256 with other numbers of rounds, and constants K[t] = K256[t mod 64]: 64 is SHA-256, 90 is \
    SHA256-90R. Digests are compared with a portable loop's before anything is timed; each function and the loop are \
    timed in the same rounds, in random order, on one core. The avalanche is that of one compression: a random block, one \
    bit changed, anywhere or in the last word. The same seed gives the same bits.\n\n\
    What it does not tell: whether a function is secure. Bits that look random are needed and not enough.\n\n\
    Exit codes: 0 done; 1 a file could not be written; 2 usage."
)]
pub(crate) struct RoundsOptions {
    /// Algorithm; SHA-256 alone has a family
    #[arg(short, long, value_name = "ALG", default_value = "sha256", value_parser = ["sha256"])]
    pub(crate) algorithm: String,
    /// From how many rounds to how many, 1 to 256, both of them included
    #[arg(long, value_name = "A..B", default_value = "16..128", value_parser = rounds)]
    pub(crate) rounds: std::ops::RangeInclusive<usize>,
    /// So many rounds more from line to line
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) step: u64,
    /// Where to run: sha-ni, armv8-sha2, jit or soft [default: the processor's instructions, else code made now]
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Bytes of the message that speed is measured on
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u64).range(64..=1 << 24))]
    pub(crate) size: u64,
    /// Samples of each function's speed, a millisecond each
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(3..=1000))]
    pub(crate) samples: u64,
    /// Pairs of blocks of each avalanche
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    pub(crate) pairs: u64,
    /// Seed of blocks and bits
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// Picture of the speed
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// Picture of the biased bits
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) avalanche_svg: Option<PathBuf>,
}

/// `16..128`, or one number.
#[cfg(feature = "accel")]
fn rounds(text: &str) -> Result<std::ops::RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("'{text}' is no number of rounds"));
    let (from, to) = (number(from)?, number(to)?);
    if let Some(wrong) = [from, to].into_iter().find(|rounds| !(1..=256).contains(rounds)) {
        return Err(format!("the rounds must be 1 to 256, not {wrong}"));
    }
    if from > to { Err(format!("{from} is more than {to}")) } else { Ok(from..=to) }
}

/// Print a completion script.
#[derive(Args, Debug)]
#[command(after_help = "To install, once for every shell that begins afterwards:\n\n\
    bash (with the package bash-completion):\n  \
    mkdir -p ~/.local/share/bash-completion/completions\n  \
    hashwell completions bash > ~/.local/share/bash-completion/completions/hashwell\n\n\
    zsh (the folder must be in fpath before compinit runs, in ~/.zshrc):\n  \
    mkdir -p ~/.zfunc\n  \
    hashwell completions zsh > ~/.zfunc/_hashwell\n  \
    fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit\n\n\
    fish:\n  \
    mkdir -p ~/.config/fish/completions\n  \
    hashwell completions fish > ~/.config/fish/completions/hashwell.fish\n\n\
    Exit codes: 0 done; 1 the output could not be written; 2 usage.")]
pub(crate) struct CompletionsOptions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Commands of this program.
fn commands() -> Names {
    Names(|| {
        let program = Options::command();
        program.get_subcommands().map(|command| PossibleValue::new(command.get_name().to_owned())).collect()
    })
}

/// Print manual pages.
#[derive(Args, Debug)]
#[command(after_help = "hashwell man sum | man -l - shows a page. To install all of them:\n\n  \
    hashwell man --out ~/.local/share/man/man1\n\n\
    Exit codes: 0 done; 1 a page could not be written; 2 usage.")]
pub(crate) struct ManOptions {
    /// Write every page into this folder, which is made if it is missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
    /// The command whose page is printed [default: hashwell itself]
    #[arg(value_name = "COMMAND", value_parser = commands(), hide_possible_values = true)]
    pub(crate) command: Option<String>,
}
