//! This program again, as a child that answers lines with lines.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// A running child; it is ended on drop.
pub struct Child {
    process: std::process::Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Child {
    /// Starts it with these arguments, and one environment variable more if one is given.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(args: &[&str], variable: Option<(&str, &str)>) -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(args)
            .envs(variable)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok(Self { process, requests, answers: BufReader::new(answers) })
    }

    /// Its next line.
    ///
    /// # Errors
    /// If it has ended.
    pub fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err(io::Error::other("the child ended")),
            _ => Ok(line),
        }
    }

    /// Its answer.
    ///
    /// # Errors
    /// If it has ended.
    pub fn ask(&mut self, request: &str) -> io::Result<String> {
        writeln!(self.requests, "{request}")?;
        self.line()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It would end by itself when its input does; failing means it has.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
