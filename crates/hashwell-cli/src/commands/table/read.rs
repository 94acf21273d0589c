//! One pass over a file in any format, which returns its rows as bytes of `hwrow/1`.

use super::found::{Found, Of, builder, json_members, of_parquet};
use super::place::Place;
use super::plan::{Plan, Side};
use crate::system::progress::Progress;
use crate::system::report::Failure;
use hashwell_arrow::{Field, Reader};
use hashwell_rows::{Row, Rows};
use hashwell_table::{Columns, Writer, value};
use hashwell_text_table::Type;
use hashwell_text_table::read::{cell, convert, json};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::RowSelection;

/// Rows are passed on in batches, which end at this number of rows or at this number of bytes, so that a batch stays in
/// the CPU's cache.
const ROWS: usize = 1024;
const BYTES: usize = 256 << 10;

/// Consecutive rows of a file.
pub(super) struct Window<'a> {
    /// The bytes of each row.
    pub(super) rows: &'a [&'a [u8]],
    /// The number of rows of the file that come before these.
    pub(super) first: u64,
    /// "file:line" of each row, if requested and if rows can be longer than lines.
    pub(super) places: &'a [String],
}

/// The input of a pass and its options.
pub(super) struct Pass<'a> {
    pub(super) plan: &'a Plan,
    pub(super) progress: &'a Progress,
    /// True if places are requested.
    pub(super) places: bool,
}

/// The consumer of rows.
pub(super) type Then<'t> = dyn FnMut(&Window<'_>) -> Result<(), Failure> + 't;

impl Pass<'_> {
    /// Reads a file, and returns its number of rows.
    pub(super) fn read(&self, place: &Place, found: &Found, then: &mut Then<'_>) -> Result<u64, Failure> {
        let rows = match found.of {
            Of::Table(_) => self.table(place, found, then)?,
            Of::Texts | Of::Json(_) => self.texts(place, found, then)?,
            Of::Nothing => 0,
        };
        place.check()?;
        Ok(rows)
    }

    fn table(&self, place: &Place, found: &Found, then: &mut Then<'_>) -> Result<u64, Failure> {
        let builder = builder(place)?;
        let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0).max(1);
        let bytes = place.len();
        let wanted = found.names.iter().enumerate().filter(|(_, name)| self.plan.names.find(name).is_some());
        let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.map(|(i, _)| i));
        let reader = of_parquet(place, || builder.with_projection(mask).with_batch_size(8 * ROWS).build())?;
        let mut reader =
            Reader::of_batches(Box::new(reader)).map_err(|error| place.fail(&error.to_string()))?;
        let columns = Columns::new(&renamed(reader.field(), found), Some(&self.plan.names), self.plan.order);
        let columns = columns.map_err(|error| place.fail(&error.to_string()))?;
        let mut conversion = Conversion::of(found, self.plan);
        let (mut first, mut shown) = (0, 0);
        while let Some(chunk) = of_parquet(place, || reader.next_chunk())? {
            let rows = hashwell_table::Rows::new(&columns, chunk.node(), first + 1);
            let rows = rows.map_err(|error| place.fail(&error.to_string()))?;
            let encoded = rows.encode(0..rows.len(), |range, slices| {
                let first = first + range.start as u64;
                let slices = conversion.rows(slices, |i| place_of(place, first + i as u64))?;
                then(&Window { rows: &slices, first, places: &[] }).map_err(Fault::Later)
            });
            encoded.map_err(|fault| match fault {
                Fault::Later(failure) => failure,
                Fault::Table(error) => place.fail(&error.to_string()),
            })?;
            first += rows.len() as u64;
            let now = (u128::from(bytes) * u128::from(first) / u128::from(total)) as u64;
            self.progress.add(now.saturating_sub(shown));
            shown = now;
        }
        Ok(first)
    }

    fn texts(&self, place: &Place, found: &Found, then: &mut Then<'_>) -> Result<u64, Failure> {
        let mut rows =
            Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(Failure::of_rows)?;
        let mut from = From::of(found, self.plan);
        let (mut out, mut ends, mut places) = (Writer::default(), Vec::with_capacity(ROWS), Vec::new());
        let (mut first, mut shown) = (0, 0);
        loop {
            let more = match rows.next().map_err(Failure::of_rows)? {
                Some(row) => {
                    let end = from.write(&row, &mut out).and_then(|()| out.end_row().map_err(str::to_owned));
                    ends.push(end.map_err(|wrong| Failure::Work(format!("{}: {wrong}", row.place())))?);
                    if self.places {
                        places.push(row.place());
                    }
                    true
                }
                None => false,
            };
            if !more || ends.len() == ROWS || out.as_bytes().len() >= BYTES {
                let slices = slices(&out, &ends);
                then(&Window { rows: &slices, first, places: &places })?;
                first += slices.len() as u64;
                self.progress.add(rows.bytes().saturating_sub(shown));
                shown = rows.bytes();
                ends.clear();
                places.clear();
                out.clear();
            }
            if !more {
                return Ok(first);
            }
        }
    }
}

