//! libgcrypt, part of GnuPG. There is one open handle for each algorithm, which is reset for each message.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Stream, Task};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

pub(super) const KNOWN: Known = Known {
    name: "libgcrypt",
    variable: "HASHWELL_LIBGCRYPT",
    files: &["libgcrypt.so.20"],
    symbol: "gcry_check_version",
    open: |library| Gcrypt::open(library).map(|gcrypt| Box::new(gcrypt) as Box<dyn Provider>),
};

struct Gcrypt {
    library: Library,
    version: String,
}

/// `enum gcry_md_algos`.
const IDS: &[(&str, c_int)] = &[
    ("sha1", 2),
    ("ripemd160", 3),
    ("sha256", 8),
    ("sha384", 9),
    ("sha512", 10),
    ("sha224", 11),
    ("sha3-224", 312),
    ("sha3-256", 313),
    ("sha3-384", 314),
    ("sha3-512", 315),
    ("shake128", 316),
    ("shake256", 317),
    ("blake2b-512", 318),
    ("blake2b-256", 320),
    ("blake2s-256", 322),
    ("sm3", 326),
    ("sha512-256", 327),
    ("sha512-224", 328),
    ("cshake128", 329),
    ("cshake256", 330),
];

/// `GCRYCTL_TEST_ALGO`.
const TEST_ALGO: c_int = 8;

impl Gcrypt {
    fn open(library: Library) -> Result<Self, String> {
        type CheckVersion = unsafe extern "C" fn(*const c_char) -> *const c_char;
        // SAFETY: this is the documented type of the function; null asks for any version and initializes the library.
        let version = unsafe {
            let check = library.get::<CheckVersion>(KNOWN.symbol).ok_or("no version")?;
            check(null())
        };
        if version.is_null() {
            return Err("it does not report a version".into());
        }
        // SAFETY: the pointer is not null, and points to a static string.
        Ok(Self { library, version: unsafe { text(version) } })
    }

    /// A handle that lives as long as the process.
    fn handle(&self, algorithm: &str) -> Option<Handle> {
        let (_, id) = *IDS.iter().find(|(name, _)| *name == algorithm)?;
        // SAFETY: these are the documented types of the functions.
        unsafe {
            // Opening an algorithm that this version lacks would print a line.
            let info: unsafe extern "C" fn(c_int, c_int, *mut c_void, *mut usize) -> c_uint =
                self.library.get("gcry_md_algo_info")?;
            if info(id, TEST_ALGO, null_mut(), null_mut()) != 0 {
                return None;
            }
            let open: unsafe extern "C" fn(*mut *mut c_void, c_int, c_uint) -> c_uint =
                self.library.get("gcry_md_open")?;
            let mut handle = Handle {
                context: null_mut(),
                id,
                reset: self.library.get("gcry_md_reset")?,
                write: self.library.get("gcry_md_write")?,
                read: self.library.get("gcry_md_read")?,
                extract: self.library.get("gcry_md_extract")?,
            };
            (open(&raw mut handle.context, id, 0) == 0 && !handle.context.is_null()).then_some(handle)
        }
    }
}

struct Handle {
    context: *mut c_void,
    id: c_int,
    reset: unsafe extern "C" fn(*mut c_void),
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize),
    read: unsafe extern "C" fn(*mut c_void, c_int) -> *const u8,
    extract: unsafe extern "C" fn(*mut c_void, c_int, *mut u8, usize) -> c_uint,
}

impl Stream for Handle {
    fn absorb(&mut self, message: &[u8]) {
        // SAFETY: the handle is open, and the slice has the length given.
        unsafe {
            (self.reset)(self.context);
            (self.write)(self.context, message.as_ptr(), message.len());
        }
    }

    fn read(&mut self, out: &mut [u8]) {
        // SAFETY: the handle is open, and `out` has the length given.
        unsafe { (self.extract)(self.context, self.id, out.as_mut_ptr(), out.len()) };
    }
}

impl Handle {
    fn digest(&mut self, out: &mut [u8]) {
        // SAFETY: the handle is open; the library keeps a digest of the algorithm's length until the next reset, or
        // none for an extendable-output function.
        unsafe {
            let digest = (self.read)(self.context, self.id);
            if !digest.is_null() {
                out.copy_from_slice(std::slice::from_raw_parts(digest, out.len()));
            }
        }
    }
}

fn is_xof(algorithm: &str) -> bool {
    hashwell::find(algorithm).is_ok_and(|row| row.kind == hashwell::Kind::Xof)
}

impl Provider for Gcrypt {
    fn version(&self) -> Option<String> {
        Some(self.version.clone())
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let handle = if task.kind.is_hash() { self.handle(task.algorithm) } else { None };
        let xof = is_xof(task.algorithm);
        let contender = |mut handle: Handle| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                handle.absorb(message);
                if xof { handle.read(out) } else { handle.digest(out) }
            })
        };
        handle.map(contender).into_iter().collect()
    }

    fn stream(&self, algorithm: &'static str) -> Option<Box<dyn Stream>> {
        Some(Box::new(self.handle(algorithm).filter(|_| is_xof(algorithm))?))
    }
}
