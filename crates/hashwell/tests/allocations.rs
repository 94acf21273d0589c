//! Each allocation that a public call makes is refused once: the process ends as Rust's own collections end it, and says
//! so, or the call returns the right answer without that memory, or an error after which it gives the right answer. Calls
//! that write into the caller's memory ask for none.
#![cfg(all(target_os = "linux", feature = "std", not(miri)))] // Miri starts no processes

use hashwell::{
    ALGORITHMS, Algorithm, DrbgParams, Error, Hmac, HmacDrbg, Kind, Kmac, KmacVariant, Params, PlainHmac,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// The allocator, with a count of what is asked of it while it is watched, and one refusal.
struct Refusing;

static WATCHED: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(u64::MAX);
/// Bytes made less those given back.
static HELD: AtomicI64 = AtomicI64::new(0);

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Not on the process's first thread, on which the harness waits for the test, and makes memory when it likes.
fn counts() -> bool {
    // SAFETY: plain system calls, which touch no memory of the process.
    WATCHED.load(Ordering::SeqCst) && unsafe { libc::gettid() != libc::getpid() }
}

// SAFETY: what is not refused is the system's answer to the same question, and a null pointer is how an allocator refuses;
// sizes are counted in atomics, which allocate nothing.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if counts() {
            if ASKED.fetch_add(1, Ordering::SeqCst) == REFUSED.load(Ordering::SeqCst) {
                return std::ptr::null_mut();
            }
            HELD.fetch_add(layout.size() as i64, Ordering::SeqCst);
        }
        // SAFETY: the layout has a size, as this function demands too.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if counts() {
            HELD.fetch_sub(layout.size() as i64, Ordering::SeqCst);
        }
        // SAFETY: the place came from the system's allocator, since all places do, with this layout.
        unsafe { System.dealloc(place, layout) }
    }
}

type Call = fn() -> Result<Vec<u8>, Error>;

fn row(name: &str) -> &'static Algorithm {
    hashwell::find(name).expect("the registry has it")
}

const MESSAGES: [&[u8]; 20] = [b"message"; 20];
static LONG: [u8; 300_000] = [7; 300_000];

/// Calls that make memory of their own, and what they give.
const ALLOCATING: &[(&str, Call)] = &[
    ("digest", || Ok(row("sha256").digest(b"abc"))),
    ("hasher", || {
        let mut hasher = row("sha3-256").hasher();
        hasher.update(b"abc");
        Ok(hasher.clone().digest())
    }),
    ("hasher of a tree", || {
        let mut hasher = row("kt128").hasher();
        hasher.update(&LONG);
        Ok(hasher.digest())
    }),
    ("hasher with a key", || {
        let params = Params { key: Some(b"key"), output_len: Some(20), ..Params::default() };
        let mut hasher = row("blake2b-512").build(&params)?;
        hasher.update(b"abc");
        Ok(hasher.digest())
    }),
    #[cfg(feature = "rayon")]
    ("update_parallel", || {
        let mut hasher = row("blake3").hasher();
        hasher.update_parallel(&LONG);
        Ok(hasher.digest())
    }),
    ("reader", || Ok(row("shake128").reader(b"abc")?.read_vec(1000))),
    ("reader of BLAKE3", || {
        let mut reader = row("blake3").reader(b"abc")?;
        reader.seek(1 << 40)?;
        Ok(reader.read_vec(1000))
    }),
    ("hash_many", || Ok(hashwell::hash_many(row("sha256"), MESSAGES))),
    ("xof_many", || hashwell::xof_many(row("shake128"), MESSAGES, 50)),
    ("hmac_many", || hashwell::hmac_many(row("sha256"), &[b"key"], &MESSAGES)),
    ("Many::digest_into", || {
        let mut out = vec![0; 32 * MESSAGES.len()];
        row("sha512-256").many(&Params::default())?.digest_into(&MESSAGES, &mut out)?;
        Ok(out)
    }),
    ("streams", || {
        let mut out = vec![0; 100 * MESSAGES.len()];
        row("shake256").streams(&MESSAGES, &Params::default())?.read(&mut out)?;
        Ok(out)
    }),
    ("pieces", || {
        let pieces = row("blake3").pieces(&Params::default(), LONG.len() as u64)?;
        let mut join = pieces.join();
        for index in 0..pieces.count() {
            let range = pieces.range(index);
            join.push(&pieces.value(index, &LONG[range.start as usize..range.end as usize])?)?;
        }
        join.digest()
    }),
    ("hmac", || hashwell::hmac(row("sha256"), b"key", b"abc")),
    ("Hmac", || {
        let mut hmac = Hmac::new(row("sha512"), &[1; 200])?;
        hmac.update(b"abc");
        Ok(hmac.tag())
    }),
    ("Kmac", || {
        let mut kmac = Kmac::new(KmacVariant::find("kmac128")?, b"key", b"custom");
        kmac.update(b"abc");
        Ok(kmac.tag(50))
    }),
    ("hkdf", || {
        let mut okm = vec![0; 100];
        hashwell::hkdf(row("sha256"), b"key", b"salt", b"info", &mut okm)?;
        Ok(okm)
    }),
    ("HmacDrbg", || {
        let mut drbg = HmacDrbg::new(row("sha256"), &[1; 32], &[2; 16], &DrbgParams::default())?;
        let mut out = vec![0; 100];
        drbg.generate(&mut out, b"")?;
        Ok(out)
    }),
];

