/**
 * Verifiable random draws in the format hwdraw/1, like the commands `hashwell draw` and `hashwell verify`.
 *
 * @example
 * ```js
 * import { draw, load, plan, verify } from 'hashwell/draw';
 * await load();
 * const list = 'Ann\nBob\nCleo\n';
 * const { commitment } = plan(list, { n: 1, seedSource: { kind: 'dice' } });    // publish this before you roll
 * const transcript = draw(list, { n: 1, seed: { dice: '31415' }, committed: commitment });
 * verify(transcript, { list, committed: commitment, seedAttested: true }).outcome;
 * ```
 */
import { HashwellError } from '../errors.js';
import { ask, content, hex, Operation } from '../desk.js';
import { entries, known } from '../options.js';

/** A method to choose rows; docs/spec/draw.md defines each. */
export type Method = 'index' | 'ticket' | 'bernoulli' | 'weighted-ticket' | 'pps-systematic' | 'gap' | 'replace';

/** The list to draw from: the text of a file with one row per line, or a number n for the numbers 1 to n. */
export type List = string | Uint8Array | number;

/** A seed, labelled with its origin. For a beacon (`drand` or `nist`), it is the JSON text that the beacon publishes. */
export type Seed =
  | { text: string }
  | { dice: string }
  | { hex: string | Uint8Array }
  | { os: string | Uint8Array }
  | { drand: string }
  | { nist: string };

/** The origin that a plan announces for its seed, and a description for readers. The seed of the draw must have this origin. */
export type SeedSource = { description?: string } & (
  | { kind: 'dice' | 'text' | 'hex' | 'os' }
  /** The hash of the chain (64 lower-case hexadecimal digits) and the number of the round. */
  | { kind: 'drand'; chain: string; round: number }
  /** The SHA-512 of the certificate in DER form (128 lower-case hexadecimal digits) and the numbers of chain and pulse. */
  | { kind: 'nist'; certificate: string; chain: number; pulse: number }
);

/** Options of a draw that you decide before the seed is known. */
export interface PlanOptions {
  /** The method; `index` by default. */
  method?: Method;
  /** Number of rows to draw; with `strata: 'each'`, the number from each stratum. */
  n?: number;
  /** The inclusion probability of each row, as a string such as `'0.05'` (requires the method `bernoulli`). */
  probability?: string;
  /** Number of decimal places of the weights; by default, the largest number of decimal places of any weight. */
  scale?: number;
  /** `each`: draw `n` rows from each stratum. `proportional`: divide `n` rows among the strata in proportion to their sizes. */
  strata?: 'each' | 'proportional';
  /** The purpose of the draw. */
  context?: string;
  /**
   * The origin that the seed must have; by default the origin of the seed passed to {@link draw}. As a string: `dice`,
   * `text`, `hex`, `os`, `drand CHAIN ROUND` or `nist CHAIN PULSE`. For `nist`, the latest certificate published for the
   * chain is used.
   */
  seedSource?: SeedSource | string;
  /** A description of the seed's origin for readers. It is rejected if it seems to name a beacon that the seed isn't from. */
  seedDescription?: string;
  /** The random source that expands the seed; `counter` by default. */
  source?: string;
  /** True if rows end with a NUL byte instead of a newline. */
  zero?: boolean;
  /** True if the list was not fixed before the draw, for example because it is a stream. */
  open?: boolean;
}

/** Options of {@link draw}. */
export interface DrawOptions extends PlanOptions {
  seed: Seed;
  /** The commitment that was published. If the plan has a different one, an error is thrown and nothing is drawn. */
  committed?: string;
}

