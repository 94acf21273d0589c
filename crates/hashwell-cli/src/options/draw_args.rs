//! The options of `draw` and `verify`.

use crate::options::names::Names;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use hashwell_draw::hwdraw::{Allocation, Method};
use std::ffi::OsString;
use std::path::PathBuf;

const DRAW_HELP: &str = "The draw is hwdraw/1 (docs/spec/draw.md): anybody with the list, the seed and a SHA-256 can repeat it. \
    FILE has one id a line; with a weighted method, a TAB and a weight after it; with --strata, a TAB and a stratum (before \
    the weight). The order of the lines does not matter, unless with --open. Picks are printed one a line, in the order \
    of the draw, after the transcript is written.\n\n\
    Methods: index (without replacement; the default) and ticket (the same, and every row can be checked alone): a larger -k \
    adds picks and changes none. weighted-ticket: successive sampling, which is not proportional to weight. \
    pps-systematic: chances in proportion to weight. bernoulli: each row with chance -p. replace: with replacement. gap: a \
    reservoir, as a stream of unknown length has.\n\n\
    A seed convinces only those who know that nobody could choose it. First publish the list and the line that --commit \
    prints, then let the seed come from where it says: dice thrown in public, or a beacon's round that lies ahead. A seed \
    is never drawn in silence: --os-seed asks the operating system and says what came. Seeds are texts: 0877 and 877 are \
    two.\n\n\
    A round of drand is verified against the chain's public key, a pulse of NIST with --certificate; without that the \
    transcript says `unchecked`.\n\n\
    --replay repeats what others drew, as they published it (IETF's committees; audits of elections): the lines keep their order, \
    -n and -k say how many, --seed is theirs (of rfc3797 the key, or one source of numbers a line), and --method replace is \
    with replacement.\n\n\
    Exit codes: 0 drawn; 1 a file could not be read or is no list, no beacon or no such draw, or the output not written; 2 \
    usage.";

/// Draw a sample that anyone can recheck.
#[derive(Args, Debug)]
#[command(
    after_help = DRAW_HELP,
    group(clap::ArgGroup::new("seeds").args(["seed", "seed_hex", "dice", "drand", "nist", "os_seed"]))
)]
pub(crate) struct DrawOptions {
    /// Picks; with --strata each, of each stratum
    #[arg(short = 'k', long = "picks", value_name = "K")]
    pub(crate) k: Option<u64>,
    /// Chance of each row, as 0.05; of bernoulli
    #[arg(short = 'p', long = "chance", value_name = "P", conflicts_with = "k")]
    pub(crate) p: Option<String>,
    /// Draw from the numbers 1 to N instead of a list
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "file")]
    pub(crate) numbers: Option<u64>,
    /// How rows are chosen
    #[arg(short, long, value_parser = methods(), default_value = Method::Index.name())]
    pub(crate) method: Method,
    /// Draw from each stratum: K of each, or K of all in proportion to their rows
    #[arg(long, value_enum, value_name = "SHARES", conflicts_with = "numbers")]
    pub(crate) strata: Option<Shares>,
    /// Decimals of the weights [default: as many as the longest has]
    #[arg(long, value_name = "DECIMALS")]
    pub(crate) scale: Option<u32>,
    /// The list is a stream that nobody fixed before: its order counts, and the seed alone decides
    #[arg(long, conflicts_with = "numbers")]
    pub(crate) open: bool,
    /// Rows and picks end with NUL instead of newlines
    #[arg(short, long)]
    pub(crate) zero: bool,

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
    /// With --nist: the certificate that the pulse names, which verifies it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "nist")]
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
    /// Where the seed is to come from, as the commitment says it [default: the kind of seed; of a beacon its chain and
    /// round]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed_source: Option<String>,
    /// Draw only if this is the commitment
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, conflicts_with_all = ["commit", "replay"])]
    pub(crate) committed: Option<String>,
    /// Write what a stranger needs to recheck the draw
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "replay")]
    pub(crate) transcript: Option<PathBuf>,
    /// Repeat a draw of another specification
    #[arg(long, value_enum, value_name = "NAME", requires = "seed")]
    #[arg(conflicts_with_all = ["strata", "scale", "open", "p", "seed_source"])]
    pub(crate) replay: Option<Replay>,

    /// The list; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,
}

const VERIFY_HELP: &str = "Computes everything again: the commitment, the seed from its beacon, the list's digest, every pick and \
    ticket. The first line says whether it agrees, the others what does not, the commitment, and what could not be checked. Who \
    knows the seed can change the plan and commit to it again: compare the commitment with the one that was published, or \
    give that as --committed. Without \
    FRAME, what needs the list is left out; a draw from numbers needs none. reference/draw.py does the same in Python. A \
    transcript of hashwell sample is rechecked by drawing once more from the same files.\n\nWhat it cannot say: whether the seed was foreseen or chosen, whether the list is the right one, and when the \
    commitment was published.\n\n\
    Exit codes: 0 all that was checked agrees; 1 something does not, or a file could not be read or is no transcript; 2 \
    usage.";

/// Recheck a draw.
#[derive(Args, Debug)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyOptions {
    /// Rows of FRAME end with NUL instead of newlines
    #[arg(short, long)]
    pub(crate) zero: bool,
    /// The commitment that was published before the seed was known
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) committed: Option<String>,
    /// The beacon's certificate, of a draw whose seed is a pulse of NIST with its signature
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) certificate: Option<OsString>,
    /// What `hashwell draw` or `hashwell sample` wrote with --transcript; - is standard input
    #[arg(value_name = "TRANSCRIPT", value_hint = ValueHint::FilePath)]
    pub(crate) transcript: OsString,
    /// The list that was drawn from; of a sample its files, standard input if missing
    #[arg(value_name = "FRAME", value_hint = ValueHint::FilePath)]
    pub(crate) frames: Vec<OsString>,
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
