/** Starts workers in Node. */
import { Worker } from 'node:worker_threads';
import type { Port } from './worker.js';

export type { Port };

/** Starts a worker. */
export async function startWorker(): Promise<Port> {
  const worker = new Worker(new URL('./worker.entry.node.js', import.meta.url));
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  return {
    post: (message, transferred = []) => worker.postMessage(message, transferred),
    listen: (message, failure) => {
      worker.on('message', message);
      worker.on('error', (error: Error) => failure(error.message));
    },
    end: () => void worker.terminate(),
  };
}
