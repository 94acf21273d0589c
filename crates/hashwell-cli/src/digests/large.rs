//! Digests of a large file by all cores that are free: trees from the values of their pieces, others from its bytes.

use crate::digests::recipe::Recipe;
use crate::inputs::crew::{Taker, Work};
use crate::inputs::reading::{Opened, Unreadable};
use crate::system::progress::Progress;
use hashwell::{Hasher, Join, Pieces};

/// A digest in the making.
enum Growing<'p> {
    /// Of values of pieces, as long as they are those of the size that the file told.
    Joined(Join<'p>),
    Broken,
    /// Of bytes.
    Hashed(Hasher),
}

/// What a piece is to each choice that is a tree.
type Values = Vec<Option<Vec<u8>>>;

impl<'p> Growing<'p> {
    fn new(hasher: Hasher, tree: Option<&'p Pieces>, header: &[u8]) -> Self {
        if let Some(pieces) = tree {
            return Growing::Joined(pieces.join());
        }
        let mut hasher = hasher;
        hasher.update(header);
        Growing::Hashed(hasher)
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

    /// As what takes the pieces in their order, of which the first counts the bytes.
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

/// The digests of a file of this size, after `header`, by the recipe, and how many bytes were read; nothing if the file
/// cannot be read by places, or has another size than it says, as some of the kernel's have.
pub(super) fn digests(
    file: &Opened,
    size: u64,
    header: &[u8],
    recipe: Recipe<'_>,
    progress: &Progress,
) -> Result<Option<(Vec<Vec<u8>>, u64)>, Unreadable> {
    // A tree's pieces begin where its message does.
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
    Ok(all.into_iter().map(Growing::digest).collect::<Option<_>>().zip(read))
}
