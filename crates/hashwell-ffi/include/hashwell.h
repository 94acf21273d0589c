/*
 * hashwell: digests, output streams, tags and keys behind one registry.
 *
 * This header is the manual. Link with what `pkg-config --cflags --libs hashwell` prints.
 *
 *     uint8_t digest[32];
 *     if (hw_hash(HW_SHA256, "abc", 3, digest, sizeof digest) != HW_OK) { ... }
 *
 *     hw_hash_state h;                                  // on the stack, no heap
 *     hw_hash_init(&h, HW_SHAKE128, NULL);
 *     hw_hash_update(&h, "seed", 4);
 *     hw_xof_state x;                                   // the stream of what was absorbed
 *     hw_xof_init(&x, &h);
 *     hw_xof_read(&x, first, sizeof first);
 *     hw_xof_read(&x, next, sizeof next);
 *
 * What holds for every function, unless it says otherwise:
 *
 * Results.    HW_OK (0), or a negative HW_E_* code, for which hw_strerror has words. On an error nothing was
 *             written and no state has changed. Nothing calls abort() or exit(), but where the system refuses memory to
 *             a customisation of KT128 or KT256 (in hw_hash_with one of more than 256 bytes, in hw_hash_many and
 *             hw_streams_new any), or to the value of the environment variable HASHWELL_KERNEL (hw_force_kernel(NULL))
 *             or HASHWELL_CALIBRATE (where the first kernel is chosen).
 * Memory.     Functions that say HW_E_MEMORY use the heap: hw_hash_many, hw_hmac_many, those of names *_new, hw_source_*
 *             and hw_streams_*, hw_hash_export and hw_hash_import. So does hw_hash_with for such a customisation; no other
 *             function does.
 * Lengths     are in bytes, positions too. A pointer may be NULL if its length is 0, and is HW_E_NULL if not.
 * Data        may be read and written at any address, aligned or not.
 * Overlap.    An output may be the same memory as an input or overlap it, except where HW_E_OVERLAP is listed.
 *             A state overlaps nothing.
 * States      are plain data of fixed size in memory of the caller's: on the stack, inside a struct, or in memory
 *             of another language. They hold no heap and no pointer into themselves. Assigning or memcpy clones
 *             one at any time, moving it is allowed, and forgetting it leaks nothing. To start again with the same
 *             parameters, keep a copy of the fresh state. A state is of use in the process that made it (and in
 *             its forks), not in a file: hw_hash_export writes one for that. Memory needs HW_STATE_ALIGN (HW_E_ALIGN otherwise). A state that was
 *             never initialised or was wiped, or one of another kind, is refused with HW_E_STATE; what is behind
 *             its first eight bytes is trusted. States made from secrets are to be wiped by hw_*_wipe when no
 *             longer needed; hw_*_free wipes by itself.
 * Objects     are what holds heap: hw_source_state and hw_streams_state. They are known by their address only, made by
 *             *_new and dropped by *_free, which overwrites them. They cannot be copied; the rest is as for states.
 * Threads.    A function uses its arguments, and what the process knows once: which kernels are fast, whether self-tests
 *             passed, and the names that it has handed out. No thread is started.
 *             Different states are used by different threads as they like; one state by one thread at a time, or
 *             by many that only call functions that take it as const.
 * Time        depends on lengths, never on the bytes of keys, messages and tags, as far as the compiled code was
 *             checked. Side channels other than timing were not considered.
 * Strings     that are returned live as long as the program; nobody frees them.
 * C++         gets the same functions; none of them throws.
 */
#ifndef HASHWELL_H
#define HASHWELL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- versions and results */

/** The interface that this header describes. Programs compiled against it run with every library of the same. */
#define HW_ABI_VERSION 0

/** The interface of the library that is loaded: HW_ABI_VERSION, or the header is not its own. */
uint32_t hw_abi_version(void);

/** The version of the library, as "0.1.0". */
const char *hw_version(void);

enum {
    HW_OK = 0,
    HW_E_NULL = -1,                 /* a pointer is NULL where memory is needed */
    HW_E_ALGORITHM = -2,            /* no algorithm has this number */
    HW_E_LENGTH = -3,               /* a buffer has not the length of the result */
    HW_E_RANGE = -4,                /* a parameter is outside its range: hw_limits has it */
    HW_E_UNSUPPORTED = -5,          /* the algorithm has no such parameter or operation */
    HW_E_STATE = -6,                /* the state is not initialised, was wiped, or is of another kind */
    HW_E_ALIGN = -7,                /* a state is not aligned to HW_STATE_ALIGN */
    HW_E_OVERLAP = -8,              /* an output overlaps an input */
    HW_E_MISMATCH = -9,             /* the bytes differ: the tag is wrong. Says no more, on purpose */
    HW_E_PARAMS = -10,              /* hw_params.size is not this library's: begin with HW_PARAMS_INIT */
    HW_E_TEXT = -11,                /* text is not UTF-8 */
    HW_E_KERNEL = -12,              /* no kernel has this name */
    HW_E_KERNEL_UNAVAILABLE = -13,  /* the kernel needs a CPU feature that this machine lacks */
    HW_E_KERNEL_FORCED = -14,       /* the kernel is already fixed to another one for this process */
    HW_E_MEMORY = -15,              /* no memory; as every error, it leaves things as they were */
    HW_E_RESEED = -16,              /* the generator has served its requests and has to be reseeded */
    HW_E_ENTROPY = -17,             /* the source of entropy failed */
    HW_E_SELF_TEST = -18,           /* the generator's known-answer test failed: it gives no output any more */
    HW_E_PREDICTION_RESISTANCE = -19, /* the generator was made without prediction resistance */
    HW_E_CALLBACK = -20,            /* the caller's own HMAC failed: the generator is wiped */
    HW_E_EXHAUSTED = -21,           /* the stream ends before so many bytes: nothing was read */
    HW_E_SAVED = -22,               /* the bytes are not a saved state, or one that no message leads to */
    HW_E_INTERNAL = -99             /* a bug in hashwell: what was written is of no use, the states involved
                                       are to be wiped; the program may go on */
};

