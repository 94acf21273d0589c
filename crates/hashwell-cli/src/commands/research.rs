//! `hashwell research`: the cost and the effects of additional rounds, and digests with any number of rounds.

use crate::digests::engines::without_accel;
use crate::inputs::reading::names;
use crate::options::args::{
    AttacksOptions, DegreeOptions, FamilyOptions, Question, ResearchOptions, ResearchSumOptions,
    RoundsOptions,
};
use crate::options::sha256_90r;
use crate::outputs::output::{show, write_file};
use crate::outputs::tags::{self, Mac, Sink, Work};
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, complain};
use hashwell_accel::family::{Error, Hasher, Implementation, Sha256Family};
use hashwell_measure::research::{AttackPlan, DegreePlan, Plan, Shown, attack, degrees, measure, render};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use subtle::ConstantTimeEq;

pub(crate) fn run(options: &ResearchOptions) -> Result<u8, Failure> {
    match &options.question {
        Question::Rounds(options) => rounds(options),
        Question::Attacks(options) => attacks(options),
        Question::Degree(options) => degree(options),
        Question::Sum(options) => sum(options),
    }
}

/// The implementation with this name, if one is given.
fn implementation(given: Option<&str>) -> Result<Option<Implementation>, Failure> {
    let Some(given) = given else { return Ok(None) };
    let is_known = |name: &&str| name.parse::<Implementation>().is_ok();
    let name = sha256_90r::kernel_name(given).filter(is_known).unwrap_or(given);
    if name != given {
        complain(&format_args!("--implementation {given}: same as --implementation {name}"));
    }
    let found = name.parse().map_err(|error: Error| Failure::Usage(error.to_string()))?;
    match (found, without_accel()) {
        (Implementation::Jit, Some(why)) => Err(Failure::Usage(format!("--implementation jit: {why}"))),
        _ => Ok(Some(found)),
    }
}

fn sum(options: &ResearchSumOptions) -> Result<u8, Failure> {
    let usage = |error: Error| Failure::Usage(error.to_string());
    let member = Sha256Family::sha256_with_rounds(options.rounds as usize).map_err(usage)?;
    let prepared = match implementation(options.implementation.as_deref())? {
        Some(implementation) => member.on(implementation).map_err(usage)?,
        None => member.prepare(),
    };
    tags::run(&prepared.hasher(), &names(&options.files), Work::Print)
}

/// Digests are printed by the same code as tags.
impl Mac for Hasher {
    fn update(&mut self, data: &[u8]) {
        Hasher::update(self, data);
    }

    fn write_tag(self, sink: &mut Sink<'_>) -> Result<(), Failure> {
        sink(&self.digest())
    }

    fn verify(self, tag: &[u8]) -> Result<bool, Failure> {
        Ok(self.digest()[..].ct_eq(tag).into())
    }
}

fn rounds(options: &RoundsOptions) -> Result<u8, Failure> {
    let plan = Plan {
        rounds: stepped(&options.rounds, options.step),
        implementation: implementation(options.common.implementation.as_deref())?,
        bytes: options.size as usize,
        samples: options.samples as usize,
        pairs: options.pairs as usize,
        seed: options.common.seed,
    };
    let report = measure(&plan).map_err(Failure::Usage)?;
    write(&report, &options.common, &[&options.svg, &options.avalanche_svg])
}

fn attacks(options: &AttacksOptions) -> Result<u8, Failure> {
    let plan = AttackPlan {
        rounds: stepped(&options.rounds, options.step),
        implementation: implementation(options.common.implementation.as_deref())?,
        bits: options.bits,
        experiments: options.experiments as usize,
        seed: options.common.seed,
    };
    write(&attack(&plan).map_err(Failure::Usage)?, &options.common, &[&options.svg])
}

fn degree(options: &DegreeOptions) -> Result<u8, Failure> {
    let plan = DegreePlan {
        rounds: stepped(&options.rounds, options.step),
        implementation: implementation(options.common.implementation.as_deref())?,
        highest: options.highest,
        cubes: options.sets as usize,
        seed: options.common.seed,
    };
    write(&degrees(&plan).map_err(Failure::Usage)?, &options.common, &[&options.svg])
}

fn stepped(rounds: &RangeInclusive<usize>, step: u64) -> Vec<usize> {
    rounds.clone().step_by(step as usize).collect()
}

/// Writes the report, and its charts to the files that were given.
fn write<R: Shown>(report: &R, options: &FamilyOptions, files: &[&Option<PathBuf>]) -> Result<u8, Failure> {
    show(&options.output, |format| render(report, format))?;
    for ((_, chart), path) in report.parts().iter().zip(files) {
        if let Some(path) = path {
            write_file(path, chart.svg().as_bytes())?;
        }
    }
    Ok(SUCCESS)
}
