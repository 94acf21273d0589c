//! Options that say how rows are written, of every command that reads rows.

use super::bytes::some_bytes;
use clap::{ArgGroup, Args};
use hashwell_rows::{Format, Options};

/// How rows are written.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("format").args(["csv", "tsv", "jsonl", "parquet"])))]
pub(crate) struct FormOptions {
    /// Comma-separated values, whose quoted fields may hold newlines
    #[arg(long)]
    csv: bool,
    /// Tab-separated values, without quotes
    #[arg(long)]
    tsv: bool,
    /// JSON lines: one JSON value a line
    #[arg(long)]
    jsonl: bool,
    /// Parquet
    #[arg(long)]
    parquet: bool,
    /// Fields of TSV may be quoted as those of CSV
    #[arg(long)]
    pub(crate) quotes: bool,
    /// The longest row of text, which a quote that is never closed would exceed
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = some_bytes)]
    max_record: u64,
}

impl FormOptions {
    /// The format that an option asks for.
    pub(crate) fn asked(&self) -> Option<Format> {
        let formats = [
            (self.csv, Format::Csv),
            (self.tsv, Format::Tsv),
            (self.jsonl, Format::JsonLines),
            (self.parquet, Format::Parquet),
        ];
        formats.into_iter().find_map(|(asked, format)| asked.then_some(format))
    }

    /// How rows of this format are read.
    pub(crate) fn reading(&self, format: Format) -> Options {
        let mut options = Options::default().with_format(format);
        options.quotes = self.quotes.then_some(true);
        options.max_record = usize::try_from(self.max_record).unwrap_or(usize::MAX);
        options
    }
}
