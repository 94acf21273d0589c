/** Lines of a text, as `hashwell sample` picks them. */
import { HashwellError } from '../errors.js';
import { ask, content, hex, Operation } from '../desk.js';
import { known } from '../options.js';

/** What is picked: one of these. */
export type Design =
  | { n: number; replace?: boolean }
  /** The inclusion probability of each line, as text: `'0.05'` or `'1/20'`. */
  | { probability: string }
  | { every: number }
  | { shuffle: true };

export type SampleOptions = Design & {
  seed: string | Uint8Array;
  /** Name of this step or purpose: draws with one seed and different contexts are independent. */
  context?: string;
  /** `draw`: in the order in which they were drawn; only with `n`. */
  order?: 'input' | 'draw';
};

/** Every option there is. */
type Asked = { [name in 'n' | 'replace' | 'probability' | 'every' | 'shuffle']?: unknown } & Pick<SampleOptions, 'seed' | 'order' | 'context'>;

export interface Sample {
  /** Lines of the text. */
  n: number;
  /** Numbers of those picked, from 1. */
  numbers: number[];
  /** The lines, without their ends. */
  rows: string[];
}

/**
 * A sample of the lines of a text: the same as `hashwell sample` draws with this seed.
 *
 * @throws {@link HashwellError} `mismatch` for a text that is not UTF-8, `range`, `type`
 */
export function sample(text: string | Uint8Array, options: SampleOptions): Sample {
  const { seed, context = '', n, probability, every, ...others } = known(options as Asked, [
    'n', 'replace', 'probability', 'every', 'shuffle', 'seed', 'order', 'context',
  ]);
  const seeded = typeof seed === 'string' ? { seed_text: seed } : { seed_hex: hex(content(seed, 'a seed')) };
  if (typeof context !== 'string') throw new HashwellError('type', 'context must be a string');
  const request = { ...others, context, k: n, p: probability, step: every, ...seeded };
  return JSON.parse(ask(Operation.Sample, request, content(text, 'a text'))) as Sample;
}
