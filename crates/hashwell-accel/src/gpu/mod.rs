//! Hashing on graphics cards and whatever else OpenCL drives.

mod batch;
mod crew;
mod device;
mod engine;
mod error;
mod host;
mod hosts;
#[cfg(feature = "opencl")]
mod opencl;
mod program;
mod rows;
mod slot;
mod ticket;
mod tree;
mod work;

pub use batch::Sharing;
pub use crew::Shared;
pub use device::{Described, Gpu, Listed, devices};
pub use error::Error;
pub use host::Kind;
pub use ticket::Ticket;

#[cfg(test)]
mod tests {
    use super::host::Arg;
    use super::program::{MESSAGES, SHA256, SHA256_90R};

    #[test]
    fn one_batch() {
        let host = super::hosts::all()[0];
        println!("{:?}", host.list());
        let device = host.open(0).unwrap();
        for (program, row) in [(&SHA256, "sha256"), (&SHA256_90R, "sha256-90r")] {
            device.compile(program).unwrap();
            let mut queue = device.queue().unwrap();
            let bytes: Vec<u8> = (0..100_000u32).map(|i| (i % 251) as u8).collect();
            let places: Vec<(u32, u32)> = (0..301).map(|i| (i * 77, i)).collect();
            let data = queue.pinned_memory(bytes.len()).unwrap();
            let on = queue.device_memory(bytes.len()).unwrap();
            let pin = queue.pinned_memory(8 * 301).unwrap();
            let pon = queue.device_memory(8 * 301).unwrap();
            let out = queue.pinned_memory(32 * 301).unwrap();
            let oon = queue.device_memory(32 * 301).unwrap();
            queue.bytes(data).unwrap().copy_from_slice(&bytes);
            for (to, p) in queue.bytes(pin).unwrap().chunks_exact_mut(8).zip(&places) {
                to[..4].copy_from_slice(&p.0.to_le_bytes());
                to[4..].copy_from_slice(&p.1.to_le_bytes());
            }
            queue.upload(data, on, bytes.len()).unwrap();
            queue.upload(pin, pon, 8 * 301).unwrap();
            queue
                .launch(program, &MESSAGES, &[Arg::Buffer(on), Arg::Buffer(pon), Arg::Buffer(oon)], 301)
                .unwrap();
            queue.download(oon, out, 32 * 301).unwrap();
            queue.submit().unwrap();
            let got = queue.bytes(out).unwrap().to_vec();
            for (i, p) in places.iter().enumerate() {
                let message = &bytes[p.0 as usize..(p.0 + p.1) as usize];
                assert_eq!(got[32 * i..32 * i + 32], hashwell::find(row).unwrap().digest(message)[..], "{i}");
            }
        }
    }
}
