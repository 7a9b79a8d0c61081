/**
 * The two addresses that report how a process is, for balancers and orchestrators. `/healthz`: it runs. `/readyz`: it should get
 * requests. They need no key, are not logged, and are answered whatever the Host header is: a balancer calls by address.
 */
import type { ServerResponse } from 'node:http';

/** Why a process should get no requests. */
type NotReady = 'draining' | 'database';

export interface Health {
  /** Answers if this is the path of a check. Returns whether it was. */
  answer(path: string, response: ServerResponse): boolean;
}

interface HealthOptions {
  readonly isDraining: () => boolean;
  /** Never rejects. */
  readonly checkDatabase: () => Promise<boolean>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** The database is asked no more often, however often the checks are. */
const checkFreshMs = 5_000;

export function createHealth({ isDraining, checkDatabase, now }: HealthOptions): Health {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checked = Promise.resolve(true);
  const isDatabaseThere = () => {
    // Absolute: a system clock may be set back.
    if (Math.abs(now() - checkedAt) >= checkFreshMs) {
      checkedAt = now();
      checked = checkDatabase();
    }
    return checked;
  };
  const findReason = async (): Promise<NotReady | undefined> => {
    if (isDraining()) return 'draining';
    return (await isDatabaseThere()) ? undefined : 'database';
  };
  return {
    answer(path, response) {
      if (path === '/healthz') send(response, undefined);
      else if (path === '/readyz') void findReason().then((reason) => send(response, reason));
      else return false;
      return true;
    },
  };
}

function send(response: ServerResponse, reason: NotReady | undefined): void {
  const body = JSON.stringify(reason ? { status: 'unavailable', reason } : { status: 'ok' });
  response
    .writeHead(reason ? 503 : 200, {
      'content-type': 'application/json',
      'content-length': body.length,
      'cache-control': 'no-store',
    })
    .end(body);
}