/** The code in words, in English; "unknown code" for others. */
const char *hw_strerror(int code);

/* ---------------------------------------------------------------- the registry */

/** The number of an algorithm. 0 is none. Numbers never change and are never given again. */
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

/** The algorithm of this name or alias, as "sha256", "SHA-256" or "k12"; 0 if there is none. Case does not matter,
    and '_', '/' and '-' are the same. */
hw_algorithm hw_find(const char *name);

/** How many algorithms the library has. */
size_t hw_count(void);

/** The algorithm at this place of the registry, 0 to hw_count() - 1; 0 beyond. */
hw_algorithm hw_at(size_t index);

/** Canonical name, the standard's spelling, standard and section; NULL for an unknown number. */
const char *hw_name(hw_algorithm algorithm);
const char *hw_title(hw_algorithm algorithm);
const char *hw_source(hw_algorithm algorithm);

/** Another accepted name, for index 0, 1, ...; NULL when there are no more. */
const char *hw_alias(hw_algorithm algorithm, size_t index);

/** Block of a digest, rate of a sponge; 0 for an unknown number. */
size_t hw_block_len(hw_algorithm algorithm);

/** Length of the digest; for an extendable-output function, of the default output. 0 for an unknown number. */
size_t hw_output_len(hw_algorithm algorithm);

enum {
    HW_FIXED = 1, /* a digest of fixed length */
    HW_XOF = 2    /* an extendable-output function: output of any length, hw_xof_* */
};

/** HW_FIXED or HW_XOF, or HW_E_ALGORITHM. */
int hw_kind(hw_algorithm algorithm);

enum {
    HW_SOUND = 1,       /* no attack better than the generic ones is published */
    HW_LEGACY = 2,      /* superseded; kept to read old data */
    HW_BROKEN = 3,      /* practical collisions exist */
    HW_EXPERIMENTAL = 4 /* no public analysis */
};

/** What is known of its security: one of the above, or HW_E_ALGORITHM. */
int hw_status(hw_algorithm algorithm);

/** 1 if HMAC is defined over it, 0 if not, or HW_E_ALGORITHM. */
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

/** The name of a parameter, which is its field's in hw_params or hw_node, for number 0, 1, ...; NULL beyond. */
const char *hw_param_name(int parameter);

/** The smallest and largest length that the algorithm accepts for a parameter (value, for HW_PARAM_DOMAIN and
    from HW_PARAM_FANOUT on).
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (it has no such parameter), HW_E_NULL. */
int hw_limits(hw_algorithm algorithm, int parameter, uint64_t *min, uint64_t *max);

/* ---------------------------------------------------------------- kernels */

/** One way to compute an algorithm. */
typedef struct hw_kernel_info {
    const char *name; /* as "sha-ni"; hw_params.kernel and hw_force_kernel take it */
    int batch;        /* 1 if it is for many messages at once */
    int available;    /* 1 if this CPU can run it */
    int chosen;       /* 1 if it is used when nobody asks for another */
} hw_kernel_info;

/** The kernels of an algorithm, those for many messages last, for index 0, 1, ... Which are the fastest on this CPU is
    measured where the first state needs it (under a millisecond in all, on zeros), or where this is first called,
    unless the environment variable HASHWELL_CALIBRATE is "0" by then; no result depends on it.
    Errors: HW_E_ALGORITHM, HW_E_RANGE (there are no more), HW_E_NULL. */
int hw_kernel(hw_algorithm algorithm, size_t index, hw_kernel_info *out);

/** Fixes the kernel for the rest of the process: every algorithm that has one of this name uses it, the others keep
    their own choice. NULL takes the name from the environment variable HASHWELL_KERNEL, if there is one; no other
    function looks at it. States made before keep their kernel (the leaves of KangarooTwelve that come later do not).
    Any thread may call it, once is enough.
    Errors: HW_E_KERNEL, HW_E_KERNEL_UNAVAILABLE, HW_E_KERNEL_FORCED, HW_E_TEXT. */
int hw_force_kernel(const char *name);

/* ---------------------------------------------------------------- one message */

/** A node's place in a tree of BLAKE2 hashes, which the caller builds (BLAKE2 paper section 2.10). Begin with
    HW_NODE_INIT, which is plain hashing: the one node of a tree of depth 1. */
typedef struct hw_node {
    uint64_t node_offset; /* number of the node in its level, from 0; BLAKE2s: below 2^48 */
    uint32_t leaf_len;    /* most bytes of message in a leaf, 0 for no limit */
    uint8_t fanout;       /* most children of a node, 0 for no limit */
    uint8_t max_depth;    /* levels of the tree, 1 to 255; 255 also for no limit */
    uint8_t node_depth;   /* level of the node, 0 for leaves */
    uint8_t inner_len;    /* bytes of the digests of inner nodes, at most what the function gives */
    uint8_t last_node;    /* 1 if it is the last of its level */
} hw_node;

