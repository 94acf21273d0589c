//! Compares every kernel of every row, selected by name, with the portable one.

use crate::common;

use common::{Random, mod251, skipped};
use hashwell::{ALGORITHMS, Error, Params};

/// The features of this CPU, from a source other than the library's.
#[cfg(not(target_arch = "aarch64"))]
fn cpu_flags() -> Option<Vec<String>> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    let flags = flags.split_whitespace().map(String::from);
    Some(flags.chain(unlisted().map(String::from)).collect())
}

/// Features that Linux does not list, from the standard library.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn unlisted() -> Option<&'static str> {
    std::is_x86_feature_detected!("sha512").then_some("sha512")
}

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64", target_arch = "x86")))]
fn unlisted() -> Option<&'static str> {
    None
}

/// Under qemu-user, /proc/cpuinfo is that of the host, so the standard library is used, which detects the emulated CPU.
#[cfg(target_arch = "aarch64")]
fn cpu_flags() -> Option<Vec<String>> {
    use std::arch::is_aarch64_feature_detected;
    if !cfg!(any(target_os = "linux", target_os = "android", target_vendor = "apple")) {
        return None; // `cpufeatures` cannot ask the others.
    }
    let flags =
        [("sha2", is_aarch64_feature_detected!("sha2")), ("sha3", is_aarch64_feature_detected!("sha3"))];
    Some(flags.into_iter().filter(|(_, has)| *has).map(|(flag, _)| flag.into()).collect())
}

/// The CPU features that each kernel needs, as [`cpu_flags`] names them.
#[rustfmt::skip]
const NEEDS: &[(&[&str], &[&str])] = &[
    (&["soft", "blake3-crate"], &[]),
    (&["avx512", "avx512-x4", "avx512-x8", "avx512-folded-x8", "avx512-mixed-x4", "avx512-x16", "avx512-lines"], &["avx512f", "avx512vl", "avx512bw", "avx2", "bmi1", "bmi2"]),
    (&["avx2", "avx2-x4", "avx2-x8"], &["avx2", "bmi1", "bmi2"]),
    (&["ssse3"], &["ssse3"]),
    (&["bmi2"], &["bmi1", "bmi2"]),
    (&["sha-ni"], &["sha_ni", "ssse3", "sse4_1"]),
    (&["sha-ni-x2", "sha-ni-x4"], &["sha_ni", "ssse3", "sse4_1", "avx"]),
    (&["sha-ni-avx512"], &["sha_ni", "ssse3", "sse4_1", "avx512f", "avx512vl"]),
    (&["sha512-ni"], &["sha512", "avx2"]),
    (&["armv8-sha1", "armv8-sha2"], &["sha2"]),
    (&["armv8-sha512", "armv8-sha3"], &["sha3"]),
];

/// Returns true if a CPU with these features must be able to run the kernel.
fn must_run(kernel: &str, row: &str, flags: &[String]) -> bool {
    // The one for SHA-1 does not need AVX.
    let kernel = if (kernel, row) == ("sha-ni-x2", "sha1") { "sha-ni" } else { kernel };
    let (_, needs) = NEEDS
        .iter()
        .find(|(names, _)| names.contains(&kernel))
        .unwrap_or_else(|| panic!("{kernel}: say in NEEDS which CPU flags it needs"));
    needs.iter().all(|need| flags.iter().any(|flag| flag == need))
}

/// A kernel that this CPU can run must not be skipped, and one that it cannot run must not be chosen.
#[test]
fn detection_misses_nothing() {
    let Some(flags) = cpu_flags() else {
        skipped("detection of the CPU's features", "no other list of them to compare with");
        return;
    };
    let mut lacking = std::collections::BTreeSet::new();
    for algorithm in ALGORITHMS {
        for kernel in algorithm.kernels().into_iter().chain(algorithm.batch_kernels()) {
            let expected = must_run(kernel.name, algorithm.name, &flags);
            assert_eq!(kernel.available, expected, "{} of {}", kernel.name, algorithm.name);
            if !expected {
                lacking.insert(kernel.name);
            }
        }
    }
    // Kernels that no test in this run has executed.
    for name in lacking {
        skipped(&format!("kernel {name}"), "the CPU lacks its instructions");
    }
}

