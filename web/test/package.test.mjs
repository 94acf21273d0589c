// The interface in Node: errors, states, streams, files. Then the package as a user installs it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { createHash, createHmac } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as hashwell from '../package/dist/index.js';
import { OPTIONS } from '../package/dist/options.js';

const {
  drbg, HashwellError, hash, hasher, hashFile, hashMany, hkdf, hmac, hmacHasher, kmac, kmacHasher, kmacXof, load, randomSource, xof,
} = hashwell;
const text = (string) => new TextEncoder().encode(string);
const ones = (len) => new Uint8Array(len).fill(1);
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const dist = new URL('../package/dist/', import.meta.url);
/** Returns a function that accepts a HashwellError with this code, whose message contains this text. */
const refuses = (code, part) => (error) => error instanceof HashwellError && error.code === code && error.message.includes(part);

test('before it is loaded it says so', () => {
  assert.throws(() => hash('sha256', text('')), refuses('not-loaded', 'await load()'));
});

test('what cannot be loaded is said in a sentence, and can be loaded after all', async () => {
  await assert.rejects(load(text('no module')), refuses('unloadable', 'cannot be loaded'));
  await assert.rejects(load(new URL('file:///nowhere.wasm')), refuses('unloadable', 'nowhere.wasm'));
  await assert.rejects(load(new URL('file:///nowhere.wasm')), refuses('unloadable', "'hashwell/inline'"));
  await assert.rejects(load('dist/hashwell.wasm'), refuses('type', 'not string'));
  await Promise.all([load(), load()]);
  await load();
});

/** The output of a script in a new process, in which the package is not loaded yet. */
function alone(script) {
  const source = `const api = await import('${new URL('index.js', dist)}');\n${script}`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', source]).toString().trim();
}

test('without WebAssembly it is said in a sentence', () => {
  const said = alone(`delete globalThis.WebAssembly;
    await api.load().catch((error) => console.log(error.code, error.message));`);
  assert.match(said, /^unloadable .*no WebAssembly/);
});

test('a module that has stopped says so, whatever is asked of it', () => {
  const said = alone(`await api.load();
    const { row } = await import('${new URL('engine.js', dist)}');
    const data = new Uint8Array(8);
    const { engine } = row('sha256');
    const stop = () => engine.call(() => { throw new Error('unreachable'); });
    const asked = [stop, () => api.hash('sha256', data), () => api.hash('blake3', data, { key: new Uint8Array(32) }),
      () => api.hashMany('sha256', [data]), () => new api.Hasher({ runs: false, exports: {} }, 0).free()];
    for (const ask of asked) try { ask(); console.log('fine'); } catch (error) { console.log(error.code); }`);
  assert.deepEqual(said.split('\n'), ['internal', 'internal', 'internal', 'internal', 'fine']);
});

test('after a module has stopped, another can be loaded', () => {
  const said = alone(`const { readFileSync } = await import('node:fs');
    const { row } = await import('${new URL('engine.js', dist)}');
    const data = new TextEncoder().encode('abc');
    const stop = () => { try { row('sha256').engine.call(() => { throw new Error('unreachable'); }); } catch { /* as it should */ } };
    for (const source of [undefined, readFileSync(new URL('${new URL('hashwell.wasm', dist)}'))]) {
      await api.load();
      const before = api.hasher('sha256');
      stop();
      await api.load(source);
      console.log(api.hash('sha256', data)[0], api.hashMany('sha256', [data])[0][0], api.algorithms().length > 30);
      try { before.update(data); } catch (error) { console.log(error.code); }
    }`);
  assert.deepEqual(said.split('\n'), Array(2).fill(['186 186 true', 'internal']).flat());
});

test('modules import nothing', () => {
  for (const name of readdirSync(dist).filter((name) => name.endsWith('.wasm'))) {
    const module = new WebAssembly.Module(readFileSync(new URL(name, dist)));
    assert.deepEqual(WebAssembly.Module.imports(module), [], name);
  }
});

test('text is not hashed by accident, nor anything else that is no bytes', () => {
  for (const [data, kind] of [['abc', 'string'], [undefined, 'undefined'], [[1, 2], 'Array'], [new Uint16Array(2), 'Uint16Array'],
    [new ArrayBuffer(3), 'ArrayBuffer'], [null, 'null'], [7, 'number'], [new DataView(new ArrayBuffer(3)), 'DataView']]) {
    assert.throws(() => hash('sha256', data), refuses('type', `not ${kind}`));
    assert.throws(() => hasher('sha256').update(data), refuses('type', kind));
    assert.throws(() => hmac('sha256', data, text('')), refuses('type', 'key'));
    assert.throws(() => hashMany('sha256', [text(''), data]), refuses('type', 'message 1'));
    assert.throws(() => randomSource('counter', data), refuses('type', 'seed'));
    assert.throws(() => kmac('kmac128', data, text('')), refuses('type', 'key'));
    assert.throws(() => kmac('kmac128', text(''), data), refuses('type', 'data'));
    assert.throws(() => drbg('sha256', data, ones(16)), refuses('type', 'entropy'));
  }
  assert.equal(hex(hash('sha256', Buffer.from('abc'))), hex(hash('sha256', text('abc'))));
});

