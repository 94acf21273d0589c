/** The module of draws and samples. */
import { desk } from '../desk.js';

const draws = desk(() => new URL('../hashwell-draw.wasm', import.meta.url));

/**
 * Loads the module of draws: once, before anything else of this path is called.
 *
 * @param source - its bytes, a compiled module or an address; by default the file beside this package
 * @throws {@link HashwellError} `unloadable`
 */
export const load = draws.load;

export const ask = draws.ask;
