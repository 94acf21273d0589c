//! `hashwell git`: which hash would be fastest for the objects of a repository.
//!
//! ```text
//! repository::store -> survey: headers -> sizes -> sample
//!                           -> objects -> batch -> check, contest (times) -> report -> view
//! ```
//!
//! Repositories may come from anybody: files are read only if they are regular, nothing is mapped, what is declared is
//! checked and never believed, and every step is linear in what there is to read.
//!
//! Memory: a batch of 32 MiB, 64 MiB of bases of deltas, 42 bytes for each object of the largest pack (8 more for each
//! object with a sample), the indexes, and four times the largest object, which is limited.

mod batch;
mod contest;
mod report;
mod sample;
mod sizes;
mod survey;
mod view;

use crate::commands::speed;
use crate::options::args::GitOptions;
use crate::outputs::output::show;
use crate::repository::store::place;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::interrupt::{INTERRUPTED, Interrupt};
use crate::system::report::{Failure, complain, reason};
use contest::Contest;
use hashwell::Algorithm;
use hashwell_measure::peers::{Peers, Provider};
use std::ffi::OsString;
use survey::Survey;

/// What is hashed if nobody says: the candidates of git's choice in 2018, and those that came since.
const DEFAULT: [&str; 10] = [
    "sha1",
    "sha256",
    "sha512-256",
    "sha3-256",
    "shake128",
    "kt128",
    "blake2b-256",
    "blake2bp-512",
    "blake2s-256",
    "blake3",
];

pub(crate) fn run(options: &GitOptions, argv: &[OsString]) -> Result<u8, Failure> {
    let algorithms = algorithms(options)?;
    let speed = options.speed.as_deref().map(speed::read).transpose()?;
    let of_repository = |why: String| Failure::Work(format!("{}: {why}", options.repository.display()));
    let (place, damage) = place::find(&options.repository).map_err(of_repository)?;
    let interrupt = Interrupt::watch().map_err(|e| of_repository(reason(&e)))?;

    let mut survey = Survey::new(options, &place, interrupt.noted());
    survey.check.add_damage(damage);
    let chosen = survey.headers();
    let mut contest = Contest::new(&algorithms, place.hash, &peers(options));
    if let Some(speed) = &speed {
        contest.take_curves(speed);
    }
    survey.hash(&mut contest, &chosen);

    let mut report = survey.report(&contest, &chosen);
    report.run.command = argv.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    show(&options.output, |format| view::render(&report, format))?;
    view::complaints(&report).iter().for_each(|line| complain(line));
    let damaged = !report.check.is_right();
    Ok(if !report.run.complete {
        INTERRUPTED
    } else if damaged {
        FAILURE
    } else {
        SUCCESS
    })
}

fn algorithms(options: &GitOptions) -> Result<Vec<&'static Algorithm>, Failure> {
    if options.all {
        return Ok(hashwell::ALGORITHMS.iter().collect());
    }
    let names: Vec<&str> = options.algorithms.iter().map(String::as_str).collect();
    let names = if names.is_empty() { &DEFAULT[..] } else { &names };
    let mut rows: Vec<&'static Algorithm> = Vec::new();
    for name in names {
        let row = hashwell::find(name).map_err(|e| Failure::Usage(e.to_string()))?;
        if !rows.iter().any(|known| known.name == row.name) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// OpenSSL, which git may be built with, or everybody who is there.
fn peers(options: &GitOptions) -> Vec<Box<dyn Provider>> {
    let wanted =
        Peers::find().found.into_iter().filter(|found| options.peers || found.about.name == "OpenSSL");
    wanted.filter_map(|found| found.provider).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_row() {
        for name in DEFAULT {
            assert_eq!(hashwell::find(name).unwrap().name, name);
        }
    }
}
