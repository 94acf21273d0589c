//! OpenSSL 3, loaded at run time. Everything that can be prepared before the message is known is prepared once:
//! contexts are reused, algorithms are fetched, and keys are set. Contexts live as long as the process.

use super::library::{Library, text};
use super::{Contender, DRBG_ENTROPY, DRBG_NONCE, HMAC_KEY, Kind, Known, Provider, Stream, Task};
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_void};
use std::ptr::{null, null_mut};

pub(super) const KNOWN: Known = Known {
    name: "OpenSSL",
    variable: "HASHWELL_LIBCRYPTO",
    files: &["libcrypto.so.3"],
    symbol: "EVP_MD_fetch",
    open: |library| Ok(Box::new(Openssl { library })),
};

/// A loaded `libcrypto`.
pub struct Openssl {
    library: Library,
}

type Init = unsafe extern "C" fn(*mut c_void) -> c_int;
type Update = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
type Final = unsafe extern "C" fn(*mut u8, *mut c_void) -> c_int;
type New = unsafe extern "C" fn() -> *mut c_void;
type Fetch = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *const c_void;
type EvpInit = unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void) -> c_int;
type EvpFinal = unsafe extern "C" fn(*mut c_void, *mut u8, *mut u32) -> c_int;
type EvpFinalXof = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int;
type HmacInit = unsafe extern "C" fn(*mut c_void, *const u8, c_int, *const c_void, *mut c_void) -> c_int;

type RandNew = unsafe extern "C" fn(*const c_void, *mut c_void) -> *mut c_void;
type Instantiate = unsafe extern "C" fn(*mut c_void, c_uint, c_int, *const u8, usize, *const Param) -> c_int;
type Generate = unsafe extern "C" fn(*mut c_void, *mut u8, usize, c_uint, c_int, *const u8, usize) -> c_int;

/// OSSL_PARAM.
#[repr(C)]
struct Param {
    key: *const c_char,
    kind: c_uint,
    data: *const c_void,
    size: usize,
    returned: usize,
}

impl Param {
    const END: Param = Param { key: null(), kind: 0, data: null(), size: 0, returned: 0 };

    fn number<T>(key: &'static CStr, kind: c_uint, value: &T) -> Self {
        Self { key: key.as_ptr(), kind, data: (&raw const *value).cast(), size: size_of::<T>(), returned: 0 }
    }

    /// Includes the terminating zero, which some providers rely on.
    fn text(key: &'static CStr, value: &CStr) -> Self {
        Self { kind: 4, ..Self::bytes(key, value.to_bytes()) }
    }

    fn bytes(key: &'static CStr, value: &[u8]) -> Self {
        Self { key: key.as_ptr(), kind: 5, data: value.as_ptr().cast(), size: value.len(), returned: 0 }
    }
}

/// A buffer for any of SHA_CTX, SHA256_CTX and SHA512_CTX, the largest of which has 216 bytes.
#[repr(align(64))]
struct LowContext([u8; 256]);

impl Openssl {
    /// Loads `libcrypto.so.3`, or the file that HASHWELL_LIBCRYPTO names.
    ///
    /// # Errors
    /// Returns a message if it cannot be loaded.
    pub fn load() -> Result<Self, String> {
        KNOWN.load().map(|library| Self { library })
    }

    /// A contender that uses the deprecated functions, which are the fastest for short messages.
    fn low_level(&self, algorithm: &str) -> Option<Contender<'static>> {
        let prefix = match algorithm {
            "sha1" => "SHA1",
            "sha256" => "SHA256",
            "sha512" => "SHA512",
            _ => return None,
        };
        // SAFETY: these are the documented types of the three functions, except that the context is untyped memory.
        let (init, update, finish) = unsafe {
            (
                self.library.get::<Init>(&format!("{prefix}_Init"))?,
                self.library.get::<Update>(&format!("{prefix}_Update"))?,
                self.library.get::<Final>(&format!("{prefix}_Final"))?,
            )
        };
        let mut context = Box::new(LowContext([0; 256]));
        Some(
            Contender::one_by_one(KNOWN.name, move |message, out| {
                let context = (&raw mut context.0).cast();
                // SAFETY: the context is large and aligned enough; `out` has the digest's length.
                unsafe {
                    init(context);
                    update(context, message.as_ptr(), message.len());
                    finish(out.as_mut_ptr(), context);
                }
            })
            .variant("low-level"),
        )
    }

    /// Fetches the algorithm. OpenSSL accepts the names that the registry uses as titles.
    fn fetch(&self, algorithm: &str) -> Option<*const c_void> {
        let name = CString::new(hashwell::find(algorithm).ok()?.title).expect("no zero inside");
        // SAFETY: this is the documented type of the function; null means the default library context and properties.
        let md = unsafe { self.library.get::<Fetch>(KNOWN.symbol)?(null_mut(), name.as_ptr(), null()) };
        (!md.is_null()).then_some(md)
    }

    /// The high-level functions on one context.
    fn evp(&self, algorithm: &str) -> Option<Evp> {
        let md = self.fetch(algorithm)?;
        // SAFETY: these are the documented types of the functions.
        unsafe {
            Some(Evp {
                md,
                xof: hashwell::find(algorithm).is_ok_and(|row| row.kind == hashwell::Kind::Xof),
                context: self.library.get::<New>("EVP_MD_CTX_new")?(),
                init: self.library.get("EVP_DigestInit_ex2")?,
                update: self.library.get("EVP_DigestUpdate")?,
                finish: self.library.get("EVP_DigestFinal_ex")?,
                finish_xof: self.library.get("EVP_DigestFinalXOF")?,
                squeeze: self.library.get("EVP_DigestSqueeze"),
            })
        }
    }

    /// HMAC_CTX with a key that is set in advance.
    fn hmac(&self, algorithm: &str) -> Option<Contender<'static>> {
        let md = self.fetch(algorithm)?;
        // SAFETY: these are the documented types of the functions.
        let (context, init, update, finish) = unsafe {
            (
                self.library.get::<New>("HMAC_CTX_new")?(),
                self.library.get::<HmacInit>("HMAC_Init_ex")?,
                self.library.get::<Update>("HMAC_Update")?,
                self.library.get::<EvpFinal>("HMAC_Final")?,
            )
        };
        // SAFETY: the key is copied; `md` and `context` live as long as the process.
        let keyed = unsafe { init(context, HMAC_KEY.as_ptr(), HMAC_KEY.len() as c_int, md, null_mut()) };
        (keyed == 1).then(|| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                // SAFETY: as before; null for the key and the algorithm keeps those that were set; `out` has the tag's
                // length.
                unsafe {
                    init(context, null(), 0, null(), null_mut());
                    update(context, message.as_ptr(), message.len());
                    finish(context, out.as_mut_ptr(), null_mut());
                }
            })
            .variant("HMAC_CTX")
        })
    }
}

