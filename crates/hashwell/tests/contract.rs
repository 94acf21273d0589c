//! Properties of every row: splitting messages, cloning, resetting, empty pieces, alignment, reads, errors.

use crate::common;

use common::{Random, mod251, output, skipped, slow};
use hashwell::registry::{Algorithm, PARAMETERS, Parameter, ParameterRow, Plain, Shape, Value};
use hashwell::{
    ALGORITHMS, Error, Hasher, Hmac, Kind, Kmac, KmacVariant, Node, Params, PlainHmac, Sha256, find, hkdf,
    hkdf_expand,
};
use std::io::{self, Write as _};
use std::mem::MaybeUninit;

/// Lengths around every boundary of a row: blocks, rates, and chunks of BLAKE3 and KangarooTwelve.
fn lengths(algorithm: &Algorithm) -> Vec<usize> {
    let mut lengths = vec![0, 1];
    for unit in [algorithm.block, 4 * algorithm.block, 1024, 8192] {
        lengths.extend([unit - 1, unit, unit + 1, 2 * unit, 2 * unit + 1, 3 * unit - 1]);
    }
    // The length field of the padding begins here.
    lengths.extend([algorithm.block - algorithm.block / 8, algorithm.block - algorithm.block / 8 - 1]);
    lengths
}

#[test]
fn any_cut_gives_the_same_output() {
    let mut random = Random(1);
    for algorithm in ALGORITHMS {
        for len in lengths(algorithm) {
            let message = mod251(len);
            let whole = algorithm.digest(&message);
            let mut cuts = vec![0, 1, len / 2, len.saturating_sub(1), random.below(len + 1)];
            let block = algorithm.block;
            cuts.extend([block - 1, block, block + 1, 8192].into_iter().filter(|cut| *cut <= len));
            for cut in cuts.into_iter().filter(|cut| *cut <= len) {
                let mut hasher = algorithm.hasher();
                hasher.update(&message[..cut]);
                hasher.update(&[]);
                hasher.update(&message[cut..]);
                assert_eq!(hasher.digest(), whole, "{} {cut} of {len}", algorithm.name);
            }
        }
        let message = mod251(1000);
        let mut bytewise = algorithm.hasher();
        for byte in &message {
            bytewise.update(core::slice::from_ref(byte));
        }
        assert_eq!(bytewise.digest(), algorithm.digest(&message), "{}", algorithm.name);
    }
}

#[test]
fn plain_data_is_the_same_hash() {
    for algorithm in ALGORITHMS {
        let keyed = algorithm.limits(Parameter::Key).map(|_| [7; 32]);
        let params = Params { key: keyed.as_ref().map(|key| &key[..]), ..Params::default() };
        let expected = |message: &[u8]| {
            let mut hasher = algorithm.build(&params).unwrap();
            hasher.update(message);
            hasher.digest()
        };
        let fresh = algorithm.plain_hasher(&params).unwrap();
        assert_eq!(fresh.output_len(), algorithm.output, "{}", algorithm.name);
        for kernel in algorithm.kernels().into_iter().filter(|kernel| kernel.available) {
            let plain = algorithm.plain_hasher(&Params { kernel: Some(kernel.name), ..params }).unwrap();
            assert_eq!(plain.kernel(), kernel.name, "{}", algorithm.name);
        }
        for len in lengths(algorithm) {
            let message = mod251(len);
            let (mut plain, mut out) = (fresh.clone(), vec![0; algorithm.output]);
            let (head, tail) = message.split_at(len / 3);
            plain.update(head);
            plain.digest_into(&mut out).unwrap();
            assert_eq!(out, expected(head), "{} {len}", algorithm.name);
            plain.update(tail);
            plain.digest_into(&mut out).unwrap();
            assert_eq!(out, expected(&message), "{} {len}", algorithm.name);
            match plain.reader() {
                Ok(mut reader) => assert_eq!(reader.read_vec(out.len()), out, "{} {len}", algorithm.name),
                Err(_) => assert_eq!(algorithm.kind, Kind::Fixed),
            }
        }
    }
}

