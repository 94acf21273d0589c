/* Sponges over XKCP's Keccak-p[1600] with one, four and eight states. */
#include "peer.h"
#include "align.h" /* the following headers need it */
#include "KeccakP-1600-SnP.h"
#include "KeccakP-1600-times4-SnP.h"
#include "KeccakP-1600-times8-SnP.h"
#include <string.h>

/* A sponge whose permutation has ROUNDS rounds and whose absorbing loop is ABSORB. It hashes one message at a time and
 * gives up to one block of output. */
#define SPONGE(NAME, ABSORB, ROUNDS)                                                                            \
    static void NAME(unsigned lanes, uint8_t suffix, const uint8_t *message, size_t length, uint8_t *out,       \
                     size_t out_len)                                                                            \
    {                                                                                                           \
        KeccakP1600_state state;                                                                                \
        size_t done = 0;                                                                                        \
        KeccakP1600_Initialize(&state);                                                                         \
        if (length >= 8 * lanes)                                                                                \
            done = ABSORB(&state, lanes, message, length);                                                      \
        KeccakP1600_AddBytes(&state, message + done, 0, (unsigned)(length - done));                             \
        KeccakP1600_AddByte(&state, suffix, (unsigned)(length - done));                                         \
        KeccakP1600_AddByte(&state, 0x80, 8 * lanes - 1);                                                       \
        KeccakP1600_Permute_##ROUNDS##rounds(&state);                                                           \
        KeccakP1600_ExtractBytes(&state, out, 0, (unsigned)out_len);                                            \
    }

SPONGE(sponge, KeccakF1600_FastLoop_Absorb, 24)
SPONGE(turbo_sponge, KeccakP1600_12rounds_FastLoop_Absorb, 12)

#define ONE_BY_ONE(NAME, SPONGE, LANES, SUFFIX)                                                                 \
    peer_digests peer_##NAME;                                                                                   \
    void peer_##NAME(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,         \
                     size_t out_len)                                                                            \
    {                                                                                                           \
        for (size_t i = 0; i < count; i++)                                                                      \
            SPONGE(LANES, SUFFIX, messages[i], lengths[i], out + i * out_len, out_len);                         \
    }

ONE_BY_ONE(sha3_256, sponge, 17, 0x06)
ONE_BY_ONE(shake128, sponge, 21, 0x1f)
ONE_BY_ONE(turboshake128, turbo_sponge, 21, 0x1f)

/* SHAKE256 of groups of WIDTH messages. All messages of a group must have the same length and be equally far apart in
 * memory, which is true in the benchmark. Other groups would need slower functions of XKCP. */
#define SHAKE256_MANY(NAME, WIDTH)                                                                              \
    peer_digests peer_##NAME;                                                                                   \
    void peer_##NAME(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,         \
                     size_t out_len)                                                                            \
    {                                                                                                           \
        enum { LANES = 17, RATE = 8 * LANES };                                                                  \
        KeccakP1600times##WIDTH##_states states;                                                                \
        for (size_t first = 0; first + WIDTH <= count; first += WIDTH) {                                        \
            const uint8_t *const *group = messages + first;                                                     \
            size_t length = lengths[first], apart = (size_t)(group[1] - group[0]);                              \
            size_t done = 0;                                                                                    \
            KeccakP1600times##WIDTH##_InitializeAll(&states);                                                   \
            if (length >= RATE)                                                                                 \
                done = KeccakF1600times##WIDTH##_FastLoop_Absorb(&states, LANES, (unsigned)(apart / 8), LANES,  \
                                                                 group[0], (WIDTH - 1) * apart + length);       \
            for (unsigned i = 0; i < WIDTH; i++) {                                                              \
                KeccakP1600times##WIDTH##_AddBytes(&states, i, group[i] + done, 0, (unsigned)(length - done));  \
                KeccakP1600times##WIDTH##_AddByte(&states, i, 0x1f, length - done);                             \
                KeccakP1600times##WIDTH##_AddByte(&states, i, 0x80, RATE - 1);                                  \
            }                                                                                                   \
            KeccakP1600times##WIDTH##_PermuteAll_24rounds(&states);                                             \
            for (unsigned i = 0; i < WIDTH; i++)                                                                \
                KeccakP1600times##WIDTH##_ExtractBytes(&states, i, out + (first + i) * out_len, 0,              \
                                                       (unsigned)out_len);                                      \
        }                                                                                                       \
    }

SHAKE256_MANY(shake256_x4, 4)
SHAKE256_MANY(shake256_x8, 8)
