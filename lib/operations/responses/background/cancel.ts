/** Cancels a response that is created in the background: `POST /v1/responses/{response_id}/cancel`. */
import * as z from 'zod/mini';
import type { RunRef } from '../../../core/background.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { plainEndpoint } from '../../plain-endpoint.ts';
import { orNotFound, responseIdField } from '../stored/stored-format.ts';
import { type BackgroundParts, findRun, releaseRun, writeRun } from './run-state.ts';

export const schema = z.object({ response_id: responseIdField });

interface CancelParts {
  readonly responses: ResponseStore;
  readonly background: BackgroundParts;
}

export const cancelResponseEndpoint = (parts: CancelParts) =>
  plainEndpoint({ schema, hasNoBody: true }, async ({ input, key }) => {
    const ref = { tenant: key?.tenant ?? '', id: input.response_id };
    const stored = await (await parts.responses.find(ref.tenant, ref.id))?.readResponse();
    if (stored) throw notCancelled(stored);
    return { type: 'json', body: orNotFound(await cancel(parts.background, ref), input) };
  });

/** Again where a worker began between the look and the change. Cancelled twice, it is what the first call made of it. */
async function cancel(parts: BackgroundParts, ref: RunRef): Promise<JsonObject | undefined> {
  for (;;) {
    const found = await parts.runs.find(ref);
    // One that still waits for a worker is cancelled, however long it has waited.
    const run = found?.status === 'queued' ? found : await findRun(parts, ref);
    if (!run) return undefined;
    const response = await writeRun(parts, run);
    if (!response || run.status === 'cancelled') return response;
    if (run.status === 'failed' || run.status === 'done')
      throw notCancelled({ ...response, status: run.status });
    if (await parts.runs.cancel(run)) {
      await releaseRun(parts, run);
      return { ...response, status: 'cancelled' };
    }
  }
}

function notCancelled({ background, status }: JsonObject): GatewayError {
  const problem =
    background === true
      ? `The response cannot be cancelled, because it has ended: its status is '${status === 'done' ? 'completed' : status}'.`
      : "Only a response that was created with 'background': true can be cancelled.";
  return new GatewayError('invalid_request', problem, { param: 'response_id' });
}
