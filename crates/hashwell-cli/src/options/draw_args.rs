//! The options of `draw` and `verify`.

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
    Methods: index (without replacement; the default). ticket (without replacement; each entry can be checked separately). \
    weighted-ticket (successive sampling by weight; inclusion is not proportional to weight). pps-systematic (inclusion proportional \
    to weight). bernoulli (each entry with probability -p). replace (with replacement). gap (a reservoir, for streams of \
    unknown length). With index and ticket, a larger -n adds picks and changes none.\n\n\
    A seed convinces other people only if nobody could choose it. Publish the list and the line that --commit prints; then \
    take the seed from the planned source: dice thrown in public, or a future round of a beacon. A seed of another origin \
    is an error. --os-seed takes a seed from the operating system and prints it. Seeds are text: 0877 and 877 differ.\n\n\
    --seed-source is dice, text, hex, os, \"drand CHAIN ROUND\" (CHAIN is the hash of the chain, 64 hexadecimal digits) or \"nist CHAIN \
    PULSE\". For NIST, the plan also contains the SHA-512 of the certificate that verifies the pulse: that of --certificate, else \
    the published one. --seed-description is free text that is not interpreted; it must not read as if it named a beacon.\n\n\
    A round of drand is verified with the public key of its chain. A pulse of NIST is verified with a published certificate \
    or with --certificate; otherwise 'hashwell verify' reports that its signature was not checked.\n\n\
    --replay repeats published draws of IETF committees (rfc3797) and election audits (rivest, consistent-sampler). The order of the list counts, \
    --seed is their seed (for rfc3797, the key or one source of numbers per line), and --method replace draws with replacement.\n\n";

const DRAW_EXIT: &str = "\n\nExit codes: 0 drawn; 1 a file could not be read or is invalid, or the output could not be written; \
    2 usage.";

const DRAW_EXAMPLES: &str =
    "  hashwell draw -n 3 --seed-source dice --commit people.txt           before the seed is known
  hashwell draw -n 3 --dice 08773 --transcript draw.json people.txt   afterwards";

/// Draw a sample that anyone can verify.
#[derive(Args, Debug)]
#[command(
    after_help = brief("draw", DRAW_EXAMPLES),
    after_long_help = full("draw", &[DRAW_DETAILS, LISTS, DRAW_EXIT].concat(), DRAW_EXAMPLES),
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "dice", "drand", "nist", "os_seed"]))
)]
pub(crate) struct DrawOptions {
    /// Number of entries to draw (per stratum with --strata each)
    #[arg(short = 'n', long, value_name = "K", help_heading = "What to draw")]
    pub(crate) picks: Option<u64>,
    /// Inclusion probability, such as 0.05 (--method bernoulli)
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
    /// Draw from each stratum: K from each, or K in proportion
    #[arg(long, value_enum, value_name = "SHARES", conflicts_with = "range", help_heading = "What to draw")]
    pub(crate) strata: Option<Shares>,
    /// Number of decimals of the weights [default: that of the longest weight]
    #[arg(long, value_name = "DECIMALS", help_heading = "What to draw", hide_short_help = true)]
    pub(crate) scale: Option<u32>,
    /// The list is a stream that was not fixed in advance: its order counts, and only the seed decides
    #[arg(long, conflicts_with = "range", help_heading = "What to draw", hide_short_help = true)]
    pub(crate) open: bool,
    /// Repeat a draw of another specification; consistent-sampler prints each ID with its ticket number
    #[arg(long, value_enum, value_name = "NAME", requires = "seed")]
    #[arg(conflicts_with_all = ["strata", "scale", "open", "probability", "seed_source", "seed_description"], help_heading = "What to draw", hide_short_help = true)]
    pub(crate) replay: Option<Replay>,
    /// Dice rolls as the seed: the digits in the order rolled
    #[arg(long, value_name = "DIGITS", value_hint = ValueHint::Other, help_heading = "Seed")]
    pub(crate) dice: Option<String>,
    /// Seed: a round of drand, as the JSON of its servers
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Seed")]
    pub(crate) drand: Option<OsString>,
    /// With --drand: JSON file that describes a drand chain which is not built in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "drand", help_heading = "Seed", hide_short_help = true)]
    pub(crate) drand_chain: Option<OsString>,
    /// Seed: a pulse of the NIST beacon, as its JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Seed")]
    pub(crate) nist: Option<OsString>,
    /// Certificate of the NIST beacon's pulse, PEM or DER (with --nist or --seed-source "nist ...")
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Seed", hide_short_help = true)]
    pub(crate) certificate: Option<OsString>,
    /// Seed as text; every byte counts
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, help_heading = "Seed")]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, help_heading = "Seed", hide_short_help = true)]
    pub(crate) seed_hex: Option<String>,
    /// Seed: 32 bytes from the operating system, printed on stderr
    #[arg(long, help_heading = "Seed")]
    pub(crate) os_seed: bool,
    /// Purpose of the draw
    ///
    /// Draws with the same seed and different contexts are independent.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true, help_heading = "Seed")]
    pub(crate) context: String,
    /// Random generator that is seeded
    #[arg(long, value_name = "NAME", default_value = "counter", value_parser = Names::sources())]
    #[arg(hide_possible_values = true, help_heading = "Seed", hide_short_help = true)]
    pub(crate) source: String,
    /// Print the commitment instead of drawing
    ///
    /// The commitment is the SHA-256 of the second line: everything except the seed.
    #[arg(long, conflicts_with_all = ["seeds", "open", "transcript", "replay"], help_heading = "Commitment")]
    pub(crate) commit: bool,
    /// Planned origin of the seed; required with --commit
    ///
    /// One of: dice, text, hex, os, "drand CHAIN ROUND", "nist CHAIN PULSE" [default: the origin of the seed]
    #[arg(long, value_name = "KIND", value_hint = ValueHint::Other, help_heading = "Commitment")]
    pub(crate) seed_source: Option<String>,
    /// Describe the origin of the seed for people, such as "ten-sided dice, thrown in public on 3 May"
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true, help_heading = "Commitment", hide_short_help = true)]
    pub(crate) seed_description: String,
    /// Draw only if this is the commitment
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, conflicts_with_all = ["commit", "replay"], help_heading = "Commitment", hide_short_help = true)]
    pub(crate) committed: Option<String>,
    /// Write a transcript, with which anyone can verify the draw
    ///
    /// With --replay, it contains the digest of the list, the seed and the picks.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) transcript: Option<PathBuf>,
    /// Plain text and printed picks end with NUL instead of a newline
    #[arg(short, long, help_heading = "Output", hide_short_help = true)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) list: ListOptions,

    /// The list to draw from [default: standard input, which - also stands for]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,
}

