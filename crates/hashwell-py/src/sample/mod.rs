//! Samples and draws: what Python gives as rows, keys and weights, and `hashwell_draw::survey` and `hwdraw` over it.
//! How each kind of object is read and made again is `python/hashwell/_sample.py`'s.

mod arrow;
mod batch;
mod keys;
mod lot;
mod race;
mod survey;
mod value;

use crate::border::immutable::add_class;
use crate::border::watch::Watch;
use pyo3::prelude::*;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<survey::Survey>(module)?;
    add_class::<Watch>(module)?;
    add_class::<race::Race>(module)?;
    add_class::<arrow::ArrowRows>(module)?;
    // Not public names: python/hashwell has the functions that call them.
    module.setattr("draw_lot", wrap_pyfunction!(lot::draw_lot, module)?)?;
    module.setattr("verify_lot", wrap_pyfunction!(lot::verify_lot, module)?)
}
