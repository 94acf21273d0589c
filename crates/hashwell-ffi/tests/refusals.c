/* Tests allocation failures in every function of hashwell.h. In one run, a single allocation of the call fails; in
   another run, this one and all later ones. The call returns HW_E_MEMORY, leaves its outputs and states unchanged and leaks nothing,
   so that the same call then gives the right answer. Or it works without that memory and gives the right answer
   immediately. `aborts` lists the allocations whose failure ends the process. They are documented in docs/guides/c.md.

   The texts of errors inside the library are omitted if there is no memory for them.

   `refusals --list` prints the functions that are called here; run.py compares them with those of the library.

   The test defines malloc, free and so on itself; they call glibc's allocator. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __GLIBC__

int main(int count, char **arguments) {
    (void)arguments;
    fputs(count == 1 ? "skipped: no glibc, whose allocator could be replaced" : "", stdout);
    return EXIT_SUCCESS;
}

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *place, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *place);

/* If `watched`, allocations are counted in `asked`, and allocation number `refused` fails. If `lasting`, all later
   allocations fail, too. */
static int watched, lasting;
static long asked, refused;
/* The number of allocated blocks that were not freed. */
static long held;

static int refuses(void) {
    if (!watched) {
        return 0;
    }
    long own = asked++;
    return own == refused || (lasting && own > refused);
}

static void *counted(void *place) {
    held += place != NULL;
    return place;
}

void *malloc(size_t size) {
    return refuses() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return refuses() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *place, size_t size) {
    if (refuses()) {
        return NULL;
    }
    return place ? __libc_realloc(place, size) : counted(__libc_malloc(size));
}

void *memalign(size_t align, size_t size) {
    return refuses() ? NULL : counted(__libc_memalign(align, size));
}

void *aligned_alloc(size_t align, size_t size) {
    return memalign(align, size);
}

int posix_memalign(void **place, size_t align, size_t size) {
    void *made = memalign(align, size);
    if (!made) {
        return ENOMEM;
    }
    *place = made;
    return 0;
}

void free(void *place) {
    held -= place != NULL;
    __libc_free(place);
}

/* ---------------------------------------------------------------- arguments of the calls */

enum { MESSAGE = 20000, MANY = 20, OUT = 4096, DIGEST = 64, SEED = 48 };
static unsigned char message[MESSAGE];
static const void *pieces[MANY];
static size_t lengths[MANY];

/* The algorithms and the source of this variant. */
static hw_algorithm any, xof, mac;
static const char *source;
static hw_params params;
static hw_drbg_params drbg_params;

/* States in plain memory, which a failed call must not change. */
static struct states {
    hw_hash_state hash;
    hw_xof_state xof;
    hw_hmac_state hmac;
    hw_kmac_state kmac;
    hw_drbg_state drbg;
    hw_drbg_custom_state custom;
    hw_random_state random;
} states, before;

static hw_source_state *stream;
static hw_streams_state *streams;

/* Results of the calls. */
static hw_hash_state *new_hash;
static hw_xof_state *new_xof;
static hw_hmac_state *new_hmac;
static hw_kmac_state *new_kmac;
static hw_drbg_state *new_drbg;
static hw_drbg_custom_state *new_custom;
static hw_random_state *new_random;
static hw_source_state *new_stream;
static hw_streams_state *new_streams;
static unsigned char out[OUT];
static unsigned char tag[DIGEST];
static uint64_t low, high;
static unsigned char saved[HW_HASH_EXPORT_MAX];
static unsigned char saved_keyed[HW_HASH_EXPORT_MAX], saved_hmac[HW_HASH_EXPORT_MAX], saved_kmac[HW_HASH_EXPORT_MAX];
static size_t saved_len, saved_keyed_len, saved_hmac_len, saved_kmac_len, written;
/* Only a state without parameters can be saved with hw_hash_export. */
static hw_hash_state plain, keyed;

static int entropy(void *context, void *to, size_t len) {
    (void)context;
    memset(to, 0x5a, len);
    return 0;
}

/* HMAC-SHA256 as a caller's function. */
static int own_hmac(void *context, const void *key, size_t key_len, const void *const *texts, const size_t *lens,
                    size_t count, void *to) {
    hw_hmac_state hmac;
    (void)context;
    int code = hw_hmac_init(&hmac, HW_SHA256, key, key_len);
    for (size_t i = 0; i < count && code == HW_OK; i++) {
        code = hw_hmac_update(&hmac, texts[i], lens[i]);
    }
    return code == HW_OK ? hw_hmac_final(&hmac, to, 32) : code;
}

static size_t digest_len(hw_algorithm alg) {
    return hw_output_len(alg);
}

/* Results of all types are copied to `out`, so that they can be compared. */
static int text(const char *said) {
    size_t len = said ? strlen(said) + 1 : 0;
    CHECK(len <= OUT, "%zu", len);
    if (said) {
        memcpy(out, said, len);
    }
    return HW_OK;
}

static int number(uint64_t value) {
    memcpy(out, &value, sizeof value);
    return HW_OK;
}

static int kernel(void) {
    hw_kernel_info info;
    int code = hw_kernel(any, 0, &info);
    return code == HW_OK ? text(info.name) : code;
}

static int positions(int code) {
    memcpy(out, &low, sizeof low);
    memcpy(out + sizeof low, &high, sizeof high);
    return code;
}

/* Shows that the new object works. */
static void read_source(hw_source_state *from) {
    RUN(hw_source_read(from, out, 100), "%s", source);
}

