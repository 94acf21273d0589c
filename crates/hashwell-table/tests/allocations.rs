//! Each allocation of the digests of rows and of tables is refused once: an error that says so, or the process ends as Rust's
//! own collections end it, or the answer is right. None gives another answer, and none panics.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

use hashwell::Params;
use hashwell_arrow::export::{self, Piece};
use hashwell_arrow::{Chunk, Field};
use hashwell_table::{Columns, Error, Order, Rows, Suite, Table, Writer};
use refusing::{Answer, Call, again, again_after, number, number_of};
use std::sync::{Arc, OnceLock};

/// A table of numbers and texts, some of which are long.
fn batch() -> &'static (Field, Chunk) {
    static BATCH: OnceLock<(Field, Chunk)> = OnceLock::new();
    BATCH.get_or_init(|| {
        const ROWS: usize = 300;
        let field = |name, format, children| Field::new(name, format, children, None).unwrap();
        let field = field("", "+s", vec![field("n", "l", vec![]), field("t", "u", vec![])]);
        let length = |row: usize| if row % 100 == 99 { 900 } else { row as i32 % 9 };
        let ends = (0..=ROWS).map(|row| (0..row).map(length).sum()).collect::<Vec<i32>>();
        let bytes = vec![b'x'; ends[ROWS] as usize];
        let piece = |buffers, children| Piece { len: ROWS, nulls: 0, buffers, children, dictionary: None };
        let numbers = piece(vec![None, Some(Arc::new((0..ROWS as i64).collect::<Vec<_>>()) as _)], vec![]);
        let texts = piece(vec![None, Some(Arc::new(ends) as _), Some(Arc::new(bytes) as _)], vec![]);
        let array = export::array(piece(vec![None], vec![numbers, texts])).0;
        // SAFETY: the buffers are as long as they say.
        #[allow(unsafe_code)]
        let chunk = unsafe { Chunk::new(array, &field) }.unwrap();
        (field, chunk)
    })
}

fn columns() -> Result<Columns, Error> {
    Columns::new(&batch().0, None, Order::Name)
}

fn table(suite: Suite) -> Result<Table, Error> {
    let columns = columns()?;
    let rows = Rows::new(&columns, batch().1.node(), 0)?;
    let mut table = Table::new(suite, &columns);
    table.add(&rows, 0..rows.len(), 1)?;
    Ok(table)
}

fn of_suite(suite: Suite) -> Answer {
    let mut table = table(suite)?;
    let (digest, saved) = (table.digest(1), table.to_bytes(1)?);
    let mut again = Table::from_bytes(&saved)?;
    again.merge(table.try_clone()?)?;
    Ok(number_of([number(digest), number(saved), number(again.digest(1)), again.rows()]))
}

/// A row of both columns, by hand.
fn row() -> Result<Writer, Error> {
    let mut row = Writer::default();
    row.begin_row(2);
    row.whole(7);
    row.string(0x30, b"text");
    row.end_row().map_err(Error::from)?;
    Ok(row)
}

fn by_hand(suite: Suite) -> Answer {
    let mut table = Table::new(suite, &columns()?);
    let row = row()?;
    table.add_written(&[row.as_bytes(); 20])?;
    Ok(number(table.digest(1)))
}

