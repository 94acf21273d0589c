/** Hashes files and streams, in a worker if possible. */
import { startWorker, type Port } from '#worker';
import { add, moduleOf, row, type Engine } from './engine.js';
import { HashwellError, kind, type ErrorCode } from './errors.js';
import { hasher, type Hasher } from './hash.js';
import { bytes } from './memory.js';
import { known, OPTIONS, type Options } from './options.js';

/**
 * The input of {@link hashFile}: a File or another Blob, a web stream, a Node stream (`fs.createReadStream(path)`,
 * `Readable.from(…)`), or any other async iterable of bytes, such as an async generator. A stream is read from its current
 * position to its end.
 */
export type FileSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The progress of {@link hashFile}. */
export interface Progress {
  /** Number of bytes hashed so far. */
  readonly done: number;
  /** Total number of bytes; undefined for a stream. */
  readonly total: number | undefined;
}

/** Options of {@link hashFile}. */
export interface FileOptions extends Options {
  /** A function to call with the progress, at most ten times a second and at the end. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * A signal that stops hashing. {@link hashFile} then throws an error with the code `aborted`, whose cause is the signal's
   * reason.
   */
  signal?: AbortSignal | undefined;
  /** Set it to `false` to hash on the current thread. Other tasks then run between pieces of the file. */
  worker?: boolean | undefined;
}

/** The first message to a worker. For a stream, messages with its pieces follow, and a message without bytes marks its end. */
export interface Task {
  module: WebAssembly.Module;
  names: string[];
  options: Options;
  file: Blob | undefined;
}

/** A worker's answer: its progress, the digests, or an error. */
export type Answer =
  | { kind: 'done'; done: number }
  | { kind: 'digests'; digests: Uint8Array<ArrayBuffer>[] }
  | { kind: 'error'; error: string; code: ErrorCode };

/** Number of bytes read at once. Larger pieces need more memory; smaller pieces need more time. */
const PIECE = 1 << 20;
/** Minimum file size for a worker. For smaller files, starting the worker takes longer than hashing. */
const WORTH_A_WORKER = 4 << 20;
const INTERVAL_MS = 100;
/** Milliseconds that this thread hashes before it lets other tasks run. */
const TURN_MS = 20;

/**
 * Hashes a file, a blob, a stream or an async iterable in constant memory.
 *
 * Streams of any length, and files of 4 MiB or more, are hashed in a worker. If no worker can be started, for example on a
 * `file://` page or because of a strict content security policy, the current thread hashes them.
 *
 * @param name - the algorithm, or an array of algorithms. The file is read once for all of them
 * @param file - the input
 * @param options - options of the algorithms, a function for the progress, and a signal
 * @returns the digest, or for an array the digests in the order of the names
 * @example
 * ```js
 * const [file] = input.files;                   // from <input type="file">
 * const digest = await hashFile('sha256', file, { onProgress: ({ done, total }) => console.log(done, total) });
 * ```
 * @throws {HashwellError} the errors of `hash`; `read` if the file can't be read or is a Node stream that has already
 * ended; `changed` if the file changed while it was read; `aborted` if the signal stopped hashing
 */
