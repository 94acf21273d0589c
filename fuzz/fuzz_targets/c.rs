//! The C interface, with its functions called in any order, gives the same results as the Rust interface, and
//! refuses the same calls.
#![no_main]

#[path = "common/interface.rs"]
mod interface;

use arbitrary::Arbitrary;
use hashwell::{ALGORITHMS, Algorithm, Hmac, Kind, Params, Source, hmac_many};
use interface::*;
use libfuzzer_sys::fuzz_target;
use std::ffi::CString;
use std::ptr::{null, null_mut};

#[derive(Arbitrary, Debug)]
enum Step {
    Update(Vec<u8>),
    /// Takes a buffer of this length, whether or not the digest fits.
    Final(u8),
    Wipe,
    /// Saves the state and loads it. Loading must fail if this byte of the saved form is changed.
    Save(u8),
    Reset,
    Read(u16),
    Seek(u16),
    Verify(u8),
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    source: u8,
    name: Vec<u8>,
    key: Vec<u8>,
    messages: Vec<Vec<u8>>,
    keys: Vec<Vec<u8>>,
    steps: Vec<Step>,
}

fn places(of: &[Vec<u8>]) -> (Vec<*const u8>, Vec<usize>) {
    of.iter().map(|bytes| (bytes.as_ptr(), bytes.len())).unzip()
}

fn many(case: &Case, algorithm: &'static Algorithm) {
    let Case { messages, keys, .. } = case;
    let ((data, lengths), (key_data, key_lengths)) = (places(messages), places(keys));
    let expected: Vec<u8> = messages.iter().flat_map(|message| algorithm.digest(message)).collect();
    let mut out = vec![0; expected.len()];
    let (count, len) = (messages.len(), out.len());
    // SAFETY: `count` pointers and lengths of vectors that outlive the call, and the output does not overlap
    // any input.
    let code = unsafe {
        hw_hash_many(algorithm.id, null(), data.as_ptr(), lengths.as_ptr(), count, out.as_mut_ptr(), len)
    };
    assert_eq!(code, 0);
    assert!(out == expected);
    let expected = hmac_many(algorithm, keys, messages);
    let mut tags = vec![0; expected.as_ref().map_or(0, Vec::len)];
    // SAFETY: as above.
    let code = unsafe {
        hw_hmac_many(
            algorithm.id,
            key_data.as_ptr(),
            key_lengths.as_ptr(),
            keys.len(),
            data.as_ptr(),
            lengths.as_ptr(),
            count,
            tags.as_mut_ptr(),
            tags.len(),
        )
    };
    assert_eq!(code == 0, expected.is_ok());
    assert!(expected.is_err() || expected.is_ok_and(|expected| tags == expected));
}

fn hashing(case: &Case, algorithm: &'static Algorithm) {
    let (mut state, mut of_hmac) = (null_mut(), null_mut());
    let key = &case.key;
    // SAFETY: the pointers are to local variables and the key has this length; both states are freed once,
    // below.
    unsafe {
        assert_eq!(hw_hash_new(&mut state, algorithm.id, null()), 0);
        assert_eq!(hw_hmac_new(&mut of_hmac, algorithm.id, key.as_ptr(), key.len()) == 0, algorithm.hmac);
    }
    let mut model = Some(algorithm.hasher());
    let mut model_of_hmac = Hmac::new(algorithm, key).ok();
    let mut length = 0;
    for step in &case.steps {
        match step {
            Step::Update(bytes) => {
                // SAFETY: the states are live, or NULL in the case of HMAC, and the pointer is valid for this
                // number of bytes.
                let codes = unsafe {
                    (
                        hw_hash_update(state, bytes.as_ptr(), bytes.len()),
                        hw_hmac_update(of_hmac, bytes.as_ptr(), bytes.len()),
                    )
                };
                assert_eq!((codes.0 == 0, codes.1 == 0), (model.is_some(), algorithm.hmac));
                model.iter_mut().for_each(|model| model.update(bytes));
                length += bytes.len() as u64;
                model_of_hmac.iter_mut().for_each(|model| model.update(bytes));
            }
            Step::Final(len) => {
                let mut out = vec![0; usize::from(*len)];
                let mut expected = out.clone();
                let fits = model.as_ref().is_some_and(|model| model.digest_into(&mut expected).is_ok());
                // SAFETY: the state is live, and the output has this length.
                assert_eq!(unsafe { hw_hash_final(state, out.as_mut_ptr(), out.len()) } == 0, fits);
                assert!(!fits || out == expected);
                let tag = model_of_hmac.as_ref().map(Hmac::tag).unwrap_or_default();
                // SAFETY: as above.
                let made = unsafe { hw_hmac_final(of_hmac, out.as_mut_ptr(), out.len()) } == 0;
                assert!(!made || out == tag[..out.len()]);
                assert!(made || tag.len() != out.len() || tag.is_empty());
            }
            Step::Verify(at) => {
                let Some(mut tag) = model_of_hmac.as_ref().map(Hmac::tag) else { continue };
                // SAFETY: the state is live, and the tag has this length.
                let accepts = |tag: &[u8]| unsafe { hw_hmac_verify(of_hmac, tag.as_ptr(), tag.len()) } == 0;
                assert!(accepts(&tag));
                let at = usize::from(*at) % tag.len();
                tag[at] ^= 1;
                assert!(!accepts(&tag));
            }
            Step::Wipe => {
                // SAFETY: the state is live; after wiping, all calls except freeing it are refused.
                unsafe { hw_hash_wipe(state) };
                model = None;
            }
            Step::Save(at) => {
                let (mut saved, mut written) = (vec![0; HW_HASH_EXPORT_MAX], 0);
                // SAFETY: the state is live, and the output is a vector with this length.
                let code = unsafe { hw_hash_export(state, saved.as_mut_ptr(), saved.len(), &mut written) };
                assert_eq!(code == 0, model.is_some());
                saved.truncate(written);
                if model.is_some() {
                    let at = usize::from(*at) % saved.len();
                    saved[at] ^= 1;
                    // SAFETY: the state is live, and the input is a vector with this length.
                    unsafe {
                        assert!(hw_hash_import(state, saved.as_ptr(), saved.len()) != 0);
                        saved[at] ^= 1;
                        assert_eq!(hw_hash_import(state, saved.as_ptr(), saved.len()), 0);
                        assert_eq!(hw_hash_message_len(state), length);
                    }
                }
            }
            Step::Reset => {
                // SAFETY: the state is live, or NULL.
                assert_eq!(unsafe { hw_hmac_reset(of_hmac) } == 0, algorithm.hmac);
                model_of_hmac.iter_mut().for_each(Hmac::reset);
            }
            Step::Read(_) | Step::Seek(_) => {}
        }
    }
    let mut stream = null_mut();
    // SAFETY: the state is live, even if it was wiped.
    let there = unsafe { hw_xof_new(&mut stream, state) } == 0;
    let reader = model.and_then(|model| model.into_reader().ok());
    assert_eq!(there, reader.is_some());
    if let Some(mut reader) = reader {
        for step in &case.steps {
            let mut position = 0;
            match step {
                Step::Read(len) => {
                    let mut out = vec![0; usize::from(*len)];
                    // SAFETY: the stream is live, and the output has this length.
                    assert_eq!(unsafe { hw_xof_read(stream, out.as_mut_ptr(), out.len()) }, 0);
                    assert!(out == reader.read_vec(out.len()));
                }
                // SAFETY: the stream is live.
                Step::Seek(to) => assert_eq!(
                    unsafe { hw_xof_seek(stream, (*to).into()) } == 0,
                    reader.seek((*to).into()).is_ok()
                ),
                _ => {}
            }
            // SAFETY: the stream is live, and the output is a local variable.
            assert_eq!(unsafe { hw_xof_tell(stream, &mut position) }, 0);
            assert_eq!(position, reader.position());
        }
    }
    // SAFETY: created above and not used afterwards; freeing NULL does nothing.
    unsafe {
        hw_xof_free(stream);
        hw_hmac_free(of_hmac);
        hw_hash_free(state);
    }
}

