//! Compares two tables by a key: finds added, removed and changed rows, and the cells that changed.
//!
//! ```text
//! both tables -> (digest of the key, digest of the rest, row) -> sorted -> joined: only here, only there, pairs
//! pairs -> read again -> cells that differ -> counts by column, lines
//! ```

use super::diff::{DIFFERENT, temporary};
use super::digest::{escaped, many};
use super::page::{Counts, Page};
use super::plan::{Orders, Plan, Side, check_ignored, listed, never_equal, types_differ};
use super::read::{Pass, Window, pick};
use super::runs::{Record, Sorted, Sorter};
use crate::options::table_args::{DiffOptions, Duplicates};
use crate::system::exit::SUCCESS;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, write_line};
use hashwell_table::value::{
    cells, is_code, json, json_both, json_typed, quoted, shown, shown_both, shown_typed, split_first, text,
    values,
};
use hashwell_table::{Order, Tolerance, Writer};
use indicatif::HumanCount;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// Compares two tables by the columns of `--key`.
pub(super) fn run(a: &Side, b: &Side, options: &DiffOptions) -> Result<u8, Failure> {
    let columns = Columns::of(a, b, options)?;
    let sides = [a, b];
    let page = Page::of(options, &sides, &columns.keys, &columns.only)?;
    let names = [&columns.keys[..], &columns.others].concat();
    let plan = Plan::with(&[a, b], names, Order::Declared, &options.reading)?;
    let compare = Compare::of(&columns, options)?;
    let keys = columns.keys.len();
    let has_tolerance = |column: usize| column >= keys && compare.tolerances[column - keys].is_some();
    never_equal(a, b, &plan, has_tolerance).iter().for_each(|line| complain(line));
    let quarter = usize::try_from(options.memory / 4).unwrap_or(usize::MAX);
    let progress = Progress::new(Some(a.len().saturating_add(b.len())));
    let pass = Pass { plan: &plan, progress: &progress, places: false };
    let (here, there) = hashwell_work::both(
        || digests(a, &pass, keys, &compare, quarter),
        || digests(b, &pass, keys, &compare, quarter),
    );
    let ((here, rows_of_a), (there, rows_of_b)) = (here?, there?);
    let joined = join(here, there, quarter, most(options).max(Page::most(options)))
        .map_err(|error| temporary(&error))?;
    drop(progress);
    let rows = [rows_of_a, rows_of_b];
    if let (Some(repeated), Duplicates::Error) = (&joined.repeated, options.duplicates) {
        return Err(repeated.refused(&sides, &plan, &rows, &columns.keys));
    }
    let allows = compare.allows_differences();
    let mut report = Report::new(options, &columns, page);
    let memory = Memory {
        bytes: options.memory / 2,
        sides: [a.len(), b.len()],
        rows: [rows[0].iter().sum(), rows[1].iter().sum()],
    };
    let mut pairs = joined.changed.sorted().map_err(|error| temporary(&error))?;
    loop {
        let chunk: Vec<Record> = pairs
            .by_ref()
            .take(memory.pairs())
            .collect::<Result<_, _>>()
            .map_err(|error| temporary(&error))?;
        if chunk.is_empty() {
            break;
        }
        changes(&chunk, &sides, &plan, &rows, &compare, &mut report)?;
    }
    let counts = [joined.only[0].count, joined.only[1].count];
    let head = report.headline(&sides, counts, memory.rows, allows)?;
    let only = joined.only.map(|only| (only.count, only.first.into_sorted_vec()));
    if types_differ(a, b, &plan) && only.iter().all(|(_, numbers)| !numbers.is_empty()) {
        for (side, (_, numbers)) in only.iter().enumerate() {
            pick(sides[side], &plan, &rows[side], numbers, &mut |_, _, row| {
                report.alike.see(side, &report.columns.keys, &report.names, row);
                Ok(())
            })?;
        }
    }
    for (side, (count, numbers)) in only.into_iter().enumerate() {
        let shown = most(options).min(numbers.len() as u64);
        pick(sides[side], &plan, &rows[side], &numbers, &mut |i, place, row| {
            report.only(side, i as u64, place, row)
        })?;
        report.more(side, count - shown)?;
    }
    report.end(counts, memory.rows)?;
    sides.iter().try_for_each(|side| side.check())?;
    let (changed, tolerated) = (report.changed, allows.then_some(report.tolerated));
    if let Some(page) = report.page {
        let counts = Counts { rows: memory.rows, only: counts, changed, tolerated };
        page.write(head, counts, columns.others.iter().zip(report.counts))?;
    }
    let same = counts == [0, 0] && changed == 0 && columns.are_same();
    Ok(if same { SUCCESS } else { DIFFERENT })
}

