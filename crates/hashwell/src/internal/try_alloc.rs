//! Fallible allocation, which returns an error where the collections of the standard library abort
//! the process, and memory that is completely overwritten before it is freed.

use crate::internal::error::Error;
use alloc::alloc::{Layout, alloc, alloc_zeroed};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// Returns an empty list with capacity for this number of items.
pub(crate) fn list<T>(items: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(items).map_err(|_| Error::OutOfMemory)?;
    Ok(list)
}

/// Returns `len` zeros. For large lengths, the system often has zeroed memory, so the zeros are not written here.
#[allow(unsafe_code)] // in safe Rust, a fallible list is not made of zeros but filled with them
pub(crate) fn zeros(len: usize) -> Result<Vec<u8>, Error> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let layout = Layout::array::<u8>(len).map_err(|_| Error::OutOfMemory)?;
    // SAFETY: the layout is not empty. The memory comes from the global allocator with the layout of a list of `len`
    // bytes, and all of them are initialized to zero.
    unsafe {
        let place = alloc_zeroed(layout);
        if place.is_null() { Err(Error::OutOfMemory) } else { Ok(Vec::from_raw_parts(place, len, len)) }
    }
}

/// Returns a copy without spare capacity.
pub(crate) fn copy(bytes: &[u8]) -> Result<Box<[u8]>, Error> {
    let mut copy = list(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy.into_boxed_slice())
}

/// Returns a value on the heap.
#[allow(unsafe_code)] // there is no safe way to make a box with a fallible allocation
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, Error> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: the layout is not empty. The memory comes from the global allocator with the layout of a box.
    unsafe {
        let place = alloc(Layout::new::<T>()).cast::<T>();
        if place.is_null() {
            return Err(Error::OutOfMemory);
        }
        place.write(value);
        Ok(Box::from_raw(place))
    }
}

/// Returns the text of an error, or an empty string if the allocation fails, since the error must
/// be reported anyway.
pub(crate) fn words(text: &str) -> Box<str> {
    joined(&[text])
}

/// Returns the concatenated pieces, like [`words`].
pub(crate) fn joined(pieces: &[&str]) -> Box<str> {
    let mut words = String::new();
    if words.try_reserve_exact(pieces.iter().map(|piece| piece.len()).sum()).is_ok() {
        pieces.iter().for_each(|piece| words.push_str(piece));
    }
    words.into_boxed_str()
}

/// Returns the formatted value like [`words`], truncated to about 200 bytes.
#[cfg(any(feature = "os-random", test))]
pub(crate) fn words_of(said: &dyn core::fmt::Display) -> Box<str> {
    use core::fmt::{self, Write as _};

    struct Line {
        text: [u8; 200],
        len: usize,
    }

    impl fmt::Write for Line {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let end = self.len + text.len();
            self.text.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    let mut line = Line { text: [0; 200], len: 0 };
    // Keeps whole pieces of text, up to the first that does not fit.
    let _ = write!(line, "{said}");
    words(str::from_utf8(&line.text[..line.len]).unwrap_or_default())
}

/// A value on the heap whose memory is overwritten on drop, including bytes that the value itself
/// does not overwrite: a move also copies the padding between its fields.
pub(crate) struct Erased<T>(Box<MaybeUninit<T>>);

impl<T> Erased<T> {
    pub(crate) fn new(value: T) -> Result<Self, Error> {
        boxed(MaybeUninit::new(value)).map(Self)
    }
}

impl<T> Deref for Erased<T> {
    type Target = T;

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &T {
        // SAFETY: `new` initializes the value, and only `drop` drops it.
        unsafe { self.0.assume_init_ref() }
    }
}

impl<T> DerefMut for Erased<T> {
    #[inline]
    #[allow(unsafe_code)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: `new` initializes the value, and only `drop` drops it.
        unsafe { self.0.assume_init_mut() }
    }
}

impl<T> Drop for Erased<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: `new` initializes the value, and nothing uses it after this call. The box owns the memory, in which
        // zeros are allowed, as are any bytes.
        unsafe {
            self.0.assume_init_drop();
            self.0.as_mut_ptr().write_bytes(0, 1);
        }
        zeroize::optimization_barrier(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;

    #[test]
    fn what_is_on_the_heap_is_there_and_goes_once() {
        let counted = Rc::new(7);
        let mut erased = Erased::new((counted.clone(), 1_u8)).unwrap();
        erased.1 += 1;
        let (held, number) = &*erased;
        assert_eq!((**held, *number, Rc::strong_count(&counted)), (7, 2, 2));
        drop(erased);
        assert_eq!(Rc::strong_count(&counted), 1);
        assert_eq!(*boxed([1_u64; 9]).unwrap(), [1; 9]);
        assert_eq!(copy(b"ab").unwrap().as_ref(), b"ab");
    }

    #[test]
    fn more_than_there_is_is_an_error() {
        assert_eq!(list::<u64>(usize::MAX / 8), Err(Error::OutOfMemory));
        assert_eq!(zeros(usize::MAX / 2), Err(Error::OutOfMemory));
        assert_eq!((list::<u8>(0).unwrap().capacity(), zeros(3).unwrap()), (0, alloc::vec![0; 3]));
    }

    #[test]
    fn words_are_as_said() {
        assert_eq!(
            (&*words("no entropy"), &*words(""), &*joined(&["a", "", "bc"])),
            ("no entropy", "", "abc")
        );
        assert_eq!(&*words_of(&format_args!("{} and {}", 1, "two")), "1 and two");
        let long = "x".repeat(300);
        assert_eq!(&*words_of(&format_args!("a{long}")), "a");
    }
}
