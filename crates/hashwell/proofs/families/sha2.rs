//! SHA-2 as FIPS 180-4 specifies it, SHA256-90R (`docs/spec/sha256-90r.md`), and proofs that the portable kernel
//! computes them.
#![allow(unsafe_code)]

use super::soft::{self, Compiled};
use crate::families::proof::{IDLE, chain, named, proved, refuted, step};
use crate::internal::vector::symbol::{Claim, Symbols, Word};

/// The constants of section 4.2.2, as printed.
#[rustfmt::skip]
const K256: [u64; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The constants of section 4.2.3, as printed.
#[rustfmt::skip]
const K512: [u64; 80] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
];

/// The rotation distances of the functions of sections 4.1.2 and 4.1.3. The last distance of a small sigma is that of a
/// shift.
struct Distances {
    sum_0: [u32; 3],
    sum_1: [u32; 3],
    sigma_0: [u32; 3],
    sigma_1: [u32; 3],
}

const OF_256: Distances =
    Distances { sum_0: [2, 13, 22], sum_1: [6, 11, 25], sigma_0: [7, 18, 3], sigma_1: [17, 19, 10] };
const OF_512: Distances =
    Distances { sum_0: [28, 34, 39], sum_1: [14, 18, 41], sigma_0: [1, 8, 7], sigma_1: [19, 61, 6] };

fn ch(x: Word, y: Word, z: Word) -> Word {
    (x & y) ^ (!x & z)
}

fn maj(x: Word, y: Word, z: Word) -> Word {
    (x & y) ^ (x & z) ^ (y & z)
}

fn sum(x: Word, [i, j, k]: [u32; 3]) -> Word {
    x.rotr(i) ^ x.rotr(j) ^ x.rotr(k)
}

fn sigma(x: Word, [i, j, k]: [u32; 3]) -> Word {
    x.rotr(i) ^ x.rotr(j) ^ x.shr(k)
}

/// The compression function of sections 6.2.2 and 6.4.2, with any number of rounds.
fn standard(
    rounds: usize,
    distances: &Distances,
    k: fn(usize) -> u64,
    state: [Word; 8],
    block: [Word; 16],
) -> [Word; 8] {
    let mut w = block.map(Word::big_endian).to_vec();
    for t in 16..rounds {
        let newer = sigma(w[t - 2], distances.sigma_1) + w[t - 7];
        w.push(newer + sigma(w[t - 15], distances.sigma_0) + w[t - 16]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for (t, w) in w.into_iter().enumerate() {
        let t1 = h + sum(e, distances.sum_1) + ch(e, f, g) + Word::constant(k(t)) + w;
        let t2 = sum(a, distances.sum_0) + maj(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    let after = [a, b, c, d, e, f, g, h];
    core::array::from_fn(|i| after[i] + state[i])
}

/// SHA-256 or, with 90 rounds, SHA256-90R. After round 63, the constants are repeated from the first one.
pub(in crate::families) fn sha_256(rounds: usize, state: [Word; 8], block: [Word; 16]) -> [Word; 8] {
    standard(rounds, &OF_256, |t| K256[t % 64], state, block)
}

pub(in crate::families) fn sha_512(state: [Word; 8], block: [Word; 16]) -> [Word; 8] {
    standard(80, &OF_512, |t| K512[t], state, block)
}

fn claim_256<const N: usize, const ROUNDS: usize>() -> Claim {
    chain(
        N,
        // SAFETY: symbolic words need no CPU instructions, and each message has this number of blocks.
        |states, inputs, blocks| unsafe {
            soft::compress_many::<u32, Symbols<N>, Compiled, N, ROUNDS>(states, inputs, blocks);
        },
        |state, block| sha_256(ROUNDS, state, block),
    )
}

fn claim_512<const N: usize>() -> Claim {
    chain(
        N,
        // SAFETY: as in `claim_256`.
        |states, inputs, blocks| unsafe {
            soft::compress_many::<u64, Symbols<N>, Compiled, N, 80>(states, inputs, blocks);
        },
        sha_512,
    )
}

#[test]
fn is_the_standard_256() {
    proved(&named("SHA-256", 1), 32, &claim_256::<1, 64>);
}

#[test]
fn is_the_standard_512() {
    proved(&named("SHA-512", 1), 64, &claim_512::<1>);
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_90r() {
    proved(&named("SHA256-90R", 1), 32, &claim_256::<1, 90>);
}

#[test]
#[cfg(not(planted))]
fn is_the_standard_in_every_lane() {
    proved(&named("SHA-256", 4), 32, &claim_256::<4, 64>);
    proved(&named("SHA-256", 8), 32, &claim_256::<8, 64>);
    proved(&named("SHA-256", 16), 32, &claim_256::<16, 64>);
    proved(&named("SHA256-90R", 4), 32, &claim_256::<4, 90>);
    proved(&named("SHA256-90R", 8), 32, &claim_256::<8, 90>);
    proved(&named("SHA256-90R", 16), 32, &claim_256::<16, 90>);
    proved(&named("SHA-512", 2), 64, &claim_512::<2>);
    proved(&named("SHA-512", 4), 64, &claim_512::<4>);
    proved(&named("SHA-512", 8), 64, &claim_512::<8>);
}

#[test]
#[cfg(not(planted))]
fn changes_are_refuted() {
    refuted(&named("SHA-256", 1), 32, step(197), IDLE, &claim_256::<1, 64>);
    refuted(&named("SHA256-90R", 1), 32, step(397), IDLE, &claim_256::<1, 90>);
    refuted(&named("SHA-512", 1), 64, step(197), IDLE, &claim_512::<1>);
}
