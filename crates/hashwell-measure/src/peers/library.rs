//! Shared libraries, loaded at run time and for good: some register handlers that run when the process
//! exits.

use std::ffi::{CStr, CString, c_char, c_void};

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

    /// Where a symbol is, in this library or one that it is linked to.
    fn address(self, symbol: &str) -> Option<*mut c_void> {
        let symbol = CString::new(symbol).ok()?;
        // SAFETY: the handle is never closed, and the string ends with zero.
        let address = unsafe { libc::dlsym(self.handle, symbol.as_ptr()) };
        (!address.is_null()).then_some(address)
    }

    /// A function of the library.
    ///
    /// # Safety
    /// `T` is the function's type, a pointer to a function.
    #[must_use]
    pub unsafe fn get<T: Copy>(self, symbol: &str) -> Option<T> {
        const { assert!(size_of::<T>() == size_of::<*mut c_void>()) };
        // SAFETY: not null, of the same size, and the caller knows the type.
        self.address(symbol).map(|address| unsafe { std::mem::transmute_copy(&address) })
    }

    /// Whether the library, or one that it is linked to, has the symbol.
    #[must_use]
    pub fn has(self, symbol: &str) -> bool {
        self.address(symbol).is_some()
    }

    /// The file that a symbol was loaded from.
    #[must_use]
    pub fn path(self, symbol: &str) -> Option<String> {
        let address = self.address(symbol)?;
        // SAFETY: a structure of pointers, for which all zeros is valid.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: the address is only looked up, and `info` is a valid place for the result.
        let found = unsafe { libc::dladdr(address, &raw mut info) } != 0 && !info.dli_fname.is_null();
        // SAFETY: on success a string that lives as long as the library is loaded.
        found.then(|| unsafe { text(info.dli_fname) })
    }
}

/// A C string, copied.
///
/// # Safety
/// It is not null and ends with zero.
pub(crate) unsafe fn text(string: *const c_char) -> String {
    // SAFETY: this function demands a string that ends with zero.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}
