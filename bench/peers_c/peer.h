/* What every peer library exports: functions `peer_TASK` of this one type, so that the bench needs no
 * peer's headers. The code here calls the peers' functions; none of it is theirs. */
#ifndef HASHWELL_BENCH_PEER_H
#define HASHWELL_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

/* Writes the digests of `count` messages, `out_len` bytes each, in order and contiguously. Lengths are
 * in bytes. Not for two threads at once. */
typedef void peer_digests(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,
                          size_t out_len);

#endif
