//! Output lines of `sum`, byte for byte as coreutils writes them where coreutils has the format.

use crate::digests::choice::Choice;
use crate::digests::recipe::Keying;
use crate::system::os::name_bytes;
use data_encoding::{BASE64, HEXLOWER};
use hashwell::registry::{Parameter, Value};
use std::ffi::OsStr;

/// How digests and names are put on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `DIGEST  NAME`
    Gnu,
    /// `ALG (NAME) = DIGEST`
    Tag,
    /// `sha256-BASE64  NAME`
    Sri,
    /// `{"algorithm": …}`
    Json,
    /// The digest's bytes.
    Raw,
}

/// How digest bytes become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Hex,
    Base64,
}

/// How a line ends; names are escaped only where it is with a newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Newline,
    Nul,
}

/// Everything about an output line but its contents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) layout: Layout,
    /// Whether lines of [`Layout::Gnu`] and [`Layout::Sri`] name their file.
    pub(crate) names: bool,
    pub(crate) encoding: Encoding,
    pub(crate) end: End,
}

/// The prefix of an SRI value, for the algorithms that the W3C recommendation has.
pub(crate) fn sri_prefix(choice: Choice) -> Option<&'static str> {
    ["sha256", "sha384", "sha512"].into_iter().find(|name| choice.algorithm.name == *name)
}

impl Style {
    /// The line of one digest, terminator included.
    pub(crate) fn line(
        self,
        choice: Choice,
        keying: &Keying<'_>,
        digest: &[u8],
        name: &OsStr,
        size: u64,
    ) -> Vec<u8> {
        let text = match self.encoding {
            Encoding::Hex => HEXLOWER.encode(digest),
            Encoding::Base64 => BASE64.encode(digest),
        };
        match self.layout {
            Layout::Raw => digest.to_vec(),
            Layout::Json => json(choice, keying, digest, name, size),
            Layout::Gnu => self.text_and_name(&text, name),
            Layout::Tag => line(&choice.tag(), " (", name, &format!(") = {text}"), self.end),
            Layout::Sri => {
                let prefix = sri_prefix(choice).unwrap_or_default();
                self.text_and_name(&format!("{prefix}-{}", BASE64.encode(digest)), name)
            }
        }
    }

    fn text_and_name(self, text: &str, name: &OsStr) -> Vec<u8> {
        match self.names {
            true => line(text, "  ", name, "", self.end),
            false => line(text, "", OsStr::new(""), "", self.end),
        }
    }
}

/// A line with a name in it, which is escaped where the line's end needs it.
pub(crate) fn line(before: &str, separator: &str, name: &OsStr, after: &str, end: End) -> Vec<u8> {
    let (escape, name, end) = match end {
        End::Newline => {
            let (escape, name) = escaped(name);
            (escape, name, b'\n')
        }
        End::Nul => (&b""[..], name_bytes(name).into_owned(), 0),
    };
    [escape, before.as_bytes(), separator.as_bytes(), &name, after.as_bytes(), &[end]].concat()
}

/// The name as coreutils 9 escapes it, and the backslash that then starts the line.
pub(crate) fn escaped(name: &OsStr) -> (&'static [u8], Vec<u8>) {
    let bytes = name_bytes(name);
    if !bytes.iter().any(|b| matches!(b, b'\n' | b'\r' | b'\\')) {
        return (b"", bytes.into_owned());
    }
    let escape = |byte: &u8| match byte {
        b'\n' => b"\\n".to_vec(),
        b'\r' => b"\\r".to_vec(),
        b'\\' => b"\\\\".to_vec(),
        other => vec![*other],
    };
    (b"\\", bytes.iter().flat_map(escape).collect())
}

/// The name of a verdict: as coreutils 9.1 prints it, escaped only if it would take several lines.
pub(crate) fn escaped_if_many_lines(name: &OsStr) -> (&'static [u8], Vec<u8>) {
    let bytes = name_bytes(name);
    if bytes.contains(&b'\n') { escaped(name) } else { (b"", bytes.into_owned()) }
}

/// Names that are not UTF-8 are given in base64 beside their readable form.
fn json(choice: Choice, keying: &Keying<'_>, digest: &[u8], name: &OsStr, size: u64) -> Vec<u8> {
    let mut object = serde_json::json!({
        "algorithm": choice.algorithm.name,
        "bits": 8 * choice.output_len,
        "digest": HEXLOWER.encode(digest),
        "size": size,
    });
    for (row, value) in keying.given() {
        match (row.parameter, value) {
            (Parameter::Key, _) => object["keyed"] = true.into(),
            (Parameter::Context, Value::Text(context)) => object["derive_key"] = context.into(),
            (_, Value::Bytes(bytes)) => object["parameters"][row.name] = HEXLOWER.encode(bytes).into(),
            (_, Value::Text(text)) => object["parameters"][row.name] = text.into(),
            (_, Value::Number(number)) => object["parameters"][row.name] = number.into(),
        }
    }
    name_in(&mut object, name);
    format!("{object}\n").into_bytes()
}

/// Puts a name into a JSON object.
pub(crate) fn name_in(object: &mut serde_json::Value, name: &OsStr) {
    let bytes = name_bytes(name);
    object["name"] = String::from_utf8_lossy(&bytes).into();
    if name.to_str().is_none() {
        object["name_b64"] = BASE64.encode(&bytes).into();
    }
}
