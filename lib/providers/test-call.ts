/** A call that only looks whether a credential is accepted: it is free of charge, and generates nothing. */
import { GatewayError } from '../core/errors/errors.ts';
import type { Send, Timeouts } from '../core/ports/http.ts';
import type { ProviderAccess } from '../core/ports/provider-access.ts';
import { createEndpoints } from '../transport/aws/aws-endpoints.ts';
import { type Provider, rootOf, settingsOf } from './provider.ts';

interface TestedCall {
  /** Whether the credential is accepted; null: the provider has no such call. */
  readonly ok: boolean | null;
  /** What the provider answered; null: nothing. */
  readonly status: number | null;
  readonly failure: 'refused' | 'limited' | 'failed' | 'unreachable' | null;
}

const timeouts: Timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000 };

const untested: TestedCall = { ok: null, status: null, failure: null };

/** The address of the call, by the account; the list of models where it is not named. */
const urls: Readonly<
  Record<string, (root: string, access: ProviderAccess, region: string) => string | undefined>
> = {
  // Source: docs.cohere.com, reference "List Models".
  cohere: (root) => `${root.replace(/\/v2$/, '/v1')}/models`,
  // A key of Amazon Bedrock is for both of its services. Source: Bedrock user guide, "API keys", supported operations.
  bedrock: (root, { sandbox, endpointOf = createEndpoints('us-east-1') }, region) =>
    `${sandbox ? root : endpointOf('bedrock', region)}/foundation-models`,
  // Its list of models is public. Source: openrouter.ai/docs, "Get current API key".
  openrouter: (root) => `${root}/key`,
  huggingface: () => undefined,
  // A token that was given is all that there is to see: their lists of models are those of a project.
  'google-vertex': () => undefined,
};

/** Never rejects for a failure of the provider. */
export async function testCredential(
  provider: Provider,
  access: ProviderAccess,
  { send, region }: { readonly send: Send; readonly region: string },
): Promise<TestedCall> {
  const { account } = settingsOf(provider);
  const root = rootOf(provider, region, access);
  const urlOf = urls[account] ?? ((base: string) => `${base}/models`);
  const url = urlOf(root, access, region);
  try {
    const request = await provider.authorize(
      { method: 'GET', url: url ?? root, headers: {} },
      access,
      region,
    );
    if (url === undefined)
      return { ...untested, ok: access.settings.credentials === undefined ? null : true };
    const { status, body } = await send(request, { timeouts });
    await body[Symbol.asyncIterator]().return?.();
    return meaningOf(status);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const failure = error.kind === 'upstream_credentials' ? 'refused' : 'unreachable';
    return { ok: false, status: null, failure };
  }
}

function meaningOf(status: number): TestedCall {
  if (status >= 200 && status <= 299) return { ok: true, status, failure: null };
  if (status === 404 || status === 405) return { ...untested, status };
  if (status === 401 || status === 403) return { ok: false, status, failure: 'refused' };
  return { ok: false, status, failure: status === 429 || status === 402 ? 'limited' : 'failed' };
}