#[test]
fn one_kernel_is_chosen_and_the_last_runs_anywhere() {
    for algorithm in ALGORITHMS {
        let kernels = algorithm.kernels();
        let chosen: Vec<_> = kernels.iter().filter(|k| k.chosen).collect();
        assert_eq!(chosen.len(), 1, "{}", algorithm.name);
        assert!(chosen[0].available && kernels.last().unwrap().available, "{}", algorithm.name);
        let batch: Vec<_> = algorithm.batch_kernels().into_iter().filter(|k| k.available).collect();
        assert_eq!(batch.iter().filter(|k| k.chosen).count(), usize::from(!batch.is_empty()));
        // Tree hashes use the batch kernels.
        let tree =
            ["kt128", "kt256", "blake2bp-512", "blake2sp-256"].contains(&algorithm.name) && !batch.is_empty();
        if tree {
            assert!(batch.iter().any(|k| k.name == algorithm.hasher().kernel()));
        } else {
            assert_eq!(algorithm.hasher().kernel(), chosen[0].name);
        }
    }
}

/// If a CPU has the instructions for a kernel, no row may lack it.
#[test]
fn every_kernel_agrees_with_soft() {
    use std::io::Write;
    let mut random = Random(3);
    let flags = cpu_flags();
    let mut compared: Vec<&str> = Vec::new();
    for algorithm in ALGORITHMS {
        let kernels = algorithm.kernels();
        let soft = kernels.last().unwrap().name;
        let on = |kernel| algorithm.build(&Params { kernel: Some(kernel), ..Params::default() }).unwrap();
        for kernel in kernels.iter().filter(|k| k.name != soft) {
            if !kernel.available {
                let has = flags.as_ref().is_some_and(|flags| must_run(kernel.name, algorithm.name, flags));
                assert!(
                    !has,
                    "{} of {} does not run, and the CPU has what it needs",
                    kernel.name, algorithm.name
                );
                continue;
            }
            assert_eq!(on(kernel.name).kernel(), kernel.name);
            if !compared.contains(&kernel.name) {
                compared.push(kernel.name);
            }
            // Every length up to more than four blocks, and several long ones, with random bytes and random splits.
            for len in (0..=4 * algorithm.block + 17).chain([4096, 65_537]) {
                let message = random.bytes(len);
                let cut = random.below(len + 1);
                let digest = |kernel| {
                    let mut hasher = on(kernel);
                    hasher.update(&message[..cut]);
                    hasher.update(&message[cut..]);
                    hasher.digest()
                };
                let name = algorithm.name;
                assert_eq!(digest(kernel.name), digest(soft), "{name} on {} at {len}/{cut}", kernel.name);
            }
        }
    }
    // The kernels themselves must still be in the tables.
    let batch = |kernel: &&str| kernel.contains("-x");
    let all = NEEDS.iter().filter(|(_, needs)| !needs.is_empty()).flat_map(|(names, _)| *names);
    for kernel in all.copied().filter(|kernel| !batch(kernel)) {
        let has = flags.as_ref().is_some_and(|flags| must_run(kernel, "", flags));
        assert_eq!(compared.contains(&kernel), has, "{kernel}");
    }
    // This bypasses the test harness, which hides the output of passing tests.
    writeln!(std::io::stderr(), "kernels compared with soft: {}", compared.join(", ")).unwrap();
}

/// HKDF, many HMACs, and KMAC on every kernel that can be forced.
#[test]
fn keyed_functions_agree_on_every_kernel() {
    use hashwell::{Kmac, KmacVariant, hkdf, hkdf_with_kernel, hmac_many, hmac_many_with_kernel};
    let messages: Vec<Vec<u8>> = (0..20).map(|len| vec![7; 11 * len]).collect();
    for algorithm in ALGORITHMS.iter().filter(|a| a.hmac) {
        let (mut expected, mut okm) = ([0; 100], [0; 100]);
        hkdf(algorithm, b"material", b"salt", b"info", &mut expected).unwrap();
        let tags = hmac_many(algorithm, &["key"], &messages).unwrap();
        let available = |kernels: Vec<hashwell::KernelInfo>| kernels.into_iter().filter(|k| k.available);
        for kernel in available(algorithm.kernels()) {
            hkdf_with_kernel(algorithm, b"material", b"salt", b"info", &mut okm, Some(kernel.name)).unwrap();
            assert_eq!(okm, expected, "{} on {}", algorithm.name, kernel.name);
        }
        for kernel in available(algorithm.kernels()).chain(available(algorithm.batch_kernels())) {
            let forced = hmac_many_with_kernel(algorithm, &["key"], &messages, Some(kernel.name)).unwrap();
            assert!(forced == tags, "{} on {}", algorithm.name, kernel.name);
        }
        assert!(hmac_many_with_kernel(algorithm, &["key"], &messages, Some("none")).is_err());
    }
    for variant in KmacVariant::ALL {
        let mut expected = Kmac::new(variant, b"key", b"");
        expected.update(&[7; 500]);
        for kernel in variant.kernels().into_iter().filter(|k| k.available) {
            let mut forced = Kmac::with_kernel(variant, b"key", b"", Some(kernel.name)).unwrap();
            forced.update(&[7; 500]);
            assert_eq!((forced.kernel(), forced.tag(50)), (kernel.name, expected.tag(50)));
        }
        assert!(Kmac::with_kernel(variant, b"key", b"", Some("none")).is_err());
    }
}

