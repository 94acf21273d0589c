/**
 * The worker of the page. It runs calls of the engines, one at a time.
 *
 * The first message is `[number, 'start', [modules]]`, where `modules` contains the modules as bytes. Other messages are
 * `[number, name, arguments]`. Each is answered by `[number, 'done', result]` or `[number, 'failed', message, code]`. Before
 * the answer, there can be any number of messages `[number, 'progress', value]`.
 */
import * as hashes from 'hashwell';
import * as draws from 'hashwell/draw';
import * as processing from 'hashwell/process';
import { hex } from './hex.js';
import { measure } from './measure.js';

type Bytes = Uint8Array<ArrayBuffer>;
interface Modules { hash?: Bytes; simd?: Bytes; draw?: Bytes }
type Report = (value: unknown) => void;
type Work = (report: Report, ...given: never[]) => unknown;

/** Wraps a function of an engine that doesn't report progress. */
const plain = <A extends unknown[]>(work: (...given: A) => unknown) => (_: Report, ...given: A) => work(...given);

const CALLS: Record<string, Work> = {
  start: async (_, { hash, simd, draw }: Modules) => {
    // A browser without SIMD rejects the module that uses it.
    if (hash && simd) await hashes.load(WebAssembly.validate(simd) ? simd : hash);
    // This module also contains the processes.
    if (draw) await draws.load(draw);
  },
  plan: plain(draws.plan),
  draw: plain(draws.draw),
  verify: plain(draws.verify),
  steps: plain(draws.steps),
  processes: plain(processing.processes),
  process: plain(processing.process),
  law: plain(processing.law),
  algorithms: plain(() => hashes.algorithms().map(({ name, title, kind, status, outputLen }) => ({ name, title, kind, status, output: outputLen }))),
  hashFile: async (report: Report, file: File, names: string[]) => {
    const digests = await hashes.hashFile(names, file, { worker: false, onProgress: ({ done }) => report(done) });
    return Object.fromEntries(names.map((name, i) => [name, hex(digests[i] as Uint8Array)]));
  },
  squeeze: plain((name: string, message: Uint8Array, offset: number, length: number) => {
    const stream = hashes.xof(name, message);
    try {
      const passed = new Uint8Array(Math.min(offset, 1 << 20));
      for (let left = offset; left > 0; left -= passed.length) stream.readInto(passed.subarray(0, left));
      return stream.read(length);
    } finally {
      stream.free();
    }
  }),
  measure: (report: Report, names: string[]) => measure(names, report),
};

self.onmessage = async ({ data }: MessageEvent<[number, string, never[]]>) => {
  const [number, name, given] = data;
  try {
    const call = CALLS[name];
    if (!call) throw new Error(`the page has no ${name}`);
    self.postMessage([number, 'done', await call((value) => self.postMessage([number, 'progress', value]), ...given)]);
  } catch (error) {
    const code = error instanceof draws.HashwellError ? error.code : 'internal';
    self.postMessage([number, 'failed', error instanceof Error ? error.message : String(error), code]);
  }
};
