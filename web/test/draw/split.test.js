/** Compares splits with the native command, and tests the errors of `split`. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HashwellError, load, split } from 'hashwell/draw';
import { hashwell, MODULE } from './support.js';

await load(MODULE);

const ROWS = Array.from({ length: 600 }, (_, at) => ({ id: String(at + 1), user: `u${(at * 7) % 90}`, class: ['a', 'b', 'é'][(at * at) % 3] }));

/** The IDs of the rows in each part, if the command splits the same rows. */
function byCommand(args, names) {
  const folder = mkdtempSync(join(tmpdir(), 'hashwell-'));
  try {
    const csv = ['id,user,class', ...ROWS.map((row) => Object.values(row).join(','))].join('\n') + '\n';
    const { status, stderr } = hashwell(['split', '--csv', '--seed', '0877', '-o', join(folder, '{}'), ...args], csv);
    assert.equal(status, 0, stderr);
    return names.map((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(1, -1).map((line) => line.split(',')[0]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('splits are those of the command', () => {
  const into = ['--into', 'train=0.7,val=0.1,test=1/5'];
  const [groupBy, stratify] = [['--group-by', 'user'], ['--stratify', 'class']];
  for (const [options, args] of [
    [{}, []], [{ context: 'été' }, ['--context', 'été']], [{ exact: true }, ['--exact']],
    [{ groupBy: 'user' }, groupBy], [{ groupBy: ({ user }) => user }, groupBy],
    [{ groupBy: ({ user }) => new TextEncoder().encode(user), exact: true }, [...groupBy, '--exact']],
    [{ stratify: 'class' }, stratify], [{ stratify: 'class', groupBy: 'user' }, [...stratify, ...groupBy]],
    [{ groupBy: ({ id }) => Number(id) }, ['--group-by', 'id']], [{ groupBy: ({ id }) => BigInt(id) }, ['--group-by', 'id']],
  ]) {
    const parts = split(ROWS, { train: 0.7, val: '0.1', test: '1/5' }, { seed: '0877', ...options });
    assert.deepEqual(Object.keys(parts), ['train', 'val', 'test']);
    const expected = byCommand([...into, ...args], Object.keys(parts));
    assert.deepEqual(Object.values(parts).map((rows) => rows.map(({ id }) => id)), expected, String(args));
    assert.ok(expected.every((rows) => rows.length > 0));
  }
  const pairs = split(ROWS, [['1', 0.5], ['0', 0.5]], { seed: new TextEncoder().encode('0877'), exact: true });
  const [one, zero] = byCommand(['--into', '1=0.5,0=0.5', '--exact'], ['1', '0']);
  assert.deepEqual([pairs['1'], pairs['0']].map((rows) => rows.map(({ id }) => id)), [one, zero]);
  assert.deepEqual(split([], { a: 1 }, { seed: '' }), { a: [] });
  assert.deepEqual(split(['x', undefined], { a: 1, ['__proto__']: 0 }, { seed: '' }).a, ['x', undefined]);
});

test('wrong shares, rows and options are refused in one line', () => {
  const half = { a: 0.5, b: 0.5 };
  for (const [call, code, message] of [
    [() => split(ROWS, { a: 0.5 }, { seed: '' }), 'range', /add up to 0.5, not 1/],
    [() => split(ROWS, { a: 0.5, b: 0.6 }, { seed: '' }), 'range', /more than 1/],
    [() => split(ROWS, { a: -1, b: 2 }, { seed: '' }), 'range', /-1/],
    [() => split(ROWS, [['a', 0.5], ['a', 0.5]], { seed: '' }), 'range', /"a" is named twice/],
    [() => split(ROWS, { a: 1e-7, b: 1 }, { seed: '' }), 'type', /exponent/],
    [() => split(ROWS, { a: NaN, b: 1 }, { seed: '' }), 'range', /NaN/],
    [() => split(ROWS, { a: true }, { seed: '' }), 'type', /share of a/],
    [() => split(ROWS, { 1: 0.5, 0: 0.5 }, { seed: '' }), 'type', /'0'.*pairs/],
    [() => split(ROWS, ['a'], { seed: '' }), 'type', /pair/],
    [() => split('abc', half, { seed: '' }), 'type', /rows must be an array, not string/],
    [() => split(ROWS, half), 'type', /seed/],
    [() => split(ROWS, half, { seed: 7 }), 'type', /seed must be/],
    [() => split(ROWS, half, { seed: '', groupby: 'user' }), 'unknown-name', /groupby/],
    [() => split(ROWS, half, { seed: '', groupBy: 'name' }), 'type', /row 0 has no property 'name'/],
    [() => split(ROWS, half, { seed: '', groupBy: 'toString' }), 'type', /row 0 has no property/],
    [() => split(ROWS, half, { seed: '', groupBy: 7 }), 'type', /groupBy must be/],
    [() => split([0.5], half, { seed: '', groupBy: (row) => row }), 'type', /groupBy of row 0 must be a safe integer, .* not 0.5/],
    [() => split([null], half, { seed: '', stratify: (row) => row }), 'type', /stratify of row 0 must be .* not null/],
    [() => split(['\ud800'], half, { seed: '', groupBy: (row) => row }), 'type', /surrogate/],
    [() => split(ROWS, half, { seed: '', exact: 1 }), 'type', /exact must be/],
    [() => split(ROWS, half, { seed: '', context: 1 }), 'type', /context must be/],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof HashwellError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.ok(!error.message.includes('\n'));
      return true;
    }, String(call));
  }
});
