//! Errors from devices and from requests to them.

use std::fmt;

/// The reason why a device is not available or could not do its work. The text of each error is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A library that drives devices is missing, or has no devices.
    NoHost {
        /// The prefix of its device names, such as `opencl`.
        host: &'static str,
        /// A description of what is missing.
        reason: Box<str>,
    },
    /// No device has this name.
    UnknownDevice {
        /// The given name.
        name: Box<str>,
        /// The existing names, or the reason why there are none.
        known: Box<str>,
    },
    /// The driver's compiler rejected the program.
    Build {
        /// The device.
        device: Box<str>,
        /// The first lines of the compiler's log, shortened.
        log: Box<str>,
    },
    /// A known-answer test failed, because of a bad driver or a broken device.
    WrongDigest {
        /// The device.
        device: Box<str>,
        /// The program.
        program: &'static str,
        /// A description of what was hashed.
        what: Box<str>,
    },
    /// The memory of the device, or the memory that it can access, is full.
    OutOfMemory {
        /// The device.
        device: Box<str>,
        /// The number of bytes requested, or 0 if the library needs memory itself and does not report the amount.
        bytes: u64,
    },
    /// There is no memory for the result on the host.
    AnswerTooLong {
        /// The number of bytes that the result takes, as far as it is known.
        bytes: u64,
    },
    /// The device failed during its work: it was removed or reset, or it ended a kernel.
    Lost {
        /// The device.
        device: Box<str>,
        /// The function of the library that failed, and its error code.
        reason: Box<str>,
    },
    /// The message is longer than a work item can hash.
    MessageTooLong {
        /// The device.
        device: Box<str>,
        /// The length of the message in bytes.
        bytes: u64,
        /// The maximum length in bytes.
        most: u64,
    },
    /// There is no program for this algorithm.
    Algorithm {
        /// The name of the algorithm.
        name: Box<str>,
        /// The algorithms that have a GPU program.
        known: &'static str,
    },
    /// The offsets decrease, or exceed the data.
    Offsets {
        /// The index of the offset.
        at: usize,
        /// The offset.
        offset: u64,
        /// The requirement that it violates. Empty if there are no offsets.
        must: Box<str>,
    },
    /// The output does not have 32 bytes for each message.
    Output {
        /// The length of the output in bytes.
        given: usize,
        /// The required length in bytes.
        needed: usize,
    },
    /// More rows than allowed are below the threshold.
    TooMany {
        /// The maximum number of rows.
        most: usize,
    },
    /// There are fewer rows than requested.
    TooFew {
        /// The number of rows requested.
        wanted: u64,
        /// The number of rows that exist.
        rows: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHost { host, reason } => write!(f, "no {host} devices: {reason}"),
            Self::UnknownDevice { name, known } => write!(f, "no device '{name}' ({known})"),
            Self::Build { device, log } => write!(f, "{device} cannot compile the program: {log}"),
            Self::WrongDigest { device, program, what } => {
                write!(f, "{device} can't be used: its '{program}' result for {what} is wrong")
            }
            Self::OutOfMemory { device, bytes: 0 } => write!(f, "{device} has no free memory"),
            Self::OutOfMemory { device, bytes } => {
                write!(f, "{device} does not have {bytes} bytes of free memory")
            }
            Self::AnswerTooLong { bytes } => write!(f, "not enough memory for the result of {bytes} bytes"),
            Self::Lost { device, reason } => write!(f, "{device} failed: {reason}"),
            Self::MessageTooLong { device, bytes, most } => {
                write!(f, "{device} accepts messages of at most {most} bytes, not {bytes}")
            }
            Self::Algorithm { name, known } => {
                write!(f, "devices don't support '{name}' (they support {known})")
            }
            Self::Offsets { must, .. } if must.is_empty() => {
                f.write_str("the list of offsets is empty: it must have at least 1 entry")
            }
            Self::Offsets { at, offset, must } => write!(f, "offset {at} must be {must}, not {offset}"),
            Self::Output { given, needed } => write!(f, "the output must have {needed} bytes, not {given}"),
            Self::TooMany { most } => write!(f, "more than {most} rows are below the threshold"),
            Self::TooFew { wanted, rows } => {
                write!(f, "{wanted} rows were requested, but there are only {rows}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Returns the first non-empty lines of a compiler's log as one line of at most 300 characters.
pub(super) fn shortened(log: &str) -> Box<str> {
    let lines = log.lines().map(str::trim).filter(|line| !line.is_empty()).take(4);
    let cut = printable(&lines.collect::<Vec<_>>().join("; "), 300);
    if cut.is_empty() { "the compiler's log is empty".into() } else { cut }
}

/// Returns at most `most` characters of an untrusted text, without characters that end a line or control a terminal.
pub(super) fn printable(text: &str, most: usize) -> Box<str> {
    text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().into()
}
