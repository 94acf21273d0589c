//! Rust peers as functions of the type `peer_digests` in `../peers_c/peer.h`. `bench/build_peers` compiles
//! them for this CPU (`-C target-cpu=native`), because some crates are fastest that way.

use blake2b_simd::many::{HashManyJob, hash_many};
use libcrux_sha3::avx2::x4;
use sha2::digest::{Digest, ExtendableOutput, Update, XofReader};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// The messages and the output buffer for all digests.
///
/// # Safety
/// As for `peer_digests`: lists of `count` entries, and `count * out_len` bytes at `out`.
unsafe fn arguments<'a>(
    messages: *const *const u8,
    lengths: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> (impl Iterator<Item = &'a [u8]> + Clone, &'a mut [u8]) {
    // SAFETY: the caller guarantees it.
    unsafe {
        let pairs = from_raw_parts(messages, count).iter().zip(from_raw_parts(lengths, count));
        let messages = pairs.map(|(message, len)| from_raw_parts(*message, *len));
        (messages, from_raw_parts_mut(out, count * out_len))
    }
}

/// Defines a peer from an expression that takes all messages and the output buffer for the digests.
macro_rules! peer {
    ($symbol:ident, |$messages:ident, $out:ident, $each:ident| $body:block) => {
        /// # Safety
        /// As for `peer_digests`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(
            messages: *const *const u8,
            lengths: *const usize,
            count: usize,
            out: *mut u8,
            $each: usize,
        ) {
            // SAFETY: the caller guarantees it.
            let ($messages, $out) = unsafe { arguments(messages, lengths, count, out, $each) };
            $body
        }
    };
    ($symbol:ident, $one:expr) => {
        peer!($symbol, |messages, out, each| {
            messages.zip(out.chunks_exact_mut(each)).for_each(|(message, out)| $one(message, out));
        });
    };
}

fn fixed<D: Digest>(message: &[u8], out: &mut [u8]) {
    out.copy_from_slice(&D::digest(message));
}

fn xof<X: ExtendableOutput + Update + Default>(message: &[u8], out: &mut [u8]) {
    let mut state = X::default();
    state.update(message);
    state.finalize_xof().read(out);
}

peer!(peer_sha1, fixed::<sha1::Sha1>);
peer!(peer_sha256, fixed::<sha2::Sha256>);
peer!(peer_sha512, fixed::<sha2::Sha512>);
peer!(peer_sha3_256, fixed::<sha3::Sha3_256>);
peer!(peer_shake128, xof::<shake::Shake128>);
peer!(peer_turboshake128, xof::<turboshake::TurboShake128>);
peer!(peer_kt128, xof::<k12::Kt128>);
peer!(peer_kt256, xof::<k12::Kt256>);
peer!(peer_ascon_xof128, xof::<ascon_xof128::AsconXof128>);
peer!(peer_blake2b, |message, out: &mut [u8]| out.copy_from_slice(blake2b_simd::blake2b(message).as_bytes()));
peer!(peer_blake2bp, |message, out: &mut [u8]| {
    out.copy_from_slice(blake2b_simd::blake2bp::blake2bp(message).as_bytes());
});
peer!(peer_blake3, |message, out: &mut [u8]| out.copy_from_slice(blake3::hash(message).as_bytes()));
peer!(peer_libcrux_shake128, |message, out: &mut [u8]| {
    out.copy_from_slice(&libcrux_sha3::shake128::<32>(message));
});

peer!(peer_blake2b_many, |messages, out, each| {
    let params = blake2b_simd::Params::new();
    let mut jobs: Vec<_> = messages.map(|message| HashManyJob::new(&params, message)).collect();
    hash_many(&mut jobs);
    for (job, out) in jobs.iter().zip(out.chunks_exact_mut(each)) {
        out.copy_from_slice(job.to_hash().as_bytes());
    }
});

// libcrux hashes four messages of the same length at a time; the benchmark passes a multiple of four
// messages.
peer!(peer_libcrux_shake256_x4, |messages, out, each| {
    let messages: Vec<&[u8]> = messages.collect();
    for (group, out) in messages.chunks_exact(4).zip(out.chunks_exact_mut(4 * each)) {
        let [a, b, c, d] = group else { continue };
        let (out_a, rest) = out.split_at_mut(each);
        let (out_b, rest) = rest.split_at_mut(each);
        let (out_c, out_d) = rest.split_at_mut(each);
        x4::shake256(a, b, c, d, out_a, out_b, out_c, out_d);
    }
});
