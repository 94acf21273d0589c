//! A simulated host, whose devices fail as configured, and otherwise hash messages on the CPU.

use crate::gpu::error::{Error, shortened};
use crate::gpu::host::{Arg, Buffer, Device, Host, Info, Kind, Pinned, Queue, check_args};
use crate::gpu::program::{Kernel, MESSAGES, Program};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The faults of a simulated device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Faults {
    /// The number of bytes that can be allocated on the device.
    pub(super) memory: usize,
    /// The number of successful launches before the device is lost.
    pub(super) launches: usize,
    /// The name of the program whose digests are wrong.
    pub(super) wrong: &'static str,
    /// The compiler's log, if the compiler rejects programs.
    pub(super) log: Option<&'static str>,
    /// True if the driver panics instead of returning an error.
    pub(super) panics: bool,
}

pub(super) const SOUND: Faults =
    Faults { memory: usize::MAX, launches: usize::MAX, wrong: "", log: None, panics: false };

/// A host whose devices all have the same name.
pub(super) struct Simulated(pub(super) Vec<Faults>);

impl Host for Simulated {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn list(&self) -> Result<Vec<Info>, Error> {
        let info = Info {
            name: "a card".into(),
            platform: "tests".into(),
            driver: "1".into(),
            kind: Kind::Other,
            // Small slots, so that there are many pieces.
            memory: 8 << 16,
            compute_units: 1,
        };
        Ok(vec![info; self.0.len()])
    }

    fn open(&self, number: usize) -> Result<Box<dyn Device>, Error> {
        let allocated = AtomicUsize::new(0);
        let launched = AtomicUsize::new(0);
        let name = format!("simulated:{number}").into();
        Ok(Box::new(Card(Arc::new(State { name, faults: self.0[number], allocated, launched }))))
    }
}

/// A library that is not installed.
pub(super) struct Absent;

impl Host for Absent {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn list(&self) -> Result<Vec<Info>, Error> {
        Err(Error::NoHost { host: "absent", reason: "no library is installed".into() })
    }

    fn open(&self, _: usize) -> Result<Box<dyn Device>, Error> {
        unreachable!("it lists nothing")
    }
}

struct State {
    name: Box<str>,
    faults: Faults,
    allocated: AtomicUsize,
    launched: AtomicUsize,
}

struct Card(Arc<State>);

impl Device for Card {
    fn compile(&self, program: &'static Program) -> Result<(), Error> {
        assert!(program.source(crate::gpu::program::Dialect::OpenCl).contains("KERNEL void"));
        let build = |log| Error::Build { device: self.0.name.clone(), log: shortened(log) };
        self.0.faults.log.map_or(Ok(()), |log| Err(build(log)))
    }

    fn queue(&self) -> Result<Box<dyn Queue>, Error> {
        Ok(Box::new(Line {
            state: Arc::clone(&self.0),
            buffers: Vec::new(),
            pinned: Vec::new(),
            lost: false,
        }))
    }
}

/// A queue that does all work immediately, and reports failures only when it is waited for, as drivers do.
struct Line {
    state: Arc<State>,
    buffers: Vec<Vec<u8>>,
    pinned: Vec<Vec<u8>>,
    lost: bool,
}

impl Queue for Line {
    fn device_memory(&mut self, bytes: usize) -> Result<Buffer, Error> {
        let before = self.state.allocated.fetch_add(bytes, Ordering::Relaxed);
        if bytes > self.state.faults.memory.saturating_sub(before) {
            return Err(Error::OutOfMemory { device: self.state.name.clone(), bytes: bytes as u64 });
        }
        self.buffers.push(vec![0xaa; bytes]);
        Ok(Buffer(self.buffers.len() - 1))
    }

    fn pinned_memory(&mut self, bytes: usize) -> Result<Pinned, Error> {
        self.pinned.push(vec![0; bytes]);
        Ok(Pinned(self.pinned.len() - 1))
    }

    fn bytes(&mut self, of: Pinned) -> Result<&mut [u8], Error> {
        self.wait()?;
        Ok(&mut self.pinned[of.0])
    }

    fn upload(&mut self, from: Pinned, to: Buffer, bytes: usize) -> Result<(), Error> {
        self.buffers[to.0][..bytes].copy_from_slice(&self.pinned[from.0][..bytes]);
        Ok(())
    }

    fn download(&mut self, from: Buffer, to: Pinned, bytes: usize) -> Result<(), Error> {
        self.pinned[to.0][..bytes].copy_from_slice(&self.buffers[from.0][..bytes]);
        Ok(())
    }

    fn launch(
        &mut self,
        program: &'static Program,
        kernel: &'static Kernel,
        args: &[Arg],
        items: u32,
    ) -> Result<(), Error> {
        check_args(kernel, args);
        let faults = self.state.faults;
        if self.state.launched.fetch_add(1, Ordering::Relaxed) >= faults.launches {
            assert!(!faults.panics, "a driver's bug");
            self.lost = true;
            return Ok(());
        }
        assert_eq!(kernel.name, MESSAGES.name);
        let [Arg::Buffer(data), Arg::Buffer(places), Arg::Buffer(digests)] = *args else { unreachable!() };
        let row = hashwell::find(program.name).unwrap();
        for item in 0..items as usize {
            let place = &self.buffers[places.0][8 * item..];
            let number = |at: usize| u32::from_ne_bytes(place[at..at + 4].try_into().unwrap()) as usize;
            let mut digest = row.digest(&self.buffers[data.0][number(0)..number(0) + number(4)]);
            if program.name == faults.wrong {
                digest[31] ^= 1;
            }
            self.buffers[digests.0][32 * item..32 * item + 32].copy_from_slice(&digest);
        }
        Ok(())
    }

    fn submit(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        if self.lost {
            return Err(Error::Lost {
                device: self.state.name.clone(),
                reason: "it fell off the bus".into(),
            });
        }
        Ok(())
    }
}
