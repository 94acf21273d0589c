/**
 * The loaded WebAssembly modules and the algorithms in them.
 *
 * A module contains all families of algorithms or some of them. Every function of the package works with all loaded
 * modules: it looks up the algorithm's {@link Row} by name, and the row refers to its module.
 */
import { HashwellError, kind } from './errors.js';
import { compile, INLINE, Memory, type Exports, type Source } from './memory.js';

/** The exports of a module with hash functions. `crates/hashwell-wasm` documents each function. */
export interface HashExports extends Exports {
  find(at: number, len: number): number;
  describe(index: number): number;
  describe_parameter(index: number): number;
  hash(id: number, at: number, len: number): number;
  hasher(id: number, at: number, len: number): number;
  update(state: number, at: number, len: number): number;
  output_len(state: number): number;
  digest(state: number, at: number, len: number): number;
  reset(state: number): number;
  copy(state: number): number;
  turn(state: number): number;
  read(state: number, at: number, len: number): number;
  seek(state: number, high: number, low: number): number;
  free(state: number): void;
  save(state: number, at: number, len: number): number;
  restore(at: number, len: number): number;
  describe_state(state: number): number;
  hash_many(id: number, at: number, params: number, count: number, messages: number, out: number): number;
  hmac?(id: number, at: number, len: number): number;
  kmac?(at: number, name: number, key: number, customization: number): number;
  verify?(state: number, at: number, len: number): number;
  derive?(id: number, at: number, ikm: number, salt: number, info: number, out: number): number;
  source?(at: number, name: number, seed: number, personalization: number): number;
  spawn?(state: number): number;
  drbg?(
    id: number, at: number, entropy: number, nonce: number, personalization: number,
    strength: number, interval: number,
  ): number;
  generate?(state: number, at: number, additional: number, out: number): number;
  reseed?(state: number, at: number, entropy: number, additional: number): number;
}

export type Engine = Memory<HashExports>;

/** A parameter of an algorithm, with the range of its value; for bytes, the range of their length. */
export interface Range {
  readonly name: string;
  readonly min: bigint;
  readonly max: bigint;
}

/** An algorithm of the registry. */
export interface Algorithm {
  /** Canonical name. In function arguments, case is ignored and `_`, `/` and `-` are equivalent. */
  readonly name: string;
  /** The name as the standard spells it. */
  readonly title: string;
  /** Other names that functions accept. */
  readonly aliases: readonly string[];
  /** `digest`: output of fixed length. `stream`: an extendable-output function. */
  readonly kind: 'digest' | 'stream';
  /** Security status. Use `broken` and `legacy` algorithms only to check existing data. `sound`: no known attack. */
  readonly status: 'sound' | 'legacy' | 'broken' | 'experimental';
  /** Block size in bytes; for a sponge, its rate. */
  readonly blockLen: number;
  /** Default digest size in bytes. */
  readonly outputLen: number;
  /** True if HMAC and HKDF are defined for the algorithm. */
  readonly hmac: boolean;
  /** The standard and section that define the algorithm. */
  readonly source: string;
  /** The options that the algorithm accepts. */
  readonly options: readonly Range[];
}

/** An algorithm of a module: the module and the algorithm's number. */
export interface Row {
  readonly engine: Engine;
  readonly id: number;
}

/** The loaded modules, in order of loading. */
let engines: Engine[] = [];
/** The compiled module of each instance, which is sent to workers. */
const modules = new WeakMap<Engine, WebAssembly.Module>();
/** Cache of names that were looked up. */
const rows = new Map<string, Row>();
const TEXT = new TextEncoder();

/** Starts a module and adds it to the loaded ones. Modules that have stopped are removed. */
export async function add(source: Source | (() => Source)): Promise<void> {
  const module = await compile(source, INLINE);
  const engine = await Memory.start<HashExports>(module);
  modules.set(engine, module);
  engines = [...engines.filter(({ runs }) => runs), engine];
  for (const [name, found] of rows) if (!found.engine.runs) rows.delete(name);
}

/** Returns the compiled module of an instance. */
export function moduleOf(engine: Engine): WebAssembly.Module {
  return modules.get(engine)!;
}

/** Creates a `load` function. It loads the module only once, unless loading failed or all modules have stopped. */
export function loader(place: () => Source): (source?: Source) => Promise<void> {
  let loading: Promise<void> | undefined;
  return (source) => {
    if (source !== undefined) return add(source);
    if (engines.length > 0 && !engines.some(({ runs }) => runs)) loading = undefined;
    loading ??= add(place).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Returns true if this browser supports 128-bit SIMD. To find out, it validates a module with one SIMD function. */
export function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ));
}

/** Returns all loaded modules; throws an error with the code `not-loaded` if there are none. */
export function loaded(): readonly Engine[] {
  if (engines.length === 0) throw new HashwellError('not-loaded', 'await load() before anything else');
  return engines;
}

/** Looks up an algorithm by name. */
export function row(name: string): Row {
  return rows.get(name) ?? find(name);
}

/** Looks up an algorithm in a loaded module that exports the function `part`; if there is none, in any module. */
export function rowHaving(name: string, part: keyof HashExports): Row {
  const found = row(name);
  const { exports } = found.engine;
  if (exports[part]) return found;
  const others = loaded().filter((engine) => engine.exports[part]);
  return others.length > 0 ? find(name, others) : found;
}

function find(name: string, among: readonly Engine[] = loaded()): Row {
  if (typeof name !== 'string') throw new HashwellError('type', `an algorithm's name must be a string, not ${kind(name)}`);
  const text = TEXT.encode(name);
  let failure: unknown;
  for (const engine of among) {
    try {
      const id = engine.lend([text], 0, (at) => engine.call((exports) => exports.find(at, text.length)));
      const found = { engine, id };
      rows.set(name, found);
      return found;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Returns all algorithms of the loaded modules, in the order of the registry. */
export function algorithms(): Algorithm[] {
  const found = new Map<number, Algorithm>();
  for (const engine of loaded()) {
    for (let index = 0, len; (len = engine.exports.describe(index)) > 0; index++) {
      const [id, name, title, aliases, kind, status, block, output, hmac, source, takes] =
        engine.text(len).split('\t') as [string, ...string[]] & string[];
      const options = takes!.split(';').filter(Boolean).map((range) => {
        const [option, min, max] = range.split(',') as [string, string, string];
        const camel = option.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
        return { name: camel, min: BigInt(min), max: BigInt(max) };
      });
      found.set(Number(id), {
        name: name!,
        title: title!,
        aliases: aliases!.split(',').filter(Boolean),
        kind: kind as Algorithm['kind'],
        status: status as Algorithm['status'],
        blockLen: Number(block),
        outputLen: Number(output),
        hmac: hmac === 'true',
        source: source!,
        options,
      });
    }
  }
  return [...found.values()];
}
