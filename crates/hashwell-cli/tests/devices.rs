//! Devices and modes in every build. Digests do not depend on them, and if a build lacks a device, the message contains
//! the command to build it.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use std::process::Output;

/// The message with the command for building the missing feature.
const BUILD: &str = "this build doesn't include the feature accel (build with: cargo install --locked --path \
    crates/hashwell-cli --features accel)";

/// The digest of `abc`.
const ABC: &str = "4109b01465a0497e666f43a5cd87904f54ea34059bf23bc7260c7fc90ccf3230";

/// A folder with the file `f`, which contains `abc`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("f", "abc");
    folder
}

/// Runs `hashwell sum -a sha256-90r` on `f` with this value of the environment variable.
fn with_backend(folder: &Folder, value: &str, options: &[&str]) -> Output {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["sum", "-a", "sha256-90r", "f"]).args(options).env("SHA256_90R_BACKEND", value);
    command.output().unwrap()
}

#[test]
fn the_list_has_this_processor_and_says_how_to_build_the_rest() {
    let folder = Folder::new();
    let table = stdout(&folder.hashwell(["devices"]));
    assert!(table.lines().any(|line| line.starts_with("cpu:0 ")), "{table}");
    let report: serde_json::Value =
        serde_json::from_slice(&folder.hashwell(["devices", "--json"]).stdout).unwrap();
    assert_eq!(report["devices"][0]["id"], "cpu:0");
    let absent = |prefix: &str| {
        let row = report["absent"].as_array().unwrap().iter().find(|absent| absent["prefix"] == prefix);
        row.map(|row| row["reason"].as_str().unwrap().to_owned())
    };
    for prefix in ["jit", "opencl", "cuda"] {
        let reason = absent(prefix);
        if cfg!(feature = "accel") {
            assert_ne!(reason.as_deref(), Some(BUILD), "{prefix}");
        } else {
            assert_eq!(reason.as_deref(), Some(BUILD), "{prefix}");
            assert!(table.contains(&format!("\n{prefix}: {BUILD}\n")), "{table}");
        }
    }
    let simulation = absent("fpga-sim").unwrap();
    assert!(simulation.contains("--features fpga-sim --example fpga_sim"), "{simulation}");
}

#[test]
fn modes_and_this_processor_change_no_digest() {
    let folder = folder();
    let sum = |options: &[&str]| {
        folder.hashwell([&["sum", "-a", "sha256-90r", "-a", "blake3", "f"], options].concat())
    };
    let expected = stdout(&sum(&[]));
    assert!(expected.contains(ABC), "{expected}");
    for options in [&["--device", "cpu:0"][..], &["--mode", "secure"], &["--mode", "fast"]] {
        assert_ran(&sum(options), 0, &expected, "");
    }
    let note = if cfg!(feature = "accel") {
        String::new()
    } else {
        format!("hashwell: --mode accel: no GPU can be used: {BUILD}\n")
    };
    assert_ran(&sum(&["--mode", "accel"]), 0, &expected, &note);
}

#[test]
fn other_names_of_modes_are_accepted_with_a_note() {
    let folder = folder();
    let line = format!("{ABC}  f\n");
    for (given, mode) in [("SECURE", "secure"), ("SECURE_MODE", "secure"), ("FAST_MODE", "fast")] {
        let output = folder.hashwell(["sum", "-a", "sha256-90r", "--mode", given, "f"]);
        assert_ran(&output, 0, &line, &format!("hashwell: --mode {given}: same as --mode {mode}\n"));
    }
    let said = stderr(&folder.hashwell(["sum", "-a", "sha256-90r", "--mode", "ACCEL_MODE", "f"]));
    assert!(said.starts_with("hashwell: --mode ACCEL_MODE: same as --mode accel\n"), "{said}");
    let said = stderr(&folder.hashwell(["sum", "--mode", "SLOW", "f"]));
    assert!(said.contains("possible values: secure, accel, fast"), "{said}");
}

#[test]
#[cfg(not(feature = "accel"))]
fn a_device_that_is_not_built_in_is_named_with_the_build() {
    let folder = folder();
    for device in ["jit:0", "opencl:1", "cuda:0"] {
        let output = folder.hashwell(["sum", "--device", device, "f"]);
        let line =
            format!("hashwell: device '{device}' is not available: {BUILD} (available devices: cpu:0)\n");
        assert_ran(&output, 2, "", &line);
    }
    for (options, expected) in [
        (["--device", "gpu"], format!("--device gpu: {BUILD}")),
        (["--device", "jit"], format!("device 'jit:0' is not available: {BUILD} (available devices: cpu:0)")),
        (["--device", "abacus:0"], "unknown device 'abacus:0' (known devices: cpu:0)".to_owned()),
    ] {
        let output = folder.hashwell(["sum", "f"].into_iter().chain(options));
        assert_ran(&output, 2, "", &format!("hashwell: {expected}\n"));
    }
    let said = stderr(&folder.hashwell(["sum", "--device", "fpga-sim:0", "f"]));
    assert!(said.starts_with("hashwell: device 'fpga-sim:0' is not available: "), "{said}");
    assert!(said.contains("--features fpga-sim --example fpga_sim") && said.lines().count() == 1, "{said}");
}