#define SEED_OF message, 32, message + 32, 16

/* Properties of a call: ALONE if it needs no object, so that it can be the first call of a process; RANDOM if its
   output is random. */
enum { ON_STATES = 0, ALONE = 1, RANDOM = 2 };

/* function, kind, the call, and a call that shows that its result is right */
#define EACH_CALL(X) \
    X(hw_abi_version, ALONE, number(hw_abi_version()), (void)0) \
    X(hw_version, ALONE, text(hw_version()), (void)0) \
    X(hw_strerror, ALONE, text(hw_strerror(HW_E_MEMORY)), (void)0) \
    X(hw_find, ALONE, number(hw_find("sha256") + hw_find("no such algorithm") + hw_find("sha265")), (void)0) \
    X(hw_count, ALONE, number(hw_count()), (void)0) \
    X(hw_at, ALONE, number(hw_at(3)), (void)0) \
    X(hw_name, ALONE, text(hw_name(any)), (void)0) \
    X(hw_title, ALONE, text(hw_title(any)), (void)0) \
    X(hw_source, ALONE, text(hw_source(any)), (void)0) \
    X(hw_alias, ALONE, text(hw_alias(any, 0)), (void)0) \
    X(hw_block_len, ALONE, number(hw_block_len(any)), (void)0) \
    X(hw_output_len, ALONE, number(hw_output_len(any)), (void)0) \
    X(hw_kind, ALONE, number((uint64_t)hw_kind(any)), (void)0) \
    X(hw_status, ALONE, number((uint64_t)hw_status(any)), (void)0) \
    X(hw_has_hmac, ALONE, number((uint64_t)hw_has_hmac(any)), (void)0) \
    X(hw_param_name, ALONE, text(hw_param_name(HW_PARAM_KEY)), (void)0) \
    X(hw_limits, ALONE, positions(hw_limits(any, HW_PARAM_OUTPUT_LEN, &low, &high)), (void)0) \
    X(hw_kernel, ALONE, kernel(), (void)0) \
    X(hw_force_kernel, ALONE, hw_force_kernel("soft"), (void)0) \
    X(hw_hash, ALONE, hw_hash(any, message, MESSAGE, out, digest_len(any)), (void)0) \
    X(hw_hash_with, ALONE, hw_hash_with(any, &params, message, MESSAGE, out, digest_len(any)), (void)0) \
    X(hw_hash_size, ALONE, number(hw_hash_size()), (void)0) \
    X(hw_hash_align, ALONE, number(hw_hash_align()), (void)0) \
    X(hw_hash_init, ALONE, hw_hash_init(&states.hash, any, &params), \
      RUN(hw_hash_final(&states.hash, out, digest_len(any)), "hash")) \
    X(hw_hash_new, ALONE, hw_hash_new(&new_hash, any, &params), \
      RUN(hw_hash_final(new_hash, out, digest_len(any)), "hash")) \
    X(hw_hash_update, ON_STATES, hw_hash_update(&states.hash, message, MESSAGE), \
      RUN(hw_hash_final(&states.hash, out, digest_len(any)), "hash")) \
    X(hw_hash_final, ON_STATES, hw_hash_final(&states.hash, out, digest_len(any)), (void)0) \
    X(hw_hash_output_len, ON_STATES, number(hw_hash_output_len(&states.hash)), (void)0) \
    X(hw_hash_algorithm, ON_STATES, number(hw_hash_algorithm(&states.hash)), (void)0) \
    X(hw_hash_export, ON_STATES, hw_hash_export(&plain, out, HW_HASH_EXPORT_MAX, &written), (void)0) \
    X(hw_hash_import, ON_STATES, hw_hash_import(&states.hash, saved, saved_len), \
      RUN(hw_hash_final(&states.hash, out, digest_len(any)), "hash")) \
    X(hw_hash_export_secret, ON_STATES, hw_hash_export_secret(&keyed, out, HW_HASH_EXPORT_MAX, &written), (void)0) \
    X(hw_hash_import_secret, ON_STATES, hw_hash_import_secret(&states.hash, saved_keyed, saved_keyed_len), \
      RUN(hw_hash_final(&states.hash, out, 32), "hash")) \
    X(hw_hash_message_len, ON_STATES, number((size_t)hw_hash_message_len(&states.hash)), (void)0) \
    X(hw_hash_kernel, ON_STATES, text(hw_hash_kernel(&states.hash)), (void)0) \
    X(hw_hash_wipe, ON_STATES, (hw_hash_wipe(&states.hash), HW_OK), memcpy(out, &states.hash, sizeof states.hash)) \
    X(hw_hash_free, ON_STATES, (hw_hash_free(new_hash), new_hash = NULL, HW_OK), (void)0) \
    X(hw_xof_size, ALONE, number(hw_xof_size()), (void)0) \
    X(hw_xof_align, ALONE, number(hw_xof_align()), (void)0) \
    X(hw_xof_init, ON_STATES, hw_xof_init(&states.xof, new_hash), RUN(hw_xof_read(&states.xof, out, 500), "xof")) \
    X(hw_xof_new, ON_STATES, hw_xof_new(&new_xof, new_hash), \
      RUN(hw_xof_read(new_xof, out, 500), "xof")) \
    X(hw_xof_init_kmac, ON_STATES, hw_xof_init_kmac(&states.xof, &states.kmac), \
      RUN(hw_xof_read(&states.xof, out, 500), "xof")) \
    X(hw_xof_read, ON_STATES, hw_xof_read(&states.xof, out, 1000), (void)0) \
    X(hw_xof_seek, ON_STATES, hw_xof_seek(&states.xof, 7), RUN(hw_xof_read(&states.xof, out, 500), "xof")) \
    X(hw_xof_ml_rej_uniform, ON_STATES, hw_xof_ml_rej_uniform(&states.xof, 3329, 12, out, 2, 256), (void)0) \
    X(hw_xof_tell, ON_STATES, positions(hw_xof_tell(&states.xof, &low)), (void)0) \
    X(hw_xof_wipe, ON_STATES, (hw_xof_wipe(&states.xof), HW_OK), memcpy(out, &states.xof, sizeof states.xof)) \
    X(hw_xof_free, ON_STATES, (hw_xof_free(new_xof), new_xof = NULL, HW_OK), (void)0) \
    X(hw_streams_new, ALONE, hw_streams_new(&new_streams, xof, &params, pieces, lengths, MANY), \
      RUN(hw_streams_read(new_streams, out, MANY * 200), "streams")) \
    X(hw_streams_read, ON_STATES, hw_streams_read(streams, out, MANY * 200), (void)0) \
    X(hw_streams_count, ON_STATES, number(hw_streams_count(streams)), (void)0) \
    X(hw_streams_tell, ON_STATES, positions(hw_streams_tell(streams, &low)), (void)0) \
    X(hw_streams_free, ON_STATES, (hw_streams_free(streams), streams = NULL, HW_OK), (void)0) \
    X(hw_hash_many, ALONE, hw_hash_many(any, &params, pieces, lengths, MANY, out, MANY *digest_len(any)), (void)0) \
    X(hw_hmac_many, ALONE, hmac_many(), (void)0) \
    X(hw_hmac, ALONE, hw_hmac(mac, message, 200, message, MESSAGE, out, digest_len(mac)), (void)0) \
    X(hw_hmac_size, ALONE, number(hw_hmac_size()), (void)0) \
    X(hw_hmac_align, ALONE, number(hw_hmac_align()), (void)0) \
    X(hw_hmac_init, ALONE, hw_hmac_init(&states.hmac, mac, message, 200), \
      RUN(hw_hmac_final(&states.hmac, out, digest_len(mac)), "hmac")) \
    X(hw_hmac_new, ALONE, hw_hmac_new(&new_hmac, mac, message, 200), \
      RUN(hw_hmac_final(new_hmac, out, digest_len(mac)), "hmac")) \
    X(hw_hmac_update, ON_STATES, hw_hmac_update(&states.hmac, message, MESSAGE), \
      RUN(hw_hmac_final(&states.hmac, out, digest_len(mac)), "hmac")) \
    X(hw_hmac_final, ON_STATES, hw_hmac_final(&states.hmac, out, digest_len(mac)), (void)0) \
    X(hw_hmac_verify, ON_STATES, hw_hmac_verify(&states.hmac, tag, digest_len(mac)), (void)0) \
    X(hw_hmac_reset, ON_STATES, hw_hmac_reset(&states.hmac), \
      RUN(hw_hmac_final(&states.hmac, out, digest_len(mac)), "hmac")) \
    X(hw_hmac_export_secret, ON_STATES, hw_hmac_export_secret(&states.hmac, out, HW_HASH_EXPORT_MAX, &written), (void)0) \
    X(hw_hmac_import_secret, ON_STATES, hw_hmac_import_secret(&states.hmac, saved_hmac, saved_hmac_len), \
      RUN(hw_hmac_final(&states.hmac, out, digest_len(mac)), "hmac")) \
    X(hw_hmac_wipe, ON_STATES, (hw_hmac_wipe(&states.hmac), HW_OK), memcpy(out, &states.hmac, sizeof states.hmac)) \
    X(hw_hmac_free, ON_STATES, (hw_hmac_free(new_hmac), new_hmac = NULL, HW_OK), (void)0) \
    X(hw_kmac, ALONE, hw_kmac(128, message, 32, message, 9, message, MESSAGE, out, 100), (void)0) \
    X(hw_kmac_size, ALONE, number(hw_kmac_size()), (void)0) \
    X(hw_kmac_align, ALONE, number(hw_kmac_align()), (void)0) \
    X(hw_kmac_init, ALONE, hw_kmac_init(&states.kmac, 256, message, 32, message, 9), \
      RUN(hw_kmac_final(&states.kmac, out, 100), "kmac")) \
    X(hw_kmac_new, ALONE, hw_kmac_new(&new_kmac, 256, message, 32, message, 9), \
      RUN(hw_kmac_final(new_kmac, out, 100), "kmac")) \
    X(hw_kmac_update, ON_STATES, hw_kmac_update(&states.kmac, message, MESSAGE), \
      RUN(hw_kmac_final(&states.kmac, out, 100), "kmac")) \
    X(hw_kmac_final, ON_STATES, hw_kmac_final(&states.kmac, out, 100), (void)0) \
    X(hw_kmac_verify, ON_STATES, kmac_verify(), (void)0) \
    X(hw_kmac_reset, ON_STATES, hw_kmac_reset(&states.kmac), RUN(hw_kmac_final(&states.kmac, out, 100), "kmac")) \
    X(hw_kmac_export_secret, ON_STATES, hw_kmac_export_secret(&states.kmac, out, HW_HASH_EXPORT_MAX, &written), (void)0) \
    X(hw_kmac_import_secret, ON_STATES, hw_kmac_import_secret(&states.kmac, saved_kmac, saved_kmac_len), \
      RUN(hw_kmac_final(&states.kmac, out, 100), "kmac")) \
    X(hw_kmac_wipe, ON_STATES, (hw_kmac_wipe(&states.kmac), HW_OK), memcpy(out, &states.kmac, sizeof states.kmac)) \
    X(hw_kmac_free, ON_STATES, (hw_kmac_free(new_kmac), new_kmac = NULL, HW_OK), (void)0) \
    X(hw_compare, ALONE, hw_compare(message, message, MESSAGE), (void)0) \
    X(hw_hkdf, ALONE, hw_hkdf(mac, message, 32, message, 16, message, 200, out, 200), (void)0) \
    X(hw_hkdf_extract, ALONE, hw_hkdf_extract(mac, message, 32, message, 200, out, digest_len(mac)), (void)0) \
    X(hw_hkdf_expand, ALONE, hw_hkdf_expand(mac, message, 200, message, 200, out, 200), (void)0) \
    X(hw_random_init, ALONE | RANDOM, hw_random_init(&states.random, mac, &drbg_params), \
      RUN(hw_random_read(&states.random, out, 100), "random")) \
    X(hw_random_new, ALONE | RANDOM, hw_random_new(&new_random, mac, &drbg_params), \
      RUN(hw_random_read(new_random, out, 100), "random")) \
    X(hw_random_size, ALONE, number(hw_random_size()), (void)0) \
    X(hw_random_align, ALONE, number(hw_random_align()), (void)0) \
    X(hw_random_read, ON_STATES | RANDOM, hw_random_read(&states.random, out, 2000), (void)0) \
    X(hw_random_reseed, ON_STATES | RANDOM, hw_random_reseed(&states.random, message, 100), (void)0) \
    X(hw_random_wipe, ON_STATES, (hw_random_wipe(&states.random), HW_OK), \
      memcpy(out, &states.random, sizeof states.random)) \
    X(hw_random_free, ON_STATES, (hw_random_free(new_random), new_random = NULL, HW_OK), (void)0) \
    X(hw_source_at, ALONE, text(hw_source_at(5)), (void)0) \
    X(hw_source_new, ALONE, hw_source_new(&new_stream, source, message, 100, message, 10), read_source(new_stream)) \
    X(hw_source_new_os, ALONE | RANDOM, hw_source_new_os(&new_stream, source, message, 10), read_source(new_stream)) \
    X(hw_source_new_key, ALONE, hw_source_new_key(&new_stream, source, message, 32, 1, 2), read_source(new_stream)) \
    X(hw_source_key, ON_STATES, hw_source_key(stream, out, 32, &low, &high), (void)0) \
    X(hw_source_name, ON_STATES, text(hw_source_name(stream)), (void)0) \
    X(hw_source_read, ON_STATES, hw_source_read(stream, out, 3000), (void)0) \
    X(hw_source_next_u32, ON_STATES, hw_source_next_u32(stream, (uint32_t *)(void *)out), read_source(stream)) \
    X(hw_source_next_u64, ON_STATES, hw_source_next_u64(stream, (uint64_t *)(void *)out), read_source(stream)) \
    X(hw_source_next_double, ON_STATES, hw_source_next_double(stream, (double *)(void *)out), read_source(stream)) \
    X(hw_source_tell, ON_STATES, positions(hw_source_tell(stream, &low, &high)), (void)0) \
    X(hw_source_end, ON_STATES, positions(hw_source_end(stream, &low, &high)), (void)0) \
    X(hw_source_is_seekable, ON_STATES, number((uint64_t)hw_source_is_seekable(stream)), (void)0) \
    X(hw_source_seek, ON_STATES, hw_source_seek(stream, 3, 0), read_source(stream)) \
    X(hw_source_spawn, ON_STATES, hw_source_spawn(stream, &new_stream), read_source(new_stream)) \
    X(hw_source_jumped, ON_STATES, hw_source_jumped(stream, 3, &new_stream), read_source(new_stream)) \
    X(hw_source_seed_others, ON_STATES, hw_source_seed_others(stream, out, 500), (void)0) \
    X(hw_source_free, ON_STATES, (hw_source_free(stream), stream = NULL, HW_OK), (void)0) \
    X(hw_drbg_size, ALONE, number(hw_drbg_size()), (void)0) \
    X(hw_drbg_align, ALONE, number(hw_drbg_align()), (void)0) \
    X(hw_drbg_init, ALONE, hw_drbg_init(&states.drbg, mac, SEED_OF, &drbg_params), \
      RUN(hw_drbg_generate(&states.drbg, out, 100, NULL, 0), "drbg")) \
    X(hw_drbg_new, ALONE, hw_drbg_new(&new_drbg, mac, SEED_OF, &drbg_params), \
      RUN(hw_drbg_generate(new_drbg, out, 100, NULL, 0), "drbg")) \
    X(hw_drbg_init_unchecked, ALONE, hw_drbg_init_unchecked(&states.drbg, mac, SEED_OF, &drbg_params), \
      RUN(hw_drbg_generate(&states.drbg, out, 100, NULL, 0), "drbg")) \
    X(hw_drbg_init_from, ALONE, hw_drbg_init_from(&states.drbg, mac, entropy, NULL, &drbg_params), \
      RUN(hw_drbg_generate(&states.drbg, out, 100, NULL, 0), "drbg")) \
    X(hw_drbg_reseed, ON_STATES, hw_drbg_reseed(&states.drbg, message, 32, message, 9), \
      RUN(hw_drbg_generate(&states.drbg, out, 100, NULL, 0), "drbg")) \
    X(hw_drbg_generate, ON_STATES, hw_drbg_generate(&states.drbg, out, 1000, message, 9), (void)0) \
    X(hw_drbg_fill, ON_STATES, hw_drbg_fill(&states.drbg, out, 1000, message, 9), (void)0) \
    X(hw_drbg_generate_from, ON_STATES, hw_drbg_generate_from(&states.drbg, entropy, NULL, 1, out, 1000, message, 9), \
      (void)0) \
    X(hw_drbg_requests_left, ON_STATES, number(hw_drbg_requests_left(&states.drbg)), (void)0) \
    X(hw_drbg_strength, ON_STATES, number(hw_drbg_strength(&states.drbg)), (void)0) \
    X(hw_drbg_self_test, ALONE, hw_drbg_self_test(mac), (void)0) \
    X(hw_drbg_wipe, ON_STATES, (hw_drbg_wipe(&states.drbg), HW_OK), memcpy(out, &states.drbg, sizeof states.drbg)) \
    X(hw_drbg_free, ON_STATES, (hw_drbg_free(new_drbg), new_drbg = NULL, HW_OK), (void)0) \
    X(hw_drbg_custom_size, ALONE, number(hw_drbg_custom_size()), (void)0) \
    X(hw_drbg_custom_align, ALONE, number(hw_drbg_custom_align()), (void)0) \
    X(hw_drbg_custom_init, ALONE, \
      hw_drbg_custom_init(&states.custom, 32, own_hmac, NULL, SEED_OF, &drbg_params), custom_works(&states.custom)) \
    X(hw_drbg_custom_new, ALONE, hw_drbg_custom_new(&new_custom, 32, own_hmac, NULL, SEED_OF, &drbg_params), \
      custom_works(new_custom)) \
    X(hw_drbg_custom_init_unchecked, ALONE, \
      hw_drbg_custom_init_unchecked(&states.custom, 32, own_hmac, NULL, SEED_OF, &drbg_params), \
      custom_works(&states.custom)) \
    X(hw_drbg_custom_reseed, ON_STATES, hw_drbg_custom_reseed(&states.custom, message, 32, message, 9), \
      custom_works(&states.custom)) \
    X(hw_drbg_custom_generate, ON_STATES, hw_drbg_custom_generate(&states.custom, out, 1000, message, 9), (void)0) \
    X(hw_drbg_custom_fill, ON_STATES, hw_drbg_custom_fill(&states.custom, out, 1000, message, 9), (void)0) \
    X(hw_drbg_custom_requests_left, ON_STATES, number(hw_drbg_custom_requests_left(&states.custom)), (void)0) \
    X(hw_drbg_custom_strength, ON_STATES, number(hw_drbg_custom_strength(&states.custom)), (void)0) \
    X(hw_drbg_custom_wipe, ON_STATES, (hw_drbg_custom_wipe(&states.custom), HW_OK), \
      memcpy(out, &states.custom, sizeof states.custom)) \
    X(hw_drbg_custom_free, ON_STATES, (hw_drbg_custom_free(new_custom), new_custom = NULL, HW_OK), (void)0)

