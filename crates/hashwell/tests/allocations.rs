//! Each allocation that a public call makes is refused once. Calls whose answer is in the caller's memory return
//! [`Error::OutOfMemory`](hashwell::Error) and hold nothing more, or do without that memory; calls that return memory of Rust's
//! own collections, and those that cannot fail, end the process as these do, and say so. None gives another answer. What
//! writes into the caller's memory without a state on the heap asks for none.
#![cfg(all(target_os = "linux", feature = "std", not(miri)))] // Miri starts no processes

#[path = "common/refusing.rs"]
mod refusing;

use hashwell::{
    ALGORITHMS, Algorithm, CounterWords, DrbgParams, DrbgStream, Hmac, HmacDrbg, Kind, Kmac, KmacVariant,
    Params, PlainHmac, RandomStream, Source, StreamKey, Words,
};
use refusing::{Answer, Call, number, number_of};

fn row(name: &str) -> &'static Algorithm {
    hashwell::find(name).expect("the registry has it")
}

const MESSAGES: [&[u8]; 20] = [b"message"; 20];
static LONG: [u8; 300_000] = [7; 300_000];

/// Longer and shorter ones, which are put in order.
fn mixed() -> [&'static [u8]; 20] {
    std::array::from_fn(|i| &LONG[..10 + 977 * i])
}

fn read(mut stream: RandomStream) -> Answer {
    let mut out = [0; 100];
    stream.read(&mut out)?;
    Ok(number(out) ^ stream.next_u64()?)
}

fn of_source(name: &str) -> Answer {
    let source = Source::find(name)?;
    let mut stream = source.seeded(b"seed", b"use")?;
    let (child, other) = (stream.spawn()?, stream.jumped(2)?);
    stream.seek(5000)?;
    stream.seek(3)?;
    let mut others = [0; 40];
    stream.seed_others(&mut others)?;
    let all = [read(stream)?, read(child)?, read(other)?, number(others)];
    let saved = StreamKey { root: [5; 32], jumps: 1 };
    Ok(number_of(all) ^ read(RandomStream::of_key(source, saved)?)?)
}

/// Calls that return an error.
const REFUSED: &[(&str, Call)] = &[
    ("Many::digest_into", || {
        let mut out = [0; 32 * MESSAGES.len()];
        row("sha512-256").many(&Params::default())?.digest_into(&MESSAGES, &mut out)?;
        Ok(number(out))
    }),
    ("Many::digest_into of mixed lengths, with a key", || {
        let mut out = [0; 64 * MESSAGES.len()];
        let params = Params { key: Some(b"key"), salt: b"salt", ..Params::default() };
        row("blake2b-512").many(&params)?.digest_into(&mixed(), &mut out)?;
        Ok(number(out))
    }),
    ("Many::digest_into of trees", || {
        let mut out = [0; 64 * MESSAGES.len()];
        row("kt128").many(&Params::default())?.digest_into(&mixed(), &mut out[..32 * MESSAGES.len()])?;
        row("blake3").many(&Params::default())?.digest_into(&mixed(), &mut out[..32 * MESSAGES.len()])?;
        row("blake2bp").many(&Params::default())?.digest_into(&mixed(), &mut out)?;
        Ok(number(out))
    }),
    ("hmac_many under one key", || Ok(number(hashwell::hmac_many(row("sha256"), &[b"key"], &mixed())?))),
    ("hmac_many under one key, over BLAKE3", || {
        Ok(number(hashwell::hmac_many(row("blake3"), &[b"key"], &mixed())?))
    }),
    ("hmac_many under own keys", || Ok(number(hashwell::hmac_many(row("sha256"), &mixed(), &MESSAGES)?))),
    ("streams", || {
        let mut out = [0; 100 * MESSAGES.len()];
        row("shake256").streams(&MESSAGES, &Params::default())?.read(&mut out)?;
        Ok(number(out))
    }),
    ("streams of BLAKE3", || {
        let mut out = [0; 100 * MESSAGES.len()];
        row("blake3").streams(&MESSAGES, &Params::default())?.read(&mut out)?;
        Ok(number(out))
    }),
    ("RandomStream of counter", || of_source("counter")),
    ("RandomStream of an XOF", || of_source("shake128")),
    ("RandomStream of BLAKE3", || of_source("blake3")),
    ("RandomStream of KangarooTwelve", || of_source("kt128")),
    ("RandomStream of HMAC-DRBG", || of_source("HMAC_DRBG_SHA256")),
    #[cfg(feature = "os-random")]
    ("RandomStream of the operating system's", || {
        for name in ["hmac-drbg-sha512", "blake3"] {
            read(Source::find(name)?.os_seeded(b"")?)?;
        }
        Ok(0)
    }),
];

