/**
 * The modules that are loaded, and which of them has an algorithm.
 *
 * A module has some families or all of them. Every function of the package works with whatever is loaded: it asks for
 * the row of a name, and the row knows its module.
 */
import { HashwellError, kind } from './errors.js';
import { compile, INLINE, Memory, type Exports, type Source } from './memory.js';

/** What a module of hashes exports; `crates/hashwell-wasm` says what each function does. */
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

/** An algorithm's parameter, and the range of its value, or of its length in bytes. */
export interface Range {
  readonly name: string;
  readonly min: bigint;
  readonly max: bigint;
}

/** An algorithm of the registry. */
export interface Algorithm {
  /** Canonical name. Case does not matter where a name is given, and `_`, `/` and `-` are the same. */
  readonly name: string;
  /** The standard's own spelling. */
  readonly title: string;
  /** Other accepted names. */
  readonly aliases: readonly string[];
  /** `stream`: an extendable-output function. */
  readonly kind: 'digest' | 'stream';
  /** What is known of its security: `broken` and `legacy` ones read old data. */
  readonly status: 'sound' | 'legacy' | 'broken' | 'experimental';
  /** Bytes of a block, or the rate of a sponge. */
  readonly blockLen: number;
  /** Bytes of the digest, unless asked for another length. */
  readonly outputLen: number;
  /** Whether HMAC and HKDF are defined over it. */
  readonly hmac: boolean;
  /** Standard and section. */
  readonly source: string;
  /** The options that it takes. */
  readonly options: readonly Range[];
}

/** A row and the module that has it. */
export interface Row {
  readonly engine: Engine;
  readonly id: number;
}

/** Those that are loaded, in this order. */
let engines: Engine[] = [];
/** Of their instances, what they were compiled from, for workers. */
const modules = new WeakMap<Engine, WebAssembly.Module>();
/** What names were asked for. */
const rows = new Map<string, Row>();
const TEXT = new TextEncoder();

/** Starts a module and adds it to those that are loaded. One that has stopped is not asked any more. */
export async function add(source: Source | (() => Source)): Promise<void> {
  const module = await compile(source, INLINE);
  const engine = await Memory.start<HashExports>(module);
  modules.set(engine, module);
  engines = [...engines.filter(({ runs }) => runs), engine];
  for (const [name, found] of rows) if (!found.engine.runs) rows.delete(name);
}

/** What an engine was compiled from. */
export function moduleOf(engine: Engine): WebAssembly.Module {
  return modules.get(engine)!;
}

/** Makes `load()` of a module's places: it loads once, whoever asks how often, and again if that failed or all have stopped. */
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

/** Whether this browser has vectors of 128 bits: a module of one function that uses them. */
export function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ));
}

/** The modules, for what no row is asked of; there is at least one. */
export function loaded(): readonly Engine[] {
  if (engines.length === 0) throw new HashwellError('not-loaded', 'await load() before anything else');
  return engines;
}

/** The row of a name. */
export function row(name: string): Row {
  return rows.get(name) ?? find(name);
}

/** The row of a name in a module that has this function, if one that is loaded has it; else the one of any. */
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

/** Every algorithm of the modules that are loaded, in the registry's order. */
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
