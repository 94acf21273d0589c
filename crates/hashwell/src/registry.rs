//! The registry: a table with one row per algorithm.
//!
//! The command line, the Python and C bindings, tests, benchmarks and documents iterate over it. To
//! add an algorithm of an existing family, add a row and its test vectors.

mod strength;

use crate::families::{Family, State};
use crate::families::{ascon, blake2, blake3, keccak, ripemd160, sha1, sha2, sm3};
use crate::internal::batch::Load;
use crate::internal::error::{Error, surely};
use crate::internal::kernel::{KernelInfo, Listing};
use crate::internal::names::{edit_distance, elsewhere, same_letters, same_name};
use crate::internal::params::accepts;
pub use crate::internal::params::{
    Accepts, Node, PARAMETERS, Parameter, ParameterRow, Params, Plain, Shape, Value,
};
use crate::internal::try_alloc::words;
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;
pub use strength::{Attack, Strength, Target};

/// The kind of an algorithm: a digest or an extendable-output function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A digest. Its length is fixed before hashing starts.
    Fixed,
    /// An extendable-output function (XOF). You choose the length when you read the output.
    Xof,
}

/// The security status of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// No published attack is better than the generic attacks.
    Sound,
    /// Superseded. Use it only to check existing data.
    Legacy,
    /// Practical collisions exist.
    Broken,
    /// No public analysis exists.
    Experimental,
}

impl Status {
    /// Returns the status in lower case, such as `sound`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Sound => "sound",
            Status::Legacy => "legacy",
            Status::Broken => "broken",
            Status::Experimental => "experimental",
        }
    }
}

/// An algorithm, as a row of the registry.
///
/// ```
/// let sha256 = hashwell::find("SHA-256")?;
/// assert_eq!((sha256.name, sha256.output), ("sha256", 32));
/// assert_eq!(sha256.digest(b"abc"), hashwell::Sha256::digest(b"abc"));
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Algorithm {
    /// The number of the algorithm in the C interface. Compiled programs contain it, so it is never
    /// changed or reused.
    pub id: u32,
    /// The canonical name, in lower case.
    pub name: &'static str,
    /// The name as the standard spells it.
    pub title: &'static str,
    /// Other accepted names. [`find`] describes how names are compared.
    pub aliases: &'static [&'static str],
    /// The kind of the algorithm: a digest or an extendable-output function.
    pub kind: Kind,
    /// The security status.
    pub status: Status,
    /// The number of message bytes that each call of the compression function or permutation processes: the block
    /// length, or the rate of a sponge.
    pub block: usize,
    /// The default output length in bytes.
    pub output: usize,
    /// The smallest and the largest value of [`Params::output_len`] in bytes.
    pub output_range: (usize, usize),
    /// True if HMAC is defined over the algorithm.
    pub hmac: bool,
    /// The parameters that the algorithm accepts.
    pub accepts: &'static [Accepts],
    /// The standard and the section that define the algorithm.
    pub source: &'static str,
    pub(crate) family: Family,
}

impl core::fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Algorithm({})", self.name)
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Algorithm {}

/// Returns the row of a Merkle–Damgård hash.
#[allow(clippy::too_many_arguments)] // one for each column
const fn fixed(
    id: u32,
    name: &'static str,
    title: &'static str,
    aliases: &'static [&'static str],
    block: usize,
    output: usize,
    source: &'static str,
    family: Family,
) -> Algorithm {
    Algorithm {
        id,
        name,
        title,
        aliases,
        kind: Kind::Fixed,
        status: Status::Sound,
        block,
        output,
        output_range: (output, output),
        hmac: true,
        accepts: &[],
        source,
        family,
    }
}

/// Returns the row of an extendable-output function over a sponge.
#[allow(clippy::too_many_arguments)] // one for each column
const fn xof(
    id: u32,
    name: &'static str,
    title: &'static str,
    aliases: &'static [&'static str],
    block: usize,
    output: usize,
    source: &'static str,
    family: Family,
) -> Algorithm {
    Algorithm {
        kind: Kind::Xof,
        output_range: (0, usize::MAX),
        hmac: false,
        ..fixed(id, name, title, aliases, block, output, source, family)
    }
}

