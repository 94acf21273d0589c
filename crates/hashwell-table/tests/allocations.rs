//! Refuses each allocation for digests of rows and of tables once. There must be an error that reports it, or the
//! process ends, as with Rust's own collections, or the result is right. It must never be wrong, and there must be no
//! panic.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

#[path = "../../hashwell/tests/common/every_function.rs"]
mod every_function;

use hashwell::Params;
use hashwell_arrow::export::{self, Piece};
use hashwell_arrow::{Chunk, Field};
use hashwell_table::{Columns, Error, Order, Rows, Scheme, Table, Tolerance, Writer, value};
use refusing::{Answer, Call, again, again_after, number, number_of};
use std::sync::{Arc, OnceLock};

/// A table with numbers and texts, some of which are long.
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
        // SAFETY: the buffers are as long as stated.
        #[allow(unsafe_code)]
        let chunk = unsafe { Chunk::new(array, &field) }.unwrap();
        (field, chunk)
    })
}

fn columns() -> Result<Columns, Error> {
    Columns::new(&batch().0, None, Order::Name)
}

fn table(scheme: Scheme) -> Result<Table, Error> {
    let columns = columns()?;
    let rows = Rows::new(&columns, batch().1.node(), 0)?;
    let mut table = Table::new(scheme, &columns);
    table.add(&rows, 0..rows.len(), 1)?;
    Ok(table)
}

fn of_scheme(scheme: Scheme) -> Answer {
    let mut table = table(scheme)?;
    let (digest, saved) = (table.digest(1), table.to_bytes(1)?);
    let mut again = Table::from_bytes(&saved)?;
    again.merge(table.try_clone()?)?;
    Ok(number_of([number(digest), number(saved), number(again.digest(1)), again.rows()]))
}

/// A table with one column of maps, each with this many pairs whose keys are not sorted.
fn maps() -> &'static (Field, Chunk) {
    static MAPS: OnceLock<(Field, Chunk)> = OnceLock::new();
    MAPS.get_or_init(|| {
        const PAIRS: i32 = 20_000;
        let field = |name, format, children| Field::new(name, format, children, None).unwrap();
        let pairs = field("pairs", "+s", vec![field("key", "i", vec![]), field("value", "i", vec![])]);
        let field = field("", "+s", vec![field("m", "+m", vec![pairs])]);
        let piece = |len, buffers, children| Piece { len, nulls: 0, buffers, children, dictionary: None };
        let pairs = PAIRS as usize;
        let numbers = || {
            let numbers: Vec<i32> = (0..PAIRS).rev().collect();
            piece(pairs, vec![None, Some(Arc::new(numbers) as _)], vec![])
        };
        let of_pairs = piece(pairs, vec![None], vec![numbers(), numbers()]);
        let maps = piece(1, vec![None, Some(Arc::new(vec![0, PAIRS]) as _)], vec![of_pairs]);
        let array = export::array(piece(1, vec![None], vec![maps])).0;
        // SAFETY: the buffers are as long as stated.
        #[allow(unsafe_code)]
        let chunk = unsafe { Chunk::new(array, &field) }.unwrap();
        (field, chunk)
    })
}

/// Reading existing rows does not allocate.
const QUIET: &[(&str, Call)] = &[("what is there", || {
    static TABLE: OnceLock<Columns> = OnceLock::new();
    static ROWS: OnceLock<Rows<'static>> = OnceLock::new();
    static SUMS: OnceLock<Table> = OnceLock::new();
    let columns = TABLE.get_or_init(|| columns().unwrap());
    let rows = ROWS.get_or_init(|| Rows::new(columns, batch().1.node(), 0).unwrap());
    let sums = SUMS.get_or_init(|| table(Scheme::Lthash64Blake3).unwrap());
    let names = columns.names().map(|name| number(name.bytes()));
    let schemes = Scheme::ALL.map(|scheme| u64::from(Scheme::find(scheme.name()) == Some(scheme)));
    let rest = [
        number(columns.header().iter().copied()),
        columns.field().children.len() as u64,
        rows.columns().header().len() as u64,
        rows.len() as u64,
        rows.is_empty().into(),
        sums.rows(),
        number(sums.scheme().name().bytes()),
    ];
    Ok(number_of(names.chain(schemes).chain(rest)))
})];

