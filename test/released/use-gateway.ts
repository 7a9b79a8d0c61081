/** What a tenant and its operator do with a gateway of any release: every kind of item is written once at least. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReleasedGateway } from './run-release.ts';

export const tenant = 'acme';
export const model = 'openai/gpt-5.5';
/** In dollars. The first release reserves the whole output of a model. */
export const budgets = { tenant: 1000, key: 500, credit: 500 };

/** What is to be found again later. */
export interface Facts {
  readonly secret: string;
  readonly responseId: string;
  /** As the release itself adds it up. */
  readonly requests: number;
  readonly promptTokens: number;
}

export async function firstDay(gateway: ReleasedGateway): Promise<Facts> {
  await gateway.command(`tenants create ${tenant}`);
  await gateway.command(`tenants set-limits ${tenant} --budget ${budgets.tenant} --credit ${budgets.credit}`);
  const made = await gateway.command(
    `keys create --tenant ${tenant} --name laptop --budget ${budgets.key} --models openai/*`,
  );
  const secret = made.trimEnd().split('\n').at(-1) ?? '';
  const responseId = await useGateway(gateway, secret);
  const { requests, promptTokens } = await sums(gateway, secret, 4);
  return { secret, responseId, requests, promptTokens };
}

/** Four requests; the id of the last response. */
export async function useGateway(
  gateway: ReleasedGateway,
  secret: string,
  previous?: string,
): Promise<string> {
  const messages = [{ role: 'user', content: 'Name a colour.' }];
  const whole = await gateway.ask(secret, '/v1/chat/completions', { model, messages });
  assert.equal(whole.status, 200, JSON.stringify(whole.body));
  const streamed = await gateway.ask(secret, '/v1/chat/completions', { model, messages, stream: true });
  assert.match(String(streamed.body), /\[DONE\]/);
  const first = await respond(gateway, secret, previous);
  return await respond(gateway, secret, first);
}

async function respond(gateway: ReleasedGateway, secret: string, previous?: string): Promise<string> {
  const asked = { model, input: 'Name another.', store: true };
  const { status, body } = await gateway.ask(secret, '/v1/responses', {
    ...asked,
    ...(previous !== undefined && { previous_response_id: previous }),
  });
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { readonly id: string }).id;
}

interface Sums {
  readonly requests: number;
  readonly promptTokens: number;
}

const patienceMs = 30_000;

/** Those of all days, once so many requests are counted: sums follow requests. */
export async function sums(gateway: ReleasedGateway, secret: string, requests: number): Promise<Sums> {
  for (const end = Date.now() + patienceMs; ; await pause(100)) {
    const { body } = await gateway.ask(secret, '/v1/usage');
    const { data } = body as { readonly data: readonly { requests: number; prompt_tokens: number }[] };
    const found = {
      requests: data.reduce((sum, day) => sum + day.requests, 0),
      promptTokens: data.reduce((sum, day) => sum + day.prompt_tokens, 0),
    };
    if (found.requests === requests) return found;
    assert.ok(Date.now() < end, `${found.requests} requests are counted, not ${requests}.`);
  }
}
