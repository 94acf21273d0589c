import { rowHaving } from './engine.js';
import { part } from './keyed.js';
import { bytes } from './memory.js';
import { known, length, whole } from './options.js';
import { State } from './state.js';

/** What a generator takes besides its entropy and its nonce. */
export interface DrbgOptions {
  /** Tells uses of one source of entropy apart; need not be secret. */
  personalization?: Uint8Array | undefined;
  /** Security strength in bits, which sets how much entropy is demanded: all that the hash gives unless asked for. */
  strength?: number | undefined;
  /** Requests between two reseeds: 2^48 unless asked for. */
  reseedInterval?: number | bigint | undefined;
}

/** HMAC-DRBG in progress. It cannot be copied, since a copy would repeat its output. */
export class Drbg extends State {
  /**
   * One request of at most 65,536 bytes. The bytes depend on how they are cut into requests.
   *
   * @param additional - additional input
   * @throws {HashwellError} `range`; `exhausted` after as many requests as the reseed interval, until {@link Drbg.reseed}
   */
  generate(len: number, additional: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
    const { engine } = this;
    const out = length(len, 'len', 0, 65_536);
    return engine.lend([bytes(additional, 'additional')], out, (at) => {
      this.ask((exports, state) => exports.generate!(state, at, additional.length, out));
      return engine.take(out, at + additional.length);
    });
  }

  /** Mixes fresh entropy in, of at least the strength. Before a request, it is what the standard calls prediction resistance. */
  reseed(entropy: Uint8Array, additional: Uint8Array = new Uint8Array()): this {
    this.engine.lend([bytes(entropy, 'entropy'), bytes(additional, 'additional')], 0, (at) =>
      this.ask((exports, state) => exports.reseed!(state, at, entropy.length, additional.length)));
    return this;
  }
}

/**
 * HMAC-DRBG (SP 800-90A, section 10.1.2) with entropy of your own, which nothing else may use. Random bytes for keys
 * come from `crypto.getRandomValues` without any of this; bytes that a seed repeats from {@link randomSource}.
 *
 * @param entropy - at least as many bits as the strength
 * @param nonce - at least half as many
 * @throws {HashwellError} `range` for too little of one of them, or a strength that the hash does not give; `unsupported`
 * for an algorithm that HMAC is not defined over
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
