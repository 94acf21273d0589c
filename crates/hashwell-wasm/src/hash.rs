//! Digests and streams.

use crate::buffer::{DIGEST, ROOM, buffer};
use crate::ffi::{Result, answer};
use crate::memory::{input, output, room_for_a_state};
use crate::objects::{self, Object, other_kind};
use crate::registry::{params, row};
use alloc::boxed::Box;

/// Writes the digest of one message, with the default length, to the bytes after the buffer. Returns the length of the
/// digest. The message is in the buffer or in allocated memory.
#[unsafe(no_mangle)]
extern "C" fn hash(id: u32, at: usize, len: usize) -> i32 {
    answer(row(id).and_then(|row| {
        let digest = output(buffer() + ROOM, row.output.min(DIGEST))?;
        row.digest_into(input(at, len)?, digest)?;
        Ok(digest.len())
    }))
}

/// Creates a hash in progress with the parameters at `at`. Returns its number.
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

/// Returns the number of bytes of the digest of a hash, or of the tag of a MAC. For KMAC it is the default length.
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

/// Writes the digest or tag of the message so far, with the object's own length. For KMAC, any length is possible.
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

/// Discards the message, and keeps the parameters.
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

/// Copies a hash, a MAC or a stream. Returns the number of the copy.
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

/// Ends the message of a hash or of KMAC. The number of the object becomes the number of the output stream.
#[unsafe(no_mangle)]
extern "C" fn turn(number: usize) -> i32 {
    fn turn(number: usize) -> Result<usize> {
        room_for_a_state()?;
        // If the algorithm has no output stream, the state does not change.
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

/// Writes the next bytes of a stream to memory.
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

/// Moves a stream to a byte position, which is given by its high and low 32 bits.
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