#define HW_NODE_INIT \
    { 0, 0, 1, 1, 0, 0, 0 }

/** Inputs besides the message. Begin with HW_PARAMS_INIT, which is plain hashing, and set what is needed.
    hw_limits has the range of each; what is not given is NULL and 0. */
typedef struct hw_params {
    size_t size;       /* sizeof(hw_params) */
    size_t output_len; /* digest length where the algorithm lets the caller choose (BLAKE2); 0 is the default */
    const void *key;   /* BLAKE2: up to 64 or 32 bytes; BLAKE3: 32 bytes */
    size_t key_len;
    const void *salt;  /* BLAKE2: filled with zeros to 16 or 8 bytes */
    size_t salt_len;
    const void *personal; /* BLAKE2, as the salt */
    size_t personal_len;
    const void *customization; /* cSHAKE's S, KangarooTwelve's C, Ascon-CXOF128's Z */
    size_t customization_len;
    const void *function_name; /* cSHAKE's N, which NIST reserves for functions that it defines */
    size_t function_name_len;
    const void *context; /* BLAKE3 key derivation: the context, UTF-8; the message is the key material */
    size_t context_len;
    const char *kernel; /* name of a kernel in place of the fastest */
    int domain;         /* TurboSHAKE's D, 0x01 to 0x7f; 0 is the default, 0x1f */
    const hw_node *node; /* BLAKE2b and BLAKE2s: the node of a tree that this is; NULL is plain hashing */
} hw_params;

#define HW_PARAMS_INIT \
    { sizeof(hw_params), 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL }

/** The digest of one message. `out_len` is hw_output_len(algorithm); for an extendable-output function any length,
    the first so many bytes of output.
    Cost: the hashing, and some ten nanoseconds. Errors: HW_E_ALGORITHM, HW_E_LENGTH, HW_E_NULL. */
int hw_hash(hw_algorithm algorithm, const void *data, size_t len, void *out, size_t out_len);

/** The same with parameters; NULL is none. With params->output_len, that is `out_len`.
    Errors: as hw_hash, HW_E_PARAMS, HW_E_UNSUPPORTED, HW_E_RANGE, HW_E_TEXT, HW_E_KERNEL,
    HW_E_KERNEL_UNAVAILABLE. */
int hw_hash_with(hw_algorithm algorithm, const hw_params *params, const void *data, size_t len, void *out,
                 size_t out_len);

/* ---------------------------------------------------------------- states */

#ifdef __cplusplus
#define HW_ALIGNAS(n) alignas(n)
#else
#define HW_ALIGNAS(n) _Alignas(n)
#endif

/** Alignment of every state, and what hw_*_align() return. */
#define HW_STATE_ALIGN 16

/** Sizes of the states, and what hw_*_size() return: those of the largest algorithm (BLAKE3), with some room. */
#define HW_HASH_SIZE 2944
#define HW_XOF_SIZE 320
#define HW_HMAC_SIZE 3840
#define HW_KMAC_SIZE 512
#define HW_DRBG_SIZE 1152
#define HW_DRBG_CUSTOM_SIZE 384
#define HW_RANDOM_SIZE 2240

#define HW_DECLARE_STATE(type, bytes) \
    typedef struct type { HW_ALIGNAS(HW_STATE_ALIGN) unsigned char opaque[bytes]; } type

HW_DECLARE_STATE(hw_hash_state, HW_HASH_SIZE); /* a hash that absorbs */
HW_DECLARE_STATE(hw_xof_state, HW_XOF_SIZE);   /* an output stream */
HW_DECLARE_STATE(hw_hmac_state, HW_HMAC_SIZE); /* HMAC */
HW_DECLARE_STATE(hw_kmac_state, HW_KMAC_SIZE); /* KMAC */
HW_DECLARE_STATE(hw_drbg_state, HW_DRBG_SIZE); /* HMAC-DRBG from a seed */
HW_DECLARE_STATE(hw_drbg_custom_state, HW_DRBG_CUSTOM_SIZE); /* the same over an HMAC of the caller's */
HW_DECLARE_STATE(hw_random_state, HW_RANDOM_SIZE);           /* HMAC-DRBG that the operating system seeds */

/* ---------------------------------------------------------------- a message in pieces */

/** Bytes and alignment that a state needs, for those who bring their own memory. */
size_t hw_hash_size(void);
size_t hw_hash_align(void);

/** Longest customisation that a state of KT128 or KT256 holds; hw_hash_with takes any. Other algorithms have no limit
    but that of hw_limits. */
#define HW_MAX_KANGAROO_CUSTOMIZATION 256

/** Begins a message. `params` may be NULL, and nothing of it is kept.
    Errors: as hw_hash_with but HW_E_LENGTH, HW_E_ALIGN, and HW_E_RANGE for a customisation that is too long. */
int hw_hash_init(hw_hash_state *state, hw_algorithm algorithm, const hw_params *params);

/** The same on the heap, to be freed by hw_hash_free. `*out` is NULL on errors: as hw_hash_init, HW_E_MEMORY. */
int hw_hash_new(hw_hash_state **out, hw_algorithm algorithm, const hw_params *params);

