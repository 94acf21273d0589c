//! The fields of CSV and TSV that count as null.

use crate::kind::Type;
use hashwell_rows::RawField;

/// The fields that count as null, including their quotes: `""` and an empty field are different.
#[derive(Clone, Debug)]
pub struct Nulls {
    fields: Vec<Vec<u8>>,
    /// True if the empty field is one of them.
    empty: bool,
}

impl Nulls {
    /// Creates a set of these fields. If there are none, the empty field is null.
    #[must_use]
    pub fn of(given: &[String]) -> Self {
        let fields = match given {
            [] => vec![Vec::new()],
            given => given.iter().map(|field| field.clone().into_bytes()).collect(),
        };
        Self { empty: fields.iter().any(Vec::is_empty), fields }
    }

    /// Returns true if a field of a column of this type is null.
    ///
    /// If the empty field is null, `""` is null as well in a column whose type has no empty value, such as a number:
    /// programs that quote every field write nulls this way.
    #[must_use]
    pub fn is_null(&self, field: RawField<'_>, of: &Type) -> bool {
        let bytes = field.bytes();
        self.fields.iter().any(|null| null == bytes)
            || (self.empty && bytes == b"\"\"" && field.is_quoted() && !of.has_empty())
    }
}
