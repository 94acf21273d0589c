//! `hashwell sum --slice` and `--decode-slice`: copy a range of a large file together with the proof that it belongs to
//! the file's BLAKE3 digest, and verify such a slice.

use crate::inputs::reading::{Help, is_stdin, try_read_file};
use crate::inputs::trees::{Kind, about, group, is_same, no_tree, of, size, tree_size};
use crate::options::outboard_args::{ByteRange, OutboardOptions};
use crate::outputs::output::Stream;
use crate::system::exit::SUCCESS;
use crate::system::interrupt::Interrupt;
use crate::system::os;
use crate::system::progress::Progress;
use crate::system::rate;
use crate::system::report::{Failure, complain_of, reason};
use hashwell::{Error, Outboard, SliceDecoder, SlicePart, SliceParts};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Makes or verifies a slice.
pub(super) fn run(
    options: &OutboardOptions,
    name: &OsString,
    root: Option<&[u8; 32]>,
) -> Result<u8, Failure> {
    let to = options.to.as_ref().map(Path::new);
    if options.to.as_ref().is_some_and(|to| is_stdin(to)) {
        return Err(Failure::Usage(
            "--to: - is not a file name (leave out --to to write to standard output, or use ./-)".to_owned(),
        ));
    }
    if let Some(to) = to
        && is_same(name, to)
    {
        return Err(about(to.as_os_str(), &"the output cannot replace the file that is read"));
    }
    let stream = Stream::to(to)?;
    let interrupt = stream.is_visible().then(Interrupt::watch).transpose();
    let interrupt = interrupt.map_err(|error| Failure::Work(reason(&error)))?;
    let mut out = Output { stream, interrupt };
    match (options.slice, options.decode_slice, root) {
        (Some(range), ..) => {
            let tree = options.tree.as_ref().map_or_else(|| Kind::Blake3Tree.place(name), PathBuf::from);
            if to.is_some_and(|to| is_same(tree.as_os_str(), to)) {
                return Err(about(tree.as_os_str(), &"the output cannot replace the tree that is read"));
            }
            make(name, &tree, range, root, &mut out)?;
        }
        (None, Some(range), Some(root)) => decode(name, group(options.group), range, root, &mut out)?,
        (None, ..) => return Err(Failure::Usage("--decode-slice requires --root".to_owned())),
    }
    out.stream.end()?;
    Ok(SUCCESS)
}

struct Output<'p> {
    stream: Stream<'p>,
    /// Removes the temporary file after Ctrl-C, if it is visible.
    interrupt: Option<Interrupt>,
}

impl Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.interrupt.as_ref().is_some_and(|interrupt| interrupt.flow().is_break()) {
            return Err(Failure::Interrupted);
        }
        self.stream.write(bytes)
    }
}

/// A file that is read at offsets.
struct Source<'n> {
    name: &'n OsStr,
    file: File,
}

impl<'n> Source<'n> {
    fn new(name: &'n OsStr) -> Result<Self, Failure> {
        let file = File::open(name).map_err(|error| about(name, &reason(&error)))?;
        Ok(Self { name, file })
    }

    /// Replaces the buffer with a range of the file. A range is at most a group.
    fn read(&self, range: &Range<u64>, buffer: &mut Vec<u8>) -> Result<(), Failure> {
        let len = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
        buffer.clear();
        buffer.try_reserve(len).map_err(|_| of(Error::OutOfMemory))?;
        buffer.resize(len, 0);
        rate::wait(len).map_err(|error| about(self.name, &reason(&error)))?;
        let read =
            os::fill(&self.file, range.start, buffer).map_err(|error| about(self.name, &reason(&error)))?;
        if read < len {
            return Err(about(
                self.name,
                &format!("ends at byte {}, before the end of the range", range.start + read as u64),
            ));
        }
        Ok(())
    }
}

