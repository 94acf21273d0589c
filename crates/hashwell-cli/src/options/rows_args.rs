//! Options of `hashwell rows`.

use crate::options::bytes::{UNITS, bytes};
use crate::options::form_args::{FormOptions, compressions, endings};
use crate::options::names::Names;
use clap::{Args, ValueHint};
use std::ffi::OsString;

/// Digests of rows and tables.
#[derive(Args, Debug)]
#[command(after_help = help())]
pub(crate) struct RowsOptions {
    /// Compare with the table of these files, and name the rows that only one of both has
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::AnyPath)]
    #[arg(conflicts_with_all = ["each", "suite"])]
    pub(crate) diff: Vec<OsString>,
    /// Print a digest of each row: DIGEST  FILE:LINE
    #[arg(long, conflicts_with = "suite")]
    pub(crate) each: bool,
    /// What a table's digest is made of: sorted-sha256 is as strong as SHA-256 and takes 32 bytes a row, lthash64-blake3 4 KiB
    #[arg(long, value_name = "SUITE", default_value = "sorted-sha256", value_parser = ["sorted-sha256", "lthash64-blake3"])]
    pub(crate) suite: String,
    /// With --each, the algorithm [default: sha256]
    #[arg(short, long, value_name = "ALG", requires = "each", value_parser = Names::algorithms())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithm: Option<String>,
    /// These columns alone: several with commas between them, or each with the option, as one whose own name has commas
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other)]
    pub(crate) columns: Vec<String>,
    /// The order of columns counts
    #[arg(long)]
    pub(crate) declared_order: bool,
    /// As what texts of a column are read; several as those of --columns
    #[arg(long, value_name = "NAME=TYPE", value_hint = ValueHint::Other)]
    pub(crate) types: Vec<String>,
    /// A field of CSV or TSV that is null, as the file has it: with its quotes if it is quoted. May be given several
    /// times [default: the empty field without quotes]
    #[arg(long, value_name = "FIELD", value_hint = ValueHint::Other)]
    pub(crate) null: Vec<String>,
    /// With --diff, how many rows of each table are shown at most
    #[arg(long, value_name = "N", default_value_t = 20, requires = "diff")]
    pub(crate) show: u64,
    /// With --diff, the memory in which rows are sorted; what does not fit is sorted on disk
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = bytes, requires = "diff")]
    pub(crate) memory: u64,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// The first row of CSV or TSV is no header; columns have the names 1, 2, …
    #[arg(long)]
    pub(crate) no_header: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Files of one table; standard input if missing or -
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<OsString>,
}

fn help() -> String {
    let (endings, compressions) = (endings(), compressions());
    format!(
        "All FILEs are one table, whatever their formats, which are those of their names' endings ({endings}; \
         {compressions} are read) unless an option says it. Rows are equal if their values are: \
         neither their order nor that of the columns counts, nor format, compression and how they are divided among files; \
         repeats do. Two tables are compared with hashwell rows --diff A B, or hashwell rows A… --diff B….\n\n\
         A field of CSV or TSV is text. An empty field is null, and a quoted one (\"\") is the empty text, as DuckDB, Polars \
         and PostgreSQL write them; in a column of another type, such as a number, both are null. Use --null '' --null '\"\"' if \
         both are null everywhere, or --null NA if your file has NA for null (a quoted NA is then text). Beside Parquet, or JSON lines, \
         texts are read as values of the column's type there, which is said on standard error; --types says it by hand: null, \
         bool, int, decimal, float16, float32, float64, text, bytes, hex, base64, date, time, timestamp, instant (a timestamp with \
         an offset from UTC), duration, interval (both ISO 8601), json (any JSON value). A text that is none is an error. A JSON number is exact without point and exponent, else a \
         binary64; a key that is not there is null.\n\n\
         --diff prints the rows of the first table after <, those of the second after >, with the line on which each \
         begins; in Parquet it is the row's number, and the row is shown as JSON. Exit code 1 says that they differ, and any \
         error is 2. --memory bounds what rows are sorted in, 40 bytes each; the rest goes to files without names in TMPDIR. What cannot be read twice is copied there. Types, \
         and what is not promised: docs/guides/tables.md.\n\n\
         {UNITS}\n\n\
         Exit codes: 0 done, with --diff the same; 1 a file could not be read, with --diff different; 2 usage"
    )
}
