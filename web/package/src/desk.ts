/** Loads the WebAssembly module for draws, samples and processes, and calls its operations. */
import { HashwellError, kind, type ErrorCode } from './errors.js';
import { bytes, compile, Memory, type Exports, type Source } from './memory.js';

interface DrawExports extends Exports {
  operate(operation: number, at: number, first: number, second: number, third: number): number;
  output(): number;
  /** Returns 1 if the module stopped because an allocation failed. */
  refused(): number;
}

/** The operations of the module. `crates/hashwell-draw-wasm/src/operation.rs` has the same list. */
export const Operation = {
  Plan: 1,
  Draw: 2,
  Verify: 3,
  Steps: 4,
  Sample: 5,
  Processes: 6,
  Process: 7,
  Law: 8,
  Split: 9,
} as const;

const TEXT = new TextDecoder();
const BYTES = new TextEncoder();

let module: WebAssembly.Module | undefined;
let memory: Memory<DrawExports> | undefined;

/**
 * Loads the WebAssembly module for draws, samples and processes. Call and await it once, before you call any other
 * function of `hashwell/draw` or `hashwell/process`. Later calls do nothing.
 *
 * @param source - the module's bytes, a compiled module, or its URL; by default the `.wasm` file in this package
 * @throws {@link HashwellError} `unloadable` if the module can't be fetched, compiled or started
 */
export async function load(source?: Source): Promise<void> {
  if (memory) return;
  module = await compile(source === undefined ? () => new URL('./hashwell-draw.wasm', import.meta.url) : source);
  memory = await Memory.start<DrawExports>(module);
}

/** Runs an operation with a request and up to two byte arrays, and returns its result. */
export function ask(operation: (typeof Operation)[keyof typeof Operation], request: object, ...texts: Uint8Array[]): string {
  if (!module || !memory) throw new HashwellError('not-loaded', 'call and await load() before anything else');
  const used = memory;
  const parts = [BYTES.encode(JSON.stringify(request)), texts[0] ?? new Uint8Array(), texts[1] ?? new Uint8Array()];
  const [first, second, third] = parts.map((part) => part.length) as [number, number, number];
  try {
    return used.lend(parts, 0, (at) => {
      const len = used.call((exports) => exports.operate(operation, at, first, second, third));
      const from = used.exports.output() >>> 0;
      return TEXT.decode(used.bytes.subarray(from, from + len));
    });
  } catch (error) {
    if (!(error instanceof HashwellError && error.code === 'internal')) throw error;
    // The module has stopped in an unknown state, so the next call uses a new instance.
    memory = Memory.of<DrawExports>(new WebAssembly.Instance(module, {}));
    const code: ErrorCode = used.exports.refused() ? 'memory' : 'internal';
    const message = code === 'memory' ? 'there is not enough memory for this' : error.message;
    throw new HashwellError(code, message, { cause: error });
  }
}

/** Encodes a string as UTF-8; returns bytes unchanged. */
export function content(value: unknown, what: string): Uint8Array {
  if (typeof value === 'string') return BYTES.encode(value);
  if (ArrayBuffer.isView(value)) return bytes(value, what);
  throw new HashwellError('type', `${what} must be text or a Uint8Array, not ${kind(value)}`);
}

/** Encodes bytes as lower-case hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the seed as a field of a request. */
export function seeded(seed: unknown): { seed_text: string } | { seed_hex: string } {
  return typeof seed === 'string' ? { seed_text: seed } : { seed_hex: hex(content(seed, 'a seed')) };
}
