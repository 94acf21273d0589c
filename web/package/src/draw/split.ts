/** Reproducible splits of rows into named parts, like the command `hashwell split`. */
import { HashwellError, kind } from '../errors.js';
import { ask, Operation, seeded } from '../desk.js';
import { bytes } from '../memory.js';
import { concat, entries, known } from '../options.js';

/**
 * The value that determines the group or stratum of a row. A number must be a safe integer. Numbers and bigints are converted to
 * decimal digits.
 */
export type Value = string | number | bigint | Uint8Array;

/** The source of a row's group or stratum: the name of a property of the row, or a function that returns the value. */
export type Selector<Row> = (keyof Row & string) | ((row: Row, index: number) => Value);

/** Options of {@link split}. */
export interface SplitOptions<Row> {
  /** The seed. The same rows, shares, seed and options give the same parts. */
  seed: string | Uint8Array;
  /** A name for this split or for its purpose. To split a part again, use a different context or seed. */
  context?: string;
  /**
   * The groups. All rows of a group are in the same part. Without `exact` and `stratify`, the part depends only on the group, the
   * seed, the context and the shares, so adding or removing rows doesn't move other rows.
   */
  groupBy?: Selector<Row>;
  /**
   * The strata. The sizes of the parts are exact, as with `exact: true`, and each part is divided among the strata in proportion
   * to their sizes.
   */
  stratify?: Selector<Row>;
  /** If true, each part has an exact number of rows or, with `groupBy`, an exact number of groups. */
  exact?: boolean;
}

const BYTES = new TextEncoder();

/** Returns the name and the share of each part, in order. */
function parts(shares: unknown): [string, unknown][] {
  if (Array.isArray(shares)) {
    return shares.map((pair: unknown) => {
      if (Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string') return [pair[0], pair[1]];
      throw new HashwellError('type', 'each of the shares must be a pair of a name and a share');
    });
  }
  const pairs = entries(shares, 'shares');
  const moved = pairs.find(([name]) => /^(0|[1-9]\d*)$/.test(name));
  if (moved === undefined) return pairs;
  throw new HashwellError('type', `JavaScript reorders properties such as '${moved[0]}': give the shares as an array of pairs`);
}

function spelled(share: unknown, name: string): string {
  if (typeof share === 'string') return share;
  if (typeof share !== 'number') throw new HashwellError('type', `the share of ${name} must be a number or a string, not ${kind(share)}`);
  const text = String(share);
  if (!text.includes('e')) return text;
  throw new HashwellError('type', `the share of ${name} is ${text}: write it as a string without an exponent, such as '1/10000000'`);
}

function text(value: unknown, what: string): Uint8Array {
  if (typeof value === 'string') {
    if (!/\p{Surrogate}/u.test(value)) return BYTES.encode(value);
    throw new HashwellError('type', `${what} contains an unpaired surrogate, which UTF-8 can't encode`);
  }
  if (ArrayBuffer.isView(value)) return bytes(value, what);
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BYTES.encode(`${value as bigint | number}`);
  if (typeof value === 'number') throw new HashwellError('type', `${what} must be a safe integer, a string or bytes, not ${value}`);
  throw new HashwellError('type', `${what} must be a string, an integer or a Uint8Array, not ${kind(value)}`);
}

/** Encodes the value of each row, after its length in 4 bytes. */
function values<Row>(rows: readonly Row[], selector: Selector<Row> | undefined, name: string): Uint8Array {
  if (selector === undefined) return new Uint8Array();
  if (typeof selector !== 'string' && typeof selector !== 'function') {
    throw new HashwellError('type', `${name} must be the name of a property or a function, not ${kind(selector)}`);
  }
  const of = (row: Row, at: number): unknown => {
    if (typeof selector === 'function') return selector(row, at);
    if (typeof row === 'object' && row !== null && Object.hasOwn(row, selector)) return row[selector];
    throw new HashwellError('type', `row ${at} has no property '${selector}'`);
  };
  return concat(
    Array.from(rows, (row, at) => text(of(row, at), `${name} of row ${at}`)).flatMap((value) => [
      new Uint8Array(Uint32Array.of(value.length).buffer),
      value,
    ]),
  );
}

/**
 * Splits rows into named parts, such as training and test data. With the same seed, shares and options, `hashwell split` and
 * Python's `hashwell.split` make the same parts, if the value of each row's group and stratum is the same string. Integers are
 * compared as decimal strings.
 *
 * @param rows - the rows, of any type
 * @param shares - the share of each part by its name, such as `{ train: 0.8, test: 0.2 }`, or an array of pairs of a name and
 * a share. A share is a number, or a string with a decimal number or a fraction. The shares must add up to 1, and their order
 * matters.
 * @param options - the seed and other options
 * @returns the rows of each part, by its name, in their original order
 * @example
 * ```js
 * import { load, split } from 'hashwell/draw';
 * await load();
 * const { train, test } = split(visits, { train: 0.8, test: 0.2 }, { seed: '0877', groupBy: 'user' });
 * ```
 * @throws {@link HashwellError} `range` if a share is out of range or the shares don't add up to 1; `type` if an argument has
 * the wrong type, or a row doesn't have the named property
 */
export function split<Row, Name extends string>(
  rows: readonly Row[],
  shares: Readonly<Record<Name, number | string>> | readonly (readonly [Name, number | string])[],
  options: SplitOptions<Row>,
): Record<Name, Row[]> {
  const { seed, context = '', groupBy, stratify, exact = false } = known(options, ['seed', 'context', 'groupBy', 'stratify', 'exact']);
  if (!Array.isArray(rows)) throw new HashwellError('type', `rows must be an array, not ${kind(rows)}`);
  if (typeof context !== 'string') throw new HashwellError('type', `context must be a string, not ${kind(context)}`);
  if (typeof exact !== 'boolean') throw new HashwellError('type', `exact must be true or false, not ${kind(exact)}`);
  const named = parts(shares);
  const request = {
    rows: rows.length,
    shares: named.map(([name, share]) => `${name}=${spelled(share, name)}`),
    grouped: groupBy !== undefined,
    stratified: stratify !== undefined,
    exact,
    context,
    ...seeded(seed),
  };
  const found = JSON.parse(
    ask(Operation.Split, request, values(rows, groupBy, 'groupBy'), values(rows, stratify, 'stratify')),
  ) as number[];
  const split = named.map(([name]): [string, Row[]] => [name, []]);
  rows.forEach((row, at) => split[found[at] as number]?.[1].push(row));
  return Object.fromEntries(split) as Record<Name, Row[]>;
}
