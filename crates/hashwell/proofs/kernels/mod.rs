//! Proofs that the machine code of the kernels computes the standards: each function that a kernel table for x86-64
//! contains is symbolically executed as it was compiled (`proofs/machine/`, `dev/verification.md`).
//!
//! The code is that of the program that `HASHWELL_MACHINE` names. `make prove-machine` sets it to the command of the
//! release build. By default, it is the program of these tests.

mod claims;
mod code;

use super::proof::step;
use crate::internal::machine::{Change, Compared, Trap, compare};
use crate::internal::skipped::skipped;
use crate::internal::vector::symbol::random::Random;
use crate::internal::vector::symbol::{Verdict, judged};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use claims::*;
use code::{Code, Outcome, image};
use core::cell::RefCell;
use iced_x86::Instruction;

/// A function of a kernel, and the claims for its instances.
struct Row {
    family: &'static str,
    kernel: &'static str,
    module: &'static str,
    function: &'static str,
    instances: &'static [Instance],
}

/// The size of the words in bits, and the claim for one instance of a function.
type Instance = (u32, fn(&Code) -> Outcome);

macro_rules! rows {
    ($($family:ident $kernel:literal $module:ident::$function:ident: $($bits:literal $instance:expr),+;)*) => {
        const ROWS: &[Row] = &[$(Row {
            family: stringify!($family), kernel: $kernel, module: stringify!($module),
            function: stringify!($function), instances: &[$(($bits, $instance)),+],
        },)*];
    };
}

