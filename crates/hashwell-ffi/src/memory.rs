//! Converts pointers and lengths to slices. NULL with a length of zero is an empty slice.

use crate::boundary::Failure;
use std::ffi::{CStr, c_char};

/// Returns the bytes to read.
///
/// # Safety
/// `data` is NULL or points to `len` bytes that are not modified while the slice exists.
#[inline]
pub(crate) unsafe fn input<'a>(data: *const u8, len: usize) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller guarantees the requirements of `items`; bytes need no alignment.
    unsafe { items(data, len) }
}

/// Returns the items to read.
///
/// # Safety
/// `items` is NULL or points to `count` aligned items that are not modified while the slice exists.
#[inline]
pub(crate) unsafe fn items<'a, T>(items: *const T, count: usize) -> Result<&'a [T], Failure> {
    match (items.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::Null),
        _ if count > isize::MAX as usize / size_of::<T>() => Err(Failure::Length),
        // SAFETY: the caller guarantees `count` items that don't change, and the size is at most `isize::MAX`.
        _ => Ok(unsafe { std::slice::from_raw_parts(items, count) }),
    }
}

/// Returns the bytes to write.
///
/// # Safety
/// `out` is NULL or points to `len` bytes that only this slice accesses while it exists.
#[inline]
pub(crate) unsafe fn output<'a>(out: *mut u8, len: usize) -> Result<&'a mut [u8], Failure> {
    match (out.is_null(), len) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Failure::Null),
        _ if len > isize::MAX as usize => Err(Failure::Length),
        // SAFETY: the caller guarantees `len` bytes for this slice only, and the size is at most `isize::MAX`.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(out, len) }),
    }
}

/// Returns a text that ends with a NUL, or `None` for NULL.
///
/// # Safety
/// `text` is NULL or points to text that ends with a NUL.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the pointer is not NULL, and the caller guarantees a NUL at the end of the text.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| Failure::Text)
}

/// Stores a result.
///
/// # Safety
/// `place` is NULL or points to a `T`, initialised or not.
pub(crate) unsafe fn store<T>(place: *mut T, value: T) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::Null);
    }
    // SAFETY: the pointer is not NULL, and the caller guarantees space for a value, initialised or not.
    unsafe { place.write(value) };
    Ok(())
}

/// Returns true if the output overlaps the input.
#[inline]
pub(crate) fn overlap(out: *mut u8, out_len: usize, data: *const u8, len: usize) -> bool {
    let (out, data) = (out.addr(), data.addr());
    out_len > 0 && len > 0 && out < data.saturating_add(len) && data < out.saturating_add(out_len)
}

/// Returns the slices given by an array of pointers and an array of lengths. None may overlap the output.
///
/// # Safety
/// The requirements of [`items`] apply to both arrays, and the requirements of [`input`] to each pointer.
pub(crate) unsafe fn gather<'a>(
    pointers: *const *const u8,
    lengths: *const usize,
    count: usize,
    (out, out_len): (*mut u8, usize),
) -> Result<Vec<&'a [u8]>, Failure> {
    // SAFETY: the caller guarantees that both arrays have `count` items.
    let (pointers, lengths) = unsafe { (items(pointers, count)?, items(lengths, count)?) };
    let mut slices = Vec::new();
    slices.try_reserve_exact(count).map_err(|_| Failure::Memory)?;
    for (&data, &len) in pointers.iter().zip(lengths) {
        if overlap(out, out_len, data, len) {
            return Err(Failure::Overlap);
        }
        // SAFETY: the caller guarantees `len` bytes at each pointer, which don't overlap the output.
        slices.push(unsafe { input(data, len)? });
    }
    Ok(slices)
}
