// Definitions with which a kernel in CUDA C can be compiled as C++ for the CPU. `driver.cpp` puts them before the
// kernel. There are no other headers, as in NVRTC.
#define __global__
#define __device__
#define __constant__ static
#define __launch_bounds__(threads)
#define __forceinline__ inline

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

struct OneDimension {
    unsigned x;
};
static thread_local OneDimension blockIdx, threadIdx;

// CUDA C++ Programming Guide: the lower word of (high:low) >> (n mod 32).
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return (unsigned)((((unsigned long long)high << 32) | low) >> (n & 31));
}

// From the same guide: byte i of the result is the byte of (y:x) that digit i of the selector names. The fourth bit of
// a digit, which replicates the sign, is not used.
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long bytes = ((unsigned long long)y << 32) | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        result |= (unsigned)((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xff) << (8 * i);
    }
    return result;
}

static inline unsigned atomicAdd(unsigned *at, unsigned n) {
    return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

template <unsigned... at> struct Places {};
template <unsigned n, unsigned... at> struct Upto : Upto<n - 1, n - 1, at...> {};
template <unsigned... at> struct Upto<0, at...> {
    using Is = Places<at...>;
};

// Runs all threads of all blocks one after another.
template <class... Args, unsigned... at>
static void run(void (*kernel)(Args...), void **args, unsigned blocks, unsigned threads, Places<at...>) {
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) {
            kernel(*static_cast<Args *>(args[at])...);
        }
    }
}

template <class... Args>
static void launch(void (*kernel)(Args...), void **args, unsigned blocks, unsigned threads) {
    run(kernel, args, blocks, threads, typename Upto<sizeof...(Args)>::Is());
}
