//! Describes the machine that is measured, and the program that measures.

use crate::report::Machine;
use crate::timing::clock::{probe, tsc_ghz};
use std::collections::BTreeMap;
use std::fs::read_to_string;

/// The name that the system reports for the CPU.
#[must_use]
pub fn cpu_name() -> String {
    cpu_line("model name").unwrap_or_else(|| "unknown CPU".into())
}

/// The same name with the details that distinguish models with the same name, if the system reports them: `AMD EPYC
/// (cpu family 25, model 17)`.
#[must_use]
pub fn cpu_model() -> String {
    let number = |name: &str| Some(format!("{name} {}", cpu_line(&format!("{name}\t"))?));
    match (number("cpu family"), number("model")) {
        (Some(family), Some(model)) => format!("{} ({family}, {model})", cpu_name()),
        _ => cpu_name(),
    }
}

/// The value of the first line of `/proc/cpuinfo` with this name.
fn cpu_line(name: &str) -> Option<String> {
    let info = read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix(name)?.split_once(':'));
    line.map(|(_, value)| value.trim().to_owned())
}

/// The first line of a file.
fn line(path: &str) -> Option<String> {
    Some(read_to_string(path).ok()?.trim().to_owned()).filter(|line| !line.is_empty())
}

/// The commit that this program was built from, if known.
#[must_use]
pub fn commit() -> Option<String> {
    option_env!("HASHWELL_COMMIT").map(str::to_owned)
}

/// Load averages over 1, 5 and 15 minutes.
#[must_use]
pub fn load() -> Option<[f64; 3]> {
    let text = read_to_string("/proc/loadavg").ok()?;
    let parts: Vec<f64> = text.split_whitespace().take(3).map_while(|part| part.parse().ok()).collect();
    parts.try_into().ok()
}

/// The description of the machine for a report.
#[must_use]
pub fn describe() -> Machine {
    Machine {
        cpu: cpu_name(),
        features: features(),
        cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        os: os(),
        compiler: env!("HASHWELL_RUSTC").into(),
        clock_ghz: (0..9).map(|_| probe().clock).fold(0.0, f64::max),
        tsc_ghz: tsc_ghz(),
        load: load(),
        notes: notes(),
    }
}

fn os() -> String {
    let release = read_to_string("/etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = pretty.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    match line("/proc/sys/kernel/osrelease") {
        Some(kernel) => format!("{name}, Linux {kernel}"),
        None => name.into(),
    }
}

/// Settings that affect speed and that the user may not be aware of.
fn notes() -> BTreeMap<String, String> {
    let governor = line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    let no_turbo = line("/sys/devices/system/cpu/intel_pstate/no_turbo");
    let product = line("/sys/class/dmi/id/product_name");
    let flags = cpu_line("flags").unwrap_or_default();
    let guest = flags.split(' ').any(|flag| flag == "hypervisor");
    let virtual_machine = guest.then(|| product.unwrap_or_else(|| "yes".into()));
    let all = [("governor", governor), ("no turbo", no_turbo), ("virtual machine", virtual_machine)];
    all.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()
}

/// The CPU features that are used by any kernel of hashwell or of a peer.
fn features() -> Vec<String> {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    macro_rules! detected {
        ($detect:ident: $($feature:tt),*) => {
            [$(($feature, std::arch::$detect!($feature))),*].to_vec()
        };
    }
    #[cfg(target_arch = "x86_64")]
    let all: Vec<(&str, bool)> = detected!(is_x86_feature_detected:
        "ssse3", "sse4.1", "avx", "avx2", "bmi1", "bmi2", "sha", "sha512", "avx512f", "avx512bw", "avx512vl", "gfni", "vaes");
    #[cfg(target_arch = "aarch64")]
    let all: Vec<(&str, bool)> = detected!(is_aarch64_feature_detected: "neon", "sha2", "sha3", "sve");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let all: Vec<(&str, bool)> = Vec::new();
    all.into_iter().filter(|(_, there)| *there).map(|(name, _)| name.into()).collect()
}
