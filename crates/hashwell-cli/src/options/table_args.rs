//! Options of `hashwell table` and `hashwell diff`.

use crate::options::bytes::{UNITS, bytes, output_file};
use crate::options::form_args::{FormOptions, compressions, containers, endings};
use crate::options::help::{brief, full};
use crate::options::names::Names;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options that both commands have: which columns there are, and how fields become values.
#[derive(Args, Debug)]
pub(crate) struct ReadingOptions {
    /// Use only these columns: names separated by commas
    ///
    /// Repeat the option for a name that contains a comma.
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) columns: Vec<String>,
    /// Treat tables with a different order of columns as different [default: the order does not matter]
    ///
    /// The column order of JSON lines is the order in which the keys first appear.
    #[arg(long, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) ordered_columns: bool,
    /// Read columns as these types, e.g. id=int,x=float64 (--help lists all types)
    ///
    /// Separate several columns with commas, or repeat the option. The types are listed below.
    #[arg(long, value_name = "NAME=TYPE", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) types: Vec<String>,
    /// Treat CSV and TSV fields with this text as null; repeatable [default: empty fields without quotes]
    ///
    /// The text is compared with fields as they are written in the file, including quotes.
    #[arg(long, value_name = "FIELD", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) null: Vec<String>,
    /// Print one JSON object per line
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Treat the first row of CSV or TSV as data, not as a header; columns are named 1, 2, …
    #[arg(long, help_heading = "Input format")]
    pub(crate) no_header: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,
}

/// The heading of options about columns and their values.
const COLUMNS: &str = "Columns and values";

/// Print the digest of a table.
#[derive(Args, Debug)]
#[command(
    after_help = brief("table", TABLE_EXAMPLES),
    after_long_help = full("table", &table_details(), TABLE_EXAMPLES)
)]
pub(crate) struct TableOptions {
    /// Print a digest of each row: DIGEST  FILE:LINE
    #[arg(long, conflicts_with = "scheme", help_heading = DIGEST)]
    pub(crate) per_row: bool,
    /// Algorithm of the digests of rows, with --per-row [default: sha256]
    #[arg(short, long, value_name = "ALG", requires = "per_row", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true, help_heading = DIGEST)]
    pub(crate) algorithm: Option<String>,
    /// Method that combines the digests of rows
    ///
    /// sorted-sha256 is as strong as SHA-256 and needs 32 bytes of memory per row. lthash64-blake3 needs 4 KiB in total.
    #[arg(long, value_name = "SCHEME", default_value = "sorted-sha256", value_parser = ["sorted-sha256", "lthash64-blake3"])]
    #[arg(help_heading = DIGEST)]
    pub(crate) scheme: String,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// Files of one table; - is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

/// The heading of options about comparisons by key.
const KEY: &str = "Comparison by key";

/// The treatment of repeated keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Duplicates {
    /// Fail, and report the key and two of its rows
    Error,
    /// Pair equal rows, and report the others as added or removed, not as changed
    Multiset,
}

/// The heading of options about digests.
const DIGEST: &str = "Digest";

/// Compare two tables.
#[derive(Args, Debug)]
#[command(
    after_help = brief("diff", DIFF_EXAMPLES),
    after_long_help = full("diff", &diff_details(), DIFF_EXAMPLES),
    override_usage = "hashwell diff [OPTIONS] OLD NEW\n       hashwell diff [OPTIONS] OLD... --with NEW..."
)]
pub(crate) struct DiffOptions {
    /// Files of the second table (required if either table has several files)
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::AnyPath, help_heading = "Tables")]
    pub(crate) with: Vec<OsString>,
    /// Pair rows by these columns, and show rows that were added, removed and changed, with the cells that changed
    ///
    /// Names are separated by commas; repeat the option for a name that contains a comma. Columns that only one table has are
    /// reported, and all others are compared.
    #[arg(long, value_name = "COL,...", value_hint = ValueHint::Other, help_heading = KEY)]
    pub(crate) key: Vec<String>,
    /// Don't compare these columns
    #[arg(long, value_name = "COL,...", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) ignore: Vec<String>,
    /// Match column OLD of the first table with column NEW of the second; repeatable
    ///
    /// In other options, use the name NEW. All columns are renamed at the same time, so two columns can swap their
    /// names.
    #[arg(long, value_name = "OLD=NEW", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) rename: Vec<String>,
    /// Treat numbers as equal if they differ by at most X or, if X is below 1, by at most X times the larger one (0.01 is
    /// also 1 %); COL=X is for one column; repeatable
    ///
    /// So 0.01 accepts 100 and 100.5. A tolerance below 1 can't be made absolute only; one of 1 or more is. 0 means
    /// numeric equality: 1.0 and 1.00 are then equal. Without COL, X does not apply to strings that look like codes, such
    /// as 007 and +49. Integers, decimals and numeric strings are compared exactly, as decimal numbers; two floats are
    /// compared with float arithmetic. An infinity is equal only to itself.
    #[arg(long, value_name = "[COL=]X", requires = "key", help_heading = KEY)]
    pub(crate) tolerance: Vec<String>,
    /// Ignore differences between upper and lower case in strings (except in --key columns)
    #[arg(long, requires = "key", help_heading = KEY)]
    pub(crate) ignore_case: bool,
    /// Ignore white space at the beginning and end of strings (except in --key columns)
    #[arg(long, requires = "key", help_heading = KEY)]
    pub(crate) trim: bool,
    /// Treatment of rows of one table that have the same key
    ///
    /// With multiset, --ignore-case and --trim apply before rows are paired, and --tolerance is an error.
    #[arg(long, value_enum, requires = "key", default_value_t = Duplicates::Error, help_heading = KEY, hide_short_help = true)]
    pub(crate) duplicates: Duplicates,
    /// Show at most N rows of each table, and N changes [default: 20; 1000 in the page of --html; with --key and --json, all]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) show: Option<u64>,
    /// Also write an HTML page with the counts, the options and the rows that differ
    ///
    /// The page is one file that needs no script and no network. It shows at most 16 MiB of rows and 100 columns.
    /// Values longer than 1000 bytes are shortened to the part around the first difference.
    #[arg(long, value_name = "FILE", requires = "key", value_hint = ValueHint::FilePath, help_heading = "Output")]
    #[arg(value_parser = output_file())]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Memory for sorting digests of rows; if it is too small, temporary files are used
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = bytes)]
    #[arg(help_heading = "Resources", hide_short_help = true)]
    pub(crate) memory: u64,

    /// Files of the two tables, one for each; with --with, files of the first table; - is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

