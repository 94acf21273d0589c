//! The input of a sample: rows, with an eye on progress and Ctrl-C.

use super::stop::Stop;
use crate::inputs::reading::{is_stdin, names};
use crate::options::sample_args::SampleOptions;
use crate::system::interrupt::Interrupt;
use crate::system::progress::Progress;
use crate::system::report::{Failure, printable, reason};
use crate::system::standard;
use hashwell_rows::{Format, Input, Options, Row, Rows};
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows passed over, or read, between two looks at the clock and at Ctrl-C.
const LOOK: u64 = 1 << 14;

/// Bytes of a pipe that are copied between two looks at Ctrl-C.
const PIECE: usize = 64 << 10;

/// The inputs, which can be read again.
pub(super) struct Inputs {
    inputs: Vec<Input>,
    options: Options,
}

impl Inputs {
    /// What the options name, and the look at its passes. With `again`, so that it can be read twice, or anywhere as a
    /// table: pipes are copied into temporary files, which have no names: nothing stays however the command ends.
    pub(super) fn of(options: &SampleOptions, again: bool) -> Result<(Self, Watch), Stop> {
        let mut interrupt = files_that_would_stay(options).then(watch).transpose()?;
        let names = names(&options.files);
        if names.iter().filter(|name| is_stdin(name)).count() > 1 {
            return Err(Stop::usage("standard input is named twice"));
        }
        let options = reading(options, &names)?;
        let is_table = options.format == Some(Format::Parquet);
        let mut inputs = Vec::new();
        let mut total = Some(0);
        for name in &names {
            if is_stdin(name) {
                // A closed one is an error, not an empty input.
                standard::read(|_| Ok(())).map_err(|error| stdin(&error))?;
            }
            let mut input = Input::operand(name);
            if (again || is_table) && !input.opens_again() {
                let interrupt = match &mut interrupt {
                    Some(interrupt) => interrupt,
                    none => none.insert(watch()?),
                };
                let copy = copy(name, interrupt)
                    .map_err(|error| Stop::work(format!("{}: {}", input.name(), reason(&error))))?
                    .ok_or(Stop::Interrupted)?;
                total = total.zip(copy.metadata().ok()).map(|(sum, data)| data.len().saturating_add(sum));
                input = Input::file(input.name(), copy);
            } else {
                let data = input.as_path().and_then(|path| path.metadata().ok()).filter(Metadata::is_file);
                total = total.zip(data).map(|(sum, data)| data.len().saturating_add(sum));
            }
            inputs.push(input);
        }
        // Of a table some pages are read, and in no order.
        let total = total.filter(|_| !is_table);
        let watch = Watch { progress: Progress::beside_output(total), interrupt, shown: AtomicU64::new(0) };
        Ok((Self { inputs, options }, watch))
    }

    /// Whether they are Parquet.
    pub(super) fn are_tables(&self) -> bool {
        self.options.format == Some(Format::Parquet)
    }

    /// The reader of tables panicked, at one of these.
    pub(super) fn panicked(&self) -> Stop {
        let names: Vec<String> = self.inputs.iter().map(Input::name).collect();
        Stop::work(format!("{}: not readable as Parquet: the reader panicked", names.join(", ")))
    }

    /// From the first row.
    pub(super) fn open<'a>(&self, watch: &'a Watch) -> Result<Stream<'a>, Stop> {
        let rows = Rows::open(&self.inputs, &self.options)?;
        Ok(Stream { rows, watch, next_look: LOOK })
    }
}

fn stdin(error: &io::Error) -> Stop {
    Stop::work(format!("-: {}", reason(error)))
}

