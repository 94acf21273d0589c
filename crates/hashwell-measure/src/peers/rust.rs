//! Rust crates, compiled with the same flags as hashwell.

use super::{Contender, Task};
use blake2b_simd::many::{HashManyJob, hash_many};
use sha2::digest::{Digest, ExtendableOutput, Output, Update, XofReader};

/// What the crates offer for the task.
#[must_use]
pub fn contenders(task: Task) -> Vec<Contender<'static>> {
    if task.hmac {
        return Vec::new();
    }
    match task.algorithm {
        "sha1" => vec![fixed::<sha1::Sha1>("sha1")],
        "sha256" => vec![fixed::<sha2::Sha256>("sha2")],
        "sha512" => vec![fixed::<sha2::Sha512>("sha2")],
        "sha3-256" => vec![fixed::<sha3::Sha3_256>("sha3")],
        "shake128" => vec![xof::<shake::Shake128>("shake")],
        "shake256" => vec![xof::<shake::Shake256>("shake")],
        "turboshake128" => vec![xof::<turboshake::TurboShake128>("turboshake")],
        "kt128" => vec![xof::<k12::Kt128>("k12")],
        "kt256" => vec![xof::<k12::Kt256>("k12")],
        "ascon-xof128" => vec![xof::<ascon_xof128::AsconXof128>("ascon-xof128")],
        "blake2b-512" if task.many => vec![blake2b_many()],
        "blake2b-512" => vec![Contender::one_by_one("blake2b_simd", |message, out| {
            out.copy_from_slice(blake2b_simd::blake2b(message).as_bytes());
        })],
        "blake2bp-512" => vec![Contender::one_by_one("blake2b_simd", |message, out| {
            out.copy_from_slice(blake2b_simd::blake2bp::blake2bp(message).as_bytes());
        })],
        "blake3" => vec![Contender::one_by_one("blake3", |message, out| {
            out.copy_from_slice(blake3::hash(message).as_bytes());
        })],
        _ => Vec::new(),
    }
}

fn fixed<D: Digest>(name: &str) -> Contender<'static> {
    Contender::one_by_one(name, |message, out| {
        let digest: Output<D> = D::digest(message);
        out.copy_from_slice(&digest);
    })
}

fn xof<X: ExtendableOutput + Update + Default>(name: &str) -> Contender<'static> {
    Contender::one_by_one(name, |message, out| {
        let mut state = X::default();
        state.update(message);
        state.finalize_xof().read(out);
    })
}

fn blake2b_many() -> Contender<'static> {
    let params = blake2b_simd::Params::new();
    Contender::here("blake2b_simd many", move |messages, out| {
        let mut jobs: Vec<_> = messages.iter().map(|message| HashManyJob::new(&params, message)).collect();
        hash_many(&mut jobs);
        for (job, out) in jobs.iter().zip(out.chunks_exact_mut(64)) {
            out.copy_from_slice(job.to_hash().as_bytes());
        }
    })
}
