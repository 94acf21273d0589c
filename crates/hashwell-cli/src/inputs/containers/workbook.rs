//! A sheet of an Excel workbook, as CSV.

use super::{Container, Csv, Stop};
use calamine::{DataRef, ExcelDateTime, Reader, SheetType, Xlsx, XlsxError, open_workbook};
use std::ffi::OsString;
use std::io::Write;

/// The number of rows and columns of the largest sheet that Excel allows.
const ROWS: u32 = 1 << 20;
const COLUMNS: u32 = 1 << 14;

/// Writes the rows of a sheet. The first row with a value decides the columns. The cells are read one after another; only
/// one row and the workbook's list of texts are in memory.
pub(super) fn read(name: &OsString, sheet: Option<&str>, to: &mut Csv<'_>) -> Result<(), Stop> {
    let wrong = |error: XlsxError| Stop::Is(format!("not readable as an Excel workbook: {error}"));
    let mut book: Xlsx<_> = open_workbook(name).map_err(wrong)?;
    let sheets = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheets: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let sheet = &sheets[Container::Workbook.find(&sheets, sheet)?];
    let mut cells = book.worksheet_cells_reader(sheet).map_err(wrong)?;
    let mut rows = Rows { to, first: None, next: 0, row: 0, fields: Vec::new() };
    let mut text = Vec::new();
    while let Some(cell) = cells.next_cell().map_err(wrong)? {
        text.clear();
        if !write(cell.get_value(), &mut text) {
            continue;
        }
        let (row, column) = cell.get_position();
        if row >= ROWS || column >= COLUMNS {
            let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
            return Err(Stop::Is(format!(
                "has a cell in row {row} and column {column}: the limits are {ROWS} rows and {COLUMNS} columns"
            )));
        }
        if row < rows.row {
            return Err(Stop::Is("not readable as an Excel workbook: its rows are not in order".to_owned()));
        }
        if row > rows.row {
            rows.end()?;
            rows.row = row;
        }
        if rows.fields.len() == COLUMNS as usize {
            return Err(Stop::Is(format!("has more than {COLUMNS} values in row {}", row + 1)));
        }
        rows.fields.push((column, text.clone()));
    }
    rows.end()
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
    fn end(&mut self) -> Result<(), Stop> {
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
            return Err(Stop::Is(format!(
                "cell {}{} is outside of the table: its columns are {} to {}",
                letters(*column),
                self.row + 1,
                letters(first),
                letters((end - 1) as u32)
            )));
        }
        let mut next = 0;
        for (column, text) in self.fields.drain(..) {
            let column = (column - first) as usize;
            if column < next {
                return Err(Stop::Is(format!("has two values for a cell in row {}", self.row + 1)));
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
fn write(value: &DataRef<'_>, text: &mut Vec<u8>) -> bool {
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
        DataRef::DateTime(value) => write!(text, "{}", date(*value)),
        DataRef::Error(value) => write!(text, "{value}"),
    };
    true
}

/// The shortest decimal number that is read back as the same value, without ".0". Excel does not distinguish integers.
fn number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The date, the time of day, or both, as ISO 8601. A duration is written in hours, minutes and seconds.
fn date(value: ExcelDateTime) -> String {
    /// The day after the last one that Excel can display, 9999-12-31.
    const END: f64 = 2_958_466.0;
    const MILLISECONDS: f64 = 86_400_000.0;
    let days = value.as_f64();
    if !(0.0..END).contains(&days) {
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
        _ if days < 1.0 => time,
        _ if time == "00:00:00" => date,
        _ => format!("{date}T{time}"),
    }
}
