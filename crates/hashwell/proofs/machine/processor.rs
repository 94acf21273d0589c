//! Executes one instruction on the CPU, with given values of all registers.
#![allow(unsafe_code)]

use core::arch::asm;

/// The registers in the order of their numbers, vectors first, and then memory. The assembly code below uses these
/// offsets.
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
pub(super) struct State(pub(super) [u64; LEN]);

// The index of the first word of each group. A vector has eight words, and every other register has one.
pub(super) const GENERAL: usize = 256;
/// The index of the stack pointer, which is not set.
pub(super) const STACK: usize = GENERAL + 4;
pub(super) const MASKS: usize = 272;
pub(super) const FLAGS: usize = 280;
/// The memory that an instruction may read and write, which is aligned for the longest register.
pub(super) const MEMORY: usize = 288;
pub(super) const LEN: usize = MEMORY + 8;

impl State {
    pub(super) fn memory(&self) -> u64 {
        self.0[MEMORY..].as_ptr() as u64
    }
}

/// Returns true if this CPU has the instructions that the kernels use, and those that exchange the registers.
pub(super) fn has_all() -> bool {
    std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("sha")
}

/// Returns true if the CPU also has the SHA-512 instructions, which are rare.
pub(super) fn has_sha512() -> bool {
    std::is_x86_feature_detected!("sha512")
}

/// Executable, read-only memory that contains one instruction and a return.
pub(super) struct Page(*mut libc::c_void);

const PAGE: usize = 4096;

impl Page {
    /// # Panics
    /// Panics if the memory can't be allocated or made executable.
    pub(super) fn new(instruction: &[u8]) -> Self {
        assert!(instruction.len() <= 15);
        // SAFETY: this is a new mapping that nothing else uses. The instruction and the return fit into it. It is not
        // written after it was made executable.
        unsafe {
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let page = libc::mmap(core::ptr::null_mut(), PAGE, protection, flags, -1, 0);
            assert_ne!(page, libc::MAP_FAILED, "the memory for an instruction can't be allocated");
            core::ptr::copy_nonoverlapping(instruction.as_ptr(), page.cast::<u8>(), instruction.len());
            page.cast::<u8>().add(instruction.len()).write(0xc3);
            assert_eq!(
                libc::mprotect(page, PAGE, libc::PROT_READ | libc::PROT_EXEC),
                0,
                "the memory can't be made executable"
            );
            Self(page)
        }
    }

    /// Executes the instruction.
    ///
    /// # Safety
    /// The CPU must have the instruction. The instruction must not jump or use the stack, and may access only the
    /// memory of the state.
    pub(super) unsafe fn run(&self, state: &mut State) {
        assert!(has_all());
        // SAFETY: the CPU has the vector instructions, as `has_all` has checked. The caller guarantees the rest.
        unsafe { exchange(state, self.0) }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping, and its code is no longer executed.
        unsafe { libc::munmap(self.0, PAGE) };
    }
}

