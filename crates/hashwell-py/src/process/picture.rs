//! Draws plots of data that Python passes.

use super::faults::short;
use hashwell_draw::process::picture::{self, Mass};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Return a plot of a distribution, which is given as outcomes with their probabilities.
#[pyfunction(name = "_mass_picture")]
fn mass_picture(title: &str, masses: &Bound<'_, PyList>) -> PyResult<String> {
    let mass = |pair: Bound<'_, PyAny>| {
        let (outcome, mass): (Bound<'_, PyAny>, f64) = pair.extract()?;
        let place = outcome.extract().ok();
        Ok(Mass { label: short(&outcome), place, exact: Some(mass), simulated: None })
    };
    let masses = masses.iter().map(mass).collect::<PyResult<Vec<_>>>()?;
    Ok(picture::bars(title, &masses, 0))
}

/// Return a plot of the tables of a restaurant. `labels` has the table of each customer.
#[pyfunction(name = "_restaurant_picture")]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes a vector")]
fn restaurant_picture(labels: Vec<u32>) -> String {
    picture::restaurant(&labels)
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("_mass_picture", wrap_pyfunction!(mass_picture, module)?)?;
    module.setattr("_restaurant_picture", wrap_pyfunction!(restaurant_picture, module)?)
}
