//! The inputs of operations.

use crate::failure::Failure;

/// The inputs of an operation: the request as JSON; the list, text or transcript to process; and the list of the
/// transcript.
#[derive(Debug, Default)]
pub struct Inputs<'a>(pub [&'a [u8]; 3]);

impl<'a> Inputs<'a> {
    /// Parses the request.
    pub(crate) fn request<T: serde::Deserialize<'a>>(&self) -> Result<T, Failure> {
        serde_json::from_slice(self.0[0]).map_err(|error| Failure::usage(format!("invalid request: {error}")))
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