/// The maximum number of rows of each table, and of changes, to show.
fn most(options: &DiffOptions) -> u64 {
    options.show.unwrap_or(if options.reading.json { u64::MAX } else { 20 })
}

/// The columns of two tables.
struct Columns {
    keys: Vec<String>,
    /// The columns that are compared.
    others: Vec<String>,
    /// The columns that only one of the tables has.
    only: [Vec<String>; 2],
    /// The orders of the columns, if they differ and `--ordered-columns` is given.
    orders: Option<Orders>,
}

impl Columns {
    /// Returns true if the tables have the same columns and, if the order is compared, in the same order.
    fn are_same(&self) -> bool {
        self.only.iter().all(Vec::is_empty) && self.orders.is_none()
    }

    fn of(a: &Side, b: &Side, options: &DiffOptions) -> Result<Self, Failure> {
        let (sides, reading) = ([a, b], &options.reading);
        let keys = listed("--key", &options.key, sides)?;
        let ignored = listed("--ignore", &options.ignore, sides)?;
        let chosen = listed("--columns", &reading.columns, sides)?;
        check_ignored(&ignored, "--key", &keys)?;
        check_ignored(&ignored, "--columns", &chosen)?;
        let columns = [a.columns()?, b.columns()?];
        let names = [0, 1].map(|side: usize| columns[side].iter().copied().collect::<HashSet<&String>>());
        let has_none = sides.iter().any(|side| side.is_without_columns());
        for (name, side) in keys.iter().flat_map(|name| [(name, a), (name, b)]) {
            if !side.has(name) && !side.is_without_columns() {
                let label = side.label();
                return Err(Failure::Usage(format!("--key: there is no column {name:?} in {label}")));
            }
        }
        let left_out: HashSet<&str> = keys.iter().chain(&ignored).copied().collect();
        let chosen: HashSet<&str> = chosen.into_iter().collect();
        let wanted = |name: &str| !left_out.contains(name) && (chosen.is_empty() || chosen.contains(name));
        let only = [0, 1].map(|side: usize| {
            let is_only = |name: &&&String| wanted(name) && !names[1 - side].contains(**name);
            columns[side].iter().filter(is_only).map(|name| (*name).clone()).collect::<Vec<_>>()
        });
        // If a table has no columns, all rows of the other are shown with all their cells.
        let is_compared =
            |name: &String| wanted(name) && (has_none || names.iter().all(|names| names.contains(name)));
        let later = columns[1].iter().filter(|name| !names[0].contains(**name));
        let others: Vec<String> = columns[0]
            .iter()
            .chain(later)
            .filter(|name| is_compared(name))
            .map(|name| (*name).clone())
            .collect();
        let keys: Vec<String> = keys.into_iter().map(str::to_owned).collect();
        let orders = if options.reading.ordered_columns {
            let compared: HashSet<&str> = keys.iter().chain(&others).map(String::as_str).collect();
            Orders::differing(a, b, |name| compared.contains(name))?
        } else {
            None
        };
        Ok(Self { keys, others, only, orders })
    }
}

