//! What may go wrong with a device, or with what it is asked for.

use std::fmt;

/// Why there is no such device, or why it could not do what it was asked. All of them are one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A library that drives devices is not there or has none.
    NoHost {
        /// What its devices' names begin with: `opencl`.
        host: &'static str,
        /// What is missing.
        reason: Box<str>,
    },
    /// No device has this name.
    UnknownDevice {
        /// The name given.
        name: Box<str>,
        /// The names that there are, with commas; or why there are none.
        known: Box<str>,
    },
    /// The driver's compiler refused the program.
    Build {
        /// The device.
        device: Box<str>,
        /// The first lines of the compiler's log, shortened.
        log: Box<str>,
    },
    /// A known answer came out otherwise: a bad driver, or a broken card.
    WrongDigest {
        /// The device.
        device: Box<str>,
        /// The program.
        program: &'static str,
        /// What was hashed.
        what: Box<str>,
    },
    /// The device, or memory that it can reach, is full.
    OutOfMemory {
        /// The device.
        device: Box<str>,
        /// Bytes asked for; 0 where the library needs memory of its own and does not say how much.
        bytes: u64,
    },
    /// This processor has no memory for the answer.
    AnswerTooLong {
        /// Bytes that it takes, as far as is known.
        bytes: u64,
    },
    /// The device failed at work: it was taken away, reset, or ended a kernel.
    Lost {
        /// The device.
        device: Box<str>,
        /// The library's call and its code.
        reason: Box<str>,
    },
    /// A message longer than one work item hashes.
    MessageTooLong {
        /// The device.
        device: Box<str>,
        /// The message's bytes.
        bytes: u64,
        /// Bytes that are taken at most.
        most: u64,
    },
    /// No program hashes this row.
    Algorithm {
        /// The row's name.
        name: Box<str>,
        /// The rows that there are programs for.
        known: &'static str,
    },
    /// Offsets that do not rise, or that leave the data.
    Offsets {
        /// The place in the offsets.
        at: usize,
        /// The offset there.
        offset: u64,
        /// What it must be.
        must: Box<str>,
    },
    /// An output of another length than 32 bytes for each message.
    Output {
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// More rows are under the threshold than were allowed.
    TooMany {
        /// Rows allowed.
        most: usize,
    },
    /// More rows wanted than there are.
    TooFew {
        /// Rows wanted.
        wanted: u64,
        /// Rows that there are.
        rows: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHost { host, reason } => write!(f, "no {host} devices: {reason}"),
            Self::UnknownDevice { name, known } => write!(f, "no device '{name}' ({known})"),
            Self::Build { device, log } => write!(f, "{device} cannot compile: {log}"),
            Self::WrongDigest { device, program, what } => {
                write!(f, "{device} is refused: {program} of {what} is wrong on it")
            }
            Self::OutOfMemory { device, bytes: 0 } => write!(f, "{device} has no memory left"),
            Self::OutOfMemory { device, bytes } => write!(f, "{device} has no {bytes} bytes of memory left"),
            Self::AnswerTooLong { bytes } => write!(f, "there are no {bytes} bytes of memory for the answer"),
            Self::Lost { device, reason } => write!(f, "{device} failed: {reason}"),
            Self::MessageTooLong { device, bytes, most } => {
                write!(f, "{device} takes messages of at most {most} bytes, not of {bytes}")
            }
            Self::Algorithm { name, known } => {
                write!(f, "no program for '{name}' on devices (there are {known})")
            }
            Self::Offsets { at, offset, must } => write!(f, "offset {at} must be {must}, not {offset}"),
            Self::Output { given, needed } => write!(f, "the output must have {needed} bytes, not {given}"),
            Self::TooMany { most } => write!(f, "more than {most} rows are under the threshold"),
            Self::TooFew { wanted, rows } => write!(f, "{wanted} rows wanted of {rows}"),
        }
    }
}

impl std::error::Error for Error {}

/// The first lines of a compiler's log that say something, as one line of at most 300 characters.
pub(super) fn shortened(log: &str) -> Box<str> {
    let lines = log.lines().map(str::trim).filter(|line| !line.is_empty()).take(4);
    let cut = printable(&lines.collect::<Vec<_>>().join("; "), 300);
    if cut.is_empty() { "its log is empty".into() } else { cut }
}

/// At most so many characters of a text from elsewhere, none of which ends a line or moves a terminal's cursor.
pub(super) fn printable(text: &str, most: usize) -> Box<str> {
    text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().into()
}
