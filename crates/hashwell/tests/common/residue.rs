//! Searches for remains of a secret in the memory of this process: stacks, heap and every other writable mapping, which
//! are read through `/proc/self/mem`.
//!
//! The secret is unmasked only where the code under test puts it. The search uses the secret XORed with a mask, and
//! looks for any 16 consecutive bytes of it (compilers spill single words). It looks for the bytes themselves, for the
//! bytes of each word reversed (as big-endian kernels load them), and for the bytes XORed with HMAC's pads. It also
//! looks for the end of a message schedule of SHA-256, from which the secret can be computed.
#![allow(unreachable_pub)]

use std::fmt;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use zeroize::Zeroize;

const MASK: u64 = 0xa5c3_0f96_5a3c_f069;

/// A secret that is only stored masked.
#[derive(Clone)]
pub struct Masked(Vec<u64>);

/// Two masked words, their offset in the secret, and their form.
pub type Needle = ([u64; 2], usize, &'static str);

/// The next word of SHA-256's schedule, from the words 16, 15, 7 and 2 positions before it (FIPS 180-4 section 6.2.2,
/// step 1).
pub fn next_word([w16, w15, w7, w2]: [u32; 4]) -> u32 {
    let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ w15 >> 3;
    let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ w2 >> 10;
    w16.wrapping_add(s0).wrapping_add(w7).wrapping_add(s1)
}

/// The names of the forms that are the end of a block's schedule.
const SCHEDULES: [&str; 2] = ["as a schedule of SHA-256 ends ", "as a schedule of SHA256-90R ends "];

/// 16 bytes of a secret that were found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The name of the mapping: `[stack]`, `[heap]`, empty for an anonymous one, or a file.
    pub mapping: String,
    pub address: u64,
    /// The offset in the secret.
    pub at: usize,
    /// The form in which they were found.
    pub form: &'static str,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { mapping, address, at, form } = self;
        write!(f, "bytes {at}..{} {form}at {address:x} {mapping}", at + 16)
    }
}

impl Masked {
    /// The secret with this number. Its length `len` must be a multiple of eight bytes.
    pub fn new(number: u64, len: usize) -> Self {
        let mut random = super::Random(number);
        Self((0..len / 8).map(|_| random.next() ^ MASK).collect())
    }

    /// The unmasked secret. It is followed by zeros, which then remain in the registers.
    #[inline(never)]
    fn reveal(&self) -> Vec<u8> {
        let mut clear = vec![0; self.0.len() * 8 + 64];
        let words = self.0.iter().chain(&[MASK; 8]);
        for (bytes, word) in clear.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&black_box(word ^ MASK).to_le_bytes());
        }
        clear
    }

    /// The needles to search for, masked like the secret.
    fn needles(&self) -> Vec<Needle> {
        let words = changed_words(&self.0);
        let forms = words.len() / self.0.len();
        // The next word in the same form comes as many entries later as there are forms.
        let pairs =
            words.iter().zip(&words[forms..]).map(|(&(one, at, form), next)| ([one, next.0], at, form));
        pairs.chain(self.schedules()).collect()
    }

    /// The end of SHA-256's or SHA256-90R's schedule for each block of the padded secret, with the constants added.
    /// These words are computed last, and remain in a kernel that keeps sixteen words.
    fn schedules(&self) -> Vec<Needle> {
        const M: u32 = MASK as u32;
        let len = self.0.len() * 8;
        let mut message: Vec<u32> = Vec::new();
        for word in &self.0 {
            let clear = black_box(word ^ MASK);
            message.extend([clear as u32, (clear >> 32) as u32].map(|half| half.swap_bytes() ^ M));
        }
        message.push(0x8000_0000 ^ M);
        message.resize((message.len() + 2).next_multiple_of(16) - 1, M);
        message.push((len as u32 * 8) ^ M);
        let mut needles = Vec::new();
        // A block that consists of padding is not secret.
        for (block, words) in message.chunks(16).take(len.div_ceil(64)).enumerate() {
            let mut w = words.to_vec();
            for t in 16..96 {
                let word = next_word([t - 16, t - 15, t - 7, t - 2].map(|i| black_box(w[i] ^ M)));
                w.push(word ^ M);
            }
            let k = hashwell::SHA256_CONSTANTS;
            let two = |t: usize| {
                let [low, high] = [t, t + 1].map(|t| u64::from(black_box(w[t] ^ M).wrapping_add(k[t])));
                low ^ high << 32 ^ MASK
            };
            for (end, form) in [48, 80].into_iter().zip(SCHEDULES) {
                let four = |i: usize| ([two(end + 4 * i), two(end + 4 * i + 2)], block * 64 + 16 * i, form);
                needles.extend((0..4).map(four));
            }
        }
        needles
    }

    /// Searches for the secret and for `more` in all memory that this process may write to.
    pub fn find(&self, more: &[Needle]) -> Vec<Found> {
        let mut needles = self.needles();
        needles.extend(more);
        needles.sort_unstable_by_key(|needle| needle.0);
        // The bitmap of hashes rules out nearly all addresses without checking the needles.
        let slot = |word: u64| (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 47) as usize;
        let mut suspects = vec![false; 1 << 17];
        needles.iter().for_each(|([word, _], ..)| suspects[slot(*word)] = true);
        // Blocks of zeros are skipped, so no needle may begin with eight zero bytes.
        const ZEROS: usize = 256;
        assert!(needles.iter().all(|([word, _], ..)| *word != MASK));
        // The window itself contains the bytes that were read last.
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
                // The page was unmapped, or cannot be read.
                let Ok(read) = memory.read_at(&mut window[..len], at) else { break };
                let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap()) ^ MASK;
                let mut next = 0;
                while next + 16 <= read {
                    let block = &window[next..read.min(next + ZEROS + 7)];
                    if block.len() == ZEROS + 7 && block.iter().fold(0, |all, byte| all | byte) == 0 {
                        next += ZEROS;
                        continue;
                    }
                    let end = read.min(next + ZEROS + 15);
                    for (offset, bytes) in window[next..end].windows(16).enumerate() {
                        let (first, address) = (word(&bytes[..8]), at + (next + offset) as u64);
                        if !suspects[slot(first)] || own.contains(&address) {
                            continue;
                        }
                        let words = [first, word(&bytes[8..])];
                        let begin = needles.partition_point(|needle| needle.0 < words);
                        for &(_, at, form) in needles[begin..].iter().take_while(|needle| needle.0 == words) {
                            found.push(Found { mapping: mapping.clone(), address, at, form });
                        }
                    }
                    next += ZEROS;
                }
                if read < 16 {
                    break;
                }
                at += read as u64 - 15;
            }
        }
        more_than_spills(&found)
    }
}

