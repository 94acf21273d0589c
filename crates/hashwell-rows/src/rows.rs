//! The rows of several inputs as one stream.

use std::borrow::Cow;
use std::io::Write;

use hashwell_work::threads;

use crate::ahead::{Form, What};
use crate::error::Error;
use crate::fields::{BOM, Column, Cut, Of, delimited, without_end};
use crate::input::Input;
use crate::open::{self, Settings};
use crate::options::{Fields, Format, Options};
use crate::row::{Origin, Row};
use crate::table::Table;
use crate::text::Text;
use crate::texts::Texts;

/// Delimiters that files have.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A stream of rows.
pub struct Rows {
    inputs: Vec<Input>,
    format: Format,
    settings: Settings,
    has_header: bool,
    header: Option<Header>,
    /// How many inputs were opened.
    opened: usize,
    /// Whether there was an error: what was read of a row or a file may be gone.
    stopped: bool,
    text: Option<Text>,
    table: Option<Table>,
    rows: u64,
    /// Bytes of the inputs that are done with.
    bytes: u64,
}

/// The first file's header row.
struct Header {
    name: String,
    bytes: Vec<u8>,
    /// Whether there is more than one name.
    has_fields: bool,
}

impl Header {
    /// Returns true for a row with the same names and any line ending.
    #[inline]
    fn is_repeated(&self, row: &[u8]) -> bool {
        let header = self.bytes.strip_prefix(BOM).unwrap_or(&self.bytes);
        row.first() == header.first() && without_end(row) == without_end(header)
    }
}

impl Rows {
    /// Opens the first input that has a row or a header; the others are opened when their turn comes.
    ///
    /// # Errors
    /// [`Error::Options`] for options that cannot be, [`Error::Io`] for a path that is not there (of all inputs, so that a
    /// long run does not fail at its end), and what reading a header finds.
    pub fn open(inputs: &[Input], options: &Options) -> Result<Rows, Error> {
        let format = format(inputs, options)?;
        let has_header = options.header.unwrap_or(format.has_header());
        if has_header && !format.may_have_header() {
            return Err(Error::Options("JSON lines and Parquet have no header row".into()));
        }
        for input in inputs {
            input.look().map_err(|error| Error::Io { name: input.name(), error })?;
        }
        let settings = settings(format, options)?;
        let inputs = inputs.to_vec();
        let mut rows = Rows {
            inputs,
            format,
            settings,
            has_header,
            header: None,
            opened: 0,
            stopped: false,
            text: None,
            table: None,
            rows: 0,
            bytes: 0,
        };
        if format.fields() == Fields::Table {
            rows.table = Some(Table::open(&rows.inputs)?);
            return Ok(rows);
        }
        while rows.header.is_none() && rows.has_header && rows.open_next()? {}
        Ok(rows)
    }

    /// What the rows are read as.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The header row as the first file has it, with its terminator and with the mark that precedes UTF-8, if they are
    /// there; `None` without a header, and where all inputs are empty.
    #[must_use]
    pub fn header(&self) -> Option<&[u8]> {
        self.header.as_ref().map(|header| &header.bytes[..])
    }

