//! The options of `hashwell sample`.

use super::bytes::UNITS;
use super::form_args::{FormOptions, compressions, endings};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Command, ValueEnum, ValueHint};
use hashwell_draw::survey::{METHODS, Method, Part, Spelling};
use hashwell_rows::{Fields, Format};
use std::ffi::OsString;
use std::path::PathBuf;

/// Draw a sample of rows.
#[derive(Args, Debug)]
#[command(
    after_help = help(),
    group(ArgGroup::new("job").args(["rows", "probability", "every", "shuffle", "merge", "selftest"])),
    group(ArgGroup::new("seeds").args(["seed", "seed_hex"])),
    group(ArgGroup::new("files_of_rows").args(["output", "state_out"]))
)]
pub(crate) struct SampleOptions {
    /// Pick K rows: with --stratify K of each stratum, with --group-by all rows of K groups
    #[arg(short = 'n', long, value_name = "K", required_unless_present_any = ["job", "state_in"])]
    pub(crate) rows: Option<u64>,
    /// Pick each row (with --group-by each group) with this probability: a decimal or a fraction, from 0 to 1
    #[arg(short, long, value_name = "P")]
    pub(crate) probability: Option<String>,
    /// Pick every Nth row, the first of them at random among the first N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// All rows in random order; they are kept in memory
    #[arg(long)]
    pub(crate) shuffle: bool,
    /// The FILEs are states that --state-out wrote: make the sample of all their rows
    #[arg(long, conflicts_with_all = READING)]
    #[arg(conflicts_with_all = ["weight", "replace", "stratify", "group_by", "state_in", "complement", "transcript"])]
    pub(crate) merge: bool,
    /// Test the samplers of this program, on this machine, with a new seed or the one given
    #[arg(long, conflicts_with_all = READING)]
    #[arg(conflicts_with_all = ["weight", "replace", "stratify", "group_by", "state_in", "complement", "transcript", "output"])]
    #[arg(conflicts_with_all = ["state_out", "files", "stats", "exact", "order"])]
    pub(crate) selftest: bool,

    /// Seed, as text: the same seed picks the same rows [default: a new one, which is printed]
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other)]
    pub(crate) seed_hex: Option<String>,

    /// Rows have the weights of this column; --design says what they mean
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other)]
    pub(crate) weight: Option<String>,
    /// What a weight means
    #[arg(long, value_parser = weightings())]
    pub(crate) design: Option<String>,
    /// Weight of rows where the column is blank, which is otherwise an error
    #[arg(long, value_name = "W", value_parser = missing)]
    pub(crate) default_weight: Option<String>,
    /// Draw with replacement: a row may be picked several times
    #[arg(long)]
    pub(crate) replace: bool,
    /// Stratify: a sample of each value of this column; of several, given one after the other, of each combination
    #[arg(long, value_name = "COL", conflicts_with = "group_by", value_hint = ValueHint::Other)]
    pub(crate) stratify: Vec<String>,
    /// With --stratify, K rows in all, each stratum's share in proportion to its rows
    #[arg(long)]
    pub(crate) proportional: bool,
    /// Pick values of this column, or of several, each with the option, and all rows that have them: the same in every order
    /// and every part of the data
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other)]
    pub(crate) group_by: Vec<String>,

    /// In which order the rows come out
    #[arg(long, value_enum, default_value_t = Order::Input)]
    pub(crate) order: Order,
    /// Fail if there are fewer than K rows, instead of giving all
    #[arg(long)]
    pub(crate) exact: bool,
    /// With --group-by, print the ticket by which a row was picked before it
    #[arg(long)]
    pub(crate) print_ticket: bool,
    /// Write the rows into this file, all or nothing [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Write the rows that were not picked into this file, in the input's order
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["state_out", "state_in"])]
    pub(crate) complement: Option<PathBuf>,
    /// Write a record of the draw into this file, by which hashwell verify, or anybody, can recheck it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["state_out", "state_in"])]
    pub(crate) transcript: Option<PathBuf>,
    /// Write the sample's state into this file, for --merge and --state-in, instead of its rows
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["exact", "stats"])]
    pub(crate) state_out: Option<PathBuf>,
    /// Continue from this state, as if the FILEs followed what it has seen; the design, the seed and the format are the
    /// state's, and options that repeat the design must agree with it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["seed", "seed_hex", "shard"])]
    pub(crate) state_in: Option<PathBuf>,
    /// Name of this step or purpose, which makes the draw independent of other draws with the same seed, also with --group-by.
    /// Without it, one seed used twice selects related rows: -p 0.1 --group-by COL of the rest of such a draw selects nothing
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true)]
    #[arg(conflicts_with_all = ["merge", "selftest", "state_in"])]
    pub(crate) context: String,
    /// Refuse to draw if this transcript or state of an earlier step has the same seed and context
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["merge", "selftest", "state_in"])]
    pub(crate) after: Vec<PathBuf>,
    /// Name of this part of the data, so that the parts of one seed are drawn independently
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, conflicts_with = "merge")]
    pub(crate) shard: Option<String>,
    /// Say on standard error how many rows there were and how probable each was
    #[arg(long)]
    pub(crate) stats: bool,

    /// The first row of lines is a header
    #[arg(short = 'H', long, overrides_with = "no_header")]
    pub(crate) header: bool,
    /// The first row of CSV or TSV is no header; columns are numbered from 1
    #[arg(long, overrides_with = "header")]
    pub(crate) no_header: bool,
    /// Rows end with NUL
    #[arg(short, long, group = "format")]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,
    /// Format in which rows of Parquet are written [default: that of the output's name, else parquet]
    #[arg(long = "as", value_parser = table_formats(), value_name = "FORMAT")]
    pub(crate) table_as: Option<Format>,

    /// Inputs, one stream together; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

