//! Options of `hashwell table` and `hashwell diff`.

use crate::options::bytes::{UNITS, bytes};
use crate::options::form_args::{FormOptions, compressions, endings};
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
    /// Make the order of the columns count [default: tables with the same columns in another order are equal]
    #[arg(long, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) ordered_columns: bool,
    /// Parse text fields of a column as this type
    ///
    /// Separate several with commas, or repeat the option. The types are listed below.
    #[arg(long, value_name = "NAME=TYPE", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) types: Vec<String>,
    /// Read this CSV or TSV field as null; repeatable
    ///
    /// The field is compared as it is written in the file, with its quotes [default: the empty field without quotes].
    #[arg(long, value_name = "FIELD", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) null: Vec<String>,
    /// Print one JSON object per line
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// The first row of CSV or TSV is not a header; columns are named 1, 2, …
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
    /// How the digests of rows are combined
    ///
    /// sorted-sha256 is as strong as SHA-256 and needs 32 bytes of memory per row; lthash64-blake3 needs 4 KiB in all.
    #[arg(long, value_name = "SCHEME", default_value = "sorted-sha256", value_parser = ["sorted-sha256", "lthash64-blake3"])]
    #[arg(help_heading = DIGEST)]
    pub(crate) scheme: String,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// Files of one table [default: standard input, which - also stands for]
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

/// The heading of options about comparisons by key.
const KEY: &str = "Comparison by key";

/// The treatment of repeated keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Duplicates {
    /// Fail, and name the key and two of its rows
    Error,
    /// Pair equal rows; the others are added or removed, never changed
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
    /// Files of the second table, if a table has several files
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::AnyPath, help_heading = "Tables")]
    pub(crate) with: Vec<OsString>,
    /// Pair rows by these columns, and show rows that were added, removed and changed, with the cells that changed
    ///
    /// Names are separated by commas; repeat the option for a name that contains a comma. Columns that only one table has are reported,
    /// and the others compared.
    #[arg(long, value_name = "COL,...", value_hint = ValueHint::Other, help_heading = KEY)]
    pub(crate) key: Vec<String>,
    /// Don't compare these columns
    #[arg(long, value_name = "COL,...", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) ignore: Vec<String>,
    /// The column OLD of the first table is called NEW in the second; repeatable
    #[arg(long, value_name = "OLD=NEW", value_hint = ValueHint::Other, help_heading = COLUMNS)]
    pub(crate) rename: Vec<String>,
    /// Numbers that differ by at most X, or by at most X times the larger of them, are equal; also COL=X, repeatable
    #[arg(long, value_name = "[COL=]X", requires = "key", help_heading = KEY)]
    pub(crate) tolerance: Vec<String>,
    /// Texts that differ only in upper and lower case are equal (not in --key columns)
    #[arg(long, requires = "key", help_heading = KEY)]
    pub(crate) ignore_case: bool,
    /// Texts that differ only in spaces at their ends are equal (not in --key columns)
    #[arg(long, requires = "key", help_heading = KEY)]
    pub(crate) trim: bool,
    /// How to treat rows of one table that have the same key
    #[arg(long, value_enum, requires = "key", default_value_t = Duplicates::Error, help_heading = KEY, hide_short_help = true)]
    pub(crate) duplicates: Duplicates,
    /// Show at most N rows of each table, and N changes [default: 20; 1000 in the page of --html; with --key and --json, all]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) show: Option<u64>,
    /// Also write an HTML page with the counts, the options and the rows that differ
    ///
    /// The page is one file that needs no script and no network. It has at most 16 MiB of rows, and 100 columns of them. Of
    /// values longer than 1000 bytes, it has the part around the first difference.
    #[arg(long, value_name = "FILE", requires = "key", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Memory for sorting digests of rows; what doesn't fit is sorted in temporary files
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = bytes)]
    #[arg(help_heading = "Resources", hide_short_help = true)]
    pub(crate) memory: u64,

    /// The two tables, or with --with the files of the first table; - is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

const TABLE_EXAMPLES: &str = "  hashwell table data.csv              print one digest of the whole table
  hashwell table --per-row data.csv    print a digest of each row";

const DIFF_EXAMPLES: &str =
    "  hashwell diff old.csv new.csv               show the rows in which two files differ
  hashwell diff --key id old.csv new.csv      show the cells that changed, by the key id
  hashwell diff a.parquet --with b1.csv b2.csv  compare a table with one of two files";

/// The paragraph about reading files in the help of both commands.
fn reading() -> String {
    let (endings, compressions) = (endings(), compressions());
    format!(
        "The format of a file comes from the ending of its name ({endings}) unless an option gives it; {compressions} files are \
         decompressed. Two rows are equal if their values are equal. The order of rows, the order of columns, the file \
         format, compression and the division into files don't matter; repeated rows do.\n\n\
         A field of CSV or TSV is text. An empty field is null, and a quoted empty field (\"\") is the empty string, as \
         DuckDB, Polars and PostgreSQL write them; in a column that is not text, such as a column of numbers, both are null. \
         If both \
         are null everywhere, use --null '' --null '\"\"'. If the file writes NA for null, use --null NA (a quoted NA is \
         then text).\n\n\
         If another file of the comparison or table is Parquet or JSON lines, text fields are parsed as its column types, and a note on standard error \
         says so. --types sets the type: null, bool, int, decimal, float16, float32, float64, text, bytes, hex, base64, \
         date, time, timestamp, instant (a timestamp with an offset from UTC), duration, interval (both ISO 8601), json \
         (any JSON value). A field that can't be parsed is an error. A JSON number without point and exponent is an exact \
         integer, any other is a binary64; a missing key is null."
    )
}

fn table_details() -> String {
    format!(
        "If several FILEs are given, they are read as one table. To compare two tables, use hashwell diff.\n\n\
         {}\n\n{UNITS}\n\n\
         Exit codes: 0 done; 1 a file could not be read or the output not written; 2 usage.",
        reading()
    )
}

fn diff_details() -> String {
    format!(
        "Rows of the first table are printed after <, rows of the second after >, each with the line on which it begins \
         (for Parquet, with its row number and as JSON). If a row occurs more often in one table than in the other, the \
         later occurrences are printed.\n\n\
         With --key, a line after ~ shows a row that changed (old → new), - a row that was removed, + one that was added. \
         Keys are compared as values: in CSV, 00123 and 123 are different texts. Nulls of a key are equal to each other. Values that \
         differ are shown differently: texts are quoted and escaped if need be. With --json, each change, removed and added row is \
         an object, and the last line has the counts. Rows are matched by 128 bits of SHA-256 of the key.\n\n\
         {}\n\n\
         Sorting takes 40 bytes per row. Rows that don't fit in --memory are sorted in temporary files in TMPDIR. Input that \
         can't be read twice is also copied there. The files have no names, so that nothing remains.\n\n\
         {UNITS}\n\n\
         Exit codes: 0 the tables are equal; 1 they differ; 2 usage, or a file could not be read.",
        reading()
    )
}
