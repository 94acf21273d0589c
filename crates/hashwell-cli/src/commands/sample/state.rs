//! Saved states: `--state-in` continues from one, and `--merge` combines several into one sample.

use super::draw;
use super::names::{check_merged, check_names};
use super::output::{finish_merged, say_stats, write_state};
use super::request::{Outputs, Start, merge_seed, usage, work};
use crate::options::sample_args::{Order as OrderOption, SampleOptions};
use crate::system::report::{Failure, complain, printable, reason};
use hashwell_draw::Key;
use hashwell_draw::row_sampling::{self, Design, Form, Merged, Order, RowSampler, SavedRecord, State};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The first bytes of every state.
const MAGIC: &[u8] = b"hwstate/";

/// The maximum size in bytes of a state that does not come from a regular file.
const MOST_PIPED: u64 = 4 << 30;

/// The sampler that was saved in this file. Options that repeat the design must agree with it.
pub(super) fn resume(path: &Path, design: Option<&Design>) -> Result<Start, Failure> {
    let State { sample, shape } = read(path)?;
    if design.is_some_and(|design| *design != sample.design()) {
        return Err(usage(
            "--state-in: the state belongs to a sample with other options (remove the options that differ)",
        ));
    }
    if !sample.goes_on() {
        return Err(work(format!(
            "{}: a merged sample cannot read more rows (sample them separately, then merge the states)",
            printable(path.as_os_str())
        )));
    }
    let before = sample.seen();
    Ok(Start { sampler: RowSampler::Sample(sample), saved_shape: Some(shape), before })
}

/// Reads a state from its file.
pub(super) fn read(path: &Path) -> Result<State, Failure> {
    let name = || printable(path.as_os_str());
    let bytes = bounded(path).map_err(|error| work(format!("{}: {}", name(), reason(&error))))?;
    let state = State::from_bytes(&bytes).map_err(|error| work(format!("{}: {error}", name())))?;
    if matches!(state.shape.form, Form::Objects | Form::Arrow) {
        return Err(work(format!(
            "{}: the rows of this state are objects or Arrow data, not text; continue the sample in the program \
             that saved it",
            name()
        )));
    }
    Ok(state)
}

/// The bytes of a state. A pipe may be endless, so its data must begin like a state and may have at most [`MOST_PIPED`]
/// bytes.
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if file.metadata()?.is_file() {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes != MAGIC {
        // The caller parses these bytes as a state, which reports the error.
        return Ok(bytes);
    }
    file.take(MOST_PIPED).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_PIPED {
        return Err(io::Error::other(format!(
            "the state is larger than {MOST_PIPED} bytes, the limit for a pipe (use a file)"
        )));
    }
    Ok(bytes)
}

/// `--merge`: combines samples into one, as if one sampler had seen all rows.
pub(super) fn merge(options: &SampleOptions) -> Result<(), Failure> {
    let stats = options.stats.then(Instant::now);
    let mut parts = Vec::new();
    let mut paths = HashSet::new();
    for name in &options.files {
        // Naming a state twice is always a mistake. In a sample by key, its rows would be repeated; in other samples,
        // both copies have the same random key.
        if std::fs::canonicalize(name).is_ok_and(|path| path.is_file() && !paths.insert(path)) {
            return Err(usage(format!("--merge: {} is named twice", printable(name))));
        }
        parts.push(Merged { name: printable(name), state: read(Path::new(name))? });
    }
    if parts.is_empty() {
        return Err(usage("--merge requires FILEs that --state-out wrote"));
    }
    let merged = row_sampling::merge(parts, || Ok::<_, Failure>(merge_seed(options)?.bytes))?;
    let State { sample, shape } = merged;
    let outputs = Outputs::of(options);
    check_names(&outputs, shape.form)?;
    check_merged(&outputs, shape.form)?;
    let seen = sample.seen();
    if let Some(path) = outputs.state {
        return write_state(path, sample, &shape);
    }
    let order = if options.order == OrderOption::Draw { Order::Draw } else { Order::Input };
    let drawn = draw::picks(&outputs, order, options.exact, sample, &shape, |_| Ok(None))?;
    let (picked, chance, notes) = (drawn.picked, drawn.chance, drawn.notes);
    finish_merged(drawn.out)?;
    notes.iter().for_each(|note| complain(note));
    say_stats(stats, seen, None, picked, chance.as_deref());
    Ok(())
}

/// Rejects a key that an earlier transcript or state has (`--after`).
pub(super) fn check_earlier(earlier: &[PathBuf], key: Key) -> Result<(), Failure> {
    for path in earlier {
        let name = printable(path.as_os_str());
        let bytes =
            std::fs::read(path).map_err(|error| Failure::Work(format!("{name}: {}", reason(&error))))?;
        let same = match SavedRecord::read(&bytes) {
            Some(record) => record.map_err(|error| Failure::Work(format!("{name}: {error}")))?.has_key(&key),
            None => read(path)?.sample.key() == key,
        };
        if same {
            return Err(Failure::Work(format!(
                "{name}: it was drawn with the same seed and context, so this sample would depend on it (give this \
                 sample a different --context)"
            )));
        }
    }
    Ok(())
}
