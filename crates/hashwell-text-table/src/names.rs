//! The names of columns, with fast lookup.

use std::ops::Deref;

/// The maximum number of columns of a table, as in an Arrow schema.
pub const MAX: usize = 1 << 20;

/// Returns true if almost all values of a table of JSON Lines would be null, because most objects lack most keys. A
/// file of 1 MB can make a table of 10 GB.
#[must_use]
pub fn is_too_sparse(rows: u64, columns: usize, bytes: u64) -> bool {
    /// A number of values that is always allowed, and the number of values that each byte of a file may add.
    const ALWAYS: u128 = 1 << 30;
    const A_BYTE: u128 = 64;
    u128::from(rows) * columns as u128 > ALWAYS.max(A_BYTE * u128::from(bytes))
}

/// The names of columns, in order.
#[derive(Clone, Debug)]
pub struct Names {
    list: Vec<String>,
    /// The positions of the names, sorted by name.
    sorted: Vec<usize>,
}

impl Names {
    /// Creates a list of these names, in this order.
    #[must_use]
    pub fn new(list: Vec<String>) -> Self {
        let mut sorted: Vec<usize> = (0..list.len()).collect();
        sorted.sort_unstable_by(|a, b| list[*a].cmp(&list[*b]));
        Self { list, sorted }
    }

    /// A name that occurs twice, if there is one.
    #[must_use]
    pub fn repeated(&self) -> Option<&str> {
        let two = self.sorted.windows(2).find(|two| self.list[two[0]] == self.list[two[1]])?;
        Some(&self.list[two[0]])
    }

    /// The position of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        let found = self.sorted.binary_search_by(|i| self.list[*i].as_str().cmp(name));
        found.ok().map(|at| self.sorted[at])
    }
}

impl Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.list
    }
}
