/**
 * The Anthropic Messages protocol of the sandbox.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { checkContext } from '../context-limit.ts';
import { type Handler, jsonAnswer, type SandboxRequest, streamAnswer } from '../exchange.ts';
import { objectOf, textOf } from '../json.ts';
import { decide } from '../script.ts';
import { sseType } from '../sse.ts';
import { countCache } from './cache.ts';
import { checkRequest } from './check.ts';
import { countMessage } from './count-tokens.ts';
import { readMessages } from './read.ts';
import { refuse } from './refuse.ts';
import { writeMessage, writeMessageStream } from './write.ts';

export const anthropicHandler: Handler = (request) => {
  checkAccess(request);
  if (request.method === 'POST' && request.path === '/messages/count_tokens') return countMessage(request);
  if (request.method !== 'POST' || request.path !== '/messages') refuse('Not Found', 404, 'not_found_error');
  const { body } = request;
  checkRequest(body);
  const prompt = readMessages(body, request.provider);
  checkContext(prompt, (counted, limit) =>
    refuse(`prompt is too long: ${counted} tokens > ${limit} maximum`),
  );
  const answer = decide(prompt);
  const options = {
    model: textOf(body.model),
    showThinking: showsThinking(body),
    cache: countCache(body),
    region: textOf(body.inference_geo) || 'global',
  };
  if (body.stream === true) return streamAnswer(writeMessageStream(answer, options), sseType);
  return jsonAnswer(writeMessage(answer, options));
};

/** Models from 4.7 on show their thinking only on request; older ones always do. */
function showsThinking(body: JsonObject): boolean {
  const { type, display } = objectOf(body.thinking);
  return display === 'summarized' || (display === undefined && type === 'enabled');
}

function checkAccess({ headers }: SandboxRequest): void {
  const key = headers['x-api-key'] ?? headers.authorization;
  if (key === undefined || key === '') refuse('x-api-key header is required', 401, 'authentication_error');
  if (headers['anthropic-version'] === undefined) refuse('anthropic-version: header is required');
}
