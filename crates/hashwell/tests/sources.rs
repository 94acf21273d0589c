//! The contract of `ByteSource` and `RandomSource` is checked for every generator, and through trait objects.

use hashwell::random::{Tape, from_words};
use hashwell::{
    ALGORITHMS, ByteSource, CounterRng, DrbgParams, DrbgStream, Error, Kind, RandomSource, RandomStream,
    Source, find,
};

type Fresh = Box<dyn Fn() -> Box<dyn ByteSource>>;

/// Every kind of reproducible generator, with its name and a function that creates it in its initial state.
fn every_source() -> Vec<(String, Fresh)> {
    let mut all: Vec<(String, Fresh)> =
        vec![("CounterRng".into(), Box::new(|| Box::new(CounterRng::new(&[3; 32]))))];
    for row in ALGORITHMS.iter().filter(|row| row.kind == Kind::Xof) {
        let reader = || {
            let mut hasher = row.hasher();
            hasher.update(b"seed");
            Box::new(hasher.into_reader().unwrap())
        };
        all.push((format!("Reader of {}", row.name), Box::new(move || reader())));
    }
    all.push(("DrbgStream".into(), Box::new(|| Box::new(drbg_stream(None)))));
    for source in Source::all() {
        let stream = move || Box::new(source.seeded(b"seed", b"").unwrap());
        all.push((format!("stream {}", source.name()), Box::new(move || stream())));
    }
    let squares = || {
        let mut next = 0_u64;
        from_words(move || {
            next += 1;
            Ok(next.wrapping_mul(next) << 40 | next)
        })
    };
    all.push(("FromWords".into(), Box::new(move || Box::new(squares()))));
    static WORDS: [u64; 1000] = [0x0123_4567_89ab_cdef; 1000];
    all.push(("Tape".into(), Box::new(|| Box::new(Tape::new(&WORDS)))));
    all
}

fn drbg_stream(reseed_interval: Option<u64>) -> DrbgStream {
    let params = DrbgParams { reseed_interval, ..DrbgParams::default() };
    DrbgStream::new(find("sha256").unwrap(), &[1; 32], &[2; 16], &params).unwrap()
}

#[test]
fn every_mix_of_calls_reads_the_same_stream() {
    for (name, fresh) in every_source() {
        let mut whole = [0; 6000];
        fresh().fill(&mut whole).unwrap();
        let mut source = fresh();
        let counts = source.stream_position().is_some();
        let mut at = 0;
        for round in 0..400_usize {
            let words: &mut dyn RandomSource = &mut source;
            let (len, number) = match round % 5 {
                0 => (4, words.next_u32().unwrap().into()),
                1 => (8, words.next_u64().unwrap()),
                2 => (8, (words.next_f64().unwrap() * 2f64.powi(53)) as u64),
                3 => {
                    let bits = (round / 5 % 65) as u32;
                    (bits.div_ceil(8) as usize, words.next_bits(bits).unwrap())
                }
                _ => {
                    let mut out = vec![0; round % 37];
                    words.fill(&mut out).unwrap();
                    assert_eq!(out, whole[at..][..out.len()], "{name} at {at}");
                    (out.len(), 0)
                }
            };
            let expected = whole[at..][..len].iter().fold(0_u128, |sum, &byte| sum << 8 | u128::from(byte));
            match round % 5 {
                2 => assert_eq!(u128::from(number), expected >> 11, "{name} at {at}"),
                3 => {
                    let surplus = 8 * len - round / 5 % 65;
                    assert_eq!(u128::from(number), expected >> surplus, "{name} at {at}");
                }
                4 => {}
                _ => assert_eq!(u128::from(number), expected, "{name} at {at}"),
            }
            at += len;
            assert_eq!(source.stream_position(), counts.then_some(at as u128), "{name}");
        }
        assert!(source.stream_end().is_none_or(|end| end >= whole.len() as u128), "{name}");
    }
}

