//! What an operation is given.

use crate::failure::Failure;

/// The inputs of an operation: the request, JSON; the list, text or transcript that it is about; the list of that transcript.
#[derive(Debug, Default)]
pub struct Inputs<'a>(pub [&'a [u8]; 3]);

impl<'a> Inputs<'a> {
    /// The request.
    pub(crate) fn request<T: serde::Deserialize<'a>>(&self) -> Result<T, Failure> {
        serde_json::from_slice(self.0[0]).map_err(|error| Failure::usage(format!("the request: {error}")))
    }

    /// The list, the text or the transcript.
    pub(crate) fn first(&self) -> &'a [u8] {
        self.0[1]
    }

    /// The list of the transcript.
    pub(crate) fn second(&self) -> &'a [u8] {
        self.0[2]
    }
}
