//! What is said of an instruction, compared with what the processor does: on random operands, unknown words and numbers.

use super::Image;
use super::cells::width;
use super::processor::{Page, Registers, has_all, has_sha512};
use super::state::{Flags, Machine};
use crate::ground::vector::symbol::random::Random;
use crate::ground::vector::symbol::{Word, fresh, values};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::UnsafeCell;
use iced_x86::{
    CpuidFeature, Decoder, DecoderOptions, Encoder, FlowControl, Instruction, InstructionInfoFactory,
    Mnemonic, OpKind, Register,
};

/// How many kinds of instructions were compared, and with how many operands each.
pub(crate) struct Compared {
    pub(crate) kinds: usize,
    pub(crate) mnemonics: usize,
    pub(crate) trials: usize,
    /// Those that are no computation: control flow and the stack's.
    pub(crate) others: Vec<String>,
    /// Those that this processor lacks, though it has all others.
    pub(crate) lacking: Vec<String>,
}

/// Often a number at which carries and signs turn.
fn operand(random: &mut Random) -> u64 {
    let any = random.next();
    match any % 8 {
        0 => 0,
        1 => u64::MAX,
        2 => random.next() % 200,
        3 => (random.next() % 200).wrapping_neg(),
        4 => 1 << (random.next() % 64),
        _ => random.next(),
    }
}

/// An instruction's kind: what decides what it does, but for which registers and which memory it takes.
fn kind(i: &Instruction) -> String {
    let registers: Vec<Register> = (0..i.op_count())
        .filter(|n| i.op_kind(*n) == OpKind::Register)
        .map(|n| i.op_register(n).full_register())
        .collect();
    let same = |register: &Register| registers.iter().position(|other| other == register);
    let same: Vec<_> = registers.iter().map(same).collect();
    let immediate = (0..i.op_count()).find(|n| i.op_kind(*n) == OpKind::Immediate8).map(|_| i.immediate8());
    let mask = (i.has_op_mask(), i.zeroing_masking(), i.is_broadcast());
    // An address that is computed is the instruction itself.
    let sum = (i.mnemonic() == Mnemonic::Lea).then(|| {
        let there = |register: Register| (register != Register::None, register.size());
        let displacement = i.memory_displacement64() != 0;
        (there(i.memory_base()), there(i.memory_index()), i.memory_index_scale(), displacement)
    });
    format!("{:?} {same:?} {immediate:?} {mask:?} {sum:?}", i.code())
}

/// Whether an instruction gives a place in the program, which is no computation either.
fn is_of_program(i: &Instruction) -> bool {
    i.mnemonic() == Mnemonic::Lea && i.is_ip_rel_memory_operand()
}

/// Compares each kind of these instructions, in words of so many bits, with the processor, on so many random operands; none if
/// the processor lacks what they need.
pub(crate) fn compare(
    bits: u32,
    instructions: &[Instruction],
    trials: usize,
    image: &Image,
) -> Option<Compared> {
    if !has_all() {
        return None;
    }
    let mut result = Compared { kinds: 0, mnemonics: 0, trials: 0, others: Vec::new(), lacking: Vec::new() };
    let (mut seen, mut mnemonics, mut others) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut lacking = BTreeSet::new();
    let mut random = Random::new();
    for instruction in instructions.iter().filter(|instruction| seen.insert(kind(instruction))) {
        let mnemonic = instruction.mnemonic();
        let stack = matches!(mnemonic, Mnemonic::Push | Mnemonic::Pop);
        let control = instruction.flow_control() != FlowControl::Next;
        if control || stack || mnemonic == Mnemonic::Nop || is_of_program(instruction) {
            others.insert(format!("{mnemonic:?}").to_lowercase());
            continue;
        }
        if instruction.cpuid_features().contains(&CpuidFeature::SHA512) && !has_sha512() {
            lacking.insert(format!("{mnemonic:?}").to_lowercase());
            continue;
        }
        let mut trial = Trial::new(instruction);
        result.trials += trial.run(bits, trials, &mut random, image);
        result.kinds += 1;
        mnemonics.insert(format!("{mnemonic:?}"));
    }
    result.mnemonics = mnemonics.len();
    result.others = others.into_iter().collect();
    result.lacking = lacking.into_iter().collect();
    Some(result)
}

/// Memory that an instruction reads and writes, and the compiler knows nothing of that.
#[repr(align(64))]
struct Memory(UnsafeCell<[u64; 8]>);

struct Trial {
    instruction: Instruction,
    page: Page,
    memory: Box<Memory>,
    /// The register that is its address.
    pointer: Option<Register>,
    /// Registers that it reads.
    operands: Vec<Register>,
}

