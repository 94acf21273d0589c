//! Compares two tables: lists the rows that are only in one of them. Repeated rows are counted.

use super::digest::{escaped, many};
use super::plan::{Orders, Plan, Side, check_ignored, cut, differing_columns, listed, never_equal};
use super::read::{Pass, Window, pick};
use super::runs::{Record, Sorted, Sorter};
use super::show::{Line, rows_at};
use crate::inputs::reading::of_temporary_file;
use crate::options::table_args::DiffOptions;
use crate::system::exit::SUCCESS;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, write_line};
use hashwell_table::value::{cells, json_both, quoted, shown_both, values};
use indicatif::HumanCount;
use serde_json::json;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasher, RandomState};
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
    let ignored = listed("--ignore", &options.ignore, [a, b])?;
    check_ignored(&ignored, "--columns", &cut(&options.reading.columns, |name| a.has(name) || b.has(name)))?;
    if options.reading.columns.is_empty()
        && let Some(columns) = differing_columns(a, b, &ignored)?
    {
        say(
            options,
            &format!("different: columns {columns}"),
            &json!({ "same": false, "columns": columns }),
        )?;
        return Ok(DIFFERENT);
    }
    let plan = Plan::of(&[a, b], &options.reading, &ignored)?;
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
    never_equal(a, b, &plan, |_| false).iter().for_each(|line| complain(line));
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
    let only = [only_a, only_b].map(|only| (only.count, only.first.into_sorted_vec()));
    let numbers = [&only[0].1[..], &only[1].1[..]];
    let alike = alike([a, b], [&rows_of_a, &rows_of_b], numbers, &plan, options.reading.json)?;
    headline(options, &labels, [only[0].0, only[1].0], [total(&rows_of_a), total(&rows_of_b)])?;
    for (i, (side, rows, (count, numbers))) in
        [a, b].into_iter().zip([rows_of_a, rows_of_b]).zip(only).map(|((a, b), c)| (a, b, c)).enumerate()
    {
        let (shown, mut next) = (numbers.len() as u64, numbers.iter());
        rows_at(side, &rows, &numbers, &mut |line| {
            let cells = next.next().and_then(|number| alike[i].get(number));
            row(options, i, &line, cells.map(String::as_str))
        })?;
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
    Failure::Work(of_temporary_file(error))
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
    counts: [u64; 2],
    rows: [u64; 2],
) -> Result<(), Failure> {
    let [here, there] = counts.map(HumanCount);
    let noun = if counts[0] == 1 { "row" } else { "rows" };
    let [first, second] = rows.map(HumanCount);
    let words = format!(
        "different: {here} {noun} only in {}, {there} only in {} \
         (rows: {first} in the first table, {second} in the second)",
        labels[0], labels[1]
    );
    say(options, &words, &json!({ "same": false, "rows": rows, "only": counts }))
}

/// Finds the rows whose text is also the text of a row of the other table, although the values differ. Returns the cells that
/// differ, by the number of the row. For example, a text and a date have the same text in JSON.
fn alike(
    sides: [&Side; 2],
    rows: [&[u64]; 2],
    numbers: [&[u64]; 2],
    plan: &Plan,
    json: bool,
) -> Result<[HashMap<u64, String>; 2], Failure> {
    let mut found = [HashMap::new(), HashMap::new()];
    if numbers.iter().any(|numbers| numbers.is_empty()) {
        return Ok(found);
    }
    let state = RandomState::new();
    // For each table, the first row with each text.
    let mut firsts: [HashMap<u64, u64>; 2] = [HashMap::new(), HashMap::new()];
    let mut texts: [Vec<u64>; 2] = [Vec::new(), Vec::new()];
    for side in [0, 1] {
        let mut next = numbers[side].iter();
        rows_at(sides[side], rows[side], numbers[side], &mut |line| {
            let text = state.hash_one(line.text);
            texts[side].push(text);
            if let Some(number) = next.next() {
                firsts[side].entry(text).or_insert(*number);
            }
            Ok(())
        })?;
    }
    let mut encoded: [HashMap<u64, Vec<u8>>; 2] = [HashMap::new(), HashMap::new()];
    for side in [0, 1] {
        let all = numbers[side].iter().zip(&texts[side]);
        let shared = all.filter(|(_, text)| firsts[1 - side].contains_key(text));
        let shared: Vec<u64> = shared.map(|(number, _)| *number).collect();
        pick(sides[side], plan, rows[side], &shared, &mut |i, _, row| {
            encoded[side].insert(shared[i], row.to_vec());
            Ok(())
        })?;
    }
    for side in [0, 1] {
        for (number, text) in numbers[side].iter().zip(&texts[side]) {
            let other = firsts[1 - side].get(text).and_then(|other| encoded[1 - side].get(other));
            let Some((own, other)) = encoded[side].get(number).zip(other) else { continue };
            let both = cells(&plan.names, values(own)).zip(cells(&plan.names, values(other)));
            let differ = both.filter(|((_, own), (_, other))| own != other);
            let cells: Vec<String> = differ
                .map(|((name, own), (_, other))| match json {
                    true => format!("{}:{}", quoted(name), json_both(own, other)[0]),
                    false => format!("{name}: {}", shown_both(own, other)[0]),
                })
                .collect();
            if !cells.is_empty() {
                found[side].insert(*number, cells.join(if json { "," } else { "; " }));
            }
        }
    }
    Ok(found)
}

/// Prints a row. `cells` are the cells that distinguish it from a row of the other table with the same text.
fn row(options: &DiffOptions, side: usize, line: &Line<'_>, cells: Option<&str>) -> Result<(), Failure> {
    let text = if options.reading.json {
        let mut text = json!({ "only": side, "place": line.place, "row": line.text }).to_string();
        if let Some(cells) = cells {
            text.pop();
            text += &format!(",\"cells\":{{{cells}}}}}");
        }
        text + "\n"
    } else {
        let cells = cells.map_or_else(String::new, |cells| format!("  ({})", escaped(cells)));
        format!("{} {}  {}{cells}\n", MARKS[side], escaped(line.place), escaped(line.text))
    };
    write_line(text.as_bytes())
}
