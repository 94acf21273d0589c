//! One instruction on the processor itself, with all registers given and taken.
#![allow(unsafe_code)]

use core::arch::asm;

/// Registers in the order of their numbers, vectors first, and memory: the assembly below counts its bytes.
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
pub(super) struct State(pub(super) [u64; LEN]);

// Where words begin: eight of each vector, and one of each other register.
pub(super) const GENERAL: usize = 256;
/// The stack pointer's, which is not given.
pub(super) const STACK: usize = GENERAL + 4;
pub(super) const MASKS: usize = 272;
pub(super) const FLAGS: usize = 280;
/// What an instruction may read and write, as aligned as a register is long.
pub(super) const MEMORY: usize = 288;
pub(super) const LEN: usize = MEMORY + 8;

impl State {
    pub(super) fn memory(&self) -> u64 {
        self.0[MEMORY..].as_ptr() as u64
    }
}

/// Whether this processor has what the kernels' instructions and the exchange of registers need.
pub(super) fn has_all() -> bool {
    std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("sha")
}

/// Whether it has the SHA-512 instructions, too, which few processors have.
pub(super) fn has_sha512() -> bool {
    std::is_x86_feature_detected!("sha512")
}

/// Memory of one instruction and a return, which may be executed, not written.
pub(super) struct Page(*mut libc::c_void);

const PAGE: usize = 4096;

impl Page {
    /// # Panics
    /// If memory is refused.
    pub(super) fn new(instruction: &[u8]) -> Self {
        assert!(instruction.len() <= 15);
        // SAFETY: a mapping of its own, which nobody else knows of; the bytes and the return fit into it; it is no longer
        // written when it may be executed.
        unsafe {
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let page = libc::mmap(core::ptr::null_mut(), PAGE, protection, flags, -1, 0);
            assert_ne!(page, libc::MAP_FAILED, "no memory for an instruction");
            core::ptr::copy_nonoverlapping(instruction.as_ptr(), page.cast::<u8>(), instruction.len());
            page.cast::<u8>().add(instruction.len()).write(0xc3);
            assert_eq!(
                libc::mprotect(page, PAGE, libc::PROT_READ | libc::PROT_EXEC),
                0,
                "no code may be made"
            );
            Self(page)
        }
    }

    /// Does the instruction.
    ///
    /// # Safety
    /// The processor must have it, it must not jump or use the stack, and what it reads and writes in memory must be the
    /// state's.
    pub(super) unsafe fn run(&self, state: &mut State) {
        assert!(has_all());
        // SAFETY: the processor has the vectors, as was asked; the rest is the caller's promise.
        unsafe { exchange(state, self.0) }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and nobody runs it any more.
        unsafe { libc::munmap(self.0, PAGE) };
    }
}

/// # Safety
/// As [`Page::run`]; the processor must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn exchange(state: *mut State, code: *mut libc::c_void) {
    const { assert!(8 * GENERAL == 2048 && 8 * MASKS == 2176 && 8 * FLAGS == 2240) };
    // SAFETY: loads and stores are inside the structure; every register that is written is declared, or pushed and
    // popped again; the code returns.
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
