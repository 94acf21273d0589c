// What is compared, and how: the same in Node and in a browser. Every digest is compared before anything is timed; rounds
// are interleaved in random order; of each the least counts.
import * as hashWasm from 'hash-wasm';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { sha3_256, sha3_512, shake128 } from '@noble/hashes/sha3.js';
import { kt128 } from '@noble/hashes/sha3-addons.js';

export const SIZES = [32, 1 << 10, 1 << 16, 1 << 20];
const SLICE_MS = 3;
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The functions or names of each algorithm in hash-wasm, noble, node:crypto and WebCrypto, if they support it. */
const ROWS = {
  sha1: [hashWasm.createSHA1, sha1, 'sha1', 'SHA-1'],
  sha256: [hashWasm.createSHA256, sha256, 'sha256', 'SHA-256'],
  sha384: [hashWasm.createSHA384, sha384, 'sha384', 'SHA-384'],
  sha512: [hashWasm.createSHA512, sha512, 'sha512', 'SHA-512'],
  sm3: [hashWasm.createSM3, undefined, 'sm3'],
  ripemd160: [hashWasm.createRIPEMD160, ripemd160, 'ripemd160'],
  'sha3-256': [() => hashWasm.createSHA3(256), sha3_256, 'sha3-256'],
  'sha3-512': [() => hashWasm.createSHA3(512), sha3_512, 'sha3-512'],
  'blake2b-512': [() => hashWasm.createBLAKE2b(512), blake2b, 'blake2b512'],
  'blake2s-256': [() => hashWasm.createBLAKE2s(256), blake2s, 'blake2s256'],
  blake3: [hashWasm.createBLAKE3, blake3],
  kt128: [undefined, (data) => kt128(data)],
  shake128: [undefined, (data) => shake128(data, { dkLen: 32 })],
};

async function contestants(name, { hash, createHash, subtle }) {
  const [wasm, noble, node, web] = ROWS[name];
  const state = wasm && (await wasm());
  return Object.fromEntries(Object.entries({
    hashwell: (data) => hash(name, data),
    'hash-wasm': state && ((data) => state.init().update(data).digest('binary')),
    noble,
    'node:crypto': createHash && node && ((data) => createHash(node).update(data).digest()),
    WebCrypto: subtle && web && (async (data) => new Uint8Array(await subtle.digest(web, data))),
  }).filter(([, run]) => run));
}

/** Nanoseconds a call, of one slice. */
async function slice(run, data) {
  const first = run(data);
  const waits = first instanceof Promise;
  if (waits) await first;
  let calls = 0;
  const start = performance.now();
  let now = start;
  do {
    if (waits) await run(data);
    else for (let i = 0; i < 4; i++) run(data);
    calls += waits ? 1 : 4;
    now = performance.now();
  } while (now - start < SLICE_MS);
  return ((now - start) * 1e6) / calls;
}

const shuffled = (list) => list.map((one) => [Math.random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one);

/** Measures everything; gives each line of the tables to `say`. */
export async function compare({ hash, hashMany, createHash, subtle }, rounds, say) {
  say(`| | ${SIZES.map((size) => `${size} B`).join(' | ')} | hashwell is, × |\n|---|${'---:|'.repeat(SIZES.length)}---|`);
  for (const name of Object.keys(ROWS)) {
    const runs = await contestants(name, { hash, createHash, subtle });
    const best = Object.fromEntries(Object.keys(runs).map((who) => [who, SIZES.map(() => Infinity)]));
    for (const [i, size] of SIZES.entries()) {
      const data = Uint8Array.from({ length: size }, (_, at) => at % 251);
      const digests = new Set();
      for (const run of Object.values(runs)) digests.add(hex(await run(data)));
      if (digests.size !== 1) throw new Error(`${name}: ${[...digests]}`);
      for (let round = -2; round < rounds; round++) {
        for (const [who, run] of shuffled(Object.entries(runs))) {
          const ns = await slice(run, data);
          if (round >= 0) best[who][i] = Math.min(best[who][i], ns);
        }
      }
    }
    for (const [who, ns] of Object.entries(best)) {
      const cells = ns.map((time, i) => (i ? ((SIZES[i] * 1e3) / time).toFixed(0) : time.toFixed(0)));
      const ratio = who === 'hashwell' ? '' : ns.map((time, i) => (time / best.hashwell[i]).toFixed(2)).join(', ');
      say(`| ${name}, ${who} | ${cells.join(' | ')} | ${ratio} |`);
    }
  }
  say('\n64 messages of 1 KiB, many at once beside one by one, ×:');
  const messages = Array.from({ length: 64 }, (_, i) => new Uint8Array(1024).fill(i));
  const ratios = [];
  for (const name of ['sha1', 'sha256', 'sha3-256', 'blake2s-256']) {
    const many = () => hashMany(name, messages);
    const each = () => messages.map((message) => hash(name, message));
    if (many().map(hex).join() !== each().map(hex).join()) throw new Error(name);
    const best = [Infinity, Infinity];
    for (let round = 0; round < rounds; round++) {
      for (const i of shuffled([0, 1])) best[i] = Math.min(best[i], await slice([many, each][i]));
    }
    ratios.push(`${name} ${(best[1] / best[0]).toFixed(2)}`);
  }
  say(ratios.join(', '));
}
