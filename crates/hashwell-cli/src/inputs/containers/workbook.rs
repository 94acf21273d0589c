//! A sheet of an Excel workbook, as CSV.

use super::{Container, Csv};
use calamine::{DataRef, ExcelDateTime, Reader, SheetType, Xlsx, XlsxError};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use zip::ZipArchive;

/// The number of rows and columns of the largest sheet that Excel allows.
const ROWS: u32 = 1 << 20;
const COLUMNS: u32 = 1 << 14;

/// Writes the rows of a sheet. The first row with a value determines the columns. The cells are read one after another;
/// only one row and the workbook's list of texts are in memory.
pub(super) fn read(name: &OsString, sheet: Option<&str>, to: &mut Csv<'_>) -> Result<(), String> {
    let open = || Ok(Watched { file: BufReader::new(File::open(name)?), stopped: to.stopped });
    check(open().map_err(|error: io::Error| unreadable(&error))?)?;
    let wrong = |error: XlsxError| unreadable(&error);
    let mut book = Xlsx::new(open().map_err(|error: io::Error| unreadable(&error))?).map_err(wrong)?;
    let from_1904 = book.has_1904_epoch();
    let sheets = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheets: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let sheet = &sheets[Container::Workbook.find(&sheets, sheet)?];
    let mut cells = book.worksheet_cells_reader(sheet).map_err(wrong)?;
    let mut cell_number: u64 = 0;
    let mut rows = Rows { to, first: None, next: 0, row: 0, fields: Vec::new() };
    let mut text = Vec::new();
    while let Some(cell) = cells.next_cell().map_err(wrong)? {
        text.clear();
        cell_number += 1;
        if cell_number.is_multiple_of(LOOK) {
            rows.to.check()?;
        }
        if !write(cell.get_value(), from_1904, &mut text) {
            continue;
        }
        let (row, column) = cell.get_position();
        if row >= ROWS || column >= COLUMNS {
            let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
            return Err(format!(
                "has a cell in row {row} and column {column}: the limits are {ROWS} rows and {COLUMNS} columns"
            ));
        }
        if row < rows.row {
            return Err(unreadable(&"the rows are not in order"));
        }
        if row > rows.row {
            rows.end()?;
            rows.row = row;
        }
        if rows.fields.len() == COLUMNS as usize {
            return Err(format!("has more than {COLUMNS} values in row {}", row + 1));
        }
        rows.fields.push((column, std::mem::take(&mut text)));
    }
    rows.end()
}

fn unreadable(error: &dyn Display) -> String {
    format!("not readable as an Excel workbook: {error}")
}

/// The number of cells between two checks whether to stop.
const LOOK: u64 = 1 << 14;

/// The maximum size of a workbook's texts, and of the parts that describe the workbook, in bytes after decompression.
/// The library keeps these parts in memory.
const MOST_TEXTS: u64 = 1 << 30;
const MOST_OTHERS: u64 = 64 << 20;

/// Decompresses all parts that the library reads. The library stops reading before their ends, so it would not notice a
/// wrong checksum.
fn check(file: Watched<'_>) -> Result<(), String> {
    let mut book = ZipArchive::new(file).map_err(|error| unreadable(&error))?;
    let mut buffer = vec![0; 256 << 10];
    for number in 0..book.len() {
        let mut part = book.by_index(number).map_err(|error| unreadable(&error))?;
        let name = part.name().map_err(|error| unreadable(&error))?.to_ascii_lowercase();
        if !name.ends_with(".xml") && !name.ends_with(".rels") {
            continue;
        }
        let most = match () {
            () if name.contains("worksheets/") => u64::MAX,
            () if name.contains("sharedstrings") => MOST_TEXTS,
            () => MOST_OTHERS,
        };
        let (mut len, mut first) = (0, Vec::new());
        loop {
            let read = part.read(&mut buffer).map_err(|error| unreadable(&error))?;
            if read == 0 {
                break;
            }
            len += read as u64;
            if len > most {
                return Err(format!("{name:?} has more than {most} bytes after decompression"));
            }
            if first.len() < FIRST {
                first.extend_from_slice(&buffer[..read.min(FIRST)]);
            }
        }
        // The library allocates memory for as many strings as are declared.
        if let Some(texts) = declared(&first).filter(|texts| *texts > len) {
            return Err(format!("{name:?} has {len} bytes, but declares {texts} strings"));
        }
    }
    Ok(())
}

/// The number of bytes at the beginning of a part that are searched for its root element.
const FIRST: usize = 4 << 10;

/// The number of texts that the root element of a list of texts declares.
fn declared(first: &[u8]) -> Option<u64> {
    const ATTRIBUTE: &[u8] = b"uniqueCount=";
    let start = first.windows(ATTRIBUTE.len()).position(|window| window == ATTRIBUTE)? + ATTRIBUTE.len() + 1;
    let digits = first[start..].iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |sum: u64, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

/// A file whose reads fail after the command was asked to stop.
struct Watched<'s> {
    file: BufReader<File>,
    stopped: &'s dyn Fn() -> bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.stopped)() {
            return Err(io::Error::other("stopped"));
        }
        self.file.read(buffer)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The rows of a sheet that were read so far.
