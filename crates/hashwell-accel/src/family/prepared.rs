//! A member with the implementation on which it runs.

use crate::family::error::Error;
use crate::family::implementation::Implementation;
use crate::family::member::Sha256Family;
use crate::family::soft;
use std::sync::Arc;
use std::time::Duration;

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use crate::family::aarch64_sha2::Armv8;
#[cfg(feature = "jit")]
use crate::family::jit::{self, Code};
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use crate::family::x86_sha_ni::ShaNi;

/// A member of the family on one implementation.
///
/// Threads can share it and its clones. JIT-compiled code is freed when the last clone and the last
/// [`Hasher`](crate::family::Hasher) that use it are dropped.
#[derive(Clone)]
pub struct Prepared {
    member: Arc<Sha256Family>,
    function: Function,
    refusal: Option<Arc<str>>,
}

#[derive(Clone)]
enum Function {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    ShaNi(ShaNi),
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Armv8(Armv8),
    #[cfg(feature = "jit")]
    Jit(Arc<Code>),
    Soft,
}

/// The cost of JIT compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compiled {
    /// The time that the compilation took, until the code was executable.
    pub time: Duration,
    /// The size of the machine code in bytes.
    pub bytes: usize,
}

impl Compiled {
    /// Returns the number of hashed bytes after which the compilation has paid for itself, or `None` if the code is not
    /// faster.
    ///
    /// `otherwise` is the time per byte, in nanoseconds, of the implementation that would run instead, and `code` is
    /// that of the compiled code.
    #[must_use]
    pub fn break_even(&self, otherwise: f64, code: f64) -> Option<f64> {
        let saved = otherwise - code;
        (saved > 0.0).then(|| self.time.as_nanos() as f64 / saved)
    }
}

impl Sha256Family {
    /// Returns this member on the fastest implementation that needs no executable memory: the SHA-256 instructions if
    /// the CPU has them and the rotations are those of SHA-256, or the portable loop otherwise.
    #[must_use]
    pub fn prepare(&self) -> Prepared {
        let instructions = [Implementation::ShaNi, Implementation::Armv8]
            .into_iter()
            .find_map(|implementation| self.on(implementation).ok());
        instructions.unwrap_or_else(|| self.with(Function::Soft))
    }

    /// Returns this member as JIT-compiled code, which is compiled now or comes from the cache.
    ///
    /// If compilation is not possible, this method returns the result of [`prepare`](Self::prepare) instead of an
    /// error. This is the case without feature `jit`, on CPUs that the compiler does not support, and on systems that
    /// refuse executable memory. [`Prepared::implementation`] returns the implementation, and [`Prepared::refusal`] the
    /// reason.
    ///
    /// Compilation takes a few milliseconds.
    #[must_use]
    pub fn compile(&self) -> Prepared {
        match self.function(Implementation::Jit) {
            Ok(function) => self.with(function),
            Err(reason) => Prepared { refusal: Some(reason.into()), ..self.prepare() },
        }
    }

    /// Returns this member on exactly this implementation.
    ///
    /// # Errors
    /// Returns [`Error::Unavailable`] if the implementation is not available on this system or for this member.
    pub fn on(&self, implementation: Implementation) -> Result<Prepared, Error> {
        let function = self.function(implementation);
        let function =
            function.map_err(|reason| Error::Unavailable { implementation, reason: reason.into() })?;
        Ok(self.with(function))
    }

    /// Returns the function, or the reason why there is none.
    fn function(&self, implementation: Implementation) -> Result<Function, String> {
        match implementation {
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            Implementation::ShaNi => Ok(Function::ShaNi(ShaNi::of(self)?)),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Implementation::Armv8 => Ok(Function::Armv8(Armv8::of(self)?)),
            #[cfg(feature = "jit")]
            Implementation::Jit => Ok(Function::Jit(jit::code_for(self)?)),
            Implementation::Soft => Ok(Function::Soft),
            #[allow(unreachable_patterns)] // if all implementations are compiled in
            Implementation::Jit => Err("this build doesn't include the feature jit".to_owned()),
            #[allow(unreachable_patterns)]
            _ => Err("it is not available on this CPU architecture".to_owned()),
        }
    }

    /// Returns the implementations on which this member can run here, fastest first. Compiles its code to find out
    /// whether that is possible.
    #[must_use]
    pub fn implementations(&self) -> Vec<Implementation> {
        Implementation::ALL.into_iter().filter(|&implementation| self.on(implementation).is_ok()).collect()
    }

    fn with(&self, function: Function) -> Prepared {
        Prepared { member: Arc::new(self.clone()), function, refusal: None }
    }
}

impl Prepared {
    /// Returns the member.
    #[must_use]
    pub fn member(&self) -> &Sha256Family {
        &self.member
    }

    /// Returns the implementation.
    #[must_use]
    pub fn implementation(&self) -> Implementation {
        match &self.function {
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            Function::ShaNi(_) => Implementation::ShaNi,
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Function::Armv8(_) => Implementation::Armv8,
            #[cfg(feature = "jit")]
            Function::Jit(_) => Implementation::Jit,
            Function::Soft => Implementation::Soft,
        }
    }

    /// Returns the reason why [`Sha256Family::compile`] returned an implementation other than JIT-compiled code.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Returns the cost of compilation, or `None` if the implementation is not JIT-compiled code.
    #[must_use]
    pub fn compiled(&self) -> Option<Compiled> {
        match &self.function {
            #[cfg(feature = "jit")]
            Function::Jit(code) => Some(Compiled { time: code.time(), bytes: code.bytes() }),
            _ => None,
        }
    }

    /// Absorbs whole blocks into a chaining value.
    pub fn compress(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        match &self.function {
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            Function::ShaNi(instructions) => instructions.compress(&self.member, state, blocks),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Function::Armv8(instructions) => instructions.compress(&self.member, state, blocks),
            #[cfg(feature = "jit")]
            Function::Jit(code) => code.compress(state, blocks),
            Function::Soft => soft::compress(&self.member, state, blocks),
        }
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prepared({} rounds on {})", self.member.rounds(), self.implementation())
    }
}
