//! The registry, versions and kernels.

use crate::boundary::{Failure, OK};
use crate::memory::{store, text};
use crate::params::algorithm;
use hashwell::registry::{PARAMETERS, ParameterRow, kernel_names};
use hashwell::{ALGORITHMS, Algorithm, Kind, Status};
use std::ffi::{CStr, c_char, c_int};
use std::sync::LazyLock;

/// The version of the binary interface, which is everything that compiled programs depend on.
const ABI_VERSION: u32 = 0;

/// All texts of the registry, with a NUL at the end for C. They are not on the heap, because an allocation could fail
/// when the first name is requested.
static TEXTS: LazyLock<Texts<512, 16_384>> = LazyLock::new(|| {
    let of = |a: &'static Algorithm| [a.name, a.title, a.source].into_iter().chain(a.aliases.iter().copied());
    let mut texts = Texts::new();
    let all = ALGORITHMS.iter().flat_map(of).chain(kernel_names());
    all.chain(PARAMETERS.iter().map(|parameter| parameter.name)).for_each(|text| texts.keep(text));
    texts
});

/// At most `MOST` texts, each with a NUL, with at most `BYTES` bytes in total.
struct Texts<const MOST: usize, const BYTES: usize> {
    bytes: [u8; BYTES],
    len: usize,
    /// The texts in sorted order with their offsets. The first `count` entries are in use.
    places: [(&'static str, usize); MOST],
    count: usize,
}

impl<const MOST: usize, const BYTES: usize> Texts<MOST, BYTES> {
    fn new() -> Self {
        Self { bytes: [0; BYTES], len: 0, places: [("", 0); MOST], count: 0 }
    }

    fn place(&self, text: &str) -> Result<usize, usize> {
        self.places[..self.count].binary_search_by_key(&text, |(own, _)| own)
    }

    /// Adds a text. A test requests every text, so there is enough space for all of them.
    fn keep(&mut self, text: &'static str) {
        let Err(at) = self.place(text) else { return };
        self.places.copy_within(at..self.count, at + 1);
        self.places[at] = (text, self.len);
        self.count += 1;
        self.bytes[self.len..][..text.len()].copy_from_slice(text.as_bytes());
        // The next byte is already zero, which is the NUL.
        self.len += text.len() + 1;
        assert!(self.len <= BYTES, "no room for {text} and its NUL");
    }

    fn get(&self, text: &str) -> Option<*const c_char> {
        let at = self.places[self.place(text).ok()?].1;
        Some(self.bytes[at..].as_ptr().cast())
    }
}

/// Returns a text of the registry as a C string.
pub(crate) fn c_text(text: &'static str) -> *const c_char {
    TEXTS.get(text).unwrap_or(std::ptr::null())
}

fn of_row(id: u32, text: impl FnOnce(&'static Algorithm) -> Option<&'static str>) -> *const c_char {
    algorithm(id).ok().and_then(text).map_or(std::ptr::null(), c_text)
}

/// `hw_kernel_info` of the header.
#[repr(C)]
struct KernelInfo {
    name: *const c_char,
    batch: c_int,
    available: c_int,
    chosen: c_int,
}

/// Returns the parameter with this number.
fn parameter(number: c_int) -> Option<&'static ParameterRow> {
    PARAMETERS.get(usize::try_from(number).ok()?)
}

export! {
    fn hw_version() -> *const c_char {
        const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
        VERSION.as_ptr()
    }

    fn hw_abi_version() -> u32 {
        ABI_VERSION
    }

    fn hw_find(name: *const c_char) -> u32 {
        match text(name) {
            Ok(Some(name)) => hashwell::find(name).map_or(0, |row| row.id),
            _ => 0,
        }
    }

    fn hw_count() -> usize {
        ALGORITHMS.len()
    }

    fn hw_at(index: usize) -> u32 {
        ALGORITHMS.get(index).map_or(0, |row| row.id)
    }

    fn hw_name(id: u32) -> *const c_char {
        of_row(id, |row| Some(row.name))
    }

    fn hw_title(id: u32) -> *const c_char {
        of_row(id, |row| Some(row.title))
    }

    fn hw_source(id: u32) -> *const c_char {
        of_row(id, |row| Some(row.source))
    }

    fn hw_alias(id: u32, index: usize) -> *const c_char {
        of_row(id, |row| row.aliases.get(index).copied())
    }

    fn hw_block_len(id: u32) -> usize {
        algorithm(id).map_or(0, |row| row.block)
    }

    fn hw_output_len(id: u32) -> usize {
        algorithm(id).map_or(0, |row| row.output)
    }

    fn hw_kind(id: u32) -> c_int {
        algorithm(id).map(|row| match row.kind {
            Kind::Fixed => 1,
            Kind::Xof => 2,
        })
    }

    fn hw_status(id: u32) -> c_int {
        algorithm(id).and_then(|row| match row.status {
            Status::Sound => Ok(1),
            Status::Legacy => Ok(2),
            Status::Broken => Ok(3),
            Status::Experimental => Ok(4),
            _ => Err(Failure::Internal),
        })
    }

    fn hw_has_hmac(id: u32) -> c_int {
        algorithm(id).map(|row| c_int::from(row.hmac))
    }

    fn hw_param_name(number: c_int) -> *const c_char {
        parameter(number).map_or(std::ptr::null(), |parameter| c_text(parameter.name))
    }

    fn hw_limits(id: u32, number: c_int, min: *mut u64, max: *mut u64) -> c_int {
        let row = algorithm(id)?;
        let limits = parameter(number).and_then(|parameter| row.limits(parameter.parameter));
        let limits = limits.ok_or(Failure::Unsupported)?;
        store(min, limits.min)?;
        store(max, limits.max)?;
        Ok(OK)
    }

    fn hw_kernel(id: u32, index: usize, out: *mut KernelInfo) -> c_int {
        let row = algorithm(id)?;
        let (kernel, batch) = row.kernel_at(index).ok_or(Failure::Range)?;
        store(out, KernelInfo {
            name: c_text(kernel.name),
            batch: batch.into(),
            available: kernel.available.into(),
            chosen: kernel.chosen.into(),
        })?;
        Ok(OK)
    }

    fn hw_force_kernel(name: *const c_char) -> c_int {
        match text(name)? {
            Some(name) => hashwell::force_kernel(name)?,
            None => match std::env::var("HASHWELL_KERNEL") {
                Ok(name) => hashwell::force_kernel(&name)?,
                Err(std::env::VarError::NotPresent) => {}
                Err(std::env::VarError::NotUnicode(_)) => return Err(Failure::Text),
            },
        }
        Ok(OK)
    }
}
