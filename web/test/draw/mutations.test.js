/** Changed transcripts of reference/mutations.py: every implementation gives the same outcome and the same codes for each. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { before, test } from 'node:test';
import { HashwellError, load, verify } from 'hashwell/draw';
import { MODULE } from './support.js';

before(() => load(MODULE));

// All errors in the form of a transcript have the same code in the reference, which checks the form first.
const FORMS = new Set(['plan', 'seed', 'pick-fields']);

test('changed transcripts have the outcome and the codes that every implementation gives', () => {
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  const { status, stdout, stderr } = spawnSync('python3', ['-m', 'reference.mutations'], { cwd, encoding: 'utf8', maxBuffer: 1 << 30 });
  assert.equal(status, 0, stderr);
  const bytes = (given, name) => given[name] ?? (given[`${name}_hex`] === undefined ? undefined : Buffer.from(given[`${name}_hex`], 'hex'));
  const cases = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.ok(cases.length >= 5000);
  const wrong = [];
  for (const given of cases) {
    const { name, zero, committed, attested, unsigned, codes } = given;
    let got;
    try {
      const verification = verify(bytes(given, 'transcript'), { list: bytes(given, 'list'), zero, committed: committed ?? undefined, seedAttested: attested });
      const first = verification.mismatches.slice(0, 1).map(({ code }) => (FORMS.has(code) ? 'transcript' : code));
      got = `${verification.outcome}: ${first.length > 0 ? first : verification.unchecked.map(({ code }) => code).sort()}`;
    } catch (error) {
      assert.ok(error instanceof HashwellError, `${name}: ${error}`);
      // The errors of this package don't tell whether the transcript or the list is invalid.
      got = error.code !== 'mismatch' ? error.code : `mismatch: ${codes[0] === 'list' ? 'list' : 'transcript'}`;
    }
    const expected = `${unsigned}: ${codes}`;
    if (got !== expected) wrong.push(`${name}: ${got} in place of ${expected}`);
  }
  assert.deepEqual(wrong, []);
});
