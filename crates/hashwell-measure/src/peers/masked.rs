//! OpenSSL without the CPU's SHA extensions. OpenSSL reads its mask once, when it is loaded, so it runs in a child
//! process: this program again, with a hidden argument. Parent and child take turns, so the child's samples belong to
//! the parent's rounds.

use super::openssl::Openssl;
use super::{Contender, Elsewhere, Kind, Provider, Task, Work};
use crate::timing::child::{Launcher, NEVER};
use crate::timing::clock::time;
use crate::timing::input::random_bytes;
use std::hint::black_box;
use std::io::{self, Write};

/// The first argument of the child. The second one is the algorithm, and the third one is the message's length.
pub const ARGUMENT: &str = "--masked-openssl-child";

/// Clears bit 29 of EBX of CPUID leaf 7, the flag of the SHA extensions.
const MASK: &str = ":~0x20000000";

/// OpenSSL's digest of the message of `len` bytes that [`random_bytes`] generates, computed in a child process.
///
/// # Errors
/// Returns an error if the process cannot be started or has no OpenSSL.
pub fn contender(algorithm: &str, len: usize) -> io::Result<Contender<'static>> {
    let launcher = Launcher::this().arg(ARGUMENT).arg(algorithm).arg(len.to_string());
    let mut child = launcher.variable("OPENSSL_ia32cap", MASK).start()?;
    let line = child.line(&NEVER)?;
    let bytes = line.split_whitespace().map(|byte| u8::from_str_radix(byte, 16));
    let digest = bytes.collect::<Result<_, _>>().map_err(io::Error::other)?;
    let nanoseconds = Box::new(move |repeats: u64| {
        child.ask(&repeats.to_string(), &NEVER)?.trim().parse().map_err(io::Error::other)
    });
    Ok(Contender::of("OpenSSL", Work::Elsewhere(Elsewhere { digest, nanoseconds })).variant("masked"))
}

/// The main function of the child process. It prints the digest of the message of `len` bytes. Then, for each number of
/// repetitions that it reads from standard input, it prints the nanoseconds that they took.
///
/// # Errors
/// Returns an error if a pipe is closed or OpenSSL is missing.
pub fn serve(algorithm: &str, len: usize) -> io::Result<()> {
    let algorithm = hashwell::find(algorithm).map_err(io::Error::other)?;
    let openssl = Openssl::load().map_err(io::Error::other)?;
    let task = Task { algorithm: algorithm.name, kind: Kind::Digest };
    let contender = openssl.contenders(task).into_iter().next();
    let Some(Work::Here(mut digests)) = contender.map(|c| c.work) else {
        return Err(io::Error::other("OpenSSL does not support the algorithm"));
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