/// A masked word with its bytes reversed, and with the bytes of each half reversed. Because the mask is changed in the
/// same way, the result is still masked.
fn reversed(word: u64) -> [u64; 2] {
    let reverse_halves = |word: u64| word.swap_bytes().rotate_left(32);
    [word.swap_bytes() ^ MASK.swap_bytes() ^ MASK, reverse_halves(word) ^ reverse_halves(MASK) ^ MASK]
}

/// Changed words, their offsets in the secret, and their forms.
fn changed_words(words: &[u64]) -> Vec<(u64, usize, &'static str)> {
    let mut needles = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let [reversed, halves] = reversed(*word);
        // SHA-256 kernels that prepare a schedule in memory store the words of a block with the constants added.
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

/// The needles for states that were derived from a secret, from pairs of masked words.
pub fn of_states(pairs: &[[u64; 2]]) -> Vec<Needle> {
    let forms = ["in a state ", "in a state, reversed by 8 ", "in a state, reversed by 4 "];
    let of_pair = |&[first, second]: &[u64; 2]| {
        let (first, second) = (reversed(first), reversed(second));
        [[first[0], second[0]], [first[1], second[1]]]
    };
    let mut needles = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        let [by_8, by_4] = of_pair(pair);
        needles.extend([*pair, by_8, by_4].into_iter().zip(forms).map(|(pair, form)| (pair, i * 8, form)));
    }
    needles
}

/// A copy of the bytes of an object in its current place.
pub fn snapshot<T>(object: &T) -> Vec<u8> {
    let mut bytes = vec![0; size_of_val(object)];
    let memory = File::open("/proc/self/mem").unwrap();
    memory.read_exact_at(&mut bytes, (&raw const *object).addr() as u64).unwrap();
    bytes
}

