/** Check lists with the two usual line formats, which docs/spec/checkfile.md defines. The command reads more formats. */

/** A line that names a file and its digest. */
export interface Entry {
  name: string;
  digest: string;
  /** The algorithm, if the line contains it. */
  algorithm: string | undefined;
}

export interface CheckList {
  entries: Entry[];
  /** The numbers, from 1, of lines with neither format. */
  malformed: number[];
}

/** The maximum size of a list in bytes. */
export const MAX_LIST = 1 << 24;

/** Returns true if the file name looks like that of a list. */
export function looksLikeList(name: string): boolean {
  return /(^|[-_.])(check)?sums?(\.txt)?$|sums(\.txt)?$|\.(sha\d*|md5|b2|b3|blake[23][bs]?|sha3-\d+)$/i.test(name);
}

/** Reads a list. `tags` maps the names of algorithms in lists, in lower case and without punctuation, to algorithms. */
export function readList(text: string, tags: Map<string, string>): CheckList {
  const list: CheckList = { entries: [], malformed: [] };
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const entry = readLine(line, tags);
    if (entry) list.entries.push(entry);
    else list.malformed.push(i + 1);
  }
  return list;
}

function readLine(whole: string, tags: Map<string, string>): Entry | undefined {
  const escaped = whole.startsWith('\\');
  const line = escaped ? whole.slice(1) : whole;
  const named = (name: string) => (escaped ? unescaped(name) : name);
  const plain = /^\s*([0-9a-fA-F]{16,}) [ *]?(.+)$/.exec(line);
  const tagged = /^([A-Za-z0-9/-]+) ?\((.*)\) ?= ([0-9a-fA-F]+)$/.exec(line);
  const [digest, name, algorithm] = tagged
    ? [tagged[3], tagged[2], tags.get(tagOf(tagged[1] ?? ''))]
    : plain ? [plain[1], plain[2], undefined] : [];
  if (digest === undefined || name === undefined || digest.length % 2 === 1 || (tagged && !algorithm)) return undefined;
  const file = named(name);
  return file === undefined ? undefined : { name: file, digest: digest.toLowerCase(), algorithm };
}

/** Decodes the escapes `\n`, `\r` and `\\`. Returns undefined for any other escape. */
function unescaped(name: string): string | undefined {
  if (/\\(?![nr\\])/.test(name.replaceAll('\\\\', ''))) return undefined;
  return name.replace(/\\([nr\\])/g, (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? '\\');
}

/** Formats a line of a list. It has a tag if there are several algorithms. */
export function written(name: string, digest: string, tag?: string): string {
  const odd = /[\n\r\\]/.test(name);
  const shown = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${odd ? '\\' : ''}${tag === undefined ? `${digest}  ${shown}` : `${tag} (${shown}) = ${digest}`}\n`;
}

/** Returns the tag of an algorithm in lists. For a stream, it contains the digest size. */
export function tagFor({ name, title, kind, output }: { name: string; title: string; kind: string; output: number }): string {
  if (name === 'blake3') return 'BLAKE3';
  if (kind === 'stream') return `${title}-${8 * output}`.replace(/^(KT128|KT256)-\d+-/, '$1-');
  return title.replace(/^SHA-(\d)/, 'SHA$1').replace(/^(BLAKE2[bs]p?)-512$/, '$1').replace('RIPEMD-160', 'RIPEMD160');
}

/** Normalizes a tag, because programs spell tags differently. */
export function tagOf(tag: string): string {
  return tag.toLowerCase().replace(/^sha2-/, 'sha').replace(/[^a-z0-9]/g, '');
}

/** Guesses the algorithm of a digest without a tag from the name of the list, or else from the length of the digest. */
export function guessed(listName: string, digest: string, algorithms: { name: string; output: number }[]): string | undefined {
  const bytes = digest.length / 2;
  const name = tagOf(listName);
  const fits = algorithms.filter(({ output }) => output === bytes);
  const said = fits.filter((one) => name.includes(tagOf(one.name))).sort((a, b) => b.name.length - a.name.length)[0];
  if (said) return said.name;
  if (/b2sum/.test(name)) return fits.find((one) => one.name === 'blake2b-512')?.name;
  if (/b3sum/.test(name)) return fits.find((one) => one.name === 'blake3')?.name;
  return { 20: 'sha1', 28: 'sha224', 32: 'sha256', 48: 'sha384', 64: 'sha512' }[bytes];
}
