//! Runs a program in which one system call fails, whether it is made by the program itself, a library or the standard
//! library.
//!
//! Uses ptrace(2), which sees every call. A preloaded library would only see calls that go through the C library. The
//! same thread must start and trace a program, and it can trace only one at a time. Programs that it starts are traced,
//! too.
#![allow(dead_code, unreachable_pub)] // each test file uses only some of these

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// The fault to inject into a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call is not made, and returns this error.
    Error(i32),
    /// The call returns this error, as on a system that does not support it. Other calls can still fail.
    Unsupported(i32),
    /// The call reads or writes only one of the requested bytes.
    Short,
    /// The request fails. For `brk`, which has no error codes, the call returns the current break.
    Refused,
    /// The call is not made, and the whole process is killed. If there are several processes, the first one is killed.
    Killed,
}

/// A system call: its number and its first arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub number: i64,
    pub arguments: [u64; 3],
}

/// The result of a traced run.
pub struct Traced {
    pub status: ExitStatus,
    /// The calls of all threads from the beginning of Rust's `main`, in order. If the program starts a process, they
    /// include the calls of that process until it executes another program, and then those from the beginning of that
    /// program's `main`.
    pub calls: Vec<Call>,
    /// The call that failed.
    pub failed: Option<Call>,
    /// True if the program, or a process that it started, did not end in time.
    pub hung: bool,
}

const OPTIONS: i32 = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_EXITKILL;

/// Runs a command. The first call for which `choose` returns a fault fails. `choose` gets the calls of
/// [`Traced::calls`].
///
/// # Errors
/// Returns an error if the system does not allow tracing. A program that does not end within `limit` is killed.
pub fn run(
    command: &mut Command,
    limit: Duration,
    mut choose: impl FnMut(usize, &Call) -> Option<Fault>,
) -> io::Result<Traced> {
    // SAFETY: between fork and exec, this makes one system call.
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
            // SAFETY: sends a signal to a process that has not been waited for.
            unsafe { libc::kill(*process, libc::SIGKILL) };
        }
        hung
    });
    let traced = follow(&mut child, pid, &processes, &mut choose);
    drop(done);
    let hung = watch.join().expect("it only waits");
    traced.map(|traced| Traced { hung, ..traced })
}

/// The process that a thread belongs to.
fn process_of(thread: i32) -> i32 {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or(thread)
}

/// `processes` are the running processes, with the number of signal stacks that each has set.
fn follow(
    child: &mut Child,
    pid: i32,
    processes: &Mutex<HashMap<i32, usize>>,
    choose: &mut dyn FnMut(usize, &Call) -> Option<Fault>,
) -> io::Result<Traced> {
    /// Rust's runtime queries and then sets the stack for signal handlers, just before `main`. Calls before that are
    /// not the program's own, and if they fail, the program aborts.
    const STACKS: usize = 2;
    let processes = || processes.lock().expect("nobody panics");
    let (mut calls, mut failed, mut ended) = (Vec::new(), None, None);
    let mut tracing = false;
    let mut inside: HashSet<i32> = HashSet::new();
    // The thread whose call was changed, and its original registers.
    let mut changed = None;
    let mut seen: HashMap<i32, i32> = HashMap::from([(pid, pid)]);
    loop {
        let mut status = 0;
        // `__WNOTHREAD` limits this to processes that this thread traces.
        // SAFETY: this writes one number.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if thread < 0 {
            let error = io::Error::last_os_error();
            // Only this object is left; the process and all processes that it started have ended.
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
            // This is the stop after exec.
            request(libc::PTRACE_SETOPTIONS, thread, 0, OPTIONS.cast_unsigned().into())?;
            tracing = true;
        }
        let is_new = !seen.contains_key(&thread);
        let process = *seen.entry(thread).or_insert_with(|| process_of(thread));
        // A process that has not executed a program yet only makes the calls that start it.
        processes().entry(process).or_insert(STACKS);
        let signal = libc::WSTOPSIG(status);
        let mut deliver = 0;
        if signal == libc::SIGTRAP | 0x80 {
            // The first stop of a call is at its beginning, and the second one at its end.
            if !inside.remove(&thread) {
                inside.insert(thread);
                // A thread that was killed while it was stopped is reported when it ends.
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
                // The caller relies on unchanged registers for the arguments.
                if let (Some((_, before)), Some(mut now)) = (changed.take(), registers(thread)?) {
                    (now.rdi, now.rsi, now.rdx) = (before.rdi, before.rsi, before.rdx);
                    set(thread, &now)?;
                }
            }
        } else if status >> 8 == libc::SIGTRAP | libc::PTRACE_EVENT_EXEC << 8 {
            processes().insert(process, 0);
        } else if signal != libc::SIGTRAP && (signal != libc::SIGSTOP || !is_new) {
            // This is neither a stop of tracing itself nor the one in which a new thread begins.
            deliver = signal;
        }
        // As before, the thread may have been killed.
        let _ = request(libc::PTRACE_SYSCALL, thread, 0, deliver.cast_unsigned().into());
    }
}

fn request(what: libc::c_uint, thread: i32, address: u64, data: u64) -> io::Result<()> {
    // SAFETY: these requests take numbers, not addresses in this process.
    match unsafe { libc::ptrace(what, thread, address, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Changes the call that a thread is about to make, so that it fails.
fn inject(fault: Fault, pid: i32, thread: i32, registers: &mut libc::user_regs_struct) -> io::Result<()> {
    match fault {
        Fault::Error(error) | Fault::Unsupported(error) => {
            // No call has this number, so the kernel makes none, and keeps the result that is set here.
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
            // SAFETY: sends a signal to a process that exists until it is waited for.
            return match unsafe { libc::kill(pid, libc::SIGKILL) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            };
        }
    }
    set(thread, registers)
}

fn set(thread: i32, registers: &libc::user_regs_struct) -> io::Result<()> {
    // SAFETY: this reads one set of registers.
    match unsafe { libc::ptrace(libc::PTRACE_SETREGS, thread, 0, &raw const *registers) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The registers of a stopped thread. `None` if it was killed in the meantime.
fn registers(thread: i32) -> io::Result<Option<libc::user_regs_struct>> {
    // SAFETY: all zeros are valid registers.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    // SAFETY: this writes one set of registers.
    if unsafe { libc::ptrace(libc::PTRACE_GETREGS, thread, 0, &raw mut registers) } == 0 {
        return Ok(Some(registers));
    }
    let error = io::Error::last_os_error();
    if error.raw_os_error() == Some(libc::ESRCH) { Ok(None) } else { Err(error) }
}
