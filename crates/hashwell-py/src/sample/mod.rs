//! Samples and draws: reads rows, keys and weights from Python, and passes them to `hashwell_draw::row_sampling` and
//! `hwdraw`. `python/hashwell/_sample.py` defines how each type of Python object is read and how the sample is
//! converted back to that type.

mod arrow;
mod batch;
mod draw;
mod keys;
mod race;
mod row_sampling;
mod value;

use crate::boundary::immutable::{add_class, add_private_class};
use crate::boundary::watch::Watch;
use pyo3::prelude::*;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_private_class::<row_sampling::Survey>(module)?;
    add_private_class::<Watch>(module)?;
    add_private_class::<race::Race>(module)?;
    add_class::<arrow::ArrowRows>(module)?;
    module.setattr("_draw", wrap_pyfunction!(draw::draw, module)?)?;
    module.setattr("_verify", wrap_pyfunction!(draw::verify, module)?)
}
