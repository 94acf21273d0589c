//! `hashwell algorithms`: the registry, and what this CPU runs.

use crate::SUCCESS;
use crate::args::AlgorithmsOptions;
use crate::report::{Failure, write_line};
use hashwell::{ALGORITHMS, Algorithm, Kind};

pub(crate) fn run(options: &AlgorithmsOptions) -> Result<u8, Failure> {
    let text = if options.json { json() } else { table() };
    write_line(text.as_bytes())?;
    Ok(SUCCESS)
}

fn kind(algorithm: &Algorithm) -> &'static str {
    match algorithm.kind {
        Kind::Fixed => "digest",
        Kind::Xof => "stream",
    }
}

fn json() -> String {
    let row = |a: &Algorithm| {
        let kernel = |k: &hashwell::KernelInfo| serde_json::json!({ "name": k.name, "available": k.available, "chosen": k.chosen });
        serde_json::json!({
            "name": a.name,
            "title": a.title,
            "aliases": a.aliases,
            "kind": kind(a),
            "status": a.status.name(),
            "block_bytes": a.block,
            "output_bits": 8 * a.output,
            "hmac": a.hmac,
            "source": a.source,
            "kernels": a.kernels().iter().map(kernel).collect::<Vec<_>>(),
            "batch_kernels": a.batch_kernels().iter().map(kernel).collect::<Vec<_>>(),
        })
    };
    let rows: Vec<_> = ALGORITHMS.iter().map(row).collect();
    format!("{}\n", serde_json::Value::from(rows))
}

/// The chosen kernel is marked `*`, one that this CPU lacks is in brackets.
fn table() -> String {
    let head = ["NAME", "KIND", "STATUS", "BLOCK", "BITS", "KERNELS", "FOR MANY MESSAGES", "SOURCE"]
        .map(str::to_owned);
    let rows: Vec<[String; 8]> = std::iter::once(head).chain(ALGORITHMS.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..8).map(width).collect();
    let line = |row: &[String; 8]| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    let note = "\nBLOCK and BITS: bytes per compression or permutation, default output. KERNELS: * is chosen, \
                [] needs another CPU.\n";
    rows.iter().map(line).chain([note.to_owned()]).collect()
}

fn row(a: &Algorithm) -> [String; 8] {
    let kernel = |k: &hashwell::KernelInfo| match (k.chosen, k.available) {
        (true, _) => format!("*{}", k.name),
        (false, true) => k.name.to_owned(),
        (false, false) => format!("[{}]", k.name),
    };
    [
        a.name.to_owned(),
        kind(a).to_owned(),
        a.status.name().to_owned(),
        a.block.to_string(),
        (8 * a.output).to_string(),
        a.kernels().iter().map(kernel).collect::<Vec<_>>().join(" "),
        a.batch_kernels().iter().map(kernel).collect::<Vec<_>>().join(" "),
        a.source.to_owned(),
    ]
}
