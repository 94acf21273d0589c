//! The options of `hashwell sample`.

use super::bytes::{UNITS, output_file};
use super::form_args::{FormOptions, compressions, containers, endings};
use super::help::{brief, full};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Command, ValueEnum, ValueHint};
use hashwell_draw::number::Ratio;
use hashwell_draw::row_sampling::{METHODS, Method, Part, Shares, Spelling};
use hashwell_rows::{Fields, Format};
use std::ffi::OsString;
use std::path::PathBuf;

/// Sample rows of files.
#[derive(Args, Debug)]
#[command(
    after_help = brief("sample", EXAMPLES),
    after_long_help = full("sample", &details(), EXAMPLES),
    group(ArgGroup::new("job").args(["rows", "sizes", "probability", "every", "shuffle", "merge", "selftest"])),
    group(ArgGroup::new("seeds").args(["seed", "seed_hex"])),
    group(ArgGroup::new("files_of_rows").args(["output", "state_out"]))
)]
pub(crate) struct SampleOptions {
    /// Pick K rows (with --stratify, K from each stratum), or an exact share of the rows such as 20%
    ///
    /// With --group-by, pick all rows of K groups, or of this share of the groups. The number of rows or groups in a share is
    /// rounded to the nearest integer. With --stratify, the share is divided among the strata in proportion to their
    /// sizes, and each number is rounded up or down. For a share, files are read twice. A share has at most 16
    /// decimals, and can't be combined with --transcript, states, weights, --replace or --order draw.
    #[arg(short = 'n', long, value_name = "K|SHARE%", value_parser = amount, required_unless_present_any = ["job", "state_in"], help_heading = "What to sample")]
    pub(crate) rows: Option<Amount>,
    /// Pick from each stratum the number of rows that FILE (CSV or TSV) lists for it
    ///
    /// Each line of FILE has the values of the --stratify columns and then the number of rows to pick. The first line may be a
    /// header with the names of these columns. No rows are picked from strata that FILE does not list. With --group-by, the
    /// numbers count groups, not rows. The sampled files are read twice.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "stratify", help_heading = "What to sample")]
    pub(crate) sizes: Option<PathBuf>,
    /// Pick each row independently with this probability from 0 to 1, such as 0.1 or 1/8
    ///
    /// With --group-by, pick each group with this probability.
    #[arg(short, long, value_name = "P", help_heading = "What to sample")]
    pub(crate) probability: Option<String>,
    /// Pick every Nth row, starting at a random one of the first N; N is at least 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "What to sample", hide_short_help = true)]
    pub(crate) every: Option<u64>,
    /// Print all rows in random order; all rows must fit into memory
    #[arg(long, help_heading = "What to sample")]
    pub(crate) shuffle: bool,
    /// Pick groups instead of rows: a group is all rows with the same value of this column
    ///
    /// Repeat the option for combinations of columns. The choice of groups depends neither on the order of rows nor on their
    /// division into files.
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = "What to sample")]
    pub(crate) group_by: Vec<String>,
    /// Sample with replacement: a row may be picked several times
    #[arg(long, help_heading = "What to sample")]
    pub(crate) replace: bool,
    /// Merge the states in the FILEs, which --state-out wrote, into one sample of all their rows
    #[arg(long, conflicts_with_all = READING)]
    #[arg(conflicts_with_all = ["weight", "replace", "stratify", "group_by", "state_in", "complement", "transcript"], help_heading = "What to sample", hide_short_help = true)]
    pub(crate) merge: bool,
    /// Run statistical tests of all sampling designs on this machine, with a random seed or the given one
    #[arg(long, conflicts_with_all = READING)]
    #[arg(conflicts_with_all = ["weight", "replace", "stratify", "group_by", "state_in", "complement", "transcript", "output"])]
    #[arg(conflicts_with_all = ["state_out", "files", "stats", "exact", "order"], help_heading = "What to sample", hide_short_help = true)]
    pub(crate) selftest: bool,
    /// Column of weights, which must be at least 0 (requires --design or --replace)
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = "Weights and strata")]
    pub(crate) weight: Option<String>,
    /// Design of a weighted sample without replacement
    #[arg(long, value_parser = weightings(), help_heading = "Weights and strata")]
    pub(crate) design: Option<String>,
    /// Weight of rows in which the weight is empty; at least 0 [default: an empty weight is an error]
    #[arg(long, value_name = "W", value_parser = missing, help_heading = "Weights and strata", hide_short_help = true)]
    pub(crate) default_weight: Option<String>,
    /// Sample each stratum separately: a stratum is all rows with the same value of this column
    ///
    /// Repeat the option for combinations of columns. With --group-by and -n K, a group is all rows with the same
    /// values in the columns of --group-by and --stratify. With --group-by and --sizes or -n SHARE%, groups are never
    /// divided. If a group has rows in several strata, --sizes never picks it, and with -n SHARE% the combination of
    /// these strata is its stratum.
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = "Weights and strata")]
    pub(crate) stratify: Vec<String>,
    /// With --stratify: pick K rows in total, divided among the strata in proportion to their sizes
    #[arg(long, help_heading = "Weights and strata")]
    pub(crate) proportional: bool,
    /// Seed as text [default: a random one, which is printed]
    ///
    /// The same seed picks the same rows.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, help_heading = "Reproducibility")]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, help_heading = "Reproducibility", hide_short_help = true)]
    pub(crate) seed_hex: Option<String>,
    /// Name of this step or purpose [default: empty]
    ///
    /// Samples with the same seed and different contexts are independent, even with --group-by. Steps with the same
    /// seed and context pick related rows.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true)]
    #[arg(conflicts_with_all = ["merge", "selftest", "state_in"], help_heading = "Reproducibility", hide_short_help = true)]
    pub(crate) context: String,
    /// Fail if this transcript or state of an earlier step has the same seed and context; repeatable
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["merge", "selftest", "state_in"], help_heading = "Reproducibility", hide_short_help = true)]
    pub(crate) after: Vec<PathBuf>,
    /// Write a transcript to FILE, with which 'hashwell verify' can repeat and check the sample
    ///
    /// Can't be combined with -n SHARE% or --sizes. The transcript has the digest of the picked rows, but not of the header,
    /// the other rows or the output file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["state_out", "state_in"], help_heading = "Reproducibility", hide_short_help = true)]
    #[arg(value_parser = output_file())]
    pub(crate) transcript: Option<PathBuf>,
    /// Write the rows to FILE; - is standard output [default: standard output]
    ///
    /// The file is written completely or not at all. It can't be one of the files that are read.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write the rows that were not picked to FILE, in input order (also: --rest)
    #[arg(long, alias = "rest", value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["state_out", "state_in"], help_heading = "Output")]
    #[arg(value_parser = output_file())]
    pub(crate) complement: Option<PathBuf>,
    /// Order of the output
    #[arg(long, value_enum, default_value_t = Order::Input, help_heading = "Output", hide_short_help = true)]
    pub(crate) order: Order,
    /// Fail if there are fewer than K rows
    ///
    /// Without this option, all rows are printed, with a note.
    #[arg(long, help_heading = "Output")]
    pub(crate) exact: bool,
    /// With --group-by: before each row, print the ticket (a random number) of the row's group
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub(crate) print_ticket: bool,
    /// Report row counts and inclusion probabilities on stderr
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,
    /// Output format of the rows of a table [default: the format that the output name indicates, else that of the input]
    #[arg(long = "as", value_parser = table_formats(), value_name = "FORMAT", help_heading = "Output", hide_short_help = true)]
    pub(crate) table_as: Option<Format>,
    /// Name of this part of the data; samples with the same seed and different part names are independent
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, conflicts_with = "merge", help_heading = "Steps and parts", hide_short_help = true)]
    pub(crate) shard: Option<String>,
    /// Write the state of the sample to FILE instead of rows, for --merge and --state-in
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["exact", "stats"], help_heading = "Steps and parts", hide_short_help = true)]
    #[arg(value_parser = output_file())]
    pub(crate) state_out: Option<PathBuf>,
    /// Continue the sample in this state, as if the FILEs followed the rows that were read before
    ///
    /// Design, seed and format are taken from the state. If you repeat options of the design, they must agree with it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["seed", "seed_hex", "shard"], help_heading = "Steps and parts", hide_short_help = true)]
    pub(crate) state_in: Option<PathBuf>,
    /// Treat the first line of plain text as a header
    #[arg(
        short = 'H',
        long,
        conflicts_with = "no_header",
        help_heading = "Input format",
        hide_short_help = true
    )]
    pub(crate) header: bool,
    /// Treat the first row of CSV or TSV as data, not as a header; columns are numbered from 1
    #[arg(long, help_heading = "Input format", hide_short_help = true)]
    pub(crate) no_header: bool,
    /// Read and write lines that end with NUL instead of a newline
    #[arg(short, long, group = "format", help_heading = "Input format", hide_short_help = true)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Files to read as one stream; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