/// Calls for the caller's memory; they return nothing that would need any.
const QUIET: &[(&str, Call)] = &[
    ("digest_into", || {
        let mut fixed = ALGORITHMS.iter().filter(|row| row.kind == Kind::Fixed);
        fixed.try_for_each(|row| row.digest_into(&LONG, &mut [0; 64][..row.output]))?;
        Ok(vec![])
    }),
    ("typed digest", || {
        assert_eq!(hashwell::Sha256::digest(b"abc")[0], 0xba);
        Ok(vec![])
    }),
    ("PlainHasher", || {
        let mut hasher = row("sha3-256").plain_hasher(&Params::default())?;
        hasher.update(&LONG);
        hasher.digest_into(&mut [0; 32]).map(|()| vec![])
    }),
    ("PlainHmac", || {
        let mut hmac = PlainHmac::new(row("sha256"), b"key")?;
        hmac.update(b"abc");
        hmac.tag_into(&mut [0; 32]).map(|()| vec![])
    }),
    ("an error", || {
        row("blake2b-512").build(&Params { key: Some(&[0; 65]), ..Params::default() }).map(|_| vec![])
    }),
];

fn call(name: &str) -> Call {
    let all = ALLOCATING.iter().chain(QUIET);
    all.clone().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("no call {name}")).1
}

/// What a child does: a call with one allocation refused, the first of the process or a later one.
const CALL: &str = "HASHWELL_TEST_ALLOCATIONS";

#[test]
fn child() {
    let Ok(what) = std::env::var(CALL) else { return };
    // Who hangs is ended by a signal, which is no outcome that counts.
    // SAFETY: a plain system call.
    unsafe { libc::alarm(60) };
    let [name, phase, refused] = what.split('|').collect::<Vec<_>>().try_into().expect("three parts");
    let call = call(name);
    if phase == "again" {
        let _ = call();
    }
    REFUSED.store(refused.parse().unwrap(), Ordering::SeqCst);
    WATCHED.store(true, Ordering::SeqCst);
    let got = call();
    WATCHED.store(false, Ordering::SeqCst);
    let held = HELD.load(Ordering::SeqCst);
    let expected = call();
    let asked = ASKED.load(Ordering::SeqCst);
    let came = if got == expected { "the answer" } else { "an error" };
    assert!(got == expected || got.is_err(), "{got:?} and not {expected:?}");
    let result = got.as_ref().map_or(0, Vec::capacity) as i64;
    assert!(phase == "first" || held == result, "{held} bytes are held for {result}");
    println!("\n{CALL}|{asked}|{came}");
}

/// How many allocations there were, and what came of the call, or the line with which the process was
/// ended by the refusal.
fn outcome(name: &str, phase: &str, refused: u64) -> Result<(u64, String), String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CALL, format!("{name}|{phase}|{refused}"));
    // To find the names of a stack takes a hundred times as long as all else.
    let output = command.env("RUST_BACKTRACE", "0").output().unwrap();
    let [out, errors] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    if output.status.signal() == Some(libc::SIGABRT) && errors.contains("memory allocation of ") {
        return Err(format!("{name}, {phase}: {errors}"));
    }
    assert!(
        output.status.success(),
        "{name}, {phase}, allocation {refused}: {:?}\n{out}{errors}",
        output.status
    );
    let line = out.lines().find_map(|line| line.strip_prefix(CALL)).expect("the child's line");
    let [_, asked, came] = line.split('|').collect::<Vec<_>>().try_into().expect("three parts");
    Ok((asked.parse().unwrap(), came.to_owned()))
}

#[test]
fn each_allocation_is_refused_once() {
    let mut ended = BTreeSet::new();
    for (name, _) in ALLOCATING {
        for phase in ["first", "again"] {
            let (asked, _) = outcome(name, phase, u64::MAX).expect("nothing is refused");
            let outcomes = (0..asked).map(|refused| outcome(name, phase, refused));
            let ends = outcomes.filter(Result::is_err).count();
            if ends > 0 {
                ended.insert(*name);
            }
            println!("{name}, {phase}: {asked} allocations, {ends} end the process");
        }
    }
    assert!(ended.contains("digest") && ended.contains("hash_many"), "no refusal was felt: {ended:?}");
}

#[test]
fn calls_for_the_callers_memory_ask_for_none() {
    for (name, _) in QUIET {
        let (asked, came) = outcome(name, "again", 0).expect("nothing is asked for");
        assert_eq!((asked, came.as_str()), (0, "the answer"), "{name}");
    }
}
