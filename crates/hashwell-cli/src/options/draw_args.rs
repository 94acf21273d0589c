//! The options of `draw` and `verify`.

use crate::options::bytes::output_file;
use crate::options::help::{brief, full};
use crate::options::list_args::{LISTS, ListOptions};
use crate::options::names::Names;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use hashwell_draw::hwdraw::{Allocation, Method};
use std::ffi::OsString;
use std::path::PathBuf;

const DRAW_DETAILS: &str = "The draw follows the specification hwdraw/1: anyone with the list, the seed and an implementation of SHA-256 can \
    repeat it. The order of the list does not matter, except with --open. Picks are printed one per line, in the order of \
    the draw, after the transcript is written.\n\n\
    Methods:\n  \
    index            without replacement\n  \
    ticket           without replacement; each entry can be checked separately\n  \
    weighted-ticket  one entry after the other, each time with probabilities\n                   \
    proportional to the weights of the remaining entries\n  \
    pps-systematic   inclusion probabilities proportional to the weights; picks\n                   \
    in the order of the list\n  \
    bernoulli        each entry independently, with probability -p\n  \
    replace          with replacement\n  \
    gap              without replacement, from a stream of unknown length\n\n\
    weighted-ticket is a raffle: the weight of an entry is its number of paper tickets in a drum, and when an entry \
    wins, its other tickets are removed.\n\n\
    With index, ticket and weighted-ticket, a larger -n adds picks after the others, and keeps these. To draw K winners \
    and R reserves, use -n with K + R: the last R picks (of each stratum, with --strata each) are the reserves. State \
    this rule in --context, so that the commitment contains it. Don't take reserves from pps-systematic, bernoulli or \
    gap: the order of their picks is not random.\n\n\
    A draw convinces other people only if no one could choose the seed. So first publish the list and the output of \
    --commit. Then take the seed from the planned source, such as dice thrown in public or a future round of a public \
    randomness beacon (drand or NIST). A seed from a different source is an error. --os-seed takes a seed from the \
    operating system and prints it. Seeds are text, so 0877 and 877 are different seeds.\n\n\
    --seed-source is dice, text, hex, os, \"drand CHAIN ROUND\" (CHAIN is the hash of the chain, 64 hexadecimal digits) \
    or \"nist CHAIN PULSE\". For NIST, the plan also contains the SHA-512 of the certificate that verifies the pulse. \
    This is the certificate in --certificate, or the published one if you don't give one. --seed-description describes \
    the source in words. Unless the source is a beacon, this description must not seem to name one.\n\n\
    A drand round is verified with the public key of its chain. A pulse of the NIST beacon is verified with the \
    certificate that it names: one of NIST's published certificates, which are built in, or the one in --certificate. \
    Without the certificate, 'hashwell verify' reports that the signature of the pulse was not checked.\n\n\
    --replay repeats a draw that was made according to a different specification: RFC 3797, which is used for IETF \
    committees (rfc3797), or the specification of a sampler that is used in election audits (rivest, \
    consistent-sampler). The order of the list matters. --seed is the seed of that draw. For rfc3797, it is either the \
    key of RFC 3797 or the published random numbers, with one source per line. --method replace draws with replacement \
    (not with rfc3797).\n\n";

const DRAW_EXIT: &str = "\n\nExit codes: 0 success; 1 a file could not be read or is invalid, or the output could not be written; \
    2 usage error.";

const DRAW_EXAMPLES: &str =
    "  hashwell draw -n 3 --seed-source dice --commit people.txt           before the seed is known
  hashwell draw -n 3 --dice 08773 --transcript draw.json people.txt   afterwards";

/// The options that `--replay` would ignore. With `--replay`, the seed is always a text.
const WITHOUT_REPLAY: [&str; 15] = [
    "strata",
    "scale",
    "open",
    "probability",
    "seed_source",
    "seed_description",
    "seed_hex",
    "dice",
    "drand",
    "drand_chain",
    "nist",
    "certificate",
    "os_seed",
    "context",
    "source",
];