/* The library has texts for errors. Making them must not end the process. */
#define EACH_ERROR(X) \
    X(hw_source_new__unknown, ALONE, expect(HW_E_ALGORITHM, hw_source_new(&new_stream, "sha265", NULL, 0, NULL, 0)), (void)0) \
    X(hw_source_new__of_no_source, ALONE, \
      expect(HW_E_UNSUPPORTED, hw_source_new(&new_stream, "sha256", NULL, 0, NULL, 0)), (void)0) \
    X(hw_force_kernel__unknown, ALONE, expect(HW_E_KERNEL, hw_force_kernel("none")), (void)0) \
    X(hw_hash_init__without_kernel, ALONE, expect(HW_E_KERNEL, without_kernel()), (void)0) \
    X(hw_xof_read__exhausted, ON_STATES, expect(HW_E_EXHAUSTED, exhausted()), (void)0) \
    X(hw_source_seek__exhausted, ON_STATES, expect(HW_E_EXHAUSTED, hw_source_seek(stream, 0, UINT64_MAX)), (void)0) \
    X(hw_drbg_init_from__without_entropy, ALONE, \
      expect(HW_E_ENTROPY, hw_drbg_init_from(&states.drbg, mac, no_entropy, NULL, &drbg_params)), (void)0)

static int expect(int expected, int code) {
    return code == expected ? number(1) : code == HW_OK ? HW_E_INTERNAL : code;
}

