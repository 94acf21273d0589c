//! Tests whether the time of a computation depends on its secrets, by two methods: measurements of two classes of
//! secrets (*dudect*), and memcheck on the compiled code with the secrets marked as undefined (*ctgrind*).
//!
//! ```text
//! registry -> targets (every keyed path on every kernel) -> Subject: prepare(secret), run()
//!     -> measure (class by coin, prepare outside, ticks) -> samples
//!          -> histogram (Welch's t, cropped) and paired -> analysis -> report: verdicts, Holm over rows -> chart
//!     -> between (several secrets, in turns) -> analysis of variance: how far secrets differ from each other
//!     -> undefined (valgrind client requests) -> errors of each subject
//! controls: planted leaks that either method must find, and a clean pair of classes that must pass
//! ```

mod analysis;
mod between;
mod chart;
mod controls;
mod histogram;
mod measure;
mod paired;
mod report;
mod subject;
mod targets;
mod ticks;
mod undefined;

pub use analysis::{Analysis, Quantiles};
pub use between::{Between, Contest};
pub use controls::{Control, controls};
pub use histogram::Test;
pub use measure::{Plan, measure};
pub use paired::Paired;
pub use report::{ControlRow, Report, Row, SCHEMA, Verdict};
pub use subject::Subject;
pub use targets::{representative, targets};
pub use ticks::Clock;
pub use undefined::{Checked, check, under_memcheck};

use serde::{Deserialize, Serialize};

/// |t| above which a difference is suspicious: dudect's threshold.
pub const SUSPICIOUS: f64 = 4.5;

/// |t| above which a difference is called a leak.
pub const LEAK: f64 = 10.0;

/// The class of secrets of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The same secret every time.
    Fixed = 0,
    /// A new random secret every time.
    Random = 1,
}

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The duration in ticks of the clock.
    pub(crate) ticks: u64,
    pub(crate) class: Class,
}

/// The two-sided p-value of a standard normal variable.
fn two_sided(z: f64) -> f64 {
    statrs::function::erf::erfc(z.abs() / std::f64::consts::SQRT_2)
}
