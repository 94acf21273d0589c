//! Hand-written rows and tables: known answers, unusual arrays that no engine produces, and states.

use hashwell_arrow::export::{self, Memory, Piece};
use hashwell_arrow::{Chunk, Field};
use hashwell_table::{Columns, Error, Order, ROW_LIMIT, Rows, Scheme, Table, Writer};
use std::sync::Arc;

fn numbers<T>(numbers: Vec<T>) -> Option<Arc<dyn Memory>>
where
    Vec<T>: Memory + 'static,
{
    Some(Arc::new(numbers))
}

fn piece(len: usize, buffers: Vec<Option<Arc<dyn Memory>>>, children: Vec<Piece>) -> Piece {
    Piece { len, nulls: 0, buffers, children, dictionary: None }
}

fn field(name: &str, format: &str, children: Vec<Field>) -> Field {
    Field::new(name, format, children, None).unwrap()
}

fn ints(values: &[i64]) -> Piece {
    piece(values.len(), vec![None, numbers(values.to_vec())], vec![])
}

#[allow(unsafe_code)]
fn chunk(field: &Field, piece: Piece) -> Chunk {
    // SAFETY: the buffers of the tests are as long as stated.
    unsafe { Chunk::new(export::array(piece).0, field) }.unwrap()
}

/// A table of one column.
fn table(column: Field, rows: usize, values: Piece) -> (Field, Chunk) {
    let field = field("", "+s", vec![column]);
    let chunk = chunk(&field, piece(rows, vec![None], vec![values]));
    (field, chunk)
}

fn state(scheme: Scheme, values: &[i64]) -> Table {
    let (field, chunk) = table(field("n", "l", vec![]), values.len(), ints(values));
    let columns = Columns::new(&field, None, Order::Name).unwrap();
    let mut table = Table::new(scheme, &columns);
    let rows = Rows::new(&columns, chunk.node(), 0).unwrap();
    table.add(&rows, 0..values.len(), 1).unwrap();
    table
}

fn encoded(field: &Field, chunk: &Chunk) -> Result<Vec<Vec<u8>>, Error> {
    let columns = Columns::new(field, None, Order::Name)?;
    let rows = Rows::new(&columns, chunk.node(), 10)?;
    let mut all = Vec::new();
    rows.encode(0..rows.len(), |_, rows| {
        all.extend(rows.iter().map(|row| row.to_vec()));
        Ok::<(), Error>(())
    })?;
    Ok(all)
}