const VERIFY_DETAILS: &str = "Everything is computed again: the commitment, the seed from its beacon, the digest of the list, and every pick and \
    ticket. The first line is the outcome: verified, consistent but not fully verified, or mismatch. A line follows for each mismatch \
    and for each item that was not checked. The planned and the given origin of the seed are printed side by side.\n\n\
    A draw is verified only if you give the list (unless it is from integers), --committed and, for dice, text, hex or os, \
    --seed-attested: a person who knows the seed can change the plan and commit to it again, and only people can say where \
    such a seed came from. The keys of the published drand chains and NIST certificates are built in; others need --drand-chain or \
    --certificate. LIST is read like the list of 'hashwell draw'.\n\n\
    A transcript of 'hashwell sample' is verified by sampling the same files again.\n\n\
    Verification cannot show that the list is the right one, or when the commitment was published.\n\n\
    Exit codes: 0 verified; 3 consistent, but not fully verified; 1 mismatch, or a file could not be read or is not a \
    transcript; 2 usage.";

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
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, help_heading = "Verification")]
    pub(crate) committed: Option<String>,
    /// Attest that you saw the seed (dice, text, hex, os) come about as planned
    #[arg(long, help_heading = "Verification")]
    pub(crate) seed_attested: bool,
    /// Certificate of the NIST beacon, PEM or DER, if it is not built in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Verification", hide_short_help = true)]
    pub(crate) certificate: Option<OsString>,
    /// Parameters of the drand chain (the JSON of /CHAIN/info), if it is not built in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Verification", hide_short_help = true)]
    pub(crate) drand_chain: Option<OsString>,
    /// Rows of LIST end with NUL instead of a newline
    #[arg(short, long, help_heading = "Input format", hide_short_help = true)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) list: ListOptions,
    /// Transcript of 'hashwell draw' or 'hashwell sample'; - is standard input
    #[arg(value_name = "TRANSCRIPT", value_hint = ValueHint::FilePath)]
    pub(crate) transcript: OsString,
    /// The list that was drawn from; for a sample, its files [default for a sample: standard input]
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
