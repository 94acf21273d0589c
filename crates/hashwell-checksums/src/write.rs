//! Writes the lines of a list, byte for byte as coreutils writes them where coreutils has the format.
//!
//! Names are bytes, since file names need not be text.

use crate::choice::Choice;
use data_encoding::{BASE64, HEXLOWER};
use hashwell::registry::{Parameter, ParameterRow, Value};
use serde_json::Value as Json;
use std::borrow::Cow;

/// How digests and names are put on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
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
pub enum Encoding {
    /// Lower case.
    Hex,
    /// With padding.
    Base64,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Names with newlines, carriage returns and backslashes are escaped.
    Newline,
    /// Names stay as they are.
    Nul,
}

/// The style of an output line.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// How digests and names are put on a line.
    pub layout: Layout,
    /// True if lines of [`Layout::Gnu`] and [`Layout::Sri`] name their file.
    pub names: bool,
    /// True if lines of [`Layout::Gnu`] and [`Layout::Sri`] have the mark of binary mode, `*`, before the name.
    pub binary: bool,
    /// How digest bytes become text.
    pub encoding: Encoding,
    /// How a line ends.
    pub end: End,
}

/// The prefix of a subresource integrity value, for the algorithms of the W3C recommendation.
#[must_use]
pub fn sri_prefix(choice: Choice) -> Option<&'static str> {
    ["sha256", "sha384", "sha512"].into_iter().find(|name| choice.algorithm.name == *name)
}

impl Style {
    /// The line of one digest, terminator included. `parameters` are those that the digest was made with, for JSON.
    #[must_use]
    pub fn line<'p>(
        self,
        choice: Choice,
        parameters: impl IntoIterator<Item = (&'static ParameterRow, Value<'p>)>,
        digest: &[u8],
        name: &[u8],
        size: u64,
    ) -> Vec<u8> {
        let text = match self.encoding {
            Encoding::Hex => HEXLOWER.encode(digest),
            Encoding::Base64 => BASE64.encode(digest),
        };
        match self.layout {
            Layout::Raw => digest.to_vec(),
            Layout::Json => json(choice, parameters, digest, name, size),
            Layout::Gnu => self.text_and_name(&text, name),
            Layout::Tag => line(&choice.tag(), " (", name, &format!(") = {text}"), self.end),
            Layout::Sri => {
                let prefix = sri_prefix(choice).unwrap_or_default();
                self.text_and_name(&format!("{prefix}-{}", BASE64.encode(digest)), name)
            }
        }
    }

    fn text_and_name(self, text: &str, name: &[u8]) -> Vec<u8> {
        match self.names {
            true => line(text, if self.binary { " *" } else { "  " }, name, "", self.end),
            false => line(text, "", b"", "", self.end),
        }
    }
}

/// A line with a name in it, escaped if the line ends with a newline.
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

/// The name as coreutils 9 escapes it, and the backslash that then starts the line.
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

/// The name in a verification result: as coreutils 9.1 prints it, escaped only if it would take several lines.
#[must_use]
pub fn escaped_if_many_lines(name: &[u8]) -> (&'static [u8], Cow<'_, [u8]>) {
    if name.contains(&b'\n') { escaped(name) } else { (b"", name.into()) }
}

/// Names that are not UTF-8 are also given in base64.
fn json<'p>(
    choice: Choice,
    parameters: impl IntoIterator<Item = (&'static ParameterRow, Value<'p>)>,
    digest: &[u8],
    name: &[u8],
    size: u64,
) -> Vec<u8> {
    let mut object = serde_json::json!({
        "algorithm": choice.algorithm.name,
        "bits": 8 * choice.output_len,
        "digest": HEXLOWER.encode(digest),
        "size": size,
    });
    for (row, value) in parameters {
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
pub fn name_in(object: &mut Json, name: &[u8]) {
    object["name"] = String::from_utf8_lossy(name).into();
    if str::from_utf8(name).is_err() {
        object["name_b64"] = BASE64.encode(name).into();
    }
}
