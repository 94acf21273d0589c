// The common dialect, in OpenCL C 1.2.
#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
#define GLOBAL __global
#define CONST_TAB __constant
#define DEV static inline
#define ITEM ((uint)get_global_id(0))
#define UNROLL _Pragma("unroll")
// Unrolls a loop with a long body. CPUs are faster with short code, GPUs with literal constants.
#ifdef ON_CPU
#define LOOP_UNROLL
#else
#define LOOP_UNROLL UNROLL
#endif
#define ROTR(x, n) rotate((uint)(x), (uint)(32 - (n)))
#define ATOMIC_NEXT(p) atomic_inc(p)
typedef uint4 quad;

// Reverses the bytes of a number.
DEV uint swapped(uint x) {
    return as_uint(as_uchar4(x).wzyx);
}

// Returns four of the eight bytes of two words, from byte `skip` (0 to 3) on, as a big-endian number.
DEV uint big_endian(uint low, uint high, uint skip) {
    return swapped(skip == 0 ? low : (low >> (8 * skip)) | (high << (32 - 8 * skip)));
}
