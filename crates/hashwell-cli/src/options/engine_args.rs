//! Options that select a device. A build without the feature `accel` has none of them.

use clap::Args;

/// The device to hash on.
#[derive(Args, Debug, Default)]
pub(crate) struct EngineOptions {
    /// Hash on this device (see hashwell devices) instead of the CPU; each file is read into memory and may have at most
    /// 1 GiB
    #[cfg(feature = "accel")]
    #[arg(long, value_name = "ID", value_hint = clap::ValueHint::Other, conflicts_with_all = ["identifier", "tree_task"], help_heading = "Devices", hide_short_help = true)]
    pub(crate) device: Option<String>,
    /// Choose where to hash; digests are the same: secure (only kernels that timing-test can test), accel (a GPU, if
    /// there is one) or fast (the fastest in a short benchmark). For a device, files are read as with --device
    #[cfg(feature = "accel")]
    #[arg(long, value_name = "MODE", value_parser = ["secure", "accel", "fast"], conflicts_with_all = ["identifier", "tree_task"], help_heading = "Devices", hide_short_help = true)]
    pub(crate) mode: Option<String>,
}
