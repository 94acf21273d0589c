//! The results of reading a store: objects, their headers, and damage.

use crate::id::ObjectId;
use crate::object::{ObjectType, object_header};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// An object that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    pub(crate) kind: ObjectType,
    pub(crate) content: &'a [u8],
}

/// The header of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) kind: ObjectType,
    /// The size of the content in bytes.
    pub(crate) size: u64,
}

/// The maximum size of an object in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit(pub(crate) u64);

impl Limit {
    pub(crate) fn check(self, size: u64) -> Result<(), String> {
        if size <= self.0 {
            return Ok(());
        }
        Err(format!("it declares {size} bytes; the limit is {} (--max-object raises it)", self.0))
    }
}

/// Frees the memory of a large object, which need not be kept for small ones.
pub(crate) fn give_back(buffer: &mut Vec<u8>) {
    const ROOM: usize = 4 << 20;
    buffer.truncate(ROOM);
    buffer.shrink_to(ROOM);
}

/// The header that git hashes before the content.
pub(crate) fn header(kind: ObjectType, size: u64) -> Vec<u8> {
    object_header(kind.name(), size)
}

/// A part of the store that could not be used, or not in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
}

/// The function that [`Store::headers`] calls for each object; a break ends the walk.
pub(crate) type EachHeader<'a> = dyn FnMut(&ObjectId, Result<Header, String>) -> ControlFlow<()> + 'a;

/// The function that [`Store::objects`] calls for each object; a break ends the walk.
pub(crate) type EachObject<'a> = dyn FnMut(&ObjectId, Result<Object<'_>, String>) -> ControlFlow<()> + 'a;

/// The result of a walk.
#[derive(Debug)]
pub(crate) struct Walked {
    /// True if it was stopped early.
    pub(crate) stopped: bool,
    /// Parts that could not be read at all.
    pub(crate) damage: Vec<Damage>,
}
