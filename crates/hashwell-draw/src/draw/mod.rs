//! Single draws.
