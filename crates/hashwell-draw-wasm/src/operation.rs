//! The operations.

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::{draw, process, sample, verify};

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
                None => Err(Failure::usage("this module has no such operation")),
            }
        }
    };
}

operations! {
    /// A plan's text and its commitment, from a list.
    Plan = 1 => draw::plan,
    /// A transcript, from a list and a seed.
    Draw = 2 => draw::draw,
    /// Whether a transcript is what it says.
    Verify = 3 => verify::verify,
    /// How each pick of a transcript comes about.
    Steps = 4 => verify::steps,
    /// Lines of a text.
    Sample = 5 => sample::sample,
    /// The processes that there are.
    Processes = 6 => process::list,
    /// A value of a process, and its picture.
    Process = 7 => process::value,
    /// The law of a process beside replicates, and their picture.
    Law = 8 => process::law,
}
