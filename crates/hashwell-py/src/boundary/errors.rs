//! Converts all errors of the package to Python exceptions.

use hashwell::registry::{Parameter, ParameterRow};
use hashwell::{Error, Source};
use hashwell_draw::row_sampling::{Part, RequestError, Spelling, WeightError};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyBufferError, PyIndexError, PyMemoryError, PyOSError, PyOverflowError, PyRuntimeError, PyTypeError,
    PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::{PyString, PyType};
use std::io;

create_exception!(
    hashwell,
    FinalizedError,
    PyValueError,
    "The message has ended: data can no longer be appended, and digest() is not available."
);
create_exception!(
    hashwell,
    ReseedRequiredError,
    PyValueError,
    "An HMAC-DRBG must be reseeded: it has reached the maximum number of requests between two reseeds."
);
create_exception!(
    hashwell,
    TagMismatchError,
    PyValueError,
    "An authentication tag does not match the message."
);

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FinalizedError", module.py().get_type::<FinalizedError>())?;
    module.add("ReseedRequiredError", module.py().get_type::<ReseedRequiredError>())?;
    module.add("TagMismatchError", module.py().get_type::<TagMismatchError>())
}

/// Creates an exception of this class with this text. PyO3's `new_err` creates it only when it is raised, and panics
/// there if Python has no memory for the text; nothing catches that panic. This function creates it immediately, and
/// returns a `MemoryError` in that case.
pub(crate) fn exception<E: PyTypeInfo>(text: impl AsRef<str>) -> PyErr {
    Python::attach(|py| made(&E::type_object(py), text.as_ref()))
}

