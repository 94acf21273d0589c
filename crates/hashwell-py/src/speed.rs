//! What `hashwell.speed` needs of the command: how to start it, and its reports as text.

use hashwell_cli::{Format, Launcher, Shown, render_report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// This interpreter, and the arguments with which it is the command. Nothing is imported from the working folder.
pub(crate) fn launcher(py: Python<'_>) -> PyResult<Launcher> {
    let executable: Option<String> = py.import("sys")?.getattr("executable")?.extract()?;
    let launcher = match executable.filter(|path| !path.is_empty()) {
        Some(path) => Launcher { program: path.into(), ..Launcher::this() },
        None => Launcher::this(),
    };
    Ok(launcher.arg("-P").arg("-m").arg("hashwell"))
}

/// A report of `hashwell speed --json` as text, markdown, asciidoc, csv, json or html.
#[pyfunction]
pub(crate) fn render_speed(
    py: Python<'_>,
    report: &str,
    format: &str,
    compare_published: bool,
    ticks: bool,
) -> PyResult<String> {
    let format = match format {
        "text" => Format::Text,
        "markdown" => Format::Markdown,
        "asciidoc" => Format::Asciidoc,
        "csv" => Format::Csv,
        "json" => Format::Json,
        "html" => Format::Html,
        other => {
            let known = "text, markdown, asciidoc, csv, json, html";
            return Err(PyValueError::new_err(format!("unknown format '{other}'; known: {known}")));
        }
    };
    py.detach(|| render_report(report, format, Shown { published: compare_published, ticks }))
        .map_err(PyValueError::new_err)
}
