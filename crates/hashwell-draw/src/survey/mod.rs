//! Samples of rows as bytes, whoever reads the rows: designs, what is kept, states, merges and records of the
//! specification `hashwell sample/1` (`docs/sampling.md`). The command and Python are two fronts of this.
//!
//! ```text
//! seed, context -> Key ---------------------\
//! Design -----> Slots | Keys | Rule | order -+-> Sample -> picks (number, bytes, ticket)
//! rows: weight, label, key's text, bytes ---/      |  \-> to_bytes, from_bytes, merge
//!                                                  \-> Record
//! ```
//!
//! What is drawn depends on the seed, the design and the rows, and on nothing of how they are read.

mod columns;
mod design;
mod kept;
mod keys;
mod merge;
mod part;
mod race;
mod record;
mod rule;
mod sample;
mod sampler;
mod seed;
mod slots;
mod state;
mod weight;

pub use columns::joined;
pub use design::{By, Design, Kind, SlotsDesign, Weight};
pub use kept::{Kept, Pick};
pub use keys::Keys;
pub use merge::{Part as Merged, merge};
pub use race::Race;
pub use record::{Record, SPEC};
pub use rule::Rule;
pub use sample::{Form, Sample, Shape};
pub use seed::{MERGE, SAMPLE, SHARD, Seed, context_of_shard};
pub use slots::{Shortage, Slots};
pub use state::{MOST_ROWS, State};
pub use weight::{DECIMALS, Value, Weigher, Wrong};
