//! The registry, versions and kernels.

use crate::border::{Failure, OK};
use crate::memory::{store, text};
use crate::params::algorithm;
use hashwell::registry::{PARAMETERS, ParameterRow};
use hashwell::{ALGORITHMS, Algorithm, Kind, Status};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::LazyLock;

/// Of everything that programs compiled against the header depend on.
const ABI_VERSION: u32 = 0;

/// Every text of the registry, with the NUL that C wants.
static TEXTS: LazyLock<BTreeMap<&'static str, CString>> = LazyLock::new(|| {
    let of = |a: &'static Algorithm| [a.name, a.title, a.source].into_iter().chain(a.aliases.iter().copied());
    let texts = ALGORITHMS.iter().flat_map(of).chain(hashwell::backends());
    let texts = texts.chain(PARAMETERS.iter().map(|parameter| parameter.name));
    texts.map(|text| (text, CString::new(text).expect("no NUL inside"))).collect()
});

/// A text of the registry for C.
pub(crate) fn c_text(text: &'static str) -> *const c_char {
    TEXTS.get(text).map_or(std::ptr::null(), |text| text.as_ptr())
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

/// The parameter of this number.
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
        let chain = row.kernels().into_iter().map(|kernel| (kernel, false));
        let batch = row.batch_kernels().into_iter().map(|kernel| (kernel, true));
        let (kernel, batch) = chain.chain(batch).nth(index).ok_or(Failure::Range)?;
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
            Some(name) => hashwell::force_backend(name)?,
            None => match std::env::var("HASHWELL_BACKEND") {
                Ok(name) => hashwell::force_backend(&name)?,
                Err(std::env::VarError::NotPresent) => {}
                Err(std::env::VarError::NotUnicode(_)) => return Err(Failure::Text),
            },
        }
        Ok(OK)
    }
}
