import { bytes as scalar } from './hashwell.wasm.js';
import { bytes as simd } from './hashwell.simd.wasm.js';
import { hasSimd, loader } from './engine.js';

export * from './api.js';

/** Loads the module from the script itself, for bundlers and pages that can't fetch a file. Use it like `load` of `hashwell`. */
export const load = loader(() => (hasSimd() ? simd() : scalar()));