test('names, options and lengths are refused with limit and value', () => {
  assert.throws(() => hash('sha265', text('')), refuses('unknown-name', "did you mean 'sha256'"));
  assert.throws(() => hash('md5', text('')), refuses('unknown-name', 'broken'));
  assert.throws(() => hash(256, text('')), refuses('type', 'not number'));
  assert.throws(() => hashMany('sha256', text('')), refuses('type', 'an array of Uint8Arrays, not Uint8Array'));
  assert.throws(() => hash('blake2b', text(''), { outputLen: 65 }), refuses('range', '1 to 64 bytes, not 65'));
  assert.throws(() => hash('blake2b', text(''), { outputLen: 1.5 }), refuses('type', '1.5'));
  assert.throws(() => hash('blake2b', text(''), { outputLen: -1 }), refuses('range', 'not -1'));
  assert.throws(() => hash('blake3', text(''), { outputLen: 2 ** 40 }), refuses('range', '1099511627776'));
  assert.throws(() => hash('blake3', text(''), { outputLen: 2 ** 31 - 1 }), refuses('memory', '2147483647 bytes'));
  assert.throws(() => hash('blake3', text(''), { key: text('short') }), refuses('range', '32 bytes, not 5'));
  assert.throws(() => hash('blake3', text(''), { context: text('') }), refuses('type', 'context'));
  assert.throws(() => hash('sha256', text(''), { salt: text('') , key: text('k') }), refuses('unsupported', 'sha256 does not support a key'));
  assert.throws(() => hash('sha256', text(''), { outputLength: 3 }), refuses('unknown-name', "'outputLength'"));
  assert.throws(() => hash('sha256', text(''), text('key')), refuses('type', 'options'));
  assert.throws(() => hmac('shake128', text(''), text('')), refuses('unsupported', 'shake128 does not support HMAC'));
  assert.throws(() => hkdf('sha256', text(''), text(''), text(''), 255 * 32 + 1), refuses('range', '8161'));
  assert.throws(() => xof('sha256', text('')).read(1), refuses('unsupported', 'sha256 does not support output streams'));
  assert.throws(() => xof('shake128').read(-1), refuses('range', 'len'));
  assert.throws(() => xof('shake128').read(2 ** 33), refuses('range', '8589934592'));
  assert.throws(() => xof('shake128').seek(1), refuses('unsupported', 'seek'));
  assert.throws(() => randomSource('sha256', text('')), refuses('unsupported', 'does not support output streams'));
});

test('KMAC: lengths, pieces, copies, and what is refused', () => {
  const key = ones(32);
  for (const [name, len] of [['kmac128', 32], ['KMAC256', 64]]) {
    const tag = kmac(name, key, text('abc'));
    assert.equal(tag.length, len);
    const mac = kmacHasher(name, key).update(text('a'));
    const copy = mac.clone().update(text('bc'));
    assert.deepEqual([mac.outputLen, copy.outputLen], [len, len]);
    assert.equal(hex(copy.digest()), hex(tag));
    assert.ok(copy.verify(tag) && !mac.verify(tag) && !copy.verify(text('')));
    // A tag with a different length is not a prefix of the long tag, and the state does not accept it.
    const short = kmac(name, key, text('abc'), { outputLen: 16 });
    assert.ok(!hex(tag).startsWith(hex(short)));
    assert.ok(!copy.verify(short) && kmacHasher(name, key, { outputLen: 16 }).update(text('abc')).verify(short));
    assert.equal(hex(mac.reset().update(text('abc')).digest()), hex(tag));
    mac.free();
    for (const ask of [() => mac.digest(), () => mac.outputLen, () => mac.update(text('')), () => mac.verify(tag), () => mac.clone()]) {
      assert.throws(ask, refuses('state', 'freed'));
    }
    const stream = kmacXof(name, key).update(text('abc'));
    const twin = stream.clone();
    assert.equal(hex(stream.read(10)) + hex(stream.read(100_000)), hex(kmac(name, key, text('abc'), { xof: true, outputLen: 100_010 })));
    assert.equal(hex(twin.read(len)), hex(kmac(name, key, text('abc'), { xof: true })));
    assert.notEqual(hex(kmac(name, key, text('abc'), { customization: text('c') })), hex(tag));
    assert.throws(() => stream.update(text('x')), refuses('state', 'is finished'));
    assert.throws(() => stream.seek(0), refuses('unsupported', 'seek'));
  }
  assert.equal(kmac('kmac128', key, text(''), { outputLen: 100_000 }).length, 100_000);
  assert.throws(() => kmac('kmac129', key, text('')), refuses('unknown-name', "did you mean 'kmac128'"));
  assert.throws(() => kmac('sha256', key, text('')), refuses('unknown-name', 'sha256'));
  assert.throws(() => kmac(128, key, text('')), refuses('type', 'not number'));
  assert.throws(() => kmac('kmac128', key, text(''), { outputLen: 0 }), refuses('range', '1 to 2147418112, not 0'));
  assert.throws(() => kmac('kmac128', key, text(''), { outputLen: '32' }), refuses('type', 'outputLen'));
  assert.throws(() => kmac('kmac128', key, text(''), { xof: 1 }), refuses('type', 'xof'));
  assert.throws(() => kmac('kmac128', key, text(''), { customization: 'c' }), refuses('type', 'customization'));
  assert.throws(() => kmac('kmac128', key, text(''), { salt: key }), refuses('unknown-name', "'salt'"));
  assert.throws(() => kmacHasher('kmac128', key, { xof: true }), refuses('unknown-name', "'xof'"));
  assert.throws(() => kmacXof('kmac128', key, { outputLen: 1 }), refuses('unknown-name', "'outputLen'"));
  assert.throws(() => kmacHasher('kmac128', key, key), refuses('type', 'options'));
});

