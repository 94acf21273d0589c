/**
 * Verifiable random draws, samples and splits: `import { load, draw, verify } from 'hashwell/draw'`. Call `await load()` first;
 * all other functions are synchronous.
 */
export { HashwellError, type ErrorCode } from '../errors.js';
export type { Source } from '../memory.js';
export { load } from '../desk.js';
export * from './hwdraw.js';
export * from './sample.js';
export * from './split.js';
