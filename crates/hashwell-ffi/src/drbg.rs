//! HMAC-DRBG with an algorithm of the registry, with the caller's own HMAC, or seeded by the operating system.

use crate::boundary::{Failure, OK};
use crate::memory::{input, output, overlap, text};
use crate::params::algorithm;
use crate::state::Sealed;
use hashwell::{Drbg, DrbgParams, EntropySource, Error, HmacDrbg, KeyedHmac, OsDrbg, OsEntropy, Request};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use zeroize::Zeroize;

state!(HmacDrbg, b"hw drbg0", size 1152, hw_drbg_size hw_drbg_align hw_drbg_wipe hw_drbg_free);
state!(Drbg<Custom>, b"hw cust0", size 384, hw_drbg_custom_size hw_drbg_custom_align hw_drbg_custom_wipe hw_drbg_custom_free);
state!(OsDrbg, b"hw os  0", size 2240, hw_random_size hw_random_align hw_random_wipe hw_random_free);

/// `hw_drbg_params` of the header.
#[repr(C)]
struct CDrbgParams {
    /// The size in bytes of the struct that the program was compiled with.
    size: usize,
    personalization: *const u8,
    personalization_len: usize,
    kernel: *const c_char,
    reseed_interval: u64,
    strength: u32,
    prediction_resistance: u32,
}

/// # Safety
/// `params` is NULL, or points to a struct whose first field contains the size of the struct, and whose pointers are
/// valid.
unsafe fn read<'a>(params: *const CDrbgParams) -> Result<DrbgParams<'a>, Failure> {
    if params.is_null() {
        return Ok(DrbgParams::default());
    }
    // SAFETY: the caller guarantees as many bytes as the size, which is the first field. Nothing else is read unless
    // the size is the right one.
    unsafe {
        if (&raw const (*params).size).read() != size_of::<CDrbgParams>() {
            return Err(Failure::Params);
        }
        let p = &*params;
        Ok(DrbgParams {
            personalization: input(p.personalization, p.personalization_len)?,
            strength: (p.strength != 0).then_some(p.strength),
            prediction_resistance: p.prediction_resistance != 0,
            reseed_interval: (p.reseed_interval != 0).then_some(p.reseed_interval),
            kernel: text(p.kernel)?,
        })
    }
}

/// `hw_hmac_function` of the header.
type HmacFunction = unsafe extern "C" fn(
    context: *mut c_void,
    key: *const u8,
    key_len: usize,
    pieces: *const *const u8,
    lengths: *const usize,
    count: usize,
    tag: *mut u8,
) -> c_int;

/// HMAC computed by a callback.
pub(crate) struct Custom {
    function: HmacFunction,
    context: *mut c_void,
    key: [u8; MAX_TAG],
    output_len: usize,
    /// True if a call has failed, after which the generator's state is wrong.
    failed: Cell<bool>,
}

/// The maximum size of a tag in bytes.
const MAX_TAG: usize = 64;

/// The maximum number of pieces of a message from HMAC-DRBG: V, the round byte, and three of seed material.
const MAX_PIECES: usize = 5;

impl KeyedHmac for Custom {
    fn name(&self) -> &'static str {
        "the caller's HMAC"
    }

    fn output_len(&self) -> usize {
        self.output_len
    }

    fn set_key(&mut self, key: &[u8]) {
        self.key[..key.len()].copy_from_slice(key);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        let (mut pieces, mut lengths) = ([std::ptr::null(); MAX_PIECES], [0; MAX_PIECES]);
        for (i, piece) in message.iter().enumerate() {
            (pieces[i], lengths[i]) = (piece.as_ptr(), piece.len());
        }
        // After a call has failed, the callback is not called again, because the key would be wrong.
        // SAFETY: the arguments are as the header specifies: `count` pieces, and space for a tag.
        let failed = self.failed.get()
            || unsafe {
                (self.function)(
                    self.context,
                    self.key.as_ptr(),
                    self.output_len,
                    pieces.as_ptr(),
                    lengths.as_ptr(),
                    message.len(),
                    out.as_mut_ptr(),
                )
            } != 0;
        self.failed.set(failed);
    }

    fn wipe(&mut self) {
        self.key.zeroize();
    }
}

/// A generator that checks for failures of its HMAC.
trait Checked: Sized {
    fn check(&mut self) -> Result<(), Failure>;
}

