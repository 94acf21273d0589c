//! The first keys of a race (a sample by smallest random numbers), for Spark workers, which keep the rows themselves.

use super::arrow::Columns;
use super::batch::malformed_row;
use super::keys::Reading;
use crate::boundary::arrow::{from_arrow, reader};
use crate::boundary::buffer::copied_bytes;
use crate::boundary::errors::{self, exception};
use hashwell_arrow::{Field, Kind, Layout, Node};
use hashwell_draw::{Error, Key, row_sampling};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Selects the k row keys with the smallest random numbers. They are computed from the row keys and the 32 bytes in
/// `key`.
///
/// The caller stores the rows. Each row that is selected gets the next number 0, 1, …
#[pyclass(frozen, module = "hashwell._native", name = "_Race")]
pub(crate) struct Race(Mutex<row_sampling::KeySampler>);

#[pymethods]
impl Race {
    #[new]
    #[pyo3(signature = (k, key, *, weighted, distinct))]
    fn new(k: usize, key: [u8; 32], weighted: bool, distinct: bool) -> Self {
        Self(Mutex::new(row_sampling::KeySampler::new(k, Key(key), weighted, distinct)))
    }

    /// Adds the rows of an Arrow table.
    ///
    /// The arguments are the names of the columns with keys and weights. Weights are 128-bit decimals that all have
    /// the same scale. Returns the positions of the rows that were selected, as native 64-bit integers.
    #[pyo3(signature = (data, key, weight=None))]
    fn update<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        key: String,
        weight: Option<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let Some(mut reader) = reader(data)? else { return Err(errors::no_arrow(data)) };
        let columns = Columns::of(reader.field(), weight.as_ref(), &[], &[key])?;
        let units = |place: usize| {
            let field = &reader.field().children[place];
            match (field.kind, field.layout) {
                (Kind::Decimal { .. }, Layout::Fixed(16)) => Ok(place),
                _ => Err(exception::<PyTypeError>(format!(
                    "weights must be 128-bit decimals, not {}",
                    errors::arrow_type(&field.format)
                ))),
            }
        };
        let weight = columns.weight.map(units).transpose()?;
        let entered = py.detach(|| {
            let (mut entered, mut before) = (Vec::new(), 0);
            while let Some(chunk) = reader.next_chunk().map_err(from_arrow)? {
                let (field, node) = (reader.field(), chunk.node());
                self.pass(field, node, &columns, weight, before, &mut entered).map_err(errors::from_draw)?;
                before += node.len();
            }
            Ok::<_, PyErr>(entered)
        })?;
        integers(py, &entered)
    }

    /// Returns the numbers of the rows that are still selected, in the order of their random numbers.
    ///
    /// After the call, these rows have the numbers 0, 1, … in this order.
    fn order<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let order = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).order());
        integers(py, &order)
    }
}

impl Race {
    fn pass(
        &self,
        field: &Field,
        node: &Node,
        columns: &Columns,
        weight: Option<usize>,
        before: usize,
        entered: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let keys = Reading::of(field, node, &columns.keys, 0..node.len());
        let weight = |row: usize| match weight {
            Some(place) => units(&node.children()[place], row),
            None => Err(Error::Refused {
                reason: "the selection uses weights, but the rows have none".to_owned(),
            }),
        };
        let enter = |row: usize| {
            entered.try_reserve(1).map_err(|_| Error::Memory { what: "the selected rows" })?;
            entered.push((before + row) as u64);
            Ok(())
        };
        let write = |rows: Range<usize>, ids: &mut _| keys.write_all(rows, ids);
        let mut race = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        race.update(node.len(), write, weight, enter)
    }
}

/// Returns the weight of a row in units of the scale of its column.
fn units(node: &Node, row: usize) -> Result<u64, Error> {
    let refused =
        |what: &str| Error::Refused { reason: format!("weights: row {} of the batch has {what}", row + 1) };
    if !node.is_valid(row) {
        return Err(refused("no weight"));
    }
    let bytes = node
        .bytes(row)
        .map_err(malformed_row)?
        .try_into()
        .map_err(|_| refused("a weight that is not a decimal"))?;
    u64::try_from(i128::from_ne_bytes(bytes)).map_err(|_| {
        refused("a weight that is negative, or at least 2^64 / 10^s, where s is the scale of the column")
    })
}

fn integers<'py>(py: Python<'py>, numbers: &[u64]) -> PyResult<Bound<'py, PyBytes>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    copied_bytes(py, &bytes)
}