    /// The names that the header of CSV or TSV has, without their quotes; `None` where there is no such header.
    #[must_use]
    pub fn names(&self) -> Option<Vec<Cow<'_, [u8]>>> {
        let Cut::Delimited { delimiter, quote } = self.settings.cut else { return None };
        let header = self.header()?;
        let header = without_end(header.strip_prefix(BOM).unwrap_or(header));
        Some(delimited::fields(header, delimiter, quote).collect())
    }

    /// The delimiter that the header seems to have if it has one column only: a semicolon, a tab or a bar that is in it,
    /// and outside of quotes. For a hint: the rows are read with the delimiter that was asked for.
    #[must_use]
    pub fn other_delimiter(&self) -> Option<u8> {
        let Cut::Delimited { delimiter, quote } = self.settings.cut else { return None };
        let header = without_end(self.header()?);
        let columns = |delimiter| delimited::raw_fields(header, delimiter, quote).count();
        if columns(delimiter) > 1 {
            return None;
        }
        DELIMITERS.into_iter().find(|other| *other != delimiter && columns(*other) > 1)
    }

    /// Guesses the delimiter of the first input, which can be read again: a line such as `sep=;` decides, else the
    /// delimiter of the header, among comma, semicolon, tab and bar, that gives each of the first 1,000 rows the same
    /// number of fields, at least two. The delimiter of the format if no other or more than one does. The guess is wrong for one
    /// column of texts with commas.
    ///
    /// # Errors
    /// As [`open`](Self::open) and [`next`](Self::next), except that rows that cannot be read with a delimiter rule it out.
    pub fn guess_delimiter(inputs: &[Input], options: &Options) -> Result<u8, Error> {
        const ROWS: usize = 1000;
        let first = inputs.get(..1).unwrap_or(inputs);
        let format = format(inputs, options)?;
        let Fields::Delimited { delimiter: own, .. } = format.fields() else {
            return Err(Error::Options("only CSV and TSV have a delimiter".into()));
        };
        let unset = Rows::open(first, &Options { delimiter: None, ..options.clone() })?;
        if let Cut::Delimited { delimiter, .. } = unset.settings.cut
            && delimiter != own
        {
            return Ok(delimiter);
        }
        let fits = |delimiter: &u8| {
            let options = Options { delimiter: Some(*delimiter), header: Some(false), ..options.clone() };
            let Ok(mut rows) = Rows::open(first, &options) else { return false };
            let mut fields = 0;
            for _ in 0..ROWS {
                let Ok(row) = rows.next() else { return false };
                let Some(count) = row.map(|row| row.raw_fields().count()) else { break };
                if fields != 0 && fields != count {
                    return false;
                }
                fields = count;
            }
            fields > 1
        };
        let found: Vec<u8> = DELIMITERS.into_iter().filter(fits).collect();
        Ok(if let [only] = found[..] { only } else { own })
    }

    /// Looks a column up: by its name in the header, by its number from 1 on if the header has no such name, by a key of
    /// the JSON objects.
    ///
    /// # Errors
    /// [`Error::Column`] if there is none, or two, or the format has no columns. Where all inputs are empty there is no
    /// error, since no row will be asked.
    pub fn column(&self, name: &str) -> Result<Column, Error> {
        if let Some(table) = &self.table {
            return table.column(name);
        }
        let empty = self.has_header && self.header.is_none();
        Column::look_up(if empty { "1" } else { name }, self.header(), self.settings.cut)
    }

    /// Passes over `n` rows, in the fastest way there is, and says how many they were: fewer only at the end.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Headers`] from a later file, and of quoted fields [`Error::TooLong`] and
    /// [`Error::Invalid`]. How long a row is that holds no long quoted field is not looked at. After any of them there is
    /// another one in the place of each row.
    pub fn skip(&mut self, n: u64) -> Result<u64, Error> {
        if let Some(table) = &mut self.table {
            return Ok(table.skip(n));
        }
        let passed = self.pass(n).map_err(|error| self.stop(error))?;
        self.rows += passed;
        Ok(passed)
    }

    fn pass(&mut self, n: u64) -> Result<u64, Error> {
        let mut passed = 0;
        while passed < n {
            if let Some(text) = &mut self.text {
                passed += text.skip(n - passed)?;
            }
            if passed < n && !self.open_next()? {
                break;
            }
        }
        Ok(passed)
    }

    #[cold]
    fn stop(&mut self, error: Error) -> Error {
        self.text = None;
        self.stopped = true;
        error
    }

    /// Reads the next row; `None` at the end.
    ///
    /// # Errors
    /// As [`skip`](Self::skip), and [`Error::TooLong`] for any row beyond the limit.
    #[expect(
        clippy::should_implement_trait,
        reason = "the row borrows the stream, which an iterator's item cannot"
    )]
    pub fn next(&mut self) -> Result<Option<Row<'_>>, Error> {
        if self.table.is_some() {
            return Ok(self.next_of_table());
        }
        loop {
            let found = self.text.as_mut().map_or(Ok(false), Text::advance);
            if found.map_err(|error| self.stop(error))? {
                break;
            }
            if !self.open_next().map_err(|error| self.stop(error))? {
                return Ok(None);
            }
        }
        if let (Some(header), Some(text)) = (&self.header, &self.text)
            && header.has_fields
            && header.is_repeated(text.row())
        {
            let place = format!("{}:{}", text.name(), text.line());
            return Err(self.stop(Error::invalid(
                place,
                "the header is repeated here, as where files were joined: name these files one after the other instead, or \
                 delete this line",
            )));
        }
        self.rows += 1;
        let number = self.rows - 1;
        let cut = self.settings.cut;
        Ok(self.text.as_ref().map(|text| Row { bytes: text.row(), origin: Origin::Text(text, cut), number }))
    }

    /// Reads the numbers of a column ahead: those of the next rows of CSV or TSV, which are not passed over by that. Each
    /// number is finite, not negative, and what [`Row::float`] returns for its row. There may be fewer numbers than rows,
    /// down to none: a row in any unusual form has to be read with [`next`](Self::next). Costs a pass over rows whose
    /// numbers were not read before, at most 1,024 of them.
    pub fn numbers(&mut self, column: &Column) -> &[f64] {
        self.column_ahead(column, Text::read_numbers)
    }

    /// Reads the numbers of a column ahead as [`numbers`](Self::numbers) does, but exactly: each is an integer, in units of
    /// 10^-18. Only numbers of at most 19 digits, of which at most 18 are decimals, without sign and exponent are read.
    pub fn units(&mut self, column: &Column) -> &[u128] {
        self.column_ahead(column, Text::read_units)
    }

    fn column_ahead<T>(
        &mut self,
        column: &Column,
        read: impl for<'a> FnOnce(&'a mut Text, usize, &Form<'_>) -> &'a [T],
    ) -> &[T] {
        let (Some(text), Of::Number(column)) = (&mut self.text, &column.of) else { return &[] };
        let form = form_ahead(&self.settings, self.header.as_ref());
        match form.filter(|form| form.delimiter.is_some()) {
            Some(form) => read(text, *column, &form),
            None => &[],
        }
    }

    /// Reads the texts of a column ahead, or those of lines without their ends: those of the next rows of CSV, TSV or lines,
    /// as [`numbers`](Self::numbers) does. Each text is what [`Row::sampling_key`] returns for its row.
    pub fn texts(&mut self, column: Option<&Column>) -> Texts<'_> {
        let what = match column.map(|column| &column.of) {
            None => Some(What::Line),
            Some(Of::Number(column)) => Some(What::Field(*column)),
            Some(Of::Key(_)) => None,
        };
        let form = form_ahead(&self.settings, self.header.as_ref());
        let form = form.filter(|form| form.delimiter.is_some() || what == Some(What::Line));
        let (Some(text), Some(what), Some(form)) = (&mut self.text, what, form) else {
            return Texts::default();
        };
        text.read_texts(what, &form)
    }

    /// Passes over the first `n` rows of those whose values were read ahead and that were not read since.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn pass_ahead(&mut self, n: usize) {
        if n > 0 {
            self.text.as_mut().expect("values of rows are there").pass_ahead(n);
            self.rows += n as u64;
        }
    }

    fn next_of_table(&mut self) -> Option<Row<'_>> {
        let table = self.table.as_mut()?;
        let number = table.at();
        (table.skip(1) == 1).then_some(Row { bytes: &[], origin: Origin::Table(table), number })
    }

    /// Whether the rows are those of tables (Parquet), which have numbers and fields and no bytes. Such a stream knows how
    /// many rows it has, passes over them without reading, and writes those that were picked with
    /// [`write_table`](Self::write_table).
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.table.is_some()
    }

    /// How many rows there are in all, if that is known without reading them: of tables it is.
    #[must_use]
    pub fn known_rows(&self) -> Option<u64> {
        self.table.as_ref().map(Table::len)
    }

    /// Writes rows of a table as Parquet, with the same schema, key-value pairs and compression of each column, in the order
    /// of their numbers ([`Row::number`]) here; a number may come twice. Only the pages are read in which they lie. Of rows that come one after the other, 2^20 are held at once, one column of them at a
    /// time.
    ///
    /// # Errors
    /// [`Error::Options`] if this is no table; [`Error::Invalid`] for a file that is not what it says, and for a number
    /// that there is not; [`Error::Io`] of `output` if `out` fails; [`Error::Memory`] without memory to pack and unpack pages of
    /// gzip. Without memory for anything else the process ends.
    ///
    /// # Panics
    /// Where Parquet's reader does, which some malformed files make it do, and pages of gzip for which there is no memory any
    /// more.
    pub fn write_table(&self, numbers: &[u64], out: &mut (dyn Write + Send)) -> Result<(), Error> {
        self.known_table()?.write(numbers, true, out)
    }

    /// Writes the same rows as [`write_table`](Self::write_table), with uncompressed columns, for a reader in the same
    /// program.
    ///
    /// # Errors
    /// As [`write_table`](Self::write_table).
    ///
    /// # Panics
    /// As [`write_table`](Self::write_table).
    pub fn write_table_uncompressed(
        &self,
        numbers: &[u64],
        out: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        self.known_table()?.write(numbers, false, out)
    }

    /// "file:row" of a row of a table by its number ([`Row::number`]), counted from 1 within its file; empty for text, and for a
    /// number that there is not.
    #[must_use]
    pub fn place_in_table(&self, number: u64) -> String {
        self.table.as_ref().map_or_else(String::new, |table| table.place(number))
    }

    fn known_table(&self) -> Result<&Table, Error> {
        self.table.as_ref().ok_or_else(|| Error::Options("these rows are text, and have bytes".into()))
    }

    /// Reads the row with this number ([`Row::number`]), passing over those before it; `None` if there are not so many.
    ///
    /// # Errors
    /// As [`next`](Self::next), and [`Error::Options`] for a row that was passed already.
    pub fn at(&mut self, number: u64) -> Result<Option<Row<'_>>, Error> {
        let gap = number
            .checked_sub(self.rows)
            .ok_or_else(|| Error::Options("rows are read in their order".into()))?;
        if self.skip(gap)? < gap { Ok(None) } else { self.next() }
    }

    /// How many rows were read or passed over.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.table.as_ref().map_or(self.rows, Table::at)
    }

    /// How many bytes of unpacked text stand before the next row, headers counted; 0 for a table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes + self.text.as_ref().map_or(0, Text::bytes)
    }

    /// Goes to the next input and past its header; false after the last.
    fn open_next(&mut self) -> Result<bool, Error> {
        self.bytes += self.text.take().map_or(0, |text| text.bytes());
        if self.stopped {
            let place = self.inputs[..self.opened].last().map_or_else(String::new, Input::name);
            return Err(Error::Invalid { place, reason: "its rows end at an error".into() });
        }
        let Some(input) = self.inputs.get(self.opened) else { return Ok(false) };
        self.opened += 1;
        let (mut text, delimiter) = open::text(input, &self.settings)?;
        if let Some(delimiter) = delimiter {
            self.take_delimiter(delimiter, &text)?;
        }
        if self.has_header && text.advance()? {
            self.take_header(&text)?;
        }
        self.text = Some(text);
        Ok(true)
    }

    /// The delimiter that a file names counts for all files, since the first one's header does.
    fn take_delimiter(&mut self, named: u8, text: &Text) -> Result<(), Error> {
        let is_first = self.opened == 1;
        match &mut self.settings.cut {
            Cut::Delimited { delimiter, .. } if is_first => *delimiter = named,
            Cut::Delimited { delimiter, .. } if *delimiter != named => {
                let (named, other) = (char::from(named), char::from(*delimiter));
                return Err(Error::invalid(
                    format!("{}:1", text.name()),
                    format!("the delimiter is {named:?} here and {other:?} in the files before it"),
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// The first header stands for all; another one is an error, its mark and its line's end left out.
    fn take_header(&mut self, text: &Text) -> Result<(), Error> {
        let bytes = text.row();
        let Some(first) = &self.header else {
            let mut held = Vec::new();
            if held.try_reserve_exact(bytes.len()).is_err() {
                return Err(Error::Memory { place: format!("{}:{}", text.name(), text.line()) });
            }
            held.extend_from_slice(bytes);
            let has_fields = match self.settings.cut {
                Cut::Delimited { delimiter, .. } => held.contains(&delimiter),
                _ => false,
            };
            self.header = Some(Header { name: text.name().into(), bytes: held, has_fields });
            return Ok(());
        };
        if self.without_frame(&first.bytes) != self.without_frame(bytes) {
            return Err(Error::Headers { first: first.name.clone(), other: text.name().into() });
        }
        Ok(())
    }

    fn without_frame<'a>(&self, header: &'a [u8]) -> &'a [u8] {
        match self.format {
            Format::Nul => header.strip_suffix(&[0]).unwrap_or(header),
            Format::Lines => without_end(header),
            _ => without_end(header.strip_prefix(BOM).unwrap_or(header)),
        }
    }
}

/// How rows look to a reader ahead, if it knows their format.
fn form_ahead<'a>(settings: &Settings, header: Option<&'a Header>) -> Option<Form<'a>> {
    let header = header.filter(|header| header.has_fields);
    let header = header.map(|header| without_end(header.bytes.strip_prefix(BOM).unwrap_or(&header.bytes)));
    if settings.comment.is_some() {
        return None;
    }
    match settings.cut {
        Cut::Delimited { delimiter, quote } => Some(Form { delimiter: Some(delimiter), quote, header }),
        Cut::None if settings.terminator == b'\n' => Some(Form { delimiter: None, quote: None, header }),
        Cut::None | Cut::Json => None,
    }
}

