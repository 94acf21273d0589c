//! Rust crates, compiled with the same flags as hashwell.

use super::{Contender, DRBG_ENTROPY, DRBG_NONCE, Kind, Provider, Stream, Task};
use blake2b_simd::many::{HashManyJob, hash_many};
use sha2::digest::{Digest, ExtendableOutput, Output, Update, XofReader};

/// All the crates.
pub(super) struct Crates;

/// The name of this provider, for [`super::Contender::provider`].
const NAME: &str = "Rust";

impl Provider for Crates {
    fn version(&self) -> Option<String> {
        Some("crate versions of hashwell's Cargo.lock, compiled with hashwell's flags".into())
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        if task.kind == Kind::Drbg {
            return drbg(task.algorithm).into_iter().collect();
        }
        if !task.kind.is_hash() {
            return Vec::new();
        }
        match task.algorithm {
            "sha1" => vec![fixed::<sha1::Sha1>("sha1")],
            "sha224" => vec![fixed::<sha2::Sha224>("sha2")],
            "sha256" => vec![fixed::<sha2::Sha256>("sha2")],
            "sha384" => vec![fixed::<sha2::Sha384>("sha2")],
            "sha512" => vec![fixed::<sha2::Sha512>("sha2")],
            "sha512-224" => vec![fixed::<sha2::Sha512_224>("sha2")],
            "sha512-256" => vec![fixed::<sha2::Sha512_256>("sha2")],
            "sha3-224" => vec![fixed::<sha3::Sha3_224>("sha3")],
            "sha3-256" => vec![fixed::<sha3::Sha3_256>("sha3")],
            "sha3-384" => vec![fixed::<sha3::Sha3_384>("sha3")],
            "sha3-512" => vec![fixed::<sha3::Sha3_512>("sha3")],
            "shake128" => vec![xof::<shake::Shake128>("shake")],
            "shake256" => vec![xof::<shake::Shake256>("shake")],
            "turboshake128" => vec![xof::<turboshake::TurboShake128>("turboshake")],
            "turboshake256" => vec![xof::<turboshake::TurboShake256>("turboshake")],
            "kt128" => vec![xof::<k12::Kt128>("k12")],
            "kt256" => vec![xof::<k12::Kt256>("k12")],
            "ascon-xof128" => vec![xof::<ascon_xof128::AsconXof128>("ascon-xof128")],
            "blake2b-512" if task.kind == Kind::Many => vec![blake2b_many()],
            "blake2b-512" => vec![one_call("blake2b_simd", |message, out| {
                out.copy_from_slice(blake2b_simd::blake2b(message).as_bytes());
            })],
            "blake2bp-512" => vec![one_call("blake2b_simd", |message, out| {
                out.copy_from_slice(blake2b_simd::blake2bp::blake2bp(message).as_bytes());
            })],
            "blake3" => vec![one_call("blake3", |message, out| {
                out.copy_from_slice(blake3::hash(message).as_bytes());
            })],
            _ => Vec::new(),
        }
    }

    fn stream(&self, algorithm: &'static str) -> Option<Box<dyn Stream>> {
        Some(match algorithm {
            "shake128" => two_steps::<shake::Shake128>(),
            "shake256" => two_steps::<shake::Shake256>(),
            "turboshake128" => two_steps::<turboshake::TurboShake128>(),
            "turboshake256" => two_steps::<turboshake::TurboShake256>(),
            "kt128" => two_steps::<k12::Kt128>(),
            "kt256" => two_steps::<k12::Kt256>(),
            "ascon-xof128" => two_steps::<ascon_xof128::AsconXof128>(),
            _ => return None,
        })
    }
}

fn one_call(name: &str, digest: impl FnMut(&[u8], &mut [u8]) + 'static) -> Contender<'static> {
    Contender::one_by_one(NAME, digest).variant(name)
}

fn drbg(algorithm: &str) -> Option<Contender<'static>> {
    macro_rules! over {
        ($hash:ty) => {{
            let mut drbg = hmac_drbg::HmacDRBG::<$hash>::new(DRBG_ENTROPY, DRBG_NONCE, b"");
            one_call("hmac-drbg", move |_, out| drbg.generate_to_slice(out, None))
        }};
    }
    match algorithm {
        "sha256" => Some(over!(sha2_of_hmac_drbg::Sha256)),
        "sha512" => Some(over!(sha2_of_hmac_drbg::Sha512)),
        _ => None,
    }
}

fn fixed<D: Digest>(name: &str) -> Contender<'static> {
    one_call(name, |message, out| {
        let digest: Output<D> = D::digest(message);
        out.copy_from_slice(&digest);
    })
}

fn xof<X: ExtendableOutput + Update + Default>(name: &str) -> Contender<'static> {
    one_call(name, |message, out| {
        let mut state = X::default();
        state.update(message);
        state.finalize_xof().read(out);
    })
}

fn blake2b_many() -> Contender<'static> {
    let params = blake2b_simd::Params::new();
    Contender::here(NAME, move |messages, out| {
        let mut jobs: Vec<_> = messages.iter().map(|message| HashManyJob::new(&params, message)).collect();
        hash_many(&mut jobs);
        for (job, out) in jobs.iter().zip(out.chunks_exact_mut(64)) {
            out.copy_from_slice(job.to_hash().as_bytes());
        }
    })
    .variant("blake2b_simd many")
}

/// An extendable-output function before or after its message has ended.
enum TwoSteps<X: ExtendableOutput> {
    Absorbing(X),
    Reading(X::Reader),
}

fn two_steps<X: ExtendableOutput + Update + Default + 'static>() -> Box<dyn Stream> {
    Box::new(TwoSteps::Absorbing(X::default()))
}

impl<X: ExtendableOutput + Update + Default> Stream for TwoSteps<X> {
    fn absorb(&mut self, message: &[u8]) {
        let mut state = X::default();
        state.update(message);
        *self = Self::Absorbing(state);
    }

    fn read(&mut self, out: &mut [u8]) {
        if let Self::Absorbing(state) = self {
            *self = Self::Reading(std::mem::take(state).finalize_xof());
        }
        if let Self::Reading(reader) = self {
            reader.read(out);
        }
    }
}
