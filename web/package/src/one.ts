/**
 * A module of one algorithm: a few kilobytes, for whoever needs no other. Its one state stands in its memory; hashes in
 * progress take turns there, and have nothing to be freed.
 */
import { HashwellError } from './errors.js';
import { bytes, compile, type Source } from './memory.js';
import { known } from './options.js';

/** What such a module exports; `crates/hashwell-wasm/src/one.rs` says what each function does. */
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

/** Of a stream the digest's length may be chosen. */
export interface OneOptions {
  /** Bytes of the digest. */
  outputLen?: number;
}

/** A hash in progress, of the one algorithm. */
export interface OneHasher {
  /** Appends to the message. */
  update(data: Uint8Array): this;
  /** The digest of the message so far; more may follow. */
  digest(options?: OneOptions): Uint8Array<ArrayBuffer>;
  /** Forgets the message. */
  reset(): this;
  /** A copy, which goes on by itself. */
  clone(): OneHasher;
}

/** An algorithm. */
export interface One {
  load(source?: Source): Promise<void>;
  hash(data: Uint8Array, options?: OneOptions): Uint8Array<ArrayBuffer>;
  hasher(): OneHasher;
}

/** The algorithm of the module that is at this place. */
export function one(place: () => Source): One {
  let exports: OneExports | undefined;
  let memory: Uint8Array;
  /** Whose state is in the module. */
  let present: Hasher | undefined;

  function loaded(): OneExports {
    if (!exports) throw new HashwellError('not-loaded', 'await load() before anything else');
    return exports;
  }

  /** Makes room for another state. */
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
    if (!Number.isSafeInteger(outputLen)) throw new HashwellError('type', `outputLen must be a whole number, not ${String(outputLen)}`);
    if (outputLen < shortest || outputLen > longest) {
      const range = shortest === longest ? `${longest}` : `${shortest} to ${longest}`;
      throw new HashwellError('range', `outputLen must be ${range}, not ${outputLen}`);
    }
    module.digest(outputLen);
    return memory.slice(module.buffer(), module.buffer() + outputLen) as Uint8Array<ArrayBuffer>;
  }

  class Hasher implements OneHasher {
    /** The state while another one is in the module; none before the first byte. */
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
      // Somebody else's call may have come first, and have hashes in progress.
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