/// Sorts the rows of a table by the digests of their key and of their other columns: the first 128 bits of each
/// SHA-256.
fn digests(
    side: &Side,
    pass: &Pass<'_>,
    keys: usize,
    compare: &Compare,
    memory: usize,
) -> Result<(Sorted, Vec<u64>), Failure> {
    let many = many("sha256")?;
    let mut sorter = Sorter::new(memory);
    let (mut files, mut before, mut out) = (Vec::with_capacity(side.files.len()), 0, Vec::new());
    for (place, found) in &side.files {
        let rows = pass.read(place, found, &mut |window: &Window<'_>| {
            let mut parts: Vec<&[u8]> = window
                .rows
                .iter()
                .flat_map(|row| {
                    let all = values(row);
                    let mut rest = all;
                    for _ in 0..keys {
                        rest = split_first(rest).map_or(&[][..], |(_, rest)| rest);
                    }
                    [&all[..all.len() - rest.len()], rest]
                })
                .collect();
            let mut folded = Vec::new();
            if compare.pairs_folded {
                folded.extend(parts.iter().skip(1).step_by(2).map(|rest| compare.folded_values(rest)));
                for (part, folded) in parts.iter_mut().skip(1).step_by(2).zip(&folded) {
                    *part = folded;
                }
            }
            out.resize(parts.len(), [0_u8; 32]);
            many.digest_into(&parts, out.as_flattened_mut()).map_err(|e| Failure::Work(e.to_string()))?;
            for (two, row) in out.as_chunks::<2>().0.iter().zip(before + window.first..) {
                let mut digest = [0; 32];
                digest[..16].copy_from_slice(&two[0][..16]);
                digest[16..].copy_from_slice(&two[1][..16]);
                sorter.add(Record::new(&digest, row)).map_err(|error| temporary(&error))?;
            }
            Ok(())
        })?;
        files.push(rows);
        before += rows;
    }
    Ok((sorter.sorted().map_err(|error| temporary(&error))?, files))
}

/// Rows that only one table has.
struct Only {
    count: u64,
    first: BinaryHeap<u64>,
}

impl Only {
    fn add(&mut self, row: u64, most: u64) {
        self.count += 1;
        if (self.first.len() as u64) < most {
            self.first.push(row);
        } else if let Some(mut last) = self.first.peek_mut().filter(|last| **last > row) {
            *last = row;
        }
    }
}

/// A key that occurs in several rows of one table.
struct Repeated {
    side: usize,
    rows: [u64; 2],
    keys: u64,
}

impl Repeated {
    fn refused(&self, sides: &[&Side; 2], plan: &Plan, rows: &[Vec<u64>; 2], keys: &[String]) -> Failure {
        let mut found = Vec::new();
        let read = pick(sides[self.side], plan, &rows[self.side], &self.rows, &mut |_, place, row| {
            found.push((place.to_owned(), key_of(keys, row)));
            Ok(())
        });
        match (read, &found[..]) {
            (Err(failure), _) => failure,
            (Ok(()), [(first, key), (second, _), ..]) => Failure::Work(escaped(&format!(
                "{second}: the key {key} is already in {first} (repeated keys: {}; give more columns with --key, \
                 or use --duplicates multiset)",
                HumanCount(self.keys)
            ))),
            _ => Failure::Work("a key is repeated".to_owned()),
        }
    }
}

/// The result of a join.
struct Joined {
    only: [Only; 2],
    /// Pairs of rows with the same key but different other columns.
    changed: Sorter,
    repeated: Option<Repeated>,
}

/// The next row of a sorted table.
struct Head {
    rest: Sorted,
    next: Option<Record>,
}

impl Head {
    fn of(mut rest: Sorted) -> std::io::Result<Self> {
        Ok(Self { next: rest.next().transpose()?, rest })
    }

    fn key(&self) -> Option<[u64; 2]> {
        self.next.map(|record| [record.digest[0], record.digest[1]])
    }

