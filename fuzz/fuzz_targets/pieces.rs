//! Hashing the pieces of a message separately, in any order, and joining their values gives the digest. Wrong
//! pieces and values are refused.
#![no_main]

#[path = "common/given.rs"]
mod given;

use arbitrary::Arbitrary;
use given::{Given, portable};
use hashwell::{ALGORITHMS, Params, Pieces};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    given: Given,
    /// The message is this pattern, repeated.
    pattern: Vec<u8>,
    len: u32,
    /// By how many places the order in which pieces are hashed is rotated.
    turned: u8,
    /// The number of a piece, which is refused if it doesn't exist, and whether a piece gets a byte more or a
    /// byte less.
    wrong: (u64, bool),
    cut: u8,
}

fuzz_target!(|case: Case| {
    // In most cases, an algorithm that has pieces.
    let parallel: Vec<_> = ALGORITHMS.iter().filter(|row| row.is_parallel()).collect();
    let at = usize::from(case.row);
    let algorithm = if at < 32 { &ALGORITHMS[at % ALGORITHMS.len()] } else { parallel[at % parallel.len()] };
    let params = case.given.params(algorithm);
    // A length near the ends of pieces, with up to four pieces.
    let near = case.len as usize % 64 + Pieces::LEN * (case.len as usize / 64 % 4);
    let len = if case.len >> 31 == 1 { near } else { case.len as usize % (3 * Pieces::LEN) };
    let pieces = algorithm.pieces(&params, len as u64);
    let begin = algorithm.build(&Params { kernel: portable(algorithm), ..params });
    let Ok(pieces) = pieces else {
        assert!(
            begin.is_err()
                || !algorithm.is_parallel()
                || params.key.or(params.context.map(str::as_bytes)).is_some()
        );
        return;
    };
    let message: Vec<u8> = case.pattern.iter().chain([&7]).copied().cycle().take(len).collect();
    let count = pieces.count();
    assert_eq!(count, len.div_ceil(Pieces::LEN) as u64);
    let part = |index: u64| {
        let range = pieces.range(index);
        &message[range.start as usize..range.end as usize]
    };
    let mut values = vec![Vec::new(); count as usize];
    for i in 0..count {
        let index = (i + u64::from(case.turned)) % count;
        values[index as usize] = pieces.value(index, part(index)).unwrap();
    }
    let (other, longer) = case.wrong;
    assert!(other < count || pieces.value(other, b"").is_err());
    if let Some((last, rest)) = (0..count).next_back().map(|index| (index, part(index))) {
        let wrong = if longer { [rest, &[0]].concat() } else { rest[1..].to_vec() };
        assert!(pieces.value(last, &wrong).is_err());
    }
    let mut join = pieces.join();
    for value in &values {
        // A truncated value is refused and does not change the state.
        let cut = usize::from(case.cut) % (value.len() + 1);
        assert_eq!(cut == value.len(), cut == value.len() || join.push(&value[..cut]).is_ok());
        join.push(value).unwrap();
    }
    assert!(join.push(b"").is_err());
    let mut whole = begin.unwrap();
    whole.update(&message);
    assert_eq!(join.digest().unwrap(), whole.digest());
    assert_eq!(pieces.join().digest().is_ok(), count == 0);
});
