//! Options that select a device.

use crate::options::sha256_90r::MODES;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

/// The device to hash on.
#[derive(Args, Debug, Default)]
pub(crate) struct EngineOptions {
    /// Hash on this device (see hashwell devices) instead of the CPU. If a device is used, each file is read into
    /// memory and can be at most 1 GiB
    #[arg(long, value_name = "ID", value_hint = clap::ValueHint::Other, conflicts_with_all = ["identifier", "tree_task"], help_heading = "Devices", hide_short_help = true)]
    pub(crate) device: Option<String>,
    /// Choose where to hash: secure (on the CPU, with implementations that hashwell timing-test can test), accel (on a
    /// GPU, if there is one) or fast (on the CPU or the device that is fastest in a short benchmark). Digests are the
    /// same. Files for a device are read as with --device
    #[arg(long, value_name = "MODE", value_parser = modes(), conflicts_with_all = ["identifier", "tree_task"], help_heading = "Devices", hide_short_help = true)]
    pub(crate) mode: Option<String>,
}

impl EngineOptions {
    /// The option that selects a device, if one is given.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let device = self.device.as_ref().map(|_| "--device");
        device.or(self.mode.as_ref().map(|_| "--mode"))
    }
}

/// The values of `--mode`. Completions and messages list only the names of hashwell, not those of the SHA256-90R
/// project.
fn modes() -> PossibleValuesParser {
    PossibleValuesParser::new(MODES.map(|(name, others)| PossibleValue::new(name).aliases(others)))
}
