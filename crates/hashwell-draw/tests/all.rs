//! All tests of this crate in one program, because linking a program for each file would take most of the time for
//! building the tests. `cargo nextest` runs each test in a separate process.

#[path = "equal/chi_square.rs"]
mod chi_square;
mod double;
mod law;
#[path = "equal/slots.rs"]
mod slots;

mod design_law;
mod equal_chances;
mod equal_collections;
mod equal_pinned;
mod equal_states;
#[path = "exact/main.rs"]
mod exact;
#[cfg(feature = "drand")]
mod hwdraw_drand;
mod hwdraw_hostile;
#[cfg(feature = "nist")]
mod hwdraw_nist;
mod hwdraw_vectors;
mod process_core;
mod process_core_deep;
mod process_core_simulate;
mod process_core_terms;
#[path = "process_law/main.rs"]
mod process_law;
mod process_picture;
mod process_vectors;
#[path = "survey/main.rs"]
mod row_sampling;
mod weighted_contract;
mod weighted_functions;
mod weighted_law;
mod weighted_saved;
