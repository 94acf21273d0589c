//! Files that are converted in a temporary file before they are read: a table of an Excel workbook or an SQLite
//! database to CSV, and an Arrow IPC file to Parquet.

mod arrow;
#[cfg(feature = "sqlite")]
mod database;
#[cfg(feature = "excel")]
mod workbook;

use super::reading::{Stamp, of_copy, temporary_file};
use crate::options::form_args::FormOptions;
use crate::system::panics::caught;
use crate::system::report::{Failure, printable, reason};
use hashwell_rows::Format;
use hashwell_text_table::write::{csv_header, csv_text};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::Path;

/// A file that is converted before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// An Excel workbook, whose tables are sheets.
    Workbook,
    /// An SQLite database.
    Database,
    /// An Arrow IPC file or stream, which contains one table.
    Arrow,
}

/// The first bytes of an SQLite database.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

impl Container {
    /// The kind of container that the name of a file indicates. Because many programs use the extension .db for other
    /// formats, such a file must also begin like an SQLite database.
    pub(crate) fn of(name: &OsStr) -> Option<Self> {
        match &Path::new(name).extension()?.to_str()?.to_ascii_lowercase()[..] {
            "xlsx" | "xlsm" => Some(Self::Workbook),
            "sqlite" | "sqlite3" => Some(Self::Database),
            "arrow" | "arrows" | "feather" | "ipc" => Some(Self::Arrow),
            "db" | "db3" if is_database(name) => Some(Self::Database),
            _ => None,
        }
    }

    /// The name in messages.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Workbook => "an Excel workbook",
            Self::Database => "an SQLite database",
            Self::Arrow => "an Arrow file",
        }
    }

    /// The format to which it is converted.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Workbook | Self::Database => Format::Csv,
            Self::Arrow => Format::Parquet,
        }
    }

    /// Returns true if it can contain several tables, of which `--table` chooses one.
    fn has_tables(self) -> bool {
        self != Self::Arrow
    }

    /// The name of its tables in messages.
    fn parts(self) -> &'static str {
        match self {
            Self::Workbook => "sheets",
            Self::Database | Self::Arrow => "tables",
        }
    }

    /// Converts a table in a temporary file without a name. `table` is the name of the table, which can be
    /// missing if there is only one. Returns `None` if `stopped` returned true.
    pub(crate) fn copy(
        self,
        name: &OsString,
        table: Option<&str>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<File>, Failure> {
        let fail = |why: &str| Failure::Work(format!("{}: {why}", printable(name)));
        // Opening a pipe would wait for a writer.
        let data = std::fs::metadata(name).map_err(|error| fail(&reason(&error)))?;
        if !data.is_file() {
            return Err(fail(&format!("{} must be a regular file", self.title())));
        }
        let stamp = || File::open(name).and_then(|file| Stamp::of(&file));
        let before = stamp().map_err(|error| fail(&reason(&error)))?;
        let mut copy = temporary_file().map_err(|error| fail(&reason(&error)))?;
        // The libraries' readers may panic on malformed files.
        let read = caught(|| self.read(name, table, &mut copy, stopped));
        let end = read.unwrap_or_else(|| Err(format!("not readable as {}", self.title())));
        match end {
            Ok(()) => {}
            Err(_) if stopped() => return Ok(None),
            Err(why) => return Err(fail(&why)),
        }
        if stamp().is_ok_and(|after| after != before) {
            return Err(fail("changed while it was being read"));
        }
        copy.rewind().map_err(|error| fail(&reason(&error)))?;
        Ok(Some(copy))
    }

    fn read(
        self,
        name: &OsString,
        table: Option<&str>,
        to: &mut File,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        let (is_read, feature) = match self {
            Self::Workbook => (cfg!(feature = "excel"), "excel"),
            Self::Database => (cfg!(feature = "sqlite"), "sqlite"),
            Self::Arrow => return arrow::read(name, to, stopped),
        };
        if !is_read {
            let title = self.title();
            return Err(format!(
                "this build of hashwell can't read {title}: build hashwell with --features {feature}, or export the \
                 table as CSV"
            ));
        }
        let to = BufWriter::with_capacity(256 << 10, to);
        let mut to = Csv { to, line: Vec::new(), columns: 0, stopped };
        match self {
            #[cfg(feature = "excel")]
            Self::Workbook => workbook::read(name, table, &mut to)?,
            #[cfg(feature = "sqlite")]
            Self::Database => database::read(name, table, &mut to)?,
            _ => _ = table,
        }
        to.to.flush().map_err(|error| reason(&of_copy(error)))
    }

    /// Finds the table that an option names, or the only one.
    #[cfg_attr(not(any(feature = "excel", feature = "sqlite")), expect(dead_code))]
    fn find(self, tables: &[String], asked: Option<&str>) -> Result<usize, String> {
        let parts = self.parts();
        let list = || {
            let names: Vec<String> = tables.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
            let more = if tables.len() > SHOWN { ", …" } else { "" };
            format!("{}{more}", names.join(", "))
        };
        match (asked, tables) {
            (_, []) => Err(format!("contains no {parts}")),
            (None, [_]) => Ok(0),
            (None, _) => {
                Err(format!("contains {} {parts}: choose one with --table ({})", tables.len(), list()))
            }
            (Some(asked), _) => tables
                .iter()
                .position(|name| name == asked)
                .ok_or_else(|| format!("none of its {parts} is named {asked:?}: {}", list())),
        }
    }
}

