//! Refuses each allocation of a public call once. Calls that write their result to the caller's memory must return
//! [`Error::OutOfMemory`](hashwell::Error) without leaking memory, or work without that allocation. Calls that return
//! Rust's own collections, and those that cannot fail, must end the process as these do, with a message. The result
//! must never be wrong. Calls that write to the caller's memory and have no state on the heap must not allocate.
#![cfg(all(target_os = "linux", feature = "std", not(miri)))] // Miri starts no processes

#[path = "common/refusing.rs"]
mod refusing;

#[path = "common/every_function.rs"]
mod every_function;

use hashwell::engine::{self, Cpu};
use hashwell::random::{Tape, from_words};
use hashwell::{
    ALGORITHMS, Algorithm, ByteSource, ChunkList, ChunkListWriter, ChunkLocator, CounterRng, Drbg,
    DrbgParams, DrbgStream, Error, Hmac, HmacDrbg, KeyedHmac, Kind, Kmac, KmacVariant, Locator, Outboard,
    OutboardWriter, Params, PlainHasher, PlainHmac, RandomSource, RandomStream, Reader, Request,
    SliceDecoder, SlicePart, SliceParts, Source, StreamKey,
};
use refusing::{Answer, Call, again, again_after, number, number_of};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::mem::MaybeUninit;

fn row(name: &str) -> &'static Algorithm {
    hashwell::find(name).expect("the registry has it")
}

const MESSAGES: [&[u8]; 20] = [b"message"; 20];
static LONG: [u8; 300_000] = [7; 300_000];

/// Shorter and longer messages, which are sorted by length.
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

/// Entropy that is the same each time. It does not allocate.
fn entropy(out: &mut [u8]) -> Result<(), Error> {
    (0..).zip(out).for_each(|(i, byte)| *byte = i);
    Ok(())
}

/// Reads everything from a source, which may end after a number of bytes.
fn source(mut words: impl RandomSource) -> Answer {
    let mut out = [0; 24];
    words.fill(&mut out)?;
    words.fill_native(&mut [[0; 8]; 2])?;
    let taken = words.take(4)?;
    let ahead = words.ahead().len().min(2);
    words.pass(ahead);
    let _ = (words.stream_position(), words.stream_end());
    let numbers =
        [words.next_u64()?, words.next_u32()?.into(), words.next_bits(9)?, words.next_f64()?.to_bits()];
    Ok(number(out) ^ number(taken) ^ number_of(numbers))
}

/// An HMAC that the caller implements.
struct Own([u8; 32]);

impl KeyedHmac for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn output_len(&self) -> usize {
        32
    }

    fn set_key(&mut self, key: &[u8]) {
        self.0.copy_from_slice(key);
    }

    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        let mut hmac = PlainHmac::new(row("sha256"), &self.0).expect("it has HMAC");
        message.iter().for_each(|piece| hmac.update(piece));
        hmac.tag_into(out).expect("a whole tag");
    }

    fn wipe(&mut self) {
        self.0.fill(0);
    }
}

/// The functions that all HMAC generators have.
fn of_drbg<M: KeyedHmac>(drbg: &mut Drbg<M>) -> Answer {
    let mut out = [[0; 100]; 4];
    let [first, second, third, fourth] = &mut out;
    drbg.generate(first, b"more")?;
    drbg.fill(second, b"")?;
    drbg.reseed_from(&mut entropy, b"more")?;
    drbg.fill_from(&mut entropy, third, &Request { prediction_resistance: true, ..Request::default() })?;
    drbg.generate_from(&mut entropy, fourth, &Request::default())?;
    drbg.uninstantiate();
    Ok(number(out.into_iter().flatten()))
}

/// Hashes a message twice with the type of a row: with `update`, and as a writer.
macro_rules! typed {
    ($type:ty, $message:expr) => {{
        let mut hasher = <$type>::build(&Params::default())?;
        hasher.update($message);
        hasher.write_all($message).and_then(|()| hasher.flush()).expect("it takes all bytes");
        hasher.clone()
    }};
}

