//! The run of a [`Plan`]: processes that measure the same rows in turns, and what they found as a [`Report`].
//!
//! Where a process's code, stack and heap lie decides which addresses collide in caches and predictors: a
//! 32-byte SHA-256 took 49 ns in most processes and 51, 60 or 79 ns in others, all through their lives.
//! Figures over several processes are typical; those of one are luck.
//!
//! A process holds its libraries, 16 MiB of input and the samples of one size: below 100 MiB together.

use crate::child::{Child, Launcher};
use crate::clock::{Effort, Gate, Measured, interleaved, pin};
use crate::input::random_bytes;
use crate::machine;
use crate::plan::{Plan, Table, by_weight};
use crate::random::Random;
use crate::report::{Availability, Cell, Group, Provider, Report, Row, Run, SCHEMA};
use crate::rows::{Entrant, Entrants};
use crate::statistics::median;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The argument, after those of the [`Launcher`], that makes a program call [`serve`].
pub const ARGUMENT: &str = "measure-child";

// ------------------------------------------------------------------------------------------ the child

/// What a child is told first.
#[derive(Deserialize, Serialize)]
struct Start {
    plan: Plan,
    all_cores: bool,
    /// Which of the processes it is.
    process: u64,
}

/// What it answers.
#[derive(Deserialize, Serialize)]
struct Hello {
    rows: Vec<Row>,
    /// By row, rising.
    sizes: Vec<Vec<u64>>,
    providers: Vec<Provider>,
    availability: Vec<Availability>,
    complaints: Vec<String>,
    cycle_source: String,
}

/// One request: all rows that have this size.
#[derive(Deserialize, Serialize)]
struct Step {
    bytes: u64,
    rounds: usize,
    patience: f64,
}

/// One answer: by row, those without the size left out.
type Answer = Vec<(usize, Measured)>;

/// The child's side: answers lines until its input ends.
///
/// # Errors
/// If a pipe is closed, a line is not of this version, or hashwell cannot do what it should.
pub fn serve() -> io::Result<()> {
    let mut lines = io::stdin().lines();
    let Some(start) = lines.next() else { return Ok(()) };
    let start: Start = serde_json::from_str(&start?)?;
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
    let longest = list.iter().flat_map(|entrant| entrant.sizes.last()).max();
    let input = random_bytes(longest.map_or(0, |bytes| *bytes as usize));
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
    let here = |(_, entrant): &(usize, &mut Entrant)| entrant.sizes.contains(&step.bytes);
    let (rows, mut candidates): (Vec<_>, Vec<_>) = list
        .iter_mut()
        .enumerate()
        .filter(here)
        .map(|(row, entrant)| ((row, entrant.row.messages), entrant.candidate(input, step.bytes as usize)))
        .unzip();
    let effort = Effort { rounds: step.rounds, patience: step.patience };
    let mut measured = interleaved(&mut candidates, gate, effort, random);
    for ((_, messages), measured) in rows.iter().zip(&mut measured) {
        measured.ns.iter_mut().for_each(|ns| *ns /= *messages as f64);
    }
    rows.into_iter().map(|(row, _)| row).zip(measured).collect()
}

// ----------------------------------------------------------------------------------------- the parent

/// Who waits for the run.
pub struct Audience<'a> {
    /// Becomes true when the run shall end with what it has.
    pub stop: &'a AtomicBool,
    /// Called after each step with the number of all.
    pub progress: &'a mut dyn FnMut(u64),
}

/// Why there is nothing to show.
enum End {
    /// It was stopped.
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

/// Measures. When it is stopped, what was measured until then is in the report, which says so.
///
/// # Errors
/// In words, if a process cannot be started, ends by itself, or differs from the others in what it found.
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
    };
    match all_phases(plan, launcher, audience, &mut report) {
        Ok(()) => report.run.complete = true,
        Err(End::Stopped) => {}
        Err(End::Failed(why)) => return Err(why),
    }
    report.rows.retain(|row| !row.cells.is_empty());
    note_noise(&mut report);
    report.run.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

fn all_phases(
    plan: &Plan,
    launcher: &Launcher,
    audience: &mut Audience<'_>,
    report: &mut Report,
) -> Result<(), End> {
    let one_core = {
        // The processes inherit it.
        let _pinned = pin();
        // Some libraries would start threads that wait for each other on our one core.
        let alone = launcher.clone().variable("RAYON_NUM_THREADS", "1");
        Phase::start(plan, &alone, false, audience, report)?
    };
    let all_cores =
        if plan.threaded { Some(Phase::start(plan, launcher, true, audience, report)?) } else { None };
    let phases: Vec<Phase> = [Some(one_core), all_cores].into_iter().flatten().collect();
    let total = phases.iter().map(|phase| (phase.steps.len() * phase.children.len()) as u64).sum();
    for mut phase in phases {
        phase.measure(report, audience.stop, &mut || (audience.progress)(total))?;
    }
    Ok(())
}

