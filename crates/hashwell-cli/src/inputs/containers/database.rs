//! A table of an SQLite database, as CSV.

use super::{Container, Csv};
use crate::inputs::reading::of_copy;
use crate::system::report::reason;
use data_encoding::BASE64;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes the rows of a table in the order of their rowid, or of the primary key if the table has no rowid.
pub(super) fn read(name: &OsString, table: Option<&str>, to: &mut Csv<'_>) -> Result<(), String> {
    let wrong = |error: Error| format!("not readable as an SQLite database: {}", of(&error));
    let copy = Copied::of(name).map_err(|error| reason(&error))?;
    let database = copy.open(name).map_err(wrong)?;
    // All statements see the same state of the database.
    database.execute_batch("PRAGMA trusted_schema = OFF; BEGIN").map_err(wrong)?;
    let tables: Vec<(String, bool)> = database
        .prepare(
            "SELECT name, wr FROM pragma_table_list \
             WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
        )
        .and_then(|mut list| list.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(wrong)?;
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    let (table, has_no_rowid) = &tables[Container::Database.find(&names, table)?];
    let columns: Vec<(String, u32)> = database
        .prepare("SELECT name, pk FROM pragma_table_xinfo(?1) ORDER BY cid")
        .and_then(|mut list| list.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(wrong)?;
    let order = if *has_no_rowid { primary_key(&columns) } else { rowid(&columns)? };
    let statement = format!("SELECT * FROM {} ORDER BY {order}", quoted(table));
    let mut statement = database.prepare(&statement).map_err(wrong)?;
    to.header(statement.column_names())?;
    let count = statement.column_count();
    let mut rows = statement.query(()).map_err(wrong)?;
    let (mut number, mut text) = (0, Vec::new());
    while let Some(row) = rows.next().map_err(wrong)? {
        for column in 0..count {
            text.clear();
            // Writing to a list of bytes can't fail.
            let _ = match row.get_ref(column).map_err(wrong)? {
                ValueRef::Null => {
                    to.field(column, None);
                    continue;
                }
                ValueRef::Integer(value) => write!(text, "{value}"),
                ValueRef::Real(value) => write!(text, "{value:?}"),
                ValueRef::Text(value) => text.write_all(value),
                ValueRef::Blob(value) => write!(text, "{}", BASE64.encode_display(value)),
            };
            to.field(column, Some(&text));
        }
        to.end(number)?;
        number += 1;
    }
    drop(rows);
    // If a transaction was committed while the database was read, its log was not read.
    match copy {
        Copied::Nothing if journals(Path::new(name)).iter().any(|path| has_bytes(path)) => {
            Err("changed while it was being read".to_owned())
        }
        _ => Ok(()),
    }
}

/// The files that SQLite reads.
enum Copied {
    /// Only the database itself. SQLite is told that it does not change, and so creates no files next to it.
    Nothing,
    /// Copies of the database and of the log of transactions that are not in it yet. SQLite merges them.
    Folder(tempfile::TempDir),
}

impl Copied {
    fn of(name: &OsString) -> io::Result<Self> {
        let journals = journals(Path::new(name));
        if !journals.iter().any(|path| has_bytes(path)) {
            return Ok(Self::Nothing);
        }
        let folder = tempfile::tempdir()?;
        let copy = folder.path().join(COPY);
        std::fs::copy(name, &copy).map_err(of_copy)?;
        for (from, to) in journals.iter().zip(self::journals(&copy)) {
            if has_bytes(from) {
                std::fs::copy(from, to).map_err(of_copy)?;
            }
        }
        Ok(Self::Folder(folder))
    }

    fn open(&self, name: &OsStr) -> Result<Connection, Error> {
        match self {
            Self::Nothing => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX
                    | OpenFlags::SQLITE_OPEN_URI;
                Connection::open_with_flags(uri(Path::new(name)), flags)
            }
            Self::Folder(folder) => {
                let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Connection::open_with_flags(folder.path().join(COPY), flags)
            }
        }
    }
}

/// The name of a copied database.
const COPY: &str = "copy";

/// The paths of the write-ahead log and of the rollback journal of a database.
fn journals(database: &Path) -> [PathBuf; 2] {
    ["-wal", "-journal"].map(|end| {
        let mut path = database.as_os_str().to_owned();
        path.push(end);
        path.into()
    })
}

fn has_bytes(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.len() > 0)
}

/// The URI of a database that does not change while it is read.
fn uri(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut uri = "file:".to_owned();
    // A path of Windows begins with a drive.
    if !bytes.starts_with(b"/") {
        uri.push('/');
    }
    for &byte in bytes {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => {
                let _ = write!(uri, "%{byte:02x}");
            }
        }
    }
    uri + "?immutable=1"
}

/// A name of the rowid that is not the name of a column. Computed columns count as columns.
fn rowid(columns: &[(String, u32)]) -> Result<String, String> {
    let is_free = |name: &&str| columns.iter().all(|(column, _)| !column.eq_ignore_ascii_case(name));
    let free = ["rowid", "_rowid_", "oid"].into_iter().find(is_free);
    free.map(str::to_owned)
        .ok_or_else(|| "the columns of the table hide its rowid, so the rows have no order".to_owned())
}

fn primary_key(columns: &[(String, u32)]) -> String {
    let mut key: Vec<&(String, u32)> = columns.iter().filter(|(_, place)| *place > 0).collect();
    key.sort_by_key(|(_, place)| *place);
    key.iter().map(|(name, _)| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// A name as a quoted SQL identifier.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// SQLite's message, without the statement.
fn of(error: &Error) -> String {
    match error {
        Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    }
}
