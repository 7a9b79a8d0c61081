/**
 * The OpenAI chat wire of the sandbox, also spoken by the many hosts that imitate it, and the way to their Responses.
 */
import { checkContext } from '../context-limit.ts';
import { jsonAnswer, streamAnswer, type Wire, type WireRequest } from '../exchange.ts';
import { numberOf, objectOf, textOf } from '../json.ts';
import { answerResponses } from '../openai-responses/wire.ts';
import { decide } from '../script.ts';
import { sseType } from '../sse.ts';
import { checkChat } from './check.ts';
import { answerEmbeddings } from './embeddings.ts';
import { answerImages } from './images.ts';
import { checkManner, type Manner, wantsToThink } from './manner.ts';
import { thinks } from './models.ts';
import { readChat } from './read.ts';
import { refuse, refuseLength } from './refuse.ts';
import { writeChatBody, writeChatStream } from './write.ts';
import { answerXaiImages } from './xai-images.ts';

export function openaiWire(manner: Manner): Wire {
  return (request) => {
    if (!manner.open) checkAccess(request);
    if (request.path === '/responses' && manner.responses) {
      return answerResponses(request, { refuses: manner.refuses ?? [], ...manner.responses });
    }
    if (request.method === 'POST' && request.path === '/embeddings') return answerEmbeddings(request, manner);
    if (request.path === '/images/generations' && manner.strict) return answerImages(request);
    if (request.path === '/images/generations' && request.provider === 'xai') return answerXaiImages(request);
    if (request.method !== 'POST' || request.path !== '/chat/completions') {
      refuse(`Invalid URL (${request.method} ${request.path})`, null, null, 404);
    }
    return answerChat(request, manner);
  };
}

function answerChat({ body, provider }: WireRequest, manner: Manner) {
  const { strict, reasoning: place, shortToolIds, alwaysTellsUsage } = manner;
  checkChat(body, strict);
  checkManner(body, manner);
  const reasoning = strict ? thinks(textOf(body.model), body.reasoning_effort) : wantsToThink(body);
  const prompt = readChat(body, provider, reasoning);
  checkContext(prompt, (counted, limit) => refuseLength(counted, limit, 'messages'));
  const answer = decide(prompt);
  const options = {
    model: textOf(body.model),
    choices: numberOf(body.n) ?? 1,
    logprobs: body.logprobs === true ? { top: numberOf(body.top_logprobs) ?? 0 } : undefined,
    reasoning: place,
    shortToolIds,
    includeUsage: alwaysTellsUsage === true || objectOf(body.stream_options).include_usage === true,
  };
  if (body.stream === true) return streamAnswer(writeChatStream(answer, options), sseType);
  return jsonAnswer(writeChatBody(answer, options));
}

function checkAccess({ headers }: WireRequest): void {
  const message =
    "You didn't provide an API key. You need to provide it in an Authorization header using Bearer auth.";
  if (!/^Bearer \S/.test(textOf(headers.authorization))) refuse(message, null, null, 401);
}
