//! The programs that devices run: one text for OpenCL C and CUDA C, and what its kernels take.

/// A text that is compiled as one.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    /// `#define` lines between the prelude and the text.
    defines: &'static str,
    text: &'static str,
}

/// The two dialects that a prelude makes one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    #[cfg_attr(not(feature = "opencl"), allow(dead_code))]
    OpenCl,
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))]
    Cuda,
}

impl Program {
    /// All of the text for a compiler.
    pub(super) fn source(&self, dialect: Dialect) -> String {
        let prelude = match dialect {
            Dialect::OpenCl => include_str!("text/opencl.h"),
            Dialect::Cuda => include_str!("text/cuda.h"),
        };
        [&format!("#define GROUP {GROUP}\n"), prelude, self.defines, self.text].concat()
    }
}

/// A kernel: its name in the text, and what it takes before the number of work items, which is the last argument of
/// all.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) name: &'static str,
    pub(super) args: &'static [Takes],
}

/// Work items in a group. The texts' kernels are compiled for it.
pub(super) const GROUP: u32 = 128;

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Buffer,
    U32,
}

const SHA256_TEXT: &str = concat!(include_str!("text/sha256.h"), include_str!("text/messages.h"));

/// Digests of messages: the bytes, where each message starts, how long each is, the digests.
pub(super) static MESSAGES: Kernel =
    Kernel { name: "messages", args: &[Takes::Buffer, Takes::Buffer, Takes::Buffer] };

/// SHA-256.
pub(super) static SHA256: Program =
    Program { name: "sha256", defines: "#define ROUNDS 64\n", text: SHA256_TEXT };

/// SHA256-90R.
pub(super) static SHA256_90R: Program =
    Program { name: "sha256-90r", defines: "#define ROUNDS 90\n", text: SHA256_TEXT };

/// The tickets of rows under a bound: the setup, how many there are, those that there was room for.
pub(super) static TICKETS_UNDER: Kernel =
    Kernel { name: "tickets", args: &[Takes::Buffer, Takes::Buffer, Takes::Buffer] };

/// Tickets of hwdraw/1.
pub(super) static TICKETS: Program = Program {
    name: "tickets",
    defines: "#define ROUNDS 64\n",
    text: concat!(include_str!("text/sha256.h"), include_str!("text/tickets.h")),
};

/// Values of chunks: the piece, the values, the piece's bytes, the number of its first chunk (low and high half), a
/// flag.
pub(super) static CHUNKS: Kernel = Kernel {
    name: "chunks",
    args: &[Takes::Buffer, Takes::Buffer, Takes::U32, Takes::U32, Takes::U32, Takes::U32],
};

/// Values of parents: the values below, those above, how many there are below, a flag.
pub(super) static PARENTS: Kernel =
    Kernel { name: "parents", args: &[Takes::Buffer, Takes::Buffer, Takes::U32, Takes::U32] };

/// BLAKE3's tree.
pub(super) static BLAKE3: Program =
    Program { name: "blake3", defines: "", text: include_str!("text/blake3.h") };

/// All programs, for whoever looks at each.
#[cfg(all(test, feature = "cuda"))]
pub(super) static ALL: &[&Program] = &[&SHA256, &SHA256_90R, &TICKETS, &BLAKE3];
