//! The kernel tables of BLAKE2.

use super::{Compress, soft};
use crate::kernel::{Kernel, Table, always};

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static BLAKE2B: Table<Compress<u64, 128>> =
    Table(&[Kernel { name: "soft", available: always, function: soft::compress::<u64, 128> }]);

/// Every kernel, fastest first. The last row runs anywhere.
pub(crate) static BLAKE2S: Table<Compress<u32, 64>> =
    Table(&[Kernel { name: "soft", available: always, function: soft::compress::<u32, 64> }]);
