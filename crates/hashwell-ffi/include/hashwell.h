/*
 * hashwell: hash functions, extendable output, MACs, key derivation and random numbers for C and C++.
 *
 * This header is the reference manual. Compile and link with the output of `pkg-config --cflags --libs hashwell`.
 *
 *     #include <hashwell.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         uint8_t digest[32], first[16], next[16];
 *         int code = hw_hash(HW_SHA256, "abc", 3, digest, sizeof digest);
 *         if (code != HW_OK) {
 *             fprintf(stderr, "hw_hash: %s\n", hw_strerror(code));
 *             return 1;
 *         }
 *
 *         hw_hash_state hash;                         // on the stack: no allocation
 *         hw_xof_state stream;
 *         hw_hash_init(&hash, HW_SHAKE128, NULL);
 *         hw_hash_update(&hash, "seed", 4);
 *         hw_xof_init(&stream, &hash);                // the output stream of the message so far
 *         hw_xof_read(&stream, first, sizeof first);  // output bytes 0 to 15
 *         hw_xof_read(&stream, next, sizeof next);    // output bytes 16 to 31
 *         return 0;
 *     }
 *
 * The following rules apply to every function unless its comment says otherwise.
 *
 * Results.    A function that returns int returns HW_OK (0), or a negative HW_E_* code that hw_strerror describes.
 *             After an error, no output has been written and no state has changed.
 * Abort.      No function calls exit(). The process aborts only if one of these allocations fails:
 *             - the copy of a customization string of KT128 or KT256 (in hw_hash_with if the string is longer than
 *               256 bytes; in hw_hash_many and hw_streams_new always);
 *             - the copy of the environment variable HASHWELL_KERNEL, in hw_force_kernel(NULL);
 *             - the copy of the environment variable HASHWELL_CALIBRATE, when the first kernel is chosen.
 * Heap.       These functions allocate memory: hw_hash_many, hw_hmac_many, hw_*_export*, hw_*_import*, every
 *             function whose name ends in _new, hw_source_*, hw_streams_*, and hw_hash_with for KT128 and KT256 with
 *             a customization of more than 256 bytes. Other functions allocate memory only for the copies of the two
 *             environment variables listed under Abort and for details of some errors, such as an unknown name. If
 *             the memory for such details can't be allocated, they are omitted.
 * Lengths     and positions are counted in bytes. A pointer may be NULL if its length is 0; otherwise NULL gives
 *             HW_E_NULL. A length above PTRDIFF_MAX gives HW_E_LENGTH.
 * Alignment.  Data need not be aligned. States must be aligned to HW_STATE_ALIGN; otherwise the result is
 *             HW_E_ALIGN.
 * Overlap.    An output may overlap an input, unless HW_E_OVERLAP is listed among the errors. A state must not overlap
 *             any other argument.
 * States      (hw_hash_state, hw_xof_state, hw_hmac_state, hw_kmac_state, hw_drbg_state, hw_drbg_custom_state and
 *             hw_random_state) are plain data of fixed size in your own memory: on the stack, in a struct, or in memory
 *             that another language manages. They own no heap memory and contain no pointers to themselves.
 *             - Copy: assignment or memcpy clones a state. You can also move it. Do not copy a hw_random_state.
 *             - Reuse: to start again with the same parameters, keep a copy of the state as it was after *_init.
 *             - Release: a state in your own memory needs no release. Wipe states that depend on secrets with
 *               hw_*_wipe. Free a state from hw_*_new with hw_*_free, which also wipes it.
 *             - Checks: functions return HW_E_STATE for a state that was not initialized, was wiped, or has another
 *               type. They check only its first 8 bytes and trust the rest.
 *             - Lifetime: a state is valid only in the process that created it and in that process's forks. To store a
 *               hash in a file, use hw_hash_export.
 * Objects     (hw_source_state and hw_streams_state) own heap memory. A *_new function, hw_source_spawn or
 *             hw_source_jumped creates an object, and *_free overwrites and frees it. Do not copy or move objects.
 *             In all other respects, the rules for states apply to objects too.
 * Threads.    The library starts no threads. Different threads can use different states at the same time. Calls with
 *             the same state must not run at the same time, unless all of these calls take it as const.
 *             Data shared by the whole process (the choice of kernels, results of self-tests, strings) is
 *             synchronized by the library.
 * Timing.     In the compiled code that was checked (dev/timing.md), execution time depends on lengths but not on the
 *             bytes of keys, messages or tags. hw_xof_ml_rej_uniform is an exception. The library has no protection
 *             against side channels other than timing.
 * Strings     returned by the library are valid until the program ends. Do not free them.
 * C++.        The functions are declared extern "C" and never throw.
 */
#ifndef HASHWELL_H
#define HASHWELL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- versions and results */

/** The version of the binary interface in this header. A program runs with every library that has the same version. */
#define HW_ABI_VERSION 0

/** Returns the interface version of the loaded library. If it differs from HW_ABI_VERSION, the library does not match
    this header. */
uint32_t hw_abi_version(void);

/** Returns the version of the loaded library, for example "0.1.0". */
const char *hw_version(void);

enum {
    HW_OK = 0,
    HW_E_NULL = -1,                 /* a required pointer is NULL */
    HW_E_ALGORITHM = -2,            /* no algorithm has this number */
    HW_E_LENGTH = -3,               /* a buffer has the wrong length */
    HW_E_RANGE = -4,                /* a value is out of range; hw_limits returns the range of a parameter */
    HW_E_UNSUPPORTED = -5,          /* the algorithm does not support this parameter or operation */
    HW_E_STATE = -6,                /* the state is not initialized, was wiped, or has another type */
    HW_E_ALIGN = -7,                /* a state is not aligned to HW_STATE_ALIGN */
    HW_E_OVERLAP = -8,              /* an output overlaps an input */
    HW_E_MISMATCH = -9,             /* the bytes differ, for example a wrong tag; deliberately gives no details */
    HW_E_PARAMS = -10,              /* the size field of the parameters is wrong; start from HW_PARAMS_INIT */
    HW_E_TEXT = -11,                /* a string is not valid UTF-8 */
    HW_E_KERNEL = -12,              /* no kernel has this name */
    HW_E_KERNEL_UNAVAILABLE = -13,  /* the kernel needs a CPU feature that this machine lacks */
    HW_E_KERNEL_FORCED = -14,       /* another kernel was already forced in this process */
    HW_E_MEMORY = -15,              /* out of memory; as after every error, nothing has changed */
    HW_E_RESEED = -16,              /* the reseed interval is used up: reseed the generator */
    HW_E_ENTROPY = -17,             /* the entropy source failed */
    HW_E_SELF_TEST = -18,           /* the generator's known-answer test failed; it produces no output */
    HW_E_PREDICTION_RESISTANCE = -19, /* the generator was created without prediction resistance */
    HW_E_CALLBACK = -20,            /* your HMAC callback failed; the generator is wiped */
    HW_E_EXHAUSTED = -21,           /* fewer bytes are left in the stream than requested; nothing was read */
    HW_E_SAVED = -22,               /* the bytes are not a valid saved state */
    HW_E_INTERNAL = -99             /* a bug in hashwell. Ignore the output and wipe the states
                                       involved; the program can continue */
};

