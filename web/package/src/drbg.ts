import { rowHaving } from './engine.js';
import { part } from './keyed.js';
import { bytes } from './memory.js';
import { known, length, whole } from './options.js';
import { State } from './state.js';

/** Options of {@link drbg}. */
export interface DrbgOptions {
  /** Separates uses of one entropy source. It need not be secret. */
  personalization?: Uint8Array | undefined;
  /** Security strength in bits, which determines how much entropy is required; by default the strength of the hash. */
  strength?: number | undefined;
  /** Maximum number of requests between two reseeds; 2^48 by default. */
  reseedInterval?: number | bigint | undefined;
}

/** An HMAC-DRBG generator. It has no `clone`, because a copy would return the same output. */
export class Drbg extends State {
  /**
   * Makes one request for random bytes. Two requests for n bytes don't give the same bytes as one request for 2n bytes.
   *
   * @param len - the number of bytes, 0 to 65,536
   * @param additional - optional additional input
   * @returns the bytes
   * @throws {HashwellError} `range` if `len` is too large; `exhausted` if the reseed interval is used up. In the latter case,
   * call {@link Drbg.reseed}
   */
  generate(len: number, additional: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
    const { engine } = this;
    const out = length(len, 'len', 0, 65_536);
    return engine.lend([bytes(additional, 'additional')], out, (at) => {
      this.ask((exports, state) => exports.generate!(state, at, additional.length, out));
      return engine.take(out, at + additional.length);
    });
  }

  /**
   * Reseeds the generator with fresh entropy. A reseed directly before a request provides what the standard calls
   * prediction resistance.
   *
   * @param entropy - secret random bytes, with at least as many bits as the security strength
   * @param additional - optional additional input
   * @throws {HashwellError} `range` if the entropy is too short
   */
  reseed(entropy: Uint8Array, additional: Uint8Array = new Uint8Array()): this {
    this.engine.lend([bytes(entropy, 'entropy'), bytes(additional, 'additional')], 0, (at) =>
      this.ask((exports, state) => exports.reseed!(state, at, entropy.length, additional.length)));
    return this;
  }
}

/**
 * Creates an HMAC-DRBG generator (SP 800-90A, section 10.1.2) from your own entropy, which must not be used for anything
 * else. If you only need random bytes for keys, use `crypto.getRandomValues`. For reproducible bytes from a seed, use
 * `randomSource`.
 *
 * @param name - the hash, for example `sha256`
 * @param entropy - secret random bytes, with at least as many bits as the security strength
 * @param nonce - bytes that are never repeated, with at least half as many bits as the security strength
 * @param options - the personalization, the security strength and the reseed interval
 * @throws {HashwellError} `range` if the entropy or the nonce is too short or the hash does not have this strength;
 * `unsupported` if HMAC is not defined for the algorithm
 */
export function drbg(name: string, entropy: Uint8Array, nonce: Uint8Array, options?: DrbgOptions): Drbg {
  const { personalization = new Uint8Array(), strength, reseedInterval = 2 ** 48 } =
    known(options, ['personalization', 'strength', 'reseedInterval']);
  const { engine, id } = rowHaving(name, 'drbg');
  const make = part(engine, 'drbg');
  const parts = [bytes(entropy, 'entropy'), bytes(nonce, 'nonce'), bytes(personalization, 'personalization')];
  const bits = strength === undefined ? -1 : length(strength, 'strength');
  const interval = Number(whole(reseedInterval, 'reseedInterval'));
  const number = engine.lend(parts, 0, (at) => engine.call(() =>
    make(id, at, entropy.length, nonce.length, personalization.length, bits, interval)));
  return new Drbg(engine, number);
}