/// A row with both columns, written by hand.
fn row() -> Result<Writer, Error> {
    let mut row = Writer::default();
    row.begin_row(2);
    row.whole(7);
    row.string(0x30, b"text");
    row.end_row().map_err(Error::from)?;
    Ok(row)
}

fn by_hand(scheme: Scheme) -> Answer {
    let mut table = Table::new(scheme, &columns()?);
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
    ("sorted-sha256", || of_scheme(Scheme::SortedSha256)),
    ("lthash64-blake3", || of_scheme(Scheme::Lthash64Blake3)),
    ("sorted-sha256, rows by hand", || by_hand(Scheme::SortedSha256)),
    ("lthash64-blake3, rows by hand", || by_hand(Scheme::Lthash64Blake3)),
    ("rows taken out", || {
        let (mut table, less) = (table(Scheme::Lthash64Blake3)?, table(Scheme::Lthash64Blake3)?);
        let columns = columns()?;
        table.remove(&Rows::new(&columns, batch().1.node(), 0)?, 0..10, 1)?;
        table.merge(less.try_clone()?)?;
        table.unmerge(&less)?;
        Ok(number(table.digest(1)))
    }),
    ("a difference", || {
        let (mut these, mut those) = (table(Scheme::SortedSha256)?, table(Scheme::SortedSha256)?);
        those.merge(table(Scheme::SortedSha256)?)?;
        let rows: u64 = those.buckets(1)?.iter().map(|bucket| bucket.rows).sum();
        let difference = these.difference(&mut those, 7)?;
        Ok(number_of([rows, number(difference.there.into_iter().flatten())]))
    }),
    ("a long difference", || {
        // All rows have the same digest, so that they are in one bucket.
        static ROWS: [&[u8]; 140_000] = [b"row"; 140_000];
        let columns = columns()?;
        let [mut table, mut other] = [(); 2].map(|()| Table::new(Scheme::SortedSha256, &columns));
        table.add_written(&ROWS)?;
        let at = table.buckets(1)?.iter().position(|bucket| bucket.rows > 0);
        let difference = table.difference(&mut other, at.expect("a bucket with rows") as u8)?;
        Ok(number_of([number(difference.here.into_iter().flatten()), difference.there.len() as u64]))
    }),
    ("a table that is unlike", || {
        let declared = Columns::new(&batch().0, Some(&["t".to_owned()]), Order::Declared)?;
        let (text, both) = (Table::new(Scheme::SortedSha256, &declared), table(Scheme::SortedSha256)?);
        let unlike = [both.check_alike(&text), both.try_clone()?.merge(table(Scheme::Lthash64Blake3)?)];
        let orders = [&text, &both].map(|table| u64::from(table.order() == Order::Declared));
        let names = [text, both].into_iter().flat_map(|table| table.names());
        let all = names.map(|name| number(name.bytes())).chain(orders);
        Ok(number_of(all.chain(unlike.map(|unlike| u64::from(unlike.is_err())))))
    }),
    ("sorted in pieces", || {
        let mut table = table(Scheme::SortedSha256)?;
        let mut pieces = 0;
        while table.sort_some(2) {
            pieces += 1;
        }
        Ok(number_of([pieces, number(table.digest(1))]))
    }),
    ("one column each", || {
        let each = columns()?.each()?;
        Ok(number_of(each.iter().map(|columns| number(columns.header().iter().copied()))))
    }),
    ("maps", || {
        let columns = Columns::new(&maps().0, None, Order::Name)?;
        let rows = Rows::new(&columns, maps().1.node(), 0)?;
        let mut sum = 0;
        rows.encode(0..1, |_, rows| {
            sum = number(rows[0].iter().copied());
            Ok::<(), Error>(())
        })?;
        Ok(sum)
    }),
];

