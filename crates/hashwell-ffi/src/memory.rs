//! Pointers and lengths become slices. NULL is an empty slice if its length is zero.

use crate::boundary::Failure;
use std::ffi::{CStr, c_char};

/// The bytes to read.
///
/// # Safety
/// `data` is NULL or points to `len` bytes that nobody writes to while the slice lives.
#[inline]
pub(crate) unsafe fn input<'a>(data: *const u8, len: usize) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller promises of bytes what `items` asks for; they need no alignment.
    unsafe { items(data, len) }
}

/// The items to read.
///
/// # Safety
/// `items` is NULL or points to `count` aligned items that nobody writes to while the slice lives.
#[inline]
pub(crate) unsafe fn items<'a, T>(items: *const T, count: usize) -> Result<&'a [T], Failure> {
    match (items.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::Null),
        _ if count > isize::MAX as usize / size_of::<T>() => Err(Failure::Length),
        // SAFETY: the caller promises so many items that stay as they are, and the length is one that an object can have.
        _ => Ok(unsafe { std::slice::from_raw_parts(items, count) }),
    }
}

/// The bytes to write.
///
/// # Safety
/// `out` is NULL or points to `len` bytes that nobody else uses while the slice lives.
#[inline]
pub(crate) unsafe fn output<'a>(out: *mut u8, len: usize) -> Result<&'a mut [u8], Failure> {
    match (out.is_null(), len) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Failure::Null),
        _ if len > isize::MAX as usize => Err(Failure::Length),
        // SAFETY: the caller promises so many bytes for this slice alone, and the length is one that an object can have.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(out, len) }),
    }
}

/// Text that ends with a NUL, or nothing.
///
/// # Safety
/// `text` is NULL or points to text that ends with a NUL.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, and the caller promises a NUL at its end.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| Failure::Text)
}

/// Writes a result.
///
/// # Safety
/// `place` is NULL or points to a `T`, initialised or not.
pub(crate) unsafe fn store<T>(place: *mut T, value: T) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::Null);
    }
    // SAFETY: not NULL, and the caller promises room for a value, whatever is in it.
    unsafe { place.write(value) };
    Ok(())
}

/// Whether memory to be written shares bytes with memory to be read.
#[inline]
pub(crate) fn overlap(out: *mut u8, out_len: usize, data: *const u8, len: usize) -> bool {
    let (out, data) = (out.addr(), data.addr());
    out_len > 0 && len > 0 && out < data.saturating_add(len) && data < out.saturating_add(out_len)
}

/// The slices of an array of pointers and one of lengths, none of which shares memory with the output.
///
/// # Safety
/// As [`items`], for both arrays; as [`input`], for each pointer.
pub(crate) unsafe fn gather<'a>(
    pointers: *const *const u8,
    lengths: *const usize,
    count: usize,
    (out, out_len): (*mut u8, usize),
) -> Result<Vec<&'a [u8]>, Failure> {
    // SAFETY: the caller promises both arrays, of `count` items each.
    let (pointers, lengths) = unsafe { (items(pointers, count)?, items(lengths, count)?) };
    let mut slices = Vec::new();
    slices.try_reserve_exact(count).map_err(|_| Failure::Memory)?;
    for (&data, &len) in pointers.iter().zip(lengths) {
        if overlap(out, out_len, data, len) {
            return Err(Failure::Overlap);
        }
        // SAFETY: the caller promises so many bytes behind each pointer, and the output is elsewhere.
        slices.push(unsafe { input(data, len)? });
    }
    Ok(slices)
}
