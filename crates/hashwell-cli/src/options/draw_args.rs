//! The options of `draw` and `verify`.

use crate::options::list_args::{LISTS, ListOptions};
use crate::options::names::Names;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use hashwell_draw::hwdraw::{Allocation, Method};
use std::ffi::OsString;
use std::path::PathBuf;

/// What `draw --help` says before and after the description of lists.
const DRAW_HELP: [&str; 2] = [
    "The draw is hwdraw/1 (docs/spec/draw.md): anybody with the list, the seed and a SHA-256 can repeat it. ",
    " The order of the rows does not matter, unless with --open. Picks are printed one a line, in the order of the draw, after \
    the transcript is written.\n\n\
    Methods: index (without replacement; the default) and ticket (the same, and every row can be checked alone): a larger -n \
    adds picks and changes none. weighted-ticket: successive sampling, which is not proportional to weight. \
    pps-systematic: chances in proportion to weight. bernoulli: each row with probability -p. replace: with replacement. gap: a \
    reservoir, as a stream of unknown length has.\n\n\
    A seed convinces only those who know that nobody could choose it. First publish the list and the line that --commit \
    prints, then let the seed come from where the plan says: dice thrown in public, or a beacon's round that lies ahead. A \
    seed of another origin than the plan's is refused. --os-seed asks the operating system and prints the seed. Seeds are \
    texts: 0877 and 877 are two.\n\n\
    --seed-source is dice, text, hex, os, \"drand CHAIN ROUND\" (the chain's hash in 64 digits) or \"nist CHAIN PULSE\". The \
    plan also contains the SHA-512 of the certificate that verifies a NIST pulse: of --certificate, or else of the one \
    that NIST published for the chain. Free text belongs into --seed-description, which nothing interprets; it must not \
    read as if it named a beacon.\n\n\
    A round of drand is verified against the chain's public key. A NIST pulse is verified with a published certificate or \
    with --certificate; otherwise `verify` reports its signature as not checked.\n\n\
    --replay repeats what others drew, as they published it (IETF's committees; audits of elections): the lines keep their order, \
    -n says how many, --seed is theirs (of rfc3797 the key, or one source of numbers a line), and --method replace is \
    with replacement.\n\n\
    Exit codes: 0 drawn; 1 a file could not be read or is no list, no beacon or no such draw, or the output not written; 2 \
    usage.",
];

/// Draw a sample that anyone can recheck.
#[derive(Args, Debug)]
#[command(
    after_help = DRAW_HELP.join(LISTS),
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "dice", "drand", "nist", "os_seed"]))
)]
pub(crate) struct DrawOptions {
    /// Picks; with --strata each, of each stratum
    #[arg(short = 'n', long, value_name = "K")]
    pub(crate) picks: Option<u64>,
    /// Probability of each row, such as 0.05 (only with --method bernoulli)
    #[arg(short, long, value_name = "P", conflicts_with = "picks")]
    pub(crate) probability: Option<String>,
    /// Draw from the integers 1 to N instead of a list
    #[arg(long, value_name = "N", conflicts_with = "file")]
    pub(crate) range: Option<u64>,
    /// How rows are chosen
    #[arg(short, long, value_parser = methods(), default_value = Method::Index.name())]
    pub(crate) method: Method,
    /// Draw from each stratum: K of each, or K of all in proportion to their rows
    #[arg(long, value_enum, value_name = "SHARES", conflicts_with = "range")]
    pub(crate) strata: Option<Shares>,
    /// Decimals of the weights [default: as many as the longest has]
    #[arg(long, value_name = "DECIMALS")]
    pub(crate) scale: Option<u32>,
    /// The list is a stream that nobody fixed before: its order counts, and the seed alone decides
    #[arg(long, conflicts_with = "range")]
    pub(crate) open: bool,
    /// Rows of plain text, and picks, end with NUL instead of newlines
    #[arg(short, long)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) list: ListOptions,