/// The type of a table, with its columns renamed for the comparison.
fn renamed(field: &Field, found: &Found) -> Field {
    let mut field = field.clone();
    for column in &mut field.children {
        column.name = found.name(&column.name).to_owned();
    }
    field
}

/// A function that is called for each row, with the row's index among the requested rows, its place, and its bytes.
pub(super) type Each<'t> = dyn FnMut(usize, &str, &[u8]) -> Result<(), Failure> + 't;

/// Reads only the rows with these numbers, which are in ascending order. `rows` are the numbers of rows of each file.
pub(super) fn pick(
    side: &Side,
    plan: &Plan,
    rows: &[u64],
    numbers: &[u64],
    then: &mut Each<'_>,
) -> Result<(), Failure> {
    let (mut done, mut before) = (0, 0);
    for ((place, found), rows) in side.files.iter().zip(rows) {
        let end = before + rows;
        let here = numbers[done..].partition_point(|number| *number < end);
        let own: Vec<u64> = numbers[done..done + here].iter().map(|number| number - before).collect();
        let mut each = |i: usize, at: &str, row: &[u8]| then(done + i, at, row);
        match found.of {
            _ if own.is_empty() => {}
            Of::Table(_) => pick_of_table(place, found, plan, &own, &mut each)?,
            _ => pick_of_texts(place, found, plan, &own, &mut each)?,
        }
        (done, before) = (done + here, end);
    }
    Ok(())
}

fn pick_of_texts(
    place: &Place,
    found: &Found,
    plan: &Plan,
    numbers: &[u64],
    then: &mut Each<'_>,
) -> Result<(), Failure> {
    let mut rows =
        Rows::open(std::slice::from_ref(&place.input), &place.options).map_err(Failure::of_rows)?;
    let (mut from, mut out) = (From::of(found, plan), Writer::default());
    for (i, number) in numbers.iter().enumerate() {
        let row = rows.at(*number).map_err(Failure::of_rows)?;
        let row = row.ok_or_else(|| place.fail("changed while it was being read"))?;
        out.clear();
        let end = from.write(&row, &mut out).and_then(|()| out.end_row().map_err(str::to_owned));
        end.map_err(|wrong| Failure::Work(format!("{}: {wrong}", row.place())))?;
        then(i, &row.place(), out.as_bytes())?;
    }
    Ok(())
}

