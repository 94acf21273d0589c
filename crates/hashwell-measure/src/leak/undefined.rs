//! Secrets as undefined memory: under valgrind's memcheck, a branch or an address that depends on a secret is an
//! error (Langley's *ctgrind*). It checks the compiled code, instruction by instruction, for the inputs that are run,
//! and says nothing of instructions whose time depends on their operands, such as division.
//!
//! Requests to valgrind are instructions that do nothing on a CPU, so that a program may always make them.

use super::controls::Control;
use super::subject::Subject;
use serde::{Deserialize, Serialize};

/// Requests of valgrind.h and memcheck.h: numbers that valgrind promises to keep.
mod request {
    pub(super) const COUNT_ERRORS: usize = 0x1201;
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
    pub(super) const MAKE_UNDEFINED: usize = MEMCHECK + 1;
    pub(super) const MAKE_DEFINED: usize = MEMCHECK + 2;
}

/// The answer to a request; 0 without valgrind.
#[cfg(target_arch = "x86_64")]
fn ask(request: usize, first: usize, second: usize) -> usize {
    let arguments = [request, first, second, 0, 0, 0];
    let answer: usize;
    // SAFETY: the rotations of rdi add up to 128 bits and the exchange is of a register with itself, so that a CPU
    // changes nothing but flags; valgrind reads the six arguments and writes rdx.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") 0_usize => answer, options(nostack),
        );
    }
    answer
}

/// On other CPUs this method is not there.
#[cfg(not(target_arch = "x86_64"))]
fn ask(_: usize, _: usize, _: usize) -> usize {
    0
}

fn mark(bytes: &[u8], request: usize) -> bool {
    ask(request, bytes.as_ptr() as usize, bytes.len()) != 0
}

/// Whether this process runs under memcheck: other tools do not know its requests.
#[must_use]
pub fn under_memcheck() -> bool {
    mark(&[0], request::MAKE_DEFINED)
}

/// What memcheck said of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The path, or the planted leak's.
    pub path: String,
    /// The algorithm, or what is planted.
    pub algorithm: String,
    /// The kernel that ran.
    pub kernel: String,
    /// Branches and addresses that depended on the secret.
    pub errors: usize,
    /// Branches on what the caller learns anyway: whether a tag was right.
    pub public: usize,
}

impl Checked {
    /// Whether something depends on the secret that should not.
    #[must_use]
    pub fn leaks(&self) -> bool {
        self.errors > self.public
    }
}

/// Runs a subject once with its secret undefined. It counts errors only under memcheck.
#[must_use]
pub fn check(subject: &mut Subject) -> Checked {
    let secret = subject.fixed.clone().unwrap_or_else(|| vec![0x5a; subject.secret_len]);
    let before = ask(request::COUNT_ERRORS, 0, 0);
    mark(&secret, request::MAKE_UNDEFINED);
    subject.prepare(&secret);
    subject.run();
    let errors = ask(request::COUNT_ERRORS, 0, 0) - before;
    mark(&secret, request::MAKE_DEFINED);
    Checked {
        path: subject.path.to_owned(),
        algorithm: subject.algorithm.to_owned(),
        kernel: subject.kernel.to_owned(),
        errors,
        public: subject.public_branches as usize,
    }
}

impl Control {
    /// Whether memcheck says of it what it must.
    #[must_use]
    pub fn undefined_as_planted(&mut self) -> (Checked, bool) {
        let checked = check(&mut self.subject);
        let right = checked.leaks() == self.undefined;
        (checked, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leak::controls;

    #[test]
    fn requests_do_nothing_without_valgrind() {
        assert!(!under_memcheck());
        for mut control in controls() {
            let (checked, right) = control.undefined_as_planted();
            assert_eq!((checked.errors, right), (0, !control.undefined), "{}", control.name);
        }
    }
}
