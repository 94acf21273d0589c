//! The border: results become codes, and no panic goes past it.

use hashwell::Error;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Success.
pub(crate) const OK: c_int = 0;

macro_rules! failures {
    ($($(#[$meta:meta])* $name:ident = $code:literal $text:literal,)*) => {
        /// Why a function failed; the header has the meaning of each.
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
    Null = -1 c"a pointer is NULL where memory is needed",
    Algorithm = -2 c"no algorithm has this number",
    Length = -3 c"a buffer has not the length of the result",
    Range = -4 c"a parameter is outside its range",
    Unsupported = -5 c"the algorithm has no such parameter or operation",
    State = -6 c"the state is not initialised, was wiped, or is of another kind",
    Align = -7 c"a state is not aligned",
    Overlap = -8 c"an output overlaps an input",
    Mismatch = -9 c"the bytes differ",
    Params = -10 c"the size field of the parameters is not that of this library",
    Text = -11 c"text is not UTF-8",
    Kernel = -12 c"no kernel has this name",
    KernelUnavailable = -13 c"the kernel needs a CPU feature that this machine lacks",
    KernelForced = -14 c"the kernel is already fixed to another one",
    Memory = -15 c"no memory",
    Reseed = -16 c"the generator has to be reseeded",
    Entropy = -17 c"the source of entropy failed",
    SelfTest = -18 c"the generator's known-answer test failed",
    PredictionResistance = -19 c"the generator was made without prediction resistance",
    Callback = -20 c"the caller's own function failed",
    Exhausted = -21 c"the stream ends before so many bytes",
    Saved = -22 c"the bytes are not a saved state, or one that no message leads to",
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

/// What an exported function returns.
pub(crate) trait Returned {
    /// What its body gives.
    type Body;
    /// What it returns in place of a panic.
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

/// Runs a function's body.
#[inline]
pub(crate) fn guard<R: Returned>(body: impl FnOnce() -> R::Body) -> R {
    let body = || {
        #[cfg(test)]
        injected::panic_if_asked();
        body()
    };
    // What a panic leaves half done is a state of the caller's, good for nothing but wiping; no memory depends
    // on it.
    catch_unwind(AssertUnwindSafe(body)).map_or(R::CAUGHT, R::from_body)
}

/// Defines exported functions. In tests, each is also called with a panic in it.
macro_rules! export {
    ($(fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $returned:ty)? $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(unused_unsafe)] // not every body has pointers
        unsafe extern "C" fn $name($($arg: $type),*) $(-> $returned)? {
            // SAFETY: the header asks of every caller that pointers be valid for the length that goes with them,
            // that states be of the type asked for, and that no other thread use them meanwhile.
            $crate::boundary::guard(|| unsafe { $body })
        }

        #[cfg(test)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn catches_panics() {
                use $crate::boundary::{Returned, injected};
                // SAFETY: the panic comes before any argument is looked at.
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

/// Panics on demand.
#[cfg(test)]
pub(crate) mod injected {
    use std::cell::Cell;

    thread_local!(static ASKED: Cell<bool> = const { Cell::new(false) });

    pub(crate) fn panic_if_asked() {
        assert!(!ASKED.get(), "injected");
    }

    /// Checks that `call`, with a panic in it, says that it was caught.
    pub(crate) fn check(name: &str, call: impl FnOnce() -> bool) {
        ASKED.set(true);
        let caught = call();
        ASKED.set(false);
        assert!(caught, "{name}");
    }

    /// An argument that is never looked at.
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
