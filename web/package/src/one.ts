/**
 * A module with a single algorithm, a few kilobytes in size. Its memory has room for one state. The states of all other hashes
 * in progress are kept in JavaScript arrays, so they don't have to be freed.
 */
import { HashwellError } from './errors.js';
import { bytes, compile, type Source } from './memory.js';
import { known } from './options.js';

/** The exports of such a module. `crates/hashwell-wasm/src/one.rs` documents each function. */
interface OneExports {
  readonly memory: WebAssembly.Memory;
  buffer(): number;
  buffer_len(): number;
  state(): number;
  state_len(): number;
  output_len(): number;
  longest(): number;
  begin(): void;
  update(len: number): void;
  digest(len: number): void;
}

/** Options of a digest. */
export interface OneOptions {
  /** Digest size in bytes. Only extendable-output functions accept a size that is not the default. */
  outputLen?: number;
}

/** A hash in progress, for a message that arrives in pieces. */
export interface OneHasher {
  /** Appends to the message. */
  update(data: Uint8Array): this;
  /** Returns the digest of the message so far. You can append more data afterwards. */
  digest(options?: OneOptions): Uint8Array<ArrayBuffer>;
  /** Starts a new message. */
  reset(): this;
  /** Returns an independent copy. */
  clone(): OneHasher;
}

/** The functions of an entry point with a single algorithm. */
export interface One {
  /** Loads the module. Call and await it once, before the other functions. */
  load(source?: Source): Promise<void>;
  /** Computes the digest of one message. */
  hash(data: Uint8Array, options?: OneOptions): Uint8Array<ArrayBuffer>;
  /** Creates a hash in progress. */
  hasher(): OneHasher;
}

/** Creates the functions for the module whose source `place` returns. */
export function one(place: () => Source): One {
  let exports: OneExports | undefined;
  let memory: Uint8Array;
  /** The hash whose state is in the module. */
  let present: Hasher | undefined;

  function loaded(): OneExports {
    if (!exports) throw new HashwellError('not-loaded', 'await load() before anything else');
    return exports;
  }

  /** Copies the current state out of the module's memory, so that a different state can be loaded. */
  function leave(module: OneExports): void {
    if (present) present.state = memory.slice(module.state(), module.state() + module.state_len());
    present = undefined;
  }

  function absorb(module: OneExports, data: Uint8Array): void {
    const [at, room] = [module.buffer(), module.buffer_len()];
    for (let from = 0; from < data.length; from += room) {
      const piece = data.subarray(from, from + room);
      memory.set(piece, at);
      module.update(piece.length);
    }
  }

  function finish(module: OneExports, options: OneOptions | undefined): Uint8Array<ArrayBuffer> {
    const { outputLen = module.output_len() } = known(options, ['outputLen']);
    const [shortest, longest] = module.longest() === module.output_len() ? [module.output_len(), module.output_len()] : [0, module.longest()];
    if (!Number.isSafeInteger(outputLen)) throw new HashwellError('type', `outputLen must be an integer, not ${String(outputLen)}`);
    if (outputLen < shortest || outputLen > longest) {
      const range = shortest === longest ? `${longest}` : `${shortest} to ${longest}`;
      throw new HashwellError('range', `outputLen must be ${range}, not ${outputLen}`);
    }
    module.digest(outputLen);
    return memory.slice(module.buffer(), module.buffer() + outputLen) as Uint8Array<ArrayBuffer>;
  }

  class Hasher implements OneHasher {
    /** The saved state while a different hash's state is in the module; undefined before first use. */
    state: Uint8Array | undefined;

    /** Puts this state into the module. */
    private enter(): OneExports {
      const module = loaded();
      if (present !== this) {
        leave(module);
        if (this.state) memory.set(this.state, module.state());
        else module.begin();
        present = this;
      }
      return module;
    }

    update(data: Uint8Array): this {
      absorb(this.enter(), bytes(data, 'data'));
      return this;
    }

    digest(options?: OneOptions): Uint8Array<ArrayBuffer> {
      return finish(this.enter(), options);
    }

    reset(): this {
      this.enter().begin();
      return this;
    }

    clone(): OneHasher {
      const module = this.enter();
      const copy = new Hasher();
      copy.state = memory.slice(module.state(), module.state() + module.state_len());
      return copy;
    }
  }

  return {
    async load(source) {
      if (exports) return;
      const instance = await WebAssembly.instantiate(await compile(source === undefined ? place : source), {});
      // A concurrent call may have finished first, and hashes may already be in progress.
      if (exports) return;
      exports = instance.exports as unknown as OneExports;
      memory = new Uint8Array(exports.memory.buffer);
    },
    hash(data, options) {
      const module = loaded();
      const message = bytes(data, 'data');
      leave(module);
      module.begin();
      absorb(module, message);
      return finish(module, options);
    },
    hasher() {
      loaded();
      return new Hasher();
    },
  };
}
