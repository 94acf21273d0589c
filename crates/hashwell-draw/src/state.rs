//! Samplers as bytes: one versioned envelope for all of them.