#[test]
fn plain_data_holds_short_customisations() {
    for name in ["kt128", "kt256"] {
        let algorithm = find(name).unwrap();
        let most = hashwell::PlainHasher::MAX_KANGAROO_CUSTOMIZATION;
        let long = mod251(most + 1);
        let params = |len| Params { customization: &long[..len], ..Params::default() };
        let mut out = vec![0; algorithm.output];
        algorithm.plain_hasher(&params(most)).unwrap().digest_into(&mut out).unwrap();
        assert_eq!(out, algorithm.build(&params(most)).unwrap().digest());
        let error = algorithm.plain_hasher(&params(most + 1)).unwrap_err().to_string();
        assert!(error.contains("0 to 256 bytes, not 257"), "{error}");
    }
}

#[test]
fn digest_clone_and_reset() {
    for algorithm in ALGORITHMS {
        let mut hasher = algorithm.hasher();
        hasher.update(b"ab");
        let ab = hasher.digest();
        assert_eq!(ab, algorithm.digest(b"ab"), "{}", algorithm.name);
        assert_eq!(ab, hasher.digest(), "{}: digest changed the state", algorithm.name);
        let clone = hasher.clone();
        hasher.update(b"c");
        assert_eq!(hasher.digest(), algorithm.digest(b"abc"), "{}", algorithm.name);
        assert_eq!(clone.digest(), ab, "{}: clone shares state", algorithm.name);
        hasher.reset();
        assert_eq!(hasher.digest(), algorithm.digest(b""), "{}", algorithm.name);
    }
}

#[test]
fn reset_keeps_parameters() {
    for (name, params) in [
        ("blake2b", Params { key: Some(b"k"), salt: b"s", personal: b"p", ..Params::default() }),
        ("blake2b", Params { output_len: Some(20), ..Params::default() }),
        ("blake2bp", Params { key: Some(b"k"), ..Params::default() }),
        ("blake2s", Params { key: Some(b"k"), ..Params::default() }),
        ("blake3", Params { key: Some(&[7; 32]), ..Params::default() }),
        ("blake3", Params { context: Some("c"), ..Params::default() }),
        ("cshake128", Params { customization: b"c", ..Params::default() }),
        ("cshake256", Params { function_name: b"n", ..Params::default() }),
        ("turboshake128", Params { domain: Some(1), ..Params::default() }),
        ("kt128", Params { customization: b"c", ..Params::default() }),
        ("ascon-cxof128", Params { customization: b"c", ..Params::default() }),
        ("sha256", Params { kernel: Some("soft"), ..Params::default() }),
    ] {
        let algorithm = find(name).unwrap();
        let mut hasher = algorithm.build(&params).unwrap();
        let empty = hasher.digest();
        if params.kernel.is_none() {
            assert_ne!(empty, algorithm.digest(b""), "{name}: the parameter changes nothing");
        }
        hasher.update(&mod251(9000));
        let kernel = hasher.kernel();
        hasher.reset();
        assert_eq!((hasher.digest(), hasher.kernel()), (empty, kernel), "{name}");
    }
}

#[test]
fn every_alignment() {
    let mut buffer = [0; 64 + 600];
    for algorithm in ALGORITHMS {
        let message = mod251(600);
        let expected = algorithm.digest(&message);
        for offset in 0..64 {
            buffer[offset..offset + 600].copy_from_slice(&message);
            let got = algorithm.digest(&buffer[offset..offset + 600]);
            assert_eq!(got, expected, "{} at offset {offset}", algorithm.name);
        }
    }
}

#[test]
fn any_cut_of_reads_gives_the_same_stream() {
    let mut random = Random(2);
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == Kind::Xof) {
        let message = mod251(300);
        let mut hasher = algorithm.hasher();
        hasher.update(&message);
        let whole = hasher.clone().into_reader().unwrap().read_vec(4 * 8192);
        let rate = algorithm.block;
        let first = hasher.digest();
        assert_eq!(first, whole[..algorithm.output], "{}: digest is not the stream's start", algorithm.name);
        for _ in 0..20 {
            let mut reader = hasher.clone().into_reader().unwrap();
            let mut got = Vec::new();
            while got.len() < whole.len() {
                let choices = [0, 1, rate - 1, rate, rate + 1, 3 * rate, random.below(500)];
                let n = choices[random.below(choices.len())].min(whole.len() - got.len());
                assert_eq!(reader.position(), got.len() as u64);
                got.extend(reader.clone().read_vec(n));
                reader.read(&mut vec![0; n]);
            }
            assert!(got == whole, "{}", algorithm.name);
        }
    }
}

