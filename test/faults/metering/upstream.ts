/**
 * A provider that counts: for every request of the gateway's caller, it records the calls and the usage. The number of a
 * request determines how it is handled. The text of answers contains a marker that tests look for.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startUpstream, type UpstreamRequest } from '../../harness/upstream.ts';

/** Text that must occur nowhere but in requests and answers. */
export const secrets = {
  prompt: 'canary-of-a-prompt',
  answer: 'canary-of-an-answer',
  providerKey: 'canary-of-a-provider-key',
  refusal: 'canary-of-a-refusal',
};

/** The share of each behaviour, in percent. */
const shares = {
  whole: 62,
  slow: 5,
  'busy once': 6,
  busy: 4,
  failing: 5,
  refused: 3,
  cut: 6,
  'hung up': 4,
  silent: 1,
  /** The caller disconnects in the middle. */
  left: 4,
} as const;

export type Way = keyof typeof shares;

const ways = Object.entries(shares).flatMap(([way, share]) => Array<string>(share).fill(way));

export const wayOf = (number: number): Way => ways[(number * 37) % ways.length] as Way;

/** The model of the answers, for every behaviour. */
export const secondModel = 'second';

export interface Given {
  readonly prompt: number;
  readonly completion: number;
}

export interface UpstreamCall {
  readonly model: string;
  /** The usage in the answer; absent if it was not sent completely. */
  given?: Given;
  /** Answered with an error status. */
  isRefused?: true;
}

export interface CountingUpstream {
  readonly url: string;
  /** By the number of the request, in order of arrival. */
  readonly calls: ReadonlyMap<number, readonly UpstreamCall[]>;
  close(): Promise<void>;
}

export const promptOf = (number: number) => `Request ${number}. ${secrets.prompt}`;

export async function startCountingUpstream(): Promise<CountingUpstream> {
  const upstream = await startUpstream();
  const calls = new Map<number, UpstreamCall[]>();
  upstream.script(async (request, response) => {
    const number = Number(/Request (\d+)\./.exec(JSON.stringify(request.body.messages))?.[1]);
    const call: UpstreamCall = { model: String(request.body.model) };
    const earlier = calls.get(number) ?? [];
    calls.set(number, [...earlier, call]);
    const way = call.model === secondModel ? 'whole' : wayOf(number);
    await answer({ way, number, call, request, response, isFirst: earlier.length === 0 });
  });
  return { url: upstream.url, calls, close: upstream.close };
}

interface Exchange {
  readonly way: Way;
  readonly number: number;
  readonly call: UpstreamCall;
  readonly request: UpstreamRequest;
  readonly response: ServerResponse;
  readonly isFirst: boolean;
}

async function answer(exchange: Exchange): Promise<void> {
  const { way, response, isFirst } = exchange;
  if (way === 'hung up') return void response.socket?.resetAndDestroy();
  if (way === 'silent') return;
  if (way === 'failing') return refuse(exchange, 500);
  if (way === 'refused') return refuse(exchange, 400);
  if (way === 'busy' || (way === 'busy once' && isFirst)) return refuse(exchange, 429);
  if (way === 'slow') await pause(400);
  await (exchange.request.body.stream === true ? stream(exchange) : sayWhole(exchange));
}

function refuse({ call, response }: Exchange, status: number): void {
  call.isRefused = true;
  const error = { message: secrets.refusal, type: 'an_error', param: null, code: null };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

const lengthOf = (number: number) => 2 + (number % 7);

const usageOf = ({ prompt, completion }: Given) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const giveTo = ({ number }: Exchange): Given => ({ prompt: 5 + (number % 89), completion: lengthOf(number) });

async function sayWhole(exchange: Exchange): Promise<void> {
  const { way, number, call, response, request } = exchange;
  const given = giveTo(exchange);
  const message = { role: 'assistant', content: Array(lengthOf(number)).fill(secrets.answer).join(' ') };
  const text = JSON.stringify({
    id: 'one',
    object: 'chat.completion',
    created: 1,
    model: 'one',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: usageOf(given),
  });
  response.writeHead(200, { 'content-type': 'application/json' });
  if (way === 'whole' || way === 'slow' || way === 'busy once') {
    call.given = given;
    response.end(text);
    return;
  }
  response.write(text.slice(0, 40));
  // Leaves time for the caller to disconnect.
  if (way === 'left') await request.over;
  else await pause(20);
  response.destroy();
}

async function stream(exchange: Exchange): Promise<void> {
  const { way, number, call, response, request } = exchange;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let word = 0; word < lengthOf(number); word += 1) {
    if (way === 'cut' && word > 0) {
      await pause(20);
      return void response.destroy();
    }
    if (way === 'left' && word > 0) return void (await request.over);
    send(response, [{ index: 0, delta: { content: `${secrets.answer} ` }, finish_reason: null }]);
  }
  const given = giveTo(exchange);
  call.given = given;
  send(response, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  send(response, [], { usage: usageOf(given) });
  response.end('data: [DONE]\n\n');
}

function send(response: ServerResponse, choices: readonly object[], more: object = {}): void {
  const chunk = { id: 'one', object: 'chat.completion.chunk', created: 1, model: 'one', choices, ...more };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
