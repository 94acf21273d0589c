//! Every engine by name: one list, for whoever lets a user choose.
//!
//! ```text
//! KINDS, a row for each kind of engine
//!   |  engines()   what is here, and of each kind that is not, why
//!   |  open(id)    "jit:0", or a device's own name -> an engine, which Many::on asks and tests
//! ```
//!
//! This processor is in the list as `cpu:0`, so that whoever compares has something to compare with.

use crate::family::{self, Implementation, JitEngine, Sha256Family};
#[cfg(any(feature = "opencl", feature = "cuda"))]
use crate::gpu;
use hashwell::engine::{Cpu, Engine};
use std::fmt;

/// What an engine is, as far as its user has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// This processor, on hashwell's kernels.
    Processor,
    /// This processor, on code that was made at run time or that a driver made.
    Code,
    /// A device beside this processor, with memory of its own.
    Card,
    /// A circuit computed step by step: right, and slower by orders of magnitude than anything else.
    Simulation,
}

impl Kind {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Code => "code",
            Self::Card => "card",
            Self::Simulation => "simulation",
        }
    }

    /// Whether `hashwell timing-test` has a method to find out that time depends on what is hashed. It has for the kernels of
    /// the static tables alone: nobody has looked at what a compiler makes at run time, and of a device only its
    /// maker knows what takes how long.
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

/// An engine that is here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Device {
    /// What opens it, its kind's prefix and its number: `jit:0`.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// What its maker calls it. Two devices may have one name.
    pub name: String,
    /// Through what it is reached.
    pub platform: String,
    /// The version of that.
    pub driver: String,
    /// Bytes of memory of its own, if it has any.
    pub memory: Option<u64>,
    /// How many units work side by side, where that is known.
    pub units: Option<u32>,
}

/// Engines of a kind of which there is none here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Absent {
    /// What their ids would begin with: `jit`.
    pub prefix: &'static str,
    /// Why there is none, in one line.
    pub reason: String,
}

/// What [`engines`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Engines {
    /// What is here; this processor first.
    pub here: Vec<Device>,
    /// The kinds of which nothing is here.
    pub absent: Vec<Absent>,
}

/// Why no engine was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no such kind of engine, or none of that number or name.
    Unknown {
        /// The id or name given.
        id: Box<str>,
        /// The ids of what is here.
        known: Vec<String>,
    },
    /// There is such a kind, and none of it here.
    Absent {
        /// The id given.
        id: Box<str>,
        /// Why.
        reason: Box<str>,
        /// The ids of what is here.
        known: Vec<String>,
    },
    /// Several devices have this name.
    Ambiguous {
        /// The name given.
        name: Box<str>,
        /// The ids of those that have it.
        ids: Vec<String>,
    },
    /// It is here and cannot be opened.
    Refused {
        /// The id.
        id: Box<str>,
        /// Why, in its own words.
        reason: Box<str>,
    },
}

/// A part of an error in which a name stands that anybody may have given.
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
                write!(f, "'{name}' names several devices: {}", ids.join(", "))
            }
            Self::Refused { id, reason } => write!(f, "can't open device '{id}': {reason}"),
        }
    }
}

impl std::error::Error for Error {}

type Opened = Result<Box<dyn Engine>, String>;

/// A kind of engine: how to find those that are here, and how to open one of them by its id.
struct Row {
    prefix: &'static str,
    find: fn() -> Result<Vec<Device>, String>,
    open: fn(&str) -> Opened,
}

/// Every kind, also of what this build is without.
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
    Err(format!("this build is without the feature {feature}"))
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

/// Makes code, to see whether that can be.
fn jit() -> Result<Vec<Device>, String> {
    let member = Sha256Family::sha256_with_rounds(64).map_err(|error| error.to_string())?;
    member.on(Implementation::Jit).map_err(|error| match error {
        family::Error::Unavailable { reason, .. } => reason.into(),
        other => other.to_string(),
    })?;
    Ok(vec![Device {
        id: "jit:0".to_owned(),
        kind: Kind::Code,
        name: "code made at run time".to_owned(),
        platform: "Cranelift".to_owned(),
        driver: env!("CARGO_PKG_VERSION").to_owned(),
        ..processor()
    }])
}

/// The devices of one library. What a driver runs on this processor is no card.
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
    /// The ids of all that is here.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        self.here.iter().map(|device| device.id.clone()).collect()
    }

    /// The device of this id, or else of this name.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Absent`], [`Error::Ambiguous`].
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

/// Every engine that is here. Looks anew at each call, which may load drivers: some milliseconds, and for a driver
/// that starts a card more.
#[must_use]
pub fn engines() -> Engines {
    let mut found = Engines { here: Vec::new(), absent: Vec::new() };
    for row in KINDS {
        match (row.find)() {
            Ok(devices) if !devices.is_empty() => found.here.extend(devices),
            Ok(_) => {
                found.absent.push(Absent { prefix: row.prefix, reason: "no such device is here".into() });
            }
            Err(reason) => found.absent.push(Absent { prefix: row.prefix, reason }),
        }
    }
    found
}

/// The engine of this id (`jit:0`), or of the one device that has this name.
///
/// # Errors
/// [`Error`], of one line.
pub fn open(id: &str) -> Result<Box<dyn Engine>, Error> {
    engines().find(id)?.open()
}

impl Device {
    /// Its id, with the word *simulation* if it is one: nobody shall take its figures for a device's.
    #[must_use]
    pub fn label(&self) -> String {
        if self.kind == Kind::Simulation { format!("{} (simulation)", self.id) } else { self.id.clone() }
    }

    /// This one, as an engine.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn open(&self) -> Result<Box<dyn Engine>, Error> {
        let refused = |reason: String| Error::Refused { id: self.id.as_str().into(), reason: reason.into() };
        let prefix = self.id.split_once(':').map_or("", |(prefix, _)| prefix);
        let row = KINDS.iter().find(|row| row.prefix == prefix);
        let row = row.ok_or_else(|| refused("of no kind that is known".to_owned()))?;
        (row.open)(&self.id).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What no machine of ours has: two cards of one name.
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
        assert_eq!(line, "'X100' names several devices: opencl:0, opencl:1");
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
