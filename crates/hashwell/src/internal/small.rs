//! The places where small code is preferred to fast code.
//!
//! A WebAssembly module is downloaded before it runs, so there the library is built for size. `web/test/sizes.json` has
//! a limit in bytes, after brotli compression, for each module of the npm package. `make test-web` fails if a module is
//! larger.
//!
//! | Module | Limit (bytes) |
//! |---|---|
//! | `hashwell.wasm` | 60,700 |
//! | `hashwell.simd.wasm` | 79,000 |
//! | `hashwell-hashes.wasm` | 48,400 |
//! | `hashwell-hashes.simd.wasm` | 65,900 |
//! | `hashwell-draw.wasm` | 280,500 |
//!
//! Each of these choices is a constant or macro in this file. Other files use it instead of testing for the target, so
//! that this list is complete (`tools/check_lists.py` checks this). No choice changes a result. [`small_or_fast`]
//! chooses between whole files: HMAC uses `mac/row_of_any.rs` instead of `mac/row.rs`. Differences that are not about
//! size stay where they are used: features that WebAssembly lacks (a clock, process IDs) and its vector instructions.

/// True if code is built for size.
const SMALL: bool = cfg!(target_family = "wasm");

/// Kernels loop over a few rounds instead of writing out all rounds.
///
/// This applies to batch kernels, to SHA256-90R, which is experimental, and to Keccak-p, where two rounds without a
/// loop also take a fifth more time in V8.
pub(crate) const ROLLED: bool = SMALL;

/// Families that are rarely used for many messages have no batch kernels, so their messages are hashed one at a time.
/// SHA-1, SHA-256 and Keccak always have batch kernels.
pub(crate) const FEW_BATCH_KERNELS: bool = SMALL;

/// The batch scheduler is compiled once, behind a trait object, instead of once for each family.
pub(crate) const ONE_SCHEDULER: bool = SMALL;

/// The scheduler starts messages in their given order. Sorting them by length would take a twentieth of a module, and
/// with only four lanes, few lanes are idle at the end.
pub(crate) const UNSORTED_BATCHES: bool = SMALL;

/// A digest that doesn't change a state is computed on a copy, through the trait that all hash states implement,
/// instead of in a function for each family.
pub(crate) const ONE_DIGEST: bool = SMALL;

/// The library does not use states as plain data internally, since that would compile the code of all states a second
/// time.
pub(crate) const NO_PLAIN_STATES: bool = SMALL;

/// The states of all families are made in one function. Fast code has a function for each family, whose stack frame is
/// smaller.
pub(crate) const ONE_BUILDER: bool = SMALL;

/// Parameters are compared with their defaults through the table of parameters, which exists anyway.
pub(crate) const PARAMETERS_BY_TABLE: bool = SMALL;

/// The table of parameters has no help texts in programs without an operating system, because no user could read them
/// there.
pub(crate) const NO_HELP: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Inlines a function in fast code. In small code, the function is not inlined, because its callers would contain it
/// several times.
macro_rules! inlined_if_fast {
    ($($item:tt)*) => {
        #[cfg_attr(target_family = "wasm", inline(never))]
        #[cfg_attr(not(target_family = "wasm"), inline(always))]
        $($item)*
    };
}
pub(crate) use inlined_if_fast;

/// Lets the compiler decide whether to inline a function in fast code. In small code, the function is not inlined.
macro_rules! not_inlined_if_small {
    ($($item:tt)*) => {
        #[cfg_attr(target_family = "wasm", inline(never))]
        $($item)*
    };
}
pub(crate) use not_inlined_if_small;

/// Compiles the items of the first block in small code, and those of the second block in fast code.
macro_rules! small_or_fast {
    ({ $($small:item)* } { $($fast:item)* }) => {
        $(#[cfg(target_family = "wasm")] $small)*
        $(#[cfg(not(target_family = "wasm"))] $fast)*
    };
}
pub(crate) use small_or_fast;
