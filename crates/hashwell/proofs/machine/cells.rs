//! The contents of registers and memory in *cells*, each of which is a word of the arena. A register of 512 bits has 16
//! cells of 32 bits or 8 of 64 bits. A value that is narrower than a cell is one cell, with zeros in the upper bits.

use crate::internal::vector::symbol::{Word, bits};
use alloc::vec::Vec;

pub(super) type Cells = Vec<Word>;

/// Returns the number of bytes of a cell.
pub(super) fn width() -> usize {
    bits() as usize / 8
}

pub(super) fn zero() -> Word {
    Word::constant(0)
}

/// Returns the cells of a number with this number of bytes.
pub(super) fn of_number(value: u64, bytes: usize) -> Cells {
    let width = width();
    let value = if bytes < 8 { value & ((1 << (8 * bytes)) - 1) } else { value };
    (0..bytes.div_ceil(width))
        .map(|i| Word::constant(if i == 0 { value } else { value >> (32 * i) }))
        .collect()
}

/// Returns the number in the cells, which have at most eight bytes in total, if all cells are known.
pub(super) fn number(cells: &[Word]) -> Option<u64> {
    let shift = 8 * width() as u32;
    cells
        .iter()
        .rev()
        .try_fold(0, |number: u64, cell| Some(number.checked_shl(shift).unwrap_or(0) | cell.number()?))
}

/// Returns the bytes of `from` at these places, one after the other. `None` gives a zero.
pub(super) fn gathered(from: &[Word], places: &[Option<usize>]) -> Cells {
    places.chunks(width()).map(|places| gathered_cell(from, places)).collect()
}

fn gathered_cell(from: &[Word], places: &[Option<usize>]) -> Word {
    let width = width();
    let first = places.iter().flatten().next().map(|place| place / width);
    if let Some(cell) = first.filter(|_| places.len() == width) {
        let is = |of: &dyn Fn(usize) -> usize| (0..width).all(|i| places[i] == Some(cell * width + of(i)));
        if is(&|i| i) {
            return from[cell];
        }
        if is(&|i| width - 1 - i) {
            return swapped(from[cell]);
        }
    }
    // Bytes that move by the same distance from the same cell are moved together.
    let mut parts: Vec<(usize, usize, u64)> = Vec::new();
    for (to, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        let (cell, distance) = (place / width, (place % width + width - to) % width);
        let mask = 0xff << (8 * to);
        match parts.iter_mut().find(|part| (part.0, part.1) == (cell, distance)) {
            Some(part) => part.2 |= mask,
            None => parts.push((cell, distance, mask)),
        }
    }
    parts.into_iter().fold(zero(), |sum, (cell, distance, mask)| {
        sum ^ (from[cell].rotr(8 * distance as u32) & Word::constant(mask))
    })
}

fn swapped(word: Word) -> Word {
    match word.number() {
        Some(number) => Word::constant(number.swap_bytes() >> (64 - bits())),
        None => word.swapped(),
    }
}

/// Returns the elements of `from` at these places. Each element has `bytes` bytes.
pub(super) fn elements(
    from: &[Word],
    bytes: usize,
    places: impl IntoIterator<Item = Option<usize>>,
) -> Cells {
    let of_element = |place: Option<usize>| (0..bytes).map(move |i| place.map(|place| place * bytes + i));
    let places: Vec<Option<usize>> = places.into_iter().flat_map(of_element).collect();
    gathered(from, &places)
}

/// Shifts a cell to the left.
fn cell_left(cell: Word, distance: u32) -> Word {
    match distance {
        0 => cell,
        distance => cell.rotl(distance) & Word::constant(u64::MAX << distance),
    }
}

/// Shifts or rotates a number of whole cells to the right by less than its length.
pub(super) fn moved_right(cells: &[Word], distance: u32, rotation: bool) -> Cells {
    let (whole, part) = ((distance / bits()) as usize, distance % bits());
    let cell = |i: usize| match i < cells.len() {
        true => cells[i],
        false if rotation => cells[i % cells.len()],
        false => zero(),
    };
    let moved = |i| match part {
        0 => cell(i + whole),
        part => cell(i + whole).shr(part) ^ cell_left(cell(i + whole + 1), bits() - part),
    };
    (0..cells.len()).map(moved).collect()
}

/// Shifts a number of whole cells to the left by less than its length.
pub(super) fn moved_left(cells: &[Word], distance: u32) -> Cells {
    let (whole, part) = ((distance / bits()) as usize, distance % bits());
    let cell = |i: usize, back: usize| i.checked_sub(whole + back).map_or_else(zero, |i| cells[i]);
    let moved = |i| match part {
        0 => cell(i, 0),
        part => cell_left(cell(i, 0), part) ^ cell(i, 1).shr(bits() - part),
    };
    (0..cells.len()).map(moved).collect()
}

/// Computes a Boolean function of three words. Bit 4x + 2y + z of the table is its value for the bits x, y and z.
pub(super) fn boolean(table: u8, x: Word, y: Word, z: Word) -> Word {
    // If the function depends on two of the words only through their XOR, this XOR is computed first, because the
    // standard may have defined a name for it.
    let bit = |x: u8, y: u8, z: u8| table >> (4 * x + 2 * y + z) & 1;
    let all = |f: &dyn Fn(u8, u8) -> bool| [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().all(|(a, b)| f(a, b));
    let of_two =
        |a: Word, b: Word, f: &dyn Fn(u8, u8) -> u8| polynomial(&|m| f(m >> 1 & 1, m & 1), &[(2, a), (1, b)]);
    if all(&|a, z| bit(a, 0, z) == bit(1 - a, 1, z)) {
        return of_two(x ^ y, z, &|s, z| bit(s, 0, z));
    }
    if all(&|a, y| bit(a, y, 0) == bit(1 - a, y, 1)) {
        return of_two(x ^ z, y, &|s, y| bit(s, y, 0));
    }
    if all(&|a, x| bit(x, a, 0) == bit(x, 1 - a, 1)) {
        return of_two(y ^ z, x, &|s, x| bit(x, s, 0));
    }
    polynomial(&|m| table >> m & 1, &[(4, x), (2, y), (1, z)])
}

/// The Zhegalkin polynomial of a table: the coefficient of m is the XOR of the table's values for all subsets of m.
fn polynomial(table: &dyn Fn(u8) -> u8, factors: &[(u8, Word)]) -> Word {
    let last = factors.iter().fold(0, |all, (bit, _)| all | bit);
    let coefficient = |m: &u8| (0..=last).filter(|i| i & !m == 0).fold(0, |sum, i| sum ^ table(i)) == 1;
    (0..=last).filter(coefficient).fold(zero(), |sum, m| {
        let of_m = factors.iter().filter(|(bit, _)| m & bit != 0);
        sum ^ of_m.fold(Word::constant(u64::MAX), |product, (_, factor)| product & *factor)
    })
}

/// Returns the sum of two words. Twice a word is computed as a shift by one bit, because the arena can simplify shifts
/// better than sums.
pub(super) fn sum(x: Word, y: Word) -> Word {
    if x == y && x.number().is_none() { cell_left(x, 1) } else { x + y }
}

pub(super) fn difference(x: Word, y: Word) -> Word {
    match y.number() {
        Some(y) => x + Word::constant(y.wrapping_neg()),
        None => x + !y + Word::constant(1),
    }
}
