//! OpenSSL 3, loaded at run time. Every call that can be prepared before the message is: contexts are
//! reused, algorithms fetched and keys set once. Contexts live as long as the process.

use super::library::{Library, text};
use super::{Contender, HMAC_KEY, Known, Provider, Stream, Task};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

pub(super) const KNOWN: Known = Known {
    name: "OpenSSL",
    variable: "HASHWELL_LIBCRYPTO",
    file: "libcrypto.so.3",
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

/// Room for any of SHA_CTX, SHA256_CTX and SHA512_CTX, the largest of which is 216 bytes.
#[repr(align(64))]
struct LowContext([u8; 256]);

impl Openssl {
    /// Loads `libcrypto.so.3`, or what HASHWELL_LIBCRYPTO names.
    ///
    /// # Errors
    /// In words, if it cannot be loaded.
    pub fn load() -> Result<Self, String> {
        KNOWN.load().map(|library| Self { library })
    }

    /// The deprecated calls, which are the fastest for short messages.
    fn low_level(&self, algorithm: &str) -> Option<Contender<'static>> {
        let prefix = match algorithm {
            "sha1" => "SHA1",
            "sha256" => "SHA256",
            "sha512" => "SHA512",
            _ => return None,
        };
        // SAFETY: the documented types of the three functions, with the context seen as untyped memory.
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

    /// The algorithm, fetched. Its table of names has those that the registry writes in titles.
    fn fetch(&self, algorithm: &str) -> Option<*const c_void> {
        let name = CString::new(hashwell::find(algorithm).ok()?.title).expect("no zero inside");
        // SAFETY: the documented type; null stands for the default library context and properties.
        let md = unsafe { self.library.get::<Fetch>(KNOWN.symbol)?(null_mut(), name.as_ptr(), null()) };
        (!md.is_null()).then_some(md)
    }

    /// The high-level calls on one context.
    fn evp(&self, algorithm: &str) -> Option<Evp> {
        let md = self.fetch(algorithm)?;
        // SAFETY: the documented types.
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

    /// HMAC_CTX with the key set before.
    fn hmac(&self, algorithm: &str) -> Option<Contender<'static>> {
        let md = self.fetch(algorithm)?;
        // SAFETY: the documented types.
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
                // SAFETY: as above; no key and no algorithm mean those set before; `out` has the tag's
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

impl Provider for Openssl {
    fn version(&self) -> Option<String> {
        // SAFETY: the documented type; any number is accepted, and the result is a static string.
        unsafe {
            let version: unsafe extern "C" fn(c_int) -> *const c_char =
                self.library.get("OpenSSL_version")?;
            Some(text(version(0)))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
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
        // Since 3.3.
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
        // SAFETY: as above; `out` has the length given.
        unsafe { squeeze(self.context, out.as_mut_ptr(), out.len()) };
    }
}