/** Appends to the message, in pieces of any length: up to 2^64 - 1 bytes in all.
    Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hash_update(hw_hash_state *state, const void *data, size_t len);

/** Writes the digest of the message so far. More may follow. `out_len` as for hw_hash.
    Errors: HW_E_STATE, HW_E_ALIGN, HW_E_LENGTH, HW_E_NULL. */
int hw_hash_final(const hw_hash_state *state, void *out, size_t out_len);

/** Length of the digest: the one asked for, or the algorithm's; the algorithm; the name of the kernel in use.
    0, 0 and NULL if it is no state. */
size_t hw_hash_output_len(const hw_hash_state *state);
hw_algorithm hw_hash_algorithm(const hw_hash_state *state);
const char *hw_hash_kernel(const hw_hash_state *state);

/** Enough bytes for every state that hw_hash_export writes. */
#define HW_HASH_EXPORT_MAX 4096

/** Saves a hash in progress as bytes: `*written` of the `out_len` bytes at `out`. Any language and platform can load them;
    docs/spec/state.md specifies them. They are as secret as the message. The check value in them detects accidents, not
    attacks. A state with other parameters than the output length is not saved: it does not hold them.
    Errors: HW_E_UNSUPPORTED (it has parameters, or depends on a key), HW_E_LENGTH (HW_HASH_EXPORT_MAX bytes are enough),
    HW_E_STATE, HW_E_ALIGN, HW_E_NULL, HW_E_MEMORY. */
int hw_hash_export(const hw_hash_state *state, void *out, size_t out_len, size_t *written);

/** Loads the hash in progress that hw_hash_export, or another language, saved as these bytes. hw_hash_algorithm tells its
    algorithm, and hw_hash_message_len where its message goes on.
    Errors: HW_E_SAVED, HW_E_UNSUPPORTED and HW_E_RANGE (parameters in it), HW_E_ALIGN, HW_E_NULL, HW_E_MEMORY. */
int hw_hash_import(hw_hash_state *state, const void *data, size_t len);

/** Bytes of the message so far; 0 if it is no state. */
uint64_t hw_hash_message_len(const hw_hash_state *state);

/** Overwrites all bytes of a state, which is none after that. NULL is nothing. */
void hw_hash_wipe(hw_hash_state *state);

/** Wipes a state from hw_hash_new and frees it. NULL is nothing. */
void hw_hash_free(hw_hash_state *state);

/* ---------------------------------------------------------------- output streams */

size_t hw_xof_size(void);
size_t hw_xof_align(void);

/** The output stream of the message that `hash` has absorbed so far; `hash` stays as it is, and its message may go
    on without effect on the stream. Errors: HW_E_UNSUPPORTED (not an extendable-output function), HW_E_STATE,
    HW_E_ALIGN, HW_E_NULL. */
int hw_xof_init(hw_xof_state *state, const hw_hash_state *hash);

/** The same on the heap, to be freed by hw_xof_free. `*out` is NULL on errors: as hw_xof_init, HW_E_MEMORY. */
int hw_xof_new(hw_xof_state **out, const hw_hash_state *hash);

/** KMACXOF128 or KMACXOF256 (SP 800-185 section 4.3.1): the stream of the message that `kmac` has absorbed so far.
    Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_xof_init_kmac(hw_xof_state *state, const hw_kmac_state *kmac);

/** Writes the next `len` bytes. Any cutting of the reads gives the same bytes. A stream has 2^64 - 1 of them, near
    which only hw_xof_seek gets anyone. Errors: HW_E_EXHAUSTED past that (nothing is written), HW_E_STATE, HW_E_ALIGN,
    HW_E_NULL. */
int hw_xof_read(hw_xof_state *state, void *out, size_t len);

/** Goes to a position, forward or back, at constant cost; UINT64_MAX is the end. Errors: HW_E_UNSUPPORTED (only BLAKE3's stream can),
    HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_xof_seek(hw_xof_state *state, uint64_t position);

/** Draws `count` integers, uniform in 0 to `below` - 1, by the rejection sampling of ML-KEM (FIPS 203 algorithm 7: below
    3329) and ML-DSA (FIPS 204 algorithms 30 and 31: below 8380417, 15 or 9), and leaves the stream exactly where their
    loops leave it. Writes them to `out` as unsigned integers of `item_len` bytes (1, 2, 4 or 8) in the machine's order.
    Candidates are `bits` wide, 1 to 64; 0 is as wide as `below` - 1. If `bits` is an odd multiple of four, two
    candidates share bits / 4 bytes, low bits first; else each takes ceil(bits / 8) bytes, little-endian, without the
    surplus high bits. Those that are not below `below` are rejected.
    Cost: time and bytes read depend on the values drawn, and are without limit where `below` is small for `bits`.
    Errors: HW_E_RANGE (below, bits, item_len, or below - 1 does not fit the items), HW_E_EXHAUSTED (the stream is where
    it was, `out` holds zeros), HW_E_LENGTH, HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_xof_ml_rej_uniform(hw_xof_state *state, uint64_t below, uint32_t bits, void *out, size_t item_len, size_t count);

/** The number of bytes read so far, or the position sought. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_xof_tell(const hw_xof_state *state, uint64_t *position);

void hw_xof_wipe(hw_xof_state *state);
void hw_xof_free(hw_xof_state *state);

/* ---------------------------------------------------------------- many output streams in lockstep */

/** Output streams of one algorithm, one for each of several seeds, read side by side. An object. */
typedef struct hw_streams_state hw_streams_state;

