//! The generator that is seeded by the operating system, and forked processes.

use hashwell::{CounterRng, DrbgParams, DrbgStream, Error, OsDrbg, RandomSource, Source, find};
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

fn generator(params: &DrbgParams<'_>) -> OsDrbg {
    OsDrbg::new(find("sha256").unwrap(), params).unwrap()
}

fn read(drbg: &mut OsDrbg, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    drbg.read(&mut out).unwrap();
    out
}

/// The output of `work` in a child process.
fn in_a_child(work: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let mut pipe = [0; 2];
    // SAFETY: `pipe` points to memory for both descriptors. The child writes to its end and leaves with `_exit`, so
    // that no code of the test runner runs twice.
    unsafe {
        assert_eq!(libc::pipe(pipe.as_mut_ptr()), 0);
        let child = libc::fork();
        assert!(child >= 0, "no child");
        if child == 0 {
            let written = File::from_raw_fd(pipe[1]).write_all(&work());
            libc::_exit(i32::from(written.is_err()));
        }
        libc::close(pipe[1]);
        let mut bytes = Vec::new();
        File::from_raw_fd(pipe[0]).read_to_end(&mut bytes).unwrap();
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
        assert_eq!(status, 0, "the child failed");
        bytes
    }
}

#[test]
fn numbers_do_not_repeat() {
    let mut drbg = generator(&DrbgParams::default());
    // More than two requests.
    let words: HashSet<u64> = (0..300).map(|_| drbg.next_u64().unwrap()).collect();
    assert_eq!(words.len(), 300);
}

/// Streams of every source that are seeded by the operating system: the child gets a different key, and its output does
/// not appear in the parent's later output.
#[test]
fn a_forked_child_has_another_stream() {
    for source in Source::all() {
        let mut stream = source.os_seeded(b"").unwrap();
        let mut next = |len: usize| {
            let mut out = vec![0; len];
            stream.read(&mut out).unwrap();
            out
        };
        let first = next(32);
        let child = in_a_child(|| next(32));
        let parent = [first, next(20_000)].concat();
        assert!(parent.windows(32).all(|bytes| bytes != child), "{}", source.name());
    }
}

/// The output of parent, children and a grandchild differs: immediately, in the middle of a buffered request, and for
/// long reads.
#[test]
fn a_forked_child_does_not_repeat_its_parent() {
    for len in [16, 5000] {
        let mut drbg = generator(&DrbgParams::default());
        read(&mut drbg, 10);
        let first = in_a_child(|| read(&mut drbg, len));
        let second = in_a_child(|| read(&mut drbg, len));
        let third = in_a_child(|| {
            read(&mut drbg, 1);
            in_a_child(|| read(&mut drbg, len))
        });
        let own = read(&mut drbg, len);
        assert_eq!([&first, &second, &third, &own].map(Vec::len), [len; 4]);
        assert_eq!(HashSet::from([first, second, third, own]).len(), 4);
    }
}

/// Control: an explicitly seeded stream is repeated by a child; `fork_stream` avoids this.
#[test]
fn a_seeded_stream_is_repeated_by_a_child() {
    let sha256 = find("sha256").unwrap();
    let mut stream = DrbgStream::from_seed_unchecked(sha256, b"seed", b"", &DrbgParams::default()).unwrap();
    fn take(stream: &mut DrbgStream) -> Vec<u8> {
        let mut out = vec![0; 100];
        stream.read(&mut out).unwrap();
        out
    }
    take(&mut stream);
    let child = in_a_child(|| take(&mut stream));
    let forked = in_a_child(|| take(&mut stream.fork_stream(b"child").unwrap()));
    let parent = take(&mut stream);
    assert_eq!(child, parent);
    assert_ne!(forked, parent);
    let mut words = CounterRng::new(&[1; 32]);
    assert_eq!(in_a_child(|| words.next_word().to_be_bytes().to_vec()), words.next_word().to_be_bytes());
}

#[test]
fn no_two_generators_and_no_two_reads_are_alike() {
    let (mut one, mut other) = (generator(&DrbgParams::default()), generator(&DrbgParams::default()));
    let reads: Vec<Vec<u8>> = (0..200).flat_map(|_| [read(&mut one, 16), read(&mut other, 16)]).collect();
    assert_eq!(reads.iter().collect::<HashSet<_>>().len(), 400);
    for len in [0, 1, 1023, 1024, 65_536, 65_537, 200_000] {
        let (a, b) = (read(&mut one, len), read(&mut one, len));
        assert!(len < 16 || a != b);
        // No part is left unwritten.
        assert!(a.chunks_exact(16).all(|chunk| chunk != [0; 16]), "{len}");
    }
}

/// The number of requests until the next reseed decreases and is reset as specified.
#[test]
fn it_reseeds_on_long_streams() {
    let mut drbg = generator(&DrbgParams { reseed_interval: Some(3), ..DrbgParams::default() });
    let mut left = Vec::new();
    for _ in 0..8 {
        read(&mut drbg, 2000);
        left.push(drbg.drbg().requests_left());
    }
    assert_eq!(left, [2, 1, 0, 2, 1, 0, 2, 1]);
    let mut drbg = generator(&DrbgParams { prediction_resistance: true, ..DrbgParams::default() });
    for _ in 0..3 {
        read(&mut drbg, 2000);
        assert_eq!(drbg.drbg().requests_left(), drbg.drbg().reseed_interval() - 1);
    }
    read(&mut drbg, 10);
    drbg.reseed(b"more").unwrap();
    assert_eq!(drbg.drbg().requests_left(), drbg.drbg().reseed_interval());
}

#[test]
fn a_wiped_one_gives_nothing() {
    let mut drbg = generator(&DrbgParams::default());
    read(&mut drbg, 10);
    drbg.uninstantiate();
    let gone = || Err(Error::NotInstantiated { algorithm: "sha256" });
    assert_eq!(drbg.read(&mut [0; 10]), gone());
    assert_eq!(drbg.read(&mut [0; 2000]), gone());
    assert_eq!(drbg.generate(&mut [0; 10], b""), gone());
    assert_eq!(drbg.reseed(b""), gone());
    assert_eq!(format!("{drbg:?}"), "OsDrbg(sha256)");
}