#[test]
fn names_are_checked() {
    let sha256 = hashwell::find("sha256").unwrap();
    let on = |kernel| sha256.build(&Params { kernel: Some(kernel), ..Params::default() });
    assert_eq!(on("warp").unwrap_err(), Error::UnknownKernel { name: "warp".into() });
    assert_eq!(on("soft").unwrap().kernel(), "soft");
    assert!(hashwell::kernels().contains(&"soft"));
    let refused = hashwell::force_kernel("warp").unwrap_err();
    assert_eq!(refused.to_string(), "unknown kernel 'warp'");
}

/// Returns true in the child process. Otherwise, runs the test with this name again in a separate process, because
/// `force_kernel` applies to the whole process.
fn in_a_process_of_its_own(name: &str, variables: &[(&str, &str)]) -> bool {
    const CHILD: &str = "HASHWELL_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return true;
    }
    let test = std::env::current_exe().unwrap();
    let run = std::process::Command::new(test)
        .args([&format!("kernels::{name}"), "--exact", "--nocapture"])
        .env(CHILD, "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // A name that is not a test would run nothing and succeed.
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("1 passed"), "{name}: {said}");
    false
}

/// Forcing a batch kernel does not affect single messages.
#[test]
fn forcing_a_batch_kernel() {
    let sha256 = hashwell::find("sha256").unwrap();
    let Some(kernel) = sha256.batch_kernels().into_iter().rfind(|k| k.available) else {
        skipped("forcing of a batch kernel", "this CPU has none");
        return;
    };
    if !in_a_process_of_its_own("forcing_a_batch_kernel", &[]) {
        return;
    }
    let many = |name| hashwell::find(name).unwrap().many(&Params::default()).unwrap();
    let (chain, other) = (sha256.hasher().kernel(), many("sha512").kernel());
    let messages: Vec<Vec<u8>> = (0..40).map(|i| mod251(i * 10)).collect();
    let digests = many("sha256").digest(&messages);
    hashwell::force_kernel(kernel.name).unwrap();
    assert_eq!(many("sha256").kernel(), kernel.name);
    assert_eq!((sha256.hasher().kernel(), many("sha512").kernel()), (chain, other));
    assert_eq!(many("sha256").digest(&messages), digests);
}

/// The results of a calibration are visible, determine the kernel, and do not change in the process.
#[test]
fn calibrations_decide_and_stay() {
    for algorithm in ALGORITHMS {
        let batch: Vec<_> = algorithm.batch_kernels().into_iter().filter(|k| k.available).collect();
        let found = algorithm.calibration();
        let on = std::env::var_os("HASHWELL_CALIBRATE").is_none_or(|value| value != "0") && !cfg!(miri);
        assert_eq!(found.batch.is_some(), on && !batch.is_empty(), "{}", algorithm.name);
        assert_eq!(
            batch.iter().all(|k| k.speed.is_some_and(|s| s.one_block > 0 && s.long > 0)),
            found.batch.is_some() || batch.is_empty()
        );
        let measured = algorithm.kernels().into_iter().filter(|k| k.speed.is_some()).count();
        assert!(if found.chain.is_some() { measured >= 2 } else { measured == 0 }, "{}", algorithm.name);
        assert_eq!((algorithm.calibration(), algorithm.kernels()), (found, algorithm.kernels()));
        let chain = algorithm.kernels().into_iter().find(|k| k.chosen).unwrap().name;
        assert_eq!(
            [algorithm.kernel_for(0, 0), algorithm.kernel_for(1, 0)],
            [chain; 2],
            "{}",
            algorithm.name
        );
        if let Some(many) = batch.iter().find(|k| k.chosen) {
            assert_eq!(algorithm.kernel_for(1000, 100_000), many.name);
            assert_eq!(algorithm.many(&Params::default()).unwrap().kernel(), many.name);
            // The fastest kernel is chosen, unless one that comes earlier in the table is about equally fast.
            let speeds = batch.iter().filter_map(|k| k.speed).map(|s| s.long);
            assert!(many.speed.is_none_or(|s| f64::from(s.long) > 0.96 * f64::from(speeds.max().unwrap())));
        }
    }
}

