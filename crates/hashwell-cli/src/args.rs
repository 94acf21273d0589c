//! The command line, as clap reads it. Help, completions and the man page come from here.

use clap::{Args, Parser, Subcommand, ValueEnum};
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
         written; 2 usage.\nHASHWELL_BACKEND names the kernel to use, where the algorithm has it: {}.",
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
    all algorithms; with more than one, lines are tagged. -c reads GNU, BSD, OpenSSL, b3sum, SRI, hashdeep and \
    hash-only lists, mixed; the algorithm of a line is its tag's, else -a's, else that of the list's name \
    (SHA256SUMS, x.sha512), else guessed from the length, which is said.\n\n\
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
