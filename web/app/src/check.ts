/** Checks a draw: shows the outcome first, then how the draw was made, step by step. */
import type { MismatchCode, Steps, Transcript, UncheckedCode, Verification } from 'hashwell/draw';
import { alarm, copyButton, counted, dropped, el, get, grouped, sentence, show } from './dom.js';
import { EXAMPLE_LIST, EXAMPLE_TRANSCRIPT } from './example.js';
import { Latest } from './latest.js';
import { Failed, Remote, Stopped } from './remote.js';
import { secondOpinion, type Opinion } from './second.js';
import { METHODS, origin, planned, told, unchecked } from './words.js';

/** The number of picks that are shown at a time. */
const SHOWN = 50;
/** The maximum size of a file in bytes. */
const MOST = 1 << 30;

const remote = new Remote('draw');
/** The number of the current check. The result of an earlier check, or of one with an earlier input, is not shown. */
let run = 0;
let list: { name: string; bytes: Uint8Array } | undefined;
/** The bytes of a transcript from a file. They are verified instead of the text in the box, which may differ from them. */
let file: { shown: string; bytes: Uint8Array } | undefined;

/** The files that were chosen last. */
const choices = { transcript: new Latest(), list: new Latest() };

type Mark = 'good' | 'wrong' | 'open';

/** Sets up this part of the page. */
export function setUpCheck(): void {
  const box = get<HTMLTextAreaElement>('check-transcript');
  get<HTMLInputElement>('check-file').addEventListener('change', ({ target }) => void pick(target, readTranscript));
  get<HTMLInputElement>('check-list').addEventListener('change', ({ target }) => void pick(target, readList));
  dropped(box, ({ files }) => void reading(async () => {
    for (const one of files) {
      if (one.name.endsWith('.json') || files.length === 1) await readTranscript(one);
      else await readList(one);
    }
  }));
  get('check-form').addEventListener('input', forget);
  box.addEventListener('input', () => choices.transcript.forget());
  get('check-example').addEventListener('click', () => {
    fill(EXAMPLE_TRANSCRIPT, EXAMPLE_LIST);
    void check();
  });
  get('check-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void check();
  });
}

/** Removes the previous result, and stops a check that is running. */
function forget(): void {
  run += 1;
  remote.stop();
  get('check-result').replaceChildren();
}

/** Fills a transcript, and its list if there is one, into the form. */
export function fill(transcript: string, rows?: string | Uint8Array): void {
  choices.transcript.forget();
  choices.list.forget();
  get<HTMLTextAreaElement>('check-transcript').value = transcript;
  get<HTMLInputElement>('check-committed').value = '';
  get<HTMLInputElement>('check-attested').checked = false;
  file = undefined;
  setList(rows === undefined ? undefined : { name: 'the list that was drawn from', bytes: typeof rows === 'string' ? new TextEncoder().encode(rows) : rows });
}

async function pick(target: EventTarget | null, take: (file: File) => Promise<void>): Promise<void> {
  const input = target as HTMLInputElement;
  const [one] = input.files ?? [];
  if (one) await reading(() => take(one));
  input.value = '';
}

async function reading(work: () => Promise<void>): Promise<void> {
  forget();
  try {
    await work();
  } catch (error) {
    show(get('check-result'), alarm(sentence(error)));
  }
}

/** Returns the bytes of a chosen file. */
export async function contentOf(one: File): Promise<Uint8Array> {
  if (one.size > MOST) throw new Error(`${one.name} has ${grouped(one.size)} bytes, and at most ${grouped(MOST)} are read`);
  try {
    return new Uint8Array(await one.arrayBuffer());
  } catch {
    throw new Error(`${one.name} cannot be read: it is gone, or it changed since it was chosen`);
  }
}

async function readTranscript(one: File): Promise<void> {
  const bytes = await choices.transcript.of(contentOf(one));
  if (!bytes) return;
  forget();
  const box = get<HTMLTextAreaElement>('check-transcript');
  box.value = new TextDecoder().decode(bytes);
  file = { shown: box.value, bytes };
}

async function readList(one: File): Promise<void> {
  const bytes = await choices.list.of(contentOf(one));
  if (bytes) setList({ name: one.name, bytes });
}

function setList(given: typeof list): void {
  forget();
  list = given;
  get('check-list-name').textContent = given
    ? `The list: ${given.name}, ${counted(given.bytes.length, 'byte')}.`
    : 'No list yet. Without it, not everything can be checked.';
}

