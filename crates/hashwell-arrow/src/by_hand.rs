//! Hand-written structs: every layout is read back, malformed structs are rejected, and each is released once.
#![allow(unsafe_code)]

use crate::abi::{Abi, ArrowArray, ArrowSchema};
use crate::export::{self, Memory, Piece};
use crate::{Chunk, Column, Error, Field, Kind, Reader};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn memory(bytes: &[u8]) -> Option<Arc<dyn Memory>> {
    Some(Arc::new(bytes.to_vec()))
}

fn numbers(numbers: &[i32]) -> Option<Arc<dyn Memory>> {
    Some(Arc::new(numbers.to_vec()))
}

fn piece(len: usize, nulls: usize, buffers: Vec<Option<Arc<dyn Memory>>>, children: Vec<Piece>) -> Piece {
    Piece { len, nulls, buffers, children, dictionary: None }
}

fn field(format: &str, children: Vec<Field>) -> Field {
    Field::new("x", format, children, None).unwrap()
}

fn chunk(field: &Field, piece: Piece) -> Chunk {
    // SAFETY: the buffers of the tests are as long as they state.
    unsafe { Chunk::new(export::array(piece).0, field) }.unwrap()
}

fn refused(field: &Field, change: impl FnOnce(&mut ArrowArray), piece: Piece) -> bool {
    let mut array = export::array(piece).0;
    change(&mut array);
    // SAFETY: the error is found before buffers are read.
    unsafe { Chunk::new(array, field) }.is_err()
}

fn ints() -> Piece {
    piece(3, 1, vec![memory(&[0b101]), numbers(&[7, 8, -9])], vec![])
}

#[test]
fn numbers_bits_and_bytes() {
    let ints = chunk(&field("i", vec![]), ints());
    let node = ints.node();
    assert_eq!((node.len(), node.nulls()), (3, 1));
    assert_eq!([0, 1, 2].map(|row| node.is_valid(row)), [true, false, true]);
    assert_eq!((node.number(2, true), node.number(2, false)), (Ok(-9), Ok(0xffff_fff7)));
    assert_eq!(node.fixed().unwrap().len(), 12);

    let bits = chunk(&field("b", vec![]), piece(9, 0, vec![None, memory(&[0x80, 1])], vec![]));
    assert_eq!([0, 7, 8].map(|row| bits.node().bit(row).unwrap()), [false, true, true]);

    let texts = piece(2, 0, vec![None, numbers(&[0, 1, 3]), memory(b"abc")], vec![]);
    let texts = chunk(&field("u", vec![]), texts);
    assert_eq!((texts.node().bytes(0), texts.node().bytes(1)), (Ok(&b"a"[..]), Ok(&b"bc"[..])));

    let view = [&13i32.to_ne_bytes()[..], b"long", &0i32.to_ne_bytes(), &1i32.to_ne_bytes()].concat();
    let lengths: Arc<dyn Memory> = Arc::new(vec![14i64]);
    let buffers = vec![None, memory(&view), memory(b"-long enough--"), Some(lengths)];
    let views = chunk(&field("vz", vec![]), piece(1, 0, buffers, vec![]));
    assert_eq!(views.node().bytes(0), Ok(&b"long enough--"[..]));
}

/// Reads values that are stored contiguously, starting at any row. If an offset between the first and the last one is
/// wrong, the row has no value.
#[test]
fn strings() {
    let of = |offsets: &[i32]| {
        let texts = piece(offsets.len() - 1, 0, vec![None, numbers(offsets), memory(b"abcdef")], vec![]);
        chunk(&field("z", vec![]), texts)
    };
    let texts = of(&[1, 2, 2, 5]);
    let strings = texts.node().strings(1..3).unwrap();
    assert_eq!((strings.bytes(), strings.range(0), strings.range(1)), (&b"cde"[..], 0..0, 0..3));
    let wide: Arc<dyn Memory> = Arc::new(vec![0i64, 3, 4]);
    let wide = chunk(&field("U", vec![]), piece(2, 0, vec![None, Some(wide), memory(b"abcd")], vec![]));
    let strings = wide.node().strings(0..2).unwrap();
    assert_eq!((strings.bytes(), strings.range(0), strings.range(1)), (&b"abcd"[..], 0..3, 3..4));

    let wrong = of(&[1, 6, 0, 2]);
    let strings = wrong.node().strings(0..3).unwrap();
    assert!((0..3).all(|row| strings.bytes().get(strings.range(row)).is_none()));
    assert!(of(&[3, 2]).node().strings(0..1).is_err() && of(&[-1, 2]).node().strings(0..1).is_err());
    assert!(chunk(&field("i", vec![]), ints()).node().strings(0..1).is_err());
}

