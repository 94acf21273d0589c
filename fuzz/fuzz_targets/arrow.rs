//! Columns of any type are unchanged after a round trip through Arrow's C interface and after packing and
//! unpacking. Their rows give the same table in any order, in one part or several, saved or not. Any bytes
//! are either accepted as a type, a row or a table's state, or refused.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::Sha256;
use hashwell_arrow::{Chunk, Field, Kind, Layout, Unpacker, export, pack, pack_field, unpack_field};
use hashwell_table::{Columns, Error, Order, Rows, Scheme, Table};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Type {
    format: u8,
    name: String,
    children: Vec<Type>,
    dictionary: Option<Box<Type>>,
}

#[derive(Arbitrary, Debug)]
struct Case {
    of: Type,
    rows: u8,
    /// The bytes from which values are built.
    source: Vec<u8>,
    raw: Vec<u8>,
    declared: bool,
    lthash: bool,
    middle: u8,
    damage: Vec<(u16, u8)>,
}

/// The format strings of Arrow's C data interface, separated by spaces.
const FORMATS: &str = "+s +l +L +vl +vL +w:0 +w:3 +m +r n b c C s S i I l L e f g z Z u U vz vu d:9,2 d:38,-3 d:9,2,32 \
    d:76,10,256 w:0 w:5 tdD tdm tts ttm ttu ttn tss: tsm:UTC tsu: tsn:+01:00 tDs tDn tiM tiD tin";

/// More deeply nested types are refused when they are read.
const DEPTH: usize = 64;

fn field(of: &Type, depth: usize) -> Option<Field> {
    if depth > DEPTH {
        return None;
    }
    let children = of.children.iter().map(|child| field(child, depth + 1)).collect::<Option<Vec<_>>>()?;
    let dictionary = match &of.dictionary {
        Some(values) => Some(field(values, depth + 1)?),
        None => None,
    };
    // A C string cannot contain zero bytes.
    let name = of.name.replace('\0', "");
    let formats: Vec<&str> = FORMATS.split(' ').collect();
    Field::new(&name, formats[usize::from(of.format) % formats.len()], children, dictionary).ok()
}

/// Writes a packed value. It is null once the row has become long.
fn value(of: &Field, source: &mut impl Iterator<Item = u8>, out: &mut Vec<u8>) {
    const LONG: usize = 2000;
    if let Some(values) = &of.dictionary {
        return value(values, source, out);
    }
    if of.kind == Kind::Runs {
        return value(&of.children[1], source, out);
    }
    let mut next = || source.next().unwrap_or_default();
    if of.layout == Layout::Null || out.len() > LONG || next() % 4 == 3 {
        return out.push(0);
    }
    out.push(1);
    let number = |number: usize| (number as u64).to_le_bytes();
    match of.layout {
        Layout::Bits => out.push(next() & 1),
        Layout::Fixed(width) => out.extend((0..width).map(|_| next())),
        Layout::Bytes { .. } | Layout::Views => {
            let len = usize::from(next() % 20);
            out.extend(number(len));
            let byte = |byte: u8| if of.kind == Kind::Text { byte & 0x7f } else { byte };
            out.extend((0..len).map(|_| byte(next())));
        }
        Layout::List { .. } | Layout::ListView { .. } | Layout::FixedList(_) => {
            let count =
                if let Layout::FixedList(width) = of.layout { width } else { usize::from(next() % 4) };
            out.extend(number(count));
            (0..count).for_each(|_| value(&of.children[0], source, out));
        }
        Layout::Struct => of.children.iter().for_each(|child| value(child, source, out)),
        _ => unreachable!("no value of its own, and refused or null above"),
    }
}

fn any_bytes(raw: &[u8]) {
    let mut rest = raw;
    if let Ok(field) = unpack_field(&mut rest) {
        let mut bytes = Vec::new();
        pack_field(&field, &mut bytes);
        assert_eq!(unpack_field(&mut &bytes[..]).as_ref(), Ok(&field));
        // A null of a wide type takes as many bytes as the type is wide, so one row is enough.
        let _ = Unpacker::new(&field).push(rest);
    }
}