fn made(class: &Bound<'_, PyType>, text: &str) -> PyErr {
    let made = PyString::from_bytes(class.py(), text.as_bytes()).and_then(|text| class.call1((text,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Converts an error of the library. A value that is always wrong gives a `ValueError`, a value that only this process
/// or machine rejects gives a `RuntimeError`, and an error of the operating system gives an `OSError`.
pub(crate) fn from_library(error: Error) -> PyErr {
    match error {
        Error::TagMismatch => exception::<TagMismatchError>(error.to_string()),
        Error::ReseedRequired { .. } => exception::<ReseedRequiredError>(error.to_string()),
        Error::EntropyFailed { .. } => exception::<PyOSError>(error.to_string()),
        Error::OutOfMemory => exception::<PyMemoryError>(error.to_string()),
        Error::UnavailableKernel { .. }
        | Error::KernelAlreadyForced { .. }
        | Error::EngineUnavailable { .. }
        | Error::EngineFailed { .. }
        | Error::SelfTestFailed { .. } => exception::<PyRuntimeError>(error.to_string()),
        _ => exception::<PyValueError>(error.to_string()),
    }
}

/// Converts an error of hashwell-draw.
pub(crate) fn from_draw(error: hashwell_draw::Error) -> PyErr {
    match error {
        hashwell_draw::Error::RandomSource(error) => from_library(error),
        hashwell_draw::Error::Memory { .. } => exception::<PyMemoryError>(error.to_string()),
        _ => exception::<PyValueError>(error.to_string()),
    }
}

/// The names of the arguments in Python.
struct Arguments;

impl Spelling for Arguments {
    fn name(&self, part: Part) -> Option<String> {
        let name = match part {
            Part::Size => "n",
            Part::Probability => "probability",
            Part::Every => "every",
            Part::GroupBy => "group_by",
            Part::Weight => "weights",
            Part::Weighting => "design",
            Part::DefaultWeight => "default_weight",
            Part::Replace => "replace",
            Part::Stratify => "stratify",
            Part::Proportional => "proportional",
            Part::Order => "order='draw'",
            Part::Exact => "exact",
            Part::Shard => "shard",
            Part::Shuffle | Part::State | Part::Rest | Part::Ticket => return None,
        };
        Some(name.to_owned())
    }
}

/// Converts an error in the options of a sample. A wrong value gives a `ValueError`, and a wrong combination gives a
/// `TypeError`.
pub(crate) fn from_request(error: RequestError) -> PyErr {
    let text = error.text(&Arguments);
    match error {
        RequestError::Amounts
        | RequestError::Conflict { .. }
        | RequestError::Missing { .. }
        | RequestError::Field { .. } => exception::<PyTypeError>(text),
        _ => exception::<PyValueError>(text),
    }
}

/// Describes the error in the weight of a row.
pub(crate) fn weight(row: u64, wrong: &WeightError) -> String {
    match wrong {
        WeightError::Blank => {
            format!("row {row}: the weight is missing (with default_weight=0, such rows are never picked)")
        }
        WeightError::Is(what) => format!("row {row}: the weight is {what}"),
    }
}

/// The number of weights, strata or keys differs from the number of rows.
pub(crate) fn not_one_each(what: &str, got: usize, rows: usize) -> PyErr {
    exception::<PyValueError>(format!("{what} must have one value for each row: expected {rows}, got {got}"))
}

/// The object has no rows in a known format.
pub(crate) fn no_arrow(got: &Bound<'_, PyAny>) -> PyErr {
    let class = got.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    exception::<PyTypeError>(format!(
        "expected an object with __arrow_c_stream__ or __arrow_c_array__, got '{class}'"
    ))
}

/// Two threads passed rows to the same sample at the same time.
pub(crate) fn updated_meanwhile() -> PyErr {
    exception::<PyRuntimeError>("another thread added rows to this sample at the same time")
}

/// No device has this name, or it cannot be opened.
#[cfg(feature = "accel")]
pub(crate) fn no_device(error: &hashwell_accel::engines::Error) -> PyErr {
    match error {
        hashwell_accel::engines::Error::Refused { .. } => exception::<PyRuntimeError>(error.to_string()),
        _ => exception::<PyValueError>(error.to_string()),
    }
}

/// A device was named, but this build does not support devices.
#[cfg(not(feature = "accel"))]
pub(crate) fn no_devices() -> PyErr {
    exception::<PyRuntimeError>(
        "this build does not support devices: it was compiled without the feature 'accel'",
    )
}

/// A number of threads was given for work on another device.
pub(crate) fn threads_and_device() -> PyErr {
    exception::<PyValueError>("threads and device cannot be used together")
}

/// `OSError(errno, text, path)`, for which Python chooses the right subclass.
pub(crate) fn from_io(error: &io::Error, path: &Bound<'_, PyAny>) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        // Rust appends the error number to the system's text. In Python it is an attribute instead.
        Some(code) => {
            let text = text.strip_suffix(&format!(" (os error {code})")).unwrap_or(&text).to_owned();
            let class = path.py().get_type::<PyOSError>();
            let text = PyString::from_bytes(path.py(), text.as_bytes());
            text.and_then(|text| class.call1((code, text, path)))
                .map_or_else(|error| error, PyErr::from_value)
        }
        None => exception::<PyOSError>(text),
    }
}

pub(crate) fn finalized(name: &str) -> PyErr {
    exception::<FinalizedError>(format!("{name}: cannot append data after finalize() or the first read"))
}

/// hashlib's `digest()` returns a digest of the message, but this object has already begun to return output.
pub(crate) fn digest_of_reading(name: &str) -> PyErr {
    exception::<FinalizedError>(format!(
        "{name}: digest() is not available after finalize() or the first read: use read()"
    ))
}

/// A caller, or `hmac.new`, requested a digest from a function without a digest size.
pub(crate) fn no_digest_size(name: &str) -> PyErr {
    exception::<PyTypeError>(format!(
        "{name} is an extendable-output function without a digest size: pass a length, or make the object with \
         digest_size= (HMAC is not defined over such functions)"
    ))
}

/// Uses the same classes as hashlib: `OverflowError` for a number that does not fit a field of several bytes, and
/// `ValueError` for any other.
pub(crate) fn number_out_of_range(
    name: &str,
    parameter: &ParameterRow,
    (min, max): (u64, u64),
    got: &Bound<'_, PyAny>,
) -> PyErr {
    // The error text contains the library's name of the domain byte, but the keywords of the parameters of a tree.
    let is_domain = matches!(parameter.parameter, Parameter::Domain);
    let what = if is_domain { parameter.quantity } else { parameter.keyword };
    let text = format!("{name}: {what} must be {min} to {max}{}", but_not(got));
    match got.gt(max) {
        Ok(true) if max > u64::from(u8::MAX) => exception::<PyOverflowError>(text),
        Ok(_) => exception::<PyValueError>(text),
        Err(error) => error,
    }
}

/// The error of CPython for classes that cannot be called.
pub(crate) fn not_constructible(class: &str) -> PyErr {
    exception::<PyTypeError>(format!("cannot create '{class}' instances"))
}

/// An allocation failed, or the requested size exceeds the address space.
pub(crate) fn no_memory(bytes: Option<usize>) -> PyErr {
    match bytes {
        Some(bytes) => exception::<PyMemoryError>(format!("out of memory: could not allocate {bytes} bytes")),
        None => exception::<PyMemoryError>("out of memory: the size exceeds the address space"),
    }
}

/// A key of `hmac_many` is a `str`. Its argument `encoding` applies to messages only.
pub(crate) fn key_is_text() -> PyErr {
    exception::<PyTypeError>(
        "keys must be bytes, not str: encode them first (encoding= applies only to messages)",
    )
}

/// The argument is a masked array of NumPy, whose buffer includes the masked values.
pub(crate) fn masked_array() -> PyErr {
    exception::<PyTypeError>(
        "a numpy.ma.MaskedArray cannot be hashed, because its buffer also contains the masked values: \
         pass .filled(), .compressed() or .data",
    )
}

pub(crate) fn string_given() -> PyErr {
    exception::<PyTypeError>(
        "Strings must be encoded before hashing: text with .encode(), hexadecimal digits with bytes.fromhex()",
    )
}

pub(crate) fn two_values(function: &str, argument: &str) -> PyErr {
    exception::<PyTypeError>(format!("{function}() got multiple values for argument '{argument}'"))
}

pub(crate) fn missing_argument(function: &str, argument: &str) -> PyErr {
    exception::<PyTypeError>(format!("{function}() missing required argument '{argument}'"))
}

pub(crate) fn too_many_arguments(function: &str, most: usize, given: usize) -> PyErr {
    let arguments = match most {
        0 => "no positional arguments",
        1 => "at most 1 positional argument",
        _ => &format!("at most {most} positional arguments"),
    };
    exception::<PyTypeError>(format!("{function}() takes {arguments} ({given} given)"))
}

/// The saved state belongs to a different class.
pub(crate) fn saved_of_other_class(algorithm: &str, class: &str, reader: &str) -> PyErr {
    exception::<PyValueError>(format!("the state belongs to {algorithm}: use {class}.{reader}"))
}

/// The state of an output stream was requested, but such states can't be saved.
pub(crate) fn saved_of_reading(name: &str) -> PyErr {
    exception::<PyTypeError>(format!(
        "cannot save a {name} object that was finalized: save it before the first read, or use copy()"
    ))
}

/// The error that the `readinto` method of a file raises for a read-only buffer.
pub(crate) fn read_only() -> PyErr {
    exception::<PyTypeError>("the buffer must be writable, not read-only")
}

/// The items of a buffer are pointers, or contain pointers.
pub(crate) fn pointers(format: &[u8]) -> PyErr {
    exception::<PyBufferError>(format!(
        "the buffer contains Python objects or pointers, not bytes: its format is '{}'",
        format.escape_ascii()
    ))
}

/// Adds the name of the argument to an exception.
pub(crate) fn of_argument(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    let text = format!("{name}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        exception::<PyTypeError>(text)
    } else if error.is_instance_of::<PyOverflowError>(py) {
        exception::<PyOverflowError>(text)
    } else {
        error
    }
}

pub(crate) fn not_words(words: &Bound<'_, PyAny>) -> PyErr {
    exception::<PyTypeError>(format!(
        "words must be the name of a random source, such as 'blake3', not of type '{}'",
        class_of(words)
    ))
}

/// A feature was requested that MWC256 does not have, because it has only one stream.
pub(crate) fn mwc(what: &str) -> PyErr {
    let text = "it is a single stream, from which all replicates are drawn";
    exception::<PyValueError>(format!("words='mwc' cannot be used with the argument {what}: {text}"))
}

/// The continuation of a process's term must be a function of the term's draw.
pub(crate) fn not_a_function(term: &str, then: &Bound<'_, PyAny>) -> PyErr {
    let class = then.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    exception::<PyTypeError>(format!(
        "{term}(): 'then' must be a function of the draw, not of type '{class}'"
    ))
}

pub(crate) fn unexpected_keyword(function: &str, keyword: &str) -> PyErr {
    exception::<PyTypeError>(format!("{function}() got an unexpected keyword argument '{keyword}'"))
}

/// `io.UnsupportedOperation`, which is an `OSError` and a `ValueError`, and which files without `seek` also raise.
pub(crate) fn unsupported_operation(py: Python<'_>, text: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "io", "UnsupportedOperation") {
        Ok(class) => made(class, text),
        Err(error) => error,
    }
}

/// A number of bytes or items: any object with `__index__`, from 0 to the maximum size of an object.
#[derive(Clone, Copy)]
pub(crate) struct Length(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Length {
    type Error = PyErr;

    #[inline]
    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match value.extract::<isize>().ok().and_then(|number| usize::try_from(number).ok()) {
            Some(length) => Ok(Self(length)),
            None => count_of(&value, "a length").map(Self),
        }
    }
}

/// Reads a number of items in a Python object. A negative number gives a `ValueError`, and a number that is too large
/// gives an `OverflowError`, as in Python's own functions.
pub(crate) fn count_of(value: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    match value.extract::<isize>() {
        Ok(number) if number >= 0 => Ok(number.unsigned_abs()),
        Ok(_) => Err(negative(what)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Err(match value.lt(0)? {
            true => negative(what),
            false => out_of_range(what, &format!("0 to {}", isize::MAX), value),
        }),
        Err(error) => Err(error),
    }
}

/// Reads an integer within the limits of its type. `range` is the text for these limits.
pub(crate) fn number<'py, T>(value: &Bound<'py, PyAny>, what: &str, range: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract().map_err(|error: PyErr| match error.is_instance_of::<PyOverflowError>(value.py()) {
        true => out_of_range(what, range, value),
        false => error,
    })
}

/// Reads an integer like [`number`]. If the value is not an integer, the error contains the name of the argument.
pub(crate) fn whole<'py, T>(value: &Bound<'py, PyAny>, what: &str, range: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    number(value, what, range).map_err(|error| match error.is_instance_of::<PyTypeError>(value.py()) {
        true => of_argument(value.py(), what, error),
        false => error,
    })
}

/// Like [`number`], but raises ValueError for an integer out of range, for example for the number of rows of a sample.
fn within<'py, T>(value: &Bound<'py, PyAny>, what: &str, range: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract().map_err(|error: PyErr| match error.is_instance_of::<PyOverflowError>(value.py()) {
        true => exception::<PyValueError>(format!("{what} must be {range}{}", but_not(value))),
        false => error,
    })
}

