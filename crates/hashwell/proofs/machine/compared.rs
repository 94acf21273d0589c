//! Compares the model of an instruction with the CPU, on random operands that are partly symbolic and partly known
//! numbers.

use super::Image;
use super::processor::{FLAGS, GENERAL, LEN, MASKS, MEMORY, Page, STACK, State, has_all, has_sha512};
use super::state::{Flags, Machine};
use crate::internal::vector::symbol::random::Random;
use crate::internal::vector::symbol::{Computed, Word, forget, fresh, mark, unknowns};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use iced_x86::{
    CpuidFeature, Decoder, DecoderOptions, Encoder, FlowControl, Instruction, InstructionInfoFactory,
    Mnemonic, OpKind, Register,
};

/// The result of a comparison: the number of kinds of instructions and of trials.
pub(crate) struct Compared {
    pub(crate) kinds: usize,
    pub(crate) mnemonics: usize,
    pub(crate) trials: usize,
    /// The instructions that are not compared because they compute nothing: control flow and stack operations.
    pub(crate) others: Vec<String>,
    /// The instructions that this CPU lacks, although it has all others.
    pub(crate) lacking: Vec<String>,
}

/// Returns a random number. Special values, at which carries or signs change, are frequent.
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

/// Returns the kind of an instruction. Instructions of a kind differ only in their registers and memory addresses.
fn kind(i: &Instruction) -> String {
    let registers: Vec<Register> = (0..i.op_count())
        .filter(|n| i.op_kind(*n) == OpKind::Register)
        .map(|n| i.op_register(n).full_register())
        .collect();
    let same = |register: &Register| registers.iter().position(|other| other == register);
    let same: Vec<_> = registers.iter().map(same).collect();
    let immediate = (0..i.op_count()).find(|n| i.op_kind(*n) == OpKind::Immediate8).map(|_| i.immediate8());
    let mask = (i.has_op_mask(), i.zeroing_masking(), i.is_broadcast());
    // For `lea`, the form of the address is part of the kind, because it determines what is computed.
    let sum = (i.mnemonic() == Mnemonic::Lea).then(|| {
        let there = |register: Register| (register != Register::None, register.size());
        let displacement = i.memory_displacement64() != 0;
        (there(i.memory_base()), there(i.memory_index()), i.memory_index_scale(), displacement)
    });
    format!("{:?} {same:?} {immediate:?} {mask:?} {sum:?}", i.code())
}

/// Returns true if the instruction computes an address in the program. Such instructions are not compared.
fn is_of_program(i: &Instruction) -> bool {
    i.mnemonic() == Mnemonic::Lea && i.is_ip_rel_memory_operand()
}

/// Compares the model of each kind of these instructions with the CPU, with words of this number of bits, on at least
/// this number of random operands. Returns `None` if the CPU lacks required instructions.
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
        result.trials += Trial::new(instruction, bits).run(trials, &mut random, image);
        result.kinds += 1;
        mnemonics.insert(format!("{mnemonic:?}"));
    }
    result.mnemonics = mnemonics.len();
    result.others = others.into_iter().collect();
    result.lacking = lacking.into_iter().collect();
    Some(result)
}

struct Trial {
    instruction: Instruction,
    page: Page,
    bits: u32,
    /// The index of the general register that contains the address of the memory.
    pointer: Option<usize>,
    /// The words of the state, except the flags, that may be any number. `operands` contains those that are operands.
    all: Vec<usize>,
    operands: Vec<usize>,
    /// All cells except those of the stack pointer and, if the instruction has no operand in memory, those of memory.
    places: Vec<Place>,
    before: State,
    /// The state after the CPU has executed the instruction. It is boxed, so that its address, which is an operand,
    /// doesn't change.
    after: Box<State>,
}

/// The position of a cell in the state.
#[derive(Clone, Copy)]
struct Place {
    word: usize,
    shift: u32,
    bits: u32,
    /// The index of the cell in its register, or in memory.
    cell: usize,
}

/// The result of the model: the cells that the instruction changes, and the flags.
struct Said {
    changed: Vec<Place>,
    words: Computed,
    flags: Flags,
}