struct Rows<'a, 's> {
    to: &'a mut Csv<'s>,
    /// The first column.
    first: Option<u32>,
    /// The number of rows of the sheet that were written. Blank rows are written as blank lines, which are not rows, so
    /// that the line numbers in messages are Excel's row numbers as long as no cell contains a newline.
    next: u32,
    /// The current row, and its cells that are not blank.
    row: u32,
    fields: Vec<(u32, Vec<u8>)>,
}

impl Rows<'_, '_> {
    /// Writes the current row if it has cells.
    fn end(&mut self) -> Result<(), String> {
        let (Some(least), Some(most)) =
            (self.fields.iter().map(|field| field.0).min(), self.fields.iter().map(|field| field.0).max())
        else {
            return Ok(());
        };
        while self.next < self.row {
            self.to.end(u64::from(self.next))?;
            self.next += 1;
        }
        self.fields.sort_by_key(|field| field.0);
        let Some(first) = self.first else {
            self.first = Some(least);
            let fields = std::mem::take(&mut self.fields);
            let mut texts = Vec::with_capacity((most - least) as usize + 1);
            for (column, text) in fields {
                texts.resize((column - least) as usize, String::new());
                texts.push(String::from_utf8_lossy(&text).into_owned());
            }
            self.to.header(texts.iter().map(String::as_str))?;
            self.next += 1;
            return Ok(());
        };
        let columns = self.to.columns;
        let end = u64::from(first) + columns as u64;
        if let Some((column, _)) =
            self.fields.iter().find(|field| field.0 < first || u64::from(field.0) >= end)
        {
            return Err(format!(
                "cell {}{} is outside of the table: its columns are {} to {}",
                letters(*column),
                self.row + 1,
                letters(first),
                letters((end - 1) as u32)
            ));
        }
        let mut next = 0;
        for (column, text) in self.fields.drain(..) {
            let column = (column - first) as usize;
            if column < next {
                return Err(format!("has two values for a cell in row {}", self.row + 1));
            }
            for blank in next..column {
                self.to.field(blank, None);
            }
            self.to.field(column, Some(&text));
            next = column + 1;
        }
        for blank in next..columns {
            self.to.field(blank, None);
        }
        self.to.end(u64::from(self.row))?;
        self.next += 1;
        Ok(())
    }
}

/// The name of a column: A, …, Z, AA, …
fn letters(column: u32) -> String {
    let mut name = Vec::new();
    let mut left = u64::from(column) + 1;
    while left > 0 {
        name.push(b'A' + ((left - 1) % 26) as u8);
        left = (left - 1) / 26;
    }
    name.reverse();
    String::from_utf8(name).unwrap_or_default()
}

/// Writes a value as text. Returns false if the cell is blank.
fn write(value: &DataRef<'_>, from_1904: bool, text: &mut Vec<u8>) -> bool {
    // Writing to a list of bytes can't fail.
    let _ = match value {
        DataRef::Empty => return false,
        DataRef::Int(value) => write!(text, "{value}"),
        DataRef::Float(value) => write!(text, "{}", number(*value)),
        DataRef::String(value) | DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => {
            text.write_all(value.as_bytes())
        }
        DataRef::SharedString(value) => text.write_all(value.as_bytes()),
        DataRef::Bool(value) => write!(text, "{value}"),
        DataRef::DateTime(value) => write!(text, "{}", date(*value, from_1904)),
        DataRef::Error(value) => write!(text, "{value}"),
    };
    true
}

/// The shortest decimal number that is read back as the same value, without ".0". Excel does not distinguish integers.
fn number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The date, the time of day, or both, as ISO 8601. A duration is written in hours, minutes and seconds. In workbooks
/// whose dates are counted from 1904-01-01, that date is day 0; in others, day 0 is not a date.
fn date(value: ExcelDateTime, from_1904: bool) -> String {
    const MILLISECONDS: f64 = 86_400_000.0;
    // The day after the last one that Excel can display, 9999-12-31.
    let end = if from_1904 { 2_957_004.0 } else { 2_958_466.0 };
    let days = value.as_f64();
    if !(0.0..end).contains(&days) {
        return number(days);
    }
    let fraction = |milliseconds: u64| match milliseconds % 1000 {
        0 => String::new(),
        rest => format!(".{rest:03}"),
    };
    if value.is_duration() {
        let all = (days * MILLISECONDS).round() as u64;
        let (hours, minutes, seconds) = (all / 3_600_000, all / 60_000 % 60, all / 1000 % 60);
        return format!("{hours:02}:{minutes:02}:{seconds:02}{}", fraction(all));
    }
    let (year, month, day, hour, minute, second, milliseconds) = value.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let time = format!("{hour:02}:{minute:02}:{second:02}{}", fraction(milliseconds.into()));
    match days {
        _ if days < 1.0 && !(from_1904 && days == 0.0) => time,
        _ if time == "00:00:00" => date,
        _ => format!("{date}T{time}"),
    }
}
