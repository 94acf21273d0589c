//! This program again, as a child that answers lines with lines.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How to start this program again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The executable: under Python the interpreter.
    pub program: PathBuf,
    /// What comes before the arguments of a child.
    pub args: Vec<OsString>,
    /// Environment variables of the child besides ours.
    pub variables: Vec<(&'static str, OsString)>,
}

impl Launcher {
    /// This executable, without arguments; where the system does not say which it is, the first `hashwell` of the
    /// search path.
    #[must_use]
    pub fn this() -> Self {
        let program = std::env::current_exe().unwrap_or_else(|_| "hashwell".into());
        Self { program, args: Vec::new(), variables: Vec::new() }
    }

    /// With one more argument for every child.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// With one environment variable more.
    #[must_use]
    pub fn variable(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Starts a child.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command.args(&self.args).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // A Ctrl-C of the terminal reaches us alone, and we end the child.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // That a call was interrupted does not mean that the run shall stop.
        let mut process = loop {
            match command.spawn() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                spawned => break spawned?,
            }
        };
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (requests, stdout) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        let (sender, answers) = channel();
        // It ends when the child does, or when nobody reads any more.
        let read = move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        };
        let child = Child { process, requests, answers };
        std::thread::Builder::new().spawn(read)?;
        Ok(child)
    }
}

/// A running child; it is ended on drop.
pub struct Child {
    process: std::process::Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

impl Child {
    /// Its next line.
    ///
    /// # Errors
    /// If it has ended; of kind [`io::ErrorKind::Interrupted`] when `stop` became true before the line came.
    pub fn line(&mut self, stop: &AtomicBool) -> io::Result<String> {
        /// How long a stop may go unnoticed.
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
                    return Err(io::Error::other(format!("a benchmark process ended: {status}")));
                }
            }
        }
    }

    /// Its answer.
    ///
    /// # Errors
    /// As [`Child::line`].
    pub fn ask(&mut self, request: &str, stop: &AtomicBool) -> io::Result<String> {
        match writeln!(self.requests, "{request}") {
            // A child that has ended: reading says how.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            // Any other waits for its request, as we would for its answer.
            _ => self.line(stop),
        }
    }
}

/// For whoever cannot be stopped.
pub static NEVER: AtomicBool = AtomicBool::new(false);

impl Drop for Child {
    fn drop(&mut self) {
        // It would end by itself when its input does; failing means it has.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
