//! Tags of files: the common code of `hmac` and `kmac`.

use crate::inputs::reading::{Help, Unreadable, read_file};
use crate::inputs::walk::size;
use crate::outputs::format::{escaped, escaped_if_many_lines};
use crate::outputs::output::unbuffered;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::parallel::Core;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain_of, for_output, write_line};
use data_encoding::HEXLOWER;
use std::ffi::OsString;
use std::io::Write;
use zeroize::{Zeroize, Zeroizing};

/// A function that gets a tag in pieces.
pub(crate) type Sink<'a> = dyn FnMut(&[u8]) -> Result<(), Failure> + 'a;

/// A message authentication code in progress.
pub(crate) trait Mac: Clone + Send {
    fn update(&mut self, data: &[u8]);

    fn write_tag(self, sink: &mut Sink<'_>) -> Result<(), Failure>;

    /// Returns true if `tag` is the complete tag. Takes constant time.
    fn verify(self, tag: &[u8]) -> Result<bool, Failure>;
}

/// The work to do with a file's tag.
#[derive(Clone, Copy)]
pub(crate) enum Work<'a> {
    /// Print it as `TAG  NAME`.
    Print,
    /// Print its bytes.
    PrintRaw,
    /// Compare it with this tag.
    Verify(&'a [u8]),
}

/// Does this work for every file.
pub(crate) fn run(fresh: &impl Mac, names: &[OsString], work: Work<'_>) -> Result<u8, Failure> {
    let progress = Progress::of_files(names.iter().map(size).sum(), names.len());
    let mut code = SUCCESS;
    for name in names {
        let mac = match absorb(fresh, name, &progress) {
            Ok(mac) => mac,
            Err(unreadable) => {
                progress.suspend(|| complain_of(name, &unreadable.reason()));
                code = FAILURE;
                continue;
            }
        };
        progress.suspend(|| match work {
            Work::Print => print(mac, name),
            Work::PrintRaw => {
                let mut output = unbuffered()?;
                mac.write_tag(&mut |piece| output.write_all(piece).map_err(Failure::Output))
            }
            Work::Verify(tag) => {
                let right = mac.verify(tag)?;
                if !right {
                    code = FAILURE;
                }
                let (escape, name) = escaped_if_many_lines(name);
                write_line(&[escape, &name, if right { b": OK\n" } else { b": FAILED\n" }].concat())
            }
        })?;
    }
    Ok(code)
}

fn absorb<M: Mac>(fresh: &M, name: &OsString, progress: &Progress) -> Result<M, Unreadable> {
    let mut mac = fresh.clone();
    progress.begin(name);
    let _core = Core::of_a_job();
    read_file(name, Help::OtherCores, |bytes| {
        mac.update(bytes);
        progress.add(bytes.len() as u64);
    })?;
    Ok(mac)
}

/// Prints the line of a tag, in one write unless it is longer than a piece.
fn print(mac: impl Mac, name: &OsString) -> Result<(), Failure> {
    let mut output = unbuffered()?;
    let (escape, name) = escaped(name);
    let mut line = Zeroizing::new(escape.to_vec());
    let mut full = false;
    mac.write_tag(&mut |piece| {
        if full {
            output.write_all(&line).map_err(Failure::Output)?;
            line.zeroize();
        }
        full = true;
        let hex = Zeroizing::new(HEXLOWER.encode(piece));
        // Also reserve memory for the end of the line, because growing would leave copies behind.
        line.reserve_exact(hex.len() + name.len() + 3);
        line.extend_from_slice(hex.as_bytes());
        Ok(())
    })?;
    line.extend_from_slice(b"  ");
    line.extend_from_slice(&for_output(&name));
    line.push(b'\n');
    output.write_all(&line).map_err(Failure::Output)
}