    /// Seed, as text; every byte counts
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) seed_hex: Option<String>,
    /// Seed: the digits that dice showed, in their order
    #[arg(long, value_name = "DIGITS", value_hint = ValueHint::Other)]
    pub(crate) dice: Option<String>,
    /// Seed: a round of drand, the JSON that its servers give
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) drand: Option<OsString>,
    /// Seed: a pulse of NIST's beacon, the JSON that it gives
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) nist: Option<OsString>,
    /// With --nist or --seed-source "nist ...": the certificate that the pulse names, PEM or DER
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) certificate: Option<OsString>,
    /// Seed: 32 bytes of the operating system's, printed on standard error
    #[arg(long)]
    pub(crate) os_seed: bool,
    /// With --drand: the JSON of a chain that is not known here
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "drand")]
    pub(crate) drand_chain: Option<OsString>,
    /// What the draw is for; tells uses of one seed apart
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "")]
    pub(crate) context: String,
    /// Where the words come from
    #[arg(long, value_name = "NAME", default_value = "counter", value_parser = Names::sources())]
    #[arg(hide_possible_values = true)]
    pub(crate) source: String,

    /// Print the commitment to all but the seed, and what it is the SHA-256 of, instead of drawing
    #[arg(long, conflicts_with_all = ["seeds", "open", "transcript", "replay"])]
    pub(crate) commit: bool,
    /// Origin that the seed must have: dice, text, hex, os, "drand CHAIN ROUND" or "nist CHAIN PULSE" [default: the
    /// origin of the seed]
    #[arg(long, value_name = "KIND", value_hint = ValueHint::Other)]
    pub(crate) seed_source: Option<String>,
    /// Describe the origin of the seed for people, e.g. "ten-sided dice, thrown in public on 3 May"
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true)]
    pub(crate) seed_description: String,
    /// Draw only if this is the commitment
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, conflicts_with_all = ["commit", "replay"])]
    pub(crate) committed: Option<String>,
    /// Write what a stranger needs to recheck the draw; with --replay, a record of the list's digest, the seed and the picks
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) transcript: Option<PathBuf>,
    /// Repeat a draw of another specification; consistent-sampler prints each id with its ticket number
    #[arg(long, value_enum, value_name = "NAME", requires = "seed")]
    #[arg(conflicts_with_all = ["strata", "scale", "open", "probability", "seed_source", "seed_description"])]
    pub(crate) replay: Option<Replay>,

    /// The list; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,
}

const VERIFY_HELP: &str = "Computes everything again: the commitment, the seed from its beacon, the list's digest, every pick and \
    ticket. The first line is the outcome: verified, consistent but not fully verified, or mismatch. Each mismatch and each \
    item that was not checked is a line of its own, and the seed's origin as planned is shown next to the seed as given.\n\n\
    A draw is verified only with the list (unless it is from numbers), with --committed, and, for dice, text, hex or os, \
    with --seed-attested: a person who knows the seed can change the plan and commit to it again, and only people can say \
    where such a seed came from. The keys of drand's published chains and NIST's published certificates are known; others \
    need --drand-chain or --certificate. LIST is read as hashwell draw reads it. reference/draw.py does the same in Python, with \
    plain lists.\n\n\
    A transcript of hashwell sample is verified by drawing again from the same files.\n\n\
    Verification can't say whether the list is the right one, or when the commitment was published.\n\n\
    Exit codes: 0 verified; 3 consistent, but not fully verified; 1 mismatch, or a file could not be read or is not a \
    transcript; 2 usage.";

/// Verify a draw.
#[derive(Args, Debug)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyOptions {
    /// Rows of LIST end with NUL instead of newlines
    #[arg(short, long)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) list: ListOptions,
    /// The commitment that was published before the seed was known
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) committed: Option<String>,
    /// Certificate of NIST's beacon, PEM or DER, if it is not a published one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) certificate: Option<OsString>,
    /// Parameters of the drand chain (the JSON of /CHAIN/info), if it is not a published one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) drand_chain: Option<OsString>,
    /// Attest that you saw the seed (dice, text, hex, os) come about as planned
    #[arg(long)]
    pub(crate) seed_attested: bool,
    /// What `hashwell draw` or `hashwell sample` wrote with --transcript; - is standard input
    #[arg(value_name = "TRANSCRIPT", value_hint = ValueHint::FilePath)]
    pub(crate) transcript: OsString,
    /// The list that was drawn from; of a sample its files, standard input if missing
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    pub(crate) lists: Vec<OsString>,
}

/// `--method`, by the specification's names.
fn methods() -> impl TypedValueParser<Value = Method> {
    let of_name = |name: String| Method::ALL.into_iter().find(|method| method.name() == name);
    PossibleValuesParser::new(Method::ALL.map(Method::name)).map(move |name| of_name(name).expect("a value"))
}

/// `--strata`.
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

/// `--replay`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Replay {
    Rfc3797,
    Rivest,
    ConsistentSampler,
}
