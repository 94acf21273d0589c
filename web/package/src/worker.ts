/** Workers of browsers. */

/** A worker that runs. */
export interface Port {
  /** Posts a message; buffers that are transferred are not copied. */
  post(message: unknown, transferred?: ArrayBuffer[]): void;
  listen(message: (message: unknown) => void, failure: (why: string) => void): void;
  end(): void;
}

/** Starts a worker; fails where that is refused. */
export async function startWorker(): Promise<Port> {
  const worker = new Worker(new URL('./worker.entry.js', import.meta.url), { type: 'module' });
  // A worker whose script cannot be had says so later.
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
