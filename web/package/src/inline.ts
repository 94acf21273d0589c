import { bytes as scalar } from './hashwell.wasm.js';
import { bytes as simd } from './hashwell.simd.wasm.js';
import { hasSimd, loader } from './engine.js';

export * from './api.js';

/** As {@link load} of `hashwell`, with both modules in the script: for bundlers and pages that cannot fetch a file. */
export const load = loader(() => (hasSimd() ? simd() : scalar()));