/** Returns an English description of a result code, or "unknown code". */
const char *hw_strerror(int code);

/* ---------------------------------------------------------------- the registry */

/** The number of an algorithm; 0 means none. Numbers never change and are never reused. */
typedef uint32_t hw_algorithm;

enum {
    /* begin algorithms */
    HW_SHA1 = 1, /* FIPS 180-4 section 6.1 */
    HW_SHA224 = 2, /* FIPS 180-4 section 6.3 */
    HW_SHA256 = 3, /* FIPS 180-4 section 6.2 */
    HW_SHA384 = 4, /* FIPS 180-4 section 6.5 */
    HW_SHA512 = 5, /* FIPS 180-4 section 6.4 */
    HW_SHA512_224 = 6, /* FIPS 180-4 section 6.6 */
    HW_SHA512_256 = 7, /* FIPS 180-4 section 6.7 */
    HW_SM3 = 31, /* GB/T 32905-2016 */
    HW_SHA3_224 = 8, /* FIPS 202 section 6.1 */
    HW_SHA3_256 = 9, /* FIPS 202 section 6.1 */
    HW_SHA3_384 = 10, /* FIPS 202 section 6.1 */
    HW_SHA3_512 = 11, /* FIPS 202 section 6.1 */
    HW_SHAKE128 = 12, /* FIPS 202 section 6.2 */
    HW_SHAKE256 = 13, /* FIPS 202 section 6.2 */
    HW_CSHAKE128 = 14, /* SP 800-185 section 3 */
    HW_CSHAKE256 = 15, /* SP 800-185 section 3 */
    HW_TURBOSHAKE128 = 16, /* RFC 9861 section 2 */
    HW_TURBOSHAKE256 = 17, /* RFC 9861 section 2 */
    HW_KT128 = 18, /* RFC 9861 section 3 */
    HW_KT256 = 19, /* RFC 9861 section 3 */
    HW_BLAKE2B_256 = 20, /* RFC 7693 */
    HW_BLAKE2B_512 = 21, /* RFC 7693 */
    HW_BLAKE2BP_512 = 22, /* BLAKE2 paper section 2.10 */
    HW_BLAKE2S_256 = 23, /* RFC 7693 */
    HW_BLAKE2SP_256 = 32, /* BLAKE2 paper section 2.10 */
    HW_BLAKE3 = 24, /* BLAKE3 paper section 2 */
    HW_ASCON_HASH256 = 25, /* SP 800-232 section 5.1 */
    HW_ASCON_XOF128 = 26, /* SP 800-232 section 5.2 */
    HW_ASCON_CXOF128 = 27, /* SP 800-232 section 5.3 */
    HW_ASCON_XOF_V1_2 = 28, /* Ascon v1.2 section 2.5 */
    HW_ASCON_XOFA_V1_2 = 29, /* Ascon v1.2 section 2.5 */
    HW_RIPEMD160 = 33, /* RIPEMD-160, 1996, appendix A */
    HW_SHA256_90R = 30, /* docs/spec/sha256-90r.md */
    /* end algorithms */
    HW_NONE = 0
};

/** Returns the algorithm with this name or alias, for example "sha256", "SHA-256" or "k12"; 0 if there is none or if
    `name` is NULL. Case is ignored, and '_', '/' and '-' are equivalent. */
hw_algorithm hw_find(const char *name);

/** Returns the number of algorithms in the library. */
size_t hw_count(void);

/** Returns the algorithm at `index` (0 to hw_count() - 1) in the registry; 0 for a larger index. */
hw_algorithm hw_at(size_t index);

/** Return text about an algorithm: hw_name returns its canonical name, hw_title returns its name as spelled in the
    standard, and hw_source returns the standard and section that define it. All return NULL for an unknown number. */
const char *hw_name(hw_algorithm algorithm);
const char *hw_title(hw_algorithm algorithm);
const char *hw_source(hw_algorithm algorithm);

/** Returns the alias with this index (0, 1, ...), or NULL for a larger index. */
const char *hw_alias(hw_algorithm algorithm, size_t index);

/** Returns the block size in bytes (for a sponge, its rate); 0 for an unknown number. */
size_t hw_block_len(hw_algorithm algorithm);

/** Returns the digest size in bytes (for an extendable-output function, its default size); 0 for an unknown number. */
size_t hw_output_len(hw_algorithm algorithm);

enum {
    HW_FIXED = 1, /* digest of fixed length */
    HW_XOF = 2    /* extendable-output function: output of any length, see hw_xof_* */
};

/** Returns HW_FIXED, HW_XOF, or the error HW_E_ALGORITHM. */
int hw_kind(hw_algorithm algorithm);

enum {
    HW_SOUND = 1,       /* no published attack is better than a generic one */
    HW_LEGACY = 2,      /* superseded; use it only to check existing data */
    HW_BROKEN = 3,      /* practical collision attacks exist */
    HW_EXPERIMENTAL = 4 /* no public analysis */
};

/** Returns the security status of an algorithm: one of the constants above, or the error HW_E_ALGORITHM. */
int hw_status(hw_algorithm algorithm);

/** Returns 1 if HMAC is defined for the algorithm, 0 if not, or the error HW_E_ALGORITHM. */
int hw_has_hmac(hw_algorithm algorithm);

enum {
    HW_PARAM_OUTPUT_LEN = 0,
    HW_PARAM_KEY = 1,
    HW_PARAM_SALT = 2,
    HW_PARAM_PERSONAL = 3,
    HW_PARAM_CUSTOMIZATION = 4,
    HW_PARAM_FUNCTION_NAME = 5,
    HW_PARAM_DOMAIN = 6,
    HW_PARAM_CONTEXT = 7,
    HW_PARAM_FANOUT = 8,
    HW_PARAM_MAX_DEPTH = 9,
    HW_PARAM_LEAF_LEN = 10,
    HW_PARAM_NODE_OFFSET = 11,
    HW_PARAM_NODE_DEPTH = 12,
    HW_PARAM_INNER_LEN = 13,
    HW_PARAM_LAST_NODE = 14
};

/** Returns the name of parameter 0, 1, ..., or NULL for a larger index. The field in hw_params or hw_node has the
    same name. */
const char *hw_param_name(int parameter);

/** Stores the smallest and largest length in bytes that the algorithm accepts for a parameter. HW_PARAM_DOMAIN and the
    parameters from HW_PARAM_FANOUT on are numbers: for these, it stores the smallest and largest value.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if the algorithm does not have the parameter; HW_E_NULL. */
int hw_limits(hw_algorithm algorithm, int parameter, uint64_t *min, uint64_t *max);

/* ---------------------------------------------------------------- kernels */

/** A kernel: one implementation of an algorithm, for example with particular CPU instructions. */
typedef struct hw_kernel_info {
    const char *name; /* for example "sha-ni"; for hw_params.kernel and hw_force_kernel */
    int batch;        /* 1 if it hashes many messages at once */
    int available;    /* 1 if this CPU can run it */
    int chosen;       /* 1 if it is used by default */
} hw_kernel_info;

