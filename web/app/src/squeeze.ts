/** Shows the output of extendable-output functions. */
import { alarm, copyButton, el, get, later, sentence, show } from './dom.js';
import { hex, unhex } from './hex.js';
import { Remote, Stopped } from './remote.js';

const remote = new Remote('hash');
const MOST = 1 << 20;
/** The width and height of a picture in bits. */
const SIDE = 256;

/** Sets up this part of the page. */
export async function setUpSqueeze(): Promise<void> {
  try {
    const streams = (await remote.call('algorithms')).filter(({ kind }) => kind === 'stream');
    get('squeeze-algorithm').append(...streams.map(({ name, title, status }) =>
      el('option', { value: name, selected: name === 'shake256' }, status === 'sound' ? title : `${title} (${status})`)));
  } catch (error) {
    show(get('squeeze-result'), alarm(sentence(error)));
    return;
  }
  const form = get('squeeze-form');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', later(() => void squeeze()));
  await squeeze();
}

function message(): Uint8Array {
  const text = get<HTMLTextAreaElement>('squeeze-message').value;
  if (get<HTMLSelectElement>('squeeze-kind').value === 'text') return new TextEncoder().encode(text);
  const digits = text.replace(/\s/g, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(digits)) throw new Error('a hexadecimal message must consist of pairs of the digits 0 to 9 and a to f');
  return unhex(digits);
}

function whole(id: string, what: string, most: number): number {
  const text = get<HTMLInputElement>(id).value.trim();
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > most) throw new Error(`${what} must be an integer from 0 to ${most}, not “${text}”`);
  return number;
}

async function squeeze(): Promise<void> {
  const place = get('squeeze-result');
  const form = get<HTMLSelectElement>('squeeze-form-of').value;
  try {
    get<HTMLInputElement>('squeeze-length').disabled = form === 'picture';
    const offset = whole('squeeze-offset', 'the position of the first byte', 2 ** 31);
    const length = form === 'picture' ? (SIDE * SIDE) / 8 : whole('squeeze-length', 'the number of bytes', MOST);
    remote.stop();
    const out = await remote.call('squeeze', get<HTMLSelectElement>('squeeze-algorithm').value, message(), offset, length);
    if (form === 'picture') {
      show(place, bits(out), el('p', { class: 'quiet' }, `${SIDE} × ${SIDE} bits, starting at byte ${offset}. Dark pixels are ones. If you change one letter of the message, the whole image changes.`));
      return;
    }
    const text = shown(out, form);
    show(place, el('pre', { tabindex: 0, 'aria-label': 'Output' }, text), el('p', { class: 'row' }, copyButton(() => text)));
  } catch (error) {
    if (!(error instanceof Stopped)) show(place, alarm(sentence(error)));
  }
}

function shown(out: Uint8Array, form: string): string {
  if (form === 'bytes') return Array.from(out).join(' ');
  if (form === 'hex') return hex(out);
  // Numbers as docs/guides/random.md defines them: the upper 53 bits of each 8 bytes, divided by 2^53.
  const view = new DataView(out.buffer, out.byteOffset);
  return Array.from({ length: out.length >> 3 }, (_, i) => Number(view.getBigUint64(8 * i) >> 11n) / 2 ** 53).join('\n');
}

function bits(out: Uint8Array): HTMLCanvasElement {
  const canvas = el('canvas', { class: 'bits', width: SIDE, height: SIDE, role: 'img', 'aria-label': `An image of ${SIDE * SIDE} bits without a visible pattern` });
  const paint = canvas.getContext('2d');
  if (!paint) return canvas;
  const picture = paint.createImageData(SIDE, SIDE);
  for (let i = 0; i < SIDE * SIDE; i += 1) {
    const one = ((out[i >> 3] ?? 0) >> (7 - (i & 7))) & 1;
    picture.data.set(one ? [28, 32, 36, 255] : [245, 246, 248, 255], 4 * i);
  }
  paint.putImageData(picture, 0, 0);
  return canvas;
}