static int no_entropy(void *context, void *to, size_t len) {
    (void)context;
    (void)to;
    (void)len;
    return 1;
}

static int without_kernel(void) {
    hw_params named = HW_PARAMS_INIT;
    named.kernel = "none";
    return hw_hash_init(&states.hash, any, &named);
}

static int exhausted(void) {
    int code = hw_xof_seek(&states.xof, UINT64_MAX);
    return code == HW_OK ? hw_xof_read(&states.xof, out, 1) : code;
}

static void custom_works(hw_drbg_custom_state *custom) {
    RUN(hw_drbg_custom_generate(custom, out, 100, NULL, 0), "custom");
}

/* Some keys are longer than a block. Every other variant has only one key. */
static int under_one_key;
static int hmac_many(void) {
    return hw_hmac_many(mac, pieces, lengths, under_one_key ? 1 : MANY, pieces, lengths, MANY, out,
                        MANY * digest_len(mac));
}

static int kmac_verify(void) {
    int code = hw_kmac_verify(&states.kmac, tag, 32);
    return code == HW_E_MISMATCH ? HW_OK : code;
}

struct call {
    const char *name;
    int kind;
    int (*call)(void);
    void (*look)(void);
};

#define DEFINE(name, kind, made, shown) \
    static int call_##name(void) { return made; } \
    static void look_##name(void) { shown; }