/// The children of a slice begin at the slice's first row.
#[test]
fn nested() {
    let inner = field("i", vec![]);
    let lists = field("+l", vec![inner.clone()]);
    let list = chunk(&lists, piece(2, 0, vec![None, numbers(&[0, 1, 3])], vec![ints()]));
    assert_eq!((list.node().range(0), list.node().range(1)), (Ok(0..1), Ok(1..3)));

    let views = field("+vl", vec![inner.clone()]);
    let view = chunk(&views, piece(2, 0, vec![None, numbers(&[1, 0]), numbers(&[2, 3])], vec![ints()]));
    assert_eq!((view.node().range(0), view.node().range(1)), (Ok(1..3), Ok(0..3)));

    let pairs = field("+w:1", vec![inner.clone()]);
    let whole = field("+s", vec![pairs, inner.clone()]);
    let mut array =
        export::array(piece(3, 0, vec![None], vec![piece(3, 0, vec![None], vec![ints()]), ints()])).0;
    (array.offset, array.length) = (1, 2);
    // SAFETY: as before.
    let slice = unsafe { Chunk::new(array, &whole) }.unwrap();
    let [pairs, single] = slice.node().children() else { panic!("two children") };
    assert_eq!((pairs.len(), single.len(), single.nulls()), (2, 2, 1));
    assert_eq!(pairs.range(1), Ok(1..2));
    assert_eq!((pairs.children()[0].number(1, true), single.number(1, true)), (Ok(-9), Ok(-9)));

    let runs = field("+r", vec![field("i", vec![]), inner]);
    let ends = || piece(3, 0, vec![None, numbers(&[2, 3, 9])], vec![]);
    let mut array = export::array(piece(9, 0, vec![], vec![ends(), ints()])).0;
    (array.offset, array.length) = (1, 8);
    // SAFETY: as before.
    let runs = unsafe { Chunk::new(array, &runs) }.unwrap();
    assert_eq!([0, 1, 2, 7].map(|row| runs.node().run(row).unwrap()), [0, 1, 2, 2]);
}

#[test]
fn dictionaries() {
    let values = field("u", vec![]);
    let words = || piece(2, 1, vec![memory(&[1]), numbers(&[0, 2, 2]), memory(b"ab")], vec![]);
    let of = |indices: &[u8]| Piece {
        dictionary: Some(Box::new(words())),
        ..piece(indices.len(), 0, vec![None, memory(indices)], vec![])
    };
    let dictionary = Field::new("x", "c", vec![], Some(values)).unwrap();
    let column = chunk(&dictionary, of(&[0, 1, 2, 255]));
    let message = |row| column.node().message(&dictionary, row);
    assert_eq!((message(0), message(1)), (Ok(Some(&b"ab"[..])), Ok(None)));
    assert!(message(2).is_err() && message(3).is_err());
    assert!(column.node().is_null(&dictionary, 1) && !column.node().is_null(&dictionary, 2));
    assert!(Field::new("x", "g", vec![], Some(field("u", vec![]))).is_err());
}