#[test]
fn reads_stay_inside_the_slice() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == Kind::Xof) {
        for len in [0, 1, 7, 8, 9, algorithm.block - 1, algorithm.block, algorithm.block + 1] {
            let mut buffer = vec![0xa5; len + 32];
            let mut reader = algorithm.hasher().into_reader().unwrap();
            reader.read(&mut buffer[16..16 + len]);
            assert!(buffer[..16].iter().chain(&buffer[16 + len..]).all(|b| *b == 0xa5), "{}", algorithm.name);
        }
    }
}

#[test]
fn the_stream_of_one_message_is_that_of_a_hasher() {
    let message: Vec<u8> = (0..20_000_u32).map(|i| (i % 251) as u8).collect();
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == Kind::Xof) {
        for len in [0, 1, algorithm.block - 1, algorithm.block, 8192, 8193, message.len()] {
            let mut hasher = algorithm.hasher();
            hasher.update(&message[..len]);
            let stream = hasher.into_reader().unwrap().read_vec(500);
            let at_once = algorithm.reader(&message[..len]).unwrap().read_vec(500);
            assert_eq!(at_once, stream, "{} of {len}", algorithm.name);
        }
    }
}

#[test]
fn streams_end_and_do_not_begin_again() {
    let mut reader = find("blake3").unwrap().hasher().into_reader().unwrap();
    let mut tail = [0; 63];
    reader.seek(u64::MAX - 63).unwrap();
    reader.read(&mut tail);
    for left in [0, 1, 62, 63] {
        reader.seek(u64::MAX - left as u64).unwrap();
        let mut out = vec![7; left + 1];
        let exhausted = Error::Exhausted { stream: "blake3".into(), end: u64::MAX.into(), asked: 1 << 64 };
        assert_eq!(reader.try_read(&mut out), Err(exhausted.clone()));
        assert_eq!(reader.check_left(left as u64 + 1), Err(exhausted.clone()));
        assert_eq!((out[0], reader.position()), (7, u64::MAX - left as u64));
        assert!(reader.clone().ml_rej_uniform(left + 1, 256, None, |_| ()) == Err(exhausted));
        // `read` works as for a file: it returns the rest, and then nothing.
        let mut rest = reader.clone();
        assert_eq!(io::Read::read(&mut rest, &mut out).unwrap(), left);
        assert_eq!((&out[..left], out[left]), (&tail[63 - left..], 7));
        assert_eq!(io::Read::read(&mut rest, &mut out).unwrap(), 0);
        assert_eq!(reader.try_read(&mut out[..left]), Ok(()));
        assert_eq!((reader.position(), reader.try_read(&mut [])), (u64::MAX, Ok(())));
        assert!(std::panic::catch_unwind(move || reader.read(&mut out)).is_err());
        reader = find("blake3").unwrap().hasher().into_reader().unwrap();
    }
    assert_eq!(
        reader.seek(u64::MAX).and(reader.try_read(&mut [0])).unwrap_err().to_string(),
        "blake3: the stream ends after 18446744073709551615 bytes, but 18446744073709551616 are needed"
    );
}

#[test]
fn seek_goes_anywhere_or_refuses() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == Kind::Xof) {
        let mut reader = algorithm.hasher().into_reader().unwrap();
        if !reader.is_seekable() {
            let what = "seeking";
            assert_eq!(reader.seek(1), Err(Error::Unsupported { algorithm: algorithm.name, what }));
            assert_eq!(reader.position(), 0);
            continue;
        }
        let whole = reader.read_vec(1000);
        for position in [999, 0, 63, 64, 65, 512] {
            reader.seek(position as u64).unwrap();
            assert_eq!(reader.read_vec(1), whole[position..position + 1], "{}", algorithm.name);
        }
        // After 2^32 blocks of 64 bytes, the block counter needs its upper half.
        for position in [(1 << 38) - 1, 1 << 38, u64::MAX - 4096] {
            reader.seek(position).unwrap();
            assert_eq!(reader.position(), position);
            let two = reader.read_vec(2);
            reader.seek(position + 1).unwrap();
            assert_eq!(reader.read_vec(1), two[1..], "{} at {position}", algorithm.name);
        }
    }
}

