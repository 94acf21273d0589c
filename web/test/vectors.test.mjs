// Every vector and the sweep, in Node, with each build of the package, which is loaded from its files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const folder = new URL('../../vectors/', import.meta.url);
const vectors = Object.fromEntries(readdirSync(folder).filter((name) => name.endsWith('.json'))
  .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]));

// A process loads a script's module only once, but each build needs a separate instance, so it runs in a thread.
const alone = `
  const { parentPort, workerData } = require('node:worker_threads');
  (async () => {
    const api = await import(workerData.api);
    const { checkSweep, checkVectors } = await import(workerData.checks);
    await api.load(new URL(workerData.module));
    parentPort.postMessage([checkVectors(api, workerData.vectors), checkSweep(api, workerData.vectors.sweep)]);
  })();`;

for (const [entry, module, values] of [
  ['index', 'hashwell.wasm', 2800], ['index', 'hashwell.simd.wasm', 2800],
  ['hashes', 'hashwell-hashes.wasm', 2400], ['hashes', 'hashwell-hashes.simd.wasm', 2400],
]) {
  test(`every vector and every length: ${module}`, async () => {
    const at = (path) => new URL(path, import.meta.url).href;
    const workerData = { api: at(`../package/dist/${entry}.js`), checks: at('checks.js'), module: at(`../package/dist/${module}`), vectors };
    const worker = new Worker(alone, { eval: true, workerData });
    const [known, swept] = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await worker.terminate();
    assert.deepEqual([...known.wrong, ...swept.wrong], []);
    assert.ok(known.compared > values, `${known.compared} values`);
    assert.ok(swept.compared > 80_000, `${swept.compared} digests`);
  });
}
