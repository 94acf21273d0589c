/** Draws that anyone can recheck: hwdraw/1, as `hashwell draw` and `hashwell verify` have it. */
import { HashwellError } from '../errors.js';
import { ask, content, hex, Operation } from '../desk.js';

/** How rows are chosen; docs/spec/draw.md defines each. */
export type Method = 'index' | 'ticket' | 'bernoulli' | 'weighted-ticket' | 'pps-systematic' | 'gap' | 'replace';

/** The list: its file's text, a row a line; or a number n for the numbers 1 to n. */
export type List = string | Uint8Array | number;

/** A seed, and where it came from. A beacon's is the JSON that it publishes. */
export type Seed =
  | { text: string }
  | { dice: string }
  | { hex: string | Uint8Array }
  | { os: string | Uint8Array }
  | { drand: string }
  | { nist: string };

/** What is decided before the seed is known. */
export interface PlanOptions {
  method?: Method;
  /** How many rows; of each stratum with `strata: 'each'`. */
  k?: number;
  /** Of `bernoulli`: the chance of each row, as text: `'0.05'`. */
  p?: string;
  /** Decimals of the weights; by default as many as the longest of them has. */
  scale?: number;
  strata?: 'each' | 'proportional';
  /** What the draw is for. */
  context?: string;
  /** Where the seed is to come from, in words. */
  seedSource?: string;
  /** The source of words; `counter` by default. */
  words?: string;
  /** Rows end in NUL, not in a line's end. */
  zero?: boolean;
  /** The list is a stream that nobody listed before. */
  open?: boolean;
}

export interface DrawOptions extends PlanOptions {
  seed: Seed;
  /** The commitment that was published: nothing is drawn if the plan has another. */
  committed?: string;
}

/** A plan, and what is published of it before the seed is known. */
export interface Commitment {
  /** SHA-256 of the plan's text, in hexadecimal. */
  commitment: string;
  /** The plan: JSON without blanks, byte for byte. */
  plan: string;
  /** Rows of the list. */
  n: number;
}

/** A pick in a transcript. */
export interface Pick {
  id: string;
  index?: number;
  stratum?: string;
  ticket?: string;
  weight?: string;
}

/** A transcript as it was read. Whole numbers beyond 2^53 are rounded here, though not where they are verified. */
export interface Transcript {
  commitment: string;
  output: string;
  picks: Pick[];
  plan: {
    allocation?: 'each' | 'proportional';
    context: string;
    frame: { columns: ('id' | 'stratum' | 'weight')[]; digest: string; kind: 'list' | 'numbers' | 'open' };
    k?: number;
    method: Method;
    n: number;
    p?: string;
    scale?: number;
    seed_source: string;
    spec: 'hwdraw/1';
    strata?: { k: number; label: string; n: number }[];
    words: string;
  };
  /** Who drew. Nothing depends on it, and nothing verifies it. */
  program: string;
  seed: { from: 'text' | 'hex' | 'dice' | 'drand' | 'nist' | 'os'; text?: string; hex?: string; drand?: object; nist?: object };
}

/** What was found. */
export interface Verdict {
  /** Whether all that was looked at agrees. */
  agrees: boolean;
  /** What does not agree, each in one line. */
  wrong: string[];
  /** What was not looked at, each in one line. */
  unchecked: string[];
  /** The commitment of the plan, computed. */
  commitment: string;
  /** The plan's canonical text, whose SHA-256 it is. */
  planText: string;
  transcript: Transcript;
}

export interface VerifyOptions {
  /** The list that was drawn from. Without it, what stands in it is not verified, and `unchecked` says so. */
  list?: string | Uint8Array;
  zero?: boolean;
  /** The commitment that was published before the seed was known. */
  committed?: string;
}

/** How a pick comes about. Numbers are decimal texts, words and tickets hexadecimal. */
export type Step =
  | { how: 'number'; words: string[]; first: string; choices: string; rest: string; position: string }
  | { how: 'ticket'; ticket: string; below?: string }
  | { how: 'time'; time: string; units: string; quotient: number }
  | { how: 'point'; start: string; total: string; point: string; from: string; to: string; position: string }
  | { how: 'slot'; passed?: string; position: string }
  | { how: 'list' };

/** A draw, pick by pick. */
export interface Steps {
  /** K, from which all else comes. */
  key: string;
  parts: { label?: string; key: string; n: string; picks: Step[] }[];
}

/**
 * The commitment to publish before the seed is known. Needs `seedSource`.
 *
 * @throws {@link HashwellError} `mismatch` for a list that is none, `range` for numbers out of theirs
 */
export function plan(list: List, options: PlanOptions & { seedSource: string }): Commitment {
  return JSON.parse(ask(Operation.Plan, request(list, options), rows(list))) as Commitment;
}

/**
 * Draws, and gives the transcript: a text to be kept byte for byte.
 *
 * @throws {@link HashwellError} `mismatch` for a list, a seed or a commitment that is not what it should be, `range`
 */
export function draw(list: List, options: DrawOptions): string {
  const { seed, committed } = options;
  const given = Object.fromEntries(Object.entries(seed).map(([from, value]) => [from, digits(value)]));
  return ask(Operation.Draw, { ...request(list, options), seed: given, committed }, rows(list));
}

/**
 * Computes a transcript again. What does not agree is no error, but in the verdict.
 *
 * @throws {@link HashwellError} `mismatch` for what is no transcript of hwdraw/1, or no list
 */
export function verify(transcript: string | Uint8Array, options: VerifyOptions = {}): Verdict {
  return JSON.parse(about(Operation.Verify, transcript, options)) as Verdict;
}

/** How each pick of a transcript comes about, for whoever follows it. Whether it agrees is {@link verify}'s to tell. */
export function steps(transcript: string | Uint8Array, options: Omit<VerifyOptions, 'committed'> = {}): Steps {
  return JSON.parse(about(Operation.Steps, transcript, options)) as Steps;
}

function about(operation: typeof Operation.Verify | typeof Operation.Steps, transcript: string | Uint8Array, options: VerifyOptions): string {
  const { list, zero, committed } = options;
  const texts = [content(transcript, 'a transcript')];
  if (list !== undefined) texts.push(content(list, 'a list'));
  return ask(operation, { list: list !== undefined, zero, committed }, ...texts);
}

function request(list: List, options: PlanOptions): object {
  const { method = 'index', k, p, scale, strata, context, seedSource, words, zero, open } = options;
  if (typeof list === 'number' && !(Number.isSafeInteger(list) && list >= 0)) {
    throw new HashwellError('range', `the numbers 1 to n need a whole n from 0 to 2^53 - 1, not ${list}`);
  }
  const numbers = typeof list === 'number' ? list : undefined;
  return { method, k, p, scale, strata, context, seedSource, words, zero, open, numbers };
}

function rows(list: List): Uint8Array {
  return typeof list === 'number' ? new Uint8Array() : content(list, 'a list');
}

function digits(value: string | Uint8Array): string {
  return typeof value === 'string' ? value : hex(value);
}
