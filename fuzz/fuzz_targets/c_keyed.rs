//! The C interface with parameters, with states in the caller's memory, and with KMAC, HKDF and lockstep
//! streams gives the same results as the Rust interface and refuses the same calls. The registry is the same
//! in C and Rust.
#![no_main]

#[path = "common/given.rs"]
mod given;
#[path = "common/interface.rs"]
mod interface;

use arbitrary::Arbitrary;
use given::{Given, kernel};
use hashwell::registry::PARAMETERS;
use hashwell::{
    ALGORITHMS, Algorithm, Hmac, Kind, Kmac, KmacVariant, Params, PlainHasher, Reader, hkdf, hkdf_expand,
    hkdf_extract, hmac,
};
use interface::*;
use libfuzzer_sys::fuzz_target;
use std::ffi::{CString, c_int};
use std::ptr::{null, null_mut};

#[derive(Arbitrary, Debug)]
enum Step {
    Update(Vec<u8>),
    Fill(u8, u16),
    /// Takes a buffer of this length, whether or not the digest fits.
    Final(u8),
    /// The bytes of a state are copied to a different place, and the calculation continues there.
    Move,
    Verify(u8, u8),
    /// States with keys are saved and loaded. The number is the position of a byte that is changed.
    Save(u16),
    Reset,
    Read(u16),
    Rejecting(u64, u8, u8, u8),
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    kernel: u8,
    given: Given,
    key: Vec<u8>,
    other: Vec<u8>,
    messages: Vec<Vec<u8>>,
    out_len: u16,
    steps: Vec<Step>,
    number: (u32, u8),
}

const ALIGN: c_int = -7;
const OVERLAP: c_int = -8;
const PARAMS: c_int = -10;

/// Compares the registry in C with the registry in Rust.
fn registry(case: &Case, algorithm: &'static Algorithm) {
    let (number, index) = case.number;
    let (id, index) = (algorithm.id, usize::from(index));
    let mut info = KernelInfo { name: null(), batch: 0, available: 0, chosen: 0 };
    let (mut min, mut max) = (0, 0);
    // SAFETY: any numbers are allowed, and the outputs are local variables.
    unsafe {
        let at = ALGORITHMS.get(number as usize).map_or(0, |row| row.id);
        assert_eq!((hw_abi_version(), hw_count(), hw_at(number as usize)), (0, ALGORITHMS.len(), at));
        assert!(text(hw_version()).is_some() && text(hw_strerror(number as c_int)).is_some());
        let known = hashwell::registry::by_id(number);
        assert_eq!(text(hw_name(number)), known.map(|row| row.name));
        assert_eq!(
            [text(hw_name(id)), text(hw_title(id)), text(hw_source(id))],
            [Some(algorithm.name), Some(algorithm.title), Some(algorithm.source)]
        );
        assert_eq!(text(hw_alias(id, index)), algorithm.aliases.get(index).copied());
        assert_eq!((hw_block_len(id), hw_output_len(id)), (algorithm.block, algorithm.output));
        assert_eq!(hw_kind(id), if algorithm.kind == Kind::Xof { 2 } else { 1 });
        assert_eq!(hw_status(id), algorithm.status as c_int + 1);
        assert_eq!(hw_has_hmac(id), algorithm.hmac.into());
        let parameter = PARAMETERS.get(index);
        assert_eq!(text(hw_param_name(index as c_int)), parameter.map(|row| row.name));
        let limits = parameter.and_then(|row| algorithm.limits(row.parameter));
        assert_eq!(hw_limits(id, index as c_int, &mut min, &mut max) == 0, limits.is_some());
        assert!(limits.is_none_or(|limits| (min, max) == (limits.min, limits.max)));
        let kernel = algorithm.kernel_at(index);
        assert_eq!(hw_kernel(id, index, &mut info) == 0, kernel.is_some());
        if let Some((kernel, batch)) = kernel {
            assert_eq!(text(info.name), Some(kernel.name));
            assert_eq!((info.batch, info.available), (batch.into(), kernel.available.into()));
            assert!(info.chosen == 0 || info.chosen == 1 && kernel.available);
        }
    }
}