/// Draw a sample that anyone can verify.
#[derive(Args, Debug)]
#[command(
    after_help = brief("draw", DRAW_EXAMPLES),
    after_long_help = full("draw", &[DRAW_DETAILS, LISTS, DRAW_EXIT].concat(), DRAW_EXAMPLES),
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "dice", "drand", "nist", "os_seed"]))
)]
pub(crate) struct DrawOptions {
    /// Number of entries to draw (with --strata each, from each stratum)
    #[arg(short = 'n', long, value_name = "K", help_heading = "What to draw")]
    pub(crate) picks: Option<u64>,
    /// Inclusion probability of each entry, such as 0.05 (requires --method bernoulli)
    #[arg(short, long, value_name = "P", conflicts_with = "picks", help_heading = "What to draw")]
    pub(crate) probability: Option<String>,
    /// Draw from the integers 1 to N instead of a list
    #[arg(long, value_name = "N", conflicts_with = "file", help_heading = "What to draw")]
    pub(crate) range: Option<u64>,
    /// Sampling method
    ///
    /// The methods are described below.
    #[arg(short, long, value_parser = methods(), default_value = Method::Index.name(), help_heading = "What to draw")]
    pub(crate) method: Method,
    /// Draw from each stratum separately: K entries from each, or K in total, in proportion to the sizes of the strata
    #[arg(long, value_enum, value_name = "SHARES", conflicts_with = "range", help_heading = "What to draw")]
    pub(crate) strata: Option<Shares>,
    /// Number of decimal places of the weights, 0 to 18 [default: the largest number that a weight has]
    #[arg(long, value_name = "DECIMALS", help_heading = "What to draw", hide_short_help = true)]
    pub(crate) scale: Option<u32>,
    /// Treat the list as a stream that was not fixed in advance: its order matters, and the plan has no digest of it
    #[arg(long, conflicts_with = "range", help_heading = "What to draw", hide_short_help = true)]
    pub(crate) open: bool,
    /// Repeat a draw that was made according to a different specification; consistent-sampler prints each ID with its
    /// ticket number
    #[arg(long, value_enum, value_name = "NAME", requires = "seed")]
    #[arg(conflicts_with_all = WITHOUT_REPLAY, help_heading = "What to draw", hide_short_help = true)]
    pub(crate) replay: Option<Replay>,
    /// Seed from dice: the digits in the order rolled
    #[arg(long, value_name = "DIGITS", value_hint = ValueHint::Other, help_heading = "Seed")]
    pub(crate) dice: Option<String>,
    /// Seed from the drand beacon: the JSON of a round, as its servers provide it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Seed")]
    pub(crate) drand: Option<OsString>,
    /// With --drand: parameters of the drand chain (the JSON of /CHAIN/info), if it is not built in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "drand", help_heading = "Seed", hide_short_help = true)]
    pub(crate) drand_chain: Option<OsString>,
    /// Seed from the NIST beacon: the JSON of a pulse, as its server provides it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Seed")]
    pub(crate) nist: Option<OsString>,
    /// Certificate that verifies the pulse of the NIST beacon, PEM or DER (with --nist or --seed-source "nist ...")
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Seed", hide_short_help = true)]
    pub(crate) certificate: Option<OsString>,
    /// Seed as text; every byte matters, including spaces
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, help_heading = "Seed")]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, help_heading = "Seed", hide_short_help = true)]
    pub(crate) seed_hex: Option<String>,
    /// Seed of 32 bytes from the operating system, which is printed on stderr
    #[arg(long, help_heading = "Seed")]
    pub(crate) os_seed: bool,
    /// Purpose of the draw, as text [default: empty]
    ///
    /// Draws with the same seed and different contexts are independent.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true, help_heading = "Seed")]
    pub(crate) context: String,
    /// Random generator that uses the seed
    #[arg(long, value_name = "NAME", default_value = "counter", value_parser = Names::sources())]
    #[arg(hide_possible_values = true, help_heading = "Seed", hide_short_help = true)]
    pub(crate) source: String,
    /// Print the commitment instead of drawing
    ///
    /// The first line has the commitment, which is the SHA-256 of the second line without its newline. The second line is
    /// the plan: everything that determines the draw except the seed.
    #[arg(long, conflicts_with_all = ["seeds", "open", "transcript", "replay"], help_heading = "Commitment")]
    pub(crate) commit: bool,
    /// Planned source of the seed; required with --commit [default: the source of the given seed]
    ///
    /// One of: dice, text, hex, os, "drand CHAIN ROUND", "nist CHAIN PULSE".
    #[arg(long, value_name = "KIND", value_hint = ValueHint::Other, help_heading = "Commitment")]
    pub(crate) seed_source: Option<String>,
    /// Description of the source of the seed in words, such as "ten-sided dice, thrown in public on 3 May"
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true, help_heading = "Commitment", hide_short_help = true)]
    pub(crate) seed_description: String,
    /// Fail unless this is the commitment of the draw
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, value_parser = commitment, help_heading = "Commitment", hide_short_help = true)]
    #[arg(conflicts_with_all = ["commit", "replay"])]
    pub(crate) committed: Option<String>,
    /// Write a transcript, with which anyone can verify the draw
    ///
    /// With --replay, it contains the seed, the picks and the SHA-256 of the list (of len(id) ‖ id for each ID in order,
    /// where len has 8 bytes, big-endian). Anyone can repeat such a draw, but 'hashwell verify' does not check it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    #[arg(value_parser = output_file())]
    pub(crate) transcript: Option<PathBuf>,
    /// End lines of plain text and printed picks with NUL instead of a newline
    #[arg(short, long, help_heading = "Output", hide_short_help = true)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) list: ListOptions,

    /// List to draw from; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,
}

