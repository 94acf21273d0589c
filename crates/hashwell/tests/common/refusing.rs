//! An allocator that refuses one allocation of a call, in a child process that makes the call, and what comes of it.
#![allow(unreachable_pub)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
        let counts = counts();
        if counts && ASKED.fetch_add(1, Ordering::SeqCst) == REFUSED.load(Ordering::SeqCst) {
            return std::ptr::null_mut();
        }
        // SAFETY: the layout has a size, as this function demands too.
        let place = unsafe { System.alloc(layout) };
        if counts && !place.is_null() {
            HELD.fetch_add(layout.size() as i64, Ordering::SeqCst);
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if counts() {
            HELD.fetch_sub(layout.size() as i64, Ordering::SeqCst);
        }
        // SAFETY: the place came from the system's allocator, since all places do, with this layout.
        unsafe { System.dealloc(place, layout) }
    }
}

/// What a call gives: a number that is made of all bytes of its answer, or what went wrong.
pub type Answer = Result<u64, Wrong>;

/// A call that keeps nothing.
pub type Call = fn() -> Answer;

/// Whether an error says that there was no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    Memory,
    Other,
}

/// Of any crate's error, by the name of its variant, without memory.
impl<E: std::error::Error> From<E> for Wrong {
    fn from(error: E) -> Self {
        struct Start(bool);
        impl Write for Start {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                // An engine's failure has words of its own.
                self.0 |= text.contains("Memory") || text.contains("memory");
                Ok(())
            }
        }
        let mut start = Start(false);
        write!(start, "{error:?}").unwrap();
        if start.0 { Wrong::Memory } else { Wrong::Other }
    }
}

/// Whether a step of the call was refused and made again.
static AGAIN: AtomicBool = AtomicBool::new(false);

/// A step on an object that is kept: if there was no memory for it, it is made once more, on the same object, which is to be
/// as it was before.
///
/// # Errors
/// As the step made again.
#[allow(dead_code)] // not all crates' tests keep objects
pub fn again<T, E: std::error::Error>(mut step: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    again_after(&mut (), |()| step(), |()| ())
}

/// The same, with a look at the object in between.
///
/// # Errors
/// As the step made again.
#[allow(dead_code)] // the same
pub fn again_after<O, T, E: std::error::Error>(
    object: &mut O,
    mut step: impl FnMut(&mut O) -> Result<T, E>,
    look: impl FnOnce(&mut O),
) -> Result<T, E> {
    match step(object) {
        Err(error) if Wrong::from(&error) == Wrong::Memory => {
            AGAIN.store(true, Ordering::SeqCst);
            look(object);
            step(object)
        }
        done => done,
    }
}

/// All bytes as a number (FNV-1a), for which no memory is needed.
pub fn number(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The same of numbers.
pub fn number_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    number(numbers.into_iter().flat_map(u64::to_be_bytes))
}

/// How many threads this process has; asks for no memory.
fn threads() -> Option<usize> {
    let mut status = [0; 4096];
    let len = File::open("/proc/self/status").ok()?.read(&mut status).ok()?;
    let (_, count) = std::str::from_utf8(&status[..len]).ok()?.split_once("\nThreads:\t")?;
    count.split('\n').next()?.parse().ok()
}

/// Makes a call for what a process keeps from its first one, and waits for the threads that it started: one that has done its
/// work gives its own memory back when it ends. Those of a pool stay.
fn warm_up(call: Call) {
    /// How long no thread ends until those that are left are taken for a pool's.
    const SETTLED: Duration = Duration::from_millis(250);
    let before = threads();
    let _ = call();
    let (mut left, mut since) = (threads(), Instant::now());
    while left > before && since.elapsed() < SETTLED {
        std::thread::sleep(Duration::from_millis(1));
        let now = threads();
        if now != left {
            (left, since) = (now, Instant::now());
        }
    }
    // A thread that has once waited at a channel keeps 48 bytes for the next time; whether the call waits is chance.
    let (sender, receiver) = std::sync::mpsc::channel();
    let late = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(2));
        sender.send(())
    });
    receiver.recv().expect("it is sent");
    late.join().expect("no panic").expect("it was received");
}