EACH_CALL(DEFINE)
EACH_ERROR(DEFINE)

#define ROW(name, kind, made, shown) {#name, kind, call_##name, look_##name},
static const struct call calls[] = {EACH_CALL(ROW) EACH_ERROR(ROW)};
enum { CALLS = sizeof calls / sizeof *calls };

/* ---------------------------------------------------------------- one call */

static void choose(size_t variant) {
    any = hw_at(variant % hw_count());
    xof = hw_kind(any) == HW_XOF ? any : HW_SHAKE128;
    mac = hw_has_hmac(any) == 1 ? any : HW_SHA256;
    under_one_key = variant % 2 == 0;
    /* The names of these sources are constants in the program, so that choosing one does not call the library before
       the first call. */
    static const char *const names[] = {"hmac-drbg-sha256", "counter", "shake128", "blake3", "kt128",
                                        "HMAC_DRBG_SHA3-256", "ascon-xof128", "hmac-drbg-blake2b-512"};
    source = names[variant % (sizeof names / sizeof *names)];
    params = (hw_params)HW_PARAMS_INIT;
    uint64_t min, max;
    if (hw_limits(any, HW_PARAM_KEY, &min, &max) == HW_OK) {
        params.key = message;
        params.key_len = (size_t)max;
    } else if (hw_limits(any, HW_PARAM_CUSTOMIZATION, &min, &max) == HW_OK && any != HW_KT128 && any != HW_KT256) {
        params.customization = message;
        params.customization_len = 20;
    }
    drbg_params = (hw_drbg_params)HW_DRBG_PARAMS_INIT;
    drbg_params.personalization = message;
    drbg_params.personalization_len = 30;
    drbg_params.prediction_resistance = 1;
    if (xof != any) {
        params = (hw_params)HW_PARAMS_INIT;
    }
}

