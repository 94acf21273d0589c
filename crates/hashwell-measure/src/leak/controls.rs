//! Planted leaks, which a method must find, and a computation without one, which must pass. If one of them fails,
//! the method says nothing about the targets of that run.

use super::subject::Subject;
use super::targets;
use std::hint::black_box;

/// A subject whose verdict is known.
pub struct Control {
    /// What is planted.
    pub name: &'static str,
    /// The subject.
    pub subject: Subject,
    /// Whether memcheck must report it.
    pub undefined: bool,
    /// Whether measurements must show it; `None` if they may or may not.
    pub timed: Option<bool>,
}

/// Bytes of the planted secrets.
const LEN: usize = 32;

/// Compares byte by byte and stops at the first difference: the classic leak of a tag's prefix.
#[inline(never)]
fn early_exit_compare(a: &[u8; LEN], b: &[u8; LEN]) -> bool {
    for i in 0..LEN {
        if black_box(a[i]) != b[i] {
            return false;
        }
    }
    true
}

/// Four multiplications, each waiting for the one before, if a bit of the secret is set.
#[inline(never)]
fn secret_branch(secret: &[u8; LEN]) -> u64 {
    let mut x = u64::from(secret[1]) | 1;
    if secret[0] & 1 == 1 {
        for _ in 0..4 {
            x = black_box(x).wrapping_mul(x);
        }
    }
    x
}

/// A load from a table at an address that the secret chooses. In a table this small it takes the same time
/// wherever it goes, until somebody else evicts a part of it.
#[inline(never)]
fn secret_indexed_load(table: &[u64; 256], secret: &[u8; LEN]) -> u64 {
    table[usize::from(secret[0])]
}

/// State: a place for the secret. The planted functions are called by pointers that the compiler does not see through,
/// so that they stay functions of memory, which `tools/scan_kernels.py` looks at.
fn planted(name: &'static str, run: impl Fn(&[u8; LEN]) + 'static) -> Subject {
    let prepare = |place: &mut [u8; LEN], secret: &[u8]| place.copy_from_slice(secret);
    Subject::new("control", name, "planted", LEN, [0; LEN], prepare, move |secret| run(black_box(secret)))
}

/// All of them.
///
/// # Panics
/// If the registry has no HMAC.
#[must_use]
pub fn controls() -> Vec<Control> {
    let tag = [0x5a; LEN];
    let mut compare = planted("early-exit compare", move |secret| {
        let compare: fn(&[u8; LEN], &[u8; LEN]) -> bool = early_exit_compare;
        black_box(black_box(compare)(secret, black_box(&tag)));
    });
    compare.fixed = Some(tag.to_vec());
    let mut branch = planted("branch of 4 multiplications", |secret| {
        let branch: fn(&[u8; LEN]) -> u64 = secret_branch;
        black_box(black_box(branch)(secret));
    });
    branch.fixed = Some(vec![0xff; LEN]);
    let load = planted("secret-indexed load", |secret| {
        let load: fn(&[u64; 256], &[u8; LEN]) -> u64 = secret_indexed_load;
        black_box(black_box(load)(black_box(&[7; 256]), secret));
    });
    let mut clean = targets::clean();
    clean.one_class = true;
    vec![
        Control { name: "early-exit compare", subject: compare, undefined: true, timed: Some(true) },
        Control { name: "branch of 4 multiplications", subject: branch, undefined: true, timed: Some(true) },
        Control { name: "secret-indexed load", subject: load, undefined: true, timed: None },
        Control { name: "the same class twice", subject: clean, undefined: false, timed: Some(false) },
    ]
}
