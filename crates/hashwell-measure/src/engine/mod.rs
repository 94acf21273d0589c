//! Runs a [`Plan`]: several processes measure the same rows in turn, and the results become a [`Report`].
//!
//! The locations of a process's code, stack and heap decide which addresses collide in caches and predictors. For
//! example, a 32-byte SHA-256 took 49 ns in most processes, and 51, 60 or 79 ns in others, throughout their lives.
//! Figures over several processes are typical; those of one process depend on luck.
//!
//! A process needs less than 100 MiB for its libraries, 16 MiB of input, and the samples of one size.

mod calls;
mod candidates;
pub mod curve;
pub mod plan;

use crate::report::{Availability, Calls, Cell, Provider, Report, Row, Run, SCHEMA, machine};
use crate::timing::child::{Child, Launcher};
use crate::timing::clock::{Effort, Gate, Measured, interleaved_while, pin};
use crate::timing::input::random_bytes;
use crate::timing::pace::{Share, paced};
use crate::timing::random::Random;
use crate::timing::statistics::median;
use candidates::{Entrant, Entrants};
use hashwell_document::chart;
use plan::{Plan, Table, by_weight};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The argument that makes a program call [`serve`]. It comes after the arguments of the [`Launcher`].
pub const ARGUMENT: &str = "measure-child";

// ------------------------------------------------------------------------------------------ the child

/// The first message to a child process.
#[derive(Deserialize, Serialize)]
struct Start {
    plan: Plan,
    all_cores: bool,
    /// The number of this process.
    process: u64,
    /// True if it times single calls and then ends, instead of performing steps.
    single_calls: bool,
}

/// The answer of the child process.
#[derive(Deserialize, Serialize)]
struct Hello {
    rows: Vec<Row>,
    /// The sizes of each row, in ascending order.
    sizes: Vec<Vec<u64>>,
    providers: Vec<Provider>,
    availability: Vec<Availability>,
    complaints: Vec<String>,
    cycle_source: String,
}

/// A request: all rows of the tables that have this size, or all rows of one contest.
#[derive(Clone, Deserialize, Serialize)]
struct Step {
    contest: Option<String>,
    bytes: u64,
    rounds: usize,
    patience: f64,
    /// The time after which no further round begins.
    seconds: Share,
}

impl Step {
    /// Returns true if a row that is measured at these sizes is part of this step.
    fn takes(&self, row: &Row, sizes: &[u64]) -> bool {
        row.contest == self.contest && sizes.contains(&self.bytes)
    }
}

/// An answer: pairs of a row number and its measurements. Rows that don't have the size are omitted.
type Answer = Vec<(usize, Measured)>;

/// Runs the child process: answers lines until its input ends.
///
/// # Errors
/// Returns an error if a pipe is closed, if a line is not of this version, or if hashwell itself fails.
pub fn serve() -> io::Result<()> {
    let mut lines = io::stdin().lines();
    let Some(start) = lines.next() else { return Ok(()) };
    let start: Start = serde_json::from_str(&start?)?;
    if start.single_calls {
        let mut entrants = Entrants::find(&start.plan, false).map_err(io::Error::other)?;
        let longest = plan::CALL_SIZES.into_iter().max().unwrap_or(0);
        return answer(&calls::measure(&mut entrants.list, &random_bytes(longest as usize)));
    }
    let Entrants { mut list, providers, availability, complaints } =
        Entrants::find(&start.plan, start.all_cores).map_err(io::Error::other)?;
    let mut gate = Gate::default();
    answer(&Hello {
        rows: list.iter().map(|entrant| entrant.row.clone()).collect(),
        sizes: list.iter().map(|entrant| entrant.sizes.clone()).collect(),
        providers,
        availability,
        complaints,
        cycle_source: gate.cycle_source().into(),
    })?;
    let input = random_bytes(list.iter().map(Entrant::input).max().unwrap_or(0) as usize);
    let mut random = Random(start.process);
    for line in lines {
        let step: Step = serde_json::from_str(&line?)?;
        answer(&measure(&mut list, &step, &input, &mut gate, &mut random))?;
    }
    Ok(())
}

