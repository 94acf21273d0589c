//! The algorithm of each line of a list: the one that the line names, the one that you choose, the one in the list's
//! name, or the usual one for the length of its digest.

use crate::choice::Choice;
use crate::encodings::from_multihash;
use crate::legacy::Legacy;
use crate::method::{LONGEST_NAME, Method};
use crate::read::Entry;
use crate::stamp::Stamp;
use crate::unsupported::UNSUPPORTED;
use hashwell::{Params, Status};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::LazyLock;

/// A line of a list, with its possible readings. The line matches a file if one of the readings matches, or if one of
/// the other algorithms computes the line's digest from the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line in the list, from 1.
    pub number: usize,
    /// The possible readings of the line's digest.
    pub readings: Readings,
    /// The algorithms to try if none of the readings matches.
    pub others: Others,
    /// The size and times of the file when it was listed, as far as the list contains them.
    pub stamp: Stamp,
}

/// The possible digests of a line, each with its algorithm. There are two if the text is valid both as hexadecimal and
/// as base64, and both results have the length of a digest.
pub type Readings = Vec<(Method, Vec<u8>)>;

/// The algorithms to try if none of a line's readings matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Others {
    /// No other algorithm, because the line names one, or because you chose one.
    None,
    /// The other algorithms that you chose.
    Given(Vec<Method>),
    /// All algorithms that are not broken, because the algorithm was guessed.
    Unbroken,
    /// All checksums whose lists contain decimal numbers.
    Decimal,
    /// Both four-byte checksums, CRC-32 and CRC-32C.
    Crc,
}

impl Line {
    /// The algorithms to try for digests of this number of bytes.
    fn others(&self, len: usize) -> Vec<Method> {
        match &self.others {
            Others::None => Vec::new(),
            Others::Given(given) => given.clone(),
            Others::Unbroken => unbroken(len).iter().copied().map(Method::Row).collect(),
            Others::Decimal => Legacy::DECIMAL.map(Method::Legacy).to_vec(),
            Others::Crc => [Legacy::Crc32, Legacy::Crc32c].map(Method::Legacy).to_vec(),
        }
    }

    /// The algorithms to try, except those of the line's readings.
    #[must_use]
    pub fn all_others(&self) -> Vec<Method> {
        let mut all: Vec<Method> = Vec::new();
        for (_, digest) in &self.readings {
            let read = |other: &Method| self.readings.iter().any(|(method, _)| method == other);
            all.extend(self.others(digest.len()).into_iter().filter(|other| !read(other)));
        }
        all
    }

    /// Returns true if `method` is one of the algorithms to try, and `digest` is the digest of the line.
    #[must_use]
    pub fn is_right_by(&self, method: Method, digest: &[u8]) -> bool {
        self.readings.iter().any(|(_, expected)| expected == digest)
            && self.others(digest.len()).contains(&method)
    }
}

/// The algorithms that are not broken, with digests of this number of bytes. If several algorithms are the same
/// function, only the first one is included. The lengths are limited to those for which [`guess`] returns an algorithm,
/// so that no list can request digests of thousands of different lengths.
fn unbroken(len: usize) -> &'static [Choice] {
    static ALL: LazyLock<BTreeMap<usize, Vec<Choice>>> = LazyLock::new(|| {
        let lens = (0..=64).filter(|len| guess(*len).is_some());
        lens.map(|len| {
            let mut functions = HashSet::new();
            let rows = hashwell::ALGORITHMS.iter().filter(|row| row.status != Status::Broken);
            let choices = rows.filter_map(|row| Choice::with_len(row, len));
            let is_new = |choice: &Choice| {
                let output_len = (choice.output_len != choice.algorithm.output).then_some(choice.output_len);
                let hasher = choice.algorithm.build(&Params { output_len, ..Params::default() });
                functions.insert(hasher.expect("the length is in the row's range").digest())
            };
            (len, choices.filter(is_new).collect())
        })
        .collect()
    });
    ALL.get(&len).map_or(&[], Vec::as_slice)
}

/// Resolves the lines of one list.
#[derive(Clone, Debug)]
pub struct Resolver<'l> {
    list_name: &'l OsStr,
    given: &'l [Method],
    exact: bool,
    by_name: Option<Method>,
    unsupported: &'static [usize],
    families: HashMap<usize, Option<Method>>,
    /// Algorithms that were guessed from the length of a digest, other than the default of `sum`.
    pub guessed: BTreeSet<String>,
    /// True if the default of `sum` was guessed from the length of a digest.
    pub assumed: bool,
    /// True if four-byte digests on lines that name no algorithm may be CRCs. Set it to
    /// [`List::has_crcs`](crate::read::List::has_crcs).
    pub has_crcs: bool,
}

