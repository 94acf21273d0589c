//! OpenSSL without the CPU's SHA extensions. OpenSSL reads its mask once, when it is loaded, so it runs in
//! a child process: this program again, with a hidden argument. Parent and child take turns, so the child's
//! samples belong to the parent's rounds.

use super::openssl::Openssl;
use super::{Task, Work};
use crate::jobs::random_bytes;
use crate::measure::time;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// The first argument of the child; the second is the algorithm, the third the message's length.
pub const ARGUMENT: &str = "--masked-openssl-child";

/// Clears bit 29 of EBX of CPUID leaf 7, the SHA extensions.
const MASK: &str = ":~0x20000000";

/// The running child.
pub struct Child {
    process: std::process::Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The digest it computed.
    pub digest: Vec<u8>,
}

impl Child {
    /// Starts it on the message of `len` bytes that [`random_bytes`] makes.
    ///
    /// # Errors
    /// If the process cannot be started or has no OpenSSL.
    pub fn start(algorithm: &str, len: usize) -> std::io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args([ARGUMENT, algorithm, &len.to_string()])
            .env("OPENSSL_ia32cap", MASK)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| std::io::Error::other("no pipes"))?;
        let answers = BufReader::new(answers);
        let mut child = Self { process, requests, answers, digest: Vec::new() };
        let line = child.answer()?;
        child.digest = line.split_whitespace().filter_map(|byte| u8::from_str_radix(byte, 16).ok()).collect();
        Ok(child)
    }

    fn answer(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err(std::io::Error::other("the child ended")),
            _ => Ok(line),
        }
    }

    /// CPU nanoseconds of `repeats` digests.
    ///
    /// # Errors
    /// If the child has ended.
    pub fn sample(&mut self, repeats: u64) -> std::io::Result<u64> {
        writeln!(self.requests, "{repeats}")?;
        self.answer()?.trim().parse().map_err(std::io::Error::other)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It would end by itself when its input does; failing means it has.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The child's side: prints its digest, then answers numbers of repeats with nanoseconds until its input
/// ends.
///
/// # Errors
/// If a pipe is closed or OpenSSL is missing.
pub fn serve(algorithm: &str, len: usize) -> std::io::Result<()> {
    let algorithm = hashwell::find(algorithm).map_err(std::io::Error::other)?;
    let openssl = Openssl::load().map_err(std::io::Error::other)?;
    let task = Task { algorithm: algorithm.name, hmac: false, many: false };
    let contender = openssl.contenders(task).into_iter().next();
    let Some(Work::Here(mut digests)) = contender.map(|c| c.work) else {
        return Err(std::io::Error::other("OpenSSL lacks the algorithm"));
    };
    let message = random_bytes(len);
    let mut out = vec![0; algorithm.output];
    digests(&[&message], &mut out);
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{}", out.iter().map(|byte| format!("{byte:02x} ")).collect::<String>())?;
    for line in std::io::stdin().lines() {
        let repeats = line?.trim().parse().map_err(std::io::Error::other)?;
        let ns = time(repeats, || digests(black_box(&[&message]), black_box(&mut out)));
        writeln!(stdout, "{ns}")?;
    }
    Ok(())
}
