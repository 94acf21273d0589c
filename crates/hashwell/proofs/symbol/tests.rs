//! Tests that normal forms preserve values, and that equal expressions have the same form where they should.

use super::random::Random;
use super::*;
use std::string::ToString;

/// Runs random programs of all operations on expressions and on numbers of `$word`, and compares the values.
macro_rules! values_are_kept {
    ($name:ident, $word:ty) => {
        #[test]
        fn $name() {
            let mut random = Random::new();
            for _ in 0..400 {
                with(|world| *world = World::new(<$word>::BITS, None));
                let unknowns: Vec<u64> = (0..4).map(|_| (random.next() as $word).into()).collect();
                let mut words: Vec<Word> = unknowns.iter().map(|_| Word::unknown()).collect();
                let mut numbers: Vec<$word> = unknowns.iter().map(|value| *value as $word).collect();
                for _ in 0..60 {
                    // Operands are mostly recent results, so that programs are deep.
                    let (a, b) =
                        (random.below(words.len()), words.len() - 1 - random.below(4.min(words.len())));
                    let ((x, y), (n, m)) = ((words[a], words[b]), (numbers[a], numbers[b]));
                    let distance = random.next() as u32 % <$word>::BITS;
                    let (word, number) = match random.below(10) {
                        0 => (x ^ y, n ^ m),
                        1 => (x & y, n & m),
                        2 => (x | y, n | m),
                        3 => (!x, !n),
                        4 => (x + y, n.wrapping_add(m)),
                        5 => (y + y, m.wrapping_add(m)),
                        6 => (y.rotr(distance), m.rotate_right(distance)),
                        7 => (x.rotl(distance), n.rotate_left(distance)),
                        8 => (y.shr(distance), m >> distance),
                        _ => {
                            let constant = random.next();
                            (
                                y.swapped() + Word::constant(constant),
                                m.swap_bytes().wrapping_add(constant as $word),
                            )
                        }
                    };
                    words.push(word);
                    numbers.push(number);
                }
                let ids: Vec<Id> = words.iter().map(|word| word.0).collect();
                let values = arena(|arena| arena.values(&ids, &unknowns));
                let numbers: Vec<u64> = numbers.into_iter().map(u64::from).collect();
                assert_eq!(values, numbers);
            }
        }
    };
}

values_are_kept!(values_of_32_bits_are_kept, u32);
values_are_kept!(values_of_64_bits_are_kept, u64);

fn verdict(claim: &dyn Fn() -> Claim) -> Verdict {
    decide(32, None, claim).verdict
}

#[test]
fn what_is_equal_is_seen() {
    let equal = || {
        let [x, y, z] = [Word::unknown(), Word::unknown(), Word::unknown()];
        let [one, four] = [1, 4].map(Word::constant);
        std::vec![
            (x + y + z, z + (y + x)),
            (x + x + x + x, (x + x) + (x + x)),
            (x + one + y + four, y + Word::constant(5) + x),
            ((x & y) ^ (!x & z), z ^ (x & (y ^ z))),
            ((x & y) | (x & z) | (y & z), y ^ ((x ^ y) & (y ^ z))),
            (!(x & y), !x | !y),
            ((x ^ y).rotr(7), x.rotr(7) ^ y.rotl(25)),
            ((x + y).rotl(3).shr(4), (x + y).rotr(1) & Word::constant((1 << 28) - 1) & !Word::constant(0)),
            (x.rotl(0), x.rotr(32)),
            (x ^ x, Word::constant(0)),
        ]
    };
    assert!(matches!(verdict(&equal), Verdict::Proved { outputs: 10, .. }), "{:?}", verdict(&equal));
}

#[test]
fn what_differs_is_refuted() {
    type Pair = fn(Word, Word, Word) -> (Word, Word);
    let different: [Pair; 6] = [
        |x, y, _| (x + y, x ^ y),
        |x, _, _| (x.rotr(7), x.rotr(6)),
        |x, y, z| ((x & y) ^ (!x & z), (x & y) ^ (x & z)),
        |x, y, z| (x + y + z, x + y),
        |x, _, _| (x.shr(3), x.rotr(3)),
        |x, _, _| (x.swapped(), x.rotr(16)),
    ];
    for pair in different {
        let claim = || std::vec![pair(Word::unknown(), Word::unknown(), Word::unknown())];
        assert!(matches!(verdict(&claim), Verdict::Refuted(_)));
    }
}

/// These words are equal, but their normal forms differ. The verdict is undecided, without a counterexample.
#[test]
fn what_the_form_cannot_see_is_undecided() {
    let claim = || {
        let x = Word::unknown() & Word::constant(0xff);
        let y = Word::unknown() & Word::constant(0xff00);
        std::vec![(x + y, x ^ y)]
    };
    assert!(matches!(verdict(&claim), Verdict::Undecided(1)));
}

#[test]
fn memory_that_nobody_wrote_is_no_word() {
    for slot in [0_u32, 1, 0xd600_0000, 0xd6ff_ffff] {
        assert!(std::panic::catch_unwind(|| slot.word()).is_err(), "{slot:#x}");
    }
    with(|world| *world = World::new(32, None));
    let word = Word::unknown();
    assert_eq!(u32::holding(word).word(), word);
    assert_eq!(u64::holding(word).word(), word);
}

#[test]
fn a_refutation_names_an_output() {
    let claim = || {
        let x = Word::unknown();
        std::vec![(x, x), (x, !x)]
    };
    let Verdict::Refuted(why) = verdict(&claim) else { panic!("not refuted") };
    assert!(why.to_string().starts_with("output 1 of 2 is 0x"), "{why}");
}
