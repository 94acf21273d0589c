//! What a report says to people: a verdict, tables, charts, a page, and what changed from one report to another. All of
//! it is made of the report alone.

mod charts;
pub mod diff;
pub mod figures;
mod page;
pub mod published;
pub mod render;
pub mod tables;
pub mod verdict;