const EXAMPLES: &str = "  hashwell sample -n 1000 --seed 0877 data.csv
  hashwell sample -p 0.1 --group-by user --seed split -o test.csv --complement train.csv data.csv";

/// Options for reading rows, which a merge and a self-test do not have.
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

/// The values of `--design`: the `weighting` of each method of the library that has one.
fn weightings() -> PossibleValuesParser {
    let value = |method: &'static Method| Some(PossibleValue::new(method.weighting?).help(method.summary));
    PossibleValuesParser::new(METHODS.iter().filter_map(value).collect::<Vec<_>>())
}

/// The formats for writing rows of a table. The formats for tables come first.
pub(super) fn table_formats() -> impl TypedValueParser<Value = Format> {
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

/// The names of the command's options in error messages.
pub(crate) struct Spelled;

/// The identifier of an option in clap, and its name in error messages.
fn names(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Size => ("rows", "-n"),
        Part::Probability => ("probability", "-p"),
        Part::Every => ("every", "--every"),
        Part::Shuffle => ("shuffle", "--shuffle"),
        Part::GroupBy => ("group_by", "--group-by"),
        Part::Weight => ("weight", "--weight"),
        Part::Weighting => ("design", "--design"),
        Part::DefaultWeight => ("default_weight", "--default-weight"),
        Part::Replace => ("replace", "--replace"),
        Part::Stratify => ("stratify", "--stratify"),
        Part::Proportional => ("proportional", "--proportional"),
        Part::Order => ("order", "--order draw"),
        Part::Exact => ("exact", "--exact"),
        Part::State => ("state_out", "--state-out"),
        Part::Rest => ("complement", "--complement"),
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

/// The value of `-n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Rows(u64),
    /// A share of all rows, stored as two parts: the picked rows and the rest.
    Share(Shares),
}

fn amount(text: &str) -> Result<Amount, String> {
    if let Some(percent) = text.strip_suffix('%') {
        let is_share = percent.parse::<f64>().is_ok_and(|share| (0.0..=100.0).contains(&share));
        let wrong = if is_share { "a share has at most 16 decimals" } else { "a share must be 0% to 100%" };
        let share: Ratio = format!("{percent}e-2").parse().map_err(|_| wrong.to_owned())?;
        let parts = [format!("picked={share}"), format!("rest={}", share.complement())];
        let shares = Shares::parse(parts.iter().map(String::as_str));
        return shares.map(Amount::Share).map_err(|_| wrong.to_owned());
    }
    text.parse().map(Amount::Rows).map_err(|error: std::num::ParseIntError| error.to_string())
}

/// The order of the picked rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Input order
    Input,
    /// Random order: the first J rows are a sample of J rows
    Draw,
}

