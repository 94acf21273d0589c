/** States in a module's memory: what a hash, a stream or a MAC in progress have in common. */
import type { Engine, HashExports } from './engine.js';
import { HashwellError } from './errors.js';
import { bytes } from './memory.js';
import { length, whole } from './options.js';

/** Frees a state by its number; of a module that has stopped nothing is asked any more. */
export function release(engine: Engine, number: number): void {
  if (engine.runs) engine.exports.free(number);
}

/** Frees the states of objects that nobody has any more. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** A state in a module's memory. It is freed by {@link State.free}, or some time after nobody has the object. */
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

  /** Frees the state, and overwrites it if it depends on a key. Nothing can be asked of it afterwards. */
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

/** A stream in progress: bytes out, as many as anybody wants. */
export abstract class Streaming extends State {
  private at = 0n;

  /** The next `len` bytes. */
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

  /** Bytes read so far, or where {@link Streaming.seek} went. */
  get position(): bigint {
    return this.at;
  }

  /** Goes to a byte of the stream, forward or back, where it can. */
  seek(position: number | bigint): this {
    const to = whole(position, 'position');
    const state = this.stream();
    this.engine.call((exports) => exports.seek(state, Number(to >> 32n), Number(to & 0xffff_ffffn)));
    this.at = to;
    return this;
  }

  /** @internal The state, once bytes can be read of it. */
  protected stream(): number {
    return this.state();
  }

  /** @internal */
  protected standAt(position: bigint): void {
    this.at = position;
  }
}

/** A hash or a MAC in progress: bytes in, a digest out. */
export abstract class Absorbing extends State {
  /** Appends to the message. */
  update(data: Uint8Array): this {
    this.absorb(data);
    return this;
  }

  /** Bytes of the digest. */
  get outputLen(): number {
    return this.ask((exports, state) => exports.output_len(state));
  }

  /** The digest of the message so far; more may follow. */
  digest(): Uint8Array<ArrayBuffer> {
    return digest(this.engine, this.state());
  }

  /** Forgets the message and keeps key and options. */
  reset(): this {
    this.ask((exports, state) => exports.reset(state));
    return this;
  }
}

/** The digest of a state, of the length that it has unless another is asked for. */
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
