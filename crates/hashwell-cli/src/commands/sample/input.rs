//! The input of a sample: rows, read with a progress display and with checks for Ctrl-C.

use super::names::{check_lines, check_names};
use super::request::{Job, Reading, form_of, usage, work};
use crate::inputs::containers::{Container, check_table, chosen, format_of};
use crate::inputs::reading::{is_stdin, names, of_copy, temporary_file};
use crate::options::form_args::{FormOptions, guess, hint};
use crate::system::interrupt::Interrupt;
use crate::system::panics::caught;
use crate::system::progress::Progress;
use crate::system::report::{Failure, printable, reason};
use crate::system::standard;
use hashwell_arrow::{Field, Kind};
use hashwell_draw::row_sampling::{self, Shape, Value, Weigher, Weight, WeightError, joined};
use hashwell_rows::{Column, Compression, Fields, Format, Input, Options, Row, Rows, Texts};
use hashwell_text_table::write::value_fields;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of rows that are skipped or read between two updates of the progress and checks for Ctrl-C.
const LOOK: u64 = 1 << 14;

/// If the text has on average more than this number of bytes per sampled row, copying rows is faster than reading the
/// text twice.
const SPARSE: u64 = 2048;

/// Samples of at most this number of rows are always copied.
const FEW: usize = 4096;

/// The number of bytes of a pipe that are copied between two checks for Ctrl-C.
const PIECE: usize = 64 << 10;

/// The inputs, which can be read several times.
pub(super) struct Inputs {
    inputs: Vec<Input>,
    options: Options,
}

impl Inputs {
    /// Opens the files of a job, and the watch for its passes. Pipes are copied into temporary files if the sample
    /// needs two passes or the input is Parquet. These files have no names, so nothing is left of them however the
    /// command ends.
    pub(super) fn of(
        job: &Job<'_>,
        again: bool,
        saved: Option<(Format, bool)>,
    ) -> Result<(Self, Watch), Failure> {
        let mut interrupt = job.outputs.leave_files().then(watch).transpose()?;
        let names = names(job.files);
        if names.iter().filter(|name| is_stdin(name)).count() > 1 {
            return Err(usage("standard input is named twice"));
        }
        let mut options = reading(job, &names, saved)?;
        let guesses = job.reading.form.is_some_and(FormOptions::guesses);
        let is_table = options.format == Some(Format::Parquet);
        if let Some(form) = job.reading.form {
            check_table(names.iter(), form)?;
        }
        let mut inputs = Vec::new();
        let mut total = Some(0);
        for name in &names {
            let container = match job.reading.form {
                Some(form) => chosen(name, form, job.reading.format == Some(Format::Nul))?,
                None => Container::of(name),
            };
            if is_stdin(name) {
                // Closed standard input is an error, not an empty input.
                standard::read(|_| Ok(())).map_err(|error| stdin(&error))?;
            }
            let mut input = Input::operand(name);
            if container.is_some() || (again || is_table || guesses) && !input.opens_again() {
                let interrupt = match &mut interrupt {
                    Some(interrupt) => interrupt,
                    none => none.insert(watch()?),
                };
                let copy = match container {
                    Some(container) => {
                        container.copy(name, job.reading.table, &|| interrupt.flow().is_break())?
                    }
                    None => copy(name, interrupt)
                        .map_err(|error| work(format!("{}: {}", input.name(), reason(&error))))?,
                };
                let copy = copy.ok_or(Failure::Interrupted)?;
                total = total.zip(copy.metadata().ok()).map(|(sum, data)| data.len().saturating_add(sum));
                input = Input::file(input.name(), copy);
            } else {
                let data = input.as_path().and_then(|path| path.metadata().ok()).filter(Metadata::is_file);
                total = total.zip(data).map(|(sum, data)| data.len().saturating_add(sum));
            }
            inputs.push(input);
        }
        if guesses {
            guess(&inputs, &mut options)?;
        }
        // Only some pages of a Parquet file are read, in any order, so the progress has no known total.
        let total = total.filter(|_| !is_table);
        let watch = Watch { progress: Progress::beside_output(total), interrupt, shown: AtomicU64::new(0) };
        Ok((Self { inputs, options }, watch))
    }

    /// Runs a function that reads the inputs. Any function of the Parquet reader may panic on malformed files;
    /// incomplete output files are then removed.
    pub(super) fn guard<T>(&self, run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        if self.options.format != Some(Format::Parquet) {
            return run();
        }
        caught(run).unwrap_or_else(|| {
            let names: Vec<String> = self.inputs.iter().map(Input::name).collect();
            Err(work(format!("{}: not readable as Parquet: the file may be damaged", names.join(", "))))
        })
    }