/// Defines types for integer arguments, with names and ranges for the error texts. PyO3's errors contain neither.
macro_rules! integers {
    ($($class:ident($number:ty) = $read:ident($what:literal, $range:literal);)*) => {$(
        #[derive(Clone, Copy)]
        pub(crate) struct $class(pub(crate) $number);

        impl<'py> FromPyObject<'_, 'py> for $class {
            type Error = PyErr;

            fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                $read(&value, $what, $range).map(Self)
            }
        }
    )*};
}

integers! {
    Ids(u64) = within("the number of ids", "0 to 2**64 - 1");
    Picks(u64) = within("n", "0 to 2**64 - 1");
    Scale(u32) = within("scale", "0 to 2**32 - 1");
    Bytes(u64) = number("length", "0 to 2**64 - 1");
    Index(u64) = number("index", "0 to 2**64 - 1");
    Start(u64) = number("start", "0 to 2**64 - 1");
    Group(u64) = number("group", "0 to 2**64 - 1");
    Offset(i128) = number("offset", "-2**127 to 2**127 - 1");
    Whence(i32) = number("whence", "0 or 1");
    Jumps(u64) = number("the number of jumps", "0 to 2**64 - 1");
    Strength(u32) = number("strength", "0 to 2**32 - 1");
    ReseedInterval(u64) = number("reseed_interval", "0 to 2**64 - 1");
    Steps(u64) = number("steps", "0 to 2**64 - 1");
    States(usize) = number("states", "0 to 2**64 - 1");
    Terms(usize) = number("terms", "0 to 2**64 - 1");
    Nodes(usize) = number("nodes", "0 to 2**64 - 1");
}

