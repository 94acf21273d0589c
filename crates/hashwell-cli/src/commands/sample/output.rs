//! Writes rows, with their tickets or places if requested, to standard output or to a file that appears only when it is
//! complete.

use super::input::{Stream, Watch};
use super::names::{Named, TableForm, named};
use super::request::{Job, Outputs, RecordTo, RowsTo, format_of, usage, work};
use crate::inputs::reading::{of_copy, temporary_file};
use crate::outputs::output::{device, unbuffered};
use crate::outputs::pending::{Pending, beside};
use crate::system::report::{Failure, complain, explain, printable, reason};
use hashwell::Sha256;
use hashwell_draw::hex;
use hashwell_draw::row_sampling::{
    Dialect, Difference, Form, Order, Record, Sample, SamplingRequest, SavedRecord, Shape, State, WeightSum,
};
use hashwell_rows::{BOM, Compression, Fields, Format, Input, Options, Packer, Rows, named_delimiter};
use hashwell_text_table::write::{TableText, rewrite, write_rows};
use indicatif::{HumanBytes, HumanCount};
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// A sample whose rows have been passed to the outputs. The outputs are still open.
pub(super) struct Drawn {
    pub(super) out: Out,
    /// The rows that were not picked.
    pub(super) rest: Option<Out>,
    pub(super) picked: u64,
    /// The text for `--stats` that gives the inclusion probability of each row.
    pub(super) chance: Option<String>,
    pub(super) weights: Vec<WeightSum>,
    /// Lines for standard error.
    pub(super) notes: Vec<String>,
}

/// The result of comparing a sample with a record.
pub(super) struct Checked {
    pub(super) differences: Vec<Difference>,
    pub(super) picks: usize,
    pub(super) n: u64,
    pub(super) rows_sha256: String,
}

impl Checked {
    pub(super) fn of(said: &SavedRecord, drawn: &Record<'_>) -> Self {
        let digest = drawn.rows_sha256.map(|digest| hex::encode(&digest));
        Self {
            differences: said.differences(drawn),
            picks: drawn.picks.len(),
            n: drawn.n,
            rows_sha256: digest.unwrap_or_default(),
        }
    }
}

/// Finishes the outputs of a sample: the rows, then the record, then the other files. If the job checks a record,
/// returns the comparison.
pub(super) fn finish(
    job: &Job<'_>,
    drawn: Option<Drawn>,
    stream: &Stream<'_>,
) -> Result<Option<Checked>, Failure> {
    // Only a state was requested.
    let Some(drawn) = drawn else { return Ok(None) };
    let Drawn { out, rest, picked, chance, weights, notes } = drawn;
    let Closed { sink, numbers, digest } = out.close(Some(stream))?;
    let rest = rest.map(|rest| rest.close(Some(stream))).transpose()?;
    let (mut checked, mut record_file) = (None, None);
    if let (Some(to), Some(request)) = (job.outputs.record, job.request()) {
        let SamplingRequest { seed, design, order } = request;
        let shape = stream.shape();
        let record = Record {
            seed,
            design,
            form: shape.form,
            header: shape.header.is_some(),
            quotes: stream.options.quotes == Some(true) && stream.options.quote == b'"',
            dialect: dialect(stream.options),
            of_drawing: *order == Order::Draw,
            n: stream.seen(),
            picks: numbers,
            rows_sha256: digest.finish(),
            weights,
            program: concat!("hashwell ", env!("CARGO_PKG_VERSION")),
        };
        match to {
            RecordTo::File(path) => {
                let mut file = Sink::open(Some(path), b'\n', None)?;
                file.row(record.text().as_bytes())?;
                record_file = Some(file);
            }
            RecordTo::Check(said) => checked = Some(Checked::of(said, &record)),
        }
    }
    sink.end()?;
    rest.map_or(Ok(()), |rest| rest.sink.end())?;
    record_file.map_or(Ok(()), Sink::end)?;
    notes.iter().for_each(|note| complain(note));
    let bytes = (!stream.rows.is_table()).then(|| stream.rows.bytes());
    say_stats(job.stats, stream.seen(), bytes, picked, chance.as_deref());
    Ok(checked)
}