/// Processes that measure the same rows.
struct Phase {
    children: Vec<Child>,
    steps: Vec<Step>,
    /// Where its rows begin in the report.
    first_row: usize,
}

impl Phase {
    /// Starts them, and adds to the report what they found.
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
            let start = Start { plan: plan.clone(), all_cores, process };
            hellos.push(ask(&mut child, &start, audience.stop)?);
            children.push(child);
        }
        let hello = hellos.swap_remove(0);
        if hellos.iter().any(|other| other.rows != hello.rows) {
            return Err(End::Failed("the measuring processes do not agree on who takes part".into()));
        }
        let cells = hello.sizes.iter().map(Vec::len).sum();
        let Effort { rounds, patience } = plan.effort(cells, all_cores);
        let steps = by_weight(hello.sizes.concat()).into_iter().map(|bytes| Step { bytes, rounds, patience });
        let first_row = report.rows.len();
        report.rows.extend(hello.rows);
        report.run.rounds = report.run.rounds.max(rounds);
        if !all_cores {
            report.run.cycle_source = hello.cycle_source;
            report.providers = hello.providers;
            if plan.tables.contains(&Table::C) {
                report.availability = hello.availability;
            }
        }
        for line in hello.complaints {
            if !report.run.complaints.contains(&line) {
                report.run.complaints.push(line);
            }
        }
        Ok(Self { children, steps: steps.collect(), first_row })
    }

    /// Takes the steps, each in all processes before the next.
    fn measure(&mut self, report: &mut Report, stop: &AtomicBool, done: &mut dyn FnMut()) -> Result<(), End> {
        let steps = std::mem::take(&mut self.steps);
        for step in &steps {
            let answers = self.children.iter_mut().map(|child| {
                let answer = ask::<Answer>(child, step, stop);
                done();
                answer
            });
            let answers = answers.collect::<Result<Vec<_>, End>>()?;
            for cells in transposed(answers) {
                let row = &mut report.rows[self.first_row + cells[0].0];
                let at = row.cells.partition_point(|cell| cell.bytes < step.bytes);
                row.cells
                    .insert(at, cell(step.bytes, cells.into_iter().map(|(_, measured)| measured).collect()));
            }
        }
        Ok(())
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
        .map_err(|e| End::Failed(format!("a measuring process answers nonsense: {e}")))
}

/// By row instead of by process.
fn transposed(answers: Vec<Answer>) -> Vec<Answer> {
    let mut rows: Vec<Answer> = Vec::new();
    for answer in answers {
        rows.resize_with(rows.len().max(answer.len()), Vec::new);
        rows.iter_mut().zip(answer).for_each(|(row, measured)| row.push(measured));
    }
    rows
}

/// What all processes found for one row at one size.
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

/// Wall time over CPU time above which a cell is in doubt.
pub const SHARED: f64 = 1.05;

/// Load average per core above which figures on all cores are in doubt.
const BUSY: f64 = 0.5;

/// Marks figures on all cores of a busy machine, and says how many are in doubt.
fn note_noise(report: &mut Report) {
    let Report { rows, run, machine, .. } = report;
    let (threaded, one_core): (Vec<&mut Row>, Vec<&mut Row>) =
        rows.iter_mut().partition(|row| row.group == Group::Threaded);
    let cells: Vec<&Cell> = one_core.iter().flat_map(|row| &row.cells).collect();
    let disturbed = cells.iter().filter(|cell| !cell.quiet).count();
    if disturbed > 0 {
        let all = cells.len();
        run.complaints
            .push(format!("the core or its clock was disturbed during {disturbed} of {all} figures"));
    }
    let shared = cells.iter().filter(|cell| cell.wall_over_cpu > SHARED).count();
    if shared > 0 {
        let all = cells.len();
        run.complaints.push(format!(
            "the core was shared during {shared} of {all} figures: wall time over CPU time above {SHARED}"
        ));
    }
    let limit = BUSY * machine.cores as f64;
    if let Some([load, ..]) = machine.load
        && load > limit
        && !threaded.is_empty()
    {
        threaded.into_iter().flat_map(|row| &mut row.cells).for_each(|cell| cell.quiet = false);
        run.complaints.push(format!(
            "figures on all cores are in doubt: the load average was {load}, above {limit} of {} cores",
            machine.cores
        ));
    }
}
