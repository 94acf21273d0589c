/** Hashes files, and checks them against lists. */
import { alarm, bytes, copyButton, counted, dropped, el, get, grouped, saveButton, sentence, show } from './dom.js';
import { guessed, looksLikeList, MAX_LIST, readList, tagFor, tagOf, written, type CheckList, type Entry } from './lists.js';
import { Failed, Remote, Stopped, type Algorithm } from './remote.js';

/** The number of files that are hashed at the same time, each in a separate worker. */
const WORKERS = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
const FIRST = ['sha256', 'blake3'];
/** Common algorithms. The others are in a collapsed section. */
const COMMON = ['sha256', 'sha512', 'sha3-256', 'blake2b-512', 'blake3', 'kt128', 'sha1'];

interface Done { name: string; file: File; digests: Record<string, string>; wrong?: string }
interface List { name: string; list: CheckList }

const index = new Remote('hash');
let workers: Remote[] = [];
let algorithms: Algorithm[] = [];
let run = 0;

/** Sets up this part of the page. Files can be chosen before the engine is loaded. */
export function setUpFiles(): void {
  const ready = algorithmsShown();
  // The error is already shown, and nothing will be hashed.
  ready.catch(() => undefined);
  for (const id of ['files-choose', 'files-folder']) {
    const input = get<HTMLInputElement>(id);
    input.addEventListener('change', () => {
      const chosen = [...(input.files ?? [])].map((file) => [file.webkitRelativePath || file.name, file] as const);
      input.value = '';
      void ready.then(() => hashAll(chosen), () => undefined);
    });
  }
  dropped(get('files-drop'), (transfer) => void fromDrop(transfer, ready).catch(() => undefined));
  get('files-cancel').addEventListener('click', () => workers.forEach((worker) => worker.close()));
}

async function algorithmsShown(): Promise<void> {
  try {
    algorithms = await index.call('algorithms');
  } catch (error) {
    show(get('files-result'), alarm(sentence(error)));
    throw error;
  }
  const chips = (some: Algorithm[]) => some.map(({ name, title, status }) => el('label', {},
    el('input', { type: 'checkbox', name: 'algorithm', value: name, checked: FIRST.includes(name) }),
    title, status !== 'sound' && el('small', {}, status)));
  get('files-algorithms').append(...chips(COMMON.flatMap((wanted) => algorithms.filter(({ name }) => name === wanted))));
  get('files-more').append(...chips(algorithms.filter(({ name }) => !COMMON.includes(name))));
}

/** Hashes dropped files, including all files in dropped folders. */
async function fromDrop(transfer: DataTransfer, ready: Promise<void>): Promise<void> {
  // Both lists are empty after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  await ready;
  if (!entries.some((entry) => entry?.isDirectory)) {
    await hashAll(files.map((file) => [file.name, file] as const));
    return;
  }
  try {
    const found: (readonly [string, File])[] = [];
    for (const entry of entries) if (entry) await walk(entry, found);
    await hashAll(found);
  } catch {
    show(get('files-result'), alarm('This browser can’t open dropped folders here. Use “Choose a folder” instead.'));
  }
}

