//! The command line, as clap reads it. Help, completions and the man page come from here.

use clap::{Args, Parser, Subcommand, ValueEnum};
use hashwell_measure::render::Format;
use std::ffi::OsString;
use std::path::PathBuf;

/// Digests, streams and tags of files: every algorithm of the registry.
#[derive(Debug, Parser)]
#[command(name = "hashwell", version, after_help = after_help())]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn after_help() -> String {
    let names: Vec<&str> = hashwell::ALGORITHMS.iter().map(|a| a.name).collect();
    format!(
        "Algorithms: {}.\n\nExit codes: 0 done and right; 1 a file unreadable, a checksum wrong, output not \
         written; 2 usage; leak: 1 a difference was seen, 3 inconclusive.\nHASHWELL_BACKEND names the kernel to use, where the algorithm has it: {}.",
        names.join(", "),
        hashwell::backends().join(", ")
    )
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print or check checksums of files, as sha256sum and its relatives do
    Sum(SumOptions),
    /// Show the registry, and the kernels of this CPU
    Algorithms(AlgorithmsOptions),
    /// Print the output stream of an extendable-output function
    Xof(XofOptions),
    /// Print or verify an HMAC tag
    Hmac(HmacOptions),
    /// Print random bytes or numbers, repeatable ones from a seed
    Random(RandomOptions),
    /// Measure how fast hashes are on this machine, hashwell's beside those of the libraries that are there
    Speed(SpeedOptions),
    /// What `speed` starts, several times
    #[command(name = hashwell_measure::engine::ARGUMENT, hide = true)]
    MeasureChild,
    /// Find out which hash would be fastest for the objects of a git repository
    #[cfg(feature = "git")]
    Git(GitOptions),
    /// Measure whether the time of keyed computations depends on their secrets
    Leak(LeakOptions),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Print or check checksums.
#[derive(Args, Debug)]
#[command(
    after_help = "Without FILE, or where FILE is -, standard input is read. Each file is read once for \
    all algorithms; with more than one, lines are tagged. -c reads GNU, BSD, OpenSSL, b3sum, SRI, hashdeep, \
    JSON and hash-only lists, mixed; the algorithm of a line is its tag's, else -a's, else that of the list's name \
    (SHA256SUMS, x.sha512), else guessed from the length, which is said. Lists of legacy checksums (md5, and crc32 of \
    SFV, crc32c, cksum) are verified, never made.\n\n\
    Identifiers (docs/spec/identifiers.md): --git-blob, --git-tree, --swhid and --h1 print one line ID  NAME for \
    each FILE. \
    SHA-1 here is plain, without git's collision detection. --git-tree leaves out .git and empty directories, \
    records a repository below as the commit checked out in it, and hashes files as they are on disk, \
    whatever .gitattributes says; --swhid leaves out nothing.",
    group(clap::ArgGroup::new("identifier").args(["git_blob", "git_tree", "swhid", "h1"]).conflicts_with_all([
        "length", "recursive", "dereference", "tag", "base64", "sri", "json", "raw",
        "ignore_missing", "quiet", "status", "strict", "warn", "audit",
    ]))
)]
pub(crate) struct SumOptions {
    /// Algorithm; may be given several times [default: sha256]
    #[arg(short, long = "algorithm", value_name = "ALG")]
    pub(crate) algorithms: Vec<String>,
    /// Digest length in bits, where the algorithm lets you choose
    #[arg(short, long, value_name = "BITS")]
    pub(crate) length: Option<u64>,
    /// Read the files below directories too, in byte order of their names
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// With -r, follow symbolic links
    #[arg(short = 'L', long)]
    pub(crate) dereference: bool,
    /// Files to read at the same time [default: one per core]; 1 reads strictly one after the other, on one
    /// core
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    /// BSD style lines: ALG (NAME) = DIGEST
    #[arg(long)]
    pub(crate) tag: bool,
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
    /// With -c: do not fail for files that are missing
    #[arg(long)]
    pub(crate) ignore_missing: bool,
    /// With -c: do not print OK
    #[arg(long)]
    pub(crate) quiet: bool,
    /// With -c: print nothing, the exit code tells
    #[arg(long)]
    pub(crate) status: bool,
    /// With -c: fail for improperly formatted lines
    #[arg(long)]
    pub(crate) strict: bool,
    /// With -c: name each improperly formatted line
    #[arg(short, long)]
    pub(crate) warn: bool,
    /// With -c: name files that lie beside or below the listed ones but are not listed, and fail for them
    #[arg(long)]
    pub(crate) audit: bool,