/// Pairs of masked words of the states that `states` derives from the secret. Only words that depend on the secret, and
/// are the same each time, are included. Words with few different bytes are omitted, because they are numbers.
pub fn derived(secret: &Masked, states: &dyn Fn(&[u8]) -> Vec<Vec<u8>>) -> Vec<[u64; 2]> {
    let len = secret.0.len() * 8;
    let clear = secret.reveal();
    let other: Vec<u8> = clear.iter().map(|byte| byte ^ 0x99).collect();
    let words = |key: &[u8]| -> Vec<Vec<u64>> {
        let of_state =
            |state: &Vec<u8>| state.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        states(&key[..len]).iter().map(of_state).collect()
    };
    let (own, others, again) = (words(&clear), words(&other), words(&clear));
    let is_secret = |state: usize, at: usize| {
        let word: u64 = own[state][at];
        let mut bytes = word.to_le_bytes();
        bytes.sort_unstable();
        let different = bytes.chunk_by(|a, b| a == b).count();
        word != others[state][at] && word == again[state][at] && different >= 5
    };
    let mut pairs = Vec::new();
    for (state, words) in own.iter().enumerate() {
        for at in 1..words.len() {
            if is_secret(state, at - 1) && is_secret(state, at) {
                pairs.push([words[at - 1] ^ MASK, words[at] ^ MASK]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Removes isolated parts of a block's schedule: compilers spill up to four words, from which nothing can be recovered.
fn more_than_spills(found: &[Found]) -> Vec<Found> {
    let of_one = |a: &Found, b: &Found| a.form == b.form && a.at / 64 == b.at / 64 && a.at != b.at;
    let counts =
        |one: &&Found| !SCHEDULES.contains(&one.form) || found.iter().any(|other| of_one(one, other));
    found.iter().filter(counts).cloned().collect()
}

/// The name, start and end of every mapping that can be read and written.
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

/// The number of bytes of the stack that `use_it` wrote below the part that it cleared at the end.
///
/// The first call is ignored, because it selects a kernel. Before the second one, the stack is filled with a pattern.
/// If the call clears everything that its frames used, the lowest bytes that differ from the pattern are zeros, except
/// for the return address of the clearing function.
pub fn written_below_cleared(use_it: impl Fn() + Send + 'static) -> usize {
    const STACK: usize = 128 << 10;
    const PATTERN: u8 = 0xa7;
    /// A frame with this many consecutive zeros would be mistaken for the cleared bytes.
    const CLEARED: usize = 1 << 10;
    #[inline(never)]
    fn fill() {
        let mut frame = [PATTERN; STACK];
        black_box(&mut frame);
    }
    #[inline(never)]
    fn call(use_it: &impl Fn()) {
        use_it();
    }
    let (place, read) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn({
        let (place, read) = (place.clone(), read.clone());
        move || {
            let here = 0u8;
            call(&use_it);
            fill();
            call(&use_it);
            place.store((&raw const here).addr(), Ordering::SeqCst);
            while !read.load(Ordering::SeqCst) {
                std::hint::spin_loop();
            }
        }
    });
    let thread = thread.unwrap();
    while place.load(Ordering::SeqCst) == 0 && !thread.is_finished() {
        std::thread::yield_now();
    }
    let mut stack = vec![0; STACK - (4 << 10)];
    let start = place.load(Ordering::SeqCst) - stack.len();
    File::open("/proc/self/mem").unwrap().read_exact_at(&mut stack, start as u64).unwrap();
    read.store(true, Ordering::SeqCst);
    thread.join().unwrap();
    assert!(
        stack[..CLEARED].iter().all(|byte| *byte == PATTERN),
        "the call needs more stack than is looked at"
    );
    let lowest = stack.iter().position(|byte| *byte != PATTERN).expect("the call has a frame");
    let cleared = stack[lowest..].windows(CLEARED).position(|bytes| bytes.iter().all(|byte| *byte == 0));
    cleared.expect("the call clears the stack")
}

/// Runs `use_it` with the secret in a thread whose stack stays unchanged while all memory is searched. The thread's own
/// copies of the secret are overwritten before.
pub fn left_behind(
    secret: &Masked,
    derived: &[Needle],
    use_it: impl FnOnce(&[u8]) + Send + 'static,
) -> Vec<Found> {
    let used = Arc::new(AtomicBool::new(false));
    let searched = Arc::new(AtomicBool::new(false));
    // Several times as much as any use needs; all of it is searched.
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn({
        let (secret, used, searched) = (secret.clone(), used.clone(), searched.clone());
        move || {
            let mut clear = secret.reveal();
            use_it(&clear[..secret.0.len() * 8]);
            clear.zeroize();
            used.store(true, Ordering::SeqCst);
            // Spinning calls no functions, so it overwrites no frames.
            while !searched.load(Ordering::SeqCst) {
                std::hint::spin_loop();
            }
        }
    });
    let thread = thread.unwrap();
    while !used.load(Ordering::SeqCst) && !thread.is_finished() {
        std::thread::yield_now();
    }
    let found = secret.find(derived);
    searched.store(true, Ordering::SeqCst);
    thread.join().unwrap();
    found
}
