//! hashwell on engines: code made at run time, cards, simulations.

use super::{Contender, ours};
use hashwell::{Algorithm, Params};
use hashwell_accel::engines::{Device, Kind};
use std::sync::Arc;

/// The most bytes that a simulation hashes in one message: more would take minutes.
const SIMULATED: u64 = 1 << 10;

/// Many messages in one call, of each of these numbers, on each engine that hashes the algorithm, but for this
/// processor's kernels, which have rows of their own. What works beside this processor is timed by the clock on the wall,
/// and says so in its name.
///
/// # Panics
/// The contenders, if an engine that gave right digests fails later.
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
    // It asks for known answers, too.
    if many.on(&*engine).is_err() {
        return Vec::new();
    }
    let ready = Arc::new((many, engine));
    let contender = |number| {
        let ready = Arc::clone(&ready);
        let digests = move |messages: &[&[u8]], out: &mut [u8]| {
            let (many, engine) = &*ready;
            let params = Params { output_len: Some(many.output_len()), ..Params::default() };
            // `Many::on` gives known answers at each call, which are not to be timed.
            let written = engine.digest_many(many.algorithm(), &params, messages, out);
            assert!(
                written.is_ok_and(|written| written == messages.len()),
                "the engine failed while it was timed"
            );
        };
        let contender = Contender::here(ours::NAME, digests);
        let contender = match device.kind {
            // What is made at run time runs in the caller's thread; a driver has threads, and memory, of its own.
            Kind::Code if device.memory.is_none() => contender.on_kernel(device.id.as_str()),
            Kind::Simulation => contender.on_kernel(device.label()).by_the_wall().at_most(SIMULATED),
            _ => contender.on_kernel(format!("{} (by the wall clock)", device.id)).by_the_wall(),
        };
        (number, contender)
    };
    numbers.map(contender).into()
}