impl Trial {
    /// Prepares an instruction: the address of its memory is replaced by a register, and the stack pointer by a
    /// different register.
    fn new(instruction: &Instruction, bits: u32) -> Self {
        let mut i = *instruction;
        let operands: Vec<Register> = (0..i.op_count())
            .filter(|n| i.op_kind(*n) == OpKind::Register)
            .map(|n| i.op_register(n).full_register())
            .collect();
        let address = [i.memory_base().full_register(), i.memory_index().full_register()];
        let mut free = [Register::RBX, Register::RBP, Register::RSI, Register::R9, Register::R11]
            .into_iter()
            .filter(|register| !operands.contains(register) && !address.contains(register));
        let other = free.next().expect("an unused register");
        for n in 0..i.op_count() {
            if i.op_kind(n) == OpKind::Register && i.op_register(n).full_register() == Register::RSP {
                let narrow = if i.op_register(n).size() == 8 { other } else { other.full_register32() };
                i.set_op_register(n, narrow);
            }
        }
        let mut pointer = None;
        let has_memory = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Memory);
        if i.mnemonic() == Mnemonic::Lea {
            // The address is the result, so it isn't replaced.
            if address[0] == Register::RSP {
                i.set_memory_base(free.next().expect("an unused register"));
            }
        } else if has_memory {
            let base = free.next().expect("an unused register");
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
        let used = info.info(&i).used_registers().iter().map(|used| used.register().full_register());
        let memory = pointer.map_or(0..0, |_| MEMORY..LEN);
        let pointer = pointer.map(|register| words(register).start);
        let is_drawn = |word: &usize| *word != STACK && pointer != Some(*word);
        let given = (0..FLAGS).filter(|word| *word != STACK).chain(memory.clone());
        let after = Box::new(State([0; LEN]));
        let mut before = State([0; LEN]);
        if let Some(word) = pointer {
            before.0[word] = after.memory();
        }
        Self {
            instruction: i,
            page: Page::new(&bytes),
            bits,
            pointer,
            operands: used.flat_map(words).chain(memory).filter(is_drawn).collect(),
            all: (0..LEN).filter(is_drawn).collect(),
            places: given.flat_map(|word| cells(word, bits)).collect(),
            before,
            after,
        }
    }

    /// Compares the model with the CPU on at least this number of operands, and returns their number.
    fn run(&mut self, trials: usize, random: &mut Random, image: &Image) -> usize {
        const ROUNDS: usize = 16;
        let (all, operands) = (self.all.clone(), self.operands.clone());
        let but_masks: Vec<usize> = operands.iter().filter(|word| !is_mask(**word)).copied().collect();
        let has_flags = self.instruction.rflags_modified() != 0;
        let (machine, first) = self.unknown(image);
        let start = mark();
        let each = trials.div_ceil(ROUNDS);
        let mut done = 0;
        for _ in 0..ROUNDS {
            // Words that are not operands are chosen once for each round, and compared after every trial.
            self.draw(&all, random);
            // If only masks must be known, one run of the model gives the result for all operands.
            let shared = self.said(&machine, |place| is_mask(place.word));
            let is_shared = shared.is_some();
            if let Some(mut said) = shared {
                for _ in 0..each {
                    self.draw(&but_masks, random);
                    self.compared(&mut said, first);
                }
                done += each;
            }
            forget(&start);
            // Then the model is run for each trial. First all operands are numbers, because the model computes the
            // flags only for numbers. Then some cells are unknown.
            let numbers = if has_flags { each } else { 0 };
            let mixed = if is_shared { each.div_ceil(5) } else { each };
            for (count, is_mixed) in [(numbers, false), (mixed, true)] {
                let (mut compared, mut tried) = (0, 0);
                while compared < count && tried < 3 * count {
                    self.draw(&operands, random);
                    self.draw(&[FLAGS], random);
                    let mut choices = random.next() | random.next() << 32;
                    // The models of some instructions need known operands, so in every third trial all operands are
                    // numbers.
                    let whole = !is_mixed || tried % 3 == 0;
                    let said = self.said(&machine, |_| {
                        choices = choices.rotate_left(1);
                        whole || choices & 1 == 1
                    });
                    tried += 1;
                    if let Some(mut said) = said {
                        self.compared(&mut said, first);
                        compared += 1;
                    }
                    forget(&start);
                }
                done += compared;
            }
        }
        assert!(done >= trials, "{}: {done} operands", self.instruction);
        done
    }

    /// Chooses new random numbers for these words.
    fn draw(&mut self, words: &[usize], random: &mut Random) {
        for word in words {
            let any = operand(random);
            self.before.0[*word] = match *word {
                // No kernel has vectors with more elements.
                word if is_mask(word) => any & 0xffff,
                FLAGS => any & (CARRY | PARITY | ZERO | SIGN | OVERFLOW) | 2,
                _ => any,
            };
        }
    }

