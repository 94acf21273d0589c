/** Reproducible random samples of the lines of a text, like the command `hashwell sample`. */
import { HashwellError } from '../errors.js';
import { ask, content, Operation, seeded } from '../desk.js';
import { known } from '../options.js';

/** The sampling design: use exactly one of these forms. */
export type Design =
  /** `n` lines without replacement, or with replacement if `replace` is true. */
  | { n: number; replace?: boolean }
  /** Each line independently with this probability, a string such as `'0.05'` or `'1/20'`. */
  | { probability: string }
  /** Every `every`-th line. */
  | { every: number }
  /** All lines in random order. */
  | { shuffle: true };

/** Options of {@link sample}. */
export type SampleOptions = Design & {
  /** The seed. The same seed and options give the same sample. */
  seed: string | Uint8Array;
  /** A name for this sample or for its purpose. Samples with the same seed and different contexts are independent. */
  context?: string;
  /** The order of the result: `input` (the default), or `draw` for the order in which lines were drawn (requires `n`). */
  order?: 'input' | 'draw';
};

/** All options of {@link sample}. */
type Asked = { [name in 'n' | 'replace' | 'probability' | 'every' | 'shuffle']?: unknown } & Pick<SampleOptions, 'seed' | 'order' | 'context'>;

/** The result of {@link sample}. */
export interface Sample {
  /** The number of lines in the text. */
  n: number;
  /** The line numbers of the sample, starting at 1. */
  numbers: number[];
  /** The lines of the sample, without line endings. */
  rows: string[];
}

/**
 * Draws a sample of the lines of a text. With the same seed and options, `hashwell sample` draws the same sample.
 *
 * @param text - the text, with one row per line
 * @param options - the sampling design, the seed and other options
 * @returns the lines of the sample, and their numbers
 * @example
 * ```js
 * import { load, sample } from 'hashwell/draw';
 * await load();
 * const { rows } = sample('a\nb\nc\n', { n: 2, seed: 'my seed' });
 * ```
 * @throws {@link HashwellError} `mismatch` if the text is not valid UTF-8; `range` if a number is out of range; `type` if an
 * argument has the wrong type
 */
export function sample(text: string | Uint8Array, options: SampleOptions): Sample {
  const { seed, context = '', n, probability, every, ...others } = known(options as Asked, [
    'n', 'replace', 'probability', 'every', 'shuffle', 'seed', 'order', 'context',
  ]);
  if (typeof context !== 'string') throw new HashwellError('type', 'context must be a string');
  const request = { ...others, context, k: n, p: probability, step: every, ...seeded(seed) };
  return JSON.parse(ask(Operation.Sample, request, content(text, 'a text'))) as Sample;
}
