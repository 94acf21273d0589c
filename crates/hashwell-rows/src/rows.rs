//! The rows of several inputs as one stream.

use std::borrow::Cow;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use hashwell_work::threads;

use crate::ahead::{Form, What};
use crate::error::Error;
use crate::fields::{BOM, Column, Cut, Key, Of, delimited, without_end};
use crate::input::Input;
use crate::open::{self, Settings};
use crate::options::{Fields, Format, Options};
use crate::row::{Origin, Row};
use crate::table::Table;
use crate::text::Text;
use crate::texts::Texts;

/// Delimiters that are common in files.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A stream of rows.
pub struct Rows {
    inputs: Vec<Input>,
    format: Format,
    settings: Settings,
    has_header: bool,
    header: Option<Header>,
    /// The number of inputs opened.
    opened: usize,
    /// True if there was an error: parts of a row or a file may have been lost.
    stopped: bool,
    text: Option<Text>,
    table: Option<Table>,
    /// The keys of JSON objects that were looked up.
    keys: Mutex<Vec<Key>>,
    rows: u64,
    /// The number of bytes of finished inputs.
    bytes: u64,
}

/// The first file's header row.
struct Header {
    name: String,
    bytes: Vec<u8>,
    /// The line such as `sep=;` before the header; empty if there is none.
    first_line: Vec<u8>,
    /// True if the header has more than one name.
    has_fields: bool,
}

impl Header {
    /// Returns true if a row has the same names, with any line ending.
    #[inline]
    fn is_repeated(&self, row: &[u8]) -> bool {
        let header = self.bytes.strip_prefix(BOM).unwrap_or(&self.bytes);
        row.first() == header.first() && without_end(row) == without_end(header)
    }
}

impl Rows {
    /// Opens the first input that has a row or a header; the others are opened when they are needed.
    ///
    /// # Errors
    /// Returns [`Error::Options`] if options are not valid, or [`Error::Io`] if a path does not exist. All inputs are
    /// checked first, so that a long run does not fail at its end. Also returns an error if a header cannot be read.
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
            keys: Mutex::default(),
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

    /// The format of the rows.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The header row of the first file, including its terminator and the byte order mark, if present. The result is
    /// `None` if there is no header, or if all inputs are empty.
    #[must_use]
    pub fn header(&self) -> Option<&[u8]> {
        self.header.as_ref().map(|header| &header.bytes[..])
    }

    /// The first lines of the first file: the byte order mark and a line such as `sep=;`, if present, and the
    /// [`header`](Self::header). A file that begins with these lines has the same delimiter and columns.
    #[must_use]
    pub fn first_lines(&self) -> Option<Vec<u8>> {
        let Header { bytes, first_line, .. } = self.header.as_ref()?;
        let (mark, header) = bytes.split_at(if bytes.starts_with(BOM) { BOM.len() } else { 0 });
        Some([mark, first_line, header].concat())
    }