const TABLE_EXAMPLES: &str = "  hashwell table data.csv                   print one digest of the whole table
  hashwell table --types id=int data.csv    parse a column as integers, as a data frame has them
  hashwell table --per-row data.csv         print a digest of each row";

const DIFF_EXAMPLES: &str =
    "  hashwell diff old.csv new.csv               show the rows in which two files differ
  hashwell diff --key id old.csv new.csv      match rows by the column id, and show the cells that changed
  hashwell diff a.parquet --with b1.csv b2.csv  compare a table with one stored in two files";

/// The paragraph about reading files in the help of both commands.
fn reading() -> String {
    let (endings, compressions, containers) = (endings(), compressions(), containers());
    format!(
        "The extension of a file's name ({endings}) determines its format, unless an option gives it. Compressed files \
         ({compressions}) are decompressed.{containers} Two rows are equal if their values are equal. The order of rows, the order \
         of columns, the file format, compression and the division into files don't matter, but the number of times that \
         a row occurs does.\n\n\
         A field of CSV or TSV is text. A CSV file therefore has the digest of a Parquet file or data frame with the \
         same rows only if you give the types of all columns that are not text, such as --types \
         id=int,amount=float64. An empty field is \
         null, and a quoted empty field (\"\") is the empty string, as DuckDB, Polars and PostgreSQL write them; in a \
         column that is not text, such as a column of numbers, both are null. To read both as null in all columns, use \
         --null '' --null '\"\"'. If null is written as NA in the file, \
         use --null NA (a quoted NA is then text).\n\n\
         If some of the files are Parquet or JSON lines, the text fields of the others are parsed as the types of the \
         columns in these files, and a note on standard error reports this. --types sets the type of a column in all \
         files: null, bool (also t and f, or 1 and 0), int, decimal, float16, float32, float64, text, bytes, hex (also \
         with \\x or 0x before the digits), base64, date, time, timestamp, instant (a timestamp with an offset from \
         UTC), duration, interval (both ISO 8601), json (any JSON value). A value that can't be converted is an error. A JSON number without a decimal point or exponent is an exact integer; any other JSON number is a \
         64-bit float. A key that is missing from a JSON object is null if it is in another object of the table."
    )
}

fn table_details() -> String {
    format!(
        "If several FILEs are given, they are read as one table. To compare two tables, use hashwell diff.\n\n\
         {}\n\n{UNITS}\n\n\
         Exit codes: 0 success; 1 a file could not be read or output could not be written; 2 usage error.",
        reading()
    )
}

fn diff_details() -> String {
    format!(
        "A line that begins with < shows a row that only the first table has, and a line with > a row that only the second \
         table has. Each row is printed with its file and the line on which it begins. Rows of Parquet files are printed \
         as JSON, with the row number instead of the line. If two different rows look the same, for example because \
         one has a string and the other a date, the differing cells are printed with their types. If a row occurs \
         more often in one table than in the other, the later occurrences are printed.\n\n\
         With --key, a line that begins with ~ shows a changed row (old → new), a line with - a removed row, and a line \
         with + an added row. Keys are compared as values: in CSV, 00123 and 123 are different strings. Null keys are \
         equal to each other. Different values never look the same in the output, because strings are quoted and \
         escaped if necessary. With --json, each changed, removed or added row is an object, and the last line has \
         the counts. Different values with the same JSON are written as objects with a value and a type. Rows are \
         matched by 128 bits of the SHA-256 of the key.\n\n\
         {}\n\n\
         Sorting takes 40 bytes per row. If that is more than --memory, rows are sorted in temporary files in the folder \
         TMPDIR. Input that can't be read twice, such as a pipe, is also copied there. These files have no names, so the \
         system removes them when the command ends.\n\n\
         {UNITS}\n\n\
         Exit codes: 0 the tables are equal; 1 they differ; 2 usage error, or a file could not be read.",
        reading()
    )
}