/// Rejection sampling gives the same numbers in C and in Rust, and leaves the stream at the same position.
fn rejecting(stream: State, reader: &mut Reader, step: (u64, u8, u8, u8)) {
    let (below, bits, item, count) = step;
    let (item_len, count) = ([1, 2, 4, 8, 3][usize::from(item) % 5], usize::from(count) % 50);
    // At least a quarter of all candidates are accepted, so that sampling ends soon.
    let below = below.checked_shr(u32::from(bits) % 64).unwrap_or(0).max(2);
    let bits = match bits % 3 {
        0 => None,
        more => Some((64 - (below - 1).leading_zeros() + u32::from(more) - 1).min(64)),
    };
    let mut out = vec![0; item_len * count];
    let (place, items) = (out.as_mut_ptr(), count);
    // SAFETY: the stream is live, and the output has space for this number of items.
    let code = unsafe { hw_xof_ml_rej_uniform(stream, below, bits.unwrap_or(0), place, item_len, items) };
    let fits = item_len != 3 && (item_len == 8 || (below - 1) >> (8 * item_len) == 0);
    assert!(fits || code != 0);
    if !fits {
        return;
    }
    let mut expected: Vec<u8> = Vec::new();
    let keep = |number: u64| expected.extend(&number.to_ne_bytes()[..item_len]);
    let made = reader.ml_rej_uniform(count, below, bits, keep);
    assert_eq!(code == 0, made.is_ok());
    assert!(made.is_err() || out == expected);
}

/// Saves a state with a key and loads it, which must fail if a byte was changed. Saving it again gives the
/// same bytes. Returns true if the state could be saved.
fn saves(place: &mut Place, at: u16, export: Export, import: Import) -> bool {
    let save = |place: &mut Place| {
        let (mut saved, mut written) = (vec![0; HW_HASH_EXPORT_MAX], 0);
        // SAFETY: the place may or may not contain a state, and the output is a vector with this length.
        let code = unsafe { export(place.state(), saved.as_mut_ptr(), saved.len(), &mut written) };
        saved.truncate(written);
        (code == 0).then_some(saved)
    };
    let Some(mut saved) = save(place) else { return false };
    let mut other = Place::new();
    let at = usize::from(at) % saved.len();
    saved[at] ^= 1;
    // SAFETY: the place is as large as a state, and the input is a vector with this length.
    unsafe {
        assert!(import(other.state(), saved.as_ptr(), saved.len()) != 0);
        saved[at] ^= 1;
        assert_eq!(import(other.state(), saved.as_ptr(), saved.len()), 0);
    }
    assert!(save(&mut other) == Some(saved));
    true
}

