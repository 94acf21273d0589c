//! The table algorithm and kernel × message size, as `docs/backends.md` has it.

use hashwell_measure::engine::plan::KERNELS;
use hashwell_measure::report::{Cell, Operation, Row};
use hashwell_measure::timing::statistics::{Summary, summary};
use serde_json::{Value, json};

fn timing(cell: &Cell) -> Summary {
    summary(&cell.samples.concat())
}

/// 10^6 bytes per second.
fn megabytes_per_second(cell: &Cell) -> f64 {
    cell.bytes as f64 * 1e3 / timing(cell).median
}

/// Prints the table, in MB/s or, as Markdown for `docs/backends.md`, in core cycles per byte; `~` where the
/// quartiles are more than 5 % apart.
pub fn print(rows: &[Row], markdown: bool) {
    let (open, between, close) = if markdown { ("| ", " | ", " |") } else { ("", "  ", "") };
    let unit = if markdown { "cycles/byte" } else { "MB/s" };
    let head: Vec<String> = ["32 B", "1 KiB", "16 KiB", "1 MiB"].map(|h| format!("{h:>8}")).to_vec();
    println!("{open}{unit:<16}{between}{:<14}{between}{}{close}", "kernel", head.join(between));
    if markdown {
        println!("|---|---|{}", "---:|".repeat(KERNELS.len()));
    }
    for row in rows {
        let cell = |cell: &Cell| {
            let timing = timing(cell);
            let noise = if timing.is_wide() { "~" } else { "" };
            let figure = if markdown {
                format!("{noise}{:.2}", timing.median * cell.clock_ghz / cell.bytes as f64)
            } else {
                format!("{noise}{:.0}", megabytes_per_second(cell))
            };
            format!("{figure:>8}")
        };
        let cells: Vec<String> = row.cells.iter().map(cell).collect();
        println!(
            "{open}{:<16}{between}{:<14}{between}{}{close}",
            row.algorithm,
            row.kernel.as_deref().unwrap_or(""),
            cells.join(between)
        );
    }
}

/// The table for programs.
#[must_use]
pub fn json(rows: &[Row]) -> Value {
    let cell = |cell: &Cell| {
        let timing = timing(cell);
        let rate = megabytes_per_second(cell);
        json!({ "message_bytes": cell.bytes, "ns": timing.median, "mb_per_s": rate, "wide": timing.is_wide() })
    };
    let row = |row: &Row| {
        let sizes: Vec<Value> = row.cells.iter().map(cell).collect();
        let batch = row.operation == Operation::Many;
        json!({ "algorithm": row.algorithm, "kernel": row.kernel, "batch": batch, "sizes": sizes })
    };
    rows.iter().map(row).collect()
}
