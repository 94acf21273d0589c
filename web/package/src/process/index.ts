/**
 * Stochastic processes: `import { law, load, process } from 'hashwell/process'`. Call `await load()` first; all other
 * functions are synchronous.
 */
export { HashwellError, type ErrorCode } from '../errors.js';
export type { Source } from '../memory.js';
export { load } from '../desk.js';
export * from './process.js';
