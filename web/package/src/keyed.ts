import { loaded, rowHaving, type Engine, type HashExports } from './engine.js';
import { HashwellError, kind } from './errors.js';
import { Xof } from './hash.js';
import { bytes } from './memory.js';
import { length, known } from './options.js';
import { Absorbing, digest, release } from './state.js';

/** A MAC (message authentication code) in progress. */
abstract class Mac extends Absorbing {
  /**
   * Returns true if `tag` is the tag of the message so far. The comparison doesn't branch on the bytes, but a browser's
   * compiler may undo that; see `docs/guides/javascript.md`.
   */
  verify(tag: Uint8Array): boolean {
    const { engine } = this;
    try {
      engine.lend([bytes(tag, 'tag')], 0, (at) =>
        this.ask((exports, state) => exports.verify!(state, at, tag.length)));
      return true;
    } catch (error) {
      if (error instanceof HashwellError && error.code === 'mismatch') return false;
      throw error;
    }
  }
}

/** HMAC in progress. Create it with {@link hmacHasher}. */
export class Hmac extends Mac {
  /** Returns an independent copy. */
  clone(): Hmac {
    return new Hmac(this.engine, this.ask((exports, state) => exports.copy(state)));
  }
}

/**
 * Creates an HMAC in progress, for a message that arrives in pieces.
 *
 * @param name - the hash, for example `sha256`
 * @param key - the key, of any length
 * @throws {HashwellError} `unsupported` if HMAC is not defined for the algorithm
 */
export function hmacHasher(name: string, key: Uint8Array): Hmac {
  const { engine, id } = rowHaving(name, 'hmac');
  const hmac = part(engine, 'hmac');
  const number = engine.lend([bytes(key, 'key')], 0, (at) => engine.call(() => hmac(id, at, key.length)));
  return new Hmac(engine, number);
}

/**
 * Computes the HMAC tag of one message (RFC 2104).
 *
 * @param name - the hash, for example `sha256`
 * @param key - the key, of any length
 * @param data - the message
 * @returns the tag, which is as long as a digest of the hash
 * @example
 * ```js
 * const tag = hmac('sha256', key, message);
 * const valid = hmacHasher('sha256', key).update(message).verify(tag);
 * ```
 * @throws {HashwellError} `unsupported` if HMAC is not defined for the algorithm
 */
export function hmac(name: string, key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const mac = hmacHasher(name, key);
  try {
    return mac.update(data).digest();
  } finally {
    mac.free();
  }
}

/** Options of {@link kmac}. */
export interface KmacOptions {
  /** The purpose of the tag. Different strings give different tags. */
  customization?: Uint8Array | undefined;
  /** Tag size in bytes; 32 for `kmac128` and 64 for `kmac256` by default. A short tag is not the beginning of a longer one. */
  outputLen?: number | undefined;
  /** Use KMACXOF, where short output is the beginning of longer output. */
  xof?: boolean | undefined;
}

/** KMAC in progress. Create it with {@link kmacHasher}. */
export class Kmac extends Mac {
  private readonly len: number;

  /** @internal */
  constructor(engine: Engine, number: number, len: number) {
    super(engine, number);
    this.len = len;
  }

  /** Returns an independent copy. */
  clone(): Kmac {
    return new Kmac(this.engine, this.ask((exports, state) => exports.copy(state)), this.len);
  }

  override get outputLen(): number {
    this.state();
    return this.len;
  }

  override digest(): Uint8Array<ArrayBuffer> {
    return digest(this.engine, this.state(), this.len);
  }

  /** Works like {@link Hmac.verify}. A tag whose length differs from `outputLen` is always rejected. */
  override verify(tag: Uint8Array): boolean {
    return bytes(tag, 'tag').length === this.outputLen && super.verify(tag);
  }
}

/**
 * Creates a KMAC in progress (SP 800-185, section 4), for a message that arrives in pieces.
 *
 * @param name - `kmac128` or `kmac256`
 * @param key - the key, of any length
 * @param options - the customization and the size of the tag
 * @throws {HashwellError} `unknown-name` for any other name; `type` if an argument has the wrong type; `range` if `outputLen` is
 * out of range
 */
export function kmacHasher(name: string, key: Uint8Array, options?: Omit<KmacOptions, 'xof'>): Kmac {
  const { customization, outputLen } = known(options, ['customization', 'outputLen']);
  const asked = tagLength(outputLen);
  const [engine, number] = keyed(name, key, customization);
  return new Kmac(engine, number, asked ?? engine.exports.output_len(number));
}

