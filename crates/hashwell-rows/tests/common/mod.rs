//! A reference implementation: the same rules in a simple and slow form, one byte at a time.
#![allow(dead_code, reason = "each test takes its own part")]

use hashwell_rows::{Error, Input, Options, Rows};

/// Finds rows with a state machine over single bytes. `None` if a quote is never closed.
pub(crate) fn naive(bytes: &[u8], terminator: u8, quotes: Option<u8>) -> Option<Vec<Vec<u8>>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let (mut inside, mut before, mut at) = (false, None, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        row.push(byte);
        if inside {
            if byte == b'"' && bytes.get(at + 1) == Some(&b'"') {
                row.push(b'"');
                at += 1;
            } else if byte == b'"' {
                inside = false;
            }
        } else if byte == b'"'
            && quotes.is_some_and(|delimiter| before.is_none_or(|b| b == delimiter || b == b'\n'))
        {
            inside = true;
        } else if byte == terminator {
            rows.push(std::mem::take(&mut row));
        }
        before = Some(bytes[at]);
        at += 1;
    }
    if inside {
        return None;
    }
    rows.extend(Some(row).filter(|row| !row.is_empty()));
    Some(rows)
}

/// All remaining rows.
pub(crate) fn all(rows: &mut Rows) -> Result<Vec<Vec<u8>>, Error> {
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(row.bytes().to_vec());
    }
    Ok(found)
}

/// Rows of bytes in memory.
pub(crate) fn rows(bytes: &[u8], options: &Options) -> Rows {
    Rows::open(&[Input::reader("it", std::io::Cursor::new(bytes.to_vec()))], options).unwrap()
}
