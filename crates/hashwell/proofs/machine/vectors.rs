//! Vector instructions, in the encodings of SSE, AVX and AVX-512. Most of them move elements, or apply one operation to
//! every cell.

use super::cells::{
    Cells, boolean, difference, elements, gathered, moved_left, moved_right, number, of_number, sum, width,
    zero,
};
use super::state::{Done, Machine, fault, needs_alignment, unmodelled};
use crate::internal::vector::symbol::Word;
use alloc::format;
use alloc::vec::Vec;
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

/// Returns the size in bytes of the elements to which the instruction's mask applies.
pub(super) fn element(mnemonic: M) -> usize {
    let name = format!("{mnemonic:?}");
    let halves = name.ends_with("ldq") || name.ends_with("hdq");
    let wide = name.ends_with('q') && !halves
        || name.ends_with("64")
        || name.ends_with("pd")
        || name.contains("64x");
    if wide { 8 } else { 4 }
}

impl Machine<'_> {
    /// Executes the instruction if it belongs to this module. Returns false if it doesn't.
    pub(super) fn vector(&mut self, instruction: &Instruction) -> Done<bool> {
        let i = instruction;
        if i.op_count() == 0 {
            if i.mnemonic() == M::Vzeroupper {
                for register in &mut self.vectors[..16] {
                    register[16 / width()..].fill(zero());
                }
                return Ok(true);
            }
            return Ok(false);
        }
        let bytes = Self::size(i, 0);
        let done = self.cellwise(i, bytes)?
            || self.moves(i, bytes)?
            || self.shuffles(i, bytes)?
            || self.between(i, bytes)?
            || self.between_masks(i)?;
        Ok(done)
    }

    /// Returns the two sources. If the instruction has two operands, the first one is also a source.
    pub(super) fn sources(&mut self, i: &Instruction, bytes: usize) -> Done<(Cells, Cells)> {
        let vector_operands = (0..i.op_count())
            .filter(|n| {
                let kind = i.op_kind(*n);
                kind == OpKind::Memory || kind == OpKind::Register
            })
            .count();
        let places = if vector_operands == 3 { [1, 2] } else { [0, 1] };
        Ok((self.read(i, places[0], bytes)?, self.read(i, places[1], bytes)?))
    }

    /// Boolean functions, sums, shifts and rotations.
    fn cellwise(&mut self, i: &Instruction, bytes: usize) -> Done<bool> {
        let element = element(i.mnemonic());
        let of: fn(Word, Word) -> Word = match i.mnemonic() {
            M::Pxor | M::Vpxor | M::Vpxord | M::Vpxorq | M::Xorps | M::Vxorps | M::Xorpd | M::Vxorpd => {
                |a, b| a ^ b
            }
            M::Por | M::Vpor | M::Vpord | M::Vporq | M::Orps | M::Vorps => |a, b| a | b,
            M::Pand | M::Vpand | M::Vpandd | M::Vpandq | M::Andps | M::Vandps => |a, b| a & b,
            M::Pandn | M::Vpandn | M::Vpandnd | M::Vpandnq | M::Andnps | M::Vandnps => |a, b| !a & b,
            M::Paddd | M::Vpaddd | M::Paddq | M::Vpaddq => sum,
            M::Psubd | M::Vpsubd | M::Psubq | M::Vpsubq => difference,
            _ => return self.per_element(i, bytes, element),
        };
        let (a, b) = self.sources(i, bytes)?;
        let carries = matches!(
            i.mnemonic(),
            M::Paddd | M::Vpaddd | M::Paddq | M::Vpaddq | M::Psubd | M::Vpsubd | M::Psubq | M::Vpsubq
        );
        let value: Cells = if carries && element != width() {
            let minus = format!("{:?}", i.mnemonic()).contains("sub");
            self.numbers(
                i,
                &a,
                &b,
                element,
                |a, b| if minus { a.wrapping_sub(b) } else { a.wrapping_add(b) },
            )?
        } else {
            a.into_iter().zip(b).map(|(a, b)| of(a, b)).collect()
        };
        self.write_vector(i, &value, element)?;
        Ok(true)
    }

    /// Applies a function to elements whose size differs from a cell's. They must be known numbers.
    fn numbers(
        &self,
        i: &Instruction,
        a: &[Word],
        b: &[Word],
        element: usize,
        of: impl Fn(u64, u64) -> u64,
    ) -> Done<Cells> {
        let count = a.len() * width() / element;
        let part = |cells: &[Word], n| number(&elements(cells, element, [Some(n)]));
        let mut all = Cells::new();
        for n in 0..count {
            let (Some(x), Some(y)) = (part(a, n), part(b, n)) else {
                return unmodelled(format!("{i} of unknown words"));
            };
            all.extend(of_number(of(x, y), element));
        }
        Ok(joined(&all, element))
    }

    fn per_element(&mut self, i: &Instruction, bytes: usize, element: usize) -> Done<bool> {
        let value = match i.mnemonic() {
            M::Vpternlogd | M::Vpternlogq => {
                let (a, b, c) = (self.read(i, 0, bytes)?, self.read(i, 1, bytes)?, self.read(i, 2, bytes)?);
                let table = i.immediate8();
                let lanes = a.into_iter().zip(b).zip(c);
                lanes.map(|((a, b), c)| boolean(table, a, b, c)).collect()
            }
            M::Psrld
            | M::Vpsrld
            | M::Psrlq
            | M::Vpsrlq
            | M::Pslld
            | M::Vpslld
            | M::Psllq
            | M::Vpsllq
            | M::Vprold
            | M::Vprolq
            | M::Vprord
            | M::Vprorq => {
                let last = i.op_count() - 1;
                if i.op_kind(last) != OpKind::Immediate8 {
                    return unmodelled(format!("{i}"));
                }
                let value = self.read(i, last - 1, bytes)?;
                let bits = 8 * element as u32;
                let distance = u32::from(i.immediate8());
                let name = format!("{:?}", i.mnemonic());
                self.each(i, &value, element, |lane| match name.trim_start_matches('V').split_at(4).0 {
                    "prol" => moved_right(lane, (bits - distance % bits) % bits, true),
                    "pror" => moved_right(lane, distance % bits, true),
                    _ if distance >= bits => alloc::vec![zero(); lane.len()],
                    "Psrl" | "psrl" => moved_right(lane, distance, false),
                    _ => moved_left(lane, distance),
                })?
            }
            M::Vprolvd | M::Vprolvq | M::Vprorvd | M::Vprorvq => {
                let (value, by) = self.sources(i, bytes)?;
                let (bits, left) = (8 * element as u32, matches!(i.mnemonic(), M::Vprolvd | M::Vprolvq));
                if element < width() {
                    return unmodelled(format!("{i} of half cells"));
                }
                let lanes = element / width();
                let mut turned = Cells::new();
                for (lane, by) in value.chunks(lanes).zip(by.chunks(lanes)) {
                    let Some(by) = number(by) else { return fault("a rotation by an unknown distance") };
                    let by = (by % u64::from(bits)) as u32;
                    turned.extend(moved_right(lane, if left { (bits - by) % bits } else { by }, true));
                }
                turned
            }
            M::Vpcmpgtq if i.op_register(0).is_vector_register() => {
                let (a, b) = self.sources(i, bytes)?;
                self.numbers(
                    i,
                    &a,
                    &b,
                    8,
                    |a, b| if a.cast_signed() > b.cast_signed() { u64::MAX } else { 0 },
                )?
            }
            M::Pcmpeqd | M::Vpcmpeqd
                if i.op_kind(0) == OpKind::Register && i.op_register(0).is_vector_register() =>
            {
                let (a, b) = self.sources(i, bytes)?;
                if a == b {
                    alloc::vec![Word::constant(u64::MAX); a.len()]
                } else {
                    self.numbers(i, &a, &b, 4, |a, b| if a == b { 0xffff_ffff } else { 0 })?
                }
            }
            _ => return Ok(false),
        };
        self.write_vector(i, &value, element)?;
        Ok(true)
    }

    /// Applies a function to every element, which consists of one cell or, with 64 bits, of two.
    fn each(
        &self,
        i: &Instruction,
        value: &[Word],
        element: usize,
        of: impl Fn(&[Word]) -> Cells,
    ) -> Done<Cells> {
        if element < width() {
            return unmodelled(format!("{i} of half cells"));
        }
        Ok(value.chunks(element / width()).flat_map(of).collect())
    }

    /// Moves from and to memory, and between registers.
    fn moves(&mut self, i: &Instruction, bytes: usize) -> Done<bool> {
        let element = element(i.mnemonic());
        match i.mnemonic() {
            M::Movdqa
            | M::Movdqu
            | M::Movaps
            | M::Movups
            | M::Vmovdqa
            | M::Vmovdqu
            | M::Vmovaps
            | M::Vmovups
            | M::Vmovdqa32
            | M::Vmovdqa64
            | M::Vmovdqu32
            | M::Vmovdqu64
            | M::Movapd
            | M::Movupd
            | M::Vmovapd
            | M::Vmovupd => {
                let by_mask = i.has_op_mask() && i.op_kind(1) == OpKind::Memory && element >= width();
                let value = if by_mask { self.chosen(i, bytes, element)? } else { self.read(i, 1, bytes)? };
                self.write_vector(i, &value, element)?;
            }
            M::Movd | M::Vmovd | M::Movq | M::Vmovq | M::Vmovsd | M::Vmovss if i.op_count() == 2 => {
                let one = if matches!(i.mnemonic(), M::Movd | M::Vmovd | M::Vmovss) { 4 } else { 8 };
                // Some instructions for elements of 64 bits have the same mnemonic as those for 32 bits.
                let one = if (0..2).any(|n| i.op_kind(n) == OpKind::Register && i.op_register(n).is_gpr64()) {
                    8
                } else {
                    one
                };
                let value = self.lowest(i, 1, one)?;
                let to_vector = i.op_kind(0) == OpKind::Register && i.op_register(0).is_vector_register();
                if to_vector {
                    let vector = elements(&value, one, (0..16 / one).map(|n| (n == 0).then_some(0)));
                    self.write_vector(i, &vector, element)?;
                } else {
                    self.write(i, &value)?;
                }
            }
            M::Vmovlps
            | M::Vmovhps
            | M::Movlps
            | M::Movhps
            | M::Vmovlpd
            | M::Vmovhpd
            | M::Movlpd
            | M::Movhpd => {
                let high = format!("{:?}", i.mnemonic()).to_lowercase().contains("movh");
                if i.op_kind(0) == OpKind::Memory {
                    let from = self.get(i.op_register(1))?;
                    let value = elements(&from, 8, [Some(usize::from(high))]);
                    self.write(i, &value)?;
                } else {
                    let last = i.op_count() - 1;
                    let kept = self.get(i.op_register(last - 1))?;
                    let both = [kept[..16 / width()].to_vec(), self.read(i, last, 8)?].concat();
                    let value =
                        elements(&both, 8, if high { [Some(0), Some(2)] } else { [Some(2), Some(1)] });
                    self.write_vector(i, &value, element)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Loads the elements that the mask selects, without reading the memory of the others, which become zero.
    fn chosen(&mut self, i: &Instruction, bytes: usize, element: usize) -> Done<Cells> {
        let (at, count) = (self.address(i, 1)?, bytes / element);
        if needs_alignment(i, bytes) && !at.is_multiple_of(bytes as u64) {
            return fault("an unaligned load");
        }
        let mask = self.mask(i.op_mask(), count)?;
        let mut value = alloc::vec![zero(); bytes / width()];
        for (n, value) in value.chunks_exact_mut(element / width()).enumerate() {
            if mask >> n & 1 == 1 {
                value.copy_from_slice(&self.load(at + (n * element) as u64, element)?);
            }
        }
        Ok(value)
    }

    /// Returns the lowest bytes of a register, or this number of bytes of memory.
    pub(super) fn lowest(&mut self, i: &Instruction, operand: u32, bytes: usize) -> Done<Cells> {
        if i.op_kind(operand) == OpKind::Memory {
            let at = self.address(i, operand)?;
            return self.load(at, bytes);
        }
        let cells = self.get(i.op_register(operand))?;
        Ok(gathered(&cells, &(0..bytes).map(Some).collect::<Vec<_>>()))
    }

    /// Returns the lowest bits of a mask, one for each element. They must be known; the bits above them needn't be.
    pub(super) fn mask(&self, register: Register, elements: usize) -> Done<u64> {
        let lowest = self.masks[register.number()] & Word::constant(u64::MAX >> (64 - elements));
        lowest.number().map_or_else(|| fault("an unknown mask"), Ok)
    }

    /// Instructions between masks, each of which is one cell.
    fn between_masks(&mut self, i: &Instruction) -> Done<bool> {
        let length = match i.mnemonic() {
            M::Kmovb | M::Korb => 8,
            M::Kmovw | M::Kshiftlw | M::Kshiftrw | M::Korw => 16,
            M::Kmovd | M::Kord => 32,
            _ => return Ok(false),
        };
        let is_mask = |n: u32| i.op_kind(n) == OpKind::Register && i.op_register(n).is_k();
        let ones = Word::constant(u64::MAX >> (64 - length));
        let read = |machine: &mut Self, n: u32| -> Done<Word> {
            if is_mask(n) {
                return Ok(machine.masks[i.op_register(n).number()]);
            }
            Ok(machine.read(i, n, Self::size(i, n))?[0])
        };
        let distance = || u32::from(i.immediate8()).min(length);
        let value = match i.mnemonic() {
            M::Kshiftlw => moved_left(&[read(self, 1)?], distance())[0],
            M::Kshiftrw => moved_right(&[read(self, 1)? & ones], distance(), false)[0],
            M::Korb | M::Korw | M::Kord => read(self, 1)? | read(self, 2)?,
            _ => read(self, 1)?,
        } & ones;
        if is_mask(0) {
            self.masks[i.op_register(0).number()] = value;
        } else {
            self.write(i, &[value])?;
        }
        Ok(true)
    }
}

/// Joins elements of half a cell, each of which is in a separate cell.
fn joined(all: &[Word], element: usize) -> Cells {
    if element >= width() {
        return all.to_vec();
    }
    let per = width() / element;
    let count = all.len();
    elements(all, element, (0..count).map(|n| Some(n * per)))
}
