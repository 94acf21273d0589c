//! SECURE, ACCEL and FAST: which engine hashes. A mode never changes a digest.

use crate::engines::{self, Device, Engines, Kind, shown};
use hashwell::Many;
use hashwell::engine::{Cpu, Engine};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// By what an engine is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Only what `hashwell timing-test` has a method for: this processor's kernels.
    Secure,
    /// A card, if one is here that hashes this; else this processor's kernels, which use what instructions it has.
    Accel,
    /// What is the fastest here and now, by measurement; never a simulation.
    Fast,
}

/// Why a mode has no engine to offer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No mode has this name.
    UnknownMode {
        /// The name given.
        name: Box<str>,
    },
    /// The mode does not take the device.
    NotInMode {
        /// The mode.
        mode: Mode,
        /// The device's id.
        id: Box<str>,
        /// What it is.
        kind: Kind,
    },
    /// There is no such device.
    Device(engines::Error),
    /// The device does not hash this, or not rightly.
    Engine(hashwell::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownMode { name } => {
                write!(f, "unknown mode '{name}' (known modes: secure, accel, fast)")
            }
            Self::NotInMode { mode, id, kind } => {
                write!(f, "mode {mode} does not allow {id} ({kind}), which hashwell timing-test can't test")
            }
            Self::Device(error) => error.fmt(f),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::UnknownMode { .. } | Self::NotInMode { .. } => None,
            Self::Device(error) => Some(error),
            Self::Engine(error) => Some(error),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownMode { name: shown(name) };
        Self::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(unknown)
    }
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Secure, Self::Accel, Self::Fast];

    /// What it is called, and parsed from.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Secure => "secure",
            Self::Accel => "accel",
            Self::Fast => "fast",
        }
    }

    /// Whether a device of this kind may be used. A simulation may be named, but is never chosen.
    #[must_use]
    pub fn takes(self, kind: Kind) -> bool {
        self != Self::Secure || kind.has_leak_method()
    }

    /// The engine for these messages, among the devices found; `None` is this processor's kernels.
    fn choose(self, found: &Engines, many: &Many) -> Option<Box<dyn Engine>> {
        let may = |device: &&Device| match self {
            Self::Secure => false,
            Self::Accel => device.kind == Kind::Card,
            Self::Fast => matches!(device.kind, Kind::Card | Kind::Code),
        };
        let hashing = |device: &Device| {
            let engine = device.open().ok()?;
            many.on(&*engine).is_ok().then_some(engine)
        };
        let mut engines = found.here.iter().filter(may).filter_map(hashing).peekable();
        // What this processor alone hashes is not measured: it may have output of any length.
        engines.peek()?;
        if self == Self::Fast { fastest(engines, many) } else { engines.next() }
    }
}

/// The engine for these messages: the device of this id or name, or else what the mode chooses. `None` is this
/// processor's kernels, which [`Many`] has without an engine; it is also the answer if nothing is asked for.
///
/// # Errors
/// [`Error`], of one line; a device that is named and does not hash this is one, since nothing falls back in silence.
pub fn choose(
    device: Option<&str>,
    mode: Option<Mode>,
    many: &Many,
) -> Result<Option<Box<dyn Engine>>, Error> {
    if device.is_none() && matches!(mode, None | Some(Mode::Secure)) {
        return Ok(None);
    }
    let found = engines::engines();
    let Some(id) = device else { return Ok(mode.and_then(|mode| mode.choose(&found, many))) };
    let device = found.find(id).map_err(Error::Device)?;
    if let Some(mode) = mode.filter(|mode| !mode.takes(device.kind)) {
        return Err(Error::NotInMode { mode, id: device.id.as_str().into(), kind: device.kind });
    }
    if device.kind == Kind::Processor {
        return Ok(None);
    }
    let engine = device.open().map_err(Error::Device)?;
    many.on(&*engine).map_err(Error::Engine)?;
    Ok(Some(engine))
}

/// Bytes of each message of a trial, and how many: enough that a card has work, and some milliseconds for a processor.
const TRIAL: (usize, usize) = (16 << 10, 64);

/// The engine that hashes a batch of zeros in the least time, of three each, after one that does not count; none if
/// that is this processor.
fn fastest(engines: impl Iterator<Item = Box<dyn Engine>>, many: &Many) -> Option<Box<dyn Engine>> {
    let message = vec![0; TRIAL.0];
    let messages = vec![&message[..]; TRIAL.1];
    let mut out = vec![0; TRIAL.1 * many.output_len()];
    let mut time = |engine: &dyn Engine| -> Option<Duration> {
        let there = many.on(engine).ok()?;
        let mut run = || {
            let began = Instant::now();
            there.digest_into(&messages, &mut out).ok().map(|()| began.elapsed())
        };
        run()?;
        [run()?, run()?, run()?].into_iter().min()
    };
    let own = time(&Cpu::new()).map(|time| (time, None));
    let timed = engines.filter_map(|engine| Some((time(&*engine)?, Some(engine))));
    // Two at a time are open: the one on trial, and the fastest before it.
    own.into_iter().chain(timed).min_by_key(|(time, _)| *time)?.1
}