/// Hashing, HMAC and output streams, with states in this function's own memory.
fn in_place(case: &Case, algorithm: &'static Algorithm, params: &Params<'_>, c: &CParams) {
    let (mut hash, mut of_hmac, mut of_stream) = (Place::new(), Place::new(), Place::new());
    let (id, key) = (algorithm.id, &case.key);
    let model = algorithm.plain_hasher(params);
    let mut other = null_mut();
    // SAFETY: the places are local variables, as large and as aligned as states.
    unsafe {
        let sizes = [hw_hash_size(), hw_hmac_size(), hw_kmac_size(), hw_xof_size()];
        assert!(sizes.iter().all(|size| *size <= size_of::<Place>()));
        let aligned = [hw_hash_align(), hw_hmac_align(), hw_kmac_align(), hw_xof_align()];
        assert!(aligned.iter().all(|align| *align <= align_of::<Place>()));
        assert_eq!(hw_hash_init(hash.state().byte_add(1), id, c), ALIGN);
        // There is no state yet.
        assert!(hw_hash_update(hash.state(), key.as_ptr(), key.len()) != 0);
        assert_eq!(hw_hash_init(hash.state(), id, c) == 0, model.is_ok());
        assert_eq!(hw_hash_new(&mut other, id, c) == 0, model.is_ok());
        assert_eq!(hw_hmac_init(of_hmac.state(), id, key.as_ptr(), key.len()) == 0, algorithm.hmac);
        // A state of a different kind is refused.
        assert!(hw_hmac_update(hash.state(), key.as_ptr(), key.len()) != 0);
    }
    let mut model = model.ok();
    let mut model_of_hmac = Hmac::new(algorithm, key).ok();
    for step in &case.steps {
        match step {
            Step::Update(_) | Step::Fill(..) => {
                let bytes = match step {
                    Step::Update(bytes) => bytes.clone(),
                    Step::Fill(byte, len) => vec![*byte; usize::from(*len) % 20_000],
                    _ => unreachable!("the two of above"),
                };
                // SAFETY: the places may or may not contain states, and the pointer is valid for this number
                // of bytes.
                let codes = unsafe {
                    let (data, len) = (bytes.as_ptr(), bytes.len());
                    [
                        hw_hash_update(hash.state(), data, len),
                        hw_hash_update(other, data, len),
                        hw_hmac_update(of_hmac.state(), data, len),
                    ]
                };
                let there = model.is_some();
                assert_eq!(codes.map(|code| code == 0), [there, there, algorithm.hmac]);
                model.iter_mut().for_each(|model| model.update(&bytes));
                model_of_hmac.iter_mut().for_each(|model| model.update(&bytes));
            }
            Step::Final(len) => {
                let mut out = vec![0; usize::from(*len)];
                let mut expected = out.clone();
                let fits = model.as_ref().is_some_and(|model| model.digest_into(&mut expected).is_ok());
                for state in [hash.state(), other] {
                    // SAFETY: the place may or may not contain a state, or the pointer is NULL, and the
                    // output has this length.
                    let code = unsafe { hw_hash_final(state, out.as_mut_ptr(), out.len()) };
                    assert!((code == 0) == fits && (!fits || out == expected));
                }
                let tag = model_of_hmac.as_ref().map(Hmac::tag).unwrap_or_default();
                // SAFETY: as above.
                let code = unsafe { hw_hmac_final(of_hmac.state(), out.as_mut_ptr(), out.len()) };
                assert_eq!(code == 0, (1..=tag.len()).contains(&out.len()));
                assert!(code != 0 || out == tag[..out.len()]);
            }
            Step::Move => {
                (hash, of_hmac) = (hash.clone(), of_hmac.clone());
            }
            Step::Save(at) => {
                let with_key = saves(&mut hash, *at, hw_hash_export_secret, hw_hash_import_secret);
                assert!(!with_key || params.key.is_some() || params.context.is_some());
                let of_hmac = saves(&mut of_hmac, *at, hw_hmac_export_secret, hw_hmac_import_secret);
                assert_eq!(of_hmac, algorithm.hmac);
            }
            _ => {}
        }
        // SAFETY: the place may or may not contain a state.
        let of_state = unsafe {
            let state = hash.state();
            (hw_hash_output_len(state), hw_hash_algorithm(state), text(hw_hash_kernel(state)))
        };
        let of_model = |model: &PlainHasher| (model.output_len(), algorithm.id, Some(model.kernel()));
        assert_eq!(of_state, model.as_ref().map_or((0, 0, None), of_model));
    }
    // SAFETY: as above.
    let there = unsafe { hw_xof_init(of_stream.state(), hash.state()) } == 0;
    let reader = model.as_ref().and_then(|model| model.reader().ok());
    assert_eq!(there, reader.is_some());
    if let Some(reader) = reader {
        read(case, &mut of_stream, reader);
    }
    // SAFETY: as above; wiped states are not used, and the states on the heap are freed once.
    unsafe {
        hw_hash_wipe(hash.state());
        hw_hmac_wipe(of_hmac.state());
        hw_xof_wipe(of_stream.state());
        assert!(
            hw_hash_update(hash.state(), null(), 0) != 0 && hw_hmac_update(of_hmac.state(), null(), 0) != 0
        );
        assert!(hw_xof_read(of_stream.state(), null_mut(), 0) != 0);
        hw_hash_free(other);
    }
    if params.key.is_some() {
        assert!(hash.0.iter().all(|byte| *byte == 0));
    }
    assert!(of_hmac.0.iter().all(|byte| *byte == 0));
}

fn read(case: &Case, stream: &mut Place, mut reader: Reader) {
    for step in &case.steps {
        match *step {
            Step::Read(len) => {
                let mut out = vec![0; len.into()];
                // SAFETY: the stream is live, and the output has this length.
                assert_eq!(unsafe { hw_xof_read(stream.state(), out.as_mut_ptr(), out.len()) }, 0);
                assert!(out == reader.read_vec(out.len()));
            }
            Step::Rejecting(below, bits, item, count) => {
                rejecting(stream.state(), &mut reader, (below, bits, item, count));
            }
            Step::Move => *stream = stream.clone(),
            _ => {}
        }
        let mut position = 0;
        // SAFETY: the stream is live, and the output is a local variable.
        assert_eq!(unsafe { hw_xof_tell(stream.state(), &mut position) }, 0);
        assert_eq!(position, reader.position());
    }
}