fn negative(what: &str) -> PyErr {
    exception::<PyValueError>(match what {
        // Python's standard library uses the same text.
        "number of bits" => "number of bits must be non-negative".to_owned(),
        what => format!("{what} cannot be negative"),
    })
}

pub(crate) fn out_of_range(what: &str, range: &str, value: &Bound<'_, PyAny>) -> PyErr {
    exception::<PyOverflowError>(format!("{what} must be {range}{}", but_not(value)))
}

/// The part of an error text that follows the range and contains the number that was given. It is empty if Python
/// refuses to format the number, which it does above 4300 digits.
pub(crate) fn but_not(value: &Bound<'_, PyAny>) -> String {
    value.str().map_or_else(|_| String::new(), |number| format!(", not {number}"))
}

pub(crate) fn not_a_binary_file(file: &Bound<'_, PyAny>) -> PyErr {
    let class = file.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    exception::<PyValueError>(format!(
        "a '{class}' object is neither a path nor a file opened in binary mode for reading"
    ))
}

/// One buffer was given instead of many messages. The items of the buffer are numbers instead of messages.
pub(crate) fn one_message(buffer: &Bound<'_, PyAny>) -> PyErr {
    let class = buffer.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    exception::<PyTypeError>(format!(
        "messages must be an iterable of buffers, a two-dimensional buffer or an Arrow column, \
         not one '{class}' object"
    ))
}

