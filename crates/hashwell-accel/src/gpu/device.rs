//! An open device with its memory and its programs, each of which is compiled and tested at its first use.

use crate::gpu::error::{Error, printable, shortened};
use crate::gpu::host::{Device, Host, Info, Kind};
use crate::gpu::hosts;
use crate::gpu::program::{Program, SHA256};
use crate::gpu::rows::{Rows, Source};
use crate::gpu::slot::{Room, Slot};
use hashwell::{Many, Params};
use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// An element of the result of [`devices`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Listed {
    /// A device.
    Device(Described),
    /// A library without devices.
    Nothing {
        /// The prefix of its device names, such as `opencl`.
        host: &'static str,
        /// The reason why the library has no devices, in one line.
        reason: Box<str>,
    },
}

/// A description of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Described {
    /// The id, which [`Gpu::open`] accepts, such as `opencl:0`. It differs even between devices with the same name.
    pub id: Box<str>,
    /// The name of the device.
    pub name: String,
    /// The name of the driver.
    pub platform: String,
    /// The version of the driver.
    pub driver: String,
    /// The kind of the device.
    pub kind: Kind,
    /// The size of its memory in bytes.
    pub memory: u64,
    /// The number of compute units (OpenCL) or multiprocessors (CUDA).
    pub compute_units: u32,
}

impl Described {
    fn new(host: &dyn Host, number: usize, info: Info) -> Self {
        let Info { name, platform, driver, kind, memory, compute_units } = info;
        let id = format!("{}:{number}", host.name()).into();
        Self { id, name, platform, driver, kind, memory, compute_units }
    }
}

/// Returns all devices of all libraries that this build supports. For a library without devices, returns the reason.
///
/// The number of a device is its index in the list of its library, which can change when you change devices or drivers.
/// This function loads the drivers, which takes up to a second.
#[must_use]
pub fn devices() -> Vec<Listed> {
    listed(&hosts::all())
}

/// Returns the devices of one library, `opencl` or `cuda`, like [`devices`]. The result is empty if this build does not
/// support the library.
#[must_use]
pub fn devices_of(library: &str) -> Vec<Listed> {
    let hosts: Vec<&dyn Host> = hosts::all().into_iter().filter(|host| host.name() == library).collect();
    listed(&hosts)
}

pub(super) fn listed(hosts: &[&dyn Host]) -> Vec<Listed> {
    let list = |host: &&dyn Host| -> Vec<Listed> {
        let nothing = |reason: Box<str>| vec![Listed::Nothing { host: host.name(), reason }];
        match caught(host.name(), || host.list()) {
            Ok(found) if found.is_empty() => nothing("the installed drivers found no device".into()),
            Ok(found) => {
                let described = |(number, info)| Listed::Device(Described::new(*host, number, info));
                found.into_iter().enumerate().map(described).collect()
            }
            Err(Error::NoHost { reason, .. }) => nothing(reason),
            Err(error) => nothing(error.to_string().into()),
        }
    };
    hosts.iter().flat_map(list).collect()
}

/// An open device, whose digests have been compared with known answers.
///
/// Threads can share it. Its memory is allocated at first use and kept until it is dropped.
pub struct Gpu {
    described: Described,
    device: Box<dyn Device>,
    tested: Mutex<HashSet<&'static str>>,
    slots: Mutex<Vec<Slot>>,
    room: Room,
    break_even: u64,
    lost: OnceLock<Error>,
}

impl Gpu {
    /// Opens the device with this id, as listed by [`devices`].
    ///
    /// This method compiles SHA-256, compares its digests with known answers, and measures the amount of work for which
    /// the device pays off. Other programs are compiled and compared at their first use. This takes one to a few
    /// seconds for each program, or less if the driver caches compiled programs.
    ///
    /// # Errors
    /// - [`Error::UnknownDevice`] if there is no device with this id.
    /// - [`Error::NoHost`] if the library is missing.
    /// - [`Error::Build`] if the driver cannot compile SHA-256.
    /// - [`Error::WrongDigest`] if a digest is wrong.
    /// - [`Error::OutOfMemory`] or [`Error::Lost`] if the device fails.
    pub fn open(name: &str) -> Result<Self, Error> {
        Self::open_of(&hosts::all(), name)
    }

    pub(super) fn open_of(hosts: &[&dyn Host], name: &str) -> Result<Self, Error> {
        let parsed = name.split_once(':').and_then(|(host, number)| {
            let host = hosts.iter().find(|known| known.name() == host)?;
            let parsed = number.parse::<usize>().ok()?;
            // Accepts only the number as it is listed, and not `+0` or `00`, since a device has only one id.
            (parsed.to_string() == number).then_some((host, parsed))
        });
        let Some((host, number)) = parsed else { return Err(unknown(hosts, name)) };
        caught(name, || {
            let info = host.list()?.into_iter().nth(number).ok_or_else(|| unknown(hosts, name))?;
            let room = Room::of(info.kind, info.memory);
            let mut gpu = Self {
                described: Described::new(*host, number, info),
                device: host.open(number)?,
                tested: Mutex::default(),
                slots: Mutex::default(),
                room,
                break_even: 0,
                lost: OnceLock::new(),
            };
            gpu.messages_program(&SHA256)?;
            gpu.break_even = gpu.measured_break_even()?;
            Ok(gpu)
        })
    }

    /// Returns the description of the device.
    #[must_use]
    pub fn described(&self) -> &Described {
        &self.described
    }

    /// Returns the number of SHA-256 blocks (64 bytes) that one CPU core hashes in the time that the device needs only
    /// to start and finish. For less work, [`Gpu::hash_batch`] does not use the device. The number was measured when
    /// the device was opened.
    #[must_use]
    pub fn break_even(&self) -> u64 {
        self.break_even
    }