impl<'l> Resolver<'l> {
    /// Creates a resolver for a list with this file name. `given` are the algorithms that you choose. They are used for
    /// lines that name no algorithm. If `exact` is true, digests must have exactly the length of one of `given`, not
    /// just a length that the algorithm supports.
    #[must_use]
    pub fn new(list_name: &'l OsStr, given: &'l [Method], exact: bool) -> Self {
        Self {
            list_name,
            given,
            exact,
            by_name: by_name(list_name),
            unsupported: unsupported_by_name(list_name).map_or(&[], |(_, lens)| lens),
            families: HashMap::new(),
            guessed: BTreeSet::new(),
            assumed: false,
            has_crcs: false,
        }
    }

    /// Resolves an entry. The result has no readings if there is no algorithm for the entry.
    pub fn resolve(&mut self, entry: Entry) -> Line {
        let Entry { line: number, method, above, digest, other_digests, stamp, .. } = entry;
        let mut others = Others::None;
        let mut readings: Readings = Vec::new();
        let mut as_multihash = None;
        for (i, digest) in std::iter::once(digest).chain(other_digests).enumerate() {
            match self.method(method, above, digest.len(), &mut others) {
                Some(method) => readings.push((method, digest)),
                // A hexadecimal multihash has a length that no digest of a usual algorithm has.
                None if i == 0 && self.given.is_empty() => as_multihash = from_multihash(&digest),
                None => {}
            }
        }
        if readings.is_empty() {
            readings.extend(as_multihash);
        }
        Line { number, readings, others, stamp }
    }

    /// The algorithm for digests of this number of bytes. Sets `others` to the algorithms to try if this algorithm does
    /// not match.
    fn method(
        &mut self,
        method: Option<Method>,
        above: Option<Method>,
        len: usize,
        others: &mut Others,
    ) -> Option<Method> {
        let Self { list_name, given, exact, by_name, .. } = *self;
        let fits = |given: &Method| given.of_length(len).filter(|m| !exact || m == given);
        if let Some(method) = method {
            let decimal = |given: &&Method| matches!(given, Method::Legacy(g) if Legacy::DECIMAL.contains(g));
            if method == Method::Legacy(Legacy::Cksum) {
                // All decimal checksums have this format.
                let given = given.iter().find(decimal);
                *others = if given.is_some() { Others::None } else { Others::Decimal };
                return Some(given.copied().unwrap_or(method));
            }
            return Some(method);
        }
        if !given.is_empty() {
            let mut fitting = given.iter().filter_map(fits);
            let first = fitting.next();
            match others {
                Others::Given(others) => others.extend(fitting),
                _ => *others = Others::Given(fitting.collect()),
            }
            return first;
        }
        let of_length = |method: Method| method.of_length(len);
        let known = above.and_then(of_length).or_else(|| by_name.and_then(of_length));
        let known =
            known.or_else(|| *self.families.entry(len).or_insert_with(|| family_by_name(list_name, len)));
        if known.is_some() || guess(len).is_some() {
            *others = if len == 4 { Others::Crc } else { Others::Unbroken };
        }
        if known.is_some() {
            return known;
        }
        let guess = guess(len).filter(|_| !self.unsupported.contains(&len) && (len != 4 || self.has_crcs))?;
        if len == USUAL_LEN {
            self.assumed = true;
        } else {
            self.guessed.insert(guess.title());
        }
        Some(guess)
    }
}

/// The word in a list's name that may contain its algorithm: `SHA256SUMS`, `b2sums.txt`, `x.tar.gz.sha512`, `x.b3`.
fn word_of_name(list_name: &OsStr) -> Option<String> {
    let name = Path::new(list_name).file_name()?.to_str()?.to_ascii_lowercase();
    let name = [".txt", ".asc"].into_iter().fold(&name[..], |n, suffix| n.strip_suffix(suffix).unwrap_or(n));
    let last = name.rsplit('.').next()?;
    let last = last.strip_suffix("sums").or_else(|| last.strip_suffix("sum")).unwrap_or(last);
    Some(last.trim_end_matches(['-', '_']).to_owned())
}

