//! hashwell on devices: JIT-compiled code, GPUs and simulations.

use super::{Contender, ours};
use hashwell::{Algorithm, Params};
use hashwell_accel::engines::{Device, Kind};
use std::sync::Arc;

/// The maximum size in bytes of a message for a simulation. More would take minutes.
const SIMULATED: u64 = 1 << 10;

/// Contenders that hash many messages in one call, for each of these numbers of messages, on each device that supports
/// the algorithm. The CPU's own kernels are excluded, because they have their own rows. Devices other than the CPU are
/// timed with wall-clock time, and their names say so.
///
/// # Panics
/// The contenders panic if an engine that computed correct digests before fails later.
pub(crate) fn on_devices(
    algorithm: &'static Algorithm,
    numbers: [usize; 2],
) -> Vec<(usize, Contender<'static>)> {
    let found = hashwell_accel::engines();
    let devices = found.here.iter().filter(|device| device.kind != Kind::Processor);
    devices.flat_map(|device| on_device(algorithm, numbers, device)).collect()
}

fn on_device(
    algorithm: &'static Algorithm,
    numbers: [usize; 2],
    device: &Device,
) -> Vec<(usize, Contender<'static>)> {
    let Ok(engine) = device.open() else { return Vec::new() };
    let Ok(many) = algorithm.many(&Params::default()) else { return Vec::new() };
    // This also runs the known-answer test.
    if many.on(&*engine).is_err() {
        return Vec::new();
    }
    let ready = Arc::new((many, engine));
    let contender = |number| {
        let ready = Arc::clone(&ready);
        let digests = move |messages: &[&[u8]], out: &mut [u8]| {
            let (many, engine) = &*ready;
            let params = Params { output_len: Some(many.output_len()), ..Params::default() };
            // `Many::on` runs a known-answer test at each call, which must not be timed.
            let written = engine.digest_many(many.algorithm(), &params, messages, out);
            assert!(
                written.is_ok_and(|written| written == messages.len()),
                "the engine failed while it was timed"
            );
        };
        let contender = Contender::here(ours::NAME, digests);
        let contender = match device.kind {
            // JIT-compiled code runs in the caller's thread. A driver has its own threads and memory.
            Kind::Code if device.memory.is_none() => contender.on_kernel(device.id.as_str()),
            Kind::Simulation => contender.on_kernel(device.label()).by_the_wall().at_most(SIMULATED),
            _ => contender.on_kernel(format!("{} (wall-clock time)", device.id)).by_the_wall(),
        };
        (number, contender)
    };
    numbers.map(contender).into()
}