fn answer(value: &impl Serialize) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    serde_json::to_writer(&mut stdout, value)?;
    writeln!(stdout)?;
    stdout.flush()
}

fn measure(list: &mut [Entrant], step: &Step, input: &[u8], gate: &mut Gate, random: &mut Random) -> Answer {
    let here = |(_, entrant): &(usize, &mut Entrant)| step.takes(&entrant.row, &entrant.sizes);
    let (rows, mut candidates): (Vec<_>, Vec<_>) = list
        .iter_mut()
        .enumerate()
        .filter(here)
        .map(|(row, entrant)| ((row, entrant.row.messages), entrant.candidate(input, step.bytes as usize)))
        .unzip();
    let effort = Effort { rounds: step.rounds, patience: step.patience };
    let began = Instant::now();
    let mut go_on = || step.seconds.is_none_or(|seconds| began.elapsed().as_secs_f64() < seconds);
    let mut measured = interleaved_while(&mut candidates, gate, effort, random, &mut go_on);
    for ((_, messages), measured) in rows.iter().zip(&mut measured) {
        measured.ns.iter_mut().for_each(|ns| *ns /= *messages as f64);
    }
    rows.into_iter().map(|(row, _)| row).zip(measured).collect()
}

// ----------------------------------------------------------------------------------------- the parent

/// The caller of a run.
pub struct Audience<'a> {
    /// Set to true to end the run early. The report then contains the results so far.
    pub stop: &'a AtomicBool,
    /// Called after each step, with the total number of steps.
    pub progress: &'a mut dyn FnMut(u64),
    /// Called with the rows of each contest once all processes have measured it.
    pub contest: &'a mut dyn FnMut(&[&Row]),
}

/// The reason why there is no report.
enum End {
    /// The run was stopped.
    Stopped,
    Failed(String),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::Interrupted => End::Stopped,
            _ => End::Failed(error.to_string()),
        }
    }
}

/// Runs the measurements. If the run is stopped, the report contains the results so far and is marked as incomplete.
///
/// # Errors
/// Returns a message if a process cannot be started, ends unexpectedly, or has other rows than the other processes.
pub fn run(plan: &Plan, launcher: &Launcher, audience: &mut Audience<'_>) -> Result<Report, String> {
    plan.check()?;
    let began = Instant::now();
    let mut report = Report {
        schema: SCHEMA.into(),
        run: Run {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: machine::commit(),
            started: humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string(),
            quick: plan.quick,
            processes: plan.processes,
            ..Run::default()
        },
        machine: machine::describe(),
        providers: Vec::new(),
        availability: Vec::new(),
        rows: Vec::new(),
        calls: None,
        programs: Vec::new(),
    };
    match all_phases(plan, launcher, audience, began, &mut report) {
        Ok(()) => report.run.complete = true,
        Err(End::Stopped) => {}
        Err(End::Failed(why)) => return Err(why),
    }
    report.rows.retain(|row| !row.cells.is_empty());
    let samples = report.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.samples);
    report.run.rounds = samples.map(Vec::len).max().unwrap_or(0);
    note_noise(&mut report);
    report.run.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

fn all_phases(
    plan: &Plan,
    launcher: &Launcher,
    audience: &mut Audience<'_>,
    began: Instant,
    report: &mut Report,
) -> Result<(), End> {
    let one_core = {
        // Child processes inherit the pinning.
        let _pinned = pin();
        // Otherwise some libraries would start threads, which would wait for each other on the one core.
        let alone = launcher.clone().variable("RAYON_NUM_THREADS", "1");
        Phase::start(plan, &alone, false, audience, report)?
    };
    let all_cores = if plan.uses_several_cores() {
        Some(Phase::start(plan, launcher, true, audience, report)?)
    } else {
        None
    };
    let phases: Vec<Phase> = [Some(one_core), all_cores].into_iter().flatten().collect();
    let total = phases.iter().map(|phase| (phase.steps.len() * phase.children.len()) as u64).sum();
    let now = || began.elapsed().as_secs_f64();
    let mut left_out = Vec::new();
    let count = phases.len();
    for (i, mut phase) in phases.into_iter().enumerate() {
        // Measurements on all cores get a fifth of the time, and the time that the other measurements don't use.
        let part = if i + 1 < count { 0.8 } else { 1.0 };
        let end = plan.seconds().map(|end| now() + part * (end - now()));
        left_out.extend(phase.measure(report, end, &now, audience, total)?);
    }
    report.run.complaints.extend(given_up(report, plan, left_out));
    if plan.tables.contains(&Table::Calls) {
        report.calls = Some(single_calls(plan, launcher, audience)?);
    }
    Ok(())
}