fn kmac(case: &Case) {
    let Case { key, other, .. } = case;
    let bits = if case.row.is_multiple_of(2) { 128 } else { 256 };
    let variant = if bits == 128 { KmacVariant::Kmac128 } else { KmacVariant::Kmac256 };
    let (mut place, mut stream, mut on_heap) = (Place::new(), Place::new(), null_mut());
    let mut model = Kmac::new(variant, key, other);
    // SAFETY: the places are local variables and the pointers are valid for their lengths; the states on the
    // heap are freed below.
    unsafe {
        let (key, key_len, custom, custom_len) = (key.as_ptr(), key.len(), other.as_ptr(), other.len());
        assert!(
            hw_kmac_init(place.state(), case.out_len.into(), key, key_len, custom, custom_len) != 0
                || [128, 256].contains(&case.out_len)
        );
        assert_eq!(hw_kmac_init(place.state(), bits, key, key_len, custom, custom_len), 0);
        assert_eq!(hw_kmac_new(&mut on_heap, bits, key, key_len, custom, custom_len), 0);
    }
    let mut message = Vec::new();
    for step in &case.steps {
        match step {
            Step::Update(_) | Step::Fill(..) => {
                let bytes = match step {
                    Step::Update(bytes) => bytes.clone(),
                    Step::Fill(byte, len) => vec![*byte; usize::from(*len) % 2000],
                    _ => unreachable!("the two of above"),
                };
                for state in [place.state(), on_heap] {
                    // SAFETY: the states are live, and the pointers are valid for their lengths.
                    assert_eq!(unsafe { hw_kmac_update(state, bytes.as_ptr(), bytes.len()) }, 0);
                }
                model.update(&bytes);
                message.extend(bytes);
            }
            Step::Final(len) => {
                let (mut out, mut once) = (vec![0; usize::from(*len)], vec![0; usize::from(*len)]);
                let len = out.len();
                for state in [place.state(), on_heap] {
                    // SAFETY: the states are live, and the outputs have this length.
                    assert_eq!(unsafe { hw_kmac_final(state, out.as_mut_ptr(), len) }, 0);
                    assert_eq!(out, model.tag(len));
                }
                // SAFETY: the pointers are valid for their lengths.
                let code = unsafe {
                    let (data, data_len) = (message.as_ptr(), message.len());
                    let (custom, custom_len) = (other.as_ptr(), other.len());
                    let tag = once.as_mut_ptr();
                    hw_kmac(bits, key.as_ptr(), key.len(), custom, custom_len, data, data_len, tag, len)
                };
                assert!(code == 0 && out == once);
            }
            Step::Verify(len, bit) => {
                let mut tag = model.tag((*len).into());
                // SAFETY: the state is live, and the pointers are valid for their lengths.
                let mut accepts =
                    |tag: &[u8]| unsafe { hw_kmac_verify(place.state(), tag.as_ptr(), tag.len()) } == 0;
                assert_eq!(accepts(&tag), *len > 0);
                if let Some(byte) = tag.get_mut(usize::from(bit / 8)) {
                    *byte ^= 1 << (bit % 8);
                    assert!(!accepts(&tag));
                }
            }
            Step::Move => place = place.clone(),
            Step::Save(at) => {
                assert!(saves(&mut place, *at, hw_kmac_export_secret, hw_kmac_import_secret));
            }
            Step::Reset => {
                for state in [place.state(), on_heap] {
                    // SAFETY: the states are live.
                    assert_eq!(unsafe { hw_kmac_reset(state) }, 0);
                }
                model.reset();
                message.clear();
            }
            Step::Read(_) | Step::Rejecting(..) => {}
        }
    }
    // SAFETY: the state is live, and the output is a local variable.
    assert_eq!(unsafe { hw_xof_init_kmac(stream.state(), place.state()) }, 0);
    read(case, &mut stream, model.into_reader());
    // SAFETY: as above; the state on the heap is freed once.
    unsafe {
        hw_xof_wipe(stream.state());
        hw_kmac_wipe(place.state());
        hw_kmac_free(on_heap);
    }
    assert!(place.0.iter().chain(&stream.0).all(|byte| *byte == 0));
}

