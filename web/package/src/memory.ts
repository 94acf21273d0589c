/**
 * A module of WebAssembly and its memory: what is the same whatever the module computes.
 *
 * A module imports nothing and exports what {@link Exports} says. Bytes go in and out through its buffer, which lies in
 * its memory, or through memory that it is asked for. A function that can fail returns a number below zero then, which
 * says of which kind the failure is, and leaves the message in the buffer, as UTF-8.
 */
import { read } from '#read';
import { HashwellError, kind, type ErrorCode } from './errors.js';

/** Where a module may come from. */
export type Source = WebAssembly.Module | URL | ArrayBuffer | Uint8Array;

/** What every module of this package exports. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  /** Where the buffer is, and how many bytes it has. */
  buffer(): number;
  buffer_len(): number;
  /** Memory of this many bytes, or 0 if it is refused; `release` takes the same length. */
  allocate(len: number): number;
  release(at: number, len: number): void;
  /** Bytes of the message of the last failure, which is in the buffer. */
  message_len(): number;
}

/** The kinds of failure: -1 is the first of them. The modules have the same list. */
const CODES: readonly ErrorCode[] = [
  'unknown-name', 'type', 'range', 'unsupported', 'exhausted', 'state', 'memory', 'mismatch', 'internal',
];

const TEXT = new TextDecoder();

/** What to do if a bundler doesn't copy a module's file, for modules that have an inline version. */
export const INLINE = "import from 'hashwell/inline', which has the module in its script";

/**
 * Compiles a module, which may then be posted to a worker.
 *
 * @param given - where the module comes from, or a function that says so
 * @param remedy - another remedy than to give `load` the module, for the error if its file can't be read
 */
export async function compile(given: Source | (() => Source), remedy?: string): Promise<WebAssembly.Module> {
  const hint = `If a bundler didn't copy the file, ${remedy ? `${remedy}, or ` : ''}call load(module) with the file's bytes, a WebAssembly.Module or a URL`;
  let source: Source;
  try {
    source = typeof given === 'function' ? given() : given;
  } catch (cause) {
    // A bundle that isn't an ES module has no `import.meta.url`.
    throw new HashwellError('unloadable', `hashwell's WebAssembly has no address in this bundle: ${reason(cause)}. ${hint}`, { cause });
  }
  if (typeof WebAssembly !== 'object') {
    throw new HashwellError('unloadable', 'this browser has no WebAssembly, which hashwell needs');
  }
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof URL) && !(source instanceof ArrayBuffer) && !ArrayBuffer.isView(source)) {
    throw new HashwellError('type', `a module is loaded from its bytes, a WebAssembly.Module or a URL, not ${kind(source)}`);
  }
  try {
    const bytes = source instanceof URL ? await read(source) : source;
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (cause) {
    const [where, help] = source instanceof URL ? [` from ${source}`, `. ${hint}`] : ['', ''];
    throw new HashwellError('unloadable', `hashwell's WebAssembly cannot be loaded${where}: ${reason(cause)}${help}`, { cause });
  }
}

/** An instance of a module, and the ways in and out of its memory. */
export class Memory<E extends Exports> {
  /** What the module exports, as it is: for functions that cannot fail. */
  readonly exports: E;
  /** Bytes of the buffer. */
  readonly room: number;
  /** Where the buffer is. */
  readonly at: number;
  private view: Uint8Array;
  private broken: unknown;

  private constructor(exports: E) {
    this.exports = exports;
    this.view = new Uint8Array(exports.memory.buffer);
    this.at = exports.buffer();
    this.room = exports.buffer_len();
  }

  /** Starts a module. */
  static async start<E extends Exports>(module: WebAssembly.Module): Promise<Memory<E>> {
    try {
      return Memory.of<E>(await WebAssembly.instantiate(module, {}));
    } catch (cause) {
      throw new HashwellError('unloadable', `hashwell's WebAssembly cannot be started: ${reason(cause)}`, { cause });
    }
  }

  /** The same for an instance that somebody made, as a worker may at once. */
  static of<E extends Exports>(instance: WebAssembly.Instance): Memory<E> {
    return new Memory<E>(instance.exports as unknown as E);
  }

  /** All of the memory; do not keep it, since growth leaves it empty. */
  get bytes(): Uint8Array {
    if (this.view.byteLength === 0) this.view = new Uint8Array(this.exports.memory.buffer);
    return this.view;
  }

