/**
 * The hashes alone: `import { hash, load } from 'hashwell/hashes'`. All algorithms with all their options, the keys of BLAKE2
 * and BLAKE3 among them, in modules without HMAC, KMAC, HKDF, HMAC-DRBG and random bytes. After `await load()` everything is
 * synchronous.
 */
import { hasSimd, loader } from './engine.js';

export * from './digests.js';

/** As {@link load} of `hashwell`, of smaller modules. */
export const load = loader(() =>
  hasSimd() ? new URL('./hashwell-hashes.simd.wasm', import.meta.url) : new URL('./hashwell-hashes.wasm', import.meta.url));
