/* A simulation, clock by clock, of the core sha256r_axis (hdl/rtl): Verilator's translation behind plain C.
 *
 * It is as exact as the core and as slow as a simulation: its digests are the core's, its wall time says nothing about
 * hardware. `cycles` does: clocks of the core, to be divided by the clock rate of a routed design.
 */
#ifndef SHA256R_SIM_H
#define SHA256R_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One simulated core. It belongs to one thread at a time. */
typedef struct sha256r_sim sha256r_sim;

/* A core that was reset, with 64 rounds (SHA-256) or 90 (SHA256-90R); NULL for another number, or without memory. */
sha256r_sim *sha256r_sim_new(unsigned rounds);

/* NULL is left alone. */
void sha256r_sim_free(sha256r_sim *sim);

/* Writes the message's digest, and to `cycles`, unless it is NULL, the clocks from the first beat of the message to the
 * last of the digest. `message` may be NULL if `length` is 0. Returns 0, or 1 if the core does not do what it promises,
 * in which case the digest is zeros and the core has to be freed. */
int sha256r_sim_hash(sha256r_sim *sim, const uint8_t *message, size_t length, uint8_t digest[32], uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
