//! The parameters of a hash, as C has them.

use crate::border::Failure;
use crate::memory::{input, text};
use hashwell::{Algorithm, Params};
use std::ffi::{c_char, c_int};

/// `hw_params` of the header.
#[repr(C)]
pub(crate) struct CParams {
    /// Bytes of the struct that the program was compiled with.
    size: usize,
    output_len: usize,
    key: *const u8,
    key_len: usize,
    salt: *const u8,
    salt_len: usize,
    personal: *const u8,
    personal_len: usize,
    customization: *const u8,
    customization_len: usize,
    function_name: *const u8,
    function_name_len: usize,
    context: *const u8,
    context_len: usize,
    kernel: *const c_char,
    domain: c_int,
}

/// The parameters; none if there is no struct.
///
/// # Safety
/// `params` is NULL or points to a `size_t` and as many bytes in all as it says, whose pointers are good.
pub(crate) unsafe fn read<'a>(params: *const CParams) -> Result<Params<'a>, Failure> {
    if params.is_null() {
        return Ok(Params::default());
    }
    // SAFETY: the caller's; the size comes first, and nothing else is looked at unless it is the right one.
    unsafe {
        if (&raw const (*params).size).read() != size_of::<CParams>() {
            return Err(Failure::Params);
        }
        let p = &*params;
        let given = |data: *const u8, len: usize| match data.is_null() {
            true if len == 0 => Ok(None),
            _ => input(data, len).map(Some),
        };
        let context = given(p.context, p.context_len)?;
        Ok(Params {
            output_len: (p.output_len != 0).then_some(p.output_len),
            key: given(p.key, p.key_len)?,
            salt: input(p.salt, p.salt_len)?,
            personal: input(p.personal, p.personal_len)?,
            customization: input(p.customization, p.customization_len)?,
            function_name: input(p.function_name, p.function_name_len)?,
            domain: match p.domain {
                0 => None,
                domain => Some(u8::try_from(domain).map_err(|_| Failure::Range)?),
            },
            context: context.map(str::from_utf8).transpose().map_err(|_| Failure::Text)?,
            kernel: text(p.kernel)?,
            ..Params::default()
        })
    }
}

/// The row of this number.
#[inline]
pub(crate) fn algorithm(id: u32) -> Result<&'static Algorithm, Failure> {
    hashwell::registry::by_id(id).ok_or(Failure::Algorithm)
}
