/** One gateway for the tests of a file, keys of it that have limits, and an upstream that answers on command. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach } from 'vitest';
import type { LimitScope, LimitUsage } from '../../lib/core/accounting/limits.ts';
import type { Limits, TenantTerms } from '../../lib/core/tenancy.ts';
import { maxTokensOf } from '../../lib/pipeline/generation/bounds/token-bounds.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { chatAnswer, chatUsage } from '../harness/chat-answers.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { postJson } from '../harness/post.ts';
import { type StoppedClock, useStoppedClock } from '../harness/stopped-clock.ts';
import { type FaultyStore, startFaultyStore } from '../harness/store-faults.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const model = 'openai/gpt-4.1';

/** What the upstream counts for each answer, and what that costs in nano-dollars. */
export const usage = chatUsage(10, 5);
export const costOfAnswer = 10 * 2_000 + 5 * 8_000;

const text = 'Say something.';

export const question = {
  model,
  max_completion_tokens: 50,
  messages: [{ role: 'user' as const, content: text }],
};

/** The maximum of the question: each of its bytes is a token. */
const most = maxTokensOf(
  testRequest(
    { max_completion_tokens: question.max_completion_tokens },
    { messages: [{ role: 'user', content: [{ type: 'text', text }] }] },
  ),
  testTarget(),
);
export const maxTokens = most.input + most.output;
export const maxInputCost = most.input * 2_000;
export const outputCost = 8_000;
export const maxCost = maxInputCost + most.output * outputCost;

export const answers = answerJson(chatAnswer('Something.', usage));

interface LimitedGateway {
  url(): string;
  /** Each test starts 30 seconds into a minute. */
  readonly clock: StoppedClock;
  readonly upstream: Upstream;
  /** The gateway's database; all is well with it at the start of each test. */
  readonly store: FaultyStore;
  /** A key of a new tenant, or of the one that is named. */
  newKey(limits: {
    readonly key?: Limits;
    readonly tenant?: Limits;
    readonly terms?: Omit<TenantTerms, 'throughput'>;
    readonly name?: string;
  }): Promise<{ readonly secret: string; readonly key: LimitScope; readonly tenant: LimitScope }>;
  ask(
    secret: string,
    body?: object,
    init?: { readonly path?: string; readonly signal?: AbortSignal; readonly user?: string },
  ): Promise<Response>;
  usageOf(scope: LimitScope): Promise<LimitUsage | undefined>;
  /** As soon as nothing is held any more. */
  settledUsageOf(scope: LimitScope): Promise<LimitUsage | undefined>;
  /** Answers are held back from now on until the function that this gives is called. */
  hold(): () => void;
}

/** `environment`: of the gateway, by the URL of the upstream. */
export function useLimitedGateway(
  environment: (upstreamUrl: string) => Readonly<Record<string, string>> = () => ({}),
): LimitedGateway {
  const clock = useStoppedClock();
  const store = use(() => startFaultyStore());
  const upstream = use(() => startUpstream());
  const gateway = use(() =>
    startTestGateway(
      {
        OPENAI_API_KEY: 'test',
        OPENAI_UPSTREAM_URL: `${upstream.url}/v1`,
        GATEWAY_READ_ON_MS: '500',
        ...environment(upstream.url),
      },
      { database: store },
    ),
  );
  beforeEach(() => {
    clock.set({ seconds: 30 });
    upstream.script(answers);
    store.setFaults(undefined);
  });
  const access = () => ({ call: store.call, table: 'access' });
  const usageOf = (scope: LimitScope) =>
    createLimitStore({ call: store.call, table: 'usage', now: Date.now }).read(scope);
  return {
    url: () => gateway.url,
    clock,
    get upstream() {
      return upstream;
    },
    get store() {
      return store;
    },
    async newKey({ key, tenant, terms, name = `tenant-${randomUUID().slice(0, 8)}` }) {
      await createTenantStore(access()).create(name, tenant ? { limits: tenant } : {});
      if (terms) await createTenantEdits(access()).edit(name, () => terms);
      const made = await createKeyStore(access()).create({ tenant: name, ...(key && { limits: key }) });
      return {
        secret: made.secret,
        key: { kind: 'key', id: made.id },
        tenant: { kind: 'tenant', id: name },
      };
    },
    ask: (secret, body = question, { path = '/v1/chat/completions', signal, user } = {}) =>
      postJson(`${gateway.url}${path}`, secret, body, {
        headers: { ...(user !== undefined && { 'x-gateway-user-id': user }) },
        signal,
      }),
    usageOf,
    async settledUsageOf(scope) {
      await until(async () => (await usageOf(scope))?.held === 0);
      return await usageOf(scope);
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      upstream.script(async (request, response) => {
        await promise;
        await answers(request, response);
      });
      return resolve;
    },
  };
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await isSo()) return;
    await sleep(20);
  }
  throw new Error('It did not become so within ten seconds.');
}