    fn advance(&mut self) -> std::io::Result<()> {
        self.next = self.rest.next().transpose()?;
        Ok(())
    }
}

/// Joins two sorted tables, and matches equal rows. If each table has one row with a key and these rows differ, the row
/// has changed. If a key is repeated, rows without a match are in one table only.
fn join(here: Sorted, there: Sorted, memory: usize, most: u64) -> std::io::Result<Joined> {
    let mut heads = [Head::of(here)?, Head::of(there)?];
    let only = || Only { count: 0, first: BinaryHeap::new() };
    let mut joined = Joined { only: [only(), only()], changed: Sorter::new(memory), repeated: None };
    loop {
        let keys = [heads[0].key(), heads[1].key()];
        let Some(key) = keys.into_iter().flatten().min() else { return Ok(joined) };
        // For each table: the number of rows with this key, the first of these rows, and one of them that the other
        // table does not have.
        let (mut counts, mut firsts, mut left) = ([0_u64; 2], [0_u64; 2], [None::<u64>; 2]);
        loop {
            let rows = [0, 1].map(|side| heads[side].next.filter(|_| heads[side].key() == Some(key)));
            let takes = match rows {
                [None, None] => break,
                [Some(a), Some(b)] => match a.digest.cmp(&b.digest) {
                    std::cmp::Ordering::Less => [true, false],
                    std::cmp::Ordering::Equal => [true, true],
                    std::cmp::Ordering::Greater => [false, true],
                },
                [a, b] => [a.is_some(), b.is_some()],
            };
            for side in [0, 1] {
                let Some(record) = rows[side].filter(|_| takes[side]) else { continue };
                counts[side] += 1;
                match counts[side] {
                    1 => firsts[side] = record.row,
                    2 => joined.see_repeated(side, [firsts[side], record.row]),
                    _ => {}
                }
                if takes != [true, true]
                    && let Some(other) = left[side].replace(record.row)
                {
                    joined.only[side].add(other, most);
                }
                heads[side].advance()?;
            }
        }
        match left {
            [Some(a), Some(b)] if counts == [1, 1] => {
                joined.changed.add(Record { digest: [a, b, 0, 0], row: 0 })?;
            }
            left => {
                for (side, row) in left.into_iter().enumerate() {
                    row.into_iter().for_each(|row| joined.only[side].add(row, most));
                }
            }
        }
    }
}

impl Joined {
    /// Counts a repeated key, and records it if its rows come before those of the recorded one.
    fn see_repeated(&mut self, side: usize, mut rows: [u64; 2]) {
        rows.sort_unstable();
        let keys = self.repeated.as_ref().map_or(0, |repeated| repeated.keys) + 1;
        let is_first = self.repeated.as_ref().is_none_or(|known| (side, rows) < (known.side, known.rows));
        match &mut self.repeated {
            Some(known) if !is_first => known.keys = keys,
            repeated => *repeated = Some(Repeated { side, rows, keys }),
        }
    }
}

/// The memory for changed rows that are read again at the same time.
struct Memory {
    bytes: u64,
    sides: [u64; 2],
    rows: [u64; 2],
}

impl Memory {
    fn pairs(&self) -> usize {
        // A row of a compressed table may be much longer than its share of the file.
        let row = |side: usize| 4 * self.sides[side] / self.rows[side].max(1) + 128;
        usize::try_from(self.bytes / (row(0) + row(1))).unwrap_or(usize::MAX).max(1)
    }
}

