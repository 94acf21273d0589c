//! Samples of a fixed number of rows: those that may be picked are read, the others passed over.

use super::fields::{Values, Weights};
use super::reading::Stream;
use super::stop::Stop;
use hashwell_draw::survey::{Slots, Value};

/// Reads all rows, which stand behind so many others.
pub(super) fn run(slots: &mut Slots, stream: &mut Stream<'_>, before: u64) -> Result<(), Stop> {
    let design = &slots.design;
    let weights = design.weight.as_ref().map(|weight| Weights::of(&stream.rows, weight, design.kind));
    let weights = weights.transpose()?;
    let labels = design.by.as_ref().map(|by| Values::of(&stream.rows, "--by", &by.columns)).transpose()?;
    loop {
        let gap = slots.skip();
        if gap > 0 {
            let passed = stream.skip(gap)?;
            slots.passed(passed);
            if passed < gap {
                return Ok(());
            }
        }
        let number = before + stream.seen() + 1;
        let Some(row) = stream.next()? else { return Ok(()) };
        let weight = weights.as_ref().map_or(Ok(Value::One), |weights| weights.read(&row))?;
        let label = labels.as_ref().map(|labels| labels.read(&row)).transpose()?.unwrap_or_default();
        slots.offer(number, weight, &label, || Ok(row.bytes().into()))?;
    }
}
