//! Names of the SHA256-90R project. The command accepts them and prints a note with its own name.

use crate::system::report::{Failure, complain};
use std::ffi::OsString;
use std::sync::{Once, OnceLock};

/// The algorithm whose implementations have these names.
pub(crate) const ALGORITHM: &str = "sha256-90r";

/// The environment variable with which that project selects an implementation.
pub(crate) const VARIABLE: &str = "SHA256_90R_BACKEND";

/// A counterpart of one of that project's implementations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counterpart {
    /// The first of these kernels that this CPU supports.
    Kernels(&'static [&'static str]),
    /// A device, which `--device` selects.
    Device(Device),
}

/// A counterpart that isn't a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// The first GPU.
    Gpu,
    /// The device with this identifier.
    Id(&'static str),
}

/// The implementations that the project's document lists. The names are in the form that [`fold`] returns.
const BACKENDS: [(&str, Counterpart); 7] = [
    ("scalar", Counterpart::Kernels(&["soft"])),
    ("simd", Counterpart::Kernels(&["avx2"])),
    ("sha_ni", Counterpart::Kernels(&["sha-ni"])),
    ("gpu", Counterpart::Device(Device::Gpu)),
    ("pipelined", Counterpart::Kernels(&["avx512", "avx2", "ssse3"])),
    ("fpga", Counterpart::Device(Device::Id("fpga-sim:0"))),
    ("jit", Counterpart::Device(Device::Id("jit:0"))),
];

/// The names of the modes as the project's document and its preprocessor symbols have them.
pub(crate) const MODES: [(&str, [&str; 3]); 3] = [
    ("secure", ["SECURE", "SECURE_MODE", "secure_mode"]),
    ("accel", ["ACCEL", "ACCEL_MODE", "accel_mode"]),
    ("fast", ["FAST", "FAST_MODE", "fast_mode"]),
];

fn fold(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

fn counterpart(name: &str) -> Option<Counterpart> {
    let name = fold(name);
    BACKENDS.iter().find(|(known, _)| *known == name).map(|(_, counterpart)| *counterpart)
}

/// The kernel or device that the variable selects.
#[derive(Debug)]
struct Setting {
    value: String,
    kernel: Option<&'static str>,
    device: Option<Device>,
    said: Once,
}

static SETTING: OnceLock<Option<Setting>> = OnceLock::new();

/// Reads the variable. An empty variable selects nothing, and `HASHWELL_KERNEL` and the option `instead` take
/// precedence.
///
/// # Errors
/// Returns an error if no implementation has this name, or if this CPU supports none of the kernels.
pub(crate) fn read_environment(instead: Option<&str>) -> Result<(), Failure> {
    let is_set = |value: &OsString| !value.is_empty();
    let Some(value) = std::env::var_os(VARIABLE).filter(is_set) else { return Ok(()) };
    let value = value.to_string_lossy().into_owned();
    let kernel = std::env::var_os("HASHWELL_KERNEL").filter(is_set).map(|_| "HASHWELL_KERNEL");
    let setting = match instead.or(kernel) {
        Some(instead) => {
            complain(&format_args!("{VARIABLE}={value}: ignored, because {instead} is given"));
            None
        }
        None => Some(setting(value)?),
    };
    SETTING.get_or_init(|| setting);
    Ok(())
}

fn setting(value: String) -> Result<Setting, Failure> {
    let (kernel, device) = match counterpart(&value) {
        Some(Counterpart::Kernels(names)) => (Some(available(&value, names)?), None),
        Some(Counterpart::Device(device)) => (None, Some(device)),
        None => {
            let known = BACKENDS.map(|(name, _)| name).join(", ");
            return Err(Failure::Usage(format!(
                "{VARIABLE}: unknown backend '{value}' (known backends: {known})"
            )));
        }
    };
    Ok(Setting { value, kernel, device, said: Once::new() })
}

fn available(value: &str, names: &'static [&'static str]) -> Result<&'static str, Failure> {
    let kernels = hashwell::find(ALGORITHM).map(hashwell::Algorithm::kernels).unwrap_or_default();
    let here = |name: &&&str| kernels.iter().any(|kernel| kernel.name == **name && kernel.available);
    names.iter().find(here).copied().ok_or_else(|| {
        let here: Vec<&str> =
            kernels.iter().filter(|kernel| kernel.available).map(|kernel| kernel.name).collect();
        Failure::Usage(format!(
            "{VARIABLE}={value}: this CPU does not support {} (supported kernels: {})",
            names.join(" or "),
            here.join(", ")
        ))
    })
}

/// The kernel that the variable selects for [`ALGORITHM`]. The first call prints a note.
pub(crate) fn kernel() -> Option<&'static str> {
    let setting = SETTING.get()?.as_ref()?;
    let kernel = setting.kernel?;
    setting.said.call_once(|| {
        complain(&format_args!(
            "{VARIABLE}={}: {ALGORITHM} uses the kernel {kernel} (HASHWELL_KERNEL={kernel} selects it for all algorithms)",
            setting.value
        ));
    });
    Some(kernel)
}

/// The device that the variable selects for [`ALGORITHM`].
pub(crate) fn device() -> Option<(String, Device)> {
    let setting = SETTING.get()?.as_ref()?;
    setting.device.map(|device| (format!("{VARIABLE}={}", setting.value), device))
}

/// The device that this argument of `--device` names, if it is one of the project's names.
pub(crate) fn named_device(name: &str) -> Option<Device> {
    match counterpart(name)? {
        Counterpart::Device(device) => Some(device),
        Counterpart::Kernels(_) => None,
    }
}

/// The mode that an argument of `--mode` names. A name of the project prints a note.
pub(crate) fn mode(name: &str) -> &str {
    let Some((own, _)) = MODES.iter().find(|(_, others)| others.contains(&name)) else { return name };
    complain(&format_args!("--mode {name}: same as --mode {own}"));
    own
}

/// The kernel that corresponds to one of the project's names, if it is the same kernel on every CPU and has a different
/// name.
pub(crate) fn kernel_name(name: &str) -> Option<&'static str> {
    match counterpart(name)? {
        Counterpart::Kernels(&[kernel]) if kernel != name => Some(kernel),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded_and_have_counterparts() {
        let known = hashwell::kernels();
        for (name, counterpart) in BACKENDS {
            assert_eq!(fold(name), name);
            if let Counterpart::Kernels(kernels) = counterpart {
                assert!(kernels.iter().all(|kernel| known.contains(kernel)), "{name}: {kernels:?}");
            }
        }
        assert_eq!(named_device("GPU"), Some(Device::Gpu));
        assert_eq!((named_device("simd"), kernel_name("SHA-NI")), (None, Some("sha-ni")));
        assert_eq!((kernel_name("sha-ni"), kernel_name("pipelined")), (None, None));
    }

    #[test]
    fn a_kernel_that_this_cpu_lacks_is_named() {
        let Err(Failure::Usage(text)) = available("simd", &["warp", "vapour"]) else { panic!() };
        assert!(text.starts_with(
            "SHA256_90R_BACKEND=simd: this CPU does not support warp or vapour (supported kernels: "
        ));
        assert!(text.ends_with("soft)"), "{text}");
    }
}
