// The entry point `hashwell/hashes`, by itself and together with the complete package, and the heap of its modules.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildSync } from 'esbuild';

const dist = new URL('../package/dist/', import.meta.url);
const MODULES = ['hashwell-hashes.wasm', 'hashwell-hashes.simd.wasm'];
/** The functions and classes for keys and seeds, which this entry point does not have. */
const KEYED = ['Drbg', 'Hmac', 'Kmac', 'RandomSource', 'drbg', 'hkdf', 'hmac', 'hmacHasher', 'kmac', 'kmacHasher', 'kmacXof', 'randomSource'];

/** The output of a script in a new process, in which the package is not loaded yet. */
function alone(script) {
  const source = `
    const dist = '${dist}';
    const text = (string) => new TextEncoder().encode(string);
    const code = (ask) => { try { ask(); return 'fine'; } catch (error) { return [error.code, error.message].join(' '); } };
    const hashes = await import(dist + 'hashes.js');
    ${script}`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', source]).toString().trim().split('\n');
}

test('has what the whole package has, but for keys and seeds', async () => {
  const [whole, hashes] = await Promise.all(['index.js', 'hashes.js'].map((name) => import(new URL(name, dist))));
  assert.deepEqual(Object.keys(hashes).sort(), Object.keys(whole).filter((name) => !KEYED.includes(name)).sort());
  assert.equal(hashes.hash, whole.hash);
});

test('its modules have no function with a key or a seed, and every other one', async () => {
  const functions = (name) => WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(new URL(name, dist)))).map((one) => one.name);
  const keyed = ['hmac', 'kmac', 'verify', 'derive', 'source', 'spawn', 'drbg', 'generate', 'reseed'];
  const rest = functions('hashwell.wasm').filter((name) => !keyed.includes(name));
  assert.equal(rest.length, functions('hashwell.wasm').length - keyed.length);
  for (const name of MODULES) assert.deepEqual(functions(name).sort(), rest.sort(), name);
});

test('by itself: loaded once, all algorithms, files in workers', () => {
  const said = alone(`
    console.log(code(() => hashes.hash('sha256', text('abc'))));
    await Promise.all([hashes.load(), hashes.load()]);
    console.log(hashes.hash('sha256', text('abc'))[0], hashes.algorithms().length, hashes.hash('blake3', text(''), { key: new Uint8Array(32) }).length);
    const [one] = await hashes.hashFile(['sha256'], new Blob([new Uint8Array(5 << 20)]));
    console.log(one.join() === hashes.hash('sha256', new Uint8Array(5 << 20)).join(), hashes.xof('shake128').read(3).length);
    // Functions of another entry point report which module contains them.
    const { drbg, hmac, kmac, randomSource } = await import(dist + 'index.js');
    for (const ask of [() => hmac('sha256', text(''), text('')), () => kmac('kmac128', text(''), text('')),
      () => drbg('sha256', new Uint8Array(32), new Uint8Array(16)), () => randomSource('counter', text(''))]) console.log(code(ask));`);
  assert.equal(said[0], 'not-loaded await load() before anything else');
  assert.deepEqual(said.slice(1, 3), ['186 33 32', 'true 3']);
  assert.deepEqual(said.slice(3), ['hmac', 'kmac', 'drbg', 'source'].map((name) => `unsupported the loaded module does not support '${name}', which needs the full module of 'hashwell'`));
});

test('beside the whole package, whichever is loaded first, and with its module', () => {
  const asked = `const { drbg, hkdf, hmac, kmac, load, randomSource } = await import(dist + 'index.js');
    const all = () => [hmac('sha256', text('k'), text('m')), hkdf('sha256', text('i'), text('s'), text(''), 9), kmac('kmac128', text('k'), text('m')),
      drbg('sha256', new Uint8Array(32), new Uint8Array(16)).generate(5), randomSource('counter', text('s')).read(4), hashes.hash('sha1', text('abc'))];
    const say = () => console.log(all().map((bytes) => bytes.length).join());`;
  const lengths = '32,9,32,5,4,20';
  assert.deepEqual(alone(`${asked} await hashes.load(); await load(); say();`), [lengths]);
  assert.deepEqual(alone(`${asked} await load(); await hashes.load(); say();`), [lengths]);
  assert.deepEqual(alone(`${asked} await hashes.load(new URL(dist + 'hashwell.wasm')); say();`), [lengths]);
});

