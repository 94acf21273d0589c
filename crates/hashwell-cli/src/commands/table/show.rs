//! Reads rows again by their numbers, with their places and contents.

use super::place::Place;
use super::plan::Side;
use crate::system::panics::caught;
use crate::system::report::Failure;
use hashwell_rows::Rows;
use hashwell_text_table::write::{TableText, write_rows};

/// A row.
pub(super) struct Line<'a> {
    /// "file:line".
    pub(super) place: &'a str,
    /// The row as in the file, without the line ending. Rows of Parquet files are converted to JSON.
    pub(super) text: &'a str,
}

/// The consumer of rows.
type Then<'t> = dyn FnMut(Line<'_>) -> Result<(), Failure> + 't;

/// Passes on the rows with these numbers, which are in ascending order. `rows` are the numbers of rows of each file.
pub(super) fn rows_at(
    side: &Side,
    rows: &[u64],
    numbers: &[u64],
    then: &mut Then<'_>,
) -> Result<(), Failure> {
    let (mut rest, mut before) = (numbers, 0);
    for ((place, _), rows) in side.files.iter().zip(rows) {
        let end = before + rows;
        let (here, later) = rest.split_at(rest.partition_point(|number| *number < end));
        let here: Vec<u64> = here.iter().map(|number| number - before).collect();
        if !here.is_empty() {
            of_file(place, &here, then)?;
        }
        (rest, before) = (later, end);
    }
    Ok(())
}

fn of_file(place: &Place, numbers: &[u64], then: &mut Then<'_>) -> Result<(), Failure> {
    let mut rows =
        Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(Failure::of_rows)?;
    if rows.is_table() {
        return of_table(place, &rows, numbers, then);
    }
    for number in numbers {
        let row = rows.at(*number).map_err(Failure::of_rows)?;
        let row = row.ok_or_else(|| place.fail("changed while it was being read"))?;
        let bytes = row.bytes();
        let text = bytes.strip_suffix(b"\n").map_or(bytes, |line| line.strip_suffix(b"\r").unwrap_or(line));
        then(Line { place: &row.place(), text: &String::from_utf8_lossy(text) })?;
    }
    Ok(())
}

fn of_table(place: &Place, rows: &Rows, numbers: &[u64], then: &mut Then<'_>) -> Result<(), Failure> {
    const AT_ONCE: usize = 1000;
    for numbers in numbers.chunks(AT_ONCE) {
        let mut text = Vec::new();
        let wrote = caught(|| write_rows(rows, numbers, TableText::JsonLines, &mut text));
        wrote
            .ok_or_else(|| place.fail("not readable as Parquet: the file may be damaged"))?
            .map_err(Failure::of_rows)?;
        let text = String::from_utf8_lossy(&text);
        for (number, line) in numbers.iter().zip(text.lines()) {
            then(Line { place: &format!("{}:{}", place.name, number + 1), text: line })?;
        }
    }
    Ok(())
}
