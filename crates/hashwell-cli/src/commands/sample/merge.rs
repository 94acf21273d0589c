//! `--merge`: one sample of several, as if one had seen the rows of all.

use super::finish::write;
use super::seed::Seed;
use super::state;
use super::stats::Stats;
use super::stop::Stop;
use crate::options::sample_args::SampleOptions;
use crate::system::report::printable;
use hashwell_draw::survey::{self, Merged};
use std::collections::HashSet;
use std::path::Path;

pub(super) fn run(options: &SampleOptions) -> Result<(), Stop> {
    let stats = Stats::begin(options.stats);
    let mut parts = Vec::new();
    let mut paths = HashSet::new();
    for name in &options.files {
        // With keys the state's rows would come out twice; otherwise it has the key of itself.
        if std::fs::canonicalize(name).is_ok_and(|path| path.is_file() && !paths.insert(path)) {
            return Err(Stop::usage(format!("--merge: {} is named twice", printable(name))));
        }
        parts.push(Merged { name: printable(name), state: state::read(Path::new(name))? });
    }
    if parts.is_empty() {
        return Err(Stop::usage("--merge: of what? name the states that --state-out wrote"));
    }
    let merged = survey::merge(parts, || {
        let seed = Seed::of(options)?;
        seed.say();
        Ok::<_, Stop>(seed.seed.bytes)
    })?;
    let (sample, shape) = (merged.sample, merged.shape);
    let seen = sample.seen();
    if let Some(path) = &options.state_out {
        return state::write(path, sample, &shape);
    }
    let written =
        write(options, sample, &shape, None, |_| Ok(Vec::new()), |_, closed| Ok((closed.sink, None)))?;
    stats.say(seen, None, written.picked, written.chance.as_deref());
    Ok(())
}