  /**
   * Runs a function of the module: a result below zero is thrown as its {@link HashwellError}. If the module stops
   * (which is a bug in it), it is not asked again, since nobody knows what it left.
   */
  call(run: (exports: E) => number): number {
    if (this.broken !== undefined) throw this.stopped();
    let result;
    try {
      result = run(this.exports);
    } catch (cause) {
      throw this.stopped(cause);
    }
    return this.checked(result);
  }

  /** A result of the module's; one below zero is thrown. */
  checked(result: number): number {
    return result < 0 ? this.fail(result) : result;
  }

  /** Whether the module has not stopped. */
  get runs(): boolean {
    return this.broken === undefined;
  }

  /** A copy of the buffer's first bytes, or of those at another address. */
  take(len: number, at = this.at): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(at, at + len) as Uint8Array<ArrayBuffer>;
  }

  /** Fills `out` piece by piece through the buffer, whose first bytes `run` writes. */
  draw(out: Uint8Array, run: (exports: E, len: number) => number): void {
    for (let done = 0; done < out.length; done += this.room) {
      const len = Math.min(this.room, out.length - done);
      this.call((exports) => run(exports, len));
      out.set(this.bytes.subarray(this.at, this.at + len), done);
    }
  }

  /** The buffer's first bytes as text. */
  text(len: number): string {
    return TEXT.decode(this.take(len));
  }

  /** Gives bytes of any length to `run`, piece by piece through the buffer. */
  pour(data: Uint8Array, run: (exports: E, len: number) => number): void {
    for (let at = 0; at < data.length; at += this.room) {
      const piece = data.length <= this.room ? data : data.subarray(at, at + this.room);
      this.bytes.set(piece, this.at);
      this.call((exports) => run(exports, piece.length));
    }
  }

  /**
   * Lays byte strings one behind the other, for as long as `run` takes, and overwrites them when it ends: in the buffer
   * if they fit, else in memory that is released then. `run` gets the address of the first; the others follow without
   * a gap, and `extra` bytes behind the last are there to be written.
   */
  lend<T>(parts: readonly Uint8Array[], extra: number, run: (at: number) => T): T {
    let len = extra;
    for (const part of parts) len += part.length;
    const at = len <= this.room ? this.at : this.allocate(len);
    try {
      let to = at;
      for (const part of parts) {
        this.bytes.set(part, to);
        to += part.length;
      }
      return run(at);
    } finally {
      this.bytes.fill(0, at, at + len);
      if (at !== this.at && this.broken === undefined) this.exports.release(at, len);
    }
  }

  private allocate(len: number): number {
    const refused = () => new HashwellError('memory', `WebAssembly got no memory for ${len} bytes`);
    // A module's addresses have 32 bits, of which JavaScript sees those of the lower half as numbers from zero on.
    if (len > 0x7fff_0000) throw refused();
    const at = this.call((exports) => exports.allocate(len) >>> 0);
    if (at === 0) throw refused();
    return at;
  }

  private fail(code: number): never {
    const message = this.text(this.exports.message_len());
    throw new HashwellError(CODES[-code - 1] ?? 'internal', message);
  }

  /** The module stopped, now or before. */
  stopped(cause: unknown = this.broken): HashwellError {
    this.broken = cause ?? 'for no known reason';
    const why = `hashwell's WebAssembly stopped: ${reason(this.broken)}`;
    return new HashwellError('internal', why, { cause: this.broken });
  }
}

/**
 * Bytes, and nothing that only looks like them: text would be hashed in an encoding that nobody chose.
 *
 * @param what - what they are, in the message
 */
export function bytes(value: unknown, what: string): Uint8Array {
  // One of another window or worker isn't an instance of this window's class.
  if (ArrayBuffer.isView(value) && (value instanceof Uint8Array || kind(value) === 'Uint8Array')) {
    const view = value as Uint8Array;
    if (view.length === 0) {
      try {
        // Unlike `length`, which is 0, it throws if the buffer is detached or has shrunk.
        Uint8Array.prototype.indexOf.call(view, 0);
      } catch (cause) {
        throw new HashwellError('type', `${what} has lost its bytes: its ArrayBuffer was transferred or made smaller`, { cause });
      }
    }
    return view;
  }
  const hint = typeof value === 'string' ? '; new TextEncoder().encode(text) makes bytes of text' : '';
  throw new HashwellError('type', `${what} must be a Uint8Array, not ${kind(value)}${hint}`);
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
