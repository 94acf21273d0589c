//! Hashing of one message, at once or in pieces.

use crate::boundary::{Failure, OK};
use crate::memory::{input, output, overlap, store};
use crate::params::{self, CParams, algorithm};
use crate::registry::c_text;
use crate::state::Sealed;
use hashwell::PlainHasher;
use std::ffi::{c_char, c_int};
use std::mem::MaybeUninit;
use zeroize::Zeroize;

state!(PlainHasher, b"hw hash0", size 3008, hw_hash_size hw_hash_align hw_hash_wipe hw_hash_free);

/// Writes a digest. The only possible errors are a wrong length and a NULL pointer.
///
/// # Safety
/// The requirements of [`output`] apply.
unsafe fn write_digest(hasher: &PlainHasher, out: *mut u8, out_len: usize) -> Result<c_int, Failure> {
    // SAFETY: the caller guarantees the requirements of `output`.
    let out = unsafe { output(out, out_len)? };
    hasher.digest_into(out).map_err(|_| Failure::Length)?;
    Ok(OK)
}

/// Writes a saved state to a buffer.
///
/// # Safety
/// The requirements of [`output`] and [`store`] apply.
pub(crate) unsafe fn export_to(
    saved: &[u8],
    out: *mut u8,
    out_len: usize,
    written: *mut usize,
) -> Result<c_int, Failure> {
    if saved.len() > out_len {
        return Err(Failure::Length);
    }
    // SAFETY: the caller guarantees the requirements of `output` and `store`.
    unsafe {
        let out = output(out, saved.len())?;
        store(written, saved.len())?;
        out.copy_from_slice(saved);
    }
    Ok(OK)
}

export! {
    fn hw_hash(id: u32, data: *const u8, len: usize, out: *mut u8, out_len: usize) -> c_int {
        let row = algorithm(id)?;
        let message = input(data, len)?;
        if overlap(out, out_len, data, len) {
            // Read the whole message before writing anything.
            let mut hasher = row.plain_hasher(&hashwell::Params::default())?;
            hasher.update(message);
            return write_digest(&hasher, out, out_len);
        }
        row.digest_into(message, output(out, out_len)?).map_err(|_| Failure::Length)?;
        Ok(OK)
    }

    fn hw_hash_with(
        id: u32,
        params: *const CParams,
        data: *const u8,
        len: usize,
        out: *mut u8,
        out_len: usize,
    ) -> c_int {
        let (row, params) = (algorithm(id)?, params::read(params)?);
        if params.customization.len() > PlainHasher::MAX_KANGAROO_CUSTOMIZATION {
            // A plain-data state of KangarooTwelve has no space for such a long customization.
            let mut hasher = row.build(&params)?;
            hasher.update(input(data, len)?);
            hasher.digest_into(output(out, out_len)?).map_err(|_| Failure::Length)?;
            return Ok(OK);
        }
        let mut place = MaybeUninit::uninit();
        let hasher = row.plain_hasher_in(&params, &mut place)?;
        let done = input(data, len).and_then(|message| {
            hasher.update(message);
            write_digest(hasher, out, out_len)
        });
        hasher.zeroize();
        done
    }

    fn hw_hash_init(state: *mut Sealed<PlainHasher>, id: u32, params: *const CParams) -> c_int {
        let params = params::read(params)?;
        let row = algorithm(id)?;
        Sealed::put_with(state, |place| Ok(row.plain_hasher_in(&params, place)?))
    }

    fn hw_hash_new(out: *mut *mut Sealed<PlainHasher>, id: u32, params: *const CParams) -> c_int {
        Sealed::allocate(out, || Ok(algorithm(id)?.plain_hasher(&params::read(params)?)?))
    }

    fn hw_hash_update(state: *mut Sealed<PlainHasher>, data: *const u8, len: usize) -> c_int {
        let hasher = Sealed::get_mut(state)?;
        hasher.update(input(data, len)?);
        Ok(OK)
    }

    fn hw_hash_final(state: *const Sealed<PlainHasher>, out: *mut u8, out_len: usize) -> c_int {
        write_digest(Sealed::get(state)?, out, out_len)
    }

    fn hw_hash_export(
        state: *const Sealed<PlainHasher>,
        out: *mut u8,
        out_len: usize,
        written: *mut usize,
    ) -> c_int {
        export_to(&Sealed::get(state)?.to_bytes()?, out, out_len, written)
    }

    fn hw_hash_export_secret(
        state: *const Sealed<PlainHasher>,
        out: *mut u8,
        out_len: usize,
        written: *mut usize,
    ) -> c_int {
        export_to(&Sealed::get(state)?.to_secret_bytes()?, out, out_len, written)
    }

    fn hw_hash_import_secret(state: *mut Sealed<PlainHasher>, data: *const u8, len: usize) -> c_int {
        let saved = input(data, len)?;
        Sealed::put_secret(state, |place| Ok(PlainHasher::from_secret_bytes_in(saved, place)?))
    }

    fn hw_hash_import(state: *mut Sealed<PlainHasher>, data: *const u8, len: usize) -> c_int {
        let saved = input(data, len)?;
        Sealed::put(state, || Ok(PlainHasher::from_bytes(saved)?))
    }

    fn hw_hash_message_len(state: *const Sealed<PlainHasher>) -> u64 {
        Sealed::get(state).map_or(0, PlainHasher::message_len)
    }

    fn hw_hash_output_len(state: *const Sealed<PlainHasher>) -> usize {
        Sealed::get(state).map_or(0, PlainHasher::output_len)
    }

    fn hw_hash_algorithm(state: *const Sealed<PlainHasher>) -> u32 {
        Sealed::get(state).map_or(0, |hasher| hasher.algorithm().id)
    }

    fn hw_hash_kernel(state: *const Sealed<PlainHasher>) -> *const c_char {
        Sealed::get(state).map_or(std::ptr::null(), |hasher| c_text(hasher.kernel()))
    }
}
