//! Published sampling algorithms that no front end of hashwell uses.
//!
//! They are here for programs that need an algorithm by its name, to compare with, or to reproduce published results.
//! For new programs, use the algorithms that the command and the bindings use:
//!
//! | Algorithm | Published | Use instead | Why |
//! |---|---|---|---|
//! | [`AlgorithmR`] | Waterman, in Knuth 1981 | [`SkipReservoir`](crate::sample::SkipReservoir) | same distribution, a random number per selected row |
//! | [`AlgorithmL`] | Li 1994 | [`SkipReservoir`](crate::sample::SkipReservoir) | decided by integers, so that every language agrees |
//! | [`SequentialSampler`] | Fan, Muller and Rezucha 1962 | [`FisherYates`](crate::sample::FisherYates) | faster unless the sample is too large to sort |
//! | [`floyd()`] | Floyd, in Bentley 1987 | [`FisherYates`](crate::sample::FisherYates) | k picks are the first of k + 1 picks |
//! | [`ARes`] (A-ARes) | Efraimidis and Spirakis 2006 | [`AExpJ`](crate::weighted::AExpJ) | same distribution, far fewer random numbers |
//! | [`AliasTable`], [`FloatAliasTable`] | Walker 1977, Vose 1991 | [`WeightedWithReplacement`] | draws from a stream, without a table in memory |
//! | [`haskell_sampling`] | Haskell package *sampling* | the samplers above | they return lists, and save no state |
//!
//! All of them are tested like the other samplers: small cases are enumerated completely, and saved states are read
//! back.
//!
//! [`WeightedWithReplacement`]: crate::weighted::WeightedWithReplacement

mod a_res;
mod algorithm_l;
mod algorithm_r;
mod alias;
mod floyd;
pub mod haskell_sampling;
mod sequential;

pub use a_res::ARes;
pub use algorithm_l::AlgorithmL;
pub use algorithm_r::AlgorithmR;
pub use alias::{AliasTable, FloatAliasTable};
pub use floyd::floyd;
pub use sequential::SequentialSampler;
