//! Reads labels, weights and keys from columns of Arrow tables.

use super::batch::{Texts, Weights};
use super::keys::{Reading, value, whole};
use crate::boundary::arrow::{capsule, malformed, stream_of};
use crate::boundary::errors::{self, exception};
use hashwell_arrow::export::schema;
use hashwell_arrow::{Field, Kind, Layout, Malformed, Node, Unpacker, unpack_field};
use hashwell_draw::row_sampling::{Value, Weigher};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ops::Range;

/// The indices of the columns of a table.
pub(super) struct Columns {
    pub(super) weight: Option<usize>,
    pub(super) labels: Vec<usize>,
    pub(super) keys: Vec<usize>,
}

impl Columns {
    pub(super) fn of(
        field: &Field,
        weight: Option<&String>,
        labels: &[String],
        keys: &[String],
    ) -> PyResult<Self> {
        let all = |names: &[String], what| {
            let place = |name: &String| {
                let place = place(field, name)?;
                is_key(&field.children[place]).then_some(place).ok_or_else(|| {
                    let which = "expected strings, bytes, integers or booleans";
                    refused(what, name, field, place, which)
                })
            };
            names.iter().map(place).collect::<PyResult<Vec<_>>>()
        };
        let weight = weight.map(|name| {
            let place = place(field, name)?;
            is_weight(&field.children[place]).then_some(place).ok_or_else(|| {
                refused("weights", name, field, place, "expected floats, integers or decimals")
            })
        });
        Ok(Self {
            weight: weight.transpose()?,
            labels: all(labels, "stratify")?,
            keys: all(keys, "group_by")?,
        })
    }
}

fn refused(what: &str, name: &str, field: &Field, place: usize, which: &str) -> PyErr {
    exception::<PyTypeError>(format!(
        "{what}: column '{name}' has the type {}: {which} (cast the column)",
        errors::arrow_type(&field.children[place].format)
    ))
}

/// Returns the index of the column with this name. There must be exactly one.
fn place(field: &Field, name: &str) -> PyResult<usize> {
    if field.kind != Kind::Struct {
        return Err(exception::<PyTypeError>(format!(
            "no column '{name}': got a single column, expected a table"
        )));
    }
    let mut places = (0..field.children.len()).filter(|place| field.children[*place].name == name);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => {
            Err(exception::<PyValueError>(format!("several columns have the name '{name}': rename them")))
        }
        (None, _) => {
            const MOST: usize = 20;
            let names: Vec<&str> = field.children.iter().take(MOST).map(|child| &child.name[..]).collect();
            let more = if field.children.len() > MOST { ", …" } else { "" };
            let names = names.join(", ");
            Err(exception::<PyValueError>(format!("no column '{name}'; the columns are {names}{more}")))
        }
    }
}

/// The type of the values of a dictionary or of run-end encoded data.
fn inner(field: &Field) -> &Field {
    match (&field.dictionary, field.layout) {
        (Some(values), _) => inner(values),
        (None, Layout::Runs) => inner(&field.children[1]),
        _ => field,
    }
}

fn is_key(field: &Field) -> bool {
    matches!(inner(field).kind, Kind::Text | Kind::Binary | Kind::Int { .. } | Kind::Bool | Kind::Null)
}

fn is_weight(field: &Field) -> bool {
    match inner(field).kind {
        Kind::Float | Kind::Int { .. } | Kind::Null => true,
        Kind::Decimal { scale } => scale >= 0 && matches!(inner(field).layout, Layout::Fixed(4 | 8 | 16)),
        _ => false,
    }
}

/// Returns the labels of these rows as texts.
pub(super) fn texts(field: &Field, node: &Node, columns: &[usize], rows: Range<usize>) -> PyResult<Texts> {
    let (mut texts, reading) = (Texts::default(), Reading::of(field, node, columns, rows.clone()));
    rows.into_iter().try_for_each(|row| texts.push_with(|out| reading.write(row, out)))?;
    Ok(texts)
}

/// Returns the weights of these rows. `before` is the number of rows in the stream before the first of them.
pub(super) fn weights(
    weigher: &Weigher,
    (field, node): (&Field, &Node),
    rows: Range<usize>,
    before: u64,
) -> PyResult<Weights> {
    if let Some(floats) = floats(weigher, field, node, rows.clone())? {
        return Ok(Weights::Floats(floats));
    }
    let mut weights = Weights::default();
    let mut out = Vec::new();
    for (row, number) in rows.zip(before + 1..) {
        weights.push(match float(field, node, row).and_then(|weight| weigher.quick(weight)) {
            Some(weight) => weight,
            None => {
                out.clear();
                weight(field, node, row, &mut out).map_err(malformed)?;
                of_text(weigher, &out, number)?
            }
        })?;
    }
    Ok(weights)
}

