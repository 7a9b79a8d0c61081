/**
 * The background form of OpenAI's Responses API, for responses that the gateway creates in the background: the provider goes on where
 * its stream is left, and gives the events again. Azure has the same. Sources: OpenAI's guide "Background mode" and its reference of
 * `/responses/{response_id}`; Microsoft's "Use the Azure OpenAI Responses API", section "Background tasks".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunUpstream } from '../../core/background.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { asObject, isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { Frame } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { added, type Change, stripped } from '../../normalization/rule.ts';
import { asOptionalText } from '../../protocols/json.ts';
import type * as wire from '../../protocols/openai-responses/wire.ts';
import { createServerSentEventReader } from '../../transport/framing/sse.ts';
import { readBody, withBody } from '../../transport/read-body.ts';
import { type Account, type Called, callOnce, encodeRequest, type RunCall } from '../provider.ts';

/** The provider's copy of a response. */
interface Copy {
  readonly id: string;
  /** It goes on no longer. */
  isEnded: boolean;
  isRemoved: boolean;
}

const created: Change = added(
  'background',
  true,
  'The provider creates the response in the background, and keeps it until the gateway has it.',
);
const refused: Change = stripped('background', true, 'The provider does not create it in the background.');

/** What ends a response at its provider. */
interface Ending extends Pick<Account, 'beside'>, Pick<RunUpstream, 'warn'> {}

const endingOf = ({ beside, run: { warn } }: RunCall): Ending => ({ beside, warn });

/** The pauses before a stream that broke off is read on. Each event that comes begins them again. */
const pausesMs = [250, 1_000, 4_000, 10_000, 20_000];

const largestAnswer = 64 * 1024 * 1024;

export async function callInBackground(call: RunCall): Promise<Called> {
  const { run, protocol, request, target } = call;
  if (run.begun) {
    const copy = await noteCopy(call, run.begun.id);
    return readingFrom(call, await call.read(`${pathOf(copy)}?stream=true`), copy);
  }
  const { body, headers } = encodeRequest(protocol, request, target);
  const path = protocol.path(target.deployment.upstreamId, request.stream);
  const response = await call.post(path, { ...body, background: true, store: true }, { headers });
  if (response.status !== 400) return readingFrom(call, response);
  const text = await readBody(response, largestAnswer);
  if (!isRefusal(call, response, text)) return { response: withBody(response, text), changes: [created] };
  return { response: (await callOnce(call)).response, changes: [refused] };
}

/** Ends what no worker reads on, and deletes it. */
export const endInBackground = (ending: Ending, id: string): Promise<void> =>
  remove(ending, { id, isEnded: false, isRemoved: false });

/** The form itself is refused, and nothing else of the request. */
function isRefusal({ protocol }: RunCall, { status, headers }: HttpResponse, body: string): boolean {
  const { upstreamParam } = protocol.readFailure({ status, headers, body });
  return (
    upstreamParam === 'background' ||
    upstreamParam === 'store' ||
    /\bbackground (?:mode|sampling|responses?)\b|\bzero data retention\b/i.test(body)
  );
}

function readingFrom(call: RunCall, response: HttpResponse, copy?: Copy): Called {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  const isRead = isStream && response.status >= 200 && response.status <= 299;
  return {
    response: isRead ? { ...response, body: readToEnd(call, response, copy) } : response,
    changes: [created],
  };
}