    /// Files, or with -c lists; for --git-tree and --h1 directories
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
}

/// Show the registry.
#[derive(Args, Debug)]
pub(crate) struct AlgorithmsOptions {
    /// One JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print an output stream.
#[derive(Args, Debug)]
pub(crate) struct XofOptions {
    /// Algorithm
    #[arg(short, long, value_name = "NAME")]
    pub(crate) algorithm: String,
    /// Bytes to print
    #[arg(short = 'n', long, value_name = "BYTES")]
    pub(crate) bytes: u64,
    /// Byte of the stream to begin with; a jump for BLAKE3, elsewhere what is before is computed and dropped
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    pub(crate) seek: u64,
    /// Customisation string (cSHAKE, KangarooTwelve, Ascon-CXOF128)
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) customization: String,
    /// Domain byte (TurboSHAKE), 1 to 127
    #[arg(long, value_name = "D")]
    pub(crate) domain: Option<u8>,
    /// Hexadecimal and a newline [the default]
    #[arg(long)]
    pub(crate) hex: bool,
    /// The bytes themselves
    #[arg(long, conflicts_with = "hex")]
    pub(crate) raw: bool,
    /// Input; standard input if missing or -
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<OsString>,
}

/// Print or verify a tag.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("key").required(true).args(["key_file", "key_hex"])))]
pub(crate) struct HmacOptions {
    /// Algorithm of the hash underneath
    #[arg(short, long, value_name = "NAME")]
    pub(crate) algorithm: String,
    /// File whose bytes, all of them, are the key
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Key in hexadecimal; other users of the machine can see it in the process list
    #[arg(long, value_name = "HEX")]
    pub(crate) key_hex: Option<String>,
    /// Verify this tag, in constant time, instead of printing one
    #[arg(long, value_name = "HEX")]
    pub(crate) verify: Option<String>,
    /// Inputs; standard input if missing or -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
}

/// Print random bytes or numbers.
#[derive(Args, Debug)]
#[command(after_help = random_help(), group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "seed_file"])))]
pub(crate) struct RandomOptions {
    /// Bytes to print
    #[arg(short = 'n', long, value_name = "BYTES", conflicts_with = "count")]
    pub(crate) bytes: Option<u64>,
    /// Numbers to print, one a line
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// What to print
    #[arg(long, value_enum, default_value_t = RandomFormat::Hex)]
    pub(crate) format: RandomFormat,
    /// Generator
    #[arg(long, value_name = "NAME", default_value = "hmac-drbg-sha256")]
    pub(crate) source: String,
    /// Seed, as text; other users of the machine can see it in the process list
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal; other users of the machine can see it in the process list
    #[arg(long, value_name = "HEX")]
    pub(crate) seed_hex: Option<String>,
    /// File whose bytes, all of them, are the seed
    #[arg(long, value_name = "FILE")]
    pub(crate) seed_file: Option<PathBuf>,
    /// Tells uses of one seed apart; need not be secret
    #[arg(long, value_name = "TEXT", default_value = "")]
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
         machine and in every version, and only as secret as the seed. Without -n and --count it has no end, \
         and is refused to a terminal.\n\nSources: {}.",
        names.join(", ")
    )
}

/// How fast hashes are on this machine.
#[derive(Args, Debug)]
#[command(after_help = speed_help())]
pub(crate) struct SpeedOptions {
    /// Under 30 seconds for the default rows, with fewer samples; as representative, less certain
    #[arg(long)]
    pub(crate) quick: bool,
    /// Algorithm; may be given several times [default: those that give digests of 256 bits, and SHA-1]
    #[arg(short, long = "algorithm", value_name = "ALG")]
    pub(crate) algorithms: Vec<String>,
    /// Every algorithm of the registry
    #[arg(long, conflicts_with = "algorithms")]
    pub(crate) all: bool,
    /// Only rows of this provider; may be given several times
    #[arg(long = "provider", value_name = "NAME")]
    pub(crate) providers: Vec<String>,
    /// Table E: the kernels of this algorithm side by side; may be given several times. Without --tables or -a,
    /// nothing else
    #[arg(long, value_name = "ALG")]
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
    /// Samples of each process [default: 15; with --quick as many as the time allows, at least 3]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<usize>,

