//! Shared libraries, loaded at run time and for good: some register handlers that run when the process
//! exits.

use std::ffi::{CString, c_void};

/// A loaded library.
#[derive(Clone, Copy)]
pub struct Library {
    handle: *mut c_void,
}

impl Library {
    /// Loads it, by a path or by a name that the system looks up.
    ///
    /// # Safety
    /// The library's initialisers may run in this process.
    #[must_use]
    pub unsafe fn load(name: &str) -> Option<Self> {
        let name = CString::new(name).ok()?;
        // SAFETY: a string that ends with zero, and the caller's promise.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!handle.is_null()).then_some(Self { handle })
    }

    /// A function of the library.
    ///
    /// # Safety
    /// `T` is the function's type, a pointer to a function.
    #[must_use]
    pub unsafe fn get<T: Copy>(self, symbol: &str) -> Option<T> {
        const { assert!(size_of::<T>() == size_of::<*mut c_void>()) };
        let symbol = CString::new(symbol).ok()?;
        // SAFETY: the handle is never closed, and the string ends with zero.
        let address = unsafe { libc::dlsym(self.handle, symbol.as_ptr()) };
        // SAFETY: not null, of the same size, and the caller knows the type.
        (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
    }
}