/** The output streams of `count` seeds (any messages) with the same parameters; `params` may be NULL. SHAKE, cSHAKE,
    TurboSHAKE and Ascon squeeze in the lanes of the CPU's vectors, as many streams at once as the widest suitable kernel
    holds: what ML-KEM and ML-DSA want of SHAKE128. BLAKE3 and KangarooTwelve are read one by one. The streams are those
    of hw_xof_read. Nothing of the seeds is kept. `*out` is NULL on errors, else to be freed by hw_streams_free.
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (no output stream, or no such parameter), HW_E_PARAMS, HW_E_RANGE,
    HW_E_TEXT, HW_E_KERNEL, HW_E_KERNEL_UNAVAILABLE, HW_E_MEMORY, HW_E_NULL. */
int hw_streams_new(hw_streams_state **out, hw_algorithm algorithm, const hw_params *params, const void *const *seeds,
                   const size_t *lengths, size_t count);

/** Writes the next bytes of each stream, one stream after the other: `out_len` is the number of streams times the bytes
    of each. Errors: HW_E_LENGTH (`out_len` is no multiple), HW_E_EXHAUSTED past byte 2^64 - 1 of each (nothing is
    written), HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_streams_read(hw_streams_state *state, void *out, size_t out_len);

/** How many streams; 0 if it is no such object. */
size_t hw_streams_count(const hw_streams_state *state);

/** Bytes read so far of each stream. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_streams_tell(const hw_streams_state *state, uint64_t *position);

/** Overwrites and frees the streams. NULL is nothing. */
void hw_streams_free(hw_streams_state *state);

/* ---------------------------------------------------------------- many messages */

/** The digests of many messages, side by side in the lanes of the CPU's vectors where the algorithm allows it, in one
    thread; the same digests as one by one. Digest i is at out + i * d, and `out_len` is count * d: d is the
    digest's length, for an extendable-output function any length. `params` may be NULL.
    Cost: 16 bytes of heap for each message, while it runs. Errors: as hw_hash_with, HW_E_OVERLAP (out and a
    message), HW_E_MEMORY. */
int hw_hash_many(hw_algorithm algorithm, const hw_params *params, const void *const *messages,
                 const size_t *lengths, size_t count, void *out, size_t out_len);

/** HMAC tags of many messages under one key (key_count 1), of one message under many keys (count 1), or of each
    message under its own key (both equal). Tag i is at tags + i * hw_output_len(algorithm), in all `tags_len`.
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (no HMAC), HW_E_RANGE (the numbers do not match), HW_E_LENGTH,
    HW_E_OVERLAP, HW_E_MEMORY, HW_E_NULL. */
int hw_hmac_many(hw_algorithm algorithm, const void *const *keys, const size_t *key_lengths, size_t key_count,
                 const void *const *messages, const size_t *lengths, size_t count, void *tags, size_t tags_len);

/* ---------------------------------------------------------------- HMAC (RFC 2104, FIPS 198-1) */

/** The tag of one message. Key of any length; `tag_len` is hw_output_len(algorithm), or fewer for the leftmost bytes,
    at least 1. Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (no HMAC), HW_E_LENGTH, HW_E_NULL. */
int hw_hmac(hw_algorithm algorithm, const void *key, size_t key_len, const void *data, size_t len, void *tag,
            size_t tag_len);

size_t hw_hmac_size(void);
size_t hw_hmac_align(void);

/** Keys HMAC and begins a message. The state holds the two hashes of the padded key, so that each tag costs the message
    and one short hash. Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_init(hw_hmac_state *state, hw_algorithm algorithm, const void *key, size_t key_len);

/** The same on the heap, to be freed by hw_hmac_free. `*out` is NULL on errors: as hw_hmac_init, HW_E_MEMORY. */
int hw_hmac_new(hw_hmac_state **out, hw_algorithm algorithm, const void *key, size_t key_len);

/** Appends to the message. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_update(hw_hmac_state *state, const void *data, size_t len);

/** Writes the tag of the message so far. More may follow. `tag_len` as for hw_hmac.
    Errors: HW_E_LENGTH, HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_final(const hw_hmac_state *state, void *tag, size_t tag_len);

/** Compares with the whole tag of the message so far, in time that depends on the length only.
    Errors: HW_E_MISMATCH, also for a tag that is truncated or empty (a protocol that truncates compares what
    hw_hmac_final gives, by hw_compare); HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_verify(const hw_hmac_state *state, const void *tag, size_t tag_len);

/** Forgets the message, keeps the key. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_hmac_reset(hw_hmac_state *state);

void hw_hmac_wipe(hw_hmac_state *state);
void hw_hmac_free(hw_hmac_state *state);

/* ---------------------------------------------------------------- KMAC (SP 800-185 section 4) */

/** The tag of one message. `bits` is 128 or 256; key and customisation have any length. The tag depends on
    `tag_len`, any length: a shorter one is not the beginning of a longer one.
    Errors: HW_E_ALGORITHM (bits), HW_E_NULL. */
int hw_kmac(int bits, const void *key, size_t key_len, const void *customization, size_t customization_len,
            const void *data, size_t len, void *tag, size_t tag_len);

size_t hw_kmac_size(void);
size_t hw_kmac_align(void);