test('HMAC-DRBG: entropy, requests, reseeds, and what is refused', () => {
  const [entropy, nonce] = [ones(32), ones(16)];
  const bytes = (options) => hex(drbg('sha256', entropy, nonce, options).generate(32));
  assert.equal(bytes(), bytes({ strength: 256, reseedInterval: 2n ** 48n }));
  assert.notEqual(bytes(), bytes({ personalization: text('other') }));
  // A lower strength requires less entropy.
  assert.equal(drbg('sha256', ones(16), ones(8), { strength: 128 }).generate(0).length, 0);
  const one = drbg('sha256', entropy, nonce, { reseedInterval: 2 });
  const first = one.generate(32);
  assert.notEqual(hex(one.generate(32, text('additional'))), hex(first));
  assert.throws(() => one.generate(1), refuses('exhausted', 'reseed'));
  assert.throws(() => one.reseed(ones(31)), refuses('range', '31'));
  assert.throws(() => one.generate(1), refuses('exhausted', 'reseed'));
  assert.equal(one.reseed(ones(32), text('additional')).generate(65_536).length, 65_536);
  assert.throws(() => one.generate(65_537), refuses('range', '0 to 65536, not 65537'));
  assert.throws(() => one.generate(1, 'additional'), refuses('type', 'additional'));
  assert.throws(() => one.reseed('entropy'), refuses('type', 'entropy'));
  one.free();
  assert.throws(() => one.generate(1), refuses('state', 'freed'));
  assert.throws(() => drbg('sha256', ones(31), nonce), refuses('range', '32 to 4294967296 bytes, not 31'));
  assert.throws(() => drbg('sha256', entropy, ones(15)), refuses('range', '16 to 4294967296 bytes, not 15'));
  assert.throws(() => drbg('sha1', entropy, nonce, { strength: 129 }), refuses('range', '129'));
  assert.throws(() => drbg('sha256', entropy, nonce, { reseedInterval: 0 }), refuses('range', '281474976710656 requests, not 0'));
  assert.throws(() => drbg('sha256', entropy, nonce, { reseedInterval: 2n ** 48n + 1n }), refuses('range', '281474976710657'));
  assert.throws(() => drbg('shake128', entropy, nonce), refuses('unsupported', 'shake128 does not support HMAC'));
  assert.throws(() => drbg('sha256', entropy, nonce, { salt: nonce }), refuses('unknown-name', "'salt'"));
  assert.throws(() => drbg('sha256', entropy, 'nonce'), refuses('type', 'nonce'));
});

test('options are those of the library', async () => {
  const memory = await WebAssembly.instantiate(readFileSync(new URL('hashwell.wasm', dist)));
  const { describe_parameter, buffer, memory: { buffer: bytes } } = memory.instance.exports;
  const names = [];
  for (let i = 0, len; (len = describe_parameter(i)) > 0; i++) {
    const [id, name] = new TextDecoder().decode(new Uint8Array(bytes, buffer(), len)).split('\t');
    assert.equal(Number(id), i);
    names.push(name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()));
  }
  assert.deepEqual([...OPTIONS], names);
});

