// What bench/browser.py runs in a page.
import { hash, hashMany, load } from '../package/dist/inline.js';
import { compare } from './rows.mjs';

/** The tables, as text. */
export async function bench(rounds) {
  await load();
  const lines = [];
  await compare({ hash, hashMany, subtle: crypto.subtle }, rounds, (line) => lines.push(line));
  return lines.join('\n');
}