#[test]
fn malformed_arrays() {
    let ints_of = field("i", vec![]);
    let changes: [fn(&mut ArrowArray); 9] = [
        |array| array.length = -1,
        |array| array.offset = -1,
        |array| (array.length, array.offset) = (i64::MAX, i64::MAX),
        |array| array.n_buffers = 1,
        |array| array.n_buffers = -1,
        |array| array.buffers = ptr::null_mut(),
        |array| array.n_children = 1,
        |array| array.null_count = -2,
        |array| array.n_children = i64::MIN,
    ];
    for change in changes {
        let whole = ints();
        let held = Arc::downgrade(whole.buffers[1].as_ref().unwrap());
        assert!(refused(&ints_of, change, whole));
        // The memory is released even if the fields of the struct are wrong.
        assert_eq!(held.strong_count(), 0);
    }
    let lists = field("+l", vec![ints_of.clone()]);
    let of = |offsets: &[i32]| chunk(&lists, piece(1, 0, vec![None, numbers(offsets)], vec![ints()]));
    for offsets in [[-1, 1], [1, 0], [0, 4], [0, i32::MAX]] {
        assert!(of(&offsets).node().range(0).is_err(), "{offsets:?}");
    }
    let wide = field("+w:2147483647", vec![ints_of.clone()]);
    assert!(refused(&wide, |array| array.length = i64::MAX / 2, piece(0, 0, vec![None], vec![ints()])));
    assert!(refused(&wide, |array| array.length = 1, piece(0, 0, vec![None], vec![ints()])));
    let both = field("+s", vec![ints_of.clone()]);
    assert!(refused(&both, |_| (), piece(4, 0, vec![None], vec![ints()])));
    assert!(refused(&both, |array| array.children = ptr::null_mut(), piece(0, 0, vec![None], vec![])));
    let runs = field("+r", vec![ints_of.clone(), ints_of]);
    for ends in [[0, 1, 5], [2, 2, 5], [3, 2, 5], [1, 2, 3], [-1, 2, 5]] {
        let ends = piece(3, 0, vec![None, numbers(&ends)], vec![]);
        assert!(refused(&runs, |_| (), piece(5, 0, vec![], vec![ends, ints()])));
    }
}

fn node_of(schema: ArrowSchema) -> Result<Field, Error> {
    // SAFETY: the schemas of the tests were made by this crate.
    unsafe { Field::of(&schema) }
}

#[test]
fn types() {
    let known = "n b c C s S i I l L e f g z Z u U vz vu w:0 w:16 d:9,2 d:9,2,32 d:9,-2,64 d:76,10,256 tdD tdm tts ttm \
                 ttu ttn tss: tsn:UTC tDs tDn tiM tiD tin";
    for format in known.split_whitespace() {
        let made = field(format, vec![]);
        assert_eq!(node_of(export::schema(&made).0).unwrap(), made, "{format}");
    }
    let unknown =
        "x w: w:-1 w:9999999999 w:1.5 d:9 d:9,2,7 d:9,2,128,1 d:9,999 tsx: tts: tDq +ud:0 +us:0,1 +l +m +w:";
    for format in unknown.split_whitespace().chain(["", "é", "ts", "w"]) {
        assert!(Field::new("", format, vec![], None).is_err(), "{format}");
    }
    assert_eq!(field("tsn:Asia/Tokyo", vec![]).zone(), Some("Asia/Tokyo"));
    assert_eq!(field("tsn:", vec![]).kind, Kind::Timestamp { unit: crate::Unit::Nano, zoned: false });
    let entries = field("+s", vec![field("u", vec![]), field("i", vec![])]);
    let mut map = field("+m", vec![entries]);
    map.metadata =
        Some([&1i32.to_ne_bytes()[..], &1i32.to_ne_bytes(), b"k", &2i32.to_ne_bytes(), b"vv"].concat());
    map.flags = 6;
    assert_eq!(node_of(export::schema(&map).0).unwrap(), map);
    let mut negative = map.clone();
    negative.metadata = Some([&1i32.to_ne_bytes()[..], &(-1i32).to_ne_bytes()].concat());
    assert!(node_of(export::schema(&negative).0).is_err());
}

/// Schemas that contain themselves are rejected at a maximum depth or number of fields.
#[test]
fn endless_types() {
    let mut deep = field("i", vec![]);
    for _ in 0..64 {
        deep = field("+l", vec![deep]);
    }
    assert!(node_of(export::schema(&deep).0).is_ok());
    let deeper = field("+l", vec![deep]);
    assert!(matches!(node_of(export::schema(&deeper).0), Err(Error::Malformed(_))));

    unsafe extern "C" fn let_be(schema: *mut ArrowSchema) {
        // SAFETY: this is the schema that is being released.
        unsafe { (*schema).release = None }
    }
    let mut schema =
        ArrowSchema { format: c"+s".as_ptr(), release: Some(let_be), n_children: 2, ..ArrowSchema::RELEASED };
    let itself: *mut ArrowSchema = &raw mut schema;
    let mut children = [itself; 2];
    // SAFETY: the schema is alive.
    unsafe { (*itself).children = children.as_mut_ptr() };
    // SAFETY: the schema is alive, and its only children are itself.
    let looped = unsafe { Field::of(&*itself) };
    assert!(matches!(looped, Err(Error::Malformed(_))));
    for count in [-1, i64::MAX, 1 << 40] {
        // SAFETY: as before.
        unsafe { (*itself).n_children = count };
        // SAFETY: as before.
        assert!(unsafe { Field::of(&*itself) }.is_err());
    }
}

