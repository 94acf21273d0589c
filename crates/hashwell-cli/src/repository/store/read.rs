//! What reading a store gives: objects, their headers, and what is wrong.

use crate::repository::object::object_header;
use gix_hash::oid;
use gix_object::Kind;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// An object that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    pub(crate) kind: Kind,
    pub(crate) content: &'a [u8],
}

/// What an object's first bytes say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// Of the content, bytes.
    pub(crate) size: u64,
}

/// Bytes of an object, at most.
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

/// Room that one large object needed is not kept for small ones.
pub(crate) fn give_back(buffer: &mut Vec<u8>) {
    const ROOM: usize = 4 << 20;
    buffer.truncate(ROOM);
    buffer.shrink_to(ROOM);
}

/// What git hashes before the content.
pub(crate) fn header(kind: Kind, size: u64) -> Vec<u8> {
    object_header(&kind.to_string(), size)
}

/// A part of the store that could not be used, or not in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
}

/// What [`Store::headers`] calls for each object; a break ends the walk.
pub(crate) type EachHeader<'a> = dyn FnMut(&oid, Result<Header, String>) -> ControlFlow<()> + 'a;

/// What [`Store::objects`] calls for each object; a break ends the walk.
pub(crate) type EachObject<'a> = dyn FnMut(&oid, Result<Object<'_>, String>) -> ControlFlow<()> + 'a;

/// How a walk went.
#[derive(Debug)]
pub(crate) struct Walked {
    /// Whether it was ended before its end.
    pub(crate) stopped: bool,
    /// Parts that could not be read at all.
    pub(crate) damage: Vec<Damage>,
}