/// Finds the algorithm in a list's file name. It is a complete word of the name, or a part of a word, as in
/// `manifest-sha512`.
#[must_use]
pub fn by_name(list_name: &OsStr) -> Option<Method> {
    let word = word_of_name(list_name)?;
    let parts = || {
        let is_mark = |c: char| matches!(c, '-' | '_');
        let ends = word.match_indices(is_mark).map(|(at, _)| at).chain([word.len()]);
        let starts: Vec<usize> =
            [0].into_iter().chain(word.match_indices(is_mark).map(|(at, _)| at + 1)).collect();
        let mut parts: Vec<&str> = ends
            .flat_map(|end| starts.iter().map(move |start| (*start, end)))
            .filter_map(|(start, end)| word.get(start..end))
            .filter(|part| part.len() <= LONGEST_NAME)
            .collect();
        // Try `sha3-256` before `sha3`.
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        // A part of the name selects only an algorithm of the registry. Legacy checksums (MD5, CRCs, …) are selected
        // only by the complete word, because CRC lists have formats of their own.
        parts.into_iter().find_map(|part| Method::find(part).filter(|method| method.row().is_some()))
    };
    Method::find(&word).or_else(parts)
}

/// The algorithm for digests of this length from the family whose name is part of a list's name. For example, if the
/// list `x.sha3` has digests of 32 bytes, the algorithm is SHA3-256.
fn family_by_name(list_name: &OsStr, len: usize) -> Option<Method> {
    let word = word_of_name(list_name).filter(|word| !word.is_empty())?;
    let row = hashwell::find(&format!("{word}-{}", 8 * len)).ok()?;
    Method::Row(Choice::of(row)).of_length(len)
}

/// Finds an unsupported algorithm in a list's file name. It is a complete word of the name, or the end of a word, as in
/// `rhash-tiger.txt`. Returns the algorithm and its digest lengths in bytes.
#[must_use]
pub fn unsupported_by_name(list_name: &OsStr) -> Option<(String, &'static [usize])> {
    let word = word_of_name(list_name)?;
    let is_mark = |c: char| matches!(c, '-' | '_');
    let starts = [0].into_iter().chain(word.match_indices(is_mark).map(|(at, _)| at + 1));
    starts.map(|start| &word[start..]).find_map(|tail| {
        let plain = tail.replace(is_mark, "");
        let (_, lens) = UNSUPPORTED.iter().find(|(name, _)| *name == plain)?;
        Some((tail.to_owned(), *lens))
    })
}

/// The names of unsupported algorithms with digests of `len` bytes, for messages.
#[must_use]
pub fn unsupported_of_length(len: usize) -> Vec<&'static str> {
    UNSUPPORTED.iter().filter(|(_, lens)| lens.contains(&len)).map(|(name, _)| *name).collect()
}

/// The digest length in bytes of SHA-256, the algorithm of `sum` without `-a`.
const USUAL_LEN: usize = 32;

/// The usual algorithm for a digest of this number of bytes.
fn guess(len: usize) -> Option<Method> {
    static ALL: LazyLock<Vec<Method>> = LazyLock::new(|| {
        let row = |name| Choice::of(hashwell::find(name).expect("it is in the registry"));
        let rows = ["sha1", "sha224", "sha256", "sha384", "sha512"].map(|name| Method::Row(row(name)));
        rows.into_iter().chain([Legacy::Crc32, Legacy::Md5].map(Method::Legacy)).collect()
    });
    ALL.iter().find(|method| method.digest_len() == len).copied()
}

