//! The content of one line of a list, before its algorithm is resolved.

use crate::method::Method;
use crate::stamp::Stamp;
use hashwell::registry::ParameterRow;
use std::ops::Range;

/// Possible names, starting with the most likely one. They are parts of a common text, because a line can contain dozens
/// of them, and a list millions of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    text: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Candidates {
    /// The parts of `text` at these places, in this order.
    pub(crate) fn of(text: &[u8], places: impl IntoIterator<Item = Range<usize>>) -> Self {
        Self { text: text.to_vec(), places: places.into_iter().collect() }
    }

    /// A single possible name.
    pub(crate) fn one(name: &[u8]) -> Self {
        Self::of(name, std::iter::once(0..name.len()))
    }

    /// The possible names.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().map(|place| &self.text[place.clone()])
    }

    /// Returns true if there are no possible names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// The content of a line.
#[derive(Default)]
pub(crate) struct Parsed {
    pub(crate) method: Option<Method>,
    pub(crate) digest: Vec<u8>,
    pub(crate) other_digests: Vec<Vec<u8>>,
    pub(crate) name: Option<Vec<u8>>,
    pub(crate) other_name: Option<Vec<u8>>,
    /// Names that are used instead of `name` if there is a file with this name, starting with the most likely one.
    pub(crate) candidates: Candidates,
    pub(crate) needs: Vec<&'static ParameterRow>,
    pub(crate) folded: bool,
    /// True if the list allows the file to be missing.
    pub(crate) optional: bool,
    /// True if the line has a format of Windows, where the case of letters in names has no meaning.
    pub(crate) windows: bool,
    pub(crate) stamp: Stamp,
}

impl Parsed {
    pub(crate) fn of(method: impl Into<Option<Method>>, digest: Vec<u8>, name: Option<&[u8]>) -> Self {
        Self { method: method.into(), digest, name: name.map(<[u8]>::to_vec), ..Self::default() }
    }
}

/// Keeps the digests of current algorithms, or those of legacy checksums if there are no others.
pub(crate) fn strongest(mut all: Vec<Parsed>) -> Vec<Parsed> {
    let is_row = |parsed: &Parsed| parsed.method.is_some_and(|method| method.row().is_some());
    if all.iter().any(is_row) {
        all.retain(is_row);
    }
    all
}
