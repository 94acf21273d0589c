//! The list of all engines by name, for programs that let a user choose one.
//!
//! ```text
//! KINDS, with a row for each kind of engine
//!   |  engines()   the available engines, and for each kind without one, the reason
//!   |  open(id)    "jit:0", or the name of a device -> an engine, which Many::on queries and tests
//! ```
//!
//! The list also contains this CPU, as `cpu:0`, so that you can compare the other engines with it.

use crate::family::{self, Implementation, JitEngine, Sha256Family};
#[cfg(any(feature = "opencl", feature = "cuda"))]
use crate::gpu;
use hashwell::engine::{Cpu, Engine};
use std::fmt;

/// The kind of an engine, as far as it matters to a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// This CPU, with hashwell's kernels.
    Processor,
    /// This CPU, with JIT-compiled code, or with code that a driver compiled.
    Code,
    /// A separate device with its own memory, such as a GPU.
    Card,
    /// A circuit that is simulated clock by clock. Its digests are correct, but it is slower by orders of magnitude
    /// than any other engine.
    Simulation,
}

impl Kind {
    /// Returns the name as one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Code => "code",
            Self::Card => "card",
            Self::Simulation => "simulation",
        }
    }

    /// Returns true if `hashwell timing-test` has a method to find out whether the time depends on the hashed data.
    ///
    /// There is a method only for hashwell's own kernels on this CPU. JIT-compiled code has not been examined, and only
    /// the maker of a device knows which of its operations take a variable time.
    #[must_use]
    pub fn has_leak_method(self) -> bool {
        self == Self::Processor
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An available engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Device {
    /// The id, which [`open`] accepts: the prefix of the kind, and a number. For example, `jit:0`.
    pub id: String,
    /// The kind of the engine.
    pub kind: Kind,
    /// The name that the maker gave the engine. Several devices can have the same name.
    pub name: String,
    /// The platform through which the engine is used.
    pub platform: String,
    /// The version of the platform or its driver.
    pub driver: String,
    /// The size of the device's memory in bytes, or `None` for an engine without a device.
    pub memory: Option<u64>,
    /// The number of units that work in parallel, if it is known.
    pub units: Option<u32>,
}

/// A kind of engine that is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Absent {
    /// The prefix of the ids of this kind, such as `jit`.
    pub prefix: &'static str,
    /// The reason, in one line.
    pub reason: String,
}

/// The result of [`engines`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Engines {
    /// The available engines. The first one is this CPU.
    pub here: Vec<Device>,
    /// The kinds without an available engine.
    pub absent: Vec<Absent>,
}

/// The reason why no engine was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No kind has this prefix, or no device has this number or name.
    Unknown {
        /// The given id or name.
        id: Box<str>,
        /// The ids of the available engines.
        known: Vec<String>,
    },
    /// The kind exists, but no engine of this kind is available.
    Absent {
        /// The given id.
        id: Box<str>,
        /// The reason.
        reason: Box<str>,
        /// The ids of the available engines.
        known: Vec<String>,
    },
    /// Several devices have this name.
    Ambiguous {
        /// The given name.
        name: Box<str>,
        /// The ids of the devices with this name.
        ids: Vec<String>,
    },
    /// The engine is available but cannot be opened.
    Refused {
        /// The id of the engine.
        id: Box<str>,
        /// The engine's own error message.
        reason: Box<str>,
    },
}

/// Returns an untrusted name in a form that is safe to print in an error: without control characters, and at most 64
/// characters long.
pub(crate) fn shown(name: &str) -> Box<str> {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(64).collect()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { id, known } => {
                write!(f, "unknown device '{id}' (known devices: {})", known.join(", "))
            }
            Self::Absent { id, reason, known } => {
                write!(
                    f,
                    "device '{id}' is not available: {reason} (available devices: {})",
                    known.join(", ")
                )
            }
            Self::Ambiguous { name, ids } => {
                write!(f, "several devices are named '{name}': use one of {}", ids.join(", "))
            }
            Self::Refused { id, reason } => write!(f, "can't open device '{id}': {reason}"),
        }
    }
}

impl std::error::Error for Error {}

type Opened = Result<Box<dyn Engine>, String>;

