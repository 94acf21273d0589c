//! Several processes that measure the same jobs, in turns: `hashwell_measure::engine` says why there are several.

use crate::jobs::{self, Job, Samples};
use hashwell_measure::peers::Peers;
use hashwell_measure::timing::child::{Child, Launcher, NEVER};
use hashwell_measure::timing::clock::Gate;
use std::io::{self, Write};

/// The first argument of a child; the second is its number of rounds. It is asked for jobs by their place
/// in [`jobs::JOBS`].
pub const ARGUMENT: &str = "--pass-child";

/// The processes.
pub struct Passes {
    children: Vec<Child>,
}

impl Passes {
    /// Starts `passes` processes that do `rounds` rounds of each job.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn start(passes: usize, rounds: usize) -> io::Result<Self> {
        let launcher = Launcher::this().arg(ARGUMENT).arg(rounds.to_string());
        Ok(Self { children: (0..passes).map(|_| launcher.start()).collect::<io::Result<_>>()? })
    }

    /// The samples of all processes for one job.
    ///
    /// # Errors
    /// In words, if hashwell itself cannot do the job or does it wrong, or a process has ended.
    pub fn measure(&mut self, job: &Job) -> Result<Samples, String> {
        let place = jobs::JOBS.iter().position(|j| j.name == job.name).ok_or("no such job")?;
        let each = self.children.iter_mut().map(|child| {
            let answer = child.ask(&place.to_string(), &NEVER).map_err(|e| format!("{}: {e}", job.name))?;
            let answer: serde_json::Value = serde_json::from_str(&answer).map_err(|e| e.to_string())?;
            match answer["error"].as_str() {
                Some(error) => Err(error.into()),
                None => Samples::from_json(&answer).ok_or_else(|| format!("{}: a broken answer", job.name)),
            }
        });
        Samples::pool(each.collect::<Result<_, String>>()?)
            .ok_or_else(|| format!("{}: the processes do not agree on who takes part", job.name))
    }
}

/// The child's side: answers places in [`jobs::JOBS`] with samples until its input ends.
///
/// # Errors
/// If a pipe is closed or a line is no place.
pub fn serve(rounds: usize) -> io::Result<()> {
    let peers = Peers::find();
    let mut gate = Gate::default();
    for line in io::stdin().lines() {
        let place: usize = line?.trim().parse().map_err(io::Error::other)?;
        let job = jobs::JOBS.get(place).ok_or_else(|| io::Error::other("no such job"))?;
        let answer = match jobs::measure(job, &peers, &mut gate, rounds) {
            Ok(samples) => samples.to_json(),
            Err(error) => serde_json::json!({ "error": error }),
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}
