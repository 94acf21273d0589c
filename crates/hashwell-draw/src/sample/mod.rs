//! Samples in which every row has the same chance.
//!
//! | for | use | words | promise |
//! |---|---|---|---|
//! | a stream, rows in slots | [`SkipReservoir`] | 2 for each row that enters | whole numbers decide: the same in every language |
//! | shards, and rows that one can check alone | [`BottomK`] of [`Tickets`] | none | order and parts do not matter, bit for bit, if a row's id tells the row |
//! | n known, k to be raised later | [`FisherYates`], [`choose`] | 1 a pick | k is the beginning of k + 1 |
//! | with replacement, a stream | [`WithReplacement`] | about 2 for each slot and octave, from separate blocks | exact, and k is the beginning of k + 1 |
//! | with replacement, n known | [`multinomial`] | 1 a draw | |
//!
//! Words that a draw below a number refuses ([`draw`](crate::draw)) come on top.
//!
//! More published algorithms are in [`algorithms`](crate::algorithms).
//!
//! Samples of parts are put together by [`merge`], [`merge_with_replacement`] and [`BottomK::merge`].

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
