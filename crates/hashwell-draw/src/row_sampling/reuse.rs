//! Detects an input whose keys were selected before with the same seed and context.

use std::collections::HashSet;

/// The maximum number of distinct tickets that are kept, and of rows that are examined.
const MOST: (usize, u32) = (4096, 1 << 20);

/// Statistics about the first distinct tickets of an input. Tickets are uniform unless the groups were selected by
/// their tickets. If an input contains only the groups that an earlier sample with the same seed and context picked, no
/// ticket is above a certain bound. If it contains only the groups that this sample did not pick, no ticket is below
/// the bound. In both cases, a second selection with the same tickets is not independent of the first.
#[derive(Clone, Debug, Default)]
pub struct Reuse {
    tickets: HashSet<u128>,
    rows: u32,
}

impl Reuse {
    /// Records a row's ticket.
    #[inline]
    pub fn see(&mut self, ticket: u128) {
        if self.is_looking() {
            self.rows += 1;
            self.tickets.insert(ticket);
        }
    }

    /// Adds the tickets of another part of the input.
    pub fn add(&mut self, other: &Self) {
        self.rows = self.rows.saturating_add(other.rows);
        self.tickets.extend(&other.tickets);
    }

    /// Returns true while more tickets are useful.
    #[inline]
    #[must_use]
    pub fn is_looking(&self) -> bool {
        self.rows < MOST.1 && self.tickets.len() < MOST.0
    }

    /// Returns a warning if the groups were probably selected by their tickets: the tickets are all so small, or all so
    /// large, that this has a probability below 10^-6 for uniform tickets.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let share = |ticket: &u128| *ticket as f64 / 2_f64.powi(128);
        let least = share(self.tickets.iter().min()?);
        let most = share(self.tickets.iter().max()?);
        let count = self.tickets.len() as f64;
        // The logarithm of the probability that no ticket is below `least` or, if smaller, that none is above `most`.
        let chance = count * (1.0 - least).ln().min(most.ln());
        (chance < 1e-6_f64.ln()).then(|| {
            "the keys of this input were probably selected before with the same seed and context, so this sample is not \
             independent of the earlier one; give each step its own context"
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    fn warns(keys: u64, rows: u64, selected: impl Fn(u128) -> bool) -> bool {
        let mut reuse = Reuse::default();
        let tickets = (0..rows).map(|row| Key([7; 32]).ticket(&(row % keys).to_be_bytes()));
        tickets.filter(|ticket| selected(*ticket)).for_each(|ticket| reuse.see(ticket));
        reuse.warning().is_some()
    }

    #[test]
    fn selected_keys_are_noticed() {
        let tenth = u128::MAX / 10;
        assert!(warns(2000, 6000, |ticket| ticket >= tenth) && warns(2000, 6000, |ticket| ticket < tenth));
        assert!(
            warns(100, 100, |ticket| ticket < u128::MAX / 2)
                && warns(9000, 9000, |ticket| ticket > tenth / 5)
        );
        for keys in [1, 2, 5, 20, 100, 1000, 10_000] {
            assert!(!warns(keys, 20_000, |_| true), "{keys}");
        }
        // There are too few keys to decide, although one key has many rows.
        assert!(!warns(10, 20_000, |ticket| ticket >= tenth));
        assert_eq!(Reuse::default().warning(), None);
    }
}