/// How long memory may take to be given back.
const GIVEN_BACK: Duration = Duration::from_secs(5);

/// What a child does: a call with one allocation refused, the first of the process or a later one.
const CALL: &str = "HASHWELL_TEST_ALLOCATIONS";

/// The body of the test `child`.
pub fn child(calls: &[&[(&str, Call)]]) {
    let Ok(what) = std::env::var(CALL) else { return };
    // Who hangs is ended by a signal, which is no outcome that counts.
    // SAFETY: a plain system call.
    unsafe { libc::alarm(120) };
    let [name, phase, refused] = what.split('|').collect::<Vec<_>>().try_into().expect("three parts");
    let call = calls.iter().copied().flatten().find(|(own, _)| *own == name);
    let call = call.unwrap_or_else(|| panic!("no call {name}")).1;
    if phase == "again" {
        warm_up(call);
    }
    REFUSED.store(refused.parse().unwrap(), Ordering::SeqCst);
    WATCHED.store(true, Ordering::SeqCst);
    let got = call();
    // What the first call of a process leaves behind is not looked at. A thread that has done its work gives its own memory
    // back when it ends.
    let since = Instant::now();
    while phase != "first" && HELD.load(Ordering::SeqCst) != 0 && since.elapsed() < GIVEN_BACK {
        std::thread::sleep(Duration::from_millis(1));
    }
    WATCHED.store(false, Ordering::SeqCst);
    let held = HELD.load(Ordering::SeqCst);
    let expected = call();
    let asked = ASKED.load(Ordering::SeqCst);
    let came = match (got == expected, AGAIN.load(Ordering::SeqCst)) {
        (true, false) => "the answer",
        (true, true) => "the answer at the second try",
        (false, _) => "an error",
    };
    assert!(expected.is_ok(), "{expected:?}");
    assert!(got == expected || got == Err(Wrong::Memory), "{got:?} and not {expected:?}");
    // What the process keeps is made by its first call.
    assert!(phase == "first" || held == 0, "{held} bytes are held");
    println!("\n{CALL}|{asked}|{came}");
}

/// How many allocations there were, and what came of the call, or the line with which the process was
/// ended by the refusal.
pub fn outcome(name: &str, phase: &str, refused: u64) -> Result<(u64, String), String> {
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

/// What came of all refusals of a call, in a process that has made it before and in one that has not.
#[derive(Default, Debug)]
pub struct Outcomes {
    pub ends: usize,
    pub errors: usize,
    pub answers: usize,
    /// Answers of objects of which a step was refused, and made again.
    pub again: usize,
}

/// Refuses each allocation of each call, of long calls only so many of them, spread over all; all of them where SLOW=1.
pub fn refuse_each(calls: &[(&'static str, Call)]) -> BTreeMap<&'static str, Outcomes> {
    let most = if std::env::var_os("SLOW").is_some_and(|slow| slow == "1") { u64::MAX } else { 60 };
    let mut all = BTreeMap::new();
    for &(name, _) in calls {
        let mut outcomes = Outcomes::default();
        for phase in ["first", "again"] {
            let (asked, _) = outcome(name, phase, u64::MAX).expect("nothing is refused");
            for refused in (0..asked.min(most)).map(|i| i * asked / asked.min(most)) {
                match outcome(name, phase, refused) {
                    Err(_) => outcomes.ends += 1,
                    Ok((_, came)) if came == "an error" => outcomes.errors += 1,
                    Ok((_, came)) if came.ends_with("second try") => outcomes.again += 1,
                    Ok(_) => outcomes.answers += 1,
                }
            }
        }
        println!("{name}: {outcomes:?}");
        all.insert(name, outcomes);
    }
    all
}