/// Operands of one trial.
struct Before {
    registers: Registers,
    memory: [u64; 8],
}

/// Where a cell is.
#[derive(Clone, Copy)]
enum Place {
    General(usize, usize),
    Vector(usize, usize),
    Mask(usize),
    Memory(usize),
}

impl Trial {
    /// The same instruction with its memory at a register's address, and with another register for the stack's.
    fn new(instruction: &Instruction) -> Self {
        let mut i = *instruction;
        let operands: Vec<Register> = (0..i.op_count())
            .filter(|n| i.op_kind(*n) == OpKind::Register)
            .map(|n| i.op_register(n).full_register())
            .collect();
        let address = [i.memory_base().full_register(), i.memory_index().full_register()];
        let mut free = [Register::RBX, Register::RBP, Register::RSI, Register::R9, Register::R11]
            .into_iter()
            .filter(|register| !operands.contains(register) && !address.contains(register));
        let other = free.next().expect("a register that it does not take");
        for n in 0..i.op_count() {
            if i.op_kind(n) == OpKind::Register && i.op_register(n).full_register() == Register::RSP {
                let narrow = if i.op_register(n).size() == 8 { other } else { other.full_register32() };
                i.set_op_register(n, narrow);
            }
        }
        let mut pointer = None;
        let has_memory = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
        if i.mnemonic() == Mnemonic::Lea {
            // The sum is compared as it is.
            if address[0] == Register::RSP {
                i.set_memory_base(free.next().expect("another"));
            }
        } else if has_memory {
            let base = free.next().expect("another");
            i.set_memory_base(base);
            i.set_memory_index(Register::None);
            i.set_memory_index_scale(1);
            i.set_memory_displacement64(0);
            i.set_memory_displ_size(0);
            i.set_segment_prefix(Register::None);
            pointer = Some(base);
        }
        let mut encoder = Encoder::new(64);
        encoder.encode(&i, 0).unwrap_or_else(|error| panic!("{instruction}: {error}"));
        let bytes = encoder.take_buffer();
        let i = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE).decode();
        let mut info = InstructionInfoFactory::new();
        let used =
            info.info(&i).used_registers().iter().map(|used| used.register().full_register()).collect();
        Self {
            instruction: i,
            page: Page::new(&bytes),
            memory: Box::new(Memory(UnsafeCell::new([0; 8]))),
            pointer,
            operands: used,
        }
    }

    fn operands(&self, random: &mut Random) -> Before {
        let mut any = || operand(random);
        let mut registers = Registers {
            vectors: core::array::from_fn(|_| core::array::from_fn(|_| any())),
            general: core::array::from_fn(|_| any()),
            // No kernel has more elements than that.
            masks: core::array::from_fn(|_| any() & 0xffff),
            flags: any() & (CARRY | PARITY | ZERO | SIGN | OVERFLOW) | 2,
        };
        registers.general[Register::RSP.number()] = 0;
        if let Some(pointer) = self.pointer {
            registers.general[pointer.number()] = self.address();
        }
        Before { registers, memory: core::array::from_fn(|_| any()) }
    }

    fn address(&self) -> u64 {
        self.memory.0.get() as u64
    }

    /// Compares with as many operands as said at least a quarter of, and gives how many those were.
    fn run(&mut self, bits: u32, trials: usize, random: &mut Random, image: &Image) -> usize {
        const SHARED: usize = 16;
        let mut done = 0;
        // Where nothing but a mask need be known, one run says what the result is for all operands.
        for _ in 0..SHARED {
            let first = self.operands(random);
            let mut machine =
                self.prepared(bits, &first, |is_operand, is_mask| !is_operand || is_mask, image);
            let Ok(()) = machine.step(&self.instruction) else { break };
            for _ in 0..trials.div_ceil(SHARED) {
                let mut before = self.operands(random);
                before.registers.flags = first.registers.flags;
                before.registers.masks = first.registers.masks;
                self.compared(&machine, &before);
                done += 1;
            }
        }
        // A run for each, with unknown words in some places: flags and addresses are said of numbers alone.
        let all = if done > 0 { trials.div_ceil(5) } else { trials };
        let (mut tried, mut of_numbers) = (0, 0);
        while of_numbers < all && tried < 3 * all {
            let before = self.operands(random);
            let mut choices = random.next() | random.next() << 32;
            let whole = tried % 3 == 0;
            let mut known = |_, _| {
                choices = choices.rotate_left(1);
                whole || choices & 1 == 1
            };
            let mut machine = self.prepared(bits, &before, &mut known, image);
            tried += 1;
            if machine.step(&self.instruction).is_ok() {
                self.compared(&machine, &before);
                of_numbers += 1;
            }
        }
        done += of_numbers;
        assert!(4 * done >= trials, "{}: {done} of {tried}", self.instruction);
        done
    }

    /// A machine that holds the operands, as numbers where they are known: asked with whether the instruction's
    /// registers or memory have it, and whether it is a mask.
    fn prepared<'a>(
        &self,
        bits: u32,
        before: &Before,
        mut known: impl FnMut(bool, bool) -> bool,
        image: &'a Image,
    ) -> Machine<'a> {
        fresh(bits);
        let mut machine = Machine::new(image, None);
        for n in 0..64 / width() {
            let word = Word::unknown();
            machine.memory.insert(self.address() + (n * width()) as u64, word);
        }
        machine.writable.push(self.address()..self.address() + 64);
        for place in places() {
            let (register, is_mask) = match place {
                Place::General(n, _) => (general(n), false),
                Place::Vector(n, _) => (Register::ZMM0 + n as u32, false),
                Place::Mask(n) => (Register::K0 + n as u32, true),
                Place::Memory(_) => (Register::None, false),
            };
            let is_operand = matches!(place, Place::Memory(_)) || self.operands.contains(&register);
            let is_pointer = self.pointer == Some(register);
            // What the instruction does not take may stay unknown: it is compared all the same.
            if is_pointer || is_operand && known(is_operand, is_mask) {
                *self.cell(&mut machine, place) = Word::constant(before.value(place));
            }
        }
        let flag = |bit| Some(before.registers.flags & bit != 0);
        machine.flags = Flags {
            carry: flag(CARRY),
            parity: flag(PARITY),
            zero: flag(ZERO),
            sign: flag(SIGN),
            overflow: flag(OVERFLOW),
        };
        machine
    }

    fn cell<'m>(&self, machine: &'m mut Machine<'_>, place: Place) -> &'m mut Word {
        match place {
            Place::General(n, cell) => &mut machine.general[n][cell],
            Place::Vector(n, cell) => &mut machine.vectors[n][cell],
            Place::Mask(n) => &mut machine.masks[n],
            Place::Memory(cell) => {
                let at = self.address() + (cell * width()) as u64;
                machine.memory.get_mut(&at).expect("the memory was lent")
            }
        }
    }

    /// Asserts that the processor leaves what the machine has left, everywhere.
    fn compared(&mut self, machine: &Machine<'_>, before: &Before) {
        let (mut registers, memory) = (before.registers.clone(), self.memory.0.get());
        #[allow(unsafe_code)]
        // SAFETY: `has_all` was asked; control flow and the stack's instructions have been left out, and operands that the
        // machine refused, such as quotients that are none. Memory is 64 bytes at the one pointer, in a cell that nobody
        // else has a reference to.
        let memory = unsafe {
            memory.write(before.memory);
            self.page.run(&mut registers);
            memory.read()
        };
        let after = Before { registers, memory };
        let places: Vec<Place> = places().collect();
        let words: Vec<Word> = places.iter().map(|place| self.held(machine, *place)).collect();
        // In the order in which the words were made: with the second half of registers of one cell.
        let unknowns: Vec<u64> = made().map(|place| place.map_or(0, |place| before.value(place))).collect();
        for (place, said) in places.iter().zip(values(&words, &unknowns)) {
            let (is, i) = (after.value(*place), &self.instruction);
            let cell = place_name(*place);
            assert_eq!(said, is, "{i}: {cell}, which was {:#x}", before.value(*place));
        }
        for (bit, said) in [
            (CARRY, machine.flags.carry),
            (PARITY, machine.flags.parity),
            (ZERO, machine.flags.zero),
            (SIGN, machine.flags.sign),
            (OVERFLOW, machine.flags.overflow),
        ] {
            let is = after.registers.flags & bit != 0;
            assert!(said.is_none_or(|said| said == is), "{}: flag {bit:#x}", self.instruction);
        }
    }

    fn held(&self, machine: &Machine<'_>, place: Place) -> Word {
        match place {
            Place::General(n, cell) => machine.general[n][cell],
            Place::Vector(n, cell) => machine.vectors[n][cell],
            Place::Mask(n) => machine.masks[n],
            Place::Memory(cell) => machine.memory[&(self.address() + (cell * width()) as u64)],
        }
    }
}

