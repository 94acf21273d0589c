//! The only module that detects the features of the CPU.
//!
//! It uses `cpufeatures`: one CPUID instruction (or a query to the operating system) at the first
//! use, then a relaxed load. This works without `std`, and reports a vector feature only if the
//! operating system saves its registers.

/// SHA-1 and SHA-256 instructions, with the SSE levels that their kernels use for shuffles.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha_ni() -> bool {
    cpufeatures::new!(cpuid_sha, "sha", "sse2", "ssse3", "sse4.1");
    cpuid_sha::get()
}

/// BMI1 and BMI2: and-not, and rotations that keep their source.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn bmi2() -> bool {
    cpufeatures::new!(cpuid_bmi, "bmi1", "bmi2");
    cpuid_bmi::get()
}

/// 512-bit vectors, their instructions on shorter vectors, BMI1 and BMI2.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn avx512() -> bool {
    cpufeatures::new!(cpuid_avx512, "avx512f", "avx512vl", "avx512bw", "avx2", "bmi1", "bmi2");
    cpuid_avx512::get()
}

/// The SHA instructions, with the three-operand encoding of the other instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha_ni_avx() -> bool {
    cpufeatures::new!(cpuid_sha_avx, "sha", "avx");
    cpuid_sha_avx::get()
}

/// The SHA instructions, and 128-bit vectors with rotations and three-operand boolean operations.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha_ni_avx512() -> bool {
    cpufeatures::new!(cpuid_sha_avx512, "sha", "ssse3", "sse4.1", "avx512f", "avx512vl");
    cpuid_sha_avx512::get()
}

/// SHA-512 instructions, and the 256-bit vectors that they use.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha512_ni() -> bool {
    cpufeatures::new!(cpuid_sha512, "sha512", "avx2");
    cpuid_sha512::get()
}

/// Vectors longer than 128 bits, with a three-operand encoding.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn avx() -> bool {
    cpufeatures::new!(cpuid_avx, "avx");
    cpuid_avx::get()
}

/// Byte shuffles in 128-bit vectors.
#[cfg(target_arch = "x86_64")]
pub(crate) fn ssse3() -> bool {
    cpufeatures::new!(cpuid_ssse3, "ssse3");
    cpuid_ssse3::get()
}

/// 256-bit integer vectors, BMI1 and BMI2.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn avx2() -> bool {
    cpufeatures::new!(cpuid_avx2, "avx2", "bmi1", "bmi2");
    cpuid_avx2::get()
}

/// SHA-1 and SHA-256 instructions. `cpufeatures` checks only SHA-256, which is sufficient: Arm does
/// not allow a CPU with only one of the two (Architecture Reference Manual, ID_AA64ISAR0_EL1).
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) fn armv8_sha2() -> bool {
    cpufeatures::new!(armv8_sha2, "sha2");
    armv8_sha2::get()
}

/// SHA-512 and SHA-3 instructions. `cpufeatures` checks only one of them, which is sufficient: Arm
/// does not allow a CPU with only one of the two (see [`armv8_sha2`]).
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) fn armv8_sha3() -> bool {
    cpufeatures::new!(armv8_sha3, "sha3");
    armv8_sha3::get()
}
