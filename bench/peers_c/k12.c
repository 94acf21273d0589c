/* The K12 repository: KT128 and KT256 use its functions; TurboSHAKE128 uses its sponge primitives. */
#include "peer.h"
#include "KangarooTwelve.h"
#include <string.h>

peer_digests peer_kt128, peer_kt256, peer_turboshake128;

void peer_kt128(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,
                size_t out_len)
{
    for (size_t i = 0; i < count; i++)
        KT128(messages[i], lengths[i], out + i * out_len, out_len, NULL, 0);
}

void peer_kt256(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,
                size_t out_len)
{
    for (size_t i = 0; i < count; i++)
        KT256(messages[i], lengths[i], out + i * out_len, out_len, NULL, 0);
}

/* Up to one block (168 bytes) of output. */
void peer_turboshake128(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,
                        size_t out_len)
{
    enum { LANES = 21, RATE = 8 * LANES };
    for (size_t i = 0; i < count; i++) {
        ALIGN(KeccakP1600_stateAlignment) uint8_t state[KeccakP1600_stateSizeInBytes];
        size_t done = 0;
        KeccakP1600_Initialize(state);
        if (lengths[i] >= RATE)
            done = KeccakP1600_12rounds_FastLoop_Absorb(state, LANES, messages[i], lengths[i]);
        KeccakP1600_AddBytes(state, messages[i] + done, 0, (unsigned)(lengths[i] - done));
        KeccakP1600_AddByte(state, 0x1f, (unsigned)(lengths[i] - done));
        KeccakP1600_AddByte(state, 0x80, RATE - 1);
        KeccakP1600_Permute_12rounds(state);
        KeccakP1600_ExtractBytes(state, out + i * out_len, 0, (unsigned)out_len);
    }
}
