/**
 * The worker of the page: the engines, one call after another. It gets their modules as bytes, once, and then messages
 * `[number, name, arguments]`, which it answers by `[number, 'done', result]` or `[number, 'failed', message, code]`.
 */
import * as draws from 'hashwell/draw';

type Work = (...given: never[]) => unknown;

const CALLS: Record<string, Work> = {
  start: async (modules: { draw: Uint8Array }) => {
    await draws.load(modules.draw);
  },
  plan: draws.plan,
  draw: draws.draw,
  verify: draws.verify,
  steps: draws.steps,
  processes: draws.processes,
  process: draws.process,
  law: draws.law,
};

self.onmessage = async ({ data }: MessageEvent<[number, string, never[]]>) => {
  const [number, name, given] = data;
  try {
    const call = CALLS[name];
    if (!call) throw new Error(`the page has no ${name}`);
    self.postMessage([number, 'done', await call(...given)]);
  } catch (error) {
    const code = error instanceof draws.HashwellError ? error.code : 'internal';
    self.postMessage([number, 'failed', error instanceof Error ? error.message : String(error), code]);
  }
};
