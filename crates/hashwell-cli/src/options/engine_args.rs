//! Options that put messages on an engine. A command that is built without the feature `accel` has none of them.

use clap::Args;

/// Which engine.
#[derive(Args, Debug, Default)]
pub(crate) struct EngineOptions {
    /// Hash on this device, which `hashwell devices` lists, instead of this processor; each file is read into memory, and may
    /// have 1 GiB
    #[cfg(feature = "accel")]
    #[arg(long, value_name = "ID", value_hint = clap::ValueHint::Other, conflicts_with = "identifier")]
    pub(crate) device: Option<String>,
    /// Choose what hashes, never another digest: secure (only what `hashwell leak` has a method for), accel (a card, if
    /// there is one) or fast (what a short measurement finds the fastest); where it chooses a device, files are read as with --device
    #[cfg(feature = "accel")]
    #[arg(long, value_name = "MODE", value_parser = ["secure", "accel", "fast"], conflicts_with = "identifier")]
    pub(crate) mode: Option<String>,
}