/// Returns the fields of BLAKE2's parameter block, except the digest length.
const fn blake2_block(digest: u64, salt: u64, offset: u64) -> [Accepts; 10] {
    [
        accepts(Parameter::Key, 0, digest),
        accepts(Parameter::Salt, 0, salt),
        accepts(Parameter::Personal, 0, salt),
        accepts(Parameter::Fanout, 0, 255),
        accepts(Parameter::MaxDepth, 1, 255),
        accepts(Parameter::LeafLength, 0, u32::MAX as u64),
        accepts(Parameter::NodeOffset, 0, offset),
        accepts(Parameter::NodeDepth, 0, 255),
        accepts(Parameter::InnerLength, 0, digest),
        accepts(Parameter::LastNode, 0, 1),
    ]
}

const NO_LIMIT: u64 = u64::MAX;
const CSHAKE: &[Accepts] =
    &[accepts(Parameter::Customization, 0, NO_LIMIT), accepts(Parameter::FunctionName, 0, NO_LIMIT)];
const TURBOSHAKE: &[Accepts] = &[accepts(Parameter::Domain, 0x01, 0x7f)];
const KANGAROO: &[Accepts] = &[accepts(Parameter::Customization, 0, NO_LIMIT)];
const BLAKE2B: &[Accepts] = &blake2_block(64, 16, u64::MAX);
const BLAKE2BP: &[Accepts] = &[accepts(Parameter::Key, 0, 64)];
const BLAKE2SP: &[Accepts] = &[accepts(Parameter::Key, 0, 32)];
const BLAKE2S: &[Accepts] = &blake2_block(32, 8, (1 << 48) - 1);
const BLAKE3: &[Accepts] = &[accepts(Parameter::Key, 32, 32), accepts(Parameter::Context, 0, NO_LIMIT)];
const CXOF: &[Accepts] = &[accepts(Parameter::Customization, 0, ascon::MAX_CUSTOMIZATION as u64)];

/// The time that the calibration of an algorithm's kernels took. See [`Algorithm::calibration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Calibration {
    /// The time for the single-message kernels.
    ///
    /// `None` if the kernels were not measured, but used in the order of the table. This is the case if the order is
    /// the same on every known CPU, if no two kernels of this CPU have similar speeds, or if calibration is off.
    pub chain: Option<Duration>,
    /// The time for the batch kernels. `None` if this CPU has no batch kernel or calibration is
    /// off.
    pub batch: Option<Duration>,
}

