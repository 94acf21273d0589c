//! What is said of an instruction, compared with what the processor does: on random operands, unknown words and numbers.

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
    /// The word of the state that is the memory's address.
    pointer: Option<usize>,
    /// Words that may hold any number, and those of them that it takes or gives, flags not counted.
    all: Vec<usize>,
    operands: Vec<usize>,
    /// All cells but the stack pointer's and, where it has none, memory's.
    places: Vec<Place>,
    before: State,
    /// What the processor makes of it, in a place that stays, since its memory's address is an operand.
    after: Box<State>,
}

/// Where a cell is in the state.
#[derive(Clone, Copy)]
struct Place {
    word: usize,
    shift: u32,
    bits: u32,
    /// Its number among the cells of its register, or of memory.
    cell: usize,
}

/// What the machine says of an instruction: cells that it has changed, and the flags.
struct Said {
    changed: Vec<Place>,
    words: Computed,
    flags: Flags,
}

impl Trial {
    /// The same instruction with its memory at a register's address, and with another register for the stack's.
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

    /// Compares with so many operands at least, and gives how many those were.
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
            // What the instruction does not take is drawn once for all trials of a round, and compared after each.
            self.draw(&all, random);
            // Where nothing but a mask need be known, one run says what the result is for all operands.
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
            // A run for each: on numbers, of which alone flags are said, and with unknown words in some places.
            let numbers = if has_flags { each } else { 0 };
            let mixed = if is_shared { each.div_ceil(5) } else { each };
            for (count, is_mixed) in [(numbers, false), (mixed, true)] {
                let (mut compared, mut tried) = (0, 0);
                while compared < count && tried < 3 * count {
                    self.draw(&operands, random);
                    self.draw(&[FLAGS], random);
                    let mut choices = random.next() | random.next() << 32;
                    // Some instructions are said of numbers alone, so that every third run has nothing else.
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

    /// Other numbers in these words.
    fn draw(&mut self, words: &[usize], random: &mut Random) {
        for word in words {
            let any = operand(random);
            self.before.0[*word] = match *word {
                // No kernel has more elements than that.
                word if is_mask(word) => any & 0xffff,
                FLAGS => any & (CARRY | PARITY | ZERO | SIGN | OVERFLOW) | 2,
                _ => any,
            };
        }
    }

    /// A machine in which all is unknown but the memory's address: in each place the unknown word of the place's number and
    /// `first`, which is given, too.
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

    /// What the machine says where these of the operands are numbers, if it does say something.
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

    /// Where a place of memory is.
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

    /// Asserts that the processor leaves what the machine has left, everywhere.
    fn compared(&mut self, said: &mut Said, first: usize) {
        let Self { instruction: i, before, after, places, .. } = self;
        after.0 = before.0;
        #[allow(unsafe_code)]
        // SAFETY: `has_all` was asked; control flow and the stack's instructions have been left out, and operands that the
        // machine refused, such as quotients that are none. Memory is the state's, at the one pointer.
        unsafe {
            self.page.run(after);
        }
        let unknown = |n: usize| n.checked_sub(first).map_or(0, |n| before.value(places[n]));
        for (place, said) in said.changed.iter().zip(said.words.values(unknown)) {
            let (was, is) = (before.value(*place), after.value(*place));
            assert_eq!(*said, is, "{i}: {}, which was {was:#x}", place.name());
            // What is not as it was below is what the machine has not changed.
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

/// Words of the state that a whole register is, if there is one in it.
fn words(register: Register) -> Range<usize> {
    let (first, len) = match register.number() {
        n if register.is_vector_register() => (8 * n, 8),
        n if register.is_gpr() => (GENERAL + n, 1),
        n if register.is_k() => (MASKS + n, 1),
        _ => (0, 0),
    };
    first..first + len
}

/// Cells of a word, of so many bits. A mask is one, whose upper bits are none of a kernel's.
fn cells(word: usize, bits: u32) -> impl Iterator<Item = Place> {
    let count = if is_mask(word) { 1 } else { 64 / bits };
    // The first word of what it belongs to.
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
            let mut trial = Trial::new(&instruction(said), bits);
            if let Some(bytes) = page {
                trial.page = Page::new(bytes);
            }
            trial.run(100, &mut Random::new(), &image)
        };
        assert!(compared(None) >= 100);
        let wrong = std::panic::catch_unwind(|| compared(Some(done)));
        assert!(wrong.is_err(), "{} passes for {}", instruction(done), instruction(said));
    }
}
