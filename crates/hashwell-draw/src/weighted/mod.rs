//! Samples in which rows have weights.
