//! Turns the options into a job: the request for the library, the inputs and the outputs.

use crate::inputs::reading::is_stdin;
use crate::inputs::seed::PublicSeed;
use crate::options::form_args::FormOptions;
use crate::options::sample_args::{Amount, Order as OrderOption, SampleOptions, Spelled};
use crate::outputs::output::{check_not_input, standard_stream};
use crate::outputs::pending::behind_links;
use crate::system::report::{Failure, printable};
use hashwell_draw::row_sampling::{
    self, Design, Form, Order, RequestError, RowSampler, SAMPLE, SamplingOptions, SamplingRequest,
    SavedRecord, Shape,
};
use hashwell_draw::{Key, hex};
use hashwell_rows::{Format, Options};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A sample that is to be drawn.
pub(super) struct Job<'a> {
    pub(super) work: Work<'a>,
    /// The seed, if the options or the operating system give one.
    pub(super) seed: Option<PublicSeed>,
    pub(super) files: &'a [OsString],
    pub(super) reading: Reading<'a>,
    pub(super) outputs: Outputs<'a>,
    pub(super) order: Order,
    /// True if having fewer rows than requested is an error.
    pub(super) exact: bool,
    /// The start time, if statistics are printed.
    pub(super) stats: Option<Instant>,
}

/// A new sample, or one that continues from a saved state.
pub(super) enum Work<'a> {
    /// A new sample.
    New(SamplingRequest),
    /// A sample that was saved in this file, and the design if the options repeat it.
    Saved(&'a Path, Option<Design>),
}

/// The settings for reading rows.
pub(super) struct Reading<'a> {
    /// The format, if an option sets one.
    pub(super) format: Option<Format>,
    /// True if there is a header, false if there is none, and `None` if no option decides this.
    pub(super) header: Option<bool>,
    pub(super) rows: Options,
    /// The options about text, which are checked when the format is known. Absent if a transcript is rechecked.
    pub(super) form: Option<&'a FormOptions>,
    /// The sheet or table to read, if a file is a workbook or a database.
    pub(super) table: Option<&'a str>,
}

/// The destinations of the results.
#[derive(Clone, Copy, Default)]
pub(super) struct Outputs<'a> {
    pub(super) rows: RowsTo<'a>,
    pub(super) complement: Option<&'a Path>,
    /// True if all outputs are parts of a split. `complement` is then any of them.
    pub(super) are_parts: bool,
    pub(super) record: Option<RecordTo<'a>>,
    pub(super) state: Option<&'a Path>,
    /// The output format for rows of Parquet files, if an option sets one.
    pub(super) table_as: Option<Format>,
    /// True if rows are printed with their tickets.
    pub(super) tickets: bool,
    /// The delimiter of the rows, if an option sets one.
    pub(super) delimiter: Option<u8>,
}

