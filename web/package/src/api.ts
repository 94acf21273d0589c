/** What every entry of the package has, whichever module it loads. */
export { drbg, Drbg, type DrbgOptions } from './drbg.js';
export { algorithms, type Algorithm, type Range } from './engine.js';
export { HashwellError, type ErrorCode } from './errors.js';
export { hash, hasher, Hasher, hashMany, xof, Xof } from './hash.js';
export { hashFile, type FileOptions, type Progress } from './file.js';
export { hkdf, hmac, Hmac, hmacHasher, kmac, Kmac, kmacHasher, kmacXof, type KmacOptions } from './keyed.js';
export type { Source } from './memory.js';
export type { Options } from './options.js';
export { randomSource, RandomSource } from './random.js';