#[test]
fn kernels_are_selected_by_the_names_of_sha256_90r() {
    let folder = folder();
    let line = format!("{ABC}  f\n");
    let kernels = hashwell::find("sha256-90r").unwrap().kernels();
    let available = |name: &str| kernels.iter().any(|kernel| kernel.name == name && kernel.available);
    let mut ran = 0;
    for (backend, candidates) in [
        ("scalar", &["soft"][..]),
        ("Scalar", &["soft"]),
        ("simd", &["avx2"]),
        ("sha_ni", &["sha-ni"]),
        ("sha-ni", &["sha-ni"]),
        ("pipelined", &["avx512", "avx2", "ssse3"]),
    ] {
        let output = with_backend(&folder, backend, &[]);
        let Some(kernel) = candidates.iter().find(|kernel| available(kernel)) else {
            assert_eq!(output.status.code(), Some(2));
            let expected = format!(
                "hashwell: SHA256_90R_BACKEND={backend}: this CPU does not support {} (supported kernels: ",
                candidates.join(" or ")
            );
            assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
            continue;
        };
        let note = format!(
            "hashwell: SHA256_90R_BACKEND={backend}: sha256-90r uses the kernel {kernel} \
             (HASHWELL_KERNEL={kernel} selects it for all algorithms)\n"
        );
        assert_ran(&output, 0, &line, &note);
        ran += 1;
    }
    assert!(ran >= 2);
    // An empty value selects nothing, and no note is printed for other algorithms.
    assert_ran(&with_backend(&folder, "", &[]), 0, &line, "");
    let mut other = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let other =
        other.args(["sum", "-a", "sha256", "f"]).env("SHA256_90R_BACKEND", "scalar").output().unwrap();
    assert_eq!((other.status.code(), stderr(&other)), (Some(0), String::new()));
}

#[test]
fn the_variable_gives_way_and_refuses_unknown_names() {
    let folder = folder();
    let line = format!("{ABC}  f\n");
    for (options, instead) in [(["--mode", "fast"], "--mode"), (["--device", "cpu:0"], "--device")] {
        let note = format!("hashwell: SHA256_90R_BACKEND=scalar: ignored, because {instead} is given\n");
        assert_ran(&with_backend(&folder, "scalar", &options), 0, &line, &note);
    }
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["sum", "-a", "sha256-90r", "f"]).env("SHA256_90R_BACKEND", "jit");
    let output = command.env("HASHWELL_KERNEL", "scalar").output().unwrap();
    let notes = "hashwell: HASHWELL_KERNEL=scalar: same as HASHWELL_KERNEL=soft\n\
                 hashwell: SHA256_90R_BACKEND=jit: ignored, because HASHWELL_KERNEL is given\n";
    assert_ran(&output, 0, &line, notes);
    let refusal = "hashwell: SHA256_90R_BACKEND: unknown backend 'warp' (known backends: scalar, simd, sha_ni, gpu, \
                   pipelined, fpga, jit)\n";
    assert_ran(&with_backend(&folder, "warp", &[]), 2, "", refusal);
}

#[test]
fn devices_are_selected_by_the_names_of_sha256_90r() {
    let folder = folder();
    let jit = with_backend(&folder, "jit", &["-a", "blake3"]);
    if cfg!(feature = "accel") {
        assert_eq!(jit.status.code(), Some(0), "{}", stderr(&jit));
        assert!(stdout(&jit).contains(ABC));
        assert_eq!(stderr(&jit), "hashwell: SHA256_90R_BACKEND=jit: same as --device jit:0\n");
    } else {
        let line = format!("hashwell: device 'jit:0' is not available: {BUILD} (available devices: cpu:0)\n");
        assert_ran(&jit, 2, "", &line);
        let line = format!("hashwell: SHA256_90R_BACKEND=gpu: {BUILD}\n");
        assert_ran(&with_backend(&folder, "gpu", &[]), 2, "", &line);
    }
    let fpga = with_backend(&folder, "fpga", &[]);
    assert_eq!(fpga.status.code(), Some(2));
    assert!(stderr(&fpga).contains("device 'fpga-sim:0' is not available: "), "{}", stderr(&fpga));
}
