//! Inclusion proportional to weight: W. G. Madow, "On the theory of systematic sampling, II" (1949), in whole numbers.

use super::{Part, RowsOf, words};
use crate::Error;
use crate::draw::below_u128;
use crate::hwdraw::frame::quoted;
use crate::hwdraw::plan::Plan;
use crate::hwdraw::weights::units;

/// Rows lie on a line one after the other, each k times its weight long; of the points first, first + T, first + 2T, …, with
/// first = below(T) and T the sum of all weights, those rows are chosen in which one lies: row i with chance k·w_i/T.
pub(super) fn pps(plan: &Plan, part: &Part<'_>, rows: &RowsOf<'_>) -> Result<Vec<u64>, Error> {
    if part.k == 0 {
        return Ok(Vec::new());
    }
    let weight = |index| {
        let place = rows.place(index);
        units(plan, rows.frame.weight(place), &rows.frame.id(place))
    };
    let mut total = 0_u128;
    for index in 0..part.n {
        total += u128::from(weight(index)?);
    }
    if total == 0 {
        return Err(Error::range("the sum of all weights", "more than 0", 0));
    }
    let first = below_u128(&mut words(plan, &part.key)?, total)?;
    // The next point, less what the rows before take up; at most T, since no row is longer than the distance of points.
    let mut to_next = first;
    let mut chosen = Vec::new();
    for index in 0..part.n {
        let length = u128::from(part.k) * u128::from(weight(index)?);
        if length > total {
            let id = rows.frame.id(rows.place(index));
            let must = format!(
                "at most {}, so that no row is more than certain: {} is heavy",
                total / (length / u128::from(part.k)),
                quoted(&id)
            );
            return Err(Error::range("k", must, part.k));
        }
        if to_next < length {
            chosen.push(index);
            to_next += total;
        }
        to_next -= length;
    }
    Ok(chosen)
}