/// A kind of engine: a function that finds the available engines, and one that opens an engine by its id.
struct Row {
    prefix: &'static str,
    find: fn() -> Result<Vec<Device>, String>,
    open: fn(&str) -> Opened,
}

/// All kinds, including those that this build does not contain.
const KINDS: &[Row] = &[
    Row { prefix: "cpu", find: || Ok(vec![processor()]), open: |_| Ok(Box::new(Cpu::new())) },
    Row { prefix: "jit", find: jit, open: |_| Ok(Box::new(JitEngine)) },
    #[cfg(feature = "opencl")]
    Row { prefix: "opencl", find: || driven("opencl"), open: driven_by },
    #[cfg(not(feature = "opencl"))]
    Row { prefix: "opencl", find: || without("opencl"), open: |_| without("opencl") },
    #[cfg(feature = "cuda")]
    Row { prefix: "cuda", find: || driven("cuda"), open: driven_by },
    #[cfg(not(feature = "cuda"))]
    Row { prefix: "cuda", find: || without("cuda"), open: |_| without("cuda") },
    #[cfg(feature = "fpga-sim")]
    Row { prefix: "fpga-sim", find: simulated, open: |_| Ok(Box::new(crate::fpga_sim::FpgaSim::default())) },
    #[cfg(not(feature = "fpga-sim"))]
    Row { prefix: "fpga-sim", find: || without("fpga-sim"), open: |_| without("fpga-sim") },
];

#[cfg(not(all(feature = "opencl", feature = "cuda", feature = "fpga-sim")))]
fn without<T>(feature: &str) -> Result<T, String> {
    Err(format!("this build doesn't include the feature {feature}"))
}

fn processor() -> Device {
    Device {
        id: "cpu:0".to_owned(),
        kind: Kind::Processor,
        name: "this processor".to_owned(),
        platform: "hashwell".to_owned(),
        driver: env!("CARGO_PKG_VERSION").to_owned(),
        memory: None,
        units: hashwell_work::threads(0).try_into().ok(),
    }
}

/// Compiles some code, to find out whether that is possible.
fn jit() -> Result<Vec<Device>, String> {
    let member = Sha256Family::sha256_with_rounds(64).map_err(|error| error.to_string())?;
    member.on(Implementation::Jit).map_err(|error| match error {
        family::Error::Unavailable { reason, .. } => reason.into(),
        other => other.to_string(),
    })?;
    Ok(vec![Device {
        id: "jit:0".to_owned(),
        kind: Kind::Code,
        name: "JIT-compiled code".to_owned(),
        platform: "Cranelift".to_owned(),
        driver: env!("CARGO_PKG_VERSION").to_owned(),
        ..processor()
    }])
}

/// Returns the devices of one library. A device that is this CPU does not count as a separate device.
#[cfg(any(feature = "opencl", feature = "cuda"))]
fn driven(library: &'static str) -> Result<Vec<Device>, String> {
    let mut found = Vec::new();
    for listed in gpu::devices_of(library) {
        match listed {
            gpu::Listed::Nothing { reason, .. } => return Err(reason.into()),
            gpu::Listed::Device(device) => found.push(Device {
                id: device.id.into(),
                kind: if device.kind == gpu::Kind::Cpu { Kind::Code } else { Kind::Card },
                name: device.name,
                platform: device.platform,
                driver: device.driver,
                memory: Some(device.memory),
                units: Some(device.compute_units),
            }),
        }
    }
    Ok(found)
}

#[cfg(any(feature = "opencl", feature = "cuda"))]
fn driven_by(id: &str) -> Opened {
    Ok(Box::new(gpu::Gpu::open(id).map_err(|error| error.to_string())?))
}

#[cfg(feature = "fpga-sim")]
fn simulated() -> Result<Vec<Device>, String> {
    Ok(vec![Device {
        id: "fpga-sim:0".to_owned(),
        kind: Kind::Simulation,
        name: "sha256r_axis, simulated".to_owned(),
        platform: "Verilator".to_owned(),
        units: Some(1),
        ..processor()
    }])
}

