//! Builds the simulated circuit of the feature `fpga-sim`: `make sim-library` of hdl/, which calls Verilator and a C++
//! compiler. Without the feature this does nothing.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_FPGA_SIM").is_none() {
        return;
    }
    let hdl = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../../hdl");
    if !hdl.join("Makefile").exists() {
        fail("the feature fpga-sim builds from hashwell's repository, which has hdl/; the package has not");
    }
    for source in ["Makefile", "rtl", "sim"] {
        println!("cargo::rerun-if-changed={}", hdl.join(source).display());
    }
    let out = PathBuf::from(variable("OUT_DIR")).join("hdl");
    if out.display().to_string().contains(char::is_whitespace) {
        // Verilator's own makefiles refuse it, several lines deep in make's words.
        fail(&format!(
            "the feature fpga-sim cannot be built below a folder with a space in its name: {}",
            out.display()
        ));
    }
    let mut make = Command::new("make");
    make.arg("-C").arg(&hdl).arg("sim-library").arg(format!("OUT={}", out.display()));
    match make.status() {
        Ok(status) if status.success() => {}
        _ => fail("the feature fpga-sim needs make, verilator and g++ (Debian: make hdl-tools)"),
    }
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=sha256r_sim");
    let runtime = if variable("CARGO_CFG_TARGET_VENDOR") == "apple" { "c++" } else { "stdc++" };
    for library in [runtime, "pthread"] {
        println!("cargo::rustc-link-lib={library}");
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|error| fail(&format!("{name}: {error}")))
}

fn fail(why: &str) -> ! {
    println!("cargo::error={why}");
    std::process::exit(1)
}
