/** Makes a draw: first the commitment, then the seed, then the transcript. */
import type { DrawOptions, List, Method, PlanOptions, Seed, Verification } from 'hashwell/draw';
import { contentOf, fill } from './check.js';
import { alarm, copyButton, counted, el, get, grouped, saveButton, sentence, show } from './dom.js';
import { Latest } from './latest.js';
import { Remote, Stopped } from './remote.js';
import { METHODS, unchecked } from './words.js';

const remote = new Remote('draw');

/** For each kind of seed: its name, the labels of the fields before and after it is known, and an example. */
const SEEDS = {
  dice: ['dice', '', 'The digits that the dice showed, in order', '08773518267254361087'],
  text: ['a text', '', 'The text (upper case, lower case and spaces matter)', ''],
  hex: ['bytes in hexadecimal', '', 'The hexadecimal digits', ''],
  drand: ['a round of drand', 'The hash of the chain and the number of the round, separated by a space', 'The JSON that drand publishes for the round',
    '{"round": …, "signature": "…"}'],
  nist: ['a pulse of the NIST beacon', 'The numbers of the chain and of the pulse, separated by a space', 'The JSON that the beacon publishes for the pulse',
    '{"pulse": { … }}'],
} as const;

/** Sets up this part of the page. `checkIt` shows the part that checks a draw. */
export function setUpMake(checkIt: () => void): void {
  const form = get<HTMLFormElement>('make-form');
  const field = (label: string, control: HTMLElement, wide = false, help?: string) =>
    el('label', wide ? { class: 'wide' } : {}, label, help !== undefined && el('small', {}, help), control);
  const options = (entries: [string, string][]) => entries.map(([value, name]) => el('option', { value }, name));
  const rows = el('textarea', { id: 'make-list', rows: 6, spellcheck: false, placeholder: 'One row per line, or a single number n for the numbers 1 to n' });
  const choose = el('input', { type: 'file', id: 'make-file' });
  const method = el('select', { id: 'make-method' },
    ...options(Object.entries(METHODS).map(([name, { name: title }]) => [name, title])));
  const does = el('p', { class: 'wide quiet' });
  const count = el('input', { id: 'make-k', inputmode: 'numeric', value: '1' });
  const strata = el('select', {}, ...options([['', 'none'], ['each', 'the same number from each'], ['proportional', 'in proportion to their sizes']]));
  const context = el('input', { placeholder: 'Lottery of 3 May' });
  const source = el('input', { id: 'make-source', placeholder: 'twenty ten-sided dice, thrown in public on 3 May' });
  const beacon = el('input', { id: 'make-beacon', spellcheck: false, autocomplete: 'off' });
  const beaconLabel = el('span', {});
  const beaconField = el('label', { class: 'wide' }, beaconLabel, beacon);
  const commit = el('button', { type: 'button', id: 'make-commit' }, 'Create the commitment');
  const kind = el('select', { id: 'make-kind' }, ...options(Object.entries(SEEDS).map(([name, [title]]) => [name, title])));
  const seed = el('textarea', { id: 'make-seed', rows: 2, spellcheck: false });
  const seedLabel = el('span', {});
  form.append(
    field('List', rows, true, 'For weights, add a tab and the weight to each row. For strata (groups that are drawn separately), add a tab and the stratum, before the weight.'),
    el('p', { class: 'wide' }, el('label', { class: 'button quiet-button' }, 'Choose a file', choose)),
    field('Method', method), field('Number of picks', count), field('Strata', strata), does,
    field('Purpose of the draw', context, true), field('Kind of seed', kind), field('Description of the seed, for readers', source), beaconField,
    el('p', { class: 'wide' }, commit),
    el('h2', { class: 'wide' }, 'When the seed is known'),
    el('label', { class: 'wide' }, seedLabel, seed),
    el('p', { class: 'wide' }, el('button', { type: 'submit', class: 'main-button' }, 'Draw')));

  const follow = () => {
    does.textContent = METHODS[method.value as Method].does;
    const label = count.parentElement?.firstChild;
    if (label) label.textContent = method.value === 'bernoulli' ? 'Probability of each row, such as 0.05' : 'Number of picks';
    const [, announced, asked, example] = SEEDS[kind.value as keyof typeof SEEDS];
    [beaconLabel.textContent, beaconField.hidden] = [announced, announced === ''];
    [seedLabel.textContent, seed.placeholder] = [asked, example];
  };
  [method, kind].forEach((control) => control.addEventListener('change', follow));
  follow();
  // The bytes of a list from a file are used instead of the text in the box, which may differ from them.
  let file: { shown: string; bytes: Uint8Array } | undefined;
  const choices = new Latest();
  rows.addEventListener('input', () => choices.forget());
  choose.addEventListener('change', async () => {
    const [one] = choose.files ?? [];
    choose.value = '';
    if (!one) return;
    try {
      const bytes = await choices.of(contentOf(one));
      if (!bytes) return;
      rows.value = new TextDecoder().decode(bytes);
      file = { shown: rows.value, bytes };
    } catch (error) {
      show(get('make-result'), alarm(sentence(error)));
    }
  });

  const list = (): List => {
    if (/^\s*\d+\s*$/.test(rows.value)) return Number(rows.value);
    return file?.shown === rows.value ? file.bytes : rows.value;
  };
  const plan = (): PlanOptions & { seedSource: string } => {
    const chance = method.value === 'bernoulli';
    const n = Number(count.value);
    if (!chance && !(Number.isSafeInteger(n) && n > 0)) throw new Error(`the number of picks must be an integer of at least 1, not “${count.value}”`);
    return {
      method: method.value as Method, context: context.value,
      ...(chance ? { probability: count.value.trim() } : { n }),
      ...(strata.value ? { strata: strata.value as 'each' | 'proportional' } : {}),
      seedSource: [kind.value, ...(beaconField.hidden ? [] : [beacon.value.trim()])].join(' '),
      seedDescription: source.value.trim(),
    };
  };
  commit.addEventListener('click', () => void attempt(async () => {
    const made = await remote.call('plan', list(), plan());
    return [el('div', { class: 'verdict' }, el('h2', {}, 'Publish this before the seed is known'),
      el('p', {}, `The plan is for a draw from ${counted(made.n, 'row')}. Publish the commitment and the list in a place that records the time of publication.`),
      el('p', { class: 'mono' }, made.commitment),
      el('p', { class: 'row' }, copyButton(() => made.commitment, 'Copy the commitment'),
        copyButton(() => made.plan, 'Copy the plan')),
      el('details', {}, el('summary', {}, 'The plan'), el('pre', { tabindex: 0 }, made.plan)))];
  }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(async () => {
      const origin = kind.value as keyof typeof SEEDS;
      const text = origin === 'text' ? seed.value : seed.value.trim();
      const from = list();
      const transcript = await remote.call('draw', from, { ...plan(), seed: { [origin]: text } as Seed } as DrawOptions);
      const given = typeof from === 'number' ? undefined : from;
      const verdict = await remote.call('verify', transcript, given === undefined ? {} : { list: given });
      if (verdict.outcome === 'mismatch') {
        throw new Error(`the draw could not be verified, which is a bug in this page: ${verdict.mismatches.map((wrong) => wrong.message).join('; ')}`);
      }
      return drawn(transcript, verdict, () => {
        fill(transcript, given);
        checkIt();
      });
    });
  });
}

