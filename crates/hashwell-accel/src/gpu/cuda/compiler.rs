//! NVRTC, which compiles CUDA C to machine code of a GPU at run time.
#![allow(unsafe_code)]

use crate::gpu::error::shortened;
use cudarc::nvrtc::result::{NvrtcError, compile_program, create_program, destroy_program};
use cudarc::nvrtc::sys;
use std::ffi::{CString, c_char};

/// The result of a compilation.
pub(super) struct Compiled {
    /// Machine code, or PTX if the compiler does not know the GPU. The driver translates PTX.
    pub(super) code: Vec<u8>,
    /// The log of the compiler, with the registers and spills of each kernel if it made machine code.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) log: String,
}

/// Returns true if the library is installed. Calls into it would panic otherwise.
pub(super) fn present() -> bool {
    // SAFETY: the function opens a library by its name, as the system does when it starts any program, and calls
    // nothing in it.
    unsafe { sys::is_culib_present() }
}

/// Compiles a program for a compute capability, which is 90 for 9.0.
///
/// # Errors
/// Returns the first lines of the compiler's log if the program is rejected.
pub(super) fn compile(source: &str, capability: i32) -> Result<Compiled, Box<str>> {
    let failed = |error: NvrtcError| -> Box<str> { format!("NVRTC: {error:?}").into() };
    let known = architectures().map_err(failed)?;
    let Some(&nearest) = known.iter().filter(|known| **known <= capability).max() else {
        let (major, minor) = (capability / 10, capability % 10);
        return Err(format!("NVRTC does not support compute capability {major}.{minor} or lower").into());
    };
    let kind = if nearest == capability { "sm" } else { "compute" };
    let options = [format!("--gpu-architecture={kind}_{nearest}"), "--ptxas-options=-v".to_owned()];
    let program = Held::new(source).map_err(failed)?;
    // SAFETY: the program exists and was not destroyed, and the options live during the call.
    let done = unsafe { compile_program(program.0, &options) };
    let log = program.output(sys::nvrtcGetProgramLogSize, sys::nvrtcGetProgramLog).map_err(failed)?;
    let log = String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned();
    done.map_err(|error| if log.trim().is_empty() { failed(error) } else { shortened(&log) })?;
    let code = match kind {
        "sm" => program.output(sys::nvrtcGetCUBINSize, sys::nvrtcGetCUBIN),
        _ => program.output(sys::nvrtcGetPTXSize, sys::nvrtcGetPTX),
    };
    Ok(Compiled { code: code.map_err(failed)?, log })
}

/// Returns the compute capabilities that the compiler supports.
fn architectures() -> Result<Vec<i32>, NvrtcError> {
    let mut count = 0;
    // SAFETY: the function writes one number through a valid pointer.
    unsafe { sys::nvrtcGetNumSupportedArchs(&raw mut count) }.result()?;
    let mut known = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: the function writes as many numbers as the previous call returned, and the vector has room for them.
    unsafe { sys::nvrtcGetSupportedArchs(known.as_mut_ptr()) }.result()?;
    Ok(known)
}

/// A program of NVRTC, which is destroyed on drop.
struct Held(sys::nvrtcProgram);

type SizeOf = unsafe fn(sys::nvrtcProgram, *mut usize) -> sys::nvrtcResult;
type Copy = unsafe fn(sys::nvrtcProgram, *mut c_char) -> sys::nvrtcResult;

impl Held {
    fn new(source: &str) -> Result<Self, NvrtcError> {
        let source = CString::new(source).expect("the texts have no NUL");
        create_program(&source, Some(c"hashwell.cu")).map(Self)
    }

    /// Returns an output of the program, through the two functions that return its size and its bytes.
    fn output(&self, size: SizeOf, copy: Copy) -> Result<Vec<u8>, NvrtcError> {
        let mut bytes = 0;
        // SAFETY: the program exists and was not destroyed, and the function writes one number.
        unsafe { size(self.0, &raw mut bytes) }.result()?;
        let mut output = vec![0_u8; bytes];
        // SAFETY: as above. The function writes as many bytes as the previous call returned, and the vector has room
        // for them.
        unsafe { copy(self.0, output.as_mut_ptr().cast()) }.result()?;
        Ok(output)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the program exists, and is destroyed only here.
        let _ = unsafe { destroy_program(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::{compile, present};
    use crate::gpu::program::{ALL, Dialect};

    /// If NVRTC 13 finds a program in its cache, it does not report registers, unless this environment variable is set
    /// before NVRTC is loaded.
    const NO_CACHE: (&str, &str) = ("CUDA_CACHE_DISABLE", "1");

    /// `make test-nvrtc` sets `HASHWELL_NVRTC`, so that the test cannot be skipped there.
    #[test]
    fn every_program_compiles_for_every_card_without_spills() {
        if !present() {
            assert!(std::env::var_os("HASHWELL_NVRTC").is_none(), "NVRTC is not found");
            return;
        }
        if std::env::var(NO_CACHE.0).as_deref() != Ok(NO_CACHE.1) {
            let test = concat!(module_path!(), "::every_program_compiles_for_every_card_without_spills");
            let (_, name) = test.split_once("::").expect("the crate, and what is in it");
            let again = std::process::Command::new(std::env::current_exe().expect("the tests' own file"))
                .args(["--exact", "--nocapture", name])
                .env(NO_CACHE.0, NO_CACHE.1)
                .output()
                .expect("it starts once more");
            let said = String::from_utf8_lossy(&again.stdout);
            assert!(again.status.success() && said.contains("1 passed"), "{said}");
            print!("{said}");
            return;
        }
        for capability in [75, 90, 120] {
            for program in ALL {
                let made = compile(&program.source(Dialect::Cuda), capability);
                let made = made.unwrap_or_else(|log| panic!("{} for {capability}: {log}", program.name));
                assert!(made.code.starts_with(b"\x7fELF"), "{} for {capability}", program.name);
                let said: Vec<_> = made.log.lines().filter(|line| line.contains("spill")).collect();
                assert!(!said.is_empty(), "{}", made.log);
                for line in said {
                    assert!(
                        line.contains(" 0 bytes spill stores, 0 bytes spill loads"),
                        "{}: {line}",
                        program.name
                    );
                }
                for line in
                    made.log.lines().filter(|line| line.contains("entry function") || line.contains("Used"))
                {
                    println!("{}: {}", program.name, line.trim_start_matches("ptxas info    : "));
                }
            }
        }
    }

    #[test]
    fn a_text_that_is_none_is_refused_with_its_log() {
        if present() {
            let log = compile("nonsense", 90).err().expect("it is no program");
            assert!(log.contains("error") && !log.contains('\n'), "{log}");
            let log = compile("", 20).err().expect("no such card");
            assert_eq!(&*log, "NVRTC does not support compute capability 2.0 or lower");
        }
    }
}
