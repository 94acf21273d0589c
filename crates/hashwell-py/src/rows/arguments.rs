//! Keyword arguments of constructors: which a row takes, and their values as the library wants them.

use crate::border::buffer::Input;
use crate::border::errors::{self, Length};
use crate::border::keyword::Keyword;
use crate::rows::algorithm::digest_size;
use hashwell::registry::Parameter;
use hashwell::{Algorithm, Hasher, Kind, Many, Node, Params};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Whether the caller may choose the digest's length.
fn takes_digest_size(row: &Algorithm) -> bool {
    row.output_range.0 != row.output_range.1
}

/// The keyword-only part of a row's signature.
pub(crate) fn signature(row: &Algorithm) -> String {
    let mut text = String::new();
    if takes_digest_size(row) {
        match digest_size(row) {
            0 => text += "digest_size=None, ",
            size => text += &format!("digest_size={size}, "),
        }
    }
    for parameter in row.accepts.iter().map(|limits| limits.parameter) {
        if let Some(keyword) = Keyword::of(parameter) {
            text += &format!("{keyword}={}, ", Keyword::default(parameter));
        }
    }
    text + "kernel=None, usedforsecurity=True"
}

/// The values of one call, held while the call lasts.
pub(crate) struct Arguments<'a, 'py> {
    row: &'static Algorithm,
    pub(crate) digest_size: Option<usize>,
    key: Option<Input<'a, 'py>>,
    salt: Option<Input<'a, 'py>>,
    personal: Option<Input<'a, 'py>>,
    customization: Option<Input<'a, 'py>>,
    function_name: Option<Input<'a, 'py>>,
    domain: Option<u8>,
    context: Option<String>,
    node: Node,
    kernel: Option<String>,
}

impl<'a, 'py> Arguments<'a, 'py> {
    pub(crate) fn new(row: &'static Algorithm) -> Self {
        Self {
            row,
            digest_size: None,
            key: None,
            salt: None,
            personal: None,
            customization: None,
            function_name: None,
            domain: None,
            context: None,
            node: Node::SEQUENTIAL,
            kernel: None,
        }
    }

    /// Takes one keyword argument of a call to `function`. `None` is the default of every keyword.
    pub(crate) fn set(
        &mut self,
        function: &str,
        keyword: &Bound<'py, PyString>,
        value: &'a Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let keyword = keyword.to_cow()?;
        let parameter = self
            .row
            .accepts
            .iter()
            .map(|limits| limits.parameter)
            .find(|parameter| Keyword::of(*parameter) == Some(&keyword));
        match &*keyword {
            "usedforsecurity" => return Ok(()),
            "kernel" => self.kernel = value.extract()?,
            "digest_size" if takes_digest_size(self.row) => {
                self.digest_size = value.extract::<Option<Length>>()?.map(|Length(size)| size);
            }
            _ => match parameter {
                None => return Err(errors::unexpected_keyword(function, &keyword)),
                Some(_) if value.is_none() => {}
                Some(Parameter::Key) => self.key = Some(Input::of(value)?),
                Some(Parameter::Salt) => self.salt = Some(Input::of(value)?),
                Some(Parameter::Personal) => self.personal = Some(Input::of(value)?),
                Some(Parameter::Customization) => self.customization = Some(Input::of(value)?),
                Some(Parameter::FunctionName) => self.function_name = Some(Input::of(value)?),
                Some(Parameter::Domain) => self.domain = Some(self.number(Parameter::Domain, value)? as u8),
                Some(Parameter::Context) => self.context = Some(context(value)?),
                // The limits of a number are within its field.
                Some(limited @ Parameter::Fanout) => self.node.fanout = self.number(limited, value)? as u8,
                Some(limited @ Parameter::MaxDepth) => {
                    self.node.max_depth = self.number(limited, value)? as u8;
                }
                Some(limited @ Parameter::LeafLength) => {
                    self.node.leaf_length = self.number(limited, value)? as u32;
                }
                Some(limited @ Parameter::NodeOffset) => self.node.offset = self.number(limited, value)?,
                Some(limited @ Parameter::NodeDepth) => self.node.depth = self.number(limited, value)? as u8,
                Some(limited @ Parameter::InnerLength) => {
                    self.node.inner_length = self.number(limited, value)? as u8;
                }
                Some(Parameter::LastNode) => self.node.last = value.is_truthy()?,
                Some(_) => return Err(errors::unexpected_keyword(function, &keyword)),
            },
        }
        Ok(())
    }

    /// A number within the parameter's limits. The library's parameters are bytes and words, and could not say
    /// that 300 is too large.
    fn number(&self, parameter: Parameter, value: &Bound<'_, PyAny>) -> PyResult<u64> {
        let limits = self.row.limits(parameter).map_or((0, 0), |limits| (limits.min, limits.max));
        let number = match value.extract::<u64>() {
            Ok(number) => Some(number),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
            Err(error) => return Err(error),
        };
        number
            .filter(|number| (limits.0..=limits.1).contains(number))
            .ok_or_else(|| errors::number_out_of_range(self.row.name, parameter, limits, value))
    }

    /// A hasher with these arguments, and the digest size its object shows.
    pub(crate) fn build(&self) -> PyResult<(Hasher, usize)> {
        // A stream's bytes do not depend on how many a digest takes: the object alone keeps its size.
        let output_len = if self.row.kind == Kind::Fixed { self.digest_size } else { None };
        let hasher = self.row.build(&self.params(output_len)).map_err(errors::from_library)?;
        Ok((hasher, self.digest_size.unwrap_or_else(|| digest_size(self.row))))
    }

    /// A hasher of many messages with these arguments.
    pub(crate) fn many(&self) -> PyResult<Many> {
        let size = match self.digest_size {
            None if digest_size(self.row) == 0 => return Err(errors::no_digest_size(self.row.name)),
            size => size.unwrap_or_else(|| digest_size(self.row)),
        };
        self.row.many(&self.params(Some(size))).map_err(errors::from_library)
    }

    /// A hasher of one of many messages, made as [`Arguments::many`] was. A kernel for many is none for one.
    pub(crate) fn single(&self) -> PyResult<Hasher> {
        let output_len = if self.row.kind == Kind::Fixed { self.digest_size } else { None };
        let mut params = self.params(output_len);
        params.kernel =
            params.kernel.filter(|name| self.row.kernels().iter().any(|kernel| kernel.name == *name));
        self.row.build(&params).map_err(errors::from_library)
    }

    fn params<'b>(&'b self, output_len: Option<usize>) -> Params<'b> {
        let or_empty = |input: &'b Option<Input<'a, 'py>>| input.as_ref().map_or(&[][..], Input::as_slice);
        Params {
            output_len,
            key: self.key.as_ref().map(Input::as_slice),
            salt: or_empty(&self.salt),
            personal: or_empty(&self.personal),
            customization: or_empty(&self.customization),
            function_name: or_empty(&self.function_name),
            domain: self.domain,
            context: self.context.as_deref(),
            node: self.node,
            kernel: self.kernel.as_deref(),
        }
    }
}

/// BLAKE3's context: a string; bytes are refused, because a context is a constant in the program's text.
fn context(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text =
        value.cast::<PyString>().map_err(|_| PyTypeError::new_err("derive_key_context must be a str"))?;
    text.extract()
}