fn through_c(field: &Field, rows: &[Vec<u8>]) -> Option<Chunk> {
    let mut packed = Vec::new();
    pack_field(field, &mut packed);
    let mut rest = &packed[..];
    assert_eq!(unpack_field(&mut rest).as_ref(), Ok(field));
    assert!(rest.is_empty());
    assert!(unpack_field(&mut &packed[..packed.len() - 1]).is_err());

    let schema = export::schema(field).0;
    // SAFETY: the schema was made by `export`.
    let field_again = unsafe { Field::of(&schema) };
    assert_eq!(field_again.as_ref(), Ok(field));

    let mut columns = Unpacker::new(field);
    for row in rows {
        // The indices of a narrow dictionary can number only a limited count of values.
        columns.push(row).ok()?;
    }
    let array = export::array(columns.finish()).0;
    // SAFETY: the array was made by `export` and has this type.
    let chunk = unsafe { Chunk::new(array, field) }.unwrap();
    assert_eq!(chunk.node().len(), rows.len());
    let mut again = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        again.clear();
        pack(field, chunk.node(), number, &mut again).unwrap();
        assert_eq!(&again, row);
    }
    Some(chunk)
}

fn table(case: &Case, field: &Field, chunk: &Chunk) -> Result<(), Error> {
    let columns = Columns::new(field, None, if case.declared { Order::Declared } else { Order::Name })?;
    let rows = Rows::new(&columns, chunk.node(), 0)?;
    let (scheme, middle) = (Scheme::ALL[usize::from(case.lthash)], usize::from(case.middle) % (rows.len() + 1));
    let mut written: Vec<Vec<u8>> = Vec::new();
    rows.encode(0..rows.len(), |_, slices| {
        written.extend(slices.iter().map(|row| row.to_vec()));
        Ok::<(), Error>(())
    })?;

    let mut whole = Table::new(scheme, &columns);
    whole.add(&rows, 0..rows.len(), 1)?;
    let digest = whole.digest(1);
    let saved = whole.to_bytes(1)?;
    assert_eq!(Table::from_bytes(&saved)?.digest(1), digest);

    let mut parts = Table::new(scheme, &columns);
    parts.add(&rows, middle..rows.len(), 1)?;
    let mut parts = Table::from_bytes(&parts.to_bytes(1)?)?;
    let mut before = Table::new(scheme, &columns);
    before.add_written(&written[..middle].iter().rev().map(Vec::as_slice).collect::<Vec<_>>())?;
    parts.merge(before.try_clone()?)?;
    assert_eq!(parts.to_bytes(1)?, saved);
    if case.lthash {
        parts.unmerge(&before)?;
        parts.remove(&rows, middle..rows.len(), 1)?;
        assert_eq!(parts.to_bytes(1)?, Table::new(scheme, &columns).to_bytes(1)?);
    } else {
        let missing: usize =
            (0..=255).map(|bucket| whole.difference(&mut before, bucket).unwrap().here.len()).sum();
        assert_eq!(missing, rows.len() - middle);
    }

    let mut damaged = saved[..saved.len() - 32].to_vec();
    for (at, byte) in &case.damage {
        let at = usize::from(*at) % damaged.len();
        damaged[at] = *byte;
    }
    let checksum = Sha256::digest(&damaged);
    damaged.extend(checksum);
    if let Ok(mut other) = Table::from_bytes(&damaged) {
        assert_eq!(other.to_bytes(1)?, damaged);
    }
    Ok(())
}

fuzz_target!(|case: Case| {
    any_bytes(&case.raw);
    let Some(field) = field(&case.of, 0) else { return };
    let mut source = case.source.iter().copied();
    let rows = (0..case.rows % 64).map(|_| {
        let mut row = Vec::new();
        value(&field, &mut source, &mut row);
        row
    });
    let Some(chunk) = through_c(&field, &rows.collect::<Vec<_>>()) else { return };
    if let Err(error) = table(&case, &field, &chunk) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
});