/// Every algorithm, in the order of the tables in the documentation.
#[rustfmt::skip]
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        status: Status::Broken,
        ..fixed(1, "sha1", "SHA-1", &["sha-1"], 64, 20, "FIPS 180-4 section 6.1", Family::Sha1(&sha1::SHA1))
    },
    fixed(2, "sha224", "SHA-224", &["sha-224", "sha2-224"], 64, 28, "FIPS 180-4 section 6.3", Family::Md32(&sha2::SHA224)),
    fixed(3, "sha256", "SHA-256", &["sha-256", "sha2-256"], 64, 32, "FIPS 180-4 section 6.2", Family::Md32(&sha2::SHA256)),
    fixed(4, "sha384", "SHA-384", &["sha-384", "sha2-384"], 128, 48, "FIPS 180-4 section 6.5", Family::Md64(&sha2::SHA384)),
    fixed(5, "sha512", "SHA-512", &["sha-512", "sha2-512"], 128, 64, "FIPS 180-4 section 6.4", Family::Md64(&sha2::SHA512)),
    fixed(6, "sha512-224", "SHA-512/224", &["sha-512-224", "sha2-512-224"], 128, 28, "FIPS 180-4 section 6.6",
        Family::Md64(&sha2::SHA512_224)),
    fixed(7, "sha512-256", "SHA-512/256", &["sha-512-256", "sha2-512-256"], 128, 32, "FIPS 180-4 section 6.7",
        Family::Md64(&sha2::SHA512_256)),
    fixed(31, "sm3", "SM3", &[], 64, 32, "GB/T 32905-2016", Family::Md32(&sm3::SM3)),
    fixed(8, "sha3-224", "SHA3-224", &["sha-3-224"], 144, 28, "FIPS 202 section 6.1", Family::Keccak(keccak::plain(&keccak::SHA3_224))),
    fixed(9, "sha3-256", "SHA3-256", &["sha-3-256", "sha3"], 136, 32, "FIPS 202 section 6.1", Family::Keccak(keccak::plain(&keccak::SHA3_256))),
    fixed(10, "sha3-384", "SHA3-384", &["sha-3-384"], 104, 48, "FIPS 202 section 6.1", Family::Keccak(keccak::plain(&keccak::SHA3_384))),
    fixed(11, "sha3-512", "SHA3-512", &["sha-3-512"], 72, 64, "FIPS 202 section 6.1", Family::Keccak(keccak::plain(&keccak::SHA3_512))),
    xof(12, "shake128", "SHAKE128", &["shake-128"], 168, 32, "FIPS 202 section 6.2", Family::Keccak(keccak::plain(&keccak::SHAKE128))),
    xof(13, "shake256", "SHAKE256", &["shake-256"], 136, 64, "FIPS 202 section 6.2", Family::Keccak(keccak::plain(&keccak::SHAKE256))),
    Algorithm {
        accepts: CSHAKE,
        ..xof(14, "cshake128", "cSHAKE128", &["cshake-128"], 168, 32, "SP 800-185 section 3", Family::Keccak(keccak::cshake_over(&keccak::SHAKE128)))
    },
    Algorithm {
        accepts: CSHAKE,
        ..xof(15, "cshake256", "cSHAKE256", &["cshake-256"], 136, 64, "SP 800-185 section 3", Family::Keccak(keccak::cshake_over(&keccak::SHAKE256)))
    },
    Algorithm {
        accepts: TURBOSHAKE,
        ..xof(16, "turboshake128", "TurboSHAKE128", &["turboshake-128"], 168, 32, "RFC 9861 section 2",
            Family::Keccak(keccak::with_domain(&keccak::TURBOSHAKE128)))
    },
    Algorithm {
        accepts: TURBOSHAKE,
        ..xof(17, "turboshake256", "TurboSHAKE256", &["turboshake-256"], 136, 64, "RFC 9861 section 2",
            Family::Keccak(keccak::with_domain(&keccak::TURBOSHAKE256)))
    },
    Algorithm {
        accepts: KANGAROO,
        ..xof(18, "kt128", "KT128", &["kt-128", "k12", "kangarootwelve"], 168, 32, "RFC 9861 section 3",
            Family::Kangaroo(&keccak::kangaroo::KT128))
    },
    Algorithm {
        accepts: KANGAROO,
        ..xof(19, "kt256", "KT256", &["kt-256"], 136, 64, "RFC 9861 section 3", Family::Kangaroo(&keccak::kangaroo::KT256))
    },
    Algorithm {
        accepts: BLAKE2B,
        ..fixed(20, "blake2b-256", "BLAKE2b-256", &[], 128, 32, "RFC 7693", Family::Blake2b(&blake2::BLAKE2B))
    },
    Algorithm {
        accepts: BLAKE2B,
        output_range: (1, 64),
        ..fixed(21, "blake2b-512", "BLAKE2b-512", &["blake2b", "b2"], 128, 64, "RFC 7693", Family::Blake2b(&blake2::BLAKE2B))
    },
    Algorithm {
        accepts: BLAKE2BP,
        output_range: (1, 64),
        ..fixed(22, "blake2bp-512", "BLAKE2bp-512", &["blake2bp"], 128, 64, "BLAKE2 paper section 2.10",
            Family::Blake2bp(&blake2::BLAKE2BP))
    },
    Algorithm {
        accepts: BLAKE2S,
        output_range: (1, 32),
        ..fixed(23, "blake2s-256", "BLAKE2s-256", &["blake2s"], 64, 32, "RFC 7693", Family::Blake2s(&blake2::BLAKE2S))
    },
    Algorithm {
        accepts: BLAKE2SP,
        output_range: (1, 32),
        ..fixed(32, "blake2sp-256", "BLAKE2sp-256", &["blake2sp"], 64, 32, "BLAKE2 paper section 2.10",
            Family::Blake2sp(&blake2::BLAKE2SP))
    },
    Algorithm {
        accepts: BLAKE3,
        hmac: true,
        ..xof(24, "blake3", "BLAKE3", &["b3"], 64, 32, "BLAKE3 paper section 2", Family::Blake3(blake3::Row))
    },
    Algorithm {
        hmac: false,
        ..fixed(25, "ascon-hash256", "Ascon-Hash256", &["asconhash256"], 8, 32, "SP 800-232 section 5.1",
            Family::Ascon(ascon::HASH256))
    },
    xof(26, "ascon-xof128", "Ascon-XOF128", &["asconxof128"], 8, 32, "SP 800-232 section 5.2", Family::Ascon(ascon::XOF128)),
    Algorithm {
        accepts: CXOF,
        ..xof(27, "ascon-cxof128", "Ascon-CXOF128", &["asconcxof128"], 8, 32, "SP 800-232 section 5.3",
            Family::Ascon(ascon::CXOF128))
    },
    Algorithm {
        status: Status::Legacy,
        ..xof(28, "ascon-xof-v1.2", "Ascon-Xof v1.2", &["ascon-xof"], 8, 32, "Ascon v1.2 section 2.5",
            Family::Ascon(ascon::XOF_V1_2))
    },
    Algorithm {
        status: Status::Legacy,
        ..xof(29, "ascon-xofa-v1.2", "Ascon-Xofa v1.2", &["ascon-xofa"], 8, 32, "Ascon v1.2 section 2.5",
            Family::Ascon(ascon::XOFA_V1_2))
    },
    Algorithm {
        status: Status::Legacy,
        ..fixed(33, "ripemd160", "RIPEMD-160", &["ripemd-160", "rmd160"], 64, 20,
            "RIPEMD-160, 1996, appendix A", Family::Ripemd160(&ripemd160::RIPEMD160))
    },
    Algorithm {
        status: Status::Experimental,
        ..fixed(30, "sha256-90r", "SHA256-90R", &["sha256-90"], 64, 32, "docs/spec/sha256-90r.md",
            Family::Md32(&sha2::SHA256_90R))
    },
];

