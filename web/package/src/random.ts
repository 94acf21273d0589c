import { HashwellError, kind } from './errors.js';
import { having, part } from './keyed.js';
import { bytes } from './memory.js';
import { Streaming } from './state.js';

/**
 * A reproducible stream of random bytes: a seed gives the same bytes in every language, on every machine and in every version
 * (`docs/guides/random.md`). They are as hard to guess as the seed. `counter` and `blake3` seek in constant time; other
 * sources compute all bytes in between.
 */
export class RandomSource extends Streaming {
  /** Reads the next 4 bytes as a big-endian unsigned integer. */
  nextU32(): number {
    return new DataView(this.read(4).buffer).getUint32(0);
  }

  /** Reads the next 8 bytes as a big-endian unsigned integer. */
  nextU64(): bigint {
    return new DataView(this.read(8).buffer).getBigUint64(0);
  }

  /** Creates the next child: a stream that is independent of this one and of its other children. */
  spawn(): RandomSource {
    return new RandomSource(this.engine, this.ask((exports, state) => exports.spawn!(state)));
  }
}

/**
 * Creates a reproducible stream of random bytes from a seed.
 *
 * @param name - `counter`, an extendable-output function, or `hmac-drbg-` followed by the name of a hash
 * @param seed - bytes of any length; they are never parsed as a number
 * @param personalization - the purpose of the bytes; different values give independent streams
 * @example
 * ```js
 * const source = randomSource('blake3', new TextEncoder().encode('my seed'));
 * const number = source.nextU64();
 * ```
 * @throws {HashwellError} `unknown-name` for an unknown source; `unsupported` for an algorithm that is not a random source
 */
export function randomSource(name: string, seed: Uint8Array, personalization: Uint8Array = new Uint8Array()): RandomSource {
  if (typeof name !== 'string') throw new HashwellError('type', `a source's name must be a string, not ${kind(name)}`);
  const engine = having('source');
  const source = part(engine, 'source');
  const text = new TextEncoder().encode(name);
  const parts = [text, bytes(seed, 'seed'), bytes(personalization, 'personalization')];
  const number = engine.lend(parts, 0, (at) =>
    engine.call(() => source(at, text.length, seed.length, personalization.length)));
  return new RandomSource(engine, number);
}