test('algorithms are those of the registry', () => {
  const rows = hashwell.algorithms();
  const { cases } = JSON.parse(readFileSync(new URL('../../vectors/sweep.json', import.meta.url)));
  assert.deepEqual(rows.map((row) => row.name), cases.map((row) => row.algorithm));
  assert.deepEqual(rows.map((row) => row.outputLen), cases.map((row) => row.output_len));
  const blake3 = rows.find((row) => row.name === 'blake3');
  assert.deepEqual(blake3.options.map(({ name }) => name), ['outputLen', 'key', 'context']);
  assert.equal(rows.find((row) => row.name === 'sha1').status, 'broken');
  for (const row of rows) for (const alias of row.aliases) assert.equal(hex(hash(alias.toUpperCase(), text('x'))), hex(hash(row.name, text('x'))));
});

test('states: pieces, copies, resets, and an end', () => {
  const state = hasher('sha256').update(text('a'));
  const copy = state.clone();
  assert.equal(hex(state.update(text('bc')).digest()), hex(hash('sha256', text('abc'))));
  assert.equal(hex(copy.update(text('x')).digest()), hex(hash('sha256', text('ax'))));
  assert.equal(hex(state.reset().digest()), hex(hash('sha256', text(''))));
  assert.equal(state.outputLen, 32);
  state.free();
  state.free();
  assert.throws(() => state.update(text('')), refuses('state', 'freed'));
  const mac = hmacHasher('sha256', text('k')).update(text('m'));
  assert.ok(mac.verify(hmac('sha256', text('k'), text('m'))) && !mac.verify(text('m')));
});

test('saved states: long options, and what is refused', () => {
  const options = { customization: ones(100_000), outputLen: 300 };
  const state = hasher('kt128', options).update(text('message'));
  const saved = state.toBytes();
  assert.ok(saved.length > 100_000);
  const copy = hashwell.Hasher.fromBytes(saved);
  assert.deepEqual([copy.algorithm, copy.messageLen, copy.outputLen], ['kt128', 7n, 300]);
  assert.equal(hex(copy.digest()), hex(hash('kt128', text('message'), options)));
  assert.equal(hex(copy.reset().digest()), hex(hash('kt128', text(''), options)));
  for (const given of [{ key: ones(32) }, { context: 'purpose' }]) {
    for (const keyed of [hasher('blake3', given), xof('blake3', text(''), given)]) {
      assert.throws(() => keyed.toBytes(), refuses('unsupported', 'blake3 does not support exporting a state that depends on a key (use to_secret_bytes)'));
    }
  }
  const stream = xof('shake128', text('seed'));
  const twin = hashwell.Xof.fromBytes(stream.toBytes());
  assert.equal(hex(twin.read(9)), hex(stream.read(9)));
  for (const ask of [() => stream.toBytes(), () => stream.messageLen, () => stream.algorithm]) assert.throws(ask, refuses('state', 'is finished'));
  assert.throws(() => hashwell.Xof.fromBytes(hasher('sha256').toBytes()).read(1), refuses('unsupported', 'sha256 does not support output streams'));
  for (const { fromBytes } of [hashwell.Hasher, hashwell.Xof]) {
    assert.throws(() => fromBytes('state'), refuses('type', 'saved must be a Uint8Array, not string'));
    assert.throws(() => fromBytes(text('')), refuses('mismatch', 'not an exported state: it is too short'));
  }
  state.free();
  assert.throws(() => state.toBytes(), refuses('state', 'freed'));
});

test('streams: any cutting, an iterator, positions, no way back', () => {
  const all = hash('shake128', text('seed'), { outputLen: 200_000 });
  const stream = xof('shake128', text('seed'));
  assert.equal(hex(stream.read(3)) + hex(stream.read(0)) + hex(stream.read(199_997)), hex(all));
  assert.throws(() => stream.update(text('more')), refuses('state', ''));
  assert.equal(stream.position, 200_000n);
  const seen = [];
  for (const byte of xof('shake128', text('seed'))) if (seen.push(byte) === 600) break;
  assert.deepEqual(seen, [...all.subarray(0, 600)]);
  const blake3 = xof('blake3', text('seed'));
  const first = blake3.clone().read(100);
  assert.equal(hex(blake3.seek(10n ** 18n).seek(40).read(60)), hex(first.subarray(40)));
  assert.throws(() => blake3.seek(2n ** 64n - 1n).read(1), refuses('exhausted', '18446744073709551615'));
  // If a read fails partway, the position is at the end of the part that was read.
  assert.throws(() => blake3.seek(2n ** 64n - 100_001n).read(200_000), refuses('exhausted', ''));
  assert.equal(blake3.position, 2n ** 64n - 100_001n + 65_536n);
});

test('sources repeat, and their numbers are their bytes', () => {
  const bytes = randomSource('counter', text('seed')).read(20);
  const source = randomSource('counter', text('seed'));
  const view = new DataView(bytes.buffer);
  assert.equal(source.nextU64(), view.getBigUint64(0));
  assert.equal(source.nextU32(), view.getUint32(8));
  assert.equal(hex(source.read(8)), hex(bytes.subarray(12)));
  assert.equal(source.position, 20n);
  assert.equal(hex(source.seek(1).read(19)), hex(bytes.subarray(1)));
  assert.notEqual(hex(source.spawn().read(8)), hex(source.spawn().read(8)));
  assert.notEqual(hex(randomSource('counter', text('seed'), text('other')).read(20)), hex(bytes));
});

