//! `--state-in`: a sample goes on where it was saved.

use super::finish::Run;
use super::reading::Inputs;
use super::shape::shape;
use super::state::read;
use super::stop::Stop;
use super::{keys, plan, slots};
use crate::options::sample_args::SampleOptions;
use crate::system::report::printable;
use hashwell_draw::survey::{Sample, State};

pub(super) fn run(options: &SampleOptions) -> Result<(), Stop> {
    let path = options.state_in.as_deref().expect("asked for");
    let State { mut sample, shape: saved } = read(path)?;
    agree(options, &sample)?;
    let (inputs, watch) = Inputs::of(options, false)?;
    let run = Run::from_state(options, &inputs, &watch, sample.key());
    let mut stream = run.open()?;
    let new = shape(&stream);
    if !saved.agrees(&new) {
        let name = printable(path.as_os_str());
        return Err(Stop::work(format!("the input's format or header is not that of {name}")));
    }
    match &mut sample {
        Sample::Slots(slots) => {
            if !slots.goes_on() {
                return Err(Stop::work(format!(
                    "{}: a merged sample takes no more rows; merge it with the sample of those",
                    printable(path.as_os_str())
                )));
            }
            let before = slots.seen();
            slots::run(slots, &mut stream, before)?;
        }
        Sample::Keys(keys) => keys::run(keys, &mut stream)?,
    }
    let shape = if saved.header.is_some() { saved } else { new };
    run.finish(sample, &shape, &stream)
}

/// What the options say beside a state has to be what the state says.
fn agree(options: &SampleOptions, sample: &Sample) -> Result<(), Stop> {
    let wanted = plan::design(options)?;
    if wanted == sample.design() {
        return Ok(());
    }
    Err(Stop::usage("--state-in: the state is of another sample than these options ask for"))
}
