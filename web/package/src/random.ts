import { HashwellError, kind } from './errors.js';
import { having, part } from './keyed.js';
import { bytes } from './memory.js';
import { Streaming } from './state.js';

/**
 * Bytes that a seed repeats: the same in every language, on every machine and in every version (`docs/guides/random.md`).
 * They are as hard to guess as the seed is. To seek takes no time where blocks are independent (`counter`, `blake3`); else
 * they are made.
 */
export class RandomSource extends Streaming {
  /** The next 4 bytes, big-endian, as a number. */
  nextU32(): number {
    return new DataView(this.read(4).buffer).getUint32(0);
  }

  /** The next 8 bytes, big-endian, as a number. */
  nextU64(): bigint {
    return new DataView(this.read(8).buffer).getBigUint64(0);
  }

  /** The next child: a stream that is independent of this one and of its other children. */
  spawn(): RandomSource {
    return new RandomSource(this.engine, this.ask((exports, state) => exports.spawn!(state)));
  }
}

/**
 * A source of random bytes from a seed.
 *
 * @param name - `counter`, an extendable-output function, or `hmac-drbg-` and the name of a hash
 * @param seed - bytes of any length, which are never parsed
 * @param personalization - what the bytes are for: other bytes for each
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
