//! Digests of a large file, computed by all free cores. Tree hashes are computed from the values of pieces; other
//! hashes from the bytes in order.

use crate::digests::recipe::Recipe;
use crate::inputs::reading::{Opened, Unreadable};
use crate::inputs::workers::{Taker, Work};
use crate::system::progress::Progress;
use hashwell::{Hasher, Join, Pieces};

/// A digest that is being computed.
enum Growing<'p> {
    /// Computed from the values of pieces, which are valid as long as the file has the size that it reported.
    Joined(Join<'p>),
    Broken,
    /// Computed from the bytes in order.
    Hashed(Box<Hasher>),
}

/// The value of a piece for each choice. It is `None` if the choice is not a tree hash.
type Values = Vec<Option<Vec<u8>>>;

impl<'p> Growing<'p> {
    fn new(hasher: Hasher, tree: Option<&'p Pieces>, header: &[u8]) -> Self {
        if let Some(pieces) = tree {
            return Growing::Joined(pieces.join());
        }
        let mut hasher = hasher;
        hasher.update(header);
        Growing::Hashed(Box::new(hasher))
    }

    fn take(&mut self, bytes: &[u8], value: Option<&[u8]>) {
        match self {
            Growing::Joined(join) => {
                if value.is_none_or(|value| join.push(value).is_err()) {
                    *self = Growing::Broken;
                }
            }
            Growing::Broken => {}
            Growing::Hashed(hasher) => hasher.update_parallel(bytes),
        }
    }

    /// Makes a taker, which gets the pieces in order. The first taker also counts the bytes for the progress display.
    fn taker<'t>(&'t mut self, own: usize, progress: &'t Progress) -> Taker<'t, Values> {
        Box::new(move |piece| {
            self.take(piece.bytes(), piece.value[own].as_deref());
            if own == 0 {
                progress.add(piece.len() as u64);
            }
            Ok(())
        })
    }

    fn digest(self) -> Option<Vec<u8>> {
        match self {
            Growing::Joined(join) => join.digest().ok(),
            Growing::Broken => None,
            Growing::Hashed(hasher) => Some(hasher.digest()),
        }
    }
}

/// The digests of a file, one for each choice, and the number of bytes that were read.
pub(super) struct Found {
    pub(super) digests: Vec<Vec<u8>>,
    pub(super) size: u64,
}

/// The digests of `header` and a file of this size, by the recipe. Returns `None` if the file does not support reading
/// at an offset, or if its size differs from the one it reported, as for some files in /proc.
pub(super) fn digests(
    file: &Opened,
    size: u64,
    header: &[u8],
    recipe: Recipe<'_>,
    progress: &Progress,
) -> Result<Option<Found>, Unreadable> {
    // Pieces are aligned to the beginning of the message, so they can't be used if there is a header.
    let tree = |pieces: Option<Pieces>| pieces.filter(|_| header.is_empty());
    let trees: Vec<Option<Pieces>> = recipe.pieces(size).into_iter().map(tree).collect();
    let value = |number: u64, bytes: &[u8]| -> Values {
        trees.iter().map(|tree| tree.as_ref()?.value(number, bytes).ok()).collect()
    };
    let keeps_bytes = trees.iter().any(Option::is_none);
    let hashers = recipe.hashers().into_iter().zip(&trees);
    let mut all: Vec<Growing<'_>> =
        hashers.map(|(hasher, tree)| Growing::new(hasher, tree.as_ref(), header)).collect();
    let takers = all.iter_mut().enumerate().map(|(own, growing)| growing.taker(own, progress)).collect();
    let read = file.read_by_crew(Work { value: &value, keeps_bytes, takers })?;
    let digests: Option<Vec<Vec<u8>>> = all.into_iter().map(Growing::digest).collect();
    Ok(digests.zip(read).map(|(digests, size)| Found { digests, size }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digests::digest::digest_file;
    use crate::inputs::reading::Help;
    use hashwell_checksums::Choice;
    use std::ffi::OsString;
    use std::fs::File;
    use std::io::Write;

    const PIECE: usize = Pieces::LEN;

    fn file(len: usize) -> (tempfile::NamedTempFile, OsString) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let bytes: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        file.write_all(&bytes).unwrap();
        let name = file.path().as_os_str().to_owned();
        (file, name)
    }

    fn choices(names: &[&str]) -> Vec<Choice> {
        names.iter().map(|name| Choice::of(hashwell::find(name).unwrap())).collect()
    }

    #[test]
    fn the_same_digests_by_one_core_and_by_all() {
        let sets: [&[&str]; 5] = [
            &["blake3"],
            &["kt128", "kt256"],
            &["sha256"],
            &["blake2bp-512", "sha1"],
            &["sha256", "blake3", "sm3"],
        ];
        for len in [16 * PIECE - 1, 16 * PIECE, 17 * PIECE + 1, 20 * PIECE + 8192] {
            let (_kept, name) = file(len);
            for header in [&b""[..], b"of some bytes: "] {
                for set in sets {
                    let choices = choices(set);
                    let digests = |help| {
                        let progress = Progress::new(None);
                        let Ok(all) = digest_file(&name, header, Recipe::plain(&choices), help, &progress)
                        else {
                            panic!("unreadable")
                        };
                        assert_eq!(all.size, len as u64);
                        all.digests
                    };
                    assert_eq!(digests(Help::OtherCores), digests(Help::None), "{set:?}, {len}");
                }
            }
        }
    }

    #[test]
    fn a_file_of_another_size_than_it_says_is_none_of_a_trees() {
        let (_kept, name) = file(20 * PIECE);
        let (opened, size) = Opened::large(&name).unwrap();
        let digests = |names: &[&str], size| {
            let choices = choices(names);
            let found = digests(&opened, size, b"", Recipe::plain(&choices), &Progress::new(None));
            found.unwrap_or_else(|_| panic!("it has not changed"))
        };
        for wrong in [size - 1, size + 1, size + PIECE as u64, size - PIECE as u64, 1, u64::MAX] {
            assert!(digests(&["blake3"], wrong).is_none() && digests(&["sha256", "kt128"], wrong).is_none());
            // Hashes that aren't trees accept any number of bytes.
            assert_eq!(digests(&["sha256"], wrong).unwrap().size, size);
        }
        assert_eq!(digests(&["blake3"], size).unwrap().size, size);
    }

    #[test]
    fn a_file_that_changes_is_reported() {
        for names in [&["blake3"], &["sha256"]] {
            for len in [1, 30 * PIECE as u64] {
                let (kept, name) = file(20 * PIECE);
                let (opened, size) = Opened::large(&name).unwrap();
                File::options().write(true).open(kept.path()).unwrap().set_len(len).unwrap();
                let choices = choices(names);
                let found = digests(&opened, size, b"", Recipe::plain(&choices), &Progress::new(None));
                assert_eq!(
                    found.err().map(|error| error.reason().to_owned()).as_deref(),
                    Some("changed while it was being read")
                );
            }
        }
    }

    #[test]
    fn what_is_small_or_no_file_is_not_large() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (_kept, small) = file(1000);
        for name in [
            pipe.as_os_str(),
            folder.path().as_os_str(),
            small.as_os_str(),
            "/dev/zero".as_ref(),
            "/proc/self/stat".as_ref(),
        ] {
            assert!(Opened::large(name).is_none(), "{}", name.display());
        }
    }
}
