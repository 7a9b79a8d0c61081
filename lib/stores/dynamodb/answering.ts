/**
 * Calls of a database that is given up once it is silent: where none of this environment's calls has been answered for a
 * while. A database that many ask at once is slow, but not silent: it must not be taken for one that is down.
 */
import type { AwsCall } from '../../core/ports.ts';

/** What a call that is given up rejects with; it may take place all the same. */
export class DatabaseSilent extends Error {
  constructor() {
    super('The database does not answer.');
    this.name = 'DatabaseSilent';
  }
}

/** How long a call waits while the one before found the database silent. */
const briefMs = 100;

/** Where this process was busy itself, an answer may wait to be read: so many turns of the event loop are left to it. */
const turnsToRead = 3;

export function whileAnswering(call: AwsCall, timeoutMs: number): AwsCall {
  let heardAt = 0;
  let isSilent = false;
  const hear = () => {
    heardAt = performance.now();
    isSilent = false;
  };
  /** Calls `tell` once the database is silent; gives what ends the watch. */
  function watch(tell: () => void): () => void {
    const startedAt = performance.now();
    const patience = isSilent ? Math.min(briefMs, timeoutMs) : timeoutMs;
    const left = () => patience - (performance.now() - Math.max(startedAt, heardAt));
    let isOver = false;
    const look = (turns: number) => {
      if (isOver) return;
      if (turns > 0) {
        setImmediate(look, turns - 1);
      } else if (left() > 0) {
        timer = setTimeout(look, left(), turnsToRead);
      } else {
        isSilent = true;
        tell();
      }
    };
    let timer = setTimeout(look, left(), turnsToRead);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }
  return async (...args) => {
    const silence = Promise.withResolvers<never>();
    const end = watch(() => silence.reject(new DatabaseSilent()));
    try {
      return await Promise.race([call(...args).finally(hear), silence.promise]);
    } finally {
      end();
    }
  };
}
