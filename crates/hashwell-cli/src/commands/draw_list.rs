//! The list of a draw: plain text, or a table, which is read the way `hashwell sample` reads tables.

use crate::inputs::containers::{Container, check_table, chosen, format_of};
use crate::inputs::reading::{is_stdin, of_copy, read_named, temporary_file};
use crate::options::form_args::{guess, hint};
use crate::options::list_args::ListOptions;
use crate::system::panics::caught;
use crate::system::report::{Failure, note, printable};
use hashwell_draw::hwdraw::{Columns, EntryList, EntryListBuilder, not_text};
use hashwell_rows::{BOM, Column, Compression, Format, Input, Row, Rows};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{Cursor, Read, Write};

/// The maximum size in bytes of a list or a transcript, which is kept in memory.
pub(crate) const MOST: u64 = 1 << 30;

/// Reads the list of a draw with these columns.
pub(crate) fn read(
    name: &OsString,
    options: &ListOptions,
    columns: Columns,
    zero: bool,
    open: bool,
) -> Result<EntryList, Failure> {
    let format = match options.form.asked() {
        Some(format) => format,
        None => match format_of(name).or(options.form.implied()) {
            Some(format) if format != Format::Lines => format,
            _ if zero => Format::Nul,
            _ => Format::Lines,
        },
    };
    if let Some(why) = options.form.refused(format) {
        return usage(why);
    }
    let is_named = options.form.asked().is_some() || format_of(name).is_some();
    if format == Format::Csv && !is_named && options.id.is_none() {
        return usage(format!(
            "with --delimiter or --quote, {} is a table with a header, whose first row is not drawn: give --id COL, or \
             --csv",
            printable(name)
        ));
    }
    check_table(std::iter::once(name), &options.form)?;
    if matches!(format, Format::Lines | Format::Nul) {
        return plain(name, options, columns, format, open);
    }
    check(options, columns, format)?;
    let table = || table(name, options, columns, format, open);
    // The Parquet reader may panic on malformed files.
    caught(table).unwrap_or_else(|| Err(of(name, "not readable as Parquet")))
}

fn usage<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Usage(message.into()))
}

/// The failure of a file.
pub(crate) fn of(name: &OsString, error: impl Display) -> Failure {
    Failure::Work(format!("{}: {error}", printable(name)))
}

/// The failure for a list that doesn't fit into memory.
fn too_large(name: &OsString) -> Failure {
    of(name, format!("not enough memory, or the list has more than {MOST} bytes after decompression"))
}

/// Opens the rows of a Parquet file, or of an Arrow file that is converted to Parquet.
fn table_rows(name: &OsString, options: &ListOptions) -> Result<Rows, Failure> {
    let input = match chosen(name, &options.form, false)? {
        Some(container) => {
            let copy = container.copy(name, options.form.table(), &|| false)?;
            Input::file(printable(name), copy.ok_or(Failure::Interrupted)?)
        }
        None => Input::operand(name),
    };
    Rows::open(&[input], &options.form.reading(Format::Parquet)).map_err(Failure::of_rows)
}

/// Opens the rows of a text that is in memory.
fn rows(name: &OsString, content: Vec<u8>, options: &ListOptions, format: Format) -> Result<Rows, Failure> {
    let mut reading = options.form.reading(format);
    reading.header = match format {
        Format::JsonLines => None,
        _ if options.header => Some(true),
        _ if options.no_header => Some(false),
        _ => None,
    };
    if matches!(format, Format::Lines | Format::Nul) {
        reading.max_record = usize::try_from(MOST).unwrap_or(usize::MAX);
    }
    if options.form.guesses() {
        let mut copy = temporary_file().map_err(|error| of(name, error))?;
        copy.write_all(&content).map_err(|error| of(name, of_copy(error)))?;
        guess(&[Input::file(printable(name), copy)], &mut reading).map_err(Failure::of_rows)?;
    }
    let input = Input::reader(printable(name), Cursor::new(content));
    Rows::open(&[input], &reading).map_err(Failure::of_rows)
}

