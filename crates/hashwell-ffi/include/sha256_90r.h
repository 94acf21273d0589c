/*
 * The C interface of the original SHA256-90R description, implemented with hashwell.h. All functions are inline; the
 * library does not export them.
 *
 * SHA256-90R is an experimental hash without public analysis; docs/spec/sha256-90r.md specifies it. In the original
 * description, the mode selects a compromise between speed and timing leaks. Here, all modes run the same code: the
 * fastest, whose execution time does not depend on the data. Digests are the same in every mode.
 *
 *     uint8_t digest[SHA256_90R_DIGEST_SIZE];
 *     sha256_90r_hash((const uint8_t *)"abc", 3, digest);
 */
#ifndef SHA256_90R_H
#define SHA256_90R_H

#include <string.h>

#include "hashwell.h"

#define SHA256_90R_DIGEST_SIZE 32

typedef enum {
    SHA256_90R_MODE_SECURE,
    SHA256_90R_MODE_ACCEL,
    SHA256_90R_MODE_FAST
} sha256_90r_mode_t;

typedef hw_hash_state SHA256_90R_CTX;

/** Allocates a hash in progress. Free it with sha256_90r_free. Returns NULL if no memory is left. `mode` is ignored. */
static inline SHA256_90R_CTX *sha256_90r_new(sha256_90r_mode_t mode) {
    SHA256_90R_CTX *ctx;
    (void)mode;
    return hw_hash_new(&ctx, HW_SHA256_90R, NULL) == HW_OK ? ctx : NULL;
}

/** Appends `len` bytes to the message. `data` may be NULL if `len` is 0. */
static inline void sha256_90r_update(SHA256_90R_CTX *ctx, const uint8_t *data, size_t len) {
    (void)hw_hash_update(ctx, data, len);
}

/** Writes the digest of the message so far. You can append more data afterwards. */
static inline void sha256_90r_final(SHA256_90R_CTX *ctx, uint8_t hash[32]) {
    (void)hw_hash_final(ctx, hash, SHA256_90R_DIGEST_SIZE);
}

/** Overwrites and frees a hash in progress. Does nothing if `ctx` is NULL. */
static inline void sha256_90r_free(SHA256_90R_CTX *ctx) {
    hw_hash_free(ctx);
}

/** Computes the digest of one message of `len` bytes. */
static inline void sha256_90r_hash(const uint8_t *data, size_t len, uint8_t hash[32]) {
    (void)hw_hash(HW_SHA256_90R, data, len, hash, SHA256_90R_DIGEST_SIZE);
}

/** Computes the digest of one message, like sha256_90r_hash. `mode` is ignored. */
static inline void sha256_90r_hash_mode(const uint8_t *data, size_t len, uint8_t hash[32], sha256_90r_mode_t mode) {
    (void)mode;
    sha256_90r_hash(data, len, hash);
}

/** Computes the digests of `count` messages in parallel SIMD lanes, and writes the digest of messages[i] to
    hashes[i]. Outputs must not overlap messages. If no memory is left, the remaining digests are not written. `mode`
    is ignored. */
static inline void sha256_90r_batch(const uint8_t **messages, const size_t *lengths, uint8_t **hashes, size_t count,
                                    sha256_90r_mode_t mode) {
    enum { GROUP = 64 };
    uint8_t digests[GROUP * SHA256_90R_DIGEST_SIZE];
    size_t done = 0;
    (void)mode;
    while (done < count) {
        size_t n = count - done < GROUP ? count - done : (size_t)GROUP;
        size_t i;
        if (hw_hash_many(HW_SHA256_90R, NULL, (const void *const *)(messages + done), lengths + done, n, digests,
                         n * SHA256_90R_DIGEST_SIZE) != HW_OK) {
            return;
        }
        for (i = 0; i < n; i++) {
            memcpy(hashes[done + i], digests + i * SHA256_90R_DIGEST_SIZE, SHA256_90R_DIGEST_SIZE);
        }
        done += n;
    }
}

#endif
