//! `hashwell sum --outboard` and `--locate`, which find out which part of a large file is damaged.

use crate::commands::slices;
use crate::digests::recipe::Keying;
use crate::inputs::names_from::names;
use crate::inputs::reading::{Help, Unreadable, is_stdin, too_long, try_read_file};
use crate::inputs::trees::{Kind, MOST, about, group, is_same, list, of, size, tree};
use crate::options::args::SumOptions;
use crate::options::bytes::from_hex;
use crate::outputs::format::{Encoding, End, Layout, Style, digest_line};
use crate::outputs::output::{check_place, write_file};
use crate::system::exit::{FAILURE, ONLY_TREE, SUCCESS};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, complain_of, printable, write_line};
use hashwell::{ChunkList, ChunkListWriter, ChunkLocator, Error, Located, Locator, OutboardWriter};
use hashwell_checksums::Choice;
use hashwell_checksums::stamp::Stamp;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) fn run(options: &SumOptions) -> Result<u8, Failure> {
    let task = options.ranges.task();
    let names = names(options)?;
    if options.ranges.decode_slice.is_none() && names.iter().any(|name| is_stdin(name)) {
        return Err(Failure::Usage(format!("{task} requires file names: it cannot read standard input")));
    }
    let kind = Kind::of(&options.algorithms, task)?;
    let root = options.ranges.root.as_deref().map(root).transpose()?;
    let is_slice = options.ranges.slice.is_some() || options.ranges.decode_slice.is_some();
    for (given, name) in
        [(is_slice, task), (root.is_some(), "--root"), (options.ranges.tree.is_some(), "--tree")]
    {
        if given && names.len() != 1 {
            return Err(Failure::Usage(format!("{name} requires exactly one file, not {}", names.len())));
        }
    }
    if kind == Kind::Kt128List && (is_slice || options.ranges.group.is_some()) {
        let option = if is_slice { task } else { "--group" };
        return Err(Failure::Usage(format!("{option} supports only blake3, not kt128")));
    }
    if is_slice {
        return slices::run(&options.ranges, &names[0], root.as_ref());
    }
    let keying = Keying::of(&options.parameters, &names)?;
    let style =
        Style { layout: Layout::Gnu, names: true, binary: false, encoding: Encoding::Hex, end: End::Newline };
    let choice = Choice::find(kind.algorithm(), None).map_err(Failure::Usage)?;
    let total = names.iter().map(|name| fs::metadata(name).ok().map(|file| file.len())).sum();
    let progress = Progress::of_files(total, names.len());
    let mut code = SUCCESS;
    for name in &names {
        let place = options.ranges.tree.as_ref().map_or_else(|| kind.place(name), PathBuf::from);
        progress.begin(name);
        let result = if options.ranges.locate {
            locate(kind, name, &place, root.as_ref(), &progress)
        } else {
            write(kind, name, &place, options.ranges.group, &progress).and_then(|(digest, len)| {
                let stamp = Stamp { size: Some(len), ..Stamp::default() };
                let line = digest_line(style, choice, &keying, &digest, name, &stamp);
                progress.suspend(|| write_line(&line)).map(|()| SUCCESS)
            })
        };
        code = match result {
            Ok(SUCCESS) => code,
            Ok(ONLY_TREE) if code == SUCCESS => ONLY_TREE,
            Ok(ONLY_TREE) => code,
            Ok(failure) => failure,
            Err(Failure::Work(text)) => {
                progress.suspend(|| complain(&text));
                FAILURE
            }
            Err(failure) => return Err(failure),
        };
    }
    Ok(code)
}

fn root(hex: &str) -> Result<[u8; 32], Failure> {
    let bytes = from_hex("--root", hex).map_err(Failure::Usage)?;
    let len = bytes.len();
    bytes.try_into().map_err(|_| Failure::Usage(format!("--root must be 32 bytes in hexadecimal, not {len}")))
}

/// Passes the bytes of a file to `take`, which can run out of memory.
fn read(
    name: &OsString,
    progress: &Progress,
    mut take: impl FnMut(&[u8]) -> Result<(), Error> + Send,
) -> Result<u64, Failure> {
    let taken = try_read_file(name, Help::None, |bytes| {
        progress.add(bytes.len() as u64);
        take(bytes).map_err(io::Error::other)
    });
    taken.map_err(|error: Unreadable| about(name, &error.reason()))
}

/// Writes the tree or list of a file; returns the digest and the size of the file.
fn write(
    kind: Kind,
    name: &OsString,
    place: &Path,
    group: Option<u64>,
    progress: &Progress,
) -> Result<([u8; 32], u64), Failure> {
    let group = self::group(group);
    let mut tree = OutboardWriter::new(group).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut list = ChunkListWriter::new().map_err(of)?;
    let (bytes_per_part, part, advice) = match kind {
        Kind::Blake3Tree => (64, group, ": use a larger --group"),
        Kind::Kt128List => (32, ChunkList::CHUNK, ""),
    };
    if size(name)? / part as u64 >= MOST / bytes_per_part {
        let error = too_long(MOST);
        return Err(about(name, &format!("its {} would be {error}{advice}", kind.word())));
    }
    if is_same(name, place) {
        return Err(about(
            place.as_os_str(),
            &format!("the {} and FILE are the same file; choose a different name with -o", kind.word()),
        ));
    }
    check_place(place)?;
    if kind == Kind::Kt128List {
        read(name, progress, |bytes| list.update(bytes))?;
        let list = list.finish().map_err(of)?;
        write_file(place, &list.to_bytes().map_err(of)?)?;
        return Ok((*list.digest(), list.message_len()));
    }
    read(name, progress, |bytes| tree.update(bytes))?;
    let (outboard, digest) = tree.finish().map_err(of)?;
    write_file(place, &outboard.to_bytes().map_err(of)?)?;
    Ok((digest, outboard.message_len()))
}