/// Times single calls, in one process on one core.
fn single_calls(plan: &Plan, launcher: &Launcher, audience: &Audience<'_>) -> Result<Calls, End> {
    let _pinned = pin();
    let mut child = launcher.clone().arg(ARGUMENT).variable("RAYON_NUM_THREADS", "1").start()?;
    // The table of latency has the rows that hash one message.
    let plan = Plan { tables: vec![Table::Latency], contests: Vec::new(), ..plan.clone() };
    ask(&mut child, &Start { plan, all_cores: false, process: 0, single_calls: true }, audience.stop)
}

/// Returns true if the rows of another process are the same as these. Each process determines its own fastest kernel.
/// If two kernels are about equally fast, processes choose differently, and the row then names both.
fn agree(rows: &mut [Row], others: &[Row]) -> bool {
    rows.len() == others.len()
        && rows.iter_mut().zip(others).all(|(row, other)| {
            let same = Row { kernel: row.kernel.clone(), ..other.clone() } == *row
                && row.kernel.is_some() == other.kernel.is_some();
            if let (true, Some(kernel), Some(another)) = (same, &mut row.kernel, &other.kernel) {
                let mut known: Vec<&str> = kernel.split(" or ").chain([another.as_str()]).collect();
                known.sort_unstable();
                known.dedup();
                *kernel = known.join(" or ");
            }
            same
        })
}

/// Processes that measure the same rows.
struct Phase {
    children: Vec<Child>,
    steps: Vec<Step>,
    /// For each step, the number of rows that have its size.
    cells: Vec<usize>,
    /// The index of its first row in the report.
    first_row: usize,
}

impl Phase {
    /// Starts the processes, and adds their rows to the report.
    fn start(
        plan: &Plan,
        launcher: &Launcher,
        all_cores: bool,
        audience: &Audience<'_>,
        report: &mut Report,
    ) -> Result<Self, End> {
        let launcher = launcher.clone().arg(ARGUMENT);
        let mut children = Vec::new();
        let mut hellos: Vec<Hello> = Vec::new();
        for process in 0..plan.processes as u64 {
            let mut child = launcher.start()?;
            let start = Start { plan: plan.clone(), all_cores, process, single_calls: false };
            hellos.push(ask(&mut child, &start, audience.stop)?);
            children.push(child);
        }
        let mut hello = hellos.swap_remove(0);
        for other in &hellos {
            if !agree(&mut hello.rows, &other.rows) {
                return Err(End::Failed("the benchmark processes found different libraries".into()));
            }
        }
        let Effort { rounds, patience } = plan.effort();
        let step = |contest, bytes| Step { contest, bytes, rounds, patience, seconds: None };
        let rows = || hello.rows.iter().zip(&hello.sizes);
        let of_tables = rows().filter(|(row, _)| row.contest.is_none()).flat_map(|(_, sizes)| sizes.clone());
        let tables = by_weight(of_tables.collect()).into_iter().map(|bytes| step(None, bytes));
        let contests = plan.contests.iter().map(|contest| step(Some(contest.name.clone()), contest.bytes));
        let count = |step: &Step| rows().filter(|(row, sizes)| step.takes(row, sizes)).count();
        let (steps, cells): (Vec<Step>, Vec<usize>) = tables
            .chain(contests)
            .map(|step| (count(&step), step))
            .filter(|(rows, _)| *rows > 0)
            .map(|(rows, step)| (step, rows))
            .unzip();
        let first_row = report.rows.len();
        report.rows.extend(hello.rows);
        if !all_cores {
            report.run.cycle_source = hello.cycle_source;
            report.providers = hello.providers;
            if plan.tables.contains(&Table::Availability) {
                report.availability = hello.availability;
            }
        }
        for line in hello.complaints {
            if !report.run.complaints.contains(&line) {
                report.run.complaints.push(line);
            }
        }
        Ok(Self { children, steps, cells, first_row })
    }

