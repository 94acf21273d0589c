/** What needs neither a key of its own nor a seed: every entry of many algorithms has it, whichever module it loads. */
export { algorithms, type Algorithm, type Range } from './engine.js';
export { HashwellError, type ErrorCode } from './errors.js';
export { hash, hasher, Hasher, hashMany, xof, Xof } from './hash.js';
export { hashFile, type FileOptions, type FileSource, type Progress } from './file.js';
export type { Source } from './memory.js';
export type { Options } from './options.js';
