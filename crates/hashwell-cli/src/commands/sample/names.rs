//! The format and compression that the name of an output selects. These must not contradict the rows.

use super::request::{Outputs, RecordTo, format_of, usage};
use crate::options::form_args::compressions;
use crate::system::report::{Failure, printable};
use hashwell_draw::row_sampling::Form;
use hashwell_rows::{Compression, Format};
use hashwell_text_table::write::TableText;
use std::path::Path;

/// The format in which rows of a Parquet file are written.
#[derive(Clone, Copy)]
pub(super) enum TableForm {
    Parquet,
    Text(TableText),
}

/// The format and compression of an output.
pub(super) struct Named {
    pub(super) compression: Option<Compression>,
    /// Only set for rows of Parquet files.
    pub(super) table: Option<TableForm>,
    /// The format in which rows of text are written, if it is not their own.
    pub(super) rewritten: Option<Format>,
}

/// Rejects names that contradict the rows or the options, before anything is read.
pub(super) fn check_names(outputs: &Outputs<'_>, form: Form) -> Result<(), Failure> {
    named(outputs, "--output", outputs.rows.path(), form)?;
    named(outputs, outputs.complement_option(), outputs.complement, form)?;
    let record = match outputs.record {
        Some(RecordTo::File(path)) => Some(path),
        _ => None,
    };
    for (option, path) in [("--transcript", record), ("--state-out", outputs.state)] {
        let packed = path.and_then(|path| Some((path, Compression::of_path(path)?)));
        if let Some((path, compression)) = packed {
            return Err(contradicts(
                option,
                path,
                &format!(
                    "this file can't be compressed with {}: choose a name without that extension",
                    compression.name()
                ),
            ));
        }
    }
    Ok(())
}

/// Fails if an output of a merged sample would have another format than the samples, whose options are not known.
pub(super) fn check_merged(outputs: &Outputs<'_>, form: Form) -> Result<(), Failure> {
    let own = format_of(form).map_or("lines", Format::title);
    match named(outputs, "--output", outputs.rows.path(), form)?.rewritten {
        Some(format) => Err(usage(format!(
            "a merged sample can't be written as {}: its rows are copied byte for byte, and are {own}",
            format.title()
        ))),
        None => Ok(()),
    }
}

/// Fails if the name of an output indicates a table, although standard input is read as lines because no option names a
/// format: the header would be lost among the rows.
pub(super) fn check_lines(outputs: &Outputs<'_>) -> Result<(), Failure> {
    for (option, path) in
        [("--output", outputs.rows.path()), (outputs.complement_option(), outputs.complement)]
    {
        let Some((path, format)) = path.and_then(|path| Some((path, Format::of_path(path)?))) else {
            continue;
        };
        if let Some(ending) = format.ending().filter(|_| format != Format::Lines) {
            return Err(contradicts(
                option,
                path,
                &format!(
                    "standard input is read as lines, whose header would be a row like the others: give --{ending}, or \
                     choose a name that does not end in .{ending}"
                ),
            ));
        }
    }
    Ok(())
}

/// The format and compression that the name of an output selects. Standard output has no name.
pub(super) fn named(
    outputs: &Outputs<'_>,
    option: &str,
    path: Option<&Path>,
    form: Form,
) -> Result<Named, Failure> {
    let compression = path.and_then(Compression::of_path);
    let named = path.and_then(Format::of_path);
    let refused = |what: &str| Err(contradicts(option, path.unwrap_or(Path::new("-")), what));
    if let Some(ending) = path.and_then(ending_of).filter(|ending| UNWRITTEN.contains(&&ending[..])) {
        return refused(&format!(".{ending} files can't be written (supported: {})", compressions()));
    }
    let is_other =
        |endings: &[&str]| path.and_then(ending_of).is_some_and(|ending| endings.contains(&&ending[..]));
    let asked = outputs.table_as;
    if let Some(asked) = asked.filter(|asked| named.is_some_and(|named| named != *asked)) {
        return refused(&format!("the name contradicts --as {}", asked.name()));
    }
    let own = format_of(form).unwrap_or(Format::Lines);
    let is_table = form == Form::Parquet;
    // Lines and NUL-terminated records can be in any format, and are copied.
    if !is_table && matches!(own, Format::Lines | Format::Nul) {
        return match named {
            Some(Format::Parquet) => refused(
                "the rows are lines, which can't be written as Parquet: give the format of the input, such as --csv",
            ),
            _ => Ok(Named { compression, table: None, rewritten: None }),
        };
    }
    let format = match asked.or(named) {
        Some(format) => format,
        None if is_other(&OTHERS) || is_other(&["json"]) || (is_table && is_other(&["txt"])) => {
            return refused("choose a name that ends in .parquet, .csv or .jsonl, or give --as");
        }
        None => own,
    };
    if format != own && format.written().is_none() {
        let title = own.title();
        return refused(&format!(
            "rows of {title} are written as .parquet, .csv or .jsonl: choose one of these extensions"
        ));
    }
    if format == Format::Parquet && compression.is_some() {
        return refused("Parquet compresses its own pages: choose a name that ends in .parquet");
    }
    Ok(Named {
        compression,
        table: is_table.then(|| table_form(format)),
        rewritten: Some(format).filter(|format| !is_table && *format != own),
    })
}

/// The file name extensions of compressions and archives that cannot be written.
const UNWRITTEN: [&str; 9] = ["zip", "7z", "rar", "lz4", "lzma", "lzo", "br", "sz", "z"];

/// The file name extensions of table formats that cannot be written.
const OTHERS: [&str; 14] = [
    "xlsx", "xlsm", "xlsb", "xls", "ods", "sqlite", "sqlite3", "db", "db3", "arrow", "feather", "orc",
    "avro", "duckdb",
];

fn ending_of(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

fn contradicts(option: &str, path: &Path, what: &str) -> Failure {
    usage(format!("{option} {}: {what}", printable(path.as_os_str())))
}

fn table_form(format: Format) -> TableForm {
    match format {
        Format::Csv => TableForm::Text(TableText::Csv),
        Format::JsonLines => TableForm::Text(TableText::JsonLines),
        _ => TableForm::Parquet,
    }
}