const CARRY: u64 = 1;
const PARITY: u64 = 1 << 2;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;

fn general(n: usize) -> Register {
    Register::RAX + n as u32
}

/// All cells but the stack pointer's.
fn places() -> impl Iterator<Item = Place> {
    let cells = |of: usize| 0..of / width();
    let general = (0..16).filter(|n| *n != Register::RSP.number());
    let general = general.flat_map(move |n| cells(8).map(move |cell| Place::General(n, cell)));
    let vectors = (0..32).flat_map(move |n| cells(64).map(move |cell| Place::Vector(n, cell)));
    general.chain(vectors).chain((0..8).map(Place::Mask)).chain(cells(64).map(Place::Memory))
}

/// All cells that a new machine fills with unknown words, in that order, and the memory's.
fn made() -> impl Iterator<Item = Option<Place>> {
    let general =
        (0..16).flat_map(|n| (0..2).map(move |cell| (cell < 8 / width()).then_some(Place::General(n, cell))));
    let vectors = (0..32)
        .flat_map(|n| (0..16).map(move |cell| (cell < 64 / width()).then_some(Place::Vector(n, cell))));
    let masks = (0..8).map(|n| Some(Place::Mask(n)));
    general.chain(vectors).chain(masks).chain((0..64 / width()).map(|cell| Some(Place::Memory(cell))))
}