/** Keys KMAC and begins a message. Errors: HW_E_ALGORITHM, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_init(hw_kmac_state *state, int bits, const void *key, size_t key_len, const void *customization,
                 size_t customization_len);

/** The same on the heap, to be freed by hw_kmac_free. `*out` is NULL on errors: as hw_kmac_init, HW_E_MEMORY. */
int hw_kmac_new(hw_kmac_state **out, int bits, const void *key, size_t key_len, const void *customization,
                size_t customization_len);

/** Appends to the message. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_update(hw_kmac_state *state, const void *data, size_t len);

/** Writes the tag of the message so far. More may follow. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_final(const hw_kmac_state *state, void *tag, size_t tag_len);

/** Compares with the tag of the message so far, in time that depends on the length only.
    Errors: HW_E_MISMATCH, also for an empty tag; HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_verify(const hw_kmac_state *state, const void *tag, size_t tag_len);

/** Forgets the message, keeps key and customisation. Errors: HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_kmac_reset(hw_kmac_state *state);

void hw_kmac_wipe(hw_kmac_state *state);
void hw_kmac_free(hw_kmac_state *state);

/* ---------------------------------------------------------------- comparing */

/** HW_OK if `len` bytes are equal, in time that depends on `len` only. Errors: HW_E_MISMATCH, HW_E_NULL. */
int hw_compare(const void *a, const void *b, size_t len);

/* ---------------------------------------------------------------- HKDF (RFC 5869) */

/** Key material of `okm_len` bytes, at most 255 digests, from `ikm`, bound to `info`.
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (no HMAC), HW_E_RANGE (okm_len), HW_E_OVERLAP (okm and info),
    HW_E_NULL. */
int hw_hkdf(hw_algorithm algorithm, const void *ikm, size_t ikm_len, const void *salt, size_t salt_len,
            const void *info, size_t info_len, void *okm, size_t okm_len);

/** The first step alone: a pseudorandom key of `prk_len` = hw_output_len(algorithm) bytes.
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED, HW_E_LENGTH, HW_E_NULL. */
int hw_hkdf_extract(hw_algorithm algorithm, const void *ikm, size_t ikm_len, const void *salt, size_t salt_len,
                    void *prk, size_t prk_len);

/** The second step alone. `prk` has at least hw_output_len(algorithm) bytes.
    Errors: as hw_hkdf, HW_E_RANGE (prk_len too), HW_E_OVERLAP (okm and prk too). */
int hw_hkdf_expand(hw_algorithm algorithm, const void *prk, size_t prk_len, const void *info, size_t info_len,
                   void *okm, size_t okm_len);

/* ---------------------------------------------------------------- random bytes of the operating system's */

/** HMAC-DRBG (SP 800-90A Rev. 1) that the operating system seeds and refreshes, for bytes that nobody can repeat: keys,
    nonces. Every request mixes in fresh bytes of the operating system's; a forked child does not repeat its parent.
    A state is not to be copied: a copy would hold the same buffered bytes. `params` may be NULL; reseed_interval is
    4096 requests by default. Uses the operating system's generator and, to notice forks, the process.
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (no HMAC), HW_E_RANGE, HW_E_PARAMS, HW_E_KERNEL,
    HW_E_KERNEL_UNAVAILABLE, HW_E_ENTROPY, HW_E_SELF_TEST, HW_E_ALIGN, HW_E_NULL. */
struct hw_drbg_params;
int hw_random_init(hw_random_state *state, hw_algorithm algorithm, const struct hw_drbg_params *params);
int hw_random_new(hw_random_state **out, hw_algorithm algorithm, const struct hw_drbg_params *params);

size_t hw_random_size(void);
size_t hw_random_align(void);

/** Writes `len` bytes, any number. On an error `out` holds zeros.
    Errors: HW_E_ENTROPY, HW_E_SELF_TEST, HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_random_read(hw_random_state *state, void *out, size_t len);

/** Reseeds now, with additional input of the caller's, and forgets buffered bytes. Errors: as hw_random_read. */
int hw_random_reseed(hw_random_state *state, const void *additional, size_t additional_len);

void hw_random_wipe(hw_random_state *state);
void hw_random_free(hw_random_state *state);

/* ---------------------------------------------------------------- random streams by name */

/** A stream of random bytes, and numbers in it: the next bytes, big-endian, as many as a number needs, so that every mix
    of calls reads the same stream. An object. The streams are those of Rust, Python and the command `hashwell random`;
    docs/guides/random.md defines them. */
typedef struct hw_source_state hw_source_state;

/** Names of sources, for index 0, 1, ...; NULL when there are no more: "counter" (SHA-256 in counter mode), every
    extendable-output function, and "hmac-drbg-" with every hash that HMAC accepts. Other names of those algorithms are
    accepted too. */
const char *hw_source_at(size_t index);

/** The stream of a seed, the same on every machine and in every version, and in a forked child. The seed is bytes of any
    length, never parsed as a number; the personalization tells uses of one seed apart. A public seed makes a public
    stream. `*out` is NULL on errors, else to be freed by hw_source_free.
    Errors: HW_E_ALGORITHM (no such name), HW_E_UNSUPPORTED (an algorithm that is no source), HW_E_TEXT,
    HW_E_SELF_TEST, HW_E_MEMORY, HW_E_NULL. */
int hw_source_new(hw_source_state **out, const char *name, const void *seed, size_t seed_len,
                  const void *personalization, size_t personalization_len);

