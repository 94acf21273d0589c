import { hasSimd, loader } from './engine.js';

export * from './api.js';

/**
 * Loads the module with all algorithms, once: everything else of the package works after it, at once. Where vectors of
 * 128 bits are, the module that uses them.
 *
 * @param source - the module's bytes, a compiled one, or its address, where the default cannot be found
 */
export const load = loader(() =>
  hasSimd() ? new URL('./hashwell.simd.wasm', import.meta.url) : new URL('./hashwell.wasm', import.meta.url));