    /// Measure nothing: show this report, which --json wrote
    #[arg(long, value_name = "REPORT.json", conflicts_with_all = MEASURING)]
    pub(crate) from: Option<PathBuf>,
    /// Measure nothing: what became slower or faster between two reports, which --json wrote; exit code 1 if anything
    /// became slower
    #[arg(long, value_names = ["OLD.json", "NEW.json"], num_args = 2, conflicts_with_all = MEASURING)]
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
    #[arg(long, value_name = "FILE")]
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
    A,
    B,
    C,
    D,
    E,
    Xof,
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
    others count); 2 usage; 130 stopped by Ctrl-C, after printing what there was."
)]
pub(crate) struct GitOptions {
    /// Algorithm; may be given several times [default: the candidates of git's choice, and BLAKE3]
    #[arg(short, long = "algorithm", value_name = "ALG", conflicts_with = "all")]
    pub(crate) algorithms: Vec<String>,
    /// Every algorithm of the registry
    #[arg(long)]
    pub(crate) all: bool,
    /// Time every library that is there too, not OpenSSL alone
    #[arg(long)]
    pub(crate) peers: bool,
    /// Hash a sample of about this many bytes (K, M, G: times 1024), each object as likely as any other, and estimate
    /// the rest from its sizes
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) sample: Option<u64>,
    /// Public seed that chooses the sample
    #[arg(long, value_name = "TEXT", default_value = "hashwell")]
    pub(crate) seed: String,
    /// Hash every object this many times [default: as often as makes a gigabyte]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) repeat: Option<u64>,
    /// Predict from this report of `hashwell speed --json`, where it has the row, instead of measuring times by size
    #[arg(long, value_name = "REPORT.json")]
    pub(crate) speed: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// A folder of the repository: working tree, .git, or bare
    #[arg(value_name = "REPO", default_value = ".")]
    pub(crate) repository: PathBuf,
}

/// A number of bytes above zero, with a unit if one is given.
#[cfg(feature = "git")]
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) => (digits, 1_u64 << (10 * (1 + "KMG".find(&text[digits.len()..]).unwrap_or_default()))),
        None => (text, 1),
    };
    let bytes = digits.parse().ok().and_then(|n: u64| n.checked_mul(unit)).filter(|bytes| *bytes > 0);
    bytes.ok_or_else(|| "not a number of bytes above 0, with K, M or G after it or nothing".to_owned())
}

/// Measure whether time depends on secrets.
#[derive(Args, Debug)]
#[command(
    after_help = "A coin chooses for every measurement whether the secret is the same as ever or a new one. Welch's t \
    compares both classes, on all measurements and cropped at 100 percentiles (dudect); a paired test compares \
    neighbours. |t| > 4.5, or a p-value below 1 % after Holm's correction for all targets, is SUSPICIOUS; |t| > 10 is \
    a LEAK. Planted leaks must be found and a clean pair of classes must pass, else the run is INCONCLUSIVE. It says \
    what was seen, never that code is secure: docs/timing.md.\n\nExit codes: 0 nothing seen; 1 a difference was seen, \
    whatever its size, or the work failed; 2 usage; 3 inconclusive, or stopped before the end without a difference.\n\n\
    valgrind -q hashwell leak --memcheck checks the compiled code instead: secrets count as undefined memory, and no \
    branch and no address may depend on them."
)]
pub(crate) struct LeakOptions {
    /// Every path of every algorithm on every kernel of this CPU [default: users' kernels, one algorithm for each kind]
    #[arg(long)]
    pub(crate) all: bool,
    /// Only this algorithm; may be given several times
    #[arg(short, long = "algorithm", value_name = "ALG")]
    pub(crate) algorithms: Vec<String>,
    /// Only this path, such as hmac-tag or hash; may be given several times
    #[arg(long = "target", value_name = "PATH")]
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
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Picture of both classes' distributions, of the target with the largest |t|
    #[arg(long, value_name = "FILE")]
    pub(crate) ecdf: Option<PathBuf>,
    /// Check the compiled code under valgrind's memcheck instead of measuring
    #[arg(long, conflicts_with_all = ["seconds", "seed", "svg", "ecdf"])]
    pub(crate) memcheck: bool,
}
