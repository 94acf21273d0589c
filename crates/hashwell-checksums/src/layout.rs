//! Formats the lines of lists, with escaped names, and JSON objects.

use crate::choice::Choice;
use crate::stamp::{Stamp, seconds};
use data_encoding::{BASE64, HEXLOWER};
use hashwell::registry::{Parameter, ParameterRow, Value};
use serde_json::Value as Json;
use std::borrow::Cow;

/// The line ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A newline. Newlines, carriage returns and backslashes in names are escaped.
    Newline,
    /// A zero byte. Names are not escaped.
    Nul,
}

impl End {
    /// The byte at the end of each line.
    #[must_use]
    pub fn byte(self) -> u8 {
        match self {
            End::Newline => b'\n',
            End::Nul => 0,
        }
    }
}

/// Returns a line that contains a name. The name is escaped if the line ends with a newline.
#[must_use]
pub fn line(before: &str, separator: &str, name: &[u8], after: &str, end: End) -> Vec<u8> {
    let (escape, name, end) = match end {
        End::Newline => {
            let (escape, name) = escaped(name);
            (escape, name, b'\n')
        }
        End::Nul => (&b""[..], Cow::Borrowed(name), 0),
    };
    [escape, before.as_bytes(), separator.as_bytes(), &name, after.as_bytes(), &[end]].concat()
}

/// Decodes the escapes that [`escaped`] writes. Returns `None` if the name has any other escape.
#[must_use]
pub fn unescaped(name: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            },
            other => *other,
        });
    }
    Some(decoded)
}

/// Escapes a name as coreutils 9 does. Returns the prefix of the line, and the escaped name. The prefix is a backslash
/// if the name needs escaping, and empty otherwise.
#[must_use]
pub fn escaped(name: &[u8]) -> (&'static [u8], Cow<'_, [u8]>) {
    if !name.iter().any(|b| matches!(b, b'\n' | b'\r' | b'\\')) {
        return (b"", name.into());
    }
    let escape = |byte: &u8| match byte {
        b'\n' => b"\\n".to_vec(),
        b'\r' => b"\\r".to_vec(),
        b'\\' => b"\\\\".to_vec(),
        other => vec![*other],
    };
    (b"\\", name.iter().flat_map(escape).collect::<Vec<u8>>().into())
}

/// Escapes a name for a verification result. As in coreutils 9.1, a name is escaped only if it would extend over
/// several lines.
#[must_use]
pub fn escaped_if_many_lines(name: &[u8]) -> (&'static [u8], Cow<'_, [u8]>) {
    if name.contains(&b'\n') { escaped(name) } else { (b"", name.into()) }
}

/// A JSON line. A name that is not UTF-8 is also included in base64.
pub(crate) fn json<'p>(
    choice: Choice,
    parameters: impl IntoIterator<Item = (&'static ParameterRow, Value<'p>)>,
    digest: &[u8],
    name: &[u8],
    stamp: &Stamp,
) -> Vec<u8> {
    let mut object = serde_json::json!({
        "algorithm": choice.algorithm.name,
        "bits": 8 * choice.output_len,
        "digest": HEXLOWER.encode(digest),
    });
    // Times are strings, because JSON numbers are too imprecise for nanoseconds.
    let time = |time: Option<i128>| time.map(|time| Json::from(seconds(time)));
    for (key, value) in [
        ("size", stamp.size.map(Json::from)),
        ("mtime", time(stamp.mtime)),
        ("ctime", time(stamp.ctime)),
        ("inode", stamp.inode.map(Json::from)),
        ("recorded", time(stamp.recorded)),
    ] {
        if let Some(value) = value {
            object[key] = value;
        }
    }
    for (row, value) in parameters {
        match (row.parameter, value) {
            (Parameter::Key, _) => object["keyed"] = true.into(),
            (Parameter::Context, Value::Text(context)) => object["derive_key"] = context.into(),
            (_, Value::Bytes(bytes)) => object["parameters"][row.name] = HEXLOWER.encode(bytes).into(),
            (_, Value::Text(text)) => object["parameters"][row.name] = text.into(),
            (_, Value::Number(number)) => object["parameters"][row.name] = number.into(),
        }
    }
    name_in(&mut object, "name", name);
    format!("{object}\n").into_bytes()
}

/// Adds a name to a JSON object, as the member `member`. If the name is not UTF-8, a second member, whose name ends with
/// `_b64`, contains its bytes in base64.
pub fn name_in(object: &mut Json, member: &str, name: &[u8]) {
    object[member] = String::from_utf8_lossy(name).into();
    if str::from_utf8(name).is_err() {
        object[format!("{member}_b64")] = BASE64.encode(name).into();
    }
}
