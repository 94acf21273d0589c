//! The state of the machine, which consists of registers and memory, and the execution of one call.

use super::cells::{Cells, elements, gathered, number, of_number, width, zero};
use super::image::Image;
use crate::internal::vector::symbol::{Slot, Word};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use iced_x86::{Code, Decoder, DecoderOptions, EncodingKind, Instruction, MemorySize, OpKind, Register};
use rustc_hash::FxHashMap;

/// The reason why a run ended early.
#[derive(Clone, Debug)]
pub(crate) enum Trap {
    /// Something that no kernel may do: the CPU would raise an exception, or the contract forbids it.
    Fault(String),
    /// An instruction that is not modelled, or not for these operands.
    Unmodelled(String),
}

impl Trap {
    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Fault(why) | Self::Unmodelled(why) => why,
        }
    }
}

pub(super) type Done<T> = Result<T, Trap>;

pub(super) fn fault<T>(what: impl Into<String>) -> Done<T> {
    Err(Trap::Fault(what.into()))
}

pub(super) fn unmodelled<T>(what: impl Into<String>) -> Done<T> {
    Err(Trap::Unmodelled(what.into()))
}

/// A bit of the machine code that is flipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) at: u64,
    pub(crate) bit: u32,
}

/// The flags. `None` means that a flag is unknown or undefined.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    pub(super) carry: Option<bool>,
    pub(super) parity: Option<bool>,
    pub(super) zero: Option<bool>,
    pub(super) sign: Option<bool>,
    pub(super) overflow: Option<bool>,
}

const STACK: Range<u64> = 0x1000_0000_0000..0x1000_0010_0000;
/// The registers that a function must preserve, in addition to the stack pointer.
const KEPT: [usize; 6] = [3, 5, 12, 13, 14, 15];
/// The return address of the call.
const HOME: u64 = 0x1100_0000_0000;
/// The end of the address space of programs.
const NOWHERE: u64 = 1 << 47;
/// A limit on the number of instructions. No kernel needs as many for the blocks of a proof.
const LONGEST: usize = 100_000;

#[derive(Clone)]
pub(crate) struct Machine<'a> {
    image: &'a Image,
    change: Option<Change>,
    pub(super) general: [[Word; 2]; 16],
    pub(super) vectors: [[Word; 16]; 32],
    pub(super) masks: [Word; 8],
    pub(super) flags: Flags,
    /// The cells of memory by address, which is a multiple of a cell's size.
    pub(super) memory: FxHashMap<u64, Word>,
    pub(super) writable: Vec<Range<u64>>,
    decoded: BTreeMap<u64, Instruction>,
    next: u64,
}

fn registers<const N: usize>() -> [Word; N] {
    core::array::from_fn(|_| Word::unknown())
}

impl<'a> Machine<'a> {
    /// Creates a machine whose registers contain unknown words.
    pub(crate) fn new(image: &'a Image, change: Option<Change>) -> Self {
        Self {
            image,
            change,
            general: core::array::from_fn(|_| registers()),
            vectors: core::array::from_fn(|_| registers()),
            masks: registers(),
            flags: Flags::default(),
            memory: FxHashMap::default(),
            writable: Vec::new(),
            decoded: BTreeMap::new(),
            next: 0,
        }
    }

    /// Lends memory that contains handles, and returns its address. Slots without a handle may not be read.
    pub(crate) fn lend<W: Slot>(&mut self, words: &[W]) -> u64 {
        let start = words.as_ptr() as u64;
        assert!(size_of::<W>() == width() && start.is_multiple_of(width() as u64));
        for (i, word) in words.iter().enumerate() {
            if let Some(word) = word.word_if_any() {
                self.memory.insert(start + (i * width()) as u64, word);
            }
        }
        start
    }

    /// Lends memory that contains handles, for reading and writing.
    pub(crate) fn lend_mut<W: Slot>(&mut self, words: &mut [W]) -> u64 {
        let start = self.lend(words);
        self.writable.push(start..start + size_of_val(words) as u64);
        start
    }

