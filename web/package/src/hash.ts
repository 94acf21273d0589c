import { loaded, row, type Engine, type Row } from './engine.js';
import { HashwellError, kind } from './errors.js';
import { bytes } from './memory.js';
import { encode, type Options } from './options.js';
import { Absorbing, digest, release, Streaming } from './state.js';

/**
 * Computes the digest of one message.
 *
 * @param name - the algorithm, for example `sha256`
 * @param data - the message
 * @param options - options of the algorithm. For an extendable-output function, `outputLen` is the number of bytes to return
 * @returns the digest
 * @example
 * ```js
 * import { hash, load } from 'hashwell';
 * await load();
 * const digest = hash('sha256', new TextEncoder().encode('abc'));
 * ```
 * @throws {HashwellError} `unknown-name` for an unknown algorithm; `type` if `data` is not a `Uint8Array`; `unsupported` or
 * `range` for an option that the algorithm does not accept
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

/**
 * Hashes a message that fits into the buffer. It avoids the overhead of `Memory.call`, which takes as long as hashing the
 * message.
 */
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
  // The module stores the digest in memory, directly after the buffer.
  return engine.take(engine.checked(len), at + engine.room);
}

/** A hash in progress, for a message that arrives in pieces. Create it with {@link hasher}. */
export class Hasher extends Absorbing {
  /**
   * Continues a hash that was saved by {@link Hasher.toBytes} or by hashwell in another language.
   *
   * @throws {HashwellError} `mismatch` if the bytes are not a saved state, or if no message of the saved length can produce this
   * state; `unsupported` or `range` if the algorithm doesn't accept the saved parameters
   */
  static fromBytes(saved: Uint8Array): Hasher {
    return new Hasher(...restore(saved));
  }

  /**
   * Returns the state as bytes. With {@link Hasher.fromBytes}, you can continue the hash in any process or language. **The bytes
   * are as secret as the message.** They have at most 4096 bytes, plus the options.
   *
   * @throws {HashwellError} `unsupported` if the hash has a key or a key derivation context
   */
  toBytes(): Uint8Array<ArrayBuffer> {
    return save(this.engine, this.state());
  }

  /** Name of the algorithm. */
  get algorithm(): string {
    return described(this.engine, this.state())[0];
  }

  /** Number of message bytes so far: the position at which to continue a saved hash. */
  get messageLen(): bigint {
    return described(this.engine, this.state())[1];
  }

  /** Returns an independent copy. */
  clone(): Hasher {
    return new Hasher(this.engine, this.ask((exports, state) => exports.copy(state)));
  }
}

/**
 * Creates a hash in progress, for a message that arrives in pieces.
 *
 * @param name - the algorithm, for example `sha256`
 * @param options - options of the algorithm
 * @example
 * ```js
 * const digest = hasher('sha256').update(first).update(second).digest();
 * ```
 * @throws {HashwellError} the errors of {@link hash}
 */
export function hasher(name: string, options?: Options): Hasher {
  const found = row(name);
  return new Hasher(found.engine, begin(found, encode(options)));
}

/** An extendable-output function in progress: append the message, then read any number of bytes. Only BLAKE3 can seek. */
export class Xof extends Streaming implements Iterable<number> {
  private reading = false;

  /** Continues an extendable-output function, like {@link Hasher.fromBytes}. */
  static fromBytes(saved: Uint8Array): Xof {
    return new Xof(...restore(saved));
  }

  /** Works like {@link Hasher.toBytes}. Throws an error with the code `state` if bytes were already read. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return save(this.engine, this.state());
  }

  /** Name of the algorithm. Throws an error with the code `state` if bytes were already read. */
  get algorithm(): string {
    return described(this.engine, this.state())[0];
  }

  /** Works like {@link Hasher.messageLen}. Throws an error with the code `state` if bytes were already read. */
  get messageLen(): bigint {
    return described(this.engine, this.state())[1];
  }

  /** Appends to the message. Throws an error with the code `state` if bytes were already read. */
  update(data: Uint8Array): this {
    this.absorb(data);
    return this;
  }

  /** Returns an independent copy. */
  clone(): Xof {
    const copy = new Xof(this.engine, this.ask((exports, state) => exports.copy(state)));
    copy.reading = this.reading;
    copy.standAt(this.position);
    return copy;
  }

  /** Iterates over the bytes of the stream from its position. It reads ahead, so don't mix it with {@link Xof.read}. */
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
 * Creates the output stream of an extendable-output function.
 *
 * @param name - the algorithm, for example `shake128`
 * @param data - the message or its beginning; append more with {@link Xof.update}
 * @param options - options of the algorithm
 * @example
 * ```js
 * const stream = xof('shake128', seed);
 * const first = stream.read(32);
 * ```
 * @throws {HashwellError} the errors of {@link hash}. For an algorithm without an output stream, the first read throws an
 * error with the code `unsupported`
 */
export function xof(name: string, data?: Uint8Array, options?: Options): Xof {
  const found = row(name);
  const stream = new Xof(found.engine, begin(found, encode(options)));
  return data === undefined ? stream : stream.update(data);
}

/**
 * Computes the digests of many messages, in parallel SIMD lanes if that is faster. For short messages it is
 * faster than {@link hash}. All messages must be in memory. Several digests share one `ArrayBuffer`.
 *
 * @param name - the algorithm, for example `sha256`
 * @param messages - the messages
 * @param options - options of the algorithm, which apply to all messages
 * @returns the digests in the order of the messages
 * @example
 * ```js
 * const digests = hashMany('sha256', [first, second]);
 * ```
 * @throws {HashwellError} the errors of {@link hash}
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
  // Each group fits into the CPU's cache together with its digests. A message that is too long for a group forms a separate
  // group.
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

/** Maximum number of bytes of the messages and digests in one call. */
const GROUP = 1 << 20;

/** Creates a state from options encoded by `encode`, and returns its number. */
function begin({ engine, id }: Row, params: Uint8Array): number {
  return engine.lend([params], 0, (at) => engine.call((exports) => exports.hasher(id, at, params.length)));
}

/** Size of a buffer for a saved state, which is large enough unless the options are very long. */
const SAVED = 4608;

/**
 * Returns the saved state of a hash. If the buffer is too small, because the options are long, it saves the state again in a
 * larger one.
 */
function save(engine: Engine, state: number, room = SAVED): Uint8Array<ArrayBuffer> {
  const saved = engine.lend([], room, (at) => {
    const len = engine.call((exports) => exports.save(state, at, room));
    return len <= room ? engine.take(len, at) : len;
  });
  return typeof saved === 'number' ? save(engine, state, saved) : saved;
}

/** Creates a state from a saved one, in the first module that runs, and returns the module and the state's number. */
function restore(saved: Uint8Array): [Engine, number] {
  const engines = loaded();
  const engine = engines.find(({ runs }) => runs) ?? engines[0]!;
  const data = bytes(saved, 'saved');
  return [engine, engine.lend([data], 0, (at) => engine.call((exports) => exports.restore(at, data.length)))];
}

/** Returns the name of the algorithm of a state, and the number of message bytes so far. */
function described(engine: Engine, state: number): [string, bigint] {
  const [name, len] = engine.text(engine.call((exports) => exports.describe_state(state))).split('\t') as [string, string];
  return [name, BigInt(len)];
}
