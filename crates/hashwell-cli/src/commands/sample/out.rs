//! Rows on their way out: text as it comes, rows of tables by their numbers when all are known.

use super::output::Sink;
use super::reading::{Stream, Watch};
use super::shape::terminator;
use super::stop::Stop;
use super::ticket::Tickets;
use super::transcript::Digest;
use crate::options::sample_args::{SampleOptions, TableAs};
use hashwell_draw::survey::{Form, Shape};
use hashwell_rows::TableForm;
use std::io::{self, Write};
use std::path::Path;

/// A file of rows, or standard output.
pub(super) struct Out {
    sink: Sink,
    tickets: Tickets,
    /// How rows of tables are written, which have no bytes.
    form: Option<TableForm>,
    /// The rows' numbers, from 1; only where they are needed.
    numbers: Option<Vec<u64>>,
    digest: Digest,
}

/// What was written, into a file that has no name yet.
pub(super) struct Closed {
    pub(super) sink: Sink,
    /// For a transcript.
    pub(super) numbers: Vec<u64>,
    pub(super) digest: Digest,
}

impl Out {
    /// For the rows that are picked.
    pub(super) fn picks(options: &SampleOptions, shape: &Shape) -> Result<Self, Stop> {
        let sink = Sink::picks(options, terminator(shape.form))?;
        Self::open(sink, options, shape, Tickets::of(options, shape.form)?, Digest::new(options))
    }

    /// For the rows that are not.
    pub(super) fn rest(options: &SampleOptions, shape: &Shape, path: &Path) -> Result<Self, Stop> {
        let sink = Sink::open(Some(path), terminator(shape.form))?;
        Self::open(sink, options, shape, Tickets::none(), Digest::none())
    }

    fn open(
        mut sink: Sink,
        options: &SampleOptions,
        shape: &Shape,
        tickets: Tickets,
        digest: Digest,
    ) -> Result<Self, Stop> {
        if let Some(header) = &shape.header {
            tickets.header(&mut sink, header)?;
        }
        let form = (shape.form == Form::Parquet).then(|| form(options));
        let numbers = (form.is_some() || digest.is_wanted()).then(Vec::new);
        Ok(Self { sink, tickets, form, numbers, digest })
    }

    /// The next row, which has this number, from 1.
    pub(super) fn row(&mut self, ticket: Option<u128>, number: u64, bytes: &[u8]) -> Result<(), Stop> {
        if let Some(numbers) = &mut self.numbers {
            numbers.try_reserve(1).map_err(|_| Stop::work("not enough memory for the rows' numbers"))?;
            numbers.push(number);
        }
        if self.form.is_some() {
            return Ok(());
        }
        self.digest.add(bytes);
        self.tickets.write(&mut self.sink, ticket, bytes)
    }

    /// Copies rows of the stream; fewer only at the end.
    pub(super) fn copy(&mut self, rows: u64, stream: &mut Stream<'_>) -> Result<u64, Stop> {
        for copied in 0..rows {
            let number = stream.seen() + 1;
            let Some(row) = stream.next()? else { return Ok(copied) };
            self.row(None, number, row.bytes())?;
        }
        Ok(rows)
    }

    /// There are no more rows. Those of tables are read from the stream that they came from.
    pub(super) fn close(mut self, stream: Option<&Stream<'_>>) -> Result<Closed, Stop> {
        let numbers = self.numbers.unwrap_or_default();
        if let (Some(form), Some(stream)) = (self.form, stream) {
            let from_zero: Vec<u64> = numbers.iter().map(|number| number - 1).collect();
            write_table(&from_zero, form, &mut self.sink, stream)?;
            if self.digest.is_wanted() {
                rows_of(stream, &from_zero, TableForm::JsonLines, &mut self.digest)?;
            }
        }
        Ok(Closed { sink: self.sink, numbers, digest: self.digest })
    }
}

fn form(options: &SampleOptions) -> TableForm {
    match options.table_as {
        None | Some(TableAs::Parquet) => TableForm::Parquet,
        Some(TableAs::Csv) => TableForm::Csv,
        Some(TableAs::Jsonl) => TableForm::JsonLines,
    }
}

fn write_table(numbers: &[u64], form: TableForm, sink: &mut Sink, stream: &Stream<'_>) -> Result<(), Stop> {
    let mut to = Watched { sink, watch: stream.watch, stop: None };
    let written = rows_of(stream, numbers, form, &mut to);
    to.stop.map_or(written, Err)
}

fn rows_of(
    stream: &Stream<'_>,
    numbers: &[u64],
    form: TableForm,
    to: &mut (dyn Write + Send),
) -> Result<(), Stop> {
    Ok(stream.rows.write_table(numbers, form, to)?)
}

/// A sink under an eye on Ctrl-C. Why it stopped is kept here, since what calls it has errors of its own.
struct Watched<'a> {
    sink: &'a mut Sink,
    watch: &'a Watch,
    stop: Option<Stop>,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.watch.check().and_then(|()| Ok(self.sink.bytes(bytes)?)) {
            Ok(()) => Ok(bytes.len()),
            Err(stop) => {
                self.stop = Some(stop);
                Err(io::Error::other("stopped"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
