/** States in a module's memory: the common base of hashes, streams and MACs in progress. */
import type { Engine, HashExports } from './engine.js';
import { HashwellError } from './errors.js';
import { bytes } from './memory.js';
import { length, whole } from './options.js';

/** Frees a state by its number. Does nothing if the module has stopped. */
export function release(engine: Engine, number: number): void {
  if (engine.runs) engine.exports.free(number);
}

/** Frees the states of objects after the garbage collector has removed them. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/**
 * A state in a module's memory. {@link State.free} frees it; otherwise it is freed some time after the object becomes
 * unreachable.
 */
export abstract class State {
  /** @internal */
  protected readonly engine: Engine;
  private number: number | undefined;

  /** @internal */
  constructor(engine: Engine, number: number) {
    this.engine = engine;
    this.number = number;
    forgotten.register(this, () => release(engine, number), this);
  }

  /**
   * Frees the state, and overwrites it if it depends on a key. All later calls on this object throw a {@link HashwellError} with
   * the code `state`.
   */
  free(): void {
    if (this.number === undefined) return;
    forgotten.unregister(this);
    release(this.engine, this.number);
    this.number = undefined;
  }

  /** @internal Runs a function of the module on the state. */
  protected ask(run: (exports: HashExports, state: number) => number): number {
    const state = this.state();
    return this.engine.call((exports) => run(exports, state));
  }

  /** @internal */
  protected state(): number {
    if (this.number === undefined) throw new HashwellError('state', 'the state was freed');
    return this.number;
  }

  /** @internal */
  protected absorb(data: Uint8Array): void {
    const state = this.state();
    const { engine } = this;
    engine.pour(bytes(data, 'data'), (exports, len) => exports.update(state, engine.at, len));
  }
}

/** An output stream: read any number of bytes. */
export abstract class Streaming extends State {
  private at = 0n;

  /** Reads the next `len` bytes. */
  read(len: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(length(len, 'len'));
    this.readInto(out);
    return out;
  }

  /** Fills `out` with the next bytes. */
  readInto(out: Uint8Array): void {
    const { engine } = this;
    const state = this.stream();
    engine.draw(bytes(out, 'out'), (exports, len) => {
      const result = exports.read(state, engine.at, len);
      if (result >= 0) this.at += BigInt(len);
      return result;
    });
  }

  /** The current position in the stream, in bytes. */
  get position(): bigint {
    return this.at;
  }

  /** Moves to a byte position, forward or backward. Throws an error with the code `unsupported` if the stream can't seek. */
  seek(position: number | bigint): this {
    const to = whole(position, 'position');
    const state = this.stream();
    this.engine.call((exports) => exports.seek(state, Number(to >> 32n), Number(to & 0xffff_ffffn)));
    this.at = to;
    return this;
  }

  /** @internal Switches the state to reading, if necessary, and returns its number. */
  protected stream(): number {
    return this.state();
  }

  /** @internal */
  protected standAt(position: bigint): void {
    this.at = position;
  }
}

/** A hash or a MAC in progress: append a message, then get its digest. */
export abstract class Absorbing extends State {
  /** Appends to the message. */
  update(data: Uint8Array): this {
    this.absorb(data);
    return this;
  }

  /** Digest size in bytes. */
  get outputLen(): number {
    return this.ask((exports, state) => exports.output_len(state));
  }

  /** Returns the digest of the message so far. You can append more data afterwards. */
  digest(): Uint8Array<ArrayBuffer> {
    return digest(this.engine, this.state());
  }

  /** Starts a new message with the same key and options. */
  reset(): this {
    this.ask((exports, state) => exports.reset(state));
    return this;
  }
}

/** Computes the digest of a state. By default, `len` is the digest size of the state. */
export function digest(
  engine: Engine,
  state: number,
  len = engine.call((exports) => exports.output_len(state)),
): Uint8Array<ArrayBuffer> {
  return engine.lend([], len, (at) => {
    engine.call((exports) => exports.digest(state, at, len));
    return engine.take(len, at);
  });
}
