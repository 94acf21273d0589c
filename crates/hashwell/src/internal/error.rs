//! Errors. Hashing bytes cannot fail: errors come from parameters, names, tags, generators and
//! engines.

use crate::internal::names::elsewhere;
use alloc::boxed::Box;
use core::fmt;
use core::ops::Deref;

/// An error from making or using a hasher, MAC, generator, kernel or engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No algorithm has this name or alias.
    UnknownAlgorithm {
        /// The requested name.
        name: Box<str>,
        /// A similar name to suggest, if there is one. A broken algorithm is suggested only if its
        /// name was mistyped.
        nearest: Option<&'static str>,
    },
    /// A parameter is outside its range.
    OutOfRange {
        /// The canonical name of the algorithm.
        algorithm: &'static str,
        /// A description of the parameter.
        what: &'static str,
        /// The unit of the three numbers, or an empty string for a plain number.
        unit: &'static str,
        /// The smallest accepted value.
        min: u64,
        /// The largest accepted value.
        max: u64,
        /// The given value.
        got: u64,
    },
    /// The algorithm does not support this parameter or operation.
    Unsupported {
        /// The canonical name of the algorithm.
        algorithm: &'static str,
        /// A description of the parameter or operation.
        what: &'static str,
    },
    /// The algorithm has no kernel of this name. If you set the kernel for the whole process, no algorithm has a kernel
    /// of this name.
    UnknownKernel {
        /// The requested name.
        name: Box<str>,
    },
    /// The kernel exists, but this CPU does not support it.
    UnavailableKernel {
        /// The requested name.
        name: Box<str>,
    },
    /// A different kernel was already set for the process.
    KernelAlreadyForced {
        /// The kernel in use.
        name: &'static str,
    },
    /// A tag is wrong, or its length is not accepted. The error deliberately contains no details.
    TagMismatch,
    /// The generator has served the maximum number of requests between two reseeds.
    ReseedRequired {
        /// The name of the underlying hash.
        algorithm: &'static str,
        /// The maximum number of requests between two reseeds.
        interval: u64,
    },
    /// The generator was wiped or never instantiated, so it produces no output.
    NotInstantiated {
        /// The name of the underlying hash.
        algorithm: &'static str,
    },
    /// A request requires prediction resistance, but the generator was instantiated without it.
    NoPredictionResistance {
        /// The name of the underlying hash.
        algorithm: &'static str,
    },
    /// The known-answer test of the generator failed. Generators over this hash produce no output, and no new generator
    /// can be made.
    SelfTestFailed {
        /// The name of the underlying hash.
        algorithm: &'static str,
    },
    /// The source of entropy failed.
    EntropyFailed {
        /// The source's own error message.
        reason: Box<str>,
    },
    /// The stream has fewer bytes left than requested. Nothing was read.
    Exhausted {
        /// The name of the algorithm or source.
        stream: Box<str>,
        /// The length of the stream in bytes.
        end: u128,
        /// The length in bytes that the request would need.
        asked: u128,
    },
    /// An [`Engine`](crate::engine::Engine) cannot be used now.
    EngineUnavailable {
        /// The name of the engine.
        engine: Box<str>,
        /// The engine's own error message.
        reason: Box<str>,
    },
    /// An engine does not support this hash, or is not allowed to compute it.
    EngineRefused {
        /// The name of the engine.
        engine: Box<str>,
        /// The name of the algorithm.
        algorithm: &'static str,
        /// A description of what was requested.
        what: &'static str,
    },
    /// An engine failed or returned wrong digests.
    EngineFailed {
        /// The name of the engine.
        engine: Box<str>,
        /// The engine's own error message, or a description of the wrong result.
        reason: Box<str>,
    },
    /// An allocation failed. Functions that do not document this error abort the process instead, as the collections of
    /// the standard library do.
    OutOfMemory,
    /// The bytes are not the saved state of a hash or a generator, or they describe a state that cannot occur.
    BadState {
        /// A description of the problem.
        what: &'static str,
    },
    /// A slice of a message does not match the digest, or is truncated.
    #[cfg(feature = "states")]
    WrongSlice {
        /// A description of the problem.
        what: &'static str,
        /// The position in the slice: the first byte of the wrong node or group, or the end of a
        /// truncated slice. All message bytes that were returned before are verified.
        at: u64,
    },
}

/// Returns the value of a result that cannot be an error, for the reason in `why`. `expect` would
/// link the `Debug` implementation of every error into WebAssembly modules.
#[track_caller]
pub(crate) fn surely<T>(result: Result<T, Error>, why: &str) -> T {
    result.unwrap_or_else(|_| unreachable!("{why}"))
}

impl Error {
    /// Aborts the process if the result is [`Error::OutOfMemory`], as the collections of the standard library do.
    /// Returns every other result unchanged. Use this function where an allocation is the only operation that can fail.
    ///
    /// # Errors
    /// Returns every error except [`Error::OutOfMemory`].
    pub fn abort_without_memory<T>(result: Result<T, Self>) -> Result<T, Self> {
        if let Err(Error::OutOfMemory) = result {
            alloc::alloc::handle_alloc_error(core::alloc::Layout::new::<T>());
        }
        result
    }
}