impl Algorithm {
    /// Returns true if one message can be hashed on several cores (with feature `rayon`). This is the case for BLAKE3,
    /// KT128 and KT256.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.family.is_parallel()
    }

    /// Returns the digest of one message.
    #[must_use]
    pub fn digest(&'static self, data: &[u8]) -> Vec<u8> {
        let mut out = vec![0; self.output];
        self.family.digest(data, &mut out);
        out
    }

    /// Writes the digest of one message. For an extendable-output function, writes the first
    /// `out.len()` bytes of output.
    ///
    /// This method doesn't allocate after the first call, which selects the kernel.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `out` does not have the length of the digest.
    pub fn digest_into(&'static self, data: &[u8], out: &mut [u8]) -> Result<(), Error> {
        self.check_digest_len(self.output, out.len())?;
        self.family.digest(data, out);
        Ok(())
    }

    /// Returns the single-message kernels of the algorithm's family.
    ///
    /// If the fastest kernel depends on the CPU, the first call measures the speed of the kernels (see
    /// [`Algorithm::calibration`]).
    #[must_use]
    pub fn kernels(&self) -> Vec<KernelInfo> {
        self.family.kernels().rows()
    }

    /// Returns the time that it took to measure which kernels are fastest on this CPU.
    ///
    /// hashwell measures the kernels of a family at their first use: the batch kernels when the first [`Many`] is made,
    /// the single-message kernels when the first state is made. Single-message kernels are measured only if the speeds
    /// of two of them differ by less than 30 % on some CPU. The measurement hashes zeros once per process, and takes a
    /// fraction of a millisecond. The measurement affects only the choice of the kernel. If you name a kernel with
    /// [`Params::kernel`] or [`force_kernel`], it is used without measurement.
    ///
    /// To switch calibration off, set the environment variable `HASHWELL_CALIBRATE=0`. The variable applies to every
    /// program that uses this library, in any language. hashwell then uses the order of the kernel tables, as it does
    /// without feature `std` and under Miri. The variable is read once, at the first use of a table that can be
    /// measured.
    ///
    /// [`Many`]: crate::Many
    #[must_use]
    pub fn calibration(&self) -> Calibration {
        Calibration {
            chain: self.family.kernels().calibration(),
            batch: self.family.batch_kernels().and_then(|table| table.calibration()),
        }
    }

    /// Returns the name of the kernel that hashes a batch of `messages` messages of `bytes` bytes
    /// each, if you do not name a kernel.
    ///
    /// BLAKE2bp, BLAKE2sp, and KangarooTwelve beyond one chunk hash the leaves of a tree in parallel, like the messages
    /// of a batch. They use the kernel for a batch with as many messages as leaves are hashed at a time. For these
    /// algorithms, the result of this method applies only to messages that consist of a single leaf.
    #[must_use]
    pub fn kernel_for(&self, messages: usize, bytes: usize) -> &'static str {
        let chain = self.family.kernels();
        let batch = self.family.batch_kernels().filter(|_| !chain.is_forced());
        let batch = batch.and_then(|table| table.name_for(Load { messages, bytes }));
        batch.unwrap_or_else(|| chain.best_name())
    }

    /// Returns the range of a parameter, or `None` if the algorithm does not have the parameter.
    /// Every algorithm has a range for [`Parameter::OutputLength`], even if it contains only one
    /// length.
    #[must_use]
    pub fn limits(&self, parameter: Parameter) -> Option<Accepts> {
        let (min, max) = self.output_range;
        match parameter {
            Parameter::OutputLength => {
                let max = if max == usize::MAX { NO_LIMIT } else { max as u64 };
                Some(accepts(parameter, min as u64, max))
            }
            _ => self.accepts.iter().copied().find(|a| a.parameter == parameter),
        }
    }

    /// Checks that a value is in the range of a parameter, in the same way as [`Algorithm::build`].
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if the algorithm does not have the parameter, and
    /// [`Error::OutOfRange`] if the value is out of range.
    pub fn check_value(&self, parameter: Parameter, value: Value<'_>) -> Result<(), Error> {
        let (row, quantity) = (parameter.row(), value.quantity());
        let Some(limits) = self.limits(parameter) else {
            return Err(Error::Unsupported { algorithm: self.name, what: row.noun });
        };
        if !(limits.min..=limits.max).contains(&quantity) {
            return Err(self.out_of_range(row.quantity, row.unit, limits.min, limits.max, quantity));
        }
        Ok(())
    }

    /// Returns true if you can choose a value for this parameter.
    #[must_use]
    pub fn takes(&self, parameter: Parameter) -> bool {
        self.limits(parameter)
            .is_some_and(|limits| limits.min != limits.max || parameter != Parameter::OutputLength)
    }

    /// Returns the state without parameters.
    #[inline]
    pub(crate) fn default_state(&self) -> State {
        let state = self.family.build(&Params::default(), self.output);
        surely(Error::abort_without_memory(state), "plain hashing refuses nothing")
    }

    /// Checks the parameters and returns the state.
    pub(crate) fn state(&self, params: &Params<'_>) -> Result<State, Error> {
        let output_len = self.check(params)?;
        self.family.build(params, output_len)
    }

    /// Checks the parameters against the limits of the algorithm, and returns the output length in
    /// bytes.
    pub(crate) fn check(&self, params: &Params<'_>) -> Result<usize, Error> {
        // Every algorithm has an output length, so it is checked last. A parameter that the
        // algorithm does not have at all is reported first.
        for row in PARAMETERS.iter().cycle().skip(1).take(PARAMETERS.len()) {
            params.get(row.parameter).map_or(Ok(()), |value| self.check_value(row.parameter, value))?;
        }
        Ok(params.output_len.unwrap_or(self.output))
    }

    /// Checks that a buffer has the length of the digest. For an extendable-output function, every
    /// length is accepted.
    pub(crate) fn check_digest_len(&self, digest: usize, buffer: usize) -> Result<(), Error> {
        if self.kind == Kind::Fixed && buffer != digest {
            let digest = digest as u64;
            return Err(self.out_of_range("digest buffer", "bytes", digest, digest, buffer as u64));
        }
        Ok(())
    }

    pub(crate) fn out_of_range(
        &self,
        what: &'static str,
        unit: &'static str,
        min: u64,
        max: u64,
        got: u64,
    ) -> Error {
        Error::OutOfRange { algorithm: self.name, what, unit, min, max, got }
    }
}

