/** Client secrets for realtime sessions: `POST /v1/realtime/client_secrets`. */
import type { Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { sessionUnseen } from '../../core/errors/session-unseen.ts';
import { appliedPolicies } from '../../core/guardrails/applied.ts';
import { realtimeTask } from '../../pipeline/call-realtime.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { keepsNothing } from '../../pipeline/plan-targets.ts';
import { oneCallEndpoint } from '../one-call/endpoint.ts';
import { type ClientSecretsInput, readClientSecrets } from './read.ts';
import { clientSecretsSchema } from './schema.ts';

export function clientSecretsEndpoint(
  parts: PipelineParts,
): Endpoint<typeof clientSecretsSchema, ClientSecretsInput> {
  const endpoint = oneCallEndpoint(parts, {
    endpoint: 'realtime',
    schema: clientSecretsSchema,
    read: (body, _given, header) => readClientSecrets(body, header),
    texts: () => [],
    withTexts: (request) => request,
    task: (input) => realtimeTask(parts, input),
    nothing: { value: '', expiresAt: 0, session: {}, sandbox: false },
    write: (_call, { result: { value, expiresAt, session }, headers, debug }) => ({
      type: 'json',
      headers: { ...headers, 'cache-control': 'no-store' },
      // The session has the provider's name of its model, which its client sends there.
      body: { value, expires_at: expiresAt, session, ...debug() },
    }),
  });
  return {
    ...endpoint,
    async answer(call) {
      checkUnseen(call);
      try {
        return await endpoint.answer(call);
      } catch (error) {
        const isOfModel = error instanceof GatewayError && error.param === 'model';
        throw isOfModel ? error.with({ param: call.input.modelPath }) : error;
      }
    },
  };
}

/** Throws GatewayError for a caller to whom something is promised of all that is said. */
function checkUnseen({ key, input }: Call<ClientSecretsInput>): void {
  if (appliedPolicies(key ?? {}, input.guardrails).length > 0)
    throw sessionUnseen('no guardrail can look at it', 'guardrails');
  if (keepsNothing(input, { ...(key && { key }) }))
    throw sessionUnseen(
      'nothing keeps its client from having it traced at the provider',
      'zero data retention',
    );
}