impl Openssl {
    /// EVP_RAND with the seed from a TEST-RAND. It is reseeded as rarely as possible.
    fn drbg(&self, algorithm: &str) -> Option<Contender<'static>> {
        let digest = CString::new(hashwell::find(algorithm).ok()?.title).expect("no zero inside");
        let (strength, requests, seconds): (c_uint, c_uint, c_long) = (256, 1 << 24, 0);
        let seed = [
            Param::number(c"strength", 2, &strength),
            Param::bytes(c"test_entropy", DRBG_ENTROPY),
            Param::bytes(c"test_nonce", DRBG_NONCE),
            Param::END,
        ];
        let settings = [
            Param::text(c"digest", &digest),
            Param::text(c"mac", c"HMAC"),
            Param::number(c"reseed_requests", 2, &requests),
            Param::number(c"reseed_time_interval", 1, &seconds),
            Param::END,
        ];
        // SAFETY: these are the documented types of the functions; parameters are copied, and their lists end with a
        // null key; the contexts live as long as the process.
        unsafe {
            let fetch: Fetch = self.library.get("EVP_RAND_fetch")?;
            let new: RandNew = self.library.get("EVP_RAND_CTX_new")?;
            let instantiate: Instantiate = self.library.get("EVP_RAND_instantiate")?;
            let generate: Generate = self.library.get("EVP_RAND_generate")?;
            let make = |name: &CStr, parent: *mut c_void, params: &[Param]| {
                let kind = fetch(null_mut(), name.as_ptr(), null());
                let context = if kind.is_null() { null_mut() } else { new(kind, parent) };
                let good = !context.is_null()
                    && instantiate(context, strength, 0, c"".as_ptr().cast(), 0, params.as_ptr()) == 1;
                good.then_some(context)
            };
            let source = make(c"TEST-RAND", null_mut(), &seed)?;
            let drbg = make(c"HMAC-DRBG", source, &settings)?;
            let request = move |_: &[u8], out: &mut [u8]| {
                let done = generate(drbg, out.as_mut_ptr(), out.len(), 0, 0, null(), 0);
                assert_eq!(done, 1, "EVP_RAND_generate fails");
            };
            Some(Contender::one_by_one(KNOWN.name, request).variant("EVP_RAND"))
        }
    }
}

impl Provider for Openssl {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function; any number is accepted, and the result is a static
        // string.
        unsafe {
            let version: unsafe extern "C" fn(c_int) -> *const c_char =
                self.library.get("OpenSSL_version")?;
            Some(text(version(0)))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        if task.kind == Kind::Drbg {
            return self.drbg(task.algorithm).into_iter().collect();
        }
        if task.kind.is_hmac() {
            return self.hmac(task.algorithm).into_iter().collect();
        }
        let evp = |mut evp: Evp| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                evp.absorb(message);
                evp.digest(out);
            })
            .variant("EVP")
        };
        [self.low_level(task.algorithm), self.evp(task.algorithm).map(evp)].into_iter().flatten().collect()
    }

    fn stream(&self, algorithm: &'static str) -> Option<Box<dyn Stream>> {
        // Available since version 3.3.
        Some(Box::new(self.evp(algorithm).filter(|evp| evp.xof && evp.squeeze.is_some())?))
    }
}

struct Evp {
    md: *const c_void,
    xof: bool,
    context: *mut c_void,
    init: EvpInit,
    update: Update,
    finish: EvpFinal,
    finish_xof: EvpFinalXof,
    squeeze: Option<EvpFinalXof>,
}

impl Evp {
    fn digest(&mut self, out: &mut [u8]) {
        // SAFETY: the context lives as long as the process; `out` has the digest's length.
        unsafe {
            if self.xof {
                (self.finish_xof)(self.context, out.as_mut_ptr(), out.len());
            } else {
                (self.finish)(self.context, out.as_mut_ptr(), null_mut());
            }
        }
    }
}

impl Stream for Evp {
    fn absorb(&mut self, message: &[u8]) {
        // SAFETY: `md` and `context` live as long as the process; the slice has the length given.
        unsafe {
            (self.init)(self.context, self.md, null());
            (self.update)(self.context, message.as_ptr(), message.len());
        }
    }

    fn read(&mut self, out: &mut [u8]) {
        let squeeze = self.squeeze.expect("checked when the stream was made");
        // SAFETY: as before; `out` has the length given.
        unsafe { squeeze(self.context, out.as_mut_ptr(), out.len()) };
    }
}
