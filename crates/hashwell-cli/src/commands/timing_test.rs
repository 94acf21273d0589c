//! `hashwell timing-test`: tests whether execution time depends on secrets, by measurement or with memcheck.

use crate::options::args::TimingTestOptions;
use crate::outputs::output::write_file;
use crate::system::exit::{FAILURE, INCONCLUSIVE, SUCCESS};
use crate::system::interrupt::Interrupt;
use crate::system::progress::shown;
use crate::system::report::{Failure, complain, reason, write_line};
use hashwell::{ALGORITHMS, KmacVariant};
use hashwell_measure::leak::{
    self, Analysis, Checked, Clock, ControlRow, Plan, Report, Row, SCHEMA, Subject, Test, Verdict,
};
use hashwell_measure::report::machine;
use hashwell_measure::timing::clock;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

pub(crate) fn run(options: &TimingTestOptions) -> Result<u8, Failure> {
    if options.memcheck && !leak::under_memcheck() {
        let how = "--memcheck must run under valgrind: valgrind -q hashwell timing-test --memcheck";
        return Err(Failure::Usage(how.to_owned()));
    }
    let subjects = subjects(options)?;
    if options.memcheck { memcheck(subjects, options.json) } else { measure(subjects, options) }
}

/// The subjects that the options select, in the registry's order.
fn subjects(options: &TimingTestOptions) -> Result<Vec<Subject>, Failure> {
    let name = |given: &String| match KmacVariant::find(given) {
        Ok(variant) => Ok(variant.name()),
        Err(_) => hashwell::find(given).map(|a| a.name).map_err(|e| Failure::Usage(e.to_string())),
    };
    let names = options.algorithms.iter().map(name).collect::<Result<Vec<_>, _>>()?;
    let all = leak::targets();
    let paths: BTreeSet<&str> = all.iter().map(|subject| subject.path).collect();
    if let Some(unknown) = options.paths.iter().find(|path| !paths.contains(path.as_str())) {
        let known = paths.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Failure::Usage(format!("unknown target '{unknown}' (known targets: {known})")));
    }
    let chosen = |subject: &Subject| {
        let named = names.is_empty() || names.contains(&subject.algorithm);
        let on_path = options.paths.is_empty() || options.paths.iter().any(|path| path == subject.path);
        let in_set = match (options.all || options.memcheck, names.is_empty()) {
            (true, _) => true,
            (false, true) => leak::representative(subject),
            (false, false) => subject.default_kernel,
        };
        named && on_path && in_set
    };
    let chosen: Vec<Subject> = all.into_iter().filter(chosen).collect();
    if chosen.is_empty() {
        let given = [(!names.is_empty(), "this algorithm"), (!options.paths.is_empty(), "this --target")];
        let given: Vec<&str> = given.iter().filter(|(given, _)| *given).map(|(_, name)| *name).collect();
        return Err(Failure::Usage(format!("no target matches {}", given.join(" and "))));
    }
    Ok(chosen)
}

// ------------------------------------------------------------------------------------------- by measurement

fn measure(subjects: Vec<Subject>, options: &TimingTestOptions) -> Result<u8, Failure> {
    let interrupt = Interrupt::watch().map_err(|e| Failure::Work(reason(&e)))?;
    let report = measured(subjects, options, &|| interrupt.flow().is_break());
    drop(interrupt);
    let text = if options.json {
        let json = serde_json::to_string(&report).map_err(|e| Failure::Work(e.to_string()))?;
        format!("{json}\n")
    } else {
        table(&report)
    };
    // Print to standard output first, because writing a chart may fail, for example if its folder is missing, and the
    // measurement may have taken hours.
    write_line(text.as_bytes())?;
    if let Some(path) = &options.svg {
        write_file(path, report.chart().as_bytes())?;
    }
    if let (Some(path), Some(picture)) = (&options.ecdf, report.distributions()) {
        write_file(path, picture.as_bytes())?;
    }
    if !report.complete() {
        complain(&format_args!("stopped after {} of {} targets", report.rows.len(), report.targets));
    }
    Ok(match report.verdict {
        Verdict::NotSeenAbove(_) => SUCCESS,
        Verdict::Inconclusive => INCONCLUSIVE,
        Verdict::Suspicious | Verdict::Leak => FAILURE,
    })
}

