/* isa-l_crypto's multi-buffer managers. Contexts and managers are made once, as a user would. */
#include "peer.h"
#include <isa-l_crypto/sha1_mb.h>
#include <isa-l_crypto/sha256_mb.h>
#include <isa-l_crypto/sha512_mb.h>
#include <string.h>

#define MAX_JOBS 64

/* `group` messages are in flight together, then the manager is flushed: with two of them isa-l takes its
 * SHA-NI x2 kernel, with all of them the widest one. Results are words in the machine's order. */
#define MULTI_BUFFER(NAME, UPPER, LOWER, GROUP, SWAP)                                                           \
    peer_digests peer_##NAME;                                                                                   \
    void peer_##NAME(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,         \
                     size_t out_len)                                                                            \
    {                                                                                                           \
        static ISAL_##UPPER##_HASH_CTX_MGR manager __attribute__((aligned(64)));                                \
        static ISAL_##UPPER##_HASH_CTX jobs[MAX_JOBS] __attribute__((aligned(64)));                             \
        static int ready;                                                                                       \
        ISAL_##UPPER##_HASH_CTX *done;                                                                          \
        if (!ready) {                                                                                           \
            isal_##LOWER##_ctx_mgr_init(&manager);                                                              \
            ready = 1;                                                                                          \
        }                                                                                                       \
        for (size_t first = 0; first < count; first += (GROUP)) {                                               \
            size_t n = count - first < (GROUP) ? count - first : (GROUP);                                       \
            for (size_t i = 0; i < n; i++) {                                                                    \
                isal_hash_ctx_init(&jobs[i]);                                                                   \
                isal_##LOWER##_ctx_mgr_submit(&manager, &jobs[i], &done, messages[first + i],                   \
                                              (uint32_t)lengths[first + i], ISAL_HASH_ENTIRE);                  \
            }                                                                                                   \
            do                                                                                                  \
                isal_##LOWER##_ctx_mgr_flush(&manager, &done);                                                  \
            while (done != NULL);                                                                               \
            for (size_t i = 0; i < n; i++) {                                                                    \
                uint8_t *to = out + (first + i) * out_len;                                                      \
                for (size_t w = 0; w < ISAL_##UPPER##_DIGEST_NWORDS; w++) {                                     \
                    ISAL_##UPPER##_WORD_T word = SWAP(jobs[i].job.result_digest[w]);                            \
                    memcpy(to + w * sizeof word, &word, sizeof word);                                           \
                }                                                                                               \
            }                                                                                                   \
        }                                                                                                       \
    }

MULTI_BUFFER(sha1, SHA1, sha1, MAX_JOBS, __builtin_bswap32)
MULTI_BUFFER(sha256, SHA256, sha256, MAX_JOBS, __builtin_bswap32)
MULTI_BUFFER(sha512, SHA512, sha512, MAX_JOBS, __builtin_bswap64)
MULTI_BUFFER(sha1_x2, SHA1, sha1, 2, __builtin_bswap32)
MULTI_BUFFER(sha256_x2, SHA256, sha256, 2, __builtin_bswap32)