/// Numbers below a bound, from the bytes of a stream.
fn rejecting(mut reader: Reader) -> Answer {
    let mut sum = 0;
    reader.ml_rej_uniform(50, 3329, None, |number| sum = number_of([sum, number]))?;
    reader.ml_rej_uniform_while(50, 8_380_417, Some(23), |number| sum = number_of([sum, number]), || true)?;
    let mut out = [0; 300];
    reader.read(&mut out);
    Ok(number(out) ^ sum ^ reader.position())
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
    ("hmac_many on a kernel", || {
        Ok(number(hashwell::hmac_many_with_kernel(row("sha256"), &[b"key"], &mixed(), Some("soft"))?))
    }),
    ("a stream as a source", || {
        let stream = Source::find("shake128")?.seeded(b"seed", b"use")?;
        stream.check_reaches(1000)?;
        source(stream)
    }),
    #[cfg(feature = "rand_core")]
    ("generators of rand_core, of the others", || {
        use rand_core::TryRng;
        fn of<R: TryRng>(mut rng: R) -> Result<u64, R::Error> {
            let mut out = [0; 50];
            rng.try_fill_bytes(&mut out)?;
            Ok(number(out) ^ rng.try_next_u64()? ^ u64::from(rng.try_next_u32()?))
        }
        #[cfg(feature = "os-random")]
        of(hashwell::OsDrbg::new(row("sha256"), &DrbgParams::default())?)?;
        let Ok(of_reader) = of(row("shake128").plain_hasher(&Params::default())?.reader()?);
        Ok(of_reader ^ of(Source::find("shake128")?.seeded(b"seed", b"use")?)?)
    }),
    #[cfg(feature = "rand_core-0-6")]
    ("generators of rand_core 0.6", || {
        use rand_core_0_6::RngCore;
        fn of(rng: &mut dyn RngCore) -> u64 {
            let mut out = [0; 50];
            rng.fill_bytes(&mut out);
            number(out) ^ rng.next_u64() ^ u64::from(rng.next_u32())
        }
        #[cfg(feature = "os-random")]
        of(&mut hashwell::OsDrbg::new(row("sha256"), &DrbgParams::default())?);
        let drbg = DrbgStream::from_seed_unchecked(row("sha256"), b"seed", b"", &DrbgParams::default());
        let all = [
            of(&mut CounterRng::new(&[7; 32])),
            of(&mut drbg?),
            of(&mut row("shake128").plain_hasher(&Params::default())?.reader()?),
            of(&mut Source::find("shake128")?.seeded(b"seed", b"use")?),
            source(hashwell::random::from_rng_0_6(CounterRng::new(&[8; 32])))?,
        ];
        Ok(number_of(all))
    }),
    ("saved plain data", || {
        let mut hasher = row("sha512").plain_hasher(&Params::default())?;
        hasher.update(&LONG);
        let saved = hasher.to_bytes()?;
        let mut out = [0; 64];
        let again = PlainHasher::from_bytes(&saved)?;
        again.digest_into(&mut out)?;
        let typed = hashwell::Sha512::from_bytes(&saved)?;
        Ok(number(out) ^ again.message_len() ^ number(typed.to_bytes()?) ^ number(saved))
    }),
    ("secret plain data", || {
        let params = Params { key: Some(&[1; 32]), ..Params::default() };
        let mut place = MaybeUninit::uninit();
        let hasher = row("blake2b-512").plain_hasher_in(&params, &mut place)?.to_secret_bytes()?;
        let mut place = MaybeUninit::uninit();
        let mut out = [0; 64];
        PlainHasher::from_secret_bytes_in(&hasher, &mut place)?.digest_into(&mut out)?;
        let hmac = PlainHmac::new(row("blake3"), b"key")?.to_secret_bytes()?;
        let mut place = MaybeUninit::uninit();
        PlainHmac::from_secret_bytes_in(&hmac, &mut place)?.tag_into(&mut out[..32])?;
        let kmac = Kmac::new(KmacVariant::Kmac128, b"key", b"").to_secret_bytes()?;
        Kmac::from_secret_bytes(&kmac)?.tag_into(&mut out[..16]);
        Ok(number(out) ^ number(hasher.iter().copied()) ^ number(hmac.iter().copied()))
    }),
    ("a tree for damaged ranges", || {
        let mut writer = OutboardWriter::new(1024)?;
        writer.update(&LONG)?;
        let (outboard, digest) = writer.finish()?;
        let saved = outboard.to_bytes()?;
        let again = Outboard::from_bytes(&saved)?;
        let mut damaged = LONG;
        damaged[5000] ^= 1;
        let mut locator = Locator::new(&again, &digest)?;
        locator.update(&damaged)?;
        let found = locator.finish()?;
        Ok(number(saved) ^ number(digest) ^ found.damaged[0].start ^ u64::from(found.is_intact()))
    }),
    ("a list of chunk values", || {
        let mut writer = ChunkListWriter::new()?;
        writer.update(&LONG)?;
        let list = writer.finish()?;
        let saved = list.to_bytes()?;
        let again = ChunkList::from_bytes(&saved)?;
        let mut damaged = LONG;
        damaged[9000] ^= 1;
        let mut locator = ChunkLocator::new(&again, list.digest())?;
        locator.update(&damaged)?;
        let found = locator.finish()?;
        Ok(number(saved) ^ found.damaged[0].start)
    }),
    ("a verified slice", || {
        let mut writer = OutboardWriter::new(1024)?;
        writer.update(&LONG)?;
        let (outboard, digest) = writer.finish()?;
        let outboard = outboard.to_bytes()?;
        let mut decoder = SliceDecoder::new(&digest, 1024, 3000, 100)?;
        let mut sum = 0;
        for part in SliceParts::new(LONG.len() as u64, 1024, 3000, 100)? {
            let mut input = match part {
                SlicePart::Outboard(range) => &outboard[range.start as usize..range.end as usize],
                SlicePart::Message(range) => &LONG[range.start as usize..range.end as usize],
            };
            while let Some(bytes) = decoder.decode(&mut input)? {
                sum ^= number(bytes.iter().copied());
            }
        }
        Ok(sum ^ u64::from(decoder.is_complete()) ^ u64::from(decoder.finish()?.is_some()))
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
    ("a saved hasher", || {
        let mut hasher = row("blake3").hasher();
        hasher.update(&LONG);
        let saved = hasher.to_bytes()?;
        let again = hashwell::Hasher::from_bytes(&saved)?;
        Ok(number(saved) ^ again.message_len() ^ number(again.digest()))
    }),
    ("secret states", || {
        let params = Params { key: Some(&[1; 32]), ..Params::default() };
        let hasher = row("blake3").build(&params)?.to_secret_bytes()?;
        let again = hashwell::Hasher::from_secret_bytes(&hasher)?;
        let hmac = Hmac::new(row("sha256"), b"key")?.to_secret_bytes()?;
        Ok(number(again.digest()) ^ number(Hmac::from_secret_bytes(&hmac)?.tag()))
    }),
    ("words about strength", || Ok(number(row("sha256").strength().margin().bytes()))),
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
    ("a hasher to write to", || {
        let mut hasher = hashwell::Hasher::from(hashwell::Shake128::new());
        hasher.write_all(&LONG).and_then(|()| hasher.flush()).expect("it takes all bytes");
        let mut out = [0; 50];
        hasher.digest_into(&mut out)?;
        let mut reader = hasher.clone().into_reader()?;
        hasher.reset();
        Ok(number(out) ^ number(reader.read_vec(50)) ^ number(hasher.digest()))
    }),
    ("Hmac on a kernel", || {
        let mut out = [0; 32];
        Hmac::with_kernel(row("sha256"), b"key", Some("soft"))?.tag_into(&mut out);
        Ok(number(out))
    }),
    #[cfg(feature = "rayon")]
    ("Many::digest_into_parallel", || {
        let mut out = [0; 32 * MESSAGES.len()];
        row("sha256").many(&Params::default())?.digest_into_parallel(&mixed(), &mut out)?;
        Ok(number(out))
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
        many.on(&Cpu::new())?.digest_into(&MESSAGES, &mut out)?;
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
    ("Many::digest", || {
        let many = row("sha256").many(&Params::default())?;
        Ok(number(many.digest(&MESSAGES)) ^ number(many.kernel().bytes()))
    }),
    ("Many::digest_iter", || Ok(number(row("sha256").many(&Params::default())?.digest_iter(MESSAGES)))),
    ("OnEngine::digest", || {
        let many = row("sha256").many(&Params::default())?;
        Ok(number(many.on(&Cpu::on_kernel("soft"))?.digest(&MESSAGES)?))
    }),
    ("engine::check", || {
        // An engine that supports only one row, like an engine for devices.
        struct One(Cpu);
        impl engine::Engine for One {
            fn name(&self) -> &str {
                "one:0"
            }
            fn available(&self) -> Result<(), engine::Fault> {
                self.0.available()
            }
            fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool {
                algorithm.name == "sha256" && self.0.claims(algorithm, params)
            }
            fn digest_many(
                &self,
                algorithm: &'static Algorithm,
                params: &Params<'_>,
                messages: &[&[u8]],
                out: &mut [u8],
            ) -> Result<usize, engine::Fault> {
                if !self.claims(algorithm, params) {
                    return Err("not claimed".into());
                }
                self.0.digest_many(algorithm, params, messages, out)
            }
        }
        Ok(engine::check(&One(Cpu::new()))?.digests as u64)
    }),
    ("hkdf_extract", || Ok(number(hashwell::hkdf_extract(row("sha512"), b"salt", b"key")?))),
    ("hmac", || Ok(number(hashwell::hmac(row("sha256"), b"key", b"abc")?))),
    ("Hmac", || {
        let mut hmac = Hmac::new(row("sha512"), &[1; 200])?;
        hmac.update(b"abc");
        let mut tags = [[0; 64]; 2];
        hmac.tag_into(&mut tags[0]);
        hmac.tag_of(b"other", &mut tags[1]);
        hmac.verify(&tags[0])?;
        hmac.verify_truncated(&tags[0][..20], 20)?;
        let tag = hmac.tag();
        hmac.reset();
        Ok(number(tag) ^ number(hmac.clone().tag()) ^ number(tags[1]))
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
    ("typed readers", || {
        let mut out = [0; 300];
        typed!(hashwell::Shake128, b"abc").into_reader().read(&mut out);
        let params = Params { customization: b"custom", ..Params::default() };
        let mut other = hashwell::CShake128::build(&params)?;
        other.update(&out);
        other.into_reader().read(&mut out);
        let mut ascon = hashwell::AsconCxof128::build(&params)?;
        ascon.update(&out);
        ascon.into_reader().read(&mut out);
        Ok(number(out))
    }),
    #[cfg(feature = "digest")]
    ("RustCrypto's traits", || {
        use digest::{
            CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
            TryCustomizedInit, Update,
        };
        let mut sha256 = hashwell::Sha256::default();
        Update::update(&mut sha256, b"abc");
        let first = sha256.finalize_fixed_reset();
        Update::update(&mut sha256, &LONG);
        let second = sha256.finalize_fixed();
        let mut shake = hashwell::Shake256::default();
        Update::update(&mut shake, b"abc");
        let mut out = [0; 300];
        shake.finalize_xof_reset().read(&mut out);
        Update::update(&mut shake, &out);
        shake.finalize_xof().read(&mut out);
        let mut custom = hashwell::CShake128::new_customized(&out);
        Update::update(&mut custom, b"abc");
        custom.finalize_xof().read(&mut out);
        let mut ascon = hashwell::AsconCxof128::try_new_customized(b"custom")?;
        Update::update(&mut ascon, &out);
        ascon.finalize_xof().read(&mut out);
        Ok(number(first) ^ number(second) ^ number(out))
    }),
    ("names", || {
        let kernels = row("sha256").kernels().len() + row("sha256").batch_kernels().len();
        let names = Source::all().map(|source| source.name().len());
        let of_kmac = KmacVariant::Kmac128.kernels().len();
        Ok((kernels + names.sum::<usize>() + hashwell::kernels().len() + of_kmac) as u64)
    }),
];

/// Calls that write to the caller's memory.
const QUIET: &[(&str, Call)] = &[
    ("digest_into", || {
        let mut out = [0; 64];
        let mut fixed = ALGORITHMS.iter().filter(|row| row.kind == Kind::Fixed);
        fixed.try_for_each(|row| row.digest_into(&LONG, &mut out[..row.output]))?;
        Ok(number(out))
    }),
    ("typed digest", || {
        let mut sha256 = typed!(hashwell::Sha256, &LONG);
        let first = sha256.clone().finalize();
        sha256.reset();
        Ok(number(hashwell::Sha256::digest(b"abc")) ^ number(first) ^ number(sha256.finalize()))
    }),
    ("Reader", || {
        let plain = row("shake128").plain_hasher(&Params::default())?;
        let mut reader = plain.reader()?;
        reader.check_left(100)?;
        reader.try_read(&mut [0; 100])?;
        rejecting(reader)
    }),
    ("readers of Kmac", || {
        let mut kmac = Kmac::with_kernel(KmacVariant::Kmac128, b"key", b"custom", Some("soft"))?;
        kmac.update(&LONG);
        let tag = rejecting(kmac.tag_reader(1000))?;
        kmac.reset();
        Ok(tag ^ rejecting(kmac.into_reader())?)
    }),
    ("generators of HMAC", || {
        let params = DrbgParams { prediction_resistance: true, ..DrbgParams::default() };
        HmacDrbg::self_test(row("sha512"))?;
        let mut of_row = HmacDrbg::from_source(row("sha512"), &params, &mut entropy)?;
        let mut unchecked = HmacDrbg::from_seed_unchecked(row("sha256"), b"seed", b"", &params)?;
        let mut own = Drbg::with_hmac(Own([0; 32]), &[1; 32], &[2; 16], &params)?;
        let mut other = Drbg::with_hmac_unchecked(Own([0; 32]), b"seed", b"", &params)?;
        let answers =
            [of_drbg(&mut of_row)?, of_drbg(&mut unchecked)?, of_drbg(&mut own)?, of_drbg(&mut other)?];
        assert_eq!(answers[1], answers[3], "they are of one seed");
        Ok(number_of(answers))
    }),
    ("sources of bytes", || {
        let mut count = 0;
        let counted = from_words(|| {
            count += 1;
            Ok(count)
        });
        let drbg = DrbgStream::from_seed_unchecked(row("sha256"), b"seed", b"", &DrbgParams::default())?;
        let reader = row("shake128").plain_hasher(&Params::default())?.reader()?;
        let all = [
            source(Tape::new(&[7; 20]))?,
            source(CounterRng::new(&[7; 32]))?,
            source(counted)?,
            source(drbg)?,
            source(reader)?,
            source(&mut CounterRng::new(&[8; 32]) as &mut dyn ByteSource)?,
        ];
        Ok(number_of(all))
    }),
    #[cfg(feature = "rand_core")]
    ("generators of rand_core", || {
        use rand_core::{SeedableRng, TryRng};
        let mut words = CounterRng::from_seed([7; 32]);
        let mut out = [0; 100];
        let Ok(()) = words.try_fill_bytes(&mut out);
        let (Ok(word), Ok(long)) = (words.try_next_u32(), words.try_next_u64());
        let mut seed = hashwell::DrbgSeed::default();
        seed.as_mut().fill(7);
        let mut stream = DrbgStream::from_seed(seed);
        let Ok(()) = stream.try_fill_bytes(&mut out);
        let of_other = source(hashwell::random::from_rng(words))?;
        Ok(number(out) ^ number_of([word.into(), long, of_other]))
    }),
    ("PlainHasher", || {
        let mut out = [0; 32];
        let mut hasher = row("sha3-256").plain_hasher(&Params::default())?;
        hasher.update(&LONG);
        hasher.digest_into(&mut out)?;
        let mut place = MaybeUninit::<PlainHasher>::uninit();
        let params = Params { key: Some(b"key"), output_len: Some(32), ..Params::default() };
        let keyed = row("blake2b-512").plain_hasher_in(&params, &mut place)?;
        keyed.update(&out);
        keyed.digest_into(&mut out)?;
        zeroize::Zeroize::zeroize(keyed);
        Ok(number(out))
    }),
    ("PlainHmac", || {
        let (mut out, mut again) = ([0; 32], [0; 32]);
        let mut hmac = PlainHmac::new(row("sha256"), b"key")?;
        hmac.update(b"abc");
        hmac.tag_into(&mut out)?;
        hmac.verify(&out)?;
        PlainHmac::tag_of(row("sha256"), b"key", b"abc", &mut again)?;
        assert_eq!(out, again);
        let mut place = MaybeUninit::uninit();
        let hmac = PlainHmac::new_in(row("sha256"), b"key", &mut place)?;
        hmac.reset();
        hmac.tag_into(&mut again)?;
        Ok(number(out) ^ number(again))
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
            hashwell::hkdf_with_kernel(row(name), &prk, b"salt", b"info", &mut okm[..50], None)?;
            hashwell::hkdf_expand(row(name), &prk, b"info", &mut okm[50..])?;
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
        drbg.read(&mut [0; 2000])?;
        drbg.reseed(b"more")?;
        source(&mut drbg)?;
        drbg.uninstantiate();
        Ok(0)
    }),
    ("CounterRng", || {
        let mut words = CounterRng::new(&[7; 32]);
        words.seek(1 << 60)?;
        let mut out = [0; 50];
        words.try_read(&mut out)?;
        words.read(&mut out);
        Ok(words.next_word() ^ number(out))
    }),
    ("Tape", || Ok(Tape::new(&[1, 2, 3]).next_u64()?)),
    ("errors without words", || {
        let refused = row("blake2b-512").build(&Params { key: Some(&[0; 65]), ..Params::default() });
        Ok(refused.is_err().into())
    }),
];

/// Errors with texts, which are omitted if there is no memory for them.
const WORDS: &[(&str, Call)] = &[
    ("find", || Ok(hashwell::find("sha265").is_err().into())),
    ("Source::find", || Ok(Source::find("hmac-drbg-sha265").is_err().into())),
    ("KmacVariant::find", || Ok(KmacVariant::find("kmac12").is_err().into())),
    ("a kernel", || {
        let params = Params { kernel: Some("none"), ..Params::default() };
        Ok((row("sha256").build(&params).is_err() && hashwell::force_kernel("none").is_err()).into())
    }),
    ("an end", || {
        let mut reader = row("blake3").reader(b"abc")?;
        reader.seek(u64::MAX)?;
        Ok(reader.try_read(&mut [0]).is_err().into())
    }),
];

/// Objects that are used across a step for which there was no memory. The object must be unchanged by the failed step,
/// and repeating the step and all steps after it must give the same results as in a process with enough memory.
const KEPT: &[(&str, Call)] = &[
    ("a kept RandomStream of counter", || kept_stream("counter")),
    ("a kept RandomStream of an XOF", || kept_stream("shake128")),
    ("a kept RandomStream of KangarooTwelve", || kept_stream("kt128")),
    ("a kept RandomStream of BLAKE3", || kept_stream("blake3")),
    ("a kept RandomStream of HMAC-DRBG", || kept_stream("hmac-drbg-sha256")),
    ("a kept Many", || kept_many("sha512-256", &Params::default())),
    ("a kept Many with a key", || {
        kept_many("blake2b-512", &Params { key: Some(b"key"), output_len: Some(32), ..Params::default() })
    }),
    ("a kept Many of trees", || kept_many("kt128", &Params::default())),
    ("kept messages under one key", || {
        let tags = || hashwell::hmac_many(row("sha256"), &[b"key"], &MESSAGES);
        Ok(number(again(tags)?))
    }),
    ("kept Streams", || kept_streams("shake256")),
    ("kept Streams of BLAKE3", || kept_streams("blake3")),
];

fn kept_stream(name: &str) -> Answer {
    let source = again(|| Source::find(name))?;
    let mut stream = again(|| source.seeded(b"seed", b"use"))?;
    let mut out = [[0; 40]; 4];
    stream.read(&mut out[0])?;
    let first = out[0];
    let child = again_after(&mut stream, RandomStream::spawn, |stream| {
        assert_eq!((stream.spawned(), stream.position()), (0, 40));
    })?;
    let other = again(|| stream.jumped(3))?;
    stream.read(&mut out[1])?;
    let second = out[1];
    // Seeks back, which makes streams that can only read forwards start from the beginning.
    again_after(
        &mut stream,
        |stream| stream.seek(20),
        |stream| {
            let mut bytes = [0; 40];
            assert_eq!(stream.position(), 80);
            stream.seek(80).expect("it is there");
            stream.read(&mut bytes).expect("there are more");
            assert!(bytes != first && bytes != second);
        },
    )?;
    stream.read(&mut out[2])?;
    assert_eq!((&out[2][..20], &out[2][20..]), (&first[20..], &second[..20]));
    again_after(&mut stream, |stream| stream.seek(5000), |stream| assert_eq!(stream.position(), 60))?;
    stream.read(&mut out[3])?;
    Ok(number_of([number(out.into_iter().flatten()), read(child)?, read(other)?, stream.spawned()]))
}

fn kept_many(name: &str, params: &Params<'_>) -> Answer {
    let many = again(|| row(name).many(params))?;
    let mut out = [[0; 32 * MESSAGES.len()]; 2];
    again(|| many.digest_into(&MESSAGES, &mut out[0]))?;
    again(|| many.digest_into(&mixed(), &mut out[1]))?;
    Ok(number(out.into_iter().flatten()))
}

fn kept_streams(name: &str) -> Answer {
    let mut streams = again(|| row(name).streams(&MESSAGES, &Params::default()))?;
    let mut out = [[0; 100 * MESSAGES.len()]; 2];
    for out in &mut out {
        again_after(
            &mut streams,
            |streams| streams.read(out),
            |streams| assert_eq!(streams.position() % 100, 0),
        )?;
    }
    Ok(number(out.into_iter().flatten()))
}

#[test]
fn child() {
    refusing::child(&[REFUSED, ENDED, QUIET, WORDS, KEPT]);
}

#[test]
fn objects_are_kept_over_a_refusal() {
    for (name, outcomes) in refusing::refuse_each(KEPT) {
        assert_eq!((outcomes.ends, outcomes.errors), (0, 0), "{name}: {outcomes:?}");
        assert!(outcomes.again > 0, "{name}: no step was refused: {outcomes:?}");
    }
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
    refusing::ask_for_none(QUIET);
}

#[test]
fn errors_go_without_words() {
    for (name, outcomes) in refusing::refuse_each(WORDS) {
        assert_eq!((outcomes.ends, outcomes.errors), (0, 0), "{name}");
        assert!(outcomes.answers > 0, "{name} has no words");
    }
}

/// The functions that each case tests: `Type: function …`, with functions in parentheses that others call. Traits of
/// Rust that never allocate (comparisons, `Debug`) are omitted. `typed` means the type of any row; `S` and `F` for
/// types that get a trait through another one.
const LOOKED_AT: &[(&str, &str)] = &[
    ("digest", "Algorithm: digest"),
    ("digest_into", "Algorithm: digest_into"),
    ("hasher", "Algorithm: hasher, Hasher: update digest"),
    ("hasher of a tree", "Hasher: update"),
    ("a saved hasher", "Hasher: to_bytes from_bytes message_len"),
    ("saved plain data", "PlainHasher: to_bytes from_bytes message_len, typed: to_bytes from_bytes"),
    ("secret states", "Hasher: to_secret_bytes from_secret_bytes, Hmac: to_secret_bytes from_secret_bytes"),
    (
        "secret plain data",
        "PlainHasher: to_secret_bytes from_secret_bytes_in, PlainHmac: to_secret_bytes from_secret_bytes_in, \
         Kmac: to_secret_bytes from_secret_bytes",
    ),
    (
        "a tree for damaged ranges",
        "OutboardWriter: new update finish, Outboard: to_bytes from_bytes, Locator: new update finish, \
         Located: is_intact",
    ),
    (
        "a list of chunk values",
        "ChunkListWriter: new update finish, ChunkList: to_bytes from_bytes, ChunkLocator: new update finish",
    ),
    ("a verified slice", "SliceDecoder: new decode finish is_complete, SliceParts: new (next)"),
    ("words about strength", "Algorithm: strength, Strength: margin"),
    ("hasher with a key", "Algorithm: build"),
    ("a hasher to write to", "Hasher: digest_into reset into_reader write flush from"),
    #[cfg(feature = "rayon")]
    ("update_parallel", "Hasher: update_parallel"),
    ("reader", "Algorithm: reader, Reader: read_vec"),
    ("reader of BLAKE3", "Reader: seek"),
    ("Reader", "Reader: read try_read check_left ml_rej_uniform ml_rej_uniform_while position"),
    ("hash_many", "hashwell: hash_many"),
    ("xof_many", "hashwell: xof_many"),
    ("Many::digest_into", "Algorithm: many, Many: digest_into"),
    ("Many::digest", "Many: digest kernel"),
    ("Many::digest_iter", "Many: digest_iter"),
    #[cfg(feature = "rayon")]
    ("Many::digest_into_parallel", "Many: digest_into_parallel"),
    (
        "Many::on",
        "Many: on, OnEngine: digest_into, Cpu: new available claims digest_many name (may_see_secrets)",
    ),
    ("OnEngine::digest", "OnEngine: digest, Cpu: on_kernel"),
    ("engine::check", "engine: check"),
    ("pieces", "Algorithm: pieces, Pieces: count range value join, Join: push digest"),
    ("streams", "Algorithm: streams, Streams: read"),
    ("hmac_many under one key", "hashwell: hmac_many"),
    ("hmac_many on a kernel", "hashwell: hmac_many_with_kernel"),
    ("hmac", "hashwell: hmac"),
    ("Hmac", "Hmac: new update tag tag_into tag_of verify verify_truncated reset"),
    ("Hmac on a kernel", "Hmac: with_kernel"),
    ("Kmac::tag", "Kmac: tag, KmacVariant: find"),
    ("Kmac", "Kmac: new tag_into verify"),
    ("readers of Kmac", "Kmac: with_kernel update reset tag_reader into_reader"),
    ("PlainHasher", "Algorithm: plain_hasher plain_hasher_in, PlainHasher: update digest_into zeroize"),
    ("Reader", "PlainHasher: reader"),
    ("PlainHmac", "PlainHmac: new new_in tag_of update tag_into verify reset zeroize"),
    ("hkdf", "hashwell: hkdf hkdf_expand hkdf_extract_into hkdf_with_kernel"),
    ("hkdf_extract", "hashwell: hkdf_extract"),
    ("an exported state", "Drbg: new export_state import_state"),
    ("HmacDrbg", "Drbg: reseed generate"),
    (
        "generators of HMAC",
        "Drbg: self_test from_source from_seed_unchecked with_hmac with_hmac_unchecked fill fill_from generate_from \
         reseed_from uninstantiate, F: fill, RowHmac: set_key tag wipe check (chain rekey), \
         KeyedHmac: set_key tag wipe check (chain rekey)",
    ),
    ("DrbgStream", "DrbgStream: new fork_stream read"),
    ("sources of bytes", "DrbgStream: from_seed_unchecked, hashwell: from_words"),
    (
        "sources of bytes",
        "ByteSource: ahead fill pass take stream_end stream_position, &mut S: ahead fill pass take stream_end \
         stream_position, FromWords: ahead fill pass take stream_end stream_position, CounterRng: ahead fill pass take \
         stream_end stream_position, DrbgStream: ahead fill pass take stream_end stream_position, Reader: ahead fill pass \
         take stream_end stream_position, Tape: ahead fill pass take stream_end stream_position, S: fill_native next_bits \
         next_f64 next_u32 next_u64, RandomSource: fill_native next_bits next_f64 next_u32 next_u64",
    ),
    ("CounterRng", "CounterRng: new next_word read seek try_read"),
    ("Tape", "Tape: new"),
    #[cfg(feature = "os-random")]
    (
        "OsDrbg",
        "OsDrbg: new generate read reseed uninstantiate ahead fill pass take stream_end stream_position, OsEntropy: fill",
    ),
    (
        "RandomStream of an XOF",
        "Source: find seeded, RandomStream: spawn jumped seek seed_others read of_key, Box: ahead fill pass take stream_end \
         stream_position",
    ),
    ("a stream as a source", "RandomStream: ahead fill pass take stream_end stream_position check_reaches"),
    #[cfg(feature = "os-random")]
    ("RandomStream of the operating system's", "Source: os_seeded"),
    ("names", "Algorithm: kernels batch_kernels, KmacVariant: kernels, Source: all name, hashwell: kernels"),
    ("find", "hashwell: find"),
    ("a kernel", "hashwell: force_kernel"),
    ("typed digest", "typed: digest build new update finalize reset write flush"),
    ("typed readers", "typed: into_reader"),
    #[cfg(feature = "digest")]
    (
        "RustCrypto's traits",
        "typed: default (finalize_into finalize_into_reset) finalize_xof finalize_xof_reset new_customized try_new_customized",
    ),
    #[cfg(feature = "rand_core")]
    (
        "generators of rand_core",
        "CounterRng: from_seed try_fill_bytes try_next_u32 try_next_u64, DrbgStream: from_seed try_fill_bytes \
         try_next_u32 try_next_u64, DrbgSeed: default as_mut (as_ref), hashwell: from_rng",
    ),
    #[cfg(feature = "rand_core")]
    (
        "generators of rand_core, of the others",
        "OsDrbg: try_fill_bytes try_next_u32 try_next_u64, RandomStream: try_fill_bytes try_next_u32 try_next_u64, \
         Reader: try_fill_bytes try_next_u32 try_next_u64",
    ),
    #[cfg(feature = "rand_core-0-6")]
    (
        "generators of rand_core 0.6",
        "CounterRng: fill_bytes next_u32 next_u64, DrbgStream: fill_bytes next_u32 next_u64, OsDrbg: fill_bytes next_u32 \
         next_u64, RandomStream: fill_bytes next_u32 next_u64, Reader: fill_bytes next_u32 next_u64, hashwell: from_rng_0_6",
    ),
];

/// Functions that cannot allocate, because they return existing data or count.
const GIVE_WHAT_IS_THERE: &str = "Algorithm: calibration check_value is_parallel kernel_at kernel_for limits takes, \
    Drbg: algorithm hmac is_instantiated kernel prediction_resistance requests_left reseed_interval strength, \
    CounterRng: position, DrbgStream: algorithm, Engine: available claims digest_many may_see_secrets name, \
    ChunkList: digest is_consistent message_len, EntropySource: fill, Error: abort_without_memory, Hasher: algorithm kernel output_len, \
    Hmac: algorithm kernel output_len, KeyedHmac: name output_len, RowHmac: name output_len, Kmac: kernel variant, \
    KmacVariant: name output, Many: algorithm output_len, Node: default, OsDrbg: drbg, Parameter: row, Params: get set, \
    Outboard: digest group group_of message_len nodes root_of, Pieces: algorithm, PlainHasher: algorithm kernel output_len, PlainHmac: algorithm kernel, \
    RandomStream: end is_seekable key position set_spawned source spawned, Reader: is_seekable, \
    Status: name, Target: name, StreamKey: for_frame, Streams: count position, Value: quantity, typed: algorithm, \
    hashwell: by_id kernel_names wipe_stack";

/// Every public function has a case, or is listed among those that cannot allocate.
#[cfg(all(
    feature = "rayon",
    feature = "digest",
    feature = "digest-0-10",
    feature = "rand_core",
    feature = "rand_core-0-6",
    feature = "os-random"
))]
#[test]
fn every_public_function_has_a_case() {
    const API: &str = include_str!("../api.txt");
    // The type of a row gives its row without a value of that type.
    let row = |line: &'static str| {
        line.strip_prefix("pub fn hashwell::")?
            .strip_suffix("::algorithm() -> &'static hashwell::registry::Algorithm")
    };
    let rows: BTreeSet<&str> = API.lines().filter_map(row).collect();
    assert_eq!(rows.len(), ALGORITHMS.len());
    let owner = |path: &str| match path.rsplit("::").next().unwrap_or_default() {
        owner if rows.contains(owner) => "typed".to_owned(),
        "registry" | "random" => "hashwell".to_owned(),
        owner => owner.to_owned(),
    };
    let cases = [REFUSED, ENDED, QUIET, WORDS, KEPT].into_iter().flatten();
    let (text, _) = include_str!("allocations.rs").split_once("const LOOKED_AT").expect("the lists");
    let names = cases.map(|(name, _)| *name).collect();
    every_function::Cases {
        api: API,
        owner: &owner,
        names,
        text,
        looked_at: LOOKED_AT,
        without: GIVE_WHAT_IS_THERE,
    }
    .check();
}