/** A plan and its commitment, which is published before the seed is known. */
export interface Commitment {
  /** The SHA-256 digest of `plan`, in hexadecimal. */
  commitment: string;
  /** The plan as canonical JSON text without spaces. Don't reformat it. */
  plan: string;
  /** The number of rows in the list. */
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

/** The content of a transcript. Integers above 2^53 are rounded here, but {@link verify} checks their exact values. */
export interface Transcript {
  commitment: string;
  output: string;
  picks: Pick[];
  plan: {
    allocation?: 'each' | 'proportional';
    context: string;
    k?: number;
    list: { columns: ('id' | 'stratum' | 'weight')[]; digest: string; kind: 'list' | 'numbers' | 'open' };
    method: Method;
    n: number;
    p?: string;
    random_source: string;
    scale?: number;
    seed_source: SeedSource & { description: string };
    spec: 'hwdraw/1';
    /** `k` is the number of picks. It is missing if it depends on the seed. */
    strata?: { k?: number; label: string; n: number }[];
  };
  /** The program that made the draw. It affects nothing and is not verified. */
  program: string;
  seed: { from: 'text' | 'hex' | 'dice' | 'drand' | 'nist' | 'os'; text?: string; hex?: string; drand?: object; nist?: object };
}

/** The code of a {@link Mismatch}. */
export type MismatchCode =
  | 'plan' | 'seed' | 'pick-fields' | 'commitment' | 'published-commitment' | 'output' | 'seed-origin' | 'beacon' | 'beacon-key'
  | 'list' | 'picks';

/** The code of an {@link Unchecked} item. */
export type UncheckedCode = 'commitment' | 'list' | 'seed-origin' | 'beacon-signature' | 'beacon-key' | 'memory' | 'positions';

/** A part of a transcript that is wrong. `message` is a sentence for readers; programs should use `code`. */
export interface Mismatch {
  code: MismatchCode;
  message: string;
  /** With the codes `picks`, `list` and `beacon-key`: a stable name for the kind of mismatch. */
  reason?: string;
  /** With some codes: the value in the transcript (`stated`) and the correct value (`computed`). */
  stated?: string;
  computed?: string;
}

/** A check that was not made. `message` is a sentence for readers; programs should use `code`. */
export interface Unchecked {
  code: UncheckedCode;
  message: string;
}

/** The result of a verification. */
export interface Verification {
  /**
   * `verified`: all checks were made and passed. `partial`: some checks were not made; the others passed.
   * `mismatch`: at least one check failed.
   */
  outcome: 'verified' | 'partial' | 'mismatch';
  /** Empty unless the outcome is `mismatch`. */
  mismatches: Mismatch[];
  /** Empty unless the outcome is `partial`. */
  unchecked: Unchecked[];
  /** The origin that the plan announced and the actual seed, one line each. Show them to users next to each other. */
  seed: { planned: string; given: string };
  /** True if the option `seedAttested` was set. */
  attested: boolean;
  /** The commitment, computed from the plan. */
  commitment: string;
  /** The plan's canonical text. Its SHA-256 digest is `commitment`. */
  planText: string;
  transcript: Transcript;
}

/** Options of {@link verify}. */
export interface VerifyOptions {
  /** The list that was drawn from. Without it, `unchecked` contains an item with the code `list`. */
  list?: string | Uint8Array;
  /** True if the rows of the list end with a NUL byte instead of a newline. */
  zero?: boolean;
  /** The commitment that was published before the seed was known. */
  committed?: string;
  /**
   * True if you witnessed that the seed came from the origin that the plan announced. It has no effect on seeds from beacons.
   */
  seedAttested?: boolean;
  /** The parameters of a drand chain that hashwell doesn't know, as its servers publish them at `/CHAIN/info`. */
  drandChain?: string;
  /** A certificate of NIST's beacon that hashwell doesn't know, as PEM or DER. */
  certificate?: string | Uint8Array;
}

/**
 * One step of a draw: how a pick is computed. Tickets and random numbers (`words`) are hexadecimal strings; other numbers are
 * decimal strings.
 */
export type Step =
  | { how: 'number'; words: string[]; first: string; choices: string; rest: string; position: string }
  | { how: 'ticket'; ticket: string; below?: string }
  | { how: 'time'; time: string; units: string; quotient: number }
  | { how: 'point'; start: string; total: string; point: string; from: string; to: string; position: string }
  | { how: 'slot'; passed?: string; position: string }
  | { how: 'list' };

/** The computation of a draw, pick by pick. */
export interface Steps {
  /** The key K, from which all other values are derived. */
  key: string;
  parts: { label?: string; key: string; n: string; picks: Step[] }[];
}

/**
 * Computes the plan of a draw, and its commitment, which you publish before the seed is known.
 *
 * @param list - the list to draw from
 * @param options - the options of the draw; `seedSource` is required
 * @returns the plan and its commitment
 * @throws {@link HashwellError} `mismatch` if the list is invalid; `range` if a number is out of range
 */
export function plan(list: List, options: PlanOptions & { seedSource: SeedSource | string }): Commitment {
  return JSON.parse(ask(Operation.Plan, request(list, known(options, PLAN_OPTIONS)), rows(list))) as Commitment;
}

/**
 * Makes a draw.
 *
 * @param list - the list to draw from
 * @param options - the options of the draw, with the seed
 * @returns the transcript as JSON text; store it unchanged
 * @throws {@link HashwellError} `mismatch` if the list or seed is invalid or the plan's commitment is not `committed`;
 * `range` if a number is out of range
 */
export function draw(list: List, options: DrawOptions): string {
  const { seed, committed, ...others } = known(options, [...PLAN_OPTIONS, 'seed', 'committed']);
  const given = Object.fromEntries(entries(seed, 'seed').map(([from, value]) => [from, digits(value, `seed.${from}`)]));
  return ask(Operation.Draw, { ...request(list, others), seed: given, committed }, rows(list));
}

/**
 * Verifies a transcript: repeats the draw, and compares it with the transcript, the list and the commitment. The result
 * lists mismatches and unchecked items; they are not thrown as errors. This package doesn't verify the signatures of
 * beacons; use the command `hashwell verify` for that.
 *
 * @param transcript - the transcript as JSON text
 * @param options - the evidence, such as the list and the published commitment
 * @returns the outcome, with all mismatches and unchecked items
 * @throws {@link HashwellError} `mismatch` if the text is not a transcript in the format hwdraw/1 or the list is invalid
 */
export function verify(transcript: string | Uint8Array, options?: VerifyOptions): Verification {
  const { list, certificate, ...others } = known(options, ['list', 'zero', 'committed', 'seedAttested', 'drandChain', 'certificate']);
  const given = certificate === undefined ? {} : { certificate: hex(content(certificate, 'a certificate')) };
  return JSON.parse(about(Operation.Verify, transcript, list, { ...others, ...given })) as Verification;
}

/**
 * Explains how each pick of a transcript is computed, step by step. It doesn't verify the transcript; use {@link verify}.
 *
 * @param transcript - the transcript as JSON text
 * @param options - the list that was drawn from, if it is available
 * @returns the computation of each pick
 * @throws {@link HashwellError} `mismatch` if the text is not a transcript in the format hwdraw/1 or the list is invalid
 */
export function steps(transcript: string | Uint8Array, options?: Omit<VerifyOptions, 'committed' | 'seedAttested' | 'drandChain' | 'certificate'>): Steps {
  const { list, ...others } = known(options, ['list', 'zero']);
  return JSON.parse(about(Operation.Steps, transcript, list, others)) as Steps;
}

function about(operation: typeof Operation.Verify | typeof Operation.Steps, transcript: string | Uint8Array, list: string | Uint8Array | undefined, others: object): string {
  const texts = [content(transcript, 'a transcript')];
  if (list !== undefined) texts.push(content(list, 'a list'));
  return ask(operation, { list: list !== undefined, ...others }, ...texts);
}

const PLAN_OPTIONS = ['method', 'n', 'probability', 'scale', 'strata', 'context', 'seedSource', 'seedDescription', 'source', 'zero', 'open'] as const;

function request(list: List, options: PlanOptions): object {
  if (typeof list === 'number' && !(Number.isSafeInteger(list) && list >= 0)) {
    throw new HashwellError('range', `to draw from the numbers 1 to n, pass an integer n from 0 to 2^53 - 1, not ${list}`);
  }
  const numbers = typeof list === 'number' ? list : undefined;
  const source = Object.hasOwn(options, 'seedSource') && { seedSource: announced(options.seedSource) };
  return { method: 'index', ...options, ...source, numbers };
}

/** Converts the origin of a seed to the form that the module reads: a string, or JSON as in a plan. */
function announced(source: unknown): string {
  if (typeof source === 'string') return source;
  return JSON.stringify({ description: '', ...Object.fromEntries(entries(source, 'seedSource')) });
}

function rows(list: List): Uint8Array {
  return typeof list === 'number' ? new Uint8Array() : content(list, 'a list');
}

/** Returns strings unchanged and encodes bytes as hexadecimal digits. */
function digits(value: unknown, what: string): string {
  return typeof value === 'string' ? value : hex(content(value, what));
}
