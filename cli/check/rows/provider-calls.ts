/**
 * Whether providers answer: each that is ready is asked for one token, through the deployed gateway, so that its keys, its role and
 * the network are those of a caller's request. Only when asked for.
 */

import { providerStates } from '../../../lib/admin/providers/provider-states.ts';
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts';
import type { Model } from '../../../lib/core/catalog/model.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { type Finding, failed, ok, type StackCheck, warning } from '../check.ts';
import { outputOf } from '../deployed-gateway.ts';
import { systemCodeOf } from '../errors.ts';

const timeoutMs = 60_000;
/** Providers at a time. */
const atATime = 4;
/** Characters of the gateway's own message that are shown. */
const shownLength = 200;

export const providerCalls: StackCheck = {
  id: 'provider-calls',
  title: 'Provider calls',
  of: 'stack',
  about: 'With --call: each provider that has a key answers a request for one token.',
  needs: ['ssm:DescribeParameters', 'dynamodb:Scan'],
  async run({ gateway, gatewayKey }) {
    if (gatewayKey === undefined) return [];
    const url = await outputOf(gateway, 'OpenAiBaseUrl');
    const installation = await gateway.installation();
    const states = await providerStates(installation);
    const models = (await installation.catalog.list()).map(({ row }) => readModelRow(row, 'ignore'));
    const ready = states.filter(({ isReady }) => isReady).map(({ provider }) => provider.name);
    return await mapConcurrently(ready, atATime, (provider) => {
      const asked = requestFor(provider, models);
      if (asked) return ask(`${url}${asked.path}`, asked.body, { provider, gatewayKey });
      return Promise.resolve(
        warning(`${provider}: not called.`, 'The catalog has no model of it that can be asked for text.'),
      );
    });
  },
};

interface Asked {
  readonly path: string;
  readonly body: { readonly model: string };
}

/** A request that only this provider can answer, to its cheapest model. */
function requestFor(provider: string, models: readonly Model[]): Asked | undefined {
  const own = models
    .filter(
      ({ status, deployments }) =>
        status === 'active' && deployments.some((one) => one.provider === provider),
    )
    .sort((one, other) => outputPrice(one) - outputPrice(other));
  const chat = own.find(({ endpoints }) => endpoints.includes('chat_completions'));
  if (chat) {
    const messages = [{ role: 'user', content: 'Hi' }];
    const body = { model: chat.id, messages, max_completion_tokens: 1, provider: { only: [provider] } };
    return { path: '/chat/completions', body };
  }
  const embedding = own.find(
    ({ endpoints, deployments }) =>
      endpoints.includes('embeddings') && deployments.every((one) => one.provider === provider),
  );
  return embedding && { path: '/embeddings', body: Object.assign({ model: embedding.id }, { input: 'Hi' }) };
}

const outputPrice = ({ prices }: Model): number => prices.at(-1)?.price.output ?? Number.POSITIVE_INFINITY;

async function ask(
  url: string,
  body: { readonly model: string },
  { provider, gatewayKey }: { readonly provider: string; readonly gatewayKey: string },
): Promise<Finding> {
  const headers = { authorization: `Bearer ${gatewayKey}`, 'content-type': 'application/json' };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const answer = (await response.json().catch(() => ({}))) as { readonly error?: GatewayAnswer };
    if (response.status === 200) return ok(`${provider} answers (${body.model}).`);
    const { code = 'unknown', message = '' } = answer.error ?? {};
    const text = `${provider} (${body.model}): status ${response.status}, ${code}: ${message.slice(0, shownLength)}`;
    return failed(
      text,
      'docs/reference/errors.md says what each code means; the log line of the request has the reason.',
    );
  } catch (error) {
    const reason = systemCodeOf(error) ?? 'no answer in time';
    return failed(
      `${provider} (${body.model}): ${reason}.`,
      'Check that the base URL can be reached from here.',
    );
  }
}

interface GatewayAnswer {
  readonly code?: string | null;
  readonly message?: string;
}
