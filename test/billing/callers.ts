/** Callers that ask what the plan says, and how each of them was answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { type PlannedRequest, planOf } from './plan.ts';
import { type BillingUpstream, promptOf } from './upstream.ts';

export interface Billed {
  readonly url: string;
  /** The key of the tenant that a request belongs to. */
  readonly keyOf: (number: number) => string;
  readonly upstream: BillingUpstream;
}

const parallel = 24;

/** The status that each caller saw, by the number of its request; 499 if it left. */
export async function askAll(
  parties: Billed,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const waiting = [...numbers];
  const caller = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      statuses.set(number, await ask(parties, planOf(number)));
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  return statuses;
}

async function ask({ url, keyOf, upstream }: Billed, plan: PlannedRequest): Promise<number> {
  const leaving = new AbortController();
  const response = fetch(`${url}/v1/${plan.operation}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keyOf(plan.number)}`,
      'content-type': 'application/json',
      'x-gateway-user-id': `user-${plan.number}`,
    },
    body: JSON.stringify(bodyOf(plan)),
    signal: leaving.signal,
  });
  if (plan.leaves) return await leave(response, leaving, plan, upstream);
  const answer = await response;
  await answer.text();
  return answer.status;
}

export function bodyOf({ number, operation, model, fallback, stream, images }: PlannedRequest): object {
  const prompt = promptOf(number);
  const common = { model, ...(fallback && { extra: { fallbacks: [fallback] } }) };
  switch (operation) {
    case 'chat/completions':
      return { ...common, stream, messages: [{ role: 'user', content: prompt }] };
    case 'responses':
      return { ...common, stream, store: false, input: prompt };
    case 'embeddings':
      return { ...common, input: prompt };
    case 'images/generations':
      return { ...common, prompt, n: images };
  }
}

/** As soon as the provider has the request and, of a stream, something was seen. Who gets an error first does not leave. */
async function leave(
  response: Promise<Response>,
  leaving: AbortController,
  { number, stream }: PlannedRequest,
  upstream: BillingUpstream,
): Promise<number> {
  const early = response.then(
    (one) => one,
    () => undefined,
  );
  while (!upstream.calls.has(number)) {
    if (await Promise.race([early, pause(10)])) break;
  }
  const answer = await Promise.race([early, pause(stream ? 3_000 : 60)]);
  if (answer && !answer.ok) return await answer.text().then(() => answer.status);
  if (answer && stream)
    await answer.body
      ?.getReader()
      .read()
      .catch(() => undefined);
  await pause(20);
  leaving.abort();
  await early;
  return 499;
}
