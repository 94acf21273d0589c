//! The one place where the command meets engines, which hash whole messages instead of this processor's kernels. Without
//! the feature `accel` there are none.

use crate::options::engine_args::EngineOptions;
use crate::system::report::Failure;
use hashwell::engine::{Engine, OnEngine};
use hashwell::{Algorithm, Error, Many};
use hashwell_checksums::Choice;

/// What `--device` and `--mode` chose for an algorithm.
#[cfg_attr(not(feature = "accel"), allow(dead_code))] // there, only a test makes one
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    pub(crate) many: Many,
    pub(crate) engine: Box<dyn Engine>,
}

/// What the options choose for each of these, which `many` makes ready, where that is not this processor.
///
/// # Errors
/// If the device is not there, or does not hash all of them.
#[cfg(feature = "accel")]
pub(crate) fn choose<'c>(
    options: &EngineOptions,
    choices: impl IntoIterator<Item = &'c Choice>,
    many: impl Fn(Choice) -> Result<Many, Error>,
) -> Result<Vec<Chosen>, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let mode = options.mode.as_deref().map(str::parse).transpose();
    let mode = mode.map_err(|error: hashwell_accel::mode::Error| usage(&error))?;
    let mut all: Vec<Chosen> = Vec::new();
    for &choice in choices {
        if all.iter().any(|chosen| chosen.choice == choice) {
            continue;
        }
        let many = many(choice).map_err(|error| usage(&error))?;
        let engine = hashwell_accel::mode::choose(options.device.as_deref(), mode, &many);
        if let Some(engine) = engine.map_err(|error| usage(&error))? {
            crate::system::report::note(&format_args!("{} on {}", choice.algorithm.name, engine.name()));
            all.push(Chosen { choice, many, engine });
        }
    }
    Ok(all)
}

#[cfg(not(feature = "accel"))]
#[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
pub(crate) fn choose<'c>(
    _: &EngineOptions,
    _: impl IntoIterator<Item = &'c Choice>,
    _: impl Fn(Choice) -> Result<Many, Error>,
) -> Result<Vec<Chosen>, Failure> {
    Ok(Vec::new())
}

/// The names of the engines that hash this algorithm without parameters, besides this processor.
pub(crate) fn claiming(list: &[Listed], algorithm: &'static Algorithm) -> Vec<String> {
    let params = hashwell::Params { output_len: Some(algorithm.output), ..hashwell::Params::default() };
    list.iter()
        .filter(|listed| listed.engine.claims(algorithm, &params))
        .map(|listed| listed.label.clone())
        .collect()
}

/// An engine of the list.
#[cfg_attr(not(feature = "accel"), allow(dead_code))] // there, nobody makes one
pub(crate) struct Listed {
    label: String,
    engine: Box<dyn Engine>,
}

/// Every engine that is here, but for this processor.
pub(crate) fn list() -> Vec<Listed> {
    #[cfg(feature = "accel")]
    return hashwell_accel::engines()
        .here
        .iter()
        .filter(|device| device.kind != hashwell_accel::engines::Kind::Processor)
        .filter_map(|device| Some(Listed { label: device.label(), engine: device.open().ok()? }))
        .collect();
    #[cfg(not(feature = "accel"))]
    Vec::new()
}

/// Engines that are ready: found able to hash what they are there for.
pub(crate) struct Engines<'e>(Vec<(Choice, OnEngine<'e>)>);

impl<'e> Engines<'e> {
    /// This processor alone.
    pub(crate) fn none() -> &'static Engines<'static> {
        static NONE: Engines<'static> = Engines(Vec::new());
        &NONE
    }

    /// Known answers are asked for once more, of each.
    pub(crate) fn ready(chosen: &'e [Chosen]) -> Result<Self, Failure> {
        let ready = |Chosen { choice, many, engine }: &'e Chosen| Ok((*choice, many.on(&**engine)?));
        let all: Result<_, Error> = chosen.iter().map(ready).collect();
        all.map(Self).map_err(|error| Failure::Work(error.to_string()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The engine of this algorithm and length, if it is not this processor.
    pub(crate) fn of(&self, choice: Choice) -> Option<&OnEngine<'e>> {
        self.0.iter().find(|(of, _)| *of == choice).map(|(_, engine)| engine)
    }
}
