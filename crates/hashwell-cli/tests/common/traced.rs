//! Runs a program of which one system call fails, whoever makes it: its own code, a library, the standard library.
//!
//! By ptrace(2), which sees every call; a preloaded library would see those that go through the C library only. One thread
//! must start and follow a program, and only one program at a time. Programs that it starts are followed, too.
#![allow(dead_code, unreachable_pub)] // each test file uses its part

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not made, and gives this error.
    Error(i32),
    /// The call gives this error, on a system that never has the call: other calls can still fail.
    Unsupported(i32),
    /// Of as many bytes as it asks for, it gets or writes one.
    Short,
    /// It asks for what it cannot get, and is told so: of `brk`, which has no errors, and gives what it has.
    Refused,
    /// It is not made, and the whole process is killed; of several, the first.
    Killed,
}

/// A system call: its number and its first arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub number: i64,
    pub arguments: [u64; 3],
}

/// What a program did.
pub struct Traced {
    pub status: ExitStatus,
    /// Calls from the beginning of Rust's `main` on, in the order in which they were made, those of all threads; and what
    /// a process that it starts does before it is another program, and then from the beginning of its `main` on.
    pub calls: Vec<Call>,
    /// The one that failed.
    pub failed: Option<Call>,
    /// Whether it, or what it had started, had not ended by itself in time.
    pub hung: bool,
}

const OPTIONS: i32 = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_EXITKILL;

/// Runs a command that fails at the first call that `choose` gives a fault for; it sees the calls of [`Traced::calls`].
///
/// # Errors
/// Where the system lets nobody trace. What does not end within `limit` is killed.
pub fn run(
    command: &mut Command,
    limit: Duration,
    mut choose: impl FnMut(usize, &Call) -> Option<Fault>,
) -> io::Result<Traced> {
    // SAFETY: between fork and exec it makes one system call.
    unsafe {
        command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
    let mut child = command.spawn()?;
    let pid = child.id().cast_signed();
    let (done, is_done) = mpsc::channel::<()>();
    let processes = Arc::new(Mutex::new(HashMap::from([(pid, 0)])));
    let all = processes.clone();
    let watch = std::thread::spawn(move || {
        let hung = is_done.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        for process in all.lock().expect("nobody panics").keys().filter(|_| hung) {
            // SAFETY: sends a signal to a process that nobody has waited for to its end yet.
            unsafe { libc::kill(*process, libc::SIGKILL) };
        }
        hung
    });
    let traced = follow(&mut child, pid, &processes, &mut choose);
    drop(done);
    let hung = watch.join().expect("it only waits");
    traced.map(|traced| Traced { hung, ..traced })
}

/// The process of a thread.
fn process_of(thread: i32) -> i32 {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or(thread)
}

/// `processes` are those that run, with how many signal stacks each has set.
fn follow(
    child: &mut Child,
    pid: i32,
    processes: &Mutex<HashMap<i32, usize>>,
    choose: &mut dyn FnMut(usize, &Call) -> Option<Fault>,
) -> io::Result<Traced> {
    /// Rust's start asks for the stack of signal handlers and then sets one; `main` follows. What a program has got to
    /// have before that, without which it aborts, is not its own.
    const STACKS: usize = 2;
    let processes = || processes.lock().expect("nobody panics");
    let (mut calls, mut failed, mut ended) = (Vec::new(), None, None);
    let mut tracing = false;
    let mut inside: HashSet<i32> = HashSet::new();
    // Whose call was changed, and what its registers were.
    let mut changed = None;
    let mut seen: HashMap<i32, i32> = HashMap::from([(pid, pid)]);
    loop {
        let mut status = 0;
        // Only what this thread traces.
        // SAFETY: it writes one number.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if thread < 0 {
            let error = io::Error::last_os_error();
            // What is left of it is this object; the process is gone, and all that it has started.
            let _ = child.try_wait();
            return match ended {
                Some(status) if error.raw_os_error() == Some(libc::ECHILD) => {
                    Ok(Traced { status, calls, failed, hung: false })
                }
                _ => Err(error),
            };
        }
        if !libc::WIFSTOPPED(status) {
            processes().remove(&thread);
            if thread == pid {
                ended = Some(std::os::unix::process::ExitStatusExt::from_raw(status));
            }
            continue;
        }
        if !tracing {
            // The stop after exec.
            request(libc::PTRACE_SETOPTIONS, thread, 0, OPTIONS.cast_unsigned().into())?;
            tracing = true;
        }
        let is_new = !seen.contains_key(&thread);
        let process = *seen.entry(thread).or_insert_with(|| process_of(thread));
        // What is not this program yet makes the calls that start it.
        processes().entry(process).or_insert(STACKS);
        let signal = libc::WSTOPSIG(status);
        let mut deliver = 0;
        if signal == libc::SIGTRAP | 0x80 {
            // The first stop of a call is at its beginning, the second at its end.
            if !inside.remove(&thread) {
                inside.insert(thread);
                // A thread that was killed where it stood tells so at its end.
                let Some(mut registers) = registers(thread)? else { continue };
                let call = Call {
                    number: registers.orig_rax.cast_signed(),
                    arguments: [registers.rdi, registers.rsi, registers.rdx],
                };
                let mut running = processes();
                let stacks = running.get_mut(&process).expect("it was counted");
                *stacks += usize::from(call.number == libc::SYS_sigaltstack);
                if *stacks >= STACKS {
                    if failed.is_none()
                        && let Some(fault) = choose(calls.len(), &call)
                    {
                        if !matches!(fault, Fault::Unsupported(_)) {
                            failed = Some(call);
                        }
                        let before = registers;
                        inject(fault, pid, thread, &mut registers)?;
                        changed = Some((thread, before));
                    }
                    calls.push(call);
                }
            } else if changed.as_ref().is_some_and(|(whose, _)| *whose == thread) {
                // Its caller goes by the arguments' registers still being what they were.
                if let (Some((_, before)), Some(mut now)) = (changed.take(), registers(thread)?) {
                    (now.rdi, now.rsi, now.rdx) = (before.rdi, before.rsi, before.rdx);
                    set(thread, &now)?;
                }
            }
        } else if status >> 8 == libc::SIGTRAP | libc::PTRACE_EVENT_EXEC << 8 {
            processes().insert(process, 0);
        } else if signal != libc::SIGTRAP && (signal != libc::SIGSTOP || !is_new) {
            // Not one of tracing's own stops, nor that in which a new thread begins.
            deliver = signal;
        }
        // As above, of a thread that was killed.
        let _ = request(libc::PTRACE_SYSCALL, thread, 0, deliver.cast_unsigned().into());
    }
}

