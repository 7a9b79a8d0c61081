/** The worker of background responses, which then sends an event to the webhook of the tenant. */
import { handedOver, type RunHost, type RunResponse } from '../lib/core/background.ts';
import { readEnd } from '../lib/operations/responses/background/end-event.ts';
import { startNextOf } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { announceEvent } from '../lib/runtime/webhook-runtime.ts';
import { create as createRunResponse } from './run-response.ts';

export function create(variables: Variables): RunResponse {
  const startNext = (host: RunHost) => startNextOf(variables, host, async () => ({ create }));
  const run = createRunResponse(variables, startNext);
  const { background } = responsesRuntime(variables);
  const { isListening, announce } = announceEvent(variables);
  return async (ref, host) => {
    const outcome = await run(ref, host);
    if (outcome === handedOver) return;
    const parts = { background: { ...background, start: startNext(host) }, isListening };
    const end = await readEnd(parts, ref);
    if (end) await announce(end, host);
  };
}