async function check(): Promise<void> {
  const result = get('check-result');
  const box = get<HTMLTextAreaElement>('check-transcript');
  const transcript = file?.shown === box.value ? file.bytes : box.value;
  const committed = get<HTMLInputElement>('check-committed').value.trim() || undefined;
  if (transcript.length === 0) {
    show(result, alarm('There is no transcript yet: paste one, or choose its file.'));
    return;
  }
  forget();
  const mine = run;
  show(result, el('p', { role: 'status' }, 'Computing the draw again …'));
  try {
    const about = list ? { list: list.bytes } : {};
    const given = { list: list !== undefined, committed: committed !== undefined };
    const seedAttested = get<HTMLInputElement>('check-attested').checked;
    const verdict = await remote.call('verify', transcript, { ...about, seedAttested, ...(committed ? { committed } : {}) });
    const steps = await remote.call('steps', transcript, about).catch((error: unknown) => {
      if (error instanceof Stopped) throw error;
      return undefined;
    });
    // After a mismatch, there is no second opinion, because it would also differ.
    const opinion = steps && verdict.outcome !== 'mismatch' ? await secondOpinion(verdict.transcript, verdict.planText, steps, SHOWN) : undefined;
    if (mine === run) show(result, ...story(verdict, given, steps, opinion));
  } catch (error) {
    if (mine !== run) return;
    const code = error instanceof Failed ? error.code : 'internal';
    show(result, refused(sentence(error), code));
  }
}

function refused(message: string, code: string): HTMLElement {
  const title = code === 'mismatch' ? 'This cannot be checked: something is not what it should be.' : 'This could not be checked.';
  return box('wrong', title, el('p', {}, message), el('p', {}, 'Nothing was verified.'));
}

function box(kind: 'good' | 'wrong' | 'partly', title: string, ...more: (Node | false)[]): HTMLElement {
  return el('div', { class: `verdict ${kind}`, role: 'status' }, el('h2', {}, title), ...more);
}

function bullets(lines: string[]): HTMLElement {
  return el('ul', {}, ...lines.map((line) => el('li', {}, line)));
}

/** The steps of the explanation. */
type Part = 'plan' | 'list' | 'seed' | 'key' | 'picks' | 'output';

/** The step that shows each mismatch. */
const WRONG: Record<MismatchCode, Part> = {
  plan: 'plan', commitment: 'plan', 'published-commitment': 'plan', list: 'list', seed: 'seed', 'seed-origin': 'seed', beacon: 'seed',
  'beacon-key': 'seed', picks: 'picks', 'pick-fields': 'picks', output: 'output',
};

/** For each unchecked item, the steps that it leaves without a tick. */
const OPEN: Record<UncheckedCode, readonly Part[]> = {
  commitment: ['plan'], list: ['list', 'picks'], 'seed-origin': ['seed'], 'beacon-signature': ['seed'], 'beacon-key': ['seed'],
  memory: ['picks'], positions: ['picks'],
};

/** The evidence that the user gave. */
interface Given {
  list: boolean;
  committed: boolean;
}

/** Shows the outcome, and explains the draw. A step has a tick if all of it was verified. After a mismatch, no step has one. */
function story(verdict: Verification, given: Given, steps: Steps | undefined, opinion: Opinion | undefined): HTMLElement[] {
  const { transcript } = verdict;
  const doubted = opinion?.different ?? [];
  const agrees = verdict.outcome !== 'mismatch' && doubted.length === 0;
  const mark = (part: Part, known = true): HTMLElement => {
    const kind: Mark = verdict.mismatches.some(({ code }) => WRONG[code] === part) ? 'wrong'
      : agrees && known && !verdict.unchecked.some(({ code }) => OPEN[code].includes(part)) ? 'good' : 'open';
    const words = { good: '✓ verified', wrong: '✗ does not agree', open: agrees ? '– not fully verified' : '– not vouched for' };
    return el('span', { class: `mark ${kind}` }, words[kind]);
  };
  return [headline(verdict, doubted), el('h2', {}, agrees ? 'How it was drawn' : 'What the transcript says'),
    el('ol', { class: 'steps' },
      planStep(verdict, given.committed, mark('plan')),
      stage('The list', mark('list'), ...listWords(transcript, given.list)),
      stage('The seed', mark('seed'),
        el('dl', { class: 'beside' }, el('dt', {}, 'Announced in the plan'), el('dd', { class: 'mono' }, verdict.seed.planned),
          el('dt', {}, 'As given'), el('dd', { class: 'mono' }, verdict.seed.given)),
        el('p', {}, origin(transcript.seed)), verdict.attested && el('p', {}, 'You say that you saw it come about as announced.'),
        el('p', { class: 'quiet' }, 'The seed must come into being after the plan is published, and nobody may choose it.')),
      keyStep(steps, opinion, agrees, mark('key', steps !== undefined || !verdict.unchecked.some(({ code }) => code === 'list'))),
      picksStep(verdict, steps, agrees, mark('picks')),
      stage('The result', mark('output'), el('p', {}, 'A fingerprint of all picks in their order, to compare at a glance:'),
        el('p', { class: 'mono' }, transcript.output)),
    )];
}

