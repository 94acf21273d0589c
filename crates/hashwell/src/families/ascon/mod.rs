//! Ascon: Hash256, XOF128 and CXOF128 of NIST SP 800-232, and Xof and XofA of the older Ascon v1.2.
//!
//! SP 800-232 is not the same function as v1.2: it has little-endian words, a different padding
//! byte and different initial values, so all outputs differ.

mod kernels;
#[cfg(test)]
#[path = "../../../proofs/families/ascon.rs"]
pub(in crate::families) mod proof;
mod soft;
#[cfg(target_arch = "x86_64")]
mod x86_bmi2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_vectors;

use crate::families::sponge::{ByteOrder, Rounds, Sponge, SpongeReader};

/// An Ascon sponge that absorbs.
pub(crate) type State = Sponge<5>;
/// An Ascon sponge that squeezes.
pub(crate) type Reader = SpongeReader<5>;
/// The parameters of an Ascon sponge.
type Spec = crate::families::sponge::Spec<5>;
/// An algorithm whose state is an Ascon sponge.
pub(crate) type Row = crate::families::sponge_rows::Row<5>;

/// SP 800-232 appendix B: the identifier, the rounds, the output bits (0 means any) and the rate.
const fn standard(identifier: u64, output_bits: u64) -> Spec {
    let (a, b, rate) = (12, 12, 8);
    let iv = identifier | (((b << 4) | a) << 16) | (output_bits << 24) | (rate << 40);
    Spec {
        kernels: &kernels::ASCON,
        many: &kernels::ASCON_MANY,
        rate: rate as usize,
        suffix: 0x01,
        last: 0,
        order: ByteOrder::Little,
        between: Rounds::Full,
        finish: Rounds::Full,
        initial: soft::permuted::<12>([iv, 0, 0, 0, 0]),
    }
}

/// Ascon v1.2 section 2.5: key bits 0, rate bits, rounds a and a - b, output bits 0 (any), in the
/// upper half of the first word.
const fn v1_2(b: u64, between: Rounds) -> Spec {
    let (rate, a) = (8, 12);
    let iv = ((rate * 8) << 48) | (a << 40) | ((a - b) << 32);
    Spec {
        kernels: &kernels::ASCON,
        many: &kernels::ASCON_MANY,
        rate: rate as usize,
        suffix: 0x80,
        last: 0,
        order: ByteOrder::Big,
        between,
        finish: Rounds::Full,
        initial: soft::permuted::<12>([iv, 0, 0, 0, 0]),
    }
}

static HASH256_SPEC: Spec = standard(2, 256);
static XOF128_SPEC: Spec = standard(3, 0);
static CXOF128_SPEC: Spec = standard(4, 0);
static XOF_V1_2_SPEC: Spec = v1_2(12, Rounds::Full);
static XOFA_V1_2_SPEC: Spec = v1_2(8, Rounds::Reduced);

// These are statics because, until Rust 1.93, a constant must not refer to mutable data such as a
// kernel table.
pub(crate) static HASH256: Row = Row::plain(&HASH256_SPEC);
pub(crate) static XOF128: Row = Row::plain(&XOF128_SPEC);
pub(crate) static CXOF128: Row = Row::with(&CXOF128_SPEC, |sponge, p| cxof128(sponge, p.customization));
pub(crate) static XOF_V1_2: Row = Row::plain(&XOF_V1_2_SPEC);
pub(crate) static XOFA_V1_2: Row = Row::plain(&XOFA_V1_2_SPEC);

/// The maximum length of Ascon-CXOF128's customization string in bytes (SP 800-232 section 5.3:
/// 2048 bits).
pub(crate) const MAX_CUSTOMIZATION: usize = 256;

/// Absorbs the customization string into a CXOF128 sponge without input (SP 800-232 section 5.3):
/// the length of Z in bits, then Z with padding.
fn cxof128(sponge: &mut State, customization: &[u8]) {
    sponge.absorb(&(customization.len() as u64 * 8).to_le_bytes());
    sponge.absorb(customization);
    sponge.end_message();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the initial states with the published ones: SP 800-232, table of precomputed
    /// values, and v1.2, section 2.5.
    #[test]
    fn derived_initial_states_are_the_printed_ones() {
        assert_eq!(HASH256_SPEC.initial[0], 0x9b1e_5494_e934_d681);
        assert_eq!(XOF128_SPEC.initial[0], 0xda82_ce76_8d94_47eb);
        assert_eq!(CXOF128_SPEC.initial[0], 0x6755_27c2_a0e8_de03);
        assert_eq!(XOF_V1_2_SPEC.initial[0], 0xb57e_273b_814c_d416);
        assert_eq!(XOFA_V1_2_SPEC.initial[0], 0x4490_6568_b77b_9832);
    }
}
