/** Stochastic processes by name, as `hashwell process` has them (docs/guides/processes.md). */
import { ask, Operation } from '../desk.js';
import { entries, known } from '../options.js';

/** A value: a number, a list of them, or the table of each customer. */
export type ProcessValue = number | number[] | { labels: number[]; tables: number[][] };

/** What a process takes. */
export interface Parameter {
  name: string;
  /** What formulas call it. */
  symbol: string;
  kind: 'number' | 'whole' | 'numbers' | 'wholes' | 'matrix';
  /** Its range in words. */
  range: string;
  help: string;
  default: string | null;
}

/** A process that is built in. */
export interface ProcessRow {
  name: string;
  title: string;
  distribution: string;
  source: string;
  /** What {@link law} with `summary` is the law of. */
  statistic: string;
  encodings: string[];
  parameters: Parameter[];
}

export interface ProcessOptions {
  seed: string;
  encoding?: string;
}

export interface LawOptions {
  /** Simulated beside the law; then a seed is needed. */
  replicates?: number;
  seed?: string;
  encoding?: string;
  /** Of what values are summed up by, as the sizes of tables. */
  summary?: boolean;
  /** The most states of the enumeration. */
  states?: number;
}

/** Parameters by name: numbers, or texts as the command has them. */
export type Parameters = Record<string, number | string>;

/** A law, beside replicates. */
export interface Law {
  outcomes: { value: ProcessValue; text: string; probability: number; replicates: number }[];
  /** Closed forms, and the mass that was not decided; infinite ones are texts. */
  facts: Record<string, number | string>;
  svg: string;
}

/** The processes that there are. */
export function processes(): ProcessRow[] {
  return JSON.parse(ask(Operation.Processes, {})) as ProcessRow[];
}

/** What is asked: numbers as their texts, which are read to the last bit, as the command reads them. */
function request(process: string, parameters: Parameters, others: object): object {
  const text = (value: unknown): unknown => (Number.isFinite(value) ? String(value) : value);
  const texts = entries(parameters, 'parameters').map(([name, value]) => [name, text(value)]);
  return { process, parameters: Object.fromEntries(texts), ...others };
}

/**
 * A value of a process, and its picture.
 *
 * @throws {@link HashwellError} `unknown-name`, `range`, `mismatch` for parameters that the process does not take
 */
export function process(
  name: string,
  parameters: Parameters,
  options: ProcessOptions,
): { value: ProcessValue; text: string; svg: string } {
  return JSON.parse(ask(Operation.Process, request(name, parameters, known(options, ['seed', 'encoding'])))) as ReturnType<typeof process>;
}

/** Several replicates of a process, from the `first` on, and their picture. */
export function replicates(
  name: string,
  parameters: Parameters,
  options: ProcessOptions & { count: number; first?: number },
): { values: ProcessValue[]; svg: string } {
  const { count, ...others } = known(options, ['seed', 'encoding', 'count', 'first']);
  const asked = request(name, parameters, { replicates: count, ...others });
  return JSON.parse(ask(Operation.Process, asked)) as ReturnType<typeof replicates>;
}

/** The exact law of a process, beside replicates if any are asked for, and the picture of both. */
export function law(name: string, parameters: Parameters, options?: LawOptions): Law {
  const asked = known(options, ['replicates', 'seed', 'encoding', 'summary', 'states']);
  return JSON.parse(ask(Operation.Law, request(name, parameters, asked))) as Law;
}