/// Options of reading rows, which a merge and a self-test do not.
const READING: [&str; 12] = [
    "header",
    "no_header",
    "zero",
    "csv",
    "tsv",
    "jsonl",
    "parquet",
    "table_as",
    "quotes",
    "max_record",
    "long",
    "default_weight",
];

/// What a weight may mean: the methods of the library's table that have a choice.
fn weightings() -> PossibleValuesParser {
    let value = |method: &'static Method| Some(PossibleValue::new(method.weighting?).help(method.summary));
    PossibleValuesParser::new(METHODS.iter().filter_map(value).collect::<Vec<_>>())
}

/// The formats in which rows of a table are written: that of tables first.
fn table_formats() -> impl TypedValueParser<Value = Format> {
    let is_table = |format: &Format| format.fields() == Fields::Table;
    let tables = Format::ALL.into_iter().filter(is_table);
    let formats = tables.chain(Format::ALL.into_iter().filter(move |format| !is_table(format)));
    let value = |format: Format| {
        let help = format.written()?;
        let value = PossibleValue::new(format.name());
        Some(if help.is_empty() { value } else { value.help(help) })
    };
    let known = PossibleValuesParser::new(formats.filter_map(value).collect::<Vec<_>>());
    known.map(|name| Format::of_name(&name).expect("it is a format's name"))
}

/// The names that the options of the command have in errors.
pub(crate) struct Spelled;

/// The identifier of an option, and its short name in a sentence.
fn names(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Size => ("rows", "-n"),
        Part::Probability => ("probability", "-p"),
        Part::Every => ("every", "--every"),
        Part::Shuffle => ("shuffle", "--shuffle"),
        Part::Key => ("group_by", "--group-by"),
        Part::Weight => ("weight", "--weight"),
        Part::Weighting => ("design", "--design"),
        Part::MissingWeight => ("default_weight", "--default-weight"),
        Part::Replace => ("replace", "--replace"),
        Part::Strata => ("stratify", "--stratify"),
        Part::Proportional => ("proportional", "--proportional"),
        Part::Order => ("order", "--order draw"),
        Part::Exact => ("exact", "--exact"),
        Part::State => ("state_out", "--state-out"),
        Part::Complement => ("complement", "--complement"),
        Part::Ticket => ("print_ticket", "--print-ticket"),
        Part::Shard => ("shard", "--shard"),
    }
}

impl Spelling for Spelled {
    fn name(&self, part: Part) -> Option<String> {
        Some(names(part).1.to_owned())
    }

    fn argument(&self, part: Part) -> String {
        let (id, name) = names(part);
        let mut command = SampleOptions::augment_args(Command::new("sample"));
        command.build();
        let argument = command.get_arguments().find(|argument| argument.get_id() == id);
        argument.map_or_else(|| name.to_owned(), ToString::to_string)
    }
}

/// The order of the rows picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// As in the input
    Input,
    /// As drawn: any first part of them is a sample too
    Draw,
}

/// A weight for rows that have none.
fn missing(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(weight) if weight.is_finite() && weight >= 0.0 => Ok(text.to_owned()),
        _ => Err("must be a number that is not negative".to_owned()),
    }
}

fn help() -> String {
    let (endings, compressions) = (endings(), compressions());
    format!(
        "Rows are copied byte for byte. A seed picks the same rows on every machine, from a file or a pipe, compressed or \
         not; without one the operating system gives one, which is printed so that the draw can be repeated. Several \
         FILEs are one stream; their headers must be equal, and it is printed once. The format is that of the first \
         name's ending ({endings}) unless an option says it, else lines; {compressions} are \
         read. Rows of Parquet are picked by number: of its pages only those are read that hold picks.\n\n\
         The name of an output decides how it is written: x.csv.gz is compressed with gzip, and rows of Parquet go into \
         x.csv as CSV and into x.jsonl as JSON lines. A name that contradicts the rows or --as is an error. hashwell table \
         reads the same values from both.\n\n\
         COL is a column's name, or its number from 1 where there is no header; of JSON the name of a member, of Parquet a \
         path with points. A design has \
         to be named with weights, since the two differ: with weights 1, 2, 3, 4 and 2 rows picked, successive takes \
         them with probabilities 0.235, 0.441, 0.608, 0.716, pps with 0.2, 0.4, 0.6, 0.8.\n\n\
         Use a seed once, or give each step its own --context: steps with one seed and context select related rows. With \
         -p and --group-by a warning says so where the keys show it; --after FILE checks the transcript or state of an earlier \
         step.\n\n\
         Memory is that of the rows picked and of one row more; for --shuffle of all rows, for --group-by of all rows of \
         the keys picked, for --stratify of K rows a stratum. --complement reads files twice and copies pipes into a temporary \
         file. Which question needs which options, what is promised, and how others recheck it: docs/guides/sampling.md.\n\n\
         {UNITS}\n\n\
         Exit codes: 0 done, also with fewer than K rows, which is said; 1 a file could not be read, a weight is wrong, \
         the output could not be written, with --exact fewer than K rows, with --selftest a sampler failed; 2 usage; \
         130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_has_no_format() {
        for format in Format::ALL.into_iter().filter(|format| format.help().is_some()) {
            assert!(READING.contains(&format.name()), "READING lacks {}", format.name());
        }
    }
}
