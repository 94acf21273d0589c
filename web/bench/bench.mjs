// The package beside hash-wasm, @noble/hashes and node:crypto, in one process: every digest compared before
// anything is timed, rounds interleaved in random order, the least of each. Prints a table of ns at 32 B, MB/s (10^6) above.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import * as hashWasm from 'hash-wasm';
import { blake2b } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { hash, hashMany, load } from '../package/dist/index.js';

const SIZES = [32, 1 << 10, 1 << 16, 1 << 20];
const ROUNDS = Number(process.env.ROUNDS ?? 40);
const SLICE_MS = 3;
const hex = (bytes) => Buffer.from(bytes).toString('hex');

await load(process.env.MODULE ? readFileSync(process.env.MODULE) : undefined);
const ROWS = {
  sha256: { wasm: await hashWasm.createSHA256(), noble: sha256, node: 'sha256' },
  sha512: { wasm: await hashWasm.createSHA512(), noble: sha512, node: 'sha512' },
  'sha3-256': { wasm: await hashWasm.createSHA3(256), noble: sha3_256, node: 'sha3-256' },
  'blake2b-512': { wasm: await hashWasm.createBLAKE2b(512), noble: blake2b, node: 'blake2b512' },
  blake3: { wasm: await hashWasm.createBLAKE3(), noble: blake3 },
  kt128: {},
  shake128: {},
};

function contestants(name, { wasm, noble, node }) {
  return Object.fromEntries(Object.entries({
    hashwell: (data) => hash(name, data),
    'hash-wasm': wasm && ((data) => wasm.init().update(data).digest('binary')),
    noble,
    'node:crypto': node && ((data) => createHash(node).update(data).digest()),
  }).filter(([, run]) => run));
}

/** Nanoseconds a call, of one slice. */
function slice(run, data) {
  let calls = 0;
  const start = performance.now();
  let now = start;
  do {
    for (let i = 0; i < 4; i++) run(data);
    calls += 4;
    now = performance.now();
  } while (now - start < SLICE_MS);
  return ((now - start) * 1e6) / calls;
}

const load1 = loadavg()[0].toFixed(1);
console.log(`Node ${process.version}, load ${load1}, best of ${ROUNDS} slices of ${SLICE_MS} ms; ns at 32 B, MB/s above`);
console.log(`| | ${SIZES.map((size) => `${size} B`).join(' | ')} |\n|---|${'---:|'.repeat(SIZES.length)}`);
for (const [name, peers] of Object.entries(ROWS)) {
  const runs = contestants(name, peers);
  const best = Object.fromEntries(Object.keys(runs).map((who) => [who, SIZES.map(() => Infinity)]));
  for (const [i, size] of SIZES.entries()) {
    const data = Uint8Array.from({ length: size }, (_, at) => at % 251);
    const digests = new Set(Object.values(runs).map((run) => hex(run(data))));
    if (digests.size !== 1) throw new Error(`${name}: ${[...digests]}`);
    for (let round = -2; round < ROUNDS; round++) {
      for (const [who, run] of Object.entries(runs).sort(() => Math.random() - 0.5)) {
        const ns = slice(run, data);
        if (round >= 0) best[who][i] = Math.min(best[who][i], ns);
      }
    }
  }
  for (const [who, ns] of Object.entries(best)) {
    const cells = ns.map((time, i) => (i ? ((SIZES[i] * 1e3) / time).toFixed(0) : time.toFixed(0)));
    const ratio = who === 'hash-wasm' ? ` (hashwell: ${ns.map((time, i) => (time / best.hashwell[i]).toFixed(2)).join(', ')} ×)` : '';
    console.log(`| ${name}, ${who} | ${cells.join(' | ')} |${ratio}`);
  }
}

console.log('\n64 messages of 1 KiB, many at once beside one by one, ×:');
const messages = Array.from({ length: 64 }, (_, i) => new Uint8Array(1024).fill(i));
const ratios = [];
for (const name of ['sha1', 'sha256', 'sha512', 'sm3', 'ripemd160', 'sha3-256', 'blake2b', 'blake2s', 'ascon-hash256']) {
  const many = () => hashMany(name, messages);
  const each = () => messages.map((message) => hash(name, message));
  if (many().map(hex).join() !== each().map(hex).join()) throw new Error(name);
  const best = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) [many, each].forEach((run, i) => (best[i] = Math.min(best[i], slice(run))));
  ratios.push(`${name} ${(best[1] / best[0]).toFixed(2)}`);
}
console.log(ratios.join(', '));
