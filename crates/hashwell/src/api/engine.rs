//! Engines: whatever hashes many messages and owns more than this thread's registers: a graphics card, a simulated
//! circuit, code that was compiled a moment ago.
//!
//! ```text
//! kernel   a row of a family's static table; cannot fail; chosen by the CPU's features and by measurement
//! engine   a value of the caller's; may be absent, full or broken; reached by Many::on and by nothing else
//! ```
//!
//! An engine is written against this module and the registry alone, in a crate of its own. It sees a whole batch at
//! once, cuts it as its memory and its queues demand, and answers when all of it is done. [`check`] runs any engine
//! against the portable kernels, and belongs into the tests of each.
//!
//! ```
//! use hashwell::{Params, engine::Cpu, find};
//!
//! let engine = Cpu::new();
//! let sha256 = find("sha256")?.many(&Params::default())?;
//! let digests = match sha256.on(&engine) {
//!     Ok(there) => there.digest(&["first", "second"])?,
//!     Err(_) => sha256.digest(&["first", "second"]), // nobody else falls back
//! };
//! assert_eq!(digests[..32], find("sha256")?.digest(b"first"));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! [`check`]: crate::engine::check

use crate::api::many::Many;
use crate::internal::error::Error;
use crate::registry::{Algorithm, Kind, Params};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Why an engine cannot do what it was asked: any error, or a text (`"no device".into()`).
pub type Fault = Box<dyn core::error::Error + Send + Sync>;

/// Something that hashes many messages and may fail.
///
/// What [`Many::on`] promises to engines: rows and parameters are checked against the registry's limits; only claimed
/// ones arrive; no parameters with a secret arrive unless [`Engine::may_see_secrets`]; [`Params::kernel`] is `None` and
/// [`Params::output_len`] is given; there is at least one message and one byte of output.
///
/// Threads may share an engine; one that can do only one thing at a time locks inside.
pub trait Engine: Send + Sync {
    /// What errors call it: its kind and its number, `opencl:0`. In lower-case ASCII; the same at each call.
    fn name(&self) -> &str;

    /// Whether it can be used now. Asked each time that a [`Many`] goes on it.
    ///
    /// # Errors
    /// Why not.
    fn available(&self) -> Result<(), Fault>;

    /// Whether it hashes this row with these parameters. Of [`Params`] the values may matter, too: an engine may take
    /// 32 bytes of output and no more.
    fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool;

    /// Whether keys and key-derivation contexts may be given to it. An engine that says so overwrites what it has of
    /// them before it answers, in device memory too. What messages are, nobody knows: whoever hashes secret messages
    /// decides whether they go on an engine.
    fn may_see_secrets(&self) -> bool {
        false
    }

    /// Writes the digests of all messages, in order, one after the other, and returns how many it wrote. The messages
    /// may be of any lengths, in any order, and overlap each other; `out` has [`Params::output_len`] bytes for each.
    ///
    /// # Errors
    /// Why it could not. What it has written to `out` by then does not matter.
    fn digest_many(
        &self,
        algorithm: &'static Algorithm,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<usize, Fault>;
}

impl Many {
    /// The same algorithm and parameters, on an engine. It is asked whether it is available and claims them, and hashes
    /// a few messages whose digests are compared with this processor's.
    ///
    /// Nothing falls back in silence: whoever wants this processor instead uses the [`Many`] that is still there. The
    /// kernel that a process is forced onto ([`force_kernel`](crate::force_kernel)) does not matter here.
    ///
    /// # Errors
    /// [`Error::EngineUnavailable`]; [`Error::EngineRefused`] if it does not claim the algorithm with these parameters,
    /// may not see their secrets, or if [`Params::kernel`] names a kernel of this processor; [`Error::EngineFailed`]
    /// if it fails, panics (with feature `std`) or is wrong.
    pub fn on<'e>(&'e self, engine: &'e dyn Engine) -> Result<OnEngine<'e>, Error> {
        let name = caught(|| line(engine.name(), 64)).unwrap_or_else(|_| "an engine without a name".into());
        let there = OnEngine { many: self, engine, name };
        let refused = |what| Error::EngineRefused {
            engine: there.name.clone(),
            algorithm: self.algorithm().name,
            what,
        };
        if self.names_a_kernel() {
            return Err(refused("with a kernel of this processor by name"));
        }
        let available = caught(|| engine.available().map_err(|fault| line(&format!("{fault}"), 300)));
        if let Err(reason) = available.and_then(|answer| answer) {
            return Err(Error::EngineUnavailable { engine: there.name, reason });
        }
        let params = self.params_for(self.output_len());
        if !caught(|| engine.claims(self.algorithm(), &params)).map_err(|reason| there.failed(&reason))? {
            return Err(refused("with these parameters"));
        }
        let may_see_secrets = || caught(|| engine.may_see_secrets());
        if self.is_secret() && !may_see_secrets().map_err(|reason| there.failed(&reason))? {
            return Err(refused("with a key"));
        }
        there.check_known_answers()?;
        Ok(there)
    }
}

/// One algorithm with one set of parameters on an engine; made by [`Many::on`].
pub struct OnEngine<'e> {
    many: &'e Many,
    engine: &'e dyn Engine,
    name: Box<str>,
}

