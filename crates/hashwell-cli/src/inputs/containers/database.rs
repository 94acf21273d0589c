//! A table of an SQLite database, as CSV.

use super::{Container, Csv, Stop};
use data_encoding::BASE64;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};
use std::ffi::OsString;
use std::io::Write;

/// Writes the rows of a table in the order of their rowid, or of the primary key if the table has no rowid.
pub(super) fn read(name: &OsString, table: Option<&str>, to: &mut Csv<'_>) -> Result<(), Stop> {
    let wrong = |error: Error| Stop::Is(format!("not readable as an SQLite database: {}", of(&error)));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(name, flags).map_err(wrong)?;
    // All statements see the same state of the database.
    database.execute_batch("BEGIN").map_err(wrong)?;
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
        .prepare("SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid")
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
    Ok(())
}

/// A name of the rowid that no column has.
fn rowid(columns: &[(String, u32)]) -> Result<String, Stop> {
    let is_free = |name: &&str| columns.iter().all(|(column, _)| !column.eq_ignore_ascii_case(name));
    let free = ["rowid", "_rowid_", "oid"].into_iter().find(is_free);
    free.map(str::to_owned)
        .ok_or_else(|| Stop::Is("its columns hide the rowid, so its rows have no order".to_owned()))
}

fn primary_key(columns: &[(String, u32)]) -> String {
    let mut key: Vec<&(String, u32)> = columns.iter().filter(|(_, place)| *place > 0).collect();
    key.sort_by_key(|(_, place)| *place);
    key.iter().map(|(name, _)| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// A name as SQL.
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