/** Stores a description of the kernel with this index (0, 1, ...). Kernels that hash many messages at once come last.

    The library measures which kernels are fastest on this CPU. It measures the kernels of an algorithm at their first
    use and in this function, with zeros as input. To skip the measurement, set the environment variable
    HASHWELL_CALIBRATE to "0" before the first call. All kernels compute the same results.
    Errors: HW_E_ALGORITHM; HW_E_RANGE if there is no kernel with this index; HW_E_NULL. */
int hw_kernel(hw_algorithm algorithm, size_t index, hw_kernel_info *out);

/** Forces a kernel for the rest of the process. Every algorithm that has a kernel with this name uses it; the other
    algorithms are not affected. If `name` is NULL, the name is taken from the environment variable HASHWELL_KERNEL; if
    that is not set, nothing happens. No other function reads this variable. Existing states keep their kernel, except
    that KangarooTwelve hashes its later leaves with the forced one. You can call it from any thread, and one call is
    enough.
    Errors: HW_E_KERNEL if no algorithm has such a kernel; HW_E_KERNEL_UNAVAILABLE if this CPU cannot run it;
    HW_E_KERNEL_FORCED if another kernel was forced before; HW_E_TEXT. */
int hw_force_kernel(const char *name);

/* ---------------------------------------------------------------- one message */

/** The position of a node in a BLAKE2 hash tree that you build yourself (BLAKE2 paper section 2.10). Start from
    HW_NODE_INIT, which means sequential hashing: a tree with a single node. */
typedef struct hw_node {
    uint64_t node_offset; /* index of the node in its level, from 0; BLAKE2s: below 2^48 */
    uint32_t leaf_len;    /* maximum message bytes in a leaf; 0: unlimited */
    uint8_t fanout;       /* maximum children of a node; 0: unlimited */
    uint8_t max_depth;    /* maximum levels of the tree, 1 to 255; 255: unlimited */
    uint8_t node_depth;   /* level of the node; 0: a leaf */
    uint8_t inner_len;    /* digest size of inner nodes in bytes, at most that of the algorithm */
    uint8_t last_node;    /* 1 if it is the last node of its level */
} hw_node;

#define HW_NODE_INIT \
    { 0, 0, 1, 1, 0, 0, 0 }

/** Parameters of a hash. Start from HW_PARAMS_INIT (no parameters) and set the fields that you need; NULL and 0 mean
    "not set". hw_limits returns the range of each parameter. After a call returns, the library keeps no pointers to
    this struct or to the data that it points to. */
typedef struct hw_params {
    size_t size;       /* sizeof(hw_params) */
    size_t output_len; /* BLAKE2: digest size in bytes; 0: the default */
    const void *key;   /* BLAKE2b: up to 64 bytes; BLAKE2s: up to 32 bytes; BLAKE3: 32 bytes */
    size_t key_len;
    const void *salt;  /* BLAKE2b: up to 16 bytes; BLAKE2s: up to 8 bytes; padded with zeros */
    size_t salt_len;
    const void *personal; /* BLAKE2: personalization, with the limits of the salt */
    size_t personal_len;
    const void *customization; /* cSHAKE's S, KangarooTwelve's C, Ascon-CXOF128's Z */
    size_t customization_len;
    const void *function_name; /* cSHAKE's N, which is reserved for functions defined by NIST */
    size_t function_name_len;
    const void *context; /* BLAKE3: derives a key with this context string (UTF-8); the message is the key material */
    size_t context_len;
    const char *kernel; /* name of the kernel to use instead of the fastest */
    int domain;         /* TurboSHAKE's D, 0x01 to 0x7f; 0: the default, 0x1f */
    const hw_node *node; /* BLAKE2b and BLAKE2s: position in a hash tree; NULL: sequential hashing */
} hw_params;

#define HW_PARAMS_INIT \
    { sizeof(hw_params), 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL }

/** Computes the digest of one message of `len` bytes. `out_len` must be hw_output_len(algorithm). For an
    extendable-output function it can be any length, and the first `out_len` bytes of output are written.
    The overhead per call is about ten nanoseconds.
    Errors: HW_E_ALGORITHM; HW_E_LENGTH if `out_len` is wrong; HW_E_NULL. */
int hw_hash(hw_algorithm algorithm, const void *data, size_t len, void *out, size_t out_len);

/** Computes the digest of one message with parameters. `params` can be NULL. If params->output_len is set, `out_len`
    must be equal to it.
    Errors: those of hw_hash; HW_E_PARAMS; HW_E_UNSUPPORTED if the algorithm does not have a parameter; HW_E_RANGE;
    HW_E_TEXT; HW_E_KERNEL; HW_E_KERNEL_UNAVAILABLE. */
int hw_hash_with(hw_algorithm algorithm, const hw_params *params, const void *data, size_t len, void *out,
                 size_t out_len);

/* ---------------------------------------------------------------- states */

#ifdef __cplusplus
#define HW_ALIGNAS(n) alignas(n)
#else
#define HW_ALIGNAS(n) _Alignas(n)
#endif

/** Alignment of every state in bytes. The functions hw_*_align return the same number. */
#define HW_STATE_ALIGN 16

/** Sizes of the states in bytes. The functions hw_*_size return the same numbers. Every state has room for the largest
    algorithm, and some bytes in reserve. */
#define HW_HASH_SIZE 3008
#define HW_XOF_SIZE 320
#define HW_HMAC_SIZE 3840
#define HW_KMAC_SIZE 512
#define HW_DRBG_SIZE 1152
#define HW_DRBG_CUSTOM_SIZE 384
#define HW_RANDOM_SIZE 2240

#define HW_DECLARE_STATE(type, bytes) \
    typedef struct type { HW_ALIGNAS(HW_STATE_ALIGN) unsigned char opaque[bytes]; } type

HW_DECLARE_STATE(hw_hash_state, HW_HASH_SIZE); /* hash in progress */
HW_DECLARE_STATE(hw_xof_state, HW_XOF_SIZE);   /* output stream */
HW_DECLARE_STATE(hw_hmac_state, HW_HMAC_SIZE); /* HMAC */
HW_DECLARE_STATE(hw_kmac_state, HW_KMAC_SIZE); /* KMAC */
HW_DECLARE_STATE(hw_drbg_state, HW_DRBG_SIZE); /* HMAC-DRBG from a seed */
HW_DECLARE_STATE(hw_drbg_custom_state, HW_DRBG_CUSTOM_SIZE); /* HMAC-DRBG with your own HMAC */
HW_DECLARE_STATE(hw_random_state, HW_RANDOM_SIZE);           /* HMAC-DRBG seeded by the operating system */

/* ---------------------------------------------------------------- a message in pieces */

/** Return the size and alignment in bytes of a hw_hash_state, for callers that allocate it without its C type. Each
    type of state has such a pair of functions. */
size_t hw_hash_size(void);
size_t hw_hash_align(void);

/** Maximum length in bytes of a customization string in a hw_hash_state of KT128 or KT256. hw_hash_with accepts longer
    ones. For other algorithms, only the limit from hw_limits applies. */
#define HW_MAX_KANGAROO_CUSTOMIZATION 256

/** Initializes a state to hash a message in pieces. `params` can be NULL; the state keeps no pointer to it.
    Errors: HW_E_ALIGN; HW_E_RANGE also if the customization is longer than HW_MAX_KANGAROO_CUSTOMIZATION; and those of
    hw_hash_with, but not HW_E_LENGTH. */
