//! Published security strengths and the best published attacks, by algorithm.
//!
//! The strengths in bits come from FIPS 202 appendix A.1 (table 4), RFC 7693 section 4, RFC 9861
//! section 7, the BLAKE3 paper section 4, and SP 800-232 section 5. Attacks apply to fewer rounds
//! unless [`Attack::rounds`] is the full number.

use super::{Algorithm, Kind, Status};
use Target::{Collision, Distinguisher, Preimage};
#[cfg(feature = "std")]
use std::{format, string::String};

/// The security strength of an algorithm with its default output, and the best published attacks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Strength {
    /// The work of the best collision attack, as a base-2 logarithm.
    pub collision: u32,
    /// The work of the best preimage attack, as a base-2 logarithm.
    pub preimage: u32,
    /// The work of the best second-preimage attack on a message of one block, as a base-2 logarithm.
    pub second_preimage: u32,
    /// True if a second-preimage attack on a message of 2^k blocks needs 2^k times less work than an attack on a
    /// message of one block.
    pub shrinks_with_length: bool,
    /// True if an attacker who knows the digest and the length of a message can compute the digest of the padded
    /// message followed by a suffix.
    ///
    /// Do not build a message authentication code from such a hash by hashing a key before the message. Use HMAC.
    pub length_extension: bool,
    /// The number of rounds or steps of the compression function or permutation.
    pub rounds: u32,
    /// For each target, the published attack that reaches the most rounds, and attacks that need less work or were
    /// carried out. The list is empty if there is no public analysis.
    pub attacks: &'static [Attack],
    /// The standards, and the uses that they permit.
    pub standards: &'static str,
}

/// The property that an attack breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Collision resistance: the attack finds two messages with the same digest.
    Collision,
    /// Preimage resistance: the attack finds a message with a given digest.
    Preimage,
    /// Indistinguishability from a random function: the attack distinguishes the two, but finds neither collisions nor
    /// preimages.
    Distinguisher,
}

impl Target {
    /// Returns the name of the property in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Collision => "collision",
            Preimage => "preimage",
            Distinguisher => "distinguisher",
        }
    }
}

/// A published attack.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attack {
    /// The property that the attack breaks.
    pub target: Target,
    /// The number of rounds or steps that the attack reaches.
    pub rounds: f32,
    /// The work in calls of the function, as the authors state it, for example `2^123.5`. `practical` means that the
    /// attack was carried out. `below 2^n` means only that the attack is faster than the generic attack on an n-bit
    /// digest.
    pub work: &'static str,
    /// The authors and the venue. If a different function with the same permutation or compression function was
    /// attacked, its name is in parentheses.
    pub source: &'static str,
    /// The year of publication.
    pub year: u32,
}

const fn attack(target: Target, rounds: f32, work: &'static str, source: &'static str, year: u32) -> Attack {
    Attack { target, rounds, work, source, year }
}

// If a source names a function in parentheses, the paper is about that function, which has the same permutation or
// compression function as the algorithm of the row.

const SHA1: &[Attack] = &[
    attack(Collision, 80.0, "practical", "Leurent, Peyrin: SHA-1 is a Shambles, USENIX Security", 2020),
    attack(Preimage, 62.0, "below 2^n", "Espitau, Fouque, Karpman, CRYPTO", 2015),
];
const SHA256: &[Attack] = &[
    attack(Collision, 31.0, "practical", "Li, Liu, Wang, Dong, Sun, ASIACRYPT", 2024),
    attack(Preimage, 45.0, "2^255.5", "Khovratovich, Rechberger, Savelieva, FSE", 2012),
];
/// The preimage attack on SHA-256 needs more work than a generic one on 224 bits.
const SHA224: &[Attack] = &[attack(Collision, 31.0, "2^49.8", "Li, Liu, Wang, EUROCRYPT (SHA-256)", 2024)];
const SHA512: &[Attack] = &[
    attack(Collision, 31.0, "about 2^95", "Li, Liu, Wang, Dong, Sun, ASIACRYPT", 2024),
    attack(Collision, 28.0, "practical", "Li, Liu, Wang, EUROCRYPT", 2024),
    attack(Preimage, 50.0, "2^511.5", "Khovratovich, Rechberger, Savelieva, FSE", 2012),
];
/// No preimage attack is better than a generic one, as with SHA-224.
const SHA512_SHORT: &[Attack] = &[
    attack(Collision, 31.0, "about 2^95", "Li, Liu, Wang, Dong, Sun, ASIACRYPT (SHA-512)", 2024),
    attack(Collision, 27.0, "practical", "Dobraunig, Eichlseder, Mendel, ASIACRYPT", 2015),
];
const SHA384: &[Attack] =
    &[attack(Collision, 31.0, "about 2^95", "Li, Liu, Wang, Dong, Sun, ASIACRYPT (SHA-512)", 2024)];
