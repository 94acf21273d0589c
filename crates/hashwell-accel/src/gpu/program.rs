//! The programs that run on devices. Each has one source text for OpenCL C and CUDA C, and a description of the
//! arguments of its kernels.

/// A source text that is compiled as a unit.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    /// `#define` lines between the prelude and the source text.
    defines: &'static str,
    text: &'static str,
}

/// The two dialects of C. A prelude for each of them defines the names that the common source text uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    #[cfg_attr(not(feature = "opencl"), allow(dead_code))]
    OpenCl,
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))]
    Cuda,
}

impl Program {
    /// Returns the whole text for a compiler.
    pub(super) fn source(&self, dialect: Dialect) -> String {
        let prelude = match dialect {
            Dialect::OpenCl => include_str!("text/opencl.h"),
            Dialect::Cuda => include_str!("text/cuda.h"),
        };
        [&format!("#define GROUP {GROUP}\n"), prelude, self.defines, self.text].concat()
    }
}

/// A kernel: its name in the source text, and its arguments. The number of work items, which is the last argument of
/// every kernel, is not listed.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) name: &'static str,
    pub(super) args: &'static [Takes],
}

/// The number of work items in a group, for which all kernels are compiled.
pub(super) const GROUP: u32 = 128;

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Buffer,
    U32,
}

const SHA256_TEXT: &str = concat!(include_str!("text/sha256.h"), include_str!("text/messages.h"));

/// Hashes messages. The arguments are the bytes, the start and the length of each message, and the digests.
pub(super) static MESSAGES: Kernel =
    Kernel { name: "messages", args: &[Takes::Buffer, Takes::Buffer, Takes::Buffer] };

/// The program for SHA-256.
pub(super) static SHA256: Program =
    Program { name: "sha256", defines: "#define ROUNDS 64\n", text: SHA256_TEXT };

/// The program for SHA256-90R.
pub(super) static SHA256_90R: Program =
    Program { name: "sha256-90r", defines: "#define ROUNDS 90\n", text: SHA256_TEXT };

/// Computes the tickets of rows, and keeps those up to a bound. The arguments are the setup, the number of tickets
/// found, and the tickets for which there was room.
pub(super) static TICKETS_UNDER: Kernel =
    Kernel { name: "tickets", args: &[Takes::Buffer, Takes::Buffer, Takes::Buffer] };

/// The program for the tickets of hwdraw/1.
pub(super) static TICKETS: Program = Program {
    name: "tickets",
    defines: "#define ROUNDS 64\n",
    text: concat!(include_str!("text/sha256.h"), include_str!("text/tickets.h")),
};

/// Computes the values of chunks. The arguments are the piece, the values, the number of bytes in the piece, the number
/// of its first chunk (low and high half), and a flag.
pub(super) static CHUNKS: Kernel = Kernel {
    name: "chunks",
    args: &[Takes::Buffer, Takes::Buffer, Takes::U32, Takes::U32, Takes::U32, Takes::U32],
};

/// Computes the values of parents. The arguments are the values of the children, the values of the parents, the number
/// of children, and a flag.
pub(super) static PARENTS: Kernel =
    Kernel { name: "parents", args: &[Takes::Buffer, Takes::Buffer, Takes::U32, Takes::U32] };

/// The program for the tree of BLAKE3.
pub(super) static BLAKE3: Program =
    Program { name: "blake3", defines: "", text: include_str!("text/blake3.h") };

/// All programs, for tests that check each of them.
#[cfg(all(test, feature = "cuda"))]
pub(super) static ALL: &[&Program] = &[&SHA256, &SHA256_90R, &TICKETS, &BLAKE3];