/// If there are not enough bytes left for a number, nothing is read, wherever the end is, and the error is the same for
/// all sources.
#[test]
fn sources_end_in_one_way() {
    let drbg = |requests: u64| -> Box<dyn ByteSource> { Box::new(drbg_stream(Some(requests))) };
    let counter: Box<dyn ByteSource> = {
        let mut words = CounterRng::new(&[3; 32]);
        words.seek((1 << 66) - 1).unwrap();
        Box::new(words)
    };
    let mut blake3 = find("blake3").unwrap().hasher().into_reader().unwrap();
    blake3.seek(u64::MAX - 3).unwrap();
    let named: Box<dyn ByteSource> = {
        let mut stream = Source::find("counter").unwrap().seeded(b"seed", b"").unwrap();
        stream.seek((1 << 69) - 5).unwrap();
        Box::new(stream)
    };
    for mut source in [drbg(1), drbg(3), counter, Box::new(blake3), named, Box::new(Tape::new(&[1, 2]))] {
        let (end, position) = (source.stream_end().unwrap(), source.stream_position().unwrap());
        let mut left = vec![0; (end - position) as usize];
        let mut more = vec![7; left.len() + 1];
        let exhausted = |error: Error, beyond: u128| match error {
            Error::Exhausted { end: told, asked, .. } => assert_eq!((told, asked), (end, end + beyond)),
            other => panic!("{other}"),
        };
        exhausted(source.fill(&mut more).unwrap_err(), 1);
        assert!(more.iter().all(|&byte| byte == 7) || more.iter().all(|&byte| byte == 0));
        assert_eq!(source.stream_position(), Some(position));
        source.fill(&mut left).unwrap();
        exhausted(source.next_u32().unwrap_err(), 4);
        exhausted(source.next_u64().unwrap_err(), 8);
        exhausted(source.next_f64().unwrap_err(), 8);
        assert_eq!((source.next_bits(0), source.fill(&mut [])), (Ok(0), Ok(())));
        assert_eq!(source.stream_position(), Some(end));
    }
}

/// Buffered bytes have not been read, so they count in the distance to the end.
#[test]
fn what_lies_ahead_counts_to_the_end() {
    let mut stream = drbg_stream(Some(2));
    let end = stream.stream_end().unwrap() as usize;
    let mut first = [0; 100];
    stream.fill(&mut first).unwrap();
    let mut rest = vec![0; end - first.len()];
    let mut more = vec![7; rest.len() + 1];
    let exhausted = Error::Exhausted { stream: "sha256".into(), end: end as u128, asked: end as u128 + 1 };
    assert_eq!(stream.fill(&mut more), Err(exhausted));
    assert!(more.iter().all(|&byte| byte == 7));
    assert_eq!(stream.fill(&mut rest), Ok(()));
    assert_eq!(stream.stream_position(), Some(end as u128));
}

/// Buffered bytes are the ones that are read next, and skipping them is the same as reading them.
#[test]
fn bytes_ahead_are_the_next_ones() {
    for source in Source::all() {
        let name = source.name();
        let (mut stream, mut again) =
            (source.seeded(b"seed", b"").unwrap(), source.seeded(b"seed", b"").unwrap());
        let (mut first, mut other) = ([0; 3], [0; 3]);
        stream.fill(&mut first).unwrap();
        again.fill(&mut other).unwrap();
        let ahead = stream.ahead().to_vec();
        assert!(!ahead.is_empty(), "{name}");
        let mut next = vec![0; ahead.len()];
        again.fill(&mut next).unwrap();
        assert_eq!(next, ahead, "{name}");
        let passed = ahead.len() / 2;
        stream.pass(passed);
        assert_eq!(stream.stream_position(), Some(3 + passed as u128), "{name}");
        assert_eq!(stream.ahead(), &ahead[passed..], "{name}");
        stream.pass(ahead.len() - passed);
        assert_eq!(stream.next_u64(), again.next_u64(), "{name}");
        // Generators that are seeded by the operating system erase bytes that were read, and do not expose their
        // buffer.
        #[cfg(feature = "os-random")]
        {
            let mut secret = source.os_seeded(b"").unwrap();
            secret.fill(&mut first).unwrap();
            assert!(secret.ahead().is_empty(), "{name}");
            // HMAC-DRBG reseeds here, so it has no end.
            let end = if name.starts_with("hmac-drbg") { u128::MAX } else { stream.end() };
            assert_eq!(secret.end(), end, "{name}");
        }
    }
}

