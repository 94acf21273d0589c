//! Makes each allocation fail once while columns are imported and exported. Either the process ends, as with Rust's own
//! collections, or the result is right. The result must never be wrong, and there must be no panic, especially not
//! across the C interface.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes
#![allow(unsafe_code)]

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

// `api.txt` lists the functions of all features.
#[cfg(feature = "arrow-rs")]
#[path = "../../hashwell/tests/common/every_function.rs"]
mod every_function;

use hashwell_arrow::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use hashwell_arrow::export::{self, Memory, Piece};
use hashwell_arrow::{
    Chunk, Column, Error, Field, Reader, Unpacker, f16_to_f32, pack, pack_field, unpack_field,
};
use refusing::{Answer, Call, Wrong, number, number_of};
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

/// The type of the rows: a struct of a list of texts and a dictionary.
fn field() -> Result<Field, Error> {
    let texts = Field::new("item", "u", vec![], None)?;
    let lists = Field::new("lists", "+l", vec![texts.clone()], None)?;
    let words = Field::new("words", "i", vec![], Some(texts))?;
    Field::new("", "+s", vec![lists, words], None)
}

fn memory<T>(items: &[T]) -> Option<Arc<dyn Memory>>
where
    T: Clone,
    Vec<T>: Memory + 'static,
{
    Some(Arc::new(items.to_vec()))
}

fn piece(len: usize, buffers: Vec<Option<Arc<dyn Memory>>>, children: Vec<Piece>) -> Piece {
    Piece { len, nulls: 0, buffers, children, dictionary: None }
}

fn array() -> Piece {
    let texts = || piece(3, vec![None, memory(&[0_i32, 1, 3, 6]), memory(b"abcdef")], vec![]);
    let lists = piece(4, vec![None, memory(&[0_i32, 1, 1, 3, 3])], vec![texts()]);
    let mut words = piece(4, vec![None, memory(&[2_i32, 0, 0, 1])], vec![]);
    words.dictionary = Some(Box::new(texts()));
    piece(4, vec![None], vec![lists, words])
}

fn chunk(field: &Field) -> Result<Chunk, Error> {
    // SAFETY: the buffers are as long as stated.
    Ok(unsafe { Chunk::new(export::array(array()).0, field) }?)
}

fn packed(field: &Field, chunk: &Chunk) -> Result<Vec<Vec<u8>>, Error> {
    let mut rows = Vec::new();
    for row in 0..chunk.node().len() {
        let mut bytes = Vec::new();
        pack(field, chunk.node(), row, &mut bytes)?;
        rows.push(bytes);
    }
    Ok(rows)
}

fn of_rows(rows: &[Vec<u8>]) -> Answer {
    Ok(number(rows.iter().flatten().copied()))
}

/// Four rows with a value of each layout.
fn values() -> &'static (Field, Column) {
    static VALUES: OnceLock<(Field, Column)> = OnceLock::new();
    VALUES.get_or_init(|| {
        let field = |format, children| Field::new(format, format, children, None).unwrap();
        let (whole, text) = (|| field("i", vec![]), || field("u", vec![]));
        let words = Field::new("words", "C", vec![], Some(text())).unwrap();
        let inner = vec![
            field("b", vec![]),
            whole(),
            text(),
            field("vu", vec![]),
            field("+l", vec![whole()]),
            field("+w:2", vec![whole()]),
            words,
            field("+r", vec![whole(), text()]),
            field("n", vec![]),
            field("tss:UTC", vec![]),
        ];
        let field = field("+s", inner);
        let wholes = || piece(8, vec![None, memory(&[1, -2, 3, 4, 5, 6, 7, 8])], vec![]);
        let two = || piece(2, vec![None, memory(&[0_i32, 1, 3]), memory(b"abc")], vec![]);
        let mut texts =
            piece(4, vec![memory(&[0b1011_u8]), memory(&[0_i32, 1, 1, 2, 3]), memory(b"xyz")], vec![]);
        texts.nulls = 1;
        let long = b"-longer than a view--";
        let view = [&21_i32.to_ne_bytes()[..], b"-lon", &0_i32.to_ne_bytes(), &0_i32.to_ne_bytes()].concat();
        let buffers = vec![None, memory(&view.repeat(4)), memory(long), memory(&[long.len() as i64])];
        let views = piece(4, buffers, vec![]);
        let mut words = piece(4, vec![None, memory(&[1_u8, 0, 0, 1])], vec![]);
        words.dictionary = Some(Box::new(two()));
        let ends = piece(2, vec![None, memory(&[3_i32, 4])], vec![]);
        let inner = vec![
            piece(4, vec![None, memory(&[0b0101_u8])], vec![]),
            wholes(),
            texts,
            views,
            piece(4, vec![None, memory(&[0_i32, 2, 2, 7, 8])], vec![wholes()]),
            piece(4, vec![None], vec![wholes()]),
            words,
            piece(4, vec![], vec![ends, two()]),
            piece(4, vec![], vec![]),
            piece(4, vec![None, memory(&[0_i64, 1, -1, 7])], vec![]),
        ];
        let array = export::array(piece(4, vec![None], inner)).0;
        // SAFETY: the buffers are as long as stated.
        let column = Column::of(unsafe { Reader::of_array(field.clone(), array) }).unwrap();
        (field, column)
    })
}