    /// Performs the steps, each in all processes before the next. Returns the sizes for which there was no time.
    fn measure(
        &mut self,
        report: &mut Report,
        end: Option<f64>,
        now: &dyn Fn() -> f64,
        audience: &mut Audience<'_>,
        total: u64,
    ) -> Result<Vec<u64>, End> {
        let Self { children, steps, cells, first_row } = self;
        let processes = children.len();
        let mut answers = Vec::with_capacity(processes);
        let mut request = |at: usize, process: usize, seconds| {
            let step = Step { seconds, ..steps[at].clone() };
            match ask::<Answer>(&mut children[process], &step, audience.stop) {
                Ok(answer) => answers.push(answer),
                Err(end) => return ControlFlow::Break(end),
            }
            (audience.progress)(total);
            if answers.len() == processes {
                let rows = &mut report.rows[*first_row..];
                add(rows, step.bytes, std::mem::take(&mut answers));
                if step.contest.is_some() {
                    let of_it = rows.iter().filter(|row| row.contest == step.contest);
                    (audience.contest)(&of_it.collect::<Vec<_>>());
                }
            }
            ControlFlow::Continue(())
        };
        match paced(cells, processes, end, now, &mut request) {
            ControlFlow::Continue(taken) => Ok(steps[taken..].iter().map(|step| step.bytes).collect()),
            ControlFlow::Break(end) => Err(end),
        }
    }
}

fn ask<A: DeserializeOwned>(
    child: &mut Child,
    request: &impl Serialize,
    stop: &AtomicBool,
) -> Result<A, End> {
    let request = serde_json::to_string(request).map_err(io::Error::from)?;
    let answer = child.ask(&request, stop)?;
    serde_json::from_str(&answer)
        .map_err(|_| End::Failed("a benchmark process sent an invalid answer".to_owned()))
}

/// Adds the answers of all processes about one size to their rows.
fn add(rows: &mut [Row], bytes: u64, answers: Vec<Answer>) {
    for cells in transposed(answers) {
        let row = &mut rows[cells[0].0];
        let at = row.cells.partition_point(|cell| cell.bytes < bytes);
        row.cells.insert(at, cell(bytes, cells.into_iter().map(|(_, measured)| measured).collect()));
    }
}

/// Describes the measurements that were omitted because of the time limit.
fn given_up(report: &Report, plan: &Plan, left_out: Vec<u64>) -> Vec<String> {
    /// The median of fewer samples is unreliable.
    const FEW: usize = 3;
    let words = |mut sizes: Vec<u64>| {
        sizes.sort_unstable();
        sizes.dedup();
        let words: Vec<String> = sizes.iter().map(|bytes| chart::bytes(*bytes as f64)).collect();
        words.join(", ")
    };
    let limit = Plan::QUICK_SECONDS;
    let mut lines = Vec::new();
    if !left_out.is_empty() {
        lines.push(format!("sizes not measured because of the time limit of {limit} s: {}", words(left_out)));
    }
    let is_short = |cell: &&Cell| cell.samples.iter().any(|process| process.len() < FEW);
    let few: Vec<&Cell> = report.rows.iter().flat_map(|row| &row.cells).filter(is_short).collect();
    if plan.seconds().is_some() && !few.is_empty() {
        let sizes = words(few.iter().map(|cell| cell.bytes).collect());
        lines.push(format!(
            "sizes with fewer than {FEW} rounds because of the time limit of {limit} s: {sizes}"
        ));
    }
    lines
}

/// Groups the answers by row instead of by process.
fn transposed(answers: Vec<Answer>) -> Vec<Answer> {
    let mut rows: Vec<Answer> = Vec::new();
    for answer in answers {
        rows.resize_with(rows.len().max(answer.len()), Vec::new);
        rows.iter_mut().zip(answer).for_each(|(row, measured)| row.push(measured));
    }
    rows
}

