/** Shows the Chinese restaurant process and other processes: a value, and the exact distribution compared with simulations. */
import type { Parameter, ProcessRow } from 'hashwell/process';
import { alarm, el, get, grouped, later, picture, sentence, show } from './dom.js';
import { Remote, Stopped } from './remote.js';

const remote = new Remote('draw');

/** The number of replicates to compare with a distribution. */
const REPLICATES = 2000;
/** The maximum n for a distribution. Larger values have too many outcomes to show. */
const MAX_OF_LAW = 7;
/** The maximum number of outcomes in the table. */
const MAX_ROWS = 200;

interface Slider { from: number; to: number; step: number; value: number; log?: boolean }

/** Parameters with sliders, and the ranges in which the processes are interesting. */
const SLIDERS: Record<string, Slider> = {
  n: { from: 1, to: 200, step: 1, value: 40 },
  alpha: { from: 0.1, to: 30, step: 0.1, value: 2, log: true },
  theta: { from: 0.1, to: 30, step: 0.1, value: 2, log: true },
  discount: { from: 0, to: 0.95, step: 0.01, value: 0.3 },
  p: { from: 0.01, to: 0.99, step: 0.01, value: 0.5 },
};

/** Initial values of parameters that have neither a default nor a slider. */
const SHOWN: Record<string, Record<string, string>> = {
  'polya-urn': { balls: '1,2' }, 'gamblers-ruin': { start: '3', target: '8' },
  'markov-chain': { transition: '0.9,0.1;0.4,0.6' },
  hmm: { initial: '0.6,0.4', transition: '0.7,0.3;0.2,0.8', emission: '0.9,0.1;0.3,0.7', observed: '0,1,1,0' },
  ar1: { phi: '0.8', sigma: '1' }, 'galton-watson': { offspring: '0.3,0.4,0.3', generations: '12' },
  moran: { n: '20', start: '5' }, 'negative-binomial': { r: '3' },
};

const LABELS: Record<string, string> = {
  'crp n': 'n: number of guests', 'crp alpha': 'α: new tables are more likely if α is large',
  'pitman-yor n': 'n: number of guests', 'pitman-yor discount': 'd: discount, which makes new tables more likely',
};

let rows: ProcessRow[] = [];
let playing: ReturnType<typeof setTimeout> | undefined;
const controls = new Map<string, () => string>();
const readers = { seed: () => 'round 7' };

/** Sets up this part of the page when it is first opened. */
export async function setUpProcesses(): Promise<void> {
  const form = get<HTMLFormElement>('process-form');
  try {
    rows = await remote.call('processes');
  } catch (error) {
    show(form, alarm(sentence(error)));
    return;
  }
  const first = ['crp', 'pitman-yor', 'hoppe-urn', 'stick-breaking', 'polya-urn'];
  const sorted = [...rows].sort((a, b) => place(first, a.name) - place(first, b.name));
  const choice = el('select', { id: 'process-choice' }, ...sorted.map((row) => el('option', { value: row.name }, row.title)));
  const seed = el('input', { id: 'process-seed', value: 'round 7' });
  const parameters = el('div', { class: 'wide fields' });
  readers.seed = () => seed.value;
  form.append(el('label', {}, 'Process', choice), el('label', {}, 'Seed', seed), parameters);
  form.addEventListener('submit', (event) => event.preventDefault());
  const draw = later(() => void refresh(choice.value));
  const changed = () => {
    stopPlaying();
    draw();
  };
  const chosen = () => {
    const row = rows.find(({ name }) => name === choice.value);
    if (row) build(row, parameters, changed);
    changed();
  };
  choice.addEventListener('change', chosen);
  seed.addEventListener('input', changed);
  get('process-play').addEventListener('click', () => (playing ? stopPlaying() : void play(choice.value, 1)));
  chosen();
}

function place(first: string[], name: string): number {
  const at = first.indexOf(name);
  return at < 0 ? first.length : at;
}

function build(row: ProcessRow, parent: HTMLElement, changed: () => void): void {
  controls.clear();
  parent.replaceChildren(...row.parameters.map((parameter) => control(row, parameter, changed)));
  const labels = row.name === 'crp' || row.name === 'pitman-yor' || row.name === 'hoppe-urn';
  get('process-play-row').hidden = !labels;
  get('process-law').textContent = `${row.distribution.charAt(0).toUpperCase()}${row.distribution.slice(1)}.`;
  get('process-source').textContent = `Source: ${row.source}.`;
}

