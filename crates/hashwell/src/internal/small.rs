//! The choices of small code over fast code.
//!
//! A module of WebAssembly is downloaded before it runs, so the library is built for size there: `web/test/sizes.json` has a limit in
//! bytes, after compression by brotli, for each module of the npm package, and `make test-web` fails if a module is larger.
//!
//! | Module | Limit (bytes) |
//! |---|---|
//! | `hashwell.wasm` | 54,700 |
//! | `hashwell.simd.wasm` | 73,200 |
//! | `hashwell-hashes.wasm` | 45,000 |
//! | `hashwell-hashes.simd.wasm` | 65,000 |
//! | `hashwell-draw.wasm` | 272,000 |
//!
//! Every such choice has a name here. Other files ask for a choice by its name, not for the target, so that this list is complete
//! (`tools/check_lists.py` checks it). No choice changes a result. [`small_or_fast`] chooses between whole files: HMAC has
//! `mac/row_of_any.rs` instead of `mac/row.rs`. What WebAssembly lacks (a clock, process IDs) or has by itself (vector instructions) is not
//! a choice of size, and stays where it is used.

/// True if code is built for size.
const SMALL: bool = cfg!(target_family = "wasm");

/// Kernels have loops of few rounds instead of all rounds in a row.
///
/// It holds for batch kernels, for SHA256-90R, which is not for use, and for Keccak-p, where two rounds in a row also take
/// a fifth more time in V8.
pub(crate) const ROLLED: bool = SMALL;

/// Families whose many messages are rarely hashed have no batch kernels: their messages are hashed one by one. SHA-1,
/// SHA-256 and Keccak have batch kernels in either case.
pub(crate) const FEW_BATCH_KERNELS: bool = SMALL;

/// The scheduler of batches is compiled once, behind a trait object, and not once for each family.
pub(crate) const ONE_SCHEDULER: bool = SMALL;

/// The scheduler takes messages in the order in which they were given. Sorting them by length is a twentieth of a module,
/// and of four lanes few are idle at the end.
pub(crate) const UNSORTED_BATCHES: bool = SMALL;

/// Digests that leave a state as it is go through the one interface of all cores, not through each family's own function.
pub(crate) const ONE_DIGEST: bool = SMALL;

/// States as plain data are not used inside the library, since they would be the code of all states once more.
pub(crate) const NO_PLAIN_STATES: bool = SMALL;

/// Parameters are compared with their defaults through the table of parameters, which is there anyway.
pub(crate) const PARAMETERS_BY_TABLE: bool = SMALL;

/// The table of parameters has no help texts. Only a program without an operating system has no user to show them to.
pub(crate) const NO_HELP: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Inlines a function in fast code. In small code it is one function, since callers would contain it several times.
macro_rules! inlined_if_fast {
    ($($item:tt)*) => {
        #[cfg_attr(target_family = "wasm", inline(never))]
        #[cfg_attr(not(target_family = "wasm"), inline(always))]
        $($item)*
    };
}
pub(crate) use inlined_if_fast;

/// Leaves it to the compiler to inline a function in fast code. In small code it is one function.
macro_rules! not_inlined_if_small {
    ($($item:tt)*) => {
        #[cfg_attr(target_family = "wasm", inline(never))]
        $($item)*
    };
}
pub(crate) use not_inlined_if_small;

/// Takes the items of the first block in small code, and those of the second one in fast code.
macro_rules! small_or_fast {
    ({ $($small:item)* } { $($fast:item)* }) => {
        $(#[cfg(target_family = "wasm")] $small)*
        $(#[cfg(not(target_family = "wasm"))] $fast)*
    };
}
pub(crate) use small_or_fast;