    /// Lends memory that contains numbers, at an address that is a multiple of eight.
    pub(crate) fn lend_numbers(&mut self, at: u64, numbers: &[u64]) {
        for (i, value) in numbers.iter().enumerate() {
            for (j, cell) in of_number(*value, 8).into_iter().enumerate() {
                self.memory.insert(at + (8 * i + j * width()) as u64, cell);
            }
        }
    }

    /// Copies back the words that the call left in lent memory.
    pub(crate) fn take_back<W: Slot>(&self, words: &mut [W]) {
        let start = words.as_ptr() as u64;
        for (i, word) in words.iter_mut().enumerate() {
            if let Some(written) = self.memory.get(&(start + (i * width()) as u64)) {
                *word = W::holding(*written);
            }
        }
    }

    /// Returns the executed instructions in the order of their addresses.
    pub(crate) fn decoded(&self) -> impl Iterator<Item = &Instruction> {
        self.decoded.values()
    }

    /// Calls a function with its arguments in registers, by the System V convention, which Rust also uses for numbers
    /// and pointers. Asserts that the function preserves what the convention demands.
    pub(crate) fn call(&mut self, function: u64, arguments: &[u64]) -> Done<()> {
        const ARGUMENTS: [Register; 6] =
            [Register::RDI, Register::RSI, Register::RDX, Register::RCX, Register::R8, Register::R9];
        assert!(arguments.len() <= ARGUMENTS.len());
        for (register, value) in ARGUMENTS.into_iter().zip(arguments) {
            self.set(register, &of_number(*value, 8));
        }
        // The caller's frame is not lent, because all arguments are in registers.
        self.set(Register::RSP, &of_number(STACK.end, 8));
        let before = self.general;
        self.push(&of_number(HOME, 8))?;
        self.next = function;
        for _ in 0..LONGEST {
            if self.next == HOME {
                let kept = KEPT
                    .iter()
                    .chain(&[Register::RSP.number()])
                    .all(|i| self.general[*i][..8 / width()] == before[*i][..8 / width()]);
                return if kept { Ok(()) } else { fault("a callee-saved register was not restored") };
            }
            if let Some(name) = self.image.library(self.next) {
                self.library(name)?;
                continue;
            }
            let instruction = self.decode()?;
            self.next = instruction.next_ip();
            self.step(&instruction)?;
        }
        fault("the function does not end")
    }

    /// Executes one instruction that is not a jump, with the registers as they are.
    pub(super) fn step(&mut self, instruction: &Instruction) -> Done<()> {
        if self.scalar(instruction)? || self.vector(instruction)? || self.sha(instruction)? {
            return Ok(());
        }
        unmodelled(format!("{instruction}"))
    }

    pub(super) fn jump(&mut self, to: u64) {
        self.next = to;
    }

    fn decode(&mut self) -> Done<Instruction> {
        if let Some(found) = self.decoded.get(&self.next) {
            return Ok(*found);
        }
        let mut bytes = self.image.bytes(self.next, 15).to_vec();
        if let Some(Change { at, bit }) = self.change
            && let Some(byte) = at.checked_sub(self.next).and_then(|i| bytes.get_mut(i as usize))
        {
            *byte ^= 1 << bit;
        }
        let instruction = Decoder::with_ip(64, &bytes, self.next, DecoderOptions::NONE).decode();
        if instruction.is_invalid() || instruction.code() == Code::Int3 {
            return fault("the bytes are not an instruction");
        }
        self.decoded.insert(self.next, instruction);
        Ok(instruction)
    }