/// The maximum number of tables that a message lists.
const SHOWN: usize = 20;

fn is_database(name: &OsStr) -> bool {
    let regular = Path::new(name).metadata().is_ok_and(|data| data.is_file());
    let mut first = [0; SQLITE.len()];
    regular && File::open(name).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *SQLITE
}

/// Extensions of workbooks that can't be read.
const UNREAD: [&str; 3] = ["xls", "xlsb", "ods"];

/// The container that a file is, unless an option selects a format. `zero` is `-z`.
///
/// # Errors
/// Returns an error if an option describes text, or if the file is a workbook in another format.
pub(crate) fn chosen(name: &OsStr, form: &FormOptions, zero: bool) -> Result<Option<Container>, Failure> {
    if form.asked().is_some() {
        return Ok(None);
    }
    let ending = Path::new(name).extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    if let Some(ending) = ending.filter(|ending| UNREAD.contains(&&ending[..])) {
        return Err(Failure::Usage(format!(
            "{}: .{ending} files can't be read: save the sheet as .xlsx or .csv",
            printable(name)
        )));
    }
    let Some(container) = Container::of(name) else { return Ok(None) };
    let option = form.of_text().or(zero.then_some("-z"));
    match option {
        None => Ok(Some(container)),
        Some(option) => Err(Failure::Usage(format!(
            "{option} requires text, but {} is {}",
            printable(name),
            container.title()
        ))),
    }
}

/// Returns true if a file can contain several tables, as its name indicates.
pub(crate) fn has_tables(name: &OsStr) -> bool {
    Container::of(name).is_some_and(Container::has_tables)
}

/// Returns an error if `--table` is given and none of the files has tables.
pub(crate) fn check_table<'n>(
    mut names: impl Iterator<Item = &'n OsString>,
    form: &FormOptions,
) -> Result<(), Failure> {
    if form.table().is_none() || names.any(|name| form.asked().is_none() && has_tables(name)) {
        return Ok(());
    }
    Err(Failure::Usage(NO_CONTAINER.to_owned()))
}

/// The error if `--table` is given and none of the files has tables.
pub(crate) const NO_CONTAINER: &str = "--table requires an Excel workbook (.xlsx, .xlsm) or an SQLite database \
    (.sqlite, .sqlite3, .db, .db3), without an option for the format";

/// The format in which a file is read, as its name indicates.
pub(crate) fn format_of(name: &OsStr) -> Option<Format> {
    Container::of(name).map(Container::format).or_else(|| Format::of_path(name.as_ref()))
}

/// The number of rows between two checks whether to stop.
const LOOK: u64 = 1 << 10;

/// A CSV file that is being written. An empty field is null, and `""` is the empty string.
struct Csv<'s> {
    to: BufWriter<&'s mut File>,
    line: Vec<u8>,
    columns: usize,
    stopped: &'s dyn Fn() -> bool,
}

#[cfg_attr(not(any(feature = "excel", feature = "sqlite")), expect(dead_code))]
impl Csv<'_> {
    /// Writes the first line, which decides the number of columns.
    fn header<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Result<(), String> {
        self.columns = 0;
        csv_header(names.inspect(|_| self.columns += 1), &mut self.line);
        self.write()
    }

    /// Appends a field to the current line.
    fn field(&mut self, number: usize, value: Option<&[u8]>) {
        if number > 0 {
            self.line.push(b',');
        }
        match value {
            Some(text) => csv_text(text, &mut self.line),
            // A blank line would not be a row.
            None if self.columns == 1 => self.line.extend_from_slice(b"\"\""),
            None => {}
        }
    }

    /// Ends the current line. `row` is the number of rows before it.
    fn end(&mut self, row: u64) -> Result<(), String> {
        self.line.push(b'\n');
        if row.is_multiple_of(LOOK) {
            self.check()?;
        }
        self.write()
    }

    /// Returns an error if the command was asked to stop. [`Container::copy`] does not report this error.
    fn check(&self) -> Result<(), String> {
        if (self.stopped)() { Err("stopped".to_owned()) } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), String> {
        let written = self.to.write_all(&self.line);
        self.line.clear();
        written.map_err(|error| reason(&of_copy(error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_indicate_containers() {
        let of = |name: &str| Container::of(OsStr::new(name));
        assert_eq!(of("a/Book.XLSX"), Some(Container::Workbook));
        assert_eq!(of("a.sqlite3"), Some(Container::Database));
        assert_eq!(of("a.feather"), Some(Container::Arrow));
        assert!(!has_tables(OsStr::new("a.feather")) && has_tables(OsStr::new("a.xlsm")));
        for other in ["a.csv", "xlsx", "a.xlsx.gz", "a.xls", "-", "nowhere.db"] {
            assert_eq!(of(other), None, "{other}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        std::fs::write(&path, b"SQLite format 3").unwrap();
        assert_eq!(Container::of(path.as_os_str()), None);
        std::fs::write(&path, SQLITE).unwrap();
        assert_eq!(Container::of(path.as_os_str()), Some(Container::Database));
    }
}
