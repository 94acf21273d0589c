// Modules with one algorithm: compared with the complete module, and within the guaranteed size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildSync } from 'esbuild';
import * as hashwell from '../package/dist/index.js';

const dist = new URL('../package/dist/', import.meta.url);
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const names = ['sha256', 'sha512', 'sha3-256', 'shake128', 'blake2b-512', 'blake3'];
await hashwell.load();

/** Bytes in which adjacent blocks are different. */
const message = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 31) >> 3);

for (const name of names) {
  test(`${name} alone`, async () => {
    const { hash, hasher, HashwellError, load } = await import(`../package/dist/one/${name}.js`);
    const refuses = (code) => (error) => error instanceof HashwellError && error.code === code;
    assert.throws(() => hash(message), refuses('not-loaded'));
    await assert.rejects(load(new Uint8Array(3)), refuses('unloadable'));
    await Promise.all([load(), load()]);
    for (const len of [...Array(300).keys(), 1023, 1024, 1025, 8191, 8192, 8193, 65_535, 65_536, 65_537, 200_000]) {
      const data = message.subarray(0, len);
      assert.equal(hex(hash(data)), hex(hashwell.hash(name, data)), `${len} bytes`);
    }
    // Two hashes in progress are updated in turns, with one-shot calls in between.
    const [one, other] = [hasher(), hasher()];
    for (let at = 0; at < 3000; at += 100) {
      one.update(message.subarray(at, at + 100));
      if (at % 300 === 0) hash(message.subarray(0, at));
      other.update(message.subarray(at + 7, at + 107));
    }
    const copy = one.clone().update(message.subarray(0, 5));
    assert.equal(hex(one.digest()), hex(hashwell.hash(name, message.subarray(0, 3000))));
    assert.equal(hex(other.digest()), hex(hashwell.hash(name, message.subarray(7, 3007))));
    assert.equal(hex(copy.digest()), hex(hashwell.hasher(name).update(message.subarray(0, 3000)).update(message.subarray(0, 5)).digest()));
    assert.equal(hex(one.reset().digest()), hex(hash(new Uint8Array())));
    assert.throws(() => hash('abc'), refuses('type'));
    assert.throws(() => one.update([1]), refuses('type'));
    const stream = name === 'shake128' || name === 'blake3';
    for (const outputLen of [0, 10, 300, 65_536]) {
      if (stream) assert.equal(hex(hash(message, { outputLen })), hex(hashwell.hash(name, message, { outputLen })), `${outputLen} bytes of output`);
      else assert.throws(() => hash(message, { outputLen }), refuses('range'));
    }
    assert.throws(() => hash(message, { outputLen: 65_537 }), refuses('range'));
    assert.throws(() => hash(message, { outputLen: 1.5 }), refuses('type'));
  });

  test(`${name} alone is small`, () => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    const { outputFiles: [script] } = buildSync({
      entryPoints: [new URL(`one/${name}.js`, dist).pathname], bundle: true, minify: true, write: false, format: 'esm', platform: 'browser',
    });
    const sizes = [script.contents, readFileSync(new URL(`hashwell-${name}.wasm`, dist))].map((bytes) => brotliCompressSync(bytes, { params }).length);
    console.log(`${name}: ${sizes[0]} bytes of script and ${sizes[1]} of module in brotli`);
    assert.ok(sizes[0] + sizes[1] <= 8192, `${sizes} bytes`);
  });
}
