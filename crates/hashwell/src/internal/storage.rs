//! The storage of large state and of data without a fixed length: on the heap, or inside the state.

use crate::internal::error::Error;
use crate::internal::try_alloc;
use crate::internal::wipe::{self, Depth};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use zeroize::Zeroize;

/// The place where a [`State`](crate::families::State) stores its parts.
pub(crate) trait Storage: Clone + 'static {
    /// The state of a tree, which has several kilobytes.
    type Large<T: Clone>: Clone + Deref<Target = T> + DerefMut + Holding<T>;
    /// A byte string of any length.
    type Bytes: Bytes;
}

/// A container for a state.
pub(crate) trait Holding<T>: Sized {
    /// Makes the container. Fails if an allocation on the heap fails.
    fn holding(value: T) -> Result<Self, Error>;
}

impl<T> Holding<T> for Box<T> {
    fn holding(value: T) -> Result<Self, Error> {
        try_alloc::boxed(value)
    }
}

impl<T> Holding<T> for InPlace<T> {
    #[inline(always)]
    fn holding(value: T) -> Result<Self, Error> {
        Ok(Self(value))
    }
}

/// Stores data on the heap.
#[derive(Clone)]
pub(crate) struct Boxed;

impl Storage for Boxed {
    type Large<T: Clone> = Box<T>;
    type Bytes = Vec<u8>;
}

/// Stores data inside the state, so that the whole state is plain data.
#[derive(Clone)]
pub(crate) struct Plain;

impl Storage for Plain {
    type Large<T: Clone> = InPlace<T>;
    type Bytes = Held;
}

/// A value stored inside the state.
#[derive(Clone)]
pub(crate) struct InPlace<T>(T);

impl<T> InPlace<T> {
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for InPlace<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for InPlace<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for InPlace<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A value inside the state or, if it is secret, on the heap, so that moving its owner leaves no
/// copy behind.
pub(crate) enum Kept<T> {
    Here(T),
    Away(Box<T>),
}

impl<T> Kept<T> {
    /// Stores a secret value on the heap, and overwrites what making it leaves on the stack.
    ///
    /// This function must not be inlined. When code makes an enum from one of several variants, the compiler may move
    /// all its bytes through registers, including bytes that the variant does not use. At this point, the stack has
    /// been overwritten, but registers can still contain parts of the value.
    #[inline(never)]
    pub(crate) fn away(make: impl FnOnce() -> T) -> Self {
        Kept::Away(wipe::after(Depth::Usual, || Box::new(make())))
    }
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        match self {
            Kept::Here(value) => Kept::Here(value.clone()),
            Kept::Away(value) => Kept::away(|| T::clone(value)),
        }
    }
}

impl<T: Zeroize> Zeroize for Kept<T> {
    fn zeroize(&mut self) {
        (**self).zeroize();
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match self {
            Kept::Here(value) => value,
            Kept::Away(value) => value,
        }
    }
}

impl<T> DerefMut for Kept<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        match self {
            Kept::Here(value) => value,
            Kept::Away(value) => value,
        }
    }
}

/// The customization string of KangarooTwelve, which is needed again at the end of the message.
pub(crate) trait Bytes: Clone + Default + Sync + AsRef<[u8]> + Zeroize + 'static {
    /// Makes a copy.
    fn holding(bytes: &[u8]) -> Result<Self, Error>;
}

impl Bytes for Vec<u8> {
    fn holding(bytes: &[u8]) -> Result<Self, Error> {
        try_alloc::copy(bytes).map(Vec::from)
    }
}

/// At most [`Held::MOST`] bytes inside the state.
#[derive(Clone)]
pub(crate) struct Held {
    bytes: [u8; Held::MOST],
    len: usize,
}

impl Held {
    pub(crate) const MOST: usize = 256;
}

impl Default for Held {
    fn default() -> Self {
        Self { bytes: [0; Self::MOST], len: 0 }
    }
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Bytes for Held {
    fn holding(bytes: &[u8]) -> Result<Self, Error> {
        let mut held = Self { len: bytes.len(), ..Self::default() };
        let Some(place) = held.bytes.get_mut(..bytes.len()) else {
            return Err(Error::OutOfRange {
                algorithm: "KangarooTwelve as plain data",
                what: "customisation length",
                unit: "bytes",
                min: 0,
                max: Self::MOST as u64,
                got: bytes.len() as u64,
            });
        };
        place.copy_from_slice(bytes);
        Ok(held)
    }
}

impl Zeroize for Held {
    fn zeroize(&mut self) {
        self.bytes.zeroize();
        self.len = 0;
    }
}