/// Parses a commitment: 64 hexadecimal digits, with or without the words that `draw --commit` prints before them.
fn commitment(text: &str) -> Result<String, String> {
    let text = text.trim();
    let digits = text.strip_prefix("hwdraw/1 commitment ").unwrap_or(text);
    match digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        true => Ok(digits.to_owned()),
        false => {
            Err("a commitment has 64 hexadecimal digits, as 'hashwell draw --commit' prints them".to_owned())
        }
    }
}

const VERIFY_DETAILS: &str = "The commitment, the seed from its beacon, the digest of the list, and every pick and ticket are computed again. The \
    first line of the output is the outcome: verified, consistent but not fully verified, or mismatch. One more line is \
    printed for each mismatch and for each item that was not checked, and two lines show the planned and the given \
    source of the seed.\n\n\
    The outcome is 'verified' only if you give the list (unless the draw is from integers), --committed and, if the seed \
    is dice, text, hex or os, --seed-attested. --committed is needed because a person who knows the seed could change \
    the plan and compute a new commitment. --seed-attested is needed because only people who were present can tell where \
    such a seed came from. The public keys of the published drand chains and the published NIST certificates are built \
    in; others need --drand-chain or --certificate. LIST is read in the same way as the list of 'hashwell draw'.\n\n\
    A transcript of 'hashwell sample' is verified by sampling the same files again.\n\n\
    Verification cannot show that the list is the right one, or when the commitment was published.\n\n\
    Exit codes: 0 verified; 3 consistent, but not fully verified; 1 mismatch, or a file could not be read or is not a \
    transcript; 2 usage error.";

const VERIFY_EXAMPLES: &str = "  hashwell verify --committed HEX --seed-attested draw.json people.txt
  hashwell verify sample.json data.csv";

/// Verify a draw.
#[derive(Args, Debug)]
#[command(
    after_help = brief("verify", VERIFY_EXAMPLES),
    after_long_help = full("verify", VERIFY_DETAILS, VERIFY_EXAMPLES)
)]
pub(crate) struct VerifyOptions {
    /// Commitment that was published before the seed was known
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, value_parser = commitment, help_heading = "Verification")]
    pub(crate) committed: Option<String>,
    /// Attest that you saw the seed being created as planned (for dice, text, hex and os)
    #[arg(long, help_heading = "Verification")]
    pub(crate) seed_attested: bool,
    /// Certificate of the NIST beacon, PEM or DER, if it is not built in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Verification", hide_short_help = true)]
    pub(crate) certificate: Option<OsString>,
    /// Parameters of the drand chain (the JSON of /CHAIN/info), if it is not built in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Verification", hide_short_help = true)]
    pub(crate) drand_chain: Option<OsString>,
    /// Read rows of LIST that end with NUL instead of a newline
    #[arg(short, long, help_heading = "Input format", hide_short_help = true)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) list: ListOptions,
    /// Transcript of 'hashwell draw' or 'hashwell sample'; - is standard input
    #[arg(value_name = "TRANSCRIPT", value_hint = ValueHint::FilePath)]
    pub(crate) transcript: OsString,
    /// List that was drawn from; for a sample, the files that were sampled [default for a sample: standard input]
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    pub(crate) lists: Vec<OsString>,
}

/// The values of `--method`: the names in the specification.
fn methods() -> impl TypedValueParser<Value = Method> {
    let of_name = |name: String| Method::ALL.into_iter().find(|method| method.name() == name);
    PossibleValuesParser::new(Method::ALL.map(Method::name)).map(move |name| of_name(name).expect("a value"))
}

/// The values of `--strata`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shares {
    Each,
    Proportional,
}

impl From<Shares> for Allocation {
    fn from(shares: Shares) -> Self {
        match shares {
            Shares::Each => Self::Each,
            Shares::Proportional => Self::Proportional,
        }
    }
}

/// The values of `--replay`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Replay {
    Rfc3797,
    Rivest,
    ConsistentSampler,
}
