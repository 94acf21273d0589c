//! Digests of files: each file is read once, for any number of algorithms.

use crate::digests::large;
use crate::digests::recipe::Recipe;
use crate::inputs::reading::{Help, Opened, Unreadable, append, read_file, try_read_file};
use crate::system::progress::Progress;
use hashwell::Hasher;
use hashwell_checksums::Choice;
use hashwell_checksums::legacy::{Legacy, State};
use std::ffi::OsString;

/// The maximum number of bytes that [`Kept::Whole`] keeps in memory, for example of a pipe if the header must contain
/// its size.
const MAX_UNSIZED: u64 = 1 << 30;

/// Files smaller than this number of bytes are hashed together in SIMD lanes. A longer file keeps a core busy by
/// itself.
pub(crate) const SMALL: u64 = 64 << 10;

/// The digests of one file.
pub(crate) struct Digests {
    /// One digest for each choice, in the same order.
    pub(crate) digests: Vec<Vec<u8>>,
    /// The number of bytes that were read.
    pub(crate) size: u64,
}

/// Reads the file (or standard input) once. Hashes `header` and then the file by the recipe, with the `help` of other
/// cores if the file is large.
pub(crate) fn digest_file(
    name: &OsString,
    header: &[u8],
    recipe: Recipe<'_>,
    help: Help,
    progress: &Progress,
) -> Result<Digests, Unreadable> {
    progress.begin(name);
    if help == Help::OtherCores
        && let Some((file, size)) = Opened::large(name)
        && let Some(found) = large::digests(&file, size, header, recipe, progress)?
    {
        return Ok(Digests { digests: found.digests, size: found.size });
    }
    let mut hashers = recipe.hashers();
    hashers.iter_mut().for_each(|hasher| hasher.update(header));
    let update = if help == Help::None { Hasher::update } else { Hasher::update_parallel };
    let size = read_file(name, help, |bytes| {
        hashers.iter_mut().for_each(|hasher| update(hasher, bytes));
        progress.add(bytes.len() as u64);
    })?;
    Ok(Digests { digests: hashers.iter().map(Hasher::digest).collect(), size })
}

/// Returns true if a file of this size may be hashed together with others. Files that report a size of 0, such as those
/// of /proc, are excluded, because they may have any number of bytes.
pub(crate) fn is_small(size: Option<u64>) -> bool {
    size.is_some_and(|size| (1..SMALL).contains(&size))
}

/// Hashes one file by itself, on the cores that `help` allows, or several small files together. If a device is used, it
/// gets every file in full.
pub(crate) fn digest_group(
    names: &[&OsString],
    recipe: Recipe<'_>,
    help: Help,
    progress: &Progress,
) -> Vec<Result<Digests, Unreadable>> {
    match names {
        _ if !recipe.engines.is_empty() => {
            digest_small_files(names, Kept::Whole, |_| Vec::new(), recipe, progress)
        }
        [name] => vec![digest_file(name, b"", recipe, help, progress)],
        small => digest_small_files(small, Kept::Small, |_| Vec::new(), recipe, progress),
    }
}

/// Same as [`digest_file`], for a file of this `size` and a header for that size. Returns an error if the file's size
/// has changed.
pub(crate) fn digest_file_of_size(
    name: &OsString,
    size: u64,
    header: &[u8],
    recipe: Recipe<'_>,
    help: Help,
    progress: &Progress,
) -> Result<Digests, Unreadable> {
    let digests = digest_file(name, header, recipe, help, progress)?;
    if digests.size == size { Ok(digests) } else { Err(Unreadable::Changed) }
}

/// A file that is expected to be small.
enum Small {
    /// The header and the content in one buffer, and the size of the content.
    Message(Vec<u8>, u64),
    /// The file was not small, and has been hashed.
    Hashed(Digests),
}

impl Small {
    fn message(&self) -> Option<&[u8]> {
        match self {
            Small::Message(message, _) => Some(message),
            Small::Hashed(_) => None,
        }
    }
}

/// The amount of a file's content that is kept in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// At most [`SMALL`] bytes. A file that is longer, or that does not fit into memory, is read again and hashed by
    /// itself.
    Small,
    /// All of it, because it cannot be read again. It is an error if it has more than [`MAX_UNSIZED`] bytes.
    Whole,
}