fn place_name(place: Place) -> String {
    match place {
        Place::General(n, cell) => format!("cell {cell} of {:?}", general(n)),
        Place::Vector(n, cell) => format!("cell {cell} of vector {n}"),
        Place::Mask(n) => format!("mask {n}"),
        Place::Memory(cell) => format!("cell {cell} of memory"),
    }
}

impl Before {
    fn value(&self, place: Place) -> u64 {
        let cell = |words: &[u64], cell: usize| match width() {
            8 => words[cell],
            _ => words[cell / 2] >> (32 * (cell % 2)) & 0xffff_ffff,
        };
        match place {
            Place::General(n, at) => cell(&self.registers.general[n..=n], at),
            Place::Vector(n, at) => cell(&self.registers.vectors[n], at),
            Place::Mask(n) => self.registers.masks[n],
            Place::Memory(at) => cell(&self.memory, at),
        }
    }
}

/// A comparison that cannot fail shows nothing: of two instructions, the one is said to do what the other does.
#[test]
fn what_is_wrong_is_noticed() {
    if !has_all() {
        std::println!("nothing compared, since this processor lacks instructions");
        return;
    }
    let image = Image::empty();
    let pairs: [(u32, &[u8], &[u8]); 10] = [
        (64, &[0x48, 0x8d, 0x04, 0x18], &[0x48, 0x8d, 0x04, 0x58]), // lea of a sum, of another multiple
        (32, &[0x8d, 0x44, 0x18, 0x05], &[0x8d, 0x44, 0x18, 0x06]), // lea with 5, with 6
        (64, &[0x48, 0x01, 0xd8], &[0x48, 0x29, 0xd8]),             // add, sub
        (32, &[0x48, 0x11, 0xd8], &[0x48, 0x01, 0xd8]),             // adc, add
        (32, &[0x83, 0xf8, 0x05], &[0x83, 0xf8, 0x06]),             // cmp with 5, with 6: flags alone
        (64, &[0xc4, 0xe3, 0xfb, 0xf0, 0xc3, 0x07], &[0xc4, 0xe3, 0xfb, 0xf0, 0xc3, 0x06]), // rorx by 7, by 6
        (32, &[0x0f, 0x38, 0xcc, 0xc1], &[0x0f, 0x38, 0xcd, 0xc1]), // sha256msg1, sha256msg2
        (32, &[0x0f, 0x3a, 0xcc, 0xc1, 0x01], &[0x0f, 0x3a, 0xcc, 0xc1, 0x03]), // sha1rnds4, other constants
        (32, &[0xc5, 0xf9, 0x6f, 0xc1], &[0x66, 0x0f, 0x6f, 0xc1]), // vmovdqa, movdqa: what is above
        (64, &[0xc5, 0xed, 0xfe, 0xc1], &[0xc5, 0xed, 0xd4, 0xc1]), // vpaddd, vpaddq
    ];
    for (bits, said, done) in pairs {
        let instruction = |bytes| Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
        let compared = |page: Option<&[u8]>| {
            let mut trial = Trial::new(&instruction(said));
            if let Some(bytes) = page {
                trial.page = Page::new(bytes);
            }
            trial.run(bits, 100, &mut Random::new(), &image)
        };
        assert!(compared(None) >= 25);
        let wrong = std::panic::catch_unwind(|| compared(Some(done)));
        assert!(wrong.is_err(), "{} passes for {}", instruction(done), instruction(said));
    }
}
