/** Measures the throughput of hash functions. It runs in the worker, with no other work at the same time. */
import { hash } from 'hashwell';

/** The measurement of an algorithm. */
export interface Row {
  name: string;
  /** The implementation: the engine of this page, or WebCrypto. */
  who: 'hashwell' | 'WebCrypto';
  size: number;
  /** Bytes per second: the median of all rounds, and the limits of the middle half. */
  median: number;
  low: number;
  high: number;
}

export const SIZES = [64, 1024, 65536, 1 << 20];
const ROUNDS = 15;
/** The length of a round in milliseconds. */
const LENGTH = 12;
/** The names of algorithms in WebCrypto. */
const WEB: Record<string, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

interface Runner { name: string; who: Row['who']; size: number; run: () => unknown; count: number; rates: number[] }

/** Compares digests first, then measures all algorithms for each message size, in random order in each round. */
export async function measure(names: string[], report: (rows: Row[]) => void): Promise<Row[]> {
  const all: Row[] = [];
  for (const size of SIZES) {
    const data = Uint8Array.from({ length: size }, (_, i) => i % 251);
    const runners: Runner[] = [];
    for (const name of names) {
      const add = (who: Row['who'], run: Runner['run']) => runners.push({ name, who, size, run, count: 1, rates: [] });
      add('hashwell', () => hash(name, data));
      const web = WEB[name];
      if (!web || !globalThis.crypto?.subtle) continue;
      const [ours, theirs] = [hash(name, data), new Uint8Array(await crypto.subtle.digest(web, data))];
      if (ours.some((byte, i) => byte !== theirs[i])) throw new Error(`the ${name} digest of a message of ${size} bytes differs from WebCrypto's digest, so nothing was measured`);
      add('WebCrypto', () => crypto.subtle.digest(web, data));
    }
    for (const runner of runners) await warm(runner);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const runner of shuffled(runners)) runner.rates.push(await once(runner));
    }
    all.push(...runners.map(row));
    report(all);
  }
  return all;
}

/** Finds the number of calls in a round. */
async function warm(runner: Runner): Promise<void> {
  for (;;) {
    const rate = await once(runner);
    const time = (1000 * runner.size * runner.count) / rate;
    if (time > LENGTH / 2 || runner.count > 1 << 20) return;
    runner.count = Math.max(runner.count * 2, Math.floor((runner.count * LENGTH) / Math.max(time, 0.5)));
  }
}

/** Runs a round and returns the bytes per second. */
async function once({ run, count, size, who }: Runner): Promise<number> {
  const start = performance.now();
  if (who === 'hashwell') for (let i = 0; i < count; i += 1) run();
  else for (let i = 0; i < count; i += 1) await run();
  return (1000 * size * count) / Math.max(performance.now() - start, 0.005);
}

function shuffled<T>(list: T[]): T[] {
  return list.map((item) => [Math.random(), item] as const).sort(([a], [b]) => a - b).map(([, item]) => item);
}

function row({ name, who, size, rates }: Runner): Row {
  const sorted = [...rates].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return { name, who, size, median: at(0.5), low: at(0.25), high: at(0.75) };
}