test('memory: growth, and messages larger than the buffer', () => {
  const large = new Uint8Array(5_000_001).map((_, i) => i * 31);
  const expected = createHash('sha256').update(large).digest('hex');
  assert.equal(hex(hash('sha256', large)), expected);
  assert.equal(hex(hashMany('sha256', [text(''), large])[1]), expected);
  assert.equal(hashMany('sha256', []).length, 0);
  const key = new Uint8Array(300_000);
  assert.equal(hex(hmac('sha256', key, large)), createHmac('sha256', key).update(large).digest('hex'));
  // The number of states is not limited to a few.
  for (let i = 0; i < 20_000; i++) hasher('blake2bp');
  // There are so many digests that they are computed in groups.
  const digests = hashMany('blake3', Array(5000).fill(text('')), { outputLen: 1000 });
  assert.equal(new Set(digests.map(hex)).size, 1);
  assert.equal(hex(digests[4999]), hex(hash('blake3', text(''), { outputLen: 1000 })));
});

test('states that nobody has are freed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const { row } = await import('../package/dist/engine.js');
  const { engine } = row('sha256');
  // Free numbers are used again before new ones.
  const numbers = new Set(Array.from({ length: 1000 }, () => hasher('sha256').number));
  assert.equal(numbers.size, 1000);
  let highest = Math.max(...numbers);
  const given = () => {
    const states = [];
    do states.push(engine.exports.hasher(row('sha256').id, 0, 0));
    while (states.at(-1) <= highest);
    highest = states.at(-1);
    states.forEach((state) => engine.exports.free(state));
    return states.some((state) => numbers.has(state));
  };
  assert.ok(!given());
  for (let end = Date.now() + 20_000; !given(); ) {
    assert.ok(Date.now() < end, 'they were not');
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test('keys do not stay in the buffer', async () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => 0xa0 + i);
  const { row } = await import('../package/dist/engine.js');
  const { engine } = row('blake3');
  const holds = () => Buffer.from(engine.bytes).includes(Buffer.from(key.subarray(0, 16)));
  engine.lend([key], 0, () => assert.ok(holds()));
  hash('blake3', text('message'), { key });
  hmac('sha256', key, text('message'));
  hkdf('sha256', key, text(''), text(''), 42);
  kmac('kmac128', key, text('message'), { xof: true });
  const generator = drbg('sha256', key, key);
  const drawn = generator.generate(32);
  generator.reseed(key);
  generator.free();
  assert.ok(!holds());
  assert.ok(!Buffer.from(engine.bytes).includes(drawn));
});

test('files and streams, in a worker and here', async () => {
  const data = new Uint8Array(9_000_000).map((_, i) => i);
  const expected = createHash('sha256').update(data).digest('hex');
  const seen = [];
  const onProgress = (progress) => seen.push(progress);
  for (const worker of [true, false]) {
    for (const file of [new Blob([data]), new Blob([data]).stream()]) {
      const [sha256, blake3] = await hashFile(['sha256', 'blake3'], file, { worker, onProgress });
      assert.equal(hex(sha256), expected);
      assert.equal(hex(blake3), hex(hash('blake3', data)));
      assert.equal(seen.at(-1).done, data.length);
    }
  }
  assert.equal(hex(await hashFile('sha256', new Blob([]))), hex(hash('sha256', text(''))));
  assert.equal(hex(await hashFile('blake2b', new Blob(['x']), { outputLen: 5 })), hex(hash('blake2b', text('x'), { outputLen: 5 })));
});

