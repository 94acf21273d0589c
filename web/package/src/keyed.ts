import { row, type Engine, type HashExports } from './engine.js';
import { HashwellError } from './errors.js';
import { bytes } from './memory.js';
import { length } from './options.js';
import { Absorbing } from './state.js';

/** HMAC in progress. */
export class Hmac extends Absorbing {
  /** A copy, which goes on by itself. */
  clone(): Hmac {
    return new Hmac(this.engine, this.ask((exports, state) => exports.copy(state)));
  }

  /**
   * Whether this is the tag of the message so far. Bytes are compared without a branch on them, which a browser's
   * compiler may undo: `docs/web.md`.
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

/** HMAC under a key of any length, for a message that comes in pieces. */
export function hmacHasher(name: string, key: Uint8Array): Hmac {
  const { engine, id } = row(name);
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
  const { engine, id } = row(name);
  const derive = part(engine, 'derive');
  const out = length(len, 'len');
  const parts = [bytes(ikm, 'ikm'), bytes(salt, 'salt'), bytes(info, 'info')];
  return engine.lend(parts, out, (at) => {
    engine.call(() => derive(id, at, ikm.length, salt.length, info.length, out));
    return engine.take(out, at + ikm.length + salt.length + info.length);
  });
}

/** A function that small modules are without. */
export function part<K extends keyof HashExports>(engine: Engine, name: K): NonNullable<HashExports[K]> {
  const found = engine.exports[name];
  if (found) return found as NonNullable<HashExports[K]>;
  throw new HashwellError('unsupported', `the module that is loaded has no '${name}'; the one of 'hashwell' has`);
}
