//! The kernel table of Ascon-p, 12 and 8 rounds.

use super::soft;
use crate::kernel::{Kernel, Table, always};
use crate::sponge::Permutation;

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static ASCON: Table<Permutation<5>> = Table(&[Kernel {
    name: "soft",
    available: always,
    function: Permutation { full: soft::permute::<12>, reduced: soft::permute::<8> },
}]);
