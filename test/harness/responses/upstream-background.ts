/** A gateway whose provider creates responses in the background itself: the sandbox, whose streams a test breaks. */
import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { create as createRunResponse } from '../../../functions/run-and-notify.ts';
import type { RunHost, RunRef } from '../../../lib/core/background.ts';
import { hashApiKey } from '../../../lib/core/names/api-key.ts';
import { createBackgroundStore } from '../../../lib/stores/responses/background.ts';
import { sandboxRoutes } from '../../../local/providers.ts';
import type { SandboxRequest, SandboxResponse } from '../../../sandbox/exchange.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { startTestGateway } from '../gateways/gateway.ts';
import { textModel } from '../text-model.ts';
import { lazily, use } from '../use.ts';
import { useLedger } from '../use-ledger.ts';

/** Its price is in `textModel`. */
export const model = 'acme/native';

/** Its account keeps nothing. */
export const unstored = 'acme/unstored';

/** It may be idle for no longer than a fraction of a second. */
export const hasty = 'acme/hasty';

type Answer = (request: SandboxRequest, answer: () => SandboxResponse) => SandboxResponse | undefined;

export function useUpstreamBackground(provider = 'openai') {
  let requests: SandboxRequest[] = [];
  let change: Answer = () => undefined;
  const started = use(
    async () => {
      const routes = sandboxRoutes
        .filter((route) => route.provider === provider)
        .map((route) => ({
          ...route,
          handle(request: SandboxRequest) {
            requests.push(request);
            return change(request, () => route.handle(request)) ?? route.handle(request);
          },
        }));
      const sandbox = await startSandbox(routes, { pauseMs: 0 });
      const name = provider.toUpperCase();
      const gateway = await startTestGateway({
        [`${name}_UPSTREAM_URL`]: `${sandbox.url}${routes[0]?.base}`,
        [`${name}_API_KEY`]: 'sandbox',
      });
      return { sandbox, gateway };
    },
    async ({ sandbox, gateway }) => {
      await gateway.close();
      await sandbox.close();
    },
  );
  const gateway = lazily(() => started.gateway);
  const deployment = { provider, upstreamId: 'gpt-4.1' };
  const { ledger } = useLedger(() => [
    textModel(model, deployment),
    textModel(unstored, { ...deployment, retainsData: false }),
    textModel(hasty, deployment, { timeouts: { idleMs: 150 } }),
  ]);
  const runsAt = (now: () => number) => createBackgroundStore({ call: ledger.call, table: 'state', now });
  return {
    gateway,
    ledger,
    runsAt,
    client: () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey, maxRetries: 0 }),
    /** What the provider was asked since its answers were set: methods and paths, with `ID` for ids. */
    asked: () => requests.map(({ method, path, query }) => askedFor(method, path, query)),
    bodies: () => requests.flatMap(({ method, body }) => (method === 'POST' && body ? [body] : [])),
    /** From now on, what a test makes of an answer; undefined: as it is. */
    answer(next: Answer) {
      change = next;
      requests = [];
    },
    /** Creates one at the provider, and leaves it. */
    async begin(request: object): Promise<{ readonly id: string }> {
      const base = gateway.variables[`${provider.toUpperCase()}_UPSTREAM_URL`];
      const headers = { 'content-type': 'application/json', authorization: 'Bearer sandbox' };
      const answer = await fetch(`${base}/responses`, {
        method: 'POST',
        headers,
        body: JSON.stringify(request),
      });
      for await (const bytes of answer.body ?? []) {
        const [, id] = /"id":"(resp_\w+)"/.exec(Buffer.from(bytes).toString()) ?? [];
        if (id !== undefined) return { id };
      }
      throw new Error('The provider began nothing.');
    },
    /** A run that no worker has begun. */
    async queued(
      request: object,
      { streamed = true, keyHash = hashApiKey(gateway.apiKey) } = {},
    ): Promise<RunRef> {
      const ref = { tenant: 'local', id: `resp_${randomUUID().replaceAll('-', '')}` };
      const begun = { id: ref.id, object: 'response', background: true, status: 'queued', output: [] };
      const createdAt = Math.floor(Date.now() / 1_000);
      await runsAt(Date.now).create(ref, {
        keyHash,
        headers: {},
        streamed,
        request: { model, background: true, ...request },
        begun: { ...begun, created_at: createdAt },
      });
      return ref;
    },
    /** A worker of its own, which nothing but the test starts. */
    work: (ref: RunRef, host: Partial<RunHost> = {}) =>
      createRunResponse(gateway.variables)(ref, {
        requestId: randomUUID(),
        remainingMs: () => 900_000,
        ...host,
      }),
  };
}

function askedFor(method: string, path: string, query: URLSearchParams): string {
  const shown = path.replace(/resp_[0-9a-f]+/, 'ID');
  const after = query.get('starting_after');
  return `${method} ${shown}${query.has('stream') ? ' stream' : ''}${after === null ? '' : ' after'}`;
}

/** An answer whose connection breaks after so many events. */
export const brokenAfter = (events: number, answer: SandboxResponse): SandboxResponse =>
  endingAfter(events, answer, () => Promise.reject(new Error('The connection breaks.')));

/** An answer of which no more comes than so many events. */
export const heldAfter = (events: number, answer: SandboxResponse): SandboxResponse =>
  endingAfter(events, answer, () => new Promise(() => {}));

function endingAfter(
  events: number,
  { rest, ...answer }: SandboxResponse,
  end: () => Promise<never>,
): SandboxResponse {
  return {
    ...answer,
    rest: (async function* () {
      let sent = 0;
      for await (const event of rest ?? []) {
        if (sent === events) await end();
        yield event;
        sent += 1;
      }
    })(),
  };
}