/**
 * Creates the output stream of KMACXOF128 or KMACXOF256 (SP 800-185, section 4.3.1): append the message, then read bytes.
 *
 * @param name - `kmac128` or `kmac256`
 * @param key - the key, of any length
 * @param options - the customization
 * @throws {HashwellError} `unknown-name` for any other name; `type` if an argument has the wrong type
 */
export function kmacXof(name: string, key: Uint8Array, options?: Pick<KmacOptions, 'customization'>): Xof {
  const { customization } = known(options, ['customization']);
  return new Xof(...keyed(name, key, customization));
}

/**
 * Computes the KMAC tag of one message or, with the option `xof`, its KMACXOF output.
 *
 * @param name - `kmac128` or `kmac256`
 * @param key - the key, of any length
 * @param data - the message
 * @param options - the customization, the size of the tag, and the choice of KMACXOF
 * @returns the tag
 * @throws {HashwellError} the errors of {@link kmacHasher}
 */
export function kmac(name: string, key: Uint8Array, data: Uint8Array, options?: KmacOptions): Uint8Array<ArrayBuffer> {
  const { customization, outputLen, xof = false } = known(options, ['customization', 'outputLen', 'xof']);
  if (typeof xof !== 'boolean') throw new HashwellError('type', `xof must be true or false, not ${kind(xof)}`);
  const asked = tagLength(outputLen);
  const message = bytes(data, 'data');
  const [engine, state] = keyed(name, key, customization);
  try {
    const len = asked ?? engine.exports.output_len(state);
    engine.pour(message, (exports, piece) => exports.update(state, engine.at, piece));
    if (xof) engine.call((exports) => exports.turn(state));
    return engine.lend([], len, (at) => {
      engine.call((exports) => (xof ? exports.read(state, at, len) : exports.digest(state, at, len)));
      return engine.take(len, at);
    });
  } finally {
    release(engine, state);
  }
}

/** Checks the option `outputLen`, if it is set. */
function tagLength(asked: number | undefined): number | undefined {
  return asked === undefined ? undefined : length(asked, 'outputLen', 1);
}

/** Creates a KMAC state in a module that supports KMAC. */
function keyed(name: string, key: Uint8Array, customization: Uint8Array = new Uint8Array()): [Engine, number] {
  if (typeof name !== 'string') throw new HashwellError('type', `KMAC's name must be a string, not ${kind(name)}`);
  const engine = having('kmac');
  const make = part(engine, 'kmac');
  const text = new TextEncoder().encode(name);
  const parts = [text, bytes(key, 'key'), bytes(customization, 'customization')];
  return [engine, engine.lend(parts, 0, (at) => engine.call(() => make(at, text.length, key.length, customization.length)))];
}

/**
 * Derives a key with HKDF (RFC 5869).
 *
 * @param name - the hash, for example `sha256`
 * @param ikm - the input key material
 * @param salt - a salt, which can be empty
 * @param info - the purpose of the key; different values give independent keys
 * @param len - the number of bytes to return, at most 255 times the digest size
 * @returns the derived key
 * @throws {HashwellError} `range` if `len` is too large; `unsupported` if HMAC is not defined for the algorithm
 */
export function hkdf(
  name: string,
  ikm: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  len: number,
): Uint8Array<ArrayBuffer> {
  const { engine, id } = rowHaving(name, 'derive');
  const derive = part(engine, 'derive');
  const out = length(len, 'len');
  const parts = [bytes(ikm, 'ikm'), bytes(salt, 'salt'), bytes(info, 'info')];
  return engine.lend(parts, out, (at) => {
    engine.call(() => derive(id, at, ikm.length, salt.length, info.length, out));
    return engine.take(out, at + ikm.length + salt.length + info.length);
  });
}

/** Returns a loaded module that exports this function; if there is none, the first module. */
export function having(name: keyof HashExports): Engine {
  const engines = loaded();
  return engines.find(({ exports }) => exports[name]) ?? engines[0]!;
}

/** Returns an exported function that smaller modules don't have; throws an error with the code `unsupported` if it is missing. */
export function part<K extends keyof HashExports>(engine: Engine, name: K): NonNullable<HashExports[K]> {
  const found = engine.exports[name];
  if (found) return found as NonNullable<HashExports[K]>;
  throw new HashwellError('unsupported', `the loaded module does not support '${name}', which needs the full module of 'hashwell'`);
}
