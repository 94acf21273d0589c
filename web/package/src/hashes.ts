/**
 * Hash functions only: `import { hash, load } from 'hashwell/hashes'`. It has all algorithms with all their options, including
 * the keys of BLAKE2 and BLAKE3. Its modules are smaller: they contain no HMAC, KMAC, HKDF, HMAC-DRBG or random sources. Call
 * `await load()` first; all other functions except `hashFile` are synchronous.
 */
import { hasSimd, loader } from './engine.js';

export * from './digests.js';

/** Loads the smaller module. It works like `load` of `hashwell`. */
export const load = loader(() =>
  hasSimd() ? new URL('./hashwell-hashes.simd.wasm', import.meta.url) : new URL('./hashwell-hashes.wasm', import.meta.url));
