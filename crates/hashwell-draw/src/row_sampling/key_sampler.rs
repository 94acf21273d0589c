//! Samples the first k keys, by tickets or by weight, and numbers their rows.

use crate::design::Clusters;
use crate::draw::Exponential;
use crate::sample::{Ids, RowKeys, Tickets};
use crate::weighted::WeightedTicket;
use crate::{Error, Key};
use std::collections::HashMap;
use std::ops::Range;

/// Keeps the first k keys in the order of their tickets or of a weighted draw, and numbers the rows with these keys.
/// The caller stores the rows. Rows get the numbers 0, 1, … in the order in which they enter; [`KeySampler::order`]
/// renumbers the remaining rows from 0.
///
/// The result depends only on the keys and their weights. To merge samplers, offer the remaining rows of each to a new
/// sampler.
#[derive(Clone, Debug)]
pub struct KeySampler {
    key: Key,
    /// True if only one row of each key is kept.
    distinct: bool,
    /// The number that the next row to enter gets.
    next: u64,
    first: First,
}

#[derive(Clone, Debug)]
enum First {
    /// Keys in the order of their tickets.
    Tickets(Clusters<u64>),
    /// Keys in the order of hwdraw's method `weighted-ticket`.
    Weighted {
        clusters: Clusters<u64, WeightedTicket>,
        /// The weights of the keys that entered the sample. Some of these keys may have left it again.
        weights: HashMap<Box<[u8]>, u64>,
        k: usize,
    },
}

impl KeySampler {
    /// Creates a sampler that has seen no rows.
    #[must_use]
    pub fn new(k: usize, key: Key, weighted: bool, distinct: bool) -> Self {
        let first = match weighted {
            false => First::Tickets(Clusters::new(k)),
            true => First::Weighted { clusters: Clusters::new(k), weights: HashMap::new(), k },
        };
        Self { key, distinct, next: 0, first }
    }

    /// Offers the next `rows` rows. `write` appends the keys of these rows, in the same way as for
    /// [`Tickets::each_written`]. `weight` returns the weight of a row, in units that are the same for all rows. Only
    /// weighted samplers call it. `enter` is called with the index of each row that enters. Indices start at 0 in each
    /// call.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the rows of a key have different weights. Not every difference is detected: a row
    /// that cannot enter with its own weight is ignored, and the weights of keys that have left the sample are
    /// eventually dropped. Returns [`Error::Memory`] if an allocation fails. Returns any error that `write`, `weight`
    /// or `enter` returns. After an error, discard the sampler, because some of the rows may have been offered.
    pub fn update(
        &mut self,
        rows: usize,
        write: impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error>,
        weight: impl Fn(usize) -> Result<u64, Error>,
        mut enter: impl FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { key, distinct, next, first } = self;
        match first {
            First::Tickets(clusters) => Tickets::new(key).each_written(rows, write, |row, ticket, id| {
                if !clusters.admits(ticket, id) || *distinct && clusters.contains(ticket, id) {
                    return Ok(());
                }
                clusters.offer(ticket, id, *next)?;
                *next += 1;
                enter(row)
            }),
            First::Weighted { clusters, weights, k } => {
                RowKeys::new(key).each_written(rows, write, |row, own, number, id| {
                    let weight = weight(row)?;
                    // E is at least `number`, the first random number: E is either equal to it, or at least 1.
                    let least = Exponential { whole: 0, fraction: number };
                    let soonest = WeightedTicket { time: least, weight: weight.into() };
                    if weight == 0 || !clusters.admits(soonest, id) {
                        return Ok(());
                    }
                    match weights.get(id) {
                        Some(known) if *known != weight => return Err(differing(id)),
                        Some(_) => {}
                        None => {
                            weights.try_reserve(1).map_err(|_| Error::Memory { what: "weights" })?;
                            weights.insert(id.into(), weight);
                        }
                    }
                    let ticket = WeightedTicket::draw(&mut own.words(), weight.into())?;
                    if clusters.admits(ticket, id) && !(*distinct && clusters.contains(ticket, id)) {
                        clusters.offer(ticket, id, *next)?;
                        *next += 1;
                        enter(row)?;
                    }
                    if weights.len() / 2 > *k {
                        let kept = clusters.iter().filter_map(|(id, _)| weights.remove_entry(id)).collect();
                        *weights = kept;
                    }
                    Ok(())
                })
            }
        }
    }

