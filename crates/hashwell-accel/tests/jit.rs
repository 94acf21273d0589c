//! JIT-compiled code: it is correct, limited in size, shared, and replaced by the loop if the system refuses it.
#![cfg(feature = "jit")]

mod model;
#[cfg(target_os = "linux")]
#[path = "model/skipped.rs"]
#[allow(unreachable_pub)]
mod skipped;

use hashwell_accel::family::{
    CODE_CACHE_LIMIT, Implementation, JitEngine, Prepared, Rotations, Sha256Family, code_cache,
};
use model::{Random, model_digest};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The cache is shared by the process, so tests that check it run one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A member that no other test uses.
fn member(seed: u64, rounds: usize) -> Sha256Family {
    let mut random = Random(seed);
    let constants: Vec<u32> = (0..rounds).map(|_| random.word()).collect();
    let mut three = || [0; 3].map(|_| random.word() % 32);
    let rotations =
        Rotations { big_sigma_0: three(), big_sigma_1: three(), sigma_0: three(), sigma_1: three() };
    Sha256Family::new(rounds, &constants, rotations, [7; 8]).unwrap()
}

fn code(member: &Sha256Family) -> Prepared {
    let prepared = member.on(Implementation::Jit).unwrap();
    assert!(prepared.compiled().unwrap().bytes > 0 && !prepared.compiled().unwrap().time.is_zero());
    prepared
}

#[test]
fn the_engine_keeps_the_contract() {
    let _alone = alone();
    let checked = hashwell::engine::check(&JitEngine).unwrap();
    assert_eq!(checked.rows, 2, "{checked:?}");
    let keyed = hashwell::find("blake2b-512").unwrap().many(&hashwell::Params::default()).unwrap();
    assert!(keyed.on(&JitEngine).is_err());
}

#[test]
fn the_cache_is_bounded_and_used_code_stays() {
    let _alone = alone();
    let first = member(100, 20);
    let held = code(&first);
    let before = code_cache().alive;
    // The same member again, and one that differs only in its initial value, share their code.
    let initial = Sha256Family::new(20, first.constants(), *first.rotations(), [8; 8]).unwrap();
    let (again, other) = (code(&first), code(&initial));
    assert_eq!(code_cache().alive, before);
    assert_ne!(again.digest(b""), other.digest(b""));
    drop((again, other));
    // Twice as many members as fit into the cache.
    for seed in 0..2 * CODE_CACHE_LIMIT as u64 {
        let member = member(1000 + seed, 17);
        assert_eq!(code(&member).digest(b"abc"), model_digest(&member, b"abc"));
        let cache = code_cache();
        assert!(cache.programs <= CODE_CACHE_LIMIT && cache.bytes > 0, "{cache:?}");
    }
    // The first member's code is no longer in the cache, but exists as long as it is in use. Then it is freed.
    let cache = code_cache();
    assert_eq!((cache.programs, cache.alive), (CODE_CACHE_LIMIT, CODE_CACHE_LIMIT + 1));
    let mut hasher = held.hasher();
    drop(held);
    hasher.update(&[1; 200]);
    assert_eq!(hasher.digest(), model_digest(&first, &[1; 200]));
    drop(hasher);
    assert_eq!(code_cache().alive, CODE_CACHE_LIMIT);
}

/// The member that was used last is evicted last.
#[test]
fn what_is_used_again_stays_in_the_cache() {
    let _alone = alone();
    let favourite = member(200, 18);
    drop(code(&favourite));
    for seed in 0..CODE_CACHE_LIMIT as u64 + 3 {
        drop(code(&member(2000 + seed, 18)));
        let alive = code_cache().alive;
        drop(code(&favourite));
        assert_eq!(code_cache().alive, alive, "it was made again");
    }
}

#[test]
fn threads_share_what_one_of_them_makes() {
    let _alone = alone();
    let members: Vec<Sha256Family> = (0..4).map(|seed| member(300 + seed, 33)).collect();
    let before = code_cache().alive;
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let members = &members;
            scope.spawn(move || {
                for turn in 0..50 {
                    let member = &members[(thread + turn) % members.len()];
                    let message = vec![thread as u8; 3 * turn];
                    assert_eq!(code(member).digest(&message), model_digest(member, &message));
                }
            });
        }
    });
    let cache = code_cache();
    assert!(cache.alive <= CODE_CACHE_LIMIT && cache.alive <= before + members.len(), "{cache:?}");
}

/// No page of this process may be both writable and executable.
#[cfg(target_os = "linux")]
#[test]
fn no_memory_is_writable_and_executable() {
    let _alone = alone();
    let _code = code(&member(400, 64));
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let both: Vec<&str> =
        maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|p| p.contains("wx"))).collect();
    assert_eq!(both, Vec::<&str>::new());
}

/// Sets what systemd's MemoryDenyWriteExecute requests of the kernel, in a separate process.
#[cfg(target_os = "linux")]
#[test]
fn a_system_that_refuses_gets_the_loop() {
    const CHILD: &str = "HASHWELL_TEST_REFUSED";
    if std::env::var_os(CHILD).is_none() {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "a_system_that_refuses_gets_the_loop", "--nocapture"]).env(CHILD, "1");
        let out = child.output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        if String::from_utf8_lossy(&out.stderr).contains("no such request") {
            skipped::skipped("refused executable memory", "this kernel has no PR_SET_MDWE");
        }
        return;
    }
    const PR_SET_MDWE: libc::c_int = 65;
    // SAFETY: a request with five numbers about this process, which accesses no memory.
    if unsafe { libc::prctl(PR_SET_MDWE, 1_u64, 0_u64, 0_u64, 0_u64) } != 0 {
        eprintln!("no such request");
        return;
    }
    let member = member(500, 90);
    let before = code_cache();
    let prepared = member.compile();
    assert_eq!((prepared.implementation(), prepared.compiled()), (Implementation::Soft, None));
    assert_eq!(prepared.digest(b"abc"), model_digest(&member, b"abc"));
    let reason = prepared.refusal().unwrap();
    assert!(!reason.is_empty() && !reason.contains('\n'), "{reason}");
    let error = member.on(Implementation::Jit).unwrap_err().to_string();
    assert_eq!(error, format!("the implementation jit cannot run this function: {reason}"));
    assert!(!member.implementations().contains(&Implementation::Jit));
    assert_eq!(code_cache(), before);
    let sha256 = hashwell::find("sha256").unwrap().many(&hashwell::Params::default()).unwrap();
    assert!(sha256.on(&JitEngine).is_err());
}
