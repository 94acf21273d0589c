//! Options for reading the list of a draw, shared by `draw` and `verify`.

use crate::options::form_args::{FormOptions, INPUT};
use clap::{Args, ValueHint};

/// The paragraph about lists in the help of `draw` and `verify`.
pub(crate) const LISTS: &str = "A list is plain text or a table. Plain text has one entry per line: the ID, then a \
    TAB and the stratum if the draw is stratified, then a TAB and the weight if the method is weighted. A file is \
    read as a table if its name ends in .csv, .tsv, .jsonl or .parquet, or if you give the option --csv, --tsv, --jsonl \
    or --parquet. The header of a table is not an entry. --id, --weight and --stratify name the columns. You may omit \
    --id if only one column remains. Plain text, CSV, TSV and JSON lines may be compressed (.gz, .zst, .bz2, .xz). A \
    list must be UTF-8, without NUL bytes and without lines that end with a lone CR.";

/// Options for reading the list.
#[derive(Args, Debug)]
pub(crate) struct ListOptions {
    /// Column of IDs, if the list is a table [default: the only column that has neither weights nor strata]
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) id: Option<String>,
    /// Column of weights, if the list is a table and the method is weighted
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) weight: Option<String>,
    /// Column of strata, if the list is a table and the draw is stratified
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) stratify: Option<String>,
    /// Treat the first line of plain text as a header, not as an entry
    #[arg(short = 'H', long, overrides_with = "no_header", help_heading = INPUT, hide_short_help = true)]
    pub(crate) header: bool,
    /// Treat the first row of CSV or TSV as data, not as a header; columns are numbered from 1
    #[arg(long, overrides_with = "header", help_heading = INPUT, hide_short_help = true)]
    pub(crate) no_header: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,
}

/// The heading of options that name columns.
const COLUMNS: &str = "Columns of a table";

impl ListOptions {
    /// True if an option was given that needs a list to draw from.
    pub(crate) fn is_given(&self) -> bool {
        let columns = [&self.id, &self.weight, &self.stratify];
        columns.iter().any(|column| column.is_some())
            || self.header
            || self.no_header
            || self.form.asked().is_some()
            || self.form.implied().is_some()
    }
}