const CALLS: &[(&str, Call)] = &[
    ("rows, written", || {
        let columns = columns()?;
        let rows = Rows::new(&columns, batch().1.node(), 0)?;
        let mut sum = 0;
        rows.encode(0..rows.len(), |_, rows| {
            rows.iter().for_each(|row| sum = number_of([sum, number(row.iter().copied())]));
            Ok::<(), Error>(())
        })?;
        Ok(sum)
    }),
    ("rows, hashed", || {
        let columns = columns()?;
        let rows = Rows::new(&columns, batch().1.node(), 0)?;
        let many = hashwell::find("blake2b-256")?.many(&Params::default())?;
        let mut out = [0; 300 * 32];
        rows.digest_into(&many, 0..300, &mut out, 1)?;
        Ok(number(out))
    }),
    ("sorted-sha256", || of_suite(Suite::SortedSha256)),
    ("lthash64-blake3", || of_suite(Suite::Lthash64Blake3)),
    ("sorted-sha256, rows by hand", || by_hand(Suite::SortedSha256)),
    ("lthash64-blake3, rows by hand", || by_hand(Suite::Lthash64Blake3)),
    ("rows taken out", || {
        let (mut table, less) = (table(Suite::Lthash64Blake3)?, table(Suite::Lthash64Blake3)?);
        let columns = columns()?;
        table.remove(&Rows::new(&columns, batch().1.node(), 0)?, 0..10, 1)?;
        table.merge(less.try_clone()?)?;
        table.unmerge(&less)?;
        Ok(number(table.digest(1)))
    }),
    ("a difference", || {
        let (mut these, mut those) = (table(Suite::SortedSha256)?, table(Suite::SortedSha256)?);
        those.merge(table(Suite::SortedSha256)?)?;
        let rows: u64 = those.buckets(1)?.iter().map(|bucket| bucket.rows).sum();
        let difference = these.difference(&mut those, 7)?;
        Ok(number_of([rows, number(difference.there.into_iter().flatten())]))
    }),
    ("a table that is unlike", || {
        Ok(table(Suite::SortedSha256)?.merge(table(Suite::Lthash64Blake3)?).is_err().into())
    }),
];

/// Of rows of both kinds.
type Step = fn(&mut Table, &Rows<'_>, &[u8]) -> Result<(), Error>;

/// A table, and rows of it that are added, merged and taken out again, each step made again where there was no memory for it.
/// In between the table is as it was.
fn kept(suite: Suite) -> Answer {
    let columns = again(columns)?;
    let rows = again(|| Rows::new(&columns, batch().1.node(), 0))?;
    let mut table = Table::new(suite, &columns);
    let row = again(row)?;
    const SORTED: Suite = Suite::SortedSha256;
    let steps: &[Step] = &[
        |table, rows, _| table.add(rows, 0..200, 1),
        |table, _, row| table.add_written(&[row; 20]),
        |table, rows, _| table.add(rows, 200..300, 2),
        |table, _, _| table.merge(table.try_clone()?),
        |table, rows, _| if table.suite() == SORTED { Ok(()) } else { table.remove(rows, 0..10, 1) },
    ];
    let mut sums = [0; 6];
    for (step, sum) in steps.iter().zip(&mut sums) {
        let before = (table.rows(), table.digest(1));
        let look = |table: &mut Table| assert_eq!((table.rows(), table.digest(1)), before, "it is as it was");
        again_after(&mut table, |table| step(table, &rows, row.as_bytes()), look)?;
        *sum = number(table.digest(1));
    }
    if suite == SORTED {
        let mut other = again(|| self::table(suite))?;
        let difference = again(|| table.difference(&mut other, 7))?;
        sums[5] = number(difference.here.into_iter().flatten());
    }
    Ok(number_of(sums) ^ number(again(|| table.to_bytes(1))?))
}

const KEPT: &[(&str, Call)] = &[
    ("a kept table of sorted-sha256", || kept(Suite::SortedSha256)),
    ("a kept table of lthash64-blake3", || kept(Suite::Lthash64Blake3)),
];

#[test]
fn child() {
    // What is read is there before a refusal.
    batch();
    refusing::child(&[CALLS, KEPT]);
}

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        assert!(outcomes.errors > 0, "{name} returns no error any more: {outcomes:?}");
    }
}

#[test]
fn tables_are_kept_over_a_refusal() {
    batch();
    for (name, outcomes) in refusing::refuse_each(KEPT) {
        assert_eq!(outcomes.errors, 0, "{name}: {outcomes:?}");
        assert!(outcomes.again > 0, "{name}: no step was refused: {outcomes:?}");
    }
}