test('streams of Node and async iterables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashwell-'));
  const data = new Uint8Array(300_000).map((_, i) => i * 7);
  const expected = createHash('sha256').update(data).digest('hex');
  try {
    const path = join(folder, 'file');
    writeFileSync(path, data);
    const reused = new Uint8Array(1000);
    const sources = {
      'a read stream': () => createReadStream(path),
      'part of a file': () => createReadStream(path, { start: 0, end: data.length - 1, highWaterMark: 1 }).pipe(new PassThrough()),
      'a Readable of Buffers': () => Readable.from([Buffer.from(data.subarray(0, 1)), data.subarray(1)]),
      'an async generator, with an empty piece': async function* () { yield data.subarray(0, 7); yield new Uint8Array(); yield data.subarray(7); },
      'a generator that reuses its buffer': async function* () {
        for (let at = 0; at < data.length; at += reused.length) { reused.set(data.subarray(at, at + reused.length)); yield reused; }
      },
      'an iterable without return': () => {
        const pieces = [data.subarray(0, 100_000), data.subarray(100_000)];
        return { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: pieces.length === 0, value: pieces.shift() }) }) };
      },
    };
    for (const [name, make] of Object.entries(sources)) {
      for (const worker of [true, false]) {
        assert.equal(hex(await hashFile('sha256', await make(), { worker })), expected, name);
      }
    }
    for (const worker of [true, false]) {
      await assert.rejects(hashFile('sha256', createReadStream(join(folder, 'missing')), { worker }), refuses('read', 'ENOENT'));
      await assert.rejects(hashFile('sha256', createReadStream(path, 'utf8'), { worker }), refuses('type', 'not string'));
      await assert.rejects(hashFile('sha256', Readable.from([{}]), { worker }), refuses('type', 'not Object'));
      const failing = async function* () { yield data; throw new Error('the disk is gone'); };
      await assert.rejects(hashFile('sha256', failing(), { worker }), refuses('read', 'the disk is gone'));
      const lost = async function* () { const piece = data.slice(); structuredClone(piece.buffer, { transfer: [piece.buffer] }); yield piece; };
      await assert.rejects(hashFile('sha256', lost(), { worker }), refuses('type', 'lost its bytes'));
      // A stream that has already been read is an error, not an empty file.
      const read = createReadStream(path);
      await hashFile('sha256', read, { worker });
      await assert.rejects(hashFile('sha256', read, { worker }), refuses('read', 'already ended'));
      // An abort signal closes a stream whose next piece never comes, and does not wait for the piece.
      const waiting = new PassThrough();
      const soon = () => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 200);
        return controller.signal;
      };
      await assert.rejects(hashFile('sha256', waiting, { worker, signal: soon() }), refuses('aborted', 'signal'));
      assert.ok(waiting.destroyed);
      const never = async function* () { await new Promise(() => undefined); yield data; };
      await assert.rejects(hashFile('sha256', never(), { worker, signal: soon() }), refuses('aborted', 'signal'));
      // An error during hashing closes the source.
      let closed = false;
      const guarded = async function* () { try { for (;;) yield data; } finally { closed = true; } };
      await assert.rejects(hashFile('sha256', guarded(), { worker, onProgress: () => { throw new RangeError('mine'); } }), RangeError);
      await new Promise((resolve) => setTimeout(resolve));
      assert.ok(closed);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('views that have lost their buffer are refused, not hashed as empty', () => {
  const lost = () => {
    const view = ones(8);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
  };
  const shrunk = () => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
    const view = new Uint8Array(buffer, 4, 4);
    buffer.resize(2);
    return view;
  };
  for (const make of [lost, shrunk]) {
    const gone = make();
    for (const call of [
      () => hash('sha256', gone), () => hash('blake3', ones(1), { key: gone }), () => hasher('sha256').update(gone), () => hashMany('sha256', [ones(1), gone]),
      () => xof('shake128', gone), () => hmac('sha256', gone, ones(1)), () => hkdf('sha256', gone, ones(1), ones(1), 1), () => kmac('kmac128', gone, ones(1)),
      () => kmac('kmac128', ones(1), ones(1), { customization: gone }), () => drbg('sha256', gone, ones(16)),
      () => drbg('sha256', ones(32), ones(16)).generate(1, gone), () => randomSource('counter', gone), () => xof('shake128', ones(1)).readInto(gone),
      () => hash('sha256', Object.create(Uint8Array.prototype)),
    ]) assert.throws(call, (error) => error instanceof HashwellError && error.code === 'type', String(call));
  }
  // A real view that is empty is accepted.
  assert.equal(hex(hash('sha256', new Uint8Array(new ArrayBuffer(8), 8))), hex(hash('sha256', text(''))));
});

test('options are objects of the caller’s own', async () => {
  for (const wrong of [null, 7, 'text', true, [], [1], new Uint8Array(1), () => undefined]) {
    for (const call of [
      () => hash('sha256', ones(1), wrong), () => hasher('sha256', wrong), () => hashMany('sha256', [], wrong), () => xof('shake128', ones(1), wrong),
      () => kmac('kmac128', ones(1), ones(1), wrong), () => kmacHasher('kmac128', ones(1), wrong), () => kmacXof('kmac128', ones(1), wrong),
      () => drbg('sha256', ones(32), ones(16), wrong),
    ]) assert.throws(call, refuses('type', 'options must be an object'), String(call));
    await assert.rejects(hashFile('sha256', new Blob([]), wrong), refuses('type', 'options must be an object'));
  }
  assert.throws(() => hash('blake3', ones(1), { key: null }), refuses('type', 'key must not be null'));
  for (const [options, part] of [[{ signal: {} }, 'signal'], [{ onProgress: 1 }, 'onProgress'], [{ worker: 'no' }, 'worker']]) {
    await assert.rejects(hashFile('sha256', new Blob([]), options), refuses('type', part));
  }
  await assert.rejects(hashFile('sha256', new Blob([]), { workers: false }), refuses('unknown-name', "'workers'"));
  await assert.rejects(hashFile('sha256', ones(3)), refuses('type', 'hash(name, bytes)'));
});