/// Returns the algorithm with this name or alias. The comparison ignores case and treats `_`, `/`
/// and `-` as equal.
///
/// # Errors
/// Returns [`Error::UnknownAlgorithm`] if no algorithm has this name. The error suggests a similar
/// name if there is one.
pub fn find(name: &str) -> Result<&'static Algorithm, Error> {
    let named = |a: &&Algorithm| a.names().any(|n| same_name(n, name));
    ALGORITHMS
        .iter()
        .find(named)
        .ok_or_else(|| Error::UnknownAlgorithm { name: words(name), nearest: nearest(name) })
}

/// Returns the algorithm with this number in the C interface.
#[inline]
#[must_use]
pub fn by_id(id: u32) -> Option<&'static Algorithm> {
    const COUNT: usize = {
        let (mut i, mut largest) = (0, 0);
        while i < ALGORITHMS.len() {
            largest = if ALGORITHMS[i].id > largest { ALGORITHMS[i].id } else { largest };
            i += 1;
        }
        largest as usize + 1
    };
    static ROWS: [Option<&Algorithm>; COUNT] = {
        let mut rows: [Option<&Algorithm>; COUNT] = [None; COUNT];
        let mut i = 0;
        while i < ALGORITHMS.len() {
            let row = &ALGORITHMS[i];
            assert!(row.id > 0 && rows[row.id as usize].is_none(), "zero, or two rows with one number");
            rows[row.id as usize] = Some(row);
            i += 1;
        }
        rows
    };
    *ROWS.get(id as usize)?
}

