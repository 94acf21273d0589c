/* ascon-c's Ascon-XOF128. */
#include "peer.h"

int ascon_xof(uint8_t *out, uint64_t out_len, const uint8_t *in, uint64_t in_len);
peer_digests peer_ascon_xof128;

void peer_ascon_xof128(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,
                       size_t out_len)
{
    for (size_t i = 0; i < count; i++)
        ascon_xof(out + i * out_len, out_len, messages[i], lengths[i]);
}
