//! An allocator that refuses one allocation of a call, and the result of that call in its process. Each process is a
//! copy (fork) of a child of the test, which may have made the same call before.
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

/// The allocator. While it is watched, it counts allocations and refuses one of them.
struct Refusing;

static WATCHED: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(u64::MAX);
/// The number of bytes that are allocated.
static HELD: AtomicI64 = AtomicI64::new(0);

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// True if this is a copy, whose first thread is that of the test.
static COPY: AtomicBool = AtomicBool::new(false);

/// Returns true if this thread's allocations are counted. The first thread of a process that was not forked is
/// excluded, because the test harness waits on it and may allocate at any time.
fn counts() -> bool {
    // SAFETY: plain system calls that access no memory of the process.
    let is_first = || unsafe { libc::gettid() == libc::getpid() };
    WATCHED.load(Ordering::SeqCst) && (COPY.load(Ordering::SeqCst) || !is_first())
}

// SAFETY: allocations that are not refused are passed to the system's allocator, and a null pointer is how an allocator
// refuses. The sizes are counted in atomics, which do not allocate.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let counts = counts();
        if counts && ASKED.fetch_add(1, Ordering::SeqCst) == REFUSED.load(Ordering::SeqCst) {
            return std::ptr::null_mut();
        }
        // SAFETY: the layout has a size, as this function requires as well.
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
        // SAFETY: all memory comes from the system's allocator, with this layout.
        unsafe { System.dealloc(place, layout) }
    }
}

/// The result of a call: a number computed from all bytes of its output, or an error.
pub type Answer = Result<u64, Wrong>;

/// A call that keeps no objects.
pub type Call = fn() -> Answer;

/// An error that reports a lack of memory, or any other error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    Memory,
    Other,
}

/// Converts any crate's error by the name of its variant, without allocating.
impl<E: std::error::Error> From<E> for Wrong {
    fn from(error: E) -> Self {
        struct Start(bool);
        impl Write for Start {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                // The failure of an engine has its own text.
                self.0 |= text.contains("Memory") || text.contains("memory");
                Ok(())
            }
        }
        let mut start = Start(false);
        write!(start, "{error:?}").unwrap();
        if start.0 {
            return Wrong::Memory;
        }
        // This does not allocate; the message is displayed if the test fails.
        eprintln!("{error:?}");
        Wrong::Other
    }
}

/// True if a step of the call was refused and repeated.
static AGAIN: AtomicBool = AtomicBool::new(false);

/// Performs a step on an object that is kept. If there was no memory for it, the step is repeated on the same object,
/// which must be unchanged.
///
/// # Errors
/// Returns the error of the repeated step.
#[allow(dead_code)] // not all crates have tests that keep objects
pub fn again<T, E: std::error::Error>(mut step: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    again_after(&mut (), |()| step(), |()| ())
}

/// Same as [`again`], but checks the object before the step is repeated.
///
/// # Errors
/// Returns the error of the repeated step.
#[allow(dead_code)] // not all crates have tests that keep objects
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

/// Hashes all bytes to a number (FNV-1a), without allocating.
pub fn number(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Hashes numbers in the same way.
pub fn number_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    number(numbers.into_iter().flat_map(u64::to_be_bytes))
}

/// The number of threads in this process, determined without allocating.
fn threads() -> Option<usize> {
    let mut status = [0; 4096];
    let len = File::open("/proc/self/status").ok()?.read(&mut status).ok()?;
    let (_, count) = std::str::from_utf8(&status[..len]).ok()?.split_once("\nThreads:\t")?;
    count.split('\n').next()?.parse().ok()
}

/// Makes a call once, so that everything that stays allocated after a process's first call already exists. Then waits
/// for the threads that the call started to end, because a thread frees its memory when it ends. The threads of a pool
/// remain.
fn warm_up(call: Call) {
    /// If no thread ends for this long, the remaining ones are assumed to be those of a pool.
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
    // A thread that has waited on a channel once keeps 48 bytes for the next time. It is random whether the call waits.
    let (sender, receiver) = std::sync::mpsc::channel();
    let late = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(2));
        sender.send(())
    });
    receiver.recv().expect("it is sent");
    late.join().expect("no panic").expect("it was received");
}

/// The maximum time until memory is freed.
const GIVEN_BACK: Duration = Duration::from_secs(5);

/// The task of a child: a call, whether it is the first one or a later one of the process, and which of its allocations
/// are refused.
const CALL: &str = "HASHWELL_TEST_ALLOCATIONS";

/// The message of a child in which the calls are made directly, because forked copies lack the threads that the first
/// call started.
const LEFT_BEHIND: &str = "threads are left behind";

