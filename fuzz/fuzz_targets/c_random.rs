//! The generators of the C interface (with hashwell's HMAC, with a caller's HMAC, and of the operating
//! system) and its random sources with their spawned streams give the same results as those of Rust, and
//! refuse the same calls.
#![no_main]

#[path = "common/interface.rs"]
mod interface;

use arbitrary::Arbitrary;
use hashwell::{
    ALGORITHMS, Algorithm, DrbgParams, EntropySource, Error, HmacDrbg, RandomStream, Request, Source,
    StreamKey, RandomSource, hmac,
};
use interface::*;
use libfuzzer_sys::fuzz_target;
use std::ffi::{CString, c_int, c_void};
use std::ptr::{null, null_mut};

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
    /// After this number of calls, the caller's functions for entropy and HMAC fail.
    calls: u8,
    steps: Vec<Step>,
    source: u8,
    key: [u8; 32],
    jumps: u64,
    spawned: u64,
    pulls: Vec<Pull>,
}

const ALIGN: c_int = -7;
const CALLBACK: c_int = -20;

/// The caller's entropy function. Values that begin with the same number give the same bytes.
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
    // SAFETY: the context is a `Given` of this file, and the output has space for this number of bytes.
    let (given, out) = unsafe {
        out.write_bytes(0, len);
        (&mut *context.cast::<Given>(), std::slice::from_raw_parts_mut(out, len))
    };
    given.fill(out).is_err().into()
}

/// The caller's HMAC function: the HMAC of an algorithm, which fails after `left` calls.
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
    // SAFETY: the context is an `Own` of this file; the key and each of the `count` pieces have their given
    // lengths.
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
    // SAFETY: the output has space for a tag.
    unsafe { tag.copy_from_nonoverlapping(made.as_ptr(), made.len()) };
    0
}

/// The functions that both kinds of generators have: those with hashwell's HMAC, and those with a caller's
/// HMAC.
struct Functions {
    generate: unsafe extern "C" fn(State, *mut u8, usize, *const u8, usize) -> c_int,
    fill: unsafe extern "C" fn(State, *mut u8, usize, *const u8, usize) -> c_int,
    reseed: unsafe extern "C" fn(State, *const u8, usize, *const u8, usize) -> c_int,
    requests_left: unsafe extern "C" fn(*const c_void) -> u64,
    strength: unsafe extern "C" fn(*const c_void) -> u32,
    wipe: unsafe extern "C" fn(State),
    free: unsafe extern "C" fn(State),
    /// The maximum lengths for `generate` and for `fill`.
    most: [usize; 2],
}

const OVER_ROWS: Functions = Functions {
    generate: hw_drbg_generate,
    fill: hw_drbg_fill,
    reseed: hw_drbg_reseed,
    requests_left: hw_drbg_requests_left,
    strength: hw_drbg_strength,
    wipe: hw_drbg_wipe,
    free: hw_drbg_free,
    most: [1 << 16, 200_000],
};

const OVER_CUSTOM: Functions = Functions {
    generate: hw_drbg_custom_generate,
    fill: hw_drbg_custom_fill,
    reseed: hw_drbg_custom_reseed,
    requests_left: hw_drbg_custom_requests_left,
    strength: hw_drbg_custom_strength,
    wipe: hw_drbg_custom_wipe,
    free: hw_drbg_custom_free,
    most: [2000, 2000],
};

/// Two entropy sources that give the same bytes: `context` for C, and `model` for Rust.
struct OfEntropy<'a> {
    context: *mut c_void,
    model: &'a mut Given,
}

