import { row, type Engine } from './engine.js';
import { bytes } from './memory.js';
import { encode, length, whole, type Options } from './options.js';
import { Absorbing, digest, State } from './state.js';

/**
 * The digest of one message: of an extendable-output function, as many bytes as its `outputLen` says.
 *
 * @throws {HashwellError} for an unknown name, data that is no `Uint8Array`, and options that the algorithm does not take
 */
export function hash(name: string, data: Uint8Array, options?: Options): Uint8Array<ArrayBuffer> {
  const { engine, id } = row(name);
  const message = bytes(data, 'data');
  if (options === undefined && message.length <= engine.room) {
    return short(engine, id, message);
  }
  const state = begin(name, options);
  try {
    engine.pour(message, (exports, len) => exports.update(state, engine.at, len));
    return digest(engine, state);
  } finally {
    engine.exports.free(state);
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
  return engine.take(engine.checked(len));
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
  return new Hasher(row(name).engine, begin(name, options));
}

/** An extendable-output function: bytes in, then bytes out, as many as anybody wants. */
export class Xof extends State implements Iterable<number> {
  private reading = false;
  private at = 0n;

  /** Appends to the message; not after the first byte was read. */
  update(data: Uint8Array): this {
    this.absorb(data);
    return this;
  }

  /** The next `len` bytes. */
  read(len: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(length(len, 'len'));
    this.readInto(out);
    return out;
  }

  /** Fills `out` with the next bytes. */
  readInto(out: Uint8Array): void {
    const { engine } = this;
    const state = this.turned();
    engine.draw(bytes(out, 'out'), (exports, len) => exports.read(state, engine.at, len));
    this.at += BigInt(out.length);
  }

  /** Bytes read so far, or where {@link Xof.seek} went. */
  get position(): bigint {
    return this.at;
  }

  /** Goes to a byte of the stream, forward or back; only BLAKE3's can. */
  seek(position: number | bigint): this {
    const to = whole(position, 'position');
    const state = this.turned();
    this.engine.call((exports) => exports.seek(state, Number(to >> 32n), Number(to & 0xffff_ffffn)));
    this.at = to;
    return this;
  }

  /** A copy, which goes on by itself. */
  clone(): Xof {
    const copy = new Xof(this.engine, this.ask((exports, state) => exports.copy(state)));
    copy.reading = this.reading;
    copy.at = this.at;
    return copy;
  }

  /** The bytes of the stream, one by one, from where it is. What it has made ahead is lost to {@link Xof.read}. */
  *[Symbol.iterator](): Generator<number, never> {
    for (;;) yield* this.read(256);
  }

  private turned(): number {
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
  const stream = new Xof(row(name).engine, begin(name, options));
  return data === undefined ? stream : stream.update(data);
}

/**
 * The digests of many messages, side by side in vectors where that is faster: of short ones many times the speed of
 * {@link hash}. All are in memory at once.
 */
export function hashMany(
  name: string,
  messages: readonly Uint8Array[],
  options?: Options,
): Uint8Array<ArrayBuffer>[] {
  const { engine, id } = row(name);
  const params = encode(options);
  const state = begin(name, options);
  const len = engine.call((exports) => exports.output_len(state));
  engine.exports.free(state);
  const all = messages.map((message, i) => bytes(message, `message ${i}`));
  const digests: Uint8Array<ArrayBuffer>[] = [];
  // Groups that a processor's cache holds; one message that is longer has a group for itself.
  for (let from = 0; from < all.length; ) {
    let to = from;
    let size = 0;
    while (to < all.length && (to === from || size + all[to]!.length <= GROUP)) size += all[to++]!.length;
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

/** Bytes of messages that are hashed in one call. */
const GROUP = 1 << 20;

/** A state with options; returns its number. */
function begin(name: string, options: Options | undefined): number {
  const { engine, id } = row(name);
  return start(engine, id, options);
}

function start(engine: Engine, id: number, options: Options | undefined): number {
  const params = encode(options);
  return engine.lend([params], 0, (at) => engine.call((exports) => exports.hasher(id, at, params.length)));
}
