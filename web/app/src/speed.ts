/** Shows the throughput of hash functions in this browser as a chart and a table. */
import type { Row } from './measure.js';
import { alarm, bytes, el, get, sentence, show } from './dom.js';
import { Remote, Stopped, type Algorithm } from './remote.js';

const remote = new Remote('hash');
const MEASURED = ['sha256', 'sha512', 'sha1', 'sha3-256', 'blake2b-512', 'blake2s-256', 'blake3', 'kt128', 'turboshake128'];
const SVG = 'http://www.w3.org/2000/svg';

/** Sets up this part of the page. */
export function setUpSpeed(): void {
  const [start, stop, status] = [get<HTMLButtonElement>('speed-start'), get('speed-stop'), get('speed-status')];
  stop.addEventListener('click', () => remote.stop());
  start.addEventListener('click', async () => {
    start.disabled = true;
    stop.hidden = false;
    status.textContent = 'Comparing digests and measuring. This takes about ten seconds …';
    try {
      const all = await remote.call('algorithms');
      const chosen = all.filter(({ name }) => MEASURED.includes(name));
      remote.progress = (rows: Row[]) => draw(rows, all);
      draw(await remote.call('measure', chosen.map(({ name }) => name)), all);
      status.textContent = 'Done. Other programs that run at the same time can reduce the throughput.';
    } catch (error) {
      if (error instanceof Stopped) status.textContent = 'Stopped. The page shows the results up to that point.';
      else {
        status.textContent = '';
        show(get('speed-table'), alarm(sentence(error)));
      }
    }
    start.disabled = false;
    stop.hidden = true;
  });
}

function draw(rows: Row[], algorithms: Algorithm[]): void {
  const title = (name: string) => algorithms.find((one) => one.name === name)?.title ?? name;
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const largest = Math.max(...sizes);
  get('speed-picture').replaceChildren(chart(rows.filter(({ size }) => size === largest), title, largest));
  const names = [...new Set(rows.map(({ name, who }) => `${name}\t${who}`))];
  const cell = (key: string, size: number) => {
    const row = rows.find((one) => `${one.name}\t${one.who}` === key && one.size === size);
    return el('td', { class: 'number' }, row ? `${rate(row.median)} ` : '–',
      row && el('span', { class: 'quiet' }, `${rate(row.low)} to ${rate(row.high)}`));
  };
  show(get('speed-table'), el('table', {},
    el('caption', {}, 'Throughput in MB/s by message size: the median of all rounds, and the range of the middle half of the rounds'),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Algorithm'), ...sizes.map((size) => el('th', { scope: 'col', class: 'number' }, bytes(size))))),
    el('tbody', {}, ...names.map((key) => {
      const [name = '', who = ''] = key.split('\t');
      return el('tr', {}, el('th', { scope: 'row' }, `${title(name)}${who === 'WebCrypto' ? ', WebCrypto' : ''}`), ...sizes.map((size) => cell(key, size)));
    }))));
}

function rate(perSecond: number): string {
  const mega = perSecond / 1e6;
  return mega < 10 ? mega.toFixed(1) : mega.toFixed(0);
}

function part(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** Draws a chart with bars and their intervals, the fastest first, in the style of the engine's charts. */
function chart(rows: Row[], title: (name: string) => string, size: number): SVGElement {
  const sorted = [...rows].sort((a, b) => b.median - a.median);
  const [width, left, line] = [760, 190, 26];
  const most = Math.max(...sorted.map(({ high }) => high)) * 1.12;
  const x = (value: number) => left + ((width - left - 90) * value) / most;
  const height = 56 + line * sorted.length;
  const svg = part('svg', { class: 'hw-chart hw-strong', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-labelledby': 'speed-chart-title' });
  svg.append(part('title', { id: 'speed-chart-title' }, `Throughput in MB/s for messages of ${bytes(size)}`),
    part('text', { x: 0, y: 18, class: 'hw-title' }, `Throughput in MB/s for messages of ${bytes(size)}`));
  sorted.forEach(({ name, who, median, low, high }, i) => {
    const y = 36 + i * line;
    const label = `${title(name)}${who === 'WebCrypto' ? ', WebCrypto' : ''}`;
    const bar = part('rect', { x: left, y, width: x(median) - left, height: 14, rx: 2, class: `hw-fill ${who === 'WebCrypto' ? 'hw-1' : 'hw-0'}` });
    bar.append(part('title', {}, `${label}: ${rate(median)} MB/s, ${rate(low)} to ${rate(high)}`));
    svg.append(part('text', { x: left - 10, y: y + 11, 'text-anchor': 'end' }, label), bar,
      part('path', { d: `M${x(low)} ${y + 7}H${x(high)}M${x(low)} ${y + 3}v8M${x(high)} ${y + 3}v8`, class: 'hw-thin hw-strong' }),
      part('text', { x: x(high) + 8, y: y + 11 }, rate(median)));
  });
  return svg;
}
