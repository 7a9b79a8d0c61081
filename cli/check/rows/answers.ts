/** Whether the gateway, its dashboard and its providers answer. */

import { adminStackName } from '../../../infra/names.ts';
import { act } from '../../../infra/tables/table-calls.ts';
import { providerStates } from '../../../lib/admin/providers/provider-states.ts';
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts';
import type { Model } from '../../../lib/core/catalog/model.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import {
  type DeployedGateway,
  type Finding,
  failed,
  ok,
  outputOf,
  type StackCheck,
  systemCodeOf,
  warning,
} from '../check.ts';

const timeoutMs = 15_000;

/** The gateway answers at its base URL, and its catalog has models. */
export const gatewayAnswers: StackCheck = {
  id: 'answers',
  title: 'Answers',
  needs: [],
  async run({ gateway }) {
    const url = `${await outputOf(gateway, 'OpenAiBaseUrl')}/models`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (response.status !== 200)
        return failed(
          `GET ${url} is answered with status ${response.status}.`,
          'Read the log of the function of models.',
        );
      const { data = [] } = (await response.json()) as { readonly data?: readonly unknown[] };
      if (data.length > 0) return [ok(`${data.length} models at ${url}.`)];
      return [
        failed('the catalog is empty.', `Run npm run gateway -- catalog sync --stack ${gateway.name}.`),
      ];
    } catch (error) {
      const code = systemCodeOf(error);
      const reason = code ? ` (${code})` : '';
      return [
        warning(`${url} cannot be reached from here${reason}.`, 'A private API answers only in its network.'),
      ];
    }
  },
};

/** Undefined without a dashboard, and where its creation has not ended: its state has a line of its own. */
const outputsOf = async (gateway: DeployedGateway) =>
  (await gateway.facts(adminStackName(gateway.name)))?.outputs;

/** The dashboard answers at its address. */
export const dashboardAnswers: StackCheck = {
  id: 'dashboard',
  title: 'Dashboard',
  needs: ['cloudformation:DescribeStacks'],
  async run({ gateway }) {
    const url = (await outputsOf(gateway))?.get('DashboardUrl');
    if (url === undefined) return [];
    try {
      const { status, headers } = await fetch(url, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (status === 200 && headers.get('content-type')?.startsWith('text/html')) return ok(url);
      const text = `GET ${url} is answered with status ${status}, and not with the dashboard.`;
      return failed(text, 'Deploy it again; with a domain of your own, check its DNS record.');
    } catch (error) {
      const code = systemCodeOf(error);
      const text = `${url} cannot be reached from here${code ? ` (${code})` : ''}.`;
      return warning(text, 'With a domain of your own, check its DNS record (DashboardDomainTarget).');
    }
  },
};

/** Someone in the user pool of the dashboard is an operator. */
export const firstOperator: StackCheck = {
  id: 'dashboard-operator',
  title: 'Operator',
  needs: ['cognito-idp:ListUsersInGroup'],
  async run({ aws, gateway }) {
    const pool = (await outputsOf(gateway))?.get('UserPoolId');
    if (pool === undefined) return [];
    const input = { UserPoolId: pool, GroupName: 'operator', Limit: 1 };
    const { Users } = await act(aws.json('cognito-idp'), 'ListUsersInGroup', input);
    if ((Users as readonly unknown[]).length > 0) return ok(`the user pool ${pool} has one.`);
    const remedy =
      'Deploy with -c operatorEmail=<address>, or see "First sign-in" in docs/operate/dashboard.md.';
    return warning(`no one in the user pool ${pool} is an operator.`, remedy);
  },
};

/** Providers have the keys and settings that they need. */
export const providerKeys: StackCheck = {
  id: 'provider-keys',
  title: 'Provider keys',
  needs: ['ssm:DescribeParameters', 'dynamodb:Scan'],
  async run({ gateway }) {
    const states = await providerStates(await gateway.installation());
    const names = (isReady: boolean) =>
      states.filter((state) => state.isReady === isReady).map(({ provider }) => provider.name);
    const ready = names(true);
    const incomplete = states.filter(({ isReady, from }) => !isReady && from.length > 0);
    const without = names(false).filter((name) => incomplete.every(({ provider }) => provider.name !== name));
    const remedy = `npm run gateway -- providers set-key <provider> --stack ${gateway.name}`;
    return [
      ready.some((name) => name !== 'bedrock')
        ? ok(`ready: ${ready.join(', ')}. Without a key: ${without.join(', ') || 'none'}.`)
        : warning(
            `ready: ${ready.join(', ') || 'none'}. No other provider has a key.`,
            `Store one: ${remedy}.`,
          ),
      ...incomplete.map(({ provider, problem }) =>
        warning(`${provider.name} has settings, but ${problem}.`, `Set it: ${remedy}.`),
      ),
    ];
  },
};

const callTimeoutMs = 60_000;
/** Providers at a time. */
const atATime = 4;
/** Characters of the gateway's own message that are shown. */
const shownLength = 200;

/** With --call: each provider that has a key answers a request for one token. */
export const providerCalls: StackCheck = {
  id: 'provider-calls',
  title: 'Provider calls',
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
    const signal = AbortSignal.timeout(callTimeoutMs);
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
