//! If the system refuses threads or memory, work for all cores is done on one.

use hashwell::{ALGORITHMS, Params};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// The environment variable that is set in child processes, which run with limits.
const CHILD: &str = "HASHWELL_TEST_LIMITED";

/// A user without any other processes, so that a limit on processes only counts this one's threads.
const NOBODY_ELSE: u32 = 54_321;

/// Hashes with every algorithm on all cores, and compares with the result on one core.
fn agrees() {
    let message: Vec<u8> = (0..2_000_000_u32).map(|i| (i >> 3) as u8).collect();
    for algorithm in ALGORITHMS {
        let mut hasher = algorithm.hasher();
        hasher.update_parallel(&message);
        assert_eq!(hasher.digest(), algorithm.digest(&message), "{}", algorithm.name);
    }
    let sha256 = hashwell::find("sha256").unwrap().many(&Params::default()).unwrap();
    let messages: Vec<&[u8]> = message.chunks(1000).collect();
    let mut out = vec![0; messages.len() * 32];
    sha256.digest_into_parallel(&messages, &mut out).unwrap();
    assert!(out == sha256.digest(&messages));
}

/// The checks in a child process: the limit is effective, and the results are the same.
#[test]
fn child() {
    match std::env::var(CHILD).as_deref() {
        // If the harness cannot start a thread for this test, it runs the test on its first thread.
        Ok("processes") => {
            assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "the limit does not bind");
            agrees();
            // Rayon does not try again, and hashwell must not either.
            agrees();
        }
        Ok(kibibytes) => {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
            let used: u64 = size.trim().trim_end_matches(" kB").parse().unwrap();
            assert!(set(libc::RLIMIT_AS, (used + kibibytes.parse::<u64>().unwrap()) << 10));
            agrees();
        }
        Err(_) => {}
    }
}

/// Runs [`child`] after applying `limit` in its process. Fails if the child hangs.
#[track_caller]
fn limited(how: &str, limit: impl Fn() -> bool + Send + Sync + 'static) {
    // The program is copied to a folder that any user can access.
    let folder = std::env::temp_dir().join(format!("hashwell-threads-{}-{how}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("test");
    // Copy with another process: a program that this process had open for writing could not be started while another
    // thread forks.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new(&program);
    command.args(["--exact", "threads::child", "--nocapture"]).env(CHILD, how);
    // SAFETY: between fork and exec, it only makes system calls.
    unsafe {
        command.pre_exec(move || if limit() { Ok(()) } else { Err(std::io::Error::last_os_error()) });
    }
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(status.is_some_and(|status| status.success()), "{how}: {status:?} (none: it hung)");
}

fn set(resource: libc::__rlimit_resource_t, most: u64) -> bool {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the structure lives until the end of the call.
    unsafe { libc::setrlimit(resource, &limit) == 0 }
}

#[test]
fn without_threads_one_does_the_work() {
    limited("processes", || {
        // The limit does not apply to root.
        // SAFETY: plain system calls.
        let unprivileged = unsafe { libc::geteuid() != 0 || libc::setuid(NOBODY_ELSE) == 0 };
        unprivileged && set(libc::RLIMIT_NPROC, 1)
    });
}

/// Memory limits from too little for any thread to enough for some. The message of [`agrees`] and its digests take 2.1
/// MiB.
#[test]
fn without_memory_for_threads_one_does_the_work() {
    for kibibytes in [3_000, 4_000, 5_000, 6_000, 8_000, 12_000, 20_000, 100_000] {
        limited(&kibibytes.to_string(), || true);
    }
}
