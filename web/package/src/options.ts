import { HashwellError, kind } from './errors.js';
import { bytes } from './memory.js';

/** Options of an algorithm. `algorithms` returns the options that each algorithm accepts, with their ranges. */
export interface Options {
  /** Digest size in bytes (BLAKE2 and extendable-output functions). */
  outputLen?: number | undefined;
  /** Secret key: up to 64 bytes for BLAKE2b, up to 32 for BLAKE2s, exactly 32 for BLAKE3. */
  key?: Uint8Array | undefined;
  /** Salt (BLAKE2): up to 16 bytes for BLAKE2b, up to 8 for BLAKE2s; padded with zeros. */
  salt?: Uint8Array | undefined;
  /** Personalization (BLAKE2): up to 16 bytes for BLAKE2b, up to 8 for BLAKE2s; padded with zeros. */
  personal?: Uint8Array | undefined;
  /** Customization string (cSHAKE, KangarooTwelve, Ascon-CXOF128). */
  customization?: Uint8Array | undefined;
  /** Function name (cSHAKE). It is reserved for functions defined by NIST. */
  functionName?: Uint8Array | undefined;
  /** Domain byte (TurboSHAKE), 1 to 127. */
  domain?: number | undefined;
  /** Context of a key derivation (BLAKE3): a string that names the purpose of the key. The message is the key material. */
  context?: string | undefined;
  /** Maximum number of children of a tree node (BLAKE2); 0 means unlimited. */
  fanout?: number | undefined;
  /** Maximum number of levels of the tree (BLAKE2), 1 to 255; 255 means unlimited. */
  maxDepth?: number | undefined;
  /** Maximum number of message bytes in a leaf of the tree (BLAKE2); 0 means unlimited. */
  leafLen?: number | undefined;
  /** Index of the node in its level of the tree, from 0 (BLAKE2). */
  nodeOffset?: number | bigint | undefined;
  /** Level of the node in the tree (BLAKE2); 0 for leaves. */
  nodeDepth?: number | undefined;
  /** Digest size of the tree's inner nodes in bytes (BLAKE2). */
  innerLen?: number | undefined;
  /** True if the node is the last one of its level of the tree (BLAKE2). */
  lastNode?: boolean | undefined;
}

/** The names in the order of the library's table of parameters: a name's index is its number. A test compares both lists. */
export const OPTIONS = [
  'outputLen', 'key', 'salt', 'personal', 'customization', 'functionName', 'domain', 'context', 'fanout', 'maxDepth',
  'leafLen', 'nodeOffset', 'nodeDepth', 'innerLen', 'lastNode',
] as const satisfies readonly (keyof Options)[];

const NONE = new Uint8Array();

/**
 * Encodes options for the module: the number of each option, the length of its value, and the value. A number as a value has
 * eight bytes.
 */
export function encode(options: Options | undefined): Uint8Array {
  if (options === undefined) return NONE;
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(known(options, OPTIONS))) {
    const body = encoded(name, value);
    parts.push(new Uint8Array(Uint32Array.of(OPTIONS.indexOf(name as (typeof OPTIONS)[number]), body.length).buffer), body);
  }
  return concat(parts);
}

/**
 * Copies the own properties of `options` that are not undefined. Properties added to `Object.prototype` have no effect. Throws
 * an error if a name isn't in `names`.
 */
export function known<O extends object>(options: O | undefined, names: readonly (keyof O & string)[]): O {
  const own: Record<string, unknown> = Object.create(null);
  for (const [name, value] of options === undefined ? [] : entries(options, 'options')) {
    if (!(names as readonly string[]).includes(name)) {
      throw new HashwellError('unknown-name', `unknown option '${name}' (known: ${names.join(', ')})`);
    }
    if (value === null) throw new HashwellError('type', `${name} must not be null: leave it out`);
    if (value !== undefined) own[name] = value;
  }
  return own as O;
}

/** Returns the own properties of an object. If the value isn't an object, the error message calls it `what`. */
export function entries(value: unknown, what: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw new HashwellError('type', `${what} must be an object, not ${kind(value)}`);
  }
  return Object.entries(value);
}

function encoded(name: string, value: unknown): Uint8Array {
  if (name === 'context') {
    if (typeof value === 'string') return new TextEncoder().encode(value);
    throw new HashwellError('type', `context must be a string, not ${kind(value)}`);
  }
  if (name === 'lastNode') {
    if (typeof value === 'boolean') return new Uint8Array(BigUint64Array.of(value ? 1n : 0n).buffer);
    throw new HashwellError('type', `lastNode must be true or false, not ${kind(value)}`);
  }
  if (['key', 'salt', 'personal', 'customization', 'functionName'].includes(name)) return bytes(value, name);
  return new Uint8Array(BigUint64Array.of(whole(value, name)).buffer);
}

/** Converts a number to a 64-bit unsigned integer. */
export function whole(value: unknown, name: string): bigint {
  if (typeof value !== 'bigint' && typeof value !== 'number') {
    throw new HashwellError('type', `${name} must be a number, not ${kind(value)}`);
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new HashwellError('type', `${name} must be an integer below 2^53, not ${value}`);
  }
  const number = BigInt(value);
  if (number < 0n || number >= 1n << 64n) {
    throw new HashwellError('range', `${name} must be 0 to 18446744073709551615, not ${number}`);
  }
  return number;
}

/** Checks that a value is a length: an integer from `min` to `max`. */
export function length(value: unknown, name: string, min = 0, max = 0x7fff_0000): number {
  const number = whole(value, name);
  if (number >= min && number <= max) return Number(number);
  throw new HashwellError('range', `${name} must be ${min} to ${max}, not ${number}`);
}

/** Concatenates all parts. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