impl Error {
    /// Writes the error message to `out`. This method avoids `write!`, because the formatting code of the standard
    /// library would add 0.7 KB to every WebAssembly module.
    ///
    /// # Errors
    /// Returns an error if `out` returns one.
    #[doc(hidden)]
    pub fn say(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut say = |template: &str, values: &[&str]| fill(out, template, values);
        match self {
            Error::UnknownAlgorithm { name, nearest: Some(nearest) } => {
                say("unknown algorithm '#' (did you mean '#'?)", &[name, nearest])
            }
            Error::UnknownAlgorithm { name, nearest: None } => match elsewhere(name) {
                Some(known) => say("unknown algorithm '#' (#)", &[name, known]),
                None => say("unknown algorithm '#'", &[name]),
            },
            Error::OutOfRange { algorithm, what, unit, min, max, got } => {
                let space = if unit.is_empty() { "" } else { " " };
                let [least, most, got] = [min, max, got].map(|number| Decimal::of((*number).into()));
                let (before, between, most) = match () {
                    () if *max == u64::MAX => ("at least ", "", ""),
                    () if min == max => ("", "", ""),
                    () => ("", " to ", &*most),
                };
                let values = [algorithm, what, before, &*least, between, most, space, unit, &*got];
                say("#: # must be ######, not #", &values)
            }
            Error::Unsupported { algorithm, what } => say("# does not support #", &[algorithm, what]),
            Error::UnknownKernel { name } => say("unknown kernel '#'", &[name]),
            Error::UnavailableKernel { name } => {
                say("kernel '#' needs a CPU feature that this machine lacks", &[name])
            }
            Error::KernelAlreadyForced { name } => {
                say("the kernel is already fixed to '#' for this process", &[name])
            }
            Error::TagMismatch => say("authentication tag does not match", &[]),
            Error::ReseedRequired { algorithm, interval } => {
                let interval = Decimal::of((*interval).into());
                say("#: HMAC-DRBG must be reseeded after # requests", &[algorithm, &interval])
            }
            Error::NotInstantiated { algorithm } => {
                say("#: HMAC-DRBG was wiped and must be instantiated again", &[algorithm])
            }
            Error::NoPredictionResistance { algorithm } => {
                say("#: HMAC-DRBG was instantiated without prediction resistance", &[algorithm])
            }
            Error::SelfTestFailed { algorithm } => {
                say("#: HMAC-DRBG failed its known-answer test and produces no output", &[algorithm])
            }
            Error::EntropyFailed { reason } => say("no entropy: #", &[reason]),
            Error::Exhausted { stream, end, asked } => {
                let [end, asked] = [end, asked].map(|number| Decimal::of(*number));
                say("#: the stream ends after # bytes, but # are needed", &[stream, &end, &asked])
            }
            Error::EngineUnavailable { engine, reason } => {
                say("engine '#' is not available: #", &[engine, reason])
            }
            Error::EngineRefused { engine, algorithm, what } => {
                say("engine '#' does not support # #", &[engine, algorithm, what])
            }
            Error::EngineFailed { engine, reason } => say("engine '#' failed: #", &[engine, reason]),
            Error::OutOfMemory => say("out of memory", &[]),
            Error::BadState { what } => say("not an exported state: #", &[what]),
            #[cfg(feature = "states")]
            Error::WrongSlice { what, at } => {
                let at = Decimal::of((*at).into());
                say("the slice is wrong at byte #: #", &[&at, what])
            }
        }
    }
}

/// Writes a template in which each `#` is replaced with the next value. There must be as many values as `#` characters.
///
/// # Errors
/// Returns an error if `out` returns one.
#[doc(hidden)]
pub fn fill(out: &mut dyn fmt::Write, mut template: &str, values: &[&str]) -> fmt::Result {
    for value in values {
        let at = template.bytes().position(|byte| byte == b'#').unwrap_or_default();
        out.write_str(&template[..at])?;
        out.write_str(value)?;
        template = &template[at + 1..];
    }
    out.write_str(template)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say(f)
    }
}

impl core::error::Error for Error {}

/// The decimal digits of a number. They are the same as those of the standard library, but need less code in
/// WebAssembly modules.
#[doc(hidden)]
pub struct Decimal {
    digits: [u8; 39],
    zeros: usize,
}

impl Decimal {
    /// Returns the digits of this number.
    #[must_use]
    pub fn of(number: u128) -> Self {
        let mut limbs: [u32; 4] = core::array::from_fn(|i| (number >> (32 * i)) as u32);
        let mut digits = [b'0'; 39];
        for digit in digits.iter_mut().rev() {
            let mut rest = 0;
            for limb in limbs.iter_mut().rev() {
                let part = (rest << 32) + u64::from(*limb);
                (*limb, rest) = ((part / 10) as u32, part % 10);
            }
            *digit += rest as u8;
        }
        let zeros = digits[..38].iter().take_while(|digit| **digit == b'0').count();
        Self { digits, zeros }
    }
}

impl Deref for Decimal {
    type Target = str;

    fn deref(&self) -> &str {
        str::from_utf8(&self.digits[self.zeros..]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use alloc::string::ToString;

    #[test]
    fn numbers_are_written_as_everywhere() {
        for number in [0, 9, 10, 1 << 32, u64::MAX.into(), 1 << 64, 10_u128.pow(38), u128::MAX] {
            assert_eq!(&*Decimal::of(number), number.to_string());
        }
    }
}
