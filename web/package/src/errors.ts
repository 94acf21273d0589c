/** Why something was refused. More may be added. */
export type ErrorCode =
  /** No algorithm, source or option has this name. */
  | 'unknown-name'
  /** An argument has a type that is not accepted: a string in place of bytes, a number that is not whole. */
  | 'type'
  /** A value is outside its range, which the message names. */
  | 'range'
  /** The algorithm has no such option or operation. */
  | 'unsupported'
  /** A stream has an end, and fewer bytes are left than were asked for. */
  | 'exhausted'
  /** A state that was ended is asked for more. */
  | 'state'
  /** The memory that WebAssembly needs was refused. */
  | 'memory'
  /** A module was used before `load()` had ended. */
  | 'not-loaded'
  /** A module cannot be fetched, compiled or started here. */
  | 'unloadable'
  /** A file or a stream could not be read. */
  | 'read'
  /** A file changed while it was read. */
  | 'changed'
  /** The caller's signal ended it. */
  | 'aborted'
  /** Bytes that are not what they should be: a tag, a transcript, a commitment. */
  | 'mismatch'
  /** A bug in hashwell. */
  | 'internal';

/** What every function of this package throws. The message is one sentence that names limit and value. */
export class HashwellError extends Error {
  override readonly name = 'HashwellError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What a value is, in a message. */
export function kind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1);
}