/// Calls that end the process.
const ENDED: &[(&str, Call)] = &[
    ("digest", || Ok(number(row("sha256").digest(b"abc")))),
    ("hasher", || {
        let mut hasher = row("sha3-256").hasher();
        hasher.update(b"abc");
        Ok(number(hasher.clone().digest()))
    }),
    ("hasher of a tree", || {
        let mut hasher = row("kt128").hasher();
        hasher.update(&LONG);
        Ok(number(hasher.digest()))
    }),
    ("hasher with a key", || {
        let params = Params { key: Some(b"key"), output_len: Some(20), ..Params::default() };
        let mut hasher = row("blake2b-512").build(&params)?;
        hasher.update(b"abc");
        Ok(number(hasher.digest()))
    }),
    #[cfg(feature = "rayon")]
    ("update_parallel", || {
        let mut hasher = row("blake3").hasher();
        hasher.update_parallel(&LONG);
        Ok(number(hasher.digest()))
    }),
    ("reader", || Ok(number(row("shake128").reader(b"abc")?.read_vec(1000)))),
    ("reader of BLAKE3", || {
        let mut reader = row("blake3").reader(b"abc")?;
        reader.seek(1 << 40)?;
        Ok(number(reader.read_vec(1000)))
    }),
    ("hash_many", || Ok(number(hashwell::hash_many(row("sha256"), MESSAGES)))),
    ("xof_many", || Ok(number(hashwell::xof_many(row("shake128"), MESSAGES, 50)?))),
    ("Many::on", || {
        let mut out = [0; 32 * MESSAGES.len()];
        let many = row("sha256").many(&Params::default())?;
        many.on(&hashwell::engine::Cpu::new())?.digest_into(&MESSAGES, &mut out)?;
        Ok(number(out))
    }),
    ("pieces", || {
        let pieces = row("blake3").pieces(&Params::default(), LONG.len() as u64)?;
        let mut join = pieces.join();
        for index in 0..pieces.count() {
            let range = pieces.range(index);
            join.push(&pieces.value(index, &LONG[range.start as usize..range.end as usize])?)?;
        }
        Ok(number(join.digest()?))
    }),
    ("hmac", || Ok(number(hashwell::hmac(row("sha256"), b"key", b"abc")?))),
    ("Hmac", || {
        let mut hmac = Hmac::new(row("sha512"), &[1; 200])?;
        hmac.update(b"abc");
        Ok(number(hmac.tag()))
    }),
    ("Kmac::tag", || {
        let mut kmac = Kmac::new(KmacVariant::find("kmac128")?, b"key", b"custom");
        kmac.update(b"abc");
        Ok(number(kmac.tag(50)))
    }),
    ("an exported state", || {
        let mut drbg = HmacDrbg::new(row("sha256"), &[1; 32], &[2; 16], &DrbgParams::default())?;
        let mut out = [0; 100];
        HmacDrbg::import_state(&drbg.export_state()?)?.generate(&mut out, b"")?;
        Ok(number(out))
    }),
    ("names", || {
        let kernels = row("sha256").kernels().len() + row("sha256").batch_kernels().len();
        let names = Source::all().map(|source| source.name().len());
        Ok((kernels + names.sum::<usize>() + hashwell::backends().len()) as u64)
    }),
];