int hw_hash_init(hw_hash_state *state, hw_algorithm algorithm, const hw_params *params);

/** Allocates and initializes a state. Free it with hw_hash_free. On an error, `*out` is NULL.
    Errors: those of hw_hash_init; HW_E_MEMORY. */
int hw_hash_new(hw_hash_state **out, hw_algorithm algorithm, const hw_params *params);

/** Appends `len` bytes to the message. A message can have up to 2^64 - 1 bytes in total.
    Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hash_update(hw_hash_state *state, const void *data, size_t len);

/** Writes the digest of the message so far. The state does not change, so you can append more data. `out_len` must be
    hw_hash_output_len(state); for an extendable-output function it can be any length.
    Errors: HW_E_STATE, HW_E_ALIGN, HW_E_LENGTH, HW_E_NULL. */
int hw_hash_final(const hw_hash_state *state, void *out, size_t out_len);

/** Return properties of a state. hw_hash_output_len returns its digest size in bytes, hw_hash_algorithm returns its
    algorithm, and hw_hash_kernel returns the name of the kernel in use. For an invalid state, the results are 0 or
    NULL. */
size_t hw_hash_output_len(const hw_hash_state *state);
hw_algorithm hw_hash_algorithm(const hw_hash_state *state);
const char *hw_hash_kernel(const hw_hash_state *state);

/** A buffer of this many bytes is large enough for every state that hw_hash_export writes. */
#define HW_HASH_EXPORT_MAX 4096

/** Saves a hash in progress to the buffer `out` of `out_len` bytes and stores the number of bytes used in
    `*written`. The format does not depend on the language or platform; docs/spec/state.md specifies it. Protect the
    bytes like the message itself. Their checksum detects accidental corruption but not tampering.
    A state with parameters other than the output length and the kernel cannot be saved.
    Errors: HW_E_UNSUPPORTED if the state has such parameters or depends on a key; HW_E_LENGTH if the buffer is too
    small (HW_HASH_EXPORT_MAX is enough); HW_E_STATE; HW_E_ALIGN; HW_E_NULL; HW_E_MEMORY. */
int hw_hash_export(const hw_hash_state *state, void *out, size_t out_len, size_t *written);

/** Initializes a state from `len` bytes that were saved by hw_hash_export or by hashwell in another language. Then
    hw_hash_algorithm returns its algorithm, and hw_hash_message_len returns the position at which to continue the
    message.
    Errors: HW_E_SAVED if the bytes are not a valid saved state; HW_E_UNSUPPORTED or HW_E_RANGE if they contain
    parameters that the algorithm does not accept; HW_E_ALIGN; HW_E_NULL; HW_E_MEMORY. */
int hw_hash_import(hw_hash_state *state, const void *data, size_t len);

/** Save and load a hash with a key (BLAKE2 and BLAKE3). **The bytes contain the key**: store them only where you would
    store the key, encrypt them like the key, and overwrite the buffer after use. hw_hash_export and hw_hash_import
    reject such states, and these functions reject all others. A state with parameters other than the key, the output
    length and the kernel cannot be saved.
    Errors: those of hw_hash_export and hw_hash_import. */
int hw_hash_export_secret(const hw_hash_state *state, void *out, size_t out_len, size_t *written);
int hw_hash_import_secret(hw_hash_state *state, const void *data, size_t len);

/** Returns the number of message bytes so far; 0 for an invalid state. */
uint64_t hw_hash_message_len(const hw_hash_state *state);

/** Overwrites a state with zeros. It must be initialized again before its next use. Does nothing if `state` is NULL.
    The wipe functions of the other states do the same. */
void hw_hash_wipe(hw_hash_state *state);

/** Wipes and frees a state from hw_hash_new. Does nothing if `state` is NULL. The free functions of the other states do
    the same. */
void hw_hash_free(hw_hash_state *state);

/* ---------------------------------------------------------------- output streams */

/** Return the size and alignment of a hw_xof_state in bytes. */
size_t hw_xof_size(void);
size_t hw_xof_align(void);

/** Initializes the output stream of the message that `hash` has absorbed so far. `hash` does not change; data
    appended to it later does not affect the stream.
    Errors: HW_E_UNSUPPORTED if the algorithm is not an extendable-output function; HW_E_STATE; HW_E_ALIGN;
    HW_E_NULL. */
int hw_xof_init(hw_xof_state *state, const hw_hash_state *hash);

/** Allocates and initializes an output stream. Free it with hw_xof_free. On an error, `*out` is NULL.
    Errors: those of hw_xof_init; HW_E_MEMORY. */
int hw_xof_new(hw_xof_state **out, const hw_hash_state *hash);

/** Initializes the output stream of KMACXOF128 or KMACXOF256 (SP 800-185 section 4.3.1) for the message that `kmac` has
    absorbed so far. `kmac` does not change.
    Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_xof_init_kmac(hw_xof_state *state, const hw_kmac_state *kmac);

/** Writes the next `len` bytes of the stream. The bytes do not depend on how you divide them into reads. A stream has
    2^64 - 1 bytes; in practice you reach its end only with hw_xof_seek.
    Errors: HW_E_EXHAUSTED if fewer than `len` bytes are left; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_xof_read(hw_xof_state *state, void *out, size_t len);

/** Moves to a byte position, forward or backward, at a cost that does not depend on the position. UINT64_MAX is the
    end of the stream. Only BLAKE3 streams can seek.
    Errors: HW_E_UNSUPPORTED for other algorithms; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_xof_seek(hw_xof_state *state, uint64_t position);

/** Draws `count` uniform integers from 0 to `below` - 1 with the rejection sampling of ML-KEM and ML-DSA.

    The values, and the stream position afterwards, are those of the loops in FIPS 203 algorithm 7 (`below` is 3329)
    and FIPS 204 algorithms 30 and 31 (`below` is 8380417, 15 or 9). They are written to `out` as unsigned integers
    of `item_len` bytes (1, 2, 4 or 8) in the machine's byte order.
    Candidates have `bits` bits, 1 to 64; 0 means as many as `below` - 1 needs. If `bits` is an odd multiple of four,
    two candidates are packed into bits / 4 bytes, low bits first. Otherwise each candidate is a little-endian
    integer of ceil(bits / 8) bytes whose surplus high bits are cleared. Candidates that are not less than `below`
    are rejected. The execution time and the number of bytes read depend on the values drawn. They have no upper
    limit and are large if `below` is small compared with 2^bits.
    Errors: HW_E_RANGE if `below`, `bits` or `item_len` is invalid, or if `below` - 1 does not fit into `item_len`
    bytes; HW_E_EXHAUSTED, after which the stream is at its previous position and `out` contains zeros; HW_E_LENGTH;
    HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_xof_ml_rej_uniform(hw_xof_state *state, uint64_t below, uint32_t bits, void *out, size_t item_len, size_t count);

/** Stores the current position in the stream, in bytes. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_xof_tell(const hw_xof_state *state, uint64_t *position);

/** Overwrite a state. hw_xof_free also frees the memory from hw_xof_new. They do nothing if `state` is NULL. */
void hw_xof_wipe(hw_xof_state *state);
void hw_xof_free(hw_xof_state *state);

