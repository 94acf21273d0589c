//! Runs this program again, as a child process that answers each line with a line.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The command line with which this program is started again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The executable. Under Python, this is the interpreter.
    pub program: PathBuf,
    /// The arguments that come before the arguments of a child.
    pub args: Vec<OsString>,
    /// Environment variables of the child, in addition to the inherited ones.
    pub variables: Vec<(&'static str, OsString)>,
}

impl Launcher {
    /// The current executable, without arguments. If the system does not report its path, the first `hashwell` of the
    /// search path.
    #[must_use]
    pub fn this() -> Self {
        let program = std::env::current_exe().unwrap_or_else(|_| "hashwell".into());
        Self { program, args: Vec::new(), variables: Vec::new() }
    }

    /// Adds an argument for every child.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn variable(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Starts a child.
    ///
    /// # Errors
    /// Returns an error if it cannot be started.
    pub fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command.args(&self.args).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C in the terminal then only reaches this process, which ends the child.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // An interrupted system call does not mean that the run should stop.
        let mut process = loop {
            match command.spawn() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                spawned => break spawned?,
            }
        };
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (requests, stdout) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        let (sender, answers) = channel();
        // The thread ends when the child ends, or when the receiver is dropped.
        let read = move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        };
        let child = Child { process, requests, answers };
        std::thread::Builder::new().spawn(read)?;
        Ok(child)
    }
}

/// A running child process. It is killed on drop.
pub struct Child {
    process: std::process::Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

impl Child {
    /// Reads the next line.
    ///
    /// # Errors
    /// Returns an error if the child has ended. The kind is [`io::ErrorKind::Interrupted`] if `stop` became true before
    /// the line arrived.
    pub fn line(&mut self, stop: &AtomicBool) -> io::Result<String> {
        /// The maximum delay until a stop request is noticed.
        const GLANCE: Duration = Duration::from_millis(50);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            match self.answers.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.process.wait()?;
                    return Err(io::Error::other(format!(
                        "a benchmark process exited unexpectedly: {status}"
                    )));
                }
            }
        }
    }

    /// Sends a request and reads the answer.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Child::line`].
    pub fn ask(&mut self, request: &str, stop: &AtomicBool) -> io::Result<String> {
        match writeln!(self.requests, "{request}") {
            // A broken pipe is not reported here: the child has ended, and reading its output reports how.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            // A child that is running answers the request, and this process waits for the answer.
            _ => self.line(stop),
        }
    }
}

/// The `stop` argument of callers that cannot be stopped.
pub static NEVER: AtomicBool = AtomicBool::new(false);

impl Drop for Child {
    fn drop(&mut self) {
        // The child would end by itself at the end of its input. Killing it fails only if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