/// A weight for rows that have none.
fn missing(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(weight) if weight.is_finite() && weight >= 0.0 => Ok(text.to_owned()),
        _ => Err("expected a finite number of at least 0".to_owned()),
    }
}

fn details() -> String {
    let (endings, compressions, containers) = (endings(), compressions(), containers());
    format!(
        "Rows are copied byte for byte, unless the output has another format. A seed picks the same rows on every machine, whether the rows come from a file or a \
         pipe, compressed or not. Without a seed, the operating system chooses one, which is printed so that you can \
         repeat the sample.\n\n\
         Several FILEs are read as one stream: their headers must be equal, and the header is printed once. The \
         extension of the first name ({endings}) determines the format, unless an option gives it. Files with other \
         names are read as plain lines. Compressed files ({compressions}) are decompressed.{containers} From a Parquet \
         file, only the pages that contain picked rows are read.\n\n\
         The name of an output file determines its format and compression: x.csv.gz is CSV compressed with gzip, and rows \
         of any table are written to x.csv, x.jsonl and x.parquet in these formats. Rows of text that are written in \
         another format are first collected in a temporary file. A name that contradicts --as is an error.\n\n\
         COL is the name of a column or, without a header, its number, counted from 1. In JSON lines, it is a key of the \
         objects, and in Parquet a path with dots. For plain lines, which have no columns, --group-by 0 and --stratify 0 \
         mean the whole line.\n\n\
         Without --replace, --weight requires --design, because the two designs have different inclusion probabilities. \
         For example, if you pick 2 rows from four rows with the weights 1, 2, 3 and 4, their inclusion probabilities \
         are 0.235, 0.441, 0.608 and 0.716 with successive, and 0.2, 0.4, 0.6 and 0.8 with pps.\n\n\
         Use a seed only once, or give each step its own --context: steps with the same seed and context pick related \
         rows. With -p and --group-by, a warning is printed if the groups in the input seem to have been picked with the \
         same seed and context before. With --after FILE, hashwell fails if the step that wrote this transcript or state \
         had the same seed and context.\n\n\
         Memory: a sample needs memory for the picked rows and one more row. --shuffle needs memory for all rows, and \
         8 more bytes per row. --group-by with -n needs memory for all rows of the picked groups. For each stratum, \
         --stratify needs memory for K rows and about 100 bytes. --complement reads files twice, and first copies \
         pipes to a temporary file. If -n (without weights, strata or groups) picks at least one row per 2 KiB of \
         uncompressed files, hashwell also reads the files twice, and needs only 8 bytes of memory per picked row. \
         With --order draw, it needs 32 bytes and the row itself for each picked row.\n\n\
         {UNITS}\n\n\
         Exit codes: 0 success, even if there are fewer than K rows (then a note is printed); 1 a file could not be \
         read, a weight is invalid, the output could not be written, --exact found fewer than K rows, or --selftest \
         failed; 2 usage error; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)."
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