/* ---------------------------------------------------------------- many output streams in lockstep */

/** A set of output streams of one algorithm, one for each seed, which are read in parallel. It is an object (see the
    rules for *Objects* at the top of this header). */
typedef struct hw_streams_state hw_streams_state;

/** Creates the output streams of `count` seeds (messages of any length) with the same parameters; `params` can be
    NULL. The bytes of each stream are the same as those of hw_xof_read for its seed. The seeds are not used after the
    call. Free the streams with hw_streams_free. On an error, `*out` is NULL.
    SHAKE, cSHAKE, TurboSHAKE and Ascon compute several streams in parallel SIMD lanes. This speeds up the SHAKE128
    streams of ML-KEM and ML-DSA, for example. BLAKE3 and KangarooTwelve compute one stream after the other.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if the algorithm has no output stream or does not have a parameter;
    HW_E_PARAMS; HW_E_RANGE; HW_E_TEXT; HW_E_KERNEL; HW_E_KERNEL_UNAVAILABLE; HW_E_MEMORY; HW_E_NULL. */
int hw_streams_new(hw_streams_state **out, hw_algorithm algorithm, const hw_params *params, const void *const *seeds,
                   const size_t *lengths, size_t count);

/** Reads the next out_len / count bytes of each stream, where `count` is the number of streams. The bytes of the first
    stream are written first, followed by those of the second, and so on.
    Errors: HW_E_LENGTH if `out_len` is not a multiple of the number of streams; HW_E_EXHAUSTED past byte 2^64 - 1 of a
    stream; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_streams_read(hw_streams_state *state, void *out, size_t out_len);

/** Returns the number of streams; 0 for an invalid object. */
size_t hw_streams_count(const hw_streams_state *state);

/** Stores the number of bytes read so far from each stream. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_streams_tell(const hw_streams_state *state, uint64_t *position);

/** Overwrites and frees the streams. Does nothing if `state` is NULL. */
void hw_streams_free(hw_streams_state *state);

/* ---------------------------------------------------------------- many messages */

/** Computes the digests of `count` messages on one thread, in parallel SIMD lanes if the algorithm has a kernel for
    this. The digests are the same as those of hw_hash_with. `params` can be NULL.
    Digest i is written at out + i * d, where d is the digest size; `out_len` must be count * d. For an
    extendable-output function, d can be any length. The call temporarily allocates a state, and 16 bytes for each
    message (20 bytes if the lengths differ).
    Errors: those of hw_hash_with; HW_E_OVERLAP if `out` overlaps a message; HW_E_MEMORY. */
int hw_hash_many(hw_algorithm algorithm, const hw_params *params, const void *const *messages,
                 const size_t *lengths, size_t count, void *out, size_t out_len);

/** Computes many HMAC tags: of many messages with one key (`key_count` is 1), of one message with many keys (`count` is
    1), or of each message with its own key (`key_count` equals `count`). Tag i is written at tags + i *
    hw_output_len(algorithm); `tags_len` must be the total size of all tags in bytes.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_RANGE if `key_count` and
    `count` do not match; HW_E_LENGTH; HW_E_OVERLAP if `tags` overlaps a key or a message; HW_E_MEMORY; HW_E_NULL. */
int hw_hmac_many(hw_algorithm algorithm, const void *const *keys, const size_t *key_lengths, size_t key_count,
                 const void *const *messages, const size_t *lengths, size_t count, void *tags, size_t tags_len);

/* ---------------------------------------------------------------- HMAC (RFC 2104, FIPS 198-1) */

/** Computes the HMAC tag of one message. The key can have any length. `tag_len` is 1 to hw_output_len(algorithm); a
    shorter tag consists of the first bytes of the whole tag.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_LENGTH; HW_E_NULL. */
int hw_hmac(hw_algorithm algorithm, const void *key, size_t key_len, const void *data, size_t len, void *tag,
            size_t tag_len);

/** Return the size and alignment of a hw_hmac_state in bytes. */
size_t hw_hmac_size(void);
size_t hw_hmac_align(void);

/** Initializes HMAC with a key. The state contains the hash states after the two padded keys, so the key is not hashed
    again for the next message.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_ALIGN; HW_E_NULL. */
int hw_hmac_init(hw_hmac_state *state, hw_algorithm algorithm, const void *key, size_t key_len);

/** Allocates and initializes a state. Free it with hw_hmac_free. On an error, `*out` is NULL.
    Errors: those of hw_hmac_init; HW_E_MEMORY. */
int hw_hmac_new(hw_hmac_state **out, hw_algorithm algorithm, const void *key, size_t key_len);

/** Appends `len` bytes to the message. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_update(hw_hmac_state *state, const void *data, size_t len);

/** Writes the tag of the message so far. The state does not change, so you can append more data. `tag_len` is 1 to the
    digest size in bytes.
    Errors: HW_E_LENGTH, HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_final(const hw_hmac_state *state, void *tag, size_t tag_len);

/** Compares `tag` with the tag of the message so far. The time depends only on lengths, not on the bytes of the tags.
    `tag` must be the whole tag: a truncated or empty one is a mismatch. For a protocol with truncated tags, call
    hw_hmac_final and hw_compare instead.
    Errors: HW_E_MISMATCH if the tags differ; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_hmac_verify(const hw_hmac_state *state, const void *tag, size_t tag_len);

/** Save and load an HMAC in progress, like hw_hash_export and hw_hash_import. **The bytes are as secret as the key**:
    anyone who has them can compute tags. Store them only where you would store the key, encrypt them like the key, and
    overwrite the buffer after use.
    Errors: HW_E_LENGTH if the buffer is too small (HW_HASH_EXPORT_MAX is enough); HW_E_SAVED if the bytes are not the
    saved state of an HMAC; HW_E_STATE; HW_E_ALIGN; HW_E_NULL; HW_E_MEMORY. */
int hw_hmac_export_secret(const hw_hmac_state *state, void *out, size_t out_len, size_t *written);
int hw_hmac_import_secret(hw_hmac_state *state, const void *data, size_t len);

/** Starts a new message with the same key. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_reset(hw_hmac_state *state);

/** Overwrite a state. hw_hmac_free also frees the memory from hw_hmac_new. They do nothing if `state` is NULL. */
void hw_hmac_wipe(hw_hmac_state *state);
void hw_hmac_free(hw_hmac_state *state);

/* ---------------------------------------------------------------- KMAC (SP 800-185 section 4) */

/** Computes the KMAC tag of one message. `bits` is 128 or 256. Key, customization and tag can have any length. Every
    `tag_len` gives a different tag: a short tag is not the beginning of a longer one.
    Errors: HW_E_ALGORITHM if `bits` is not 128 or 256; HW_E_NULL. */
int hw_kmac(int bits, const void *key, size_t key_len, const void *customization, size_t customization_len,
            const void *data, size_t len, void *tag, size_t tag_len);

/** Return the size and alignment of a hw_kmac_state in bytes. */
size_t hw_kmac_size(void);
size_t hw_kmac_align(void);

/** Initializes KMAC with a key and a customization string. `bits` is 128 or 256.
    Errors: HW_E_ALGORITHM if `bits` is not 128 or 256; HW_E_ALIGN; HW_E_NULL. */
