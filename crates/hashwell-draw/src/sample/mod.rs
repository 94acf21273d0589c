//! Samples in which every row has the same probability.
//!
//! | Use case | Sampler | Random numbers | Guarantee |
//! |---|---|---|---|
//! | a stream, rows in slots | [`SkipReservoir`] | 2 for each row that enters | decided by integers: the same in every language |
//! | shards, and rows that can be checked one by one | [`BottomK`] of [`Tickets`] | none | independent of order and parts, bit for bit, if rows with the same id are identical |
//! | known n, with k raised later | [`FisherYates`], [`choose`] | 1 for each pick | k picks are the first of k + 1 picks |
//! | a stream, with replacement | [`WithReplacement`] | about 2 for each slot and octave, from separate blocks | exact; k picks are the first of k + 1 picks |
//! | known n, with replacement | [`multinomial`] | 1 for each draw | |
//!
//! Random numbers rejected by a draw below a number ([`draw`](crate::draw)) are not counted here.
//!
//! More published algorithms are in [`algorithms`](crate::algorithms).
//!
//! [`merge`], [`merge_with_replacement`] and [`BottomK::merge`] merge samples of parts.

mod bottom_k;
mod bracket;
pub(crate) mod by_rows;
pub(crate) mod by_skips;
pub(crate) mod collections;
pub(crate) mod count;
pub mod demonstration;
mod fisher_yates;
mod merge;
mod replacement;
mod reservoir;
pub(crate) mod skip;
mod skip_reservoir;
mod tickets;
pub(crate) mod words_ahead;

pub use bottom_k::BottomK;
pub use by_rows::{ByRows, Choices};
pub use by_skips::{BySkips, SavedRule, SkipRule};
pub use collections::{choose, from_iter};
pub use count::MAX_SLOTS;
pub(crate) use count::check_slots;
pub use fisher_yates::FisherYates;
pub use merge::{Sample, merge, merge_with_replacement};
pub use replacement::{Known, WithReplacement, multinomial};
pub use reservoir::Reservoir;
pub use skip_reservoir::SkipReservoir;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub(crate) use tickets::StratumKeys;
pub use tickets::{Ids, RowKeys, Tickets};
pub(crate) use words_ahead::WordsAhead;
