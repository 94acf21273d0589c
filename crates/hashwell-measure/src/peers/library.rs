//! Shared libraries, loaded at run time. They are never unloaded, because some register handlers that run when the
//! process exits.

use std::ffi::{CStr, CString, c_char, c_void};

/// A loaded library.
#[derive(Clone, Copy)]
pub struct Library {
    handle: *mut c_void,
}

impl Library {
    /// Loads a library, by its path or by a name that the system looks up.
    ///
    /// # Safety
    /// The library's initializers may run in this process.
    #[must_use]
    pub unsafe fn load(name: &str) -> Option<Self> {
        let name = CString::new(name).ok()?;
        // SAFETY: initializers may run, as the contract of this function says.
        let handle = unsafe { loader::open(&name) };
        (!handle.is_null()).then_some(Self { handle })
    }

    /// The address of a symbol in this library or in a library that it is linked to.
    fn address(self, symbol: &str) -> Option<*mut c_void> {
        let symbol = CString::new(symbol).ok()?;
        // SAFETY: the handle is never closed.
        let address = unsafe { loader::address(self.handle, &symbol) };
        (!address.is_null()).then_some(address)
    }

    /// Returns a function or a constant of the library.
    ///
    /// # Safety
    /// `T` must be a pointer to a function of the symbol's type, or to a constant of its type.
    #[must_use]
    pub unsafe fn get<T: Copy>(self, symbol: &str) -> Option<T> {
        const { assert!(size_of::<T>() == size_of::<*mut c_void>()) };
        // SAFETY: the address is not null and has the size of `T`, and the caller guarantees the type.
        self.address(symbol).map(|address| unsafe { std::mem::transmute_copy(&address) })
    }

    /// Returns true if the symbol is in the library or in a library that it is linked to.
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

    /// Opens a library. Returns null on failure.
    ///
    /// # Safety
    /// The library's initializers may run in this process.
    pub(super) unsafe fn open(name: &CStr) -> *mut c_void {
        // SAFETY: the name is a string that ends with zero. Initializers may run, as the contract of `load` says.
        unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) }
    }

    /// The address of a symbol, or null.
    ///
    /// # Safety
    /// The library must be open.
    pub(super) unsafe fn address(library: *mut c_void, symbol: &CStr) -> *mut c_void {
        // SAFETY: `load` never closes libraries, and the string ends with zero.
        unsafe { libc::dlsym(library, symbol.as_ptr()) }
    }

    /// The file from which the code or data at this address was loaded.
    pub(super) fn file_of(address: *mut c_void) -> Option<String> {
        // SAFETY: the structure consists of pointers, for which all zeros is valid.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: the address is only looked up, and `info` is a valid place for the result.
        let found = unsafe { libc::dladdr(address, &raw mut info) } != 0 && !info.dli_fname.is_null();
        // SAFETY: if successful, this is a string that lives as long as the library is loaded.
        found.then(|| unsafe { text(info.dli_fname) })
    }
}

/// On other systems, the supported libraries have different names, so none is found.
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

/// Copies a C string.
///
/// # Safety
/// The pointer must not be null, and the string must end with zero.
pub(crate) unsafe fn text(string: *const c_char) -> String {
    // SAFETY: the contract of this function requires a string that ends with zero.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}
