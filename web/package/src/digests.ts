/** The exports shared by all entry points with many algorithms: the functions without an argument for a seed or a key. */
export { algorithms, type Algorithm, type Range } from './engine.js';
export { HashwellError, type ErrorCode } from './errors.js';
export { hash, hasher, Hasher, hashMany, xof, Xof } from './hash.js';
export { hashFile, type FileOptions, type FileSource, type Progress } from './file.js';
export type { Source } from './memory.js';
export type { Options } from './options.js';