/// The differences between the rows of a sample and the usual form of their format, for a record.
fn dialect(options: &Options) -> Dialect {
    let ascii = |byte: Option<u8>| byte.map(char::from);
    Dialect {
        delimiter: ascii(options.delimiter),
        quote: ascii((options.quote != b'"').then_some(options.quote)),
        comment: ascii(options.comment),
        encoding: options.encoding.map(|encoding| encoding.name().to_ascii_lowercase()),
    }
}

/// Writes a sample's state into its file.
pub(super) fn write_state(path: &Path, sample: Sample, shape: &Shape) -> Result<(), Failure> {
    let bytes = State { sample, shape: shape.clone() }.to_bytes()?;
    let mut sink = Sink::open(Some(path), b'\n', None)?;
    sink.bytes(&bytes)?;
    sink.end()
}

/// Finishes the rows of a merged sample, which has no inputs.
pub(super) fn finish_merged(out: Out) -> Result<(), Failure> {
    out.close(None)?.sink.end()
}

/// Prints `--stats` to standard error if `begin` is given: the number of rows, and their inclusion probability.
pub(super) fn say_stats(
    begin: Option<std::time::Instant>,
    seen: u64,
    bytes: Option<u64>,
    picked: u64,
    chance: Option<&str>,
) {
    let Some(begin) = begin else { return };
    let rows = if seen == 1 { "row" } else { "rows" };
    let n = HumanCount(seen);
    let bytes = bytes.map_or_else(String::new, |bytes| format!(", {}", HumanBytes(bytes)));
    let (seconds, picked) = (begin.elapsed().as_secs_f64(), HumanCount(picked));
    let each = chance.map_or_else(String::new, |chance| format!("; {chance}"));
    explain(&format!("hashwell: {n} {rows}{bytes} in {seconds:.1} s; {picked} picked{each}\n"));
}

/// The byte that ends a row of text.
fn terminator(form: Form) -> u8 {
    format_of(form).and_then(Format::terminator).unwrap_or(b'\n')
}

/// A file of rows, or standard output.
pub(super) struct Out {
    sink: Sink,
    /// Rows that are written in another format are collected in a temporary file first.
    copy: Option<Copy>,
    tickets: Tickets,
    /// The format for rows of Parquet files, which have no bytes here.
    form: Option<TableForm>,
    /// The row numbers, from 1, if they are needed.
    numbers: Option<Vec<u64>>,
    digest: Digest,
}

/// Rows of text in a temporary file without a name.
struct Copy {
    sink: Sink,
    /// Another handle of the file.
    file: File,
    /// The format in which they are written at the end.
    to: Format,
    has_header: bool,
}

impl Copy {
    fn new(to: Format, shape: &Shape) -> Result<Self, Failure> {
        let fail = |error: &io::Error| work(reason(error));
        let file = temporary_file().map_err(|error| fail(&error))?;
        let twin = file.try_clone().map_err(|error| fail(&error))?;
        let sink = Sink::over(To::Copy(twin), terminator(shape.form), None)?;
        Ok(Self { sink, file, to, has_header: shape.header.is_some() })
    }

    /// Writes the rows into `sink` in the other format.
    fn rewrite(mut self, sink: &mut Sink, stream: &Stream<'_>) -> Result<(), Failure> {
        // Otherwise, a carriage return in a last row without a newline could be taken for the end of a line.
        self.sink.close_row(b"").map_err(|error| self.sink.failed(&error))?;
        self.sink.end()?;
        let mut options = stream.options.clone();
        options.header = Some(self.has_header);
        // Without a header, a line such as `sep=;` is not copied.
        options.delimiter = stream.rows.delimiter();
        (options.comment, options.encoding, options.unpack) = (None, None, false);
        let open = || {
            let file = self.file.try_clone().and_then(|mut file| file.rewind().map(|()| file));
            let file = file.map_err(|error| hashwell_rows::Error::Io { name: COPY.into(), error })?;
            Rows::open(&[Input::file(COPY, file)], &options)
        };
        watched(sink, stream, |to| rewrite(&open, self.to, to))
    }
}

/// The name of a temporary file in errors.
const COPY: &str = "temporary file";