/// A step with rows of both kinds.
type Step = fn(&mut Table, &Rows<'_>, &[u8]) -> Result<(), Error>;

/// A table to which rows are added, merged and removed. Each step is repeated if there was no memory for it; after a
/// failed step, the table is unchanged.
fn kept(scheme: Scheme) -> Answer {
    let columns = again(columns)?;
    let rows = again(|| Rows::new(&columns, batch().1.node(), 0))?;
    let mut table = Table::new(scheme, &columns);
    let row = again(row)?;
    const SORTED: Scheme = Scheme::SortedSha256;
    let steps: &[Step] = &[
        |table, rows, _| table.add(rows, 0..200, 1),
        |table, _, row| table.add_written(&[row; 20]),
        |table, rows, _| table.add(rows, 200..300, 2),
        |table, _, _| table.merge(table.try_clone()?),
        |table, rows, _| if table.scheme() == SORTED { Ok(()) } else { table.remove(rows, 0..10, 1) },
    ];
    let mut sums = [0; 6];
    for (step, sum) in steps.iter().zip(&mut sums) {
        let before = (table.rows(), table.digest(1));
        let look = |table: &mut Table| assert_eq!((table.rows(), table.digest(1)), before, "it is as it was");
        again_after(&mut table, |table| step(table, &rows, row.as_bytes()), look)?;
        *sum = number(table.digest(1));
    }
    if scheme == SORTED {
        let mut other = again(|| self::table(scheme))?;
        let difference = again(|| table.difference(&mut other, 7))?;
        sums[5] = number(difference.here.into_iter().flatten());
    }
    Ok(number_of(sums) ^ number(again(|| table.to_bytes(1))?))
}

/// Writes a row with all kinds of values, and a text of this many bytes.
fn write(rows: &mut Writer, text: usize) -> Result<usize, Error> {
    rows.begin_row(8);
    rows.put(&[0]);
    rows.word(0x10, [7; 8]);
    rows.instant(0x41, -1, 5);
    rows.float(1.5);
    rows.head(0x30, 1);
    rows.put(b"x");
    rows.exact(3, &[0, 0, 200]);
    rows.whole(i128::MAX);
    rows.put(&[0x31]);
    rows.len(text);
    rows.put(&LONG[..text]);
    rows.end_row().map_err(Error::from)
}

static LONG: [u8; 40_000] = [7; 40_000];

/// Rows written by hand. Each is written again if there was no memory for it; the rows before it are unchanged, and
/// nothing else is in the output. At the end, the writer clears them, including one whose allocation may have failed.
fn kept_rows() -> Answer {
    let mut rows = Writer::default();
    let mut sum = 0;
    for text in [3, 300, 1000, 0, 9000, 40_000] {
        let before = number(rows.as_bytes().iter().copied());
        let look = |rows: &mut Writer| {
            assert_eq!(number(rows.as_bytes().iter().copied()), before, "the rows before it alone are there");
        };
        let end = again_after(&mut rows, |rows| write(rows, text), look)?;
        assert_eq!(end, rows.as_bytes().len());
        sum = number_of([sum, number(rows.as_bytes().iter().copied())]);
    }
    let mut rows = Writer::default();
    rows.string(0x31, &LONG);
    rows.clear();
    again(|| write(&mut rows, 1000))?;
    Ok(number_of([sum, number(rows.as_bytes().iter().copied())]))
}

const KEPT: &[(&str, Call)] = &[
    ("kept rows by hand", kept_rows),
    ("a kept table of sorted-sha256", || kept(Scheme::SortedSha256)),
    ("a kept table of lthash64-blake3", || kept(Scheme::Lthash64Blake3)),
];

/// A text and a list with a text.
const VALUES: [&[u8]; 2] = [&[0x30, 3, b'a', 0xc3, 0xa9], &[0x50, 1, 0x30, 1, b'b']];

/// Texts of values. If there is no memory for them, the process ends, as with Rust's own collections.
const TEXTS: &[(&str, Call)] = &[("values as text", || {
    let [a, b] = VALUES;
    let names = ["n".to_owned()];
    let shown = [
        value::json(b),
        value::shown(a),
        value::shown_text("x "),
        value::quoted("x"),
        value::shown_within(b, 4),
        value::json_typed(b),
        value::shown_typed(a),
    ];
    let both = value::shown_both(a, b).into_iter().chain(value::shown_both_within(a, b, 2));
    let both = both.chain(value::json_both(a, b));
    let row = [&[0x60, 1][..], a].concat();
    let cells =
        value::cells(&names, value::values(&row)).map(|(name, value)| (name.len() + value.len()) as u64);
    let text = value::text(a).map_or(0, str::len) as u64 + value::bytes(a).map_or(0, <[u8]>::len) as u64;
    let first = value::split_first(a).map_or(0, |(first, _)| first.len() as u64);
    let number = value::float(&[0x20, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]).map_or(0, f64::to_bits);
    let tolerance = Tolerance::parse("0.5").filter(|_| !value::is_code(a));
    let fifteen = [0x11, 1, 1, 15];
    let accepts = tolerance.and_then(|tolerance| tolerance.accepts(&fifteen, &fifteen)).map_or(0, u64::from);
    let texts = shown.into_iter().chain(both).map(|text| crate::number(text.bytes()));
    Ok(number_of(texts.chain(cells).chain([text, first, number, accepts])))
})];

#[test]
fn texts_end_the_process() {
    for (name, outcomes) in refusing::refuse_each(TEXTS) {
        assert!(outcomes.ends > 0, "{name} asks for no memory any more: {outcomes:?}");
        assert_eq!((outcomes.errors, outcomes.answers), (0, 0), "{name}: {outcomes:?}");
    }
}

#[test]
fn child() {
    // Create the input before an allocation is refused.
    batch();
    maps();
    refusing::child(&[QUIET, CALLS, KEPT, TEXTS]);
}

#[test]
fn some_calls_ask_for_no_memory() {
    refusing::ask_for_none(QUIET);
}

/// The largest allocation whose failure ends the process does not depend on the table: it is for the outputs of 16
/// rows.
const MOST: u64 = 16 * 4096;

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        assert!(outcomes.errors > 0, "{name} returns no error any more: {outcomes:?}");
        assert!(outcomes.longest_end <= MOST, "{name}: {outcomes:?}");
    }
}

