/**
 * A second opinion: recomputes the hashes of a draw with the browser's own SHA-256, so that users don't have to trust a
 * single program. It is an independent implementation of a part of docs/spec/draw.md.
 */
import type { Steps, Transcript } from 'hashwell/draw';
import { hex, unhex } from './hex.js';

const TEXT = new TextEncoder();

/** Encodes a number as 8 bytes, big-endian. */
function eight(number: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** Returns the SHA-256 digest of the concatenated parts in hexadecimal. */
async function sha256(...parts: Uint8Array[]): Promise<string> {
  const all = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', all)));
}

/** The result of the second opinion. */
export interface Opinion {
  /** The number of hashes that were recomputed. */
  hashes: number;
  /** The values that differ. It is empty unless one of the programs has a bug. */
  different: string[];
}

/**
 * Recomputes the commitment, the key, the digest of the output and, for the first `most` picks, their random numbers or
 * tickets. Returns undefined if the browser has no SHA-256, as on pages with an http address.
 */
export async function secondOpinion(transcript: Transcript, planText: string, steps: Steps, most: number): Promise<Opinion | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const { plan, picks, seed } = transcript;
  const opinion: Opinion = { hashes: 0, different: [] };
  const expect = async (what: string, must: string, ...parts: Uint8Array[]) => {
    const digest = await sha256(...parts);
    opinion.hashes += 1;
    if (digest.slice(0, must.length) !== must) opinion.different.push(what);
  };
  const seedBytes = seed.text === undefined ? unhex(seed.hex ?? '') : TEXT.encode(seed.text);
  const context = TEXT.encode(plan.context);
  await expect('the commitment', transcript.commitment, TEXT.encode(planText));
  await expect('the key', steps.key, TEXT.encode('hwdraw/1'), eight(seedBytes.length), seedBytes, eight(context.length), context,
    unhex(plan.list.digest));
  const ids = picks.map(({ id }) => TEXT.encode(id));
  await expect('the digest of the result', transcript.output, ...ids.flatMap((id) => [eight(id.length), id]));
  let at = 0;
  for (const part of steps.parts) {
    const key = unhex(part.key);
    if (part.label !== undefined) await expect(`the key of stratum ${part.label}`, part.key, unhex(steps.key), Uint8Array.of(2), TEXT.encode(part.label));
    for (const step of part.picks) {
      const id = ids[at] ?? new Uint8Array();
      at += 1;
      if (at > most) return opinion;
      if (step.how === 'ticket') await expect(`the ticket of pick ${at}`, step.ticket, key, Uint8Array.of(1), id);
      if (step.how !== 'number' || plan.random_source !== 'counter') continue;
      const first = BigInt(step.first);
      for (const [i, word] of step.words.entries()) {
        const index = first + BigInt(i);
        const block = await sha256(key, Uint8Array.of(0), eight(index / 4n));
        const from = Number(index % 4n) * 16;
        opinion.hashes += 1;
        if (block.slice(from, from + 16) !== word) opinion.different.push(`the random number of pick ${at}`);
      }
    }
  }
  return opinion;
}