/// Measures the controls and then the targets, on one core, until all are measured or `stop` returns true.
fn measured(subjects: Vec<Subject>, options: &TimingTestOptions, stop: &dyn Fn() -> bool) -> Report {
    let mut controls = leak::controls();
    controls.retain(|control| control.timed.is_some());
    let total = controls.len() + subjects.len();
    let bar = progress(total);
    let load = machine::load();
    let _pinned = clock::pin();
    let clock = Clock::new();
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one("hashwell timing-test"));
    let plan = |row: u64| Plan {
        samples: options.samples as usize,
        limit: options.seconds.map(|seconds| Duration::from_secs(seconds).div_f64(total as f64)),
        seed: seed.wrapping_add(row),
    };
    let mut rows_done = 0;
    let mut next = |subject: &mut Subject| -> Option<Analysis> {
        bar.set_message(format!("{} {} {}", subject.path, subject.algorithm, subject.kernel));
        rows_done += 1;
        let analysis = leak::measure(subject, plan(rows_done), clock, stop)?;
        bar.inc(1);
        Some(analysis)
    };
    let mut report = Report {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu: machine::cpu_name(),
        clock: clock.name().to_owned(),
        core_ghz: clock.core_ghz(),
        ticks_per_ns: clock.ticks_per_ns(),
        load,
        seed,
        samples: options.samples as usize,
        targets: subjects.len(),
        controls: Vec::new(),
        rows: Vec::new(),
        verdict: Verdict::Inconclusive,
    };
    let wanted = controls.len();
    for mut control in controls {
        let Some(analysis) = next(&mut control.subject) else { break };
        report.controls.extend(ControlRow::new(&control, analysis));
    }
    if report.controls.len() == wanted {
        for mut subject in subjects {
            let Some(analysis) = next(&mut subject) else { break };
            report.rows.push(Row::new(&subject, analysis));
        }
    }
    bar.finish_and_clear();
    report.conclude();
    report
}

/// A progress line on standard error, if that is a terminal.
fn progress(total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("the template is valid");
    let bar = if shown() { ProgressBar::new(total as u64) } else { ProgressBar::hidden() };
    bar.with_style(style)
}

fn table(report: &Report) -> String {
    let load = report.load.map_or("unknown".to_owned(), |[one, ..]| format!("{one:.2}"));
    let head = format!(
        "hashwell {}, {}, {:.2} GHz, load {load}; clock: {}, {:.3} ticks/ns; seed {}\n\
         {} measurements per target, each with either the fixed secret or a random one; differences are fixed minus \
         random, in core cycles\n",
        report.version,
        report.cpu,
        report.core_ghz,
        report.clock,
        report.ticks_per_ns,
        report.seed,
        report.samples,
    );
    let titles = ["MAX |T|", "OF", "TAU", "PAIRED (95 %)", "P"].map(str::to_owned);
    let mut cells = vec![line(["CONTROL".to_owned(), String::new(), String::new()], titles.clone(), "")];
    for control in &report.controls {
        let verdict = match (control.planted, control.as_planted) {
            (true, true) => "found, as expected",
            (true, false) => "NOT FOUND",
            (false, true) => "nothing found, as expected",
            (false, false) => "FALSE ALARM",
        };
        let names = [control.name.clone(), String::new(), String::new()];
        cells.push(line(names, figures(&control.analysis, control.analysis.p), verdict));
    }
    cells.push(line(["TARGET", "ALGORITHM", "KERNEL"].map(str::to_owned), titles, "VERDICT"));
    for row in &report.rows {
        let names = [row.path.clone(), row.algorithm.clone(), row.kernel.clone()];
        cells.push(line(names, figures(&row.analysis, row.p_adjusted), &row.verdict.to_string()));
    }
    format!(
        "{head}{}\n{}, p-values adjusted by Holm's method: {}\n",
        cells.concat(),
        match report.rows.len() {
            1 => "1 target".to_owned(),
            n => format!("{n} targets"),
        },
        report.verdict
    )
}

