//! The traits of `rand_core` with `rand`'s distributions, and the values that must never change.

use crate::common;

use common::to_hex;
use hashwell::random::DrbgSeed;
use hashwell::{ALGORITHMS, CounterRng, DrbgStream, Kind, OsDrbg, Reader, find};
use rand::rand_core::{CryptoRng, TryCryptoRng, UnwrapErr};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng, TryRng};

fn seeded() -> DrbgStream {
    DrbgStream::from_seed(DrbgSeed(core::array::from_fn(|i| i as u8)))
}

fn words() -> CounterRng {
    CounterRng::from_seed([7; 32])
}

fn reader(name: &str) -> Reader {
    let mut hasher = find(name).unwrap().hasher();
    hasher.update(b"seed");
    hasher.into_reader().unwrap()
}

/// The values that distributions draw from a generator. They are pinned, so that changes in hashwell or `rand` are
/// detected.
fn draws(rng: &mut impl CryptoRng) -> String {
    let die: Vec<u8> = (0..8).map(|_| rng.random_range(1..=6)).collect();
    let mut cards: Vec<u8> = (0..8).collect();
    cards.shuffle(rng);
    let unit: f64 = rng.random();
    format!("{die:?} {cards:?} {unit:.12} {}", rng.random_bool(0.25))
}

fn numbers(mut rng: impl Rng) -> String {
    let mut bytes = [0; 5];
    let (a, b) = (rng.next_u64(), rng.next_u32());
    rng.fill_bytes(&mut bytes);
    format!("{a:016x} {b:08x} {}", to_hex(&bytes))
}

/// The first four values were computed by `reference/`.
#[test]
fn values_are_promises() {
    assert_eq!(numbers(seeded()), "0ffb80875a3e9022 a4941a3f a1b0d3611d");
    assert_eq!(numbers(words()), "bd04defe9df040d3 503dc1f4 80853cbcb2");
    assert_eq!(numbers(reader("shake128")), "2562934758924276 1d31f826 ba4b757b4f");
    assert_eq!(numbers(reader("blake3")), "606ec154e4634e71 c6bc67b6 614417192a");
    assert_eq!(numbers(DrbgStream::seed_from_u64(1)), "d9ad18029e583bd0 d508e79b 434ca667b8");
}

#[test]
fn distributions_work() {
    assert_eq!(
        draws(&mut seeded()),
        "[1, 3, 4, 4, 1, 6, 6, 2] [7, 5, 0, 2, 3, 4, 1, 6] 0.340090308022 false"
    );
    assert_eq!(draws(&mut words()), "[5, 4, 2, 4, 5, 1, 2, 3] [6, 4, 0, 2, 1, 5, 7, 3] 0.997017303514 false");
    assert_eq!(
        draws(&mut reader("kt128")),
        "[5, 5, 3, 1, 5, 6, 2, 3] [6, 7, 4, 1, 2, 5, 0, 3] 0.995404747664 true"
    );
    let mut secret = OsDrbg::new(find("sha256").unwrap(), &Default::default()).unwrap();
    assert_ne!(draws(&mut UnwrapErr(&mut secret)), draws(&mut UnwrapErr(secret)));
}

/// Numbers are the stream's bytes in big-endian order, for every stream.
#[test]
fn numbers_are_the_streams_bytes() {
    fn check<R: Rng>(label: &str, mut rng: R, mut bytes: impl FnMut(&mut [u8])) {
        let mut expected = [0; 4000];
        bytes(&mut expected);
        let mut at = 0;
        let mut next = |len: usize| {
            at += len;
            &expected[at - len..at]
        };
        for round in 0..200 {
            assert_eq!(rng.next_u32().to_be_bytes(), next(4), "{label} {round}");
            assert_eq!(rng.next_u64().to_be_bytes(), next(8), "{label} {round}");
            let mut some = [0; 8];
            let some = &mut some[..round % 8];
            rng.fill_bytes(some);
            assert_eq!(some, next(some.len()), "{label} {round}");
        }
    }
    let mut other = seeded();
    check("HMAC-DRBG", seeded(), |out| other.read(out).unwrap());
    check("counter", words(), |out| words().read(out));
    for xof in ALGORITHMS.iter().filter(|a| a.kind == Kind::Xof) {
        check(xof.name, reader(xof.name), |out| reader(xof.name).read(out));
    }
}

#[test]
fn the_secret_one_tells_its_errors() {
    fn is_secure<R: TryCryptoRng>(_: &R) {}
    let mut secret = OsDrbg::new(find("sha256").unwrap(), &Default::default()).unwrap();
    is_secure(&secret);
    let (a, b) = (secret.try_next_u64().unwrap(), secret.try_next_u64().unwrap());
    assert_ne!(a, b);
    secret.uninstantiate();
    assert!(matches!(secret.try_next_u32(), Err(hashwell::Error::NotInstantiated { .. })));
    assert_eq!(format!("{:?}", DrbgSeed([1; 48])), "DrbgSeed");
}