/// Reads changed rows of both tables, and reports the cells that differ.
fn changes(
    pairs: &[Record],
    sides: &[&Side; 2],
    plan: &Plan,
    rows: &[Vec<u64>; 2],
    compare: &Compare,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let mut old = Vec::with_capacity(pairs.len());
    let numbers: Vec<u64> = pairs.iter().map(|pair| pair.digest[0]).collect();
    pick(sides[0], plan, &rows[0], &numbers, &mut |_, place, row| {
        old.push((place.to_owned(), row.to_vec()));
        Ok(())
    })?;
    let mut order: Vec<(u64, usize)> = pairs.iter().map(|pair| pair.digest[1]).zip(0..).collect();
    order.sort_unstable();
    let numbers: Vec<u64> = order.iter().map(|(number, _)| *number).collect();
    let mut new = vec![(String::new(), Vec::new()); pairs.len()];
    pick(sides[1], plan, &rows[1], &numbers, &mut |i, place, row| {
        new[order[i].1] = (place.to_owned(), row.to_vec());
        Ok(())
    })?;
    old.iter().zip(&new).try_for_each(|(old, new)| report.pair(old, new, compare))
}

/// The tolerance of a column.
#[derive(Clone)]
struct Limit {
    tolerance: Tolerance,
    /// True if the tolerance is for all columns. It then doesn't apply to texts that look like codes, such as `007`.
    is_general: bool,
}

/// The rules by which cells count as equal although their values differ.
struct Compare {
    /// The tolerance of each column.
    tolerances: Vec<Option<Limit>>,
    ignore_case: bool,
    trim: bool,
    /// True if texts are folded (trimmed, converted to lower case, or both) before rows with repeated keys are paired.
    /// Rows that are paired are then not read again.
    pairs_folded: bool,
}

impl Compare {
    fn of(columns: &Columns, options: &DiffOptions) -> Result<Self, Failure> {
        if options.duplicates == Duplicates::Multiset && !options.tolerance.is_empty() {
            return Err(Failure::Usage(
                "--tolerance can't be used with --duplicates multiset, because a row can be within the tolerance of several \
                 rows with the same key"
                    .to_owned(),
            ));
        }
        let (mut tolerances, mut general) = (vec![None; columns.others.len()], None);
        for given in &options.tolerance {
            let (name, tolerance) = given
                .rsplit_once('=')
                .map_or((None, &given[..]), |(name, tolerance)| (Some(name), tolerance));
            let wrong = || {
                Failure::Usage(format!("--tolerance {given}: expected a number of at least 0, or COL=NUMBER"))
            };
            let tolerance = Tolerance::parse(tolerance).ok_or_else(wrong)?;
            let limit = Some(Limit { tolerance, is_general: name.is_none() });
            let (place, what) = match name {
                None => (&mut general, "every column"),
                Some(name) => {
                    let at = columns.others.iter().position(|other| other == name);
                    let at = at.ok_or_else(|| {
                        Failure::Usage(format!("--tolerance {given}: the column {name:?} is not compared"))
                    })?;
                    (&mut tolerances[at], "the column")
                }
            };
            if std::mem::replace(place, limit).is_some() {
                return Err(Failure::Usage(format!("--tolerance {given}: {what} already has a tolerance")));
            }
        }
        tolerances.iter_mut().filter(|place| place.is_none()).for_each(|place| place.clone_from(&general));
        let (ignore_case, trim) = (options.ignore_case, options.trim);
        Ok(Self { tolerances, ignore_case, trim, pairs_folded: pairs_folded(options) })
    }

    /// Returns true if rows can count as equal although their values differ. Such rows are then counted.
    fn allows_differences(&self) -> bool {
        let folds = (self.ignore_case || self.trim) && !self.pairs_folded;
        folds || self.tolerances.iter().any(Option::is_some)
    }

    /// The values with all texts folded.
    fn folded_values(&self, mut rest: &[u8]) -> Vec<u8> {
        let mut out = Writer::default();
        while let Some((value, more)) = split_first(rest) {
            match text(value) {
                Some(text) => out.string(0x30, self.folded(text).as_bytes()),
                None => out.put(value),
            }
            rest = more;
        }
        out.as_bytes().to_vec()
    }