    /// The column names in the header of CSV or TSV, without their quotes; `None` if there is no such header.
    #[must_use]
    pub fn names(&self) -> Option<Vec<Cow<'_, [u8]>>> {
        let Cut::Delimited { delimiter, quote } = self.settings.cut else { return None };
        let header = self.header()?;
        let header = without_end(header.strip_prefix(BOM).unwrap_or(header));
        Some(delimited::fields(header, delimiter, quote).collect())
    }

    /// The delimiter of CSV and TSV, which the options or a line such as `sep=;` set; `None` for other formats.
    #[must_use]
    pub fn delimiter(&self) -> Option<u8> {
        let Cut::Delimited { delimiter, .. } = self.settings.cut else { return None };
        Some(delimiter)
    }

    /// The delimiter that was probably meant, if the header has only one column: a comma, semicolon, tab or bar that
    /// the header contains outside of quotes. Use it for a hint; the rows are still read with the configured delimiter.
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

    /// Guesses the delimiter of the first input. It must be possible to open this input several times
    /// ([`Input::opens_again`]). If the input begins with a line such as `sep=;`, the guess is the delimiter in this
    /// line. Otherwise, commas, semicolons, tabs and bars are tried as delimiters. A delimiter is possible if the first
    /// 1,000 rows, including the header, all have the same number of fields, and at least two. If exactly one delimiter
    /// is possible, it is the guess. Otherwise, the guess is the default of the format. The guess can be wrong for a
    /// single column of texts that contain commas.
    ///
    /// # Errors
    /// Returns the same errors as [`open`](Self::open), and [`Error::Options`] if the format has no delimiter. If the
    /// rows cannot be read with a delimiter, this is not an error, but the delimiter is not possible.
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

    /// Looks up a column by its name in the header. If the header does not contain the name, the name is read as the
    /// number of a column, counted from 1. In JSON, the name is a key of the objects.
    ///
    /// # Errors
    /// Returns [`Error::Column`] if there is no such column, if two columns have this name, or if the format has no
    /// columns. If all inputs are empty there is no error, because the column will never be read. In JSON, a key that
    /// no row has is an error at the end, if [`Row::sampling_key`] or [`Row::field_or_null`] was called for it.
    pub fn column(&self, name: &str) -> Result<Column, Error> {
        if let Some(table) = &self.table {
            return table.column(name);
        }
        let empty = self.has_header && self.header.is_none();
        let column = Column::look_up(if empty { "1" } else { name }, self.header(), self.settings.cut)?;
        if let Of::Key(key) = &column.of {
            self.keys.lock().unwrap_or_else(PoisonError::into_inner).push(key.clone());
        }
        Ok(column)
    }

    /// Skips `n` rows as fast as possible, and returns the number of rows skipped, which is less than `n` only at the
    /// end.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if an input cannot be read, [`Error::Headers`] if a later file has a different header,
    /// [`Error::TooLong`] if a quoted field is too long, or [`Error::Invalid`] if a quote is not closed or a later file
    /// sets a different delimiter. The length of rows without a long quoted field is not checked. After an error, each
    /// further call returns an error.
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

    /// Reads the next row. Returns `None` at the end.
    ///
    /// # Errors
    /// Returns the same errors as [`skip`](Self::skip), [`Error::TooLong`] for any row longer than the limit, and
    /// [`Error::Invalid`] if a row repeats the header.
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
                "the header is repeated here, as if files had been joined: give these files separately instead, or \
                 delete this line",
            )));
        }
        self.rows += 1;
        let number = self.rows - 1;
        let cut = self.settings.cut;
        Ok(self.text.as_ref().map(|text| Row { bytes: text.row(), origin: Origin::Text(text, cut), number }))
    }

    /// Reads ahead in CSV or TSV, and returns the numbers of a column for the next rows. This does not skip these rows.
    /// Each number is finite and not negative, and equals the result of [`Row::float`] for its row. There may be fewer
    /// numbers than rows, or none, because rows in an unusual form have to be read with [`next`](Self::next). Each call
    /// returns at most 1,024 numbers.
    pub fn numbers(&mut self, column: &Column) -> &[f64] {
        self.column_ahead(column, Text::read_numbers)
    }

    /// Reads ahead in CSV or TSV, like [`numbers`](Self::numbers), but returns exact numbers: each is an integer, in
    /// units of 10^-18. Only numbers without sign and exponent are read. They may have at most 19 digits, of which at
    /// most 18 are decimals.
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

    /// Reads ahead in CSV, TSV or lines, like [`numbers`](Self::numbers). Returns the texts of a column for the next
    /// rows, or, without a column, the next lines without their line endings. Each text equals the result of
    /// [`Row::sampling_key`] for its row.
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

    /// Skips the next `n` rows, whose values must have been read ahead.
    ///
    /// # Panics
    /// Panics if the values of fewer than `n` of the next rows were read ahead.
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

    /// Returns true if the rows are those of tables (Parquet), which have numbers and fields but no bytes. For such a
    /// stream, [`known_rows`](Self::known_rows) returns the number of rows, [`skip`](Self::skip) does not read the
    /// rows, and [`write_table`](Self::write_table) writes selected rows.
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.table.is_some()
    }

    /// The total number of rows, if it is known without reading the rows. It is known for tables.
    #[must_use]
    pub fn known_rows(&self) -> Option<u64> {
        self.table.as_ref().map(Table::len)
    }

    /// Writes the rows of a table with these numbers ([`Row::number`]) as Parquet, in the given order. A number may be
    /// repeated. The schema, the key-value pairs and the compression of each column stay the same. Only the pages that
    /// contain these rows are read. At a time, only one column of at most 2^20 consecutive rows is in memory.
    ///
    /// # Errors
    /// Returns [`Error::Options`] if this is not a table, [`Error::Invalid`] if a file is malformed or a number does
    /// not exist, [`Error::Io`] with the name `output` if writing to `out` fails, or [`Error::Memory`] if there is no
    /// memory to compress or decompress gzip pages. If another allocation fails, the process aborts.
    ///
    /// # Panics
    /// Panics if the Parquet reader panics, which some malformed files cause, or if memory for gzip pages runs out
    /// after it was checked.
    pub fn write_table(&self, numbers: &[u64], out: &mut (dyn Write + Send)) -> Result<(), Error> {
        self.known_table()?.write(numbers, true, out)
    }

    /// Writes the same rows as [`write_table`](Self::write_table), with uncompressed columns, for a reader in the same
    /// program.
    ///
    /// # Errors
    /// Returns the same errors as [`write_table`](Self::write_table).
    ///
    /// # Panics
    /// Panics in the same cases as [`write_table`](Self::write_table).
    pub fn write_table_uncompressed(
        &self,
        numbers: &[u64],
        out: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        self.known_table()?.write(numbers, false, out)
    }

    /// The place of the row with this number ([`Row::number`]) as "file:row", where rows are counted from 1 within each
    /// file. The result is empty if the rows are text, or if there is no row with this number.
    #[must_use]
    pub fn place_in_table(&self, number: u64) -> String {
        self.table.as_ref().map_or_else(String::new, |table| table.place(number))
    }

    fn known_table(&self) -> Result<&Table, Error> {
        self.table
            .as_ref()
            .ok_or_else(|| Error::Options("these rows come from text, not from a table".into()))
    }

    /// Skips the rows before the row with this number ([`Row::number`]), and reads this row. Returns `None` if there
    /// are fewer rows.
    ///
    /// # Errors
    /// Returns the same errors as [`next`](Self::next), and [`Error::Options`] if the row was already read or skipped.
    pub fn at(&mut self, number: u64) -> Result<Option<Row<'_>>, Error> {
        let gap = number.checked_sub(self.rows).ok_or_else(|| {
            let again =
                format!("row {number} was already read or skipped: rows can only be read in ascending order");
            Error::Options(again.into())
        })?;
        if self.skip(gap)? < gap { Ok(None) } else { self.next() }
    }

    /// The number of rows read or skipped.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.table.as_ref().map_or(self.rows, Table::at)
    }

    /// The number of bytes of decompressed text before the next row, including headers; 0 for a table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes + self.text.as_ref().map_or(0, Text::bytes)
    }

    /// Opens the next input and reads its header. Returns false after the last input.
    fn open_next(&mut self) -> Result<bool, Error> {
        self.bytes += self.text.take().map_or(0, |text| text.bytes());
        if self.stopped {
            let place = self.inputs[..self.opened].last().map_or_else(String::new, Input::name);
            return Err(Error::Invalid { place, reason: "reading stopped at an earlier error".into() });
        }
        let Some(input) = self.inputs.get(self.opened) else {
            let keys = self.keys.get_mut().unwrap_or_else(PoisonError::into_inner);
            return keys.iter().try_for_each(Key::check).map(|()| false);
        };
        self.opened += 1;
        let (mut text, begin) = open::text(input, &self.settings)?;
        if let Some(delimiter) = begin.delimiter {
            self.take_delimiter(delimiter, &text)?;
        }
        if self.has_header && text.advance()? {
            self.take_header(&text, begin.first_line)?;
        }
        self.text = Some(text);
        Ok(true)
    }

    /// Applies the delimiter set by a file. The delimiter must be the same in all files, because the first file's
    /// header is used for all of them.
    fn take_delimiter(&mut self, named: u8, text: &Text) -> Result<(), Error> {
        let is_first = self.opened == 1;
        if self.settings.comment == Some(named) {
            let reason = format!(
                "the delimiter {named:?} is set here, but it also begins comments",
                named = char::from(named)
            );
            return Err(Error::invalid(format!("{}:1", text.name()), reason));
        }
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

    /// Stores the first header. A different one in a later file is an error; byte order mark and line ending are
    /// ignored.
    fn take_header(&mut self, text: &Text, first_line: Vec<u8>) -> Result<(), Error> {
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
            self.header = Some(Header { name: text.name().into(), bytes: held, first_line, has_fields });
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

/// The row format for reading ahead, if it is supported.
fn form_ahead<'a>(settings: &Settings, header: Option<&'a Header>) -> Option<Form<'a>> {
    let header = header.filter(|header| header.has_fields);
    let header = header.map(|header| without_end(header.bytes.strip_prefix(BOM).unwrap_or(&header.bytes)));
    if settings.comment.is_some() {
        return None;
    }
    match settings.cut {
        Cut::Delimited { delimiter, quote } => Some(Form { delimiter: Some(delimiter), quote, header }),
        Cut::None | Cut::Json if settings.terminator == b'\n' => {
            Some(Form { delimiter: None, quote: None, header })
        }
        Cut::None | Cut::Json => None,
    }
}

/// The configured format, or the one that the names of the inputs agree on.
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
        if options.comment.is_some_and(|comment| comment == delimiter || Some(comment) == quote) {
            let reason = "the first character of comments must be neither the delimiter nor the quote";
            return Err(Error::Options(reason.into()));
        }
    }
    Ok(Settings {
        cut,
        comment: options.comment,
        encoding: options.encoding,
        terminator: format.terminator().unwrap_or(b'\n'),
        names_delimiter: format == Format::Csv,
        has_delimiter: options.delimiter.is_some(),
        unpack: options.unpack,
        long_window: options.long_window,
        limit: options.max_record,
        size: options.block.max(1),
        threads: if options.threads == 0 { threads(0).min(4) } else { options.threads },
    })
}