/// The destination of a record.
#[derive(Clone, Copy)]
pub(super) enum RecordTo<'a> {
    /// The record is written to this file.
    File(&'a Path),
    /// The record of the new sample is compared with this one.
    Check(&'a SavedRecord),
}

/// The destination of the picked rows.
#[derive(Clone, Copy, Default)]
pub(super) enum RowsTo<'a> {
    #[default]
    StandardOutput,
    File(&'a Path),
    /// A recheck needs only the digest of the rows.
    Nowhere,
}

impl<'a> Job<'a> {
    pub(super) fn of(options: &'a SampleOptions) -> Result<Self, Failure> {
        let wanted = wanted(options);
        let (work, seed) = match &options.state_in {
            Some(path) => {
                let repeated =
                    SamplingOptions { state: false, exact: false, order: Order::Input, ..wanted.clone() };
                let design = (repeated != SamplingOptions::default()).then(|| wanted.design()).transpose();
                (Work::Saved(path, design.map_err(refused)?), None)
            }
            None => {
                // Check this before the seed is chosen, so that invalid options don't consume randomness.
                wanted.design().map_err(refused)?;
                let seed = PublicSeed::of(options.seed.as_deref(), options.seed_hex.as_deref())?;
                let wanted = SamplingOptions { seed_hex: Some(hex::encode(&seed.bytes)), ..wanted };
                (Work::New(wanted.request().map_err(refused)?), Some(seed))
            }
        };
        Ok(Self {
            work,
            seed,
            files: &options.files,
            reading: reading(options),
            outputs: Outputs::of(options),
            order: order(options),
            exact: options.exact,
            stats: options.stats.then(Instant::now),
        })
    }

    /// The request; `None` if the sample continues from a saved state.
    pub(super) fn request(&self) -> Option<&SamplingRequest> {
        match &self.work {
            Work::New(request) => Some(request),
            Work::Saved(..) => None,
        }
    }
}

impl<'a> Outputs<'a> {
    pub(super) fn of(options: &'a SampleOptions) -> Self {
        Self {
            rows: file(options).map_or(RowsTo::StandardOutput, |path| RowsTo::File(path)),
            complement: options.complement.as_deref(),
            are_parts: false,
            record: options.transcript.as_deref().map(RecordTo::File),
            state: options.state_out.as_deref(),
            table_as: options.table_as,
            tickets: options.print_ticket,
            delimiter: options.form.reading(Format::Csv).delimiter,
        }
    }

    /// The name of the option for the rows that were not picked, or for the parts, in errors.
    pub(super) fn complement_option(&self) -> &'static str {
        if self.are_parts { "--output" } else { "--complement" }
    }

    /// Returns true if ending the process immediately on Ctrl-C could leave incomplete output files.
    pub(super) fn leave_files(&self) -> bool {
        matches!(self.rows, RowsTo::File(_))
            || matches!(self.record, Some(RecordTo::File(_)))
            || self.complement.is_some()
            || self.state.is_some()
    }
}

/// The file for the rows. `-` is standard output.
fn file(options: &SampleOptions) -> Option<&PathBuf> {
    options.output.as_ref().filter(|path| !is_stdin(path.as_os_str()))
}

/// Converts the options to those of the library.
fn wanted(options: &SampleOptions) -> SamplingOptions {
    SamplingOptions {
        k: match options.rows {
            Some(Amount::Rows(rows)) => Some(rows.into()),
            _ => None,
        },
        p: options.probability.clone(),
        step: options.every.map(Into::into),
        shuffle: options.shuffle,
        group_by: options.group_by.clone(),
        weight: options.weight.clone(),
        weighting: options.design.clone(),
        default_weight: options.default_weight.clone(),
        replace: options.replace,
        stratify: options.stratify.clone(),
        proportional: options.proportional,
        order: order(options),
        exact: options.exact,
        state: options.state_in.is_some() || options.state_out.is_some(),
        rest: options.complement.is_some(),
        ticket: options.print_ticket,
        context: options.context.clone(),
        shard: options.shard.clone(),
        ..SamplingOptions::default()
    }
}

fn order(options: &SampleOptions) -> Order {
    match options.order {
        OrderOption::Input => Order::Input,
        OrderOption::Draw => Order::Draw,
    }
}

fn refused(error: RequestError) -> Failure {
    Failure::Usage(error.text(&Spelled))
}

pub(super) fn reading(options: &SampleOptions) -> Reading<'_> {
    let format = if options.zero { Some(Format::Nul) } else { options.form.asked() };
    let header = if options.header { Some(true) } else { options.no_header.then_some(false) };
    Reading {
        format,
        header,
        rows: options.form.reading(Format::Lines),
        form: Some(&options.form),
        table: options.form.table(),
    }
}

/// The seed of a merge. The library derives the context from the states.
pub(super) fn merge_seed(options: &SampleOptions) -> Result<PublicSeed, Failure> {
    let seed = PublicSeed::of(options.seed.as_deref(), options.seed_hex.as_deref())?;
    seed.say();
    Ok(seed)
}

/// The key of a self-test.
pub(super) fn selftest_key(options: &SampleOptions) -> Result<Key, Failure> {
    let seed = merge_seed(options)?;
    let context = row_sampling::context_of(SAMPLE, &options.context, options.shard.as_deref());
    Ok(row_sampling::Seed { bytes: seed.bytes, context }.key())
}

