import { readFile } from 'node:fs/promises';
import { read as fetched } from './read.js';

/** The bytes at an address: in Node, whose `fetch` knows no files. */
export async function read(from: URL): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> {
  return from.protocol === 'file:' ? readFile(from) : fetched(from);
}
