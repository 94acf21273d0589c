//! Inclusion proportional to weight, for lists in which no row would get a probability above 1.

use super::{Part, RowsOf, words};
use crate::Error;
use crate::hwdraw::list::quoted;
use crate::hwdraw::plan::Plan;
use crate::hwdraw::weights::units;
use crate::interrupt;
use crate::weighted::systematic_pps;

/// The positions that systematic sampling selects. Fails if a row has more than 1/k of the total weight, because its
/// probability could not be proportional to its weight.
pub(super) fn pps(plan: &Plan, part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<u64>, Error> {
    let mut weights = Vec::new();
    let room = usize::try_from(part.n).unwrap_or(usize::MAX);
    weights.try_reserve_exact(room).map_err(|_| Error::Memory { what: "the weights" })?;
    for index in 0..part.n {
        interrupt::check(index)?;
        weights.push(u128::from(units(plan.scale, rows.weight(index), &rows.id(index))?));
    }
    // Each weight is below 2^64, and there are fewer than 2^64 of them.
    let total: u128 = weights.iter().sum();
    let heavy = weights.iter().position(|weight| u128::from(part.most) * weight > total);
    if let Some(heavy) = heavy {
        let id = rows.id(heavy as u64);
        let must = format!(
            "at most {} (otherwise, the inclusion probability of {} would exceed 1)",
            total / weights[heavy],
            quoted(&id)
        );
        return Err(Error::range("k", must, part.most));
    }
    if total == 0 && part.most > 0 {
        return Err(Error::range("the sum of all weights", "more than 0", 0));
    }
    let k = usize::try_from(part.k).map_err(|_| Error::Memory { what: "the picks" })?;
    let chosen = systematic_pps(&mut words(plan, &part.key)?, &weights, k)?;
    Ok(chosen.into_iter().map(|index| index as u64).collect())
}
