//! `hashwell research`: what more rounds cost, and what they do to a bit.

use crate::digests::engines::without_accel;
use crate::options::args::{Question, ResearchOptions, RoundsOptions};
use crate::options::sha256_90r;
use crate::outputs::output::{show, write_file};
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, complain};
use hashwell_accel::family::Implementation;
use hashwell_measure::research::{Plan, measure, render};

pub(crate) fn run(options: &ResearchOptions) -> Result<u8, Failure> {
    match &options.question {
        Question::Rounds(options) => rounds(options),
    }
}

fn rounds(options: &RoundsOptions) -> Result<u8, Failure> {
    let implementation = options.implementation.as_deref().map(|given| {
        let name = sha256_90r::kernel_name(given).unwrap_or(given);
        if name != given {
            complain(&format_args!("--implementation {given}: same as --implementation {name}"));
        }
        name.parse()
    });
    let implementation = implementation.transpose();
    let plan = Plan {
        rounds: options.rounds.clone().step_by(options.step as usize).collect(),
        implementation: implementation
            .map_err(|error: hashwell_measure::research::Error| Failure::Usage(error.to_string()))?,
        bytes: options.size as usize,
        samples: options.samples as usize,
        pairs: options.pairs as usize,
        seed: options.seed,
    };
    if let (Some(Implementation::Jit), Some(why)) = (plan.implementation, without_accel()) {
        return Err(Failure::Usage(format!("--implementation jit: {why}")));
    }
    let report = measure(&plan).map_err(Failure::Usage)?;
    show(&options.output, |format| render(&report, format))?;
    let pictures = [(&options.svg, report.speed_chart()), (&options.avalanche_svg, report.avalanche_chart())];
    for (path, picture) in pictures {
        if let Some(path) = path {
            write_file(path, picture.svg().as_bytes())?;
        }
    }
    Ok(SUCCESS)
}