/// A copy of what can be read only once, where temporary files are; `None` if Ctrl-C stopped it.
fn copy(name: &OsString, interrupt: &Interrupt) -> io::Result<Option<File>> {
    let mut copy = tempfile::tempfile()?;
    let mut buffer = vec![0; PIECE];
    let mut all = |from: &mut File| loop {
        if interrupt.flow().is_break() {
            return Ok(false);
        }
        match from.read(&mut buffer) {
            Ok(0) => return Ok(true),
            Ok(len) => copy.write_all(&buffer[..len])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    let whole = if is_stdin(name) { standard::read(all)? } else { all(&mut File::open(name)?)? };
    Ok(whole.then_some(copy))
}

/// Whether a file is written that would stay, half done, if Ctrl-C ended the process at once.
fn files_that_would_stay(options: &SampleOptions) -> bool {
    let files = [&options.output, &options.complement, &options.transcript, &options.state_out];
    files.iter().any(|file| file.is_some())
}

fn watch() -> Result<Interrupt, Failure> {
    Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))
}

/// The format of the names' endings, where they have any, which has to be one.
fn named(names: &[OsString]) -> Result<Option<Format>, Stop> {
    let mut formats = names.iter().filter_map(|name| Some((name, Format::of_path(name.as_ref())?)));
    let Some((first, format)) = formats.next() else { return Ok(None) };
    match formats.find(|(_, other)| *other != format) {
        None => Ok(Some(format)),
        Some((other, _)) => {
            let [first, other] = [first, other].map(|name| printable(name));
            Err(Stop::usage(format!(
                "{first} and {other} are named as of two formats; an option says which one"
            )))
        }
    }
}

/// How the rows are read.
fn reading(given: &SampleOptions, names: &[OsString]) -> Result<Options, Stop> {
    let format = match given.form.asked() {
        _ if given.zero => Format::Nul,
        Some(format) => format,
        None => named(names)?.unwrap_or(Format::Lines),
    };
    if given.header && matches!(format, Format::JsonLines | Format::Parquet) {
        return Err(Stop::usage("-H is of lines, CSV and TSV: JSON lines and Parquet have no header row"));
    }
    if format == Format::Parquet && (given.state_in.is_some() || given.state_out.is_some()) {
        return Err(Stop::usage("a state holds rows byte for byte, and those of Parquet have no bytes"));
    }
    if format != Format::Parquet && given.table_as.is_some() {
        return Err(Stop::usage("--as is of Parquet: other rows are copied byte for byte"));
    }
    let mut options = given.form.reading(format);
    options.header = if given.header { Some(true) } else { given.no_header.then_some(false) };
    Ok(options)
}

/// Progress and Ctrl-C of all passes over the input. Ctrl-C ends the process at once where there is no file that would
/// stay.
pub(super) struct Watch {
    progress: Progress,
    interrupt: Option<Interrupt>,
    shown: AtomicU64,
}

impl Watch {
    /// So many bytes of this pass were read.
    fn look(&self, bytes: u64) -> Result<(), Stop> {
        self.progress.add(bytes.saturating_sub(self.shown.swap(bytes, Ordering::Relaxed)));
        self.check()
    }

    /// Whether to go on.
    pub(super) fn check(&self) -> Result<(), Stop> {
        let stopped = self.interrupt.as_ref().is_some_and(|interrupt| interrupt.flow().is_break());
        if stopped { Err(Stop::Interrupted) } else { Ok(()) }
    }
}

/// One pass over the rows.
pub(super) struct Stream<'a> {
    pub(super) rows: Rows,
    pub(super) watch: &'a Watch,
    next_look: u64,
}

impl Stream<'_> {
    /// Passes over rows; fewer only at the end.
    pub(super) fn skip(&mut self, rows: u64) -> Result<u64, Stop> {
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
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, Stop> {
        self.look()?;
        Ok(self.rows.next()?)
    }

    /// Rows read or passed over so far.
    pub(super) fn seen(&self) -> u64 {
        self.rows.rows()
    }

    fn look(&mut self) -> Result<(), Stop> {
        if self.rows.rows() >= self.next_look {
            self.next_look = self.rows.rows() + LOOK;
            self.watch.look(self.rows.bytes())?;
        }
        Ok(())
    }
}
