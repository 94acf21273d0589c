/** The module of processes. */
import { desk } from '../desk.js';

const processing = desk(() => new URL('../hashwell-process.wasm', import.meta.url));

/**
 * Loads the module of processes: once, before anything else of this path is called.
 *
 * @param source - its bytes, a compiled module or an address; by default the file beside this package
 * @throws {@link HashwellError} `unloadable`
 */
export const load = processing.load;

export const ask = processing.ask;