const SM3: &[Attack] = &[
    attack(Collision, 20.0, "practical", "Mendel, Nad, Schläffer, CT-RSA", 2013),
    attack(Preimage, 30.0, "2^251.1", "Wang, Shen, Information Processing Letters", 2013),
];
/// Section 1 of this paper surveys the attacks on all SHA-3 functions.
const SHA3_PREIMAGE: Attack =
    attack(Preimage, 4.0, "below 2^n", "surveyed in Guo, Liu, Song, Tu, ASIACRYPT", 2022);
/// Attacks that gain little over a generic one. Section 1 of this paper lists the numbers of rounds.
const fn keccak_preimage(rounds: f32) -> Attack {
    attack(Preimage, rounds, "below 2^n", "surveyed in Guo, Liu, Song, ASIACRYPT (Keccak)", 2016)
}
const SHA3_SHORT_COLLISION: Attack =
    attack(Collision, 5.0, "practical", "Guo, Liao, Liu, Liu, Song, Journal of Cryptology", 2020);
const SHA3_224: &[Attack] = &[
    SHA3_SHORT_COLLISION,
    keccak_preimage(7.0),
    attack(Preimage, 4.0, "2^192", "He, Lin, Yu, ToSC (Keccak)", 2021),
];
const SHA3_256: &[Attack] = &[
    SHA3_SHORT_COLLISION,
    keccak_preimage(8.0),
    attack(Preimage, 4.0, "2^218", "He, Lin, Yu, ToSC (Keccak)", 2021),
];
const SHA3_384: &[Attack] = &[
    attack(Collision, 5.0, "below 2^(n/2)", "Zhang, Hou, Liu, CRYPTO", 2024),
    attack(Collision, 4.0, "2^59.64", "Huang, Ben-Yehuda, Dunkelman, Maximov, ToSC", 2022),
    attack(Collision, 3.0, "practical", "Dinur, Dunkelman, Shamir, FSE (Keccak)", 2013),
    SHA3_PREIMAGE,
];
const SHA3_512: &[Attack] = &[
    attack(Collision, 4.0, "2^237", "Zhang, Hou, Liu, EUROCRYPT", 2023),
    attack(Collision, 3.0, "practical", "Dinur, Dunkelman, Shamir, FSE (Keccak)", 2013),
    keccak_preimage(9.0),
    attack(Preimage, 4.0, "below 2^n", "Qin, Hua, Dong, Yan, Wang, EUROCRYPT", 2023),
];
const SHAKE256: &[Attack] =
    &[attack(Collision, 6.0, "below 2^(n/2)", "Zhang, Hou, Liu, CRYPTO", 2024), SHA3_PREIMAGE];
const SHAKE128: &[Attack] = &[
    attack(Collision, 6.0, "2^123.5", "Guo, Liu, Song, Tu, ASIACRYPT", 2022),
    SHA3_SHORT_COLLISION,
    attack(Preimage, 3.0, "practical", "Guo, Liu, Song, ASIACRYPT", 2016),
];
const TURBOSHAKE256: &[Attack] =
    &[attack(Collision, 6.0, "below 2^(n/2)", "Zhang, Hou, Liu, CRYPTO (SHAKE256)", 2024)];
const TURBOSHAKE128: &[Attack] = &[
    attack(Collision, 6.0, "2^123.5", "Guo, Liu, Song, Tu, ASIACRYPT (SHAKE128)", 2022),
    attack(Collision, 5.0, "practical", "Guo, Liao, Liu, Liu, Song, Journal of Cryptology (SHAKE128)", 2020),
    attack(Preimage, 3.0, "practical", "Guo, Liu, Song, ASIACRYPT (SHAKE128)", 2016),
];
const BLAKE2B: &[Attack] = &[
    attack(Preimage, 2.75, "below 2^n", "Espitau, Fouque, Karpman, CRYPTO", 2015),
    attack(Distinguisher, 8.5, "2^474", "Hao, Inscrypt", 2014),
];
const BLAKE2S: &[Attack] = &[
    attack(Preimage, 2.75, "below 2^n", "Espitau, Fouque, Karpman, CRYPTO", 2015),
    attack(Distinguisher, 7.5, "2^184", "Hao, Inscrypt", 2014),
];
const ASCON: &[Attack] = &[
    attack(Collision, 4.0, "below 2^(n/2)", "Dong, Zhao, Qin, Hou, Zhang, Wang, CRYPTO", 2024),
    attack(Collision, 2.0, "2^62.6", "Yu, Liu, Wang, Sun, Meier, NIST LWC workshop", 2023),
    attack(Preimage, 4.0, "below 2^n", "Qin, Hua, Dong, Yan, Wang, EUROCRYPT", 2023),
    attack(Preimage, 2.0, "2^97", "Fu, Luo, Yang, Song, Cybersecurity", 2025),
];
const BLAKE3: &[Attack] =
    &[attack(Preimage, 2.75, "below 2^n", "Espitau, Fouque, Karpman, CRYPTO (BLAKE2s)", 2015)];
const RIPEMD160: &[Attack] = &[attack(Collision, 40.0, "practical", "Li, Liu, Wang, ToSC", 2023)];

