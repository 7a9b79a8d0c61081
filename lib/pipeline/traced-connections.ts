/**
 * Names the trace of a request in the calls of its attempts, for the providers that the operator has chosen. The headers are added
 * to a request that is authorized: they are not signed, and no signature depends on them.
 */

import type { Target } from '../core/catalog/model.ts';
import type { Call } from '../core/endpoint.ts';
import { parentHeader, spanIdOf } from '../core/trace-context.ts';
import type { Connections } from './use/account.ts';

const allProviders = 'all';

/** Of the last attempt of the call. The same connections where nothing is to be named. */
export function tracedConnections(
  connections: Connections,
  { trace, requestId, facts }: Pick<Call<unknown>, 'trace' | 'requestId' | 'facts'>,
  { deployment: { provider } }: Target,
): Connections {
  const { tracedProviders = [], send } = connections;
  if (!trace || !(tracedProviders.includes(provider) || tracedProviders.includes(allProviders)))
    return connections;
  const named = {
    traceparent: parentHeader(trace, spanIdOf(requestId, facts.attempts.length)),
    ...(trace.state !== undefined && { tracestate: trace.state }),
  };
  return {
    ...connections,
    send: (request, options) => send({ ...request, headers: { ...request.headers, ...named } }, options),
  };
}
