//! The kernel table of Keccak-p\[1600\], 24 and 12 rounds.

use super::soft;
use crate::kernel::{Kernel, Table, always};
use crate::sponge::Permutation;

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static KECCAK: Table<Permutation<25>> = Table(&[Kernel {
    name: "soft",
    available: always,
    function: Permutation { full: soft::permute::<24>, reduced: soft::permute::<12> },
}]);