    /// Models `memcpy`, `memmove` and `memset`, which are in other libraries.
    fn library(&mut self, name: &str) -> Done<()> {
        let argument = |register| {
            self.get(register)
                .and_then(|cells| number(&cells).map_or_else(|| fault("an unknown argument"), Ok))
        };
        let (to, from, len) =
            (argument(Register::RDI)?, argument(Register::RSI)?, argument(Register::RDX)? as usize);
        if len > 0x1_0000 {
            return fault("a length that exceeds all lent memory");
        }
        let bytes = match name {
            "memcpy" if to < from + len as u64 && from < to + len as u64 => {
                return fault("memcpy of overlapping memory");
            }
            "memcpy" | "memmove" => self.load(from, len)?,
            "memset" => {
                let byte = of_number(from, 1);
                gathered(&byte, &alloc::vec![Some(0); len])
            }
            _ => return fault(format!("a call of {name}")),
        };
        self.store(to, len, &bytes)?;
        // The function may change every register that it doesn't have to preserve.
        for n in (0..16).filter(|n| !KEPT.contains(n) && *n != Register::RSP.number()) {
            self.general[n] = registers();
        }
        self.vectors = core::array::from_fn(|_| registers());
        self.masks = registers();
        self.flags = Flags::default();
        self.set(Register::RAX, &of_number(to, 8));
        self.next = self.pop()?;
        Ok(())
    }

    pub(super) fn push(&mut self, value: &[Word]) -> Done<()> {
        let at = self.stack_pointer()?.wrapping_sub(8);
        self.set(Register::RSP, &of_number(at, 8));
        self.store(at, 8, value)
    }

    pub(super) fn pop(&mut self) -> Done<u64> {
        let cells = self.pop_cells()?;
        number(&cells).map_or_else(|| fault("a return to an unknown place"), Ok)
    }

    pub(super) fn pop_cells(&mut self) -> Done<Cells> {
        let at = self.stack_pointer()?;
        self.set(Register::RSP, &of_number(at.wrapping_add(8), 8));
        self.load(at, 8)
    }

    fn stack_pointer(&self) -> Done<u64> {
        number(&self.get(Register::RSP)?).map_or_else(|| fault("an unknown stack"), Ok)
    }

    // ---------------------------------------------------------------- memory

