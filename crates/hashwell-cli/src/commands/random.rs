//! `hashwell random`: prints random bytes or numbers.

use crate::inputs::secret::{decode, read_secret};
use crate::options::args::{RandomFormat, RandomOptions};
use crate::options::names::source_warning;
use crate::outputs::output::unbuffered;
use crate::system::exit::SUCCESS;
use crate::system::progress::Progress;
use crate::system::report::{Failure, note};
use data_encoding::{BASE64, HEXLOWER};
use hashwell::{RandomStream, Source};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use zeroize::Zeroizing;

/// Bytes generated at a time: fewer than a pipe holds. A multiple of 3, base64's group, and of 8, a number, so
/// that pieces of text join.
const PIECE: usize = 48 << 10;

pub(crate) fn run(options: &RandomOptions) -> Result<u8, Failure> {
    let total = total(options)?;
    let mut stream = open(options)?;
    let mut output = Output::new(options.format)?;
    let progress = Progress::beside_output(total);
    let mut left = total.unwrap_or(u64::MAX);
    let mut piece = Zeroizing::new([0; PIECE]);
    while left > 0 {
        let piece = &mut piece[..left.min(PIECE as u64) as usize];
        stream.read(piece).map_err(|error| Failure::Work(error.to_string()))?;
        output.write(piece)?;
        progress.add(piece.len() as u64);
        if total.is_some() {
            left -= piece.len() as u64;
        }
    }
    output.end()?;
    Ok(SUCCESS)
}

/// Bytes to print; `None` is without end.
fn total(options: &RandomOptions) -> Result<Option<u64>, Failure> {
    let numbers = matches!(options.format, RandomFormat::U64 | RandomFormat::Float);
    match (options.bytes, options.count) {
        (Some(_), _) if numbers => {
            Err(Failure::Usage("numbers are counted: give --count instead of --bytes".to_owned()))
        }
        (_, Some(_)) if !numbers => {
            Err(Failure::Usage("--count is of numbers (--format u64 or float); bytes are -n's".to_owned()))
        }
        (Some(bytes), _) => Ok(Some(bytes)),
        (None, Some(count)) => count
            .checked_mul(8)
            .map(Some)
            .ok_or_else(|| Failure::Usage(format!("--count must be 0 to {}, not {count}", u64::MAX / 8))),
        (None, None) if options.unlimited => Ok(None),
        (None, None) => Err(Failure::Usage(
            "how much? give -n or --count, or --unlimited for output without end".to_owned(),
        )),
    }
}

/// The stream of the seed, or of the operating system.
fn open(options: &RandomOptions) -> Result<RandomStream, Failure> {
    let source = Source::find(&options.source).map_err(|error| {
        let names: Vec<String> = Source::all().map(Source::name).collect();
        Failure::Usage(format!("--source: {error}; known: {}", names.join(", ")))
    })?;
    source_warning(source).iter().for_each(|text| note(text));
    let personalization = options.personalization.as_bytes();
    let stream = match seed(options)? {
        Some(seed) => source.seeded(&seed, personalization),
        None => source.os_seeded(personalization),
    };
    stream.map_err(|error| Failure::Work(error.to_string()))
}

/// The seed's bytes; overwritten when dropped.
fn seed(options: &RandomOptions) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    if let Some(text) = &options.seed {
        return Ok(Some(Zeroizing::new(text.clone().into_bytes())));
    }
    if let Some(hex) = &options.seed_hex {
        return decode("--seed-hex", hex).map(Some);
    }
    options.seed_file.as_deref().map(read_secret).transpose()
}

/// Standard output without Rust's buffer, which would look for newlines in the bytes.
struct Output {
    file: File,
    format: RandomFormat,
    text: Zeroizing<String>,
}

impl Output {
    fn new(format: RandomFormat) -> Result<Self, Failure> {
        // Room for the longest text of a piece, so that growing leaves no copies behind.
        let mut text = Zeroizing::new(String::new());
        text.try_reserve_exact(4 * PIECE).map_err(|_| Failure::Work("out of memory".to_owned()))?;
        Ok(Self { file: unbuffered()?, format, text })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Self { file, format, text } = self;
        text.clear();
        match format {
            RandomFormat::Raw => return file.write_all(bytes).map_err(Failure::Output),
            RandomFormat::Hex => HEXLOWER.encode_append(bytes, text),
            RandomFormat::Base64 => BASE64.encode_append(bytes, text),
            RandomFormat::U64 => words(bytes).for_each(|word| line(text, &word)),
            RandomFormat::Float => words(bytes).for_each(|word| line(text, &float(word))),
        }
        file.write_all(text.as_bytes()).map_err(Failure::Output)
    }

    /// Ends the one line of hexadecimal and base64.
    fn end(&mut self) -> Result<(), Failure> {
        match self.format {
            RandomFormat::Hex | RandomFormat::Base64 => self.file.write_all(b"\n").map_err(Failure::Output),
            _ => Ok(()),
        }
    }
}

/// Eight bytes each, big-endian.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_be_bytes(*word))
}

/// The number of 0 <= u < 1 that a word stands for, a multiple of 2^-53.
fn float(word: u64) -> f64 {
    (word >> 11) as f64 / (1_u64 << 53) as f64
}

fn line(text: &mut String, number: &dyn std::fmt::Display) {
    writeln!(text, "{number}").expect("a String takes everything");
}