    fn is_equal(&self, column: usize, old: &[u8], new: &[u8]) -> bool {
        if old == new {
            return true;
        }
        let limit = self.tolerances[column].as_ref();
        let limit = limit.filter(|limit| !limit.is_general || !is_code(old) && !is_code(new));
        if let Some(is_within) = limit.and_then(|limit| limit.tolerance.accepts(old, new)) {
            return is_within;
        }
        match (text(old), text(new)) {
            (Some(old), Some(new)) if self.ignore_case || self.trim => self.folded(old) == self.folded(new),
            _ => false,
        }
    }

    fn folded(&self, text: &str) -> String {
        let text = if self.trim { text.trim() } else { text };
        if self.ignore_case { text.to_lowercase() } else { text.to_owned() }
    }
}

/// Returns true if texts are folded before rows with repeated keys are paired.
fn pairs_folded(options: &DiffOptions) -> bool {
    options.duplicates == Duplicates::Multiset && (options.ignore_case || options.trim)
}

fn noun(rows: u64) -> &'static str {
    if rows == 1 { "row" } else { "rows" }
}

/// The key of a row, for example `id=7`.
fn key_of(keys: &[String], row: &[u8]) -> String {
    key_with(keys, row, shown)
}

fn key_with(keys: &[String], row: &[u8], shown: fn(&[u8]) -> String) -> String {
    let cells = cells(keys, values(row)).map(|(name, value)| format!("{name}={}", shown(value)));
    cells.collect::<Vec<_>>().join(", ")
}

/// The first values of a row as a JSON object.
fn json_of(names: &[String], row: &[u8], json: fn(&[u8]) -> String) -> String {
    let cells = cells(names, values(row)).map(|(name, value)| format!("{}:{}", quoted(name), json(value)));
    format!("{{{}}}", cells.collect::<Vec<_>>().join(","))
}

/// The rows that only one table has and that look like a row of the other table, although the values differ.
#[derive(Default)]
struct Alike {
    state: RandomState,
    /// Maps the displayed key of each row of the first table to the key itself.
    keys: HashMap<u64, u64>,
    rows: HashSet<u64>,
    shared_keys: HashSet<u64>,
    shared_rows: HashSet<u64>,
}

impl Alike {
    /// The hashes of the key and of the whole row as they are shown. JSON is hashed for both forms of the output,
    /// because values that look the same in text also have the same JSON.
    fn shown(&self, keys: &[String], names: &[String], row: &[u8]) -> [u64; 2] {
        [keys, names].map(|names| self.state.hash_one(json_of(names, row, json)))
    }

    /// Adds a row. All rows of the first table must come before all rows of the second table.
    fn see(&mut self, side: usize, keys: &[String], names: &[String], row: &[u8]) {
        let [key, whole] = self.shown(keys, names, row);
        let encoded: Vec<&[u8]> = cells(keys, values(row)).map(|(_, value)| value).collect();
        let encoded = self.state.hash_one(encoded);
        if side == 0 {
            self.keys.insert(key, encoded);
            self.rows.insert(whole);
            return;
        }
        if self.keys.get(&key).is_some_and(|other| *other != encoded) {
            self.shared_keys.insert(key);
        }
        if self.rows.contains(&whole) {
            self.shared_rows.insert(whole);
        }
    }

    fn contains(&self, keys: &[String], names: &[String], row: &[u8]) -> bool {
        if self.shared_keys.is_empty() && self.shared_rows.is_empty() {
            return false;
        }
        let [key, whole] = self.shown(keys, names, row);
        self.shared_keys.contains(&key) || self.shared_rows.contains(&whole)
    }
}

/// The output. Lines about changes are held back until the counts are printed, except for JSON.
struct Report<'a> {
    options: &'a DiffOptions,
    columns: &'a Columns,
    /// The key columns and the compared columns.
    names: Vec<String>,
    alike: Alike,
    changed: u64,
    /// The number of rows whose cells differ by no more than the options allow.
    tolerated: u64,
    /// The number of changed cells in each column.
    counts: Vec<u64>,
    shown: u64,
    lines: Vec<String>,
    /// The page of `--html`.
    page: Option<Page>,
}