/** A stream that nobody can repeat, seeded by the operating system, in a forked child anew. HMAC-DRBG also mixes in fresh
    bytes and reseeds, as hw_random_* does. Errors: as hw_source_new, HW_E_ENTROPY. */
int hw_source_new_os(hw_source_state **out, const char *name, const void *personalization,
                     size_t personalization_len);

/** The stream whose key hw_source_key has given, from its beginning. `key_len` is 32.
    Errors: as hw_source_new, HW_E_LENGTH. */
int hw_source_new_key(hw_source_state **out, const char *name, const void *key, size_t key_len, uint64_t jumps,
                      uint64_t spawned);

/** The key of a seeded stream, whose holder knows all of it: 32 bytes, the streams jumped over, and the children
    spawned. Errors: HW_E_UNSUPPORTED (seeded by the operating system), HW_E_LENGTH (`key_len` is not 32), HW_E_STATE,
    HW_E_ALIGN, HW_E_NULL. */
int hw_source_key(const hw_source_state *state, void *key, size_t key_len, uint64_t *jumps, uint64_t *spawned);

/** The name of its source; NULL if it is no such object. */
const char *hw_source_name(const hw_source_state *state);

/** Writes the next `len` bytes. On an error `out` holds zeros.
    Errors: HW_E_EXHAUSTED past hw_source_end (nothing is read), HW_E_ENTROPY, HW_E_SELF_TEST, HW_E_STATE, HW_E_ALIGN,
    HW_E_NULL. */
int hw_source_read(hw_source_state *state, void *out, size_t len);

/** The next 4 or 8 bytes as a number; the next 8 as a number of 0 <= u < 1, (number >> 11) / 2^53. On an error it is 0.
    Errors: as hw_source_read. */
int hw_source_next_u32(hw_source_state *state, uint32_t *number);
int hw_source_next_u64(hw_source_state *state, uint64_t *number);
int hw_source_next_double(hw_source_state *state, double *number);

/** Bytes read so far (of one seeded by the operating system, since it was last seeded), and bytes of the whole stream:
    2^69 of "counter", 2^64 - 1 of an extendable-output function, 2^58 of HMAC-DRBG, and 2^128 - 1 of one that reseeds.
    Each is high * 2^64 + low; `high` may be NULL where it is 0.
    Errors: HW_E_RANGE (`high` is needed), HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_source_tell(const hw_source_state *state, uint64_t *low, uint64_t *high);
int hw_source_end(const hw_source_state *state, uint64_t *low, uint64_t *high);

/** 1 if hw_source_seek costs the same wherever it goes ("counter" and "blake3"), 0 if not, or HW_E_STATE, HW_E_ALIGN,
    HW_E_NULL. */
int hw_source_is_seekable(const hw_source_state *state);

/** Goes to byte high * 2^64 + low, forward or back. Other sources than those two generate all bytes up to there, from here
    on or, if it is behind, from their beginning. Errors: HW_E_EXHAUSTED past hw_source_end, HW_E_UNSUPPORTED (seeded by
    the operating system), HW_E_SELF_TEST, HW_E_MEMORY, HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_source_seek(hw_source_state *state, uint64_t low, uint64_t high);

/** A child that is independent of this stream and of its other children, at its beginning: number 0, 1, ... as they are
    spawned, however far this stream was read. Of one seeded by the operating system, another one. `*child` is NULL on
    errors. Errors: HW_E_RANGE past child 2^64 - 2, HW_E_ENTROPY, HW_E_SELF_TEST, HW_E_MEMORY, HW_E_STATE, HW_E_ALIGN,
    HW_E_NULL. */
int hw_source_spawn(hw_source_state *state, hw_source_state **child);

/** The stream so many further on in the row of independent streams that begins with the key's, at its beginning. `*out`
    is NULL on errors. Errors: as hw_source_spawn, HW_E_RANGE past stream 2^64 - 1. */
int hw_source_jumped(const hw_source_state *state, uint64_t jumps, hw_source_state **out);

/** Writes bytes to seed other generators with: always the same, and independent of this stream; fresh ones of the
    operating system's if that has seeded it. Errors: HW_E_ENTROPY (`out` holds zeros), HW_E_STATE, HW_E_ALIGN,
    HW_E_NULL. */
int hw_source_seed_others(const hw_source_state *state, void *out, size_t len);

/** Overwrites and frees a stream. NULL is nothing. */
void hw_source_free(hw_source_state *state);

/* ---------------------------------------------------------------- HMAC-DRBG from a seed */

/** How a generator is instantiated. Begin with HW_DRBG_PARAMS_INIT. */
typedef struct hw_drbg_params {
    size_t size;                 /* sizeof(hw_drbg_params) */
    const void *personalization; /* tells uses of one source of entropy apart; need not be secret */
    size_t personalization_len;  /* at most 2^32 */
    const char *kernel;          /* name of a kernel in place of the fastest */
    uint64_t reseed_interval;    /* requests between two reseeds, 1 to 2^48; 0 is 2^48 */
    uint32_t strength;           /* security strength in bits, rounded up to 112, 128, 192 or 256; 0 is the hash's:
                                    128 (SHA-1), 192 (digests of 224 bits), 256 */
    uint32_t prediction_resistance; /* 1 if requests may ask for it */
} hw_drbg_params;

#define HW_DRBG_PARAMS_INIT { sizeof(hw_drbg_params), NULL, 0, NULL, 0, 0, 0 }