/// The name of the file that a list of only one digest belongs to: the list's name without its last extension.
#[must_use]
pub fn file_of_list(list_name: &OsStr) -> Option<OsString> {
    let path = Path::new(list_name);
    path.extension().is_some().then(|| path.with_extension("").into_os_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use crate::write::{Encoding, End, Layout, Style, sri_prefix};
    use proptest::prelude::*;

    #[test]
    fn list_names_choose_the_algorithm() {
        for (list, name) in [
            ("SHA256SUMS", Some("sha256")),
            ("dir/SHA512SUMS.txt", Some("sha512")),
            ("x.tar.gz.sha384", Some("sha384")),
            ("x.sha256sum", Some("sha256")),
            ("sha1sum.txt", Some("sha1")),
            ("B2SUMS", Some("blake2b-512")),
            ("b3sums", Some("blake3")),
            ("x.sha256.asc", Some("sha256")),
            ("sha3-256sums", Some("sha3-256")),
            ("manifest-sha512.txt", Some("sha512")),
            ("sha3-512_of_all.txt", Some("sha3-512")),
            ("CHECKSUMS", None),
            ("my-sfv", None),
            ("-", None),
            ("x.txt", None),
        ] {
            let named = by_name(list.as_ref()).and_then(Method::row).map(|choice| choice.algorithm.name);
            assert_eq!(named, name, "{list}");
        }
    }

    #[test]
    fn guesses_are_the_usual_ones() {
        for (len, tag) in [(20, "SHA1"), (28, "SHA224"), (32, "SHA256"), (48, "SHA384"), (64, "SHA512")] {
            assert_eq!(guess(len).unwrap().title(), tag);
        }
        assert_eq!(guess(33), None);
    }

    #[test]
    fn a_digest_alone_is_about_the_file_that_the_list_is_named_after() {
        assert_eq!(file_of_list("d/x.tar.gz.sha256".as_ref()), Some("d/x.tar.gz".into()));
        assert_eq!(file_of_list("-".as_ref()), None);
        assert_eq!(file_of_list("SHA256SUMS".as_ref()), None);
    }

    /// Names that look like parts of a list, and arbitrary names.
    fn names() -> impl Strategy<Value = Vec<u8>> {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let b64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        let odd = [
            " leading",
            "  two",
            "*star",
            " *mark",
            "trailing ",
            "\ttab",
            "new\nline",
            "carriage\r",
            "back\\slash",
            "\\n",
            "\\",
            "#hash",
            ";semicolon",
            "{\"name\":1}",
            ") = (",
            "(",
            ")",
            "%%%% size,md5,filename",
            "-----BEGIN PGP SIGNED MESSAGE-----",
            "3 f",
            "12 ab",
            "a 352441C2",
            "\u{feff}bom",
        ]
        .map(str::to_owned);
        let like_lines = [
            format!("SHA256 (x) = {digest}"),
            format!("(x) = {digest}"),
            format!("(x)= {digest}{digest}"),
            format!("{digest}  x"),
            format!("sha256-{b64}"),
            format!("sha256-{b64}  x"),
        ];
        let known: Vec<Vec<u8>> = odd.into_iter().chain(like_lines).map(String::into_bytes).collect();
        prop_oneof![prop::sample::select(known), prop::collection::vec(1..=255_u8, 1..30)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// `-c` verifies every line that `sum` writes, for any algorithm, length, digest and name, and in every layout.
        /// To verify lines without a tag, the test passes the same `-a` as for writing them, with or without its `-l`.
        #[test]
        fn what_sum_writes_is_checked(
            row in 0..hashwell::ALGORITHMS.len(),
            len in prop_oneof![1..=24_usize, 1..=100_usize],
            // Digests made of few byte values are often valid in both encodings.
            digest in prop_oneof![
                prop::collection::vec(any::<u8>(), 100),
                prop::collection::vec(prop::sample::select(vec![0x69_u8, 0xb7, 0x1d, 0x79, 0xb2]), 100),
            ],
            name in names(),
            layout in prop::sample::select(vec![Layout::Gnu, Layout::Tag, Layout::Json, Layout::Sri]),
            encoding in prop::sample::select(vec![Encoding::Hex, Encoding::Base64]),
            end in prop::sample::select(vec![End::Newline, End::Nul]),
            (upper, exact, alone, binary) in any::<(bool, bool, bool, bool)>(),
        ) {
            let algorithm = &hashwell::ALGORITHMS[row];
            let choice = Choice::with_len(algorithm, len).unwrap_or(Choice::of(algorithm));
            let layout = if layout == Layout::Sri && sri_prefix(choice).is_none() { Layout::Gnu } else { layout };
            let end = if layout == Layout::Json { End::Newline } else { end };
            let digest = &digest[..choice.output_len];
            let style = Style { layout, names: true, binary, encoding, end };
            let mut line = style.line(choice, [], digest, &name, &Stamp::default());
            if upper && encoding == Encoding::Hex && layout == Layout::Gnu {
                let digits = usize::from(line[0] == b'\\')..2 * choice.output_len;
                line[digits].make_ascii_uppercase();
            }
            // Test the line next to another one, and by itself.
            let mut text = if alone { Vec::new() } else { line.clone() };
            text.extend(line);
            let list = read::parse(&text);
            let given = Choice { output_len: if exact { choice.output_len } else { algorithm.output }, ..choice };
            let given = [Method::Row(given)];
            let mut resolver = Resolver::new("-".as_ref(), &given, exact);
            prop_assert_eq!(&list.malformed, &Vec::<usize>::new(), "{}", String::from_utf8_lossy(&text));
            prop_assert_eq!(list.entries.len(), if alone { 1 } else { 2 });
            for mut entry in list.entries {
                prop_assert_eq!(entry.name.take(), Some(name.clone()));
                let line = resolver.resolve(entry);
                // Two algorithms of the registry may be the same function.
                let is_it = |(method, read): &(Method, Vec<u8>)| {
                    method.row().map(Choice::tag) == Some(choice.tag()) && read == digest
                };
                prop_assert!(line.readings.iter().any(is_it), "{:?}", line.readings);
            }
        }
    }
}
