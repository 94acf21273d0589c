//! Presents a report to people: a verdict, tables, charts, a page, and the changes from one report to another.
//! Everything is computed only from the report.

mod charts;
pub mod diff;
pub mod figures;
mod page;
pub mod published;
pub mod render;
pub mod tables;
pub mod verdict;
