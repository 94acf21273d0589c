/**
 * Draws that anyone can recheck, and samples: `import { load, draw, verify } from 'hashwell/draw'`. After
 * `await load()` everything is synchronous.
 */
export { HashwellError, type ErrorCode } from '../errors.js';
export type { Source } from '../memory.js';
export { load } from '../desk.js';
export * from './hwdraw.js';
export * from './sample.js';