/// Functions without a state.
fn at_once(case: &Case, algorithm: &'static Algorithm, params: &Params<'_>, c: &CParams) {
    let Case { key, other, messages, .. } = case;
    let (id, len) = (algorithm.id, usize::from(case.out_len) % 3000);
    let message = messages.first().cloned().unwrap_or_default();
    let (mut out, mut expected) = (vec![0; len], vec![0; len]);
    let made = algorithm.build(params).and_then(|mut hasher| {
        hasher.update(&message);
        hasher.digest_into(&mut expected)
    });
    // SAFETY: the pointers are valid for their lengths and the output does not overlap any input (the same
    // applies below).
    let code = unsafe { hw_hash_with(id, c, message.as_ptr(), message.len(), out.as_mut_ptr(), len) };
    assert_eq!(code == 0, made.is_ok());
    assert!(made.is_err() || out == expected);

    let tag = hmac(algorithm, key, &message);
    // SAFETY: as above.
    let code = unsafe {
        hw_hmac(id, key.as_ptr(), key.len(), message.as_ptr(), message.len(), out.as_mut_ptr(), len)
    };
    assert_eq!(code == 0, tag.as_ref().is_ok_and(|tag| (1..=tag.len()).contains(&len)));
    assert!(code != 0 || out == tag.unwrap()[..len]);

    let same = message.len() == other.len() && message == *other;
    // SAFETY: as above, and both have this length.
    let code = unsafe { hw_compare(message.as_ptr(), other.as_ptr(), message.len().min(other.len())) };
    assert!(!same || code == 0);
    let shorter = message.len().min(other.len());
    assert_eq!(code == 0, message[..shorter] == other[..shorter]);

    let mut okm = vec![0; len];
    let derived = hkdf(algorithm, key, other, &message, &mut expected);
    // SAFETY: as above.
    let code = unsafe {
        let (salt, info) = (other.as_ptr(), message.as_ptr());
        let (salt_len, info_len) = (other.len(), message.len());
        hw_hkdf(id, key.as_ptr(), key.len(), salt, salt_len, info, info_len, okm.as_mut_ptr(), len)
    };
    assert_eq!(code == 0, derived.is_ok());
    assert!(derived.is_err() || okm == expected);
    let prk = hkdf_extract(algorithm, other, key);
    let mut own = vec![0; algorithm.output];
    // SAFETY: as above.
    let code = unsafe {
        let (salt, salt_len) = (other.as_ptr(), other.len());
        hw_hkdf_extract(id, key.as_ptr(), key.len(), salt, salt_len, own.as_mut_ptr(), own.len())
    };
    assert_eq!(code == 0, prk.is_ok());
    assert!(prk.is_err() || prk.unwrap() == own);
    for prk in [&own, key] {
        let derived = hkdf_expand(algorithm, prk, &message, &mut expected);
        // SAFETY: as above.
        let code = unsafe {
            let (info, info_len) = (message.as_ptr(), message.len());
            hw_hkdf_expand(id, prk.as_ptr(), prk.len(), info, info_len, okm.as_mut_ptr(), len)
        };
        assert_eq!(code == 0, derived.is_ok());
        assert!(derived.is_err() || okm == expected);
    }
}