/// Reads small files one after the other, and then hashes them together by the recipe. Each message is the `header` for
/// the content's length, followed by the content.
pub(crate) fn digest_small_files(
    names: &[&OsString],
    kept: Kept,
    header: impl Fn(u64) -> Vec<u8>,
    recipe: Recipe<'_>,
    progress: &Progress,
) -> Vec<Result<Digests, Unreadable>> {
    let read = |name: &&OsString| {
        progress.begin(name);
        let mut content = Vec::new();
        let mut dropped = false;
        let size = try_read_file(name, Help::None, |bytes| {
            if kept == Kept::Whole {
                append(&mut content, bytes, MAX_UNSIZED)?;
            } else {
                dropped = dropped || append(&mut content, bytes, SMALL).is_err();
            }
            if !dropped {
                progress.add(bytes.len() as u64);
            }
            Ok(())
        })?;
        let header = header(size);
        if dropped {
            drop(content);
            let digests = digest_file_of_size(name, size, &header, recipe, Help::None, progress)?;
            return Ok(Small::Hashed(digests));
        }
        content.splice(..0, header);
        Ok(Small::Message(content, size))
    };
    let files: Vec<Result<Small, Unreadable>> = names.iter().map(read).collect();
    let messages: Vec<&[u8]> = files.iter().flatten().filter_map(Small::message).collect();
    let digests = recipe.digests(&messages).map_err(|error| error.to_string());
    let mut message = 0;
    let result = |file: Result<Small, Unreadable>| match (file?, &digests) {
        (Small::Hashed(digests), _) => Ok(digests),
        (Small::Message(_, size), Ok(digests)) => {
            let of = |(choice, all): (&Choice, &Vec<u8>)| {
                all[message * choice.output_len..][..choice.output_len].to_vec()
            };
            let digests = recipe.choices.iter().zip(digests).map(of).collect();
            message += 1;
            Ok(Digests { digests, size })
        }
        (Small::Message(..), Err(error)) => Err(Unreadable::Other(error.clone())),
    };
    files.into_iter().map(result).collect()
}

