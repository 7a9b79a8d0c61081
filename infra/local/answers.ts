/** The answers that an HTTP server has under way, so that it need not be closed over them. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Answers {
  /** Resolves when none is under way, or when the time is up. */
  ended(graceMs: number): Promise<void>;
}

export function watchAnswers(server: Server): Answers {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  return {
    async ended(graceMs) {
      const until = Date.now() + graceMs;
      while (underWay.size > 0 && Date.now() < until) {
        const ended = Promise.all([...underWay].map((response) => once(response, 'close')));
        await Promise.race([ended, pause(until - Date.now(), undefined, { ref: false })]);
      }
    },
  };
}
