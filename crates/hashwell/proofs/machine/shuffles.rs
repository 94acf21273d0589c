//! Instructions that only move elements of vectors.

use super::cells::{Cells, elements, gathered, number, width};
use super::state::{Done, Machine, fault, unmodelled};
use super::vectors::element;
use crate::internal::vector::symbol::Word;
use alloc::format;
use alloc::vec::Vec;
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

impl Machine<'_> {
    /// Shuffles inside each 128-bit part.
    pub(super) fn shuffles(&mut self, i: &Instruction, bytes: usize) -> Done<bool> {
        let element = element(i.mnemonic());
        let imm = || usize::from(i.immediate8());
        let parts = bytes / 16;
        // Returns the places of elements of this size, where `of` gives the source and place for part p and its element
        // n. The places of the second source follow those of the first.
        let in_parts = |size: usize, of: &dyn Fn(usize) -> (usize, usize)| -> Vec<Option<usize>> {
            let count = 16 / size;
            let place = |p: usize, n: usize| {
                let (source, n) = of(n);
                Some(source * parts * count + p * count + n)
            };
            (0..parts).flat_map(|p| (0..count).map(move |n| (p, n))).map(|(p, n)| place(p, n)).collect()
        };
        let (size, places) = match i.mnemonic() {
            M::Pshufd | M::Vpshufd => {
                let from = self.read(i, 1, bytes)?;
                let value = elements(&from, 4, in_parts(4, &|n| (0, imm() >> (2 * n) & 3)));
                self.write_vector(i, &value, element)?;
                return Ok(true);
            }
            M::Pshufb | M::Vpshufb => {
                let (from, order) = self.sources(i, bytes)?;
                let mut places = Vec::new();
                for n in 0..bytes {
                    let Some(place) = number(&elements(&order, 1, [Some(n)])) else {
                        return fault("an unknown order of bytes");
                    };
                    places.push((place & 0x80 == 0).then_some(n / 16 * 16 + (place & 15) as usize));
                }
                self.write_vector(i, &gathered(&from, &places), 1)?;
                return Ok(true);
            }
            M::Palignr | M::Vpalignr => {
                let (high, low) = self.sources(i, bytes)?;
                let place = |n: usize| match n % 16 + imm() {
                    at @ 0..16 => Some(n / 16 * 16 + at),
                    at @ 16..32 => Some(bytes + n / 16 * 16 + at - 16),
                    _ => None,
                };
                let value = gathered(&[low, high].concat(), &(0..bytes).map(place).collect::<Vec<_>>());
                self.write_vector(i, &value, 1)?;
                return Ok(true);
            }
            M::Pslldq | M::Vpslldq | M::Psrldq | M::Vpsrldq => {
                let last = i.op_count() - 1;
                let from = self.read(i, last - 1, bytes)?;
                let left = matches!(i.mnemonic(), M::Pslldq | M::Vpslldq);
                let place = |n: usize| {
                    let within = if left {
                        (n % 16).checked_sub(imm())
                    } else {
                        Some(n % 16 + imm()).filter(|n| *n < 16)
                    };
                    within.map(|within| n / 16 * 16 + within)
                };
                let value = gathered(&from, &(0..bytes).map(place).collect::<Vec<_>>());
                self.write_vector(i, &value, 1)?;
                return Ok(true);
            }
            M::Shufps | M::Vshufps => (4, in_parts(4, &|n| (n / 2, imm() >> (2 * n) & 3))),
            M::Punpckldq | M::Vpunpckldq | M::Unpcklps | M::Vunpcklps => {
                (4, in_parts(4, &|n| (n % 2, n / 2)))
            }
            M::Punpckhdq | M::Vpunpckhdq | M::Unpckhps | M::Vunpckhps => {
                (4, in_parts(4, &|n| (n % 2, 2 + n / 2)))
            }
            M::Punpcklqdq | M::Vpunpcklqdq | M::Unpcklpd | M::Vunpcklpd | M::Movlhps | M::Vmovlhps => {
                (8, in_parts(8, &|n| (n, 0)))
            }
            M::Punpckhqdq | M::Vpunpckhqdq | M::Unpckhpd | M::Vunpckhpd => (8, in_parts(8, &|n| (n, 1))),
            M::Movhlps | M::Vmovhlps => (8, in_parts(8, &|n| (1 - n, 1))),
            M::Pblendw | M::Vpblendw => (2, in_parts(2, &|n| (imm() >> n & 1, n))),
            M::Blendps | M::Vblendps | M::Vpblendd => {
                let count = 4 * parts;
                (4, (0..count).map(|n| Some((imm() >> n & 1) * count + n)).collect())
            }
            M::Vpblendmd | M::Vpblendmq | M::Vblendmps | M::Vblendmpd => {
                // The mask selects the second source. Without a mask, or with zeroing, the instruction is not modelled.
                let (a, b) = self.sources(i, bytes)?;
                if i.zeroing_masking() || !i.has_op_mask() {
                    return unmodelled(format!("{i}"));
                }
                let count = bytes / element;
                let mask = self.mask(i.op_mask(), count)?;
                let value = elements(
                    &[a, b].concat(),
                    element,
                    (0..count).map(|n| Some((mask >> n & 1) as usize * count + n)),
                );
                return self.write_unmasked(i, &value).map(|()| true);
            }
            _ => return Ok(false),
        };
        let (a, b) = self.sources(i, bytes)?;
        let value = elements(&[a, b].concat(), size, places);
        self.write_vector(i, &value, element)?;
        Ok(true)
    }

    fn write_unmasked(&mut self, i: &Instruction, value: &[Word]) -> Done<()> {
        let mut plain = *i;
        plain.set_op_mask(Register::None);
        self.write_vector(&plain, value, 4)
    }

    /// Shuffles across 128-bit parts, and instructions on single elements.
    pub(super) fn between(&mut self, i: &Instruction, bytes: usize) -> Done<bool> {
        let own = element(i.mnemonic());
        let imm = || usize::from(i.immediate8());
        let value = match i.mnemonic() {
            M::Vpermq | M::Vpermpd if i.op_kind(2) == OpKind::Immediate8 => {
                let from = self.read(i, 1, bytes)?;
                elements(&from, 8, (0..bytes / 8).map(|n| Some(n / 4 * 4 + (imm() >> (2 * (n % 4)) & 3))))
            }
            M::Vpermq | M::Vpermpd => {
                let (order, from) = self.sources(i, bytes)?;
                let mut places = Vec::new();
                for n in 0..bytes / 8 {
                    let Some(place) = number(&elements(&order, 8, [Some(n)])) else {
                        return fault("an unknown order of words");
                    };
                    places.push(Some(place as usize % (bytes / 8)));
                }
                elements(&from, 8, places)
            }
            M::Vperm2i128 | M::Vperm2f128 => {
                let (a, b) = self.sources(i, 32)?;
                let half = |n: usize| {
                    let control = imm() >> (4 * n);
                    (control & 8 == 0).then_some(control & 3)
                };
                elements(&[a, b].concat(), 16, [half(0), half(1)])
            }
            M::Vshufi64x2 | M::Vshufi32x4 | M::Vshuff64x2 | M::Vshuff32x4 => {
                let (a, b) = self.sources(i, bytes)?;
                let (parts, each) = (bytes / 16, if bytes == 64 { 2 } else { 1 });
                let place = |n: usize| n / (parts / 2) * parts + (imm() >> (each * n) & (parts - 1));
                elements(&[a, b].concat(), 16, (0..parts).map(|n| Some(place(n))))
            }
            M::Vinserti128
            | M::Vinsertf128
            | M::Vinserti32x4
            | M::Vinsertf32x4
            | M::Vinserti64x4
            | M::Vinsertf64x4
            | M::Vinserti64x2
            | M::Vinsertf64x2 => {
                let size = if matches!(i.mnemonic(), M::Vinserti64x4 | M::Vinsertf64x4) { 32 } else { 16 };
                let both = [self.read(i, 1, bytes)?, self.read(i, 2, size)?].concat();
                let (count, to) = (bytes / size, imm() % (bytes / size));
                elements(&both, size, (0..count).map(|n| Some(if n == to { count } else { n })))
            }
            M::Vextracti128
            | M::Vextractf128
            | M::Vextracti32x4
            | M::Vextractf32x4
            | M::Vextracti64x4
            | M::Vextractf64x4
            | M::Vextracti64x2
            | M::Vextractf64x2 => {
                let from = self.get(i.op_register(1))?;
                let count = from.len() * width() / bytes;
                elements(&from, bytes, [Some(imm() % count)])
            }
            M::Vbroadcastss | M::Vpbroadcastd => self.repeated(i, bytes, 4)?,
            M::Vbroadcastsd | M::Vpbroadcastq | M::Movddup | M::Vmovddup
                if !matches!(i.mnemonic(), M::Movddup | M::Vmovddup) || bytes == 16 =>
            {
                self.repeated(i, bytes, 8)?
            }
            M::Vbroadcasti128
            | M::Vbroadcastf128
            | M::Vbroadcasti32x4
            | M::Vbroadcastf32x4
            | M::Vbroadcasti64x2
            | M::Vbroadcastf64x2 => self.repeated(i, bytes, 16)?,
            M::Vbroadcasti64x4 | M::Vbroadcastf64x4 => self.repeated(i, bytes, 32)?,
            M::Valignq | M::Valignd => {
                let (high, low) = self.sources(i, bytes)?;
                let count = bytes / own;
                let shift = imm() % count;
                elements(&[low, high].concat(), own, (0..count).map(|n| Some(n + shift)))
            }
            M::Pinsrb | M::Vpinsrb | M::Pinsrd | M::Vpinsrd | M::Pinsrq | M::Vpinsrq => {
                let size = match i.mnemonic() {
                    M::Pinsrb | M::Vpinsrb => 1,
                    M::Pinsrd | M::Vpinsrd => 4,
                    _ => 8,
                };
                let last = i.op_count() - 2;
                let kept = self.get(i.op_register(last - 1))?[..16 / width()].to_vec();
                let both = [kept, self.lowest(i, last, size)?].concat();
                let (count, to) = (16 / size, imm() % (16 / size));
                elements(&both, size, (0..count).map(|n| Some(if n == to { count } else { n })))
            }
            M::Insertps | M::Vinsertps => {
                let last = i.op_count() - 2;
                let kept = self.get(i.op_register(last - 1))?[..16 / width()].to_vec();
                let memory = i.op_kind(last) == OpKind::Memory;
                let (one, from) = if memory {
                    (self.lowest(i, last, 4)?, 0)
                } else {
                    (self.get(i.op_register(last))?[..16 / width()].to_vec(), imm() >> 6)
                };
                let to = imm() >> 4 & 3;
                let place = |n: usize| {
                    if imm() >> n & 1 == 1 { None } else { Some(if n == to { 4 + from } else { n }) }
                };
                elements(&[kept, one].concat(), 4, (0..4).map(place))
            }
            M::Pextrd | M::Vpextrd | M::Pextrq | M::Vpextrq => {
                let size = if matches!(i.mnemonic(), M::Pextrd | M::Vpextrd) { 4 } else { 8 };
                let from = self.get(i.op_register(1))?;
                let value = elements(&from, size, [Some(imm() % (16 / size))]);
                return self.write(i, &value).map(|()| true);
            }
            _ => return Ok(false),
        };
        self.write_vector(i, &value, own)?;
        Ok(true)
    }

    /// Repeats the lowest element of the second operand in the whole vector.
    fn repeated(&mut self, i: &Instruction, bytes: usize, element: usize) -> Done<Cells> {
        let one = self.lowest(i, 1, element)?;
        Ok(elements(&one, element, (0..bytes / element).map(|_| Some(0))))
    }
}