    /// The delimiter of the rows, if an option sets one or it was guessed.
    pub(super) fn delimiter(&self) -> Option<u8> {
        self.options.delimiter
    }

    /// Prints a hint if the header seems to have a different delimiter.
    pub(super) fn hint(&self, stream: &Stream<'_>) {
        if let Some(input) = self.inputs.first() {
            hint(&input.name(), &stream.rows);
        }
    }

    /// Returns true if a second pass over the inputs costs less than copying k rows and the rows that they replace.
    /// This is so if all inputs are uncompressed text files, and there is at least one sampled row for every [`SPARSE`]
    /// bytes.
    pub(super) fn are_read_again_for(&self, k: usize) -> bool {
        k > FEW && self.plain_bytes().is_some_and(|bytes| bytes / SPARSE <= k as u64)
    }

    /// The number of bytes of all inputs, if these are uncompressed text files.
    pub(super) fn plain_bytes(&self) -> Option<u64> {
        let len = |input: &Input| {
            let path = input.as_path().filter(|path| Compression::of_path(path).is_none())?;
            path.metadata().ok().filter(Metadata::is_file).map(|data| data.len())
        };
        let plain = self.options.encoding.is_none() && self.options.format != Some(Format::Parquet);
        self.inputs.iter().map(len).sum::<Option<u64>>().filter(|_| plain)
    }

    /// Starts a pass at the first row.
    pub(super) fn open<'a>(&'a self, watch: &'a Watch) -> Result<Stream<'a>, Failure> {
        let rows = Rows::open(&self.inputs, &self.options)?;
        Ok(Stream { rows, options: &self.options, watch, next_look: LOOK })
    }
}

fn stdin(error: &io::Error) -> Failure {
    work(format!("-: {}", reason(error)))
}

/// Copies input that can be read only once into a temporary file. Returns `None` if Ctrl-C stopped it.
fn copy(name: &OsString, interrupt: &Interrupt) -> io::Result<Option<File>> {
    let mut copy = temporary_file()?;
    let mut buffer = vec![0; PIECE];
    let mut all = |from: &mut File| loop {
        if interrupt.flow().is_break() {
            return Ok(false);
        }
        match from.read(&mut buffer) {
            Ok(0) => return Ok(true),
            Ok(len) => copy.write_all(&buffer[..len]).map_err(of_copy)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    let whole = if is_stdin(name) { standard::read(all)? } else { all(&mut File::open(name)?)? };
    Ok(whole.then_some(copy))
}

fn watch() -> Result<Interrupt, Failure> {
    Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))
}

/// The format that the extensions of the names indicate, if they have any. All extensions must indicate the same one.
fn named(names: &[OsString]) -> Result<Option<Format>, Failure> {
    let mut formats = names.iter().filter_map(|name| Some((name, format_of(name)?)));
    let Some((first, format)) = formats.next() else { return Ok(None) };
    match formats.find(|(_, other)| *other != format) {
        None => Ok(Some(format)),
        Some((other, _)) => {
            let [first, other] = [first, other].map(|name| printable(name));
            Err(usage(format!(
                "the names of {first} and {other} suggest different formats; choose one with an option such as --csv"
            )))
        }
    }
}

/// Determines how the rows are read: by the options, by the names of the files, or like the rows of a saved sample.
fn reading(job: &Job<'_>, names: &[OsString], saved: Option<(Format, bool)>) -> Result<Options, Failure> {
    let Reading { format, header, rows, form, .. } = &job.reading;
    let known = match format {
        Some(format) => Some(*format),
        None => named(names)?.or(saved.map(|(format, _)| format)).or(form.and_then(FormOptions::implied)),
    };
    if known.is_none() && names.iter().all(|name| is_stdin(name)) {
        check_lines(&job.outputs)?;
    }
    let format = known.unwrap_or(Format::Lines);
    if let Some(why) = form.and_then(|form| form.refused(format)) {
        return Err(usage(why));
    }
    if *header == Some(true) && !format.may_have_header() {
        return Err(usage("-H requires lines, CSV or TSV: JSON lines and Parquet have no header row"));
    }
    let is_table = format.fields() == Fields::Table;
    if is_table && (job.request().is_none() || job.outputs.state.is_some()) {
        return Err(usage("--state-out does not support Parquet: a state stores rows byte for byte"));
    }
    if matches!(format, Format::Lines | Format::Nul) && job.outputs.table_as.is_some() {
        return Err(usage("--as requires a table: give the format of the input, such as --csv"));
    }
    check_names(&job.outputs, form_of(format))?;
    let mut options = rows.clone().with_format(format);
    let like_saved = saved.filter(|_| format.may_have_header()).map(|(_, header)| header);
    options.header = header.filter(|_| format.may_have_header()).or(like_saved);
    Ok(options)
}

