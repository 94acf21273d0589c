//! `hashwell process`: samples, enumerates, traces and draws stochastic processes.
//!
//! ```text
//! options -> subject: a model, and its random numbers -> value | replicates | law | posterior | terms -> lines
//!                                                                                         \-> picture
//! ```

mod law;
mod posterior;
mod replicates;
mod simulated;
mod subject;
mod terms;
mod value;

use crate::options::process_args::{Asked, ProcessOptions};
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, write_line};
use hashwell_draw::process::registry::PROCESSES;
use std::fmt::Write as _;
use subject::Subject;

pub(crate) fn run(options: &ProcessOptions) -> Result<u8, Failure> {
    let Some(chosen) = &options.process else {
        list()?;
        return Ok(SUCCESS);
    };
    let subject = Subject::of(chosen)?;
    let asked = subject.asked;
    refuse_seed_without_effect(asked)?;
    match &asked.score {
        Some(name) => terms::score(&subject, name)?,
        None if asked.trace => terms::trace(&subject)?,
        None if asked.explain => terms::explain(&subject)?,
        None if asked.exact => return law::print(&subject),
        None if asked.posterior => posterior::print(&subject)?,
        None => match asked.replicates {
            Some(_) => return replicates::print(&subject),
            None => return value::print(&subject),
        },
    }
    Ok(SUCCESS)
}

/// Fails if a seed is given, but nothing is random.
fn refuse_seed_without_effect(asked: &Asked) -> Result<(), Failure> {
    let seed = [("--seed", &asked.seed), ("--seed-hex", &asked.seed_hex)]
        .into_iter()
        .find(|(_, seed)| seed.is_some());
    let exact = asked.exact && asked.replicates.is_none();
    let questions = [
        ("--score", asked.score.is_some()),
        ("--explain", asked.explain),
        ("--posterior", asked.posterior),
        ("--exact without --replicates", exact),
    ];
    match (seed, questions.into_iter().find(|(_, given)| *given)) {
        (Some((seed, _)), Some((question, _))) => Err(Failure::Usage(format!(
            "{seed} has no effect with {question}, which draws no random numbers"
        ))),
        _ => Ok(()),
    }
}

/// Prints a line for each process: its name, its title and its parameters.
fn list() -> Result<(), Failure> {
    let widest = PROCESSES.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for entry in PROCESSES {
        let parameters: Vec<String> =
            entry.parameters.iter().map(|parameter| format!("--{}", parameter.name)).collect();
        let _ = writeln!(text, "{:widest$}  {} ({})", entry.name, entry.title, parameters.join(" "));
    }
    text.push_str("\nhashwell process NAME --help describes the distribution, parameters, cost and source of a process\n");
    write_line(text.as_bytes())
}

/// The number of bytes that are collected before they are written. A longer line is written immediately.
const BUFFER: usize = 64 << 10;

/// Lines for standard output, which are written in blocks. Only complete lines are written, no matter when the process
/// ends.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a line. The newline is added here.
    fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.0.push_str(line);
        self.0.push('\n');
        if self.0.len() < BUFFER { Ok(()) } else { self.end() }
    }

    /// Writes the remaining lines.
    fn end(&mut self) -> Result<(), Failure> {
        let written = write_line(self.0.as_bytes());
        self.0.clear();
        written
    }
}