#[test]
fn fixed_digests_have_no_stream_and_one_length() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == Kind::Fixed) {
        let refused = algorithm.hasher().into_reader().unwrap_err();
        assert_eq!(refused, Error::Unsupported { algorithm: algorithm.name, what: "output streams" });
        assert_eq!(algorithm.reader(b"").unwrap_err(), refused);
        for len in [0, algorithm.output - 1, algorithm.output + 1] {
            let refused = algorithm.digest_into(b"", &mut vec![0; len]);
            assert!(matches!(refused, Err(Error::OutOfRange { got, .. }) if got == len as u64));
            assert_eq!(algorithm.hasher().digest_into(&mut vec![0; len]), refused);
        }
    }
}

/// Values within the limits are accepted, values just outside are rejected with the number, and parameters that the row
/// does not have are rejected with the name.
#[test]
fn parameters_have_limits() {
    let long = vec![1; 300];
    let text = "c".repeat(300);
    let with = |parameter, n: usize| {
        let bytes = &long[..n.min(300)];
        let (plain, node) = (Params::default(), Node::SEQUENTIAL);
        match parameter {
            Parameter::Key => Params { key: Some(bytes), ..plain },
            Parameter::Salt => Params { salt: bytes, ..plain },
            Parameter::Personal => Params { personal: bytes, ..plain },
            Parameter::Customization => Params { customization: bytes, ..plain },
            Parameter::FunctionName => Params { function_name: bytes, ..plain },
            Parameter::Domain => Params { domain: Some(n as u8), ..plain },
            Parameter::Context => Params { context: Some(&text[..n.min(300)]), ..plain },
            Parameter::Fanout => Params { node: Node { fanout: n as u8, ..node }, ..plain },
            Parameter::MaxDepth => Params { node: Node { max_depth: n as u8, ..node }, ..plain },
            Parameter::LeafLength => Params { node: Node { leaf_length: n as u32, ..node }, ..plain },
            Parameter::NodeOffset => Params { node: Node { offset: n as u64, ..node }, ..plain },
            Parameter::NodeDepth => Params { node: Node { depth: n as u8, ..node }, ..plain },
            Parameter::InnerLength => Params { node: Node { inner_length: n as u8, ..node }, ..plain },
            Parameter::LastNode => Params { node: Node { last: n > 0, ..node }, ..plain },
            other => panic!("{other:?} is not tested"),
        }
    };
    for algorithm in ALGORITHMS {
        // The output length, which every row has, is tested below.
        for parameter in PARAMETERS.iter().skip(1).map(|row| row.parameter) {
            let Some(limits) = algorithm.limits(parameter) else {
                let refused = algorithm.build(&with(parameter, 32)).unwrap_err();
                assert!(matches!(refused, Error::Unsupported { .. }), "{}: {refused}", algorithm.name);
                continue;
            };
            let (min, max) = (limits.min as usize, limits.max.min(300) as usize);
            for inside in [min, max] {
                let built = algorithm.build(&with(parameter, inside));
                assert!(built.is_ok(), "{} {parameter:?} {inside}: {built:?}", algorithm.name);
            }
            // A length of zero means "not given" for everything except a key and the domain byte.
            let below = (min > 0).then(|| min - 1);
            // The type of a byte or a flag cannot represent a value above the maximum.
            let above = (limits.max < 300 && !matches!(limits.max, 1 | 255)).then_some(max + 1);
            for outside in below.into_iter().chain(above) {
                let refused = algorithm.build(&with(parameter, outside)).unwrap_err();
                let Error::OutOfRange { got, .. } = refused else { panic!("{refused}") };
                assert_eq!(got, outside as u64);
            }
        }
        let (min, max) = algorithm.output_range;
        for len in [min.wrapping_sub(1), max.wrapping_add(1)].into_iter().filter(|l| !(min..=max).contains(l))
        {
            let params = Params { output_len: Some(len), ..Params::default() };
            assert!(matches!(algorithm.build(&params), Err(Error::OutOfRange { .. })), "{}", algorithm.name);
        }
    }
    let both = Params { key: Some(&[0; 32]), context: Some("c"), ..Params::default() };
    assert!(matches!(find("blake3").unwrap().build(&both), Err(Error::Unsupported { .. })));
}