#[test]
fn tables_are_kept_over_a_refusal() {
    batch();
    for (name, outcomes) in refusing::refuse_each(KEPT) {
        assert_eq!(outcomes.errors, 0, "{name}: {outcomes:?}");
        assert!(outcomes.again > 0, "{name}: no step was refused: {outcomes:?}");
        assert!(outcomes.longest_end <= MOST, "{name}: {outcomes:?}");
    }
}

const LOOKED_AT: &[(&str, &str)] = &[
    (
        "what is there",
        "Columns: header names field, Rows: columns len is_empty, Scheme: name find, Table: rows scheme",
    ),
    ("rows, written", "Columns: new, Rows: new encode"),
    ("rows, hashed", "Rows: digest_into"),
    ("sorted-sha256", "Table: new add digest to_bytes from_bytes merge try_clone"),
    ("lthash64-blake3", "Table: new add digest to_bytes from_bytes merge try_clone"),
    ("sorted-sha256, rows by hand", "Table: add_written"),
    ("lthash64-blake3, rows by hand", "Table: add_written"),
    ("rows taken out", "Table: remove unmerge"),
    ("a difference", "Table: buckets difference"),
    ("a long difference", "Table: difference"),
    ("a table that is unlike", "Table: check_alike names order"),
    ("sorted in pieces", "Table: sort_some"),
    ("one column each", "Columns: each"),
    (
        "values as text",
        "value: bytes cells float is_code json json_both json_typed quoted shown shown_both shown_both_within shown_text shown_typed \
         shown_within split_first text values, Tolerance: accepts parse",
    ),
    ("maps", "Rows: encode"),
    (
        "kept rows by hand",
        "Writer: begin_row put word instant float head exact whole len string end_row clear as_bytes, Error: from",
    ),
];

/// Every public function has a case.
#[test]
fn every_public_function_has_a_case() {
    every_function::each_has_a_case(
        include_str!("../api.txt"),
        include_str!("allocations.rs"),
        &[QUIET, CALLS, KEPT, TEXTS],
        LOOKED_AT,
    );
}