/// The progress display and the checks for Ctrl-C, shared by all passes over the input. If no output file can be left
/// incomplete, Ctrl-C ends the process immediately.
pub(super) struct Watch {
    progress: Progress,
    interrupt: Option<Interrupt>,
    shown: AtomicU64,
}

impl Watch {
    /// Reports the number of bytes of this pass that were read.
    fn look(&self, bytes: u64) -> Result<(), Failure> {
        self.progress.add(bytes.saturating_sub(self.shown.swap(bytes, Ordering::Relaxed)));
        self.check()
    }

    /// Returns [`Failure::Interrupted`] if the process was asked to stop.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let stopped = self.interrupt.as_ref().is_some_and(|interrupt| interrupt.flow().is_break());
        if stopped { Err(Failure::Interrupted) } else { Ok(()) }
    }
}

/// One pass over the rows.
pub(super) struct Stream<'a> {
    pub(super) rows: Rows,
    pub(super) options: &'a Options,
    pub(super) watch: &'a Watch,
    next_look: u64,
}

impl Stream<'_> {
    /// Skips this number of rows. Skips fewer only at the end of the input.
    pub(super) fn skip(&mut self, rows: u64) -> Result<u64, Failure> {
        let mut passed = 0;
        while passed < rows {
            self.look()?;
            let piece = (rows - passed).min(LOOK * 16);
            let done = self.rows.skip(piece)?;
            passed += done;
            if done < piece {
                break;
            }
        }
        Ok(passed)
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, Failure> {
        self.look()?;
        Ok(self.rows.next()?)
    }

    /// Reads the texts of a column ahead; see [`Rows::texts`].
    pub(super) fn texts(&mut self, column: Option<&Column>) -> Result<Texts<'_>, Failure> {
        self.look()?;
        Ok(self.rows.texts(column))
    }

    /// The shape of the rows, as a sample records it. A line such as `sep=;` before the header is part of the shape and
    /// is written with the header.
    pub(super) fn shape(&self) -> Shape {
        Shape { form: form_of(self.rows.format()), header: self.rows.first_lines() }
    }

    /// The number of rows that were read or skipped so far.
    pub(super) fn seen(&self) -> u64 {
        self.rows.rows()
    }

    fn look(&mut self) -> Result<(), Failure> {
        if self.rows.rows() >= self.next_look {
            self.next_look = self.rows.rows() + LOOK;
            self.watch.look(self.rows.bytes())?;
        }
        Ok(())
    }
}

/// A column of weights.
pub(super) struct Weights {
    column: Column,
    name: String,
    weigher: Weigher,
    has_default: bool,
}

impl Weights {
    pub(super) fn of(rows: &Rows, weight: &Weight, kind: row_sampling::Kind) -> Result<Self, Failure> {
        let column = named_column(rows, "--weight", &weight.column)?;
        Types::of(rows)?.check_weight("--weight", &weight.column, &column)?;
        let weigher = Weigher::new(kind, weight.default.as_deref());
        Ok(Self { column, name: weight.column.clone(), weigher, has_default: weight.default.is_some() })
    }

    /// The column.
    pub(super) fn column(&self) -> &Column {
        &self.column
    }

    /// The weight of a row: a number that is not negative.
    pub(super) fn read(&self, row: &Row<'_>) -> Result<Value, Failure> {
        if self.weigher.takes_floats()
            && let Ok(weight) = row.float(&self.column)
            && let Some(value) = self.weigher.quick(weight)
        {
            return Ok(value);
        }
        let text = if self.has_default { row.field_or_null(&self.column) } else { row.field(&self.column) };
        self.weigher.of_text(&text?).map_err(|wrong| match wrong {
            WeightError::Blank => self.wrong(
                row,
                "empty (use --default-weight W to give such rows a weight; with 0, they are never picked)",
            ),
            WeightError::Is(what) => self.wrong(row, &what),
        })
    }

