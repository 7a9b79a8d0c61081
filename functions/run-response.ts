/** The worker of background responses: the function of `POST /v1/responses`, asked by what is stored of a request. */
import type { BackgroundStore, RunHold, RunHost, RunResponse, StartRun } from '../lib/core/background.ts';
import { GatewayError } from '../lib/core/errors/errors.ts';
import { operationNamed } from '../lib/core/operations.ts';
import type { OpenMeter, RequestMeter } from '../lib/core/ports/metering.ts';
import { serve } from '../lib/http/serve.ts';
import { type AnswerRun, createRunResponse } from '../lib/operations/responses/background/run.ts';
import { isLate, neverBegan } from '../lib/operations/responses/background/run-state.ts';
import { endingAt } from '../lib/operations/responses/background/run-upstream.ts';
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import { storedBackground } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { ownRequest } from './own-request.ts';

/** No one waits for a heartbeat. */
const noHeartbeatMs = 24 * 3_600_000;

/** `startNext`: starts the next worker of a run. */
export function create(
  variables: Variables,
  startNext: (host: RunHost) => StartRun | undefined,
): RunResponse {
  const { background: _, readOn: __, ...runtime } = responsesRuntime(variables);
  const { runs, release } = storedBackground(variables);
  const operation = operationNamed('responses');
  return async (ref, host) => {
    /** What was reserved for the run, while nothing is metered for it. */
    let unmetered: RunHold | undefined;
    const begin: BackgroundStore['begin'] = async (...asked) => {
      const run = await runs.begin(...asked);
      // What a provider goes on with may cost something: the aggregator ends the record that no worker ends.
      unmetered = run?.upstream ? undefined : run?.hold;
      return run;
    };
    const answer: AnswerRun = async ({ run, request, option, responses }, { requestId, ...runHost }) => {
      const { hold } = run;
      const { maxToolCalls } = hold ?? {};
      const endpoint = responsesEndpoint({ ...runtime, responses, run: { ...option, maxToolCalls } });
      const openMeter: OpenMeter = (key, id, user) => {
        const meter = runtime.openMeter(key, id, user, hold);
        unmetered = undefined;
        const finish: RequestMeter['finish'] = async (finished) => {
          const isOpen = option.upstream.isHandedOver() || (run.upstream && !finished);
          if (!isOpen) await meter.finish(finished);
        };
        return { ...meter, finish };
      };
      const identify = async () => {
        if (isLate(run, runtime.now())) throw new GatewayError('deadline_exceeded', neverBegan);
        const key = await runtime.findKeyByHash(run.keyHash);
        if (key) return key;
        throw new GatewayError(
          'invalid_api_key',
          'The API key of the request is disabled or expired by now.',
        );
      };
      const parts = { ...runtime, identify, openMeter, heartbeatMs: noHeartbeatMs };
      const handle = serve(operation, endpoint, parts);
      // One request has one id, in the answer `queued` and in its record.
      const id = hold?.record.requestId ?? requestId;
      // Bytes are counted in the memory of the host. As the caller sent it, but always for a stream.
      const body = Buffer.from(JSON.stringify({ ...request, stream: true }));
      return await handle(ownRequest('responses', run.headers, body), { ...runHost, requestId: id });
    };
    const { responses, log, newId, now } = runtime;
    const start = startNext(host);
    const end = endingAt(runtime);
    const parts = { runs: { ...runs, begin }, responses, log, newId, now, start, end, answer };
    const outcome = await createRunResponse(parts)(ref, host);
    if (unmetered) await release(unmetered);
    return outcome;
  };
}