    fn cell(&mut self, at: u64) -> Done<Word> {
        if let Some(word) = self.memory.get(&at) {
            return Ok(*word);
        }
        // Memory of the stack that was not written yet is unknown.
        if STACK.contains(&at) {
            let word = Word::unknown();
            self.memory.insert(at, word);
            return Ok(word);
        }
        let bytes = self.image.bytes(at, width());
        if bytes.len() < width() {
            return fault(format!("a load from {at:#x}, which was not lent"));
        }
        Ok(Word::constant(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))))
    }

    pub(super) fn load(&mut self, at: u64, bytes: usize) -> Done<Cells> {
        let width = width() as u64;
        if at >= NOWHERE {
            return fault(format!("a load from {at:#x}"));
        }
        if at.is_multiple_of(width) && bytes.is_multiple_of(width as usize) {
            return (0..bytes as u64 / width).map(|i| self.cell(at + i * width)).collect();
        }
        let start = at - at % width;
        let (offset, end) = ((at - start) as usize, at + bytes as u64);
        let cells: Cells =
            (start..end).step_by(width as usize).map(|at| self.cell(at)).collect::<Done<_>>()?;
        Ok(gathered(&cells, &(offset..offset + bytes).map(Some).collect::<Vec<_>>()))
    }

    pub(super) fn store(&mut self, at: u64, bytes: usize, value: &[Word]) -> Done<()> {
        let width = width() as u64;
        if at >= NOWHERE {
            return fault(format!("a store to {at:#x}"));
        }
        let end = at + bytes as u64;
        let inside = |lent: &Range<u64>| lent.start <= at && end <= lent.end;
        // Below the red zone, a signal handler can write at any time.
        let on_stack = inside(&STACK) && at + 128 >= self.stack_pointer()?;
        if !on_stack && !self.writable.iter().any(inside) {
            return fault(format!("a store to {at:#x}, which was not lent"));
        }
        if at.is_multiple_of(width) && bytes.is_multiple_of(width as usize) {
            for (i, word) in value.iter().enumerate() {
                self.memory.insert(at + i as u64 * width, *word);
            }
            return Ok(());
        }
        let start = at - at % width;
        let mut old: Cells =
            (start..end).step_by(width as usize).map(|at| self.cell(at)).collect::<Done<_>>()?;
        let (offset, before, cells) = ((at - start) as usize, old.len() * width as usize, old.len());
        old.extend_from_slice(value);
        let place = |i: usize| match i.checked_sub(offset).filter(|i| *i < bytes) {
            Some(i) => before + i,
            None => i,
        };
        let new = gathered(&old, &(0..before).map(|i| Some(place(i))).collect::<Vec<_>>());
        for (i, word) in new.into_iter().enumerate().take(cells) {
            self.memory.insert(start + i as u64 * width, word);
        }
        Ok(())
    }

    // ---------------------------------------------------------------- registers and operands

    /// Returns the value of a whole or partial register.
    pub(super) fn get(&self, register: Register) -> Done<Cells> {
        let size = register.size();
        if register.is_gpr() {
            let cells = &self.general[register.full_register().number()][..8 / width()];
            return match size {
                8 => Ok(cells.to_vec()),
                _ if high_byte(register) => unmodelled("a high byte"),
                size if size == width() => Ok(cells[..1].to_vec()),
                size => Ok(gathered(cells, &(0..size).map(Some).collect::<Vec<_>>())),
            };
        }
        if register.is_vector_register() {
            return Ok(self.vectors[register.number()][..size / width()].to_vec());
        }
        unmodelled(format!("register {register:?}"))
    }

    /// Writes a general register. A write of 32 bits clears the upper half.
    pub(super) fn set(&mut self, register: Register, value: &[Word]) {
        let to = &mut self.general[register.full_register().number()];
        let cells = 8 / width();
        match register.size() {
            8 => to[..cells].copy_from_slice(value),
            4 => {
                to[0] = value[0];
                to[1] = zero();
            }
            size => {
                let both = [&to[..cells], value].concat();
                let places: Vec<_> = (0..8).map(|i| Some(if i < size { 8 + i } else { i })).collect();
                to[..cells].copy_from_slice(&gathered(&both, &places));
            }
        }
    }

    pub(super) fn address(&self, instruction: &Instruction, operand: u32) -> Done<u64> {
        let value = |register: Register, _, _| match register {
            Register::RIP | Register::DS | Register::SS | Register::ES | Register::CS => Some(0),
            register => number(&self.get(register).ok()?),
        };
        let at = instruction.virtual_address(operand, 0, value);
        at.map_or_else(|| fault(format!("an unknown address: {instruction}")), Ok)
    }

    /// Returns the size of an operand in bytes.
    pub(super) fn size(instruction: &Instruction, operand: u32) -> usize {
        match instruction.op_kind(operand) {
            OpKind::Register => instruction.op_register(operand).size(),
            OpKind::Memory => instruction.memory_size().size(),
            _ => 8,
        }
    }

    /// Returns an operand with this number of bytes. If the instruction broadcasts an element of memory, the element is
    /// repeated.
    pub(super) fn read(&mut self, instruction: &Instruction, operand: u32, bytes: usize) -> Done<Cells> {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                let cells = self.get(instruction.op_register(operand))?;
                match cells.get(..bytes.div_ceil(width())) {
                    Some(cells) => Ok(cells.to_vec()),
                    None => unmodelled(format!("{instruction}")),
                }
            }
            OpKind::Memory => {
                let at = self.address(instruction, operand)?;
                if instruction.is_broadcast() {
                    let element = instruction.memory_size().element_size();
                    let one = self.load(at, element)?;
                    return Ok(elements(&one, element, (0..bytes / element).map(|_| Some(0))));
                }
                if needs_alignment(instruction, bytes) && !at.is_multiple_of(bytes as u64) {
                    return fault("an unaligned load");
                }
                self.load(at, bytes)
            }
            _ => match instruction.try_immediate(operand) {
                Ok(value) => Ok(of_number(value, bytes)),
                Err(_) => unmodelled(format!("{instruction}")),
            },
        }
    }

    /// Writes the first operand, which is a general register or memory.
    pub(super) fn write(&mut self, instruction: &Instruction, value: &[Word]) -> Done<()> {
        match instruction.op_kind(0) {
            OpKind::Register if high_byte(instruction.op_register(0)) => unmodelled("a high byte"),
            OpKind::Register => {
                self.set(instruction.op_register(0), value);
                Ok(())
            }
            _ => {
                let at = self.address(instruction, 0)?;
                self.store(at, instruction.memory_size().size(), value)
            }
        }
    }

    /// Writes a vector to the first operand, under the instruction's mask, which has one bit for each element of this
    /// size in bytes. The bits above the vector are cleared, except by instructions with legacy SSE encoding, which
    /// leave them unchanged.
    pub(super) fn write_vector(
        &mut self,
        instruction: &Instruction,
        value: &[Word],
        element: usize,
    ) -> Done<()> {
        let bytes = value.len() * width();
        let mut value = value.to_vec();
        if instruction.has_op_mask() {
            if instruction.op_kind(0) != OpKind::Register {
                return unmodelled("a masked store");
            }
            let old = self.get(instruction.op_register(0))?[..value.len()].to_vec();
            let count = bytes / element;
            let mask = self.mask(instruction.op_mask(), count)?;
            let place = |i: usize| match mask >> i & 1 {
                1 => Some(count + i),
                _ => (!instruction.zeroing_masking()).then_some(i),
            };
            value = elements(&[old, value].concat(), element, (0..count).map(place));
        }
        if instruction.op_kind(0) == OpKind::Register {
            let to = &mut self.vectors[instruction.op_register(0).number()];
            if instruction.code().encoding() != EncodingKind::Legacy {
                to.fill(zero());
            }
            to[..value.len()].copy_from_slice(&value);
            return Ok(());
        }
        let at = self.address(instruction, 0)?;
        if needs_alignment(instruction, bytes) && !at.is_multiple_of(bytes as u64) {
            return fault("an unaligned store");
        }
        self.store(at, bytes, &value)
    }
}

