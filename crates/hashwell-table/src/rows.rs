//! The rows of a batch: their bytes and their digests.

use crate::cell::Cell;
use crate::columns::Columns;
use crate::error::Error;
use crate::window::Place;
pub use crate::write::ROW_LIMIT;
use crate::write::{ROW, Writer, head};
use hashwell::Many;
use hashwell_arrow::Node;
use std::ops::Range;

/// The rows of one batch, ready to be encoded and hashed, on any number of threads.
pub struct Rows<'a> {
    columns: &'a Columns,
    cells: Vec<Cell<'a>>,
    len: usize,
    /// The number of the first row among all rows passed to a call, for errors.
    first: u64,
}

/// The number of encoded rows hashed together: so few that they stay in the cache.
const WINDOW: usize = 1024;
const WINDOW_BYTES: usize = 256 << 10;
/// The number of rows encoded column by column: so few that their bytes stay in the nearest cache.
const PLACES: usize = 256;

/// The number of rows for which starting a thread is worthwhile.
const A_THREAD_S_WORK: usize = 2048;

impl<'a> Rows<'a> {
    /// Prepares the rows of a batch, whose type must be that of the columns. `first` is the number of the first row,
    /// for errors.
    ///
    /// # Errors
    /// Returns an error if a column's buffers are inconsistent, if two fields of a struct have the same name, or if a
    /// row is null as a whole.
    pub fn new(columns: &'a Columns, table: &'a Node, first: u64) -> Result<Self, Error> {
        if let Some(row) = (table.nulls() > 0).then(|| (0..table.len()).find(|row| !table.is_valid(*row))) {
            let row = first + row.unwrap_or(0) as u64;
            return Err(Error::Value { row, column: String::new(), what: "the whole row is null" });
        }
        let cell = |(place, field)| Cell::new(field, &table.children()[place]);
        let cells = columns.fields().map(cell).collect::<Result<_, _>>()?;
        Ok(Self { columns, cells, len: table.len(), first })
    }

    /// The columns of the rows.
    #[must_use]
    pub fn columns(&self) -> &'a Columns {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Encodes rows in order, several at a time, and calls `then` with their range and with one slice for each row.
    ///
    /// # Errors
    /// Returns [`Error::Value`] for the first row that has no encoding, or the error that `then` returned.
    ///
    /// # Panics
    /// Panics if a row does not exist.
    pub fn encode<E: From<Error>>(
        &self,
        rows: Range<usize>,
        mut then: impl FnMut(Range<usize>, &[&[u8]]) -> Result<(), E>,
    ) -> Result<(), E> {
        // Reading a column would panic as well, but there may be no columns.
        assert!(rows.end <= self.len, "row {} of {}", rows.end, self.len);
        let places = vec![Place::EMPTY; PLACES.min(rows.len())];
        let mut windows = Windows { rows: self, left: rows, places, writer: Writer::default() };
        while let Some((range, slices)) = windows.next()? {
            then(range, &slices)?;
        }
        Ok(())
    }

    /// Writes rows column by column. Returns true if all of them have an encoding and fit into their places.
    fn columns_side_by_side(&self, rows: Range<usize>, places: &mut [Place]) -> bool {
        let (head, len) = head(ROW, self.cells.len());
        places.iter_mut().for_each(|place| place.begin(&head, len));
        let written = self.cells.iter().try_for_each(|cell| cell.write_column(rows.clone(), places));
        written.is_ok() && places.iter().all(|place| place.row().is_some())
    }

    /// Writes a row, and returns its end.
    #[inline]
    fn write(&self, row: usize, out: &mut Writer) -> Result<usize, Error> {
        out.begin_row(self.cells.len());
        for (i, cell) in self.cells.iter().enumerate() {
            // An overflow is reported for the column that caused it, not for a later one.
            cell.write(row, out).and_then(|()| out.go_on()).map_err(|what| self.wrong(row, i, what))?;
        }
        out.end_row().map_err(|what| self.wrong(row, self.cells.len().saturating_sub(1), what))
    }

    #[cold]
    fn wrong(&self, row: usize, column: usize, what: &'static str) -> Error {
        let column = self.columns.names().nth(column).unwrap_or_default().to_owned();
        Error::Value { row: self.first + row as u64, column, what }
    }

    /// Computes the digests of rows on at most `threads` threads, and writes them to `out`, one after another.
    ///
    /// # Errors
    /// Returns the same errors as [`Rows::encode`].
    ///
    /// # Panics
    /// Panics if the length of `out` is not the total length of the digests, or if a row does not exist.
    pub fn digest_into(
        &self,
        many: &Many,
        rows: Range<usize>,
        out: &mut [u8],
        threads: usize,
    ) -> Result<(), Error> {
        let size = many.output_len();
        assert_eq!(out.len(), rows.len() * size, "room for every digest");
        let each = self.each(&rows, threads);
        let pieces: Vec<_> = match size {
            0 => Vec::new(),
            size => out.chunks_mut(each * size).zip((rows.start..).step_by(each)).collect(),
        };
        let digest = |(out, from): (&mut [u8], usize)| {
            let mut rest = out;
            let rows = from..from + rest.len() / size;
            self.encode(rows, |rows, slices| {
                let room = rest.split_off_mut(..rows.len() * size).expect("room for every digest");
                let bytes = room.len();
                many.digest_into(slices, room).map_err(|error| Error::of_digests(error, bytes))
            })
        };
        hashwell_work::each(pieces, digest).into_iter().collect()
    }

    /// The number of these rows that each thread processes.
    pub(crate) fn each(&self, rows: &Range<usize>, threads: usize) -> usize {
        let threads = threads.min(rows.len() / A_THREAD_S_WORK).max(1);
        rows.len().div_ceil(threads).max(1)
    }
}

/// A batch of rows, with the bytes of each.
type Window<'w> = (Range<usize>, Vec<&'w [u8]>);

/// Encodes rows in batches (windows).
struct Windows<'r, 'a> {
    rows: &'r Rows<'a>,
    left: Range<usize>,
    /// Empty once rows are written one by one.
    places: Vec<Place>,
    writer: Writer,
}

impl Windows<'_, '_> {
    /// The next rows.
    fn next(&mut self) -> Result<Option<Window<'_>>, Error> {
        let from = self.left.start;
        if self.left.is_empty() {
            return Ok(None);
        }
        let to = self.left.end.min(from + self.places.len());
        let places = &mut self.places[..to - from];
        if !places.is_empty() && self.rows.columns_side_by_side(from..to, places) {
            self.left.start = to;
            let slices = self.places[..to - from].iter().filter_map(Place::row).collect();
            return Ok(Some((from..to, slices)));
        }
        // Once a row is too long or has no encoding, rows are written one by one, which also finds the error.
        self.places.clear();
        self.one_by_one().map(Some)
    }

    fn one_by_one(&mut self) -> Result<Window<'_>, Error> {
        let (from, mut ends) = (self.left.start, Vec::with_capacity(WINDOW.min(self.left.len())));
        self.writer.clear();
        while !self.left.is_empty() && ends.len() < WINDOW && self.writer.bytes.len() < WINDOW_BYTES {
            ends.push(self.rows.write(self.left.start, &mut self.writer)?);
            self.left.start += 1;
        }
        let (bytes, mut start) = (&self.writer.bytes, 0);
        let slices = ends.iter().map(|&end| &bytes[std::mem::replace(&mut start, end)..end]).collect();
        Ok((from..self.left.start, slices))
    }
}
