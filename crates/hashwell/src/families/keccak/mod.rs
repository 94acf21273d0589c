//! Keccak-p\[1600\] and the functions over it: SHA-3 and SHAKE (FIPS 202), cSHAKE (SP 800-185),
//! TurboSHAKE and KangarooTwelve (RFC 9861).

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64_sha3;
pub(crate) mod encode;
pub(crate) mod kangaroo;
mod kernels;
#[cfg(test)]
#[path = "../../../proofs/families/keccak.rs"]
pub(in crate::families) mod proof;
mod soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32_simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_avx512_lines;
#[cfg(target_arch = "x86_64")]
mod x86_avx512_one;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_bmi2;

use crate::families::sponge::{ByteOrder, Rounds, Sponge, SpongeReader};
use crate::internal::params::Params;
pub(crate) use kernels::KECCAK as KERNELS;

/// A Keccak sponge that absorbs.
pub(crate) type State = Sponge<25>;
/// A Keccak sponge that squeezes.
pub(crate) type Reader = SpongeReader<25>;
/// The parameters of a Keccak sponge.
pub(crate) type Spec = crate::families::sponge::Spec<25>;
/// An algorithm whose state is a Keccak sponge.
pub(crate) type Row = crate::families::sponge_rows::Row<25>;

/// Returns the parameters of a sponge with 64-bit words. The capacity is 1600 bits minus the rate.
const fn spec(rate: usize, suffix: u8, rounds: Rounds) -> Spec {
    Spec {
        kernels: &KERNELS,
        many: &kernels::KECCAK_MANY,
        rate,
        suffix,
        last: 0x80,
        order: ByteOrder::Little,
        between: rounds,
        finish: rounds,
        initial: [0; 25],
    }
}

/// FIPS 202 section 6.1: the capacity is twice the digest length. The suffix is the bits 01 and the
/// first padding bit.
const fn sha3(digest: usize) -> Spec {
    spec(200 - 2 * digest, 0x06, Rounds::Full)
}

pub(crate) static SHA3_224: Spec = sha3(28);
pub(crate) static SHA3_256: Spec = sha3(32);
pub(crate) static SHA3_384: Spec = sha3(48);
pub(crate) static SHA3_512: Spec = sha3(64);
/// FIPS 202 section 6.2: the bits 1111 and the first padding bit.
pub(crate) static SHAKE128: Spec = spec(168, 0x1f, Rounds::Full);
pub(crate) static SHAKE256: Spec = spec(136, 0x1f, Rounds::Full);
/// RFC 9861 section 2.2. The suffix is the default of the domain byte D.
pub(crate) static TURBOSHAKE128: Spec = spec(168, 0x1f, Rounds::Reduced);
pub(crate) static TURBOSHAKE256: Spec = spec(136, 0x1f, Rounds::Reduced);

/// Returns a row without parameters.
pub(crate) const fn plain(spec: &'static Spec) -> Row {
    Row::plain(spec)
}

/// Returns the row of cSHAKE over this SHAKE.
pub(crate) const fn cshake_over(shake: &'static Spec) -> Row {
    Row::with(shake, |sponge, p| cshake(sponge, p.function_name, p.customization))
}

/// Returns a row with the domain byte D of TurboSHAKE (RFC 9861 section 2.2).
pub(crate) const fn with_domain(spec: &'static Spec) -> Row {
    fn begin(sponge: &mut State, p: &Params<'_>) {
        if let Some(domain) = p.domain {
            sponge.set_suffix(domain);
        }
    }
    Row::with(spec, begin)
}

/// The suffix of cSHAKE: the bits 00 and the first bit of the padding.
pub(crate) const CSHAKE_SUFFIX: u8 = 0x04;

/// Changes a SHAKE sponge without input to cSHAKE (SP 800-185 section 3.3). If both strings are
/// empty, it stays SHAKE. Otherwise the suffix is the bits 00, and the strings, padded to whole
/// blocks, precede the message.
pub(crate) fn cshake(shake: &mut State, function_name: &[u8], customization: &[u8]) {
    if !(function_name.is_empty() && customization.is_empty()) {
        shake.set_suffix(CSHAKE_SUFFIX);
        encode::absorb_bytepad(shake, &[function_name, customization]);
    }
}
