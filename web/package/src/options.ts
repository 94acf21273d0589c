import { HashwellError, kind } from './errors.js';
import { bytes } from './memory.js';

/** What an algorithm takes besides its message; which takes what, and in which range, {@link algorithms} tells. */
export interface Options {
  /** Bytes of the digest, where the algorithm lets you choose. */
  outputLen?: number | undefined;
  /** Secret key: BLAKE2 of up to 64 (BLAKE2s: 32) bytes, BLAKE3 of 32. */
  key?: Uint8Array | undefined;
  /** Salt (BLAKE2), filled with zeros to 16 (BLAKE2s: 8) bytes. */
  salt?: Uint8Array | undefined;
  /** Personalisation (BLAKE2), filled with zeros to 16 (BLAKE2s: 8) bytes. */
  personal?: Uint8Array | undefined;
  /** Customisation string (cSHAKE, KangarooTwelve, Ascon-CXOF128). */
  customization?: Uint8Array | undefined;
  /** Function name (cSHAKE), which NIST reserves for functions that it defines. */
  functionName?: Uint8Array | undefined;
  /** Domain byte (TurboSHAKE), 1 to 127. */
  domain?: number | undefined;
  /** Key-derivation context (BLAKE3): the message is key material, this text says what the key is for. */
  context?: string | undefined;
  /** Most children of a node of a tree (BLAKE2), 0 for no limit. */
  fanout?: number | undefined;
  /** Levels of the tree (BLAKE2), 1 to 255; 255 also for no limit. */
  maxDepth?: number | undefined;
  /** Most bytes of message in a leaf of the tree (BLAKE2), 0 for no limit. */
  leafLen?: number | undefined;
  /** Number of the node in its level of the tree, from 0 (BLAKE2). */
  nodeOffset?: number | bigint | undefined;
  /** Level of the node in the tree, 0 for leaves (BLAKE2). */
  nodeDepth?: number | undefined;
  /** Bytes of the digests of the tree's inner nodes (BLAKE2). */
  innerLen?: number | undefined;
  /** Whether the node is the last of its level of the tree (BLAKE2). */
  lastNode?: boolean | undefined;
}

/** The names in the order of the library's table of parameters, whose numbers are their places. A test compares both. */
export const OPTIONS = [
  'outputLen', 'key', 'salt', 'personal', 'customization', 'functionName', 'domain', 'context', 'fanout', 'maxDepth',
  'leafLen', 'nodeOffset', 'nodeDepth', 'innerLen', 'lastNode',
] as const satisfies readonly (keyof Options)[];

const NONE = new Uint8Array();

/** Options as the module reads them: of each its number, its length, and its bytes; a number has eight. */
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
 * A copy of options that has only the caller's own properties, without those that are undefined. Properties that a
 * program added to `Object.prototype` have no effect. Refuses names that aren't listed.
 */
export function known<O extends object>(options: O | undefined, names: readonly (keyof O & string)[]): O {
  const own: Record<string, unknown> = Object.create(null);
  for (const [name, value] of options === undefined ? [] : entries(options, 'options')) {
    if (!(names as readonly string[]).includes(name)) {
      throw new HashwellError('unknown-name', `no option has the name '${name}': there are ${names.join(', ')}`);
    }
    if (value === null) throw new HashwellError('type', `${name} must not be null: leave it out`);
    if (value !== undefined) own[name] = value;
  }
  return own as O;
}

/** The own properties of an object; `what` names it in the error if it isn't one. */
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

/** A whole number of 64 bits. */
export function whole(value: unknown, name: string): bigint {
  if (typeof value !== 'bigint' && typeof value !== 'number') {
    throw new HashwellError('type', `${name} must be a number, not ${kind(value)}`);
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new HashwellError('type', `${name} must be a whole number below 2^53, not ${value}`);
  }
  const number = BigInt(value);
  if (number < 0n || number >= 1n << 64n) {
    throw new HashwellError('range', `${name} must be 0 to 18446744073709551615, not ${number}`);
  }
  return number;
}

/** A length that an array can have, of `min` to `max` bytes. */
export function length(value: unknown, name: string, min = 0, max = 0x7fff_0000): number {
  const number = whole(value, name);
  if (number >= min && number <= max) return Number(number);
  throw new HashwellError('range', `${name} must be ${min} to ${max}, not ${number}`);
}

/** All parts, one behind the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