impl Algorithm {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        core::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// The names of families without hyphens, and the algorithm to suggest for each of them.
static FAMILIES: &[(&str, &str)] = &[
    ("sha", "sha256"),
    ("sha2", "sha256"),
    ("keccak", "sha3-256"),
    ("shake", "shake256"),
    ("cshake", "cshake256"),
    ("turboshake", "turboshake128"),
    ("kt", "kt128"),
    ("kangaroo", "kt128"),
    ("blake", "blake3"),
    ("blake2", "blake2b-512"),
    ("ascon", "ascon-hash256"),
    ("asconhash", "ascon-hash256"),
    ("asconxof", "ascon-xof128"),
];

/// Returns the canonical name to suggest for an unknown name. For the name of a family, the suggestion is the
/// recommended algorithm of that family. Otherwise it is the closest name, if its edit distance is at most a third of
/// the length, or 1 for short names.
///
/// An algorithm that is not sound is suggested only if its name was mistyped: no sound algorithm is
/// as close, and the digits, which distinguish algorithms, are the same.
fn nearest(name: &str) -> Option<&'static str> {
    // Longer names are not typing errors. The limit keeps the computation of distances cheap.
    const LONGEST: usize = 32;
    if name.len() > LONGEST || elsewhere(name).is_some() {
        return None;
    }
    if let Some((_, row)) = FAMILIES.iter().find(|(family, _)| same_letters(name, family)) {
        return Some(row);
    }
    fn digits(name: &str) -> impl Iterator<Item = u8> {
        name.bytes().filter(u8::is_ascii_digit)
    }
    let candidates = ALGORITHMS.iter().flat_map(|a| a.names().map(move |n| (edit_distance(n, name), n, a)));
    candidates
        .filter(|(distance, ..)| *distance <= (name.len() / 3).max(usize::from(name.len() > 2)))
        .filter(|(_, n, a)| a.status == Status::Sound || digits(n).eq(digits(name)))
        .min_by_key(|(distance, _, a)| (*distance, a.status != Status::Sound))
        .map(|(.., a)| a.name)
}

/// Sets the kernel for the rest of the process.
///
/// Every family that has a kernel of this name uses it. Other families still choose their own. The
/// command line and the bindings call this function with the value of the environment variable
/// `HASHWELL_KERNEL`.
///
/// Existing states keep their kernel. KangarooTwelve is an exception: leaves that are hashed afterwards use the new
/// kernel.
///
/// # Errors
/// - [`Error::UnknownKernel`] if no family has a kernel of this name.
/// - [`Error::UnavailableKernel`] if this CPU cannot run the kernel.
/// - [`Error::KernelAlreadyForced`] if a different kernel was set before.
#[cfg(feature = "std")]
pub fn force_kernel(name: &str) -> Result<(), Error> {
    let mut error = Error::UnknownKernel { name: words(name) };
    for algorithm in ALGORITHMS {
        match algorithm.family.check_kernel(name) {
            Ok(name) => return crate::internal::kernel::force(name),
            Err(Error::UnknownKernel { .. }) => {}
            Err(unavailable) => error = unavailable,
        }
    }
    Err(error)
}