/// Each name in the table of parameters sets the field with that name, in every shape, and no other field.
#[test]
fn the_table_of_parameters_names_every_field() {
    let values = [
        Value::Bytes(b"bytes"),
        Value::Text("text"),
        Value::Number(1),
        Value::Number(2),
        Value::Number(1 << 40),
    ];
    let mut all = Params::default();
    for (i, row) in PARAMETERS.iter().enumerate() {
        assert_eq!((row.id as usize, row.parameter.row()), (i, row));
        let other =
            |name: fn(&ParameterRow) -> &str| PARAMETERS.iter().filter(|r| name(r) == name(row)).count();
        assert_eq!([other(|r| r.name), other(|r| r.keyword), other(|r| r.option)], [1; 3], "{}", row.name);
        assert_eq!(Params::default().get(row.parameter), None, "{}", row.name);
        for value in values {
            let mut params = Params::default();
            let fits = match (row.shape, value) {
                (Shape::Bytes, Value::Bytes(_))
                | (Shape::Text, Value::Text(_))
                | (Shape::Flag, Value::Number(1)) => true,
                (Shape::Number, Value::Number(number)) => {
                    number < 256
                        || row.parameter == Parameter::NodeOffset
                        || row.parameter == Parameter::OutputLength && usize::try_from(number).is_ok()
                }
                _ => false,
            };
            assert_eq!(params.set(row.parameter, value).is_some(), fits, "{} {value:?}", row.name);
            let given: Vec<&str> =
                PARAMETERS.iter().filter(|r| params.get(r.parameter).is_some()).map(|r| r.name).collect();
            if fits && row.plain != Plain::Number(value.quantity()) {
                assert_eq!((given, params.get(row.parameter)), (vec![row.name], Some(value)));
                all.set(row.parameter, value).unwrap();
            } else {
                assert_eq!((given, params), (Vec::new(), Params::default()));
            }
        }
    }
    // All fields of the struct are listed: one without a row in the table does not compile here, or is not found.
    let Params {
        output_len,
        key,
        salt,
        personal,
        customization,
        function_name,
        domain,
        context,
        node,
        kernel,
    } = all;
    let Node { fanout, max_depth, leaf_length, offset, depth, inner_length, last } = node;
    assert_eq!(
        (output_len, key, salt, personal),
        // The output length is the largest number that is allowed; if `usize` has 32 bits, it is a smaller one.
        (Some(usize::try_from(1_u64 << 40).unwrap_or(2)), Some(&b"bytes"[..]), &b"bytes"[..], &b"bytes"[..])
    );
    assert_eq!((customization, function_name, domain), (&b"bytes"[..], &b"bytes"[..], Some(2)));
    assert_eq!((context, fanout, max_depth, leaf_length), (Some("text"), 2, 2, 2));
    assert_eq!((offset, depth, inner_length, last, kernel), (1 << 40, 2, 2, true, None));
}

