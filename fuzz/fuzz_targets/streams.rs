//! Streams of every source that are read, sought, jumped and spawned in any order give the same bytes as a
//! single read.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::{CounterRng, Source, RandomSource};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Read(u16),
    /// A number of 4 bytes, of 8 bytes, or of this number of bits.
    U32,
    U64,
    Bits(u8),
    Seek(u32),
    Spawn,
    Jump(u8),
}

#[derive(Arbitrary, Debug)]
struct Case {
    source: u8,
    seed: Vec<u8>,
    personalization: Vec<u8>,
    steps: Vec<Step>,
    key: [u8; 32],
    /// For a generator of words: the lengths of reads, and positions to go to.
    words: Vec<(u8, Option<u64>)>,
}

/// The length in bytes of the part of a stream that is compared.
const WHOLE: usize = 1 << 15;

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fuzz_target!(|case: Case| {
    let sources: Vec<Source> = Source::all().collect();
    let source = sources[usize::from(case.source) % sources.len()];
    assert_eq!(Source::find(&source.name()), Ok(source));
    let mut stream = source.seeded(&case.seed, &case.personalization).unwrap();
    let mut whole = vec![0; WHOLE];
    stream.jumped(0).unwrap().read(&mut whole).unwrap();
    let mut at = 0;
    for step in case.steps {
        let next = &whole[at..];
        match step {
            Step::Read(len) => {
                let mut out = vec![0; usize::from(len).min(next.len())];
                stream.read(&mut out).unwrap();
                assert!(out == next[..out.len()]);
                at += out.len();
            }
            Step::U32 if next.len() >= 4 => {
                assert_eq!(u64::from(stream.next_u32().unwrap()), number(&next[..4]));
                at += 4;
            }
            Step::U64 if next.len() >= 8 => {
                assert_eq!(stream.next_u64().unwrap(), number(&next[..8]));
                at += 8;
            }
            Step::Bits(bits) if next.len() >= 8 => {
                let bits = u32::from(bits) % 64 + 1;
                let len = bits.div_ceil(8) as usize;
                assert_eq!(stream.next_bits(bits).unwrap(), number(&next[..len]) >> (8 * len as u32 - bits));
                at += len;
            }
            Step::Seek(to) => {
                at = to as usize % (WHOLE + 1);
                stream.seek(at as u128).unwrap();
            }
            Step::Spawn => {
                let before = stream.spawned();
                let mut child = stream.spawn().unwrap();
                stream.set_spawned(before);
                let mut again = stream.spawn().unwrap();
                assert_eq!(child.next_u64(), again.next_u64());
            }
            Step::Jump(jumps) => {
                stream = stream.jumped(jumps.into()).unwrap();
                stream.jumped(0).unwrap().read(&mut whole).unwrap();
                at = 0;
            }
            Step::U32 | Step::U64 | Step::Bits(_) => {}
        }
        assert_eq!(stream.position(), at as u128);
    }

    // The words are the bytes of the stream at this position, no matter what was read before.
    let mut words = CounterRng::new(&case.key);
    for (len, to) in case.words {
        let begin = words.position();
        let (mut out, mut again) = (vec![0; usize::from(len)], vec![0; usize::from(len) + 8]);
        if words.try_read(&mut out).is_ok() {
            let mut other = CounterRng::new(&case.key);
            other.seek(begin / 8).unwrap();
            if other.try_read(&mut again).is_ok() {
                let skip = (begin % 8) as usize;
                assert!(out == again[skip..][..out.len()]);
            }
        }
        if let Some(to) = to {
            // The stream has 2^66 words, so the position can be beyond its end.
            let to = u128::from(to) << 3;
            if words.seek(to).is_ok() {
                assert_eq!(words.position(), to * 8);
            }
        }
    }
});