/// Rejects two outputs to the same file, because the later one would replace the earlier. Also rejects outputs that
/// would replace an input.
pub(super) fn check_outputs(options: &SampleOptions) -> Result<(), Failure> {
    let outputs = [
        ("--output", file(options)),
        ("--complement", options.complement.as_ref()),
        ("--transcript", options.transcript.as_ref()),
        ("--state-out", options.state_out.as_ref()),
    ];
    let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path?)));
    check_places(outputs.clone())?;
    let names =
        |paths: &[PathBuf]| paths.iter().map(|path| path.clone().into_os_string()).collect::<Vec<_>>();
    let others = [names(options.sizes.as_slice()), names(&options.after)].concat();
    let state_in = names(options.state_in.as_slice());
    for (option, path) in outputs {
        // A state may replace the state that it continues, or one of the states that it merges.
        let is_state = option == "--state-out";
        let files = options.files.iter().filter(|_| !(is_state && options.merge));
        check_not_input(option, path, files.chain(&others).chain(state_in.iter().filter(|_| !is_state)))?;
    }
    Ok(())
}

/// Rejects two outputs to the same file. Each output has a name for the error.
pub(super) fn check_places<'p, N: Display>(
    outputs: impl Iterator<Item = (N, &'p PathBuf)>,
) -> Result<(), Failure> {
    let mut places = HashMap::new();
    for (option, path) in outputs {
        let is_same = |other: &N| format!("{other} and {option} are the same file");
        let same = place(path).and_then(|place| places.get(&place).map(is_same));
        if let Some(same) = same {
            let path = printable(path.as_os_str());
            return Err(Failure::Usage(format!("{same}: {path}")));
        }
        place(path).and_then(|place| places.insert(place, option));
    }
    Ok(())
}

/// The resolved folder of a file, with its name, so that two spellings of one path are equal. `None` for devices, which
/// may be named twice.
fn place(path: &Path) -> Option<PathBuf> {
    if path.metadata().is_ok_and(|there| !there.is_file()) || standard_stream(path).is_some() {
        return None;
    }
    if path.is_symlink() {
        return Some(behind_links(path));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// A sampler, before it reads the rows of the inputs.
pub(super) struct Start {
    pub(super) sampler: RowSampler,
    /// The shape of the rows that a saved sampler has seen.
    pub(super) saved_shape: Option<Shape>,
    /// The number of rows that it has seen.
    pub(super) before: u64,
}

impl Start {
    /// Returns true if no row is written before all rows have been read.
    pub(super) fn reads_all_first(&self) -> bool {
        matches!(self.sampler, RowSampler::Sample(_))
    }

    /// The format of a saved sample's rows, and whether they had a header. A sample of no rows can be continued with
    /// any format.
    pub(super) fn saved_form(&self) -> Option<(Format, bool)> {
        let shape = self.saved_shape.as_ref().filter(|_| self.before > 0)?;
        Some((format_of(shape.form)?, shape.header.is_some()))
    }

    /// Rejects rows that cannot be in the same file as those of a saved sample.
    pub(super) fn check_shape(&self, job: &Job<'_>, shape: &Shape) -> Result<(), Failure> {
        match (&self.saved_shape, &job.work) {
            (Some(saved), Work::Saved(path, _)) if !saved.agrees(shape) => {
                let name = printable(path.as_os_str());
                Err(work(format!("the input has a different format or header than {name}")))
            }
            _ => Ok(()),
        }
    }
}

impl<'a> RowsTo<'a> {
    pub(super) fn path(self) -> Option<&'a Path> {
        match self {
            Self::File(path) => Some(path),
            Self::StandardOutput | Self::Nowhere => None,
        }
    }
}

/// The form with the same name as a format, for records and states.
pub(super) fn form_of(format: Format) -> Form {
    Form::of_name(format.name()).expect("a test looks for each format")
}

/// The file format of a form. Rows that a program passed to the library have a form without a file format.
pub(super) fn format_of(form: Form) -> Option<Format> {
    Format::of_name(form.name())
}

pub(super) fn work(message: impl Into<String>) -> Failure {
    Failure::Work(message.into())
}

pub(super) fn usage(message: impl Into<String>) -> Failure {
    Failure::Usage(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_a_form() {
        for format in Format::ALL {
            assert_eq!(format_of(form_of(format)), Some(format));
        }
    }
}
