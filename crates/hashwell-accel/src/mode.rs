//! The modes SECURE, ACCEL and FAST, which choose the engine that hashes. A mode never changes a digest.

use crate::engines::{self, Device, Engines, Kind, shown};
use hashwell::Many;
use hashwell::engine::{Cpu, Engine};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The rule by which an engine is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Only engines that `hashwell timing-test` can test, which are the kernels of this CPU.
    Secure,
    /// A separate device such as a GPU, if there is one that supports the hash. Otherwise the kernels of this CPU,
    /// which use the instructions that it has.
    Accel,
    /// The engine that a measurement finds to be the fastest now. It is never a simulation.
    Fast,
}

/// The reason why a mode has no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No mode has this name.
    UnknownMode {
        /// The given name.
        name: Box<str>,
    },
    /// The mode does not allow the device.
    NotInMode {
        /// The mode.
        mode: Mode,
        /// The id of the device.
        id: Box<str>,
        /// The kind of the device.
        kind: Kind,
    },
    /// The device does not exist or cannot be opened.
    Device(engines::Error),
    /// The device does not support the hash, or returns wrong digests.
    Engine(hashwell::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownMode { name } => {
                write!(f, "unknown mode '{name}' (known modes: secure, accel, fast)")
            }
            Self::NotInMode { mode, id, kind } => {
                write!(
                    f,
                    "mode {mode} does not allow {id} ({kind}), because hashwell timing-test can't test it"
                )
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
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Secure, Self::Accel, Self::Fast];

    /// Returns the name, which `parse` accepts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Secure => "secure",
            Self::Accel => "accel",
            Self::Fast => "fast",
        }
    }

    /// Returns true if the mode allows devices of this kind. You can name a simulation, but no mode chooses one.
    #[must_use]
    pub fn takes(self, kind: Kind) -> bool {
        self != Self::Secure || kind.has_leak_method()
    }

    /// Returns the engine for these messages among the devices that were found. `None` means the kernels of this CPU.
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
        // If only this CPU supports the hash, nothing is measured. The output of such a hash can have any length, so
        // the measurement could take a lot of time and memory.
        engines.peek()?;
        if self == Self::Fast { fastest(engines, many) } else { engines.next() }
    }
}

/// Returns the engine for these messages: the device with this id or name, or the engine that the mode chooses if no
/// device is given.
///
/// `None` means the kernels of this CPU, which [`Many`] uses without an engine. It is also the result if neither a
/// device nor a mode is given.
///
/// # Errors
/// Returns [`Error`], as one line of text. If you name a device that does not support the hash, this is an error: there
/// is no silent fallback.
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

/// The length in bytes of each message of a trial, and the number of messages. This is enough work for a GPU, and takes
/// a CPU a few milliseconds.
const TRIAL: (usize, usize) = (16 << 10, 64);

/// Returns the engine that hashes a batch of zeros in the shortest time, or `None` if this is the CPU. The time is the
/// minimum of three trials, after one that does not count.
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
    // At most two engines are open at a time: the one that is measured, and the fastest one before it.
    own.into_iter().chain(timed).min_by_key(|(time, _)| *time)?.1
}