fn line([path, algorithm, kernel]: [String; 3], figures: [String; 5], verdict: &str) -> String {
    let names = if algorithm.is_empty() {
        format!("{path:<48}")
    } else {
        format!("{path:<14} {algorithm:<16} {kernel:<16}")
    };
    let [t, of, tau, paired, p] = figures;
    format!("{names} {t:>8}  {of:<9} {tau:>7}  {paired:<22} {p:<7}  {verdict}\n")
}

fn figures(analysis: &Analysis, p: f64) -> [String; 5] {
    let of = match analysis.test {
        Test::Raw => "all".to_owned(),
        Test::Crop(part) => format!("{:.1} %", 100.0 * part),
        Test::CentredSquares => "squares".to_owned(),
    };
    let paired = analysis.paired.map_or("too few pairs".to_owned(), |paired| {
        format!("{:+.2} [{:+.2}, {:+.2}]", paired.difference, paired.low, paired.high)
    });
    let p = if p < 1e-4 { format!("{p:.0e}") } else { format!("{p:.3}") };
    [format!("{:.2}", analysis.t.abs()), of, format!("{:.4}", analysis.tau.abs()), paired, p]
}

// ------------------------------------------------------------------------------------------- by memcheck

fn memcheck(subjects: Vec<Subject>, json: bool) -> Result<u8, Failure> {
    let controls: Vec<(&str, Checked, bool)> = leak::controls()
        .into_iter()
        .map(|mut control| {
            let (checked, right) = control.undefined_as_planted();
            (control.name, checked, right)
        })
        .collect();
    let rows: Vec<Checked> = subjects.into_iter().map(|mut subject| leak::check(&mut subject)).collect();
    let hold = controls.iter().all(|(_, _, right)| *right);
    let leaks: Vec<&Checked> = rows.iter().filter(|row| row.leaks()).collect();
    let verdict = match (hold, leaks.is_empty()) {
        (false, _) => "INCONCLUSIVE",
        (true, true) => "NO SECRET-DEPENDENT BRANCH OR ADDRESS SEEN",
        (true, false) => "LEAK",
    };
    let ran: BTreeSet<&str> = rows.iter().map(|row| row.kernel.as_str()).collect();
    let all = ALGORITHMS.iter().flat_map(|a| a.kernels().into_iter().chain(a.batch_kernels()));
    let lacking: BTreeSet<&str> = all.filter(|kernel| !kernel.available).map(|kernel| kernel.name).collect();
    let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
    let text = if json {
        let control = |(name, checked, right): &(&str, Checked, bool)| serde_json::json!({ "name": name, "errors": checked.errors, "as_planted": right });
        let report = serde_json::json!({
            "schema": "hashwell-memcheck/1",
            "controls": controls.iter().map(control).collect::<Vec<_>>(),
            "rows": rows,
            "kernels": ran,
            "kernels_not_run": lacking,
            "verdict": verdict,
        });
        format!("{report}\n")
    } else {
        let control = |(name, checked, right): &(&str, Checked, bool)| {
            let right = if *right { "as expected" } else { "NOT AS EXPECTED" };
            format!("control: {name}: {} errors, {right}\n", checked.errors)
        };
        let leak = |row: &&Checked| {
            format!("LEAK: {} {} {}: {} errors\n", row.path, row.algorithm, row.kernel, row.errors)
        };
        let controls: String = controls.iter().map(control).collect();
        let leaks: String = leaks.iter().map(leak).collect();
        format!(
            "{controls}{leaks}{} targets; kernels that ran: {}\nkernels that valgrind's CPU does not support: {}\n\
             {verdict}\n",
            rows.len(),
            list(&ran),
            list(&lacking),
        )
    };
    write_line(text.as_bytes())?;
    Ok(if !hold {
        INCONCLUSIVE
    } else if leaks.is_empty() {
        SUCCESS
    } else {
        FAILURE
    })
}
