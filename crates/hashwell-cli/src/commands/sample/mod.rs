//! `hashwell sample`: rows of files and pipes, picked at random.
//!
//! ```text
//! options -> request: Job (SamplingRequest, inputs, outputs)
//! FILEs --> input: rows, progress, Ctrl-C --> draw: the library's sampler --> output: rows, the rest
//!                                                                        \-> record: transcript
//! state: --state-out, --state-in, --merge      record: hashwell verify      selftest: --selftest
//! ```
//!
//! `hashwell_draw::row_sampling` decides which rows are drawn and kept, and how states are saved and merged. The
//! modules here translate options, and read and write files. The picks depend only on the request and the rows, not on
//! how the rows are read.

mod draw;
mod input;
mod names;
mod output;
mod record;
mod request;
mod selftest;
mod split;
mod state;

use crate::inputs::containers::{NO_CONTAINER, has_tables};
use crate::inputs::reading::is_stdin;
use crate::options::sample_args::SampleOptions;
use crate::options::split_args::SplitOptions;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, printable};
use hashwell_draw::Error;
use hashwell_draw::row_sampling::SavedRecord;
use input::Inputs;
use request::{Job, Start, Work};
use std::ffi::{OsStr, OsString};

pub(crate) fn run(options: &SampleOptions) -> Result<u8, Failure> {
    request::check_outputs(options)?;
    if options.selftest {
        return selftest::run(options);
    }
    if options.merge {
        state::merge(options)?;
        return Ok(SUCCESS);
    }
    if let Some(allocation) = split::Allocation::of(options)? {
        split::sample(options, &allocation)?;
        return Ok(SUCCESS);
    }
    let job = Job::of(options)?;
    if let Some(request) = job.request()
        && !options.after.is_empty()
    {
        state::check_earlier(&options.after, request.seed.key())?;
    }
    sample(job)?;
    Ok(SUCCESS)
}

/// `hashwell split`.
pub(crate) fn split(options: &SplitOptions) -> Result<u8, Failure> {
    split::run(options)?;
    Ok(SUCCESS)
}

/// Reads the rows, draws, and writes the outputs of the job. If the job checks a record, returns the comparison.
fn sample(mut job: Job<'_>) -> Result<Option<output::Checked>, Failure> {
    let start = match &job.work {
        Work::New(request) => Start { sampler: request.sampler()?, saved_shape: None, before: 0 },
        Work::Saved(path, design) => state::resume(path, design.as_ref())?,
    };
    let again = job.outputs.complement.is_some() && start.reads_all_first();
    let (inputs, watch) = Inputs::of(&job, again, start.saved_form())?;
    job.outputs.delimiter = inputs.delimiter();
    let job = &job;
    inputs.guard(|| {
        let mut stream = inputs.open(&watch)?;
        inputs.hint(&stream);
        if let Some(seed) = &job.seed {
            seed.say();
        }
        start.check_shape(job, &stream.shape())?;
        let drawn = draw::run(job, start, &inputs, &mut stream)?;
        watch.check()?;
        output::finish(job, drawn, &stream)
    })
}

/// Implements `hashwell verify` for a transcript that `--transcript` wrote. Returns `None` if the bytes are not such a
/// transcript. Options for reading lists (`reads_lists`) are rejected, because the transcript contains this
/// information. `table` is the sheet or table to read from workbooks and databases.
pub(crate) fn recheck(
    name: &OsStr,
    json: &[u8],
    files: &[OsString],
    reads_lists: bool,
    table: Option<&str>,
) -> Option<Result<u8, Failure>> {
    let record = SavedRecord::read(json)?;
    if reads_lists {
        let message =
            "the transcript of a sample defines how its files are read (remove --id, --csv and so on)";
        return Some(Err(Failure::Usage(message.to_owned())));
    }
    Some(draw_again(name, record, files, table))
}

fn draw_again(
    name: &OsStr,
    record: Result<SavedRecord, Error>,
    files: &[OsString],
    table: Option<&str>,
) -> Result<u8, Failure> {
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        return Err(Failure::Usage("standard input is named twice".to_owned()));
    }
    if table.is_some() && !files.iter().any(|file| has_tables(file)) {
        return Err(Failure::Usage(NO_CONTAINER.to_owned()));
    }
    let record = record.map_err(|error| Failure::Work(format!("{}: {error}", printable(name))))?;
    // This sample was requested by the transcript, not by the user.
    let checked = sample(record::job(name, &record, files, table)?).map_err(|failure| match failure {
        Failure::Usage(why) => record::not_one(name, &why),
        failure => failure,
    })?;
    record::report(
        &checked.ok_or_else(|| record::not_one(name, "a sample with these settings has no transcript"))?,
    )
}