int hw_kmac_init(hw_kmac_state *state, int bits, const void *key, size_t key_len, const void *customization,
                 size_t customization_len);

/** Allocates and initializes a state. Free it with hw_kmac_free. On an error, `*out` is NULL.
    Errors: those of hw_kmac_init; HW_E_MEMORY. */
int hw_kmac_new(hw_kmac_state **out, int bits, const void *key, size_t key_len, const void *customization,
                size_t customization_len);

/** Appends `len` bytes to the message. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_update(hw_kmac_state *state, const void *data, size_t len);

/** Writes a tag of `tag_len` bytes (any length) of the message so far. The state does not change, so you can append
    more data. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_final(const hw_kmac_state *state, void *tag, size_t tag_len);

/** Compares `tag` with the tag of `tag_len` bytes of the message so far. The time depends only on lengths, not on the
    bytes of the tags.
    Errors: HW_E_MISMATCH if the tags differ or `tag_len` is 0; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_kmac_verify(const hw_kmac_state *state, const void *tag, size_t tag_len);

/** Save and load a KMAC in progress, like hw_hash_export and hw_hash_import. **The bytes are as secret as the key**:
    anyone who has them can compute tags. Store them only where you would store the key, encrypt them like the key, and
    overwrite the buffer after use.
    Errors: HW_E_LENGTH if the buffer is too small (HW_HASH_EXPORT_MAX is enough); HW_E_SAVED if the bytes are not the
    saved state of a KMAC; HW_E_STATE; HW_E_ALIGN; HW_E_NULL; HW_E_MEMORY. */
int hw_kmac_export_secret(const hw_kmac_state *state, void *out, size_t out_len, size_t *written);
int hw_kmac_import_secret(hw_kmac_state *state, const void *data, size_t len);

/** Starts a new message with the same key and customization. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_reset(hw_kmac_state *state);

/** Overwrite a state. hw_kmac_free also frees the memory from hw_kmac_new. They do nothing if `state` is NULL. */
void hw_kmac_wipe(hw_kmac_state *state);
void hw_kmac_free(hw_kmac_state *state);

/* ---------------------------------------------------------------- comparing */

/** Compares `len` bytes in time that depends only on `len`. Returns HW_OK if they are equal.
    Errors: HW_E_MISMATCH if they differ; HW_E_NULL. */
int hw_compare(const void *a, const void *b, size_t len);

/* ---------------------------------------------------------------- HKDF (RFC 5869) */

/** Derives `okm_len` bytes of output key material from the input key material `ikm`, for the use named by `info`.
    `okm_len` is at most 255 times the digest size. Salt and info can have any length, including 0.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_RANGE if `okm_len` is too
    large; HW_E_OVERLAP if `okm` overlaps `info`; HW_E_NULL. */
int hw_hkdf(hw_algorithm algorithm, const void *ikm, size_t ikm_len, const void *salt, size_t salt_len,
            const void *info, size_t info_len, void *okm, size_t okm_len);

/** Runs only the first step, HKDF-Extract. It writes a pseudorandom key to `prk`; `prk_len` must be
    hw_output_len(algorithm).
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_LENGTH; HW_E_NULL. */
int hw_hkdf_extract(hw_algorithm algorithm, const void *ikm, size_t ikm_len, const void *salt, size_t salt_len,
                    void *prk, size_t prk_len);

/** Runs only the second step, HKDF-Expand. `prk` must have at least hw_output_len(algorithm) bytes.
    Errors: those of hw_hkdf; HW_E_RANGE also if `prk_len` is too small; HW_E_OVERLAP also if `okm` overlaps `prk`. */
int hw_hkdf_expand(hw_algorithm algorithm, const void *prk, size_t prk_len, const void *info, size_t info_len,
                   void *okm, size_t okm_len);

/* ---------------------------------------------------------------- random bytes from the operating system */

/** Initialize or allocate an HMAC-DRBG (SP 800-90A Rev. 1) that the operating system seeds and reseeds. Use it for
    bytes that must be unpredictable, such as keys and nonces. Every request also mixes in fresh random bytes from
    the operating system, and after a fork the child's output differs from its parent's. Do not copy the state: the
    copy would return the same buffered bytes.
    `params` can be NULL. The default reseed_interval is 4096 requests. Free a state from hw_random_new with
    hw_random_free. If hw_random_new fails, `*out` is NULL.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_RANGE; HW_E_PARAMS;
    HW_E_TEXT; HW_E_KERNEL; HW_E_KERNEL_UNAVAILABLE; HW_E_ENTROPY; HW_E_SELF_TEST; HW_E_ALIGN; HW_E_NULL; HW_E_MEMORY
    (only hw_random_new). */
struct hw_drbg_params;
int hw_random_init(hw_random_state *state, hw_algorithm algorithm, const struct hw_drbg_params *params);
int hw_random_new(hw_random_state **out, hw_algorithm algorithm, const struct hw_drbg_params *params);

/** Return the size and alignment of a hw_random_state in bytes. */
size_t hw_random_size(void);
size_t hw_random_align(void);

/** Writes `len` random bytes; any length is allowed. If the generator fails, each byte of `out` is zero or unchanged.
    Errors: HW_E_ENTROPY, HW_E_SELF_TEST, HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_random_read(hw_random_state *state, void *out, size_t len);

/** Reseeds immediately, mixes in your additional input (at most 2^32 bytes), and discards buffered bytes.
    Errors: those of hw_random_read; HW_E_RANGE if `additional_len` is too large. */
int hw_random_reseed(hw_random_state *state, const void *additional, size_t additional_len);

/** Overwrite a state. hw_random_free also frees the memory from hw_random_new. They do nothing if `state` is NULL. */
void hw_random_wipe(hw_random_state *state);
void hw_random_free(hw_random_state *state);

/* ---------------------------------------------------------------- random streams by name */

/** A stream of random bytes. It is an object (see the rules for *Objects* at the top of this header). Numbers are read
    from the stream as big-endian bytes, so bytes and numbers of different sizes can be read in any order. The streams
    are the same as in Rust, in Python and in the command `hashwell random`; docs/guides/random.md defines them. */
typedef struct hw_source_state hw_source_state;

/** Returns the name of the random source with this index (0, 1, ...), or NULL for a larger index. The sources are
    "counter" (SHA-256 in counter mode), every extendable-output function, and "hmac-drbg-" followed by the name of a
    hash for which HMAC is defined. Functions that take the name of a source also accept aliases of
    these algorithms. */
const char *hw_source_at(size_t index);

/** Creates the stream of a seed. A seed gives the same stream on every machine, in every version, and after a fork.
    If the seed is public, so is the stream. The seed consists of bytes of any length and is never parsed as a
    number. Use a personalization to get independent streams from one seed. Free the stream with hw_source_free. On
    an error, `*out` is NULL.
    Errors: HW_E_ALGORITHM if there is no source with this name; HW_E_UNSUPPORTED if the algorithm is not a random
    source; HW_E_TEXT; HW_E_SELF_TEST; HW_E_MEMORY; HW_E_NULL. */
int hw_source_new(hw_source_state **out, const char *name, const void *seed, size_t seed_len,
                  const void *personalization, size_t personalization_len);

