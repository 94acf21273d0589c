/** The exports shared by the entry points that have all functions: `hashwell` and `hashwell/inline`. */
export * from './digests.js';
export { drbg, Drbg, type DrbgOptions } from './drbg.js';
export { hkdf, hmac, Hmac, hmacHasher, kmac, Kmac, kmacHasher, kmacXof, type KmacOptions } from './keyed.js';
export { randomSource, RandomSource } from './random.js';
