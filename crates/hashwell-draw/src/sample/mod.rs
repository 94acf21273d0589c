//! Samples in which every row has the same chance.
//!
//! | for | use | words | promise |
//! |---|---|---|---|
//! | a stream, rows in slots | [`Gap`] | 2 for each row that enters | whole numbers decide: the same in every language |
//! | | [`AlgorithmR`] | 1 a row, some ahead | the same; the plainest, exactly uniform |
//! | | [`AlgorithmL`] | 3 for each row that enters | the same on every machine, by floats of this crate |
//! | shards, and rows that one can check alone | [`BottomK`] of [`Tickets`] | none | order and parts do not matter, bit for bit, if a row's id tells the row |
//! | n known, k to be raised later | [`FisherYates`], [`choose`] | 1 a pick | k is the beginning of k + 1 |
//! | n known, a set | [`floyd`] | 1 a pick | |
//! | n known, in order, in no memory | [`InOrder`] | 1 a pick | as [`Gap`] |
//! | with replacement, a stream | [`WithReplacement`] | 1 for each row that a slot takes | as [`Gap`] |
//! | with replacement, n known | [`multinomial`] | 1 a draw | |
//!
//! Words that a draw below a number refuses ([`draw`](crate::draw)) come on top.
//!
//! Samples of parts are put together by [`merge`], [`merge_with_replacement`] and [`BottomK::merge`].

mod algorithm_l;
mod algorithm_r;
mod bottom_k;
mod bracket;
mod collections;
mod count;
pub mod demonstration;
mod fisher_yates;
mod floyd;
pub mod four;
mod gap;
mod in_order;
mod merge;
mod replacement;
mod reservoir;
mod rows;
mod skip;
mod slots;
mod tickets;
mod words_ahead;

pub use algorithm_l::AlgorithmL;
pub use algorithm_r::AlgorithmR;
pub use bottom_k::BottomK;
pub use collections::{choose, from_iter};
pub use count::MOST_SLOTS;
pub(crate) use count::check_slots;
pub use fisher_yates::FisherYates;
pub use floyd::floyd;
pub use gap::Gap;
pub use in_order::InOrder;
pub use merge::{Sample, merge, merge_with_replacement};
pub use replacement::{WithReplacement, multinomial};
pub use reservoir::Reservoir;
pub use rows::{ByRows, Choices};
pub use slots::{BySkips, SavedRule, SkipRule};
pub use tickets::{Ids, RowKeys, Tickets};
pub(crate) use words_ahead::WordsAhead;
