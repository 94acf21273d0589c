//! The options that say how the list of a draw is read, of `draw` and `verify`.

use crate::options::form_args::FormOptions;
use clap::{Args, ValueHint};

/// How the help texts of `draw` and `verify` describe lists.
pub(crate) const LISTS: &str = "A list is plain text or a table. Plain text has one id a line; with weights, a TAB and a weight \
    after it; with strata, a TAB and a stratum (before the weight). A table is a file named .csv, .tsv, .jsonl or .parquet, or \
    the option says so: its header is not drawn from, --id, --weight and --stratify name the columns, and --id can be left out if \
    only one column remains. Plain text, CSV, TSV and JSON lines may be compressed (.gz, .zst, .bz2, .xz). A list that is not \
    UTF-8, has a NUL byte, or has lines that end with CR is refused.";

/// How the list is read.
#[derive(Args, Debug)]
pub(crate) struct ListOptions {
    /// Column of a table that has the ids [default: the only one left]
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other)]
    pub(crate) id: Option<String>,
    /// Column of a table that has the weights; of weighted methods
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other)]
    pub(crate) weight: Option<String>,
    /// Column of a table that has the strata
    #[arg(long, value_name = "COL", value_hint = ValueHint::Other)]
    pub(crate) stratify: Option<String>,
    /// The first line of plain text is a header and not drawn from
    #[arg(short = 'H', long, overrides_with = "no_header")]
    pub(crate) header: bool,
    /// The first row of CSV or TSV is no header; columns are numbered from 1
    #[arg(long, overrides_with = "header")]
    pub(crate) no_header: bool,
    #[command(flatten)]
    pub(crate) form: FormOptions,
}

impl ListOptions {
    /// Whether an option was given that is of no use without a list of a draw.
    pub(crate) fn is_given(&self) -> bool {
        let columns = [&self.id, &self.weight, &self.stratify];
        columns.iter().any(|column| column.is_some())
            || self.header
            || self.no_header
            || self.form.asked().is_some()
    }
}