fn high_byte(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

/// Returns true if an operand in memory must be aligned to its size.
pub(super) fn needs_alignment(instruction: &Instruction, bytes: usize) -> bool {
    use iced_x86::Mnemonic as M;
    match instruction.mnemonic() {
        M::Movdqu | M::Movups | M::Movd | M::Movq => false,
        M::Vmovdqa | M::Vmovaps | M::Vmovdqa32 | M::Vmovdqa64 => true,
        _ => {
            instruction.code().encoding() == EncodingKind::Legacy
                && bytes == 16
                && instruction.memory_size() != MemorySize::Unknown
        }
    }
}

/// Tests loads and stores of 1 to 64 bytes at all offsets: bytes are copied to the right place, and all others stay
/// unchanged.
#[test]
fn bytes_are_loaded_and_stored_at_any_place() {
    use crate::internal::vector::symbol::fresh;
    const AT: u64 = 0x4000_0000_0000;
    let bytes_of = |cells: &[Word]| -> Vec<u8> {
        let cell = |value: u64| value.to_le_bytes()[..width()].to_vec();
        let numbers = cells.iter().map(|word| word.number().expect("a known number"));
        numbers.flat_map(cell).collect()
    };
    let numbers: [u64; 12] =
        core::array::from_fn(|i| 0x0706_0504_0302_0100 + 0x0808_0808_0808_0808 * i as u64);
    let before: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let image = Image::empty();
    for (bits, offset, len) in [32, 64]
        .into_iter()
        .flat_map(|bits| (0..16).flat_map(move |offset| (1..=64).map(move |len| (bits, offset, len))))
    {
        fresh(bits);
        let mut machine = Machine::new(&image, None);
        machine.lend_numbers(AT, &numbers);
        machine.writable.push(AT..AT + 96);
        let cells = machine.load(AT + offset, len).unwrap();
        let mut loaded = bytes_of(&cells);
        assert_eq!(loaded.split_off(len), alloc::vec![0; loaded.len().next_multiple_of(width()) - len]);
        assert_eq!(loaded, before[offset as usize..][..len], "{bits}: {len} bytes from {offset}");
        // Store them at an unaligned address.
        machine.store(AT + 19, len, &cells).unwrap();
        let mut after = before.clone();
        after[19..19 + len].copy_from_slice(&loaded);
        assert_eq!(bytes_of(&machine.load(AT, 96).unwrap()), after, "{bits}: {len} bytes to 19");
    }
}
