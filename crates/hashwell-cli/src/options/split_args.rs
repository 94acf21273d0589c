//! The options of `hashwell split`.

use super::form_args::{FormOptions, INPUT, compressions, containers, endings};
use super::help::{brief, full};
use super::sample_args::table_formats;
use clap::{ArgGroup, Args, ValueHint};
use hashwell_rows::Format;
use std::ffi::OsString;

/// Split rows of files into named parts.
#[derive(Args, Debug)]
#[command(
    after_help = brief("split", EXAMPLES),
    after_long_help = full("split", &details(), EXAMPLES),
    group(ArgGroup::new("seeds").args(["seed", "seed_hex"]))
)]
pub(crate) struct SplitOptions {
    /// Parts and their shares of the rows, such as train=0.8,val=0.1,test=0.1
    ///
    /// A share is a decimal or a fraction from 0 to 1. Shares must add up to 1. The order of the parts matters.
    #[arg(long, value_name = "NAME=SHARE,...", value_delimiter = ',', required = true, value_hint = ValueHint::Other, help_heading = PARTS)]
    pub(crate) into: Vec<String>,
    /// Keep all rows with the same value of this column in one part
    ///
    /// Repeat the option for combinations of columns. Without --exact, the part depends only on the value, the seed,
    /// the context and the shares.
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = PARTS)]
    pub(crate) group_by: Vec<String>,
    /// Give each part its share of each stratum (all rows with the same value of this column); implies --exact
    ///
    /// Repeat the option for combinations of columns.
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = PARTS)]
    pub(crate) stratify: Vec<String>,
    /// Give each part exactly its share of the rows, or with --group-by of the groups
    ///
    /// The part of a row then depends on all rows, and may change if rows are added.
    #[arg(long, help_heading = PARTS)]
    pub(crate) exact: bool,
    /// Seed as text [default: a random one, which is printed]
    ///
    /// The same seed makes the same parts.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, help_heading = "Reproducibility")]
    pub(crate) seed: Option<String>,
    /// Seed in hexadecimal
    #[arg(long, value_name = "HEX", value_hint = ValueHint::Other, help_heading = "Reproducibility", hide_short_help = true)]
    pub(crate) seed_hex: Option<String>,
    /// Name of this step or purpose [default: empty]
    ///
    /// Splits with the same seed and different contexts are independent. To split a part again, give a different context.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, default_value = "", hide_default_value = true)]
    #[arg(help_heading = "Reproducibility", hide_short_help = true)]
    pub(crate) context: String,
    /// Folder for one file per part, or a file name in which {} is replaced by the name of the part
    ///
    /// In a folder, each file has the name of its part and the extension of the first FILE, such as train.csv.gz if
    /// that ends in .csv.gz. Files are written completely or not at all, and can't replace a FILE that is read.
    #[arg(short, long, value_name = "DIR|NAME", required = true, value_hint = ValueHint::AnyPath, help_heading = "Output")]
    pub(crate) output: OsString,
    /// Output format of the rows of a table [default: the format that the output name indicates, else that of the input]
    #[arg(long = "as", value_parser = table_formats(), value_name = "FORMAT", help_heading = "Output", hide_short_help = true)]
    pub(crate) table_as: Option<Format>,
    /// Treat the first line of plain text as a header
    #[arg(short = 'H', long, conflicts_with = "no_header", help_heading = INPUT, hide_short_help = true)]
    pub(crate) header: bool,
    /// Treat the first row of CSV or TSV as data, not as a header; columns are numbered from 1
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) no_header: bool,
    /// Read and write lines that end with NUL instead of a newline
    #[arg(short, long, group = "format", help_heading = INPUT, hide_short_help = true)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Files to read as one stream; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

/// The heading of options about parts.
const PARTS: &str = "Parts";

const EXAMPLES: &str =
    "  hashwell split --into train=0.8,val=0.1,test=0.1 --group-by user --seed 7 -o parts visits.csv
  hashwell split --into train=0.8,test=0.2 --stratify label --seed 7 -o '{}.csv' data.csv";

fn details() -> String {
    let (endings, compressions, containers) = (endings(), compressions(), containers());
    format!(
        "Each row is written to one part. Rows keep their order, and text rows are copied byte for byte. The sizes of the parts \
         are printed.\n\n\
         With --group-by, the part that a row goes to depends only on the values of these columns, the seed, the \
         context and the shares. So rows stay in their part if others are added, removed or reordered, and two tables \
         that are split with the same seed have each group in the same part. The first part has the rows that \
         'hashwell sample -p SHARE --group-by COL' picks. Without --group-by, the part depends on the number of the \
         row instead, so rows stay in their part if others are added at the end. In both cases, sizes are random: if \
         there are n rows or groups, a part with the share p has p·n of them on average, with standard deviation \
         √(n·p·(1-p)).\n\n\
         With --exact or --stratify, the size of each part is its exact share, rounded to the nearest integer. With \
         --stratify, each part is divided among the strata in proportion to their sizes, and each number is rounded \
         up or down at random. So the number of rows of a stratum in a part can differ from its exact share by 1, or \
         by 2 if there are many parts. With --group-by, sizes are numbers \
         of groups instead of rows; if the rows of a group have several values in the --stratify columns, these values \
         together are its stratum. Files are read twice, and pipes are first copied to a temporary file. About 30 bytes \
         of memory per row are needed.\n\n\
         The extension of the first name ({endings}) determines the format, unless an option gives it. Files with \
         other names are read as plain lines. Compressed files ({compressions}) are decompressed, and outputs with \
         these extensions are compressed.{containers}\n\n\
         Exit codes: 0 success; 1 a file could not be read or written; 2 usage error; 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)."
    )
}