export function hashFile(name: string, file: FileSource, options?: FileOptions): Promise<Uint8Array<ArrayBuffer>>;
export function hashFile(names: readonly string[], file: FileSource, options?: FileOptions): Promise<Uint8Array<ArrayBuffer>[]>;
export async function hashFile(
  names: string | readonly string[],
  file: FileSource,
  given?: FileOptions,
): Promise<Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[]> {
  const { onProgress, signal, worker = true, ...options } = known(given, [...OPTIONS, 'onProgress', 'signal', 'worker']);
  if (typeof worker !== 'boolean') throw new HashwellError('type', `worker must be true or false, not ${kind(worker)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new HashwellError('type', `onProgress must be a function, not ${kind(onProgress)}`);
  }
  if (signal !== undefined && kind(signal) !== 'AbortSignal') {
    throw new HashwellError('type', `signal must be an AbortSignal, not ${kind(signal)}`);
  }
  // Other types are rejected below as an invalid name.
  const list = Array.isArray(names) ? (names as readonly string[]).slice() : [names as string];
  const blob = isBlob(file) ? file : undefined;
  if (!blob && !isStream(file) && !isIterable(file)) {
    const hint = ArrayBuffer.isView(file) ? '; to hash bytes, use hash(name, bytes)' : '';
    throw new HashwellError('type', `a file must be a File, a Blob, a stream or an async iterable of bytes, not ${kind(file)}${hint}`);
  }
  if (list.length === 0) throw new HashwellError('type', 'at least one algorithm must be named');
  // Invalid names and options throw here, before anything is read.
  list.forEach((name) => hasher(name, options).free());
  if (signal?.aborted) throw aborted(signal);
  const engine = row(list[0]!).engine;
  // This must come before the first await: a Node stream reports a missing file early, and only to listeners that are already
  // attached.
  const source = blob ?? readerOf(file as Stream);
  const alike = list.every((name) => row(name).engine === engine);
  const port = worker && alike && (blob?.size ?? Infinity) >= WORTH_A_WORKER ? await open(engine, list, options, blob) : undefined;
  const report = reporter(onProgress, blob?.size);
  const digests = port
    ? await there(port, source === blob ? undefined : (source as Reader), report, signal)
    : await here(list, options, source, report, signal);
  return Array.isArray(names) ? digests : digests[0]!;
}

/** Starts a worker and sends it the task; returns undefined if no worker can be started. */
async function open(engine: Engine, names: string[], options: Options, file: Blob | undefined): Promise<Port | undefined> {
  try {
    const port = await startWorker();
    const task: Task = { module: moduleOf(engine), names, options, file };
    port.post(task);
    return port;
  } catch {
    return undefined;
  }
}

/** Waits for a worker's digests. For a stream, it sends the next piece whenever the worker asks for one. */
async function there(
  port: Port,
  reader: Reader | undefined,
  report: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const stop = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      // The signal may have been aborted while the worker started.
      if (signal?.aborted) return reject(aborted(signal));
      signal?.addEventListener('abort', () => reject(aborted(signal)), { signal: stop.signal });
      const feed = async () => {
        const piece = await reader!.read();
        if (!piece) return port.post({});
        // Send a copy, because the bytes belong to the stream.
        const bytes = new Uint8Array(piece);
        port.post({ bytes }, [bytes.buffer]);
      };
      const hear = (answer: Answer) => {
        if (answer.kind === 'digests') {
          report(Infinity);
          resolve(answer.digests);
        } else if (answer.kind === 'error') reject(new HashwellError(answer.code, answer.error));
        else {
          report(answer.done);
          if (reader) feed().catch(reject);
        }
      };
      port.listen((message) => {
        try {
          hear(message as Answer);
        } catch (error) {
          // `onProgress` has thrown an error.
          reject(error);
        }
      }, (why) => reject(new HashwellError('internal', `the worker stopped: ${why}`)));
    });
  } finally {
    stop.abort();
    port.end();
    reader?.end();
  }
}

/** Hashes on the current thread. */
async function here(
  names: readonly string[],
  options: Options,
  file: Blob | Reader,
  report: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const hashers = names.map((name) => hasher(name, options));
  try {
    let done = 0;
    let rested = performance.now();
    for await (const piece of pieces(file, signal)) {
      hashers.forEach((hasher) => hasher.update(piece));
      report((done += piece.length));
      // If a stream never waits, timers and events (such as the abort signal) would not run without this pause.
      if (performance.now() - rested > TURN_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        rested = performance.now();
      }
      if (signal?.aborted) throw aborted(signal);
    }
    // A cancelled stream ends like any other, so check the signal again.
    if (signal?.aborted) throw aborted(signal);
    report(Infinity);
    return hashers.map((hasher) => hasher.digest());
  } finally {
    hashers.forEach((hasher) => hasher.free());
  }
}

/** Runs a task inside a worker. */
export async function serve(task: Task, post: (answer: Answer) => void, bytes: () => Promise<Uint8Array | undefined>): Promise<void> {
  let hashers: Hasher[] = [];
  try {
    await add(task.module);
    hashers = task.names.map((name) => hasher(name, task.options));
    let done = 0;
    let told = performance.now();
    const tell = (always: boolean) => {
      const now = performance.now();
      if (!always && now - told < INTERVAL_MS) return;
      told = now;
      post({ kind: 'done', done });
    };
    const take = (piece: Uint8Array, always: boolean) => {
      hashers.forEach((hasher) => hasher.update(piece));
      done += piece.length;
      tell(always);
    };
    if (task.file) for await (const piece of pieces(task.file)) take(piece, false);
    else {
      // Each answer requests the next piece.
      tell(true);
      for (let piece; (piece = await bytes()); ) take(piece, true);
    }
    if (task.file) tell(true);
    post({ kind: 'digests', digests: hashers.map((hasher) => hasher.digest()) });
  } catch (error) {
    const code = error instanceof HashwellError ? error.code : 'internal';
    post({ kind: 'error', error: error instanceof Error ? error.message : String(error), code });
  } finally {
    hashers.forEach((hasher) => hasher.free());
  }
}

/**
 * Yields the bytes of a file or a stream in pieces. Each piece is valid only until the next one is requested. If the signal is
 * aborted, it stops waiting for the next piece of a stream, which may never arrive.
 */
async function* pieces(file: Blob | Reader, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!isBlob(file)) {
    try {
      for (let piece; (piece = await file.read(signal)); ) {
        for (let at = 0; at < piece.length; at += PIECE) yield piece.subarray(at, at + PIECE);
      }
    } finally {
      file.end();
    }
    return;
  }
  const { size } = file;
  let read = 0;
  // If the blob's stream supports it, read into a single buffer, which leaves little work for the garbage collector.
  const stream = file.stream();
  let reader: ReadableStreamBYOBReader | undefined;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    // Node's blobs don't support reading into a given buffer.
  }
  if (reader) {
    try {
      let room = new ArrayBuffer(PIECE);
      for (;;) {
        const { done, value } = await attempt(reader.read(new Uint8Array(room)));
        if (done) break;
        read += value.length;
        yield value;
        room = value.buffer as ArrayBuffer;
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  } else {
    for (; read < size; ) {
      const piece = new Uint8Array(await attempt(file.slice(read, read + PIECE).arrayBuffer()));
      if (piece.length === 0) break;
      read += piece.length;
      yield piece;
    }
  }
  if (read !== size) throw new HashwellError('changed', `the file had ${size} bytes, but ${read} were read: it changed during hashing`);
}

/** A source that is read piece by piece. */
type Stream = Exclude<FileSource, Blob>;

/** Reads a stream or an async iterable. */
interface Reader {
  /**
   * Returns the next piece, or undefined at the end. Fails with `aborted` if the signal is aborted, even while it waits for a
   * piece.
   */
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Releases the stream, even if it has not reached its end. */
  end(): void;
}

/** Creates a reader for a stream; throws an error with the code `read` if the stream is already locked or has ended. */
function readerOf(stream: Stream): Reader {
  let next: () => Promise<{ done?: boolean; value?: unknown }>;
  let cancel: () => unknown;
  // Properties that only Node streams have.
  const { readableEnded, destroy } = stream as { readableEnded?: unknown; destroy?: unknown };
  if (readableEnded === true) throw unreadable('the stream has already ended');
  try {
    if (isStream(stream)) {
      const reader = stream.getReader();
      next = () => reader.read();
      cancel = () => reader.cancel();
    } else {
      const iterator = stream[Symbol.asyncIterator]();
      // Request the first piece now, because this makes a Node stream listen for errors.
      let first: ReturnType<typeof next> | undefined = (async () => iterator.next())();
      first.catch(() => undefined);
      next = async () => {
        const piece = first ?? iterator.next();
        first = undefined;
        return piece;
      };
      // A Node stream can be closed immediately. A generator ends only after the piece that it is waiting for.
      cancel = () => (typeof destroy === 'function' ? destroy.call(stream) : iterator.return?.());
    }
  } catch (cause) {
    throw unreadable(cause);
  }
  let ended = false;
  return {
    async read(signal) {
      if (signal?.aborted) throw aborted(signal);
      let stop: (() => void) | undefined;
      try {
        const got = await attempt(new Promise<Awaited<ReturnType<typeof next>>>((resolve, reject) => {
          if (signal) signal.addEventListener('abort', (stop = () => reject(aborted(signal))));
          next().then(resolve, reject);
        }));
        if (!got.done) return bytes(got.value, "a stream's piece");
        ended = true;
        return undefined;
      } finally {
        if (stop) signal!.removeEventListener('abort', stop);
      }
    },
    end() {
      if (ended) return;
      ended = true;
      // The result is already known, so errors here can be ignored.
      (async () => cancel())().catch(() => undefined);
    },
  };
}

async function attempt<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw cause instanceof HashwellError ? cause : unreadable(cause);
  }
}

function unreadable(cause: unknown): HashwellError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HashwellError('read', `the file cannot be read: ${why}`, { cause });
}

function reporter(onProgress: ((progress: Progress) => void) | undefined, total: number | undefined): (done: number) => void {
  let told = performance.now();
  let last = 0;
  return (done) => {
    const now = performance.now();
    if (done !== Infinity) last = done;
    if (!onProgress || (done !== Infinity && now - told < INTERVAL_MS)) return;
    told = now;
    onProgress({ done: last, total });
  };
}

function isBlob(file: unknown): file is Blob {
  return typeof Blob === 'function' && file instanceof Blob;
}

function isStream(file: unknown): file is ReadableStream<Uint8Array> {
  return typeof (file as { getReader?: unknown } | null)?.getReader === 'function';
}

function isIterable(file: unknown): file is AsyncIterable<Uint8Array> {
  return typeof (file as Partial<AsyncIterable<Uint8Array>> | null)?.[Symbol.asyncIterator] === 'function';
}

function aborted(signal: AbortSignal): HashwellError {
  return new HashwellError('aborted', 'hashing was stopped by the signal', { cause: signal.reason });
}