fn pick_of_table(
    place: &Place,
    found: &Found,
    plan: &Plan,
    numbers: &[u64],
    then: &mut Each<'_>,
) -> Result<(), Failure> {
    let builder = builder(place)?;
    let total = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    let wanted = found.names.iter().enumerate().filter(|(_, name)| plan.names.find(name).is_some());
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.map(|(i, _)| i));
    if numbers.last().is_some_and(|last| *last >= total as u64) {
        return Err(place.fail("changed while it was being read"));
    }
    let ranges = numbers.iter().map(|number| *number as usize..*number as usize + 1);
    let selection = RowSelection::from_consecutive_ranges(ranges, total);
    let builder = builder.with_projection(mask).with_row_selection(selection).with_batch_size(ROWS);
    let reader = of_parquet(place, || builder.build())?;
    let mut reader = Reader::of_batches(Box::new(reader)).map_err(|error| place.fail(&error.to_string()))?;
    let columns = Columns::new(&renamed(reader.field(), found), Some(&plan.names), plan.order);
    let columns = columns.map_err(|error| place.fail(&error.to_string()))?;
    let mut conversion = Conversion::of(found, plan);
    let mut done = 0;
    while let Some(chunk) = of_parquet(place, || reader.next_chunk())? {
        let rows = hashwell_table::Rows::new(&columns, chunk.node(), 1);
        let rows = rows.map_err(|error| place.fail(&error.to_string()))?;
        let encoded = rows.encode(0..rows.len(), |range, slices| {
            let place_at = |i| place_of(place, numbers[done + range.start + i]);
            for (i, row) in conversion.rows(slices, place_at)?.iter().enumerate() {
                then(done + range.start + i, &place_at(i), row).map_err(Fault::Later)?;
            }
            Ok(())
        });
        encoded.map_err(|fault| match fault {
            Fault::Later(failure) => failure,
            Fault::Table(error) => place.fail(&error.to_string()),
        })?;
        done += rows.len();
    }
    Ok(())
}

/// The place "file:row" of a row of a Parquet file. `number` is the number of rows before it.
fn place_of(place: &Place, number: u64) -> String {
    format!("{}:{}", place.name, number + 1)
}

/// The rows that end at these positions.
fn slices<'o>(out: &'o Writer, ends: &[usize]) -> Vec<&'o [u8]> {
    let mut start = 0;
    ends.iter().map(|&end| &out.as_bytes()[std::mem::replace(&mut start, end)..end]).collect()
}

/// Converts columns of a Parquet file to the types that `--types` gives.
struct Conversion<'a> {
    plan: &'a Plan,
    /// True for each column that is converted.
    wanted: Vec<bool>,
    out: Writer,
    ends: Vec<usize>,
}

impl<'a> Conversion<'a> {
    fn of(found: &Found, plan: &'a Plan) -> Self {
        let wanted = (0..plan.names.len()).map(|column| plan.is_converted(found, column)).collect();
        Self { plan, wanted, out: Writer::default(), ends: Vec::new() }
    }

    /// Converts rows. `place` returns the place of a row for messages.
    fn rows<'r>(
        &'r mut self,
        rows: &[&'r [u8]],
        place: impl Fn(usize) -> String,
    ) -> Result<Vec<&'r [u8]>, Fault> {
        if !self.wanted.contains(&true) {
            return Ok(rows.to_vec());
        }
        self.out.clear();
        self.ends.clear();
        for (i, row) in rows.iter().enumerate() {
            let end = self.row(row).and_then(|()| self.out.end_row().map_err(str::to_owned));
            let end = end.map_err(|wrong| Fault::Later(Failure::Work(format!("{}: {wrong}", place(i)))))?;
            self.ends.push(end);
        }
        Ok(slices(&self.out, &self.ends))
    }

    fn row(&mut self, row: &[u8]) -> Result<(), String> {
        let Plan { names, types, .. } = self.plan;
        self.out.begin_row(names.len());
        let mut rest = value::values(row);
        for ((name, of), wanted) in names.iter().zip(types).zip(&self.wanted) {
            let (cell, more) = value::split_first(rest).ok_or("the row has too few values")?;
            rest = more;
            if *wanted {
                convert(of, cell, &mut self.out).map_err(|wrong| in_column(name, &wrong))?;
            } else {
                self.out.put(cell);
            }
        }
        Ok(())
    }
}

/// The reason why reading a Parquet file stopped.
enum Fault {
    Table(hashwell_table::Error),
    Later(Failure),
}

