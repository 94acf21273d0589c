//! The devices that can hash many messages, for `hash_many(device=…)` and `devices()`. Without the feature `accel`
//! there are none.

use crate::boundary::errors;
use hashwell::Many;
use hashwell::engine::{Engine, OnEngine};
use pyo3::prelude::*;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // `hashwell.devices` calls this function.
    module.setattr("_device_rows", wrap_pyfunction!(device_rows, module)?)
}

/// ID, kind, name, platform, driver, bytes of dedicated memory, and number of compute units.
type Row = (String, &'static str, String, String, String, Option<u64>, Option<u32>);

/// Return the devices that hash_many accepts.
///
/// Each is a tuple of the id, kind, name, platform, driver, bytes of dedicated memory, and number of compute units.
#[pyfunction(name = "_device_rows")]
fn device_rows(py: Python<'_>) -> PyResult<Vec<Row>> {
    #[cfg(feature = "accel")]
    return Ok(py.detach(|| {
        let row = |device: hashwell_accel::Device| {
            let kind = device.kind.name();
            (device.id, kind, device.name, device.platform, device.driver, device.memory, device.units)
        };
        hashwell_accel::engines().here.into_iter().map(row).collect()
    }));
    #[cfg(not(feature = "accel"))]
    {
        let _ = py;
        Err(errors::no_devices())
    }
}

/// Opens the engine with this name.
pub(crate) fn open(py: Python<'_>, id: &str) -> PyResult<Box<dyn Engine>> {
    #[cfg(feature = "accel")]
    return py.detach(|| hashwell_accel::open(id)).map_err(|error| errors::no_device(&error));
    #[cfg(not(feature = "accel"))]
    {
        let _ = (py, id);
        Err(errors::no_devices())
    }
}

/// Prepares hashing on the engine, after the engine has passed its known-answer tests.
pub(crate) fn ready<'e>(py: Python<'_>, many: &'e Many, engine: &'e dyn Engine) -> PyResult<OnEngine<'e>> {
    py.detach(|| many.on(engine)).map_err(errors::from_library)
}