    /// Returns a machine in which only the address of the memory is known, and the number `first`. The cell at place i
    /// is the unknown word with the number `first` + i.
    fn unknown<'a>(&self, image: &'a Image) -> (Machine<'a>, usize) {
        fresh(self.bits);
        let mut machine = Machine::new(image, None);
        let memory = self.after.memory()..self.after.memory() + 64;
        machine.writable.push(memory);
        let first = unknowns();
        for place in &self.places {
            let word = Word::unknown();
            if place.word >= MEMORY {
                machine.memory.insert(self.address(*place), word);
            } else {
                *self.cell(&mut machine, *place) = word;
            }
        }
        for place in self.pointer.into_iter().flat_map(|word| cells(word, self.bits)) {
            *self.cell(&mut machine, place) = Word::constant(self.before.value(place));
        }
        (machine, first)
    }

    /// Runs the model with numbers in the operands for which `known` returns true. Returns `None` if the instruction is
    /// not modelled for them.
    fn said(&self, unknown: &Machine<'_>, mut known: impl FnMut(Place) -> bool) -> Option<Said> {
        let mut before = unknown.clone();
        for place in self.operands.iter().flat_map(|word| cells(*word, self.bits)) {
            if known(place) {
                *self.cell(&mut before, place) = Word::constant(self.before.value(place));
            }
        }
        let flag = |bit| Some(self.before.0[FLAGS] & bit != 0);
        before.flags = Flags {
            carry: flag(CARRY),
            parity: flag(PARITY),
            zero: flag(ZERO),
            sign: flag(SIGN),
            overflow: flag(OVERFLOW),
        };
        let mut after = before.clone();
        after.step(&self.instruction).ok()?;
        let vectors = (0..32).filter(|n| before.vectors[*n] != after.vectors[*n]);
        let general = (0..16).filter(|n| before.general[*n] != after.general[*n]);
        let memory = self.pointer.map_or(0..0, |_| MEMORY..LEN);
        let words: Vec<usize> = vectors
            .flat_map(|n| 8 * n..8 * n + 8)
            .chain(general.map(|n| GENERAL + n))
            .chain(MASKS..FLAGS)
            .chain(memory)
            .collect();
        let mut changed: Vec<Place> = words.into_iter().flat_map(|word| cells(word, self.bits)).collect();
        changed.retain(|place| self.cell(&mut before, *place) != self.cell(&mut after, *place));
        let words = Computed::new(changed.iter().map(|place| *self.cell(&mut after, *place)));
        Some(Said { changed, words, flags: after.flags })
    }

    /// Returns the address of a place in memory.
    fn address(&self, place: Place) -> u64 {
        self.after.memory() + u64::from(self.bits / 8) * place.cell as u64
    }

    #[inline]
    fn cell<'m>(&self, machine: &'m mut Machine<'_>, place: Place) -> &'m mut Word {
        match place.word {
            word if word < GENERAL => &mut machine.vectors[word / 8][place.cell],
            word if word < MASKS => &mut machine.general[word - GENERAL][place.cell],
            word if word < FLAGS => &mut machine.masks[word - MASKS],
            _ => machine.memory.get_mut(&self.address(place)).expect("the memory was lent"),
        }
    }

    /// Runs the instruction on the CPU, and asserts that its whole state is the one that the model gives.
    fn compared(&mut self, said: &mut Said, first: usize) {
        let Self { instruction: i, before, after, places, .. } = self;
        after.0 = before.0;
        #[allow(unsafe_code)]
        // SAFETY: `has_all` was checked. Control flow and stack instructions are not compared, and the model has
        // rejected operands for which the instruction would fail, such as a division by zero. The only memory that is
        // accessed is that of the state, through the one pointer.
        unsafe {
            self.page.run(after);
        }
        let unknown = |n: usize| n.checked_sub(first).map_or(0, |n| before.value(places[n]));
        for (place, said) in said.changed.iter().zip(said.words.values(unknown)) {
            let (was, is) = (before.value(*place), after.value(*place));
            assert_eq!(*said, is, "{i}: {}, which was {was:#x}", place.name());
            // Restore the cells that the model has changed. Any remaining difference is a change that the model doesn't
            // have.
            after.set(*place, was);
        }
        for (bit, said) in [
            (CARRY, said.flags.carry),
            (PARITY, said.flags.parity),
            (ZERO, said.flags.zero),
            (SIGN, said.flags.sign),
            (OVERFLOW, said.flags.overflow),
        ] {
            let is = after.0[FLAGS] & bit != 0;
            assert!(said.is_none_or(|said| said == is), "{i}: flag {bit:#x}");
        }
        after.0[FLAGS] = before.0[FLAGS];
        if **after != *before {
            let different = |place: &Place| after.value(*place) != before.value(*place);
            let place = (0..LEN).flat_map(|word| cells(word, 64)).find(different).expect("a difference");
            panic!("{i}: {} is {:#x}, and was {:#x}", place.name(), after.value(place), before.value(place));
        }
    }
}