    /// Returns the failure after which the device is no longer used, if there was one.
    pub(super) fn lost(&self) -> Option<&Error> {
        self.lost.get()
    }

    pub(super) fn room(&self) -> Room {
        self.room
    }

    pub(super) fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// Runs work that may fail on the device, and records whether the device is lost.
    pub(super) fn guarded<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let done = caught(&self.described.id, work);
        if let Err(error @ Error::Lost { .. }) = &done {
            let _ = self.lost.set(error.clone());
        }
        done
    }

    /// Compiles a program and runs `test` at the first call for this program.
    pub(super) fn ready(
        &self,
        program: &'static Program,
        test: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(error) = self.lost() {
            return Err(error.clone());
        }
        let mut tested = unpoisoned(&self.tested);
        if !tested.contains(program.name) {
            self.device.compile(program)?;
            test()?;
            tested.insert(program.name);
        }
        Ok(())
    }

    pub(super) fn wrong(&self, program: &'static Program, what: &str) -> Error {
        Error::WrongDigest { device: self.described.id.clone(), program: program.name, what: what.into() }
    }

    /// Compiles and tests a program that hashes messages. It has the name of an algorithm of the registry.
    pub(super) fn messages_program(&self, program: &'static Program) -> Result<(), Error> {
        self.ready(program, || {
            let bytes: Vec<u8> = (0..2000_u32).map(|i| (i % 251) as u8).collect();
            let lengths = [0, 3, 55, 56, 63, 64, 119, 120, 128, 1000];
            let ends = lengths.iter().scan(1, |end, len| {
                *end += len;
                Some(*end)
            });
            let offsets: Vec<u64> = std::iter::once(1).chain(ends).collect();
            let together = Source::arrow(&bytes, &offsets)?;
            let messages: Vec<&[u8]> = (0..together.len()).map(|row| together.get(row)).collect();
            let expected = many(program.name).digest(&messages);
            let mut given = vec![0; expected.len()];
            let mut slot = self.slot()?;
            // Tests messages at any byte address, and messages that each start at a multiple of 16.
            for source in [together, Source::Slices(&messages)] {
                slot.submit(program, &Rows { source, order: None, places: 0..messages.len() })?;
                slot.collect(&mut given)?;
                let mut pairs = given.chunks_exact(32).zip(expected.chunks_exact(32));
                if let Some(i) = pairs.position(|(given, expected)| given != expected) {
                    return Err(self.wrong(program, &format!("{} bytes", messages[i].len())));
                }
            }
            self.keep(slot);
            Ok(())
        })
    }

    /// Returns an unused slot, or makes one.
    pub(super) fn slot(&self) -> Result<Slot, Error> {
        let kept = unpoisoned(&self.slots).pop();
        kept.map_or_else(|| Slot::new(&*self.device, self.room), Ok)
    }

    /// Keeps a slot for later use. No operation on the slot may have failed.
    pub(super) fn keep(&self, slot: Slot) {
        unpoisoned(&self.slots).push(slot);
    }

    fn measured_break_even(&self) -> Result<u64, Error> {
        const BLOCKS: usize = 4096;
        let bytes = vec![0; 55 * BLOCKS];
        let messages: Vec<&[u8]> = bytes.chunks_exact(55).collect();
        let mut digests = vec![0; 32 * BLOCKS];
        let begin = Instant::now();
        many("sha256").digest_into(&messages, &mut digests).expect("32 bytes for each message");
        let of_blocks = begin.elapsed().as_nanos().max(1);
        let mut slot = self.slot()?;
        let begin = Instant::now();
        let rows = Rows { source: Source::Slices(&messages), order: None, places: 0..1 };
        slot.submit(&SHA256, &rows)?;
        slot.collect(&mut digests[..32])?;
        let of_device = begin.elapsed().as_nanos();
        self.keep(slot);
        Ok(u64::try_from(of_device * BLOCKS as u128 / of_blocks).unwrap_or(u64::MAX))
    }
}

/// Calls a library and catches panics. Libraries that load drivers can panic, for example if an old driver lacks a
/// function.
fn caught<T>(device: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let reason = format!("it panicked: {}", shortened(text.unwrap_or("without a word")));
        Err(Error::Lost { device: device.into(), reason: reason.into() })
    })
}

/// Returns the algorithm on the CPU. Every program that hashes messages has the name of a row of the registry.
pub(super) fn many(row: &str) -> Many {
    let many = hashwell::find(row).and_then(|row| row.many(&Params::default()));
    many.expect("a row that takes no parameters")
}

/// Returns the number of threads that copy to a device. One thread copies less per second than the bus of a GPU
/// transfers. There are more threads if nothing else needs the CPU.
pub(super) fn feeders(alone: bool) -> usize {
    let cores = hashwell_work::threads(0);
    if alone { (cores / 2).clamp(1, 8) } else { (cores / 4).clamp(1, 4) }
}

/// Locks a mutex, even if a thread has panicked: all data under these locks is written in one step, so it is
/// consistent.
pub(super) fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unknown(hosts: &[&dyn Host], name: &str) -> Error {
    let known = listed(hosts).into_iter().map(|listed| match listed {
        Listed::Device(device) => format!("available: {}, {}", device.id, printable(&device.name, 100)),
        Listed::Nothing { host, reason } => format!("no {host} devices: {reason}"),
    });
    let known: Vec<String> = known.collect();
    let none = "this build supports no devices";
    let known = if known.is_empty() { none.to_owned() } else { known.join("; ") };
    Error::UnknownDevice { name: printable(name, 40), known: known.into() }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gpu({}, {})", self.described.id, self.described.name)
    }
}