fn values_read() -> Result<u64, Error> {
    let (field, column) = values();
    let (_, chunk) = column.chunks().next().ok_or("no chunk")?;
    let node = chunk.node();
    let [bits, numbers, texts, views, lists, pairs, words, runs, nothing, times] = node.children() else {
        return Err("other columns".into());
    };
    let (of_words, zone) = (&field.children[6], field.children[9].zone().unwrap_or_default());
    let mut sum = number_of([node.len() as u64, number(zone.bytes()), nothing.nulls() as u64]);
    for row in 0..node.len() {
        let text = texts.strings(row..row + 1)?;
        let bytes = [
            views.bytes(row)?,
            &text.bytes()[text.range(0)],
            words.message(of_words, row)?.unwrap_or_default(),
            times.fixed()?,
        ];
        let value = words.dictionary().ok_or("no dictionary")?.bytes(words.index(row, false)?)?;
        let (items, pair) = (lists.range(row)?, pairs.range(row)?);
        let numbers = [
            number(value.iter().copied()),
            bits.bit(row)?.into(),
            numbers.number(row, true)? as u64,
            (items.len() + pair.start + runs.run(row)?) as u64,
            (node.is_empty() || texts.is_valid(row) || words.is_null(of_words, row)).into(),
        ];
        let bytes = bytes.into_iter().map(|bytes| number(bytes.iter().copied()));
        sum = number_of(bytes.chain(numbers).chain([sum]));
    }
    Ok(sum)
}

/// Existing data are read in place, without allocating.
const QUIET: &[(&str, Call)] = &[
    ("values where they lie", || Ok(values_read()? ^ u64::from(f16_to_f32(0x3c00) > 1.0))),
    ("a column", || {
        let (field, column) = values();
        let starts = column.chunks_from(2).chain(column.chunks()).map(|(start, _)| start);
        let rows = [column.len(), column.nulls(), column.is_empty().into(), starts.sum()];
        let same = column.field() == field && matches!(field.layout, hashwell_arrow::Layout::Struct);
        let same = same && column.chunks().all(|(_, chunk)| chunk.node().layout() == field.layout);
        Ok(number_of(rows.map(|row| row as u64)) ^ u64::from(same))
    }),
    ("buffers", || {
        static BUFFERS: OnceLock<(Vec<u8>, Vec<i32>, Vec<i64>)> = OnceLock::new();
        let (bytes, narrow, wide) = BUFFERS.get_or_init(|| (vec![1, 2], vec![3, 4], vec![5, 6]));
        let all = [bytes.bytes(), narrow.bytes(), wide.bytes()];
        Ok(number(all.into_iter().flatten().copied()))
    }),
    ("structs that hold nothing", || {
        fn taken<T: Abi>() -> bool {
            let mut nothing = T::RELEASED;
            nothing.mark_released();
            // SAFETY: this is a struct, and it is released.
            nothing.is_released() && unsafe { T::take(NonNull::from(&mut nothing)) }.is_err()
        }
        Ok(u64::from(taken::<ArrowSchema>() && taken::<ArrowArray>() && taken::<ArrowArrayStream>()))
    }),
];