/** Whole events, each once, over as many connections as it takes. One that is left is cancelled, unless another worker goes on. */
async function* readToEnd(
  call: RunCall,
  first: HttpResponse,
  known: Copy | undefined,
): AsyncGenerator<Uint8Array> {
  const { run, signal } = call;
  let copy = known;
  let body: HttpResponse['body'] | undefined = first.body;
  let last = -1;
  let breaks = 0;
  try {
    while (!copy?.isEnded) {
      try {
        body ??= await reopen(call, copy, last);
        const reader = createServerSentEventReader();
        for await (const bytes of body) {
          const fresh: Frame[] = [];
          for (const frame of reader.read(bytes)) {
            const { type, sequence_number, response } = asObject<wire.Event>(parseJson(frame.data));
            const number = typeof sequence_number === 'number' ? sequence_number : undefined;
            if (number !== undefined && number <= last) continue;
            last = number ?? last;
            breaks = 0;
            const id = asOptionalText(asObject<wire.Answer>(response).id);
            if (id !== undefined) copy ??= await noteCopy(call, id);
            if (copy && isEnd(type)) copy.isEnded = true;
            fresh.push(frame);
          }
          if (fresh.length > 0) yield Buffer.from(fresh.map(textOf).join(''));
          if (copy?.isEnded) return;
        }
        throw cut();
      } catch (thrown) {
        const pauseMs = pausesMs[breaks];
        if (signal.aborted && copy && !run.isHandedOver()) {
          const answer = await cancel(endingOf(call), copy);
          if (isJsonObject(answer?.usage)) yield Buffer.from(textOf(cancelledEvent(answer)));
        }
        if (signal.aborted || !copy || pauseMs === undefined || isFinal(thrown)) throw thrown;
        breaks += 1;
        body = undefined;
        // It rejects where the signal is aborted, which is found with the next connection.
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  } finally {
    if (copy && !copy.isEnded && !run.isHandedOver())
      await remove(endingOf(call), copy).catch(warning(run, removal));
  }
}

const pathOf = ({ id }: Pick<Copy, 'id'>): string => `/responses/${encodeURIComponent(id)}`;

const textOf = ({ event, data }: Frame): string =>
  `event: ${event}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`;

const ends: readonly unknown[] = [
  ...['completed', 'incomplete', 'failed', 'cancelled'].map((status) => `response.${status}`),
  'error',
];

const isEnd = (type: unknown): boolean => ends.includes(type);

const cut = () => new GatewayError('upstream_cut', 'The provider ended its response before it was complete.');

/** Another try would get the same. */
const isFinal = (thrown: unknown): boolean =>
  thrown instanceof GatewayError &&
  thrown.upstreamStatus !== undefined &&
  thrown.upstreamStatus < 500 &&
  ![408, 409, 429].includes(thrown.upstreamStatus);

/** After the last event that came; from the first one where none has a number. */
async function reopen(
  { read, protocol, signal }: RunCall,
  copy: Copy | undefined,
  last: number,
): Promise<HttpResponse['body']> {
  if (!copy || signal.aborted) throw cut();
  const after = last < 0 ? '' : `&starting_after=${last}`;
  const response = await read(`${pathOf(copy)}?stream=true${after}`, { free: true });
  const { status, headers } = response;
  if (status >= 200 && status <= 299) return response.body;
  throw protocol.readFailure({ status, headers, body: await readBody(response, largestAnswer) });
}

/** Without a note, the response cannot be handed over; it is created all the same. */
async function noteCopy(call: RunCall, id: string): Promise<Copy> {
  const { run, target } = call;
  const { provider, region } = target.deployment;
  const copy = { id, isEnded: false, isRemoved: false };
  await run
    .note({ model: target.model.id, provider, region, id }, () => remove(endingOf(call), copy))
    .catch(warning(run, 'background response not noted'));
  return copy;
}

const removal = 'background response not deleted at its provider';

const warning =
  ({ warn }: RunUpstream, problem: string) =>
  (cause: unknown) =>
    warn(problem, cause);

/** Ends it, and gives the provider's object of it, if there is one. Never rejects. */
async function cancel(ending: Ending, copy: Copy): Promise<JsonObject | undefined> {
  try {
    const path = pathOf(copy);
    // One that has ended meanwhile cannot be cancelled: it is as it is.
    const answer =
      (await objectOf(ending, 'POST', `${path}/cancel`)) ?? (await objectOf(ending, 'GET', path));
    copy.isEnded = answer !== undefined;
    return answer;
  } catch (thrown) {
    ending.warn('background response not cancelled at its provider', thrown);
    return undefined;
  }
}

/** Undefined for an error. */
async function objectOf(
  { beside }: Ending,
  method: 'GET' | 'POST',
  path: string,
): Promise<JsonObject | undefined> {
  const response = await beside(method, path);
  const text = await readBody(response, largestAnswer);
  const object = parseJson(text);
  return response.status === 200 && isJsonObject(object) ? object : undefined;
}

const cancelledEvent = (response: JsonObject | undefined): Frame => ({
  event: 'response.cancelled',
  data: JSON.stringify({ type: 'response.cancelled', response }),
});

/** Deletes the copy, once. What still goes on is cancelled first. */
async function remove(ending: Ending, copy: Copy): Promise<void> {
  if (copy.isRemoved) return;
  copy.isRemoved = true;
  if (!copy.isEnded) await cancel(ending, copy);
  const response = await ending.beside('DELETE', pathOf(copy));
  await readBody(response, largestAnswer);
  const { status } = response;
  if (status !== 404 && (status < 200 || status > 299)) throw new Error(`Status ${status}.`);
}
