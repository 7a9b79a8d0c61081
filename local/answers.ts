/** The running answers of an HTTP server, so that it can be closed after they have ended. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Answers {
  /** Resolves when none is running, or after the time. */
  ended(graceMs: number): Promise<void>;
}

export function watchAnswers(server: Server): Answers {
  const running = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  return {
    async ended(graceMs) {
      const until = Date.now() + graceMs;
      while (running.size > 0 && Date.now() < until) {
        const ended = Promise.all([...running].map((response) => once(response, 'close')));
        await Promise.race([ended, pause(until - Date.now(), undefined, { ref: false })]);
      }
    },
  };
}