// tools/check_proofs.py reads these lines.
rows! {
    sha1 "sha-ni" x86_sha_ni::compress: 32 chain_1;
    sha1 "sha-ni-avx512" x86_sha_ni::compress_vl: 32 chain_1;
    sha1 "sha-ni-x2" x86_sha_ni::compress_2: 32 many_1::<2>;
    sha1 "sha-ni-x4" x86_sha_ni::compress_4: 32 many_1::<4>;
    sha2 "sha-ni" x86_sha_ni::compress: 32 chain_256::<64>, 32 chain_256::<90>;
    sha2 "sha-ni-x2" x86_sha_ni::compress_2: 32 many_256::<2, 64>, 32 many_256::<2, 90>;
    sha2 "sha-ni-x4" x86_sha_ni::compress_4: 32 many_256::<4, 64>, 32 many_256::<4, 90>;
    sha2 "avx512" x86_scheduled_256::compress_256_vl: 32 chain_256::<64>, 32 chain_256::<90>;
    sha2 "avx2" x86_scheduled_256::compress_256_avx2: 32 chain_256::<64>, 32 chain_256::<90>;
    sha2 "ssse3" x86_scheduled_256::compress_256_ssse3: 32 chain_256::<64>, 32 chain_256::<90>;
    sha2 "sha512-ni" x86_sha512::compress: 64 chain_512;
    sha2 "avx512" x86_scheduled::compress_512_vl: 64 chain_512;
    sha2 "avx2" x86_scheduled::compress_512_avx2: 64 chain_512;
    sha2 "avx512-x8" x86_avx512::compress_8: 64 many_512::<8>;
    blake2 "avx2" x86_avx2::compress_b: 64 blake2b;
    blake2 "avx512" x86_avx512::compress_b: 64 blake2b;
    blake2 "avx2" x86_avx2::compress_s: 32 blake2s;
    blake2 "avx512" x86_avx512::compress_s: 32 blake2s;
    blake2 "avx512-mixed-x4" x86_avx512::compress_b_mixed_4: 64 blake2b_many::<4>;
    keccak "avx512" x86_avx512_one::absorb: 64 keccak_absorb::<24>, 64 keccak_absorb::<12>;
    keccak "avx512" x86_avx512_one::permute: 64 keccak_permute::<24>, 64 keccak_permute::<12>;
    keccak "avx512-lines" x86_avx512_lines::absorb: 64 keccak_absorb::<24>, 64 keccak_absorb::<12>;
    keccak "avx512-lines" x86_avx512_lines::permute: 64 keccak_permute::<24>, 64 keccak_permute::<12>;
    ascon "bmi2" x86_bmi2::absorb: 64 ascon_absorb::<12>, 64 ascon_absorb::<8>;
    ascon "bmi2" x86_bmi2::permute: 64 ascon_permute::<12>, 64 ascon_permute::<8>;
    sha1 "soft" soft::compress: 32 chain_1;
    sha1 "avx512-x16" x86_vectors::compress_16: 32 many_1::<16>;
    sha1 "avx512-x8" x86_vectors::compress_vl_8: 32 many_1::<8>;
    sha1 "avx2-x8" x86_vectors::compress_8: 32 many_1::<8>;
    sha2 "soft" soft::compress: 32 chain_256::<64>, 32 chain_256::<90>, 64 chain_512;
    sha2 "avx512-x16" x86_avx512::compress_16: 32 many_256::<16, 64>, 32 many_256::<16, 90>;
    sha2 "avx512-x8" x86_avx512::compress_vl_8: 32 many_256::<8, 64>, 32 many_256::<8, 90>;
    sha2 "avx2-x8" x86_avx2::compress_8: 32 many_256::<8, 64>, 32 many_256::<8, 90>;
    sha2 "avx512-x4" x86_avx512::compress_vl_4: 64 many_512::<4>;
    sha2 "avx2-x4" x86_avx2::compress_4: 64 many_512::<4>;
    sm3 "soft" soft::compress: 32 chain_sm3;
    sm3 "avx512-x16" x86_vectors::compress_16: 32 many_sm3::<16>;
    sm3 "avx512-x8" x86_vectors::compress_vl_8: 32 many_sm3::<8>;
    sm3 "avx2-x8" x86_vectors::compress_8: 32 many_sm3::<8>;
    ripemd160 "soft" soft::compress: 32 chain_160;
    ripemd160 "avx512-x16" x86_vectors::compress_16: 32 many_160::<16>;
    ripemd160 "avx512-x8" x86_vectors::compress_vl_8: 32 many_160::<8>;
    ripemd160 "avx2-x8" x86_vectors::compress_8: 32 many_160::<8>;
    blake2 "soft" soft::compress: 64 blake2b, 32 blake2s;
    keccak "soft" soft::absorb: 64 keccak_absorb::<24>, 64 keccak_absorb::<12>;
    keccak "soft" soft::permute: 64 keccak_permute::<24>, 64 keccak_permute::<12>;
    keccak "bmi2" x86_bmi2::absorb: 64 keccak_absorb::<24>, 64 keccak_absorb::<12>;
    keccak "bmi2" x86_bmi2::permute: 64 keccak_permute::<24>, 64 keccak_permute::<12>;
    ascon "soft" soft::absorb: 64 ascon_absorb::<12>, 64 ascon_absorb::<8>;
    ascon "soft" soft::permute: 64 ascon_permute::<12>, 64 ascon_permute::<8>;
    blake2 "avx512-x8" x86_avx512::compress_b_8: 64 blake2b_many::<8>;
    blake2 "avx512-x4" x86_avx512::compress_b_4: 64 blake2b_many::<4>;
    blake2 "avx2-x4" x86_avx2::compress_b_4: 64 blake2b_many::<4>;
    blake2 "avx512-x16" x86_avx512::compress_s_16: 32 blake2s_many::<16>;
    blake2 "avx512-x8" x86_avx512::compress_s_8: 32 blake2s_many::<8>;
    blake2 "avx2-x8" x86_avx2::compress_s_8: 32 blake2s_many::<8>;
    keccak "avx512-x8" x86_avx512::absorb_8: 64 keccak_absorb_many::<8, 24>, 64 keccak_absorb_many::<8, 12>;
    keccak "avx512-x8" x86_avx512::squeeze_8: 64 keccak_squeeze_many::<8, 24>, 64 keccak_squeeze_many::<8, 12>;
    keccak "avx512-folded-x8" x86_avx512::absorb_folded_8: 64 keccak_absorb_many::<8, 24>, 64 keccak_absorb_many::<8, 12>;
    keccak "avx512-folded-x8" x86_avx512::squeeze_folded_8: 64 keccak_squeeze_many::<8, 24>, 64 keccak_squeeze_many::<8, 12>;
    keccak "avx512-x4" x86_avx512::absorb_4: 64 keccak_absorb_many::<4, 24>, 64 keccak_absorb_many::<4, 12>;
    keccak "avx512-x4" x86_avx512::squeeze_4: 64 keccak_squeeze_many::<4, 24>, 64 keccak_squeeze_many::<4, 12>;
    keccak "avx2-x4" x86_avx2::absorb_4: 64 keccak_absorb_many::<4, 24>, 64 keccak_absorb_many::<4, 12>;
    keccak "avx2-x4" x86_avx2::squeeze_4: 64 keccak_squeeze_many::<4, 24>, 64 keccak_squeeze_many::<4, 12>;
}

impl Row {
    fn name(&self) -> String {
        format!("{} {}, {}::{}", self.family, self.kernel, self.module, self.function)
    }

    /// Proves all instances of the function, and returns the code of each with its claim.
    fn proved(&self) -> Vec<(Code, Instance)> {
        let places = image().instances(&["families", self.family, self.module, self.function]);
        let mut open: Vec<_> = self.instances.to_vec();
        assert_eq!(places.len(), open.len(), "instances of {}", self.name());
        // The program must use these instances: a different function can have the same name.
        for at in &places {
            assert!(image().is_pointed_to(*at), "{}: no kernel table contains {at:#x}", self.name());
        }
        let found = places.into_iter().map(|at| {
            let mut why = String::new();
            for i in 0..open.len() {
                let code = Code { at, change: None, done: RefCell::default() };
                let (bits, claim) = open[i];
                match judged(bits, || claim(&code)) {
                    Ok(Verdict::Proved { outputs, expressions }) => {
                        let name = self.name();
                        let count = code.done.borrow().len();
                        std::println!(
                            "{name}: {outputs} outputs, {count} instructions, {expressions} expressions"
                        );
                        return (code, open.remove(i));
                    }
                    Ok(verdict) => why = format!("{why}\n{verdict:?}"),
                    Err(trap) => why = format!("{why}\n{}", trap.why()),
                }
            }
            panic!("{} at {at:#x}: {why}", self.name());
        });
        found.collect()
    }
}

