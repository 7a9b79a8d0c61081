/**
 * All providers of these tests on one server. It answers each call as the request with its number plans it, in the provider's
 * own protocol, and keeps what it counted: that is what a provider would charge for.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startUpstream, type UpstreamRequest } from '../harness/upstream.ts';
import { type Answer, answerOf } from './answers.ts';
import { billedModel, type ModelId, type Protocol } from './models.ts';
import { type PlannedCall, planOf, rawUsage } from './plan.ts';
import type { RawUsage } from './price-list.ts';

/** One call that reached a provider. */
export interface ServedCall {
  readonly model: ModelId;
  readonly protocol: Protocol;
  readonly planned: PlannedCall;
  readonly streamed: boolean;
  /** When it arrived, in Unix milliseconds. */
  readonly at: number;
  /** What was counted, once it was sent to the caller in full. */
  counted?: RawUsage;
  /** The counts that were sent before the answer broke off. */
  begun?: RawUsage;
  /** Characters of the answer that were sent. */
  sent: number;
}

export interface BillingUpstream {
  readonly url: string;
  /** By the number of the request, in order of arrival. */
  readonly calls: ReadonlyMap<number, readonly ServedCall[]>;
  /** Resolves when no call is being answered. */
  allOver(): Promise<void>;
  close(): Promise<void>;
}

export const promptOf = (number: number) => `Request number-${number}-of-many, please.`;

export async function startBillingUpstream(): Promise<BillingUpstream> {
  const upstream = await startUpstream();
  const calls = new Map<number, ServedCall[]>();
  const connections: Promise<unknown>[] = [];
  upstream.script(async (request, response) => {
    const number = Number(/number-(\d+)-of/.exec(JSON.stringify(request.body))?.[1]);
    const earlier = calls.get(number) ?? [];
    const plan = planOf(number);
    const planned = plan.calls[Math.min(earlier.length, plan.calls.length - 1)];
    if (!planned) throw new Error('Nothing is planned.');
    const { id, protocol } = modelIn(request);
    const streamed = request.body.stream === true || request.path.includes(':streamGenerateContent');
    const call: ServedCall = { model: id, protocol, planned, streamed, at: Date.now(), sent: 0 };
    calls.set(number, [...earlier, call]);
    connections.push(request.over);
    await serve(call, request, response, plan.leaves);
  });
  const allOver = async () => void (await Promise.all(connections));
  return { url: upstream.url, calls, allOver, close: upstream.close };
}

function modelIn({ path, body }: UpstreamRequest) {
  const name = /\/models\/([^/:]+):/.exec(path)?.[1] ?? String(body.model);
  const { protocol } = billedModel(`billed/${name}`);
  return { id: `billed/${name}` as ModelId, protocol };
}

const statuses = { busy: 429, failing: 500, refused: 400 } as const;

async function serve(
  call: ServedCall,
  { over }: UpstreamRequest,
  response: ServerResponse,
  leaves: boolean,
): Promise<void> {
  const { way, tier, usage: counts } = call.planned;
  if (way === 'hung up') return void response.socket?.resetAndDestroy();
  if (way === 'silent') return;
  if (way === 'busy' || way === 'failing' || way === 'refused') return refuse(response, statuses[way]);
  if (way === 'slow') await pause(200);
  const usage = rawUsage(call.protocol, counts);
  const answer = answerOf(call.protocol, {
    usage,
    tier,
    streamed: call.streamed,
    isReadable: way !== 'unreadable',
  });
  response.writeHead(200, { 'content-type': answer.type });
  const isWhole = way === 'whole' || way === 'slow' || way === 'unreadable';
  if (isWhole && !leaves) {
    for (const { text } of answer.pieces) response.write(text);
    call.counted = usage;
    response.end();
    return;
  }
  await sendBeginning(call, answer, response);
  // The caller, or the gateway's clock, ends it.
  if (leaves || way === 'stalled') await over;
  else await pause(20);
  response.destroy();
}

/** Everything but the last piece, which has the counts. A body is cut in its middle. */
async function sendBeginning(call: ServedCall, answer: Answer, response: ServerResponse): Promise<void> {
  if (!call.streamed) {
    response.write(
      answer.pieces
        .map(({ text }) => text)
        .join('')
        .slice(0, 30),
    );
    return;
  }
  for (const { text, shown = 0, counts } of answer.pieces.slice(0, answer.beforeEnd)) {
    response.write(text);
    call.sent += shown;
    if (counts) call.begun = counts;
  }
  await pause(5);
}

/** The words of every refusal. */
export const refusal = 'The provider says: not now.';

function refuse(response: ServerResponse, status: number): void {
  const error = { message: refusal, type: 'an_error', param: null, code: null };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