impl Checked for HmacDrbg {
    fn check(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

impl Checked for Drbg<Custom> {
    fn check(&mut self) -> Result<(), Failure> {
        if self.hmac().failed.get() {
            self.uninstantiate();
            return Err(Failure::Callback);
        }
        Ok(())
    }
}

/// `hw_entropy_function` of the header.
type EntropyFunction = unsafe extern "C" fn(context: *mut c_void, out: *mut u8, len: usize) -> c_int;

/// Entropy from a callback, or from the operating system if there is none.
struct Source(Option<EntropyFunction>, *mut c_void);

impl EntropySource for Source {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        match self.0 {
            None => OsEntropy.fill(out),
            // SAFETY: the arguments are as the header specifies: space for `len` bytes.
            Some(function) => match unsafe { function(self.1, out.as_mut_ptr(), out.len()) } {
                0 => Ok(()),
                // The error has no message, because C would not see it.
                _ => Err(Error::EntropyFailed { reason: Box::default() }),
            },
        }
    }
}

fn custom(
    output_len: usize,
    function: Option<HmacFunction>,
    context: *mut c_void,
) -> Result<Custom, Failure> {
    let function = function.ok_or(Failure::Null)?;
    Ok(Custom { function, context, key: [0; MAX_TAG], output_len, failed: Cell::new(false) })
}

/// Defines the functions shared by all generators over [`Drbg`].
macro_rules! generator {
    ($type:ty, $reseed:ident $generate:ident $fill:ident $requests_left:ident $strength:ident) => {
        export! {
            fn $reseed(
                state: *mut Sealed<$type>,
                entropy: *const u8,
                entropy_len: usize,
                additional: *const u8,
                additional_len: usize,
            ) -> c_int {
                let drbg = Sealed::get_mut(state)?;
                drbg.reseed(input(entropy, entropy_len)?, input(additional, additional_len)?)?;
                drbg.check()?;
                Ok(OK)
            }

            fn $generate(
                state: *mut Sealed<$type>,
                out: *mut u8,
                len: usize,
                additional: *const u8,
                additional_len: usize,
            ) -> c_int {
                let drbg = Sealed::get_mut(state)?;
                let (out, additional) = apart(out, len, additional, additional_len)?;
                drbg.generate(out, additional)?;
                drbg.check().inspect_err(|_| out.zeroize())?;
                Ok(OK)
            }

            fn $fill(
                state: *mut Sealed<$type>,
                out: *mut u8,
                len: usize,
                additional: *const u8,
                additional_len: usize,
            ) -> c_int {
                let drbg = Sealed::get_mut(state)?;
                let (out, additional) = apart(out, len, additional, additional_len)?;
                drbg.fill(out, additional)?;
                drbg.check().inspect_err(|_| out.zeroize())?;
                Ok(OK)
            }

            fn $requests_left(state: *const Sealed<$type>) -> u64 {
                Sealed::get(state).map_or(0, |drbg| drbg.requests_left())
            }

            fn $strength(state: *const Sealed<$type>) -> u32 {
                Sealed::get(state).map_or(0, |drbg| drbg.strength())
            }
        }
    };
}

generator!(HmacDrbg, hw_drbg_reseed hw_drbg_generate hw_drbg_fill hw_drbg_requests_left hw_drbg_strength);
generator!(
    Drbg<Custom>,
    hw_drbg_custom_reseed hw_drbg_custom_generate hw_drbg_custom_fill hw_drbg_custom_requests_left
    hw_drbg_custom_strength
);

/// Returns the output and the additional input, which must not overlap because the additional input is read again after
/// the output was written.
///
/// # Safety
/// The requirements of [`output`] and [`input`] apply.
unsafe fn apart<'a>(
    out: *mut u8,
    len: usize,
    additional: *const u8,
    additional_len: usize,
) -> Result<(&'a mut [u8], &'a [u8]), Failure> {
    if overlap(out, len, additional, additional_len) {
        return Err(Failure::Overlap);
    }
    // SAFETY: the caller guarantees the requirements of `output` and `input`, and they don't overlap.
    unsafe { Ok((output(out, len)?, input(additional, additional_len)?)) }
}

/// The address and length of bytes from C.
#[derive(Clone, Copy)]
struct Bytes(*const u8, usize);

/// # Safety
/// The requirements of [`input`] apply to entropy and nonce, and the requirements of [`read`] apply.
unsafe fn of_row(
    id: u32,
    (entropy, nonce): (Bytes, Bytes),
    params: *const CDrbgParams,
    unchecked: bool,
) -> Result<HmacDrbg, Failure> {
    let new = if unchecked { HmacDrbg::from_seed_unchecked } else { HmacDrbg::new };
    // SAFETY: the caller guarantees the requirements of `input` and `read`.
    let (entropy, nonce, params) =
        unsafe { (input(entropy.0, entropy.1)?, input(nonce.0, nonce.1)?, read(params)?) };
    Ok(new(algorithm(id)?, entropy, nonce, &params)?)
}

