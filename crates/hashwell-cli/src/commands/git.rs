//! `hashwell git`: translates options for [`hashwell_git::survey`], and shows its report.

use crate::commands::speed;
use crate::options::args::GitOptions;
use crate::outputs::output::show;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::interrupt::{Interrupt, interrupted};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, reason};
use hashwell::Algorithm;
use hashwell_document::format::Format;
use hashwell_git::survey::{self, DEFAULT_ALGORITHMS, Options, Step, survey};
use hashwell_measure::peers::{Peers, Provider};
use std::cell::RefCell;
use std::ffi::OsString;

pub(crate) fn run(options: &GitOptions, argv: &[OsString]) -> Result<u8, Failure> {
    let repositories = &options.repositories;
    if repositories.len() > 1 && (options.output.html.is_some() || options.output.format() == Format::Csv) {
        return Err(Failure::Usage("--csv and --html need a single repository".to_owned()));
    }
    let speed = match &options.speed {
        Some(path) => Some((path.clone(), speed::read(path)?)),
        None => None,
    };
    let algorithms = algorithms(options)?;
    let interrupt = Interrupt::watch().map_err(|e| Failure::Work(reason(&e)))?;
    let mut reports = Vec::new();
    for repository in repositories {
        let asked = Options {
            algorithms: algorithms.clone(),
            repository: repository.clone(),
            max_object: options.max_object,
            sample: options.sample,
            seed: options.seed.clone(),
            repeat: options.repeat,
            seconds: options.seconds,
            speed: speed.clone(),
            operations: options.operations,
            command: argv.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        };
        let of_repository = |why: String| Failure::Work(format!("{}: {why}", repository.display()));
        let report = survey(&asked, &peers(options), interrupt.noted(), &Shown::default());
        reports.push(report.map_err(of_repository)?);
        if reports.iter().any(|report| !report.is_complete()) {
            break;
        }
    }
    show(&options.output, |format| survey::render_all(&reports, format))?;
    reports.iter().flat_map(survey::Report::complaints).for_each(|line| complain(&line));
    Ok(if !reports.iter().all(survey::Report::is_complete) {
        interrupted()
    } else if reports.iter().all(survey::Report::is_sound) {
        SUCCESS
    } else {
        FAILURE
    })
}

/// The current step, on standard error.
#[derive(Default)]
struct Shown(RefCell<Option<Progress>>);

impl survey::Progress for Shown {
    fn begin(&self, step: Step) {
        *self.0.borrow_mut() = Some(match step {
            Step::Headers => Progress::new(None).in_lines("headers"),
            Step::Curves(sizes) => Progress::steps("sizes measured", sizes).in_lines("sizes measured"),
            Step::Objects(bytes) => Progress::new(Some(bytes)).in_lines("objects hashed"),
            Step::Operations => Progress::steps("git's own operations", None),
        });
    }

    fn add(&self, amount: u64) {
        if let Some(progress) = &*self.0.borrow() {
            progress.add(amount);
        }
    }

    fn end(&self) {
        *self.0.borrow_mut() = None;
    }
}

fn algorithms(options: &GitOptions) -> Result<Vec<&'static Algorithm>, Failure> {
    if options.all {
        return Ok(hashwell::ALGORITHMS.iter().collect());
    }
    let names: Vec<&str> = options.algorithms.iter().map(String::as_str).collect();
    let names = if names.is_empty() { &DEFAULT_ALGORITHMS[..] } else { &names };
    let mut rows: Vec<&'static Algorithm> = Vec::new();
    for name in names {
        let row = hashwell::find(name).map_err(|e| Failure::Usage(e.to_string()))?;
        if !rows.iter().any(|known| known.name == row.name) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The libraries to measure next to hashwell: OpenSSL, which git may be built with, or with `--libraries` all that are installed.
fn peers(options: &GitOptions) -> Vec<Box<dyn Provider>> {
    let wanted =
        Peers::find().found.into_iter().filter(|found| options.libraries || found.about.name == "OpenSSL");
    wanted.filter_map(|found| found.provider).collect()
}