fn source(case: &Case) {
    let sources: Vec<Source> = Source::all().collect();
    let source = sources[usize::from(case.source) % sources.len()];
    let name = CString::new(source.name()).unwrap();
    let mut model = source.seeded(&case.key, &case.name).unwrap();
    let mut state = null_mut();
    // SAFETY: the name is NUL-terminated, the pointers are valid for their lengths, and the output is a local
    // variable.
    let code = unsafe {
        let (seed, other) = (&case.key, &case.name);
        hw_source_new(&mut state, name.as_ptr(), seed.as_ptr(), seed.len(), other.as_ptr(), other.len())
    };
    assert_eq!(code, 0);
    for step in &case.steps {
        let (mut low, mut high) = (0, 0);
        match step {
            Step::Read(len) => {
                let (mut out, mut expected) = (vec![0; usize::from(*len)], vec![0; usize::from(*len)]);
                model.read(&mut expected).unwrap();
                // SAFETY: the source is live, and the output has this length.
                assert_eq!(unsafe { hw_source_read(state, out.as_mut_ptr(), out.len()) }, 0);
                assert!(out == expected);
            }
            Step::Seek(to) => {
                model.seek((*to).into()).unwrap();
                // SAFETY: the source is live.
                assert_eq!(unsafe { hw_source_seek(state, (*to).into(), 0) }, 0);
            }
            _ => {}
        }
        // SAFETY: the source is live, and the outputs are local variables.
        assert_eq!(unsafe { hw_source_tell(state, &mut low, &mut high) }, 0);
        assert_eq!(u128::from(high) << 64 | u128::from(low), model.position());
    }
    // SAFETY: created above and not used afterwards.
    unsafe { hw_source_free(state) };
}

fuzz_target!(|case: Case| {
    if let Ok(name) = CString::new(&case.name[..]) {
        let found = name.to_str().ok().and_then(|name| hashwell::find(name).ok());
        // SAFETY: the pointer is to a NUL-terminated string.
        assert_eq!(unsafe { hw_find(name.as_ptr()) }, found.map_or(0, |row| row.id));
    }
    let algorithm = &ALGORITHMS[usize::from(case.row) % ALGORITHMS.len()];
    let (data, out_len) = (&case.key, case.name.len());
    let (mut out, mut expected) = (vec![0; out_len], vec![0; out_len]);
    let fits = algorithm.digest_into(data, &mut expected).is_ok();
    assert!(fits || algorithm.kind == Kind::Fixed && algorithm.build(&Params::default()).is_ok());
    // SAFETY: the pointers are valid for their lengths, and the output does not overlap any input.
    assert_eq!(
        unsafe { hw_hash(algorithm.id, data.as_ptr(), data.len(), out.as_mut_ptr(), out_len) } == 0,
        fits
    );
    assert!(!fits || out == expected);
    many(&case, algorithm);
    hashing(&case, algorithm);
    source(&case);
});
