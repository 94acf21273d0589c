//! `hashwell verify` for a sample's transcript: draws the request in it again, and compares the two records.

use super::output::Checked;
use super::request::{Job, Outputs, Reading, RecordTo, RowsTo, Work, format_of};
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::report::{Failure, printable, write_line};
use hashwell_draw::row_sampling::{Dialect, SavedRecord};
use hashwell_rows::{Encoding, Options};
use std::ffi::{OsStr, OsString};

/// The default of `--max-record`.
const MAX_RECORD: usize = 64 << 20;

/// The failure for a transcript from which nothing can be drawn.
pub(super) fn not_one(name: &OsStr, why: &str) -> Failure {
    Failure::Work(format!("{}: not a transcript of hashwell sample: {why}", printable(name)))
}

/// The job that draws a record's sample again and compares it with the record.
pub(super) fn job<'a>(
    name: &OsStr,
    record: &'a SavedRecord,
    files: &'a [OsString],
    table: Option<&'a str>,
) -> Result<Job<'a>, Failure> {
    let format = format_of(record.input.form);
    let format =
        format.ok_or_else(|| not_one(name, "a field is missing, or its value has the wrong type"))?;
    let mut rows = Options::default();
    rows.quotes = record.input.quotes.then_some(true);
    rows.max_record = MAX_RECORD;
    let wrong = || not_one(name, "the field \"dialect\" has a value that is not allowed");
    let ascii = |c: char| u8::try_from(c).ok().filter(u8::is_ascii).ok_or_else(wrong);
    let Dialect { delimiter, quote, comment, encoding } = &record.input.dialect;
    rows.delimiter = delimiter.map(ascii).transpose()?;
    rows.comment = comment.map(ascii).transpose()?;
    if let Some(quote) = quote {
        rows.quote = ascii(*quote)?;
    }
    let known = |name: &String| Encoding::of_name(name).ok_or_else(wrong);
    rows.encoding = encoding.as_ref().map(known).transpose()?;
    Ok(Job {
        order: record.request.order,
        work: Work::New(record.request.clone()),
        seed: None,
        files,
        reading: Reading { format: Some(format), header: Some(record.input.header), rows, form: None, table },
        outputs: Outputs {
            rows: RowsTo::Nowhere,
            record: Some(RecordTo::Check(record)),
            ..Outputs::default()
        },
        exact: false,
        stats: None,
    })
}

/// Prints whether the sample agrees with the record.
pub(super) fn report(checked: &Checked) -> Result<u8, Failure> {
    let Checked { differences, picks, n, rows_sha256 } = checked;
    let text = if differences.is_empty() {
        format!("verified: {picks} of {n} rows, SHA-256 {rows_sha256}\n")
    } else {
        let lines = differences.iter().map(|one| {
            let one = one.to_string();
            format!("does not agree: {}\n", printable(OsStr::new(&one)))
        });
        std::iter::once("mismatch\n".to_owned()).chain(lines).collect()
    };
    write_line(text.as_bytes())?;
    Ok(if differences.is_empty() { SUCCESS } else { FAILURE })
}
