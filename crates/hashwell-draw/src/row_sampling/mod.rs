//! Samples of rows as bytes, independent of the file format: designs, samplers, saved states, merges and records of the
//! specification `hashwell sample/1` (`docs/spec/sampling.md`). The command and Python use this module.
//!
//! ```text
//! options -> SamplingRequest (seed, context, Design) -> RowSampler (Slots | Keys | Rule | order)
//! seed, context -> Key ---------------------\
//! Design -----> Slots | Keys | Rule | order -+-> Sample -> picks (number, bytes, ticket)
//! rows: weight, label, key's text, bytes ---/      |  \-> to_bytes, from_bytes, merge
//!                                                  \-> Record
//! ```
//!
//! The picks depend only on the seed, the design and the rows, not on how the rows are read.

mod columns;
mod design;
mod key_sampler;
mod keys;
mod kind;
mod merge;
mod methods;
mod options;
mod part;
mod record;
mod request;
mod reuse;
mod row;
mod rule;
mod sample;
mod sampler;
mod seed;
mod slots;
mod split;
mod state;
#[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), path = "no_strata.rs")]
mod strata;
mod weight;

pub use columns::joined;
pub use design::{Design, SlotsDesign, Stratify, Weight};
pub use key_sampler::KeySampler;
pub use keys::Keys;
pub use kind::Kind;
pub use merge::{Part as Merged, merge};
pub use methods::{Engine, METHODS, Merging, Method, Part};
pub use options::{Amount, RequestError, SamplingOptions, Spelling};
pub use record::{Dialect, Difference, InputForm, Record, SPEC, SavedRecord, check_record};
pub use request::{Order, RowSampler, SamplingRequest};
pub use reuse::Reuse;
pub use row::{Kept, Pick, PickedRow};
pub use rule::Rule;
pub use sample::{Form, Picks, Sample, Shape};
pub use seed::{MERGE, SAMPLE, SAMPLE_2, Seed, context_of, parts_of_context};
pub use slots::{Shortage, Slots, WeightSum};
pub use split::{ExactSplit, Shares, Sizes};
pub use state::{MAX_ROWS, State};
pub use weight::{Exact, Value, Weigher, WeightError};
