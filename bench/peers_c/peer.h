/* The interface of a peer library: it exports functions `peer_TASK` of this one type, so that the benchmark doesn't
 * need the headers of the peers. The code in this folder calls functions of the peers, but contains none of their code. */
#ifndef HASHWELL_BENCH_PEER_H
#define HASHWELL_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

/* Writes the digests of `count` messages, `out_len` bytes each, in order and contiguously. Lengths are in bytes. Must
 * not run in two threads at once. */
typedef void peer_digests(const uint8_t *const *messages, const size_t *lengths, size_t count, uint8_t *out,
                          size_t out_len);

#endif
