//! `hashwell speed`: hashes of every provider measured side by side.

use crate::SUCCESS;
use crate::args::{Part, SpeedOptions};
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::progress::Progress;
use crate::report::{Failure, complain, write_line};
use hashwell_measure::child::Launcher;
use hashwell_measure::engine::{self, Audience};
use hashwell_measure::plan::{Plan, Table};
use hashwell_measure::report::Report;
use std::ffi::OsString;

pub(crate) fn run(options: &SpeedOptions, argv: &[OsString], again: &Launcher) -> Result<u8, Failure> {
    let plan = plan(options).map_err(Failure::Usage)?;
    let mut report = measure(&plan, again)?;
    report.run.command = argv.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    report.run.complaints.iter().for_each(|line| complain(line));
    let mut text = serde_json::to_vec(&report).map_err(|e| Failure::Work(e.to_string()))?;
    text.push(b'\n');
    write_line(&text)?;
    Ok(if report.run.complete { SUCCESS } else { INTERRUPTED })
}

/// Answers a parent that measures.
pub(crate) fn serve() -> Result<u8, Failure> {
    engine::serve().map_err(|error| Failure::Work(format!("a measuring process: {error}")))?;
    Ok(SUCCESS)
}

fn measure(plan: &Plan, again: &Launcher) -> Result<Report, Failure> {
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(format!("Ctrl-C: {error}")))?;
    let mut bar: Option<Progress> = None;
    let mut progress = |_, all| bar.get_or_insert_with(|| Progress::steps("measuring", all)).add(1);
    engine::run(plan, again, &mut Audience { stop: interrupt.noted(), progress: &mut progress })
        .map_err(Failure::Work)
}

/// What the options ask for.
fn plan(options: &SpeedOptions) -> Result<Plan, String> {
    let mut tables: Vec<Table> = options.tables.iter().map(|part| part.table()).collect();
    let only_kernels = !options.kernels.is_empty() && options.algorithms.is_empty() && !options.all;
    if tables.is_empty() && !only_kernels {
        tables = Plan::default().tables;
    }
    if !options.kernels.is_empty() {
        tables.push(Table::E);
    } else if tables.contains(&Table::E) {
        return Err("table e needs --kernels ALG".into());
    }
    let by_default = tables.contains(&Table::A) || tables.contains(&Table::B);
    let mode = if options.quick { Plan::QUICK_PROCESSES } else { Plan::default().processes };
    let plan = Plan {
        algorithms: Plan::canonical(&options.algorithms)?,
        providers: Plan::known_providers(&options.providers)?,
        all: options.all,
        kernels: Plan::canonical(&options.kernels)?,
        threaded: options.threaded || (by_default && !options.no_threaded),
        quick: options.quick,
        processes: options.processes.unwrap_or(mode),
        rounds: options.rounds,
        tables,
    };
    plan.check()?;
    Ok(plan)
}

impl Part {
    fn table(self) -> Table {
        match self {
            Part::A => Table::A,
            Part::B => Table::B,
            Part::C => Table::C,
            Part::D => Table::D,
            Part::E => Table::E,
            Part::Xof => Table::Xof,
        }
    }
}