/// Calls for the caller's memory.
const QUIET: &[(&str, Call)] = &[
    ("digest_into", || {
        let mut out = [0; 64];
        let mut fixed = ALGORITHMS.iter().filter(|row| row.kind == Kind::Fixed);
        fixed.try_for_each(|row| row.digest_into(&LONG, &mut out[..row.output]))?;
        Ok(number(out))
    }),
    ("typed digest", || Ok(number(hashwell::Sha256::digest(b"abc")))),
    ("PlainHasher", || {
        let mut out = [0; 32];
        let mut hasher = row("sha3-256").plain_hasher(&Params::default())?;
        hasher.update(&LONG);
        hasher.digest_into(&mut out)?;
        Ok(number(out))
    }),
    ("PlainHmac", || {
        let mut out = [0; 32];
        let mut hmac = PlainHmac::new(row("sha256"), b"key")?;
        hmac.update(b"abc");
        hmac.tag_into(&mut out)?;
        Ok(number(out))
    }),
    ("Kmac", || {
        let mut out = [0; 300];
        let kmac = Kmac::new(KmacVariant::Kmac256, b"key", b"custom");
        kmac.tag_into(&mut out);
        kmac.verify(&out)?;
        Ok(number(out))
    }),
    ("hkdf", || {
        let (mut okm, mut prk) = ([0; 100], [0; 32]);
        for name in ["sha256", "blake3", "sha3-256"] {
            hashwell::hkdf_extract_into(row(name), b"salt", b"key", &mut prk)?;
            hashwell::hkdf(row(name), &prk, b"salt", b"info", &mut okm)?;
        }
        Ok(number(okm))
    }),
    ("HmacDrbg", || {
        let mut out = [0; 100];
        let mut drbg = HmacDrbg::new(row("sha256"), &[1; 32], &[2; 16], &DrbgParams::default())?;
        drbg.reseed(&[3; 32], b"")?;
        drbg.generate(&mut out, b"")?;
        Ok(number(out))
    }),
    ("DrbgStream", || {
        let mut out = [0; 2000];
        let mut stream = DrbgStream::new(row("sha256"), &[1; 32], &[2; 16], &DrbgParams::default())?;
        stream.fork_stream(b"label")?.read(&mut out)?;
        Ok(number(out) ^ stream.next_u64()?)
    }),
    #[cfg(feature = "os-random")]
    ("OsDrbg", || {
        let mut drbg = hashwell::OsDrbg::new(row("sha256"), &DrbgParams::default())?;
        drbg.generate(&mut [0; 2000], b"more")?;
        drbg.next_u64()?;
        Ok(0)
    }),
    ("CounterWords", || {
        let mut words = CounterWords::new(&[7; 32]);
        words.seek(1 << 60)?;
        Ok(words.next_u64()?)
    }),
    ("Tape", || Ok(hashwell::random::Tape::new(&[1, 2, 3]).next_u64()?)),
    ("errors without words", || {
        let refused = row("blake2b-512").build(&Params { key: Some(&[0; 65]), ..Params::default() });
        Ok(refused.is_err().into())
    }),
];

/// Errors with words, which are left out where there is no memory for them.
const WORDS: &[(&str, Call)] = &[
    ("find", || Ok(hashwell::find("sha265").is_err().into())),
    ("Source::find", || Ok(Source::find("hmac-drbg-sha265").is_err().into())),
    ("KmacVariant::find", || Ok(KmacVariant::find("kmac12").is_err().into())),
    ("a kernel", || {
        let params = Params { kernel: Some("none"), ..Params::default() };
        Ok((row("sha256").build(&params).is_err() && hashwell::force_backend("none").is_err()).into())
    }),
    ("an end", || {
        let mut reader = row("blake3").reader(b"abc")?;
        reader.seek(u64::MAX)?;
        Ok(reader.try_read(&mut [0]).is_err().into())
    }),
];

#[test]
fn child() {
    refusing::child(&[REFUSED, ENDED, QUIET, WORDS]);
}

#[test]
fn some_calls_return_an_error() {
    for (name, outcomes) in refusing::refuse_each(REFUSED) {
        assert_eq!(outcomes.ends, 0, "{name}: {outcomes:?}");
        assert!(outcomes.errors > 0, "{name}: {outcomes:?}");
    }
}

#[test]
fn others_end_the_process() {
    for (name, outcomes) in refusing::refuse_each(ENDED) {
        assert!(outcomes.ends > 0, "{name} ends no process any more: {outcomes:?}");
    }
}

#[test]
fn calls_for_the_callers_memory_ask_for_none() {
    for (name, _) in QUIET {
        let (asked, came) = refusing::outcome(name, "again", 0).expect("nothing is asked for");
        assert_eq!((asked, came.as_str()), (0, "the answer"), "{name}");
    }
}

#[test]
fn errors_go_without_words() {
    for (name, outcomes) in refusing::refuse_each(WORDS) {
        assert_eq!((outcomes.ends, outcomes.errors), (0, 0), "{name}");
        assert!(outcomes.answers > 0, "{name} has no words");
    }
}