impl<'a> Report<'a> {
    fn new(options: &'a DiffOptions, columns: &'a Columns, page: Option<Page>) -> Self {
        let counts = vec![0; columns.others.len()];
        let names = [&columns.keys[..], &columns.others].concat();
        let (lines, alike) = (Vec::new(), Alike::default());
        Self { options, columns, names, alike, changed: 0, tolerated: 0, counts, shown: 0, lines, page }
    }

    /// Reports two rows with the same key.
    fn pair(
        &mut self,
        old: &(String, Vec<u8>),
        new: &(String, Vec<u8>),
        compare: &Compare,
    ) -> Result<(), Failure> {
        let skip = |row: &'_ [u8]| {
            let mut rest = values(row).to_vec();
            for _ in &self.columns.keys {
                rest = split_first(&rest).map_or_else(Vec::new, |(_, rest)| rest.to_vec());
            }
            rest
        };
        let (before, after) = (skip(&old.1), skip(&new.1));
        let both = cells(&self.columns.others, &before).zip(cells(&self.columns.others, &after));
        let mut changed = Vec::new();
        for (column, ((name, old), (_, new))) in both.enumerate() {
            if !compare.is_equal(column, old, new) {
                self.counts[column] += 1;
                changed.push((name, old, new));
            }
        }
        if changed.is_empty() {
            self.tolerated += 1;
            return Ok(());
        }
        self.changed += 1;
        if let Some(page) = &mut self.page
            && self.changed <= Page::most(self.options)
        {
            page.changed(&self.columns.keys, old, new, &changed);
        }
        if self.shown >= most(self.options) {
            return Ok(());
        }
        self.shown += 1;
        if self.options.reading.json {
            let list: Vec<String> = changed
                .iter()
                .map(|(name, old, new)| format!("{}:[{}]", quoted(name), json_both(old, new).join(",")))
                .collect();
            let (key, places) =
                (json_of(&self.columns.keys, &old.1, json), [&old.0, &new.0].map(|place| quoted(place)));
            let line = format!(
                "{{\"op\":\"change\",\"key\":{key},\"places\":[{}],\"cells\":{{{}}}}}\n",
                places.join(","),
                list.join(",")
            );
            return write_line(line.as_bytes());
        }
        let list: Vec<String> = changed
            .iter()
            .map(|(name, old, new)| {
                let [old, new] = shown_both(old, new);
                format!("{name}: {old} → {new}")
            })
            .collect();
        let key = key_of(&self.columns.keys, &old.1);
        self.lines.push(format!("~ {}  {}  ({}, {})", key, list.join("; "), old.0, new.0));
        Ok(())
    }

    /// Prints the counts, and then the changes. Returns the first line.
    fn headline(
        &self,
        sides: &[&Side; 2],
        only: [u64; 2],
        rows: [u64; 2],
        allows: bool,
    ) -> Result<String, Failure> {
        let is_missing = self.columns.only.iter().any(|only| !only.is_empty());
        let orders = &self.columns.orders;
        let is_same = only == [0, 0] && self.changed == 0;
        let [removed, added, changed] = [only[0], only[1], self.changed].map(HumanCount);
        let [old, new] = rows.map(HumanCount);
        let head = match (is_same, is_missing) {
            (true, false) if orders.is_some() => {
                format!(
                    "different: only the order of the columns differs (rows: {old}, all with equal values)"
                )
            }
            (true, false) => format!("the same: {old} {}", noun(rows[0])),
            (true, true) => {
                format!(
                    "different: some columns are in only one table \
                     (rows: {old}, all with equal values in the other columns)"
                )
            }
            _ => {
                format!(
                    "different: {removed} removed, {added} added, {changed} changed \
                     (rows: {old} in the first table, {new} in the second)"
                )
            }
        };
        if self.options.reading.json {
            return Ok(head);
        }
        let mut lines = vec![head.clone()];
        lines.extend(orders.iter().map(Orders::line));
        for (side, names) in sides.iter().zip(&self.columns.only) {
            if !names.is_empty() {
                lines.push(format!("columns only in {}: {}", side.label(), names.join(", ")));
            }
        }
        let changed = self.columns.others.iter().zip(&self.counts).filter(|(_, count)| **count > 0);
        lines.extend(changed.map(|(name, count)| format!("column {name}: {} changed", HumanCount(*count))));
        if self.tolerated > 0 && allows {
            lines.push(format!(
                "within the tolerance: {} {}",
                HumanCount(self.tolerated),
                noun(self.tolerated)
            ));
        }
        lines.extend(self.lines.iter().cloned());
        lines.iter().try_for_each(|line| write_line(format!("{}\n", escaped(line)).as_bytes()))?;
        let more = self.changed - self.shown;
        if more > 0 && self.shown > 0 {
            write_line(format!("~ and {} more changed rows\n", HumanCount(more)).as_bytes())?;
        }
        Ok(head)
    }

    /// Reports a row that only one of the tables has. `number` rows of this table were reported before it.
    fn only(&mut self, side: usize, number: u64, place: &str, row: &[u8]) -> Result<(), Failure> {
        let keys = &self.columns.keys;
        let is_alike = self.alike.contains(keys, &self.names, row);
        if let Some(page) = &mut self.page {
            page.single(side, &self.names, place, row, is_alike);
        }
        if number >= most(self.options) {
            return Ok(());
        }
        let line = if self.options.reading.json {
            let json = if is_alike { json_typed } else { json };
            let op = ["remove", "add"][side];
            let (key, place, row) =
                (json_of(keys, row, json), quoted(place), json_of(&self.names, row, json));
            format!("{{\"op\":\"{op}\",\"key\":{key},\"place\":{place},\"row\":{row}}}\n")
        } else {
            let shown = if is_alike { shown_typed } else { shown };
            let list: Vec<String> = cells(&self.names, values(row))
                .skip(keys.len())
                .map(|(name, value)| format!("{name}: {}", shown(value)))
                .collect();
            let (mark, key) = (["-", "+"][side], key_with(keys, row, shown));
            format!("{}\n", escaped(&format!("{mark} {key}  {}  ({place})", list.join("; "))))
        };
        write_line(line.as_bytes())
    }

    /// Prints how many rows of a table are not shown.
    fn more(&self, side: usize, more: u64) -> Result<(), Failure> {
        if more == 0 || self.options.reading.json || most(self.options) == 0 {
            return Ok(());
        }
        let what = ["removed", "added"][side];
        write_line(format!("{} and {} more {what} rows\n", ["-", "+"][side], HumanCount(more)).as_bytes())
    }

    /// Prints the counts as JSON.
    fn end(&self, only: [u64; 2], rows: [u64; 2]) -> Result<(), Failure> {
        if !self.options.reading.json {
            return Ok(());
        }
        let columns: HashMap<&String, u64> = self
            .columns
            .others
            .iter()
            .zip(self.counts.iter().copied())
            .filter(|(_, count)| *count > 0)
            .collect();
        let same = only == [0, 0] && self.changed == 0 && self.columns.are_same();
        let mut summary = serde_json::json!({
            "same": same, "rows": rows, "removed": only[0], "added": only[1], "changed": self.changed,
            "tolerated": (!pairs_folded(self.options)).then_some(self.tolerated), "columns": columns,
            "columns_only": self.columns.only,
        });
        if let Some(orders) = &self.columns.orders {
            summary["columns_order"] = serde_json::json!(orders.names);
        }
        write_line(format!("{summary}\n").as_bytes())
    }
}