impl OnEngine<'_> {
    /// The digests of all messages, in order, one after the other.
    ///
    /// # Errors
    /// [`Error::EngineFailed`].
    pub fn digest<M: AsRef<[u8]>>(&self, messages: &[M]) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; messages.len() * self.many.output_len()];
        self.digest_into(messages, &mut out)?;
        Ok(out)
    }

    /// Writes the digests of all messages, in order, one after the other.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `out` is not [`Many::output_len`] bytes for each message, with nothing written.
    /// [`Error::EngineFailed`] if the engine fails, panics (with feature `std`), or says that it wrote another number of
    /// digests than there are messages; then all of `out` is zeros, whatever was written before.
    pub fn digest_into<M: AsRef<[u8]>>(&self, messages: &[M], out: &mut [u8]) -> Result<(), Error> {
        self.many.check_len(messages.len(), out.len())?;
        let messages: Vec<&[u8]> = messages.iter().map(AsRef::as_ref).collect();
        self.run(&messages, self.many.output_len(), out)
    }

    fn run(&self, messages: &[&[u8]], output_len: usize, out: &mut [u8]) -> Result<(), Error> {
        if out.is_empty() {
            return Ok(());
        }
        let params = self.many.params_for(output_len);
        // Without `std` a panic passes through here.
        let mut out = ZerosUnlessWhole { out, whole: false };
        let written = caught(|| {
            let written = self.engine.digest_many(self.many.algorithm(), &params, messages, out.out);
            written.map_err(|fault| line(&format!("{fault}"), 300))
        });
        match written.and_then(|answer| answer) {
            Ok(digests) if digests == messages.len() => {
                out.whole = true;
                Ok(())
            }
            Ok(digests) => {
                Err(self.failed(&format!("it wrote {digests} digests of {} messages", messages.len())))
            }
            Err(reason) => Err(self.failed(&reason)),
        }
    }

    /// An engine may be wrong only here: a driver that compiles badly, a card that has grown old.
    fn check_known_answers(&self) -> Result<(), Error> {
        let block = self.many.algorithm().block;
        let bytes: Vec<u8> = (0..3 * block + 7).map(|i| (i % 251) as u8).collect();
        let messages = [0, 1, block - 1, block, block + 1, 3 * block + 7].map(|len| &bytes[..len]);
        // The bytes of a stream do not depend on how many are wanted.
        let most = if self.many.algorithm().kind == Kind::Xof { 2 * block + 1 } else { usize::MAX };
        let output_len = self.many.output_len().min(most);
        let mut expected = vec![0; messages.len() * output_len];
        let mut given = expected.clone();
        self.many.write_as(&messages, output_len, &mut expected);
        self.run(&messages, output_len, &mut given)?;
        let wrong = (0..messages.len()).find(|i| {
            let digest = i * output_len..(i + 1) * output_len;
            expected[digest.clone()] != given[digest]
        });
        let wrong = wrong.map(|i| format!("its digest of {} bytes is wrong", messages[i].len()));
        wrong.map_or(Ok(()), |wrong| Err(self.failed(&wrong)))
    }

    fn failed(&self, reason: &str) -> Error {
        Error::EngineFailed { engine: self.name.clone(), reason: reason.into() }
    }
}

impl core::fmt::Debug for OnEngine<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "OnEngine({} on {})", self.many.algorithm().name, self.name)
    }
}

/// What an engine writes to, so that nobody takes a part of its digests for all of them.
struct ZerosUnlessWhole<'o> {
    out: &'o mut [u8],
    whole: bool,
}

impl Drop for ZerosUnlessWhole<'_> {
    fn drop(&mut self) {
        if !self.whole {
            self.out.fill(0);
        }
    }
}

/// Calls into an engine. Libraries that load a driver are known to panic where there is none.
#[cfg(feature = "std")]
fn caught<R>(call: impl FnOnce() -> R) -> Result<R, Box<str>> {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(call)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        line(&format!("it panicked: {}", text.unwrap_or("without a word")), 300)
    })
}

#[cfg(not(feature = "std"))]
fn caught<R>(call: impl FnOnce() -> R) -> Result<R, Box<str>> {
    Ok(call())
}

/// An engine's own words as one line of so many characters, for errors are one line.
fn line(text: &str, most: usize) -> Box<str> {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let line: String = text.trim().chars().map(printable).take(most).collect();
    line.into()
}

/// This processor as an engine: what the others are compared with, and a pattern for whoever writes one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu {
    kernel: Option<&'static str>,
}

impl Cpu {
    /// On the kernels that a [`Many`] would use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// On the kernel of this name; rows without it are not claimed.
    #[must_use]
    pub fn on_kernel(kernel: &'static str) -> Self {
        Self { kernel: Some(kernel) }
    }

    fn many(self, algorithm: &'static Algorithm, params: &Params<'_>) -> Result<Many, Error> {
        algorithm.many(&Params { kernel: self.kernel, ..*params })
    }
}

impl Engine for Cpu {
    fn name(&self) -> &'static str {
        "cpu:0"
    }

    fn available(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool {
        // Where there is no memory to ask with, hashing will say so.
        matches!(self.many(algorithm, params), Ok(_) | Err(Error::OutOfMemory))
    }

    /// What it has of a key, [`Many`] overwrites.
    fn may_see_secrets(&self) -> bool {
        true
    }

    fn digest_many(
        &self,
        algorithm: &'static Algorithm,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<usize, Fault> {
        self.many(algorithm, params)?.digest_into(messages, out)?;
        Ok(messages.len())
    }
}
