//! An allocator that refuses one allocation of a call, in a process that makes the call, and what comes of it. Each process is
//! a copy (fork) of a child of the test's, which has made the call before or has not.
#![allow(unreachable_pub)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
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

/// Whether this is a copy, whose first thread is the test's.
static COPY: AtomicBool = AtomicBool::new(false);

/// Not on the first thread of a process that was started, on which the harness waits for the test, and makes memory when it
/// likes.
fn counts() -> bool {
    // SAFETY: plain system calls, which touch no memory of the process.
    let is_first = || unsafe { libc::gettid() == libc::getpid() };
    WATCHED.load(Ordering::SeqCst) && (COPY.load(Ordering::SeqCst) || !is_first())
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
        if start.0 {
            return Wrong::Memory;
        }
        // Without memory; it is shown where the test fails.
        eprintln!("{error:?}");
        Wrong::Other
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

/// What a child does: a call, the first of the process or a later one, and which of its allocations are refused.
const CALL: &str = "HASHWELL_TEST_ALLOCATIONS";

/// Of a child that the calls are made in, since copies lack the threads that the first call left behind.
const LEFT_BEHIND: &str = "threads are left behind";

/// Whether each allocation of a call is refused, and not only so many of them, spread over all.
pub fn all_are_refused() -> bool {
    std::env::var_os("SLOW").is_some_and(|slow| slow == "1")
}

/// The most allocations of a call that are refused.
fn most() -> u64 {
    if all_are_refused() { u64::MAX } else { 60 }
}

/// The body of the test `child`.
pub fn child(calls: &[&[(&str, Call)]]) {
    let Ok(what) = std::env::var(CALL) else { return };
    let [name, phase, refused] = what.split('|').collect::<Vec<_>>().try_into().expect("three parts");
    let mut own = calls.iter().copied().flatten().filter(|(own, _)| *own == name);
    let call = own.next().unwrap_or_else(|| panic!("no call {name}")).1;
    assert!(own.next().is_none(), "two calls {name}");
    let before = threads();
    if phase == "again" {
        warm_up(call);
    }
    if let Ok(refused) = refused.parse() {
        return println!("\n{CALL}|{}", refuse(call, phase, refused));
    }
    if threads() > before {
        return println!("\n{CALL}|{LEFT_BEHIND}");
    }
    let copy = |refused: u64| {
        let came = in_copy(|| refuse(call, phase, refused));
        came.unwrap_or_else(|(status, said)| {
            let bytes = ended(status, &said);
            let bytes =
                bytes.unwrap_or_else(|| panic!("{name}, {phase}, allocation {refused}: {status:?}\n{said}"));
            format!("0|{ENDED}{bytes}")
        })
    };
    let whole = copy(u64::MAX);
    let asked: u64 = whole.split('|').next().and_then(|asked| asked.parse().ok()).expect("a number");
    for refused in spread(asked) {
        println!("\n{CALL}|{}", copy(refused));
    }
    println!("\n{CALL}|{whole}|{ALL}");
}

/// After the line of the call of which nothing was refused, the last.
const ALL: &str = "all";

/// What came of a call that ended the process, before the bytes that it was refused.
const ENDED: &str = "an end: ";

/// Which of so many allocations are refused.
fn spread(asked: u64) -> impl Iterator<Item = u64> {
    let tried = asked.min(most());
    (0..tried).map(move |i| (u128::from(i) * u128::from(asked) / u128::from(tried)) as u64)
}

/// Makes the call with one allocation refused: how many there were, and what came of it.
fn refuse(call: Call, phase: &str, refused: u64) -> String {
    // Who hangs is ended by a signal, which is no outcome that counts.
    // SAFETY: a plain system call.
    unsafe { libc::alarm(120) };
    REFUSED.store(refused, Ordering::SeqCst);
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
    format!("{asked}|{came}")
}

/// What a copy of this process says that does the work, or how it ended and what it had said until then.
fn in_copy(work: impl FnOnce() -> String) -> Result<String, (ExitStatus, String)> {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    // SAFETY: the copy has this thread alone; it makes a call, writes, and ends without what the harness would do after that.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no copy: {}", std::io::Error::last_os_error());
    if child == 0 {
        COPY.store(true, Ordering::SeqCst);
        // SAFETY: both are open; what panics and allocators say goes to the pipe from here on.
        unsafe { libc::dup2(writer.as_raw_fd(), 2) };
        // Who panics has said so, in lines of its own.
        let came = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let wrote =
            came.map(|came| std::io::Write::write_all(&mut { writer }, format!("\n{came}").as_bytes()));
        // SAFETY: nobody else is in the copy; what a measurement of coverage writes at the end is written.
        unsafe { libc::exit(if matches!(wrote, Ok(Ok(()))) { 0 } else { 101 }) };
    }
    drop(writer);
    let mut said = Vec::new();
    reader.read_to_end(&mut said).expect("the pipe can be read");
    let mut status = 0;
    // SAFETY: the child is this process's, and nobody else waits for it.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    let (status, said) = (ExitStatus::from_raw(status), String::from_utf8_lossy(&said).into_owned());
    match said.rsplit_once('\n') {
        Some((_, came)) if status.success() => Ok(came.to_owned()),
        _ => Err((status, said)),
    }
}

/// The bytes for want of which a process was ended by the standard library, if it was.
fn ended(status: ExitStatus, said: &str) -> Option<u64> {
    let (_, bytes) = said.rsplit_once("memory allocation of ")?;
    let bytes = bytes.split(' ').next()?.parse().ok()?;
    (status.signal() == Some(libc::SIGABRT)).then_some(bytes)
}

/// The lines of a child, each of so many parts: how many allocations there were, and what came of the call.
fn lines(name: &str, phase: &str, refused: &str) -> Vec<Vec<String>> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CALL, format!("{name}|{phase}|{refused}"));
    // To find the names of a stack takes a hundred times as long as all else.
    let output = command.env("RUST_BACKTRACE", "0").output().unwrap();
    let [out, errors] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    if let Some(bytes) = ended(output.status, &errors) {
        return vec![vec!["0".to_owned(), format!("{ENDED}{bytes}")]];
    }
    assert!(
        output.status.success(),
        "{name}, {phase}, allocation {refused}: {:?}\n{out}{errors}",
        output.status
    );
    let own = out.lines().filter_map(|line| line.strip_prefix(CALL)?.strip_prefix('|'));
    own.map(|line| line.split('|').map(str::to_owned).collect()).collect()
}

