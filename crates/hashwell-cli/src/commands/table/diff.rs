//! Compares two tables: lists the rows that are only in one of them. Repeated rows are counted.

use super::digest::{escaped, many};
use super::plan::{Orders, Plan, Side, differing_columns, never_equal};
use super::read::{Pass, Window};
use super::runs::{Record, Sorted, Sorter};
use super::show::{Line, rows_at};
use crate::options::table_args::DiffOptions;
use crate::system::exit::SUCCESS;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, reason, write_line};
use indicatif::HumanCount;
use serde_json::json;
use std::collections::BinaryHeap;
use std::io;

/// The exit code for tables that differ; the same as that of `diff`.
pub(super) const DIFFERENT: u8 = 1;

/// Rows that one table has more often than the other.
struct Only {
    count: u64,
    /// The smallest of their row numbers.
    first: BinaryHeap<u64>,
    most: usize,
}

impl Only {
    fn new(most: u64) -> Self {
        Self { count: 0, first: BinaryHeap::new(), most: usize::try_from(most).unwrap_or(usize::MAX) }
    }

    fn add(&mut self, row: u64) {
        self.count += 1;
        if self.first.len() < self.most {
            self.first.push(row);
        } else if let Some(mut last) = self.first.peek_mut().filter(|last| **last > row) {
            *last = row;
        }
    }
}

/// Compares two tables, and prints the differences.
pub(super) fn run(a: &Side, b: &Side, options: &DiffOptions) -> Result<u8, Failure> {
    if options.reading.columns.is_empty()
        && options.ignore.is_empty()
        && let Some(columns) = differing_columns(a, b)?
    {
        say(
            options,
            &format!("different: columns {columns}"),
            &json!({ "same": false, "columns": columns }),
        )?;
        return Ok(DIFFERENT);
    }
    let plan = Plan::without(&[a, b], &options.reading, &options.ignore)?;
    if options.reading.ordered_columns
        && let Some(orders) = Orders::differing(a, b, |name| plan.names.find(name).is_some())?
    {
        say(
            options,
            &format!("different: {}", orders.line()),
            &json!({ "same": false, "columns_order": orders.names }),
        )?;
        return Ok(DIFFERENT);
    }
    never_equal(a, b, &plan).iter().for_each(|line| complain(line));
    let half = usize::try_from(options.memory / 2).unwrap_or(usize::MAX);
    let progress = Progress::new(Some(a.len().saturating_add(b.len())));
    let pass = Pass { plan: &plan, progress: &progress, places: false };
    let (here, there) = hashwell_work::both(|| digests(a, &pass, half), || digests(b, &pass, half));
    let ((here, rows_of_a), (there, rows_of_b)) = (here?, there?);
    let [only_a, only_b] =
        compare(here, there, options.show.unwrap_or(20)).map_err(|error| temporary(&error))?;
    drop(progress);
    let total = |rows: &[u64]| rows.iter().sum::<u64>();
    if only_a.count + only_b.count == 0 {
        let rows = total(&rows_of_a);
        let noun = if rows == 1 { "row" } else { "rows" };
        say(
            options,
            &format!("the same: {} {noun}", HumanCount(rows)),
            &json!({ "same": true, "rows": rows }),
        )?;
        return Ok(SUCCESS);
    }
    let labels = [a.label(), b.label()];
    headline(options, &labels, [&only_a, &only_b], [total(&rows_of_a), total(&rows_of_b)])?;
    for (i, (side, rows, only)) in [(a, rows_of_a, only_a), (b, rows_of_b, only_b)].into_iter().enumerate() {
        let (count, shown) = (only.count, only.first.len() as u64);
        rows_at(side, &rows, &only.first.into_sorted_vec(), &mut |line| row(options, i, &line))?;
        if shown < count && !options.reading.json && shown > 0 {
            let more = HumanCount(count - shown);
            let label = escaped(&labels[i]);
            write_line(format!("{} and {more} more rows only in {label}\n", MARKS[i]).as_bytes())?;
        }
        side.check()?;
    }
    Ok(DIFFERENT)
}

/// The marks in front of rows of the first and of the second table.
const MARKS: [char; 2] = ['<', '>'];

/// Sorts the digests of all rows of a table. Also returns the number of rows in each file.
fn digests(side: &Side, pass: &Pass<'_>, memory: usize) -> Result<(Sorted, Vec<u64>), Failure> {
    let many = many("sha256")?;
    let mut sorter = Sorter::new(memory);
    let (mut files, mut before, mut out) = (Vec::with_capacity(side.files.len()), 0, Vec::new());
    for (place, found) in &side.files {
        let rows = pass.read(place, found, &mut |window: &Window<'_>| {
            out.resize(window.rows.len(), [0; 32]);
            many.digest_into(window.rows, out.as_flattened_mut())
                .map_err(|e| Failure::Work(e.to_string()))?;
            let records =
                out.iter().zip(before + window.first..).map(|(digest, row)| Record::new(digest, row));
            for record in records {
                sorter.add(record).map_err(|error| temporary(&error))?;
            }
            Ok(())
        })?;
        files.push(rows);
        before += rows;
    }
    Ok((sorter.sorted().map_err(|error| temporary(&error))?, files))
}

/// The failure of a temporary file with sorted rows.
pub(super) fn temporary(error: &io::Error) -> Failure {
    let folder = std::env::temp_dir();
    Failure::Work(format!("temporary file in {}: {}", folder.display(), reason(error)))
}

/// Matches equal rows one to one. The remaining rows are only in one table.
fn compare(mut here: Sorted, mut there: Sorted, show: u64) -> io::Result<[Only; 2]> {
    let mut only = [Only::new(show), Only::new(show)];
    let (mut a, mut b) = (here.next().transpose()?, there.next().transpose()?);
    loop {
        let order = match (&a, &b) {
            (Some(a), Some(b)) => a.digest.cmp(&b.digest),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => return Ok(only),
        };
        if let (Some(record), true) = (&a, order.is_lt()) {
            only[0].add(record.row);
        }
        if let (Some(record), true) = (&b, order.is_gt()) {
            only[1].add(record.row);
        }
        if order.is_le() {
            a = here.next().transpose()?;
        }
        if order.is_ge() {
            b = there.next().transpose()?;
        }
    }
}

fn say(options: &DiffOptions, words: &str, json: &serde_json::Value) -> Result<(), Failure> {
    let line = if options.reading.json { format!("{json}\n") } else { format!("{}\n", escaped(words)) };
    write_line(line.as_bytes())
}

fn headline(
    options: &DiffOptions,
    labels: &[String; 2],
    only: [&Only; 2],
    rows: [u64; 2],
) -> Result<(), Failure> {
    let counts = only.map(|only| only.count);
    let [here, there] = counts.map(HumanCount);
    let noun = if counts[0] == 1 { "row" } else { "rows" };
    let (of_a, of_b) = (HumanCount(rows[0]), HumanCount(rows[1]));
    let words = format!(
        "different: {here} {noun} only in {}, {there} only in {} (of {of_a} and {of_b})",
        labels[0], labels[1]
    );
    say(options, &words, &json!({ "same": false, "rows": rows, "only": counts }))
}

fn row(options: &DiffOptions, side: usize, line: &Line<'_>) -> Result<(), Failure> {
    let text = match options.reading.json {
        true => format!("{}\n", json!({ "only": side, "place": line.place, "row": line.text })),
        false => format!("{} {}  {}\n", MARKS[side], escaped(line.place), escaped(line.text)),
    };
    write_line(text.as_bytes())
}