/// # Safety
/// See [`Page::run`]. The CPU must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn exchange(state: *mut State, code: *mut libc::c_void) {
    const { assert!(8 * GENERAL == 2048 && 8 * MASKS == 2176 && 8 * FLAGS == 2240) };
    // SAFETY: all loads and stores are inside the structure. Every register that is written is declared, or saved and
    // restored with `push` and `pop`. The code returns.
    unsafe {
        asm!(
            "push rbx",
            "push rbp",
            "push rdi",
            "push rsi",
            "vmovdqu64 zmm0, [rdi + 0]",
            "vmovdqu64 zmm1, [rdi + 64]",
            "vmovdqu64 zmm2, [rdi + 128]",
            "vmovdqu64 zmm3, [rdi + 192]",
            "vmovdqu64 zmm4, [rdi + 256]",
            "vmovdqu64 zmm5, [rdi + 320]",
            "vmovdqu64 zmm6, [rdi + 384]",
            "vmovdqu64 zmm7, [rdi + 448]",
            "vmovdqu64 zmm8, [rdi + 512]",
            "vmovdqu64 zmm9, [rdi + 576]",
            "vmovdqu64 zmm10, [rdi + 640]",
            "vmovdqu64 zmm11, [rdi + 704]",
            "vmovdqu64 zmm12, [rdi + 768]",
            "vmovdqu64 zmm13, [rdi + 832]",
            "vmovdqu64 zmm14, [rdi + 896]",
            "vmovdqu64 zmm15, [rdi + 960]",
            "vmovdqu64 zmm16, [rdi + 1024]",
            "vmovdqu64 zmm17, [rdi + 1088]",
            "vmovdqu64 zmm18, [rdi + 1152]",
            "vmovdqu64 zmm19, [rdi + 1216]",
            "vmovdqu64 zmm20, [rdi + 1280]",
            "vmovdqu64 zmm21, [rdi + 1344]",
            "vmovdqu64 zmm22, [rdi + 1408]",
            "vmovdqu64 zmm23, [rdi + 1472]",
            "vmovdqu64 zmm24, [rdi + 1536]",
            "vmovdqu64 zmm25, [rdi + 1600]",
            "vmovdqu64 zmm26, [rdi + 1664]",
            "vmovdqu64 zmm27, [rdi + 1728]",
            "vmovdqu64 zmm28, [rdi + 1792]",
            "vmovdqu64 zmm29, [rdi + 1856]",
            "vmovdqu64 zmm30, [rdi + 1920]",
            "vmovdqu64 zmm31, [rdi + 1984]",
            "kmovq k0, [rdi + 2176]",
            "kmovq k1, [rdi + 2184]",
            "kmovq k2, [rdi + 2192]",
            "kmovq k3, [rdi + 2200]",
            "kmovq k4, [rdi + 2208]",
            "kmovq k5, [rdi + 2216]",
            "kmovq k6, [rdi + 2224]",
            "kmovq k7, [rdi + 2232]",
            "push qword ptr [rdi + 2240]",
            "popfq",
            "mov rax, [rdi + 2048]",
            "mov rcx, [rdi + 2056]",
            "mov rdx, [rdi + 2064]",
            "mov rbx, [rdi + 2072]",
            "mov rbp, [rdi + 2088]",
            "mov rsi, [rdi + 2096]",
            "mov r8, [rdi + 2112]",
            "mov r9, [rdi + 2120]",
            "mov r10, [rdi + 2128]",
            "mov r11, [rdi + 2136]",
            "mov r12, [rdi + 2144]",
            "mov r13, [rdi + 2152]",
            "mov r14, [rdi + 2160]",
            "mov r15, [rdi + 2168]",
            "mov rdi, [rdi + 2104]",
            "call qword ptr [rsp]",
            "xchg rdi, [rsp + 8]",
            "mov [rdi + 2048], rax",
            "mov [rdi + 2056], rcx",
            "mov [rdi + 2064], rdx",
            "mov [rdi + 2072], rbx",
            "mov [rdi + 2088], rbp",
            "mov [rdi + 2096], rsi",
            "mov [rdi + 2112], r8",
            "mov [rdi + 2120], r9",
            "mov [rdi + 2128], r10",
            "mov [rdi + 2136], r11",
            "mov [rdi + 2144], r12",
            "mov [rdi + 2152], r13",
            "mov [rdi + 2160], r14",
            "mov [rdi + 2168], r15",
            "pushfq",
            "pop qword ptr [rdi + 2240]",
            "mov rax, [rsp + 8]",
            "mov [rdi + 2104], rax",
            "vmovdqu64 [rdi + 0], zmm0",
            "vmovdqu64 [rdi + 64], zmm1",
            "vmovdqu64 [rdi + 128], zmm2",
            "vmovdqu64 [rdi + 192], zmm3",
            "vmovdqu64 [rdi + 256], zmm4",
            "vmovdqu64 [rdi + 320], zmm5",
            "vmovdqu64 [rdi + 384], zmm6",
            "vmovdqu64 [rdi + 448], zmm7",
            "vmovdqu64 [rdi + 512], zmm8",
            "vmovdqu64 [rdi + 576], zmm9",
            "vmovdqu64 [rdi + 640], zmm10",
            "vmovdqu64 [rdi + 704], zmm11",
            "vmovdqu64 [rdi + 768], zmm12",
            "vmovdqu64 [rdi + 832], zmm13",
            "vmovdqu64 [rdi + 896], zmm14",
            "vmovdqu64 [rdi + 960], zmm15",
            "vmovdqu64 [rdi + 1024], zmm16",
            "vmovdqu64 [rdi + 1088], zmm17",
            "vmovdqu64 [rdi + 1152], zmm18",
            "vmovdqu64 [rdi + 1216], zmm19",
            "vmovdqu64 [rdi + 1280], zmm20",
            "vmovdqu64 [rdi + 1344], zmm21",
            "vmovdqu64 [rdi + 1408], zmm22",
            "vmovdqu64 [rdi + 1472], zmm23",
            "vmovdqu64 [rdi + 1536], zmm24",
            "vmovdqu64 [rdi + 1600], zmm25",
            "vmovdqu64 [rdi + 1664], zmm26",
            "vmovdqu64 [rdi + 1728], zmm27",
            "vmovdqu64 [rdi + 1792], zmm28",
            "vmovdqu64 [rdi + 1856], zmm29",
            "vmovdqu64 [rdi + 1920], zmm30",
            "vmovdqu64 [rdi + 1984], zmm31",
            "kmovq [rdi + 2176], k0",
            "kmovq [rdi + 2184], k1",
            "kmovq [rdi + 2192], k2",
            "kmovq [rdi + 2200], k3",
            "kmovq [rdi + 2208], k4",
            "kmovq [rdi + 2216], k5",
            "kmovq [rdi + 2224], k6",
            "kmovq [rdi + 2232], k7",
            "add rsp, 16",
            "pop rbp",
            "pop rbx",
            inout("rdi") state => _, inout("rsi") code => _,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            clobber_abi("sysv64"),
        );
    }
}
