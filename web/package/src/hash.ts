import { row, type Engine, type Row } from './engine.js';
import { HashwellError, kind } from './errors.js';
import { bytes } from './memory.js';
import { encode, type Options } from './options.js';
import { Absorbing, digest, release, Streaming } from './state.js';

/**
 * The digest of one message: of an extendable-output function, as many bytes as its `outputLen` says.
 *
 * @throws {HashwellError} for an unknown name, data that is no `Uint8Array`, and options that the algorithm does not take
 */
export function hash(name: string, data: Uint8Array, options?: Options): Uint8Array<ArrayBuffer> {
  const found = row(name);
  const { engine, id } = found;
  const message = bytes(data, 'data');
  if (options === undefined && message.length <= engine.room) {
    return short(engine, id, message);
  }
  const state = begin(found, encode(options));
  try {
    engine.pour(message, (exports, len) => exports.update(state, engine.at, len));
    return digest(engine, state);
  } finally {
    release(engine, state);
  }
}

/** A message that fits into the buffer: as `Memory.call` would, without what costs as much as hashing it. */
function short(engine: Engine, id: number, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const { at, exports } = engine;
  if (!engine.runs) throw engine.stopped();
  engine.bytes.set(message, at);
  let len;
  try {
    len = exports.hash(id, at, message.length);
  } catch (cause) {
    throw engine.stopped(cause);
  }
  // It lies behind the buffer.
  return engine.take(engine.checked(len), at + engine.room);
}

/** A hash in progress, for a message that comes in pieces. */
export class Hasher extends Absorbing {
  /** A copy, which goes on by itself. */
  clone(): Hasher {
    return new Hasher(this.engine, this.ask((exports, state) => exports.copy(state)));
  }
}

/** A hash in progress. Errors as those of {@link hash}. */
export function hasher(name: string, options?: Options): Hasher {
  const found = row(name);
  return new Hasher(found.engine, begin(found, encode(options)));
}

/** An extendable-output function: bytes in, then bytes out, as many as anybody wants. Only BLAKE3's can seek. */
export class Xof extends Streaming implements Iterable<number> {
  private reading = false;

  /** Appends to the message; not after the first byte was read. */
  update(data: Uint8Array): this {
    this.absorb(data);
    return this;
  }

  /** A copy, which goes on by itself. */
  clone(): Xof {
    const copy = new Xof(this.engine, this.ask((exports, state) => exports.copy(state)));
    copy.reading = this.reading;
    copy.standAt(this.position);
    return copy;
  }

  /** The bytes of the stream, one by one, from where it is. What it has made ahead is lost to {@link Xof.read}. */
  *[Symbol.iterator](): Generator<number, never> {
    for (;;) yield* this.read(256);
  }

  /** @internal */
  protected override stream(): number {
    if (!this.reading) this.ask((exports, state) => exports.turn(state));
    this.reading = true;
    return this.state();
  }
}

/**
 * A stream of any length from an extendable-output function.
 *
 * @throws {HashwellError} as {@link hash}; `unsupported` for an algorithm that has no stream, at the first byte
 */
export function xof(name: string, data?: Uint8Array, options?: Options): Xof {
  const found = row(name);
  const stream = new Xof(found.engine, begin(found, encode(options)));
  return data === undefined ? stream : stream.update(data);
}

/**
 * The digests of many messages, side by side in vectors where that is faster: of short ones many times the speed of
 * {@link hash}. All are in memory at once; digests share `ArrayBuffer`s.
 */
export function hashMany(
  name: string,
  messages: readonly Uint8Array[],
  options?: Options,
): Uint8Array<ArrayBuffer>[] {
  const found = row(name);
  const { engine, id } = found;
  const params = encode(options);
  const state = begin(found, params);
  const len = engine.call((exports) => exports.output_len(state));
  release(engine, state);
  if (!Array.isArray(messages)) throw new HashwellError('type', `messages must be an array of Uint8Arrays, not ${kind(messages)}`);
  const all = messages.map((message: unknown, i) => bytes(message, `message ${i}`));
  const digests: Uint8Array<ArrayBuffer>[] = [];
  // Groups that a processor's cache holds with their digests; one message that is longer has a group for itself.
  for (let from = 0; from < all.length; ) {
    let to = from;
    let size = 0;
    while (to < all.length && (to === from || size + all[to]!.length + len * (to - from) <= GROUP)) size += all[to++]!.length;
    const group = all.slice(from, to);
    const lengths = new Uint8Array(Uint32Array.from(group, (message) => message.length).buffer);
    engine.lend([params, lengths, ...group], len * group.length, (at) => {
      engine.call((exports) => exports.hash_many(id, at, params.length, group.length, size, len));
      const out = engine.take(len * group.length, at + params.length + lengths.length + size);
      for (let i = 0; i < group.length; i++) digests.push(out.subarray(i * len, (i + 1) * len));
    });
    from = to;
  }
  return digests;
}

/** Bytes of messages and digests of one call. */
const GROUP = 1 << 20;

/** A state with options, as {@link encode} gives them; returns its number. */
function begin({ engine, id }: Row, params: Uint8Array): number {
  return engine.lend([params], 0, (at) => engine.call((exports) => exports.hasher(id, at, params.length)));
}
