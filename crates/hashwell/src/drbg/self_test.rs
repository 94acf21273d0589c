//! Health tests (SP 800-90A Rev. 1 section 11.3): a known answer for every algorithm, computed
//! before the first use and on request. If the test of an algorithm fails, its generators produce
//! no output.

use super::limits::MAX_REQUEST;
use super::{Drbg, DrbgParams, Request};
use crate::internal::error::Error;
use crate::internal::keyed::KeyedHmac;
use crate::internal::verdict::Verdict;
use crate::mac::RowHmac;
use crate::registry::Algorithm;

/// The expected result of the test for an algorithm, and the verdict in this process.
struct KnownAnswer {
    /// The outputs of [`outputs`], combined into one number by [`folded`]. Every WebAssembly module
    /// contains these numbers for all algorithms, so one number for each keeps the modules small.
    answer: u128,
    verdict: Verdict,
}

const fn answer(name: &'static str, answer: u128) -> KnownAnswer {
    KnownAnswer { answer, verdict: Verdict::not_run(name) }
}

/// Combines three outputs into one number, which changes if one bit of any output changes.
fn folded([first, second, third]: [u128; 3]) -> u128 {
    first ^ second.rotate_left(1) ^ third.rotate_left(2)
}

/// The numbers were computed with `reference/drbg.py` and [`folded`]. An algorithm without an entry has no generator.
#[rustfmt::skip]
static ANSWERS: [KnownAnswer; 20] = [
    answer("sha1", 0x92ebaa42ef3142d9f41cf6142e2c4dbe),
    answer("sha224", 0xfcf346f684ac53ed498135afafc74412),
    answer("sha256", 0x7ea973d19658bd28bbe3165d26340401),
    answer("sha384", 0x0bf6fcbfe18dd4bea90d1810c6c0900f),
    answer("sha512", 0xb940881aa75b9ce004fea688ddcb8e90),
    answer("sha512-224", 0x7058bf55ec99db0194ba8ee934cc88ae),
    answer("sha512-256", 0x35eb597218b41cb7b70a74f1bea513c4),
    answer("sm3", 0xec3ddb884aadf788126d98d76859f73e),
    answer("sha3-224", 0x13882d45edcd63c1ba3dc4a9dc891c39),
    answer("sha3-256", 0x0d740272a33b1bc20c4e6fee53de4d1a),
    answer("sha3-384", 0x266f057e555b56faa18210acf6d3fbf5),
    answer("sha3-512", 0x11829e628f03520955cf6064340fb5d9),
    answer("blake2b-256", 0xaddea0b7e5049bfa9eb4fb9617f06c27),
    answer("blake2b-512", 0x1be7aa1b357142b69e19c3372b6335ce),
    answer("blake2bp-512", 0x590946dec05f138f1dd0b070c8d7db78),
    answer("blake2s-256", 0x20a575857c7288df452053136d88b8ef),
    answer("blake2sp-256", 0x2c93d0ef4b0ac570a74b5d82ad9a6969),
    answer("blake3", 0xdccb2eb1161386fd0f2dcb09edebf7fb),
    answer("ripemd160", 0x708099dc52a22f582833b3afc0a62ae9),
    answer("sha256-90r", 0x7f451ff542d8693ee19df46ecaa151b5),
];

fn find(algorithm: &Algorithm) -> Result<&'static KnownAnswer, Error> {
    let refuse = |what| Error::Unsupported { algorithm: algorithm.name, what };
    if !algorithm.hmac {
        return Err(refuse("HMAC"));
    }
    ANSWERS.iter().find(|a| a.verdict.name == algorithm.name).ok_or_else(|| refuse("HMAC-DRBG"))
}

