//! The algorithms of the registry and the table of parameters, as text that JavaScript splits at tabs.

use crate::buffer::text;
use crate::ffi::{Code, Result, answer, fail, number};
use crate::memory::input;
use hashwell::registry::{PARAMETERS, Shape, Value, by_id};
use hashwell::{ALGORITHMS, Algorithm, Decimal, Kind, Params, fill};

/// Returns the algorithm with this number.
pub(crate) fn row(id: u32) -> Result<&'static Algorithm> {
    by_id(id).ok_or_else(|| fail(Code::UnknownName, "no algorithm has the number #", &[&number(id as usize)]))
}

/// Returns the number of the algorithm whose name or alias is at `at`.
#[unsafe(no_mangle)]
extern "C" fn find(at: usize, len: usize) -> i32 {
    answer(name(at, len).and_then(|name| Ok(hashwell::find(name)?.id as usize)))
}

/// Returns the text at `at`.
pub(crate) fn name<'a>(at: usize, len: usize) -> Result<&'a str> {
    let not_text = |_| fail(Code::Type, "text is not UTF-8", &[]);
    core::str::from_utf8(input(at, len)?).map_err(not_text)
}

/// Writes a description of algorithm `index` of the registry to the buffer: number, name, title, aliases, kind, status,
/// block size, output size, `true` or `false` for HMAC support, source, and parameters with their ranges. Returns its
/// length, or 0 if there is no such algorithm.
#[unsafe(no_mangle)]
extern "C" fn describe(index: usize) -> usize {
    let Some(row) = ALGORITHMS.get(index) else { return 0 };
    let kind = if row.kind == Kind::Xof { "stream" } else { "digest" };
    let hmac = if row.hmac { "true" } else { "false" };
    text(&|out| {
        let [id, block, output] = [row.id as usize, row.block, row.output].map(number);
        fill(out, "#\t#\t#\t", &[&id, row.name, row.title])?;
        row.aliases.iter().try_for_each(|alias| fill(out, "#,", &[alias]))?;
        fill(out, "\t#\t#\t#\t#\t#\t#\t", &[kind, row.status.name(), &block, &output, hmac, row.source])?;
        for parameter in &PARAMETERS {
            if row.takes(parameter.parameter)
                && let Some(limits) = row.limits(parameter.parameter)
            {
                let [min, max] = [limits.min, limits.max].map(|limit| Decimal::of(limit.into()));
                fill(out, "#,#,#;", &[parameter.name, &min, &max])?;
            }
        }
        Ok(())
    })
}

/// Writes a description of entry `index` of the table of parameters to the buffer: number, name, shape. Returns its
/// length, or 0 if there is no such entry.
#[unsafe(no_mangle)]
extern "C" fn describe_parameter(index: usize) -> usize {
    let Some(row) = PARAMETERS.get(index) else { return 0 };
    let shape = match row.shape {
        Shape::Bytes => "bytes",
        Shape::Text => "text",
        Shape::Number => "number",
        Shape::Flag => "flag",
    };
    text(&|out| fill(out, "#\t#\t#", &[&number(index), row.name, shape]))
}

/// Reads parameters. Each consists of its number, its length and its bytes. A numeric value has eight bytes. All are
/// little-endian.
pub(crate) fn params<'a>(mut list: &'a [u8]) -> Result<Params<'a>> {
    let mut params = Params::default();
    let bad = || fail(Code::Internal, "the list of options is truncated", &[]);
    while let Some((head, rest)) = list.split_first_chunk::<8>() {
        let [id, len] =
            [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let row = PARAMETERS.get(id as usize).ok_or_else(bad)?;
        let (bytes, rest) = rest.split_at_checked(len as usize).ok_or_else(bad)?;
        let value = match row.shape {
            Shape::Bytes => Value::Bytes(bytes),
            Shape::Text => Value::Text(core::str::from_utf8(bytes).map_err(|_| bad())?),
            Shape::Number | Shape::Flag => {
                Value::Number(u64::from_le_bytes(bytes.try_into().map_err(|_| bad())?))
            }
        };
        params.set(row.parameter, value).ok_or_else(|| {
            fail(Code::Range, "# cannot be #", &[row.quantity, &Decimal::of(value.quantity().into())])
        })?;
        list = rest;
    }
    if list.is_empty() { Ok(params) } else { Err(bad()) }
}
