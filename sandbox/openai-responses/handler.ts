/** The Responses protocol of the sandbox. The conversation comes with each request, also where its response is kept. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { findExcess } from '../context-limit.ts';
import {
  type Answer,
  jsonAnswer,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { listOf, numberOf, objectOf, textOf } from '../json.ts';
import { thinks } from '../openai/models.ts';
import { moderationOf } from '../openai/moderations.ts';
import { refuse } from '../openai/refuse.ts';
import { decide } from '../script.ts';
import { answerBegun, keep } from './background.ts';
import type { ResponsesBehaviour } from './behaviour.ts';
import { checkResponses } from './check.ts';
import { newIds } from './ids.ts';
import { type ItemOptions, writeItems } from './items.ts';
import { readResponses } from './read.ts';
import { now, type ResponseState, writeResponse } from './response.ts';
import { streamEvents, writeFailedStream, writeStream } from './write-stream.ts';

/** Models that say of each message what it is. */
const tellsPhases = /^gpt-(5\.[4-9]|6)/;

export function answerResponses(request: SandboxRequest, behaviour: ResponsesBehaviour): SandboxResponse {
  const { body, provider, method } = request;
  if (method !== 'POST') refuse(`Invalid method for URL (${method} /v1/responses)`, null, null, 405);
  checkResponses(body, provider, behaviour);
  const effort = objectOf(body.reasoning).effort ?? undefined;
  const reasons = behaviour.strict
    ? thinks(textOf(body.model), effort)
    : effort !== undefined && effort !== 'none';
  const prompt = readResponses(body, provider, reasons);
  const ids = newIds(reasons);
  const head = { id: ids.response, createdAt: now(), thinks: reasons };
  const write = (state: ResponseState) => writeResponse(body, head, state, behaviour);
  const first = write({ status: 'in_progress', output: [] });
  if (findExcess(prompt)) return refuseLength(body.stream === true, first, write);
  const answer = decide(prompt);
  const output = writeItems(answer, optionsOf(body, provider, ids, behaviour));
  const last = {
    ...write(finalState(answer, output)),
    ...(behaviour.strict && moderationOf(objectOf(body), prompt.lastUserText, answer.text)),
  };
  const options = {
    obfuscates: objectOf(body.stream_options).include_obfuscation !== false,
    tellsSearch: behaviour.plainSearch !== true,
  };
  const isStreamed = body.stream === true;
  const isInBackground = body.background === true;
  if (behaviour.strict && (isInBackground || body.store !== false)) {
    const events = streamEvents(first, output, last, options);
    const kept = keep({ id: ids.response, provider, isInBackground, isStreamed, write, events, last });
    if (isInBackground) return answerBegun(kept);
  }
  return isStreamed ? streamAnswer(writeStream(first, output, last, options)) : jsonAnswer(last);
}

function finalState(answer: Answer, output: readonly JsonObject[]): ResponseState {
  return { status: answer.finish === 'length' ? 'incomplete' : 'completed', output, answer };
}

function optionsOf(
  body: JsonObject,
  account: string,
  ids: ItemOptions['ids'],
  { strict, plainSearch = false }: ResponsesBehaviour,
): ItemOptions {
  const include = listOf(body.include);
  const top = numberOf(body.top_logprobs) ?? 0;
  const { summary } = objectOf(body.reasoning);
  return {
    ids,
    account,
    summary: typeof summary === 'string' ? summary : undefined,
    encrypts: include.includes('reasoning.encrypted_content'),
    sources: include.includes('web_search_call.action.sources'),
    logprobs: include.includes('message.output_text.logprobs') || top > 0 ? { top } : undefined,
    phases: strict && tellsPhases.test(textOf(body.model)),
    plainSearch,
  };
}

/** The length of an input is known when the answer has begun: a stream reports it inside. */
function refuseLength(
  streamed: boolean,
  first: JsonObject,
  write: (state: ResponseState) => JsonObject,
): SandboxResponse {
  const message =
    'Your input exceeds the context window of this model. Please adjust your input and try again.';
  const code = 'context_length_exceeded';
  if (!streamed) refuse(message, 'input', code);
  const failed = write({ status: 'failed', output: [], error: { code, message } });
  const error = { type: 'invalid_request_error', code, message, param: 'input' };
  return streamAnswer(writeFailedStream(first, failed, error));
}
