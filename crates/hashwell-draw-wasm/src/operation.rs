//! What can be asked.

use crate::failure::Failure;
use crate::inputs::Inputs;
#[cfg(feature = "process")]
use crate::process;
#[cfg(feature = "draw")]
use crate::{draw, sample, verify};

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $feature:literal $name:ident = $number:literal => $function:path,)*) => {
        /// What can be asked. Numbers stay.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation { $($(#[doc = $doc])* $name = $number,)* }

        impl Operation {
            /// The operation of a number.
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
        /// [`Failure`], with a code and one line of words.
        pub fn run(operation: Option<Operation>, inputs: &Inputs<'_>) -> Result<String, Failure> {
            match operation {
                $(#[cfg(feature = $feature)] Some(Operation::$name) => $function(inputs),)*
                #[allow(unreachable_patterns)] // with all features there is no other
                None | Some(_) => Err(Failure::usage("this module has no such operation")),
            }
        }
    };
}

operations! {
    /// A plan's text and its commitment, from a list.
    "draw" Plan = 1 => draw::plan,
    /// A transcript, from a list and a seed.
    "draw" Draw = 2 => draw::draw,
    /// Whether a transcript is what it says.
    "draw" Verify = 3 => verify::verify,
    /// How each pick of a transcript comes about.
    "draw" Steps = 4 => verify::steps,
    /// Lines of a text.
    "draw" Sample = 5 => sample::sample,
    /// The processes that there are.
    "process" Processes = 6 => process::list,
    /// A value of a process, and its picture.
    "process" Process = 7 => process::value,
    /// The law of a process beside replicates, and their picture.
    "process" Law = 8 => process::law,
}
