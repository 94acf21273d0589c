/** Verifies a draw: first shows the outcome, then explains step by step how it was drawn. */
import type { MismatchCode, Steps, UncheckedCode, Verification } from 'hashwell/draw';
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
/** The number of the current check. The result of an older check is not shown. */
let run = 0;
let list: { name: string; bytes: Uint8Array } | undefined;
/** If a transcript is from a file, its bytes are verified, not the text in the box, which may differ from them. */
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

/** Clears the previous result, and stops a running check. */
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

/** Reads the bytes of a chosen file. */
export async function contentOf(one: File): Promise<Uint8Array> {
  if (one.size > MOST) throw new Error(`${one.name} is too large: it has ${grouped(one.size)} bytes, and the limit is ${grouped(MOST)}`);
  try {
    return new Uint8Array(await one.arrayBuffer());
  } catch {
    throw new Error(`${one.name} cannot be read: it was removed or changed after you chose it`);
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
    : 'No list is chosen. Without the list, some items can’t be verified.';
}

async function check(): Promise<void> {
  const result = get('check-result');
  const box = get<HTMLTextAreaElement>('check-transcript');
  const transcript = file?.shown === box.value ? file.bytes : box.value;
  const committed = get<HTMLInputElement>('check-committed').value.trim() || undefined;
  if (transcript.length === 0) {
    show(result, alarm('There is no transcript yet. Paste a transcript, or choose a file.'));
    return;
  }
  forget();
  const mine = run;
  show(result, el('p', { role: 'status' }, 'Repeating the draw …'));
  try {
    const about = list ? { list: list.bytes } : {};
    const given = { list: list !== undefined, committed: committed !== undefined };
    const seedAttested = get<HTMLInputElement>('check-attested').checked;
    const verdict = await remote.call('verify', transcript, { ...about, seedAttested, ...(committed ? { committed } : {}) });
    const steps = await remote.call('steps', transcript, about).catch((error: unknown) => {
      if (error instanceof Stopped) throw error;
      return undefined;
    });
    // After a mismatch, there is no second opinion, because it would only report the same differences.
    const opinion = steps && verdict.outcome !== 'mismatch' ? await secondOpinion(verdict.transcript, verdict.planText, steps, SHOWN) : undefined;
    if (mine === run) show(result, ...story(verdict, given, steps, opinion));
  } catch (error) {
    if (mine !== run) return;
    const code = error instanceof Failed ? error.code : 'internal';
    show(result, refused(sentence(error), code));
  }
}

function refused(message: string, code: string): HTMLElement {
  const title = code === 'mismatch' ? 'This cannot be verified, because the input is not valid.' : 'This could not be verified.';
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

/** For each unchecked item, the steps that get no tick because of it. */
const OPEN: Record<UncheckedCode, readonly Part[]> = {
  commitment: ['plan'], list: ['list', 'picks'], 'seed-origin': ['seed'], 'beacon-signature': ['seed'], 'beacon-key': ['seed'],
  memory: ['picks'], positions: ['picks'],
};

/** The evidence that the visitor gave. */
interface Given {
  list: boolean;
  committed: boolean;
}

/** The outcome and the explanation. A step gets a tick if all of it was verified. If there is a mismatch, no step gets one. */
function story(verdict: Verification, given: Given, steps: Steps | undefined, opinion: Opinion | undefined): HTMLElement[] {
  const { transcript } = verdict;
  const doubted = opinion?.different ?? [];
  const agrees = verdict.outcome !== 'mismatch' && doubted.length === 0;
  const mark = (part: Part, known = true): HTMLElement => {
    const kind: Mark = verdict.mismatches.some(({ code }) => WRONG[code] === part) ? 'wrong'
      : agrees && known && !verdict.unchecked.some(({ code }) => OPEN[code].includes(part)) ? 'good' : 'open';
    const words = { good: '✓ verified', wrong: '✗ does not agree', open: agrees ? '– not fully verified' : '– not verified' };
    return el('span', { class: `mark ${kind}` }, words[kind]);
  };
  return [headline(verdict, doubted), el('h2', {}, agrees ? 'Steps of the draw' : 'Contents of the transcript'),
    el('ol', { class: 'steps' },
      planStep(verdict, given.committed, mark('plan')),
      stage('The list', mark('list'), ...listWords(verdict, given.list)),
      stage('The seed', mark('seed'),
        el('dl', { class: 'beside' }, el('dt', {}, 'Planned'), el('dd', { class: 'mono' }, verdict.seed.planned),
          el('dt', {}, 'Used'), el('dd', { class: 'mono' }, verdict.seed.given)),
        el('p', {}, origin(transcript.seed)), verdict.attested && el('p', {}, 'You confirmed that the seed was created as planned.'),
        el('p', { class: 'quiet' }, 'The seed must be created after the plan is published, in a way that no one can control.')),
      keyStep(steps, opinion, agrees, mark('key', steps !== undefined || !verdict.unchecked.some(({ code }) => code === 'list'))),
      picksStep(verdict, steps, agrees, mark('picks')),
      stage('The result', mark('output'), el('p', {}, 'The digest of all picks in their order, for a quick comparison:'),
        el('p', { class: 'mono' }, transcript.output)),
    )];
}

function headline(verdict: Verification, doubted: string[]): HTMLElement {
  const { transcript: { picks, plan, program } } = verdict;
  if (doubted.length > 0) {
    return box('wrong', 'Two computations differ.',
      el('p', {}, `This page and your browser’s SHA-256 function give different values for ${doubted.join(', ')}. Do not trust this result.`));
  }
  if (verdict.outcome === 'mismatch') {
    return box('wrong', 'Verification failed.',
      el('p', {}, 'The repeated draw differs from the transcript:'), bullets(verdict.mismatches.map(({ message }) => message)));
  }
  const what = `${counted(picks.length, 'pick')} of ${counted(plan.n, 'row')}, ${METHODS[plan.method].name}. The repeated draw has the same result.`;
  const said = el('p', { class: 'quiet' }, `According to the transcript, “${program}” made the draw. This name has no effect on the draw and can’t be verified.`);
  if (verdict.outcome === 'verified') return box('good', 'Verified.', el('p', {}, what), said);
  return box('partly', 'Consistent, but not fully verified.', el('p', {}, what), el('p', {}, 'Not verified:'),
    bullets(verdict.unchecked.map(unchecked)), said);
}

function stage(title: string, marked: HTMLElement, ...content: (Node | false)[]): HTMLElement {
  return el('li', {}, el('h3', {}, `${title} `, marked), ...content);
}

function planStep(verdict: Verification, committed: boolean, marked: HTMLElement): HTMLElement {
  const { plan } = verdict.transcript;
  const published = !committed
    ? 'If this commitment was published before the seed was known, the plan was not changed afterwards. Compare it with the published one:'
    : verdict.mismatches.some(({ code }) => code === 'published-commitment') ? 'The published commitment that you entered is different. The plan in the transcript has this commitment:'
      : 'The published commitment that you entered is the commitment of this plan:';
  return stage('The plan', marked,
    el('p', {}, planned(plan)), el('p', {}, METHODS[plan.method].does), el('p', {}, published),
    el('p', { class: 'mono' }, verdict.commitment),
    el('p', { class: 'row' }, copyButton(() => verdict.commitment, 'Copy the commitment')));
}

function listWords({ mismatches, transcript: { plan } }: Verification, given: boolean): HTMLElement[] {
  if (plan.list.kind === 'numbers') return [el('p', {}, `The draw is from the numbers 1 to ${grouped(plan.n)}, so there is no list to compare.`)];
  if (plan.list.kind === 'open') return [el('p', {}, 'The draw is from a stream that was not fixed in advance. The stream could have been made after the seed was known.')];
  const words = !given ? 'The plan contains the digest of the list. To compare it, choose the list above:'
    : mismatches.some(({ code }) => code === 'list') ? 'The digest of your list differs from the digest in the plan:'
      : `Your list has ${counted(plan.n, 'row')}, and its digest is the one in the plan:`;
  return [el('p', {}, words), el('p', { class: 'mono' }, plan.list.digest)];
}

function keyStep(steps: Steps | undefined, opinion: Opinion | undefined, agrees: boolean, marked: HTMLElement): HTMLElement {
  const second = opinion
    ? `Your browser’s SHA-256 function computed ${counted(opinion.hashes, 'hash', 'hashes')} of this draw a second time. ${opinion.different.length === 0 ? 'All of them match the first computation' : `The results differ for ${opinion.different.join(', ')}`}.`
    : 'The hashes were not computed a second time, because this browser provides no SHA-256 function here.';
  return stage('The key', marked,
    el('p', {}, 'The key is a SHA-256 digest of the list, the purpose and the seed. If one of them changes, the key changes. All random numbers of the draw are computed from the key:'),
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
      const beside = [pick.stratum && `stratum ${pick.stratum}`, pick.weight && `weight ${pick.weight}`].filter(Boolean).join(', ');
      body.append(el('tr', {}, el('th', { scope: 'row' }, `Pick ${grouped(from + i + 1)}`),
        el('td', { class: 'id' }, pick.id, beside !== '' && el('span', { class: 'quiet' }, ` (${beside})`)),
        el('td', {}, step ? told(step, plan) : 'Not computed.')));
    }
    more.hidden = body.rows.length >= picks.length;
  };
  more.addEventListener('click', add);
  add();
  const table = el('table', { class: 'stack' },
    el('thead', {}, el('tr', {}, ...['Pick', 'Row', agrees ? 'Explanation' : 'Pick with this key'].map((name) => el('th', { scope: 'col' }, name)))), body);
  return stage('The picks', marked,
    el('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'The picks' }, table), more);
}
