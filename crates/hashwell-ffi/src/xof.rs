//! Output streams.

use crate::boundary::{Failure, OK};
use crate::mac::Kmac;
use crate::memory::{output, store};
use crate::state::Sealed;
use hashwell::{Error, PlainHasher, Reader};
use std::ffi::c_int;
use zeroize::Zeroize;

state!(Reader, b"hw xof 0", size 320, hw_xof_size hw_xof_align hw_xof_wipe hw_xof_free);

fn of_hash(hash: *const Sealed<PlainHasher>) -> Result<Reader, Failure> {
    // SAFETY: the callers are exported functions, for which the header requires that `hash` is valid.
    Ok(unsafe { Sealed::get(hash)? }.reader()?)
}

export! {
    fn hw_xof_init(state: *mut Sealed<Reader>, hash: *const Sealed<PlainHasher>) -> c_int {
        Sealed::put(state, || of_hash(hash))
    }

    fn hw_xof_init_kmac(state: *mut Sealed<Reader>, kmac: *const Sealed<Kmac>) -> c_int {
        Sealed::put(state, || Ok(Sealed::get(kmac)?.clone().into_reader()))
    }

    fn hw_xof_new(out: *mut *mut Sealed<Reader>, hash: *const Sealed<PlainHasher>) -> c_int {
        Sealed::allocate(out, || of_hash(hash))
    }

    fn hw_xof_read(state: *mut Sealed<Reader>, out: *mut u8, len: usize) -> c_int {
        let reader = Sealed::get_mut(state)?;
        reader.try_read(output(out, len)?)?;
        Ok(OK)
    }

    fn hw_xof_ml_rej_uniform(
        state: *mut Sealed<Reader>,
        below: u64,
        bits: u32,
        out: *mut u8,
        item_len: usize,
        count: usize,
    ) -> c_int {
        let reader = Sealed::get_mut(state)?;
        let fits = |bits: usize| bits == 64 || below.saturating_sub(1) >> bits == 0;
        if !matches!(item_len, 1 | 2 | 4 | 8) || !fits(8 * item_len) {
            return Err(Failure::Range);
        }
        let out = output(out, count.checked_mul(item_len).ok_or(Failure::Length)?)?;
        // Draw from a copy, so that the position does not change if the stream ends.
        let mut drawn = reader.clone();
        let mut items = out.chunks_exact_mut(item_len);
        let accept = |number: u64| {
            let bytes = number.to_le_bytes();
            let item = items.next().expect("as many items as numbers");
            item.copy_from_slice(&bytes[..item_len]);
            if cfg!(target_endian = "big") {
                item.reverse();
            }
        };
        let bits = (bits != 0).then_some(bits);
        match drawn.ml_rej_uniform(count, below, bits, accept) {
            Ok(()) => *reader = drawn,
            Err(error) => {
                if matches!(error, Error::Exhausted { .. }) {
                    out.zeroize();
                }
                return Err(error.into());
            }
        }
        Ok(OK)
    }

    fn hw_xof_seek(state: *mut Sealed<Reader>, position: u64) -> c_int {
        Sealed::get_mut(state)?.seek(position)?;
        Ok(OK)
    }

    fn hw_xof_tell(state: *const Sealed<Reader>, position: *mut u64) -> c_int {
        store(position, Sealed::get(state)?.position())?;
        Ok(OK)
    }
}
