/** Shared by the tests of draws: the module, the project's vectors, the native command. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../', import.meta.url);

/** The module of the package, which is tested. */
export const MODULE = readFileSync(new URL('web/package/dist/hashwell-draw.wasm', ROOT));

/** A file of the project, as text. */
export function documentText(path) {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** A file of vectors as text, because its numbers have more digits than JavaScript's. */
export function vectorsText(name) {
  return documentText(`vectors/${name}.json`);
}

const COMMAND = process.env.HASHWELL ?? fileURLToPath(new URL('target/quick/hashwell', ROOT));

/** Runs the native command and returns its exit status and its output. */
export function hashwell(args, input = '') {
  const { status, stdout, stderr, error } = spawnSync(COMMAND, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** The transcripts in vectors/draw.json as texts, with the text of their list and whether its rows end with NUL. */
export function* goldens() {
  const text = vectorsText('draw');
  for (const line of text.split('\n')) {
    const at = line.indexOf('"transcript": ');
    if (at < 0) continue;
    const { name, rows } = JSON.parse(line.replace(/,$/, ''));
    const transcript = line.slice(at + '"transcript": '.length).replace(/\},?$/, '');
    // An id can contain newlines or NULs. A list with both can't be written to a file; only the Rust tests use it.
    const has = (letter) => rows?.some((row) => row.some((field) => field.includes(letter)));
    const zero = Boolean(has('\n'));
    if (zero && has('\0')) continue;
    yield { name, transcript, list: rows?.map((row) => `${row.join('\t')}${zero ? '\0' : '\n'}`).join(''), zero };
  }
}