    /// Renumbers the remaining rows as 0, 1, …, key by key in the order of the sample. Returns the previous numbers of
    /// the rows in this order.
    pub fn order(&mut self) -> Vec<u64> {
        let mut next = 0;
        let renumbered = |row: &mut u64| {
            next += 1;
            std::mem::replace(row, next - 1)
        };
        let order = match &mut self.first {
            First::Tickets(clusters) => clusters.rows_mut().map(renumbered).collect(),
            First::Weighted { clusters, .. } => clusters.rows_mut().map(renumbered).collect(),
        };
        self.next = next;
        order
    }
}

fn differing(id: &[u8]) -> Error {
    let key = String::from_utf8_lossy(&id[..id.len().min(80)]).into_owned();
    Error::refused(format!("weights: rows of the key {key:?} have different weights"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn ids(of: &[String]) -> impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error> {
        move |rows, out| of[rows].iter().try_for_each(|id| out.push(id.as_bytes()))
    }

    /// The rows that are left after offering several batches.
    fn left(
        race: &mut KeySampler,
        keys: &[String],
        weight: impl Fn(usize) -> u64 + Copy,
        cut: usize,
    ) -> Vec<usize> {
        let mut entered = Vec::new();
        for (piece, some) in keys.chunks(cut).enumerate() {
            let before = piece * cut;
            let enter = |row: usize| {
                entered.push(before + row);
                Ok(())
            };
            race.update(some.len(), ids(some), |row| Ok(weight(before + row)), enter).unwrap();
            if piece % 3 == 0 {
                entered = race.order().into_iter().map(|at| entered[at as usize]).collect();
            }
        }
        race.order().into_iter().map(|at| entered[at as usize]).collect()
    }

    #[test]
    fn the_first_keys_are_those_of_a_sort() {
        let key = Key([5; 32]);
        let keys: Vec<String> = (0..3000_u64).map(|row| format!("k{}", row * 7919 % 400)).collect();
        let weight = |row: usize| keys[row].len() as u64 - 2 + row as u64 * 7919 % 400 % 7;
        let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        keys.iter().enumerate().for_each(|(row, id)| rows.entry(id).or_default().push(row));
        for (k, weighted, distinct, cut) in [
            (1, false, false, 7),
            (50, false, true, 300),
            (50, true, false, 999),
            (30, true, true, 13),
            (500, true, false, 512),
        ] {
            let mut order: Vec<&str> =
                rows.keys().copied().filter(|id| !weighted || weight(rows[id][0]) > 0).collect();
            if weighted {
                let ticket = |id: &&str| {
                    let weight = weight(rows[id][0]).into();
                    (
                        WeightedTicket::draw(&mut key.row(id.as_bytes()).words(), weight).unwrap(),
                        id.to_string(),
                    )
                };
                order.sort_by_cached_key(ticket);
            } else {
                order.sort_by_cached_key(|id| (key.ticket(id.as_bytes()), id.to_string()));
            }
            let of_key = |id: &&str| rows[id][..if distinct { 1 } else { rows[id].len() }].to_vec();
            let must: Vec<usize> = order.iter().take(k).flat_map(of_key).collect();
            let mut race = KeySampler::new(k, key, weighted, distinct);
            assert_eq!(left(&mut race, &keys, weight, cut), must, "{k} {weighted} {distinct}");
        }
        assert!(left(&mut KeySampler::new(0, key, false, false), &keys, weight, 100).is_empty());
    }

    #[test]
    fn a_key_has_one_weight() {
        let mut race = KeySampler::new(2, Key([0; 32]), true, false);
        let keys = ["a".to_owned(), "a".to_owned()];
        let found = race.update(2, ids(&keys), |row| Ok(row as u64 + 1), |_| Ok(()));
        assert_eq!(found.unwrap_err().to_string(), "weights: rows of the key \"a\" have different weights");
    }
}