/// The minimum number of operands with which the model of each kind of instruction is compared.
const OPERANDS: usize = 10_000;

/// Proves the kernels of a family, compares the model of their instructions with the CPU, and checks that changes of
/// their code are refuted.
fn proved(family: &str) {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.family == family).collect();
    assert!(!rows.is_empty());
    let proved: Vec<(Code, Instance)> = rows.iter().flat_map(|row| row.proved()).collect();
    for bits in [32, 64] {
        let of_bits = proved.iter().filter(|(_, instance)| instance.0 == bits);
        let done: Vec<Instruction> = of_bits.flat_map(|(code, _)| code.done.borrow().clone()).collect();
        if done.is_empty() {
            continue;
        }
        match compare(bits, &done, OPERANDS, image()) {
            None => {
                skipped(
                    "comparison of the kernels' instructions with the CPU",
                    "the CPU lacks AVX-512, BMI2 or SHA-NI",
                );
            }
            Some(Compared { kinds, mnemonics, trials, others, lacking }) => {
                std::println!(
                    "{family}, words of {bits} bits: {mnemonics} instructions of {kinds} kinds agree with the CPU \
                     on {trials} operands; not compared: {}",
                    others.join(" ")
                );
                if !lacking.is_empty() {
                    let what = format!("comparison of {} with the CPU", lacking.join(", "));
                    skipped(&what, "the CPU lacks these instructions");
                }
            }
        }
    }
    let mut changes = Changes::new();
    for (code, instance) in &proved {
        changes.of(code, *instance, 20 / step(20));
    }
    let Changes { by_values, by_faults, without_effect, unmodelled, .. } = changes;
    std::println!(
        "{family}: {by_values} changed bits refuted by values, {by_faults} by faults; {} without effect; \
         {unmodelled} not modelled",
        without_effect.len()
    );
    without_effect.iter().for_each(|what| std::println!("  {what}"));
}

/// The results of changes of one bit of the code.
struct Changes {
    random: Random,
    by_values: usize,
    by_faults: usize,
    /// Changes after which the code was still proved correct, because it computes the same in a different way.
    without_effect: Vec<String>,
    /// Changes to instructions or operands that are not modelled.
    unmodelled: usize,
}

impl Changes {
    fn new() -> Self {
        Self { random: Random::new(), by_values: 0, by_faults: 0, without_effect: Vec::new(), unmodelled: 0 }
    }

    /// Changes random bits of the instructions that the function executed, until this number of changes is refuted: by
    /// values for which an output differs, or by something that no kernel may do.
    fn of(&mut self, code: &Code, (bits, claim): Instance, refuted: usize) {
        let mut done = code.done.borrow().clone();
        done.sort_by_key(Instruction::ip);
        done.dedup_by_key(|instruction| instruction.ip());
        let before = self.by_values + self.by_faults;
        for _ in 0..10 * refuted + 10 {
            if self.by_values + self.by_faults == before + refuted {
                return;
            }
            let instruction = done[self.random.below(done.len())];
            let bit = self.random.below(8 * instruction.len());
            let change = Change { at: instruction.ip() + bit as u64 / 8, bit: bit as u32 % 8 };
            let wrong = Code { at: code.at, change: Some(change), done: RefCell::default() };
            match judged(bits, || claim(&wrong)) {
                Ok(Verdict::Refuted(_)) => self.by_values += 1,
                Err(Trap::Fault(_)) => self.by_faults += 1,
                Err(Trap::Unmodelled(_)) => self.unmodelled += 1,
                Ok(Verdict::Proved { .. }) => {
                    let other = wrong.done.borrow().iter().find(|i| i.ip() == instruction.ip()).copied();
                    let other = other.map_or(String::new(), |i| format!("{i}"));
                    self.without_effect.push(format!("{instruction} as {other}"));
                }
                Ok(Verdict::Undecided(_)) => panic!("neither proved nor refuted: {instruction}, {change:?}"),
            }
        }
        panic!("too few changes of the function at {:#x} are refuted", code.at);
    }
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_sha1() {
    proved("sha1");
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_sha2() {
    proved("sha2");
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_sm3() {
    proved("sm3");
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_ripemd160() {
    proved("ripemd160");
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_blake2() {
    proved("blake2");
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_keccak() {
    proved("keccak");
}

#[test]
#[ignore = "needs a release build: make prove-machine"]
fn is_the_standard_ascon() {
    proved("ascon");
}
