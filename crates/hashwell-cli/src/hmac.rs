//! `hashwell hmac`: prints or verifies tags.

use crate::args::HmacOptions;
use crate::choice::Choice;
use crate::digest::{Help, Unreadable, read_file};
use crate::format::{Encoding, End, Layout, Style, escaped};
use crate::progress::Progress;
use crate::report::{Failure, complain_of, printable, reason, write_line};
use crate::sum::names;
use crate::walk::size;
use crate::{FAILURE, SUCCESS};
use data_encoding::HEXLOWER_PERMISSIVE;
use hashwell::Hmac;
use std::ffi::OsString;
use std::path::Path;
use zeroize::Zeroizing;

pub(crate) fn run(options: &HmacOptions) -> Result<u8, Failure> {
    let usage = |error: hashwell::Error| Failure::Usage(error.to_string());
    let algorithm = hashwell::find(&options.algorithm).map_err(usage)?;
    let expected = options.verify.as_deref().map(|hex| decode("--verify", hex)).transpose()?;
    let key = key(options)?;
    let fresh = Hmac::new(algorithm, &key).map_err(usage)?;
    drop(key);
    let style = Style { layout: Layout::Gnu, encoding: Encoding::Hex, end: End::Newline };
    let names = names(&options.files);
    let progress = Progress::new(names.iter().map(size).sum());
    let mut code = SUCCESS;
    for name in names {
        let (hmac, size) = match absorb(&fresh, &name, &progress) {
            Ok(done) => done,
            Err(unreadable) => {
                progress.suspend(|| complain_of(&name, &unreadable.reason()));
                code = FAILURE;
                continue;
            }
        };
        let line = match &expected {
            None => style.line(Choice::of(algorithm), &hmac.tag(), &name, size),
            Some(tag) => {
                let verdict = if hmac.verify(tag).is_ok() { ": OK\n" } else { ": FAILED\n" };
                if verdict != ": OK\n" {
                    code = FAILURE;
                }
                let (escape, name) = escaped(&name);
                [escape, &name, verdict.as_bytes()].concat()
            }
        };
        progress.suspend(|| write_line(&line))?;
    }
    Ok(code)
}

fn absorb(fresh: &Hmac, name: &OsString, progress: &Progress) -> Result<(Hmac, u64), Unreadable> {
    let mut hmac = fresh.clone();
    let size = read_file(name, Help::OtherCores, |bytes| {
        hmac.update(bytes);
        progress.add(bytes.len() as u64);
    })?;
    Ok((hmac, size))
}

/// The key's bytes; overwritten when dropped.
fn key(options: &HmacOptions) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if let Some(hex) = &options.key_hex {
        return decode("--key-hex", hex).map(Zeroizing::new);
    }
    read_secret(options.key_file.as_deref().expect("clap requires one of the two"))
}

/// All bytes of a file; overwritten when dropped.
pub(crate) fn read_secret(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let read = std::fs::read(path).map(Zeroizing::new);
    read.map_err(|error| Failure::Work(format!("{}: {}", printable(path.as_os_str()), reason(&error))))
}

pub(crate) fn decode(option: &str, hex: &str) -> Result<Vec<u8>, Failure> {
    let decoded = HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
    decoded.map_err(|_| Failure::Usage(format!("{option} must be pairs of hexadecimal digits")))
}
