//! Options for reading the list of a draw, shared by `draw` and `verify`.

use crate::options::form_args::{FormOptions, INPUT};
use clap::{Args, ValueHint};

/// The paragraph about lists in the help of `draw` and `verify`.
pub(crate) const LISTS: &str = "A list is plain text or a table. Plain text has one ID per line; for weighted methods, a TAB \
    and a weight follow; for strata, a TAB and a stratum (before the weight). A file is read as a table if its name ends in \
    .csv, .tsv, .jsonl or .parquet, or if the option is given. Its header is not an entry; --id, --weight and --stratify name \
    the columns, and --id may be \
    omitted if only one column remains. Plain text, CSV, TSV and JSON lines may be compressed (.gz, .zst, .bz2, .xz). A \
    list must be UTF-8, without NUL bytes and without lines that end with a lone CR.";

/// Options for reading the list.
#[derive(Args, Debug)]
pub(crate) struct ListOptions {
    /// Column of IDs, for a table [default: the only remaining column]
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) id: Option<String>,
    /// Column of weights, for a table and a weighted method
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) weight: Option<String>,
    /// Column of strata, for a table
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other, help_heading = COLUMNS, hide_short_help = true)]
    pub(crate) stratify: Option<String>,
    /// The first line of plain text is a header, not an entry
    #[arg(short = 'H', long, overrides_with = "no_header", help_heading = INPUT, hide_short_help = true)]
    pub(crate) header: bool,
    /// The first row of CSV or TSV is not a header; columns are numbered from 1
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
