/**
 * A queue of messages. The first is a task. The others contain the pieces of a stream; a message without bytes marks its end.
 */
export function inbox<Task>() {
  let begin: (task: Task) => void;
  const first = new Promise<Task>((resolve) => (begin = resolve));
  const waiting: { bytes?: Uint8Array }[] = [];
  let wake: (() => void) | undefined;
  let begun = false;
  return {
    first,
    receive(message: unknown): void {
      if (begun) {
        waiting.push(message as { bytes?: Uint8Array });
        wake?.();
      } else {
        begun = true;
        begin(message as Task);
      }
    },
    async more(): Promise<Uint8Array | undefined> {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return waiting.shift()!.bytes;
    },
  };
}