/** Creates an unpredictable stream that the operating system seeds. A forked child seeds its stream again. HMAC-DRBG
    also mixes in fresh bytes and reseeds itself, like hw_random_*.
    Errors: those of hw_source_new; HW_E_ENTROPY; HW_E_RANGE if a personalization for HMAC-DRBG has more than 2^32
    bytes. */
int hw_source_new_os(hw_source_state **out, const char *name, const void *personalization,
                     size_t personalization_len);

/** Creates a stream, at its beginning, from the key and the two numbers that hw_source_key returned. `key_len` must be
    32. Errors: those of hw_source_new; HW_E_LENGTH. */
int hw_source_new_key(hw_source_state **out, const char *name, const void *key, size_t key_len, uint64_t jumps,
                      uint64_t spawned);

/** Stores the values from which hw_source_new_key creates a seeded stream again: its key (32 bytes), the number of
    streams that were jumped over, and the number of children that were spawned. The key reveals the whole stream.
    Errors: HW_E_UNSUPPORTED if the stream was seeded by the operating system; HW_E_LENGTH if `key_len` is not 32;
    HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_source_key(const hw_source_state *state, void *key, size_t key_len, uint64_t *jumps, uint64_t *spawned);

/** Returns the name of the stream's random source; NULL for an invalid object. */
const char *hw_source_name(const hw_source_state *state);

/** Writes the next `len` bytes of the stream. If reading fails, `out` contains zeros.
    Errors: HW_E_EXHAUSTED past hw_source_end (nothing is read); HW_E_ENTROPY; HW_E_SELF_TEST; HW_E_STATE; HW_E_ALIGN;
    HW_E_NULL. */
int hw_source_read(hw_source_state *state, void *out, size_t len);

/** Read the next number. hw_source_next_u32 reads 4 bytes; hw_source_next_u64 reads 8 bytes. hw_source_next_double
    also reads a 64-bit integer n and stores (n >> 11) / 2^53, which is at least 0 and less than 1. If the generator
    fails, the number is 0. Errors: those of hw_source_read. */
int hw_source_next_u32(hw_source_state *state, uint32_t *number);
int hw_source_next_u64(hw_source_state *state, uint64_t *number);
int hw_source_next_double(hw_source_state *state, double *number);

/** hw_source_tell stores the number of bytes read so far. For a stream seeded by the operating system, they are counted
    from its creation or, in a forked child, from the fork. hw_source_end stores the length of the whole stream: 2^69
    bytes for "counter", 2^64 - 1 for an extendable-output function, 2^58 for a seeded HMAC-DRBG, and 2^128 - 1 for an
    HMAC-DRBG that reseeds itself. The number is high * 2^64 + low. `high` can be NULL if the upper half is 0.
    Errors: HW_E_RANGE if `high` is NULL but the upper half is not 0; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_source_tell(const hw_source_state *state, uint64_t *low, uint64_t *high);
int hw_source_end(const hw_source_state *state, uint64_t *low, uint64_t *high);

/** Returns 1 if the cost of hw_source_seek does not depend on the position ("counter" and "blake3"), 0 if not, or one
    of the errors HW_E_STATE, HW_E_ALIGN and HW_E_NULL. */
int hw_source_is_seekable(const hw_source_state *state);

/** Moves to byte high * 2^64 + low of the stream, forward or backward. "counter" and "blake3" jump there directly.
    Other sources compute all bytes in between; to move backward, they start again from the beginning.
    Errors: HW_E_EXHAUSTED past hw_source_end; HW_E_UNSUPPORTED if the stream was seeded by the operating system;
    HW_E_SELF_TEST; HW_E_MEMORY; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_source_seek(hw_source_state *state, uint64_t low, uint64_t high);

/** Creates a child stream that is independent of this stream and of its other children. The children are numbered 0, 1,
    ... in the order of the calls; how far the parent was read does not matter. The child of a stream seeded by the
    operating system is a new stream seeded by the operating system. Free the child with hw_source_free. On an error,
    `*child` is NULL.
    Errors: HW_E_RANGE after child 2^64 - 2; HW_E_ENTROPY; HW_E_SELF_TEST; HW_E_MEMORY; HW_E_STATE; HW_E_ALIGN;
    HW_E_NULL. */
int hw_source_spawn(hw_source_state *state, hw_source_state **child);

/** Creates another stream of the same key. The streams of a key are independent, and are numbered 0, 1, and so on. The
    number of the new stream is the number of this stream plus `jumps`. The new stream is at its beginning. Free it
    with hw_source_free. On an error, `*out` is NULL. Errors: those of hw_source_spawn; HW_E_RANGE past stream
    2^64 - 1. */
int hw_source_jumped(const hw_source_state *state, uint64_t jumps, hw_source_state **out);

/** Writes `len` bytes with which you can seed other generators. They are independent of the stream's output, and
    always the same for one stream. For a stream seeded by the operating system, they are fresh bytes from the
    operating system.
    Errors: HW_E_ENTROPY, after which `out` contains zeros; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_source_seed_others(const hw_source_state *state, void *out, size_t len);

/** Overwrites and frees a stream. Does nothing if `state` is NULL. */
void hw_source_free(hw_source_state *state);

/* ---------------------------------------------------------------- HMAC-DRBG from a seed */

/** Parameters of an HMAC-DRBG. Start from HW_DRBG_PARAMS_INIT; NULL and 0 select the defaults. */
typedef struct hw_drbg_params {
    size_t size;                 /* sizeof(hw_drbg_params) */
    const void *personalization; /* separates uses of one entropy source; need not be secret */
    size_t personalization_len;  /* in bytes, at most 2^32 */
    const char *kernel;          /* name of the kernel to use instead of the fastest */
    uint64_t reseed_interval;    /* maximum requests between two reseeds, 1 to 2^48; 0: 2^48 */
    uint32_t strength;           /* security strength in bits, rounded up to 112, 128, 192 or 256; 0: that of the
                                    hash, which is 128 (SHA-1), 192 (224-bit digests) or 256 */
    uint32_t prediction_resistance; /* 1: requests may ask for prediction resistance */
} hw_drbg_params;

#define HW_DRBG_PARAMS_INIT { sizeof(hw_drbg_params), NULL, 0, NULL, 0, 0, 0 }

/** A callback that provides entropy. It writes `len` bytes of full entropy that were never used before. It returns 0
    on success and any other number on failure. If you pass NULL instead of a callback, the operating system's
    generator is used. The callback must not throw exceptions or leave with longjmp. */
typedef int (*hw_entropy_function)(void *context, void *out, size_t len);

/** Return the size and alignment of a hw_drbg_state in bytes. */
size_t hw_drbg_size(void);
size_t hw_drbg_align(void);

/** Initializes an HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2). `entropy` must have at least as many bits as the
    security strength, and `nonce` at least half as many; each has at most 2^32 bytes. The same inputs give the same
    output, also in a forked child. The first generator that a process creates with a hash runs the known-answer test
    for this hash.
    Errors: HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm; HW_E_RANGE if a length or the
    strength is out of range; HW_E_PARAMS; HW_E_TEXT; HW_E_KERNEL; HW_E_KERNEL_UNAVAILABLE; HW_E_SELF_TEST;
    HW_E_ALIGN; HW_E_NULL. */