impl Engines {
    /// Returns the ids of all available engines.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.here.iter().map(|device| device.id.clone()).collect()
    }

    /// Returns the device with this id or, if there is none, the device with this name.
    ///
    /// # Errors
    /// - [`Error::Unknown`] if no device has this id or name.
    /// - [`Error::Absent`] if the id is that of a kind without an available engine.
    /// - [`Error::Ambiguous`] if several devices have this name.
    pub fn find(&self, id: &str) -> Result<&Device, Error> {
        if let Some(device) = self.here.iter().find(|device| device.id == id) {
            return Ok(device);
        }
        let named: Vec<&Device> = self.here.iter().filter(|device| device.name == id).collect();
        let prefix = id.split_once(':').map_or(id, |(prefix, _)| prefix);
        match (&named[..], self.absent.iter().find(|absent| absent.prefix == prefix)) {
            ([device], _) => Ok(device),
            ([], Some(absent)) => {
                Err(Error::Absent { id: shown(id), reason: absent.reason.as_str().into(), known: self.ids() })
            }
            ([], None) => Err(Error::Unknown { id: shown(id), known: self.ids() }),
            (several, _) => {
                let ids = several.iter().map(|device| device.id.clone()).collect();
                Err(Error::Ambiguous { name: shown(id), ids })
            }
        }
    }
}

/// Returns all available engines.
///
/// Each call searches for them again, which may load drivers. This takes a few milliseconds, or more if a driver has to
/// start a device.
#[must_use]
pub fn engines() -> Engines {
    let mut found = Engines { here: Vec::new(), absent: Vec::new() };
    for row in KINDS {
        match (row.find)() {
            Ok(devices) if !devices.is_empty() => found.here.extend(devices),
            Ok(_) => {
                found
                    .absent
                    .push(Absent { prefix: row.prefix, reason: "no device of this kind was found".into() });
            }
            Err(reason) => found.absent.push(Absent { prefix: row.prefix, reason }),
        }
    }
    found
}

/// Opens the engine with this id, such as `jit:0`, or the only device with this name.
///
/// # Errors
/// Returns the errors of [`Engines::find`] and [`Device::open`], each as one line of text.
pub fn open(id: &str) -> Result<Box<dyn Engine>, Error> {
    engines().find(id)?.open()
}

impl Device {
    /// Returns the id, followed by the word *simulation* for a simulation, so that its figures are not mistaken for
    /// those of a device.
    #[must_use]
    pub fn label(&self) -> String {
        if self.kind == Kind::Simulation { format!("{} (simulation)", self.id) } else { self.id.clone() }
    }

    /// Opens this device as an engine.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the device cannot be opened.
    pub fn open(&self) -> Result<Box<dyn Engine>, Error> {
        let refused = |reason: String| Error::Refused { id: self.id.as_str().into(), reason: reason.into() };
        let prefix = self.id.split_once(':').map_or("", |(prefix, _)| prefix);
        let row = KINDS.iter().find(|row| row.prefix == prefix);
        let row = row.ok_or_else(|| refused("unknown kind of device".to_owned()))?;
        (row.open)(&self.id).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates two devices with the same name, which none of our machines has.
    #[test]
    fn a_name_opens_a_device_if_one_alone_has_it() {
        let card = |n: usize, name: &str| Device {
            id: format!("opencl:{n}"),
            kind: Kind::Card,
            name: name.to_owned(),
            ..processor()
        };
        let here = vec![processor(), card(0, "X100"), card(1, "X100"), card(2, "Y7")];
        let found = Engines { here, absent: engines().absent };
        assert_eq!(found.find("Y7").unwrap().id, "opencl:2");
        assert_eq!(found.find("opencl:1").unwrap().name, "X100");
        let line = found.find("X100").unwrap_err().to_string();
        assert_eq!(line, "several devices are named 'X100': use one of opencl:0, opencl:1");
    }

    #[test]
    fn rows_and_devices_agree() {
        let found = engines();
        for device in &found.here {
            let engine = device.open().unwrap();
            assert_eq!(engine.name(), device.id);
        }
        for row in KINDS {
            let begins = |device: &&Device| device.id.split(':').next() == Some(row.prefix);
            let here = found.here.iter().filter(begins).count();
            let absent = found.absent.iter().filter(|absent| absent.prefix == row.prefix).count();
            assert!((here > 0) != (absent == 1), "{}: {here} here, {absent} absent", row.prefix);
        }
    }
}
