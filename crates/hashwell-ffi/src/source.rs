//! Random streams by name. They are on the heap, because their buffer and generator are large and some contain keys
//! that must not be moved.

use crate::boundary::{Failure, OK};
use crate::memory::{input, output, store, text};
use crate::object::{Kind, Object};
use hashwell::{RandomSource, RandomStream, Source, StreamKey};
use std::ffi::{c_char, c_int};
use std::fmt::{self, Write};
use std::sync::LazyLock;

impl Kind for RandomStream {
    const KIND: u64 = u64::from_le_bytes(*b"hw srce0");
}

/// All sources with their names as C strings. Like the names of the registry, they are not on the heap.
static SOURCES: LazyLock<[Option<(Source, Name)>; 64]> = LazyLock::new(|| {
    let mut sources = [const { None }; 64];
    for (place, source) in Source::all().enumerate() {
        let mut name = Name { bytes: [0; 48], len: 0 };
        write!(name, "{source}").expect("a test asks for every name, so that there is room for it");
        sources[place] = Some((source, name));
    }
    sources
});

/// A text, followed by at least one zero byte.
struct Name {
    bytes: [u8; 48],
    len: usize,
}

impl Write for Name {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        if end == self.bytes.len() {
            return Err(fmt::Error);
        }
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Finds the source with this name.
///
/// # Safety
/// The requirements of [`text`] apply.
unsafe fn find(name: *const c_char) -> Result<Source, Failure> {
    // SAFETY: the caller guarantees the requirements of `text`.
    let name = unsafe { text(name)? }.ok_or(Failure::Null)?;
    Ok(Source::find(name)?)
}

/// Stores a position in two halves. `high` can be NULL if the upper half is zero.
///
/// # Safety
/// The requirements of [`store`] apply to both pointers.
unsafe fn store_position(position: u128, low: *mut u64, high: *mut u64) -> Result<c_int, Failure> {
    let above = (position >> 64) as u64;
    if low.is_null() {
        return Err(Failure::Null);
    }
    if high.is_null() && above != 0 {
        return Err(Failure::Range);
    }
    // SAFETY: the caller guarantees the requirements of `store`, and neither pointer is NULL when it is written.
    unsafe {
        if !high.is_null() {
            store(high, above)?;
        }
        store(low, position as u64)?;
    }
    Ok(OK)
}

export! {
    fn hw_source_at(index: usize) -> *const c_char {
        let named = SOURCES.get(index).and_then(Option::as_ref);
        named.map_or(std::ptr::null(), |(_, name)| name.bytes.as_ptr().cast())
    }

    fn hw_source_new(
        out: *mut *mut Object<RandomStream>,
        name: *const c_char,
        seed: *const u8,
        seed_len: usize,
        personalization: *const u8,
        personalization_len: usize,
    ) -> c_int {
        Object::make(out, || {
            let seed = input(seed, seed_len)?;
            Ok(find(name)?.seeded(seed, input(personalization, personalization_len)?)?)
        })
    }

    fn hw_source_new_os(
        out: *mut *mut Object<RandomStream>,
        name: *const c_char,
        personalization: *const u8,
        personalization_len: usize,
    ) -> c_int {
        Object::make(out, || Ok(find(name)?.os_seeded(input(personalization, personalization_len)?)?))
    }

    fn hw_source_new_key(
        out: *mut *mut Object<RandomStream>,
        name: *const c_char,
        key: *const u8,
        key_len: usize,
        jumps: u64,
        spawned: u64,
    ) -> c_int {
        Object::make(out, || {
            let root = input(key, key_len)?.try_into().map_err(|_| Failure::Length)?;
            let mut stream = RandomStream::of_key(find(name)?, StreamKey { root, jumps })?;
            stream.set_spawned(spawned);
            Ok(stream)
        })
    }

    fn hw_source_name(state: *const Object<RandomStream>) -> *const c_char {
        let Ok(stream) = Object::get(state) else { return std::ptr::null() };
        let named = SOURCES.iter().flatten().find(|(source, _)| *source == stream.source());
        named.map_or(std::ptr::null(), |(_, name)| name.bytes.as_ptr().cast())
    }

    fn hw_source_read(state: *mut Object<RandomStream>, out: *mut u8, len: usize) -> c_int {
        let stream = Object::get_mut(state)?;
        stream.read(output(out, len)?)?;
        Ok(OK)
    }

    fn hw_source_next_u32(state: *mut Object<RandomStream>, number: *mut u32) -> c_int {
        let stream = Object::get_mut(state)?;
        // Check the pointer first, so that no number is consumed if it is NULL.
        store(number, 0)?;
        store(number, stream.next_u32()?)?;
        Ok(OK)
    }

    fn hw_source_next_u64(state: *mut Object<RandomStream>, number: *mut u64) -> c_int {
        let stream = Object::get_mut(state)?;
        store(number, 0)?;
        store(number, stream.next_u64()?)?;
        Ok(OK)
    }

    fn hw_source_next_double(state: *mut Object<RandomStream>, number: *mut f64) -> c_int {
        let stream = Object::get_mut(state)?;
        store(number, 0.0)?;
        store(number, stream.next_f64()?)?;
        Ok(OK)
    }

    fn hw_source_tell(state: *const Object<RandomStream>, low: *mut u64, high: *mut u64) -> c_int {
        store_position(Object::get(state)?.position(), low, high)
    }

    fn hw_source_end(state: *const Object<RandomStream>, low: *mut u64, high: *mut u64) -> c_int {
        store_position(Object::get(state)?.end(), low, high)
    }

    fn hw_source_is_seekable(state: *const Object<RandomStream>) -> c_int {
        Object::get(state).map(|stream| c_int::from(stream.is_seekable()))
    }

    fn hw_source_seek(state: *mut Object<RandomStream>, low: u64, high: u64) -> c_int {
        Object::get_mut(state)?.seek(u128::from(high) << 64 | u128::from(low))?;
        Ok(OK)
    }

    fn hw_source_key(
        state: *const Object<RandomStream>,
        key: *mut u8,
        key_len: usize,
        jumps: *mut u64,
        spawned: *mut u64,
    ) -> c_int {
        let stream = Object::get(state)?;
        let own = stream.key().ok_or(Failure::Unsupported)?;
        let key = output(key, key_len)?;
        if key.len() != own.root.len() {
            return Err(Failure::Length);
        }
        if jumps.is_null() || spawned.is_null() {
            return Err(Failure::Null);
        }
        key.copy_from_slice(&own.root);
        store(jumps, own.jumps)?;
        store(spawned, stream.spawned())?;
        Ok(OK)
    }

    fn hw_source_spawn(state: *mut Object<RandomStream>, child: *mut *mut Object<RandomStream>) -> c_int {
        Object::make(child, || Ok(Object::get_mut(state)?.spawn()?))
    }

    fn hw_source_jumped(
        state: *const Object<RandomStream>,
        jumps: u64,
        out: *mut *mut Object<RandomStream>,
    ) -> c_int {
        Object::make(out, || Ok(Object::get(state)?.jumped(jumps)?))
    }

    fn hw_source_seed_others(state: *const Object<RandomStream>, out: *mut u8, len: usize) -> c_int {
        let stream = Object::get(state)?;
        stream.seed_others(output(out, len)?)?;
        Ok(OK)
    }

    fn hw_source_free(state: *mut Object<RandomStream>) {
        Object::free(state);
    }
}
