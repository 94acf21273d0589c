//! The only place that asks the CPU what it can do.
//!
//! Detection is by `cpufeatures`: one CPUID (or OS query) at first use, then a relaxed load. It works
//! without `std` and counts a vector feature only where the operating system saves its registers.

/// SHA-1 and SHA-256 instructions, with the SSE levels their kernels shuffle with.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha_ni() -> bool {
    cpufeatures::new!(cpuid_sha, "sha", "sse2", "ssse3", "sse4.1");
    cpuid_sha::get()
}

/// Rotations that keep their source and and-not: BMI1 and BMI2.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn bmi2() -> bool {
    cpufeatures::new!(cpuid_bmi, "bmi1", "bmi2");
    cpuid_bmi::get()
}

/// 512-bit vectors, their instructions on shorter vectors, and BMI1 and BMI2.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn avx512() -> bool {
    cpufeatures::new!(cpuid_avx512, "avx512f", "avx512vl", "avx512bw", "avx2", "bmi1", "bmi2");
    cpuid_avx512::get()
}

/// The SHA instructions, with the three-operand encoding of the others.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha_ni_avx() -> bool {
    cpufeatures::new!(cpuid_sha_avx, "sha", "avx");
    cpuid_sha_avx::get()
}

/// The SHA instructions, beside 128-bit vectors that rotate and have booleans of three operands.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn sha_ni_avx512() -> bool {
    cpufeatures::new!(cpuid_sha_avx512, "sha", "ssse3", "sse4.1", "avx512f", "avx512vl");
    cpuid_sha_avx512::get()
}

/// SHA-512 instructions and the 256-bit vectors that they work on.
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

/// Shuffles of bytes in 128-bit vectors.
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

/// SHA-1 and SHA-256 instructions. `cpufeatures` asks for SHA-256's alone, which is enough: Arm allows no
/// CPU to have one without the other (Architecture Reference Manual, ID_AA64ISAR0_EL1).
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) fn armv8_sha2() -> bool {
    cpufeatures::new!(armv8_sha2, "sha2");
    armv8_sha2::get()
}

/// SHA-512 and SHA-3 instructions. `cpufeatures` asks for either; the same rules allow both or neither.
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) fn armv8_sha3() -> bool {
    cpufeatures::new!(armv8_sha3, "sha3");
    armv8_sha3::get()
}