function headline(verdict: Verification, doubted: string[]): HTMLElement {
  const { transcript: { picks, plan, program } } = verdict;
  if (doubted.length > 0) {
    return box('wrong', 'Two programs disagree.',
      el('p', {}, `This page and your browser’s own SHA-256 differ in ${doubted.join(', ')}. Do not trust this result.`));
  }
  if (verdict.outcome === 'mismatch') {
    return box('wrong', 'It does not agree.',
      el('p', {}, 'Computed again, the draw comes out different from what the transcript says:'), bullets(verdict.mismatches.map(({ message }) => message)));
  }
  const what = `${counted(picks.length, 'pick')} of ${counted(plan.n, 'row')}, ${METHODS[plan.method].name}: computed again, and the same.`;
  const said = el('p', { class: 'quiet' }, `Drawn by “${program}”; that name is the one thing which nothing depends on, and nothing checks.`);
  if (verdict.outcome === 'verified') return box('good', 'Verified.', el('p', {}, what), said);
  return box('partly', 'Consistent, but not fully verified.', el('p', {}, what), el('p', {}, 'Not checked:'),
    bullets(verdict.unchecked.map(unchecked)), said);
}

function stage(title: string, marked: HTMLElement, ...content: (Node | false)[]): HTMLElement {
  return el('li', {}, el('h3', {}, `${title} `, marked), ...content);
}

function planStep(verdict: Verification, committed: boolean, marked: HTMLElement): HTMLElement {
  const { plan } = verdict.transcript;
  const published = !committed
    ? 'If this was published before the seed was known, nobody could change the plan afterwards. Compare it:'
    : verdict.mismatches.some(({ code }) => code === 'published-commitment') ? 'It is not the one that you say was published. The plan in the transcript has the commitment'
      : 'It is the one that you say was published:';
  return stage('The plan', marked,
    el('p', {}, planned(plan)), el('p', {}, METHODS[plan.method].does), el('p', {}, published),
    el('p', { class: 'mono' }, verdict.commitment),
    el('p', { class: 'row' }, copyButton(() => verdict.commitment, 'Copy the commitment')));
}

function listWords({ plan }: Transcript, given: boolean): HTMLElement[] {
  if (plan.list.kind === 'numbers') return [el('p', {}, `The numbers 1 to ${grouped(plan.n)}; there is no list to compare.`)];
  if (plan.list.kind === 'open') return [el('p', {}, 'A stream that nobody listed before: it could have been made after the seed was known.')];
  const words = given
    ? `Your list has ${counted(plan.n, 'row')}, and its fingerprint is the one in the plan:`
    : 'The plan has the fingerprint of the list. Choose the list above, and it is compared:';
  return [el('p', {}, words), el('p', { class: 'mono' }, plan.list.digest)];
}

function keyStep(steps: Steps | undefined, opinion: Opinion | undefined, agrees: boolean, marked: HTMLElement): HTMLElement {
  const second = opinion
    ? `Your browser’s own SHA-256 computed ${counted(opinion.hashes, 'hash', 'hashes')} of this draw once more, and ${opinion.different.length === 0 ? 'all are the same' : `differs in ${opinion.different.join(', ')}`}.`
    : 'This browser offers no SHA-256 of its own here, so there is no second opinion.';
  return stage('The key', marked,
    el('p', {}, 'List, purpose and seed are mixed into one number by SHA-256. Change any of them, and it is another one. All random numbers of the draw follow from it:'),
    el('p', { class: 'mono' }, steps?.key ?? 'cannot be computed'), (opinion !== undefined || (agrees && steps !== undefined)) && el('p', { class: 'quiet' }, second));
}

function picksStep(verdict: Verification, steps: Steps | undefined, agrees: boolean, marked: HTMLElement): HTMLElement {
  const { picks, plan } = verdict.transcript;
  const hows = steps?.parts.flatMap((part) => part.picks) ?? [];
  const body = el('tbody');
  const more = el('button', { type: 'button', class: 'quiet-button' }, 'Show more');
  const add = () => {
    const from = body.rows.length;
    for (const [i, pick] of picks.slice(from, from + SHOWN).entries()) {
      const step = hows[from + i];
      const beside = [pick.stratum && `part ${pick.stratum}`, pick.weight && `weight ${pick.weight}`].filter(Boolean).join(', ');
      body.append(el('tr', {}, el('th', { scope: 'row' }, `Pick ${grouped(from + i + 1)}`),
        el('td', { class: 'id' }, pick.id, beside !== '' && el('span', { class: 'quiet' }, ` (${beside})`)),
        el('td', {}, step ? told(step, plan) : 'Not computed.')));
    }
    more.hidden = body.rows.length >= picks.length;
  };
  more.addEventListener('click', add);
  add();
  const table = el('table', { class: 'stack' },
    el('thead', {}, el('tr', {}, ...['Pick', 'Row', agrees ? 'Why' : 'What this key gives'].map((name) => el('th', { scope: 'col' }, name)))), body);
  return stage('The picks', marked,
    el('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'The picks' }, table), more);
}
