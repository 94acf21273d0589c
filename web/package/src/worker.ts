/** Starts workers in browsers. */

/** A running worker. */
export interface Port {
  /** Sends a message. Buffers in `transferred` are moved to the worker, not copied. */
  post(message: unknown, transferred?: ArrayBuffer[]): void;
  listen(message: (message: unknown) => void, failure: (why: string) => void): void;
  end(): void;
}

/** Starts a worker; fails if the browser doesn't allow it. */
export async function startWorker(): Promise<Port> {
  const worker = new Worker(new URL('./worker.entry.js', import.meta.url), { type: 'module' });
  // If the worker's script can't be loaded, the constructor doesn't throw: the error arrives later, as an event.
  await new Promise<void>((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = (event) => reject(new Error(event.message));
  });
  return {
    post: (message, transferred = []) => worker.postMessage(message, transferred),
    listen: (message, failure) => {
      worker.onmessage = (event) => message(event.data);
      worker.onerror = (event) => failure(event.message);
    },
    end: () => worker.terminate(),
  };
}