const CARRY: u64 = 1;
const PARITY: u64 = 1 << 2;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;

fn is_mask(word: usize) -> bool {
    (MASKS..FLAGS).contains(&word)
}

/// Returns the words of the state that contain this register. The range is empty if the state doesn't have it.
fn words(register: Register) -> Range<usize> {
    let (first, len) = match register.number() {
        n if register.is_vector_register() => (8 * n, 8),
        n if register.is_gpr() => (GENERAL + n, 1),
        n if register.is_k() => (MASKS + n, 1),
        _ => (0, 0),
    };
    first..first + len
}

/// Returns the cells of a word of the state. A mask is one cell; no kernel uses its upper bits.
fn cells(word: usize, bits: u32) -> impl Iterator<Item = Place> {
    let count = if is_mask(word) { 1 } else { 64 / bits };
    // The first word of the register or memory that the word belongs to.
    let first = if (GENERAL..MEMORY).contains(&word) { word } else { word / 8 * 8 };
    (0..count).map(move |n| Place {
        word,
        shift: n * bits,
        bits,
        cell: (word - first) * count as usize + n as usize,
    })
}

impl Place {
    fn name(self) -> String {
        let Self { word, cell, bits, .. } = self;
        let of = match word {
            word if word < GENERAL => format!("vector {}", word / 8),
            word if word < MASKS => format!("{:?}", Register::RAX + (word - GENERAL) as u32),
            word if word < FLAGS => format!("mask {}", word - MASKS),
            _ => "memory".into(),
        };
        format!("cell {cell} of {of}, of {bits} bits")
    }
}

impl State {
    fn value(&self, place: Place) -> u64 {
        self.0[place.word] >> place.shift & (u64::MAX >> (64 - place.bits))
    }

    fn set(&mut self, place: Place, value: u64) {
        self.0[place.word] ^= (self.value(place) ^ value) << place.shift;
    }
}

/// Tests that the comparison can fail: each pair has two instructions, and the CPU executes a different one than the
/// model.
#[test]
fn what_is_wrong_is_noticed() {
    if !has_all() {
        std::println!("nothing was compared, because the CPU lacks instructions");
        return;
    }
    let image = Image::empty();
    let pairs: [(u32, &[u8], &[u8]); 10] = [
        (64, &[0x48, 0x8d, 0x04, 0x18], &[0x48, 0x8d, 0x04, 0x58]), // lea of a sum, of a sum with a multiple
        (32, &[0x8d, 0x44, 0x18, 0x05], &[0x8d, 0x44, 0x18, 0x06]), // lea with 5, with 6
        (64, &[0x48, 0x01, 0xd8], &[0x48, 0x29, 0xd8]),             // add, sub
        (32, &[0x48, 0x11, 0xd8], &[0x48, 0x01, 0xd8]),             // adc, add
        (32, &[0x83, 0xf8, 0x05], &[0x83, 0xf8, 0x06]), // cmp with 5, with 6: only the flags differ
        (64, &[0xc4, 0xe3, 0xfb, 0xf0, 0xc3, 0x07], &[0xc4, 0xe3, 0xfb, 0xf0, 0xc3, 0x06]), // rorx by 7, by 6
        (32, &[0x0f, 0x38, 0xcc, 0xc1], &[0x0f, 0x38, 0xcd, 0xc1]), // sha256msg1, sha256msg2
        (32, &[0x0f, 0x3a, 0xcc, 0xc1, 0x01], &[0x0f, 0x3a, 0xcc, 0xc1, 0x03]), // sha1rnds4 with different constants
        (32, &[0xc5, 0xf9, 0x6f, 0xc1], &[0x66, 0x0f, 0x6f, 0xc1]), // vmovdqa, movdqa: the bits above differ
        (64, &[0xc5, 0xed, 0xfe, 0xc1], &[0xc5, 0xed, 0xd4, 0xc1]), // vpaddd, vpaddq
    ];
    for (bits, said, done) in pairs {
        let instruction = |bytes| Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
        let compared = |page: Option<&[u8]>| {
            let mut trial = Trial::new(&instruction(said), bits);
            if let Some(bytes) = page {
                trial.page = Page::new(bytes);
            }
            trial.run(100, &mut Random::new(), &image)
        };
        assert!(compared(None) >= 100);
        let wrong = std::panic::catch_unwind(|| compared(Some(done)));
        assert!(wrong.is_err(), "{} is taken for {}", instruction(done), instruction(said));
    }
}
