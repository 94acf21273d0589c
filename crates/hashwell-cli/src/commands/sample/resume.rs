//! `--state-in`: a sample goes on where it was saved.

use super::finish::Run;
use super::made::{Sample, Shape};
use super::plan::Design;
use super::reading::Inputs;
use super::sampler::Sampler;
use super::state::{State, read};
use super::stop::Stop;
use crate::options::sample_args::SampleOptions;
use crate::system::report::printable;

pub(super) fn run(options: &SampleOptions) -> Result<(), Stop> {
    let path = options.state_in.as_deref().expect("asked for");
    let State { mut sample, shape } = read(path)?;
    agree(options, &sample)?;
    let (inputs, watch) = Inputs::of(options, false)?;
    let run = Run::from_state(options, &inputs, &watch, sample.key());
    let mut stream = run.open()?;
    let new = Shape::of(&stream);
    if !shape.agrees(&new) {
        let name = printable(path.as_os_str());
        return Err(Stop::work(format!("the input's format or header is not that of {name}")));
    }
    match &mut sample {
        Sample::Slots(slots) => {
            if slots.parts.values().any(|part| matches!(part.sampler, Sampler::Done { .. })) {
                return Err(Stop::work(format!(
                    "{}: a merged sample takes no more rows; merge it with the sample of those",
                    printable(path.as_os_str())
                )));
            }
            slots.before = slots.seen();
            slots.run(&mut stream)?;
        }
        Sample::Keys(keys) => keys.run(&mut stream)?,
    }
    let shape = if shape.header.is_some() { shape } else { new };
    run.finish(sample, &shape, &stream)
}

/// What the options say beside a state has to be what the state says.
fn agree(options: &SampleOptions, sample: &Sample) -> Result<(), Stop> {
    let wanted = Design::of(options)?;
    if wanted == sample.design() {
        return Ok(());
    }
    Err(Stop::usage("--state-in: the state is of another sample than these options ask for"))
}
