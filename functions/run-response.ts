/** The worker of background responses: the function of `POST /v1/responses`, asked by what is stored of a request. */
import type { RunResponse } from '../lib/core/background.ts';
import { GatewayError } from '../lib/core/errors/errors.ts';
import { operationNamed } from '../lib/core/operations.ts';
import type { HttpRequest } from '../lib/http/request/http-request.ts';
import { serve } from '../lib/http/serve.ts';
import { type AskedRun, createRunResponse } from '../lib/operations/responses/background/run.ts';
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import { storedBackground } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

/** No one waits for a heartbeat. */
const noHeartbeatMs = 24 * 3_600_000;

export function create(variables: Variables): RunResponse {
  const { background: _, readOn: __, ...runtime } = responsesRuntime(variables);
  const { runs } = storedBackground(variables);
  const operation = operationNamed('responses');
  return createRunResponse({
    runs,
    responses: runtime.responses,
    log: runtime.log,
    newId: runtime.newId,
    answer({ run, request, option, responses }, host) {
      const endpoint = responsesEndpoint({ ...runtime, responses, run: option });
      const identify = async () => {
        const key = await runtime.findKeyByHash(run.keyHash);
        if (key) return key;
        throw new GatewayError(
          'invalid_api_key',
          'The API key of the request is disabled or expired by now.',
        );
      };
      const handle = serve(operation, endpoint, { ...runtime, identify, heartbeatMs: noHeartbeatMs });
      return handle(requestOf({ run, request }), host);
    },
  });
}

/** As the caller sent it, but always for a stream. */
function requestOf({ run, request }: Pick<AskedRun, 'run' | 'request'>): HttpRequest {
  const { method, path } = operationNamed('responses');
  const headers: Readonly<Record<string, string>> = { ...run.headers, 'content-type': 'application/json' };
  const header = (name: string) => headers[name];
  return {
    method,
    path,
    template: path,
    pathParameters: {},
    query: {},
    header,
    headerValues: (name) => [header(name)].filter((value) => value !== undefined),
    // Bytes are counted in the memory of the host.
    body: Buffer.from(JSON.stringify({ ...request, stream: true })),
    sourceIp: '',
  };
}
