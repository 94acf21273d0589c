//! Checks if two runs on one machine agree within their confidence intervals. `agreement A.json B.json` counts the
//! figures for which the 95 % interval of the ratio doesn't contain 1. If the intervals are correct, these are about 5
//! %.

use hashwell_measure::report::{Group, Report, Row};
use hashwell_measure::timing::statistics::unpaired;

fn read(path: &str) -> Result<Report, String> {
    Report::from_json(&std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?)
}

fn same(a: &Row, b: &Row) -> bool {
    let key = |row: &Row| {
        let names = (row.algorithm.clone(), row.provider.clone(), row.variant.clone(), row.kernel.clone());
        (names, row.group, row.operation, row.messages)
    };
    key(a) == key(b)
}

fn main() -> Result<(), String> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [a, b] = &paths[..] else { return Err("agreement A.json B.json".into()) };
    let (a, b) = (read(a)?, read(b)?);
    for group in [Group::Single, Group::Kernels, Group::Threaded] {
        let mut ratios = Vec::new();
        for row in a.rows.iter().filter(|row| row.group == group) {
            let Some(other) = b.rows.iter().find(|other| same(row, other)) else { continue };
            for cell in &row.cells {
                let Some(there) = other.cells.iter().find(|there| there.bytes == cell.bytes) else {
                    continue;
                };
                let variant = row.variant.as_deref().unwrap_or_default();
                let name =
                    format!("{} {} {variant} {:?} {} B", row.title, row.provider, row.operation, cell.bytes);
                ratios.push((name, unpaired(&there.samples, &cell.samples)));
            }
        }
        if ratios.is_empty() {
            continue;
        }
        let mut changes: Vec<f64> = ratios.iter().map(|(_, ratio)| (ratio.value - 1.0).abs()).collect();
        changes.sort_by(f64::total_cmp);
        let at = |part: f64| 100.0 * changes[((changes.len() - 1) as f64 * part) as usize];
        let outside: Vec<_> = ratios.iter().filter(|(_, ratio)| ratio.excludes(1.0)).collect();
        println!(
            "{group:?}: {} of {} figures outside ({:.1} %); difference: half below {:.2} %, 95 % below {:.2} %, all below {:.1} %",
            outside.len(),
            ratios.len(),
            100.0 * outside.len() as f64 / ratios.len() as f64,
            at(0.5),
            at(0.95),
            at(1.0)
        );
        for (name, ratio) in outside {
            println!("  {:.3} [{:.3}, {:.3}] {name}", ratio.value, ratio.low, ratio.high);
        }
    }
    Ok(())
}
