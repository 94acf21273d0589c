import { readFile } from 'node:fs/promises';
import { read as fetched } from './read.js';

/** Reads the bytes at a URL in Node, whose `fetch` doesn't support `file:` URLs. */
export async function read(from: URL): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> {
  return from.protocol === 'file:' ? readFile(from) : fetched(from);
}
