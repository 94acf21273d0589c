/* The guarantees of the header for every algorithm and every kind of state. SLOW=1 adds inputs beyond 4 GiB. */
#include "check.h"
#include <stddef.h>
#include "sha256_90r.h"

#ifdef __cplusplus
#define STATIC_ASSERT static_assert
#define ALIGNOF alignof
#else
#define STATIC_ASSERT _Static_assert
#define ALIGNOF _Alignof
#endif

/* name of the kind of state, which is the prefix of its functions */
#define EACH_STATE(DO) \
    DO(hash, HASH) DO(xof, XOF) DO(hmac, HMAC) DO(kmac, KMAC) DO(drbg, DRBG) DO(drbg_custom, DRBG_CUSTOM) \
    DO(random, RANDOM)

#define ASSERT_LAYOUT(kind, KIND) \
    STATIC_ASSERT(sizeof(hw_##kind##_state) == HW_##KIND##_SIZE, "size"); \
    STATIC_ASSERT(ALIGNOF(hw_##kind##_state) == HW_STATE_ALIGN, "alignment");
EACH_STATE(ASSERT_LAYOUT)

enum { MESSAGE = 20000, DIGEST = 64 };
static unsigned char message[MESSAGE + 16];

static void layout(void) {
#define CHECK_LAYOUT(kind, KIND) \
    CHECK(hw_##kind##_size() == HW_##KIND##_SIZE && hw_##kind##_align() == HW_STATE_ALIGN, #kind);
    EACH_STATE(CHECK_LAYOUT)
    CHECK(hw_abi_version() == HW_ABI_VERSION, "of the library");
    CHECK(strchr(hw_version(), '.'), "%s", hw_version());
}

static void registry(void) {
    CHECK(hw_find("SHA-256") == HW_SHA256 && hw_find("k12") == HW_KT128, "names");
    CHECK(hw_find("sha265") == 0 && hw_find("") == 0 && hw_find(NULL) == 0 && hw_find("\xff") == 0, "no names");
    CHECK(hw_output_len(HW_SHA384) == 48 && hw_block_len(HW_SHA3_256) == 136, "lengths");
    CHECK(hw_kind(HW_SHA1) == HW_FIXED && hw_kind(HW_BLAKE3) == HW_XOF, "kinds");
    CHECK(hw_status(HW_SHA1) == HW_BROKEN && hw_status(HW_SHA256_90R) == HW_EXPERIMENTAL, "status");
    CHECK(hw_has_hmac(HW_SHA1) == 1 && hw_has_hmac(HW_ASCON_HASH256) == 0, "HMAC");
    uint64_t min, max;
    RUN(hw_limits(HW_BLAKE2B_512, HW_PARAM_KEY, &min, &max), "limits");
    CHECK(min == 0 && max == 64, "key of BLAKE2b");
    RUN(hw_limits(HW_BLAKE2B_512, HW_PARAM_OUTPUT_LEN, &min, &max), "limits");
    CHECK(min == 1 && max == 64, "output of BLAKE2b");
    RUN(hw_limits(HW_BLAKE2S_256, HW_PARAM_NODE_OFFSET, &min, &max), "limits");
    CHECK(min == 0 && max == ((uint64_t)1 << 48) - 1, "node offset of BLAKE2s");
    CHECK(strcmp(hw_param_name(HW_PARAM_LEAF_LEN), "leaf_len") == 0, "names of parameters");
    CHECK(!hw_param_name(-1) && !hw_param_name(HW_PARAM_LAST_NODE + 1), "no other parameters");
    EXPECT(HW_E_UNSUPPORTED, hw_limits(HW_SHA1, HW_PARAM_KEY, &min, &max), "no key");
    EXPECT(HW_E_UNSUPPORTED, hw_limits(HW_SHA1, 99, &min, &max), "no parameter");
    EXPECT(HW_E_NULL, hw_limits(HW_SHA1, HW_PARAM_OUTPUT_LEN, NULL, &max), "nowhere");
    EACH_ALGORITHM(alg) {
        CHECK(hw_find(hw_name(alg)) == alg && *hw_title(alg), "%s", hw_name(alg));
        CHECK(*hw_source(alg), "%s", hw_name(alg));
        for (size_t i = 0; hw_alias(alg, i); i++) {
            CHECK(hw_find(hw_alias(alg, i)) == alg, "%s", hw_alias(alg, i));
        }
    }
    CHECK(hw_at(hw_count()) == 0, "beyond the registry");
    for (int code = 0; code > -100; code--) {
        CHECK(*hw_strerror(code), "%d", code);
    }
    CHECK(strcmp(hw_strerror(HW_OK), "success") == 0 && strcmp(hw_strerror(7), "unknown code") == 0, "words");
}

static void wrong_numbers(void) {
    static const hw_algorithm wrong[] = {0, 1000, UINT32_MAX - 1, UINT32_MAX};
    unsigned char out[DIGEST];
    const void *pointers[1] = {message};
    size_t lengths[1] = {3};
    uint64_t limit;
    hw_hash_state hash;
    hw_hmac_state hmac;
    hw_drbg_state drbg;
    hw_random_state random;
    hw_kernel_info kernel;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hw_algorithm alg = wrong[i];
        CHECK(!hw_name(alg) && !hw_title(alg) && !hw_source(alg) && !hw_alias(alg, 0), "%u", (unsigned)alg);
        CHECK(hw_block_len(alg) == 0 && hw_output_len(alg) == 0, "%u", (unsigned)alg);
        EXPECT(HW_E_ALGORITHM, hw_kind(alg), "kind");
        EXPECT(HW_E_ALGORITHM, hw_status(alg), "status");
        EXPECT(HW_E_ALGORITHM, hw_has_hmac(alg), "has_hmac");
        EXPECT(HW_E_ALGORITHM, hw_limits(alg, 0, &limit, &limit), "limits");
        EXPECT(HW_E_ALGORITHM, hw_kernel(alg, 0, &kernel), "kernel");
        EXPECT(HW_E_ALGORITHM, hw_hash(alg, message, 3, out, 32), "hash");
        EXPECT(HW_E_ALGORITHM, hw_hash_with(alg, NULL, message, 3, out, 32), "hash_with");
        EXPECT(HW_E_ALGORITHM, hw_hash_init(&hash, alg, NULL), "hash_init");
        EXPECT(HW_E_ALGORITHM, hw_hash_many(alg, NULL, pointers, lengths, 1, out, 32), "hash_many");
        EXPECT(HW_E_ALGORITHM, hw_hmac_many(alg, pointers, lengths, 1, pointers, lengths, 1, out, 32), "hmac_many");
        EXPECT(HW_E_ALGORITHM, hw_hmac(alg, "k", 1, message, 3, out, 32), "hmac");
        EXPECT(HW_E_ALGORITHM, hw_hmac_init(&hmac, alg, "k", 1), "hmac_init");
        EXPECT(HW_E_ALGORITHM, hw_hkdf(alg, "k", 1, NULL, 0, NULL, 0, out, 32), "hkdf");
        EXPECT(HW_E_ALGORITHM, hw_hkdf_extract(alg, "k", 1, NULL, 0, out, 32), "hkdf_extract");
        EXPECT(HW_E_ALGORITHM, hw_hkdf_expand(alg, message, 32, NULL, 0, out, 32), "hkdf_expand");
        EXPECT(HW_E_ALGORITHM, hw_drbg_init(&drbg, alg, message, 32, message, 16, NULL), "drbg_init");
        EXPECT(HW_E_ALGORITHM, hw_drbg_self_test(alg), "drbg_self_test");
        EXPECT(HW_E_ALGORITHM, hw_random_init(&random, alg, NULL), "random_init");
    }
    hw_kmac_state kmac;
    EXPECT(HW_E_ALGORITHM, hw_kmac(512, "k", 1, NULL, 0, message, 3, out, 32), "kmac");
    EXPECT(HW_E_ALGORITHM, hw_kmac_init(&kmac, 0, "k", 1, NULL, 0), "kmac_init");
}

/* Parameters with a key, if the algorithm takes one. */
static hw_params keyed(hw_algorithm alg) {
    hw_params params = HW_PARAMS_INIT;
    uint64_t min, max;
    if (hw_limits(alg, HW_PARAM_KEY, &min, &max) == HW_OK) {
        params.key = message;
        params.key_len = max;
    }
    return params;
}

static void pieces_copies_and_moves(void) {
    static const size_t lengths[] = {0, 1, 63, 64, 65, 127, 128, 129, 135, 136, 137, 167, 168, 169, 256, 257,
                                     1023, 1024, 1025, 8191, 8192, 8193, 16384, 16385, MESSAGE};
    unsigned char whole[DIGEST], got[DIGEST];
    EACH_ALGORITHM(alg) {
        hw_params params = keyed(alg);
        size_t digest = hw_output_len(alg);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            size_t len = lengths[i];
            size_t cuts[] = {0, 1, len / 2, hw_block_len(alg), len - 1, len};
            RUN(hw_hash_with(alg, &params, message, len, whole, digest), "%s", hw_name(alg));
            for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
                if (cuts[c] > len) {
                    continue;
                }
                hw_hash_state first, moved;
                memset(&first, 0xaa, sizeof first);
                RUN(hw_hash_init(&first, alg, &params), "%s", hw_name(alg));
                RUN(hw_hash_update(&first, message, cuts[c]), "%s", hw_name(alg));
                RUN(hw_hash_update(&first, NULL, 0), "%s", hw_name(alg));
                memcpy(&moved, &first, sizeof moved);
                /* The copy continues, while the original hashes something else and is then overwritten. */
                RUN(hw_hash_update(&first, message, 777), "%s", hw_name(alg));
                memset(&first, 0x55, sizeof first);
                RUN(hw_hash_update(&moved, message + cuts[c], len - cuts[c]), "%s", hw_name(alg));
                for (int twice = 0; twice < 2; twice++) {
                    memset(got, 0, sizeof got);
                    RUN(hw_hash_final(&moved, got, digest), "%s", hw_name(alg));
                    CHECK(memcmp(got, whole, digest) == 0, "%s, %zu of %zu", hw_name(alg), cuts[c], len);
                }
                CHECK(hw_hash_algorithm(&moved) == alg && hw_hash_output_len(&moved) == digest, "%s", hw_name(alg));
                CHECK(hw_hash_kernel(&moved), "%s", hw_name(alg));
            }
        }
    }
}

/* To begin again, a program keeps a copy of the fresh state. */
static void beginning_again(void) {
    unsigned char first[DIGEST], second[DIGEST];
    EACH_ALGORITHM(alg) {
        hw_params params = keyed(alg);
        hw_hash_state fresh, hash;
        RUN(hw_hash_init(&fresh, alg, &params), "%s", hw_name(alg));
        for (int i = 0; i < 2; i++) {
            hash = fresh;
            RUN(hw_hash_update(&hash, message, 300), "%s", hw_name(alg));
            RUN(hw_hash_final(&hash, i ? second : first, hw_output_len(alg)), "%s", hw_name(alg));
        }
        CHECK(memcmp(first, second, hw_output_len(alg)) == 0, "%s", hw_name(alg));
        /* init also works with a used state */
        RUN(hw_hash_init(&hash, alg, &params), "%s", hw_name(alg));
        RUN(hw_hash_update(&hash, message, 300), "%s", hw_name(alg));
        RUN(hw_hash_final(&hash, second, hw_output_len(alg)), "%s", hw_name(alg));
        CHECK(memcmp(first, second, hw_output_len(alg)) == 0, "%s", hw_name(alg));
    }
}

/* Data and output can be at any address; the state has the minimum alignment. */
static void alignment(void) {
    unsigned char expected[DIGEST], data[600 + 16], out[DIGEST + 16 + 1];
    HW_ALIGNAS(64) static unsigned char room[HW_HMAC_SIZE + 64];
    EACH_ALGORITHM(alg) {
        size_t digest = hw_output_len(alg);
        RUN(hw_hash(alg, message, 600, expected, digest), "%s", hw_name(alg));
        for (size_t offset = 0; offset < 16; offset++) {
            memcpy(data + offset, message, 600);
            memset(out, 0xa5, sizeof out);
            RUN(hw_hash(alg, data + offset, 600, out + offset, digest), "%s", hw_name(alg));
            CHECK(memcmp(out + offset, expected, digest) == 0, "%s at %zu", hw_name(alg), offset);
            CHECK(out[offset + digest] == 0xa5 && (!offset || out[offset - 1] == 0xa5), "%s", hw_name(alg));

            hw_hash_state *hash = (hw_hash_state *)(void *)(room + offset % 4 * HW_STATE_ALIGN);
            RUN(hw_hash_init(hash, alg, NULL), "%s", hw_name(alg));
            RUN(hw_hash_update(hash, data + offset, 1), "%s", hw_name(alg));
            RUN(hw_hash_update(hash, data + offset + 1, 599), "%s", hw_name(alg));
            RUN(hw_hash_final(hash, out + offset, digest), "%s", hw_name(alg));
            CHECK(memcmp(out + offset, expected, digest) == 0, "%s at %zu", hw_name(alg), offset);
        }
        if (hw_has_hmac(alg)) {
            RUN(hw_hmac(alg, "key", 3, message, 600, expected, digest), "%s", hw_name(alg));
            for (size_t offset = 0; offset < 4; offset++) {
                hw_hmac_state *hmac = (hw_hmac_state *)(void *)(room + offset * HW_STATE_ALIGN);
                RUN(hw_hmac_init(hmac, alg, "key", 3), "%s", hw_name(alg));
                RUN(hw_hmac_update(hmac, data + 15, 600), "%s", hw_name(alg));
                RUN(hw_hmac_verify(hmac, expected, digest), "%s", hw_name(alg));
            }
        }
    }
    for (size_t offset = 1; offset < 8; offset++) {
        hw_hash_state *hash = (hw_hash_state *)(uintptr_t)((uintptr_t)room + offset);
        EXPECT(HW_E_ALIGN, hw_hash_init(hash, HW_SHA256, NULL), "offset");
        EXPECT(HW_E_ALIGN, hw_hash_update(hash, message, 1), "offset");
    }
}

static int failing_hmac(void *context, const void *key, size_t key_len, const void *const *pieces,
                        const size_t *lengths, size_t count, void *tag) {
    (void)context, (void)key, (void)key_len, (void)pieces, (void)lengths, (void)count, (void)tag;
    return 1;
}

/* The caller's HMAC, with an algorithm of hashwell. It fails after a number of calls. */
struct foreign {
    hw_algorithm algorithm;
    long calls_left;
};

static int own_hmac(void *context, const void *key, size_t key_len, const void *const *pieces,
                    const size_t *lengths, size_t count, void *tag) {
    struct foreign *own = (struct foreign *)context;
    hw_hmac_state hmac;
    if (own->calls_left-- == 0) {
        return -1;
    }
    CHECK(count >= 1 && count <= 5 && key_len == hw_output_len(own->algorithm), "%zu pieces", count);
    RUN(hw_hmac_init(&hmac, own->algorithm, key, key_len), "own HMAC");
    for (size_t i = 0; i < count; i++) {
        RUN(hw_hmac_update(&hmac, pieces[i], lengths[i]), "own HMAC");
    }
    return hw_hmac_final(&hmac, tag, key_len);
}

/* Checks that every function that takes a state refuses memory without a state of its kind. */
static void refuse_all(void *not_a_state, int code, const char *what) {
    unsigned char out[DIGEST] = {7};
    uint64_t position;
    hw_xof_state xof;
    hw_hash_state *hash = (hw_hash_state *)not_a_state;
    EXPECT(code, hw_hash_update(hash, message, 1), "%s", what);
    EXPECT(code, hw_hash_final(hash, out, 32), "%s", what);
    EXPECT(code, hw_xof_init(&xof, hash), "%s", what);
    CHECK(hw_hash_output_len(hash) == 0 && hw_hash_algorithm(hash) == 0 && !hw_hash_kernel(hash), "%s", what);
    hw_xof_state *stream = (hw_xof_state *)not_a_state;
    EXPECT(code, hw_xof_read(stream, out, 1), "%s", what);
    EXPECT(code, hw_xof_seek(stream, 0), "%s", what);
    EXPECT(code, hw_xof_tell(stream, &position), "%s", what);
    hw_hmac_state *hmac = (hw_hmac_state *)not_a_state;
    EXPECT(code, hw_hmac_update(hmac, message, 1), "%s", what);
    EXPECT(code, hw_hmac_final(hmac, out, 32), "%s", what);
    EXPECT(code, hw_hmac_verify(hmac, out, 32), "%s", what);
    EXPECT(code, hw_hmac_reset(hmac), "%s", what);
    hw_kmac_state *kmac = (hw_kmac_state *)not_a_state;
    EXPECT(code, hw_kmac_update(kmac, message, 1), "%s", what);
    EXPECT(code, hw_kmac_final(kmac, out, 32), "%s", what);
    EXPECT(code, hw_kmac_verify(kmac, out, 32), "%s", what);
    EXPECT(code, hw_kmac_reset(kmac), "%s", what);
    EXPECT(code, hw_xof_init_kmac(&xof, kmac), "%s", what);
    hw_drbg_state *drbg = (hw_drbg_state *)not_a_state;
    EXPECT(code, hw_drbg_reseed(drbg, message, 32, NULL, 0), "%s", what);
    EXPECT(code, hw_drbg_generate(drbg, out, 1, NULL, 0), "%s", what);
    EXPECT(code, hw_drbg_generate_from(drbg, NULL, NULL, 0, out, 1, NULL, 0), "%s", what);
    EXPECT(code, hw_drbg_fill(drbg, out, 1, NULL, 0), "%s", what);
    CHECK(hw_drbg_requests_left(drbg) == 0 && hw_drbg_strength(drbg) == 0, "%s", what);
    hw_drbg_custom_state *custom = (hw_drbg_custom_state *)not_a_state;
    EXPECT(code, hw_drbg_custom_reseed(custom, message, 32, NULL, 0), "%s", what);
    EXPECT(code, hw_drbg_custom_generate(custom, out, 1, NULL, 0), "%s", what);
    EXPECT(code, hw_drbg_custom_fill(custom, out, 1, NULL, 0), "%s", what);
    CHECK(hw_drbg_custom_requests_left(custom) == 0 && hw_drbg_custom_strength(custom) == 0, "%s", what);
    hw_random_state *random = (hw_random_state *)not_a_state;
    EXPECT(code, hw_random_read(random, out, 1), "%s", what);
    EXPECT(code, hw_random_reseed(random, NULL, 0), "%s", what);
    hw_source_state *source = (hw_source_state *)not_a_state, *made = NULL;
    uint32_t half;
    double unit;
    EXPECT(code, hw_source_read(source, out, 1), "%s", what);
    EXPECT(code, hw_source_next_u32(source, &half), "%s", what);
    EXPECT(code, hw_source_next_u64(source, &position), "%s", what);
    EXPECT(code, hw_source_next_double(source, &unit), "%s", what);
    EXPECT(code, hw_source_tell(source, &position, NULL), "%s", what);
    EXPECT(code, hw_source_end(source, &position, &position), "%s", what);
    EXPECT(code, hw_source_is_seekable(source), "%s", what);
    EXPECT(code, hw_source_seek(source, 0, 0), "%s", what);
    EXPECT(code, hw_source_key(source, out, 32, &position, &position), "%s", what);
    EXPECT(code, hw_source_spawn(source, &made), "%s", what);
    EXPECT(code, hw_source_jumped(source, 1, &made), "%s", what);
    EXPECT(code, hw_source_seed_others(source, out, 1), "%s", what);
    CHECK(!hw_source_name(source) && !made, "%s", what);
    hw_streams_state *many = (hw_streams_state *)not_a_state;
    EXPECT(code, hw_streams_read(many, out, 1), "%s", what);
    EXPECT(code, hw_streams_tell(many, &position), "%s", what);
    CHECK(hw_streams_count(many) == 0, "%s", what);
    EXPECT(code, hw_xof_ml_rej_uniform(stream, 5, 0, out, 1, 1), "%s", what);
    /* Objects of these types are on the heap, so they are freed here. */
    hw_source_free(source);
    hw_streams_free(many);
    CHECK(out[0] == 7, "%s: something was written", what);
}

static void not_states(void) {
    HW_ALIGNAS(16) static unsigned char room[HW_HMAC_SIZE];
    refuse_all(NULL, HW_E_NULL, "NULL");
    /* The state was never initialized, with different bytes in its memory. */
    for (int pattern = 0; pattern < 256; pattern += 51) {
        memset(room, pattern, sizeof room);
        refuse_all(room, HW_E_STATE, "not initialised");
    }

    struct foreign own = {HW_SHA256, -1};
#define WIPED(kind, init) \
    do { \
        hw_##kind##_state *state = (hw_##kind##_state *)(void *)room; \
        RUN(init, #kind); \
        hw_##kind##_wipe(state); \
        for (size_t i = 0; i < sizeof *state; i++) { \
            CHECK(room[i] == 0, "%s: byte %zu", #kind, i); \
        } \
        refuse_all(room, HW_E_STATE, "wiped " #kind); \
        hw_##kind##_wipe(NULL); \
        hw_##kind##_free(NULL); \
    } while (0)
    hw_hash_state hash;
    RUN(hw_hash_init(&hash, HW_SHAKE128, NULL), "shake128");
    WIPED(hash, hw_hash_init(state, HW_BLAKE2BP_512, NULL));
    WIPED(xof, hw_xof_init(state, &hash));
    WIPED(hmac, hw_hmac_init(state, HW_SHA256, "k", 1));
    WIPED(kmac, hw_kmac_init(state, 128, "k", 1, NULL, 0));
    WIPED(drbg, hw_drbg_init(state, HW_SHA256, message, 32, message, 16, NULL));
    WIPED(drbg_custom, hw_drbg_custom_init(state, 32, own_hmac, &own, message, 32, message, 16, NULL));
    WIPED(random, hw_random_init(state, HW_SHA256, NULL));

    /* A state of a different kind. */
    unsigned char out[DIGEST];
    EXPECT(HW_E_STATE, hw_hmac_update((hw_hmac_state *)(void *)&hash, message, 1), "a hash is no HMAC");
    EXPECT(HW_E_STATE, hw_xof_read((hw_xof_state *)(void *)&hash, out, 1), "a hash is no stream");
    /* A failed init leaves the state unchanged. */
    EXPECT(HW_E_ALGORITHM, hw_hash_init(&hash, 0, NULL), "no algorithm");
    RUN(hw_hash_update(&hash, message, 1), "still a state");
}

static void null_pointers(void) {
    unsigned char out[DIGEST], expected[DIGEST];
    hw_hash_state hash;
    EACH_ALGORITHM(alg) {
        size_t digest = hw_output_len(alg);
        RUN(hw_hash(alg, NULL, 0, out, digest), "%s", hw_name(alg));
        RUN(hw_hash(alg, "", 0, expected, digest), "%s", hw_name(alg));
        CHECK(memcmp(out, expected, digest) == 0, "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_hash(alg, NULL, 1, out, digest), "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_hash(alg, message, 1, NULL, digest), "%s", hw_name(alg));
        RUN(hw_hash_init(&hash, alg, NULL), "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_hash_update(&hash, NULL, 1), "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_hash_final(&hash, NULL, digest), "%s", hw_name(alg));
        if (hw_kind(alg) == HW_XOF) {
            RUN(hw_hash(alg, message, 1, NULL, 0), "%s", hw_name(alg));
        } else {
            EXPECT(HW_E_LENGTH, hw_hash(alg, message, 1, NULL, 0), "%s", hw_name(alg));
            EXPECT(HW_E_LENGTH, hw_hash(alg, message, 1, out, digest - 1), "%s", hw_name(alg));
            EXPECT(HW_E_LENGTH, hw_hash_final(&hash, out, digest + 1), "%s", hw_name(alg));
        }
    }
    EXPECT(HW_E_NULL, hw_hash_init(NULL, HW_SHA256, NULL), "nowhere");
    EXPECT(HW_E_NULL, hw_hash_new(NULL, HW_SHA256, NULL), "nowhere");
    RUN(hw_hmac(HW_SHA256, NULL, 0, NULL, 0, out, 32), "empty key and message");
    EXPECT(HW_E_NULL, hw_hmac(HW_SHA256, NULL, 1, NULL, 0, out, 32), "key");
    EXPECT(HW_E_NULL, hw_kmac(128, "k", 1, NULL, 1, NULL, 0, out, 32), "customisation");
    EXPECT(HW_E_NULL, hw_hkdf(HW_SHA256, "k", 1, NULL, 0, NULL, 1, out, 32), "info");
    EXPECT(HW_E_NULL, hw_compare(NULL, out, 1), "compare");
    RUN(hw_compare(NULL, NULL, 0), "compare nothing");
    EXPECT(HW_E_LENGTH, hw_hash(HW_SHA256, message, SIZE_MAX, out, 32), "longer than memory");
}

static void parameters(void) {
    unsigned char out[DIGEST], other[DIGEST];
    hw_hash_state hash;
    const hw_params plain = HW_PARAMS_INIT;
    hw_params params = plain;
    RUN(hw_hash_with(HW_SHA256, &params, message, 9, out, 32), "none");
    RUN(hw_hash(HW_SHA256, message, 9, other, 32), "none");
    CHECK(memcmp(out, other, 32) == 0, "no parameters are plain hashing");
    params.size = 8;
    EXPECT(HW_E_PARAMS, hw_hash_init(&hash, HW_SHA256, &params), "size");
    params = plain;
    params.key = message;
    params.key_len = 32;
    EXPECT(HW_E_UNSUPPORTED, hw_hash_init(&hash, HW_SHA256, &params), "SHA-256 has no key");
    params.key_len = 65;
    EXPECT(HW_E_RANGE, hw_hash_init(&hash, HW_BLAKE2B_512, &params), "key");
    params.key = NULL;
    EXPECT(HW_E_NULL, hw_hash_init(&hash, HW_BLAKE2B_512, &params), "key");
    params = plain;
    params.domain = 0x80;
    EXPECT(HW_E_RANGE, hw_hash_init(&hash, HW_TURBOSHAKE128, &params), "domain");
    params.domain = -1;
    EXPECT(HW_E_RANGE, hw_hash_init(&hash, HW_TURBOSHAKE128, &params), "domain");
    params = plain;
    params.context = "\xff";
    params.context_len = 1;
    EXPECT(HW_E_TEXT, hw_hash_init(&hash, HW_BLAKE3, &params), "context");
    params = plain;
    params.customization = message;
    params.customization_len = HW_MAX_KANGAROO_CUSTOMIZATION;
    RUN(hw_hash_init(&hash, HW_KT128, &params), "customisation");
    RUN(hw_hash_final(&hash, out, 32), "customisation");
    RUN(hw_hash_with(HW_KT128, &params, NULL, 0, other, 32), "customisation");
    CHECK(memcmp(out, other, 32) == 0, "customisation");
    params.customization_len++;
    EXPECT(HW_E_RANGE, hw_hash_init(&hash, HW_KT128, &params), "customisation");
    RUN(hw_hash_with(HW_KT128, &params, NULL, 0, other, 32), "customisation");
    params = plain;
    params.output_len = 20;
    RUN(hw_hash_init(&hash, HW_BLAKE2B_512, &params), "length");
    CHECK(hw_hash_output_len(&hash) == 20, "length");
    RUN(hw_hash_final(&hash, out, 20), "length");
    EXPECT(HW_E_LENGTH, hw_hash_final(&hash, out, 64), "length");
    EXPECT(HW_E_LENGTH, hw_hash_with(HW_BLAKE2B_512, &params, message, 1, out, 64), "length");
    /* The value of hashlib.blake2b(b'', fanout=2, depth=3, leaf_size=4, node_offset=5, node_depth=1, inner_size=6,
       last_node=True, digest_size=16). */
    static const unsigned char of_node[16] = {0x5b, 0xd6, 0xcc, 0x94, 0x4f, 0x5f, 0xf6, 0x20, 0x8d, 0x3b, 0x0b, 0x55, 0xce, 0x0d, 0xe2, 0xfc};
    hw_node node = HW_NODE_INIT;
    params = plain;
    params.node = &node;
    RUN(hw_hash_with(HW_SHA256, &params, message, 9, other, 32), "a plain node is taken");
    RUN(hw_hash(HW_SHA256, message, 9, out, 32), "plain hashing");
    CHECK(memcmp(out, other, 32) == 0, "a plain node is plain hashing");
    node.fanout = 2;
    node.max_depth = 3;
    node.leaf_len = 4;
    node.node_offset = 5;
    node.node_depth = 1;
    node.inner_len = 6;
    node.last_node = 1;
    params.output_len = 16;
    RUN(hw_hash_with(HW_BLAKE2B_512, &params, NULL, 0, out, 16), "node");
    CHECK(memcmp(out, of_node, 16) == 0, "node");
    params.output_len = 0;
    EXPECT(HW_E_UNSUPPORTED, hw_hash_init(&hash, HW_SHA256, &params), "SHA-256 has no trees");
    node.last_node = 2;
    EXPECT(HW_E_RANGE, hw_hash_init(&hash, HW_BLAKE2B_512, &params), "last node");
    node.last_node = 1;
    node.max_depth = 0;
    EXPECT(HW_E_RANGE, hw_hash_init(&hash, HW_BLAKE2B_512, &params), "depth");
    /* The struct of a program that was compiled before there were nodes is shorter, so the memory behind it is not
       read. */
    params.size = offsetof(hw_params, node);
    params.node = (const hw_node *)1;
    RUN(hw_hash_with(HW_BLAKE2B_512, &params, message, 9, out, 64), "the struct without a node");
    RUN(hw_hash(HW_BLAKE2B_512, message, 9, other, 64), "plain");
    CHECK(memcmp(out, other, 64) == 0, "the struct without a node");
}

static void kernels(void) {
    unsigned char expected[DIGEST], got[DIGEST];
    hw_kernel_info kernel;
    EACH_ALGORITHM(alg) {
        size_t digest = hw_output_len(alg), i;
        int chosen = 0;
        RUN(hw_hash(alg, message, 5000, expected, digest), "%s", hw_name(alg));
        for (i = 0; hw_kernel(alg, i, &kernel) == HW_OK; i++) {
            hw_params params = HW_PARAMS_INIT;
            params.kernel = kernel.name;
            hw_hash_state hash;
            chosen += kernel.chosen && !kernel.batch;
            if (kernel.batch) {
                continue;
            }
            if (!kernel.available) {
                EXPECT(HW_E_KERNEL_UNAVAILABLE, hw_hash_init(&hash, alg, &params), "%s", kernel.name);
                continue;
            }
            RUN(hw_hash_init(&hash, alg, &params), "%s", kernel.name);
            CHECK(strcmp(hw_hash_kernel(&hash), kernel.name) == 0, "%s", kernel.name);
            RUN(hw_hash_update(&hash, message, 5000), "%s", kernel.name);
            RUN(hw_hash_final(&hash, got, digest), "%s", kernel.name);
            CHECK(memcmp(expected, got, digest) == 0, "%s on %s", hw_name(alg), kernel.name);
        }
        CHECK(i > 0 && chosen == 1, "%s", hw_name(alg));
        EXPECT(HW_E_RANGE, hw_kernel(alg, i, &kernel), "%s", hw_name(alg));
    }
    EXPECT(HW_E_KERNEL, hw_force_kernel("quantum"), "no such kernel");
}

/* Fixes a kernel for the rest of the process, so it comes last. */
static void force(void) {
    hw_hash_state hash;
    RUN(hw_force_kernel("soft"), "force");
    RUN(hw_force_kernel("soft"), "twice");
    EXPECT(HW_E_KERNEL_FORCED, hw_force_kernel("blake3-crate"), "another");
    RUN(hw_hash_init(&hash, HW_SHA256, NULL), "forced");
    CHECK(strcmp(hw_hash_kernel(&hash), "soft") == 0, "%s", hw_hash_kernel(&hash));
}

static void streams(void) {
    enum { LEN = 5000 };
    unsigned char whole[LEN], got[LEN];
    EACH_ALGORITHM(alg) {
        hw_hash_state hash;
        hw_xof_state xof, copy;
        uint64_t position;
        RUN(hw_hash_init(&hash, alg, NULL), "%s", hw_name(alg));
        RUN(hw_hash_update(&hash, message, 300), "%s", hw_name(alg));
        if (hw_kind(alg) != HW_XOF) {
            EXPECT(HW_E_UNSUPPORTED, hw_xof_init(&xof, &hash), "%s", hw_name(alg));
            continue;
        }
        RUN(hw_hash(alg, message, 300, whole, LEN), "%s", hw_name(alg));
        size_t rate = hw_block_len(alg);
        size_t sizes[] = {0, 1, rate - 1, rate, rate + 1, 3 * rate, 1000};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t done = 0, step = sizes[s];
            RUN(hw_xof_init(&xof, &hash), "%s", hw_name(alg));
            while (done < LEN) {
                size_t n = step < LEN - done ? step : LEN - done;
                RUN(hw_xof_tell(&xof, &position), "%s", hw_name(alg));
                CHECK(position == done, "%s", hw_name(alg));
                memcpy(&copy, &xof, sizeof copy);
                RUN(hw_xof_read(&xof, got + done, n), "%s", hw_name(alg));
                unsigned char again[LEN];
                RUN(hw_xof_read(&copy, again, n), "%s", hw_name(alg));
                CHECK(memcmp(again, got + done, n) == 0, "%s: a copy reads the same", hw_name(alg));
                done += n;
                step = step ? step : 1;
            }
            CHECK(memcmp(got, whole, LEN) == 0, "%s by %zu", hw_name(alg), sizes[s]);
        }
        RUN(hw_xof_read(&xof, NULL, 0), "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_xof_read(&xof, NULL, 1), "%s", hw_name(alg));
        if (alg == HW_BLAKE3) {
            RUN(hw_xof_seek(&xof, 4000), "seek");
            RUN(hw_xof_read(&xof, got, 1000), "seek");
            CHECK(memcmp(got, whole + 4000, 1000) == 0, "seek");
            RUN(hw_xof_seek(&xof, (uint64_t)1 << 40), "seek far");
            RUN(hw_xof_read(&xof, got, 1), "read far");
            RUN(hw_xof_tell(&xof, &position), "tell far");
            CHECK(position == ((uint64_t)1 << 40) + 1, "tell far");
            /* The last byte has the number 2^64 - 2. The stream does not start again after it. */
            RUN(hw_xof_seek(&xof, UINT64_MAX - 1), "seek to the last byte");
            got[0] = got[1] = 7;
            EXPECT(HW_E_EXHAUSTED, hw_xof_read(&xof, got, 2), "two of one");
            CHECK(got[0] == 7 && got[1] == 7, "nothing is written");
            RUN(hw_xof_read(&xof, got, 1), "the last byte");
            EXPECT(HW_E_EXHAUSTED, hw_xof_read(&xof, got, 1), "past the last byte");
            EXPECT(HW_E_EXHAUSTED, hw_xof_read(&xof, got, LEN), "past the last byte");
            RUN(hw_xof_read(&xof, got, 0), "nothing");
            RUN(hw_xof_tell(&xof, &position), "tell the end");
            CHECK(position == UINT64_MAX, "tell the end");
        } else {
            EXPECT(HW_E_UNSUPPORTED, hw_xof_seek(&xof, 0), "%s", hw_name(alg));
        }
        /* Updates of the hash state do not change the stream. */
        RUN(hw_xof_init(&xof, &hash), "%s", hw_name(alg));
        RUN(hw_hash_update(&hash, message, 1), "%s", hw_name(alg));
        RUN(hw_xof_read(&xof, got, 100), "%s", hw_name(alg));
        CHECK(memcmp(got, whole, 100) == 0, "%s", hw_name(alg));
    }
}

/* Compares loops as in FIPS 203 (algorithm 7) and FIPS 204 (algorithms 30 and 14) with the library's function. */
static void rejection_sampling(void) {
    enum { N = 256 };
    static uint16_t kem[N];
    static uint32_t dsa[N];
    static uint64_t wide[N];
    static unsigned char eta[N];
    hw_hash_state hash;
    hw_xof_state xof, plain;
    unsigned char c[3], rest[8], expected[8];
    RUN(hw_hash_init(&hash, HW_SHAKE128, NULL), "SHAKE128");
    RUN(hw_hash_update(&hash, "rho", 3), "SHAKE128");
    RUN(hw_xof_init(&xof, &hash), "SHAKE128");
    plain = xof;
    RUN(hw_xof_ml_rej_uniform(&xof, 3329, 0, kem, sizeof *kem, N), "ML-KEM");
    for (size_t j = 0; j < N;) {
        RUN(hw_xof_read(&plain, c, 3), "ML-KEM");
        unsigned d[2] = {c[0] + 256U * (c[1] % 16U), c[1] / 16U + 16U * c[2]};
        for (int i = 0; i < 2; i++) {
            if (d[i] < 3329 && j < N) {
                CHECK(kem[j] == d[i], "coefficient %zu is %u, not %u", j, kem[j], d[i]);
                j++;
            }
        }
    }
    RUN(hw_xof_ml_rej_uniform(&xof, 8380417, 0, dsa, sizeof *dsa, N), "ML-DSA");
    for (size_t j = 0; j < N;) {
        RUN(hw_xof_read(&plain, c, 3), "ML-DSA");
        uint32_t z = 65536U * (c[2] % 128U) + 256U * c[1] + c[0];
        if (z < 8380417) {
            CHECK(dsa[j] == z, "coefficient %zu is %u, not %u", j, (unsigned)dsa[j], (unsigned)z);
            j++;
        }
    }
    RUN(hw_xof_ml_rej_uniform(&xof, 15, 0, eta, 1, N), "ML-DSA, eta");
    for (size_t j = 0; j < N;) {
        RUN(hw_xof_read(&plain, c, 1), "ML-DSA, eta");
        for (int i = 0; i < 2; i++) {
            unsigned half = i ? c[0] / 16U : c[0] % 16U;
            if (half < 15 && j < N) {
                CHECK(eta[j++] == half, "eta");
            }
        }
    }
    /* Afterwards, the stream is at the same position as after the loops. The output can be at any address. */
    HW_ALIGNAS(8) unsigned char room[8 * N + 1];
    hw_xof_state twin = xof;
    RUN(hw_xof_ml_rej_uniform(&xof, UINT64_MAX, 0, wide, sizeof *wide, N), "64 bits");
    RUN(hw_xof_ml_rej_uniform(&twin, UINT64_MAX, 64, room + 1, sizeof *wide, N), "64 bits");
    CHECK(memcmp(room + 1, wide, sizeof wide) == 0, "at an odd address");
    for (size_t j = 0; j < N; j++) {
        RUN(hw_xof_read(&plain, expected, 8), "64 bits");
        uint64_t number = 0;
        for (size_t i = 8; i-- > 0;) {
            number = number << 8 | expected[i];
        }
        CHECK(wide[j] == number, "64 bits");
    }
    twin = xof;
    memset(room, 7, sizeof room);
    EXPECT(HW_E_RANGE, hw_xof_ml_rej_uniform(&xof, 0, 0, room, 1, 1), "below");
    EXPECT(HW_E_RANGE, hw_xof_ml_rej_uniform(&xof, 257, 8, room, 2, 1), "bits");
    EXPECT(HW_E_RANGE, hw_xof_ml_rej_uniform(&xof, 2, 65, room, 1, 1), "bits");
    EXPECT(HW_E_RANGE, hw_xof_ml_rej_uniform(&xof, 2, 0, room, 3, 1), "item");
    EXPECT(HW_E_RANGE, hw_xof_ml_rej_uniform(&xof, 257, 0, room, 1, 1), "too large for the item");
    EXPECT(HW_E_LENGTH, hw_xof_ml_rej_uniform(&xof, 2, 0, room, 8, SIZE_MAX / 2), "longer than memory");
    EXPECT(HW_E_NULL, hw_xof_ml_rej_uniform(&xof, 2, 0, NULL, 1, 1), "nowhere");
    RUN(hw_xof_ml_rej_uniform(&xof, 2, 0, NULL, 1, 0), "nothing");
    uint64_t before, after;
    RUN(hw_xof_tell(&twin, &before), "tell");
    RUN(hw_xof_tell(&xof, &after), "tell");
    CHECK(room[0] == 7 && before == after, "nothing was written or read");
    RUN(hw_xof_ml_rej_uniform(&xof, 256, 0, room, 1, 1), "just fits the item");
    RUN(hw_hash_init(&hash, HW_BLAKE3, NULL), "BLAKE3");
    RUN(hw_xof_init(&xof, &hash), "BLAKE3");
    RUN(hw_xof_seek(&xof, UINT64_MAX - 7), "BLAKE3");
    twin = xof;
    EXPECT(HW_E_EXHAUSTED, hw_xof_ml_rej_uniform(&xof, 256, 0, room, 1, 70), "the end");
    CHECK(room[0] == 0 && room[69] == 0 && room[70] == 7, "zeros");
    RUN(hw_xof_read(&xof, rest, 7), "still there");
    RUN(hw_xof_read(&twin, expected, 7), "still there");
    CHECK(memcmp(rest, expected, 7) == 0, "the stream is where it was");
}

static void lockstep(void) {
    enum { COUNT = 11, LEN = 700 };
    static unsigned char got[COUNT * LEN], expected[LEN];
    const void *seeds[COUNT];
    size_t lengths[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        lengths[i] = i * 53 % 200;
        seeds[i] = lengths[i] ? message + i : NULL;
    }
    EACH_ALGORITHM(alg) {
        hw_streams_state *streams = NULL;
        if (hw_kind(alg) != HW_XOF) {
            EXPECT(HW_E_UNSUPPORTED, hw_streams_new(&streams, alg, NULL, seeds, lengths, COUNT), "%s", hw_name(alg));
            CHECK(!streams, "%s", hw_name(alg));
            continue;
        }
        RUN(hw_streams_new(&streams, alg, NULL, seeds, lengths, COUNT), "%s", hw_name(alg));
        CHECK(hw_streams_count(streams) == COUNT, "%s", hw_name(alg));
        static const size_t steps[] = {1, 168, 0, 31, 500};
        uint64_t done = 0, position;
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            RUN(hw_streams_read(streams, got, COUNT * steps[s]), "%s", hw_name(alg));
            for (size_t i = 0; i < COUNT; i++) {
                RUN(hw_hash(alg, seeds[i], lengths[i], expected, LEN), "%s", hw_name(alg));
                CHECK(memcmp(got + i * steps[s], expected + done, steps[s]) == 0, "%s, stream %zu", hw_name(alg), i);
            }
            done += steps[s];
            RUN(hw_streams_tell(streams, &position), "%s", hw_name(alg));
            CHECK(position == done, "%s", hw_name(alg));
        }
        EXPECT(HW_E_LENGTH, hw_streams_read(streams, got, COUNT * 3 + 1), "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_streams_read(streams, NULL, COUNT), "%s", hw_name(alg));
        EXPECT(HW_E_NULL, hw_streams_tell(streams, NULL), "%s", hw_name(alg));
        hw_streams_free(streams);
    }
    hw_streams_state *streams = NULL;
    hw_params params = HW_PARAMS_INIT;
    params.customization = "c", params.customization_len = 1;
    RUN(hw_streams_new(&streams, HW_CSHAKE128, &params, seeds, lengths, COUNT), "customisation");
    RUN(hw_streams_read(streams, got, COUNT * 8), "customisation");
    RUN(hw_hash_with(HW_CSHAKE128, &params, seeds[3], lengths[3], expected, 8), "customisation");
    CHECK(memcmp(got + 24, expected, 8) == 0, "customisation");
    hw_streams_free(streams);
    EXPECT(HW_E_UNSUPPORTED, hw_streams_new(&streams, HW_SHAKE128, &params, seeds, lengths, COUNT), "customisation");
    EXPECT(HW_E_ALGORITHM, hw_streams_new(&streams, 0, NULL, seeds, lengths, COUNT), "no algorithm");
    EXPECT(HW_E_NULL, hw_streams_new(&streams, HW_SHAKE128, NULL, NULL, lengths, 1), "no seeds");
    EXPECT(HW_E_NULL, hw_streams_new(NULL, HW_SHAKE128, NULL, seeds, lengths, 1), "nowhere");
    CHECK(!streams, "nothing to free");
    RUN(hw_streams_new(&streams, HW_SHAKE128, NULL, NULL, NULL, 0), "no streams");
    RUN(hw_streams_read(streams, NULL, 0), "no streams");
    hw_streams_free(streams);
    hw_streams_free(NULL);
}

/* Random streams by name. known_answers.c tests their output for a seed. */
static void sources(void) {
    enum { LEN = 9000 };
    static unsigned char whole[LEN], got[LEN];
    size_t count = 0;
    uint64_t low, high, jumps, spawned;
    for (const char *name; (name = hw_source_at(count)) != NULL; count++) {
        hw_source_state *source, *twin, *secret, *child;
        unsigned char key[32];
        RUN(hw_source_new(&source, name, "seed", 4, "use", 3), "%s", name);
        CHECK(strcmp(hw_source_name(source), name) == 0, "%s", name);
        RUN(hw_source_key(source, key, sizeof key, &jumps, &spawned), "%s", name);
        CHECK(jumps == 0 && spawned == 0, "%s", name);
        RUN(hw_source_new_key(&twin, name, key, sizeof key, 0, 0), "%s", name);
        RUN(hw_source_read(source, whole, LEN), "%s", name);
        RUN(hw_source_end(source, &low, &high), "%s", name);
        CHECK(high > 0 || low > LEN, "%s", name);

        /* Any mixture of calls returns the next bytes as big-endian numbers. */
        for (size_t at = 0, round = 0; at + 8 <= LEN; round++) {
            uint64_t number = 0, expected = 0;
            uint32_t half;
            double unit;
            size_t len = round % 4 == 1 ? 4 : 8;
            for (size_t i = 0; i < len; i++) {
                expected = expected << 8 | whole[at + i];
            }
            if (round % 4 == 0) {
                RUN(hw_source_next_u64(twin, &number), "%s", name);
            } else if (round % 4 == 1) {
                RUN(hw_source_next_u32(twin, &half), "%s", name);
                number = half;
            } else if (round % 4 == 2) {
                RUN(hw_source_next_double(twin, &unit), "%s", name);
                number = (uint64_t)(unit * 9007199254740992.0) << 11;
                expected = expected >> 11 << 11;
            } else {
                RUN(hw_source_read(twin, got, 8), "%s", name);
                CHECK(memcmp(got, whole + at, 8) == 0, "%s at %zu", name, at);
                number = expected;
            }
            CHECK(number == expected, "%s at %zu", name, at);
            at += len;
            RUN(hw_source_tell(twin, &low, NULL), "%s", name);
            CHECK(low == at, "%s", name);
        }
        static const size_t places[] = {5000, 3, 8192, 0, 4097};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            RUN(hw_source_seek(twin, places[i], 0), "%s", name);
            RUN(hw_source_read(twin, got, 100), "%s", name);
            CHECK(memcmp(got, whole + places[i], 100) == 0, "%s at %zu", name, places[i]);
        }
        CHECK(hw_source_is_seekable(twin) == (strcmp(name, "counter") == 0 || strcmp(name, "blake3") == 0), "%s", name);

        /* Nothing can be read after the end. */
        RUN(hw_source_end(source, &low, &high), "%s", name);
        memset(got, 7, 8);
        EXPECT(HW_E_EXHAUSTED, hw_source_seek(source, low + 1, low == UINT64_MAX ? high + 1 : high), "%s", name);
        if (hw_source_is_seekable(source)) {
            uint64_t number = 7;
            RUN(hw_source_seek(source, low - 4, low < 4 ? high - 1 : high), "%s", name);
            EXPECT(HW_E_EXHAUSTED, hw_source_read(source, got, 5), "%s", name);
            CHECK(got[0] == 0 && got[4] == 0 && got[5] == 7, "%s", name);
            EXPECT(HW_E_EXHAUSTED, hw_source_next_u64(source, &number), "%s", name);
            CHECK(number == 0, "%s", name);
            if (high > 0) {
                EXPECT(HW_E_RANGE, hw_source_tell(source, &low, NULL), "%s", name);
            }
            RUN(hw_source_read(source, got, 4), "%s", name);
        }

        /* Children and jumps are different streams, and streams that the operating system seeds differ each time. */
        unsigned char first[6][16];
        RUN(hw_source_seek(source, 0, 0), "%s", name);
        RUN(hw_source_read(source, first[0], 16), "%s", name);
        RUN(hw_source_spawn(source, &child), "%s", name);
        RUN(hw_source_read(child, first[1], 16), "%s", name);
        hw_source_free(child);
        RUN(hw_source_key(source, key, sizeof key, &jumps, &spawned), "%s", name);
        CHECK(spawned == 1, "%s", name);
        RUN(hw_source_jumped(source, 3, &child), "%s", name);
        RUN(hw_source_read(child, first[2], 16), "%s", name);
        RUN(hw_source_key(child, key, sizeof key, &jumps, &spawned), "%s", name);
        CHECK(jumps == 3, "%s", name);
        EXPECT(HW_E_RANGE, hw_source_jumped(child, UINT64_MAX, &secret), "%s", name);
        CHECK(!secret, "%s", name);
        hw_source_free(child);
        RUN(hw_source_seed_others(source, first[3], 16), "%s", name);
        RUN(hw_source_new_os(&secret, name, NULL, 0), "%s", name);
        RUN(hw_source_read(secret, first[4], 16), "%s", name);
        EXPECT(HW_E_UNSUPPORTED, hw_source_seek(secret, 0, 0), "%s", name);
        EXPECT(HW_E_UNSUPPORTED, hw_source_key(secret, key, sizeof key, &jumps, &spawned), "%s", name);
        RUN(hw_source_spawn(secret, &child), "%s", name);
        RUN(hw_source_read(child, first[5], 16), "%s", name);
        hw_source_free(child);
        for (size_t i = 0; i < 6; i++) {
            for (size_t j = 0; j < i; j++) {
                CHECK(memcmp(first[i], first[j], 16) != 0, "%s: %zu and %zu", name, i, j);
            }
        }
        EXPECT(HW_E_LENGTH, hw_source_key(source, key, 31, &jumps, &spawned), "%s", name);
        EXPECT(HW_E_NULL, hw_source_key(source, key, 32, NULL, &spawned), "%s", name);
        EXPECT(HW_E_NULL, hw_source_next_u64(source, NULL), "%s", name);
        EXPECT(HW_E_NULL, hw_source_tell(source, NULL, NULL), "%s", name);
        hw_source_free(source);
        hw_source_free(twin);
        hw_source_free(secret);
    }
    CHECK(count > 20 && !hw_source_at(SIZE_MAX), "%zu sources", count);
    hw_source_state *none;
    EXPECT(HW_E_ALGORITHM, hw_source_new(&none, "md5", "s", 1, NULL, 0), "name");
    CHECK(!none, "nothing to free");
    EXPECT(HW_E_UNSUPPORTED, hw_source_new(&none, "sha256", "s", 1, NULL, 0), "a digest");
    EXPECT(HW_E_UNSUPPORTED, hw_source_new_os(&none, "hmac-drbg-shake128", NULL, 0), "no HMAC");
    EXPECT(HW_E_TEXT, hw_source_new(&none, "\xff", "s", 1, NULL, 0), "name");
    EXPECT(HW_E_NULL, hw_source_new(&none, NULL, "s", 1, NULL, 0), "name");
    EXPECT(HW_E_NULL, hw_source_new(&none, "counter", NULL, 1, NULL, 0), "seed");
    EXPECT(HW_E_NULL, hw_source_new(NULL, "counter", "s", 1, NULL, 0), "nowhere");
    EXPECT(HW_E_LENGTH, hw_source_new_key(&none, "counter", message, 31, 0, 0), "key");
    RUN(hw_source_new(&none, "K12", NULL, 0, NULL, 0), "an alias, and an empty seed");
    CHECK(strcmp(hw_source_name(none), "kt128") == 0, "canonical name");
    EXPECT(HW_E_STATE, hw_streams_read((hw_streams_state *)(void *)none, got, 1), "another kind");
    hw_source_free(none);
    hw_source_free(NULL);
}

static void tags(void) {
    unsigned char tag[DIGEST], got[DIGEST];
    EACH_ALGORITHM(alg) {
        size_t len = hw_output_len(alg), block = hw_block_len(alg);
        hw_hmac_state hmac, copy;
        if (!hw_has_hmac(alg)) {
            EXPECT(HW_E_UNSUPPORTED, hw_hmac_init(&hmac, alg, "k", 1), "%s", hw_name(alg));
            EXPECT(HW_E_UNSUPPORTED, hw_hmac(alg, "k", 1, NULL, 0, tag, len), "%s", hw_name(alg));
            continue;
        }
        size_t keys[] = {0, 1, block - 1, block, block + 1, 300};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            RUN(hw_hmac(alg, message, keys[k], message, 5000, tag, len), "%s", hw_name(alg));
            RUN(hw_hmac_init(&hmac, alg, message, keys[k]), "%s", hw_name(alg));
            RUN(hw_hmac_update(&hmac, message, 77), "%s", hw_name(alg));
            memcpy(&copy, &hmac, sizeof copy);
            hw_hmac_wipe(&hmac);
            RUN(hw_hmac_update(&copy, message + 77, 5000 - 77), "%s", hw_name(alg));
            RUN(hw_hmac_verify(&copy, tag, len), "%s, key of %zu", hw_name(alg), keys[k]);
            RUN(hw_hmac_final(&copy, got, len / 2), "%s", hw_name(alg));
            CHECK(memcmp(got, tag, len / 2) == 0, "%s", hw_name(alg));
            RUN(hw_hmac_reset(&copy), "%s", hw_name(alg));
            RUN(hw_hmac_update(&copy, message, 5000), "%s", hw_name(alg));
            RUN(hw_hmac_verify(&copy, tag, len), "%s", hw_name(alg));
        }
        EXPECT(HW_E_MISMATCH, hw_hmac_verify(&copy, tag, len - 1), "%s: truncated", hw_name(alg));
        EXPECT(HW_E_MISMATCH, hw_hmac_verify(&copy, NULL, 0), "%s: empty", hw_name(alg));
        for (size_t bit = 0; bit < 8 * len; bit++) {
            tag[bit / 8] ^= (unsigned char)(1 << bit % 8);
            EXPECT(HW_E_MISMATCH, hw_hmac_verify(&copy, tag, len), "%s: bit %zu", hw_name(alg), bit);
            tag[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        EXPECT(HW_E_LENGTH, hw_hmac_final(&copy, got, 0), "%s", hw_name(alg));
        EXPECT(HW_E_LENGTH, hw_hmac(alg, "k", 1, NULL, 0, got, len + 1), "%s", hw_name(alg));
    }
    for (int bits = 128; bits <= 256; bits += 128) {
        hw_kmac_state kmac;
        hw_xof_state xof;
        RUN(hw_kmac(bits, "key", 3, "c", 1, message, 500, tag, 50), "KMAC");
        RUN(hw_kmac_init(&kmac, bits, "key", 3, "c", 1), "KMAC");
        RUN(hw_kmac_update(&kmac, message, 200), "KMAC");
        RUN(hw_kmac_update(&kmac, message + 200, 300), "KMAC");
        RUN(hw_kmac_verify(&kmac, tag, 50), "KMAC");
        EXPECT(HW_E_MISMATCH, hw_kmac_verify(&kmac, tag, 49), "another length is another tag");
        EXPECT(HW_E_MISMATCH, hw_kmac_verify(&kmac, tag, 0), "empty");
        RUN(hw_xof_init_kmac(&xof, &kmac), "KMACXOF");
        RUN(hw_xof_read(&xof, got, 50), "KMACXOF");
        CHECK(memcmp(got, tag, 50) != 0, "KMACXOF is not KMAC");
        RUN(hw_kmac_reset(&kmac), "KMAC");
        RUN(hw_kmac_update(&kmac, message, 500), "KMAC");
        RUN(hw_kmac_verify(&kmac, tag, 50), "KMAC");
    }
    EXPECT(HW_E_MISMATCH, hw_compare("abc", "abd", 3), "compare");
    RUN(hw_compare("abc", "abd", 2), "compare");
}

static void many(void) {
    enum { COUNT = 130 };
    static unsigned char out[COUNT * 100], expected[100];
    const void *pointers[COUNT];
    size_t lengths[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        lengths[i] = i * 37 % 500;
        pointers[i] = lengths[i] ? message + i : NULL;
    }
    EACH_ALGORITHM(alg) {
        size_t digest = hw_kind(alg) == HW_XOF ? 100 : hw_output_len(alg);
        RUN(hw_hash_many(alg, NULL, pointers, lengths, COUNT, out, COUNT * digest), "%s", hw_name(alg));
        for (size_t i = 0; i < COUNT; i++) {
            RUN(hw_hash(alg, pointers[i], lengths[i], expected, digest), "%s", hw_name(alg));
            CHECK(memcmp(out + i * digest, expected, digest) == 0, "%s, message %zu", hw_name(alg), i);
        }
        EXPECT(HW_E_LENGTH, hw_hash_many(alg, NULL, pointers, lengths, COUNT, out, COUNT * digest - 1), "%s",
               hw_name(alg));
        RUN(hw_hash_many(alg, NULL, NULL, NULL, 0, NULL, 0), "%s", hw_name(alg));
        if (hw_has_hmac(alg)) {
            size_t len = hw_output_len(alg);
            RUN(hw_hmac_many(alg, pointers, lengths, COUNT, pointers, lengths, COUNT, out, COUNT * len), "%s",
                hw_name(alg));
            for (size_t i = 0; i < COUNT; i += 9) {
                RUN(hw_hmac(alg, pointers[i], lengths[i], pointers[i], lengths[i], expected, len), "%s", hw_name(alg));
                CHECK(memcmp(out + i * len, expected, len) == 0, "%s, message %zu", hw_name(alg), i);
            }
            EXPECT(HW_E_RANGE, hw_hmac_many(alg, pointers, lengths, 2, pointers, lengths, 3, out, 3 * len), "%s",
                   hw_name(alg));
        }
    }
    EXPECT(HW_E_NULL, hw_hash_many(HW_SHA256, NULL, NULL, lengths, 1, out, 32), "no messages");
    EXPECT(HW_E_NULL, hw_hash_many(HW_SHA256, NULL, pointers, NULL, 1, out, 32), "no lengths");
}

/* Outputs that overlap inputs. */
static void overlap(void) {
    unsigned char buffer[300], expected[300];
    EACH_ALGORITHM(alg) {
        size_t digest = hw_kind(alg) == HW_XOF ? 250 : hw_output_len(alg);
        for (size_t at = 0; at < 40; at += 13) {
            memcpy(buffer, message, sizeof buffer);
            RUN(hw_hash(alg, message, 200, expected, digest), "%s", hw_name(alg));
            RUN(hw_hash(alg, buffer, 200, buffer + at, digest), "%s", hw_name(alg));
            CHECK(memcmp(buffer + at, expected, digest) == 0, "%s at %zu", hw_name(alg), at);
            memcpy(buffer, message, sizeof buffer);
            RUN(hw_hash_with(alg, NULL, buffer, 200, buffer + at, digest), "%s", hw_name(alg));
            CHECK(memcmp(buffer + at, expected, digest) == 0, "%s at %zu", hw_name(alg), at);
        }
        if (hw_has_hmac(alg)) {
            size_t len = hw_output_len(alg);
            memcpy(buffer, message, sizeof buffer);
            RUN(hw_hmac(alg, message, 50, message, 50, expected, len), "%s", hw_name(alg));
            RUN(hw_hmac(alg, buffer, 50, buffer, 50, buffer, len), "%s: key, message and tag", hw_name(alg));
            CHECK(memcmp(buffer, expected, len) == 0, "%s", hw_name(alg));
        }
    }
    memcpy(buffer, message, sizeof buffer);
    RUN(hw_kmac(128, message, 50, message, 50, message, 50, expected, 200), "KMAC");
    RUN(hw_kmac(128, buffer, 50, buffer, 50, buffer, 50, buffer, 200), "KMAC");
    CHECK(memcmp(buffer, expected, 200) == 0, "KMAC");
    memcpy(buffer, message, sizeof buffer);
    RUN(hw_hkdf(HW_SHA256, message, 50, message, 50, "info", 4, expected, 200), "HKDF");
    RUN(hw_hkdf(HW_SHA256, buffer, 50, buffer, 50, "info", 4, buffer, 200), "HKDF over its key and salt");
    CHECK(memcmp(buffer, expected, 200) == 0, "HKDF");
    EXPECT(HW_E_OVERLAP, hw_hkdf(HW_SHA256, "k", 1, NULL, 0, buffer + 10, 9, buffer, 11), "HKDF over info");
    EXPECT(HW_E_OVERLAP, hw_hkdf_expand(HW_SHA256, buffer, 32, NULL, 0, buffer + 31, 9), "HKDF over its key");
    EXPECT(HW_E_RANGE, hw_hkdf(HW_SHA256, "k", 1, NULL, 0, NULL, 0, message, 255 * 32 + 1), "HKDF of 256 blocks");

    const void *pointers[2] = {buffer, buffer + 100};
    size_t lengths[2] = {100, 100};
    EXPECT(HW_E_OVERLAP, hw_hash_many(HW_SHA256, NULL, pointers, lengths, 2, buffer + 199, 64), "many");
    RUN(hw_hash_many(HW_SHA256, NULL, pointers, lengths, 2, buffer + 200, 64), "side by side");
    EXPECT(HW_E_OVERLAP, hw_hmac_many(HW_SHA256, pointers, lengths, 2, pointers, lengths, 1, buffer, 64), "many");
}

static int counting_entropy(void *context, void *out, size_t len) {
    unsigned char *next = (unsigned char *)context;
    for (size_t i = 0; i < len; i++) {
        ((unsigned char *)out)[i] = (*next)++;
    }
    return 0;
}

static int no_entropy(void *context, void *out, size_t len) {
    (void)context, (void)out, (void)len;
    return -1;
}

static void generators(void) {
    enum { LONG = 3 * 65536 + 5 };
    unsigned char out[200], other[200];
    unsigned char *first = (unsigned char *)allocate(LONG), *second = (unsigned char *)allocate(LONG);
    EACH_ALGORITHM(alg) {
        hw_drbg_state drbg, copy;
        if (!hw_has_hmac(alg)) {
            EXPECT(HW_E_UNSUPPORTED, hw_drbg_init(&drbg, alg, message, 32, message, 16, NULL), "%s", hw_name(alg));
            continue;
        }
        RUN(hw_drbg_self_test(alg), "%s", hw_name(alg));
        RUN(hw_drbg_init(&drbg, alg, message, 32, message + 32, 16, NULL), "%s", hw_name(alg));
        copy = drbg;
        RUN(hw_drbg_generate(&drbg, out, 200, "additional", 10), "%s", hw_name(alg));
        RUN(hw_drbg_generate(&copy, other, 200, "additional", 10), "%s", hw_name(alg));
        CHECK(memcmp(out, other, 200) == 0, "%s: a copy repeats", hw_name(alg));

        /* A generator with the caller's HMAC gives the same output. */
        struct foreign own = {alg, -1};
        hw_drbg_custom_state custom;
        size_t len = hw_output_len(alg);
        RUN(hw_drbg_custom_init(&custom, len, own_hmac, &own, message, 32, message + 32, 16, NULL), "%s", hw_name(alg));
        CHECK(hw_drbg_custom_strength(&custom) == hw_drbg_strength(&drbg), "%s", hw_name(alg));
        RUN(hw_drbg_custom_generate(&custom, other, 200, "additional", 10), "%s", hw_name(alg));
        CHECK(memcmp(out, other, 200) == 0, "%s: own HMAC", hw_name(alg));
        RUN(hw_drbg_custom_reseed(&custom, message, 32, "more", 4), "%s", hw_name(alg));
        RUN(hw_drbg_reseed(&drbg, message, 32, "more", 4), "%s", hw_name(alg));
        RUN(hw_drbg_fill(&drbg, first, LONG, NULL, 0), "%s", hw_name(alg));
        RUN(hw_drbg_custom_fill(&custom, second, LONG, NULL, 0), "%s", hw_name(alg));
        CHECK(memcmp(first, second, LONG) == 0, "%s: long output", hw_name(alg));
        CHECK(hw_drbg_requests_left(&drbg) == ((uint64_t)1 << 48) - 4, "%s", hw_name(alg));
        CHECK(hw_drbg_custom_requests_left(&custom) == hw_drbg_requests_left(&drbg), "%s", hw_name(alg));

        /* A failure in any call of the caller's HMAC. */
        for (long calls = 0; calls < 30; calls++) {
            struct foreign failing = {alg, -1};
            RUN(hw_drbg_custom_init(&custom, len, own_hmac, &failing, message, 32, message, 16, NULL), "%ld", calls);
            failing.calls_left = calls;
            memset(out, 7, sizeof out);
            int code = hw_drbg_custom_generate(&custom, out, 70, "a", 1);
            if (code == HW_OK) {
                CHECK(calls >= 10, "%s: fewer calls than SP 800-90A has", hw_name(alg));
                break;
            }
            CHECK(code == HW_E_CALLBACK && out[0] == 0 && out[69] == 0 && out[70] == 7, "%ld calls", calls);
            EXPECT(HW_E_STATE, hw_drbg_custom_generate(&custom, out, 1, NULL, 0), "wiped");
        }
        hw_drbg_custom_state none;
        memset(&none, 0, sizeof none);
        EXPECT(HW_E_CALLBACK, hw_drbg_custom_init(&none, len, failing_hmac, NULL, message, 32, message, 16, NULL), "%s",
               hw_name(alg));
        EXPECT(HW_E_STATE, hw_drbg_custom_generate(&none, out, 1, NULL, 0), "never made");
    }

    hw_drbg_state drbg;
    const hw_drbg_params plain = HW_DRBG_PARAMS_INIT;
    hw_drbg_params params = plain;
    EXPECT(HW_E_RANGE, hw_drbg_init(&drbg, HW_SHA256, message, 31, message, 16, NULL), "short entropy");
    EXPECT(HW_E_RANGE, hw_drbg_init(&drbg, HW_SHA256, message, 32, message, 15, NULL), "short nonce");
    RUN(hw_drbg_init_unchecked(&drbg, HW_SHA256, NULL, 0, NULL, 0, NULL), "empty seed");
    EXPECT(HW_E_RANGE, hw_drbg_generate(&drbg, first, 65537, NULL, 0), "long request");
    EXPECT(HW_E_OVERLAP, hw_drbg_generate(&drbg, out, 50, out + 49, 1), "overlap");
    params.size = 3;
    EXPECT(HW_E_PARAMS, hw_drbg_init(&drbg, HW_SHA256, message, 32, message, 16, &params), "size");
    params = plain;
    params.strength = 256;
    EXPECT(HW_E_RANGE, hw_drbg_init(&drbg, HW_SHA1, message, 32, message, 16, &params), "strength");
    params.reseed_interval = 2;
    RUN(hw_drbg_init(&drbg, HW_SHA256, message, 32, message, 16, &params), "interval");
    RUN(hw_drbg_generate(&drbg, out, 1, NULL, 0), "first");
    RUN(hw_drbg_generate(&drbg, out, 1, NULL, 0), "second");
    EXPECT(HW_E_RESEED, hw_drbg_generate(&drbg, out, 1, NULL, 0), "third");
    EXPECT(HW_E_RESEED, hw_drbg_fill(&drbg, out, 1, NULL, 0), "third");
    EXPECT(HW_E_PREDICTION_RESISTANCE, hw_drbg_generate_from(&drbg, NULL, NULL, 1, out, 1, NULL, 0), "not made for it");
    EXPECT(HW_E_ENTROPY, hw_drbg_generate_from(&drbg, no_entropy, NULL, 0, out, 1, NULL, 0), "no entropy");
    RUN(hw_drbg_generate_from(&drbg, NULL, NULL, 0, out, 1, NULL, 0), "reseeds from the system");
    CHECK(hw_drbg_requests_left(&drbg) == 1, "reseeded");

    /* Entropy from a callback gives the same output as entropy in the arguments. */
    unsigned char next = 0, counted[80];
    for (size_t i = 0; i < sizeof counted; i++) {
        counted[i] = (unsigned char)i;
    }
    params = plain;
    params.prediction_resistance = 1;
    hw_drbg_state handed;
    RUN(hw_drbg_init_from(&drbg, HW_SHA512, counting_entropy, &next, &params), "source");
    RUN(hw_drbg_init(&handed, HW_SHA512, counted, 32, counted + 32, 16, &params), "handed over");
    RUN(hw_drbg_generate_from(&drbg, counting_entropy, &next, 1, out, 100, "a", 1), "source");
    RUN(hw_drbg_reseed(&handed, counted + 48, 32, "a", 1), "handed over");
    RUN(hw_drbg_generate(&handed, other, 100, NULL, 0), "handed over");
    CHECK(memcmp(out, other, 100) == 0, "prediction resistance");
    EXPECT(HW_E_ENTROPY, hw_drbg_init_from(&drbg, HW_SHA512, no_entropy, NULL, &params), "no entropy");
    RUN(hw_drbg_init_from(&drbg, HW_SHA512, NULL, NULL, NULL), "the system's");

    struct foreign own = {HW_SHA256, -1};
    hw_drbg_custom_state custom;
    EXPECT(HW_E_NULL, hw_drbg_custom_init(&custom, 32, NULL, NULL, message, 32, message, 16, NULL), "no function");
    EXPECT(HW_E_RANGE, hw_drbg_custom_init(&custom, 19, own_hmac, &own, message, 32, message, 16, NULL), "short tag");
    EXPECT(HW_E_RANGE, hw_drbg_custom_init(&custom, 65, own_hmac, &own, message, 32, message, 16, NULL), "long tag");
    RUN(hw_drbg_custom_init_unchecked(&custom, 32, own_hmac, &own, NULL, 0, NULL, 0, NULL), "empty seed");

    hw_random_state random, second_random;
    RUN(hw_random_init(&random, HW_SHA256, NULL), "random");
    RUN(hw_random_init(&second_random, HW_SHA256, NULL), "random");
    RUN(hw_random_read(&random, out, 200), "random");
    RUN(hw_random_read(&second_random, other, 200), "random");
    CHECK(memcmp(out, other, 200) != 0, "two generators give the same 200 bytes");
    RUN(hw_random_reseed(&random, "x", 1), "random");
    RUN(hw_random_read(&random, first, LONG), "long");
    free(first);
    free(second);
}

static void on_the_heap(void) {
    unsigned char out[DIGEST];
    hw_hash_state *hash = NULL;
    hw_xof_state *xof;
    hw_hmac_state *hmac;
    hw_kmac_state *kmac;
    hw_drbg_state *drbg;
    hw_drbg_custom_state *custom;
    hw_random_state *random;
    struct foreign own = {HW_SHA256, -1};
    RUN(hw_hash_new(&hash, HW_SHAKE128, NULL), "hash");
    RUN(hw_xof_new(&xof, hash), "xof");
    RUN(hw_xof_read(xof, out, 32), "xof");
    RUN(hw_hmac_new(&hmac, HW_SHA256, "k", 1), "hmac");
    RUN(hw_hmac_final(hmac, out, 32), "hmac");
    RUN(hw_kmac_new(&kmac, 256, "k", 1, NULL, 0), "kmac");
    RUN(hw_kmac_final(kmac, out, 32), "kmac");
    RUN(hw_drbg_new(&drbg, HW_SHA256, message, 32, message, 16, NULL), "drbg");
    RUN(hw_drbg_generate(drbg, out, 32, NULL, 0), "drbg");
    RUN(hw_drbg_custom_new(&custom, 32, own_hmac, &own, message, 32, message, 16, NULL), "custom");
    RUN(hw_drbg_custom_generate(custom, out, 32, NULL, 0), "custom");
    RUN(hw_random_new(&random, HW_SHA512, NULL), "random");
    RUN(hw_random_read(random, out, 32), "random");
    hw_hash_free(hash);
    hw_xof_free(xof);
    hw_hmac_free(hmac);
    hw_kmac_free(kmac);
    hw_drbg_free(drbg);
    hw_drbg_custom_free(custom);
    hw_random_free(random);
    EXPECT(HW_E_ALGORITHM, hw_hash_new(&hash, 0, NULL), "hash");
    CHECK(hash == NULL, "nothing to free");
}

/* The interface of the original project. Every mode gives the same digests. */
static void original(void) {
    enum { COUNT = 150 };
    static const unsigned char abc[32] = {0x41, 0x09, 0xb0, 0x14, 0x65, 0xa0, 0x49, 0x7e, 0x66, 0x6f, 0x43,
                                          0xa5, 0xcd, 0x87, 0x90, 0x4f, 0x54, 0xea, 0x34, 0x05, 0x9b, 0xf2,
                                          0x3b, 0xc7, 0x26, 0x0c, 0x7f, 0xc9, 0x0c, 0xcf, 0x32, 0x30};
    static const sha256_90r_mode_t modes[] = {SHA256_90R_MODE_SECURE, SHA256_90R_MODE_ACCEL, SHA256_90R_MODE_FAST};
    static uint8_t digests[COUNT][32];
    uint8_t digest[32];
    const uint8_t *messages[COUNT];
    uint8_t *hashes[COUNT];
    size_t lengths[COUNT];
    sha256_90r_hash((const uint8_t *)"abc", 3, digest);
    CHECK(memcmp(digest, abc, 32) == 0, "abc");
    for (size_t m = 0; m < 3; m++) {
        SHA256_90R_CTX *ctx = sha256_90r_new(modes[m]);
        CHECK(ctx, "no memory");
        sha256_90r_update(ctx, (const uint8_t *)"a", 1);
        sha256_90r_update(ctx, (const uint8_t *)"bc", 2);
        sha256_90r_final(ctx, digest);
        sha256_90r_free(ctx);
        CHECK(memcmp(digest, abc, 32) == 0, "mode %zu", m);
        sha256_90r_hash_mode((const uint8_t *)"abc", 3, digest, modes[m]);
        CHECK(memcmp(digest, abc, 32) == 0, "mode %zu", m);
        for (size_t i = 0; i < COUNT; i++) {
            messages[i] = message + i;
            lengths[i] = i;
            hashes[i] = digests[COUNT - 1 - i];
        }
        memset(digests, 0, sizeof digests);
        sha256_90r_batch(messages, lengths, hashes, COUNT, modes[m]);
        for (size_t i = 0; i < COUNT; i++) {
            sha256_90r_hash(messages[i], lengths[i], digest);
            CHECK(memcmp(hashes[i], digest, 32) == 0, "mode %zu, message %zu", m, i);
        }
    }
}

/* Compares a message of 2^32 + 1 bytes in one call, and in two calls whose lengths add up to more than 32 bits (1 byte,
   then 2^32 - 1: CVE-2022-37454), with the same message in pieces of 64 MiB. */
static void beyond_4_gib(void) {
    if (sizeof(size_t) <= 4) {
        return;
    }
    const size_t len = ((size_t)1 << 32) + 1, piece = (size_t)1 << 26;
    unsigned char *zeros = (unsigned char *)calloc(len, 1), expected[DIGEST], got[DIGEST];
    CHECK(zeros, "no memory");
    EACH_ALGORITHM(alg) {
        size_t digest = hw_output_len(alg);
        hw_hash_state hash;
        RUN(hw_hash_init(&hash, alg, NULL), "%s", hw_name(alg));
        for (size_t done = 0; done < len; done += piece) {
            RUN(hw_hash_update(&hash, zeros, piece < len - done ? piece : len - done), "%s", hw_name(alg));
        }
        RUN(hw_hash_final(&hash, expected, digest), "%s", hw_name(alg));
        RUN(hw_hash(alg, zeros, len, got, digest), "%s", hw_name(alg));
        CHECK(memcmp(got, expected, digest) == 0, "%s at once", hw_name(alg));
        RUN(hw_hash_init(&hash, alg, NULL), "%s", hw_name(alg));
        RUN(hw_hash_update(&hash, zeros, 1), "%s", hw_name(alg));
        RUN(hw_hash_update(&hash, zeros, len - 2), "%s", hw_name(alg));
        RUN(hw_hash_update(&hash, zeros, 1), "%s", hw_name(alg));
        RUN(hw_hash_final(&hash, got, digest), "%s", hw_name(alg));
        CHECK(memcmp(got, expected, digest) == 0, "%s, 1 and 2^32 - 1 bytes", hw_name(alg));
        fprintf(stderr, "%s: 4 GiB and a byte\n", hw_name(alg));
    }
    free(zeros);
}

int main(void) {
    const char *slow = getenv("SLOW");
    fill_mod251(message, sizeof message);
    layout();
    registry();
    wrong_numbers();
    pieces_copies_and_moves();
    beginning_again();
    alignment();
    not_states();
    null_pointers();
    parameters();
    kernels();
    streams();
    rejection_sampling();
    lockstep();
    sources();
    tags();
    many();
    overlap();
    generators();
    on_the_heap();
    original();
    if (slow && strcmp(slow, "1") == 0) {
        beyond_4_gib();
    }
    force();
    return EXIT_SUCCESS;
}