/// The argument is a NumPy array of type `U`, whose characters take 4 bytes each, in the machine's byte order.
pub(crate) fn text_array() -> PyErr {
    exception::<PyTypeError>(
        "an array of str must be encoded before hashing: pass encoding, for example encoding='utf-8'",
    )
}

pub(crate) fn column_encoding(name: &Bound<'_, PyString>) -> PyErr {
    exception::<PyValueError>(format!(
        "an Arrow column's strings are UTF-8: encoding must be 'utf-8' or left out, not '{name}'"
    ))
}

pub(crate) fn hex_without_place() -> PyErr {
    exception::<PyTypeError>("hex=True cannot be used with contiguous or out")
}

/// The maximum number of threads that hash at the same time.
#[derive(Clone, Copy)]
pub(crate) struct Threads(pub(crate) usize);

impl Threads {
    const MAX: isize = 4096;

    /// Resolves 0 to one thread per core of this machine.
    pub(crate) fn count(self) -> usize {
        hashwell_work::threads(self.0)
    }
}

impl<'py> FromPyObject<'_, 'py> for Threads {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = match value.extract::<isize>() {
            Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => return Err(error),
            number => number.ok(),
        };
        match number.filter(|number| (0..=Self::MAX).contains(number)) {
            Some(number) => Ok(Self(number.unsigned_abs())),
            None => {
                let text =
                    format!("threads must be 0 to {}, not {} (0 means one per core)", Self::MAX, &*value);
                Err(exception::<PyValueError>(text))
            }
        }
    }
}

pub(crate) fn too_many_dimensions(dimensions: usize) -> PyErr {
    exception::<PyTypeError>(format!("a buffer of messages must have 2 dimensions, not {dimensions}"))
}

/// Adds the number of the row to an exception.
pub(crate) fn in_row(py: Python<'_>, error: PyErr, row: usize) -> PyErr {
    // If the note can't be added, the exception is still right.
    let _ = error.add_note(py, format!("in row {row} of the messages"));
    error
}