/// Returns the names of all kernels of all families, including batch kernels, in the order of the
/// registry.
#[must_use]
pub fn kernels() -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in kernel_names() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the same names as [`kernels`], without allocating. A name that several algorithms share is repeated.
pub fn kernel_names() -> impl Iterator<Item = &'static str> {
    let of = |a: &Algorithm| {
        let batch = a.family.batch_kernels().into_iter().flat_map(|table| table.each());
        a.family.kernels().each().chain(batch).map(|(name, _)| name)
    };
    ALGORITHMS.iter().flat_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internal::names::{ELSEWHERE, fold};

    #[test]
    fn names_are_unique_and_canonical() {
        let mut seen: Vec<&str> = Vec::new();
        for name in ALGORITHMS.iter().flat_map(Algorithm::names) {
            assert!(!seen.iter().any(|other| same_name(other, name)), "{name} twice");
            assert!(name.bytes().all(|b| fold(b) == b), "{name} is not in folded form");
            seen.push(name);
        }
    }

    #[test]
    fn numbers_lead_to_their_rows() {
        for algorithm in ALGORITHMS {
            assert_eq!(by_id(algorithm.id), Some(algorithm));
        }
        assert_eq!((by_id(0), by_id(u32::MAX)), (None, None));
    }

    #[test]
    fn find_accepts_common_spellings() {
        for (spelling, name) in [
            ("SHA-256", "sha256"),
            ("sha2-256", "sha256"),
            ("sha3_256", "sha3-256"),
            ("SHA512/256", "sha512-256"),
            ("shake_128", "shake128"),
            ("b2", "blake2b-512"),
            ("k12", "kt128"),
        ] {
            assert_eq!(find(spelling).unwrap().name, name);
        }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let nearest = |name| match find(name) {
            Err(Error::UnknownAlgorithm { nearest, .. }) => nearest,
            other => panic!("{other:?}"),
        };
        assert_eq!(nearest("sha265"), Some("sha256"));
        assert_eq!(nearest("blake4"), Some("blake3"));
        assert_eq!(nearest("SHA3_265"), Some("sha3-256"));
        assert_eq!(nearest("whirlpool"), None);
        assert_eq!((nearest(""), nearest("42")), (None, None));
    }

    /// An algorithm that is not sound is suggested only for a mistyped form of its own name.
    #[test]
    fn what_is_not_sound_is_not_offered_for_a_neighbour() {
        let message = |name| find(name).unwrap_err().to_string();
        for (name, offered) in [
            ("sha2", "sha256"),
            ("SHA-2", "sha256"),
            ("sha", "sha256"),
            ("sha4", "sha3-256"),
            ("sha5", "sha3-256"),
            ("keccak", "sha3-256"),
            ("blake", "blake3"),
            ("BLAKE-2", "blake2b-512"),
            ("ascon", "ascon-hash256"),
            // Mistyped names of algorithms that are not sound.
            ("sah1", "sha1"),
            ("sha--1", "sha1"),
            ("sha256-90rr", "sha256-90r"),
            ("ascon-xof-v1,2", "ascon-xof-v1.2"),
        ] {
            let expected = alloc::format!("unknown algorithm '{name}' (did you mean '{offered}'?)");
            assert_eq!(message(name), expected);
        }
        for (name, why) in ELSEWHERE.iter().flat_map(|(names, why)| names.iter().map(move |name| (name, why)))
        {
            assert_eq!(message(name), alloc::format!("unknown algorithm '{name}' ({why})"));
        }
        assert!(message("MD5").contains("broken"));
        // Tests every name that differs from a sound name by one character at its start or end.
        for row in ALGORITHMS.iter().filter(|row| row.status == Status::Sound) {
            for added in ["x", "0", "-"] {
                for name in [alloc::format!("{}{added}", row.name), alloc::format!("{added}{}", row.name)] {
                    let Err(Error::UnknownAlgorithm { nearest: Some(nearest), .. }) = find(&name) else {
                        continue;
                    };
                    assert_eq!(find(nearest).unwrap().status, Status::Sound, "{name}");
                }
            }
        }
        for (_, row) in FAMILIES {
            assert_eq!(find(row).map(|row| (row.name, row.status)), Ok((*row, Status::Sound)));
        }
    }
}