static void set_up(void) {
    hw_hash_state absorbed;
    RUN(hw_hash_init(&states.hash, any, &params), "hash");
    RUN(hw_hash_init(&plain, any, NULL), "hash");
    RUN(hw_hash_export(&plain, saved, sizeof saved, &saved_len), "hash");
    hw_params with_key = HW_PARAMS_INIT;
    with_key.key = message;
    with_key.key_len = 32;
    RUN(hw_hash_init(&keyed, HW_BLAKE3, &with_key), "hash");
    RUN(hw_hash_export_secret(&keyed, saved_keyed, sizeof saved_keyed, &saved_keyed_len), "hash");
    RUN(hw_hash_new(&new_hash, xof, &params), "hash");
    RUN(hw_hash_update(new_hash, message, 1000), "hash");
    RUN(hw_hash_init(&absorbed, HW_BLAKE3, NULL), "hash");
    RUN(hw_xof_init(&states.xof, &absorbed), "xof");
    RUN(hw_xof_new(&new_xof, &absorbed), "xof");
    RUN(hw_hmac_init(&states.hmac, mac, message, 32), "hmac");
    RUN(hw_hmac_new(&new_hmac, mac, message, 32), "hmac");
    RUN(hw_hmac_final(&states.hmac, tag, digest_len(mac)), "hmac");
    RUN(hw_hmac_export_secret(&states.hmac, saved_hmac, sizeof saved_hmac, &saved_hmac_len), "hmac");
    RUN(hw_kmac_init(&states.kmac, 128, message, 32, NULL, 0), "kmac");
    RUN(hw_kmac_export_secret(&states.kmac, saved_kmac, sizeof saved_kmac, &saved_kmac_len), "kmac");
    RUN(hw_kmac_new(&new_kmac, 128, message, 32, NULL, 0), "kmac");
    RUN(hw_drbg_init(&states.drbg, mac, SEED_OF, &drbg_params), "drbg");
    RUN(hw_drbg_new(&new_drbg, mac, SEED_OF, &drbg_params), "drbg");
    RUN(hw_drbg_custom_init(&states.custom, 32, own_hmac, NULL, SEED_OF, &drbg_params), "custom");
    RUN(hw_drbg_custom_new(&new_custom, 32, own_hmac, NULL, SEED_OF, &drbg_params), "custom");
    RUN(hw_random_init(&states.random, mac, NULL), "random");
    RUN(hw_random_new(&new_random, mac, NULL), "random");
    RUN(hw_source_new(&stream, source, message, 32, NULL, 0), "%s", source);
    RUN(hw_source_read(stream, out, 4000), "%s", source);
    RUN(hw_source_read(stream, out, 4000), "%s", source);
    RUN(hw_streams_new(&streams, xof, &params, pieces, lengths, MANY), "streams");
}

#define GIVE_BACK(free, place) (free(place), place = NULL)

