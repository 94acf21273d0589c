//! The boundary to C: converts results to codes and catches panics.

use hashwell::Error;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Success.
pub(crate) const OK: c_int = 0;

macro_rules! failures {
    ($($(#[$meta:meta])* $name:ident = $code:literal $text:literal,)*) => {
        /// The error codes. The header documents each of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Failure { $($(#[$meta])* $name = $code,)* }

        impl Failure {
            #[cfg(test)]
            pub(crate) const ALL: &[(&str, Failure)] = &[$((stringify!($name), Failure::$name)),*];

            fn text(code: c_int) -> Option<&'static CStr> {
                $(if code == Failure::$name as c_int { return Some($text); })*
                None
            }
        }
    };
}

failures! {
    Null = -1 c"a required pointer is NULL",
    Algorithm = -2 c"no algorithm has this number",
    Length = -3 c"a buffer does not have the length of the result",
    Range = -4 c"a parameter is outside its range",
    Unsupported = -5 c"the algorithm does not support this parameter or operation",
    State = -6 c"the state is not initialized, was wiped, or is of a different kind",
    Align = -7 c"a state is not aligned",
    Overlap = -8 c"an output overlaps an input",
    Mismatch = -9 c"the bytes differ",
    Params = -10 c"the size field of the parameters does not match this library",
    Text = -11 c"text is not UTF-8",
    Kernel = -12 c"no kernel has this name",
    KernelUnavailable = -13 c"the kernel needs a CPU feature that this machine lacks",
    KernelForced = -14 c"a different kernel was already selected",
    Memory = -15 c"not enough memory",
    Reseed = -16 c"the generator must be reseeded",
    Entropy = -17 c"the source of entropy failed",
    SelfTest = -18 c"the generator's known-answer test failed",
    PredictionResistance = -19 c"the generator was made without prediction resistance",
    Callback = -20 c"the function that the caller passed failed",
    Exhausted = -21 c"the stream has fewer bytes left than were requested",
    Saved = -22 c"the bytes are not a saved state, or no message leads to this state",
    Internal = -99 c"internal error: a bug in hashwell",
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownAlgorithm { .. } => Failure::Algorithm,
            Error::OutOfRange { .. } => Failure::Range,
            Error::Unsupported { .. } => Failure::Unsupported,
            Error::UnknownKernel { .. } => Failure::Kernel,
            Error::UnavailableKernel { .. } => Failure::KernelUnavailable,
            Error::KernelAlreadyForced { .. } => Failure::KernelForced,
            Error::TagMismatch => Failure::Mismatch,
            Error::ReseedRequired { .. } => Failure::Reseed,
            Error::NotInstantiated { .. } => Failure::State,
            Error::NoPredictionResistance { .. } => Failure::PredictionResistance,
            Error::SelfTestFailed { .. } => Failure::SelfTest,
            Error::EntropyFailed { .. } => Failure::Entropy,
            Error::Exhausted { .. } => Failure::Exhausted,
            Error::OutOfMemory => Failure::Memory,
            Error::BadState { .. } => Failure::Saved,
            _ => Failure::Internal,
        }
    }
}

/// A return type of exported functions.
pub(crate) trait Returned {
    /// The type that the body of the function returns.
    type Body;
    /// The value returned after a panic.
    const CAUGHT: Self;
    fn from_body(body: Self::Body) -> Self;
}

impl Returned for c_int {
    type Body = Result<c_int, Failure>;
    const CAUGHT: Self = Failure::Internal as c_int;
    fn from_body(body: Self::Body) -> Self {
        body.unwrap_or_else(|failure| failure as c_int)
    }
}

macro_rules! returned_as_it_is {
    ($($type:ty = $caught:expr),*) => {$(
        impl Returned for $type {
            type Body = Self;
            const CAUGHT: Self = $caught;
            fn from_body(body: Self) -> Self {
                body
            }
        }
    )*};
}
returned_as_it_is!(usize = 0, u32 = 0, u64 = 0, *const c_char = std::ptr::null(), () = ());

/// Runs the body of an exported function and catches panics.
#[inline]
pub(crate) fn guard<R: Returned>(body: impl FnOnce() -> R::Body) -> R {
    let body = || {
        #[cfg(test)]
        injected::panic_if_asked();
        body()
    };
    // After a panic, the caller's state may be inconsistent, so the caller can only wipe it. It contains no heap
    // memory, so this is memory-safe.
    catch_unwind(AssertUnwindSafe(body)).map_or(R::CAUGHT, R::from_body)
}

/// Defines exported functions, and for each function a test that checks that panics are caught.
macro_rules! export {
    ($(fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $returned:ty)? $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(unused_unsafe)] // not every body has pointers
        unsafe extern "C" fn $name($($arg: $type),*) $(-> $returned)? {
            // SAFETY: the header requires that pointers are valid for their lengths, that states have the right
            // type, and that no other thread uses them during the call.
            $crate::boundary::guard(|| unsafe { $body })
        }

        #[cfg(test)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn catches_panics() {
                use $crate::boundary::{Returned, injected};
                // SAFETY: the panic occurs before any argument is used.
                #[allow(clippy::unit_arg, unused_unsafe)]
                injected::check(stringify!($name), || unsafe {
                    super::$name($(<$type as injected::Nothing>::NOTHING),*) == Returned::CAUGHT
                });
            }
        }
    )*};
}

export! {
    fn hw_strerror(code: c_int) -> *const c_char {
        let text = if code == OK { Some(c"success") } else { Failure::text(code) };
        text.unwrap_or(c"unknown code").as_ptr()
    }
}

/// Injects panics for tests.
#[cfg(test)]
pub(crate) mod injected {
    use std::cell::Cell;

    thread_local!(static ASKED: Cell<bool> = const { Cell::new(false) });

    pub(crate) fn panic_if_asked() {
        assert!(!ASKED.get(), "injected");
    }

    /// Checks that `call` reports an injected panic as caught.
    pub(crate) fn check(name: &str, call: impl FnOnce() -> bool) {
        ASKED.set(true);
        let caught = call();
        ASKED.set(false);
        assert!(caught, "{name}");
    }

    /// An argument that is never used.
    pub(crate) trait Nothing {
        const NOTHING: Self;
    }

    macro_rules! nothing {
        ($($type:ty),*) => {$(impl Nothing for $type { const NOTHING: Self = 0; })*};
    }
    nothing!(i32, u32, u64, usize);

    impl<T> Nothing for Option<T> {
        const NOTHING: Self = None;
    }

    impl<T> Nothing for *const T {
        const NOTHING: Self = std::ptr::null();
    }

    impl<T> Nothing for *mut T {
        const NOTHING: Self = std::ptr::null_mut();
    }
}