/// Rows in a file that has no name yet, with their numbers and their digest for a record.
struct Closed {
    sink: Sink,
    numbers: Vec<u64>,
    digest: Digest,
}

impl Out {
    /// Opens the output of the rows that are picked.
    pub(super) fn picks(outputs: &Outputs<'_>, shape: &Shape) -> Result<Self, Failure> {
        let named = named(outputs, "--output", outputs.rows.path(), shape.form)?;
        let sink = Sink::picks(outputs.rows, terminator(shape.form), named.compression)?;
        let digest = Digest(outputs.record.is_some().then(Sha256::new));
        Self::open(sink, &named, shape, Tickets::of(outputs, shape)?, digest)
    }

    /// Opens the output of the rows that are not picked.
    pub(super) fn rest(outputs: &Outputs<'_>, shape: &Shape, path: &Path) -> Result<Self, Failure> {
        let named = named(outputs, outputs.complement_option(), Some(path), shape.form)?;
        let sink = Sink::open(Some(path), terminator(shape.form), named.compression)?;
        Self::open(sink, &named, shape, Tickets { separator: None }, Digest(None))
    }

    fn open(
        mut sink: Sink,
        named: &Named,
        shape: &Shape,
        tickets: Tickets,
        digest: Digest,
    ) -> Result<Self, Failure> {
        let mut copy = named.rewritten.map(|to| Copy::new(to, shape)).transpose()?;
        if let Some(header) = &shape.header {
            let sink = copy.as_mut().map_or(&mut sink, |copy| &mut copy.sink);
            tickets.header(sink, header)?;
        }
        let form = named.table;
        let numbers = (form.is_some() || digest.is_wanted()).then(Vec::new);
        Ok(Self { sink, copy, tickets, form, numbers, digest })
    }

    /// Adds the row with this number, counted from 1.
    pub(super) fn row(&mut self, ticket: Option<u128>, number: u64, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(numbers) = &mut self.numbers {
            numbers.try_reserve(1).map_err(|_| work("not enough memory for the row numbers"))?;
            numbers.push(number);
        }
        if self.form.is_some() {
            return Ok(());
        }
        self.digest.add(bytes);
        let sink = self.copy.as_mut().map_or(&mut self.sink, |copy| &mut copy.sink);
        self.tickets.write(sink, ticket, bytes)
    }

    /// Copies this number of rows of the stream. Copies fewer only at the end of the input.
    pub(super) fn copy(&mut self, rows: u64, stream: &mut Stream<'_>) -> Result<u64, Failure> {
        for copied in 0..rows {
            let number = stream.seen() + 1;
            let Some(row) = stream.next()? else { return Ok(copied) };
            self.row(None, number, row.bytes())?;
        }
        Ok(rows)
    }

    /// Writes the remaining rows and closes the output. The file has no name until [`Sink::end`].
    pub(super) fn close_rows(self, stream: &Stream<'_>) -> Result<Sink, Failure> {
        Ok(self.close(Some(stream))?.sink)
    }

    /// Writes the remaining rows and closes the output. Rows of Parquet files are read from the stream here.
    fn close(mut self, stream: Option<&Stream<'_>>) -> Result<Closed, Failure> {
        let numbers = self.numbers.unwrap_or_default();
        if let (Some(form), Some(stream)) = (self.form, stream) {
            let from_zero: Vec<u64> = numbers.iter().map(|number| number - 1).collect();
            write_table(&from_zero, form, &mut self.sink, stream)?;
            if self.digest.is_wanted() {
                write_rows(&stream.rows, &from_zero, TableText::JsonLines, &mut self.digest)?;
            }
        }
        if let (Some(copy), Some(stream)) = (self.copy, stream) {
            copy.rewrite(&mut self.sink, stream)?;
        }
        Ok(Closed { sink: self.sink, numbers, digest: self.digest })
    }
}

fn write_table(
    numbers: &[u64],
    form: TableForm,
    sink: &mut Sink,
    stream: &Stream<'_>,
) -> Result<(), Failure> {
    watched(sink, stream, |to| match form {
        TableForm::Parquet => stream.rows.write_table(numbers, to),
        TableForm::Text(text) => write_rows(&stream.rows, numbers, text, to),
    })
}