int hw_drbg_init(hw_drbg_state *state, hw_algorithm algorithm, const void *entropy, size_t entropy_len,
                 const void *nonce, size_t nonce_len, const hw_drbg_params *params);

/** Allocates and initializes a generator. Free it with hw_drbg_free. On an error, `*out` is NULL.
    Errors: those of hw_drbg_init; HW_E_MEMORY. */
int hw_drbg_new(hw_drbg_state **out, hw_algorithm algorithm, const void *entropy, size_t entropy_len,
                const void *nonce, size_t nonce_len, const hw_drbg_params *params);

/** Initializes a generator from entropy and a nonce of any length, including 0. Use it only for test vectors and
    public seeds. THE OUTPUT IS NOT GUARANTEED TO BE UNPREDICTABLE. Later reseeds also accept any length.
    Errors: those of hw_drbg_init. */
int hw_drbg_init_unchecked(hw_drbg_state *state, hw_algorithm algorithm, const void *entropy, size_t entropy_len,
                           const void *nonce, size_t nonce_len, const hw_drbg_params *params);

/** Initializes a generator with entropy and a nonce from a callback, or from the operating system if `source` is NULL.
    `context` is passed to the callback. Errors: those of hw_drbg_init; HW_E_ENTROPY. */
int hw_drbg_init_from(hw_drbg_state *state, hw_algorithm algorithm, hw_entropy_function source, void *context,
                      const hw_drbg_params *params);

/** Reseeds the generator with fresh entropy, which must have at least as many bits as the security strength, and
    optional additional input. Errors: HW_E_RANGE if a length is out of range; HW_E_SELF_TEST; HW_E_STATE;
    HW_E_ALIGN; HW_E_NULL. */
int hw_drbg_reseed(hw_drbg_state *state, const void *entropy, size_t entropy_len, const void *additional,
                   size_t additional_len);

/** Makes one request for `len` bytes, 0 to 65,536, with optional additional input. The output depends on how it is
    divided into requests. A request of 0 bytes also changes the output that follows.
    Errors: HW_E_RANGE if `len` or `additional_len` is too large; HW_E_RESEED; HW_E_OVERLAP if `out` overlaps
    `additional`; HW_E_SELF_TEST; HW_E_STATE; HW_E_ALIGN; HW_E_NULL. */
int hw_drbg_generate(hw_drbg_state *state, void *out, size_t len, const void *additional, size_t additional_len);

/** Writes any number of bytes. It makes requests of 65,536 bytes and one for the rest, each with the additional input.
    Errors: those of hw_drbg_generate. HW_E_RESEED is returned before anything is written. */
int hw_drbg_fill(hw_drbg_state *state, void *out, size_t len, const void *additional, size_t additional_len);

/** Writes any number of bytes like hw_drbg_fill, and reseeds from `source` when necessary: at the end of the reseed
    interval or, if `prediction_resistance` is not 0, before each request.
    Errors: HW_E_PREDICTION_RESISTANCE; HW_E_ENTROPY, after which any bytes already written to `out` are zeros; and
    those of hw_drbg_fill, but not HW_E_RESEED. */
int hw_drbg_generate_from(hw_drbg_state *state, hw_entropy_function source, void *context, int prediction_resistance,
                          void *out, size_t len, const void *additional, size_t additional_len);

/** hw_drbg_requests_left returns the number of requests before the next reseed is necessary, and hw_drbg_strength
    returns the security strength in bits. Both return 0 for an invalid state. */
uint64_t hw_drbg_requests_left(const hw_drbg_state *state);
uint32_t hw_drbg_strength(const hw_drbg_state *state);

/** Runs the known-answer test of HMAC-DRBG over this hash. After a failure, no generator over this hash produces
    output.
    Errors: HW_E_SELF_TEST; HW_E_ALGORITHM; HW_E_UNSUPPORTED if HMAC is not defined for the algorithm. */
int hw_drbg_self_test(hw_algorithm algorithm);

/** Overwrite a state. hw_drbg_free also frees the memory from hw_drbg_new. They do nothing if `state` is NULL. */
void hw_drbg_wipe(hw_drbg_state *state);
void hw_drbg_free(hw_drbg_state *state);

/* ---------------------------------------------------------------- HMAC-DRBG over your own HMAC */

/** A callback that computes HMAC. It writes the tag of one message to `tag`. The message consists of `count` pieces
    (at most 5) in order. The key and the tag each have `output_len` bytes (see hw_drbg_custom_init). The callback
    returns 0 on success and any other number on failure. If it fails, the generator is wiped, and the function that
    called it returns HW_E_CALLBACK and fills its output with zeros. The callback must not throw exceptions, leave with
    longjmp, or use the generator's state. */
typedef int (*hw_hmac_function)(void *context, const void *key, size_t key_len, const void *const *pieces,
                                const size_t *lengths, size_t count, void *tag);

/** Return the size and alignment of a hw_drbg_custom_state in bytes. */
size_t hw_drbg_custom_size(void);
size_t hw_drbg_custom_align(void);

/** These functions work like the hw_drbg_* functions above, but compute HMAC with `function`, whose tags have
    `output_len` bytes (20 to 64). The state stores `function` and `context`, which must stay valid while you use the
    state. There is no known-answer test, and params->kernel is ignored. The generator is slower than hw_drbg_*,
    because the key is prepared again for every tag.
    Errors: those of the corresponding hw_drbg_* function; HW_E_CALLBACK. */
int hw_drbg_custom_init(hw_drbg_custom_state *state, size_t output_len, hw_hmac_function function, void *context,
                        const void *entropy, size_t entropy_len, const void *nonce, size_t nonce_len,
                        const hw_drbg_params *params);
int hw_drbg_custom_new(hw_drbg_custom_state **out, size_t output_len, hw_hmac_function function, void *context,
                       const void *entropy, size_t entropy_len, const void *nonce, size_t nonce_len,
                       const hw_drbg_params *params);
int hw_drbg_custom_init_unchecked(hw_drbg_custom_state *state, size_t output_len, hw_hmac_function function,
                                  void *context, const void *entropy, size_t entropy_len, const void *nonce,
                                  size_t nonce_len, const hw_drbg_params *params);
int hw_drbg_custom_reseed(hw_drbg_custom_state *state, const void *entropy, size_t entropy_len,
                          const void *additional, size_t additional_len);
int hw_drbg_custom_generate(hw_drbg_custom_state *state, void *out, size_t len, const void *additional,
                            size_t additional_len);
int hw_drbg_custom_fill(hw_drbg_custom_state *state, void *out, size_t len, const void *additional,
                        size_t additional_len);
uint64_t hw_drbg_custom_requests_left(const hw_drbg_custom_state *state);
uint32_t hw_drbg_custom_strength(const hw_drbg_custom_state *state);

/** Overwrite a state. hw_drbg_custom_free also frees the memory that hw_drbg_custom_new allocated. They do nothing if
    `state` is NULL. */
void hw_drbg_custom_wipe(hw_drbg_custom_state *state);
void hw_drbg_custom_free(hw_drbg_custom_state *state);

#ifdef __cplusplus
}
#endif
#endif
