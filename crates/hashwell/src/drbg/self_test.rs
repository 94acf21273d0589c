//! Health tests (SP 800-90A Rev. 1 section 11.3): a known answer for every row, run before the first use and
//! on demand, and what follows from a failure.

use super::limits::MAX_REQUEST;
use super::{Drbg, DrbgParams, Request};
use crate::ground::error::Error;
use crate::ground::keyed::KeyedHmac;
use crate::ground::verdict::Verdict;
use crate::mac::RowHmac;
use crate::registry::Algorithm;

/// What the test must give for a row, and its verdict in this process.
struct KnownAnswer {
    /// The three outputs of [`outputs`].
    outputs: [u128; 3],
    verdict: Verdict,
}

const fn answer(name: &'static str, first: u128, second: u128, third: u128) -> KnownAnswer {
    KnownAnswer { outputs: [first, second, third], verdict: Verdict::not_run(name) }
}

/// Computed with `reference/drbg.py`, whose tests compare them; a row without one has no generator.
#[rustfmt::skip]
static ANSWERS: [KnownAnswer; 20] = [
    answer("sha1", 0xfea9e586cc9ac15238a2824cb85d2ab2, 0xc06c76e3a362429534723e61ed35860d, 0xfb26a880d95bc1a869168226d3069ac5),
    answer("sha224", 0xdf910b49f2d2e69e261d36c30daad08f, 0x67f1c7e06b6666c1f141c4102ba0d464, 0x7b20709fe82c9e3c2347e2d33d4b0f15),
    answer("sha256", 0x51baa82bd208b39e7f7e53e7395a93a0, 0x10821cd19681f686c145660859787d97, 0xc385f8965a54f8eed185e26aab679b23),
    answer("sha384", 0xea0c5de15a740694d12e1a319fdf50b2, 0x8fca03a3ea2dd1d213a17e3e92881252, 0x3f9ba9865be89c6397d87f971f03f906),
    answer("sha512", 0xf0d5bb9a18f42493656711a6c5101a46, 0x827e3077bde6632b9968d5a0636fb280, 0xd35a54dbf118df8914d2071bb7813c75),
    answer("sha512-224", 0x6b31cf521e2eb69661a3767758539291, 0xcc9305c4cd11ceaf0b54977d67ab3a47, 0x2093dee39a253c3278ec359928f25bac),
    answer("sha512-256", 0x130042e7fb9d750dcb95194c94013f2e, 0xeb6fc81ef3254baa6dc916ddd5187aab, 0x7c0d22ea0158ffbba9c35001a025366f),
    answer("sm3", 0x31e7481e76f79db8a190ddcfcc7c63e9, 0x1c2a92109ac15e91925e088f651ad6aa, 0xf963ededc27635c4e5d055019b840e60),
    answer("sha3-224", 0x8177f2b821ba729ddd86e6af1e4a9153, 0xa8e891333826f8fc3814c061a4670327, 0x70cbbf66ef0eb82905e4a8b1628362c9),
    answer("sha3-256", 0x7fe15a3b1594348b1732183175779509, 0xb5c6a6e15b7710a2b9573f027a0bceec, 0x86460562c01043831a748276f4af9172),
    answer("sha3-384", 0xe59a9235877070185789d31910ac1686, 0xd9ee2ba45f7d4e717668c89f7efb5392, 0x9c0a7000db346e8006b694a2c6e25295),
    answer("sha3-512", 0xb8ce4e386c500897d0c4853f4eb49a4f, 0x829a2db2a6b6d905bfb56e26f05ee02d, 0x6b1e22cfeb8fba257e984e45a681bbf3),
    answer("blake2b-256", 0xc80a455dc750394cac86806bbd48ca70, 0x2a93d518b4a0e48e0397fd285b48813f, 0x4c3cd3f6d2c55aea8d47606b470a690a),
    answer("blake2b-512", 0xf726fcbd66f920c3aba9ded7ff7bae3e, 0x383bc3526c8e8f95ace79ebdab24bded, 0xa72db400a2a55f579b1fc826e094780a),
    answer("blake2bp-512", 0x494de44e3fd10c852c33811b222e7fcd, 0xe2afc85f3ceaa728f73b1f45d7dd7840, 0x3546cc8ba196d456f7e543f81150d50d),
    answer("blake2s-256", 0x5c9e82db636073cbefd4e21d5b504af6, 0xf8697684e61f3e2d56a3d3ca16e56e8b, 0xa33a4695f4cb21d381ecc5a686c48bc3),
    answer("blake2sp-256", 0x26ea5a0fab21f56ec25a8cabd428de60, 0xa8abc6c73e917813faa4c7f1aafd673c, 0x16cb81dba742700e641617b28b121e5c),
    answer("blake3", 0x2b0841d199c178ef6725932f04c4b367, 0xe261790a39685befcc4b505eb428ef67, 0xccc0675d3f4092737c27be26e05fa694),
    answer("ripemd160", 0x3e819f9b2b25f33d67ee3b30df281daa, 0x13dbb3e30709aa881f3e71faecc606e2, 0xda6d98605de5225d5c685adab1808ea1),
    answer("sha256-90r", 0x447965d78aaec7bef99f6108fc83b0f3, 0x4c3c739b8c62fdb6cef57f7b4fc44385, 0x28d12745742cd57b617a1ae42a6a9993),
];

