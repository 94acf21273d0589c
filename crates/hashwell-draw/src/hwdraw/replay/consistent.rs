//! Ronald Rivest's `consistent_sampler` (version 1.0.10), which the audit software Arlo uses: tickets that are decimal
//! fractions.

use crate::Error;
use crate::hwdraw::hex;
use hashwell::Sha256;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A pick. Picks are ordered by the digits of their tickets, then by their ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pick {
    /// The ticket, a decimal fraction between 0 and 1 with all its digits, such as "0.41…".
    pub ticket: String,
    /// The id that was picked.
    pub id: String,
    /// The number of times the id was picked, including this one.
    pub generation: u64,
}

/// Returns the first k picks in the order of their tickets. If `replacement` is true, an id that was picked gets a new,
/// larger ticket.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if k is 0, if there are no ids, or, without replacement, if k exceeds the number of
/// ids.
pub fn picks<'a>(
    ids: impl IntoIterator<Item = &'a str>,
    seed: &str,
    k: u64,
    replacement: bool,
) -> Result<Vec<Pick>, Error> {
    let seed = hex(&Sha256::digest(seed.as_bytes()));
    let first =
        |id: &str| Pick { ticket: fraction(&format!("{seed}{id}")), id: id.to_owned(), generation: 1 };
    let mut heap: BinaryHeap<Reverse<Pick>> = ids.into_iter().map(|id| Reverse(first(id))).collect();
    super::check(if replacement { k.min(1) } else { k }, heap.len() as u64, u64::MAX)?;
    let mut picks = Vec::new();
    while (picks.len() as u64) < k {
        let Some(Reverse(pick)) = heap.pop() else { break };
        if replacement {
            let ticket = next(&pick.ticket);
            heap.push(Reverse(Pick { ticket, id: pick.id.clone(), generation: pick.generation + 1 }));
        }
        picks.push(pick);
    }
    Ok(picks)
}

/// The ticket in the form shown to users: its leading nines, and nine digits after them.
#[must_use]
pub fn shown(ticket: &str) -> &str {
    &ticket[..ticket.len().min(nines(ticket) + 9)]
}

/// The position where the nines after "0." end.
fn nines(ticket: &str) -> usize {
    2 + ticket[2..].bytes().take_while(|digit| *digit == b'9').count()
}

/// SHA-256 as a fraction: its decimal digits in reverse order, because the last ones are unbiased.
fn fraction(text: &str) -> String {
    let digits = decimal(Sha256::digest(text.as_bytes()));
    format!("0.{}", digits.chars().rev().collect::<String>())
}

/// The next ticket: the leading nines stay, and the digits after them are replaced until the ticket is larger.
fn next(ticket: &str) -> String {
    // A ticket may consist of nines only.
    let longer = format!("{ticket}0");
    let nines = &longer[..nines(&longer)];
    let candidate = |i: u64| format!("{nines}{}", &fraction(&format!("{ticket}:{i}"))[2..]);
    (1..).map(candidate).find(|text| *text > longer).expect("most numbers are larger than some number")
}

/// A number of 32 bytes, big-endian, in decimal with at least 64 digits.
fn decimal(bytes: [u8; 32]) -> String {
    const PART: u64 = 1_000_000_000;
    let mut parts: Vec<u64> =
        bytes.chunks(4).map(|part| part.iter().fold(0, |n, byte| n << 8 | u64::from(*byte))).collect();
    let mut text = String::new();
    while parts.iter().any(|part| *part > 0) {
        let mut rest = 0;
        for part in &mut parts {
            let whole = rest << 32 | *part;
            (*part, rest) = (whole / PART, whole % PART);
        }
        text = format!("{rest:09}{text}");
    }
    format!("{:0>64}", text.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_its_functions() {
        assert_eq!(
            fraction("abc"),
            "0.56998071861792858926477341561059638840106636224182943832566300809078486324348"
        );
        let first = "0.26299714122838008416507544297546663599715395525154425586041245287750224561854";
        let seed = hex(&Sha256::digest(b"01382438112797316654"));
        assert_eq!(fraction(&format!("{seed}AB-130")), first);
        assert_eq!(
            next(first),
            "0.8232357229934205790595761924514048157652891124687533667363938813600770093316"
        );
        assert_eq!(
            next("0.25471"),
            "0.642853261655004694691182528114375607701032283189922170593838029306715548381901"
        );
        assert_eq!(decimal([0; 32]), "0".repeat(64));
    }

    fn shown_picks(ids: &[&str], seed: &str, k: u64, replacement: bool) -> Vec<(String, String, u64)> {
        let picks = picks(ids.iter().copied(), seed, k, replacement).unwrap();
        picks.iter().map(|pick| (shown(&pick.ticket).to_owned(), pick.id.clone(), pick.generation)).collect()
    }

    /// Examples X6, X7 and X8 of `demo_consistent_sampler.py`, and the examples in the documentation of the sampler.
    #[test]
    fn published_examples() {
        let six = ["A-1", "A-2", "A-3", "B-1", "B-2", "B-3"];
        let expected = [
            ("0.410310858", "B-2", 1),
            ("0.470960291", "B-3", 1),
            ("0.471438751", "A-3", 1),
            ("0.567089805", "A-2", 1),
            ("0.659534619", "A-2", 2),
            ("0.765106651", "A-2", 3),
            ("0.796265241", "B-3", 2),
            ("0.872112726", "A-2", 4),
            ("0.893337722", "B-2", 2),
            ("0.9026656781", "A-3", 2),
            ("0.9105083805", "A-3", 3),
            ("0.9200375234", "B-2", 3),
            ("0.9257009021", "B-3", 3),
            ("0.9357740622", "A-3", 4),
            ("0.9425889093", "B-3", 4),
            ("0.9501908345", "B-2", 4),
        ];
        let expected =
            expected.map(|(ticket, id, generation)| (ticket.to_owned(), id.to_owned(), generation));
        assert_eq!(shown_picks(&six, "314159", 16, true), expected);
        let once = shown_picks(&six, "314159", 6, false);
        assert_eq!(
            once.iter().map(|pick| &*pick.1).collect::<Vec<_>>(),
            ["B-2", "B-3", "A-3", "A-2", "B-1", "A-1"]
        );
        assert_eq!(once[4].0, "0.9781715679");
        let one = shown_picks(&["B-1"], "314159", 16, true);
        assert_eq!(one[15], ("0.999999999540636137".to_owned(), "B-1".to_owned(), 16));
        assert_eq!(one[9].0, "0.999999324301596");
        let eight = shown_picks(&["A#2", "B#7", "C#1", "D#4"], "314159", 8, true);
        assert_eq!(
            eight.iter().map(|pick| &*pick.1).collect::<Vec<_>>(),
            ["D#4", "C#1", "C#1", "B#7", "A#2", "C#1", "D#4", "B#7"]
        );
    }
}