static void tear_down(void) {
    GIVE_BACK(hw_hash_free, new_hash);
    GIVE_BACK(hw_xof_free, new_xof);
    GIVE_BACK(hw_hmac_free, new_hmac);
    GIVE_BACK(hw_kmac_free, new_kmac);
    GIVE_BACK(hw_drbg_free, new_drbg);
    GIVE_BACK(hw_drbg_custom_free, new_custom);
    GIVE_BACK(hw_random_free, new_random);
    GIVE_BACK(hw_source_free, new_stream);
    GIVE_BACK(hw_source_free, stream);
    GIVE_BACK(hw_streams_free, new_streams);
    GIVE_BACK(hw_streams_free, streams);
}

/* Frees the result of the previous call, so that the call can make a new one. */
static void clear_the_way(const struct call *call) {
    if (strcmp(call->name, "hw_xof_new") == 0) {
        GIVE_BACK(hw_xof_free, new_xof);
    } else if (strstr(call->name, "_new")) {
        GIVE_BACK(hw_hash_free, new_hash);
        GIVE_BACK(hw_hmac_free, new_hmac);
        GIVE_BACK(hw_kmac_free, new_kmac);
        GIVE_BACK(hw_drbg_free, new_drbg);
        GIVE_BACK(hw_drbg_custom_free, new_custom);
        GIVE_BACK(hw_random_free, new_random);
    }
}

static int untouched(void) {
    for (size_t i = 0; i < OUT; i++) {
        if (out[i] != 0xa5 && out[i] != 0) {
            return 0;
        }
    }
    return 1;
}

/* An address that no function returns. It shows whether a call has written its result. */
static unsigned char nowhere;

static int poison(void *from, void *to) {
    void **places[] = {(void **)&new_hash,   (void **)&new_xof,    (void **)&new_hmac,
                       (void **)&new_kmac,   (void **)&new_drbg,   (void **)&new_custom,
                       (void **)&new_random, (void **)&new_stream, (void **)&new_streams};
    int count = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (*places[i] == from) {
            *places[i] = to;
            count++;
        }
    }
    return count;
}

/* The number of addresses that a call stores. */
static int makes(const struct call *call) {
    return strstr(call->name, "_new") || strstr(call->name, "_spawn") || strstr(call->name, "_jumped");
}

/* Runs a call while one allocation fails, or all from this one on. Returns true if there were that many allocations. */
static int refuse(const struct call *call, long at, int all, const unsigned char *expected) {
    memset(out, 0xa5, OUT);
    low = high = 0;
    before = states;
    long held_before = held;
    int poisoned = poison(NULL, &nowhere);
    asked = 0;
    refused = at;
    lasting = all;
    watched = 1;
    int code = call->call();
    watched = 0;
    int reached = asked > at;
    poisoned -= poison(&nowhere, NULL);
    if (code == HW_E_MEMORY) {
        CHECK(poisoned == makes(call), "%s, %ld: %d results are NULL", call->name, at, poisoned);
        CHECK(reached, "%s, %ld", call->name, at);
        CHECK(held == held_before, "%s, %ld: %ld are held, not %ld", call->name,
              at, held, held_before);
        CHECK(untouched(), "%s, %ld: its output is written", call->name, at);
        CHECK(memcmp(&states, &before, sizeof states) == 0, "%s, %ld: a state has changed", call->name, at);
        memset(out, 0xa5, OUT);
        code = call->call();
    }
    EXPECT(HW_OK, code, "%s, allocation %ld", call->name, at);
    call->look();
    CHECK((call->kind & RANDOM) || memcmp(out, expected, OUT) == 0, "%s, %ld: another answer", call->name, at);
    return reached;
}

/* Tests every allocation of a call that was made before in this process, with every algorithm. Returns their number. */
static long of_call(const struct call *call) {
    static unsigned char expected[OUT];
    long refusals = 0;
    size_t variants = strcmp(call->name, "hw_force_kernel") == 0 ? 1 : hw_count();
    for (size_t variant = 0; variant < variants; variant++) {
        choose(variant);
        set_up();
        tear_down();
        long held_before = held;
        for (int all = 0; all < 2; all++) {
            int reached = 1;
            /* In the first round (-1), no allocation fails. */
            for (long at = -1; reached; at++) {
                set_up();
                clear_the_way(call);
                if (at < 0) {
                    memset(out, 0xa5, OUT);
                    EXPECT(HW_OK, call->call(), "%s", call->name);
                    call->look();
                    memcpy(expected, out, OUT);
                } else {
                    reached = refuse(call, at, all, expected);
                    refusals += reached;
                }
                tear_down();
                CHECK(held == held_before, "%s, %ld: %ld are held, not %ld", call->name, at, held, held_before);
            }
        }
    }
    return refusals;
}

/* ---------------------------------------------------------------- children */

/* Exit codes of child processes that found no error: if no allocation failed, and if one did. A failed CHECK gives a
   different code. */
enum { QUIET = 0, REFUSED = 3 };

/* Runs the function in a child process and returns its exit status. */
static int child(int (*work)(const void *, long), const void *what, long at) {
    fflush(stdout);
    pid_t pid = fork();
    CHECK(pid >= 0, "fork");
    if (pid == 0) {
        alarm(120);
        _exit(work(what, at));
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid, "waitpid");
    return status;
}

static int made_before(const void *what, long at) {
    (void)at;
    return of_call((const struct call *)what) > 0 ? REFUSED : QUIET;
}