fn find(algorithm: &Algorithm) -> Result<&'static KnownAnswer, Error> {
    let refuse = |what| Error::Unsupported { algorithm: algorithm.name, what };
    if !algorithm.hmac {
        return Err(refuse("HMAC"));
    }
    ANSWERS
        .iter()
        .find(|a| a.verdict.name == algorithm.name)
        .ok_or_else(|| refuse("known answer for HMAC-DRBG"))
}

/// HMAC over the row, under no key yet, once the generator over it has passed its test, now or earlier in this
/// process.
///
/// # Errors
/// As [`RowHmac::new`], and [`Error::SelfTestFailed`].
pub(super) fn tested_hmac(algorithm: &'static Algorithm, kernel: Option<&str>) -> Result<RowHmac, Error> {
    let KnownAnswer { outputs, verdict } = find(algorithm)?;
    // Two threads may both run it; nothing is lost.
    if !verdict.has_run() {
        compare(algorithm, verdict, outputs)?;
    }
    verdict.check()?;
    RowHmac::new(algorithm, kernel, Some(verdict))
}

/// Runs the test, whatever it gave before.
pub(crate) fn run(algorithm: &'static Algorithm) -> Result<(), Error> {
    let known = find(algorithm)?;
    compare(algorithm, &known.verdict, &known.outputs)
}

/// Runs the test against these outputs and keeps the verdict.
fn compare(algorithm: &'static Algorithm, verdict: &Verdict, expected: &[u128; 3]) -> Result<(), Error> {
    let passed = outputs(algorithm).is_ok_and(|got| got == Some(*expected));
    verdict.set(passed);
    verdict.check()
}

/// Bytes that count up from `start`.
fn counting<const N: usize>(start: u8) -> [u8; N] {
    core::array::from_fn(|i| start + i as u8)
}

/// Instantiates, generates, generates with prediction resistance, reseeds and generates with additional
/// input; then the errors, and wiping. Nothing if one of those two goes wrong.
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

/// Errors: short entropy, a source that fails, a request too long, the end of the reseed interval. None
/// changes the state.
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
                outputs(algorithm).unwrap(),
                Some(find(algorithm).unwrap().outputs),
                "{}",
                algorithm.name
            );
        }
    }

    /// On a row that no other test of this process uses.
    #[test]
    fn a_failure_stops_all_output_until_the_test_passes() {
        let algorithm = crate::find("sha512-224").unwrap();
        let make = || HmacDrbg::new(algorithm, &[1; 32], &[2; 16], &DrbgParams::default());
        let failed = Err(Error::SelfTestFailed { algorithm: "sha512-224" });
        let mut drbg = make().unwrap();
        let mut out = [0; 8];
        drbg.generate(&mut out, b"").unwrap();
        let known = find(algorithm).unwrap();
        for wrong in 0..3 {
            let mut expected = known.outputs;
            expected[wrong] ^= 1;
            assert_eq!(compare(algorithm, &known.verdict, &expected), failed);
        }
        let before = out;
        assert_eq!(drbg.generate(&mut out, b""), failed);
        assert_eq!(out, before);
        assert_eq!(make().map(drop), failed);
        assert_eq!(HmacDrbg::self_test(algorithm), Ok(()));
        // The one that noticed has to be made anew.
        assert!(matches!(drbg.generate(&mut out, b""), Err(Error::NotInstantiated { .. })));
        assert_eq!(make().unwrap().generate(&mut out, b""), Ok(()));
        assert_eq!(out, before);
    }
}