function control(row: ProcessRow, parameter: Parameter, changed: () => void): HTMLElement {
  const { name } = parameter;
  const label = LABELS[`${row.name} ${name}`] ?? `${parameter.symbol}: ${parameter.help}`;
  const slider = SHOWN[row.name]?.[name] === undefined && parameter.kind !== 'numbers' ? SLIDERS[name] : undefined;
  const said = el('output', {});
  let input: HTMLInputElement;
  if (slider) {
    const [from, to] = slider.log ? [Math.log(slider.from), Math.log(slider.to)] : [slider.from, slider.to];
    const value = slider.log ? Math.log(slider.value) : slider.value;
    const step = slider.log ? (to - from) / 100 : slider.step;
    input = el('input', { type: 'range', min: from, max: to, step, value, id: `process-${name}` });
    // The value in the form that the engine reads: a decimal number with the digits that are shown.
    const read = () => (slider.log ? String(Number(Math.exp(Number(input.value)).toPrecision(3))) : String(Number(Number(input.value).toFixed(2))));
    controls.set(name, read);
    const say = () => { said.textContent = read(); input.setAttribute('aria-valuetext', read()); };
    input.addEventListener('input', () => { say(); changed(); });
    say();
  } else {
    input = el('input', { value: SHOWN[row.name]?.[name] ?? parameter.default ?? '', title: parameter.range });
    controls.set(name, () => input.value);
    input.addEventListener('input', changed);
  }
  return el('label', {}, el('span', {}, `${label}${slider ? ' = ' : ''}`, said), input, !slider && el('small', {}, parameter.range));
}

function given(): Record<string, string> {
  return Object.fromEntries([...controls].map(([name, read]) => [name, read()]).filter(([, value]) => value !== ''));
}

async function refresh(name: string): Promise<void> {
  remote.stop();
  try {
    await value(name, given());
  } catch (error) {
    if (error instanceof Stopped) return;
    show(get('process-picture'), alarm(sentence(error)));
  }
  await law(name, given());
}

async function value(name: string, parameters: Record<string, string>): Promise<void> {
  const { svg, text } = await remote.call('process', name, parameters, { seed: readers.seed() });
  picture(get('process-picture'), svg);
  get('process-value').textContent = text.length < 400 ? text : `${text.slice(0, 400)} …`;
}

async function law(name: string, all: Record<string, string>): Promise<void> {
  const [said, figure, table] = [get('law-said'), get('law-picture'), get('law-table')];
  const row = rows.find((one) => one.name === name);
  const fewer = row?.parameters.some((parameter) => parameter.name === 'n') && Number(all['n']) > MAX_OF_LAW;
  const parameters = fewer ? { ...all, n: String(MAX_OF_LAW) } : all;
  try {
    const observes = name === 'hmm';
    const found = await remote.call('law', name, parameters,
      { summary: true, states: 200_000, ...(observes ? {} : { replicates: REPLICATES, seed: readers.seed() }) });
    const what = row?.statistic ? `Exact distribution of ${row.statistic}` : 'Exact distribution';
    said.textContent = `${what}${fewer ? `, for n = ${MAX_OF_LAW}` : ''}${observes ? '' : `, compared with ${grouped(REPLICATES)} simulations`}.`;
    picture(figure, found.svg);
    const cells = found.outcomes.slice(0, MAX_ROWS).map(({ text, probability, replicates }) =>
      el('tr', {}, el('th', { scope: 'row' }, text), el('td', { class: 'number' }, probability.toPrecision(4)),
        el('td', { class: 'number' }, observes ? '' : grouped(replicates))));
    show(table, el('table', {}, el('caption', {}, said.textContent),
      el('thead', {}, el('tr', {}, ...['Outcome', 'Probability', observes ? '' : `Simulations (of ${grouped(REPLICATES)})`].map((text, i) => el('th', { scope: 'col', class: i > 0 && 'number' }, text)))),
      el('tbody', {}, ...cells)));
  } catch (error) {
    if (error instanceof Stopped) return;
    said.textContent = /density/.test(String(error))
      ? 'The values of this process are real numbers with a density, so there are no separate outcomes to list.'
      : sentence(error);
    figure.replaceChildren();
    table.replaceChildren();
  }
}

/** Plays an animation: shows the value for n = 1, 2, and so on, with the same seed. */
async function play(name: string, n: number): Promise<void> {
  const most = Number(given()['n']);
  get('process-play').textContent = 'Stop';
  const wait = new Promise((done) => (playing = setTimeout(done, Math.max(40, 400 - 8 * n))));
  try {
    await value(name, { ...given(), n: String(n) });
    get('process-said').textContent = `${n} of ${most}`;
  } catch (error) {
    stopPlaying();
    if (!(error instanceof Stopped)) show(get('process-picture'), alarm(sentence(error)));
    return;
  }
  await wait;
  if (!playing) return;
  if (n < most) await play(name, n + 1);
  else stopPlaying();
}

function stopPlaying(): void {
  clearTimeout(playing);
  playing = undefined;
  get('process-play').textContent = 'Add guests one by one';
  get('process-said').textContent = '';
}
