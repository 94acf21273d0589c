//! The table of all algorithms and kernels by message size. `dev/evidence/kernels.md` contains it in cycles
//! per byte.

use hashwell_measure::report::{Cell, Operation, Row};
use hashwell_measure::timing::statistics::{Summary, summary};
use serde_json::{Value, json};

fn timing(cell: &Cell) -> Summary {
    summary(&cell.samples.concat())
}

/// Millions of bytes per second.
fn megabytes_per_second(cell: &Cell) -> f64 {
    cell.bytes as f64 * 1e3 / timing(cell).median
}

/// Prints the table in MB/s. A `~` marks a figure whose quartiles are more than 5 % apart.
pub fn print(rows: &[Row]) {
    let head: Vec<String> = ["32 B", "1 KiB", "16 KiB", "1 MiB"].map(|h| format!("{h:>8}")).to_vec();
    println!("{:<16}  {:<16}  {}", "MB/s", "kernel", head.join("  "));
    for row in rows {
        let cell = |cell: &Cell| {
            let noise = if timing(cell).is_wide() { "~" } else { "" };
            format!("{:>8}", format!("{noise}{:.0}", megabytes_per_second(cell)))
        };
        let cells: Vec<String> = row.cells.iter().map(cell).collect();
        println!("{:<16}  {:<16}  {}", row.algorithm, row.kernel.as_deref().unwrap_or(""), cells.join("  "));
    }
}

/// The table as JSON.
#[must_use]
pub fn json(rows: &[Row]) -> Value {
    let cell = |cell: &Cell| {
        let timing = timing(cell);
        json!({
            "message_bytes": cell.bytes, "ns": timing.median, "mb_per_s": megabytes_per_second(cell),
            "cycles_per_byte": timing.median * cell.clock_ghz / cell.bytes as f64, "wide": timing.is_wide(),
        })
    };
    let row = |row: &Row| {
        let sizes: Vec<Value> = row.cells.iter().map(cell).collect();
        let batch = row.operation == Operation::Many;
        json!({ "algorithm": row.algorithm, "kernel": row.kernel, "batch": batch, "sizes": sizes })
    };
    rows.iter().map(row).collect()
}
