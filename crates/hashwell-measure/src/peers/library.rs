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
        // SAFETY: initialisers may run, as this function demands of its caller.
        let handle = unsafe { loader::open(&name) };
        (!handle.is_null()).then_some(Self { handle })
    }

    /// Where a symbol is, in this library or one that it is linked to.
    fn address(self, symbol: &str) -> Option<*mut c_void> {
        let symbol = CString::new(symbol).ok()?;
        // SAFETY: the handle is never closed.
        let address = unsafe { loader::address(self.handle, &symbol) };
        (!address.is_null()).then_some(address)
    }

    /// A function or a constant of the library.
    ///
    /// # Safety
    /// `T` is a pointer to a function of the symbol's type, or to a constant of its type.
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
        loader::file_of(self.address(symbol)?)
    }
}

/// The system's loader.
#[cfg(unix)]
mod loader {
    use super::text;
    use std::ffi::{CStr, c_void};

    /// A library, or null.
    ///
    /// # Safety
    /// The library's initialisers may run in this process.
    pub(super) unsafe fn open(name: &CStr) -> *mut c_void {
        // SAFETY: a string that ends with zero; initialisers may run, as `load` demands.
        unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) }
    }

    /// Where a symbol is, or null.
    ///
    /// # Safety
    /// The library is open.
    pub(super) unsafe fn address(library: *mut c_void, symbol: &CStr) -> *mut c_void {
        // SAFETY: `load` never closes what it opened, and the string ends with zero.
        unsafe { libc::dlsym(library, symbol.as_ptr()) }
    }

    /// The file that something was loaded from.
    pub(super) fn file_of(address: *mut c_void) -> Option<String> {
        // SAFETY: a structure of pointers, for which all zeros is valid.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: the address is only looked up, and `info` is a valid place for the result.
        let found = unsafe { libc::dladdr(address, &raw mut info) } != 0 && !info.dli_fname.is_null();
        // SAFETY: on success a string that lives as long as the library is loaded.
        found.then(|| unsafe { text(info.dli_fname) })
    }
}

/// Elsewhere the libraries that we know have other names: none is found.
#[cfg(not(unix))]
mod loader {
    use std::ffi::{CStr, c_void};
    use std::ptr::null_mut;

    pub(super) unsafe fn open(_: &CStr) -> *mut c_void {
        null_mut()
    }

    pub(super) unsafe fn address(_: *mut c_void, _: &CStr) -> *mut c_void {
        null_mut()
    }

    pub(super) fn file_of(_: *mut c_void) -> Option<String> {
        None
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