pub(crate) fn out_length(expected: usize, messages: usize, digest: usize, got: usize) -> PyErr {
    exception::<PyValueError>(format!(
        "out must have {expected} bytes ({digest} for each of {messages} messages), not {got}"
    ))
}

pub(crate) fn out_overlaps() -> PyErr {
    exception::<PyValueError>("out must not share memory with a message")
}

pub(crate) fn nulls_without_place(nulls: usize) -> PyErr {
    exception::<PyValueError>(format!("the column has {nulls} nulls, so contiguous and out cannot be used"))
}

pub(crate) fn row_out_of_range() -> PyErr {
    exception::<PyIndexError>("row out of range")
}

pub(crate) fn not_in_the_column() -> PyErr {
    exception::<PyValueError>("no row has this value")
}

/// NumPy requested an array without a copy (`copy=False`), which is not possible.
pub(crate) fn copy_needed() -> PyErr {
    exception::<PyValueError>("copy=False is not possible: an array of these digests is always a copy")
}

pub(crate) fn array_type(dtype: &Bound<'_, PyAny>, size: usize) -> PyErr {
    exception::<PyTypeError>(format!(
        "the dtype of an array of digests must be object, or 'V{size}' for bytes without nulls, not '{dtype}'"
    ))
}

pub(crate) fn keys_and_messages(keys: usize, messages: usize) -> PyErr {
    exception::<PyValueError>(format!(
        "got {keys} keys for {messages} messages: expected as many keys as messages, or only one of either"
    ))
}

pub(crate) fn not_pairs() -> PyErr {
    exception::<PyTypeError>("with several keys and several messages, both must be iterables of buffers")
}

/// The values of this Arrow type are not bytes.
pub(crate) fn arrow_format(format: &str) -> PyErr {
    exception::<PyTypeError>(format!(
        "an Arrow column must be of a binary or string type (also large, view or fixed-size), \
         or a dictionary of these, not of format '{format}'"
    ))
}

/// Returns the name by which users know an Arrow type.
pub(crate) fn arrow_type(format: &str) -> String {
    let (kind, parameter) = format.split_once(':').unwrap_or((format, ""));
    let name = match kind {
        "n" => "null",
        "b" => "bool",
        "c" => "int8",
        "C" => "uint8",
        "s" => "int16",
        "S" => "uint16",
        "i" => "int32",
        "I" => "uint32",
        "l" => "int64",
        "L" => "uint64",
        "e" => "float16",
        "f" => "float32",
        "g" => "float64",
        "z" | "Z" | "vz" => "binary",
        "u" | "U" | "vu" => "string",
        "w" => return format!("fixed_size_binary({parameter})"),
        "d" => return format!("decimal({parameter})"),
        "+l" | "+L" | "+vl" | "+vL" | "+w" => "list",
        "+s" => "struct",
        "+m" => "map",
        "+us" | "+ud" => "union",
        "+r" => "run_end_encoded",
        _ if kind.starts_with("td") => "date",
        _ if kind.starts_with("tt") => "time",
        _ if kind.starts_with("ts") => "timestamp",
        _ if kind.starts_with("tD") => "duration",
        _ if kind.starts_with("ti") => "interval",
        _ => return format!("Arrow format '{format}'"),
    };
    name.to_owned()
}

/// This package cannot read this Arrow type.
pub(crate) fn arrow_unread(format: &str) -> PyErr {
    exception::<PyTypeError>(format!(
        "Arrow format '{format}' is not supported: unions and unknown types have no encoding"
    ))
}

pub(crate) fn arrow_malformed(what: &str) -> PyErr {
    exception::<PyValueError>(format!("malformed Arrow data: {what}"))
}

/// Another thread shortened the list during the call.
pub(crate) fn list_shrank() -> PyErr {
    exception::<PyRuntimeError>("the list became shorter during the call")
}

pub(crate) fn nonce_without_entropy() -> PyErr {
    exception::<PyTypeError>("nonce can only be passed together with entropy")
}

pub(crate) fn entropy_without_prediction_resistance() -> PyErr {
    exception::<PyTypeError>(
        "entropy requires prediction_resistance=True: without it, pass the entropy to reseed()",
    )
}

