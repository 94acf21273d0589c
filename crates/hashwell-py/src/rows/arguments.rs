//! Keyword arguments of constructors: those that an algorithm accepts, and the conversion of their values for the
//! library.

use crate::boundary::buffer::Input;
use crate::boundary::errors::{self, Length, exception};
use crate::rows::algorithm::digest_size;
use hashwell::registry::{PARAMETERS, Parameter, ParameterRow, Plain, Shape, Value};
use hashwell::{Algorithm, Hasher, Kind, Many, Params, Pieces};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The parameters that an algorithm accepts.
fn taken(row: &Algorithm) -> impl Iterator<Item = &'static ParameterRow> {
    PARAMETERS.iter().filter(|parameter| row.takes(parameter.parameter))
}

/// The default of a parameter in a signature.
fn default(row: &Algorithm, parameter: &ParameterRow) -> String {
    match (parameter.plain, parameter.shape) {
        (Plain::Absent, _) if parameter.parameter == Parameter::OutputLength && digest_size(row) > 0 => {
            digest_size(row).to_string()
        }
        (Plain::Absent, _) => "None".to_owned(),
        (Plain::Empty, _) => "b''".to_owned(),
        (Plain::Number(number), Shape::Flag) => if number == 0 { "False" } else { "True" }.to_owned(),
        (Plain::Number(number), _) => number.to_string(),
    }
}

/// The keyword-only part of the signature of an algorithm.
pub(crate) fn signature(row: &Algorithm) -> String {
    let of = |parameter: &ParameterRow| format!("{}={}, ", parameter.keyword, default(row, parameter));
    taken(row).map(of).collect::<String>() + "kernel=None, usedforsecurity=True"
}

/// The value of an argument, kept alive during the call.
enum Given<'a, 'py> {
    Bytes(Input<'a, 'py>),
    Text(String),
    Number(u64),
}

impl Given<'_, '_> {
    fn value(&self) -> Value<'_> {
        match self {
            Given::Bytes(bytes) => Value::Bytes(bytes.as_slice()),
            Given::Text(text) => Value::Text(text),
            Given::Number(number) => Value::Number(*number),
        }
    }
}

/// The arguments of one call.
pub(crate) struct Arguments<'a, 'py> {
    row: &'static Algorithm,
    pub(crate) digest_size: Option<usize>,
    values: Vec<(Parameter, Given<'a, 'py>)>,
    kernel: Option<String>,
}

impl<'a, 'py> Arguments<'a, 'py> {
    pub(crate) fn new(row: &'static Algorithm) -> Self {
        Self { row, digest_size: None, values: Vec::new(), kernel: None }
    }

    /// Sets one keyword argument of a call of `function`. `None` is the default of every keyword.
    pub(crate) fn set(
        &mut self,
        function: &str,
        keyword: &Bound<'py, PyString>,
        value: &'a Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let keyword = keyword.to_cow()?;
        match &*keyword {
            "usedforsecurity" => return Ok(()),
            "kernel" => {
                self.kernel = value.extract()?;
                return Ok(());
            }
            _ => {}
        }
        let parameter = taken(self.row).find(|parameter| parameter.keyword == keyword);
        let parameter = parameter.ok_or_else(|| errors::unexpected_keyword(function, &keyword))?;
        if parameter.parameter == Parameter::OutputLength {
            self.digest_size = value.extract::<Option<Length>>()?.map(|Length(size)| size);
        } else if !value.is_none() {
            let given = match parameter.shape {
                Shape::Bytes => Given::Bytes(Input::of(value)?),
                Shape::Text => Given::Text(text(&keyword, value)?),
                Shape::Number => Given::Number(self.number(parameter, value)?),
                Shape::Flag => Given::Number(value.is_truthy()?.into()),
            };
            self.values.push((parameter.parameter, given));
        }
        Ok(())
    }

    /// Reads a number and checks the limits of the parameter. The parameters of the library have types such as `u8`, in
    /// which 300 could not be reported as too large.
    fn number(&self, parameter: &ParameterRow, value: &Bound<'_, PyAny>) -> PyResult<u64> {
        let limits = self.row.limits(parameter.parameter).map_or((0, 0), |limits| (limits.min, limits.max));
        let number = match value.extract::<u64>() {
            Ok(number) => Some(number),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
            Err(error) => return Err(error),
        };
        number
            .filter(|number| (limits.0..=limits.1).contains(number))
            .ok_or_else(|| errors::number_out_of_range(self.row.name, parameter, limits, value))
    }

    /// Returns a hasher with these arguments, and the digest size of the Python object.
    pub(crate) fn build(&self) -> PyResult<(Hasher, usize)> {
        // In the Python object of an extendable-output function, 0 means that there is no digest size. The hasher stores
        // the size only so that it is saved with the state.
        let output_len = self.digest_size.filter(|size| self.row.kind == Kind::Fixed || *size > 0);
        let hasher = self.row.build(&self.params(output_len)).map_err(errors::from_library)?;
        Ok((hasher, self.digest_size.unwrap_or_else(|| digest_size(self.row))))
    }

    /// Returns a hasher for many messages with these arguments.
    pub(crate) fn many(&self) -> PyResult<Many> {
        self.row.many(&self.params(Some(self.size()?))).map_err(errors::from_library)
    }

    /// Returns the pieces of a message of this length, with these arguments.
    pub(crate) fn pieces(&self, message_len: u64) -> PyResult<Pieces> {
        self.row.pieces(&self.params(Some(self.size()?)), message_len).map_err(errors::from_library)
    }

    /// The number of bytes of the digest. An extendable-output function without a default size requires the argument
    /// `length`.
    fn size(&self) -> PyResult<usize> {
        match self.digest_size {
            None if digest_size(self.row) == 0 => Err(errors::no_digest_size(self.row.name)),
            size => Ok(size.unwrap_or_else(|| digest_size(self.row))),
        }
    }

    /// Returns a hasher for one message that gives the same digests as [`Arguments::many`]. It does not use the given
    /// kernel if that is a batch kernel.
    pub(crate) fn single(&self) -> PyResult<Hasher> {
        let output_len = if self.row.kind == Kind::Fixed { self.digest_size } else { None };
        let mut params = self.params(output_len);
        params.kernel =
            params.kernel.filter(|name| self.row.kernels().iter().any(|kernel| kernel.name == *name));
        self.row.build(&params).map_err(errors::from_library)
    }

    fn params(&self, output_len: Option<usize>) -> Params<'_> {
        let mut params = Params { output_len, kernel: self.kernel.as_deref(), ..Params::default() };
        for (parameter, given) in &self.values {
            params
                .set(*parameter, given.value())
                .expect("of the parameter's shape, and numbers within its limits");
        }
        params
    }
}

/// Reads a string. Bytes are rejected, because a context is a constant in the source code of a program.
fn text(keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text =
        value.cast::<PyString>().map_err(|_| exception::<PyTypeError>(format!("{keyword} must be a str")))?;
    text.extract()
}
