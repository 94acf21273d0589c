//! Digests of a whole table, and of each row.

use super::found::Found;
use super::place::Place;
use super::plan::{Plan, Side};
use super::read::{Pass, Window};
use crate::options::table_args::TableOptions;
use crate::system::parallel;
use crate::system::progress::Progress;
use crate::system::report::{Failure, write_line};
use data_encoding::HEXLOWER;
use hashwell::{Many, Params};
use hashwell_table::{Order, Scheme, Table};
use indicatif::HumanCount;
use serde_json::json;

/// Prints the table's digest, with its numbers of rows and columns.
pub(super) fn table(side: &Side, options: &TableOptions) -> Result<(), Failure> {
    let plan = Plan::of(&[side], &options.reading, &[])?;
    let progress = Progress::new(Some(side.len()));
    let scheme = Scheme::find(&options.scheme).unwrap_or_default();
    let mut table = Table::new(scheme, &plan.columns);
    let pass = Pass { plan: &plan, progress: &progress, places: false };
    let work = |error: hashwell_table::Error| Failure::Work(error.to_string());
    let read = |(place, found): &(Place, Found)| {
        let mut part = Table::new(scheme, &plan.columns);
        let mut add = |window: &Window<'_>| part.add_written(window.rows).map_err(work);
        pass.read(place, found, &mut add).map(|_| part)
    };
    let jobs = parallel::jobs(None, side.files.len())?;
    parallel::in_order(&side.files, jobs, read, |_, part| table.merge(part?).map_err(work))?;
    drop(progress);
    let digest = HEXLOWER.encode(&table.digest(2));
    let line = if options.reading.json {
        let order = if plan.order == Order::Declared { "declared" } else { "name" };
        let record = json!({
            "digest": digest, "scheme": scheme.name(), "rows": table.rows(), "columns": plan.names[..], "order": order,
        });
        format!("{record}\n")
    } else {
        let rows = if table.rows() == 1 { "row" } else { "rows" };
        let columns = if plan.names.len() == 1 { "column" } else { "columns" };
        let count = HumanCount(table.rows());
        let (number, names) = (plan.names.len(), plan.names.join(", "));
        format!("{digest}  {}: {count} {rows}, {number} {columns}: {}\n", scheme.name(), escaped(&names))
    };
    write_line(line.as_bytes())
}

/// Prints a digest for each row, with its place.
pub(super) fn each(side: &Side, options: &TableOptions) -> Result<(), Failure> {
    let plan = Plan::of(&[side], &options.reading, &[])?;
    let progress = Progress::beside_output(Some(side.len()));
    let name = options.algorithm.as_deref().unwrap_or("sha256");
    let many = many(name)?;
    let size = many.output_len();
    let pass = Pass { plan: &plan, progress: &progress, places: true };
    for (place, found) in &side.files {
        pass.read(place, found, &mut |window: &Window<'_>| {
            let digests = many.digest(window.rows);
            let mut lines = String::new();
            for (i, digest) in digests.chunks_exact(size).enumerate() {
                let number = || format!("{}:{}", place.name, window.first + i as u64 + 1);
                let at = window.places.get(i).cloned().unwrap_or_else(number);
                let digest = HEXLOWER.encode(digest);
                lines += &match options.reading.json {
                    true => format!("{}\n", json!({ "digest": digest, "place": at })),
                    false => format!("{digest}  {}\n", escaped(&at)),
                };
            }
            write_line(lines.as_bytes())
        })?;
    }
    Ok(())
}

/// A batch hasher for an algorithm.
pub(super) fn many(name: &str) -> Result<Many, Failure> {
    let algorithm = hashwell::find(name).map_err(|error| Failure::Usage(error.to_string()))?;
    algorithm.many(&Params::default()).map_err(|error| Failure::Usage(error.to_string()))
}

/// Escapes a text so that it fits on one line.
pub(super) fn escaped(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}
