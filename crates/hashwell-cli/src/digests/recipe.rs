//! What is made of each file: digests of some algorithms, under a key if there is one.

use crate::digests::choice::Choice;
use crate::inputs::secret::key;
use crate::options::args::SumOptions;
use crate::system::report::Failure;
use hashwell::{ALGORITHMS, Algorithm, Error, Hasher, Many, Params};
use std::ffi::OsString;
use zeroize::Zeroizing;

/// What `--keyed` and `--derive-key` add to a digest.
pub(crate) enum Keying {
    /// Nothing: plain digests.
    None,
    /// The secret key.
    Key(Zeroizing<Vec<u8>>),
    /// What the derived key is for.
    Context(String),
}

impl Keying {
    /// What the options say; `inputs` are the files that are read besides the key.
    pub(crate) fn of(options: &SumOptions, inputs: &[OsString]) -> Result<Self, Failure> {
        match (&options.key, &options.derive_key) {
            (Some(_), _) if !options.keyed => {
                Err(Failure::Usage("a key is meaningful only with --keyed".to_owned()))
            }
            (Some(source), _) => {
                let key = key(source, inputs)?;
                if key.is_empty() {
                    // BLAKE2 takes it for no key, so that anybody could make the list.
                    return Err(Failure::Usage("--keyed: the key is empty".to_owned()));
                }
                Ok(Keying::Key(key))
            }
            (None, Some(context)) => Ok(Keying::Context(context.clone())),
            (None, None) => Ok(Keying::None),
        }
    }

    fn params(&self, choice: Choice) -> Params<'_> {
        let params = Params {
            key: if let Keying::Key(key) = self { Some(key) } else { None },
            context: if let Keying::Context(context) = self { Some(context) } else { None },
            ..Params::default()
        };
        // The default is not mentioned, so that plain hashing stays plain.
        let output_len = (choice.output_len != choice.algorithm.output).then_some(choice.output_len);
        Params { output_len, ..params }
    }

    /// Refuses an algorithm that takes no key or context, or none of this length; in words.
    pub(crate) fn check(&self, choice: Choice) -> Result<(), String> {
        match choice.algorithm.build(&self.params(choice)) {
            Ok(_) => Ok(()),
            Err(Error::Unsupported { algorithm, .. }) => Err(self.refusal(algorithm)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Refuses a legacy checksum, of which none takes a key; in words.
    pub(crate) fn check_legacy(&self, name: &str) -> Result<(), String> {
        if let Keying::None = self { Ok(()) } else { Err(self.refusal(name)) }
    }

    fn refusal(&self, algorithm: &str) -> String {
        let option = if let Keying::Key(_) = self { "--keyed" } else { "--derive-key" };
        let takes = |row: &&'static Algorithm| {
            !matches!(row.build(&self.params(Choice::of(row))), Err(Error::Unsupported { .. }))
        };
        let takers: Vec<&str> = ALGORITHMS.iter().filter(takes).map(|row| row.name).collect();
        format!("{option} is for {}, not {algorithm}", takers.join(", "))
    }
}

/// The digests to compute of each file; every choice has passed [`Keying::check`].
#[derive(Clone, Copy)]
pub(crate) struct Recipe<'a> {
    pub(crate) choices: &'a [Choice],
    pub(crate) keying: &'a Keying,
}

impl<'a> Recipe<'a> {
    /// Without a key.
    pub(crate) fn plain(choices: &'a [Choice]) -> Self {
        Self { choices, keying: &Keying::None }
    }

    /// Fresh hashers, one for each choice.
    pub(crate) fn hashers(self) -> Vec<Hasher> {
        let checked = "the length is in the row's range, and the key was checked";
        let hasher = |choice: &Choice| choice.algorithm.build(&self.keying.params(*choice)).expect(checked);
        self.choices.iter().map(hasher).collect()
    }

    /// The digests of many messages, for each choice.
    pub(crate) fn many(self) -> impl Iterator<Item = Many> {
        let checked = "the length is in the row's range, and the key was checked";
        self.choices
            .iter()
            .map(move |choice| choice.algorithm.many(&self.keying.params(*choice)).expect(checked))
    }
}
