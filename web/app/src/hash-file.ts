/** One file through several hashes at once, in bounded memory. Runs in the worker. */
import { hasher } from 'hashwell';

/** Bytes that are read at a time. */
const PIECE = 1 << 20;
/** Milliseconds between reports of progress. */
const PACE = 100;

/** The digests of a file, in hexadecimal, by the names of their algorithms; `report` hears how many bytes are done. */
export async function hashFile(file: File, names: string[], report: (done: number) => void): Promise<Record<string, string>> {
  const hashers = names.map((name) => [name, hasher(name)] as const);
  let [done, said] = [0, performance.now()];
  const take = (piece: Uint8Array) => {
    for (const [, one] of hashers) one.update(piece);
    done += piece.length;
    if (performance.now() - said > PACE) {
      report(done);
      said = performance.now();
    }
  };
  await read(file, take);
  if (done !== file.size) throw new Error(`it changed while it was read: it had ${file.size} bytes, and ${done} came`);
  report(done);
  return Object.fromEntries(hashers.map(([name, one]) => [name, hex(one.digest())]));
}

/** Gives all bytes to `take`, in pieces that lie in one buffer where the browser can do that. */
async function read(file: File, take: (piece: Uint8Array) => void): Promise<void> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = file.stream().getReader({ mode: 'byob' });
  } catch {
    for (let at = 0; at < file.size; at += 4 * PIECE) {
      take(new Uint8Array(await asked(file.slice(at, at + 4 * PIECE).arrayBuffer())));
    }
    return;
  }
  let buffer = new ArrayBuffer(PIECE);
  for (;;) {
    const { done, value } = await asked(reader.read(new Uint8Array(buffer)));
    if (value && value.length > 0) take(value);
    if (done || !value) return;
    buffer = value.buffer;
  }
}

/** What the browser reads, or why it cannot: each browser has other words for it. */
async function asked<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new Error('it cannot be read: it is gone, it changed since it was chosen, or it is a folder', { cause });
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