/// Reads a list in plain text. Without compression and header, its content is in the format of the specification.
fn plain(
    name: &OsString,
    options: &ListOptions,
    columns: Columns,
    format: Format,
    open: bool,
) -> Result<EntryList, Failure> {
    for (option, column) in
        [("--id", &options.id), ("--weight", &options.weight), ("--stratify", &options.stratify)]
    {
        if column.is_some() {
            return usage(format!(
                "{option} names a column, but {} is read as plain text: for a table, give --csv, --tsv, --jsonl \
                 or --parquet",
                printable(name)
            ));
        }
    }
    let mut content = read_named(name, MOST)?;
    if options.header || Compression::of_magic(&content).is_some() || options.form.decodes() {
        let mut rows = rows(name, content, options, format)?;
        content = Vec::new();
        while let Some(row) = rows.next().map_err(Failure::of_rows)? {
            let len = (content.len() + row.bytes().len()) as u64;
            if len > MOST || content.try_reserve(row.bytes().len()).is_err() {
                return Err(too_large(name));
            }
            content.extend_from_slice(row.bytes());
        }
    }
    EntryList::read(&content, columns, format == Format::Nul, open).map_err(|error| of(name, &error))
}

/// The advice for a list with weights if the draw has none.
pub(crate) const WITH_WEIGHTS: &str =
    " (for weights, choose a --method that uses them, such as weighted-ticket)";

/// Returns true if each row ends with a tab and a number, as lists with weights do.
pub(crate) fn may_have_weights(entries: &EntryList) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_number = |id: &str| id.rsplit_once('\t').is_some_and(|(_, last)| is_number(last));
    (0..entries.len()).all(|position| has_number(&entries.id(position)))
}

/// Returns an error if columns are missing, or if columns are named that the draw does not use.
fn check(options: &ListOptions, columns: Columns, format: Format) -> Result<(), Failure> {
    let given = |option, column: &Option<String>, wanted, why, advice| match (column, wanted) {
        (None, true) => {
            usage(format!("missing option {option} COL: the column of the {why} (the list is a table)"))
        }
        (Some(_), false) => usage(format!("{option}: this draw has no {why}{advice}")),
        _ => Ok(()),
    };
    given("--weight", &options.weight, columns.weight, "weights", WITH_WEIGHTS)?;
    given("--stratify", &options.stratify, columns.stratum, "strata", "")?;
    if options.header && matches!(format, Format::JsonLines | Format::Parquet) {
        return usage("-H requires plain text, CSV or TSV: JSON lines and Parquet have no header row");
    }
    Ok(())
}

/// A sheet or table of a container as CSV.
fn contained(name: &OsString, container: Container, options: &ListOptions) -> Result<Vec<u8>, Failure> {
    let copy = container.copy(name, options.form.table(), &|| false)?;
    let mut content = Vec::new();
    let len = copy.ok_or(Failure::Interrupted)?.take(MOST + 1).read_to_end(&mut content);
    match len {
        Ok(len) if len as u64 <= MOST => Ok(content),
        _ => Err(too_large(name)),
    }
}

