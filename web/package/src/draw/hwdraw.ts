/** Draws that anyone can recheck: hwdraw/1, as `hashwell draw` and `hashwell verify` have it. */
import { HashwellError } from '../errors.js';
import { ask, content, hex, Operation } from '../desk.js';
import { entries, known } from '../options.js';

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

/** The origin that a plan announces for its seed, which the seed must have, and a text for people. */
export type SeedSource = { description?: string } & (
  | { kind: 'dice' | 'text' | 'hex' | 'os' }
  /** The chain's hash, 64 lower-case hexadecimal digits, and the round's number. */
  | { kind: 'drand'; chain: string; round: number }
  /** The SHA-512 of the certificate (DER), 128 lower-case hexadecimal digits, and the numbers of chain and pulse. */
  | { kind: 'nist'; certificate: string; chain: number; pulse: number }
);

/** What is decided before the seed is known. */
export interface PlanOptions {
  method?: Method;
  /** How many rows; of each stratum with `strata: 'each'`. */
  n?: number;
  /** With `bernoulli`: the inclusion probability of each row, as text: `'0.05'`. */
  probability?: string;
  /** Decimals of the weights; by default as many as the longest of them has. */
  scale?: number;
  strata?: 'each' | 'proportional';
  /** What the draw is for. */
  context?: string;
  /**
   * Where the seed is to come from; by default where the seed of {@link draw} comes from. In words: `dice`, `text`, `hex`,
   * `os`, `drand CHAIN ROUND` or `nist CHAIN PULSE`, which takes the latest certificate that is published for the chain.
   */
  seedSource?: SeedSource | string;
  /** A text for people about the seed's source. It is refused if it reads as if it named a beacon that the seed isn't from. */
  seedDescription?: string;
  /** The random source; `counter` by default. */
  source?: string;
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
    k?: number;
    list: { columns: ('id' | 'stratum' | 'weight')[]; digest: string; kind: 'list' | 'numbers' | 'open' };
    method: Method;
    n: number;
    p?: string;
    random_source: string;
    scale?: number;
    seed_source: SeedSource & { description: string };
    spec: 'hwdraw/1';
    /** Without `k` if it depends on the seed. */
    strata?: { k?: number; label: string; n: number }[];
  };
  /** Who drew. Nothing depends on it, and nothing verifies it. */
  program: string;
  seed: { from: 'text' | 'hex' | 'dice' | 'drand' | 'nist' | 'os'; text?: string; hex?: string; drand?: object; nist?: object };
}

/** The code of a part of a transcript that doesn't agree. */
export type MismatchCode =
  | 'plan' | 'seed' | 'pick-fields' | 'commitment' | 'published-commitment' | 'output' | 'seed-origin' | 'beacon' | 'beacon-key'
  | 'list' | 'picks';

/** The code of a check that was not made. */
export type UncheckedCode = 'commitment' | 'list' | 'seed-origin' | 'beacon-signature' | 'beacon-key' | 'memory' | 'positions';

/** A part of a transcript that doesn't agree. `message` is a sentence for people; decide by `code`. */
export interface Mismatch {
  code: MismatchCode;
  message: string;
  /** With the codes `picks`, `list` and `beacon-key`: what is wrong with them, as a stable name. */
  reason?: string;
  /** With some codes: the value in the transcript, and the value that it should be. */
  stated?: string;
  computed?: string;
}

/** A check that was not made. `message` is a sentence for people; decide by `code`. */
export interface Unchecked {
  code: UncheckedCode;
  message: string;
}

/** The result of a verification. */
export interface Verification {
  /**
   * `verified`: everything was checked and agrees. `partial`: what was checked agrees, but not everything was checked.
   * `mismatch`: something doesn't agree.
   */
  outcome: 'verified' | 'partial' | 'mismatch';
  /** Empty unless the outcome is `mismatch`. */
  mismatches: Mismatch[];
  /** Empty unless the outcome is `partial`. */
  unchecked: Unchecked[];
  /** The origin that the plan announced and the seed as given, each in one line: show them next to each other. */
  seed: { planned: string; given: string };
  /** Whether `seedAttested` was given. */
  attested: boolean;
  /** The commitment of the plan, computed. */
  commitment: string;
  /** The plan's canonical text, whose SHA-256 it is. */
  planText: string;
  transcript: Transcript;
}

export interface VerifyOptions {
  /** The list that was drawn from. Without it, `unchecked` has the item `list`. */
  list?: string | Uint8Array;
  zero?: boolean;
  /** The commitment that was published before the seed was known. */
  committed?: string;
  /** You saw the seed come about as the plan announced. It counts for seeds that come from no beacon. */
  seedAttested?: boolean;
  /** The parameters of a drand chain, as its servers publish them (`/CHAIN/info`), for one that is not a published chain. */
  drandChain?: string;
  /** The certificate of NIST's beacon, PEM or DER, for one that is not a published certificate. */
  certificate?: string | Uint8Array;
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
export function plan(list: List, options: PlanOptions & { seedSource: SeedSource | string }): Commitment {
  return JSON.parse(ask(Operation.Plan, request(list, known(options, PLAN_OPTIONS)), rows(list))) as Commitment;
}

/**
 * Draws, and gives the transcript: a text to be kept byte for byte.
 *
 * @throws {@link HashwellError} `mismatch` for a list, a seed or a commitment that is not what it should be, `range`
 */
export function draw(list: List, options: DrawOptions): string {
  const { seed, committed, ...others } = known(options, [...PLAN_OPTIONS, 'seed', 'committed']);
  const given = Object.fromEntries(entries(seed, 'seed').map(([from, value]) => [from, digits(value, `seed.${from}`)]));
  return ask(Operation.Draw, { ...request(list, others), seed: given, committed }, rows(list));
}

/**
 * Computes a transcript again and compares it with what else you have. The result lists mismatches and unchecked items;
 * neither is thrown. This package doesn't verify signatures of beacons: `hashwell verify` does.
 *
 * @throws {@link HashwellError} `mismatch` for what is no transcript of hwdraw/1, or no list
 */
export function verify(transcript: string | Uint8Array, options?: VerifyOptions): Verification {
  const { list, certificate, ...others } = known(options, ['list', 'zero', 'committed', 'seedAttested', 'drandChain', 'certificate']);
  const given = certificate === undefined ? {} : { certificate: hex(content(certificate, 'a certificate')) };
  return JSON.parse(about(Operation.Verify, transcript, list, { ...others, ...given })) as Verification;
}

/** How each pick of a transcript comes about, for whoever follows it. Whether it agrees is {@link verify}'s to tell. */
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
    throw new HashwellError('range', `the numbers 1 to n need a whole n from 0 to 2^53 - 1, not ${list}`);
  }
  const numbers = typeof list === 'number' ? list : undefined;
  const source = Object.hasOwn(options, 'seedSource') && { seedSource: announced(options.seedSource) };
  return { method: 'index', ...options, ...source, numbers };
}

/** The source of a seed as the engine reads it: words, or a plan's JSON. */
function announced(source: unknown): string {
  if (typeof source === 'string') return source;
  return JSON.stringify({ description: '', ...Object.fromEntries(entries(source, 'seedSource')) });
}

function rows(list: List): Uint8Array {
  return typeof list === 'number' ? new Uint8Array() : content(list, 'a list');
}

/** Text as it is; bytes as hexadecimal digits. */
function digits(value: unknown, what: string): string {
  return typeof value === 'string' ? value : hex(content(value, what));
}