test('what a program adds to Object.prototype has no effect', () => {
  const script = (pollution) => `await api.load();
    const data = new TextEncoder().encode('abc');
    const { hash, load } = await import('${new URL('one/blake3.js', dist)}');
    await load();
    ${pollution}
    const hex = (bytes) => Buffer.from(bytes).toString('hex');
    const said = [hex(api.hash('blake2b', data, {})), hex(api.hash('blake3', data, { outputLen: 4 })), hex(api.kmac('kmac128', data, data, {})),
      hex(api.drbg('sha256', new Uint8Array(32), new Uint8Array(16), {}).generate(4)), hex(api.xof('shake128', data, {}).read(4)),
      hex(await api.hashFile('sha256', new Blob([data]), {})), hex(await api.hashFile('sha256', (async function* () { yield data; })()))];
    said.push(hex(hash(data, {})));
    for (const name of Object.keys(Object.prototype)) delete Object.prototype[name];
    console.log(said.join());`;
  const names = [...OPTIONS, 'onProgress', 'signal', 'worker', 'xof', 'personalization', 'strength', 'reseedInterval', 'digests', 'error', 'done', 'readableEnded', 'kind'];
  assert.equal(alone(script(`for (const name of ${JSON.stringify(names)}) Object.prototype[name] = 1;`)), alone(script('')));
});

test('require() has the package as CommonJS, where Node and Jest have no other', () => {
  const script = `(async () => {
    const packages = ['hashwell', 'hashwell/inline', 'hashwell/hashes', 'hashwell/sha256', 'hashwell/draw', 'hashwell/process'].map((name) => require(name));
    for (const { load } of packages) await load();
    const [{ hash, hashFile, HashwellError }, inline, hashes, sha256, draw, process] = packages;
    const digest = (bytes) => Buffer.from(bytes).toString('hex');
    try { hash('sha256', 'abc'); } catch (error) { console.log(error instanceof HashwellError, error instanceof inline.HashwellError); }
    console.log(new Set([hash, inline.hash, hashes.hash].map((hash) => digest(hash('sha256', Buffer.from('abc')))).concat(digest(sha256.hash(Buffer.from('abc'))))).size);
    console.log(digest(await hashFile('sha256', require('node:fs').createReadStream(require.resolve('hashwell/package.json')))));
    console.log(draw.draw(6, { n: 2, seed: { dice: '0877' } }).includes('hwdraw/1'), process.processes().length > 0);
  })();`;
  const said = execFileSync(process.execPath, ['--no-experimental-require-module', '--eval', script], { cwd: new URL('../package/', import.meta.url) }).toString();
  const expected = createHash('sha256').update(readFileSync(new URL('../package/package.json', import.meta.url))).digest('hex');
  assert.equal(said, `true true\n1\n${expected}\ntrue true\n`);
});

test('files that cannot be read, signals, and what is no file', async () => {
  const controller = new AbortController();
  const endless = () => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1 << 16)) });
  for (const worker of [true, false]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await assert.rejects(hashFile('sha256', endless(), { worker, signal: controller.signal }), refuses('aborted', 'signal'));
    const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('the disk is gone')) });
    await assert.rejects(hashFile('sha256', broken, { worker }), refuses('read', 'the disk is gone'));
    const words = new ReadableStream({ pull: (stream) => stream.enqueue('text') });
    await assert.rejects(hashFile('sha256', words, { worker }), refuses('type', 'string'));
    const taken = endless();
    taken.getReader();
    await assert.rejects(hashFile('sha256', taken, { worker }), refuses('read', 'locked'));
    // A stream whose next piece never comes.
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), 300);
    await assert.rejects(hashFile('sha256', new ReadableStream(), { worker, signal: waiting.signal }), refuses('aborted', 'signal'));
    // An error that the caller's function throws is passed on.
    const onProgress = () => { throw new RangeError('mine'); };
    await assert.rejects(hashFile('sha256', new Blob([new Uint8Array(5 << 20)]), { worker, onProgress }), RangeError);
  }
  controller.abort();
  await assert.rejects(hashFile('sha256', new Blob(['x']), { signal: controller.signal }), refuses('aborted', ''));
  await assert.rejects(hashFile('sha256', '/etc/hostname'), refuses('type', 'not string'));
  await assert.rejects(hashFile('sha265', new Blob([])), refuses('unknown-name', 'sha256'));
  await assert.rejects(hashFile([], new Blob([])), refuses('type', 'at least one'));
  await assert.rejects(hashFile(undefined, new Blob([])), refuses('type', 'name must be a string, not undefined'));
});

