//! Each allocation of columns in and out is refused once: the process ends as Rust's own collections end it, or the answer is
//! right. None gives another answer, and none panics, behind the border to C least of all.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes
#![allow(unsafe_code)]

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

use hashwell_arrow::export::{self, Memory, Piece};
use hashwell_arrow::{Chunk, Column, Error, Field, Reader, Unpacker, pack, pack_field, unpack_field};
use refusing::{Answer, Call, Wrong, number, number_of};
use std::sync::Arc;

/// Lists of texts, and a dictionary.
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
    // SAFETY: the buffers are as long as they say.
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
        // SAFETY: as above.
        let failed = Column::of(unsafe { Reader::of_stream(stream) }?);
        Ok(matches!(failed, Err(Error::Stream { .. })).into())
    }),
    ("rows as columns again", || {
        let field = field()?;
        let mut unpacker = Unpacker::new(&field);
        for row in packed(&field, &chunk(&field)?)? {
            unpacker.push(&row).map_err(Error::from)?;
        }
        // SAFETY: the unpacker makes what it says.
        let again = unsafe { Chunk::new(export::array(unpacker.finish()).0, &field) }.map_err(Error::from)?;
        of_rows(&packed(&field, &again)?)
    }),
];

#[test]
fn child() {
    refusing::child(&[CALLS]);
}

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(CALLS) {
        assert!(outcomes.ends > 0, "{name} ends no process any more: {outcomes:?}");
    }
}
