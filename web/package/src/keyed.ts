import { loaded, rowHaving, type Engine, type HashExports } from './engine.js';
import { HashwellError, kind } from './errors.js';
import { Xof } from './hash.js';
import { bytes } from './memory.js';
import { length, known } from './options.js';
import { Absorbing, digest, release } from './state.js';

/** A MAC in progress. */
abstract class Mac extends Absorbing {
  /**
   * Whether this is the tag of the message so far. Bytes are compared without a branch on them, which a browser's
   * compiler may undo: `docs/guides/javascript.md`.
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

/** HMAC in progress. */
export class Hmac extends Mac {
  /** A copy, which goes on by itself. */
  clone(): Hmac {
    return new Hmac(this.engine, this.ask((exports, state) => exports.copy(state)));
  }
}

/** HMAC under a key of any length, for a message that comes in pieces. */
export function hmacHasher(name: string, key: Uint8Array): Hmac {
  const { engine, id } = rowHaving(name, 'hmac');
  const hmac = part(engine, 'hmac');
  const number = engine.lend([bytes(key, 'key')], 0, (at) => engine.call(() => hmac(id, at, key.length)));
  return new Hmac(engine, number);
}

/**
 * The HMAC tag of one message (RFC 2104).
 *
 * @throws {HashwellError} `unsupported` for an algorithm that HMAC is not defined over
 */
export function hmac(name: string, key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const mac = hmacHasher(name, key);
  try {
    return mac.update(data).digest();
  } finally {
    mac.free();
  }
}

/** What KMAC takes besides its key and its message. */
export interface KmacOptions {
  /** What the tag is for: another one for each. */
  customization?: Uint8Array | undefined;
  /** Bytes of the tag: 32 for `kmac128` and 64 for `kmac256` unless asked for. A shorter tag is no part of a longer one. */
  outputLen?: number | undefined;
  /** Whether it is KMACXOF, of which shorter output is the beginning of longer. */
  xof?: boolean | undefined;
}

/** KMAC in progress. */
export class Kmac extends Mac {
  private readonly len: number;

  /** @internal */
  constructor(engine: Engine, number: number, len: number) {
    super(engine, number);
    this.len = len;
  }

  /** A copy, which goes on by itself. */
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

  /** As {@link Hmac.verify}; a tag of another length than this one's is not accepted, however it came about. */
  override verify(tag: Uint8Array): boolean {
    return bytes(tag, 'tag').length === this.outputLen && super.verify(tag);
  }
}

/**
 * KMAC128 or KMAC256 (SP 800-185, section 4) under a key of any length, for a message that comes in pieces.
 *
 * @throws {HashwellError} `unknown-name`, `type`, `range`
 */
export function kmacHasher(name: string, key: Uint8Array, options?: Omit<KmacOptions, 'xof'>): Kmac {
  const { customization, outputLen } = known(options, ['customization', 'outputLen']);
  const asked = tagLength(outputLen);
  const [engine, number] = keyed(name, key, customization);
  return new Kmac(engine, number, asked ?? engine.exports.output_len(number));
}

/** KMACXOF128 or KMACXOF256 (SP 800-185, section 4.3.1): message in, then bytes out, as many as anybody wants. */
export function kmacXof(name: string, key: Uint8Array, options?: Pick<KmacOptions, 'customization'>): Xof {
  const { customization } = known(options, ['customization']);
  return new Xof(...keyed(name, key, customization));
}

/** The KMAC tag of one message, or the beginning of its KMACXOF. Errors as those of {@link kmacHasher}. */
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

/** The length of a tag, if one is asked for. */
function tagLength(asked: number | undefined): number | undefined {
  return asked === undefined ? undefined : length(asked, 'outputLen', 1);
}

/** KMAC's state, in a module that has it. */
function keyed(name: string, key: Uint8Array, customization: Uint8Array = new Uint8Array()): [Engine, number] {
  if (typeof name !== 'string') throw new HashwellError('type', `KMAC's name must be a string, not ${kind(name)}`);
  const engine = having('kmac');
  const make = part(engine, 'kmac');
  const text = new TextEncoder().encode(name);
  const parts = [text, bytes(key, 'key'), bytes(customization, 'customization')];
  return [engine, engine.lend(parts, 0, (at) => engine.call(() => make(at, text.length, key.length, customization.length)))];
}

/**
 * HKDF (RFC 5869): `len` bytes derived from input key material.
 *
 * @throws {HashwellError} `range` for more than 255 digests
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

/** A module that has this function, if any that is loaded has. */
export function having(name: keyof HashExports): Engine {
  const engines = loaded();
  return engines.find(({ exports }) => exports[name]) ?? engines[0]!;
}

/** A function that small modules are without. */
export function part<K extends keyof HashExports>(engine: Engine, name: K): NonNullable<HashExports[K]> {
  const found = engine.exports[name];
  if (found) return found as NonNullable<HashExports[K]>;
  throw new HashwellError('unsupported', `the module that is loaded has no '${name}'; the one of 'hashwell' has`);
}
