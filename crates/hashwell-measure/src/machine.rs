//! The machine that is measured.

/// What the system calls the CPU.
#[must_use]
pub fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or("unknown CPU", |(_, name)| name).trim().to_owned()
}

/// Load averages over 1, 5 and 15 minutes, where the system tells.
#[must_use]
pub fn load() -> Option<[f64; 3]> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let mut averages = text.split(' ').map(str::parse);
    let mut next = || averages.next()?.ok();
    Some([next()?, next()?, next()?])
}