/// Same as [`digest_file`], for legacy checksums.
pub(crate) fn digest_legacy(
    legacy: &[Legacy],
    name: &OsString,
    progress: &Progress,
) -> Result<Digests, Unreadable> {
    let mut states: Vec<State> = legacy.iter().copied().map(State::new).collect();
    let size = try_read_file(name, Help::None, |bytes| {
        states.iter_mut().for_each(|state| state.update(bytes));
        progress.add(bytes.len() as u64);
        Ok(())
    })?;
    Ok(Digests { digests: states.into_iter().map(|state| state.finish(size)).collect(), size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digests::engines::{Chosen, Engines};
    use hashwell::engine::{Engine, Fault};
    use hashwell::{Algorithm, Params};
    use std::fs::File;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    #[test]
    fn a_file_that_has_grown_large_is_hashed_without_being_kept_in_memory() {
        const LARGE: usize = 256 << 20;
        // The peak memory in KiB that the kernel reports, or 0 if it doesn't.
        let peak = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(0)
        };
        let folder = tempfile::tempdir().unwrap();
        let sizes = [10, LARGE, SMALL as usize, SMALL as usize + 1];
        let names = sizes.map(|size| {
            let path = folder.path().join(size.to_string());
            File::create(&path).unwrap().set_len(size as u64).unwrap();
            path.into_os_string()
        });
        let choice = Choice::of(hashwell::find("sha256").unwrap());
        let header = |size: u64| format!("of {size} bytes: ").into_bytes();
        let before = peak();
        let names: Vec<&OsString> = names.iter().collect();
        let all =
            digest_small_files(&names, Kept::Small, header, Recipe::plain(&[choice]), &Progress::new(None));
        assert!(peak() - before < LARGE / 2048, "{} KiB", peak() - before);
        for ((name, size), result) in names.into_iter().zip(sizes).zip(all) {
            let header = header(size as u64);
            let alone =
                digest_file(name, &header, Recipe::plain(&[choice]), Help::None, &Progress::new(None));
            let (Ok(found), Ok(alone)) = (result, alone) else { panic!("unreadable") };
            assert_eq!((found.size, found.digests), (size as u64, alone.digests));
        }
    }

    #[test]
    fn small_files_side_by_side() {
        let folder = tempfile::tempdir().unwrap();
        let contents: Vec<Vec<u8>> = (0..40).map(|i| vec![i as u8; i * 100]).collect();
        let mut names: Vec<OsString> = Vec::new();
        for (i, content) in contents.iter().enumerate() {
            names.push(folder.path().join(i.to_string()).into());
            std::fs::write(&names[i], content).unwrap();
        }
        std::fs::remove_file(&names[7]).unwrap();
        let choices = ["sha256", "kt128"].map(|name| Choice::of(hashwell::find(name).unwrap()));
        let names: Vec<&OsString> = names.iter().collect();
        for header in [|_| Vec::new(), |size: u64| format!("of {size} bytes: ").into_bytes()] {
            let all = digest_small_files(
                &names,
                Kept::Small,
                header,
                Recipe::plain(&choices),
                &Progress::new(None),
            );
            for (i, (result, content)) in all.into_iter().zip(&contents).enumerate() {
                match result {
                    Ok(found) => {
                        assert_eq!(found.size, content.len() as u64);
                        let message = [header(found.size), content.clone()].concat();
                        assert_eq!(found.digests, choices.map(|choice| choice.algorithm.digest(&message)));
                    }
                    Err(unreadable) => assert!(i == 7 && matches!(unreadable, Unreadable::Missing(_))),
                }
            }
        }
    }

    /// A test engine that computes correct digests until it is told to fail.
    struct Counting {
        messages: AtomicUsize,
        fails: AtomicBool,
    }

    impl Engine for &'static Counting {
        fn name(&self) -> &'static str {
            "counting:0"
        }

        fn available(&self) -> Result<(), Fault> {
            Ok(())
        }

        fn claims(&self, _: &'static Algorithm, _: &Params<'_>) -> bool {
            true
        }

        fn digest_many(
            &self,
            algorithm: &'static Algorithm,
            params: &Params<'_>,
            messages: &[&[u8]],
            out: &mut [u8],
        ) -> Result<usize, Fault> {
            if self.fails.load(Ordering::Relaxed) {
                return Err("the device is lost".into());
            }
            self.messages.fetch_add(messages.len(), Ordering::Relaxed);
            algorithm.many(params)?.digest_into(messages, out)?;
            Ok(messages.len())
        }
    }

    /// With an engine, all files are hashed by it and by nothing else: small ones, large ones, and inputs without a
    /// size.
    #[test]
    fn an_engine_gets_every_file_whole_and_its_failure_is_theirs() {
        static COUNTING: Counting = Counting { messages: AtomicUsize::new(0), fails: AtomicBool::new(false) };
        let folder = tempfile::tempdir().unwrap();
        let sizes = [0, 1, 1000, SMALL as usize, 3_000_000];
        let names = sizes.map(|size| {
            let path = folder.path().join(size.to_string());
            std::fs::write(&path, vec![size as u8; size]).unwrap();
            path.into_os_string()
        });
        let choice = Choice::of(hashwell::find("sha256-90r").unwrap());
        let many = choice.algorithm.many(&Params::default()).unwrap();
        let chosen = [Chosen { choice, many, engine: Box::new(&COUNTING) }];
        let engines = Engines::ready(&chosen).unwrap();
        let asked = COUNTING.messages.load(Ordering::Relaxed);
        let choices = [choice];
        let recipe = Recipe { engines: &engines, ..Recipe::plain(&choices) };
        let missing: OsString = folder.path().join("missing").into();
        let names: Vec<&OsString> = names.iter().chain([&missing]).collect();
        let all = |names| digest_group(names, recipe, Help::None, &Progress::new(None));
        for (size, result) in sizes.iter().zip(all(&names)) {
            let Ok(found) = result else { panic!("unreadable") };
            let expected = choice.algorithm.digest(&vec![*size as u8; *size]);
            assert_eq!((found.size, &found.digests), (*size as u64, &vec![expected]));
        }
        assert!(matches!(all(&names[4..]).as_slice(), [Ok(_), Err(Unreadable::Missing(_))]));
        assert_eq!(COUNTING.messages.load(Ordering::Relaxed) - asked, sizes.len() + 1);
        COUNTING.fails.store(true, Ordering::Relaxed);
        for result in all(&names[..5]) {
            let Err(unreadable) = result else { panic!("a digest of an engine that failed") };
            assert_eq!(unreadable.reason(), "engine 'counting:0' failed: the device is lost");
        }
        assert!(Engines::ready(&chosen).is_err());
    }
}
