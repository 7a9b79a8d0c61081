/**
 * Calls of a database that is given up once it is silent: where none of this environment's calls has been answered for a
 * while. A database that many ask at once is slow, but not silent: it must not be taken for one that is down.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { AwsCall } from '../core/ports.ts';

/** What a call that is given up rejects with; it may take place all the same. */
export class DatabaseSilent extends Error {
  constructor() {
    super('The database does not answer.');
    this.name = 'DatabaseSilent';
  }
}

/** How long a call waits while the one before found the database silent. */
const briefMs = 100;

export function whileAnswering(call: AwsCall, patienceMs: number): AwsCall {
  let heardAt = 0;
  let isSilent = false;
  const hear = () => {
    heardAt = performance.now();
    isSilent = false;
  };
  async function silence(signal: AbortSignal): Promise<never> {
    const startedAt = performance.now();
    const patience = isSilent ? Math.min(briefMs, patienceMs) : patienceMs;
    const left = () => patience - (performance.now() - Math.max(startedAt, heardAt));
    while (left() > 0) {
      await sleep(left(), undefined, { signal });
      // Where this process was busy itself, an answer may wait to be read.
      for (let turns = 0; turns < 3; turns += 1) await turn(undefined, { signal });
    }
    isSilent = true;
    throw new DatabaseSilent();
  }
  return async (...args) => {
    const answered = new AbortController();
    const answer = call(...args).finally(hear);
    try {
      return await Promise.race([answer, silence(answered.signal)]);
    } finally {
      answered.abort();
    }
  };
}
