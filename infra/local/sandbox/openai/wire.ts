/**
 * The OpenAI chat wire of the sandbox, also spoken by the many hosts that imitate it.
 */
import { jsonAnswer, streamAnswer, type Wire, type WireRequest } from '../exchange.ts';
import { numberOf, objectOf, textOf } from '../json.ts';
import { decide } from '../script.ts';
import { sseType } from '../sse.ts';
import { checkChat } from './check.ts';
import { thinks } from './models.ts';
import { readChat } from './read.ts';
import { refuse } from './refuse.ts';
import { writeChatBody, writeChatStream } from './write.ts';

interface Manner {
  /** As OpenAI itself: its own model ids, no field but its own. Imitators take what they do not know. */
  readonly strict: boolean;
  /** Where an imitator shows its reasoning; OpenAI's chat never shows it. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
}

export function openaiWire(manner: Manner): Wire {
  return (request) => {
    checkAccess(request);
    if (request.method !== 'POST' || request.path !== '/chat/completions') {
      refuse(`Invalid URL (${request.method} ${request.path})`, null, null, 404);
    }
    return answerChat(request, manner);
  };
}

function answerChat({ body, provider }: WireRequest, { strict, reasoningField }: Manner) {
  checkChat(body, strict);
  const effort = body.reasoning_effort;
  const reasoning = strict ? thinks(body) : effort !== undefined && effort !== 'none';
  const answer = decide(readChat(body, provider, reasoning));
  const options = {
    model: textOf(body.model),
    choices: numberOf(body.n) ?? 1,
    logprobs: body.logprobs === true ? { top: numberOf(body.top_logprobs) ?? 0 } : undefined,
    reasoningField,
    includeUsage: objectOf(body.stream_options).include_usage === true,
  };
  if (body.stream === true) return streamAnswer(writeChatStream(answer, options), sseType);
  return jsonAnswer(writeChatBody(answer, options));
}

function checkAccess({ headers }: WireRequest): void {
  const message =
    "You didn't provide an API key. You need to provide it in an Authorization header using Bearer auth.";
  if (!/^Bearer \S/.test(textOf(headers.authorization))) refuse(message, null, null, 401);
}
