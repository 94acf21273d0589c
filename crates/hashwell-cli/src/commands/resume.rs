//! `hashwell sum --resume`: hashes a large file so that an interrupted run can be continued.

use crate::digests::digest::Digests;
use crate::digests::recipe::Recipe;
use crate::inputs::reading::{Help, Opened, Unreadable, is_stdin, read_named, watch_files};
use crate::inputs::stamps;
use crate::inputs::trees::{about, is_same, of, size};
use crate::outputs::output::{check_place, write_file_like};
use crate::system::interrupt::Interrupt;
use crate::system::os::name_bytes;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, complain_of, printable, reason};
use hashwell::Hasher;
use hashwell_checksums::stamp::Stamp;
use hashwell_draw::hex;
use serde_json::{Map, Value};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The first two fields of a state file.
const FORMAT: &str = "hashwell sum --resume";
const VERSION: u64 = 1;
/// The maximum size in bytes of a state file. One hash needs less than 9 KB.
const MOST: u64 = 16 << 20;
/// The length of the fields before the parameters of a saved hash (docs/spec/state.md).
const BEFORE_PARAMETERS: usize = 12;

/// Computes the digests of a file. `state` contains the progress of an earlier run, if it exists.
pub(super) fn digests(
    name: &OsString,
    state: &Path,
    every: Duration,
    recipe: Recipe<'_>,
    help: Help,
    progress: &Progress,
) -> Result<Digests, Failure> {
    if is_stdin(name) {
        return Err(Failure::Usage(
            "--resume requires a file name: it cannot read standard input".to_owned(),
        ));
    }
    if !recipe.engines.is_empty() {
        return Err(Failure::Usage("--resume cannot be used with --device".to_owned()));
    }
    let mut hashers = recipe.hashers();
    let unsaved = |error: hashwell::Error| Failure::Usage(format!("--resume: {error}"));
    hashers.iter().try_for_each(|hasher| hasher.to_bytes().map(drop)).map_err(unsaved)?;
    // A pipe is refused before it is opened.
    size(name)?;
    if is_same(name, state) {
        return Err(about(
            state.as_os_str(),
            &"--resume: STATE and FILE are the same file; choose a different name for STATE",
        ));
    }
    check_place(state)?;
    watch_files();
    let unreadable = |error: Unreadable| about(name, &error.reason());
    let file = Opened::new(name).map_err(unreadable)?;
    let metadata = file.metadata().map_err(|error| about(name, &reason(&error)))?;
    let run = Run { name, state, place: path_of(name)?, stamp: stamps::of_metadata(&metadata), metadata };
    let mut offset = 0;
    if state.exists() {
        (offset, hashers) = run.read(&hashers)?;
        let text = format!("{}: continued at byte {offset} of {}", printable(name), run.metadata.len());
        progress.suspend(|| complain(&text));
    }
    progress.begin(name);
    progress.add(offset);
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))?;
    let update = if help == Help::None { Hasher::update } else { Hasher::update_parallel };
    let mut failure = None;
    let mut saved = Instant::now();
    let read = file.read_from(offset, |bytes| {
        hashers.iter_mut().for_each(|hasher| update(hasher, bytes));
        offset += bytes.len() as u64;
        progress.add(bytes.len() as u64);
        let stopped = interrupt.flow().is_break();
        if stopped || saved.elapsed() >= every {
            let written = run.save(offset, &hashers);
            if stopped && written.is_ok() {
                let text = format!(
                    "stopped at byte {offset} of {}: run the same command again to continue",
                    run.metadata.len()
                );
                progress.suspend(|| complain_of(name, &text));
            }
            failure = written.err().or(stopped.then_some(Failure::Interrupted));
            saved = Instant::now();
        }
        if failure.is_some() { Err(io::Error::other("stopped")) } else { Ok(()) }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    match read {
        Ok(size) => Ok(Digests { digests: hashers.iter().map(Hasher::digest).collect(), size }),
        Err(error @ Unreadable::Changed) => {
            // The file has changed, so later runs would refuse the state.
            remove(state)?;
            Err(unreadable(error))
        }
        Err(error) => {
            run.save(offset, &hashers)?;
            Err(unreadable(error))
        }
    }
}

/// Removes the state, if there is one.
pub(super) fn remove(state: &Path) -> Result<(), Failure> {
    match fs::remove_file(state) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(about(state.as_os_str(), &reason(&error)))
        }
        _ => Ok(()),
    }
}

/// The absolute path of a file, as bytes in hexadecimal, since a name need not be text.
fn path_of(name: &OsStr) -> Result<String, Failure> {
    let path = fs::canonicalize(name).map_err(|error| about(name, &reason(&error)))?;
    Ok(hex::encode(&name_bytes(path.as_os_str())))
}