/** A source of entropy: writes `len` bytes of full entropy, never given out before; 0 if it could. NULL in its place is
    the operating system. It may neither throw nor jump out. */
typedef int (*hw_entropy_function)(void *context, void *out, size_t len);

size_t hw_drbg_size(void);
size_t hw_drbg_align(void);

/** Instantiates HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2). `entropy` has at least as many bits as the security
    strength, `nonce` half as many; at most 2^32 bytes each. The same seed gives the same bytes, in a forked child too.
    The known answers of the hash are tested first, once in a process.
    Errors: HW_E_ALGORITHM, HW_E_UNSUPPORTED (no HMAC), HW_E_RANGE, HW_E_PARAMS, HW_E_KERNEL,
    HW_E_KERNEL_UNAVAILABLE, HW_E_SELF_TEST, HW_E_ALIGN, HW_E_NULL. */
int hw_drbg_init(hw_drbg_state *state, hw_algorithm algorithm, const void *entropy, size_t entropy_len,
                 const void *nonce, size_t nonce_len, const hw_drbg_params *params);

/** The same on the heap, to be freed by hw_drbg_free. `*out` is NULL on errors: as hw_drbg_init, HW_E_MEMORY. */
int hw_drbg_new(hw_drbg_state **out, hw_algorithm algorithm, const void *entropy, size_t entropy_len,
                const void *nonce, size_t nonce_len, const hw_drbg_params *params);

/** The same for test vectors and public seeds: of any length, even empty. NOTHING HERE MAKES THE OUTPUT
    UNPREDICTABLE. Reseeds take any length too. Errors: as hw_drbg_init. */
int hw_drbg_init_unchecked(hw_drbg_state *state, hw_algorithm algorithm, const void *entropy, size_t entropy_len,
                           const void *nonce, size_t nonce_len, const hw_drbg_params *params);

/** The same with entropy and nonce from a source. Errors: as hw_drbg_init, HW_E_ENTROPY. */
int hw_drbg_init_from(hw_drbg_state *state, hw_algorithm algorithm, hw_entropy_function source, void *context,
                      const hw_drbg_params *params);

/** Mixes fresh entropy in, at least as many bits as the strength. Errors: HW_E_RANGE, HW_E_SELF_TEST, HW_E_STATE,
    HW_E_ALIGN, HW_E_NULL. */
int hw_drbg_reseed(hw_drbg_state *state, const void *entropy, size_t entropy_len, const void *additional,
                   size_t additional_len);

/** One request, at most 65,536 bytes. Output depends on how it is cut into requests. A request of 0 bytes is one too.
    Errors: HW_E_RANGE (len, additional_len), HW_E_RESEED, HW_E_OVERLAP (out and additional), HW_E_SELF_TEST,
    HW_E_STATE, HW_E_ALIGN, HW_E_NULL. */
int hw_drbg_generate(hw_drbg_state *state, void *out, size_t len, const void *additional, size_t additional_len);

/** Any number of bytes, by requests of 65,536 and one of the rest, each with the additional input.
    Errors: as hw_drbg_generate. HW_E_RESEED comes before anything is written. */
int hw_drbg_fill(hw_drbg_state *state, void *out, size_t len, const void *additional, size_t additional_len);

/** As hw_drbg_fill with a source at hand: reseeds from it where that is due, or before each request if
    `prediction_resistance` is not 0. Errors: as hw_drbg_fill but HW_E_RESEED; HW_E_PREDICTION_RESISTANCE;
    HW_E_ENTROPY, after which `out` holds zeros where anything was written. */
int hw_drbg_generate_from(hw_drbg_state *state, hw_entropy_function source, void *context, int prediction_resistance,
                          void *out, size_t len, const void *additional, size_t additional_len);

/** Requests left before a reseed is due; security strength in bits. 0 if it is no state. */
uint64_t hw_drbg_requests_left(const hw_drbg_state *state);
uint32_t hw_drbg_strength(const hw_drbg_state *state);

/** Tests the known answers of the generator over this hash now. After a failure no generator over it gives output.
    Errors: HW_E_SELF_TEST, HW_E_ALGORITHM, HW_E_UNSUPPORTED. */
int hw_drbg_self_test(hw_algorithm algorithm);

void hw_drbg_wipe(hw_drbg_state *state);
void hw_drbg_free(hw_drbg_state *state);

/* ---------------------------------------------------------------- HMAC-DRBG over an HMAC of the caller's */

/** Writes the tag under `key` of `count` (at most 5) pieces one after the other; key and tag have the output length
    that the generator was made with. Returns 0, or anything else if it fails: the generator is wiped then, and
    HW_E_CALLBACK returned. It may neither throw nor jump out, and what it does with the state is nothing. */
typedef int (*hw_hmac_function)(void *context, const void *key, size_t key_len, const void *const *pieces,
                                const size_t *lengths, size_t count, void *tag);

size_t hw_drbg_custom_size(void);
size_t hw_drbg_custom_align(void);

/** As the functions above, over `function`, whose tags have `output_len` bytes, 20 to 64. No known answers are tested,
    and keys are derived anew for every tag: this is slower than over hashwell's own. The state holds `function` and
    `context`, which must stay good. params->kernel is not used. Errors: as above, HW_E_CALLBACK. */
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
void hw_drbg_custom_wipe(hw_drbg_custom_state *state);
void hw_drbg_custom_free(hw_drbg_custom_state *state);

#ifdef __cplusplus
}
#endif
#endif