/// Concurrent calls from several threads all succeed, and get the same result afterwards.
#[test]
fn threads_may_come_at_once() {
    if !in_a_process_of_its_own("threads_may_come_at_once", &[]) {
        return;
    }
    let messages: Vec<Vec<u8>> = (0..40).map(|i| mod251(i * 10)).collect();
    let expected: Vec<_> =
        ALGORITHMS.iter().map(|row| row.many(&soft(row)).unwrap().digest(&messages)).collect();
    std::thread::scope(|scope| {
        let work = || {
            for (algorithm, expected) in ALGORITHMS.iter().zip(&expected) {
                assert!(hashwell::hash_many(algorithm, &messages) == *expected, "{}", algorithm.name);
            }
        };
        (0..4).for_each(|_| drop(scope.spawn(work)));
    });
    // While they ran, the result of the calibration may not have been available yet. Now it is, and it is the same for
    // all.
    std::thread::scope(|scope| {
        let work = || ALGORITHMS.iter().map(|row| (row.kernels(), row.batch_kernels())).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        let mut found: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        found.dedup();
        assert_eq!(found.len(), 1);
    });
}

fn soft(algorithm: &hashwell::Algorithm) -> Params<'static> {
    Params { kernel: Some(algorithm.kernels().last().unwrap().name), ..Params::default() }
}

/// If calibration is off, nothing is measured.
#[test]
fn calibration_can_be_switched_off() {
    const OFF: &str = "HASHWELL_CALIBRATE";
    if !in_a_process_of_its_own("calibration_can_be_switched_off", &[(OFF, "0")]) {
        return;
    }
    if std::env::var(OFF).as_deref() != Ok("0") {
        return; // A child of another test, or under an emulator.
    }
    for algorithm in ALGORITHMS {
        let found = algorithm.calibration();
        assert_eq!((found.chain, found.batch), (None, None), "{}", algorithm.name);
        for kernels in [algorithm.kernels(), algorithm.batch_kernels()] {
            assert!(kernels.iter().all(|k| k.speed.is_none()));
            // The order of the table is used.
            assert_eq!(kernels.iter().position(|k| k.chosen), kernels.iter().position(|k| k.available));
        }
        let messages: Vec<Vec<u8>> = (0..40).map(|i| mod251(i * 10)).collect();
        let digests = hashwell::hash_many(algorithm, &messages);
        assert!(digests == algorithm.many(&soft(algorithm)).unwrap().digest(&messages));
    }
}

#[test]
fn forcing_the_process() {
    if !in_a_process_of_its_own("forcing_the_process", &[]) {
        return;
    }
    let message = mod251(1000);
    let before = hashwell::find("sha256").unwrap().digest(&message);
    hashwell::force_kernel("soft").unwrap();
    hashwell::force_kernel("soft").unwrap();
    for algorithm in ALGORITHMS {
        let expected = if algorithm.name == "blake3" { "blake3-crate" } else { "soft" };
        assert_eq!(algorithm.hasher().kernel(), expected, "{}", algorithm.name);
        assert_eq!(algorithm.kernel_for(1000, 1000), expected, "{}", algorithm.name);
    }
    assert_eq!(hashwell::find("sha256").unwrap().digest(&message), before);
    // A forced kernel does not affect an engine.
    let many = hashwell::find("sha256").unwrap().many(&Params::default()).unwrap();
    assert!(many.on(&hashwell::engine::Cpu::new()).unwrap().digest(&[&message]).unwrap() == before);
    // By default, messages are hashed one at a time, on the forced kernel.
    assert_eq!(hashwell::find("sha256").unwrap().many(&Params::default()).unwrap().kernel(), "soft");
    let refused = hashwell::force_kernel("blake3-crate").unwrap_err();
    assert_eq!(refused, Error::KernelAlreadyForced { name: "soft" });
}