/// Writes a slice of a file. Each part is verified before it is written, so a slice of a damaged file or tree is never
/// complete.
fn make(
    name: &OsStr,
    place: &Path,
    range: ByteRange,
    root: Option<&[u8; 32]>,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let len = size(name)?;
    let tree_len = tree_size(place, Kind::Blake3Tree)?;
    let (file, tree) = (Source::new(name)?, Source::new(place.as_os_str())?);
    let mut first = Vec::new();
    tree.read(&(0..tree_len.min(72)), &mut first)?;
    let expected = first.first_chunk().map(|len| u64::from_le_bytes(*len));
    let group = Outboard::group_of(tree_len, expected.unwrap_or(0))
        .map_err(|error| no_tree(place, tree_len, first.first_chunk(), &error))?;
    if let Some(expected) = expected
        && len != expected
    {
        return Err(about(
            name,
            &format!("has {len} bytes, but its tree belongs to a file of {expected} bytes"),
        ));
    }
    let node = first.get(8..).and_then(|node| node.first_chunk());
    let mut buffer = Vec::new();
    let digest = match (root, node) {
        (Some(root), _) => *root,
        (None, Some(node)) => Outboard::root_of(node),
        // The slice of a single group is the whole file, so there is nothing to compare it with.
        (None, None) => {
            file.read(&(0..len), &mut buffer)?;
            let digest = hashwell::find("blake3").map_err(of)?.digest(&buffer);
            digest.try_into().map_err(|_| of(Error::OutOfMemory))?
        }
    };
    let mut decoder = SliceDecoder::new(&digest, group, range.start, range.len).map_err(of)?;
    let progress = Progress::beside_output(Some(range.len.min(len.saturating_sub(range.start))));
    for part in SliceParts::new(len, group, range.start, range.len).map_err(of)? {
        let (source, bytes) = match &part {
            SlicePart::Outboard(bytes) => (&tree, bytes),
            SlicePart::Message(bytes) => (&file, bytes),
        };
        source.read(bytes, &mut buffer)?;
        let mut input = &buffer[..];
        loop {
            match decoder.decode(&mut input) {
                Ok(Some(verified)) => progress.add(verified.len() as u64),
                Ok(None) => break,
                Err(Error::WrongSlice { .. }) => {
                    return Err(damaged(source.name, &part, root.is_some(), place));
                }
                Err(error) => return Err(of(error)),
            }
        }
        out.write(&buffer)?;
    }
    decoder.finish().map(drop).map_err(of)
}

/// The failure for a part of a file or its tree that does not match the digest.
fn damaged(name: &OsStr, part: &SlicePart, is_root_given: bool, place: &Path) -> Failure {
    match part {
        SlicePart::Message(bytes) => {
            let (first, last) = (bytes.start, bytes.end.saturating_sub(1));
            about(name, &format!("bytes {first}-{last} are damaged: no slice can be made of them"))
        }
        SlicePart::Outboard(bytes) if bytes.start <= 8 && is_root_given => about(
            place.as_os_str(),
            &"does not match the digest in --root: it is damaged, or belongs to a different file",
        ),
        SlicePart::Outboard(_) => about(name, &"damaged: write it again with --outboard"),
    }
}

/// Verifies a slice and writes the bytes of the range.
fn decode(
    name: &OsString,
    group: usize,
    range: ByteRange,
    root: &[u8; 32],
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let usage = |error: Error| Failure::Usage(error.to_string());
    let mut decoder = SliceDecoder::new(root, group, range.start, range.len).map_err(usage)?;
    let progress = Progress::beside_output(Some(range.len));
    let mut failure = None;
    let mut take = |mut input: &[u8]| -> Result<(), Failure> {
        while let Some(verified) = decoder.decode(&mut input).map_err(|error| about(name, &error))? {
            out.write(verified)?;
            progress.add(verified.len() as u64);
        }
        if input.is_empty() {
            Ok(())
        } else {
            Err(about(name, &"there are more bytes after the end of the slice"))
        }
    };
    let read = try_read_file(name, Help::None, |input| {
        take(input).map_err(|error| {
            failure = Some(error);
            io::Error::other("the slice is wrong")
        })
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    read.map_err(|error| about(name, &error.reason()))?;
    let end = decoder.finish().map_err(|error| about(name, &error))?;
    if let Some(len) = end
        && range.start.saturating_add(range.len) > len
    {
        complain_of(name, &format_args!("the range reaches past the end: the whole file has {len} bytes"));
    }
    Ok(())
}
