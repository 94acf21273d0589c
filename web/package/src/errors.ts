/** The kinds of errors. Later versions may add more. */
export type ErrorCode =
  /** There is no algorithm, source or option with this name. */
  | 'unknown-name'
  /** An argument has the wrong type, for example a string instead of bytes, or a number that is not an integer. */
  | 'type'
  /** A value is out of range; the message contains the range. */
  | 'range'
  /** The algorithm does not have this option or operation. */
  | 'unsupported'
  /** Fewer bytes are left in a stream than were requested, or a DRBG must be reseeded. */
  | 'exhausted'
  /** The object was freed, or its state no longer allows this operation. */
  | 'state'
  /** WebAssembly could not allocate the memory that it needs. */
  | 'memory'
  /** A function was called before `await load()`. */
  | 'not-loaded'
  /** A module can't be fetched, compiled or started. */
  | 'unloadable'
  /** A file or a stream could not be read. */
  | 'read'
  /** A file changed while it was being read. */
  | 'changed'
  /** Your `AbortSignal` stopped the operation. */
  | 'aborted'
  /** Data is invalid or differs from the expected value, for example a tag, a transcript or a commitment. */
  | 'mismatch'
  /** A bug in hashwell. */
  | 'internal';

/**
 * The class of all errors that this package throws. The message contains the value and its limit; programs should use `code`.
 */
export class HashwellError extends Error {
  override readonly name = 'HashwellError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the type of a value, for error messages. */
export function kind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1);
}
