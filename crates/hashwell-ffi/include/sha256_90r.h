/*
 * The C interface of the original SHA256-90R description, over hashwell.h. Nothing here is in the library itself.
 *
 * SHA256-90R is an experiment without public analysis; docs/spec/sha256-90r.md says what is computed. The original asked
 * for a trade of speed against timing leaks. Here every mode is the same: the fastest code, which is also the one whose
 * time does not depend on the data. Digests are the same in every mode.
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

/** A hash in progress, to be freed by sha256_90r_free; NULL if there is no memory. */
static inline SHA256_90R_CTX *sha256_90r_new(sha256_90r_mode_t mode) {
    SHA256_90R_CTX *ctx;
    (void)mode;
    return hw_hash_new(&ctx, HW_SHA256_90R, NULL) == HW_OK ? ctx : NULL;
}

/** Appends to the message. `data` may be NULL if `len` is 0. */
static inline void sha256_90r_update(SHA256_90R_CTX *ctx, const uint8_t *data, size_t len) {
    (void)hw_hash_update(ctx, data, len);
}

/** Writes the digest of the message so far. */
static inline void sha256_90r_final(SHA256_90R_CTX *ctx, uint8_t hash[32]) {
    (void)hw_hash_final(ctx, hash, SHA256_90R_DIGEST_SIZE);
}

/** Overwrites and frees. NULL is nothing. */
static inline void sha256_90r_free(SHA256_90R_CTX *ctx) {
    hw_hash_free(ctx);
}

/** The digest of one message. */
static inline void sha256_90r_hash(const uint8_t *data, size_t len, uint8_t hash[32]) {
    (void)hw_hash(HW_SHA256_90R, data, len, hash, SHA256_90R_DIGEST_SIZE);
}

static inline void sha256_90r_hash_mode(const uint8_t *data, size_t len, uint8_t hash[32], sha256_90r_mode_t mode) {
    (void)mode;
    sha256_90r_hash(data, len, hash);
}

/** The digests of many messages, side by side in the CPU's vectors; hashes[i] is that of messages[i], and shares no
    memory with any message. */
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