#[test]
#[should_panic(expected = "nothing lies ahead")]
fn nothing_is_passed_where_nothing_lies_ahead() {
    Tape::new(&[1]).pass(1);
}

/// The key of a stream is sufficient to repeat it. Streams that are seeded by the operating system do not reveal their
/// key.
#[test]
fn a_saved_key_is_the_stream() {
    for source in Source::all() {
        let mut stream = source.seeded(b"seed", b"use").unwrap();
        let mut again = RandomStream::of_key(source, stream.key().unwrap().clone()).unwrap();
        assert_eq!(stream.next_u64(), again.next_u64(), "{source:?}");
        #[cfg(feature = "os-random")]
        assert!(source.os_seeded(b"").unwrap().key().is_none(), "{source:?}");
    }
}

/// Seeking takes constant time for sources with independent blocks, and only for these.
#[test]
fn streams_say_whether_they_go_anywhere() {
    for source in Source::all() {
        let stream = source.seeded(b"seed", b"").unwrap();
        assert_eq!(stream.is_seekable(), ["counter", "blake3"].contains(&&*source.name()), "{source:?}");
    }
}

/// A sampling procedure accepts any source. Its results for all tapes are its exact distribution.
#[test]
fn tapes_enumerate() {
    /// A fair number below 3 from the top two bits of each random number; 3 is rejected.
    fn below_3(words: &mut (impl RandomSource + ?Sized)) -> Result<usize, Error> {
        loop {
            let number = words.next_u64()? >> 62;
            if number < 3 {
                return Ok(number as usize);
            }
        }
    }
    let mut counts = [0; 3];
    let mut unfinished = 0;
    for tape in 0..64_u64 {
        let words = [tape, tape >> 2, tape >> 4].map(|quarter| quarter << 62);
        match below_3(&mut Tape::new(&words)) {
            Ok(number) => counts[number] += 1,
            Err(Error::Exhausted { .. }) => unfinished += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((counts, unfinished), ([21; 3], 1));
    let dynamic: &mut dyn RandomSource = &mut CounterRng::new(&[3; 32]);
    assert!(below_3(dynamic).unwrap() < 3);
}

#[cfg(feature = "rand_core")]
#[test]
fn generators_of_rand_core_are_sources() {
    use hashwell::random::from_rng;
    // For hashwell's own generators, this is the same stream. For others, it consists of their random numbers.
    let (mut ours, mut wrapped) = (CounterRng::new(&[3; 32]), from_rng(CounterRng::new(&[3; 32])));
    let mut wrapped_again = from_rng(from_core(7));
    for len in [1, 7, 8, 9, 40, 3] {
        let (mut a, mut b) = (vec![0; len], vec![0; len]);
        ours.fill(&mut a).unwrap();
        wrapped.fill(&mut b).unwrap();
        assert_eq!(a, b);
    }
    assert_eq!(
        (wrapped_again.next_u64(), wrapped_again.next_u32(), wrapped_again.next_u32()),
        (Ok(8), Ok(0), Ok(9))
    );
    assert!(wrapped_again.stream_position().is_none());

    /// A generator that returns consecutive numbers.
    fn from_core(start: u64) -> impl rand::TryRng<Error = core::convert::Infallible> {
        struct Counting(u64);
        impl rand::TryRng for Counting {
            type Error = core::convert::Infallible;
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                unreachable!("words are of 64 bits")
            }
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                self.0 += 1;
                Ok(self.0)
            }
            fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
                unreachable!("words are of 64 bits")
            }
        }
        Counting(start)
    }
}

#[cfg(feature = "rand_core-0-6")]
#[test]
fn generators_of_the_older_rand_core_are_sources() {
    let mut ours = CounterRng::new(&[3; 32]);
    let mut wrapped = hashwell::random::from_rng_0_6(CounterRng::new(&[3; 32]));
    assert_eq!(wrapped.next_u64(), RandomSource::next_u64(&mut ours));
    assert_eq!(wrapped.next_u32(), RandomSource::next_u32(&mut ours));
}