/// Performs the steps in C and on the Rust model, and then wipes and frees the C states. Returns true if a
/// caller's function failed, which ends the steps.
fn steps(
    case: &Case,
    c: &Functions,
    place: &mut Box<Place>,
    on_heap: State,
    model: &mut HmacDrbg,
    mut entropy: Option<&mut OfEntropy<'_>>,
) -> bool {
    let mut failed = false;
    for step in &case.steps {
        let state = if on_heap.is_null() { place.state() } else { on_heap };
        let len = match step {
            Step::Generate(len, _) | Step::From(len, ..) => usize::from(*len) % c.most[0],
            Step::Fill(len, _) => *len as usize % c.most[1],
            Step::Reseed(..) | Step::Move => 0,
        };
        let (mut out, mut expected) = (vec![1; len], vec![1; len]);
        let to = out.as_mut_ptr();
        let (code, made) = match (step, &mut entropy) {
            (Step::Generate(_, additional), _) => {
                let (more, more_len) = (additional.as_ptr(), additional.len());
                // SAFETY: the state is live, and the pointers are valid for their lengths (the same applies
                // below).
                let code = unsafe { (c.generate)(state, to, len, more, more_len) };
                (code, model.generate(&mut expected, additional))
            }
            (Step::Fill(_, additional), _) => {
                let (more, more_len) = (additional.as_ptr(), additional.len());
                // SAFETY: as above.
                let code = unsafe { (c.fill)(state, to, len, more, more_len) };
                (code, model.fill(&mut expected, additional))
            }
            (Step::From(_, additional, resistance), Some(entropy)) => {
                let (more, more_len) = (additional.as_ptr(), additional.len());
                let (context, resists) = (entropy.context, c_int::from(*resistance));
                // SAFETY: as above, and the context outlives the call.
                let code = unsafe {
                    hw_drbg_generate_from(state, Some(given), context, resists, to, len, more, more_len)
                };
                let request =
                    Request { additional, prediction_resistance: *resistance, ..Request::default() };
                (code, model.fill_from(entropy.model, &mut expected, &request))
            }
            (Step::Reseed(entropy, additional), _) => {
                let (more, more_len) = (additional.as_ptr(), additional.len());
                // SAFETY: as above.
                let code = unsafe { (c.reseed)(state, entropy.as_ptr(), entropy.len(), more, more_len) };
                (code, model.reseed(entropy, additional))
            }
            (Step::Move, Some(_)) => {
                *place = place.clone();
                (0, Ok(()))
            }
            (Step::From(..) | Step::Move, None) => (0, Ok(())),
        };
        if code == CALLBACK && entropy.is_none() {
            assert!(out.iter().all(|byte| *byte == 0));
            failed = true;
            break;
        }
        assert_eq!(code == 0, made.is_ok(), "{code} {made:?}");
        assert!(out == expected);
        let state = if on_heap.is_null() { place.state() } else { on_heap };
        // SAFETY: the state is live.
        let says = unsafe { ((c.requests_left)(state), (c.strength)(state)) };
        assert_eq!(says, (model.requests_left(), model.strength()));
    }
    // SAFETY: the state on the heap is freed once; freeing NULL does nothing.
    unsafe {
        (c.wipe)(place.state());
        (c.free)(on_heap);
    }
    assert!(place.0.iter().all(|byte| *byte == 0));
    failed
}

fn drbg(case: &Case, algorithm: &'static Algorithm, params: &DrbgParams<'_>, c: &CDrbgParams) {
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
    // SAFETY: the place is as large and as aligned as states, the pointers are valid for their lengths, and
    // the context outlives the state.
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
    let mut of = OfEntropy { context, model: &mut of_rust };
    steps(case, &OVER_ROWS, &mut place, on_heap, &mut model, Some(&mut of));
    // SAFETY: a wiped state refuses the call.
    assert!(unsafe { hw_drbg_generate(place.state(), null_mut(), 0, null(), 0) } != 0);
}

/// A generator with a caller's HMAC gives the same output as one with the same HMAC of hashwell, until the
/// caller's function fails.
fn custom(case: &Case, algorithm: &'static Algorithm, params: &DrbgParams<'_>, c: &CDrbgParams) {
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
    let failed = steps(case, &OVER_CUSTOM, &mut place, on_heap, &mut model, None);
    assert!(!failed || own.left == 0);
}

/// Generators that the operating system seeds: no two outputs are equal.
fn random(case: &Case, algorithm: &'static Algorithm, c: &CDrbgParams) {
    let (mut place, mut on_heap) = (Place::new(), null_mut());
    let mut outs = [[0; 40]; 4];
    // SAFETY: the place is as large and as aligned as states, and the pointers are valid for their lengths.
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
    // SAFETY: the object is live, and the outputs are local variables.
    assert_eq!(unsafe { of(state, &mut low, &mut high) }, 0);
    u128::from(high) << 64 | u128::from(low)
}

