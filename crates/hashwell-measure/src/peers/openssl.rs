//! OpenSSL 3, loaded at run time. Every call that can be prepared before the message is: contexts are
//! reused, algorithms fetched and keys set once. Contexts live as long as the process.

use super::library::Library;
use super::{Contender, HMAC_KEY, Task};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

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
        let name = std::env::var("HASHWELL_LIBCRYPTO").unwrap_or_else(|_| "libcrypto.so.3".into());
        // SAFETY: the library's initialisers are OpenSSL's own, made to be run by any program.
        let library = unsafe { Library::load(&name) };
        library.map(|library| Self { library }).ok_or_else(|| format!("{name} cannot be loaded"))
    }

    /// Its own words.
    #[must_use]
    pub fn version(&self) -> String {
        // SAFETY: the documented type.
        let function =
            unsafe { self.library.get::<unsafe extern "C" fn(c_int) -> *const c_char>("OpenSSL_version") };
        let Some(function) = function else { return "OpenSSL of unknown version".into() };
        // SAFETY: any number is accepted, and the result is a static string.
        unsafe { CStr::from_ptr(function(0)) }.to_string_lossy().into_owned()
    }

    /// What it offers for the task.
    #[must_use]
    pub fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let all = if task.hmac {
            [self.hmac(task.algorithm), None]
        } else {
            [self.low_level(task.algorithm), self.evp(task.algorithm)]
        };
        all.into_iter().flatten().collect()
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
        Some(Contender::one_by_one("OpenSSL low-level", move |message, out| {
            let context = (&raw mut context.0).cast();
            // SAFETY: the context is large and aligned enough; `out` has the digest's length.
            unsafe {
                init(context);
                update(context, message.as_ptr(), message.len());
                finish(out.as_mut_ptr(), context);
            }
        }))
    }

    /// The algorithm, fetched.
    fn fetch(&self, algorithm: &str) -> Option<*const c_void> {
        let name = match algorithm {
            "sha1" => "SHA1",
            "sha256" => "SHA2-256",
            "sha512" => "SHA2-512",
            "sha3-256" => "SHA3-256",
            "shake128" => "SHAKE128",
            "shake256" => "SHAKE256",
            "blake2b-512" => "BLAKE2B-512",
            _ => return None,
        };
        let name = CString::new(name).expect("no zero inside");
        // SAFETY: the documented type; null stands for the default library context and properties.
        let md = unsafe { self.library.get::<Fetch>("EVP_MD_fetch")?(null_mut(), name.as_ptr(), null()) };
        (!md.is_null()).then_some(md)
    }

    /// The high-level calls on one context.
    fn evp(&self, algorithm: &str) -> Option<Contender<'static>> {
        let xof = algorithm.starts_with("shake");
        let md = self.fetch(algorithm)?;
        // SAFETY: the documented types.
        let (context, init, update, finish, finish_xof) = unsafe {
            (
                self.library.get::<New>("EVP_MD_CTX_new")?(),
                self.library.get::<EvpInit>("EVP_DigestInit_ex2")?,
                self.library.get::<Update>("EVP_DigestUpdate")?,
                self.library.get::<EvpFinal>("EVP_DigestFinal_ex")?,
                self.library.get::<EvpFinalXof>("EVP_DigestFinalXOF")?,
            )
        };
        Some(Contender::one_by_one("OpenSSL EVP", move |message, out| {
            // SAFETY: `md` and `context` live as long as the process; `out` has the digest's length.
            unsafe {
                init(context, md, null());
                update(context, message.as_ptr(), message.len());
                if xof {
                    finish_xof(context, out.as_mut_ptr(), out.len());
                } else {
                    finish(context, out.as_mut_ptr(), null_mut());
                }
            }
        }))
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
            Contender::one_by_one("OpenSSL HMAC_CTX", move |message, out| {
                // SAFETY: as above; no key and no algorithm mean those set before; `out` has the tag's
                // length.
                unsafe {
                    init(context, null(), 0, null(), null_mut());
                    update(context, message.as_ptr(), message.len());
                    finish(context, out.as_mut_ptr(), null_mut());
                }
            })
        })
    }
}