const CALLS: &[(&str, Call)] = &[
    ("a type", || {
        let mut bytes = Vec::new();
        pack_field(&field()?, &mut bytes);
        let again = unpack_field(&mut &bytes[..])?;
        if again != field()? {
            return Err(Wrong::Other);
        }
        // SAFETY: the schema was made above.
        let through = unsafe { Field::of(&export::schema(&again).0) }?;
        Ok(number_of([number(bytes), (through == again).into()]))
    }),
    ("an array", || of_rows(&packed(&field()?, &chunk(&field()?)?)?)),
    ("a stream", || {
        let mut left = 3;
        let next = move || {
            left -= 1;
            (left > 0).then(|| Ok(array()))
        };
        let stream = export::stream(field()?, Box::new(next)).0;
        // SAFETY: the stream was made above.
        let column = Column::of(unsafe { Reader::of_stream(stream) }?)?;
        let mut rows = Vec::new();
        for (_, chunk) in column.chunks() {
            rows.extend(packed(column.field(), chunk)?);
        }
        Ok(of_rows(&rows)? ^ column.len() as u64)
    }),
    ("a stream that fails", || {
        let stream = export::stream(field()?, Box::new(|| Some(Err("no more".to_owned())))).0;
        // SAFETY: as before.
        let failed = Column::of(unsafe { Reader::of_stream(stream) }?);
        Ok(matches!(failed, Err(Error::Stream { .. })).into())
    }),
    ("rows as columns again", || {
        let field = field()?;
        let mut unpacker = Unpacker::new(&field);
        for row in packed(&field, &chunk(&field)?)? {
            unpacker.push(&row).map_err(Error::from)?;
        }
        // SAFETY: the unpacker makes a conforming array.
        let again = unsafe { Chunk::new(export::array(unpacker.finish()).0, &field) }.map_err(Error::from)?;
        of_rows(&packed(&field, &again)?)
    }),
    ("rows of each layout as columns again", || {
        let (field, column) = values();
        let (_, chunk) = column.chunks().next().ok_or("no chunk").map_err(Error::from)?;
        let rows = packed(field, chunk)?;
        let mut unpacker = Unpacker::new(field);
        for row in &rows {
            unpacker.push(row).map_err(Error::from)?;
        }
        // SAFETY: as before.
        let again = unsafe { Chunk::new(export::array(unpacker.finish()).0, field) }.map_err(Error::from)?;
        if packed(field, &again)? != rows {
            return Err(Wrong::Other);
        }
        of_rows(&rows)
    }),
    ("a single array, moved out", || {
        let mut array = export::array(array()).0;
        // SAFETY: the array belongs to this function.
        let taken = unsafe { ArrowArray::take(NonNull::from(&mut array)) }.map_err(Error::from)?;
        // SAFETY: the array has the type that `field` returns.
        let mut reader = unsafe { Reader::of_array(field()?, taken) };
        let mut rows = u64::from(array.is_released());
        while let Some(chunk) = reader.next_chunk()? {
            rows += chunk.node().len() as u64 + reader.field().children.len() as u64;
        }
        Ok(rows)
    }),
    #[cfg(feature = "arrow-rs")]
    ("batches of arrow-rs", || {
        use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
        let batch = RecordBatch::try_from_iter([("n", numbers)])?;
        let schema = batch.schema();
        let mut reader = Reader::of_batches(Box::new(RecordBatchIterator::new([Ok(batch)], schema)))?;
        let chunk = reader.next_chunk()?.ok_or(Error::Malformed("no batch"))?;
        of_rows(&packed(reader.field(), &chunk)?)
    }),
];

#[test]
fn child() {
    // Create the input before an allocation fails.
    values();
    refusing::child(&[QUIET, CALLS]);
}

#[test]
fn some_calls_ask_for_no_memory() {
    refusing::ask_for_none(QUIET);
}

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        assert!(outcomes.ends > 0, "{name} ends no process any more: {outcomes:?}");
    }
}

#[cfg(feature = "arrow-rs")]
const LOOKED_AT: &[(&str, &str)] = &[
    (
        "values where they lie",
        "hashwell_arrow: f16_to_f32, Node: len is_empty nulls children dictionary is_valid bit fixed bytes strings number range index run message \
         is_null, Strings: bytes range, Field: zone, Chunk: node",
    ),
    ("a column", "Column: field len is_empty nulls chunks chunks_from, Node: layout"),
    ("buffers", "Memory: bytes, Vec: bytes"),
    (
        "structs that hold nothing",
        "Abi: is_released mark_released take, ArrowArray: is_released mark_released take, ArrowArrayStream: is_released \
         mark_released take, ArrowSchema: is_released mark_released take",
    ),
    ("a type", "hashwell_arrow: pack_field unpack_field, export: schema, Field: new of"),
    ("an array", "hashwell_arrow: pack, export: array, Chunk: new"),
    ("a stream", "export: stream, Reader: of_stream, Column: of"),
    ("a stream that fails", "Reader: of_stream"),
    ("rows as columns again", "Unpacker: new push finish, Error: from"),
    ("rows of each layout as columns again", "Unpacker: push finish"),
    ("a single array, moved out", "Reader: of_array next_chunk field, Abi: take"),
    ("batches of arrow-rs", "Reader: of_batches"),
];

/// Every public function has a case.
#[cfg(feature = "arrow-rs")]
#[test]
fn every_public_function_has_a_case() {
    every_function::each_has_a_case(
        include_str!("../api.txt"),
        include_str!("allocations.rs"),
        &[QUIET, CALLS],
        LOOKED_AT,
    );
}
