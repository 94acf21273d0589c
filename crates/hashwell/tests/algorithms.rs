//! The table of docs/algorithms.md, to which a link is beside this file, is the registry.

use hashwell::{ALGORITHMS, Algorithm, KernelInfo, Kind};

fn line(algorithm: &Algorithm) -> String {
    let kind = match algorithm.kind {
        Kind::Fixed => "digest",
        Kind::Xof => "stream",
    };
    let names = |rows: Vec<KernelInfo>| rows.iter().map(|k| k.name).collect::<Vec<_>>().join(", ");
    format!(
        "| `{}` | {} | {kind} | {} | {} | {} | {} |",
        algorithm.name,
        algorithm.title,
        algorithm.status.name(),
        names(algorithm.kernels()),
        names(algorithm.batch_kernels()),
        algorithm.source
    )
}

#[test]
fn every_row_is_in_the_table() {
    let page = include_str!("algorithms.md");
    let table: Vec<String> = ALGORITHMS.iter().map(line).collect();
    let printed: Vec<&str> = page.lines().filter(|l| l.starts_with("| `")).collect();
    assert_eq!(printed, table, "the table should be:\n{}", table.join("\n"));
}