fn request(what: libc::c_uint, thread: i32, address: u64, data: u64) -> io::Result<()> {
    // SAFETY: these requests take numbers, not addresses of ours.
    match unsafe { libc::ptrace(what, thread, address, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Lets the call that a thread is about to make fail.
fn inject(fault: Fault, pid: i32, thread: i32, registers: &mut libc::user_regs_struct) -> io::Result<()> {
    match fault {
        Fault::Error(error) | Fault::Unsupported(error) => {
            // No call has this number, so that none is made, and the result stands.
            registers.orig_rax = u64::MAX;
            registers.rax = i64::from(-error).cast_unsigned();
        }
        Fault::Short => {
            let is_second = registers.orig_rax.cast_signed() == libc::SYS_getrandom;
            let count = if is_second { &mut registers.rsi } else { &mut registers.rdx };
            *count = (*count).min(1);
        }
        Fault::Refused => registers.rdi = 0,
        Fault::Killed => {
            // SAFETY: sends a signal to a process that is there until its end is waited for.
            return match unsafe { libc::kill(pid, libc::SIGKILL) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            };
        }
    }
    set(thread, registers)
}

fn set(thread: i32, registers: &libc::user_regs_struct) -> io::Result<()> {
    // SAFETY: it reads one set of registers.
    match unsafe { libc::ptrace(libc::PTRACE_SETREGS, thread, 0, &raw const *registers) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The registers of a thread that stands still; none of one that was killed meanwhile.
fn registers(thread: i32) -> io::Result<Option<libc::user_regs_struct>> {
    // SAFETY: all zeros are a set of registers.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    // SAFETY: it writes one set of registers.
    if unsafe { libc::ptrace(libc::PTRACE_GETREGS, thread, 0, &raw mut registers) } == 0 {
        return Ok(Some(registers));
    }
    let error = io::Error::last_os_error();
    if error.raw_os_error() == Some(libc::ESRCH) { Ok(None) } else { Err(error) }
}
