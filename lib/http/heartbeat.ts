/** Keeps a silent stream alive: a comment after each period without an event, only ever between two events. */
import { ping } from './server-sent-events.ts';

const silence = Symbol('silence');

export async function* heartbeat(events: AsyncGenerator<string>, periodMs: number): AsyncGenerator<string> {
  let wake: (value: typeof silence) => void = () => undefined;
  // One timer for the whole stream; `refresh` restarts it without making another.
  const timer = setTimeout(() => wake(silence), periodMs);
  try {
    let next = events.next();
    for (;;) {
      timer.refresh();
      const quiet = new Promise<typeof silence>((resolve) => {
        wake = resolve;
      });
      const first = await Promise.race([next, quiet]);
      if (first === silence) {
        yield ping;
        continue;
      }
      if (first.done) return;
      yield first.value;
      next = events.next();
    }
  } finally {
    clearTimeout(timer);
    await events.return(undefined);
  }
}
