/** SHA3-256 only. Call `await load()` first; the other functions are synchronous. */
import { one } from '../one.js';

export { HashwellError, type ErrorCode } from '../errors.js';
export type { Source } from '../memory.js';
export type { OneHasher, OneOptions } from '../one.js';
export const { load, hash, hasher } = one(() => new URL('../hashwell-sha3-256.wasm', import.meta.url));
