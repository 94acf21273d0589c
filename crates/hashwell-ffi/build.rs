//! Names the shared library for the linkers that load it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let abi = std::env::var("CARGO_PKG_VERSION_MAJOR").expect("cargo sets it");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhashwell.so.{abi}");
    }
}
