//! Controls: planted leaks, which a method must find, and a computation without a leak, which must pass. If a control
//! fails, the results of that run are meaningless.

use super::subject::Subject;
use super::targets;
use std::hint::black_box;

/// A subject whose verdict is known.
pub struct Control {
    /// The kind of planted leak.
    pub name: &'static str,
    /// The subject.
    pub subject: Subject,
    /// True if memcheck must report the leak.
    pub undefined: bool,
    /// True if measurements must show the leak, false if they must not show it; `None` if either result is acceptable.
    pub timed: Option<bool>,
}

/// The size in bytes of the planted secrets.
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

/// Does four dependent multiplications if the lowest bit of the secret's first byte is set.
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

/// Loads from a table at an address that depends on the secret. In such a small table, the load takes the same time at
/// all addresses, unless another process evicts a part of the table from the cache.
#[inline(never)]
fn secret_indexed_load(table: &[u64; 256], secret: &[u8; LEN]) -> u64 {
    table[usize::from(secret[0])]
}

/// A subject whose state is a buffer for the secret. The planted functions are called through pointers that the
/// compiler cannot see through, so that they remain separate functions that `tools/scan_kernels.py` can inspect.
fn planted(name: &'static str, run: impl Fn(&[u8; LEN]) + 'static) -> Subject {
    let prepare = |place: &mut [u8; LEN], secret: &[u8]| place.copy_from_slice(secret);
    Subject::new("control", name, "planted", LEN, [0; LEN], prepare, move |secret| run(black_box(secret)))
}

/// All controls.
///
/// # Panics
/// Panics if the registry has no HMAC.
#[must_use]
pub fn controls() -> Vec<Control> {
    let tag = [0x5a; LEN];
    let mut compare = planted("early-exit compare", move |secret| {
        let compare: fn(&[u8; LEN], &[u8; LEN]) -> bool = early_exit_compare;
        black_box(black_box(compare)(secret, black_box(&tag)));
    });
    compare.fixed = Some(tag.to_vec());
    let mut branch = planted("branch on a secret bit (4 multiplications)", |secret| {
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
        Control {
            name: "branch on a secret bit (4 multiplications)",
            subject: branch,
            undefined: true,
            timed: Some(true),
        },
        Control { name: "secret-indexed load", subject: load, undefined: true, timed: None },
        Control { name: "two identical classes", subject: clean, undefined: false, timed: Some(false) },
    ]
}