fn same_bytes(state: State, model: &mut RandomStream) {
    let (mut out, mut expected) = ([0; 50], [0; 50]);
    let made = model.read(&mut expected);
    // SAFETY: the object is live, and the output has this length.
    assert_eq!(unsafe { hw_source_read(state, out.as_mut_ptr(), out.len()) } == 0, made.is_ok());
    assert!(made.is_err() || out == expected);
}

fn source(case: &Case) {
    let sources: Vec<Source> = Source::all().collect();
    let at = usize::from(case.source);
    let source = sources[at % sources.len()];
    let name = CString::new(source.name()).unwrap();
    // SAFETY: any number is allowed.
    assert_eq!(text(unsafe { hw_source_at(at) }), sources.get(at).map(|source| source.name()).as_deref());
    let (mut state, mut from_os) = (null_mut(), null_mut());
    let Case { key, jumps, spawned, personalization, .. } = case;
    let mut model = if case.interval.is_multiple_of(2) {
        // SAFETY: the name is NUL-terminated, the pointers are valid for their lengths, and the output is a
        // local variable.
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
        assert_eq!(text(hw_source_name(state)), Some(&*source.name()));
        let personal = (personalization.as_ptr(), personalization.len());
        assert_eq!(hw_source_new_os(&mut from_os, name.as_ptr(), personal.0, personal.1), 0);
        let mut two = [[0_u8; 20]; 2];
        assert_eq!(hw_source_read(from_os, two[0].as_mut_ptr(), 20), 0);
        assert_eq!(hw_source_seed_others(from_os, two[1].as_mut_ptr(), 20), 0);
        assert!(two[0] != two[1] && two[0] != [0; 20]);
        hw_source_free(from_os);
    }
    assert_eq!(position(state, hw_source_end), model.end());
    // SAFETY: the object is live.
    assert_eq!(unsafe { hw_source_is_seekable(state) }, model.is_seekable().into());
    for pull in &case.pulls {
        let (mut word, mut long, mut double) = (0, 0, 0.0);
        let mut other = null_mut();
        match pull {
            Pull::Read(len) => {
                let (mut out, mut expected) = (vec![0; usize::from(*len)], vec![0; usize::from(*len)]);
                let made = model.read(&mut expected);
                // SAFETY: the object is live, and the outputs are local variables (the same applies below).
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
                // Streams that are not seekable compute everything before the position, so it must not be too
                // far away.
                let (low, high) = if model.is_seekable() { (*low, *high) } else { (low % 20_000, 0) };
                let made = model.seek(u128::from(high) << 64 | u128::from(low));
                // SAFETY: as above.
                assert_eq!(unsafe { hw_source_seek(state, low, high.into()) } == 0, made.is_ok(), "{made:?}");
            }
            Pull::Spawn | Pull::Jump(_) => {
                // SAFETY: as above; the new object is freed below.
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
                // SAFETY: created above and not used afterwards; freeing NULL does nothing.
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
        // SAFETY: the object is live, and the outputs are local variables.
        assert_eq!(unsafe { hw_source_key(state, root.as_mut_ptr(), 32, &mut jumps, &mut spawned) }, 0);
        let of_model = model.key().expect("it has a seed");
        assert_eq!((root, jumps, spawned), (of_model.root, of_model.jumps, model.spawned()));
    }
    // SAFETY: created above and not used afterwards.
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
    let c = CDrbgParams {
        size: size_of::<CDrbgParams>(),
        personalization: case.personalization.as_ptr(),
        personalization_len: case.personalization.len(),
        kernel: null(),
        reseed_interval: case.interval.into(),
        strength: case.strength.into(),
        prediction_resistance: case.prediction_resistance.into(),
    };
    // SAFETY: any number is allowed.
    assert_eq!(unsafe { hw_drbg_self_test(algorithm.id) }, 0);
    drbg(&case, algorithm, &params, &c);
    custom(&case, algorithm, &params, &c);
    random(&case, algorithm, &c);
    source(&case);
});
