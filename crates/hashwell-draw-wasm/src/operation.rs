//! What can be asked, and with which inputs.

use crate::failure::Failure;
use crate::{draw, process, sample, verify};

/// The inputs of an operation: the request, JSON; the list, text or transcript that it is about; the list of that transcript.
#[derive(Debug, Default)]
pub struct Inputs<'a>(pub [&'a [u8]; 3]);

macro_rules! operations {
    ($($(#[$meta:meta])* $name:ident = $number:literal => $function:path,)*) => {
        /// What can be asked. Numbers stay.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation { $($(#[$meta])* $name = $number,)* }

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
                $(Some(Operation::$name) => $function(inputs),)*
                None => Err(Failure::usage("there is no such operation")),
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

impl<'a> Inputs<'a> {
    /// The request.
    pub(crate) fn request<T: serde::Deserialize<'a>>(&self) -> Result<T, Failure> {
        serde_json::from_slice(self.0[0]).map_err(|error| Failure::usage(format!("the request: {error}")))
    }

    /// The list, the text or the transcript.
    pub(crate) fn first(&self) -> &'a [u8] {
        self.0[1]
    }

    /// The list of the transcript.
    pub(crate) fn second(&self) -> &'a [u8] {
        self.0[2]
    }
}
