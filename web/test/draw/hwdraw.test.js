/** Compares draws with vectors/draw.json and the native command, and changes every byte of transcripts. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { draw, HashwellError, load, plan, sample, steps, verify } from 'hashwell/draw';
import { law, process, replicates } from 'hashwell/process';
import { goldens, hashwell, MODULE, vectorsText } from './support.js';

before(() => load(MODULE));

const about = (list, zero) => (list === undefined ? {} : { list, zero });

const codes = (items) => items.map(({ code }) => code);

test('goldens verify, with and without their lists', () => {
  const methods = new Set();
  for (const { name, transcript, list, zero } of goldens()) {
    const { seed: { from }, commitment } = JSON.parse(transcript);
    const everything = { ...about(list, zero), committed: commitment, seedAttested: true };
    const verdict = verify(transcript, everything);
    assert.deepEqual(verdict.mismatches, [], name);
    // This package does not verify signatures.
    const beacon = ['drand', 'nist'].includes(from) ? ['beacon-signature'] : [];
    assert.deepEqual(codes(verdict.unchecked), beacon, name);
    assert.equal(verdict.outcome, beacon.length === 0 ? 'verified' : 'partial', name);
    assert.ok(verdict.seed.planned.startsWith(from) && verdict.seed.given.startsWith(from), name);
    const alone = verify(transcript);
    assert.equal(alone.outcome, 'partial', name);
    const origin = beacon.length === 0 ? ['seed-origin'] : beacon;
    assert.deepEqual(codes(alone.unchecked), ['commitment', ...origin, ...(list === undefined ? [] : ['list'])], name);
    assert.equal(verify(transcript, { ...everything, committed: '00'.repeat(32) }).outcome, 'mismatch', name);
    methods.add(verdict.transcript.plan.method);
  }
  assert.equal(methods.size, 7);
});

test('a seed comes from where the plan announced', () => {
  const list = 'a\nb\nc\n';
  const dice = { kind: 'dice', description: 'thrown on stage' };
  assert.throws(() => draw(list, { n: 1, seedSource: dice, seed: { hex: '00' } }), { code: 'mismatch', message: /hex/ });
  for (const description of ['Drand 52db 123', 'drand\u00a052db', 'ｄｒａｎｄ', 'NIST 2 7', 'a beacon']) {
    assert.throws(() => plan(list, { n: 1, seedSource: { ...dice, description } }), { code: /type|mismatch/, message: /beacon/ });
  }
  assert.throws(() => plan(list, { n: 1, seedSource: 'dice, thrown on stage' }), { code: 'mismatch', message: /seedDescription|description/ });
  assert.equal(plan(list, { n: 1, seedSource: 'dice', seedDescription: 'thrown on stage' }).commitment, plan(list, { n: 1, seedSource: dice }).commitment);
  for (const seedSource of [{ kind: 'Drand' }, { kind: 'drand', chain: '00' }, { kind: 'dice', round: 1 }, { kind: 'drand', chain: 'A'.repeat(64), round: 1 }]) {
    assert.throws(() => plan(list, { n: 1, seedSource }), HashwellError, JSON.stringify(seedSource));
  }
  const transcript = draw(list, { n: 1, seedSource: dice, seed: { dice: '08' } });
  const verdict = verify(transcript, { list });
  assert.deepEqual(verdict.seed, { planned: 'dice ("thrown on stage")', given: 'dice "08"' });
  assert.deepEqual([verdict.outcome, codes(verdict.unchecked), verdict.attested], ['partial', ['commitment', 'seed-origin'], false]);
  // The same seed bytes from a different source.
  const other = verify(transcript.replace('{"from":"dice","text":"08"}', '{"from":"hex","hex":"3038"}'), { list, committed: verdict.commitment });
  assert.deepEqual([other.outcome, codes(other.mismatches)], ['mismatch', ['seed-origin']]);
});

test('beacons: rounds and pulses as they are published', () => {
  const { cases } = JSON.parse(vectorsText('draw'));
  const list = 'a\nb\nc\n';
  for (const { name, published, chain, seed } of cases.filter(({ published }) => published)) {
    const { pulse } = published;
    const [from, seedSource] = pulse
      ? ['nist', { kind: 'nist', certificate: pulse.certificateId.toLowerCase(), chain: pulse.chainIndex, pulse: pulse.pulseIndex }]
      : ['drand', { kind: 'drand', chain, round: published.round }];
    const transcript = draw(list, { n: 1, seedSource, seed: { [from]: JSON.stringify(published) } });
    const { commitment, seed: given } = JSON.parse(transcript);
    assert.equal(given.hex, seed.toLowerCase(), name);
    const { outcome, unchecked, mismatches } = verify(transcript, { list, committed: commitment });
    assert.deepEqual([outcome, codes(unchecked), mismatches], ['partial', ['beacon-signature'], []], name);
    assert.throws(() => draw(list, { n: 1, seedSource: { kind: 'dice' }, seed: { [from]: JSON.stringify(published) } }), HashwellError, name);
    // A sequence in DER, as every certificate is one.
    const key = pulse ? { certificate: new Uint8Array([0x30, 0x82, 0, 1, 0]) } : { drandChain: '{}' };
    assert.throws(() => verify(transcript, { list, ...(pulse ? { drandChain: '{}' } : key) }), { code: 'mismatch' }, name);
    if (pulse) {
      assert.deepEqual(codes(verify(transcript, { list, ...key }).mismatches), ['beacon-key'], name);
      assert.throws(() => verify(transcript, { list, certificate: 'another' }), /neither PEM nor DER/, name);
    }
  }
});

test('goldens are drawn again', () => {
  for (const { name, transcript, list, zero } of goldens()) {
    const { plan: p, seed, picks, commitment, output } = JSON.parse(transcript);
    // JavaScript can't represent such numbers.
    if (seed.from === 'drand' || seed.from === 'nist' || !Number.isSafeInteger(p.n)) continue;
    const drawn = draw(list ?? p.n, {
      method: p.method, n: p.k, probability: p.p, scale: p.scale, strata: p.allocation, context: p.context, seedSource: p.seed_source,
      source: p.random_source, zero, open: p.list.kind === 'open', seed: { [seed.from]: seed.text ?? seed.hex }, committed: commitment,
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
    // A position above 2^53 is only in the transcript, as text.
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
    { method: 'index', n: 7, seed: { dice: '0877351826' } },
    { method: 'ticket', n: 3, seed: { text: ' a seed\n' }, context: 'über "x"' },
    { method: 'bernoulli', probability: '0.25', seed: { hex: '00ff' } },
    { method: 'replace', n: 100, seed: { text: '' }, source: 'shake256' },
    { method: 'gap', n: 4, seed: { dice: '1' }, open: true },
  ].entries()) {
    const transcript = draw(LIST, { seedDescription: 'somewhere', ...options });
    const { commitment } = JSON.parse(transcript);
    const { status, stdout } = hashwell(['verify', file(`drawn ${i}`, transcript), list, '--committed', commitment, '--seed-attested']);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^verified: /);
    const mine = verify(transcript, { list: LIST });
    const partly = hashwell(['verify', file(`drawn ${i}`, transcript), list]);
    assert.equal(partly.status, 3);
    for (const { message } of mine.unchecked) assert.ok(partly.stdout.includes(message), message);
    const { n, probability, method, context = '', source = 'counter', open, seed: [[from, value]] = Object.entries(options.seed) } = { ...options, seed: undefined };
    const seed = from === 'text' ? ['--seed', value] : from === 'dice' ? ['--dice', value] : ['--seed-hex', value];
    const theirs = join(folder, `theirs ${i}`);
    const done = hashwell(['draw', list, '--method', method, ...(probability ? ['-p', probability] : ['-n', String(n)]), ...seed, '--context', context,
      '--source', source, '--seed-description', 'somewhere', ...(open ? ['--open'] : []), '--transcript', theirs]);
    assert.equal(done.status, 0, done.stderr);
    const text = readFileSync(theirs, 'utf8');
    assert.deepEqual(verify(text, { list: LIST }).mismatches, []);
    assert.equal(text.replace(/"program": "[^"]*"/, ''), transcript.replace(/"program": "[^"]*"/, ''));
  }
});

test('the commitment is the command’s, and binds', () => {
  const options = { method: 'ticket', n: 2, context: 'audit', seedSource: { kind: 'dice', description: 'on Monday' } };
  const { commitment, plan: text, n } = plan(LIST, options);
  const { stdout } = hashwell(['draw', '-', '--commit', '--method', 'ticket', '-n', '2', '--context', 'audit', '--seed-source', 'dice', '--seed-description', 'on Monday'], LIST);
  assert.equal(stdout, `hwdraw/1 commitment ${commitment}\n${text}\n`);
  assert.equal(n, 60);
  const transcript = draw(LIST, { ...options, seed: { dice: '123' }, committed: commitment.toUpperCase() });
  assert.equal(verify(transcript, { list: LIST, committed: commitment, seedAttested: true }).outcome, 'verified');
  assert.throws(() => draw(LIST, { ...options, context: 'other', seed: { dice: '123' }, committed: commitment }), { code: 'mismatch', message: /commitment/ });
  assert.deepEqual(codes(verify(transcript, { committed: '00'.repeat(32) }).mismatches), ['published-commitment']);
});

/** For each line of a transcript, the words that must be in the message if one of its bytes was changed. */
const MEANINGS = {
  commitment: /commitment|line/, output: /output|line/, picks: /pick|output|line|seed|weight/, plan: /plan|commitment|line|source|seed|k must|list/, seed: /seed|pick|digits|line|planned/,
};