#[test]
fn errors_name_limit_and_value() {
    let blake2b = find("blake2b").unwrap();
    let refused = blake2b.build(&Params { key: Some(&[0; 65]), ..Params::default() }).unwrap_err();
    assert_eq!(refused.to_string(), "blake2b-512: key length must be 0 to 64 bytes, not 65");
    let node = Node { offset: 1 << 48, ..Node::SEQUENTIAL };
    let refused = find("blake2s").unwrap().build(&Params { node, ..Params::default() }).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "blake2s-256: node offset must be 0 to 281474976710655, not 281474976710656"
    );
    let refused = find("sha256").unwrap().build(&Params { node, ..Params::default() }).unwrap_err();
    assert_eq!(refused.to_string(), "sha256 does not support tree parameters");
    let refused = find("turboshake128").unwrap();
    let refused = refused.build(&Params { domain: Some(0x80), ..Params::default() }).unwrap_err();
    assert_eq!(refused.to_string(), "turboshake128: domain byte must be 1 to 127, not 128");
    let refused = find("shake265").unwrap_err();
    assert_eq!(refused.to_string(), "unknown algorithm 'shake265' (did you mean 'shake256'?)");
    let sha256 = find("sha256").unwrap();
    let refused = sha256.build(&Params { key: Some(b""), ..Params::default() }).unwrap_err();
    assert_eq!(refused.to_string(), "sha256 does not support a key");
    let refused = hkdf_expand(sha256, &[0; 31], b"", &mut [0; 1]).unwrap_err();
    assert_eq!(refused.to_string(), "sha256: HKDF pseudorandom key length must be at least 32 bytes, not 31");
}

/// HMAC of every row that supports it agrees with the definition H((K ⊕ opad) ‖ H((K ⊕ ipad) ‖ m)), for key lengths
/// around the block length. Other rows reject it.
#[test]
fn hmac_is_its_definition() {
    for algorithm in ALGORITHMS {
        if !algorithm.hmac {
            assert!(matches!(Hmac::new(algorithm, b"k"), Err(Error::Unsupported { .. })));
            continue;
        }
        let block = algorithm.block;
        for key_len in [0, 1, block - 1, block, block + 1, 3 * block] {
            let key = mod251(key_len);
            let mut padded = if key_len > block { algorithm.digest(&key) } else { key.clone() };
            padded.resize(block, 0);
            let pad = |byte: u8| padded.iter().map(|k| k ^ byte).collect::<Vec<u8>>();
            let inner = algorithm.digest(&[&pad(0x36)[..], b"message"].concat());
            let expected = algorithm.digest(&[&pad(0x5c)[..], &inner[..]].concat());
            let mut hmac = Hmac::new(algorithm, &key).unwrap();
            hmac.update(b"mess");
            let _unchanged = hmac.tag();
            hmac.update(b"age");
            assert_eq!(hmac.tag(), expected, "{} key {key_len}", algorithm.name);
            assert_eq!(hmac.verify(&expected), Ok(()));
            for wrong in [&expected[..expected.len() - 1], &[], &[&expected[..], &[0]].concat()] {
                assert_eq!(hmac.verify(wrong), Err(Error::TagMismatch));
            }
            for byte in 0..expected.len() {
                let mut wrong = expected.clone();
                wrong[byte] ^= 1;
                assert_eq!(hmac.verify(&wrong), Err(Error::TagMismatch));
            }
            hmac.reset();
            hmac.update(b"message");
            assert_eq!(hmac.tag(), expected);
        }
        assert!(Hmac::new(algorithm, b"k").unwrap().verify_truncated(b"", 0).is_err());
    }
}

#[test]
fn hkdf_limits() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.hmac) {
        let mut longest = vec![0; 255 * algorithm.output];
        hkdf(algorithm, b"ikm", b"", b"", &mut longest).unwrap();
        let mut first = vec![0; 1];
        hkdf(algorithm, b"ikm", b"", b"", &mut first).unwrap();
        assert_eq!(first, longest[..1], "{}", algorithm.name);
        let mut longer = vec![0xa5; longest.len() + 1];
        let refused = Error::OutOfRange {
            algorithm: algorithm.name,
            what: "HKDF output length",
            unit: "bytes",
            min: 0,
            max: longest.len() as u64,
            got: longer.len() as u64,
        };
        assert_eq!(hkdf(algorithm, b"ikm", b"", b"", &mut longer), Err(refused));
        assert!(longer.iter().all(|b| *b == 0xa5), "{}: refused, but written", algorithm.name);
        let short = vec![0; algorithm.output - 1];
        assert!(matches!(hkdf_expand(algorithm, &short, b"", &mut [0; 1]), Err(Error::OutOfRange { .. })));
    }
}