function drawn(transcript: string, verdict: Verification, checkIt: () => void): HTMLElement[] {
  const { picks } = JSON.parse(transcript) as { picks: { id: string; stratum?: string }[] };
  const again = el('button', { type: 'button' }, 'Verify it step by step');
  again.addEventListener('click', checkIt);
  // The user who makes the draw knows both.
  const open = verdict.unchecked.filter(({ code }) => code !== 'commitment' && code !== 'seed-origin');
  const many = picks.length > 1000;
  return [el('div', { class: 'verdict' }, el('h2', {}, counted(picks.length, 'pick')),
    el('ol', {}, ...picks.slice(0, 1000).map(({ id, stratum }) => el('li', {}, stratum === undefined ? id : `${id} (${stratum})`))),
    many && el('p', {}, `… and ${grouped(picks.length - 1000)} more picks. The transcript contains all of them.`),
    open.length > 0 && el('ul', {}, ...open.map((item) => el('li', {}, `Not verified: ${unchecked(item)}`))),
    el('p', { class: 'row' }, saveButton(() => transcript, 'transcript.json', 'Save the transcript'), copyButton(() => transcript, 'Copy the transcript'), again),
    el('details', {}, el('summary', {}, 'The transcript'), el('pre', { tabindex: 0 }, transcript)))];
}

async function attempt(work: () => Promise<HTMLElement[]>): Promise<void> {
  const place = get('make-result');
  remote.stop();
  try {
    show(place, el('p', {}, 'Computing …'));
    show(place, ...(await work()));
  } catch (error) {
    if (!(error instanceof Stopped)) show(place, alarm(sentence(error)));
  }
}
