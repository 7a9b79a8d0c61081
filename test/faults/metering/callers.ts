/** Many concurrent callers of a gateway, and the answer that each of them got. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TestGateway } from '../../harness/gateways/gateway.ts';
import { type CountingUpstream, promptOf, secondModel, wayOf } from './upstream.ts';

/** The answer that a caller got; `status` 499: it disconnected before the end. */
export interface Answer {
  readonly status: number;
  /** The finish reason in the public format; undefined if the answer had none. */
  readonly usage: { readonly prompt: number; readonly completion: number } | undefined;
}

const parallel = 48;

interface Parties {
  readonly gateway: TestGateway;
  readonly upstream: CountingUpstream;
}

export async function askMany(parties: Parties, count: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const caller = async () => {
    for (let number = next++; number < count; number = next++) answers[number] = await ask(parties, number);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, caller));
  return answers;
}

/** The number determines the request too: both APIs, streamed or not, with a fallback and without. */
async function ask({ gateway, upstream }: Parties, number: number): Promise<Answer> {
  const isChat = number % 3 > 0;
  const isStreamed = number % 2 > 0;
  const owner = isChat ? 'faults' : 'hosted';
  const body = {
    model: `${owner}/first`,
    ...(isChat
      ? { messages: [{ role: 'user', content: promptOf(number) }] }
      : { input: promptOf(number), store: false }),
    ...(isStreamed && { stream: true, ...(isChat && { stream_options: { include_usage: true } }) }),
    ...(number % 5 === 0 && { extra: { fallbacks: [`${owner}/${secondModel}`] } }),
  };
  const leaving = new AbortController();
  const response = fetch(`${gateway.url}/v1/${isChat ? 'chat/completions' : 'responses'}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.apiKey}`,
      'content-type': 'application/json',
      'x-gateway-user-id': `caller-${number}`,
    },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  if (wayOf(number) === 'left') {
    const isAsked = () => upstream.calls.has(number);
    return await leave(response, leaving, isStreamed, isAsked);
  }
  const { status, text } = await response.then(async (one) => ({
    status: one.status,
    text: await one.text(),
  }));
  return { status, usage: usageIn(text) };
}

/** In the middle of a stream, or while a body is being sent. A caller that gets an error before that sees the error. */
async function leave(
  response: Promise<Response>,
  leaving: AbortController,
  isStreamed: boolean,
  isAsked: () => boolean,
): Promise<Answer> {
  const answered = response.then(
    () => true,
    () => true,
  );
  if (!isStreamed) while (!isAsked() && (await Promise.race([answered, pause(20, false)])) === false);
  if (isStreamed || (await Promise.race([answered, pause(20, false)]))) {
    const early = await response;
    if (!early.ok) return { status: early.status, usage: usageIn(await early.text()) };
    await early.body?.getReader().read();
  }
  await pause(20);
  leaving.abort();
  await response.then((one) => one.text()).catch(() => undefined);
  return { status: 499, usage: undefined };
}

/** The final usage, in either API, streamed or not. */
function usageIn(text: string): Answer['usage'] {
  const found = [
    ...text.matchAll(/"(?:prompt|input)_tokens":(\d+).*?"(?:completion|output)_tokens":(\d+)/g),
  ].at(-1);
  return found && { prompt: Number(found[1]), completion: Number(found[2]) };
}
