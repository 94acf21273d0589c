/** Draws against vectors/draw.json and the native command, and every byte of transcripts changed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { draw, HashwellError, load, plan, steps, verify } from 'hashwell/draw';
import { goldens, hashwell, MODULE } from './support.js';

before(() => load(MODULE));

const about = (list, zero) => (list === undefined ? {} : { list, zero });

test('goldens verify, with and without their lists', () => {
  const methods = new Set();
  for (const { name, transcript, list, zero } of goldens()) {
    const verdict = verify(transcript, { ...about(list, zero), committed: JSON.parse(transcript).commitment });
    assert.ok(verdict.agrees, `${name}: ${verdict.wrong}`);
    const unchecked = name.includes('drand') ? ["the round's signature"] : [];
    assert.deepEqual(verdict.unchecked, unchecked, name);
    assert.ok(verify(transcript).agrees, name);
    methods.add(verdict.transcript.plan.method);
  }
  assert.equal(methods.size, 7);
});

test('goldens are drawn again', () => {
  for (const { name, transcript, list, zero } of goldens()) {
    const { plan: p, seed, picks, commitment, output } = JSON.parse(transcript);
    // JavaScript has no such numbers.
    if (seed.from === 'drand' || seed.from === 'nist' || !Number.isSafeInteger(p.n)) continue;
    const drawn = draw(list ?? p.n, {
      method: p.method, k: p.k, p: p.p, scale: p.scale, strata: p.allocation, context: p.context, seedSource: p.seed_source,
      words: p.words, zero, open: p.frame.kind === 'open', seed: { [seed.from]: seed.text ?? seed.hex }, committed: commitment,
    });
    const again = JSON.parse(drawn);
    assert.deepEqual({ ...again, program: '' }, { ...JSON.parse(transcript), program: '' }, name);
    assert.deepEqual([again.picks, again.output], [picks, output], name);
  }
});

test('steps lead to the picks', () => {
  for (const { name, transcript, list, zero } of goldens()) {
    const { picks } = JSON.parse(transcript);
    const all = steps(transcript, about(list, zero)).parts.flatMap((part) => part.picks);
    assert.equal(all.length, picks.length, name);
    // A position beyond 2^53 is in the transcript as text only.
    const listed = [...transcript.matchAll(/"index": ?(\d+)/g)].map(([, index]) => index);
    all.forEach((step, i) => {
      if (step.how === 'ticket') assert.equal(step.ticket, picks[i].ticket, name);
      else if (step.how === 'time') assert.equal(step.time, picks[i].ticket, name);
      else assert.equal(step.position, listed[i], name);
    });
  }
});

const LIST = Array.from({ length: 60 }, (_, i) => `row ${i}\n`).join('');

test('the command verifies what is drawn here, and the other way round', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashwell-'));
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const list = file('list', LIST);
  for (const [i, options] of [
    { method: 'index', k: 7, seed: { dice: '0877351826' } },
    { method: 'ticket', k: 3, seed: { text: ' a seed\n' }, context: 'über "x"' },
    { method: 'bernoulli', p: '0.25', seed: { hex: '00ff' } },
    { method: 'replace', k: 100, seed: { text: '' }, words: 'shake256' },
    { method: 'gap', k: 4, seed: { dice: '1' }, open: true },
  ].entries()) {
    const transcript = draw(LIST, { seedSource: 'somewhere', ...options });
    const { status, stdout } = hashwell(['verify', file(`drawn ${i}`, transcript), list]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^agrees: /);
    const { k, p, method, context = '', words = 'counter', open, seed: [[from, value]] = Object.entries(options.seed) } = { ...options, seed: undefined };
    const seed = from === 'text' ? ['--seed', value] : from === 'dice' ? ['--dice', value] : ['--seed-hex', value];
    const theirs = join(folder, `theirs ${i}`);
    const done = hashwell(['draw', list, '--method', method, ...(p ? ['-p', p] : ['-k', String(k)]), ...seed, '--context', context,
      '--source', words, '--seed-source', 'somewhere', ...(open ? ['--open'] : []), '--transcript', theirs]);
    assert.equal(done.status, 0, done.stderr);
    const text = readFileSync(theirs, 'utf8');
    assert.ok(verify(text, { list: LIST }).agrees);
    assert.equal(text.replace(/"program": "[^"]*"/, ''), transcript.replace(/"program": "[^"]*"/, ''));
  }
});

test('the commitment is the command’s, and binds', () => {
  const options = { method: 'ticket', k: 2, context: 'audit', seedSource: 'dice on Monday' };
  const { commitment, plan: text, n } = plan(LIST, options);
  const { stdout } = hashwell(['draw', '-', '--commit', '--method', 'ticket', '-k', '2', '--context', 'audit', '--seed-source', 'dice on Monday'], LIST);
  assert.equal(stdout, `hwdraw/1 commitment ${commitment}\n${text}\n`);
  assert.equal(n, 60);
  const transcript = draw(LIST, { ...options, seed: { dice: '123' }, committed: commitment.toUpperCase() });
  assert.deepEqual(verify(transcript, { list: LIST, committed: commitment }).unchecked, []);
  assert.throws(() => draw(LIST, { ...options, context: 'other', seed: { dice: '123' }, committed: commitment }), { code: 'mismatch', message: /commitment/ });
  assert.ok(!verify(transcript, { committed: '00'.repeat(32) }).agrees);
});

/** What the changed byte belongs to, by the line that it stands in. */
const MEANINGS = {
  commitment: /commitment|line/, output: /output|line/, picks: /pick|output|line|seed|weight/, plan: /plan|commitment|line|frame|source|seed|k must|list/, seed: /seed|pick|digits|line|planned/,
};