/// More than 4 GiB, at once and split so that pieces of nearly 2^32 bytes follow a partial block (CVE-2022-37454). The
/// two results are compared with each other; `shared_vectors.rs` compares 5 GiB with published digests. This takes
/// minutes and 4 GiB of memory.
#[cfg(target_pointer_width = "64")]
#[test]
fn inputs_above_4_gib() {
    if !slow() {
        skipped("inputs above 4 GiB", "SLOW=1 runs them");
        return;
    }
    let message = vec![0x61; (1 << 32) + 1];
    for algorithm in ALGORITHMS {
        let whole = algorithm.digest(&message);
        for cut in [1, algorithm.block - 1] {
            let mut hasher = algorithm.hasher();
            hasher.update(&message[..cut]);
            hasher.update(&message[cut..]);
            assert_eq!(hasher.digest(), whole, "{} cut at {cut}", algorithm.name);
        }
        let mut pieces = algorithm.hasher();
        message.chunks(1 << 20).for_each(|piece| pieces.update(piece));
        assert_eq!(pieces.digest(), whole, "{} in pieces", algorithm.name);
    }
}

/// For digests of BLAKE2, the output length is a parameter. For an XOF, it only cuts the stream.
#[test]
fn output_length_of_digests_and_streams() {
    let blake2b = find("blake2b").unwrap();
    let plain = Params::default();
    assert_ne!(output(blake2b, &plain, b"m", 32), output(blake2b, &plain, b"m", 64)[..32]);
    assert_eq!(output(blake2b, &plain, b"m", 32), find("blake2b-256").unwrap().digest(b"m"));
    let shake = find("shake256").unwrap();
    let hasher = shake.build(&Params { output_len: Some(100), ..plain }).unwrap();
    assert_eq!((hasher.output_len(), hasher.digest().len()), (100, 100));
    assert_eq!(hasher.digest()[..64], shake.digest(b""));
}

/// Accessors and constructors that are not used by the tests above.
#[test]
fn every_way_in_and_what_it_says() {
    let sha256 = find("sha256").unwrap();
    let digest = sha256.digest(b"message");
    // The hasher is used as a writer.
    let mut hasher = sha256.hasher();
    hasher.write_all(b"mess").unwrap();
    assert_eq!(hasher.write(b"age").unwrap(), 3);
    hasher.flush().unwrap();
    assert_eq!(hasher.digest(), digest);
    // The algorithm is used through its type.
    let mut typed = Sha256::build(&Params { kernel: Some("soft"), ..Params::default() }).unwrap();
    typed.update(b"another message");
    typed.reset();
    typed.update(b"message");
    let hasher = Hasher::from(typed);
    assert_eq!((hasher.digest(), hasher.kernel()), (digest.clone(), "soft"));
    assert_eq!(Hasher::from(Sha256::default()).digest(), sha256.digest(b""));
    let other_length = Params { output_len: Some(32), ..Params::default() };
    let refused = Error::Unsupported { algorithm: "sha256", what: "a different digest length in this type" };
    assert_eq!(Sha256::build(&other_length).map(drop), Err(refused));
    // Constructed in place.
    let mut place = MaybeUninit::uninit();
    let plain = sha256.plain_hasher_in(&Params::default(), &mut place).unwrap();
    plain.update(b"message");
    let mut out = vec![0; 32];
    plain.digest_into(&mut out).unwrap();
    assert_eq!((&out, plain.algorithm().name), (&digest, "sha256"));
    let mut place = MaybeUninit::uninit();
    let plain = PlainHmac::new_in(sha256, b"key", &mut place).unwrap();
    plain.update(b"message");
    let mut hmac = Hmac::new(sha256, b"key").unwrap();
    hmac.update(b"message");
    assert_eq!((plain.verify(&hmac.tag()), hmac.algorithm().name), (Ok(()), "sha256"));
    for (variant, output) in [(KmacVariant::Kmac128, 32), (KmacVariant::Kmac256, 64)] {
        let kmac = Kmac::new(variant, b"key", b"");
        assert_eq!((kmac.variant(), variant.output()), (variant, output));
        assert_eq!(kmac.verify(b""), Err(Error::TagMismatch));
        assert_eq!(kmac.verify(&kmac.tag(output)), Ok(()));
    }
}
