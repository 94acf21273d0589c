/** The workers of the page. Their script is embedded in the page, so that the page works from a file. */
import type * as draws from 'hashwell/draw';
import type * as processing from 'hashwell/process';
import type { Row } from './measure.js';

/** An error in a worker. */
export class Failed extends Error {
  constructor(message: string, readonly code: string) {
    super(message);
  }
}

/** The error of a call that was stopped. */
export class Stopped extends Failed {
  constructor() {
    super('stopped', 'aborted');
  }
}

interface Calls {
  plan: typeof draws.plan;
  draw: typeof draws.draw;
  verify: typeof draws.verify;
  steps: typeof draws.steps;
  processes: typeof processing.processes;
  process: typeof processing.process;
  law: typeof processing.law;
  algorithms: () => Algorithm[];
  hashFile: (file: File, names: string[]) => Record<string, string>;
  squeeze: (name: string, message: Uint8Array, offset: number, length: number) => Uint8Array;
  measure: (names: string[]) => Row[];
}

/** The properties of an algorithm that the page shows. */
export interface Algorithm {
  name: string;
  title: string;
  kind: 'digest' | 'stream';
  status: string;
  /** The size of its digest in bytes. */
  output: number;
}

interface Waiting {
  done: (result: never) => void;
  failed: (error: Error) => void;
  progress: ((value: never) => void) | undefined;
}

/** Returns the bytes in a script element that contains data. */
export function inert(id: string): Uint8Array<ArrayBuffer> {
  const text = document.getElementById(id)?.textContent?.trim() ?? '';
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The modules of each engine. */
const MODULES = { hash: ['hash', 'simd'], draw: ['draw'] } as const;

let script: string | undefined;

function address(): string {
  script ??= URL.createObjectURL(new Blob([inert('worker')], { type: 'text/javascript' }));
  return script;
}

/** A worker with one of the engines. */
export class Remote {
  /** A function that is called with the progress. */
  progress: ((value: never) => void) | undefined;
  private worker: Worker | undefined;
  private started: Promise<unknown> | undefined;
  private number = 0;
  /** The number of calls that have not ended. */
  private calls = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly engine: keyof typeof MODULES) {}

  /** Calls a function of the engines in the worker. */
  async call<K extends keyof Calls>(name: K, ...given: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    this.calls += 1;
    try {
      const started = this.start();
      await started;
      // The call may have been stopped while the worker started.
      if (this.started !== started) throw new Stopped();
      return await (this.post(name, given) as Promise<ReturnType<Calls[K]>>);
    } finally {
      this.calls -= 1;
    }
  }

  /** Starts the worker if it isn't running. */
  start(): Promise<unknown> {
    if (!this.started) {
      const worker = new Worker(address());
      this.worker = worker;
      worker.onmessage = ({ data }) => this.answer(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.end(new Failed(event.message || 'the worker stopped', 'internal'));
      };
      const started = this.post('start', [Object.fromEntries(MODULES[this.engine].map((name) => [name, inert(`${name}-module`)]))]);
      this.started = started;
      // If this fails, the next call tries again.
      started.catch(() => this.started === started && this.close());
    }
    return this.started;
  }

  /** Stops all running calls. If there were any, the next call starts a new worker. */
  stop(): void {
    if (this.calls > 0) this.close();
  }

  /** Stops the worker. */
  close(): void {
    this.end(new Stopped());
  }

  private end(error: Error): void {
    this.worker?.terminate();
    this.worker = this.started = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    waiting.forEach(({ failed }) => failed(error));
  }

  private post(name: string, given: unknown[]): Promise<never> {
    this.number += 1;
    const number = this.number;
    return new Promise((done, failed) => {
      this.waiting.set(number, { done, failed, progress: this.progress });
      this.worker?.postMessage([number, name, given]);
    });
  }

  private answer([number, how, result, code]: [number, string, never, string]): void {
    const waiting = this.waiting.get(number);
    if (how === 'progress') {
      waiting?.progress?.(result);
      return;
    }
    this.waiting.delete(number);
    if (how === 'done') waiting?.done(result);
    else waiting?.failed(new Failed(result, code));
  }
}
