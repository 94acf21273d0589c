//! Everything that can go wrong. Hashing bytes cannot: errors come from parameters, names and tags.

use crate::internal::names::elsewhere;
use alloc::boxed::Box;
use core::fmt;
use core::ops::Deref;

/// Why a hasher, XOF, MAC, generator or kernel could not be made, or a tag or request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No registry row has this name or alias.
    UnknownAlgorithm {
        /// The name asked for.
        name: Box<str>,
        /// The name to offer instead, if one is close: never a broken algorithm's to who asked for another.
        nearest: Option<&'static str>,
    },
    /// A parameter is outside its range.
    OutOfRange {
        /// Canonical name of the algorithm.
        algorithm: &'static str,
        /// The parameter, in words.
        what: &'static str,
        /// Unit of the three numbers; empty for a plain number.
        unit: &'static str,
        /// Smallest accepted value.
        min: u64,
        /// Largest accepted value.
        max: u64,
        /// The value given.
        got: u64,
    },
    /// The algorithm has no such parameter or operation.
    Unsupported {
        /// Canonical name of the algorithm.
        algorithm: &'static str,
        /// What was asked of it, in words.
        what: &'static str,
    },
    /// No kernel of this name exists for the algorithm (or, process-wide, for any).
    UnknownKernel {
        /// The name asked for.
        name: Box<str>,
    },
    /// The kernel exists, but this CPU lacks what it needs.
    UnavailableKernel {
        /// The name asked for.
        name: Box<str>,
    },
    /// The process-wide kernel was already fixed to another one.
    KernelAlreadyForced {
        /// The kernel in force.
        name: &'static str,
    },
    /// A tag is wrong, or has a length that is not accepted. Says no more, on purpose.
    TagMismatch,
    /// The generator has served as many requests as it may between two reseeds.
    ReseedRequired {
        /// Name of the hash underneath.
        algorithm: &'static str,
        /// Requests that it serves between two reseeds.
        interval: u64,
    },
    /// The generator was wiped (or never instantiated) and gives nothing any more.
    NotInstantiated {
        /// Name of the hash underneath.
        algorithm: &'static str,
    },
    /// Prediction resistance was asked of a generator that was instantiated without it.
    NoPredictionResistance {
        /// Name of the hash underneath.
        algorithm: &'static str,
    },
    /// The generator's known-answer test failed: it gives no output, and none can be made over this hash.
    SelfTestFailed {
        /// Name of the hash underneath.
        algorithm: &'static str,
    },
    /// The source of entropy failed.
    EntropyFailed {
        /// Its own words.
        reason: Box<str>,
    },
    /// A stream has an end, and fewer bytes are left than were asked for. Nothing was read.
    Exhausted {
        /// Name of the algorithm or source.
        stream: Box<str>,
        /// Bytes that the stream has.
        end: u128,
        /// Bytes that it would have to have.
        asked: u128,
    },
    /// An [`Engine`](crate::engine::Engine) cannot be used now.
    EngineUnavailable {
        /// Its name.
        engine: Box<str>,
        /// Its own words.
        reason: Box<str>,
    },
    /// An engine does not hash this, or must not.
    EngineRefused {
        /// Its name.
        engine: Box<str>,
        /// Name of the algorithm.
        algorithm: &'static str,
        /// With what it was asked for, in words.
        what: &'static str,
    },
    /// An engine failed, or was wrong.
    EngineFailed {
        /// Its name.
        engine: Box<str>,
        /// Its own words, or what was wrong.
        reason: Box<str>,
    },
    /// The system refused the memory. Where Rust's own collections are refused it, they end the process instead.
    OutOfMemory,
    /// The bytes given are not the exported state of a hash or of a generator, or not one that can be.
    BadState {
        /// What is wrong with them, in words.
        what: &'static str,
    },
}

/// What cannot fail, and why. Not `expect`, which would bring the `Debug` of every error into modules of WebAssembly.
#[track_caller]
pub(crate) fn surely<T>(result: Result<T, Error>, why: &str) -> T {
    result.unwrap_or_else(|_| unreachable!("{why}"))
}

impl Error {
    /// The result, unless memory was refused: then the process ends as Rust's own collections end it. For calls that can
    /// fail in no other way, and have nobody to tell.
    ///
    /// # Errors
    /// Any other error.
    pub fn abort_without_memory<T>(result: Result<T, Self>) -> Result<T, Self> {
        if let Err(Error::OutOfMemory) = result {
            alloc::alloc::handle_alloc_error(core::alloc::Layout::new::<T>());
        }
        result
    }
}

impl Error {
    /// Writes the message. Not by `write!`: the standard library's formatting is 0.7 KB of every module of WebAssembly, which
    /// calls this.
    ///
    /// # Errors
    /// What `out` has.
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
            Error::Unsupported { algorithm, what } => say("# has no #", &[algorithm, what]),
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
                say("#: HMAC-DRBG was wiped and must be instantiated anew", &[algorithm])
            }
            Error::NoPredictionResistance { algorithm } => {
                say("#: HMAC-DRBG was instantiated without prediction resistance", &[algorithm])
            }
            Error::SelfTestFailed { algorithm } => {
                say("#: HMAC-DRBG failed its known-answer test and gives no output", &[algorithm])
            }
            Error::EntropyFailed { reason } => say("no entropy: #", &[reason]),
            Error::Exhausted { stream, end, asked } => {
                let [end, asked] = [end, asked].map(|number| Decimal::of(*number));
                say("#: the stream ends after # bytes, and # would be needed", &[stream, &end, &asked])
            }
            Error::EngineUnavailable { engine, reason } => {
                say("engine '#' is not available: #", &[engine, reason])
            }
            Error::EngineRefused { engine, algorithm, what } => {
                say("engine '#' does not take # #", &[engine, algorithm, what])
            }
            Error::EngineFailed { engine, reason } => say("engine '#' failed: #", &[engine, reason]),
            Error::OutOfMemory => say("out of memory", &[]),
            Error::BadState { what } => say("not an exported state: #", &[what]),
        }
    }
}

/// Writes a template with values in place of each `#`, of which there are as many.
///
/// # Errors
/// What `out` has.
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

/// A number's text, as the standard library writes it, by less code, which every module of WebAssembly has.
#[doc(hidden)]
pub struct Decimal {
    digits: [u8; 39],
    zeros: usize,
}

impl Decimal {
    /// The text of this number.
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
