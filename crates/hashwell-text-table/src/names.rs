//! Names of columns, found without comparing each of them.

use std::ops::Deref;

/// The largest number of columns of a table, as in an Arrow schema.
pub const MAX: usize = 1 << 20;

/// Names of columns in their order.
#[derive(Clone, Debug)]
pub struct Names {
    list: Vec<String>,
    /// The numbers of the names, in the order of the names.
    sorted: Vec<usize>,
}

impl Names {
    /// These names, in this order.
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