    fn wrong(&self, row: &Row<'_>, what: &str) -> Failure {
        work(format!("{}: the weight (column {}) is {what}", row.place(), self.name))
    }
}

/// The columns that make up strata or keys. `None` is the whole row of a format without columns, which has the column
/// name [`WHOLE`].
pub(super) struct Values(Vec<Option<Column>>);

/// The column name of the whole row.
const WHOLE: &str = "0";

impl Values {
    pub(super) fn of(rows: &Rows, option: &str, names: &[String]) -> Result<Self, Failure> {
        let is_whole = |name: &str| name == WHOLE && matches!(rows.format(), Format::Lines | Format::Nul);
        let types = Types::of(rows)?;
        let of_name = |name: &String| {
            if is_whole(name) {
                return Ok(None);
            }
            let column = named_column(rows, option, name)?;
            types.check_key(option, name, &column)?;
            Ok(Some(column))
        };
        names.iter().map(of_name).collect::<Result<_, _>>().map(Self)
    }

    /// The only column, if there is just one. The inner `None` is the whole row.
    pub(super) fn single(&self) -> Option<Option<&Column>> {
        match &self.0[..] {
            [column] => Some(column.as_ref()),
            _ => None,
        }
    }

    /// The value of a row as the text of a key, which is the same in every format. Null is the empty string.
    pub(super) fn read<'a>(&self, row: &Row<'a>) -> Result<Cow<'a, [u8]>, Failure> {
        match &self.0[..] {
            [column] => field(row, column.as_ref()),
            columns => {
                let fields: Vec<_> =
                    columns.iter().map(|column| field(row, column.as_ref())).collect::<Result<_, _>>()?;
                Ok(joined(&fields))
            }
        }
    }
}

fn field<'a>(row: &Row<'a>, column: Option<&Column>) -> Result<Cow<'a, [u8]>, Failure> {
    match column {
        Some(column) => Ok(row.sampling_key(column)?),
        None => Ok(Cow::Borrowed(without_end(row.bytes()))),
    }
}

fn without_end(row: &[u8]) -> &[u8] {
    match row.split_last() {
        Some((b'\n', line)) => line.strip_suffix(b"\r").unwrap_or(line),
        Some((0, record)) => record,
        _ => row,
    }
}

fn named_column(rows: &Rows, option: &str, name: &str) -> Result<Column, Failure> {
    rows.column(name).map_err(|error| work(format!("{option}: {error}")))
}

/// The types of a table's columns; empty for text.
struct Types(Vec<Field>);

impl Types {
    fn of(rows: &Rows) -> Result<Self, Failure> {
        Ok(Self(if rows.is_table() { value_fields(rows)? } else { Vec::new() }))
    }

    /// Rejects a column whose values different programs, such as Python and Spark, convert to text in different ways.
    fn check_key(&self, option: &str, name: &str, column: &Column) -> Result<(), Failure> {
        let of_all =
            |kind| matches!(kind, Kind::Text | Kind::Binary | Kind::Int { .. } | Kind::Bool | Kind::Null);
        self.check(
            option,
            name,
            column,
            of_all,
            "only strings, binary values, integers and booleans have the same text in all programs",
        )
    }

    /// Rejects a column whose type cannot contain numbers.
    fn check_weight(&self, option: &str, name: &str, column: &Column) -> Result<(), Failure> {
        let number = |kind| {
            matches!(kind, Kind::Float | Kind::Int { .. } | Kind::Decimal { .. } | Kind::Text | Kind::Null)
        };
        self.check(option, name, column, number, "weights must be floats, integers or decimals")
    }

    fn check(
        &self,
        option: &str,
        name: &str,
        column: &Column,
        allowed: fn(Kind) -> bool,
        which: &str,
    ) -> Result<(), Failure> {
        let field = column.number().and_then(|number| self.0.get(number));
        match field.map(|field| field.kind) {
            Some(kind) if !allowed(kind) => Err(work(format!(
                "{option}: column {name:?} has {}, but {which} (convert the column)",
                in_words(kind)
            ))),
            _ => Ok(()),
        }
    }
}

fn in_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "booleans",
        Kind::Float => "floats",
        Kind::Decimal { .. } => "decimals",
        Kind::Binary => "binary values",
        Kind::Date => "dates",
        Kind::Time(_) => "times of day",
        Kind::Timestamp { .. } => "timestamps",
        Kind::Duration(_) => "durations",
        Kind::Interval(_) => "intervals",
        _ => "values of another type",
    }
}
