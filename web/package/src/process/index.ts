/**
 * Stochastic processes by name: `import { law, load, process } from 'hashwell/process'`. After `await load()` everything is
 * synchronous.
 */
export { HashwellError, type ErrorCode } from '../errors.js';
export type { Source } from '../memory.js';
export { load } from '../desk.js';
export * from './process.js';
