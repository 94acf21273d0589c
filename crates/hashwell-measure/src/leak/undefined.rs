//! Marks secrets as undefined memory: under valgrind's memcheck, a branch or an address that depends on a secret is
//! then an error (Langley's *ctgrind*). This checks the compiled code, instruction by instruction, for the inputs that
//! are run. It does not detect instructions whose time depends on their operands, such as division.
//!
//! Requests to valgrind are instruction sequences that do nothing on a CPU, so a program may always execute them.

use super::controls::Control;
use super::subject::Subject;
use serde::{Deserialize, Serialize};

/// Request numbers of valgrind.h and memcheck.h, which valgrind guarantees not to change.
mod request {
    pub(super) const COUNT_ERRORS: usize = 0x1201;
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
    pub(super) const MAKE_UNDEFINED: usize = MEMCHECK + 1;
    pub(super) const MAKE_DEFINED: usize = MEMCHECK + 2;
}

/// Returns the answer to a request, which is 0 without valgrind.
#[cfg(target_arch = "x86_64")]
fn ask(request: usize, first: usize, second: usize) -> usize {
    let arguments = [request, first, second, 0, 0, 0];
    let answer: usize;
    // SAFETY: the rotations of rdi add up to 128 bits, and the exchange is of a register with itself, so a CPU changes
    // only flags. valgrind reads the six arguments and writes rdx.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") 0_usize => answer, options(nostack),
        );
    }
    answer
}

/// This method is not available on other CPUs.
#[cfg(not(target_arch = "x86_64"))]
fn ask(_: usize, _: usize, _: usize) -> usize {
    0
}

fn mark(bytes: &[u8], request: usize) -> bool {
    ask(request, bytes.as_ptr() as usize, bytes.len()) != 0
}

/// Returns true if this process runs under memcheck. Other tools of valgrind do not support these requests.
#[must_use]
pub fn under_memcheck() -> bool {
    mark(&[0], request::MAKE_DEFINED)
}

/// The results of memcheck for a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The operation, or the name of the planted leak.
    pub path: String,
    /// The algorithm, or the kind of planted leak.
    pub algorithm: String,
    /// The kernel that ran.
    pub kernel: String,
    /// The number of branches and addresses that depended on the secret.
    pub errors: usize,
    /// The number of branches on information that the caller gets anyway: the validity of a tag.
    pub public: usize,
}

impl Checked {
    /// Returns true if something depends on the secret that should not.
    #[must_use]
    pub fn leaks(&self) -> bool {
        self.errors > self.public
    }
}

/// Runs a subject once with its secret marked as undefined. Errors are only counted under memcheck.
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
    /// Runs the control, and returns true as the second value if memcheck gave the expected result.
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