/// Batches of messages, and lockstep streams.
fn side_by_side(case: &Case, algorithm: &'static Algorithm, params: &Params<'_>, c: &CParams) {
    let messages = &case.messages;
    let (places, lengths): (Vec<_>, Vec<_>) = messages.iter().map(|m| (m.as_ptr(), m.len())).unzip();
    let (id, count) = (algorithm.id, messages.len());
    let each = match algorithm.kind {
        Kind::Xof => usize::from(case.out_len) % 500,
        Kind::Fixed => params.output_len.unwrap_or(algorithm.output),
    };
    let many = algorithm.many(&Params { output_len: Some(each), ..*params });
    let mut out = vec![0; each * count];
    // SAFETY: `count` pointers and lengths of vectors that outlive the call, and the output does not overlap
    // any input (the same applies below).
    let code =
        unsafe { hw_hash_many(id, c, places.as_ptr(), lengths.as_ptr(), count, out.as_mut_ptr(), out.len()) };
    if count > 0 && (each > 0 || algorithm.kind == Kind::Fixed) {
        assert_eq!(code == 0, many.is_ok(), "{code}, {:?}", many.err());
    }
    if let (0, Ok(many)) = (code, many) {
        assert!(out == many.digest(messages));
        if let Some(message) = messages.iter().find(|message| !message.is_empty())
            && !out.is_empty()
        {
            // If the output overlaps its own message, the call is refused and the message is unchanged.
            let mut own = message.clone();
            own.resize(own.len().max(out.len()), 0);
            let (place, before) = (own.as_mut_ptr(), own.clone());
            // SAFETY: the output has this length, and it begins where the one message begins.
            let code = unsafe {
                let (one, one_len) = ([place.cast_const()], [message.len()]);
                hw_hash_many(id, c, one.as_ptr(), one_len.as_ptr(), 1, place, each)
            };
            assert!(each == 0 || code == OVERLAP && own == before);
        }
    }

    let expected = algorithm.streams(messages, params);
    let mut state = null_mut();
    // SAFETY: as above.
    let code = unsafe { hw_streams_new(&mut state, id, c, places.as_ptr(), lengths.as_ptr(), count) };
    assert_eq!(code == 0, expected.is_ok());
    let Ok(mut expected) = expected else { return assert!(state.is_null()) };
    for step in &case.steps {
        let Step::Read(len) = step else { continue };
        let len = usize::from(*len) % 1000;
        let (mut out, mut rows) = (vec![0; len * count], vec![0; len * count]);
        expected.read(&mut rows).unwrap();
        let mut position = 0;
        // SAFETY: as above; the object is live.
        unsafe {
            assert_eq!(hw_streams_read(state, out.as_mut_ptr(), out.len()), 0);
            assert_eq!(hw_streams_tell(state, &mut position), 0);
            assert_eq!((hw_streams_count(state), position), (count, expected.position()));
        }
        assert!(out == rows);
    }
    // SAFETY: created above and not used afterwards.
    unsafe { hw_streams_free(state) };
}

fuzz_target!(|case: Case| {
    let algorithm = &ALGORITHMS[usize::from(case.row) % ALGORITHMS.len()];
    let kernel = kernel(algorithm, case.kernel, false);
    let params = Params { kernel, ..case.given.params(algorithm) };
    let name = kernel.map(|name| CString::new(name).unwrap());
    let plain = hashwell::Node::SEQUENTIAL;
    let node = CNode {
        node_offset: params.node.offset,
        leaf_len: params.node.leaf_length,
        fanout: params.node.fanout,
        max_depth: params.node.max_depth,
        node_depth: params.node.depth,
        inner_len: params.node.inner_length,
        last_node: params.node.last.into(),
    };
    let key = params.key.unwrap_or_default();
    let context = params.context.unwrap_or_default();
    let c = CParams {
        size: size_of::<CParams>(),
        output_len: params.output_len.unwrap_or(0),
        key: params.key.map_or(null(), <[u8]>::as_ptr),
        key_len: key.len(),
        salt: params.salt.as_ptr(),
        salt_len: params.salt.len(),
        personal: params.personal.as_ptr(),
        personal_len: params.personal.len(),
        customization: params.customization.as_ptr(),
        customization_len: params.customization.len(),
        function_name: params.function_name.as_ptr(),
        function_name_len: params.function_name.len(),
        context: params.context.map_or(null(), str::as_ptr),
        context_len: context.len(),
        kernel: name.as_ref().map_or(null(), |name| name.as_ptr()),
        domain: params.domain.unwrap_or(0).into(),
        node: if params.node == plain { null() } else { &raw const node },
    };
    registry(&case, algorithm);
    at_once(&case, algorithm, &params, &c);
    in_place(&case, algorithm, &params, &c);
    side_by_side(&case, algorithm, &params, &c);
    kmac(&case);
    let wrong = CParams { size: c.size - 1, ..c };
    // SAFETY: the size is the first member; because it is wrong, no other member is read.
    let code = unsafe { hw_hash_with(algorithm.id, &wrong, null(), 0, null_mut(), 0) };
    assert!(code == PARAMS);
});
