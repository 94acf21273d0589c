//! The operations.

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::{draw, process, sample, split, verify};

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:ident = $number:literal => $function:path,)*) => {
        /// The operations. Their numbers are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation { $($(#[doc = $doc])* $name = $number,)* }

        impl Operation {
            /// Returns the operation with this number.
            #[must_use]
            pub fn of(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)*
                    _ => None,
                }
            }
        }

        /// Runs an operation.
        ///
        /// # Errors
        /// Returns a [`Failure`] with a code and a message of one line.
        pub fn run(operation: Option<Operation>, inputs: &Inputs<'_>) -> Result<String, Failure> {
            match operation {
                $(Some(Operation::$name) => $function(inputs),)*
                None => Err(Failure::usage("unknown operation")),
            }
        }
    };
}

operations! {
    /// Returns the text and the commitment of a plan for a list.
    Plan = 1 => draw::plan,
    /// Returns the transcript of a draw from a list with a seed.
    Draw = 2 => draw::draw,
    /// Verifies a transcript.
    Verify = 3 => verify::verify,
    /// Explains how each pick of a transcript was computed.
    Steps = 4 => verify::steps,
    /// Samples lines of a text.
    Sample = 5 => sample::sample,
    /// Lists the processes.
    Processes = 6 => process::list,
    /// Returns a value of a process, and its chart.
    Process = 7 => process::value,
    /// Returns the distribution of a process, replicates if requested, and their chart.
    Law = 8 => process::law,
    /// Splits rows into named parts.
    Split = 9 => split::split,
}
