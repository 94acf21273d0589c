//! Packs rows as bytes, for samples that keep rows of a stream after its arrays are released.
//!
//! A null value is the byte 0. Any other value is the byte 1, followed by data that depend on the layout: one byte for
//! a bit, the bytes of a fixed-width value, a length and the bytes, a count and the items, or the fields of a struct.
//! Lengths and counts have 8 bytes, little-endian. For dictionaries and runs, only the value itself is packed. Numbers
//! are in the machine's byte order, as in the buffers.

use crate::error::Malformed;
use crate::field::{Field, Kind, Layout};
use crate::node::Node;

/// Appends a row.
///
/// # Errors
/// Returns [`Malformed`] if the array is inconsistent at this row.
pub fn pack(field: &Field, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
    if let (Kind::Dictionary { signed }, Some(values), Some(of)) =
        (field.kind, node.dictionary(), &field.dictionary)
    {
        if !node.is_valid(row) {
            out.push(0);
            return Ok(());
        }
        return pack(of, values, node.index(row, signed)?, out);
    }
    if let (Layout::Runs, [_, values], [_, of]) = (field.layout, node.children(), &field.children[..]) {
        return pack(of, values, node.run(row)?, out);
    }
    if field.layout == Layout::Null || !node.is_valid(row) {
        out.push(0);
        return Ok(());
    }
    out.push(1);
    match field.layout {
        Layout::Bits => out.push(node.bit(row)?.into()),
        Layout::Fixed(_) => out.extend_from_slice(node.bytes(row)?),
        Layout::Bytes { .. } | Layout::Views => {
            let bytes = node.bytes(row)?;
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(bytes);
        }
        Layout::List { .. } | Layout::ListView { .. } | Layout::FixedList(_) => {
            let items = node.range(row)?;
            out.extend_from_slice(&(items.len() as u64).to_le_bytes());
            for item in items {
                pack(&field.children[0], &node.children()[0], item, out)?;
            }
        }
        Layout::Struct => {
            for (of, child) in field.children.iter().zip(node.children()) {
                pack(of, child, row, out)?;
            }
        }
        Layout::Null | Layout::Runs => {}
    }
    Ok(())
}

/// Packs a type for a saved state: name, format, flags, metadata, children and dictionary. Lengths of texts and counts
/// have 8 bytes, little-endian.
pub fn pack_field(field: &Field, out: &mut Vec<u8>) {
    let mut text = |text: &[u8]| {
        out.extend_from_slice(&(text.len() as u64).to_le_bytes());
        out.extend_from_slice(text);
    };
    text(field.name.as_bytes());
    text(field.format.as_bytes());
    text(&field.flags.to_le_bytes());
    text(field.metadata.as_deref().unwrap_or_default());
    out.push(field.metadata.is_some().into());
    out.extend_from_slice(&(field.children.len() as u64).to_le_bytes());
    out.push(field.dictionary.is_some().into());
    field.children.iter().chain(field.dictionary.as_deref()).for_each(|field| pack_field(field, out));
}