/// How many allocations there were, and what came of the call.
fn outcome(name: &str, phase: &str, refused: u64) -> (u64, String) {
    let lines = lines(name, phase, &refused.to_string());
    let [asked, came] = &lines.first().expect("the child's line")[..] else { panic!("two parts: {lines:?}") };
    (asked.parse().unwrap(), came.clone())
}

/// Looks that calls ask for no memory, in a process that has made them before.
#[allow(dead_code)] // most crates' calls do
pub fn ask_for_none(calls: &[(&str, Call)]) {
    for (name, _) in calls {
        assert_eq!(outcome(name, "again", u64::MAX), (0, "the answer".to_owned()), "{name}");
    }
}

/// What came of all refusals of a call, in a process that has made it before and in one that has not.
#[derive(Default, Debug)]
pub struct Outcomes {
    pub ends: usize,
    /// The most bytes that were refused where the process ended.
    pub longest_end: u64,
    pub errors: usize,
    pub answers: usize,
    /// Answers of objects of which a step was refused, and made again.
    pub again: usize,
}

/// The same of all calls of this test program.
static SUMS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

/// Refuses each allocation of each call, of long calls only so many of them, spread over all; all of them where SLOW=1.
pub fn refuse_each(calls: &[(&'static str, Call)]) -> BTreeMap<&'static str, Outcomes> {
    let mut all = BTreeMap::new();
    for &(name, _) in calls {
        let mut outcomes = Outcomes::default();
        for phase in ["first", "again"] {
            let mut lines = lines(name, phase, "each");
            let last = lines.pop().expect("it says something");
            let came: Vec<String> = if last == [LEFT_BEHIND] {
                let (asked, _) = outcome(name, phase, u64::MAX);
                spread(asked).map(|refused| outcome(name, phase, refused).1).collect()
            } else {
                assert_eq!(&last[1..], ["the answer", ALL], "{name}, {phase}");
                lines.into_iter().map(|mut line| line.pop().expect("two parts")).collect()
            };
            for came in came {
                if let Some(bytes) = came.strip_prefix(ENDED) {
                    outcomes.ends += 1;
                    outcomes.longest_end = outcomes.longest_end.max(bytes.parse().expect("a number"));
                    continue;
                }
                match &*came {
                    "an error" => outcomes.errors += 1,
                    "the answer at the second try" => outcomes.again += 1,
                    "the answer" => outcomes.answers += 1,
                    other => panic!("{name}, {phase}: {other}"),
                }
            }
        }
        println!("{name}: {outcomes:?}");
        let counts = [outcomes.errors, outcomes.again, outcomes.answers, outcomes.ends];
        let mut sums = [0; 4];
        for ((sum, so_far), count) in sums.iter_mut().zip(&SUMS).zip(counts) {
            *sum = so_far.fetch_add(count, Ordering::SeqCst) + count;
        }
        let [errors, again, answers, ends] = sums;
        println!(
            "so far refused {}: {errors} errors, {again} answers at the second try, {answers} answers without, {ends} ends",
            errors + again + answers + ends
        );
        all.insert(name, outcomes);
    }
    all
}