/// Returns the weights of rows of a column of doubles, if none is null and all are finite and not negative. The result
/// is the same as if they were read one by one.
fn floats(weigher: &Weigher, field: &Field, node: &Node, rows: Range<usize>) -> PyResult<Option<Vec<f64>>> {
    let is_plain = weigher.takes_floats()
        && field.kind == Kind::Float
        && field.dictionary.is_none()
        && node.layout() == Layout::Fixed(size_of::<f64>())
        && node.nulls() == 0;
    let bytes = node.fixed().ok().filter(|_| is_plain);
    let Some((values, [])) = bytes.map(<[u8]>::as_chunks) else { return Ok(None) };
    let Some(values) = values.get(rows) else { return Ok(None) };
    let mut floats = Vec::new();
    floats.try_reserve_exact(values.len()).map_err(|_| errors::no_memory(None))?;
    floats.extend(values.iter().map(|value| f64::from_ne_bytes(*value)));
    let is_weight = |weight: &f64| *weight >= 0.0 && weight.is_finite();
    // The loop has no early exit, so that the compiler can vectorize it.
    let all = floats.iter().fold(true, |all, weight| all & is_weight(weight));
    Ok(all.then_some(floats))
}

fn of_text(weigher: &Weigher, text: &[u8], number: u64) -> PyResult<Value> {
    weigher.of_text(text).map_err(|wrong| exception::<PyValueError>(errors::weight(number, &wrong)))
}

/// Returns a double that is not null. This is the fast path.
#[inline]
fn float(field: &Field, node: &Node, row: usize) -> Option<f64> {
    if field.kind != Kind::Float || !node.is_valid(row) {
        return None;
    }
    node.bytes(row).ok()?.try_into().ok().map(f64::from_ne_bytes)
}

/// Appends the text of a weight: the shortest digits that identify the float within its own type, which may be narrower
/// than a double.
fn weight(field: &Field, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let Some((field, node, row)) = value(field, node, row)? else { return Ok(()) };
    match field.kind {
        Kind::Int { signed } => whole(node.number(row, signed)?, out),
        Kind::Float => {
            let bytes = node.bytes(row)?;
            let text = match bytes.len() {
                2 => hashwell_arrow::f16_to_f32(u16::from_ne_bytes(bytes.try_into().unwrap_or_default()))
                    .to_string(),
                4 => f32::from_ne_bytes(bytes.try_into().unwrap_or_default()).to_string(),
                _ => f64::from_ne_bytes(bytes.try_into().unwrap_or_default()).to_string(),
            };
            out.extend_from_slice(text.as_bytes());
        }
        Kind::Decimal { scale } => {
            let bytes = node.bytes(row)?;
            let number = match bytes.len() {
                16 => i128::from_ne_bytes(bytes.try_into().unwrap_or_default()),
                _ => node.number(row, true)?,
            };
            out.extend_from_slice(format!("{number}e-{scale}").as_bytes());
        }
        _ => {}
    }
    Ok(())
}

/// Sampled rows of an Arrow stream, as returned by hashwell.sample().
///
/// Any library that reads Arrow streams accepts this object.
///
/// Examples:
///     >>> import hashwell, pyarrow
///     >>> state = hashwell.Reservoir(2, seed="0877")
///     >>> state.update(pyarrow.table({"id": [1, 2, 3]}))
///     >>> pyarrow.table(state.result())["id"].to_pylist()
///     [2, 3]
#[pyclass(frozen, module = "hashwell._native", name = "ArrowRows")]
pub(crate) struct ArrowRows {
    field: Field,
    rows: Vec<Vec<u8>>,
}

#[pymethods]
impl ArrowRows {
    /// Make the object from the encoded rows and their encoded type.
    #[new]
    fn new(header: &[u8], rows: Vec<Vec<u8>>) -> PyResult<Self> {
        let mut left = header;
        let field = unpack_field(&mut left).map_err(crate::boundary::arrow::from_arrow)?;
        if !left.is_empty() {
            return Err(malformed("an encoded type is too long"));
        }
        let rows = Self { field, rows };
        rows.unpacked().map_err(malformed)?;
        Ok(rows)
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __repr__(&self) -> String {
        format!("<hashwell.ArrowRows: {} rows>", self.rows.len())
    }

    /// Return the rows for a library that reads Arrow's C stream interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        stream_of(py, self.field.clone(), self.unpacked().map_err(malformed)?.finish())
    }

    /// Return the type of the rows.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, schema(&self.field))
    }
}

impl ArrowRows {
    fn unpacked(&self) -> Result<Unpacker, Malformed> {
        let mut columns = Unpacker::new(&self.field);
        self.rows.iter().try_for_each(|row| columns.push(row))?;
        Ok(columns)
    }
}
