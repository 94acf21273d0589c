/** Compares samples and processes with the project's vectors and the native command, and tests the module itself. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { load as loadDraws, sample } from 'hashwell/draw';
import { HashwellError, law, load, process, processes, replicates } from 'hashwell/process';
import { ask, Operation } from '../../package/dist/desk.js';
import { documentText, hashwell, MODULE, vectorsText } from './support.js';

test('nothing works before it is loaded, and says so', async () => {
  assert.throws(() => processes(), { code: 'not-loaded' });
  assert.throws(() => sample('a', { n: 1, seed: '' }), { code: 'not-loaded' });
  for (const one of [load, loadDraws]) await assert.rejects(one(new Uint8Array([0, 97, 115])), { code: 'unloadable' });
  await load(MODULE);
  // Draws use the same module.
  assert.deepEqual(sample('a', { n: 1, seed: '' }), { n: 1, numbers: [1], rows: ['a'] });
  await loadDraws(new Uint8Array());
});

test('the module imports nothing, and has all operations and no other', () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(MODULE)), []);
  for (const operation of [0, 10]) assert.throws(() => ask(operation, {}), { code: 'type', message: /unknown operation/ });
});

test('a draw is from numbers or from a list', () => {
  const request = { method: 'index', n: 1, numbers: 5, seedSource: 'dice' };
  assert.equal(JSON.parse(ask(Operation.Plan, request)).n, 5);
  assert.throws(() => ask(Operation.Plan, request, new TextEncoder().encode('fig\n')), { code: 'type', message: /either from numbers or from a list/ });
});

test('memory that was refused is forgotten when the next operation begins', () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE));
  // The memory grows by about the requested size, and not by a multiple.
  const before = exports.memory.buffer.byteLength;
  assert.notEqual(exports.allocate(1 << 24), 0);
  assert.ok(exports.memory.buffer.byteLength - before < 1 << 25);
  // The memory can't grow any more.
  exports.memory.grow(65_536 - exports.memory.buffer.byteLength / 65_536);
  assert.equal(exports.refused(), 0);
  assert.equal(exports.allocate(1 << 26), 0);
  assert.equal(exports.refused(), 1);
  assert.ok(exports.operate(Operation.Plan, exports.buffer(), 0, 0, 0) < 0);
  assert.equal(exports.refused(), 0);
});

test('the example of docs/guides/browser.md', async () => {
  const [, example] = /```js\n(.*?)```/s.exec(documentText('docs/guides/browser.md'));
  const file = new URL('example.tmp.js', import.meta.url);
  writeFileSync(file, `${example}export { verification };\n`);
  try {
    const { outcome, unchecked, seed } = (await import(file)).verification;
    for (const said of [`'${outcome}'`, `['${unchecked.map(({ code }) => code).join("', '")}']`, `{ planned: '${seed.planned}', given: '${seed.given}' }`]) {
      assert.ok(example.includes(`// ${said}`), said);
    }
  } finally {
    rmSync(file);
  }
});

test('every process gives what vectors/process.json has', () => {
  const seen = new Set();
  for (const { process: name, parameters, encoding, seed, sample: value, replicates: four, exact, statistic } of JSON.parse(vectorsText('process')).cases) {
    if (name === undefined) continue;
    const text = Buffer.from(seed, 'hex').toString();
    assert.deepEqual(process(name, parameters, { seed: text, encoding }).value, value, name);
    assert.deepEqual(replicates(name, parameters, { seed: text, encoding, count: 4 }).values, four, name);
    assert.deepEqual(replicates(name, parameters, { seed: text, encoding, count: 2, first: 1 }).values, four.slice(1, 3), name);
    for (const [listed, summary] of [[exact, false], [statistic, true]]) {
      if (!listed) continue;
      const { outcomes } = law(name, parameters, { encoding, summary });
      assert.deepEqual(outcomes.map((outcome) => outcome.value), listed.map(([outcome]) => outcome), name);
      const sum = listed.reduce((sum, [, mass]) => sum + mass, 0);
      // With observations, probabilities are divided by their sum.
      outcomes.forEach(({ probability }, i) => assert.ok(Math.abs(probability - listed[i][1] / sum) < 1e-12, name));
    }
    seen.add(name);
  }
  assert.deepEqual([...seen].sort(), processes().map(({ name }) => name).sort());
});

test('pictures and laws are the command’s', () => {
  const { text, svg } = process('crp', { n: 10, alpha: 1.5 }, { seed: 'round 7' });
  assert.equal(`${text}\n`, hashwell(['process', 'crp', '--n', '10', '--alpha', '1.5', '--seed', 'round 7']).stdout);
  assert.match(svg, /^<svg [^>]*role="img"/);
  const { outcomes, facts } = law('crp', { n: 4, alpha: '1.5' }, { summary: true, replicates: 1000, seed: 'round 7' });
  const theirs = JSON.parse(hashwell(['process', 'crp', '--n', '4', '--alpha', '1.5', '--exact', '--summary', '--replicates', '1000', '--seed', 'round 7', '--json']).stdout);
  assert.deepEqual(outcomes.map(({ value, probability, replicates }) => ({ value, probability, replicates })), theirs.outcomes);
  assert.deepEqual(facts, theirs.facts);
});

test('numbers are what they are, to the last bit', () => {
  // A JSON parser that rounds twice reads an adjacent number for each of these.
  for (const p of [0.19844004278856286, 0.9796215956506859, 0.45863004504704763]) {
    const { outcomes } = law('geometric', { p });
    assert.deepEqual([outcomes[0].value, outcomes[0].probability], [1, p]);
    const theirs = JSON.parse(hashwell(['process', 'geometric', '--p', String(p), '--exact', '--json']).stdout);
    assert.deepEqual(outcomes.map(({ value, probability }) => ({ value, probability })), theirs.outcomes.map(({ value, probability }) => ({ value, probability })));
    assert.deepEqual(law('geometric', { p: String(p) }).outcomes, outcomes);
  }
});

test('samples with replacement are those of the reference', () => {
  const [{ seed, k, n, rows }] = JSON.parse(vectorsText('sampling')).cases.filter((one) => one.seed);
  const text = Array.from({ length: Number(n) }, (_, row) => `${row}\n`).join('');
  const { rows: picked } = sample(text, { n: k, replace: true, order: 'draw', seed: Uint8Array.from(seed.match(/../g), (byte) => Number.parseInt(byte, 16)) });
  assert.deepEqual(picked, rows);
});

test('samples are the command’s', () => {
  const text = Array.from({ length: 1000 }, (_, i) => `${i + 1}\n`).join('');
  for (const [options, args] of [
    [{ n: 2 }, ['-n', '2']], [{ n: 30, order: 'draw' }, ['-n', '30', '--order', 'draw']], [{ n: 2000 }, ['-n', '2000']],
    [{ n: 50, replace: true }, ['-n', '50', '--replace']], [{ probability: '0.05' }, ['-p', '0.05']], [{ probability: '1/7' }, ['-p', '1/7']],
    [{ every: 13 }, ['--every', '13']], [{ shuffle: true }, ['--shuffle']], [{ n: 9, context: 'été' }, ['-n', '9', '--context', 'été']],
  ]) {
    const { n, rows, numbers } = sample(text, { ...options, seed: '0877' });
    const { status, stdout, stderr } = hashwell(['sample', ...args, '--seed', '0877'], text);
    assert.equal(status, 0, stderr);
    assert.equal(rows.map((row) => `${row}\n`).join(''), stdout, String(args));
    assert.deepEqual([n, numbers.map(String)], [1000, rows]);
  }
  assert.deepEqual(sample('a\nb', { every: 1, seed: new Uint8Array([7]) }).rows, ['a', 'b']);
  assert.deepEqual(sample('', { n: 3, seed: '' }), { n: 0, numbers: [], rows: [] });
});

test('what is none is refused in one line', () => {
  const cases = [
    [() => process('chess', {}, { seed: '' }), 'unknown-name', /chess/],
    [() => process('crp', { n: 3, alpha: 0 }, { seed: '' }), 'range', /alpha/],
    [() => process('crp', { n: 3, beta: 1 }, { seed: '' }), 'mismatch', /beta/],
    [() => process('crp', { n: true }, { seed: '' }), 'type', /n must/],
    [() => law('crp', { n: 40, alpha: 2 }, { states: 100 }), 'range', /100/],
    [() => law('ar1', { n: 3, phi: 0.5 }), 'mismatch', /continuous/],
    [() => process('crp', { n: 4294967295, alpha: 1e9 }, { seed: '' }), 'memory', /memory/],
    [() => sample('a', { seed: '' }), 'type', /one of n/],
    [() => sample('a', { n: 1, seed: '', context: 7 }), 'type', /context/],
    [() => sample('a', { n: 1, every: 2, seed: '' }), 'type', /one of n/],
    [() => sample(new Uint8Array([97, 255]), { n: 1, seed: '' }), 'mismatch', /byte 1/],
    [() => sample('a', { probability: '2', seed: '' }), 'range', /2/],
    [() => sample('a', { every: 0, seed: '' }), 'type', /0/],
    [() => sample('a', { n: 2 ** 40, seed: '' }), 'type', /./],
  ];
  for (const [call, code, message] of cases) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof HashwellError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(process('geometric', { p: 1 }, { seed: '' }).value, 1);
});
