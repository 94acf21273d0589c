//! A caller of slots with replacement, which keeps the rows that they request.

use hashwell_draw::sample::WithReplacement;

/// Passes rows until `until` rows have been seen. `kept` are the rows kept so far. Returns the row in each slot.
pub(crate) fn rows_in_slots(mut slots: WithReplacement, mut kept: Vec<u64>, until: u64) -> Vec<u64> {
    while slots.seen().saturating_add(slots.skip()) < until {
        slots.passed(slots.skip());
        let row = slots.seen();
        if let Some(stays) = slots.keep().unwrap() {
            let mut stays = stays.into_iter();
            kept.retain(|_| stays.next().unwrap());
        }
        kept.push(row);
    }
    slots.places().unwrap().into_iter().map(|place| kept[place as usize]).collect()
}
