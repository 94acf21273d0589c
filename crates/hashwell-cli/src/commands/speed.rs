//! `hashwell speed`: benchmarks the hashes of every provider.

use crate::inputs::reading::read_whole;
use crate::options::args::{Part, SpeedOptions};
use crate::outputs::output::show;
use crate::system::exit::SUCCESS;
use crate::system::interrupt::{Interrupt, interrupted};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, printable};
use hashwell_document::format::Format;
use hashwell_measure::engine::plan::{Plan, Table};
use hashwell_measure::engine::{self, Audience};
use hashwell_measure::peers::programs;
use hashwell_measure::report::Report;
use hashwell_measure::timing::child::Launcher;
use hashwell_measure::view::diff::{self, Diff};
use hashwell_measure::view::render::render;
use hashwell_measure::view::tables;
use hashwell_measure::view::verdict::confidence;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering;

pub(crate) fn run(options: &SpeedOptions, argv: &[OsString]) -> Result<u8, Failure> {
    if let Some([old, new]) = options.diff.as_deref() {
        let diff = Diff::between(&read(old)?, &read(new)?, diff::Options::default());
        show(&options.output, |format| diff.render(format))?;
        return Ok(diff.exit_code());
    }
    let (report, code) = match &options.from {
        Some(path) => (read(path)?, SUCCESS),
        None => {
            let report = measure(&plan(options).map_err(Failure::Usage)?, options.programs, argv)?;
            // The other formats show this information in the report.
            if matches!(options.output.format(), Format::Json | Format::Csv) {
                if report.rows.iter().any(|row| !row.cells.is_empty()) {
                    complain(&confidence(&report));
                }
                report.run.complaints.iter().for_each(|line| complain(line));
            }
            let code = if report.run.complete { SUCCESS } else { interrupted() };
            (report, code)
        }
    };
    let shown = tables::Options { published: options.compare_published, ticks: options.ticks };
    show(&options.output, |format| render(&report, format, shown))?;
    Ok(code)
}

/// The maximum size in bytes of a report. Reports of this version are smaller than 1 MiB.
const MAX_REPORT: u64 = 64 << 20;

/// Reads a report.
pub(crate) fn read(path: &Path) -> Result<Report, Failure> {
    let fail = |why: String| Failure::Work(format!("{}: {why}", printable(path.as_os_str())));
    let name = path.as_os_str().to_owned();
    let bytes = read_whole(&name, MAX_REPORT).map_err(|unreadable| fail(unreadable.reason().to_owned()))?;
    let text = String::from_utf8(bytes).map_err(|error| fail(error.to_string()))?;
    Report::from_json(&text).map_err(fail)
}

/// Runs the requests of the parent process, which measures.
pub(crate) fn serve() -> Result<u8, Failure> {
    engine::serve().map_err(|error| match error.kind() {
        // The parent has ended, so the output is no longer read.
        ErrorKind::BrokenPipe => Failure::Output(error),
        _ => Failure::Work(format!("benchmark process: {error}")),
    })?;
    Ok(SUCCESS)
}

fn measure(plan: &Plan, run_programs: bool, argv: &[OsString]) -> Result<Report, Failure> {
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(format!("Ctrl-C: {error}")))?;
    let mut bar: Option<Progress> = None;
    let mut progress = |all| bar.get_or_insert_with(|| Progress::steps("measuring", all)).add(1);
    let mut audience = Audience { stop: interrupt.noted(), progress: &mut progress, contest: &mut |_| () };
    let mut report = engine::run(plan, &Launcher::this(), &mut audience).map_err(Failure::Work)?;
    drop(bar);
    if run_programs && report.run.complete {
        report.programs = programs::find(interrupt.noted());
        report.run.complete = !interrupt.noted().load(Ordering::Relaxed);
    }
    report.run.command = argv.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    Ok(report)
}

/// The measurements that the options ask for.
fn plan(options: &SpeedOptions) -> Result<Plan, String> {
    let mut tables: Vec<Table> = options.tables.iter().map(|part| part.table()).collect();
    let only_kernels = !options.kernels.is_empty() && options.algorithms.is_empty() && !options.all;
    let only_some = only_kernels || !options.threads.is_empty() || options.calls || options.programs;
    if tables.is_empty() && !only_some {
        tables = Plan::default().tables;
    }
    if options.programs && !tables.contains(&Table::Availability) {
        tables.push(Table::Availability);
    }
    if !options.kernels.is_empty() {
        tables.push(Table::Kernels);
    } else if tables.contains(&Table::Kernels) {
        return Err("table e requires --kernels ALG".into());
    }
    if !options.threads.is_empty() {
        tables.push(Table::Scaling);
    }
    if options.calls {
        tables.push(Table::Calls);
    }
    let by_default = tables.contains(&Table::Throughput) || tables.contains(&Table::Cycles);
    let mode = if options.quick { Plan::QUICK_PROCESSES } else { Plan::default().processes };
    let plan = Plan {
        algorithms: Plan::canonical(&options.algorithms)?,
        providers: Plan::known_providers(&options.libraries)?,
        all: options.all,
        kernels: Plan::canonical(&options.kernels)?,
        contests: Vec::new(),
        threaded: options.threaded || (by_default && !options.no_threaded),
        thread_counts: thread_counts(&options.threads),
        large: options.large,
        quick: options.quick,
        processes: options.processes.unwrap_or(mode),
        rounds: options.rounds,
        tables,
    };
    if plan.large && !by_default {
        return Err("--large requires table a or b".into());
    }
    plan.check()?;
    Ok(plan)
}

/// The numbers of threads to measure; empty if not requested.
fn thread_counts(wanted: &[usize]) -> Vec<usize> {
    if wanted.is_empty() { Vec::new() } else { Plan::rising_thread_counts(wanted) }
}

impl Part {
    fn table(self) -> Table {
        match self {
            Part::Throughput => Table::Throughput,
            Part::Cycles => Table::Cycles,
            Part::Availability => Table::Availability,
            Part::Latency => Table::Latency,
            Part::Kernels => Table::Kernels,
            Part::Streams => Table::Streams,
        }
    }
}