fn table(
    name: &OsString,
    options: &ListOptions,
    columns: Columns,
    format: Format,
    open: bool,
) -> Result<EntryList, Failure> {
    let mut rows = if format == Format::Parquet {
        if is_stdin(name) {
            return usage("a Parquet list must be a file, not standard input");
        }
        table_rows(name, options)?
    } else {
        let content = match chosen(name, &options.form, false)? {
            Some(container) => contained(name, container, options)?,
            None => read_named(name, MOST)?,
        };
        if content.is_empty() {
            return Err(of(name, "there is nothing to draw from"));
        }
        rows(name, content, options, format)?
    };
    hint(&printable(name), &rows);
    let quote = options.form.quote(format);
    if let Some(why) = rows.header().and_then(|header| of_text(header, quote)) {
        return Err(of(name, format!("the header {why}")));
    }
    let column = |option: &str, name: &String| {
        rows.column(name).map_err(|error| Failure::Work(format!("{option}: {error}")))
    };
    let weight = options.weight.as_ref().map(|name| column("--weight", name)).transpose()?;
    let stratum = options.stratify.as_ref().map(|name| column("--stratify", name)).transpose()?;
    let id = match &options.id {
        Some(name) => column("--id", name)?,
        None => only_left(name, &rows, [&weight, &stratum])?,
    };
    let fields: Vec<(&str, Column)> =
        [Some(("id", id)), stratum.map(|at| ("stratum", at)), weight.map(|at| ("weight", at))]
            .into_iter()
            .flatten()
            .collect();
    let mut builder = EntryListBuilder::new(columns);
    // An unquoted comma in a value would otherwise move the values after it to other columns.
    let header = rows.names().map(|names| names.len());
    let mut width = header;
    loop {
        if rows.bytes() > MOST {
            return Err(too_large(name));
        }
        let Some(row) = rows.next().map_err(Failure::of_rows)? else { break };
        if let Some(why) = of_text(row.bytes(), quote) {
            return Err(Failure::Work(format!("{}: the row {why}", row.place())));
        }
        match format {
            Format::JsonLines => of_json(&row, options)?,
            Format::Csv | Format::Tsv => {
                let fields = row.fields().count();
                let expected = *width.get_or_insert(fields);
                if fields != expected {
                    let first = if header.is_some() { "the header" } else { "the first row" };
                    return Err(Failure::Work(format!(
                        "{}: the row has {fields} fields, but {first} has {expected}",
                        row.place()
                    )));
                }
            }
            _ => {}
        }
        let values: Vec<Cow<'_, [u8]>> = fields
            .iter()
            .map(|(_, column)| row.field(column))
            .collect::<Result<_, _>>()
            .map_err(Failure::of_rows)?;
        let texts: Vec<&str> = fields
            .iter()
            .zip(&values)
            .map(|((what, _), value)| {
                let refused = |_| Failure::Work(format!("{}: the {what} is not UTF-8", row.place()));
                std::str::from_utf8(value).map_err(refused)
            })
            .collect::<Result<_, _>>()?;
        builder.push(&texts).map_err(|error| of(name, &error))?;
    }
    builder.finish(open).map_err(|error| of(name, &error))
}

/// Returns the reason why these bytes are not a row of text, if there is one. Quoted fields may contain carriage
/// returns.
fn of_text(row: &[u8], quote: Option<u8>) -> Option<&'static str> {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    if let Some(quote) = quote
        && !row.contains(&0)
        && row.contains(&quote)
    {
        let outside: Vec<u8> = row.split(|byte| *byte == quote).step_by(2).collect::<Vec<_>>().concat();
        return not_text(&outside);
    }
    not_text(row)
}

/// Returns an error if the column of a JSON row is not a string or a number: `null`, lists and objects have more than
/// one spelling.
fn of_json(row: &Row<'_>, options: &ListOptions) -> Result<(), Failure> {
    let bytes = row.bytes();
    let Ok(object) = serde_json::from_slice::<Map<String, Value>>(bytes.strip_prefix(BOM).unwrap_or(bytes))
    else {
        return Ok(()); // Reading the fields reports the error.
    };
    for key in [&options.id, &options.stratify, &options.weight].into_iter().flatten() {
        if let Some(value) = object.get(key).filter(|value| !value.is_string() && !value.is_number()) {
            let shown: String = value.to_string().chars().take(40).collect();
            return Err(Failure::Work(format!(
                "{}: {key} must be a string or a number, not {shown}",
                row.place()
            )));
        }
    }
    Ok(())
}

/// The column of ids if no option names it: the only column of the header that is neither weight nor stratum.
fn only_left(name: &OsString, rows: &Rows, others: [&Option<Column>; 2]) -> Result<Column, Failure> {
    let names = rows.names().unwrap_or_default();
    let names: Vec<&str> = names.iter().filter_map(|name| std::str::from_utf8(name).ok()).collect();
    let columns: Vec<(&str, Column)> =
        names.iter().filter_map(|name| Some((*name, rows.column(name).ok()?))).collect();
    let left =
        columns.iter().filter(|(_, column)| !others.iter().any(|other| other.as_ref() == Some(column)));
    match (columns.len() == names.len()).then(|| left.collect::<Vec<_>>()).as_deref() {
        Some([(only, column)]) => {
            note(&format_args!(
                "{}: IDs are read from column {only:?}, and the first row is a header",
                printable(name)
            ));
            Ok(column.clone())
        }
        _ if names.is_empty() => {
            usage(format!("{}: missing option --id COL: the column of the IDs", printable(name)))
        }
        _ => {
            let shown: Vec<String> = names.iter().take(20).map(|name| format!("{name:?}")).collect();
            let names = shown.join(", ");
            usage(format!(
                "{}: missing option --id COL: the column of the IDs, one of {names}",
                printable(name)
            ))
        }
    }
}