impl std::convert::From<hashwell_table::Error> for Fault {
    fn from(error: hashwell_table::Error) -> Self {
        Self::Table(error)
    }
}

/// Rows of text.
struct From<'a> {
    plan: &'a Plan,
    json: bool,
    /// The number of fields in a row.
    fields: usize,
    /// For each column, the index of its field. For JSON: for each member of the last row, the index of its column.
    at: Vec<usize>,
    found: &'a Found,
    /// The columns that a JSON Lines row has, each with the index of its member.
    here: Vec<(usize, usize)>,
}

impl<'a> From<'a> {
    fn of(found: &'a Found, plan: &'a Plan) -> Self {
        let json = matches!(found.of, Of::Json(_));
        let place = |name: &String| found.names.find(name).unwrap_or(0);
        let at = if json { Vec::new() } else { plan.names.iter().map(place).collect() };
        Self { plan, json, fields: found.names.len(), at, found, here: Vec::new() }
    }

    fn write(&mut self, row: &Row<'_>, out: &mut Writer) -> Result<(), String> {
        out.begin_row(self.plan.names.len());
        if self.json { self.write_json(row, out) } else { self.write_fields(row, out) }
    }

    fn write_fields(&self, row: &Row<'_>, out: &mut Writer) -> Result<(), String> {
        let fields: Vec<_> = row.raw_fields().collect();
        if fields.len() != self.fields {
            let (has, needs) = (fields.len(), self.fields);
            return Err(format!("the row has {has} fields, but the table has {needs} columns"));
        }
        for ((name, of), at) in self.plan.names.iter().zip(&self.plan.types).zip(&self.at) {
            let field = fields[*at];
            let wrote = match of {
                _ if self.plan.nulls.is_null(field, of) => {
                    cell::null(out);
                    Ok(())
                }
                Type::List(_) | Type::Struct(_) | Type::Map(..) | Type::Json => {
                    nested(of, &field.text(), out)
                }
                _ => cell::write(of, &field.text(), out),
            };
            wrote.map_err(|wrong| in_column(name, &wrong))?;
        }
        Ok(())
    }

    /// Writes a row in time proportional to the members that it has, plus the bytes of the nulls: a row may have only a
    /// few of many columns.
    fn write_json(&mut self, row: &Row<'_>, out: &mut Writer) -> Result<(), String> {
        let (members, names) = (json_members(row.bytes())?, &self.plan.names);
        self.here.clear();
        self.at.resize(self.at.len().max(members.len()), usize::MAX);
        for (i, ((key, _), guess)) in members.iter().zip(&mut self.at).enumerate() {
            let key = if self.found.renamed.is_empty() { &**key } else { self.found.name(key) };
            // Most rows have the same keys as the row before, in the same order.
            if names.get(*guess).is_none_or(|name| name != key) {
                let Some(column) = names.find(key) else { continue };
                *guess = column;
            }
            self.here.push((*guess, i));
        }
        if !self.here.is_sorted() {
            self.here.sort_unstable();
        }
        let mut next = 0;
        for &(column, member) in &self.here {
            cell::nulls(column - next, out);
            next = column + 1;
            let write = if self.plan.is_given[column] { json::convert } else { json::write };
            let wrote = write(&self.plan.types[column], members[member].1.get(), out);
            wrote.map_err(|wrong| in_column(&names[column], &wrong))?;
        }
        cell::nulls(names.len() - next, out);
        Ok(())
    }
}

/// Parses a list, a struct or a map in a text field as JSON.
fn nested(of: &Type, text: &[u8], out: &mut Writer) -> Result<(), String> {
    let value: &serde_json::value::RawValue = serde_json::from_slice(text).map_err(|error| {
        let (text, what) = (cell::beginning(text), of.class());
        format!("{text:?} is not JSON, which is required for {what} in CSV: {error}")
    })?;
    json::write(of, value.get(), out)
}

fn in_column(name: &str, wrong: &str) -> String {
    format!("column {name:?}: {wrong}")
}
