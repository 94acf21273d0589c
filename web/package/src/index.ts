export { HashwellError, type ErrorCode } from './errors.js';
export type { Source } from './memory.js';