/// Returns HMAC over the algorithm, without a key, if the generator over it has passed its test.
/// Runs the test if it has not run in this process.
///
/// # Errors
/// Returns the same errors as [`RowHmac::new`], and [`Error::SelfTestFailed`] if the test fails.
pub(super) fn tested_hmac(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<RowHmac, Error> {
    let KnownAnswer { answer, verdict } = find(algorithm)?;
    // Two threads may both run the test, which is harmless.
    if !verdict.has_run() {
        compare(algorithm, verdict, *answer)?;
    }
    verdict.check()?;
    RowHmac::new(algorithm, kernel, Some(verdict))
}

/// Runs the test, whether or not it has run before.
pub(crate) fn run(algorithm: &'static Algorithm) -> Result<(), Error> {
    let known = find(algorithm)?;
    compare(algorithm, &known.verdict, known.answer)
}

/// Runs the test, compares the result with `expected`, and stores the verdict.
fn compare(algorithm: &'static Algorithm, verdict: &Verdict, expected: u128) -> Result<(), Error> {
    let passed = outputs(algorithm).is_ok_and(|got| got.map(folded) == Some(expected));
    verdict.set(passed);
    verdict.check()
}

/// Returns bytes that count up from `start`.
fn counting<const N: usize>(start: u8) -> [u8; N] {
    core::array::from_fn(|i| start + i as u8)
}

/// Instantiates, generates, generates with prediction resistance, reseeds, and generates with additional input. Then
/// tests the errors and wiping. Returns `None` if the test of the errors or the test of wiping fails.
fn outputs(algorithm: &'static Algorithm) -> Result<Option<[u128; 3]>, Error> {
    let hmac = RowHmac::new(algorithm, None, None)?;
    let len = usize::from(super::hmac_drbg::strength_of(hmac.output_len()) / 8);
    let params = DrbgParams {
        personalization: b"hashwell self-test",
        prediction_resistance: true,
        ..DrbgParams::default()
    };
    let (entropy, nonce, additional) = (counting::<32>(0), counting::<16>(0x20), counting::<16>(0x50));
    // 11.3.2: instantiate.
    let mut drbg = Drbg::with_hmac(hmac, &entropy[..len], &nonce[..len / 2], &params)?;
    let mut out = [[0; 16]; 3];
    // 11.3.3: generate, without and with prediction resistance.
    drbg.generate(&mut out[0], b"")?;
    let request = Request { additional: &additional, prediction_resistance: true, strength: None };
    let mut source = |out: &mut [u8]| {
        out.copy_from_slice(&counting::<32>(0x30)[..out.len()]);
        Ok(())
    };
    drbg.generate_from(&mut source, &mut out[1], &request)?;
    // 11.3.4: reseed.
    drbg.reseed(&counting::<32>(0x60)[..len], b"")?;
    drbg.generate(&mut out[2], &additional)?;
    // 11.3.6 (errors) and 11.3.5 (uninstantiate).
    let sound = refuses_what_it_must(&mut drbg, len) && is_gone_when_wiped(drbg);
    Ok(sound.then(|| out.map(u128::from_be_bytes)))
}

/// Tests the errors for short entropy, a source that fails, a request that is too long, and the end
/// of the reseed interval. None of them may change the state.
fn refuses_what_it_must(drbg: &mut Drbg<RowHmac>, len: usize) -> bool {
    let before = (drbg.k, drbg.v, drbg.counter);
    let mut dry = |_: &mut [u8]| Err(Error::EntropyFailed { reason: Default::default() });
    let short = matches!(drbg.reseed(&[0; 31][..len - 1], b""), Err(Error::OutOfRange { .. }));
    let failed = matches!(drbg.reseed_from(&mut dry, b""), Err(Error::EntropyFailed { .. }));
    let long = drbg.check_request(MAX_REQUEST + 1, &Request::default());
    let long = matches!(long, Err(Error::OutOfRange { .. }));
    let unchanged = before == (drbg.k, drbg.v, drbg.counter);
    drbg.counter = drbg.interval + 1;
    let worn = matches!(drbg.generate(&mut [0], b""), Err(Error::ReseedRequired { .. }));
    short && failed && long && unchanged && worn && (drbg.k, drbg.v) == (before.0, before.1)
}

fn is_gone_when_wiped(mut drbg: Drbg<RowHmac>) -> bool {
    drbg.uninstantiate();
    let zero = drbg.k.iter().chain(&drbg.v).all(|&byte| byte == 0) && drbg.counter == 0;
    zero && matches!(drbg.generate(&mut [0], b""), Err(Error::NotInstantiated { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ALGORITHMS, HmacDrbg};

    #[test]
    fn every_row_of_hmac_has_an_answer_and_gives_it() {
        let eligible = || ALGORITHMS.iter().filter(|a| a.hmac);
        assert_eq!(eligible().count(), ANSWERS.len());
        for algorithm in eligible() {
            assert_eq!(
                outputs(algorithm).unwrap().map(folded),
                Some(find(algorithm).unwrap().answer),
                "{}",
                algorithm.name
            );
        }
    }

    /// Uses an algorithm that no other test of this process uses.
    #[test]
    fn a_failure_stops_all_output_until_the_test_passes() {
        let algorithm = crate::find("sha512-224").unwrap();
        let make = || HmacDrbg::new(algorithm, &[1; 32], &[2; 16], &DrbgParams::default());
        let failed = Err(Error::SelfTestFailed { algorithm: "sha512-224" });
        let mut drbg = make().unwrap();
        let mut out = [0; 8];
        drbg.generate(&mut out, b"").unwrap();
        let known = find(algorithm).unwrap();
        let right = outputs(algorithm).unwrap().unwrap();
        for wrong in 0..3 {
            let mut expected = right;
            expected[wrong] ^= 1;
            assert_eq!(compare(algorithm, &known.verdict, folded(expected)), failed);
        }
        let before = out;
        assert_eq!(drbg.generate(&mut out, b""), failed);
        assert_eq!(out, before);
        assert_eq!(make().map(drop), failed);
        assert_eq!(HmacDrbg::self_test(algorithm), Ok(()));
        // The generator that noticed the failure must be made again.
        assert!(matches!(drbg.generate(&mut out, b""), Err(Error::NotInstantiated { .. })));
        assert_eq!(make().unwrap().generate(&mut out, b""), Ok(()));
        assert_eq!(out, before);
    }
}