/// Returns true if every allocation of a call is refused, instead of a limited number that is evenly distributed.
pub fn all_are_refused() -> bool {
    std::env::var_os("SLOW").is_some_and(|slow| slow == "1")
}

/// The maximum number of allocations that are refused in a call.
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

/// Marks the last line, for the call in which nothing was refused.
const ALL: &str = "all";

/// Marks the result of a call that ended the process. The number of refused bytes follows.
const ENDED: &str = "an end: ";

/// The indices of the allocations to refuse.
fn spread(asked: u64) -> impl Iterator<Item = u64> {
    let tried = asked.min(most());
    (0..tried).map(move |i| (u128::from(i) * u128::from(asked) / u128::from(tried)) as u64)
}

/// Makes the call with one allocation refused. Returns the number of allocations and the result.
fn refuse(call: Call, phase: &str, refused: u64) -> String {
    // A process that hangs is ended by a signal, which is not an accepted result.
    // SAFETY: a plain system call.
    unsafe { libc::alarm(120) };
    REFUSED.store(refused, Ordering::SeqCst);
    WATCHED.store(true, Ordering::SeqCst);
    let got = call();
    // Memory that the first call of a process keeps is not checked. A thread frees its memory when it ends.
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
    // Memory that the process keeps is allocated by its first call.
    assert!(phase == "first" || held == 0, "{held} bytes are held");
    format!("{asked}|{came}")
}

/// The output of a forked copy of this process that does the work, or how it ended and its output until then.
fn in_copy(work: impl FnOnce() -> String) -> Result<String, (ExitStatus, String)> {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    // SAFETY: the copy has only this thread. It makes a call, writes the result, and ends without returning to the
    // harness.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no copy: {}", std::io::Error::last_os_error());
    if child == 0 {
        COPY.store(true, Ordering::SeqCst);
        // SAFETY: both descriptors are open. Messages of panics and allocators go to the pipe from here on.
        unsafe { libc::dup2(writer.as_raw_fd(), 2) };
        // A panic has already printed its message.
        let came = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let wrote =
            came.map(|came| std::io::Write::write_all(&mut { writer }, format!("\n{came}").as_bytes()));
        // SAFETY: there is no other thread in the copy. `exit` lets a coverage measurement write its data.
        unsafe { libc::exit(if matches!(wrote, Ok(Ok(()))) { 0 } else { 101 }) };
    }
    drop(writer);
    let mut said = Vec::new();
    reader.read_to_end(&mut said).expect("the pipe can be read");
    let mut status = 0;
    // SAFETY: this is a child of this process, and no other code waits for it.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    let (status, said) = (ExitStatus::from_raw(status), String::from_utf8_lossy(&said).into_owned());
    match said.rsplit_once('\n') {
        Some((_, came)) if status.success() => Ok(came.to_owned()),
        _ => Err((status, said)),
    }
}

/// If the standard library ended the process because an allocation failed, the size of that allocation in bytes.
fn ended(status: ExitStatus, said: &str) -> Option<u64> {
    let (_, bytes) = said.rsplit_once("memory allocation of ")?;
    let bytes = bytes.split(' ').next()?.parse().ok()?;
    (status.signal() == Some(libc::SIGABRT)).then_some(bytes)
}

/// The lines of a child, split into the number of allocations and the result of the call.
fn lines(name: &str, phase: &str, refused: &str) -> Vec<Vec<String>> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CALL, format!("{name}|{phase}|{refused}"));
    // Resolving the names of a backtrace would take a hundred times as long as everything else.
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

/// The number of allocations, and the result of the call.
fn outcome(name: &str, phase: &str, refused: u64) -> (u64, String) {
    let lines = lines(name, phase, &refused.to_string());
    let [asked, came] = &lines.first().expect("the child's line")[..] else { panic!("two parts: {lines:?}") };
    (asked.parse().unwrap(), came.clone())
}

/// Checks that calls do not allocate, in a process that has made them before.
#[allow(dead_code)] // not all crates use it
pub fn ask_for_none(calls: &[(&str, Call)]) {
    for (name, _) in calls {
        assert_eq!(outcome(name, "again", u64::MAX), (0, "the answer".to_owned()), "{name}");
    }
}

/// The results of all refusals of a call, both in a process that has made it before and in one that has not.
#[derive(Default, Debug)]
pub struct Outcomes {
    pub ends: usize,
    /// The size in bytes of the largest allocation whose failure ended the process.
    pub longest_end: u64,
    pub errors: usize,
    pub answers: usize,
    /// The number of results from objects of which a step was refused and repeated.
    pub again: usize,
}

/// The sums over all calls of this test program.
static SUMS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

/// Refuses each allocation of each call. In long calls, only a limited number is refused, evenly distributed, unless
/// SLOW=1.
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
