//! Writes reports as JSON that is also readable by people.

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io;

/// Returns JSON with one line for each size of a row. If it were fully indented, each sample would take a line.
///
/// # Panics
/// Never panics for a report, all of whose values can be serialized.
#[must_use]
pub fn json(report: &impl Serialize) -> String {
    let mut out = Vec::new();
    let formatter = Shallow { pretty: PrettyFormatter::new(), depth: 0 };
    report.serialize(&mut Serializer::with_formatter(&mut out, formatter)).expect("memory can be written");
    out.push(b'\n');
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Indents down to the elements of `rows[].cells`, and writes each of those on one line.
struct Shallow {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

impl Shallow {
    const INDENTED: usize = 4;

    fn is_inside(&self) -> bool {
        self.depth > Self::INDENTED
    }
}

type Written = io::Result<()>;

impl Formatter for Shallow {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        self.depth += 1;
        if self.is_inside() { out.write_all(b"[") } else { self.pretty.begin_array(out) }
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        let inside = self.is_inside();
        self.depth -= 1;
        if inside { out.write_all(b"]") } else { self.pretty.end_array(out) }
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> Written {
        match self.is_inside() {
            true if first => Ok(()),
            true => out.write_all(b", "),
            false => self.pretty.begin_array_value(out, first),
        }
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        if self.is_inside() { Ok(()) } else { self.pretty.end_array_value(out) }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        self.depth += 1;
        if self.is_inside() { out.write_all(b"{") } else { self.pretty.begin_object(out) }
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        let inside = self.is_inside();
        self.depth -= 1;
        if inside { out.write_all(b"}") } else { self.pretty.end_object(out) }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> Written {
        match self.is_inside() {
            true if first => Ok(()),
            true => out.write_all(b", "),
            false => self.pretty.begin_object_key(out, first),
        }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> Written {
        if self.is_inside() { Ok(()) } else { self.pretty.end_object_value(out) }
    }
}