/// A file that is being hashed.
struct Run<'n> {
    name: &'n OsStr,
    state: &'n Path,
    place: String,
    stamp: Stamp,
    metadata: Metadata,
}

impl Run<'_> {
    /// The fields that identify the file, with their names for messages.
    fn identity(&self) -> [(&'static str, &'static str, Value); 5] {
        let text = |number: Option<i128>| number.map_or(Value::Null, |number| number.to_string().into());
        let number = |number: Option<u64>| number.map_or(Value::Null, Value::from);
        [
            ("file", "path", self.place.clone().into()),
            ("size", "size", number(self.stamp.size)),
            ("mtime", "modification time", text(self.stamp.mtime)),
            ("ctime", "change time", text(self.stamp.ctime)),
            ("inode", "inode", number(self.stamp.inode)),
        ]
    }

    /// Writes the state, which replaces an earlier one. The state is as secret as the file, so it gets the same
    /// permissions.
    fn save(&self, offset: u64, hashers: &[Hasher]) -> Result<(), Failure> {
        let mut fields = Map::new();
        fields.insert("format".to_owned(), FORMAT.into());
        fields.insert("version".to_owned(), VERSION.into());
        for (key, _, value) in self.identity() {
            fields.insert(key.to_owned(), value);
        }
        fields.insert("offset".to_owned(), offset.into());
        let mut states = Vec::new();
        for hasher in hashers {
            let bytes = hasher.to_bytes().map_err(of)?;
            states.push(Value::from(hex::encode(&bytes)));
        }
        fields.insert("hashes".to_owned(), states.into());
        let text = format!("{}\n", Value::Object(fields));
        write_file_like(self.state, text.as_bytes(), &self.metadata)
    }

    /// Reads the state of an earlier run; returns the offset and the hashes. `fresh` are the hashes of an empty message
    /// with the algorithms and parameters of this run.
    fn read(&self, fresh: &[Hasher]) -> Result<(u64, Vec<Hasher>), Failure> {
        let name = self.state.as_os_str();
        size(name)?;
        let bytes = read_named(&name.to_owned(), MOST)?;
        let wrong = |what: &str| about(name, &format!("not a state written by --resume: {what}"));
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| wrong("not complete JSON"))?;
        if value["format"] != FORMAT {
            return Err(wrong(&format!("the field \"format\" is not {FORMAT:?}")));
        }
        if value["version"] != VERSION {
            return Err(wrong(&format!("version: got {}, expected {VERSION}", value["version"])));
        }
        for (key, what, expected) in self.identity() {
            if value[key] != expected {
                let text = match key {
                    "file" => format!("the state belongs to a different file than {}", printable(self.name)),
                    _ => format!(
                        "{} has changed since the state was saved: {what}: got {expected}, expected {}",
                        printable(self.name),
                        value[key]
                    ),
                };
                return Err(about(name, &format!("{text} (remove the state to start again)")));
            }
        }
        let offset = value["offset"].as_u64().filter(|offset| Some(*offset) <= self.stamp.size);
        let offset = offset.ok_or_else(|| wrong("the offset is not within the file"))?;
        let states = value["hashes"].as_array().ok_or_else(|| wrong("the field \"hashes\" is missing"))?;
        let other = || {
            let text = "the state was saved with different algorithms or parameters (remove the state to start again)";
            about(name, &text)
        };
        if states.len() != fresh.len() {
            return Err(other());
        }
        let mut hashers = Vec::new();
        for (state, fresh) in states.iter().zip(fresh) {
            let bytes = state.as_str().and_then(|text| hex::decode(text).ok());
            let bytes = bytes.ok_or_else(|| wrong("a hash is not in hexadecimal"))?;
            let hasher = Hasher::from_bytes(&bytes).map_err(|error| wrong(&error.to_string()))?;
            let fresh = fresh.to_bytes().map_err(of)?;
            if parameters(&bytes) != parameters(&fresh) {
                return Err(other());
            }
            if hasher.message_len() != offset {
                return Err(wrong("the message length of a saved hash differs from the offset"));
            }
            hashers.push(hasher);
        }
        Ok((offset, hashers))
    }
}

/// The fields of a saved hash that depend only on the algorithm and its parameters.
fn parameters(saved: &[u8]) -> Option<&[u8]> {
    let len = saved.get(BEFORE_PARAMETERS - 4..BEFORE_PARAMETERS)?.try_into().ok()?;
    saved.get(..BEFORE_PARAMETERS.checked_add(u32::from_le_bytes(len) as usize)?)
}
