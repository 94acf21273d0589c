//! `hashwell random`: prints random bytes or numbers.

use crate::inputs::secret::{decode, read_secret};
use crate::inputs::seed::warn_if_empty;
use crate::options::args::{RandomFormat, RandomOptions};
use crate::options::names::source_warning;
use crate::outputs::output::unbuffered;
use crate::system::exit::SUCCESS;
use crate::system::progress::Progress;
use crate::system::report::{Failure, note};
use data_encoding::{BASE64, HEXLOWER};
use hashwell::{RandomSource, RandomStream, Source};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use zeroize::Zeroizing;

/// The number of bytes generated at a time, smaller than a pipe's buffer. It is a multiple of 3 (a base64 group) and of
/// 8 (a number), so that the texts of consecutive pieces can be joined.
const PIECE: usize = 48 << 10;

pub(crate) fn run(options: &RandomOptions) -> Result<u8, Failure> {
    let total = total(options)?;
    let mut stream = open(options)?;
    let mut output = Output::new(options.format)?;
    let progress = Progress::beside_output(total);
    let mut left = total.unwrap_or(u64::MAX);
    while left > 0 {
        let len = left.min(PIECE as u64);
        output.write(&mut stream, len as usize)?;
        progress.add(len);
        if total.is_some() {
            left -= len;
        }
    }
    output.end()?;
    Ok(SUCCESS)
}

/// The number of bytes to print; `None` if there is no limit.
fn total(options: &RandomOptions) -> Result<Option<u64>, Failure> {
    let numbers = matches!(options.format, RandomFormat::U64 | RandomFormat::Float);
    match (options.bytes, options.count) {
        (Some(_), _) if numbers => {
            Err(Failure::Usage("--bytes can't be used with --format u64 or float; use --count".to_owned()))
        }
        (_, Some(_)) if !numbers => {
            Err(Failure::Usage("--count requires --format u64 or float (for bytes, use -n)".to_owned()))
        }
        (Some(bytes), _) => Ok(Some(bytes)),
        (None, Some(count)) => count
            .checked_mul(8)
            .map(Some)
            .ok_or_else(|| Failure::Usage(format!("--count must be 0 to {}, not {count}", u64::MAX / 8))),
        (None, None) if options.unlimited => Ok(None),
        (None, None) => Err(Failure::Usage(
            "missing option: -n BYTES, --count N (with --format u64 or float) or --unlimited".to_owned(),
        )),
    }
}

/// The stream of the seed, or of the operating system's random source.
fn open(options: &RandomOptions) -> Result<RandomStream, Failure> {
    let source = Source::find(&options.source).map_err(|error| {
        let names: Vec<String> = Source::all().map(Source::name).collect();
        Failure::Usage(format!("--source: {error}; known generators: {}", names.join(", ")))
    })?;
    source_warning(source).iter().for_each(|text| note(text));
    let personalization = options.personalization.as_bytes();
    let stream = match seed(options)? {
        Some(seed) => {
            warn_if_empty(&seed);
            source.seeded(&seed, personalization)
        }
        None => source.os_seeded(personalization),
    };
    stream.map_err(|error| Failure::Work(error.to_string()))
}

/// The seed's bytes, which are overwritten when dropped.
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
    piece: Zeroizing<[u8; PIECE]>,
    text: Zeroizing<String>,
}

impl Output {
    fn new(format: RandomFormat) -> Result<Self, Failure> {
        // Reserve memory for the longest text of a piece, because growing would leave copies of it in memory.
        let mut text = Zeroizing::new(String::new());
        text.try_reserve_exact(4 * PIECE).map_err(|_| Failure::Work("out of memory".to_owned()))?;
        Ok(Self { file: unbuffered()?, format, piece: Zeroizing::new([0; PIECE]), text })
    }

    /// Writes the next `len` bytes of the stream, or the numbers in them.
    fn write(&mut self, stream: &mut RandomStream, len: usize) -> Result<(), Failure> {
        self.text.clear();
        self.take(stream, len).map_err(|error| Failure::Work(error.to_string()))?;
        let bytes = match self.format {
            RandomFormat::Raw => &self.piece[..len],
            _ => self.text.as_bytes(),
        };
        self.file.write_all(bytes).map_err(Failure::Output)
    }

    /// Takes the bytes from the stream, and converts them to text unless the format is raw.
    fn take(&mut self, stream: &mut RandomStream, len: usize) -> Result<(), hashwell::Error> {
        let Self { format, text, .. } = self;
        let piece = &mut self.piece[..len];
        match format {
            RandomFormat::Raw => stream.read(piece)?,
            RandomFormat::Hex => {
                stream.read(piece)?;
                HEXLOWER.encode_append(piece, text);
            }
            RandomFormat::Base64 => {
                stream.read(piece)?;
                BASE64.encode_append(piece, text);
            }
            RandomFormat::U64 => {
                for _ in 0..len / 8 {
                    line(text, &stream.next_u64()?);
                }
            }
            RandomFormat::Float => {
                for _ in 0..len / 8 {
                    line(text, &stream.next_f64()?);
                }
            }
        }
        Ok(())
    }

    /// Ends the output with a newline if it is one line of hexadecimal or base64.
    fn end(&mut self) -> Result<(), Failure> {
        match self.format {
            RandomFormat::Hex | RandomFormat::Base64 => self.file.write_all(b"\n").map_err(Failure::Output),
            _ => Ok(()),
        }
    }
}

fn line(text: &mut String, number: &dyn std::fmt::Display) {
    writeln!(text, "{number}").expect("a String takes everything");
}
