/** The worker of background responses, which then tells their tenants how they ended. */
import { handedOver, type RunResponse } from '../lib/core/background.ts';
import { readEnd } from '../lib/operations/responses/background/tell-end.ts';
import { startNextOf, startRunOf } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { announceEvent } from '../lib/runtime/webhook-runtime.ts';
import { create as createRunResponse } from './run-response.ts';

export function create(variables: Variables): RunResponse {
  const load = async () => ({ create });
  const run = createRunResponse(variables, (host) => startNextOf(variables, host, load));
  const start = startRunOf(variables, load);
  const background = { ...responsesRuntime(variables).background, start };
  const { isListening, announce } = announceEvent(variables);
  return async (ref, host) => {
    const outcome = await run(ref, host);
    if (outcome === handedOver) return;
    const end = await readEnd({ background, isListening }, ref);
    if (end) await announce(end, host);
  };
}
