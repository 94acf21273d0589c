//! The only module of the command that uses devices. A device hashes whole messages in place of the CPU's kernels. A
//! build without the feature `accel` only supports the CPU.

use crate::options::engine_args::EngineOptions;
use crate::options::sha256_90r::{self, Device};
use crate::system::report::{Failure, complain, note};
use hashwell::engine::{Engine, OnEngine};
use hashwell::{Algorithm, Error, Many};
use hashwell_accel::engines::{self, Kind};
use hashwell_accel::{Mode, mode};
use hashwell_checksums::Choice;

/// The reason why a device is missing from a build without the feature `accel`, and the command that builds it.
const WITHOUT_ACCEL: &str = "this build doesn't include the feature accel (build with: cargo install --locked --path \
    crates/hashwell-cli --features accel)";

/// Instructions for running the simulated circuit, which no feature of the command includes.
const SIMULATION: &str = "no build of the command supports it; in a clone of the repository, run: cargo run \
    --release -p hashwell-accel --features fpga-sim --example fpga_sim";

/// Returns the reason why this build has no JIT compiler and can't use GPUs, if it is without the feature `accel`.
pub(crate) fn without_accel() -> Option<&'static str> {
    (!cfg!(feature = "accel")).then_some(WITHOUT_ACCEL)
}

/// The reason why there is no device of this kind, and how to get it if this depends on the build.
pub(crate) fn why_absent(prefix: &str, reason: &str) -> String {
    match (prefix, without_accel()) {
        ("jit" | "opencl" | "cuda", Some(why)) => why.to_owned(),
        ("fpga-sim", _) => format!("{reason}; {SIMULATION}"),
        _ => reason.to_owned(),
    }
}

/// The failure with which the command ends if no device could be chosen.
fn refused(error: mode::Error) -> Failure {
    let error = match error {
        mode::Error::Device(engines::Error::Absent { id, reason, known }) => {
            let prefix = id.split(':').next().unwrap_or_default();
            let reason = why_absent(prefix, &reason).into();
            mode::Error::Device(engines::Error::Absent { id, reason, known })
        }
        other => other,
    };
    Failure::Usage(error.to_string())
}

/// The identifier of a device that a name of the SHA256-90R project selects; `given` is the setting with the name.
fn identifier(given: &str, device: Device) -> Result<String, Failure> {
    let id = match device {
        Device::Id(id) => id.to_owned(),
        Device::Gpu => {
            let found = hashwell_accel::engines();
            match found.here.iter().find(|device| device.kind == Kind::Card) {
                Some(gpu) => gpu.id.clone(),
                None => {
                    let here = || format!("no GPU was found (available devices: {})", found.ids().join(", "));
                    let why = without_accel().map_or_else(here, str::to_owned);
                    return Err(Failure::Usage(format!("{given}: {why}")));
                }
            }
        }
    };
    Ok(id)
}

/// The device that `--device` and `--mode` chose for an algorithm.
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    pub(crate) many: Many,
    pub(crate) engine: Box<dyn Engine>,
}

/// Determines the devices that the options choose for these algorithms, other than the CPU. `many` prepares the batch
/// hasher of a choice.
///
/// # Errors
/// Returns [`Failure`] if a device is missing, or if it does not support an algorithm.
pub(crate) fn choose<'c>(
    options: &EngineOptions,
    choices: impl IntoIterator<Item = &'c Choice>,
    many: impl Fn(Choice) -> Result<Many, Error>,
) -> Result<Vec<Chosen>, Failure> {
    let mode = options.mode.as_deref().map(|name| sha256_90r::mode(name).parse()).transpose();
    let mode = mode.map_err(refused)?;
    if let (Some(Mode::Accel), None, Some(why)) = (mode, &options.device, without_accel()) {
        complain(&format_args!("--mode accel: no GPU can be used: {why}"));
    }
    let given = options.device.as_deref();
    // Names of the SHA256-90R project: the option names a device for all algorithms, the environment variable only for
    // the project's own algorithm.
    let other_name = given.and_then(sha256_90r::named_device);
    let from_option = other_name.zip(given).map(|(device, name)| (format!("--device {name}"), device));
    let (one_algorithm, named) = match from_option {
        Some(named) => (false, Some(named)),
        None => (true, sha256_90r::device()),
    };
    let mut renamed: Option<(String, String)> = None;
    let mut all: Vec<Chosen> = Vec::new();
    for &choice in choices {
        if all.iter().any(|chosen| chosen.choice == choice) {
            continue;
        }
        let many = many(choice).map_err(|error| Failure::Usage(error.to_string()))?;
        let named =
            named.as_ref().filter(|_| !one_algorithm || choice.algorithm.name == sha256_90r::ALGORITHM);
        if let (Some((setting, device)), None) = (named, &renamed) {
            renamed = Some((setting.clone(), identifier(setting, *device)?));
        }
        let id = named.and(renamed.as_ref()).map(|(_, id)| &**id).or(given);
        let engine = mode::choose(id, mode, &many).map_err(refused)?;
        if let Some(engine) = engine {
            note(&format_args!("{} on {}", choice.algorithm.name, engine.name()));
            all.push(Chosen { choice, many, engine });
        }
    }
    if let Some((setting, id)) = renamed {
        complain(&format_args!("{setting}: same as --device {id}"));
    }
    Ok(all)
}

/// The names of the devices, other than the CPU, that hash this algorithm without parameters.
pub(crate) fn claiming(list: &[Listed], algorithm: &'static Algorithm) -> Vec<String> {
    let params = hashwell::Params { output_len: Some(algorithm.output), ..hashwell::Params::default() };
    list.iter()
        .filter(|listed| listed.engine.claims(algorithm, &params))
        .map(|listed| listed.label.clone())
        .collect()
}

/// A device of the list.
pub(crate) struct Listed {
    label: String,
    engine: Box<dyn Engine>,
}

/// All available devices other than the CPU.
pub(crate) fn list() -> Vec<Listed> {
    hashwell_accel::engines()
        .here
        .iter()
        .filter(|device| device.kind != Kind::Processor)
        .filter_map(|device| Some(Listed { label: device.label(), engine: device.open().ok()? }))
        .collect()
}

/// Devices that have passed the check that they can hash the algorithms they were chosen for.
pub(crate) struct Engines<'e>(Vec<(Choice, OnEngine<'e>)>);

impl<'e> Engines<'e> {
    /// No devices: only the CPU is used.
    pub(crate) fn none() -> &'static Engines<'static> {
        static NONE: Engines<'static> = Engines(Vec::new());
        &NONE
    }

    /// Prepares the devices. Each must pass its known-answer test again.
    pub(crate) fn ready(chosen: &'e [Chosen]) -> Result<Self, Failure> {
        let ready = |Chosen { choice, many, engine }: &'e Chosen| Ok((*choice, many.on(&**engine)?));
        let all: Result<_, Error> = chosen.iter().map(ready).collect();
        all.map(Self).map_err(|error| Failure::Work(error.to_string()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The device for this algorithm and length, unless that is the CPU.
    pub(crate) fn of(&self, choice: Choice) -> Option<&OnEngine<'e>> {
        self.0.iter().find(|(of, _)| *of == choice).map(|(_, engine)| engine)
    }
}
