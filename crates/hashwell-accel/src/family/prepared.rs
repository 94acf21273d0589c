//! A member on an implementation.

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

/// A member of the family on one implementation. Threads may share it, and clones of it; code that was made for it stays as
/// long as any of them, or any [`Hasher`] of theirs, is there.
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

/// What the making of code cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compiled {
    /// From the member's numbers to memory that may be executed.
    pub time: Duration,
    /// Bytes of machine code.
    pub bytes: usize,
}

impl Compiled {
    /// After how many bytes hashed the making of the code has paid for itself, given the nanoseconds a byte of the
    /// implementation that would run otherwise and of the code; `None` if the code is not faster, and never pays.
    #[must_use]
    pub fn break_even(&self, otherwise: f64, code: f64) -> Option<f64> {
        let saved = otherwise - code;
        (saved > 0.0).then(|| self.time.as_nanos() as f64 / saved)
    }
}

impl Sha256Family {
    /// This member on the fastest implementation that needs no executable memory: the instructions for SHA-256 where the
    /// processor has them and the rotations are SHA-256's, else the portable loop.
    #[must_use]
    pub fn prepare(&self) -> Prepared {
        let instructions = [Implementation::ShaNi, Implementation::Armv8]
            .into_iter()
            .find_map(|implementation| self.on(implementation).ok());
        instructions.unwrap_or_else(|| self.with(Function::Soft))
    }

    /// This member as code made now, or found in the cache. Where there can be none (no feature `jit`, a processor that
    /// it knows nothing of, a system that refuses executable memory) this is what [`prepare`](Self::prepare) gives, and
    /// nothing fails: [`Prepared::implementation`] says which it is, [`Prepared::refusal`] why.
    ///
    /// Costs some milliseconds.
    #[must_use]
    pub fn compile(&self) -> Prepared {
        match self.function(Implementation::Jit) {
            Ok(function) => self.with(function),
            Err(reason) => Prepared { refusal: Some(reason.into()), ..self.prepare() },
        }
    }

    /// This member on this implementation and no other.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub fn on(&self, implementation: Implementation) -> Result<Prepared, Error> {
        let function = self.function(implementation);
        let function =
            function.map_err(|reason| Error::Unavailable { implementation, reason: reason.into() })?;
        Ok(self.with(function))
    }

    /// Or why there is none.
    fn function(&self, implementation: Implementation) -> Result<Function, String> {
        match implementation {
            #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
            Implementation::ShaNi => Ok(Function::ShaNi(ShaNi::of(self)?)),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Implementation::Armv8 => Ok(Function::Armv8(Armv8::of(self)?)),
            #[cfg(feature = "jit")]
            Implementation::Jit => Ok(Function::Jit(jit::code_for(self)?)),
            Implementation::Soft => Ok(Function::Soft),
            #[allow(unreachable_patterns)] // where all of them are compiled in
            Implementation::Jit => Err("this build is without the feature jit".to_owned()),
            #[allow(unreachable_patterns)]
            _ => Err("it is for other processors".to_owned()),
        }
    }

    /// The implementations that this member can run on here, the fastest first. Makes its code to see whether that can be.
    #[must_use]
    pub fn implementations(&self) -> Vec<Implementation> {
        Implementation::ALL.into_iter().filter(|&implementation| self.on(implementation).is_ok()).collect()
    }

    fn with(&self, function: Function) -> Prepared {
        Prepared { member: Arc::new(self.clone()), function, refusal: None }
    }
}

impl Prepared {
    /// Which function this is.
    #[must_use]
    pub fn member(&self) -> &Sha256Family {
        &self.member
    }

    /// What it runs on.
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

    /// Why [`Sha256Family::compile`] gave something else than code.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// What its code cost to make; `None` if it runs on no such code.
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
