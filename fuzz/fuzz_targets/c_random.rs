//! Generators of the C interface, over hashwell's HMAC and over one of the caller's, the operating system's, and random
//! sources with what they spawn, give what Rust's give, and refuse what those refuse.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::{
    ALGORITHMS, Algorithm, DrbgParams, EntropySource, Error, HmacDrbg, RandomStream, Request, Source,
    StreamKey, Words, hmac,
};
// Its functions are called by name alone.
use hashwell_ffi_fuzzed as _;
use libfuzzer_sys::fuzz_target;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

type State = *mut c_void;
type Entropy = unsafe extern "C" fn(context: *mut c_void, out: *mut u8, len: usize) -> c_int;
type HmacFunction = unsafe extern "C" fn(
    context: *mut c_void,
    key: *const u8,
    key_len: usize,
    pieces: *const *const u8,
    lengths: *const usize,
    count: usize,
    tag: *mut u8,
) -> c_int;

/// `hw_drbg_params` of the header.
#[repr(C)]
struct CParams {
    size: usize,
    personalization: *const u8,
    personalization_len: usize,
    kernel: *const c_char,
    reseed_interval: u64,
    strength: u32,
    prediction_resistance: u32,
}

unsafe extern "C" {
    fn hw_drbg_size() -> usize;
    fn hw_drbg_align() -> usize;
    fn hw_drbg_init(
        state: State,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_new(
        out: *mut State,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_init_unchecked(
        state: State,
        id: u32,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_init_from(
        state: State,
        id: u32,
        source: Option<Entropy>,
        context: *mut c_void,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_reseed(
        state: State,
        entropy: *const u8,
        entropy_len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_generate(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_fill(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_generate_from(
        state: State,
        source: Option<Entropy>,
        context: *mut c_void,
        prediction_resistance: c_int,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_requests_left(state: *const c_void) -> u64;
    fn hw_drbg_strength(state: *const c_void) -> u32;
    fn hw_drbg_self_test(id: u32) -> c_int;
    fn hw_drbg_wipe(state: State);
    fn hw_drbg_free(state: State);

    fn hw_drbg_custom_size() -> usize;
    fn hw_drbg_custom_align() -> usize;
    fn hw_drbg_custom_init(
        state: State,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_custom_new(
        out: *mut State,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_custom_init_unchecked(
        state: State,
        output_len: usize,
        function: Option<HmacFunction>,
        context: *mut c_void,
        entropy: *const u8,
        entropy_len: usize,
        nonce: *const u8,
        nonce_len: usize,
        params: *const CParams,
    ) -> c_int;
    fn hw_drbg_custom_reseed(
        state: State,
        entropy: *const u8,
        entropy_len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_custom_generate(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_custom_fill(
        state: State,
        out: *mut u8,
        len: usize,
        additional: *const u8,
        additional_len: usize,
    ) -> c_int;
    fn hw_drbg_custom_requests_left(state: *const c_void) -> u64;
    fn hw_drbg_custom_strength(state: *const c_void) -> u32;
    fn hw_drbg_custom_wipe(state: State);
    fn hw_drbg_custom_free(state: State);

    fn hw_random_size() -> usize;
    fn hw_random_align() -> usize;
    fn hw_random_init(state: State, id: u32, params: *const CParams) -> c_int;
    fn hw_random_new(out: *mut State, id: u32, params: *const CParams) -> c_int;
    fn hw_random_read(state: State, out: *mut u8, len: usize) -> c_int;
    fn hw_random_reseed(state: State, additional: *const u8, additional_len: usize) -> c_int;
    fn hw_random_wipe(state: State);
    fn hw_random_free(state: State);

    fn hw_source_at(index: usize) -> *const c_char;
    fn hw_source_new(
        out: *mut State,
        name: *const c_char,
        seed: *const u8,
        seed_len: usize,
        personalization: *const u8,
        personalization_len: usize,
    ) -> c_int;
    fn hw_source_new_os(
        out: *mut State,
        name: *const c_char,
        personalization: *const u8,
        personalization_len: usize,
    ) -> c_int;
    fn hw_source_new_key(
        out: *mut State,
        name: *const c_char,
        key: *const u8,
        key_len: usize,
        jumps: u64,
        spawned: u64,
    ) -> c_int;
    fn hw_source_key(
        state: *const c_void,
        key: *mut u8,
        key_len: usize,
        jumps: *mut u64,
        spawned: *mut u64,
    ) -> c_int;
    fn hw_source_name(state: *const c_void) -> *const c_char;
    fn hw_source_read(state: State, out: *mut u8, len: usize) -> c_int;
    fn hw_source_next_u32(state: State, number: *mut u32) -> c_int;
    fn hw_source_next_u64(state: State, number: *mut u64) -> c_int;
    fn hw_source_next_double(state: State, number: *mut f64) -> c_int;
    fn hw_source_tell(state: *const c_void, low: *mut u64, high: *mut u64) -> c_int;
    fn hw_source_end(state: *const c_void, low: *mut u64, high: *mut u64) -> c_int;
    fn hw_source_is_seekable(state: *const c_void) -> c_int;
    fn hw_source_seek(state: State, low: u64, high: u64) -> c_int;
    fn hw_source_spawn(state: State, child: *mut State) -> c_int;
    fn hw_source_jumped(state: *const c_void, jumps: u64, out: *mut State) -> c_int;
    fn hw_source_seed_others(state: *const c_void, out: *mut u8, len: usize) -> c_int;
    fn hw_source_free(state: State);
}

#[derive(Arbitrary, Debug)]
enum Step {
    Generate(u16, Vec<u8>),
    Fill(u32, Vec<u8>),
    From(u16, Vec<u8>, bool),
    Reseed(Vec<u8>, Vec<u8>),
    Move,
}

#[derive(Arbitrary, Debug)]
enum Way {
    Checked,
    Unchecked,
    Heap,
    From,
}

#[derive(Arbitrary, Debug)]
enum Pull {
    Read(u16),
    U32,
    U64,
    Double,
    Seek(u64, u8),
    Spawn,
    Jump(u64),
    Others(u8),
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    way: Way,
    entropy: Vec<u8>,
    nonce: Vec<u8>,
    personalization: Vec<u8>,
    interval: u8,
    strength: u16,
    prediction_resistance: bool,
    /// After so many calls the caller's entropy and HMAC fail.
    calls: u8,
    steps: Vec<Step>,
    source: u8,
    key: [u8; 32],
    jumps: u64,
    spawned: u64,
    pulls: Vec<Pull>,
}

/// Room for any state, and how they are aligned.
#[derive(Clone)]
#[repr(C, align(16))]
struct Place([u8; 2240]);

impl Place {
    fn new() -> Box<Self> {
        Box::new(Self([0; 2240]))
    }

    fn state(&mut self) -> State {
        self.0.as_mut_ptr().cast()
    }
}

const ALIGN: c_int = -7;
const CALLBACK: c_int = -20;

/// Entropy that a caller's function gives, the same again for each that begins with the same number.
struct Given {
    next: u8,
    left: u8,
}

impl EntropySource for Given {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(Error::EntropyFailed { reason: Box::default() });
        };
        self.left = left;
        for byte in out {
            *byte = self.next;
            self.next = self.next.wrapping_mul(5).wrapping_add(3);
        }
        Ok(())
    }
}

unsafe extern "C" fn given(context: *mut c_void, out: *mut u8, len: usize) -> c_int {
    // SAFETY: the context is a `Given` of this file's, and there is room for so many bytes.
    let (given, out) = unsafe {
        out.write_bytes(0, len);
        (&mut *context.cast::<Given>(), std::slice::from_raw_parts_mut(out, len))
    };
    given.fill(out).is_err().into()
}

/// An HMAC that a caller's function computes, over a row, until it fails.
struct Own {
    algorithm: &'static Algorithm,
    left: usize,
}

unsafe extern "C" fn own_hmac(
    context: *mut c_void,
    key: *const u8,
    key_len: usize,
    pieces: *const *const u8,
    lengths: *const usize,
    count: usize,
    tag: *mut u8,
) -> c_int {
    // SAFETY: the context is an `Own` of this file's; the key, and each of so many pieces, has the length beside it.
    let (own, key, message) = unsafe {
        let piece = |i: usize| match *lengths.add(i) {
            0 => &[],
            len => std::slice::from_raw_parts(*pieces.add(i), len),
        };
        let message: Vec<u8> = (0..count).flat_map(piece).copied().collect();
        (&mut *context.cast::<Own>(), std::slice::from_raw_parts(key, key_len), message)
    };
    let Some(left) = own.left.checked_sub(1) else { return 1 };
    own.left = left;
    let made = hmac(own.algorithm, key, &message).expect("a row with HMAC");
    // SAFETY: there is room for a tag.
    unsafe { tag.copy_from_nonoverlapping(made.as_ptr(), made.len()) };
    0
}

fn drbg(case: &Case, algorithm: &'static Algorithm, params: &DrbgParams<'_>, c: &CParams) {
    let (entropy, nonce) = (&case.entropy, &case.nonce);
    let (mut place, mut on_heap) = (Place::new(), null_mut());
    let source = || Given { next: case.row, left: case.calls };
    let (mut of_c, mut of_rust) = (source(), source());
    let context = (&raw mut of_c).cast::<c_void>();
    let model = match case.way {
        Way::Checked | Way::Heap => HmacDrbg::new(algorithm, entropy, nonce, params),
        Way::Unchecked => HmacDrbg::from_seed_unchecked(algorithm, entropy, nonce, params),
        Way::From => HmacDrbg::from_source(algorithm, params, &mut of_rust),
    };
    let id = algorithm.id;
    // SAFETY: a place as large and aligned as states are, bytes as many as said, and a context that lives on.
    let code = unsafe {
        assert!(hw_drbg_size() <= size_of::<Place>() && hw_drbg_align() <= align_of::<Place>());
        let (seed, len, nonce, nonce_len) = (entropy.as_ptr(), entropy.len(), nonce.as_ptr(), nonce.len());
        match case.way {
            Way::Checked => hw_drbg_init(place.state(), id, seed, len, nonce, nonce_len, c),
            Way::Unchecked => hw_drbg_init_unchecked(place.state(), id, seed, len, nonce, nonce_len, c),
            Way::Heap => hw_drbg_new(&mut on_heap, id, seed, len, nonce, nonce_len, c),
            Way::From => hw_drbg_init_from(place.state(), id, Some(given), context, c),
        }
    };
    assert_eq!(code == 0, model.is_ok(), "{code} {:?}", model.as_ref().err());
    let Ok(mut model) = model else { return assert!(on_heap.is_null()) };
    for step in &case.steps {
        let state = if on_heap.is_null() { place.state() } else { on_heap };
        let (mut out, mut expected) = (Vec::new(), Vec::new());
        let mut outputs = |len: usize| {
            (out, expected) = (vec![1; len], vec![1; len]);
        };
        let (code, made) = match step {
            Step::Generate(len, additional) => {
                outputs(usize::from(*len));
                // SAFETY: a live state, and bytes as many as said; so it is below.
                let code = unsafe {
                    hw_drbg_generate(
                        state,
                        out.as_mut_ptr(),
                        out.len(),
                        additional.as_ptr(),
                        additional.len(),
                    )
                };
                (code, model.generate(&mut expected, additional))
            }
            Step::Fill(len, additional) => {
                outputs(*len as usize % 200_000);
                // SAFETY: as above.
                let code = unsafe {
                    hw_drbg_fill(state, out.as_mut_ptr(), out.len(), additional.as_ptr(), additional.len())
                };
                (code, model.fill(&mut expected, additional))
            }
            Step::From(len, additional, resistance) => {
                outputs(usize::from(*len));
                // SAFETY: as above, and a context that lives on.
                let code = unsafe {
                    let (to, more) = (out.as_mut_ptr(), additional.as_ptr());
                    let resistance = c_int::from(*resistance);
                    hw_drbg_generate_from(
                        state,
                        Some(given),
                        context,
                        resistance,
                        to,
                        out.len(),
                        more,
                        additional.len(),
                    )
                };
                let request =
                    Request { additional, prediction_resistance: *resistance, ..Request::default() };
                (code, model.fill_from(&mut of_rust, &mut expected, &request))
            }
            Step::Reseed(entropy, additional) => {
                let (more, len) = (additional.as_ptr(), additional.len());
                // SAFETY: as above.
                let code = unsafe { hw_drbg_reseed(state, entropy.as_ptr(), entropy.len(), more, len) };
                (code, model.reseed(entropy, additional))
            }
            Step::Move => {
                place = place.clone();
                (0, Ok(()))
            }
        };
        assert_eq!(code == 0, made.is_ok(), "{code} {made:?}");
        assert!(out == expected);
        let state = if on_heap.is_null() { place.state() } else { on_heap };
        // SAFETY: a live state.
        let says = unsafe { (hw_drbg_requests_left(state), hw_drbg_strength(state)) };
        assert_eq!(says, (model.requests_left(), model.strength()));
    }
    // SAFETY: what was wiped is no state any more; what is on the heap is freed once, and NULL as nothing.
    unsafe {
        hw_drbg_wipe(place.state());
        assert!(hw_drbg_generate(place.state(), null_mut(), 0, null(), 0) != 0);
        hw_drbg_free(on_heap);
    }
    assert!(place.0.iter().all(|byte| *byte == 0));
}

/// Over an HMAC of the caller's it is what it is over that row, until that fails.
fn custom(case: &Case, algorithm: &'static Algorithm, params: &DrbgParams<'_>, c: &CParams) {
    let (entropy, nonce) = (&case.entropy, &case.nonce);
    let (mut place, mut on_heap) = (Place::new(), null_mut());
    let left = if case.calls < 200 { usize::MAX } else { usize::from(case.calls - 200) };
    let mut own = Own { algorithm, left };
    let context = (&raw mut own).cast::<c_void>();
    // SAFETY: as for the generators above.
    let code = unsafe {
        assert!(hw_drbg_custom_size() <= size_of::<Place>() && hw_drbg_custom_align() <= align_of::<Place>());
        let (seed, seed_len, nonce, nonce_len) =
            (entropy.as_ptr(), entropy.len(), nonce.as_ptr(), nonce.len());
        let (len, f) = (algorithm.output, Some(own_hmac as HmacFunction));
        match case.way {
            Way::Checked => {
                hw_drbg_custom_init(place.state(), len, f, context, seed, seed_len, nonce, nonce_len, c)
            }
            Way::Unchecked | Way::From => hw_drbg_custom_init_unchecked(
                place.state(),
                len,
                f,
                context,
                seed,
                seed_len,
                nonce,
                nonce_len,
                c,
            ),
            Way::Heap => {
                hw_drbg_custom_new(&mut on_heap, len, f, context, seed, seed_len, nonce, nonce_len, c)
            }
        }
    };
    let model = match case.way {
        Way::Checked | Way::Heap => HmacDrbg::new(algorithm, entropy, nonce, params),
        Way::Unchecked | Way::From => HmacDrbg::from_seed_unchecked(algorithm, entropy, nonce, params),
    };
    let may_fail = left != usize::MAX;
    assert!(may_fail || (code == 0) == model.is_ok(), "{code} {:?}", model.err());
    let (0, Ok(mut model)) = (code, model) else { return };
    let state = if on_heap.is_null() { place.state() } else { on_heap };
    for step in &case.steps {
        let (mut out, mut expected) = (Vec::new(), Vec::new());
        let mut outputs = |len: usize| {
            (out, expected) = (vec![1; len], vec![1; len]);
        };
        let (code, made) = match step {
            Step::Generate(len, additional) => {
                outputs(usize::from(*len) % 2000);
                let (more, more_len) = (additional.as_ptr(), additional.len());
                // SAFETY: a live state, and bytes as many as said; so it is below.
                let code =
                    unsafe { hw_drbg_custom_generate(state, out.as_mut_ptr(), out.len(), more, more_len) };
                (code, model.generate(&mut expected, additional))
            }
            Step::Fill(len, additional) => {
                outputs(*len as usize % 2000);
                let (more, more_len) = (additional.as_ptr(), additional.len());
                // SAFETY: as above.
                let code = unsafe { hw_drbg_custom_fill(state, out.as_mut_ptr(), out.len(), more, more_len) };
                (code, model.fill(&mut expected, additional))
            }
            Step::Reseed(entropy, additional) => {
                let (more, len) = (additional.as_ptr(), additional.len());
                // SAFETY: as above.
                let code =
                    unsafe { hw_drbg_custom_reseed(state, entropy.as_ptr(), entropy.len(), more, len) };
                (code, model.reseed(entropy, additional))
            }
            Step::From(..) | Step::Move => (0, Ok(())),
        };
        if code == CALLBACK {
            assert!(own.left == 0 && out.iter().all(|byte| *byte == 0));
            break;
        }
        assert_eq!(code == 0, made.is_ok(), "{code} {made:?}");
        assert!(out == expected);
        // SAFETY: a live state.
        let says = unsafe { (hw_drbg_custom_requests_left(state), hw_drbg_custom_strength(state)) };
        assert_eq!(says, (model.requests_left(), model.strength()));
    }
    // SAFETY: as for the generators above.
    unsafe {
        hw_drbg_custom_wipe(place.state());
        hw_drbg_custom_free(on_heap);
    }
    assert!(place.0.iter().all(|byte| *byte == 0));
}

/// The operating system's bytes, of which no two are alike.
fn random(case: &Case, algorithm: &'static Algorithm, c: &CParams) {
    let (mut place, mut on_heap) = (Place::new(), null_mut());
    let mut outs = [[0; 40]; 4];
    // SAFETY: a place as large and aligned as states are, and bytes as many as said.
    unsafe {
        assert!(hw_random_size() <= size_of::<Place>() && hw_random_align() <= align_of::<Place>());
        assert_eq!(hw_random_init(place.state().byte_add(1), algorithm.id, null()), ALIGN);
        let made = hw_random_init(place.state(), algorithm.id, c);
        assert_eq!(made, hw_random_new(&mut on_heap, algorithm.id, c));
        if made == 0 {
            assert_eq!(hw_random_read(place.state(), outs[0].as_mut_ptr(), 40), 0);
            let (more, len) = (case.entropy.as_ptr(), case.entropy.len());
            assert_eq!(hw_random_reseed(place.state(), more, len), 0);
            assert_eq!(hw_random_read(place.state(), outs[1].as_mut_ptr(), 40), 0);
            assert_eq!(hw_random_read(on_heap, outs[2].as_mut_ptr(), 40), 0);
            outs.sort_unstable();
            assert!(outs.windows(2).all(|two| two[0] != two[1]));
        }
        hw_random_wipe(place.state());
        hw_random_free(on_heap);
    }
    assert!(place.0.iter().all(|byte| *byte == 0));
}

fn position(state: State, of: unsafe extern "C" fn(*const c_void, *mut u64, *mut u64) -> c_int) -> u128 {
    let (mut low, mut high) = (0, 0);
    // SAFETY: a live object, and places of this function.
    assert_eq!(unsafe { of(state, &mut low, &mut high) }, 0);
    u128::from(high) << 64 | u128::from(low)
}

fn same_bytes(state: State, model: &mut RandomStream) {
    let (mut out, mut expected) = ([0; 50], [0; 50]);
    let made = model.read(&mut expected);
    // SAFETY: a live object, and an output of so many bytes.
    assert_eq!(unsafe { hw_source_read(state, out.as_mut_ptr(), out.len()) } == 0, made.is_ok());
    assert!(made.is_err() || out == expected);
}

fn source(case: &Case) {
    let sources: Vec<Source> = Source::all().collect();
    let at = usize::from(case.source);
    let source = sources[at % sources.len()];
    let name = CString::new(source.name()).unwrap();
    // SAFETY: NULL or text of the library's.
    let named = |text: *const c_char| (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_owned());
    // SAFETY: any number.
    let listed = named(unsafe { hw_source_at(at) });
    assert_eq!(listed, sources.get(at).map(|source| CString::new(source.name()).unwrap()));
    let (mut state, mut from_os) = (null_mut(), null_mut());
    let Case { key, jumps, spawned, personalization, .. } = case;
    let mut model = if case.interval.is_multiple_of(2) {
        // SAFETY: text with its end, bytes as many as said, and a place of this function.
        let code = unsafe {
            let (personal, len) = (personalization.as_ptr(), personalization.len());
            hw_source_new(&mut state, name.as_ptr(), key.as_ptr(), key.len(), personal, len)
        };
        assert_eq!(code, 0);
        source.seeded(key, personalization).unwrap()
    } else {
        // SAFETY: as above.
        let code = unsafe {
            hw_source_new_key(&mut state, name.as_ptr(), key.as_ptr(), key.len(), *jumps, *spawned)
        };
        let model = RandomStream::of_key(source, StreamKey { root: *key, jumps: *jumps });
        assert_eq!(code == 0, model.is_ok());
        let Ok(mut model) = model else { return };
        model.set_spawned(*spawned);
        model
    };
    // SAFETY: as above; the objects are live.
    unsafe {
        assert_eq!(named(hw_source_name(state)), Some(name.clone()));
        let personal = (personalization.as_ptr(), personalization.len());
        assert_eq!(hw_source_new_os(&mut from_os, name.as_ptr(), personal.0, personal.1), 0);
        let mut two = [[0_u8; 20]; 2];
        assert_eq!(hw_source_read(from_os, two[0].as_mut_ptr(), 20), 0);
        assert_eq!(hw_source_seed_others(from_os, two[1].as_mut_ptr(), 20), 0);
        assert!(two[0] != two[1] && two[0] != [0; 20]);
        hw_source_free(from_os);
    }
    assert_eq!(position(state, hw_source_end), model.end());
    // SAFETY: a live object.
    assert_eq!(unsafe { hw_source_is_seekable(state) }, model.is_seekable().into());
    for pull in &case.pulls {
        let (mut word, mut long, mut double) = (0, 0, 0.0);
        let mut other = null_mut();
        match pull {
            Pull::Read(len) => {
                let (mut out, mut expected) = (vec![0; usize::from(*len)], vec![0; usize::from(*len)]);
                let made = model.read(&mut expected);
                // SAFETY: a live object, and places of this function; so it is below.
                assert_eq!(unsafe { hw_source_read(state, out.as_mut_ptr(), out.len()) } == 0, made.is_ok());
                assert!(made.is_err() || out == expected);
            }
            Pull::U32 => {
                // SAFETY: as above.
                let code = unsafe { hw_source_next_u32(state, &mut word) };
                assert_eq!((code == 0).then_some(word), model.next_u32().ok());
            }
            Pull::U64 => {
                // SAFETY: as above.
                let code = unsafe { hw_source_next_u64(state, &mut long) };
                assert_eq!((code == 0).then_some(long), model.next_u64().ok());
            }
            Pull::Double => {
                // SAFETY: as above.
                let code = unsafe { hw_source_next_double(state, &mut double) };
                assert_eq!((code == 0).then_some(double), model.next_f64().ok());
            }
            Pull::Seek(low, high) => {
                // Those without a place to go to pass over all before it: not too far.
                let (low, high) = if model.is_seekable() { (*low, *high) } else { (low % 20_000, 0) };
                let made = model.seek(u128::from(high) << 64 | u128::from(low));
                // SAFETY: as above.
                assert_eq!(unsafe { hw_source_seek(state, low, high.into()) } == 0, made.is_ok(), "{made:?}");
            }
            Pull::Spawn | Pull::Jump(_) => {
                // SAFETY: as above; what was made is freed below.
                let (code, made) = match pull {
                    Pull::Jump(jumps) => {
                        (unsafe { hw_source_jumped(state, *jumps, &mut other) }, model.jumped(*jumps))
                    }
                    _ => (unsafe { hw_source_spawn(state, &mut other) }, model.spawn()),
                };
                assert_eq!(code == 0, made.is_ok());
                assert_eq!(other.is_null(), made.is_err());
                if let Ok(mut made) = made {
                    same_bytes(other, &mut made);
                }
                // SAFETY: made above, used no more; NULL is freed as nothing.
                unsafe { hw_source_free(other) };
            }
            Pull::Others(len) => {
                let (mut out, mut expected) = (vec![0; usize::from(*len)], vec![0; usize::from(*len)]);
                model.seed_others(&mut expected).unwrap();
                // SAFETY: as above.
                assert_eq!(unsafe { hw_source_seed_others(state, out.as_mut_ptr(), out.len()) }, 0);
                assert!(out == expected);
            }
        }
        assert_eq!(position(state, hw_source_tell), model.position());
        let (mut root, mut jumps, mut spawned) = ([0; 32], 0, 0);
        // SAFETY: a live object, and places of this function.
        assert_eq!(unsafe { hw_source_key(state, root.as_mut_ptr(), 32, &mut jumps, &mut spawned) }, 0);
        let of_model = model.key().expect("it has a seed");
        assert_eq!((root, jumps, spawned), (of_model.root, of_model.jumps, model.spawned()));
    }
    // SAFETY: made above, used no more.
    unsafe { hw_source_free(state) };
}

fuzz_target!(|case: Case| {
    let rows: Vec<_> = ALGORITHMS.iter().filter(|row| row.hmac).collect();
    let algorithm = rows[usize::from(case.row) % rows.len()];
    let params = DrbgParams {
        personalization: &case.personalization,
        reseed_interval: Some(case.interval.into()).filter(|interval| *interval > 0),
        strength: Some(case.strength.into()).filter(|strength| *strength > 0),
        prediction_resistance: case.prediction_resistance,
        kernel: None,
    };
    let c = CParams {
        size: size_of::<CParams>(),
        personalization: case.personalization.as_ptr(),
        personalization_len: case.personalization.len(),
        kernel: null(),
        reseed_interval: case.interval.into(),
        strength: case.strength.into(),
        prediction_resistance: case.prediction_resistance.into(),
    };
    // SAFETY: any number.
    assert_eq!(unsafe { hw_drbg_self_test(algorithm.id) }, 0);
    drbg(&case, algorithm, &params, &c);
    custom(&case, algorithm, &params, &c);
    random(&case, algorithm, &c);
    source(&case);
});