/// # Safety
/// The requirements of [`of_row`] apply.
unsafe fn of_function(
    hmac: Custom,
    (entropy, nonce): (Bytes, Bytes),
    params: *const CDrbgParams,
    unchecked: bool,
) -> Result<Drbg<Custom>, Failure> {
    let new = if unchecked { Drbg::with_hmac_unchecked } else { Drbg::with_hmac };
    // SAFETY: the caller guarantees the requirements of `input` and `read`.
    let (entropy, nonce, params) =
        unsafe { (input(entropy.0, entropy.1)?, input(nonce.0, nonce.1)?, read(params)?) };
    let mut drbg = new(hmac, entropy, nonce, &params)?;
    drbg.check()?;
    Ok(drbg)
}

export! {
    fn hw_drbg_init(
        state: *mut Sealed<HmacDrbg>,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int {
        let seed = (Bytes(entropy, entropy_len), Bytes(nonce, nonce_len));
        Sealed::put(state, || of_row(id, seed, params, false))
    }

    fn hw_drbg_init_unchecked(
        state: *mut Sealed<HmacDrbg>,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int {
        let seed = (Bytes(entropy, entropy_len), Bytes(nonce, nonce_len));
        Sealed::put(state, || of_row(id, seed, params, true))
    }

    fn hw_drbg_new(
        out: *mut *mut Sealed<HmacDrbg>,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int {
        let seed = (Bytes(entropy, entropy_len), Bytes(nonce, nonce_len));
        Sealed::allocate(out, || of_row(id, seed, params, false))
    }

    fn hw_drbg_init_from(
        state: *mut Sealed<HmacDrbg>,
        id: u32,
        source: Option<EntropyFunction>,
        context: *mut c_void,
        params: *const CDrbgParams,
    ) -> c_int {
        let mut source = Source(source, context);
        Sealed::put(state, || Ok(HmacDrbg::from_source(algorithm(id)?, &read(params)?, &mut source)?))
    }

    fn hw_drbg_generate_from(
        state: *mut Sealed<HmacDrbg>,
        source: Option<EntropyFunction>,
        context: *mut c_void,
        prediction_resistance: c_int,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int {
        let drbg = Sealed::get_mut(state)?;
        let (out, additional) = apart(out, len, additional, additional_len)?;
        let prediction_resistance = prediction_resistance != 0;
        let request = Request { additional, prediction_resistance, strength: None };
        drbg.fill_from(&mut Source(source, context), out, &request)?;
        Ok(OK)
    }

    fn hw_drbg_self_test(id: u32) -> c_int {
        HmacDrbg::self_test(algorithm(id)?)?;
        Ok(OK)
    }

    fn hw_drbg_custom_init(
        state: *mut Sealed<Drbg<Custom>>,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int {
        let seed = (Bytes(entropy, entropy_len), Bytes(nonce, nonce_len));
        Sealed::put(state, || of_function(custom(output_len, function, context)?, seed, params, false))
    }

    fn hw_drbg_custom_init_unchecked(
        state: *mut Sealed<Drbg<Custom>>,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int {
        let seed = (Bytes(entropy, entropy_len), Bytes(nonce, nonce_len));
        Sealed::put(state, || of_function(custom(output_len, function, context)?, seed, params, true))
    }

    fn hw_drbg_custom_new(
        out: *mut *mut Sealed<Drbg<Custom>>,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CDrbgParams,
    ) -> c_int {
        let seed = (Bytes(entropy, entropy_len), Bytes(nonce, nonce_len));
        Sealed::allocate(out, || of_function(custom(output_len, function, context)?, seed, params, false))
    }

    fn hw_random_init(state: *mut Sealed<OsDrbg>, id: u32, params: *const CDrbgParams) -> c_int {
        Sealed::put(state, || Ok(OsDrbg::new(algorithm(id)?, &read(params)?)?))
    }

    fn hw_random_new(out: *mut *mut Sealed<OsDrbg>, id: u32, params: *const CDrbgParams) -> c_int {
        Sealed::allocate(out, || Ok(OsDrbg::new(algorithm(id)?, &read(params)?)?))
    }

    fn hw_random_read(state: *mut Sealed<OsDrbg>, out: *mut u8, len: usize) -> c_int {
        Sealed::get_mut(state)?.read(output(out, len)?)?;
        Ok(OK)
    }

    fn hw_random_reseed(state: *mut Sealed<OsDrbg>, additional: *const u8, additional_len: usize) -> c_int {
        Sealed::get_mut(state)?.reseed(input(additional, additional_len)?)?;
        Ok(OK)
    }
}
