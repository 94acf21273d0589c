//! NSS, part of Firefox: the functions of `sechash.h`, which use its token layer.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::null;

pub(super) const KNOWN: Known = Known {
    name: "NSS",
    variable: "HASHWELL_LIBNSS",
    files: &["libnss3.so"],
    symbol: "NSS_NoDB_Init",
    open: |library| {
        // SAFETY: this is the documented type of the function; the argument is not used, and zero means success.
        let ready = unsafe {
            let init = library.get::<unsafe extern "C" fn(*const c_char) -> c_int>(KNOWN.symbol);
            init.is_some_and(|init| init(null()) == 0)
        };
        if ready { Ok(Box::new(Nss(library))) } else { Err("NSS_NoDB_Init failed".into()) }
    },
};

struct Nss(Library);

/// `HASH_HashType`.
const IDS: [(&str, c_int); 9] = [
    ("sha1", 3),
    ("sha256", 4),
    ("sha384", 5),
    ("sha512", 6),
    ("sha224", 7),
    ("sha3-224", 8),
    ("sha3-256", 9),
    ("sha3-384", 10),
    ("sha3-512", 11),
];

impl Nss {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        let id = task.hash_in(&IDS)?;
        // SAFETY: these are the documented types of the functions.
        let (create, begin, update, end) = unsafe {
            let create: unsafe extern "C" fn(c_int) -> *mut c_void = self.0.get("HASH_Create")?;
            let begin: unsafe extern "C" fn(*mut c_void) = self.0.get("HASH_Begin")?;
            let update: unsafe extern "C" fn(*mut c_void, *const u8, c_uint) = self.0.get("HASH_Update")?;
            let end: unsafe extern "C" fn(*mut c_void, *mut u8, *mut c_uint, c_uint) =
                self.0.get("HASH_End")?;
            (create, begin, update, end)
        };
        // SAFETY: the query is safe for any number. Creating is safe for a number that the library knows, which is one
        // whose digest length is not zero.
        let context = unsafe {
            let result_len: unsafe extern "C" fn(c_int) -> c_uint = self.0.get("HASH_ResultLen")?;
            if result_len(id) == 0 {
                return None;
            }
            create(id)
        };
        (!context.is_null()).then(|| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                let mut len = 0;
                // SAFETY: the context lives as long as the process; the slices have the lengths given, which are
                // far below 4 GiB.
                unsafe {
                    begin(context);
                    update(context, message.as_ptr(), message.len() as c_uint);
                    end(context, out.as_mut_ptr(), &raw mut len, out.len() as c_uint);
                }
            })
        })
    }
}

impl Provider for Nss {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function; the result is a static string.
        unsafe {
            let version: unsafe extern "C" fn() -> *const c_char = self.0.get("NSS_GetVersion")?;
            Some(text(version()))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}