/* Tests the first call of a process. */
static int first(const void *what, long at) {
    const struct call *call = (const struct call *)what;
    static unsigned char expected[OUT];
    params = (hw_params)HW_PARAMS_INIT;
    drbg_params = (hw_drbg_params)HW_DRBG_PARAMS_INIT;
    any = xof = HW_TURBOSHAKE128;
    mac = HW_SHA512;
    source = "hmac-drbg-sha512";
    memset(out, 0xa5, OUT);
    low = high = 0;
    asked = 0;
    refused = at;
    lasting = at % 2 != 0;
    refused /= 2;
    watched = 1;
    int code = call->call();
    watched = 0;
    int reached = asked > refused;
    if (code == HW_E_MEMORY && reached) {
        CHECK(untouched(), "%s, %ld: its output is written", call->name, at);
        code = call->call();
    }
    EXPECT(HW_OK, code, "%s, allocation %ld, first", call->name, at);
    call->look();
    memcpy(expected, out, OUT);
    tear_down();
    memset(out, 0xa5, OUT);
    low = high = 0;
    EXPECT(HW_OK, call->call(), "%s, allocation %ld, second", call->name, at);
    call->look();
    CHECK((call->kind & RANDOM) || memcmp(out, expected, OUT) == 0, "%s, %ld: another answer", call->name, at);
    return reached ? REFUSED : QUIET;
}

/* ---------------------------------------------------------------- calls that end the process */

static unsigned char customization[1000];

static int hash_customized(void) {
    return hw_hash_with(HW_KT128, &params, message, 100, out, 32);
}

static int many_customized(void) {
    return hw_hash_many(HW_KT256, &params, pieces, lengths, MANY, out, MANY * 64);
}

static int streams_customized(void) {
    int code = hw_streams_new(&new_streams, HW_KT128, &params, pieces, lengths, MANY);
    GIVE_BACK(hw_streams_free, new_streams);
    return code;
}

static int force_by_environment(void) {
    return hw_force_kernel(NULL);
}

static int calibrated(void) {
    return hw_hash(HW_SHA256, message, 100, out, 32);
}

static const struct {
    const char *what;
    int (*call)(void);
    const char *variable;
} aborts[] = {
    {"hw_hash_with of KT128, customised", hash_customized, NULL},
    {"hw_hash_many of KT256, customised", many_customized, NULL},
    {"hw_streams_new of KT128, customised", streams_customized, NULL},
    {"hw_force_kernel(NULL)", force_by_environment, "HASHWELL_KERNEL"},
    {"the first state with HASHWELL_CALIBRATE", calibrated, "HASHWELL_CALIBRATE"},
};
enum { ABORTS = sizeof aborts / sizeof *aborts };

static int aborting(const void *what, long at) {
    size_t i = *(const size_t *)what;
    params = (hw_params)HW_PARAMS_INIT;
    params.customization = customization;
    params.customization_len = sizeof customization;
    if (aborts[i].variable) {
        CHECK(setenv(aborts[i].variable, "soft", 1) == 0, "setenv");
    }
    /* The allocator's own error message is not shown. */
    CHECK(freopen("/dev/null", "w", stderr), "stderr");
    asked = 0;
    refused = at;
    watched = 1;
    int code = aborts[i].call();
    watched = 0;
    if (code == HW_E_MEMORY && asked > at) {
        code = aborts[i].call();
    }
    CHECK(code == HW_OK, "%s", aborts[i].what);
    return asked > at ? REFUSED : QUIET;
}

/* Returns true if a child found no error and ended with this code. */
static int good(int status, int end) {
    return WIFEXITED(status) && WEXITSTATUS(status) == end;
}

static long ends(void) {
    long ended = 0;
    for (size_t i = 0; i < ABORTS; i++) {
        int status, seen = 0;
        long at = 0;
        do {
            status = child(aborting, &i, at++);
            int aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
            seen += aborted;
            CHECK(aborted || good(status, QUIET) || good(status, REFUSED), "%s, %ld: status %x", aborts[i].what, at,
                  (unsigned)status);
        } while (!good(status, QUIET));
        CHECK(seen, "%s ends no process any more: say so", aborts[i].what);
        ended += seen;
    }
    return ended;
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--list") == 0) {
        for (size_t i = 0; i < CALLS; i++) {
            printf("%.*s\n", (int)(strstr(calls[i].name, "__") ? strstr(calls[i].name, "__") - calls[i].name : 99),
                   calls[i].name);
        }
        return EXIT_SUCCESS;
    }
    fill_mod251(message, sizeof message);
    fill_mod251(customization, sizeof customization);
    for (size_t i = 0; i < MANY; i++) {
        pieces[i] = message + i;
        lengths[i] = 10 + 97 * i;
    }
    /* Finding the names in a backtrace would take longer than everything else. */
    CHECK(setenv("RUST_BACKTRACE", "0", 1) == 0, "setenv");
    int asking = 0;
    for (size_t i = 0; i < CALLS; i++) {
        int status = REFUSED << 8;
        for (long at = 0; (calls[i].kind & ALONE) && good(status, REFUSED); at++) {
            status = child(first, &calls[i], at);
        }
        CHECK(!(calls[i].kind & ALONE) || good(status, QUIET), "%s, first: status %x", calls[i].name, (unsigned)status);
        status = child(made_before, &calls[i], 0);
        CHECK(good(status, QUIET) || good(status, REFUSED), "%s: status %x", calls[i].name, (unsigned)status);
        asking += good(status, REFUSED);
    }
    CHECK(asking >= 10, "only %d calls asked for memory", asking);
    printf("%d calls of %d ask for memory; %ld refusals end a process", asking, (int)CALLS, ends());
    return EXIT_SUCCESS;
}

#endif
