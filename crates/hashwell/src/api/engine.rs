//! Engines hash batches of messages with resources other than this thread's registers: a GPU, a
//! simulated circuit, or JIT-compiled code.
//!
//! ```text
//! kernel   a row in a family's static table; cannot fail; selected by CPU features and measurement
//! engine   a value that you create; may be absent, full or broken; used only through Many::on
//! ```
//!
//! An engine needs only this module and the registry, so it can be in its own crate. It receives a
//! whole batch at once, divides the batch to fit its memory and queues, and returns when the whole
//! batch is done. [`check`] compares any engine with the portable kernels. Call it from the tests
//! of every engine.
//!
//! ```
//! use hashwell::{Params, engine::Cpu, find};
//!
//! let engine = Cpu::new();
//! let sha256 = find("sha256")?.many(&Params::default())?;
//! let digests = match sha256.on(&engine) {
//!     Ok(there) => there.digest(&["first", "second"])?,
//!     Err(_) => sha256.digest(&["first", "second"]), // hashwell never falls back by itself
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

/// The reason why an engine failed: any error, or a string (`"no device".into()`).
pub type Fault = Box<dyn core::error::Error + Send + Sync>;

/// A device or a library that hashes batches of messages, and that may fail.
///
/// [`Many::on`] guarantees the following to an engine:
///
/// - The engine supports the algorithm with the parameters: [`Engine::claims`] has returned true. The parameters are
///   within the limits of the registry.
/// - Parameters contain no secret unless [`Engine::may_see_secrets`] returns true.
/// - [`Params::kernel`] is `None`, and [`Params::output_len`] is set.
/// - A batch has at least one message, and each digest has at least one byte.
///
/// Several threads can use an engine at the same time. An engine that can serve only one thread at a time must lock
/// internally.
pub trait Engine: Send + Sync {
    /// Returns the name of the engine for error messages: its kind and its number, such as `opencl:0`.
    ///
    /// The name is lower-case ASCII, and is the same at each call.
    fn name(&self) -> &str;

    /// Checks that the engine can be used now. [`Many::on`] calls this method each time.
    ///
    /// # Errors
    /// Returns the reason why the engine cannot be used.
    fn available(&self) -> Result<(), Fault>;

    /// Returns true if the engine can hash this algorithm with these parameters.
    ///
    /// The answer can depend on the values in [`Params`]. For example, an engine may support only
    /// outputs of 32 bytes.
    fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool;

    /// Returns true if the engine accepts keys and key-derivation contexts.
    ///
    /// Such an engine must overwrite its copies of keys and contexts before it returns, including copies in device
    /// memory. hashwell cannot tell whether messages are secret. If your messages are secret, decide yourself whether
    /// to use an engine.
    fn may_see_secrets(&self) -> bool {
        false
    }

    /// Writes the concatenated digests of all messages to `out`, in order, and returns the number of digests.
    ///
    /// The messages can have different lengths, and they can overlap in memory. `out` has [`Params::output_len`] bytes
    /// for each message.
    ///
    /// # Errors
    /// Returns the reason if the engine fails. The caller then ignores the contents of `out`.
    fn digest_many(
        &self,
        algorithm: &'static Algorithm,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<usize, Fault>;
}

impl Many {
    /// Prepares an engine to hash messages with the algorithm and the parameters of this [`Many`].
    ///
    /// This method checks that the engine is available and that it supports the algorithm with these parameters. Then
    /// it hashes a few messages on the engine and compares the digests with those of the CPU.
    ///
    /// hashwell never falls back to the CPU silently. To use the CPU instead, call the methods of
    /// this [`Many`]. Engines ignore the kernel set by [`force_kernel`](crate::force_kernel).
    ///
    /// # Errors
    /// - [`Error::EngineUnavailable`] if the engine cannot be used now.
    /// - [`Error::EngineRefused`] if the engine does not support the algorithm with these parameters, if the parameters
    ///   contain a secret that the engine must not see, or if [`Params::kernel`] names a CPU kernel.
    /// - [`Error::EngineFailed`] if the engine fails, returns wrong digests or (with feature `std`)
    ///   panics.
    pub fn on<'e>(&'e self, engine: &'e dyn Engine) -> Result<OnEngine<'e>, Error> {
        let name = caught(|| line(engine.name(), 64)).unwrap_or_else(|_| "an engine without a name".into());
        let there = OnEngine { many: self, engine, name };
        let refused = |what| Error::EngineRefused {
            engine: there.name.clone(),
            algorithm: self.algorithm().name,
            what,
        };
        if self.names_a_kernel() {
            return Err(refused("with a CPU kernel"));
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

/// Hashes messages on an engine, with one algorithm and one set of parameters. [`Many::on`] returns this type.
pub struct OnEngine<'e> {
    many: &'e Many,
    engine: &'e dyn Engine,
    name: Box<str>,
}

impl OnEngine<'_> {
    /// Returns the concatenated digests of all messages, in order.
    ///
    /// # Errors
    /// Returns [`Error::EngineFailed`] if the engine fails.
    pub fn digest<M: AsRef<[u8]>>(&self, messages: &[M]) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; messages.len() * self.many.output_len()];
        self.digest_into(messages, &mut out)?;
        Ok(out)
    }

    /// Writes the concatenated digests of all messages to `out`, in order.
    ///
    /// # Errors
    /// - [`Error::OutOfRange`] if `out` does not have [`Many::output_len`] bytes for each message. In this case, `out`
    ///   is unchanged.
    /// - [`Error::EngineFailed`] if the engine fails, panics (with feature `std`), or returns the wrong number of
    ///   digests. In this case, all bytes of `out` are set to zero.
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
        // Without `std`, a panic of the engine unwinds through this function.
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
                Err(self.failed(&format!("it wrote {digests} digests for {} messages", messages.len())))
            }
            Err(reason) => Err(self.failed(&reason)),
        }
    }

    /// Compares a few digests of the engine with those of the CPU. A bad driver, compiler or device can make
    /// an engine return wrong digests.
    fn check_known_answers(&self) -> Result<(), Error> {
        let block = self.many.algorithm().block;
        let bytes: Vec<u8> = (0..3 * block + 7).map(|i| (i % 251) as u8).collect();
        let messages = [0, 1, block - 1, block, block + 1, 3 * block + 7].map(|len| &bytes[..len]);
        // The bytes of a stream do not depend on the number of bytes requested.
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
        let wrong = wrong.map(|i| format!("its digest of a message of {} bytes is wrong", messages[i].len()));
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

/// The output buffer during a call of an engine. It is zeroed on drop unless the batch was
/// completed, so that a partial result cannot be mistaken for a complete one.
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

/// Calls an engine and catches panics. Some libraries that load a driver panic if there is none.
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

/// Returns the engine's own message as one line of at most `most` characters, since every error is
/// a single line.
fn line(text: &str, most: usize) -> Box<str> {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let line: String = text.trim().chars().map(printable).take(most).collect();
    line.into()
}

/// An engine that hashes on the CPU. Compare other engines with it, or use it as an example for your own engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu {
    kernel: Option<&'static str>,
}

impl Cpu {
    /// Returns an engine that uses the same kernels as [`Many`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an engine that uses the kernel of this name. The engine supports only algorithms that have this kernel.
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
        // If the allocation fails here, the hash call reports the same error.
        matches!(self.many(algorithm, params), Ok(_) | Err(Error::OutOfMemory))
    }

    /// [`Many`] overwrites its copies of a key.
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
