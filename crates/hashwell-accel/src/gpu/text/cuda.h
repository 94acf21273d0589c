// The common dialect, in CUDA C. NVRTC has no headers, so the types are defined here.
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned long long ulong;
typedef uint4 quad;
#define KERNEL extern "C" __global__ __launch_bounds__(GROUP)
#define GLOBAL
#define CONST_TAB __constant__
#define DEV static __device__ __forceinline__
#define ITEM (blockIdx.x * GROUP + threadIdx.x)
#define UNROLL _Pragma("unroll")
// Unrolls a loop with a long body. CPUs are faster with short code, GPUs with literal constants.
#define LOOP_UNROLL UNROLL
#define ROTR(x, n) __funnelshift_r((x), (x), (n))
#define ATOMIC_NEXT(p) atomicAdd((p), 1u)

// Reverses the bytes of a number.
DEV uint swapped(uint x) {
    return __byte_perm(x, 0, 0x0123);
}

// Returns four of the eight bytes of two words, from byte `skip` (0 to 3) on, as a big-endian number.
DEV uint big_endian(uint low, uint high, uint skip) {
    return __byte_perm(low, high, 0x0123 + 0x1111 * skip);
}