test('each byte of a transcript, changed, is noticed and named', () => {
  for (const options of [{ method: 'ticket', n: 3, seed: { dice: '0877' } }, { method: 'index', n: 20, seed: { text: 'a seed' } }]) {
    const transcript = new TextEncoder().encode(draw(LIST, { ...options, context: 'x' }));
    const text = new TextDecoder().decode(transcript);
    const [programFrom, programTo] = [text.indexOf('"program": "') + 12, text.indexOf('",\n"seed"')];
    const unnoticed = [];
    for (let at = 0; at < transcript.length; at += 1) {
      for (const flip of [1, 0x20]) {
        const changed = transcript.slice();
        changed[at] ^= flip;
        let said;
        try {
          const { outcome, mismatches } = verify(changed, { list: LIST });
          said = mismatches.map(({ message }) => message).join('\n');
          assert.equal(outcome, mismatches.length === 0 ? 'partial' : 'mismatch');
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
    // The name of the program is only for people, so changing it has no effect. A space between values can be replaced
    // by other white space.
    const decides = ([at]) => !(at >= programFrom && at < programTo) && text[at].trim() !== '';
    assert.deepEqual(unnoticed.filter(decides), []);
  }
});

test('what is none is refused in one line', () => {
  const cases = [
    [() => verify('{}'), 'mismatch', /transcript/],
    [() => verify(new Uint8Array([255, 0])), 'mismatch', /transcript/],
    [() => draw('a\na\n', { n: 1, seed: { text: '' } }), 'mismatch', /same id "a"/],
    [() => draw('a\nb\n', { n: 3, seed: { text: '' } }), 'range', /k must be 1 to 2, not 3/],
    [() => draw('a\nb\n', { n: 1, seed: { dice: '1 2' } }), 'mismatch', /dice/],
    [() => draw('a\nb\n', { n: 1, seed: { drand: '{' } }), 'type', /seedSource/],
    [() => draw('a\nb\n', { n: 1, seed: { drand: '{' }, seedSource: `drand ${'0'.repeat(64)} 1` }), 'mismatch', /is not a published one/],
    [() => draw('a\nb\n', { n: 1, seed: { nist: '{' } }), 'mismatch', /NIST/],
    [() => draw('a\nb\n', { n: 1, seed: { dice: '1' }, seedSource: { kind: 'dice', round: 1 } }), 'type', /seedSource/],
    [() => draw(-1, { n: 1, seed: { text: '' } }), 'range', /-1/],
    [() => draw(2 ** 53 - 1, { n: 2 ** 40, seed: { text: '' } }), 'memory', /memory/],
    [() => draw(['a'], { n: 1, seed: { text: '' } }), 'type', /Array/],
    [() => draw('a', { n: 1.5, seed: { text: '' } }), 'type', /1\.5/],
    [() => plan('a', { n: 1 }), 'type', /seedSource/],
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
  // The module still works afterwards.
  assert.equal(verify(draw(6, { n: 2, seed: { dice: '0877' } })).outcome, 'partial');
});

test('options are objects of the caller’s own, and bytes that are lost are refused', () => {
  const transcript = draw(6, { n: 2, seed: { dice: '0877' } });
  const type = (part) => (error) => error instanceof HashwellError && error.code === 'type' && error.message.includes(part);
  for (const wrong of [null, 'text', 7, []]) {
    for (const call of [
      () => draw(6, wrong), () => plan(6, wrong), () => verify(transcript, wrong), () => steps(transcript, wrong), () => sample('a\n', wrong),
      () => process('crp', {}, wrong), () => replicates('crp', {}, wrong), () => law('crp', {}, wrong),
    ]) assert.throws(call, type('options must be an object'), String(call));
    assert.throws(() => draw(6, { n: 2, seed: wrong }), type('seed'));
    assert.throws(() => process('crp', wrong, { seed: '' }), type('parameters must be an object'));
  }
  assert.throws(() => draw(6, { n: 2, seed: { dice: 877 } }), type('seed.dice must be text or a Uint8Array, not number'));
  assert.throws(() => verify(transcript, { committed: null }), type('committed must not be null'));
  assert.throws(() => verify(transcript, { comitted: '00'.repeat(32) }), { code: 'unknown-name' });
  const lost = new Uint8Array(3);
  structuredClone(lost.buffer, { transfer: [lost.buffer] });
  for (const call of [
    () => draw(lost, { n: 1, seed: { dice: '1' } }), () => draw(6, { n: 1, seed: { hex: lost } }), () => verify(lost), () => verify(transcript, { list: lost }),
    () => sample(lost, { n: 1, seed: '' }), () => sample('a\n', { n: 1, seed: lost }),
  ]) assert.throws(call, type('lost its bytes'), String(call));
  const names = ['method', 'n', 'probability', 'scale', 'strata', 'context', 'seedSource', 'source', 'zero', 'open', 'seed', 'committed', 'list', 'order', 'replace', 'shuffle', 'encoding'];
  const all = () => [draw(6, { n: 2, seed: { dice: '0877' } }), JSON.stringify(verify(transcript, {})), JSON.stringify(steps(transcript)), JSON.stringify(sample('a\nb\n', { every: 2, seed: '' }))];
  const expected = all();
  try {
    for (const name of names) Object.prototype[name] = 1;
    assert.deepEqual(all(), expected);
  } finally {
    for (const name of names) delete Object.prototype[name];
  }
});