test('bundled: a script without the rest of the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashwell-'));
  try {
    const options = { bundle: true, minify: true, format: 'esm', logLevel: 'error' };
    const contents = `import { hash, load } from ${JSON.stringify(new URL('hashes.js', dist).pathname)};
      await load();
      console.log(hash('sha256', new TextEncoder().encode('abc'))[0]);`;
    const stdin = { contents, resolveDir: folder };
    buildSync({ ...options, stdin, platform: 'node', outfile: join(folder, 'main.mjs') });
    for (const name of MODULES) copyFileSync(new URL(name, dist), join(folder, name));
    assert.equal(execFileSync(process.execPath, [join(folder, 'main.mjs')]).toString(), '186\n');
    const { outputFiles: [script] } = buildSync({ ...options, stdin, platform: 'browser', write: false });
    assert.doesNotMatch(script.text, /node:|kmac|reseed/i);
    const size = brotliCompressSync(script.contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
    console.log(`hashwell/hashes with hash alone: ${size} bytes of script in brotli`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('modules name nothing of the machine that built them', () => {
  const names = [process.env.HOME, process.env.CARGO_HOME, new URL('../..', import.meta.url).pathname.slice(0, -1)].filter((name) => name?.length > 1);
  for (const name of [...MODULES, 'hashwell.wasm', 'hashwell.simd.wasm', 'hashwell-draw.wasm']) {
    const text = readFileSync(new URL(name, dist)).toString('latin1');
    for (const other of [...names, '/.cargo/', '/.rustup/', '/home/']) assert.ok(!text.includes(other), `${name} has ${other}`);
  }
});

/** The exports of a new instance of a module. */
const started = (name) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(name, dist)))).exports;

for (const name of MODULES) {
  test(`the heap of ${name}: blocks apart, joined again, refused in words`, () => {
    const { allocate, release, memory } = started(name);
    // A generator of numbers that are the same in each run.
    let state = 1;
    const random = (below) => (state = (state * 48_271) % 0x7fff_ffff) % below;
    const blocks = [];
    const holds = ({ at, len, mark }) => new Uint8Array(memory.buffer, at, len).every((byte) => byte === mark);
    const give = (i) => {
      const [block] = blocks.splice(i, 1);
      assert.ok(holds(block), JSON.stringify(block));
      release(block.at, block.len);
    };
    for (let round = 0; round < 20_000; round++) {
      // Sometimes there are many blocks, and sometimes few.
      if (blocks.length > 0 && random(3) < (round % 4000 < 2500 ? 1 : 2)) {
        give(random(blocks.length));
        continue;
      }
      const len = 1 + random([20, 300, 5000, round % 50 === 0 ? 300_000 : 1000][random(4)]);
      const at = allocate(len) >>> 0;
      assert.ok(at > 0 && at % 16 === 0 && at + len <= memory.buffer.byteLength, `${len} bytes at ${at}`);
      const mark = 1 + random(255);
      new Uint8Array(memory.buffer, at, len).fill(mark);
      blocks.push({ at, len, mark });
    }
    while (blocks.length > 0) give(random(blocks.length));
    // The released blocks are joined, so most of the memory can be allocated as one block without growing.
    const { byteLength } = memory.buffer;
    const most = Math.floor(byteLength * 0.7);
    const at = allocate(most);
    assert.ok(at > 0 && memory.buffer.byteLength === byteLength, `${memory.buffer.byteLength} of ${byteLength}`);
    release(at, most);
    // More than the address space: `allocate` returns 0, and the existing blocks stay valid.
    const large = 0x6000_0000;
    const given = [1, 2, 3].map(() => allocate(large) >>> 0).filter((at) => at > 0);
    assert.ok(given.length < 3, `${given}`);
    const small = allocate(100) >>> 0;
    assert.ok(small > 0);
    release(small, 100);
    given.forEach((at) => release(at, large));
  });
}
