/* isa-l_crypto's multi-buffer managers. Contexts and managers are made once, as a user would. */
#include "peer.h"
#include <isa-l_crypto/sha1_mb.h>
#include <isa-l_crypto/sha256_mb.h>
#include <isa-l_crypto/sha512_mb.h>
#include <string.h>

/* GROUP messages are submitted, then the manager is flushed. The code calls isa-l's deprecated public functions,
 * because they skip the checks of the newer functions. Results are words in the byte order of the machine. */
#define MULTI_BUFFER(NAME, UPPER, INIT, SUBMIT, FLUSH, GROUP, SWAP)                                             \
    peer_digests peer_##NAME;                                                                                   \
    void peer_##NAME(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,         \
                     size_t out_len)                                                                            \
    {                                                                                                           \
        static ISAL_##UPPER##_HASH_CTX_MGR manager __attribute__((aligned(64)));                                \
        static ISAL_##UPPER##_HASH_CTX jobs[GROUP] __attribute__((aligned(64)));                                \
        static int ready;                                                                                       \
        if (!ready)                                                                                             \
            INIT(&manager);                                                                                     \
        ready = 1;                                                                                              \
        for (size_t first = 0; first < count; first += (GROUP)) {                                               \
            size_t n = count - first < (GROUP) ? count - first : (GROUP);                                       \
            for (size_t i = 0; i < n; i++) {                                                                    \
                isal_hash_ctx_init(&jobs[i]);                                                                   \
                SUBMIT(&manager, &jobs[i], messages[first + i], (uint32_t)lengths[first + i], ISAL_HASH_ENTIRE);\
            }                                                                                                   \
            while (FLUSH(&manager) != NULL)                                                                     \
                ;                                                                                               \
            for (size_t i = 0; i < n; i++) {                                                                    \
                uint8_t *to = out + (first + i) * out_len;                                                      \
                for (size_t w = 0; w < ISAL_##UPPER##_DIGEST_NWORDS; w++) {                                     \
                    ISAL_##UPPER##_WORD_T word = SWAP(jobs[i].job.result_digest[w]);                            \
                    memcpy(to + w * sizeof word, &word, sizeof word);                                           \
                }                                                                                               \
            }                                                                                                   \
        }                                                                                                       \
    }

#define PUBLIC(NAME, UPPER, SWAP)                                                                               \
    MULTI_BUFFER(NAME, UPPER, NAME##_ctx_mgr_init, NAME##_ctx_mgr_submit, NAME##_ctx_mgr_flush, 64, SWAP)

PUBLIC(sha1, SHA1, __builtin_bswap32)
PUBLIC(sha256, SHA256, __builtin_bswap32)
PUBLIC(sha512, SHA512, __builtin_bswap64)

/* The manager that isa-l chooses on CPUs with SHA-NI and without AVX-512: two lanes. */
void _sha256_ctx_mgr_init_sse_ni(ISAL_SHA256_HASH_CTX_MGR *);
ISAL_SHA256_HASH_CTX *_sha256_ctx_mgr_submit_sse_ni(ISAL_SHA256_HASH_CTX_MGR *, ISAL_SHA256_HASH_CTX *,
                                                    const void *, uint32_t, ISAL_HASH_CTX_FLAG);
ISAL_SHA256_HASH_CTX *_sha256_ctx_mgr_flush_sse_ni(ISAL_SHA256_HASH_CTX_MGR *);

MULTI_BUFFER(sha256_ni, SHA256, _sha256_ctx_mgr_init_sse_ni, _sha256_ctx_mgr_submit_sse_ni,
             _sha256_ctx_mgr_flush_sse_ni, 2, __builtin_bswap32)