/// A file that was compared with its tree or list.
struct Compared<'a> {
    kind: Kind,
    name: &'a OsStr,
    place: &'a Path,
    root: Option<&'a [u8; 32]>,
    /// The digest and the length in the tree or list.
    digest: Option<[u8; 32]>,
    expected_len: u64,
    len: u64,
    located: Located,
}

/// Prints the damaged ranges of a file; returns the exit code.
fn locate(
    kind: Kind,
    name: &OsString,
    place: &Path,
    root: Option<&[u8; 32]>,
    progress: &Progress,
) -> Result<u8, Failure> {
    // This comes first so that a nonexistent file is reported, not its tree.
    size(name)?;
    let (digest, expected_len, len, located) = match kind {
        Kind::Blake3Tree => {
            let tree = tree(place)?;
            let len = size(name)?;
            if root.is_none() && tree.digest().is_none() && len != tree.message_len() {
                let expected = tree.message_len();
                return Err(about(
                    name,
                    &format!("has {len} bytes, but its tree belongs to a file of {expected} bytes"),
                ));
            }
            let Some(digest) = root.copied().or_else(|| tree.digest()) else {
                let text =
                    "the file has only one group, so its tree has no digest (give the digest with --root)";
                return Err(about(place.as_os_str(), &text));
            };
            let mut locator = Locator::new(&tree, &digest).map_err(of)?;
            let len = read(name, progress, |bytes| locator.update(bytes))?;
            (tree.digest(), tree.message_len(), len, locator.finish().map_err(of)?)
        }
        Kind::Kt128List => {
            let list = list(place)?;
            let mut locator = ChunkLocator::new(&list, root.unwrap_or(list.digest())).map_err(of)?;
            let len = read(name, progress, |bytes| locator.update(bytes))?;
            (Some(*list.digest()), list.message_len(), len, locator.finish().map_err(of)?)
        }
    };
    let compared = Compared { kind, name, place, root, digest, expected_len, len, located };
    progress.suspend(|| compared.print())
}

impl Compared<'_> {
    /// Prints the result; returns the exit code.
    fn print(&self) -> Result<u8, Failure> {
        let Self { kind, name, place, root, digest, expected_len, len, located } = self;
        let word = kind.word();
        write_line(report(name, place, located).as_bytes())?;
        let intact = located.is_intact();
        if len != expected_len && !intact {
            complain_of(
                name,
                &format_args!("has {len} bytes, but its {word} belongs to a file of {expected_len} bytes"),
            );
        }
        if located.is_unproven {
            complain_of(
                place.as_os_str(),
                &"can't be compared with the digest, because the first 8 KiB of the file are damaged: if an attacker \
                  could change this list, other ranges may be damaged too",
            );
        }
        if !located.unknown.is_empty() {
            let why = match root {
                None => "damaged (give --root DIGEST to find out whether the file is damaged too)",
                Some(root) if digest.is_some_and(|digest| digest != **root) => {
                    "does not match the digest in --root: it is damaged, or belongs to a different file"
                }
                Some(_) => "damaged, and so is the file",
            };
            complain_of(place.as_os_str(), &why);
        }
        if !intact {
            return Ok(FAILURE);
        }
        if located.bad_nodes == 0 && len == expected_len {
            return Ok(SUCCESS);
        }
        complain_of(
            place.as_os_str(),
            &format_args!("damaged, but the file is intact: write the {word} again with --outboard"),
        );
        Ok(ONLY_TREE)
    }
}

fn report(name: &OsStr, place: &Path, located: &Located) -> String {
    let (name, place, mut lines) = (printable(name), printable(place.as_os_str()), String::new());
    let mut say = |ranges: &[Range<u64>], verdict: &str| {
        for range in ranges {
            // Writing to a string cannot fail. An empty file has an empty range.
            let _ = match range.end - range.start {
                0 => writeln!(lines, "{name}: {verdict}"),
                1 => writeln!(lines, "{name}: byte {}: {verdict}", range.start),
                len => {
                    writeln!(
                        lines,
                        "{name}: bytes {}-{} ({len} bytes): {verdict}",
                        range.start,
                        range.end - 1
                    )
                }
            };
        }
    };
    say(&located.damaged, "DAMAGED");
    say(&located.unknown, &format!("NOT LOCATED, since {place} is damaged"));
    if lines.is_empty() { format!("{name}: OK\n") } else { lines }
}
