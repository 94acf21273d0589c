//! The replies, as JSON.

use crate::failure::Failure;
use serde::Serialize;

/// Converts a reply to JSON.
pub(crate) fn json(reply: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(reply).map_err(|error| Failure::input(error.to_string()))
}
