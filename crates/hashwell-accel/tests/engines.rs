//! The list of devices, and the modes that choose from it.

use hashwell::{Many, Params, find};
use hashwell_accel::engines::Kind;
use hashwell_accel::{Mode, engines, mode, open};

fn many(name: &str) -> Many {
    find(name).unwrap().many(&Params::default()).unwrap()
}

fn messages() -> Vec<Vec<u8>> {
    (0..130).map(|len| (0..len).map(|i| (7 * i + len) as u8).collect()).collect()
}

#[test]
fn this_processor_is_first_and_what_is_absent_says_why() {
    let found = engines();
    assert_eq!((&found.here[0].id[..], found.here[0].kind), ("cpu:0", Kind::Processor));
    let mut ids = found.ids();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), found.here.len(), "no id is there twice");
    for absent in &found.absent {
        assert!(!absent.reason.is_empty() && !absent.reason.contains('\n'), "{absent:?}");
    }
    let jit = found.ids().contains(&"jit:0".to_owned());
    if !cfg!(feature = "jit") {
        let absent = found.absent.iter().find(|absent| absent.prefix == "jit").unwrap();
        assert!(!jit && absent.reason.contains("doesn't include the feature jit"), "{absent:?}");
    }
}

#[test]
fn every_engine_of_the_list_gives_the_rows_digests() {
    let messages = messages();
    let mut hashed = 0;
    for device in engines().here.iter().filter(|device| device.kind != Kind::Simulation) {
        let engine = device.open().unwrap();
        assert_eq!(engine.name(), device.id);
        for name in ["sha256", "sha256-90r"] {
            let many = many(name);
            let Ok(there) = many.on(&*engine) else { continue };
            assert_eq!(there.digest(&messages).unwrap(), many.digest(&messages), "{name} on {}", device.id);
            hashed += 1;
        }
    }
    assert!(hashed >= if cfg!(feature = "jit") { 4 } else { 2 }, "{hashed} pairs of a row and an engine");
}

#[test]
fn what_is_not_there_is_named_in_one_line_with_what_is() {
    let line = |id: &str| open(id).err().unwrap().to_string();
    for id in ["", "x:0", "cpu:1", "cpu", "jit:1", "JIT:0", "cpu:0 ", "opencl:99", "cuda:99", "fpga-sim:99"] {
        let line = line(id);
        let expected = format!("unknown device '{id}'");
        // If this build does not support a kind of device, the message says so.
        let is_named =
            line.starts_with(&expected) || line.starts_with(&format!("device '{id}' is not available"));
        assert!(is_named && line.contains("cpu:0") && !line.contains('\n'), "{line}");
    }
    let hostile = line(&format!("a\n\u{1b}[31m{}", "é".repeat(1000)));
    assert!(!hostile.chars().any(char::is_control) && hostile.chars().count() < 200, "{hostile}");
    assert_eq!(
        "FAST".parse::<Mode>().unwrap_err().to_string(),
        "unknown mode 'FAST' (known modes: secure, accel, fast)"
    );
}

#[test]
fn modes_choose_engines_and_never_digests() {
    let messages = messages();
    let many = many("sha256-90r");
    let expected = many.digest(&messages);
    for mode in Mode::ALL {
        assert_eq!(mode.name().parse(), Ok(mode));
        let engine = mode::choose(None, Some(mode), &many).unwrap();
        let digests = engine.map(|engine| many.on(&*engine).unwrap().digest(&messages).unwrap());
        assert!(digests.is_none_or(|digests| digests == expected), "{mode}");
    }
    assert!(mode::choose(None, None, &many).unwrap().is_none());
    // The CPU's kernels need no engine.
    assert!(mode::choose(Some("cpu:0"), Some(Mode::Secure), &many).unwrap().is_none());
}

/// If only the CPU can hash, the mode must not run trials: the 64 outputs of a trial, each of this length, don't fit
/// into any memory.
#[test]
fn what_this_processor_alone_hashes_is_not_measured() {
    let params = Params { output_len: Some(1 << 40), ..Params::default() };
    let endless = find("shake128").unwrap().many(&params).unwrap();
    for mode in Mode::ALL {
        assert!(mode::choose(None, Some(mode), &endless).unwrap().is_none());
    }
}

#[test]
fn secure_takes_no_engine_that_nobody_can_look_into() {
    let many = many("sha256");
    assert!(mode::choose(None, Some(Mode::Secure), &many).unwrap().is_none());
    for device in engines().here {
        let chosen = mode::choose(Some(&device.id), Some(Mode::Secure), &many);
        match device.kind {
            Kind::Processor => assert!(chosen.unwrap().is_none()),
            kind => {
                let line = chosen.err().unwrap().to_string();
                let expected = format!(
                    "mode secure does not allow {} ({kind}), because hashwell timing-test can't test it",
                    device.id
                );
                assert_eq!(line, expected);
            }
        }
    }
}

/// If a named device does not support an algorithm, or secrets, the result is an error; the work is not silently done
/// elsewhere.
#[cfg(feature = "jit")]
#[test]
fn a_device_that_is_named_is_taken_or_an_error() {
    let line = |many: &Many| mode::choose(Some("jit:0"), None, many).err().unwrap().to_string();
    assert_eq!(line(&many("sha512")), "engine 'jit:0' does not support sha512 with these parameters");
    let keyed = Params { key: Some(b"key"), ..Params::default() };
    let keyed = find("blake2b-512").unwrap().many(&keyed).unwrap();
    assert!(line(&keyed).starts_with("engine 'jit:0' does not support blake2b-512"), "{}", line(&keyed));
    let engine = mode::choose(Some("jit:0"), Some(Mode::Fast), &many("sha256")).unwrap().unwrap();
    assert_eq!(engine.name(), "jit:0");
    // If only the CPU supports it, all modes use the CPU.
    for mode in Mode::ALL {
        assert!(mode::choose(None, Some(mode), &many("sha512")).unwrap().is_none());
    }
}
