import { hasSimd, loader } from './engine.js';

export * from './api.js';

/**
 * Loads the WebAssembly module with all algorithms. Call and await it once, before you call any other function of the
 * package. If the browser supports 128-bit SIMD, the module that uses it is loaded.
 *
 * @param source - the module's bytes, a compiled module, or its URL, if the default file can't be found
 * @throws {HashwellError} `unloadable` if the module can't be fetched, compiled or started
 */
export const load = loader(() =>
  hasSimd() ? new URL('./hashwell.simd.wasm', import.meta.url) : new URL('./hashwell.wasm', import.meta.url));