/// Combines the measurements of all processes for one row at one size.
fn cell(bytes: u64, processes: Vec<Measured>) -> Cell {
    let typical = |part: fn(&Measured) -> f64| median(&processes.iter().map(part).collect::<Vec<_>>());
    Cell {
        bytes,
        clock_ghz: typical(|measured| measured.clock),
        wall_over_cpu: typical(|measured| measured.wall_over_cpu),
        quiet: 2 * processes.iter().filter(|measured| measured.quiet).count() >= processes.len(),
        samples: processes.into_iter().map(|measured| measured.ns).collect(),
    }
}

/// If the load average per core is higher than this, figures on all cores are in doubt.
const BUSY: f64 = 0.5;

/// Adds a complaint to the report if there are figures on all cores of a busy machine.
fn note_noise(report: &mut Report) {
    let Report { rows, run, machine, .. } = report;
    let threaded: Vec<&mut Row> = rows.iter_mut().filter(|row| row.group.uses_several_cores()).collect();
    let limit = BUSY * machine.cores as f64;
    if let Some([load, ..]) = machine.load
        && load > limit
        && !threaded.is_empty()
    {
        threaded.into_iter().flat_map(|row| &mut row.cells).for_each(|cell| cell.quiet = false);
        run.complaints.push(format!(
            "figures on all cores are unreliable: the load average was {load}, above the limit of {limit} for {} cores",
            machine.cores
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Group;

    #[test]
    fn processes_may_choose_different_kernels() {
        let row = |algorithm: &str, kernel: Option<&str>| Row {
            group: Group::Single,
            contest: None,
            algorithm: algorithm.into(),
            title: algorithm.into(),
            status: None,
            provider: "hashwell".into(),
            variant: None,
            kernel: kernel.map(str::to_owned),
            operation: crate::report::Operation::Digest,
            messages: 1,
            threads: 1,
            cells: Vec::new(),
        };
        let mut rows = [row("sha512", Some("avx2")), row("sha1", Some("soft"))];
        for kernel in ["avx512", "avx2", "avx512"] {
            assert!(agree(&mut rows, &[row("sha512", Some(kernel)), row("sha1", Some("soft"))]));
        }
        assert_eq!(rows, [row("sha512", Some("avx2 or avx512")), row("sha1", Some("soft"))]);
        assert!(!agree(&mut rows, &[row("sha512", Some("avx2"))]));
        assert!(!agree(&mut rows, &[row("sha384", Some("avx2")), row("sha1", Some("soft"))]));
        assert!(!agree(&mut rows, &[row("sha512", None), row("sha1", Some("soft"))]));
    }

    #[test]
    fn what_a_time_limit_cost_is_said() {
        let cell = |bytes, samples| Cell { bytes, samples, clock_ghz: 1.0, wall_over_cpu: 1.0, quiet: true };
        let row = Row {
            group: Group::Single,
            contest: None,
            algorithm: "sha256".into(),
            title: "SHA-256".into(),
            status: None,
            provider: "hashwell".into(),
            variant: None,
            kernel: None,
            operation: crate::report::Operation::Digest,
            messages: 1,
            threads: 1,
            cells: vec![cell(64, vec![vec![1.0; 3], vec![1.0; 2]]), cell(1024, vec![vec![1.0; 3]; 2])],
        };
        let report = Report {
            schema: SCHEMA.into(),
            machine: crate::report::Machine::default(),
            run: Run::default(),
            providers: Vec::new(),
            availability: Vec::new(),
            rows: vec![row],
            calls: None,
            programs: Vec::new(),
        };
        let quick = Plan { quick: true, ..Plan::default() };
        assert_eq!(
            given_up(&report, &quick, vec![8, 1 << 20, 8]),
            [
                "sizes not measured because of the time limit of 30 s: 8 B, 1 MiB",
                "sizes with fewer than 3 rounds because of the time limit of 30 s: 64 B"
            ]
        );
        // Nothing is omitted if the user asked for one round, or if there is no time limit.
        assert!(given_up(&report, &Plan { rounds: Some(1), ..quick }, Vec::new()).is_empty());
        assert!(given_up(&report, &Plan::default(), Vec::new()).is_empty());
    }
}
