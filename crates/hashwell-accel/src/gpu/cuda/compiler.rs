//! NVRTC: CUDA C to a card's machine code, at run time.
#![allow(unsafe_code)]

use crate::gpu::error::shortened;
use cudarc::nvrtc::result::{NvrtcError, compile_program, create_program, destroy_program};
use cudarc::nvrtc::sys;
use std::ffi::{CString, c_char};

/// What came of a text.
pub(super) struct Compiled {
    /// Machine code, or PTX where the compiler does not know the card, which the driver translates.
    pub(super) code: Vec<u8>,
    /// What the compiler said: registers and spills of each kernel, where it made machine code.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) log: String,
}

/// Whether the library is there. Calls into it panic where it is not.
pub(super) fn present() -> bool {
    // SAFETY: it opens a library by its name, as any program's start does, and calls nothing in it.
    unsafe { sys::is_culib_present() }
}

/// Compiles for a compute capability: 90 for 9.0.
///
/// # Errors
/// The first lines of the compiler's log.
pub(super) fn compile(source: &str, capability: i32) -> Result<Compiled, Box<str>> {
    let failed = |error: NvrtcError| -> Box<str> { format!("NVRTC: {error:?}").into() };
    let known = architectures().map_err(failed)?;
    let Some(&nearest) = known.iter().filter(|known| **known <= capability).max() else {
        let (major, minor) = (capability / 10, capability % 10);
        return Err(format!("NVRTC knows no card of compute capability {major}.{minor} or below").into());
    };
    let kind = if nearest == capability { "sm" } else { "compute" };
    let options = [format!("--gpu-architecture={kind}_{nearest}"), "--ptxas-options=-v".to_owned()];
    let program = Held::new(source).map_err(failed)?;
    // SAFETY: the program was made and not destroyed, and the options live through the call.
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

/// The compute capabilities that it makes code for.
fn architectures() -> Result<Vec<i32>, NvrtcError> {
    let mut count = 0;
    // SAFETY: the function writes one number to where the pointer shows.
    unsafe { sys::nvrtcGetNumSupportedArchs(&raw mut count) }.result()?;
    let mut known = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: it writes as many numbers as the call before said, for which there is room.
    unsafe { sys::nvrtcGetSupportedArchs(known.as_mut_ptr()) }.result()?;
    Ok(known)
}

/// A program of NVRTC's, destroyed when it goes.
struct Held(sys::nvrtcProgram);

type SizeOf = unsafe fn(sys::nvrtcProgram, *mut usize) -> sys::nvrtcResult;
type Copy = unsafe fn(sys::nvrtcProgram, *mut c_char) -> sys::nvrtcResult;

impl Held {
    fn new(source: &str) -> Result<Self, NvrtcError> {
        let source = CString::new(source).expect("the texts have no NUL");
        create_program(&source, Some(c"hashwell.cu")).map(Self)
    }

    /// One of its outputs, by the two functions that give its size and its bytes.
    fn output(&self, size: SizeOf, copy: Copy) -> Result<Vec<u8>, NvrtcError> {
        let mut bytes = 0;
        // SAFETY: the program was made and not destroyed; the function writes one number.
        unsafe { size(self.0, &raw mut bytes) }.result()?;
        let mut output = vec![0_u8; bytes];
        // SAFETY: as above; the function writes as many bytes as it just said, for which there is room.
        unsafe { copy(self.0, output.as_mut_ptr().cast()) }.result()?;
        Ok(output)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it was made and is destroyed only here.
        let _ = unsafe { destroy_program(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::{compile, present};
    use crate::gpu::program::{ALL, Dialect};

    /// Of NVRTC 13, which says nothing of registers where it has a program from before, unless this is set when it is loaded.
    const NO_CACHE: (&str, &str) = ("CUDA_CACHE_DISABLE", "1");

    /// `make test-nvrtc` sets the variable, so that it cannot be skipped there.
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
            assert_eq!(&*log, "NVRTC knows no card of compute capability 2.0 or below");
        }
    }
}