/// The state of an OS-seeded stream was requested, but such a stream must not be reproducible.
pub(crate) fn os_seeded_state() -> PyErr {
    exception::<PyTypeError>(
        "an OS-seeded generator has no readable state, so it cannot be copied or pickled",
    )
}

/// Returns the name of the class of an argument, for an error about it.
fn class_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().fully_qualified_name().map_or_else(|_| "this".to_owned(), |name| name.to_string())
}

/// No source has this name. The text lists the names, because they are hard to guess.
pub(crate) fn no_source(error: Error) -> PyErr {
    let names: Vec<String> = Source::all().map(Source::name).collect();
    exception::<PyValueError>(format!("{error}; the sources are {}", names.join(", ")))
}

/// The argument `source` is not a name. It is probably a seed, which is the only argument of `random.Random` and of
/// NumPy's generators.
pub(crate) fn not_a_source(object: &Bound<'_, PyAny>) -> PyErr {
    exception::<PyTypeError>(format!(
        "the first argument must be the name of a source, such as 'blake3', not '{}': pass a seed as seed=...",
        class_of(object)
    ))
}

/// A SeedSequence was passed as the source together with another argument.
pub(crate) fn seed_sequence_alone() -> PyErr {
    exception::<PyTypeError>(
        "a SeedSequence of a generator already contains a source and a seed: pass no other arguments",
    )
}

pub(crate) fn no_such_position(position: u128, numbers: i128) -> PyErr {
    exception::<PyValueError>(format!(
        "cannot advance by {numbers} numbers from byte {position}: a position must be 0 to 2**128 - 1"
    ))
}

pub(crate) fn not_a_seed(object: &Bound<'_, PyAny>) -> PyErr {
    exception::<PyTypeError>(format!(
        "a seed must be bytes, a str, an int, a sequence of ints or a SeedSequence, not '{}'",
        class_of(object)
    ))
}

pub(crate) fn negative_seed(number: &Bound<'_, PyAny>) -> PyErr {
    exception::<PyValueError>(format!("the integers in a seed must be 0 or more, not {number}"))
}

pub(crate) fn not_a_state(what: &str) -> PyErr {
    exception::<PyValueError>(format!("not a valid state for this generator: {what}"))
}

/// A state, or the value in it that should be a dictionary, is not a dictionary.
pub(crate) fn no_dictionary(object: &Bound<'_, PyAny>, field: &str) -> PyErr {
    let class = class_of(object);
    not_of_this_shape(&format!("expected a dictionary with '{field}', not '{class}'"))
}

pub(crate) fn no_field(name: &str) -> PyErr {
    not_of_this_shape(&format!("it has no '{name}'"))
}

pub(crate) fn wrong_field(name: &str, kind: &str, object: &Bound<'_, PyAny>) -> PyErr {
    not_of_this_shape(&format!("its {name} must be {kind}, not '{}'", class_of(object)))
}

fn not_of_this_shape(what: &str) -> PyErr {
    exception::<PyTypeError>(format!("not a valid state for this generator: {what}"))
}

/// The column is a Polars column of Python objects.
pub(crate) fn column_of_objects() -> PyErr {
    exception::<PyTypeError>("the column must be of binary or string type, not of Python objects")
}

/// The argument should be a table, but exports no Arrow data.
pub(crate) fn not_a_table(object: &Bound<'_, PyAny>) -> PyErr {
    exception::<PyTypeError>(format!(
        "expected a table, which is an object with __arrow_c_stream__ or __arrow_c_array__ (from pyarrow, Polars, \
         pandas, DuckDB, …), not '{}'",
        class_of(object)
    ))
}

/// A set was passed as messages.
pub(crate) fn set_of_messages() -> PyErr {
    exception::<PyTypeError>("a set has no order: pass a list, such as sorted(messages)")
}

/// A string was passed instead of a list of names. Iterating over the string would treat each letter as a name.
pub(crate) fn one_column_name() -> PyErr {
    exception::<PyTypeError>("columns must be a list of names, even for one column")
}
