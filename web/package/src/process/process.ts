/** Stochastic processes, like the command `hashwell process` (docs/guides/processes.md). */
import { ask, Operation } from '../desk.js';
import { entries, known } from '../options.js';

/** A value of a process: a number, a list of numbers, or a seating of customers at tables. */
export type ProcessValue = number | number[] | { labels: number[]; tables: number[][] };

/** A parameter of a process. */
export interface Parameter {
  name: string;
  /** Its symbol in formulas. */
  symbol: string;
  kind: 'number' | 'whole' | 'numbers' | 'wholes' | 'matrix';
  /** A description of its range. */
  range: string;
  help: string;
  default: string | null;
}

/** A built-in process. */
export interface ProcessRow {
  name: string;
  title: string;
  distribution: string;
  source: string;
  /** The statistic whose distribution {@link law} returns with the option `summary`. */
  statistic: string;
  encodings: string[];
  parameters: Parameter[];
}

/** Options of {@link process} and {@link replicates}. */
export interface ProcessOptions {
  /** The seed. The same seed gives the same value. */
  seed: string;
  /** One of `ProcessRow.encodings`. All encodings have the same distribution, but the same seed can give different values. */
  encoding?: string;
}

/** Options of {@link law}. */
export interface LawOptions {
  /** The number of simulated replicates to compare with the distribution; requires a seed. */
  replicates?: number;
  seed?: string;
  encoding?: string;
  /** If true, the result is the distribution of the process's summary statistic, for example the sizes of the tables. */
  summary?: boolean;
  /** Maximum number of states of the enumeration. */
  states?: number;
}

/** Parameters by name. A value is a number, or a string in the syntax of the command `hashwell process`. */
export type Parameters = Record<string, number | string>;

/** The exact distribution of a process, together with counts of replicates. */
export interface Law {
  outcomes: { value: ProcessValue; text: string; probability: number; replicates: number }[];
  /**
   * Named values that describe the distribution: `lost`, the probability that was not assigned to an outcome; values that have a
   * closed form, such as the mean; and, if they exist, the logarithm of the evidence and the number of replicates whose outcome
   * is not listed. Infinite values are strings.
   */
  facts: Record<string, number | string>;
  svg: string;
}

/** Returns all built-in processes. */
export function processes(): ProcessRow[] {
  return JSON.parse(ask(Operation.Processes, {})) as ProcessRow[];
}

/** Creates a request. Numbers are sent as strings, which the module parses exactly, like the command. */
function request(process: string, parameters: Parameters, others: object): object {
  const text = (value: unknown): unknown => (Number.isFinite(value) ? String(value) : value);
  const texts = entries(parameters, 'parameters').map(([name, value]) => [name, text(value)]);
  return { process, parameters: Object.fromEntries(texts), ...others };
}

/**
 * Simulates a process once.
 *
 * @param name - the name of the process, for example `crp`
 * @param parameters - the parameters of the process by name
 * @param options - the seed and the encoding
 * @returns the value, its text and an SVG chart
 * @throws {@link HashwellError} `unknown-name` for an unknown process; `range` if a parameter is out of range; `mismatch` if
 * the process does not have a parameter
 */
export function process(
  name: string,
  parameters: Parameters,
  options: ProcessOptions,
): { value: ProcessValue; text: string; svg: string } {
  return JSON.parse(ask(Operation.Process, request(name, parameters, known(options, ['seed', 'encoding'])))) as ReturnType<typeof process>;
}

/**
 * Simulates several replicates of a process.
 *
 * @param name - the name of the process, for example `crp`
 * @param parameters - the parameters of the process by name
 * @param options - the seed, the encoding, the number of replicates, and the index of the first replicate
 * @returns the values, and an SVG chart
 * @throws {@link HashwellError} the errors of {@link process}
 */
export function replicates(
  name: string,
  parameters: Parameters,
  options: ProcessOptions & { count: number; first?: number },
): { values: ProcessValue[]; svg: string } {
  const { count, ...others } = known(options, ['seed', 'encoding', 'count', 'first']);
  const asked = request(name, parameters, { replicates: count, ...others });
  return JSON.parse(ask(Operation.Process, asked)) as ReturnType<typeof replicates>;
}

/**
 * Computes the exact distribution of a process. With the option `replicates`, it also simulates that many replicates.
 *
 * @param name - the name of the process, for example `crp`
 * @param parameters - the parameters of the process by name
 * @param options - the number of replicates, the seed and other options
 * @returns the distribution, the number of replicates with each outcome, and an SVG chart of both
 * @throws {@link HashwellError} the errors of {@link process}
 */
export function law(name: string, parameters: Parameters, options?: LawOptions): Law {
  const asked = known(options, ['replicates', 'seed', 'encoding', 'summary', 'states']);
  return JSON.parse(ask(Operation.Law, request(name, parameters, asked))) as Law;
}