async function walk(entry: FileSystemEntry, found: (readonly [string, File])[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    found.push([entry.fullPath.replace(/^\//, ''), file]);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const one of some) await walk(one, found);
  }
}

async function hashAll(given: (readonly [string, File])[]): Promise<void> {
  const place = get('files-result');
  if (given.length === 0) return;
  workers.forEach((worker) => worker.close());
  get('files-work').hidden = true;
  run += 1;
  const mine = run;
  const chosen = [...document.querySelectorAll<HTMLInputElement>('#files input:checked')].map(({ value }) => value);
  const lists: List[] = [];
  const files: (readonly [string, File])[] = [];
  const tags = new Map(algorithms.flatMap((one) => [[tagOf(tagFor(one)), one.name], [tagOf(one.name), one.name]] as const));
  for (const [name, file] of given) {
    if (looksLikeList(name) && file.size <= MAX_LIST) {
      try {
        lists.push({ name, list: readList(await file.text(), tags) });
        continue;
      } catch {
        // If the file can't be read, hashing it reports the error.
      }
    }
    files.push([name, file]);
  }
  // Other files may have been chosen while the lists were read.
  if (mine !== run) return;
  const needed = new Set(chosen);
  for (const { name, list } of lists) {
    for (const entry of list.entries) {
      entry.algorithm ??= guessed(name, entry.digest, algorithms);
      if (entry.algorithm) needed.add(entry.algorithm);
    }
  }
  if (needed.size === 0) {
    show(place, alarm('Choose at least one algorithm.'));
    return;
  }
  const done = await hashThem(files, [...needed], () => mine === run);
  if (mine === run) show(place, ...(done ? results(done, chosen, lists) : [el('p', { role: 'status' }, 'Stopped. There are no results, because not all files were read.')]));
}

/** Hashes all files, several in parallel. Returns undefined if it was stopped. */
async function hashThem(files: (readonly [string, File])[], names: string[], current: () => boolean): Promise<Done[] | undefined> {
  const [bar, status] = [get<HTMLProgressElement>('files-progress'), get('files-status')];
  show(get('files-result'));
  get('files-work').hidden = false;
  const total = files.reduce((sum, [, file]) => sum + file.size, 0);
  const begun = performance.now();
  let read = 0;
  const say = () => {
    bar.value = total === 0 ? 0 : read / total;
    const rate = read / Math.max((performance.now() - begun) / 1000, 0.001);
    status.textContent = `${bytes(read)} of ${bytes(total)}, ${counted(files.length, 'file')}; ${bytes(Math.round(rate))} per second.`;
  };
  const results: Done[] = [];
  let [next, stopped] = [0, false];
  workers = Array.from({ length: Math.min(WORKERS, files.length) }, () => new Remote('hash'));
  await Promise.all(workers.map(async (worker) => {
    for (let at = next++; at < files.length && !stopped; at = next++) {
      const [name, file] = files[at] as readonly [string, File];
      let before = 0;
      worker.progress = (now: number) => {
        [read, before] = [read + now - before, now];
        if (current()) say();
      };
      try {
        results[at] = { name, file, digests: await worker.call('hashFile', file, names) };
      } catch (error) {
        stopped ||= error instanceof Stopped;
        results[at] = { name, file, digests: {}, wrong: unread(error) };
      }
    }
    worker.close();
  }));
  if (current()) get('files-work').hidden = true;
  return stopped ? undefined : results;
}

/** Returns the reason why a file was not hashed. It is clearer than the messages of browsers, which also differ. */
function unread(error: unknown): string {
  const gone = error instanceof Failed && error.code === 'read';
  return gone ? 'The file cannot be read: it was removed or changed after you chose it, or it is a folder.' : sentence(error);
}

function results(done: Done[], chosen: string[], lists: List[]): HTMLElement[] {
  const rows = algorithms.filter(({ name }) => chosen.includes(name));
  const good = done.filter(({ wrong }) => wrong === undefined);
  const text = () => good.flatMap(({ name, digests }) => rows.map((row) =>
    written(name, digests[row.name] ?? '', rows.length === 1 ? undefined : tagFor(row)))).join('');
  const [only] = rows;
  const fileName = rows.length === 1 && only ? `${tagFor(only).replace(/\W/g, '')}SUMS` : 'CHECKSUMS';
  const failed = done.length - good.length;
  const table = el('table', { class: 'stack' },
    el('thead', {}, el('tr', {}, ...['File', 'Bytes', 'Digests'].map((name) => el('th', { scope: 'col', class: name === 'Bytes' && 'number' }, name)))),
    el('tbody', {}, ...done.map(({ name, file, digests, wrong }) => el('tr', {},
      el('td', { class: 'id' }, shown(name)), el('td', { class: 'number' }, grouped(file.size)),
      el('td', { class: 'digest' }, ...(wrong ? [alarm(wrong)] : rows.map((row) =>
        el('p', {}, el('span', { class: 'quiet' }, `${row.title} `), el('code', {}, digests[row.name] ?? '')))))))));
  const names = { whole: indexed(done, (name) => name), last: indexed(done, lastPart) };
  return [...lists.map((list) => checked(list, names)), done.length > 0 && rows.length > 0 ? el('div', {},
    el('h2', {}, `${counted(good.length, 'file')} hashed${failed > 0 ? `, ${failed} failed` : ''}`),
    el('p', { class: 'row' }, copyButton(text, 'Copy the list'), saveButton(text, fileName, `Save ${fileName}`)),
    el('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Digests' }, table)) : el('p', {}, 'You chose only checksum lists, but no files.')];
}

/** Escapes invisible characters in a file name. */
function shown(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The maximum number of lines of a list that are shown. Mismatches are shown first. */
const MAX_LINES = 1000;

type Found = 'same' | 'different' | 'unread' | 'missing' | 'several' | 'unknown';
const SAID: Record<Found, string> = {
  same: '✓ the same', different: '✗ different digest', unread: '✗ not readable', missing: '– not among the chosen files',
  several: '– several files have this name', unknown: '– no algorithm has this digest length',
};

/** Checks a list against the files. The outcome is good only if every line matches. */
function checked({ name, list }: List, names: Names): HTMLElement {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const found = list.entries.map((entry) => [entry.name, lookUp(entry, folder, names)] as const);
  const count = (what: Found) => found.filter(([, one]) => one === what).length;
  const all = count('same') === list.entries.length && list.malformed.length === 0 && list.entries.length > 0;
  const bad = count('different') + count('unread');
  const kind = all ? 'good' : bad > 0 ? 'wrong' : 'partly';
  const title = all ? `${shown(name)}: all files match.`
    : bad > 0 ? `${shown(name)}: ${counted(bad, 'file does not match', 'files do not match')}.`
      : `${shown(name)}: some lines could not be checked.`;
  const summary = [`${grouped(count('same'))} of ${counted(list.entries.length, 'line matches', 'lines match')}`,
    count('missing') > 0 && `${counted(count('missing'), 'listed file is', 'listed files are')} not among the chosen files`,
    count('several') > 0 && `${counted(count('several'), 'listed name belongs', 'listed names belong')} to several files`,
    count('unknown') > 0 && `${counted(count('unknown'), 'digest has', 'digests have')} a length that no algorithm has`,
    list.malformed.length > 0 && `${counted(list.malformed.length, 'line is', 'lines are')} not valid (first: line ${list.malformed[0]})`];
  const rows = [...found].sort(([, a], [, b]) => Number(a === 'same') - Number(b === 'same')).slice(0, MAX_LINES);
  return el('div', { class: `verdict ${kind}`, role: 'status' }, el('h2', {}, title),
    el('p', {}, `${summary.filter(Boolean).join('; ')}.`),
    el('details', all ? {} : { open: true }, el('summary', {}, 'Result of each line'), el('ul', {}, ...rows.map(([file, one]) =>
      el('li', {}, `${shown(file)}: `, el('span', { class: `mark ${one === 'same' ? 'good' : SAID[one].startsWith('–') ? 'open' : 'wrong'}` }, SAID[one])))),
      found.length > rows.length && el('p', {}, `… and ${grouped(found.length - rows.length)} more.`)));
}

/** Files by their whole names, and by the part of the name after the last slash. */
type Names = Record<'whole' | 'last', Map<string, Done[]>>;

function indexed(done: Done[], key: (name: string) => string): Map<string, Done[]> {
  const found = new Map<string, Done[]>();
  for (const one of done) {
    const same = found.get(key(one.name));
    if (same) same.push(one);
    else found.set(key(one.name), [one]);
  }
  return found;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Finds the file of a line: the one in the same folder as the list, or else the one with this whole name, or else the only candidate. */
function lookUp({ name, digest, algorithm }: Entry, folder: string, { whole, last }: Names): Found {
  if (!algorithm) return 'unknown';
  const wanted = name.replace(/^\.\//, '');
  const meant = whole.get(folder + wanted) ?? whole.get(wanted)
    ?? (last.get(lastPart(wanted)) ?? []).filter((one) => one.name.endsWith(`/${wanted}`) || !one.name.includes('/'));
  const [file] = meant;
  if (!file) return 'missing';
  if (meant.length > 1) return 'several';
  if (file.wrong) return 'unread';
  return file.digests[algorithm] === digest ? 'same' : 'different';
}
