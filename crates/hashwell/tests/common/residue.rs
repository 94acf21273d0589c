//! What is left of a secret in the memory of this process: stacks, heap and every other writable mapping, read
//! through `/proc/self/mem`.
//!
//! The secret is nowhere in clear but where the code under test puts it. The searcher has it xored with a mask,
//! and looks for every sixteen bytes of it (single words are spilled by any compiler): as they are, with the bytes of its words reversed (as the kernels that
//! are big-endian load them), and xored with HMAC's pads.
#![allow(unreachable_pub)]

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use zeroize::Zeroize;

const MASK: u64 = 0xa5c3_0f96_5a3c_f069;

/// A secret that its holder does not have in clear.
#[derive(Clone)]
pub struct Masked(Vec<u64>);

/// Sixteen bytes of a secret that were found.
#[derive(Debug)]
pub struct Found {
    /// The mapping's name: `[stack]`, `[heap]`, nothing for an anonymous one, or a file.
    pub mapping: String,
    pub address: u64,
    /// Where in the secret they come from.
    pub at: usize,
    /// How they were changed.
    pub form: &'static str,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { mapping, address, at, form } = self;
        write!(f, "bytes {at}..{} {form}at {address:x} {mapping}", at + 16)
    }
}

impl Masked {
    /// The secret of this number, `len` bytes long, which is a multiple of eight.
    pub fn new(number: u64, len: usize) -> Self {
        let mut random = super::Random(number);
        Self((0..len / 8).map(|_| random.next() ^ MASK).collect())
    }

    /// The secret in clear, with zeros behind it, which are what the registers are left with.
    #[inline(never)]
    fn reveal(&self) -> Vec<u8> {
        let mut clear = vec![0; self.0.len() * 8 + 64];
        let words = self.0.iter().chain(&[MASK; 8]);
        for (bytes, word) in clear.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&std::hint::black_box(word ^ MASK).to_le_bytes());
        }
        clear
    }

    /// What to look for, masked as the secret is: changed word, place in the secret, form.
    fn needles(&self) -> Vec<(u64, usize, &'static str)> {
        let reverse_halves = |word: u64| word.swap_bytes().rotate_left(32);
        let mut needles = Vec::new();
        for (i, word) in self.0.iter().enumerate() {
            // Masks stay masks: what is done to the word is done to the mask too, and undone.
            let reversed = word.swap_bytes() ^ MASK.swap_bytes() ^ MASK;
            let halves = reverse_halves(*word) ^ reverse_halves(MASK) ^ MASK;
            // As SHA-256's kernels that prepare a schedule in memory have the words of a block: in sum with constants.
            for (form, pad) in
                ["plus K ", "plus K, xor ipad ", "plus K, xor opad "].into_iter().zip([0, 0x36, 0x5c])
            {
                let (clear, k) =
                    (halves ^ MASK ^ u64::from_ne_bytes([pad; 8]), &hashwell::SHA256_CONSTANTS[2 * i % 16..]);
                let low = (clear as u32).wrapping_add(k[0]);
                let high = ((clear >> 32) as u32).wrapping_add(k[1]);
                needles.push((u64::from(low) ^ u64::from(high) << 32 ^ MASK, i * 8, form));
            }
            for (word, forms) in [
                (*word, ["", "xor ipad ", "xor opad "]),
                (reversed, ["reversed by 8 ", "reversed by 8, xor ipad ", "reversed by 8, xor opad "]),
                (halves, ["reversed by 4 ", "reversed by 4, xor ipad ", "reversed by 4, xor opad "]),
            ] {
                for (form, pad) in forms.into_iter().zip([0, 0x36, 0x5c]) {
                    needles.push((word ^ u64::from_ne_bytes([pad; 8]), i * 8, form));
                }
            }
        }
        needles
    }

    /// Looks for the secret in all memory that this process may write to.
    pub fn find(&self) -> Vec<Found> {
        let needles = self.needles();
        let forms = needles.len() / self.0.len();
        let mut suspects = vec![false; 1 << 16];
        needles.iter().for_each(|(word, ..)| suspects[usize::from(*word as u16)] = true);
        // The window itself holds what was read last.
        static WINDOW: Mutex<[u8; 1 << 16]> = Mutex::new([0; 1 << 16]);
        let mut window = WINDOW.lock().unwrap();
        let own = window.as_ptr_range();
        let own = own.start.addr() as u64..own.end.addr() as u64;
        let memory = File::open("/proc/self/mem").unwrap();
        let mut found = Vec::new();
        for (mapping, start, end) in writable_mappings() {
            let mut at = start;
            while at + 16 <= end {
                let len = (end - at).min(window.len() as u64) as usize;
                // A page that went away, or may not be read.
                let Ok(read) = memory.read_at(&mut window[..len], at) else { break };
                let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap()) ^ MASK;
                for (offset, bytes) in window[..read].windows(16).enumerate() {
                    let (first, address) = (word(&bytes[..8]), at + offset as u64);
                    if !suspects[usize::from(first as u16)] || own.contains(&address) {
                        continue;
                    }
                    // The same form of the next word comes as many needles later as there are forms.
                    let pairs = needles.iter().zip(&needles[forms..]);
                    for (&(_, at, form), _) in pairs.filter(|(a, b)| a.0 == first && b.0 == word(&bytes[8..]))
                    {
                        found.push(Found { mapping: mapping.clone(), address, at, form });
                    }
                }
                if read < 16 {
                    break;
                }
                at += read as u64 - 15;
            }
        }
        found
    }
}

/// Name, start and end of every mapping that can be read and written.
fn writable_mappings() -> Vec<(String, u64, u64)> {
    let maps = BufReader::new(File::open("/proc/self/maps").unwrap());
    let lines = maps.lines().map(Result::unwrap).filter(|line| {
        line.split_whitespace().nth(1).is_some_and(|permissions| permissions.starts_with("rw"))
    });
    lines
        .map(|line| {
            let mut columns = line.split_whitespace();
            let (start, end) = columns.next().unwrap().split_once('-').unwrap();
            let address = |hex| u64::from_str_radix(hex, 16).unwrap();
            (columns.nth(4).unwrap_or("").to_string(), address(start), address(end))
        })
        .collect()
}

/// Lets `use_it` have the secret, in a thread whose stack stays as it was left while all memory is searched. What
/// the thread itself had of it is overwritten before.
pub fn left_behind(secret: &Masked, use_it: impl FnOnce(&[u8]) + Send + 'static) -> Vec<Found> {
    let used = Arc::new(AtomicBool::new(false));
    let searched = Arc::new(AtomicBool::new(false));
    let thread = std::thread::spawn({
        let (secret, used, searched) = (secret.clone(), used.clone(), searched.clone());
        move || {
            let mut clear = secret.reveal();
            use_it(&clear[..secret.0.len() * 8]);
            clear.zeroize();
            used.store(true, Ordering::SeqCst);
            // Spinning calls nothing, and so writes to no frame below.
            while !searched.load(Ordering::SeqCst) {
                std::hint::spin_loop();
            }
        }
    });
    while !used.load(Ordering::SeqCst) && !thread.is_finished() {
        std::thread::yield_now();
    }
    let found = secret.find();
    searched.store(true, Ordering::SeqCst);
    thread.join().unwrap();
    found
}
