//! Digests and streams.

use crate::buffer::{DIGEST, ROOM, buffer};
use crate::ffi::{Result, answer};
use crate::memory::{input, output, room_for_a_state};
use crate::objects::{self, Object, other_kind};
use crate::registry::{params, row};
use alloc::boxed::Box;

/// The digest of one message, of the row's own length, into the bytes behind the buffer; returns its length. The message is in
/// the buffer, or in memory that was given.
#[unsafe(no_mangle)]
extern "C" fn hash(id: u32, at: usize, len: usize) -> i32 {
    answer(row(id).and_then(|row| {
        let digest = output(buffer() + ROOM, row.output.min(DIGEST))?;
        row.digest_into(input(at, len)?, digest)?;
        Ok(digest.len())
    }))
}

/// A hash in progress, with the parameters that lie there; returns its number.
#[unsafe(no_mangle)]
extern "C" fn hasher(id: u32, at: usize, len: usize) -> i32 {
    answer(row(id).and_then(|row| {
        room_for_a_state()?;
        let hasher = row.build(&params(input(at, len)?)?)?;
        objects::keep(Object::Hasher(Box::new(hasher)))
    }))
}

/// Appends to the message of a hash or a MAC.
#[unsafe(no_mangle)]
extern "C" fn update(number: usize, at: usize, len: usize) -> i32 {
    answer(input(at, len).and_then(|data| {
        objects::with(number, |object| {
            match object {
                Object::Hasher(hasher) => hasher.update(data),
                #[cfg(feature = "keyed")]
                Object::Mac(mac) => mac.update(data),
                #[cfg(feature = "keyed")]
                Object::Kmac(mac) => mac.update(data),
                _ => return Err(other_kind()),
            }
            Ok(0)
        })
    }))
}

/// Bytes of the digest of a hash, or of a MAC's tag: of KMAC's, unless another length is asked for.
#[unsafe(no_mangle)]
extern "C" fn output_len(number: usize) -> i32 {
    answer(objects::with(number, |object| match object {
        Object::Hasher(hasher) => Ok(hasher.output_len().min(i32::MAX as usize)),
        #[cfg(feature = "keyed")]
        Object::Mac(mac) => Ok(mac.output_len()),
        #[cfg(feature = "keyed")]
        Object::Kmac(mac) => Ok(mac.variant().output()),
        _ => Err(other_kind()),
    }))
}

/// The digest of the message so far, or the MAC's tag, of its own length; KMAC's of any.
#[unsafe(no_mangle)]
extern "C" fn digest(number: usize, at: usize, len: usize) -> i32 {
    answer(objects::with(number, |object| {
        let out = output(at, len)?;
        match object {
            Object::Hasher(hasher) => hasher.digest_into(out)?,
            #[cfg(feature = "keyed")]
            Object::Mac(mac) if len == mac.output_len() => mac.tag_into(out),
            #[cfg(feature = "keyed")]
            Object::Kmac(mac) => mac.tag_into(out),
            _ => return Err(other_kind()),
        }
        Ok(len)
    }))
}

/// Forgets the message and keeps the parameters.
#[unsafe(no_mangle)]
extern "C" fn reset(number: usize) -> i32 {
    answer(objects::with(number, |object| {
        match object {
            Object::Hasher(hasher) => hasher.reset(),
            #[cfg(feature = "keyed")]
            Object::Mac(mac) => mac.reset(),
            #[cfg(feature = "keyed")]
            Object::Kmac(mac) => mac.reset(),
            _ => return Err(other_kind()),
        }
        Ok(0)
    }))
}

/// A copy of a hash, a MAC or a stream; returns its number.
#[unsafe(no_mangle)]
extern "C" fn copy(number: usize) -> i32 {
    let copy = room_for_a_state().and_then(|()| {
        objects::with(number, |object| match object {
            Object::Hasher(hasher) => Ok(Object::Hasher(hasher.clone())),
            Object::Reader(reader) => Ok(Object::Reader(reader.clone())),
            #[cfg(feature = "keyed")]
            Object::Mac(mac) => Ok(Object::Mac(mac.clone())),
            #[cfg(feature = "keyed")]
            Object::Kmac(mac) => Ok(Object::Kmac(mac.clone())),
            #[cfg(feature = "source")]
            Object::Source(_) | Object::Drbg(_) => Err(other_kind()),
        })
    });
    answer(copy.and_then(objects::keep))
}

/// Ends the message of a hash or of KMAC and turns its number into that of the stream.
#[unsafe(no_mangle)]
extern "C" fn turn(number: usize) -> i32 {
    fn turn(number: usize) -> Result<usize> {
        room_for_a_state()?;
        // A row without a stream keeps its state.
        let reader = objects::with(number, |object| match object {
            Object::Hasher(hasher) => Ok(hasher.reader()?),
            #[cfg(feature = "keyed")]
            Object::Kmac(mac) => Ok(mac.clone().into_reader()),
            _ => Err(other_kind()),
        })?;
        objects::replace(number, Object::Reader(Box::new(reader)))?;
        Ok(number)
    }
    answer(turn(number))
}

/// Fills the bytes there with the next ones of a stream.
#[unsafe(no_mangle)]
extern "C" fn read(number: usize, at: usize, len: usize) -> i32 {
    answer(objects::with(number, |object| {
        let out = output(at, len)?;
        match object {
            Object::Reader(reader) => reader.try_read(out)?,
            #[cfg(feature = "source")]
            Object::Source(source) => source.read(out)?,

            _ => return Err(other_kind()),
        }
        Ok(len)
    }))
}

/// Goes to a byte position of a stream, given by its high and low 32 bits.
#[unsafe(no_mangle)]
extern "C" fn seek(number: usize, high: u32, low: u32) -> i32 {
    let position = u64::from(high) << 32 | u64::from(low);
    answer(objects::with(number, |object| {
        match object {
            Object::Reader(reader) => reader.seek(position)?,
            #[cfg(feature = "source")]
            Object::Source(source) => source.seek(position.into())?,

            _ => return Err(other_kind()),
        }
        Ok(0)
    }))
}
