/** Lines of a text, as `hashwell sample` picks them. */
import { HashwellError } from '../errors.js';
import { ask, content, hex, Operation } from '../desk.js';

/** What is picked: one of these. */
export type Design =
  | { rows: number }
  | { replace: number }
  /** The chance of each line, as text: `'0.05'` or `'1/20'`. */
  | { probability: string }
  | { every: number }
  | { shuffle: true };

export type SampleOptions = Design & {
  seed: string | Uint8Array;
  /** `draw`: in the order in which they were drawn; of `rows` and `replace`. */
  order?: 'input' | 'draw';
};

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
  const { seed, order, ...wanted } = options;
  const designs = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (designs.length !== 1) {
    throw new HashwellError('type', 'a sample has one of rows, replace, probability, every and shuffle');
  }
  const design = 'shuffle' in wanted ? 'shuffle' : wanted;
  const seeded = typeof seed === 'string' ? { seed } : { seedHex: hex(content(seed, 'a seed')) };
  const request = { design, orderOfDrawing: order === 'draw', ...seeded };
  return JSON.parse(ask(Operation.Sample, request, content(text, 'a text'))) as Sample;
}