test('each byte of a transcript, changed, is noticed and named', () => {
  for (const options of [{ method: 'ticket', k: 3, seed: { dice: '0877' } }, { method: 'index', k: 20, seed: { text: 'a seed' } }]) {
    const transcript = new TextEncoder().encode(draw(LIST, { ...options, context: 'x', seedSource: 'y' }));
    const text = new TextDecoder().decode(transcript);
    const [programFrom, programTo] = [text.indexOf('"program": "') + 12, text.indexOf('",\n"seed"')];
    const unnoticed = [];
    for (let at = 0; at < transcript.length; at += 1) {
      for (const flip of [1, 0x20]) {
        const changed = transcript.slice();
        changed[at] ^= flip;
        let said;
        try {
          const { agrees, wrong } = verify(changed, { list: LIST });
          said = agrees ? '' : wrong.join('\n');
          assert.equal(agrees, wrong.length === 0);
        } catch (error) {
          assert.ok(error instanceof HashwellError && error.code === 'mismatch', String(error));
          said = error.message;
        }
        if (said === '') unnoticed.push([at, flip]);
        else {
          const part = [...text.slice(0, at + 1).matchAll(/^"(\w+)":/gm)].pop()?.[1];
          const meaning = MEANINGS[part];
          if (meaning && !(at >= programFrom - 12 && at < programTo)) assert.match(said, meaning, `byte ${at} of ${part}`);
        }
      }
    }
    // Who drew is for people: nothing depends on it. A blank between values may be another blank.
    const decides = ([at]) => !(at >= programFrom && at < programTo) && text[at].trim() !== '';
    assert.deepEqual(unnoticed.filter(decides), []);
  }
});

test('what is none is refused in one line', () => {
  const cases = [
    [() => verify('{}'), 'mismatch', /transcript/],
    [() => verify(new Uint8Array([255, 0])), 'mismatch', /transcript/],
    [() => draw('a\na\n', { k: 1, seed: { text: '' } }), 'mismatch', /same id "a"/],
    [() => draw('a\nb\n', { k: 3, seed: { text: '' } }), 'range', /k must be 1 to 2, not 3/],
    [() => draw('a\nb\n', { k: 1, seed: { dice: '1 2' } }), 'mismatch', /dice/],
    [() => draw('a\nb\n', { k: 1, seed: { drand: '{' } }), 'mismatch', /drand/],
    [() => draw(-1, { k: 1, seed: { text: '' } }), 'range', /-1/],
    [() => draw(2 ** 53 - 1, { k: 2 ** 40, seed: { text: '' } }), 'memory', /memory/],
    [() => draw(['a'], { k: 1, seed: { text: '' } }), 'type', /Array/],
    [() => draw('a', { k: 1.5, seed: { text: '' } }), 'type', /1\.5/],
    [() => plan('a', { k: 1 }), 'type', /seedSource/],
  ];
  for (const [call, code, message] of cases) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof HashwellError);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
  // And it goes on.
  assert.ok(verify(draw(6, { k: 2, seed: { dice: '0877' } })).agrees);
});