test('sizes', () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const limits = JSON.parse(readFileSync(new URL('sizes.json', import.meta.url)));
  for (const [name, limit] of Object.entries(limits)) {
    const size = brotliCompressSync(readFileSync(new URL(name, dist)), { params }).length;
    console.log(`${name}: ${size} bytes in brotli, of ${limit}`);
    assert.ok(size <= limit, `${name} has ${size} bytes in brotli, more than ${limit}`);
  }
});

test('packed, installed elsewhere, type-checked, bundled and run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashwell-'));
  const web = new URL('..', import.meta.url).pathname;
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  try {
    const [{ filename, files }] = JSON.parse(run('npm', 'pack', '--json', '--pack-destination', folder, join(web, 'package')));
    assert.ok(files.every(({ path }) => /^(dist\/|package\.json|README|LICENSE)/.test(path)), JSON.stringify(files));
    writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
    run('npm', 'install', '--silent', '--offline', '--no-audit', `./${filename}`);
    const source = `import { algorithms, drbg, hash, hashFile, hasher, HashwellError, kmac, kmacHasher, load, xof, type Algorithm } from 'FROM';
await load();
const digest: Uint8Array<ArrayBuffer> = hash('sha256', new TextEncoder().encode('abc'));
const rows: readonly Algorithm[] = algorithms();
const file: Uint8Array = await hashFile('sha256', new Blob(['abc']));
const both: Uint8Array[] = await hashFile(['sha256', 'sha1'], new Blob(['abc']).stream());
try { hasher('sha256').update(new Uint8Array(1)).free(); } catch (error) { if (error instanceof HashwellError) error.code satisfies string; }
const tag: Uint8Array<ArrayBuffer> = kmac('kmac128', digest, digest, { outputLen: 16 });
const random: Uint8Array<ArrayBuffer> = drbg('sha256', digest, tag, { personalization: file }).generate(2, file);
// @ts-expect-error: KMACXOF has no tag to compare
() => kmacHasher('kmac128', digest, { xof: true });
// @ts-expect-error: no text
() => hash('sha256', 'abc');
// @ts-expect-error: no such option
() => hash('sha256', digest, { outputLength: 3 });
console.log(Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''), rows.length, file[0] === digest[0], both.length, xof('shake128').read(2).length, tag.length, random.length);
`;
    writeFileSync(join(folder, 'main.ts'), source.replace('FROM', 'hashwell'));
    writeFileSync(join(folder, 'inline.ts'), source.replace('FROM', 'hashwell/inline'));
    const bin = join(web, 'node_modules/.bin/');
    for (const resolution of ['nodenext', 'bundler']) {
      run(`${bin}tsc`, '--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--moduleResolution', resolution,
        '--module', resolution === 'bundler' ? 'esnext' : 'nodenext', 'main.ts', 'inline.ts');
    }
    const expected = `${createHash('sha256').update('abc').digest('hex')} 33 true 2 2 16 2\n`;
    run(`${bin}esbuild`, 'main.ts', '--outfile=main.mjs', '--format=esm');
    assert.equal(run(process.execPath, 'main.mjs'), expected);
    // Bundled into one file for Node and for browsers. The latter runs in Node as well, except for functions of
    // browsers.
    run(`${bin}esbuild`, 'inline.ts', '--bundle', '--minify', '--outfile=inline.mjs', '--format=esm', '--platform=node');
    assert.equal(run(process.execPath, 'inline.mjs'), expected);
    run(`${bin}esbuild`, 'inline.ts', '--bundle', '--minify', '--outfile=browser.mjs', '--format=esm', '--platform=browser');
    assert.equal(run(process.execPath, 'browser.mjs'), expected);
    assert.ok(!readFileSync(join(folder, 'browser.mjs'), 'utf8').includes('node:'));
    // If the module's file or its address is missing, the error names the alternatives.
    for (const format of ['esm', 'cjs']) {
      const main = `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`;
      writeFileSync(join(folder, 'bundle.ts'), "import { load } from 'hashwell'; load().catch(({ code, message }) => console.log(code, message));");
      run(`${bin}esbuild`, 'bundle.ts', '--bundle', `--outfile=${main}`, `--format=${format}`, '--platform=node', '--log-level=error');
      assert.match(run(process.execPath, main), /^unloadable .*'hashwell\/inline'.*load\(module\)/);
    }
    // CommonJS, with types for CommonJS.
    writeFileSync(join(folder, 'main.cts'), source.replace('FROM', 'hashwell').replace('await load();', '(async () => {\nawait load();') + '})();');
    run(`${bin}tsc`, '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--module', 'nodenext', 'main.cts');
    assert.equal(run(process.execPath, '--no-experimental-require-module', 'main.cjs'), expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
