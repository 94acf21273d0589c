//! OpenSSL without the CPU's SHA extensions. OpenSSL reads its mask once, when it is loaded, so it runs in
//! a child process: this program again, with a hidden argument. Parent and child take turns, so the child's
//! samples belong to the parent's rounds.

use super::openssl::Openssl;
use super::{Kind, Provider, Task, Work};
use crate::child::{Child, Launcher, NEVER};
use crate::clock::time;
use crate::input::random_bytes;
use std::hint::black_box;
use std::io::{self, Write};

/// The first argument of the child; the second is the algorithm, the third the message's length.
pub const ARGUMENT: &str = "--masked-openssl-child";

/// Clears bit 29 of EBX of CPUID leaf 7, the SHA extensions.
const MASK: &str = ":~0x20000000";

/// The running child.
pub struct Masked {
    child: Child,
    /// The digest it computed.
    pub digest: Vec<u8>,
}

impl Masked {
    /// Starts it on the message of `len` bytes that [`random_bytes`] makes.
    ///
    /// # Errors
    /// If the process cannot be started or has no OpenSSL.
    pub fn start(algorithm: &str, len: usize) -> io::Result<Self> {
        let launcher = Launcher::this().arg(ARGUMENT).arg(algorithm).arg(len.to_string());
        let mut child = launcher.variable("OPENSSL_ia32cap", MASK).start()?;
        let line = child.line(&NEVER)?;
        let bytes = line.split_whitespace().map(|byte| u8::from_str_radix(byte, 16));
        let digest = bytes.collect::<Result<_, _>>().map_err(io::Error::other)?;
        Ok(Self { child, digest })
    }

    /// CPU nanoseconds of `repeats` digests.
    ///
    /// # Errors
    /// If the child has ended.
    pub fn sample(&mut self, repeats: u64) -> io::Result<u64> {
        self.child.ask(&repeats.to_string(), &NEVER)?.trim().parse().map_err(io::Error::other)
    }
}

/// The child's side: prints its digest, then answers numbers of repeats with nanoseconds until its input
/// ends.
///
/// # Errors
/// If a pipe is closed or OpenSSL is missing.
pub fn serve(algorithm: &str, len: usize) -> io::Result<()> {
    let algorithm = hashwell::find(algorithm).map_err(io::Error::other)?;
    let openssl = Openssl::load().map_err(io::Error::other)?;
    let task = Task { algorithm: algorithm.name, kind: Kind::Digest };
    let contender = openssl.contenders(task).into_iter().next();
    let Some(Work::Here(mut digests)) = contender.map(|c| c.work) else {
        return Err(io::Error::other("OpenSSL lacks the algorithm"));
    };
    let message = random_bytes(len);
    let mut out = vec![0; algorithm.output];
    digests(&[&message], &mut out);
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{}", out.iter().map(|byte| format!("{byte:02x} ")).collect::<String>())?;
    for line in io::stdin().lines() {
        let repeats = line?.trim().parse().map_err(io::Error::other)?;
        let ns = time(repeats, || digests(black_box(&[&message]), black_box(&mut out)));
        writeln!(stdout, "{ns}")?;
    }
    Ok(())
}
