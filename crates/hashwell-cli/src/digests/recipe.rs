//! The digests to compute for each file: the algorithms, and a key if there is one.

use crate::digests::engines::Engines;
use crate::inputs::secret::key;
use crate::options::parameters::{Given, ParameterOptions};
use crate::options::sha256_90r;
use crate::system::report::Failure;
use hashwell::registry::{Parameter, ParameterRow, Value};
use hashwell::{ALGORITHMS, Error, Hasher, Many, Params, Pieces};
use hashwell_checksums::Choice;
use std::ffi::OsString;
use zeroize::Zeroizing;

/// The key and the other parameters of the hashes.
pub(crate) struct Keying<'o> {
    key: Option<Zeroizing<Vec<u8>>>,
    given: &'o [(&'static ParameterRow, Given)],
}

impl<'o> Keying<'o> {
    /// No key and no parameters.
    pub(crate) const PLAIN: Keying<'static> = Keying { key: None, given: &[] };

    /// The parameters that the options give. `inputs` are the files that are read besides the key.
    pub(crate) fn of<const STREAMS: bool>(
        options: &'o ParameterOptions<STREAMS>,
        inputs: &[OsString],
    ) -> Result<Self, Failure> {
        let key = match &options.key {
            Some(_) if !options.keyed => {
                return Err(Failure::Usage("a key requires --keyed".to_owned()));
            }
            Some(source) => {
                let key = key(source, inputs)?;
                if key.is_empty() {
                    // BLAKE2 treats an empty key as no key, so anyone could make such a list.
                    return Err(Failure::Usage("--keyed: the key is empty".to_owned()));
                }
                Some(key)
            }
            None => None,
        };
        Ok(Self { key, given: &options.table.0 })
    }

    /// Each parameter that was given, with its value.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static ParameterRow, Value<'_>)> {
        let key = self.key.as_ref().map(|key| (Parameter::Key.row(), Value::Bytes(key)));
        key.into_iter().chain(self.given.iter().map(|(row, given)| (*row, given.value())))
    }

    /// The parameters for an algorithm.
    ///
    /// # Errors
    /// Returns [`Error`] if the algorithm does not accept one of the parameters, or does not accept its length or size.
    pub(crate) fn params(&self, choice: Choice) -> Result<Params<'_>, Error> {
        // The default length is not passed, so that plain hashing has no parameters.
        let output_len = (choice.output_len != choice.algorithm.output).then_some(choice.output_len);
        let mut params = Params { output_len, ..Params::default() };
        if choice.algorithm.name == sha256_90r::ALGORITHM {
            params.kernel = sha256_90r::kernel();
        }
        for (row, value) in self.given() {
            choice.algorithm.check_value(row.parameter, value)?;
            params
                .set(row.parameter, value)
                .expect("of the parameter's shape, and within the algorithm's limits");
        }
        Ok(params)
    }

    /// A batch hasher for these parameters.
    ///
    /// # Errors
    /// Returns [`Error`] in the same cases as [`Keying::params`].
    pub(crate) fn many(&self, choice: Choice) -> Result<Many, Error> {
        self.params(choice).and_then(|params| choice.algorithm.many(&params))
    }

    /// Returns a message if the algorithm accepts no key or context, or none of this length.
    pub(crate) fn check(&self, choice: Choice) -> Result<(), String> {
        match self.params(choice).and_then(|params| choice.algorithm.build(&params)) {
            Ok(_) => Ok(()),
            Err(error) => {
                let missing = |row: &&ParameterRow| !choice.algorithm.takes(row.parameter);
                let missing = self.given().map(|(row, _)| row).find(missing);
                Err(missing.map_or_else(|| error.to_string(), |row| refusal(row, choice.algorithm.name)))
            }
        }
    }

    /// Returns a message if any parameter was given, because legacy checksums accept none.
    pub(crate) fn check_legacy(&self, name: &str) -> Result<(), String> {
        self.given().next().map_or(Ok(()), |(row, _)| Err(refusal(row, name)))
    }
}

/// The number of small files that are hashed together: enough for the widest kernel.
pub(crate) const SMALL_FILES: usize = 32;

fn refusal(row: &ParameterRow, algorithm: &str) -> String {
    let takers = ALGORITHMS.iter().filter(|taker| taker.takes(row.parameter)).map(|taker| taker.name);
    format!("--{} is supported by {}, not by {algorithm}", row.option, takers.collect::<Vec<_>>().join(", "))
}

/// The digests to compute for each file. Every choice has passed [`Keying::check`].
#[derive(Clone, Copy)]
pub(crate) struct Recipe<'a> {
    pub(crate) choices: &'a [Choice],
    pub(crate) keying: &'a Keying<'a>,
    /// The devices that replace the CPU. Choices without a device are computed by the CPU.
    pub(crate) engines: &'a Engines<'a>,
}

impl<'a> Recipe<'a> {
    /// A recipe without a key.
    pub(crate) fn plain(choices: &'a [Choice]) -> Self {
        Self { choices, keying: &Keying::PLAIN, engines: Engines::none() }
    }

    /// Fresh hashers, one for each choice.
    pub(crate) fn hashers(self) -> Vec<Hasher> {
        let checked = "the length is in the row's range, and the key was checked";
        let params = |choice: &Choice| self.keying.params(*choice).expect(checked);
        let hasher = |choice: &Choice| choice.algorithm.build(&params(choice)).expect(checked);
        self.choices.iter().map(hasher).collect()
    }

    /// For each choice, the pieces of a message of this size, or `None` if it cannot be hashed in pieces.
    pub(crate) fn pieces(self, size: u64) -> Vec<Option<Pieces>> {
        let pieces = |choice: &Choice| {
            // Check `is_parallel` first, because `pieces` builds a state before it rejects other algorithms.
            let params = self.keying.params(*choice).ok().filter(|_| choice.algorithm.is_parallel())?;
            choice.algorithm.pieces(&params, size).ok()
        };
        self.choices.iter().map(pieces).collect()
    }

    /// The digests of many messages, concatenated, for each choice.
    ///
    /// # Errors
    /// Returns [`Error`] if a device fails.
    pub(crate) fn digests(self, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, Error> {
        let checked = "the length is in the row's range, and the key was checked";
        let digests = |choice: &Choice| {
            if let Some(engine) = self.engines.of(*choice) {
                return engine.digest(messages);
            }
            Ok(Error::abort_without_memory(self.keying.many(*choice)).expect(checked).digest(messages))
        };
        self.choices.iter().map(digests).collect()
    }

    /// The number of small files that may be hashed together: enough for the widest kernel, or for a device.
    pub(crate) fn side_by_side(self) -> usize {
        /// Each job keeps this number of files in memory. Together they have at most 64 MiB.
        const ON_A_DEVICE: usize = 1024;
        if self.engines.is_empty() { SMALL_FILES } else { ON_A_DEVICE }
    }
}