const NIST_2: &str = "FIPS 180-4; NIST permits it for all uses";
const NIST_3: &str = "FIPS 202; NIST permits it for all uses";
const SP_185: &str = "SP 800-185; NIST permits it for all uses";
const RFC_9861: &str = "RFC 9861; not a NIST standard";
const RFC_7693: &str = "RFC 7693; not a NIST standard";
const BLAKE2: &str = "specified by its authors; not a NIST standard";
const SP_232: &str = "SP 800-232; NIST permits it for constrained devices";
const SUPERSEDED: &str = "superseded by SP 800-232";

impl Algorithm {
    /// Returns the security strength, the best published attacks, and the status in standards.
    ///
    /// The data is from November 2026. This version does not include later attacks.
    #[must_use]
    pub fn strength(&self) -> Strength {
        let bits = 8 * u32::try_from(self.output).unwrap_or(u32::MAX);
        let (rounds, attacks, standards): (u32, &'static [Attack], &'static str) = match self.name {
            "sha1" => (80, SHA1, "FIPS 180-4; NIST will withdraw it by the end of 2030 (announced in 2022)"),
            "sha224" => (64, SHA224, NIST_2),
            "sha256" => (64, SHA256, NIST_2),
            "sha384" => (80, SHA384, NIST_2),
            "sha512" => (80, SHA512, NIST_2),
            "sha512-224" | "sha512-256" => (80, SHA512_SHORT, NIST_2),
            "sm3" => (64, SM3, "GB/T 32905-2016, ISO/IEC 10118-3; required in China"),
            "sha3-224" => (24, SHA3_224, NIST_3),
            "sha3-256" => (24, SHA3_256, NIST_3),
            "sha3-384" => (24, SHA3_384, NIST_3),
            "sha3-512" => (24, SHA3_512, NIST_3),
            "shake128" => (24, SHAKE128, NIST_3),
            "shake256" => (24, SHAKE256, NIST_3),
            "cshake128" => (24, SHAKE128, SP_185),
            "cshake256" => (24, SHAKE256, SP_185),
            "turboshake128" | "kt128" => (12, TURBOSHAKE128, RFC_9861),
            "turboshake256" | "kt256" => (12, TURBOSHAKE256, RFC_9861),
            "blake2b-256" | "blake2b-512" => (12, BLAKE2B, RFC_7693),
            "blake2bp-512" => (12, BLAKE2B, BLAKE2),
            "blake2s-256" => (10, BLAKE2S, RFC_7693),
            "blake2sp-256" => (10, BLAKE2S, BLAKE2),
            "blake3" => (7, BLAKE3, BLAKE2),
            "ascon-hash256" | "ascon-xof128" | "ascon-cxof128" => (12, ASCON, SP_232),
            "ascon-xof-v1.2" => (12, ASCON, SUPERSEDED),
            // The permutation between blocks has 8 rounds.
            "ascon-xofa-v1.2" => (8, ASCON, SUPERSEDED),
            "ripemd160" => (80, RIPEMD160, "ISO/IEC 10118-3; not a NIST standard"),
            _ => (90, &[], "none"),
        };
        // The strength of a sponge is half of its capacity, and BLAKE3 claims at most 128 bits.
        let limit = match (self.kind, self.block) {
            (Kind::Fixed, _) if self.name == "ascon-hash256" => 128,
            (Kind::Fixed, _) => bits,
            (Kind::Xof, 136) => 256,
            (Kind::Xof, _) => 128,
        };
        // The state is as wide as the digest, and the compression function has no counter. So the
        // last state of the message is the digest, and a message of many blocks offers as many
        // targets.
        let narrow = matches!(self.name, "sha1" | "sha256" | "sha512" | "sm3" | "ripemd160" | "sha256-90r");
        let collision = if self.status == Status::Broken { 61 } else { (bits / 2).min(limit) };
        Strength {
            collision,
            preimage: bits.min(limit),
            second_preimage: bits.min(limit),
            shrinks_with_length: narrow,
            length_extension: narrow,
            rounds,
            attacks,
            standards,
        }
    }
}

impl Strength {
    /// Returns the security margin as a phrase: the largest number of rounds that a published
    /// attack on collision or preimage resistance reaches, and the largest number of rounds for
    /// which such an attack was carried out.
    #[must_use]
    #[cfg(feature = "std")]
    pub fn margin(&self) -> String {
        let most = |practical: bool| {
            let of = self.attacks.iter().filter(|a| a.target != Distinguisher);
            of.filter(|a| !practical || a.work == "practical").map(|a| a.rounds).fold(0.0, f32::max)
        };
        let (any, practical, rounds) = (most(false), most(true), self.rounds);
        match (any, practical) {
            (0.0, _) => "no analysis is published".into(),
            _ if practical as u32 >= rounds => "broken: all rounds attacked in practice".into(),
            (any, 0.0) => format!("{any} of {rounds} rounds attacked, none in practice"),
            (any, practical) if any > practical => {
                format!("{any} of {rounds} rounds attacked, {practical} in practice")
            }
            _ => format!("{practical} of {rounds} rounds attacked in practice"),
        }
    }
}