#[test]
fn a_row() {
    let (field, chunk) = table(field("n", "l", vec![]), 2, ints(&[1, -1]));
    let rows = encoded(&field, &chunk).unwrap();
    assert_eq!(rows[0], [0x60, 1, 0x10, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(rows[1][2..], [0x10, 255, 255, 255, 255, 255, 255, 255, 255]);
    let columns = Columns::new(&field, None, Order::Name).unwrap();
    assert_eq!(columns.header(), b"\x61hwrow/1\x00\x01\x01n");
}

/// Hand-written rows are the same as those of columns, and a table of them has the same digest.
#[test]
fn written_by_hand() {
    let values = [1, -1, i64::MAX];
    let (field, chunk) = table(field("n", "l", vec![]), 3, ints(&values));
    let rows: Vec<Vec<u8>> = values
        .map(|value| {
            let mut out = Writer::default();
            out.begin_row(1);
            out.whole(value.into());
            out.end_row().unwrap();
            out.as_bytes().to_vec()
        })
        .to_vec();
    assert_eq!(rows, encoded(&field, &chunk).unwrap());
    let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
    let columns = Columns::new(&field, None, Order::Name).unwrap();
    for scheme in Scheme::ALL {
        let mut table = Table::new(scheme, &columns);
        table.add_written(&rows[1..]).unwrap();
        table.add_written(&rows[..1]).unwrap();
        assert_eq!((table.rows(), table.digest(1)), (3, state(scheme, &values).digest(1)));
    }
}

/// Texts with these bytes, and whether they are valid. Null texts have bytes as well.
fn texts(values: &[(&[u8], bool)]) -> Piece {
    let mut ends = vec![0];
    let mut bits = vec![0u8; values.len().div_ceil(8)];
    for (row, (bytes, valid)) in values.iter().enumerate() {
        ends.push(ends[row] + bytes.len() as i32);
        bits[row / 8] |= u8::from(*valid) << (row % 8);
    }
    let bytes: Vec<u8> = values.iter().flat_map(|(bytes, _)| *bytes).copied().collect();
    let nulls = values.iter().filter(|(_, valid)| !valid).count();
    Piece { nulls, ..piece(values.len(), vec![numbers(bits), numbers(ends), numbers(bytes)], vec![]) }
}

/// Short rows that are hashed together and long ones that are hashed separately give the same results and errors.
#[test]
fn short_and_long_rows() {
    let column = || field("t", "u", vec![]);
    // A row with 180 bytes of text is the longest that fits.
    let text = |row: usize| "é".repeat(row % 89).into_bytes();
    for longest in [180, 181, 1000] {
        let mut rows: Vec<(Vec<u8>, bool)> = (0..800).map(|row| (text(row), row % 3 > 0)).collect();
        rows[700] = (vec![b'x'; longest], true);
        // The value of a null is not visible.
        rows[3].0 = vec![0xff; 2];
        let check = |rows: &[(Vec<u8>, bool)]| {
            let values: Vec<_> = rows.iter().map(|(text, valid)| (&text[..], *valid)).collect();
            let (field, chunk) = table(column(), rows.len(), texts(&values));
            encoded(&field, &chunk)
        };
        let must = |(text, valid): &(Vec<u8>, bool)| {
            let mut out = Writer::default();
            out.begin_row(1);
            if *valid {
                out.string(0x30, text);
            } else {
                out.put(&[0]);
            }
            out.as_bytes().to_vec()
        };
        assert_eq!(check(&rows), Ok(rows.iter().map(must).collect()));
        // Two adjacent rows contain one half of a character each. The bytes of all rows together are valid UTF-8.
        (rows[601], rows[602]) = ((vec![0xc3], true), (vec![0xa9], true));
        let wrong = Error::Value { row: 611, column: "t".to_owned(), what: "the text is not UTF-8" };
        assert_eq!(check(&rows), Err(wrong));
    }
}

/// Maps with keys that no builder produces: null, duplicate, in any order.
#[test]
fn maps() {
    let of = |keys: Piece, entries: usize| {
        let entry = field("entries", "+s", vec![field("key", "l", vec![]), field("value", "l", vec![])]);
        let pairs = piece(entries, vec![None], vec![keys, ints(&vec![7; entries])]);
        let map = piece(1, vec![None, numbers(vec![0i32, entries as i32])], vec![pairs]);
        let (field, chunk) = table(field("m", "+m", vec![entry]), 1, map);
        encoded(&field, &chunk)
    };
    let wrong = |what| Err(Error::Value { row: 10, column: "m".to_owned(), what });
    assert_eq!(of(ints(&[2, 1]), 2), of(ints(&[1, 2]), 2));
    assert_eq!(of(ints(&[2, 1, 2]), 3), wrong("a map key occurs twice"));
    assert_eq!(of(ints(&[1, 1]), 2), wrong("a map key occurs twice"));
    let null = Piece { nulls: 1, ..piece(1, vec![numbers(vec![0u8]), numbers(vec![0i64])], vec![]) };
    assert_eq!(of(null, 1), wrong("a map key is null"));
}

/// A map with the keys 'a' and either 'b' or null. The null is in a bitmap, a dictionary or a run.
#[test]
fn keys_that_are_null() {
    let texts = |name| field(name, "u", vec![]);
    let words = |bits: u8| Piece {
        nulls: usize::from(bits == 1),
        ..piece(2, vec![numbers(vec![bits]), numbers(vec![0i32, 1, 2]), numbers(b"ab".to_vec())], vec![])
    };
    let map = |keys: Field, of_keys: Piece| {
        let entries = field("entries", "+s", vec![keys, texts("value")]);
        let pairs = piece(2, vec![None], vec![of_keys, words(3)]);
        let map = piece(1, vec![None, numbers(vec![0i32, 2])], vec![pairs]);
        let (field, chunk) = table(field("m", "+m", vec![entries]), 1, map);
        encoded(&field, &chunk)
    };
    let plain = |bits| map(texts("key"), words(bits));
    let dictionary = |bits| {
        let keys = Field::new("key", "c", vec![], Some(texts(""))).unwrap();
        let dictionary = Some(Box::new(words(bits)));
        map(keys, Piece { dictionary, ..piece(2, vec![None, numbers(vec![0u8, 1])], vec![]) })
    };
    let runs = |bits| {
        let ends = piece(2, vec![None, numbers(vec![1i32, 2])], vec![]);
        let keys = field("key", "+r", vec![field("run_ends", "i", vec![]), texts("values")]);
        map(keys, piece(2, vec![], vec![ends, words(bits)]))
    };
    let null = Error::Value { row: 10, column: "m".to_owned(), what: "a map key is null" };
    for of in [&plain as &dyn Fn(u8) -> _, &dictionary, &runs] {
        assert_eq!(of(3).unwrap(), [b"\x60\x01\x52\x02\x30\x01a\x30\x01a\x30\x01b\x30\x01b"]);
        assert_eq!(of(1), Err(null.clone()));
    }
}

/// Without columns, only the batch contains the number of rows.
#[test]
#[should_panic(expected = "row 4 of 3")]
fn rows_that_are_not_there() {
    let whole = field("", "+s", vec![]);
    let chunk = chunk(&whole, piece(3, vec![None], vec![]));
    let columns = Columns::new(&whole, None, Order::Name).unwrap();
    let rows = Rows::new(&columns, chunk.node(), 0).unwrap();
    let _ = Table::new(Scheme::Lthash64Blake3, &columns).add(&rows, 0..4, 1);
}

/// The error names the column that makes a row too long, not a later one.
#[test]
fn too_long_a_row() {
    let bytes = field("long", &format!("w:{ROW_LIMIT}"), vec![]);
    let whole = field("", "+s", vec![field("a", "l", vec![]), bytes, field("z", "l", vec![])]);
    // The memory is never accessed.
    let bytes = piece(1, vec![None, numbers(vec![0u8; ROW_LIMIT])], vec![]);
    let chunk = chunk(&whole, piece(1, vec![None], vec![ints(&[1]), bytes, ints(&[2])]));
    let Err(Error::Value { row, column, .. }) = encoded(&whole, &chunk) else { panic!("no such error") };
    assert_eq!((row, column.as_str()), (10, "long"));
}

/// Values of nulls are not visible, even if they would be errors.
#[test]
fn hidden_values() {
    let of = |hidden: &[u8]| {
        let text =
            piece(1, vec![None, numbers(vec![0i32, hidden.len() as i32]), numbers(hidden.to_vec())], vec![]);
        let outer = Piece { nulls: 1, ..piece(1, vec![numbers(vec![0u8])], vec![text]) };
        let (field, chunk) = table(field("s", "+s", vec![field("t", "u", vec![])]), 1, outer);
        encoded(&field, &chunk).unwrap()
    };
    assert_eq!(of(b"a"), [vec![0x60, 1, 0]]);
    assert_eq!(of(b"a"), of(b"\xff"));
}

#[test]
fn states() {
    for scheme in Scheme::ALL {
        let mut whole = state(scheme, &[1, 2, 3, 2]);
        let mut parts = state(scheme, &[2, 3]);
        parts.merge(state(scheme, &[2, 1])).unwrap();
        assert_eq!(whole.digest(1), parts.digest(3));
        let bytes = whole.to_bytes(1).unwrap();
        assert_eq!(bytes, parts.to_bytes(2).unwrap());
        let mut again = Table::from_bytes(&bytes).unwrap();
        assert_eq!(
            (again.digest(1), again.rows(), again.names(), again.order()),
            (whole.digest(1), 4, vec!["n".to_owned()], Order::Name)
        );
        for cut in 0..bytes.len() {
            assert!(matches!(Table::from_bytes(&bytes[..cut]), Err(Error::State(_))), "{cut}");
        }
        assert_ne!(whole.digest(1), state(scheme, &[1, 2, 3]).digest(1));
        again.merge(state(scheme, &[])).unwrap();
        assert_eq!(again.digest(1), whole.digest(1));
    }
    let error = state(Scheme::SortedSha256, &[1]).merge(state(Scheme::Lthash64Blake3, &[1])).unwrap_err();
    assert_eq!(error.to_string(), "the states differ in their scheme: sorted-sha256 and lthash64-blake3");
}

/// Contents with a valid checksum that are inconsistent.
#[test]
fn lying_states() {
    let sha256 = hashwell::find("sha256").unwrap();
    let bytes = state(Scheme::SortedSha256, &[1, 2, 3]).to_bytes(1).unwrap();
    let content = bytes.len() - 32;
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes[..content].to_vec();
        bytes[at] = byte;
        let check = sha256.digest(&bytes);
        bytes.extend_from_slice(&check);
        Table::from_bytes(&bytes)
    };
    let head = b"hwtable-state/1".len();
    assert!(with(head, bytes[head]).is_ok());
    let rows = content - 3 * 32 - 256 * 8 - 8;
    for at in [head, head + 1, head + 1 + 13, rows - 2, rows, rows + 7, rows + 8, rows + 8 + 7, content - 96]
    {
        assert!(matches!(with(at, bytes[at] ^ 0x81), Err(Error::State(_))), "{at}");
    }
    assert!(matches!(with(rows + 8, 255), Err(Error::State(_))));
}

/// If any byte of a state is changed and its checksum is corrected, the state is either rejected, or read as its bytes
/// say: as a table with a different digest, which is written as the same bytes.
#[test]
fn forged_states() {
    let sha256 = hashwell::find("sha256").unwrap();
    for scheme in Scheme::ALL {
        let mut table = state(scheme, &[1, 2, 3]);
        let bytes = table.to_bytes(1).unwrap();
        let content = &bytes[..bytes.len() - 32];
        let mut kept = 0;
        for (place, change) in (0..content.len()).flat_map(|place| [(place, 1), (place, 0x80), (place, 0xff)])
        {
            let mut forged = content.to_vec();
            forged[place] ^= change;
            let check = sha256.digest(&forged);
            forged.extend_from_slice(&check);
            if let Ok(mut other) = Table::from_bytes(&forged) {
                assert_eq!(other.to_bytes(1).unwrap(), forged, "{place}");
                assert_ne!(other.digest(1), table.digest(1), "{place}");
                kept += 1;
            }
        }
        // The bytes of the remaining digest and of the sums can have any value.
        assert!(kept > 60, "{kept}");
    }
}

#[test]
fn differences() {
    let (mut these, mut those) =
        (state(Scheme::SortedSha256, &[1, 2, 2, 3]), state(Scheme::SortedSha256, &[4, 2, 3, 5]));
    let (mut here, mut there) = (0, 0);
    for bucket in 0..=255 {
        let part = these.difference(&mut those, bucket).unwrap();
        assert!(part.here.iter().chain(&part.there).all(|digest| digest[0] == bucket));
        (here, there) = (here + part.here.len(), there + part.there.len());
    }
    assert_eq!((here, there), (2, 2));
    let mut sums = state(Scheme::Lthash64Blake3, &[1]);
    assert!(sums.buckets(1).is_err() && sums.unmerge(&state(Scheme::Lthash64Blake3, &[1, 2])).is_err());
    sums.unmerge(&state(Scheme::Lthash64Blake3, &[1])).unwrap();
    assert_eq!(sums.digest(1), state(Scheme::Lthash64Blake3, &[]).digest(1));
}

/// Any number of threads gives the same digests as one.
#[test]
fn threads() {
    let values: Vec<i64> = (0..10_000).collect();
    let (field, chunk) = table(field("n", "l", vec![]), values.len(), ints(&values));
    let columns = Columns::new(&field, None, Order::Name).unwrap();
    let rows = Rows::new(&columns, chunk.node(), 0).unwrap();
    let many = hashwell::find("sha256").unwrap().many(&hashwell::Params::default()).unwrap();
    let of = |threads| {
        let mut out = vec![0; 9_999 * 32];
        rows.digest_into(&many, 1..10_000, &mut out, threads).unwrap();
        out
    };
    let one = of(1);
    assert_eq!(one[..32], *hashwell::find("sha256").unwrap().digest(&encoded(&field, &chunk).unwrap()[1]));
    for threads in [2, 3, 64] {
        assert_eq!(of(threads), one);
    }
}
