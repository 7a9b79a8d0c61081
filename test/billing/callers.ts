/** Callers that ask what the plan says, and how each of them was answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { postJson } from '../harness/post.ts';
import { type PlannedRequest, planOf } from './plan.ts';
import { type BillingUpstream, promptOf } from './upstream.ts';

export interface Billed {
  /** The gateway that a request goes to; called when it begins. */
  readonly urlOf: (number: number) => string;
  /** The key of the tenant that a request belongs to. */
  readonly keyOf: (number: number) => string;
  readonly upstream: BillingUpstream;
  /** Called with how many requests have begun. */
  readonly onBegun?: (count: number) => void;
  /** Called when a request was answered. */
  readonly onOver?: (number: number) => void;
}

/** Of a caller whose connection ended without an answer, or in the middle of one. */
export const broken = 0;

const parallel = 24;

/** The status that each caller saw, by the number of its request; 499 if it left, 0 if its connection broke. */
export async function askAll(
  parties: Billed,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const waiting = [...numbers];
  const caller = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      parties.onBegun?.(numbers.length - waiting.length);
      statuses.set(number, await ask(parties, planOf(number)).catch(() => broken));
      parties.onOver?.(number);
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  return statuses;
}

async function ask({ urlOf, keyOf, upstream }: Billed, plan: PlannedRequest): Promise<number> {
  const leaving = new AbortController();
  const response = postJson(`${urlOf(plan.number)}/v1/${plan.operation}`, keyOf(plan.number), bodyOf(plan), {
    headers: { 'x-gateway-user-id': `user-${plan.number}` },
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
  let isOver = false;
  const early = response
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  while (!upstream.calls.has(number) && !isOver) await pause(10);
  const answer = await Promise.race([early, pause(stream ? 3_000 : 60)]);
  if (isOver && !answer) return broken;
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