/// The format that was asked for, or the one that the names agree on.
fn format(inputs: &[Input], options: &Options) -> Result<Format, Error> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let mut named = inputs
        .iter()
        .filter_map(|input| Some((input, Format::of_path(input.as_path()?)?)))
        .collect::<Vec<_>>()
        .into_iter();
    let Some((first, format)) = named.next() else { return Ok(Format::Lines) };
    match named.find(|(_, other)| *other != format) {
        Some((other, _)) => {
            let names = format!(
                "{} and {} have different formats (give the format as an option)",
                first.name(),
                other.name()
            );
            Err(Error::Options(names.into()))
        }
        None => Ok(format),
    }
}

fn settings(format: Format, options: &Options) -> Result<Settings, Error> {
    let cut = match format.fields() {
        Fields::Delimited { delimiter, quotes } => Cut::Delimited {
            delimiter: options.delimiter.unwrap_or(delimiter),
            quote: options.quotes.unwrap_or(quotes).then_some(options.quote),
        },
        Fields::Json => Cut::Json,
        Fields::One | Fields::Table => Cut::None,
    };
    if let Cut::Delimited { delimiter, quote } = cut {
        let ends = |byte| matches!(byte, b'\n' | b'\r');
        if !delimiter.is_ascii() || ends(delimiter) || Some(delimiter) == quote {
            let reason = "the delimiter must be one ASCII character other than a quote or a line ending";
            return Err(Error::Options(reason.into()));
        }
        if quote.is_some_and(|quote| !quote.is_ascii() || ends(quote)) {
            let reason = "the quote must be one ASCII character other than a line ending";
            return Err(Error::Options(reason.into()));
        }
    }
    Ok(Settings {
        cut,
        comment: options.comment,
        encoding: options.encoding,
        terminator: format.terminator().unwrap_or(b'\n'),
        names_delimiter: format == Format::Csv && options.delimiter.is_none(),
        unpack: options.unpack,
        long_window: options.long_window,
        limit: options.max_record,
        size: options.block.max(1),
        threads: if options.threads == 0 { threads(0).min(4) } else { options.threads },
    })
}
