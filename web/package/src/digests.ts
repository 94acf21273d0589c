/** The exports shared by all entries with many algorithms: functions that need no seed and no separate key. */
export { algorithms, type Algorithm, type Range } from './engine.js';
export { HashwellError, type ErrorCode } from './errors.js';
export { hash, hasher, Hasher, hashMany, xof, Xof } from './hash.js';
export { hashFile, type FileOptions, type FileSource, type Progress } from './file.js';
export type { Source } from './memory.js';
export type { Options } from './options.js';