/// Runs a function that writes into a sink. It is stopped by Ctrl-C.
fn watched(
    sink: &mut Sink,
    stream: &Stream<'_>,
    write: impl FnOnce(&mut Watched<'_>) -> Result<(), hashwell_rows::Error>,
) -> Result<(), Failure> {
    let mut to = Watched { sink, watch: stream.watch, stop: None };
    let written = write(&mut to);
    // An error of the sink keeps the sink's own message.
    match to.stop {
        Some(stop) => Err(stop),
        None => Ok(written?),
    }
}

/// A sink that checks for Ctrl-C. It records the reason for a stop, because its caller returns errors of another type.
struct Watched<'a> {
    sink: &'a mut Sink,
    watch: &'a Watch,
    stop: Option<Failure>,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.watch.check().and_then(|()| self.sink.bytes(bytes)) {
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

/// SHA-256 of the rows in the order in which they are written, without header and tickets, if it is wanted.
struct Digest(Option<Sha256>);

impl Digest {
    fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// The digest, if it is wanted.
    fn finish(self) -> Option<[u8; 32]> {
        self.0.map(Sha256::finalize)
    }

    fn add(&mut self, row: &[u8]) {
        if let Some(hash) = &mut self.0 {
            hash.update(row);
        }
    }
}

/// Hashes the JSON Lines form of rows of Parquet files, which have no bytes here.
impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The separator after tickets, if tickets are printed.
struct Tickets {
    separator: Option<u8>,
}

impl Tickets {
    /// Tickets are the first column, so the format must have columns or be plain lines.
    fn of(outputs: &Outputs<'_>, shape: &Shape) -> Result<Self, Failure> {
        if !outputs.tickets {
            return Ok(Self { separator: None });
        }
        let header = shape.header.as_deref().unwrap_or_default();
        match format_of(shape.form).map(Format::fields) {
            Some(Fields::Delimited { delimiter, .. }) => {
                let (named, _) = first_line(header);
                Ok(Self { separator: Some(outputs.delimiter.or(named).unwrap_or(delimiter)) })
            }
            Some(Fields::One) => Ok(Self { separator: Some(b'\t') }),
            _ => Err(usage("--print-ticket requires lines, CSV or TSV")),
        }
    }

    /// Writes the header. A byte order mark and a line such as `sep=;` stay at the beginning of the file.
    fn header(&self, sink: &mut Sink, header: &[u8]) -> Result<(), Failure> {
        match self.separator {
            Some(separator) => {
                let (_, len) = first_line(header);
                let (first, columns) = header.split_at(len);
                Ok(sink.rows(&[first, b"ticket", &[separator], columns])?)
            }
            None => Ok(sink.row(header)?),
        }
    }

    /// Writes a row after its ticket of 32 hexadecimal digits.
    fn write(&self, sink: &mut Sink, ticket: Option<u128>, row: &[u8]) -> Result<(), Failure> {
        match (self.separator, ticket) {
            (Some(separator), Some(ticket)) => {
                Ok(sink.rows(&[format!("{ticket:032x}").as_bytes(), &[separator], row])?)
            }
            _ => Ok(sink.row(row)?),
        }
    }
}

/// The delimiter that a line such as `sep=;` before a header sets, and the length of the byte order mark and this line.
fn first_line(header: &[u8]) -> (Option<u8>, usize) {
    let text = header.strip_prefix(BOM).unwrap_or(header);
    let mark = header.len() - text.len();
    match named_delimiter(text) {
        // If the line is the whole text, it is the header itself and sets no delimiter.
        Some((delimiter, len)) if len < text.len() => (Some(delimiter), mark + len),
        _ => (None, mark),
    }
}

/// Bytes written at a time.
const BUFFER: usize = 64 << 10;

/// A writer of rows. A file is only created by [`end`](Sink::end).
pub(super) struct Sink {
    to: BufWriter<Packer<To>>,
    /// True if the last row had no terminator because it was the last row of a file.
    open: bool,
    /// The terminator to add to such a row if another row follows.
    terminator: u8,
}

enum To {
    /// Standard output.
    Output(File),
    /// A stream or a device: anything but a regular file.
    Device(File, PathBuf),
    /// No output: only the digest is wanted.
    Nowhere,
    /// A temporary file.
    Copy(File),
    /// A new file in the folder of its final place.
    File(Pending, PathBuf),
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::Output(file) | To::Device(file, _) => file.write(bytes),
            To::File(file, _) => file.write(bytes),
            To::Copy(file) => file.write(bytes).map_err(of_copy),
            To::Nowhere => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    /// Opens the output of the picked rows.
    fn picks(to: RowsTo<'_>, terminator: u8, compression: Option<Compression>) -> Result<Self, Failure> {
        match to {
            RowsTo::Nowhere => Self::over(To::Nowhere, terminator, None),
            RowsTo::StandardOutput => Self::open(None, terminator, compression),
            RowsTo::File(path) => Self::open(Some(path), terminator, compression),
        }
    }

    /// Opens a file, or standard output.
    pub(super) fn open(
        path: Option<&Path>,
        terminator: u8,
        compression: Option<Compression>,
    ) -> Result<Self, Failure> {
        let to = match path {
            None => To::Output(unbuffered()?),
            Some(path) => to(path).map_err(|error| of_file(path, &error))?,
        };
        Self::over(to, terminator, compression)
    }

    fn over(to: To, terminator: u8, compression: Option<Compression>) -> Result<Self, Failure> {
        let to = Packer::new(compression, to).map_err(|error| Failure::Work(reason(&error)))?;
        Ok(Self { to: BufWriter::with_capacity(BUFFER, to), open: false, terminator })
    }

    /// Writes a row. If the row before had no terminator, adds it first, in the style of this row's terminator if it
    /// has one.
    pub(super) fn row(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.rows(&[bytes])
    }

    /// Like [`Sink::row`], for a row in pieces; the last piece has the terminator.
    pub(super) fn rows(&mut self, pieces: &[&[u8]]) -> Result<(), Failure> {
        let last = pieces.last().copied().unwrap_or_default();
        let written =
            self.close_row(last).and_then(|()| pieces.iter().try_for_each(|piece| self.to.write_all(piece)));
        self.open = last.last() != Some(&self.terminator);
        written.map_err(|error| self.failed(&error))
    }

    fn close_row(&mut self, next: &[u8]) -> io::Result<()> {
        if !self.open {
            return Ok(());
        }
        let carriage = self.terminator == b'\n' && next.ends_with(b"\r\n");
        self.to.write_all(if carriage { b"\r\n" } else { std::slice::from_ref(&self.terminator) })
    }

    /// Writes all bytes of a file that is not text.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.to.write_all(bytes).map_err(|error| self.failed(&error))
    }

    /// Flushes everything, and gives a file its name.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        self.to.flush().map_err(|error| self.failed(&error))?;
        let place = self.to.get_ref().get_ref().place();
        match self.to.into_parts().0.finish().map_err(|error| place.failed(&error))? {
            To::File(file, path) => file.persist().map_err(|error| of_file(&path, &error)),
            _ => Ok(()),
        }
    }

    fn failed(&self, error: &io::Error) -> Failure {
        self.to.get_ref().get_ref().place().failed(error)
    }
}

/// The name of the output in errors.
enum Place {
    Output,
    Nowhere,
    File(PathBuf),
}

impl To {
    fn place(&self) -> Place {
        match self {
            To::Output(_) => Place::Output,
            To::Nowhere | To::Copy(_) => Place::Nowhere,
            To::Device(_, path) | To::File(_, path) => Place::File(path.clone()),
        }
    }
}

impl Place {
    fn failed(&self, error: &io::Error) -> Failure {
        match self {
            Place::Output => Failure::Output(io::Error::new(error.kind(), reason(error))),
            Place::Nowhere => Failure::Work(reason(error)),
            Place::File(path) => of_file(path, error),
        }
    }
}

fn to(path: &Path) -> io::Result<To> {
    Ok(match device(path)? {
        Some(device) => To::Device(device, path.to_owned()),
        None => To::File(beside(path)?, path.to_owned()),
    })
}

fn of_file(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(error)))
}
