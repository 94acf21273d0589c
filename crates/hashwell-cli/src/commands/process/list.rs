//! The list of processes.

use crate::system::report::{Failure, write_line};
use hashwell_draw::process::registry::PROCESSES;
use std::fmt::Write as _;

/// A line for each process: its name, what it is called and what it takes.
pub(super) fn print() -> Result<(), Failure> {
    let widest = PROCESSES.iter().map(|row| row.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for row in PROCESSES {
        let parameters: Vec<String> =
            row.parameters.iter().map(|parameter| format!("--{}", parameter.name)).collect();
        let _ = writeln!(text, "{:widest$}  {} ({})", row.name, row.title, parameters.join(" "));
    }
    text.push_str("\nhashwell process NAME --help: law, parameters, cost and source of one\n");
    write_line(text.as_bytes())
}
