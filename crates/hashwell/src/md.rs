//! The Merkle–Damgård core: SHA-1, the SHA-2 family and SHA256-90R are one struct with different
//! [`Spec`]s.

use crate::buffer::{BlockBuffer, Hold};
use crate::error::Error;
use crate::family::Core;
use crate::kernel::{Chosen, Table};
use zeroize::Zeroize;

/// A word of the chaining value.
pub(crate) trait Word: Copy + Zeroize + Send + Sync + 'static {
    const BYTES: usize;
    /// Big-endian bytes; `out` is `BYTES` long.
    fn write_be(self, out: &mut [u8]);
}

impl Word for u32 {
    const BYTES: usize = 4;
    fn write_be(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_be_bytes());
    }
}

impl Word for u64 {
    const BYTES: usize = 8;
    fn write_be(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_be_bytes());
    }
}

/// Kernel contract (*chain*): absorbs whole blocks into one chaining value.
pub(crate) type Compress<W, const N: usize, const B: usize> = unsafe fn(&mut [W; N], &[[u8; B]]);

impl<W, const N: usize, const B: usize> Chosen<Compress<W, N, B>> {
    #[inline]
    #[allow(unsafe_code)] // the one unsafe call of SHA-1, SHA-2 and SHA256-90R
    fn compress(self, state: &mut [W; N], blocks: &[[u8; B]]) {
        // SAFETY: the kernels need nothing but their CPU feature, and a `Chosen` proves that.
        unsafe { (self.function())(state, blocks) }
    }
}

/// What tells one Merkle–Damgård hash from another.
pub(crate) struct Spec<W: 'static, const N: usize, const B: usize> {
    /// H(0), the initial chaining value.
    pub(crate) initial: [W; N],
    pub(crate) kernels: &'static Table<Compress<W, N, B>>,
}

/// One hash in progress. `W`: word, `N`: words of chaining value, `B`: block bytes.
#[derive(Clone)]
pub(crate) struct Md<W: 'static, const N: usize, const B: usize> {
    kernel: Chosen<Compress<W, N, B>>,
    state: [W; N],
    buffer: BlockBuffer<B>,
    /// Message bytes so far. 2^64 - 1 bytes cannot be reached; the padding widens it to bits.
    length: u64,
}

impl<W: Word, const N: usize, const B: usize> Md<W, N, B> {
    #[inline]
    pub(crate) fn new(spec: &Spec<W, N, B>) -> Self {
        Self::on(spec, spec.kernels.best())
    }

    pub(crate) fn with_kernel(spec: &Spec<W, N, B>, name: Option<&str>) -> Result<Self, Error> {
        spec.kernels.choose(name).map(|kernel| Self::on(spec, kernel))
    }

    fn on(spec: &Spec<W, N, B>, kernel: Chosen<Compress<W, N, B>>) -> Self {
        Self { kernel, state: spec.initial, buffer: BlockBuffer::new(), length: 0 }
    }
}

impl<W: Word, const N: usize, const B: usize> Core for Md<W, N, B> {
    #[inline(always)]
    fn update(&mut self, data: &[u8]) {
        let Self { kernel, state, buffer, length } = self;
        buffer.absorb(data, Hold::Nothing, |blocks| kernel.compress(state, blocks));
        *length = length.wrapping_add(data.len() as u64);
    }

    /// Pads and writes the leftmost bytes of the chaining value.
    #[inline(always)]
    fn finalize_into(&mut self, out: &mut [u8]) {
        let Self { kernel, state, buffer, length } = self;
        buffer.pad_merkle_damgard(u128::from(*length) << 3, |blocks| kernel.compress(state, blocks));
        let mut words = out.chunks_exact_mut(W::BYTES);
        for (bytes, word) in words.by_ref().zip(state.iter()) {
            word.write_be(bytes);
        }
        // SHA-512/224 ends inside a word.
        let rest = words.into_remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            state[out.len() / W::BYTES].write_be(&mut last[..W::BYTES]);
            let start = out.len() / W::BYTES * W::BYTES;
            let rest = &mut out[start..];
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }

    fn kernel(&self) -> &'static str {
        self.kernel.name()
    }
}

impl<W: Word, const N: usize, const B: usize> Zeroize for Md<W, N, B> {
    fn zeroize(&mut self) {
        self.state.zeroize();
        self.buffer.zeroize();
        self.length = 0;
    }
}
