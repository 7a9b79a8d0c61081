/** The parts of a function that calls models, as lines of batches have them: nothing is called, or only once. */
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { HttpResponse, Send } from '../../core/ports/http.ts';
import type { Log } from '../../core/ports/log.ts';
import type { FetchMedia } from '../../core/ports/media.ts';
import type { MeteredRequest, OpenMeter } from '../../core/ports/metering.ts';
import type { SharedCache } from '../../core/ports/shared-cache.ts';
import type { ResponseStore } from '../../core/stored-response.ts';
import { billOf } from '../../metering/cost/bill.ts';
import {
  notingConnections as noting,
  notSent,
  silentConnections,
} from '../../pipeline/dry-run/noting-connections.ts';
import type { Connections } from '../../pipeline/use/account.ts';
import type { Health } from '../../routing/health.ts';

/** What a batch API answers says nothing of how its provider fares with single requests. */
export const steadyHealth: Health = { isFailing: () => false, failed: () => {}, succeeded: () => {} };

/** A line has no log line of its own until it is answered. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** An answer of a batch is in its file, and nowhere else. */
export const noResponses: ResponseStore = {
  find: async () => undefined,
  put: async () => {},
  delete: async () => false,
};

const noCache: SharedCache = {
  find: async () => undefined,
  set: async () => {},
  delete: async () => {},
  claim: async () => false,
};

const refuseMedia: FetchMedia = async (_url, { param }) => {
  const message =
    'A request of a batch cannot have a link that the gateway would have to fetch for its provider. Send the content itself, as a data: URL.';
  throw new GatewayError('invalid_request', message, { param });
};

const silence = { fetchMedia: refuseMedia, sharedCache: noCache };

/** Notes what would be sent. */
export const notingConnections = (connections: Connections) => noting(connections, silence);

interface Answer {
  /** The end of the URL that it answers. */
  readonly path: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string;
}

/** Answers at once, and whatever is asked beside that not at all. */
export function answeringConnections(connections: Connections, answer: Answer) {
  let isAnswered = false;
  const response = (): HttpResponse => ({
    status: answer.status,
    // Nobody is there to be asked once more.
    headers: { 'content-type': 'application/json', ...answer.headers, 'x-should-retry': 'false' },
    body: once(Buffer.from(answer.body)),
  });
  const send: Send = async ({ url }) => {
    const isRefusal = answer.status > 299;
    if (!url.endsWith(answer.path) || (isAnswered && !isRefusal)) throw notSent();
    isAnswered = true;
    return response();
  };
  return { isAnswered: () => isAnswered, connections: silentConnections(connections, { ...silence, send }) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The meter of a line that is sent as a single request: its record names the batch, and is known at the end. `opened`: what it ends. */
export function meterOfBatch(openMeter: OpenMeter, batch: string, opened?: MeteredRequest) {
  let record: LedgerRecord | undefined;
  const open: OpenMeter = (key, requestId, user) => {
    const meter = openMeter(key, requestId, user, opened);
    return {
      ...meter,
      begin: (request) => meter.begin(request && { ...request, batch }),
      async finish(request) {
        const named = request && { ...request, batch };
        if (named) record = billOf(named, key.tenantPolicy?.pricing);
        await meter.finish(named);
      },
    };
  };
  return { openMeter: open, record: () => record };
}