#[test]
fn streams() {
    let of = field("i", vec![]);
    let mut pieces = vec![Ok(ints()), Ok(piece(0, 0, vec![None, None], vec![])), Ok(ints())].into_iter();
    let stream = export::stream(of.clone(), Box::new(move || pieces.next())).0;
    // SAFETY: the stream was made above.
    let column = Column::of(unsafe { Reader::of_stream(stream) }.unwrap()).unwrap();
    assert_eq!((column.len(), column.nulls(), column.field()), (6, 2, &of));
    let starts: Vec<_> = column.chunks_from(3).map(|(start, chunk)| (start, chunk.node().len())).collect();
    assert_eq!(starts, [(3, 3)]);

    let mut parts = vec![Ok(ints()), Err("no more\0".to_owned())].into_iter();
    let stream = export::stream(of, Box::new(move || parts.next())).0;
    // SAFETY: as before.
    let mut reader = unsafe { Reader::of_stream(stream) }.unwrap();
    assert!(reader.next_chunk().unwrap().is_some());
    assert_eq!(reader.next_chunk().err(), Some(Error::Stream { code: 22, text: "no more".to_owned() }));
    assert!(reader.next_chunk().unwrap().is_none());
}

/// A reader of these pieces, and the number of times that a piece was requested.
fn counted(pieces: Vec<Piece>) -> (Reader, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let (count, mut pieces) = (Arc::clone(&asked), pieces.into_iter());
    let next = move || {
        count.fetch_add(1, Ordering::Relaxed);
        pieces.next().map(Ok)
    };
    let stream = export::stream(field("i", vec![]), Box::new(next)).0;
    // SAFETY: as before.
    (unsafe { Reader::of_stream(stream) }.unwrap(), asked)
}

/// The source is not called again after the end, or after an array that doesn't match the type.
#[test]
fn streams_that_ended() {
    let (mut reader, asked) = counted(vec![ints()]);
    let ended: Vec<_> = (0..4).map(|_| reader.next_chunk().unwrap().is_none()).collect();
    assert_eq!((ended, asked.load(Ordering::Relaxed)), (vec![false, true, true, true], 2));
    let wrong = piece(1, 0, vec![None], vec![]);
    let (mut reader, asked) = counted(vec![wrong, ints(), ints()]);
    assert!(matches!(reader.next_chunk(), Err(Error::Malformed(_))));
    assert!(reader.next_chunk().unwrap().is_none() && reader.next_chunk().unwrap().is_none());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

/// A panic that reached the boundary of the callback would end the process.
#[test]
fn a_source_that_panics() {
    let stream = export::stream(field("i", vec![]), Box::new(|| panic!("on purpose"))).0;
    // SAFETY: as before.
    let mut reader = unsafe { Reader::of_stream(stream) }.unwrap();
    let panicked = Error::Stream { code: 22, text: "the source of the stream panicked".to_owned() };
    assert_eq!(reader.next_chunk().err(), Some(panicked));
}

/// A child that a consumer moved out of a struct belongs to the consumer. The other children are released with the
/// struct.
#[test]
fn children_that_were_moved_out() {
    let whole = piece(3, 0, vec![None], vec![ints(), ints()]);
    let held: Vec<_> =
        whole.children.iter().map(|child| Arc::downgrade(child.buffers[1].as_ref().unwrap())).collect();
    let array = export::array(whole).0;
    // SAFETY: there are two children, which no other code uses.
    let moved = unsafe { ArrowArray::take(ptr::NonNull::new(*array.children).unwrap()) }.unwrap();
    drop(array);
    assert_eq!(held.iter().map(|buffer| buffer.strong_count()).collect::<Vec<_>>(), [1, 0]);
    drop(moved);
    assert_eq!(held[0].strong_count(), 0);
}
