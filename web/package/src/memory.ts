/**
 * Loads a WebAssembly module and accesses its memory. All modules of this package share this code.
 *
 * A module imports nothing and has the exports of {@link Exports}. Bytes are passed through its buffer, which is part of its
 * memory, or through memory that it allocates. If a function fails, it returns a negative number that identifies the kind of
 * error, and stores the error message in the buffer, as UTF-8.
 */
import { read } from '#read';
import { HashwellError, kind, type ErrorCode } from './errors.js';

/** A module to load: its bytes, a compiled module, or its URL. */
export type Source = WebAssembly.Module | URL | ArrayBuffer | Uint8Array;

/** The exports that all modules of this package have. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  /** The address of the buffer, and its size in bytes. */
  buffer(): number;
  buffer_len(): number;
  /** Allocates `len` bytes; returns 0 if that fails. Pass the same length to `release`. */
  allocate(len: number): number;
  release(at: number, len: number): void;
  /** The length in bytes of the last error message, which is in the buffer. */
  message_len(): number;
}

/** The error codes for negative results: -1 is the first, -2 the second, and so on. The modules have the same list. */
const CODES: readonly ErrorCode[] = [
  'unknown-name', 'type', 'range', 'unsupported', 'exhausted', 'state', 'memory', 'mismatch', 'internal',
];

const TEXT = new TextDecoder();

/**
 * Advice in error messages, for users whose bundler doesn't copy the file of a module. The module must have an inline version.
 */
export const INLINE = "import from 'hashwell/inline', which has the module in its script";

/**
 * Compiles a module. A compiled module can be sent to a worker.
 *
 * @param given - the source of the module, or a function that returns it
 * @param remedy - an additional recommendation for the error message, which always recommends calling `load(module)`
 */
export async function compile(given: Source | (() => Source), remedy?: string): Promise<WebAssembly.Module> {
  const hint = `If a bundler didn't copy the file, ${remedy ? `${remedy}, or ` : ''}call load(module) with the file's bytes, a WebAssembly.Module or a URL`;
  let source: Source;
  try {
    source = typeof given === 'function' ? given() : given;
  } catch (cause) {
    // A bundle that isn't an ES module has no `import.meta.url`.
    throw new HashwellError('unloadable', `the URL of hashwell's WebAssembly is unknown in this bundle: ${reason(cause)}. ${hint}`, { cause });
  }
  if (typeof WebAssembly !== 'object') {
    throw new HashwellError('unloadable', 'this browser has no WebAssembly, which hashwell needs');
  }
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof URL) && !(source instanceof ArrayBuffer) && !ArrayBuffer.isView(source)) {
    throw new HashwellError('type', `a module must be bytes, a WebAssembly.Module or a URL, not ${kind(source)}`);
  }
  try {
    const bytes = source instanceof URL ? await read(source) : source;
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (cause) {
    const [where, help] = source instanceof URL ? [` from ${source}`, `. ${hint}`] : ['', ''];
    throw new HashwellError('unloadable', `hashwell's WebAssembly cannot be loaded${where}: ${reason(cause)}${help}`, { cause });
  }
}

/** An instance of a module, with methods that pass bytes to and from its memory. */
export class Memory<E extends Exports> {
  /** The exports of the module. Call them directly only if they can't fail. */
  readonly exports: E;
  /** The size of the buffer in bytes. */
  readonly room: number;
  /** The address of the buffer. */
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

  /** Wraps an existing instance. */
  static of<E extends Exports>(instance: WebAssembly.Instance): Memory<E> {
    return new Memory<E>(instance.exports as unknown as E);
  }

  /** A view of the whole memory. Don't store it: when the memory grows, the view becomes empty. */
  get bytes(): Uint8Array {
    if (this.view.byteLength === 0) this.view = new Uint8Array(this.exports.memory.buffer);
    return this.view;
  }

  /**
   * Runs a function of the module and throws a {@link HashwellError} if the result is negative. If the module stops (because
   * of a bug in it), it is not called again, because its memory may be inconsistent.
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

  /** Returns a result of the module; if it is negative, throws the error with this code. */
  checked(result: number): number {
    return result < 0 ? this.fail(result) : result;
  }

  /** True unless the module has stopped. */
  get runs(): boolean {
    return this.broken === undefined;
  }

  /** Returns a copy of the first bytes of the buffer, or of the bytes at another address. */
  take(len: number, at = this.at): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(at, at + len) as Uint8Array<ArrayBuffer>;
  }

  /** Fills `out` piece by piece: `run` writes each piece to the beginning of the buffer. */
  draw(out: Uint8Array, run: (exports: E, len: number) => number): void {
    for (let done = 0; done < out.length; done += this.room) {
      const len = Math.min(this.room, out.length - done);
      this.call((exports) => run(exports, len));
      out.set(this.bytes.subarray(this.at, this.at + len), done);
    }
  }

  /** Decodes the first bytes of the buffer as UTF-8. */
  text(len: number): string {
    return TEXT.decode(this.take(len));
  }

  /** Passes bytes of any length to `run`, piece by piece through the buffer. */
  pour(data: Uint8Array, run: (exports: E, len: number) => number): void {
    for (let at = 0; at < data.length; at += this.room) {
      const piece = data.length <= this.room ? data : data.subarray(at, at + this.room);
      this.bytes.set(piece, this.at);
      this.call((exports) => run(exports, piece.length));
    }
  }

  /**
   * Copies byte strings into the module's memory, calls `run`, and overwrites them afterwards. They are placed one after the
   * other without gaps: in the buffer if they fit, otherwise in temporarily allocated memory. `run` gets the address of the
   * first one. After the last one, `extra` bytes are reserved for output.
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
    const refused = () => new HashwellError('memory', `not enough WebAssembly memory for ${len} bytes`);
    // Addresses have 32 bits and are signed numbers in JavaScript, so only the lower half is non-negative.
    if (len > 0x7fff_0000) throw refused();
    const at = this.call((exports) => exports.allocate(len) >>> 0);
    if (at === 0) throw refused();
    return at;
  }

  private fail(code: number): never {
    const message = this.text(this.exports.message_len());
    throw new HashwellError(CODES[-code - 1] ?? 'internal', message);
  }

  /** Returns the error for a module that has stopped, and marks the module as stopped. */
  stopped(cause: unknown = this.broken): HashwellError {
    this.broken = cause ?? 'unknown reason';
    const why = `hashwell's WebAssembly stopped: ${reason(this.broken)}`;
    return new HashwellError('internal', why, { cause: this.broken });
  }
}

/**
 * Checks that a value is a `Uint8Array`. Strings are rejected, because their encoding would be a guess.
 *
 * @param what - the name of the value in the error message
 */
export function bytes(value: unknown, what: string): Uint8Array {
  // A `Uint8Array` from another window isn't an instance of this window's class.
  if (ArrayBuffer.isView(value) && (value instanceof Uint8Array || kind(value) === 'Uint8Array')) {
    const view = value as Uint8Array;
    if (view.length === 0) {
      try {
        // If the buffer is detached or has shrunk, `length` is 0, but this call throws.
        Uint8Array.prototype.indexOf.call(view, 0);
      } catch (cause) {
        throw new HashwellError('type', `${what} has lost its bytes: its ArrayBuffer was transferred or made smaller`, { cause });
      }
    }
    return view;
  }
  const hint = typeof value === 'string' ? '; new TextEncoder().encode(text) converts text to bytes' : '';
  throw new HashwellError('type', `${what} must be a Uint8Array, not ${kind(value)}${hint}`);
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
